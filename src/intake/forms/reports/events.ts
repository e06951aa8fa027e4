import { Type } from 'typebox';
import { defineAuditAction } from '../../../platform/journal/audit-actions.ts';

export const reportsDismissed = defineAuditAction('interface.reports_dismissed', 'interface', {
  reason: Type.String({ description: 'As staff gave it' }),
  teamId: Type.String({ format: 'uuid' }),
  reports: Type.Integer({ description: 'How many there were' }),
});
