import { Type } from 'typebox';
import { defineAct } from '../../platform/journal/acts.ts';

/** The assignee of a task was shown the link to its form. */
export const formLinkShown = defineAct('task.form_link_shown', 'task', { interfaceId: Type.String() });
