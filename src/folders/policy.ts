import { type Held, nothingHeld, emergencyOnly, type Via, viaOf } from '../platform/reasons.ts';
import { type Actor, readsOnly, runsTeam } from '../platform/scope.ts';

/** How the actor stands to a folder: facts the queries give. See `standingText`. */
export type FolderFacts = {
  user_id: string;
  shared: 'read' | 'write' | null;
  shared_above: 'read' | 'write' | null;
  closed: boolean;
  emergency_only: boolean;
  within: boolean;
  within_above: boolean;
};

/**
 * What may be done with a folder and what lies in it: `write` to add, change and bin; `all` what is its owner's and administrators'
 * too: to move it out of the tree, share it and raise or lift its barrier.
 * `placed`: whether also the folder itself may be moved or binned, which takes writing where it lies.
 * `held`: of that, what the actor holds besides their role in the team; absent where the role adds nothing.
 */
export type FolderAccess = { level: 'read' | 'write' | 'all'; via: Via; placed: boolean; held?: Held };
/** What the actor may do with a folder; undefined where it is to them as if it were not there. */
export function accessToFolder(actor: Actor, facts: FolderFacts): FolderAccess | undefined {
  if (facts.closed) return undefined;
  const access = withoutBarriers(actor, facts);
  return access && facts.emergency_only ? { ...access, ...emergencyOnly } : access;
}

function withoutBarriers(actor: Actor, facts: FolderFacts): FolderAccess | undefined {
  if (actor.type === 'system') return { level: 'all', via: 'system', placed: true };
  if (actor.type === 'client' || actor.type === 'agent') {
    if (actor.folderIds === undefined) return { level: 'write', via: 'client', placed: true };
    return facts.within ? { level: 'write', via: 'client', placed: facts.within_above } : undefined;
  }
  if (actor.type !== 'user') return undefined;
  const owns = facts.user_id === actor.id;
  const via = viaOf(actor, { owns, share: facts.shared !== null });
  if (via === undefined) return undefined;
  if (readsOnly(actor)) return { level: 'read', via, placed: false };
  if (owns) return { level: 'all', via, placed: true };
  const given = { level: facts.shared ?? 'read', placed: facts.shared_above === 'write' };
  if (!runsTeam(actor)) return { ...given, via };
  return { level: 'all', via, placed: true, held: facts.shared === null ? nothingHeld : given };
}

/** Whether the actor may add to a folder and change what lies in it. */
export const mayWrite = ({ level }: FolderAccess): boolean => level === 'write' || level === 'all';

/**
 * Whether the actor says who else sees a folder: its owner, administrators, and an API client that made the folder and all
 * that is in it.
 */
export function mayShare(actor: Actor, access: FolderAccess, { madeByActor }: { madeByActor: boolean }): boolean {
  if (actor.type === 'client') return mayWrite(access) && madeByActor;
  return access.level === 'all';
}

/** Whether the actor may move something. To another tree, or to or from a barrier, its owner or an administrator moves it. */
export const mayRelocate = ({ level }: Pick<FolderAccess, 'level'>, { within }: { within: boolean }): boolean =>
  level === 'all' || (level === 'write' && within);
