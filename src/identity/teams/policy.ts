import type { Actor } from '../../platform/scope.ts';

type Member = { id: string; role: string };

const givenByClients: readonly string[] = ['member', 'viewer', 'guest'];

/** Whether the actor may invite users with this role, or change such an invitation. API clients cannot invite administrators. */
export function mayInviteAs(actor: Actor, role: string): boolean {
  return mayManage(actor) && (actor.type === 'user' || givenByClients.includes(role));
}

/** Owner and administrators manage members. API clients with the scope read members and invite. */
export function mayManage(actor: Actor): boolean {
  return actor.type === 'client' || (actor.type === 'user' && (actor.role === 'owner' || actor.role === 'admin'));
}

const ranks: readonly string[] = ['auditor', 'guest', 'viewer', 'member', 'admin', 'owner'];

type Membership = { role: string; isActive: boolean };

/** Whether a change gives a member more rights: a higher role, or the reactivation of an administrator. */
export function raises(before: Membership, after: Membership): boolean {
  const higher = ranks.indexOf(after.role) > ranks.indexOf(before.role);
  return higher || (after.isActive && !before.isActive && after.role === 'admin');
}

/** Returns why the actor may not change or remove the target, or undefined if they may. */
export function changeRefused(actor: Actor, target: Member): 'oneself' | 'owner' | undefined {
  if (actor.type === 'user' && actor.id === target.id) return 'oneself';
  return target.role === 'owner' ? 'owner' : undefined;
}
