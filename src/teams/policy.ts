import type { Actor } from '../platform/scope.ts';

type Member = { id: string; role: string };

/** Owner and administrators manage members and invitations, and API clients that were given the scope. */
export function mayManage(actor: Actor): boolean {
  return actor.type === 'client' || (actor.type === 'user' && (actor.role === 'owner' || actor.role === 'admin'));
}

/** Why somebody who manages members may not change or remove this one; nothing when they may. */
export function changeRefused(actor: Actor, target: Member): 'oneself' | 'owner' | undefined {
  if (actor.type === 'user' && actor.id === target.id) return 'oneself';
  return target.role === 'owner' ? 'owner' : undefined;
}
