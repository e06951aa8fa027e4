import { Type } from 'typebox';
import { defineAuditAction } from '../../../platform/journal/audit-actions.ts';

/** How the team's pages look was changed. `members`: what of it. */
export const brandingUpdated = defineAuditAction('team.branding_updated', 'team', { members: Type.Array(Type.String()) });
