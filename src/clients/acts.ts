import { defineAct } from '../platform/journal/acts.ts';

export const clientCreated = defineAct('client.created', 'client');
export const clientUpdated = defineAct('client.updated', 'client');
export const clientDeleted = defineAct('client.deleted', 'client');
export const clientSecretRotated = defineAct('client.secret_rotated', 'client');
export const clientAwaits = defineAct('client.awaiting_takeover', 'client');
export const clientTakenOver = defineAct('client.taken_over', 'client');
/** At most one a minute and client: a program may ask for a token as often as it likes. */
export const clientTokenIssued = defineAct('client.token_issued', 'client');
export const clientTokenRevoked = defineAct('client.token_revoked', 'client');
export const clientRefused = defineAct('client.refused', 'client');
