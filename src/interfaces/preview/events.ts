import { Type } from 'typebox';
import { defineAct } from '../../platform/journal/acts.ts';

export const previewMade = defineAct('interface.preview_made', 'interface', {
  expiresAt: Type.String(),
  via: Type.Optional(Type.String()),
});
