import { Type } from 'typebox';
import { defineAct } from '../../../platform/journal/audit-actions.ts';

/* Nothing of what was answered, and of no address. */
const interfaceId = Type.String();

export const draftKept = defineAct('draft.kept', 'draft', { interfaceId, revision: Type.Integer() });
/** A link to it was mailed. */
export const draftMailed = defineAct('draft.mailed', 'draft', { interfaceId });
/** By a mailed link another session goes on with it. */
export const draftResumed = defineAct('draft.resumed', 'draft', { interfaceId });
export const draftDropped = defineAct('draft.dropped', 'draft', { interfaceId });
