import { Type } from 'typebox';
import { defineAct } from '../../../platform/journal/audit-actions.ts';

export const reportsDismissed = defineAct('interface.reports_dismissed', 'interface', {
  reason: Type.String({ description: 'The reason that staff gave' }),
  teamId: Type.String({ format: 'uuid' }),
  reports: Type.Integer({ description: 'The number of reports' }),
});
