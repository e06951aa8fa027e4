import { Type } from 'typebox';
import { defineAuditAction } from '../../platform/journal/audit-actions.ts';

const strings = Type.Array(Type.String());
const folderIds = Type.Optional(strings);

export const clientCreated = defineAuditAction('client.created', 'client', { name: Type.String(), scopes: strings, folderIds });
export const clientUpdated = defineAuditAction('client.updated', 'client', {
  changed: strings,
  scopes: strings,
  isActive: Type.Boolean(),
  folderIds,
});
export const clientDeleted = defineAuditAction('client.deleted', 'client', { name: Type.String() });
export const clientSecretRotated = defineAuditAction('client.secret_rotated', 'client', { overlapHours: Type.Number() });
export const clientAwaits = defineAuditAction('client.awaiting_takeover', 'client', {
  responsibleId: Type.String(),
  reason: Type.String(),
});
export const clientTakenOver = defineAuditAction('client.taken_over', 'client', { from: Type.String(), newSecret: Type.Boolean() });
/** At most one a minute and client: a program may ask for a token as often as it likes. */
export const clientTokenIssued = defineAuditAction('client.token_issued', 'client', { scopes: strings });
export const clientTokenRevoked = defineAuditAction('client.token_revoked', 'client', { jti: Type.String() });
export const clientRefused = defineAuditAction('client.refused', 'client');
