import { Type } from 'typebox';
import { defineAuditAction } from '../../../platform/journal/audit-actions.ts';

/** The team changed its branding. `members` lists the changed members. */
export const brandingUpdated = defineAuditAction('team.branding_updated', 'team', { members: Type.Array(Type.String()) });
