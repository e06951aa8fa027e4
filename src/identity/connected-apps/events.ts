import { Type } from 'typebox';
import { defineAuditAction } from '../../platform/journal/audit-actions.ts';

/** A user allowed an app to act for them. */
export const appConnected = defineAuditAction('program.connected', 'program', {
  clientId: Type.String({ description: 'The app: its registration, or the address of its metadata document' }),
  host: Type.String({ description: 'The host of its redirect address' }),
  scopes: Type.Array(Type.String()),
  approvalPolicy: Type.Optional(Type.String({ description: 'The approval policy for its calls' })),
});
/** The user named another approval policy for the calls of the app, or none. */
export const appUpdated = defineAuditAction('program.updated', 'program', { approvalPolicy: Type.Optional(Type.String()) });
/** The app redeemed its code. */
export const appTokenIssued = defineAuditAction('program.token_issued', 'program');
/** A used code was sent again. It may be stolen, so the connection ends. */
export const appCodeReused = defineAuditAction('program.code_reused', 'program');
