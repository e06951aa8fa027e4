import { Type } from 'typebox';
import { defineAuditAction } from '../../../platform/journal/audit-actions.ts';

/** The assignee of a task received the link to its form. */
export const formLinkShown = defineAuditAction('task.form_link_shown', 'task', { interfaceId: Type.String() });
