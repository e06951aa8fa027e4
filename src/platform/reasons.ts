import { type Actor, runsTeam } from './scope.ts';

/** What opened a thing: the word the journal has for it. */
export type Via = 'owner' | 'share' | 'task' | 'record' | 'role' | 'client' | 'system';

/** What somebody holds of a thing by what was given to them. */
export type Held = { level: 'none' | 'read' | 'write'; placed: boolean };

/** What is held of a thing by one's role alone. */
export const nothingHeld: Held = { level: 'none', placed: false };

/** The sources of a person's access to a resource. */
export type Reasons = { owns: boolean; share: boolean; task?: boolean; record?: boolean };

/** The source that gives a person access: the first that applies. The role is the last. */
export function viaOf(actor: Actor, { owns, share, task, record }: Reasons): Via | undefined {
  const manager = runsTeam(actor);
  if (owns) return 'owner';
  if (share) return 'share';
  if (task) return 'task';
  if (record) return 'record';
  return manager ? 'role' : undefined;
}

/** What an entry has of an act that only the actor's role in the team allowed. */
export const byRoleAlone = { via: 'role' } as const;

/**
 * What an entry says of an act that took this right on these things: whether only the actor's role allowed it. `place` is what
 * binning takes, `all` what is for a thing's owner.
 */
export function byRole(right: 'write' | 'place' | 'all', ...accesses: readonly { held?: Held }[]): { via?: 'role' } {
  const lacks = ({ level, placed }: Held) => right === 'all' || (right === 'place' ? !placed : level !== 'write');
  return accesses.some(({ held }) => held !== undefined && lacks(held)) ? byRoleAlone : {};
}
