import { Type } from 'typebox';
import { defineAct } from '../../platform/journal/audit-actions.ts';

export const keyRotated = defineAct('key.rotated', 'key', {
  purpose: Type.String(),
  alg: Type.Optional(Type.String()),
  reason: Type.String({ description: 'Why the key before it signs no more' }),
  previous: Type.Optional(Type.String()),
});
