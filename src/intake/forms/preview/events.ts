import { Type } from 'typebox';
import { defineAct } from '../../../platform/journal/audit-actions.ts';

export const previewMade = defineAct('interface.preview_made', 'interface', {
  expiresAt: Type.String(),
  via: Type.Optional(Type.String()),
});
