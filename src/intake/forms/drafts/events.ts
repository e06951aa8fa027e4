import { Type } from 'typebox';
import { defineAuditAction } from '../../../platform/journal/audit-actions.ts';

/* Nothing of what was answered, and of no address. */
const interfaceId = Type.String();

export const draftKept = defineAuditAction('draft.kept', 'draft', { interfaceId, revision: Type.Integer() });
/** A link to it was mailed. */
export const draftMailed = defineAuditAction('draft.mailed', 'draft', { interfaceId });
/** By a mailed link another session goes on with it. */
export const draftResumed = defineAuditAction('draft.resumed', 'draft', { interfaceId });
export const draftDropped = defineAuditAction('draft.dropped', 'draft', { interfaceId });
