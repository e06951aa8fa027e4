import { Type } from 'typebox';
import { defineAuditAction } from '../../../platform/journal/audit-actions.ts';

/* The actions contain neither answers nor email addresses. */
const interfaceId = Type.String();

export const draftKept = defineAuditAction('draft.kept', 'draft', { interfaceId, revision: Type.Integer() });
/** A link to the draft was mailed. */
export const draftMailed = defineAuditAction('draft.mailed', 'draft', { interfaceId });
/** Another session resumed the draft through a mailed link. */
export const draftResumed = defineAuditAction('draft.resumed', 'draft', { interfaceId });
export const draftDropped = defineAuditAction('draft.dropped', 'draft', { interfaceId });
