import { Type } from 'typebox';
import { defineAuditAction } from '../../platform/journal/audit-actions.ts';

export const connectionCreated = defineAuditAction('sso.connection_created', 'sso_connection', {
  issuer: Type.String(),
  domains: Type.Array(Type.String()),
});
export const connectionUpdated = defineAuditAction('sso.connection_updated', 'sso_connection', { changed: Type.Array(Type.String()) });
export const connectionDeleted = defineAuditAction('sso.connection_deleted', 'sso_connection', { issuer: Type.String() });
export const domainVerified = defineAuditAction('sso.domain_verified', 'sso_connection', { domain: Type.String() });
export const domainProofMissing = defineAuditAction('sso.domain_proof_missing', 'sso_connection', {
  domain: Type.String(),
  expiresAt: Type.String({ format: 'date-time' }),
});
export const domainExpired = defineAuditAction('sso.domain_expired', 'sso_connection', { domain: Type.String() });
/** The certificates of a SAML provider changed: by an administrator, or because its metadata name new ones. */
export const certificatesChanged = defineAuditAction('sso.certificates_changed', 'sso_connection', {
  fingerprints: Type.Array(Type.String()),
  by: Type.Enum(['administrator', 'metadata']),
});
/** A rejected response of the provider with the reason, for the administrator of the connection. */
export const answerRefused = defineAuditAction('sso.answer_refused', 'sso_connection', { reason: Type.String() });
