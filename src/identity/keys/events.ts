import { Type } from 'typebox';
import { defineAuditAction } from '../../platform/journal/audit-actions.ts';

export const keyRotated = defineAuditAction('key.rotated', 'key', {
  purpose: Type.String(),
  alg: Type.Optional(Type.String()),
  reason: Type.String({ description: 'Why the key before it signs no more' }),
  previous: Type.Optional(Type.String()),
});
