import { Type } from 'typebox';
import { defineAuditAction } from '../../platform/journal/audit-actions.ts';

const strings = Type.Array(Type.String());
const folderIds = Type.Optional(strings);
const approvalPolicy = Type.Optional(Type.String({ description: 'The approval policy for its calls over MCP' }));

export const clientCreated = defineAuditAction('client.created', 'client', {
  name: Type.String(),
  scopes: strings,
  folderIds,
  approvalPolicy,
});
export const clientUpdated = defineAuditAction('client.updated', 'client', {
  changed: strings,
  scopes: strings,
  isActive: Type.Boolean(),
  folderIds,
  approvalPolicy,
});
export const clientDeleted = defineAuditAction('client.deleted', 'client', { name: Type.String() });
export const clientSecretRotated = defineAuditAction('client.secret_rotated', 'client', { overlapHours: Type.Number() });
export const clientAwaits = defineAuditAction('client.awaiting_takeover', 'client', {
  responsibleId: Type.String(),
  reason: Type.String(),
});
export const clientTakenOver = defineAuditAction('client.taken_over', 'client', { from: Type.String(), newSecret: Type.Boolean() });
/** Recorded at most once a minute for each client, because token requests are not limited. */
export const clientTokenIssued = defineAuditAction('client.token_issued', 'client', { scopes: strings });
export const clientTokenRevoked = defineAuditAction('client.token_revoked', 'client', { jti: Type.String() });
export const clientRefused = defineAuditAction('client.refused', 'client');
