import type { Actor } from '../../platform/scope.ts';

type Member = { id: string; role: string };

const givenByClients: readonly string[] = ['member', 'viewer'];

/** Whether the actor may invite somebody as this, or touch such an invitation: an API client makes nobody an administrator. */
export function mayInviteAs(actor: Actor, role: string): boolean {
  return mayManage(actor) && (actor.type === 'user' || givenByClients.includes(role));
}

/** Owner and administrators manage members; API clients that were given the scope see them, and invite. */
export function mayManage(actor: Actor): boolean {
  return actor.type === 'client' || (actor.type === 'user' && (actor.role === 'owner' || actor.role === 'admin'));
}

const ranks: readonly string[] = ['viewer', 'member', 'admin', 'owner'];

type Membership = { role: string; isActive: boolean };

/** Whether a change gives a member more than they have: a higher role, or an administrator's place back. */
export function raises(before: Membership, after: Membership): boolean {
  const higher = ranks.indexOf(after.role) > ranks.indexOf(before.role);
  return higher || (after.isActive && !before.isActive && after.role === 'admin');
}

/** Why somebody who manages members may not change or remove this one; nothing when they may. */
export function changeRefused(actor: Actor, target: Member): 'oneself' | 'owner' | undefined {
  if (actor.type === 'user' && actor.id === target.id) return 'oneself';
  return target.role === 'owner' ? 'owner' : undefined;
}
