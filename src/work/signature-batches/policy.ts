import type { Actor } from '../../platform/scope.ts';

/**
 * Scopes that an API client or agent needs for a batch, when it creates the batch and for each row. A batch creates documents and requests
 * signatures.
 */
const scopes = ['documents:read', 'documents:write', 'signatures:write'];

/** Whether the scopes of the actor allow batches. */
export const mayMakeBatch = (actor: Actor): boolean => !('scopes' in actor) || scopes.every((one) => actor.scopes.has(one));
