import type { Actor } from '../../platform/scope.ts';

/**
 * Returns whose endpoints the actor may see and change. Null means the team’s, for owner and administrators by their scopes. An API client gets its
 * own identifier, for the endpoints that it registered.
 */
export function endpointsOf(actor: Actor): string | null {
  return actor.type === 'user' || actor.type === 'system' ? null : actor.id;
}
