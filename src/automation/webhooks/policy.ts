import type { Actor } from '../../platform/scope.ts';

/**
 * Whose endpoints the actor may see and change: null for the team's, which owner and administrators hold (their scopes say
 * so), otherwise the API client that registered them.
 */
export function endpointsOf(actor: Actor): string | null {
  return actor.type === 'user' || actor.type === 'system' ? null : actor.id;
}
