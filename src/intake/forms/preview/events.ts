import { Type } from 'typebox';
import { defineAuditAction } from '../../../platform/journal/audit-actions.ts';

export const previewMade = defineAuditAction('interface.preview_made', 'interface', {
  expiresAt: Type.String(),
  via: Type.Optional(Type.String()),
});
