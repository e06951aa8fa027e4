import { Type } from 'typebox';
import { defineAuditAction } from '../../platform/journal/audit-actions.ts';

export const keyRotated = defineAuditAction('key.rotated', 'key', {
  purpose: Type.String(),
  alg: Type.Optional(Type.String()),
  reason: Type.String({ description: 'The reason for the replacement of the previous key' }),
  previous: Type.Optional(Type.String()),
});
