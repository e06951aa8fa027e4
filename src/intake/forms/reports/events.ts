import { Type } from 'typebox';
import { defineAuditAction } from '../../../platform/journal/audit-actions.ts';

export const reportsDismissed = defineAuditAction('interface.reports_dismissed', 'interface', {
  reason: Type.String({ description: 'The reason that staff gave' }),
  teamId: Type.String({ format: 'uuid' }),
  reports: Type.Integer({ description: 'The number of reports' }),
});
