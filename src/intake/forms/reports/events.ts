import { Type } from 'typebox';
import { defineAct } from '../../../platform/journal/audit-actions.ts';

export const reportsDismissed = defineAct('interface.reports_dismissed', 'interface', {
  reason: Type.String({ description: 'As staff gave it' }),
  teamId: Type.String({ format: 'uuid' }),
  reports: Type.Integer({ description: 'How many there were' }),
});
