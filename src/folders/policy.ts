import { type Held, nothingHeld, throughGlass, type Via, viaOf } from '../platform/reasons.ts';
import { type Actor, readsOnly, runsTeam } from '../platform/scope.ts';

/** How the actor stands to a folder: facts the queries give. See `standingText`. */
export type FolderFacts = {
  user_id: string;
  shared: 'read' | 'write' | null;
  shared_above: 'read' | 'write' | null;
  closed: boolean;
  closed_above: boolean;
  by_opening: boolean;
  within: boolean;
  within_above: boolean;
};

/**
 * What may be done with a folder and what lies in it: `name` is its name and owner alone, from outside of its wall; `write` to
 * add, change and bin; `all` what is its owner's and administrators' too: to move out of the tree, share and wall.
 * `placed`: whether also the folder itself may be moved or binned, which takes writing where it lies.
 * `held`: of that, what the actor holds besides their role in the team; absent where the role adds nothing.
 */
export type FolderAccess = { level: 'name' | 'read' | 'write' | 'all'; via: Via; placed: boolean; held?: Held };
/** What the actor may do with a folder; undefined where it is to them as if it were not there. */
export function accessToFolder(actor: Actor, facts: FolderFacts): FolderAccess | undefined {
  if (facts.closed_above) return undefined;
  const access = unwalled(actor, facts);
  if (!access) return undefined;
  if (facts.closed) return { ...access, level: 'name', placed: false };
  return facts.by_opening ? { ...access, ...throughGlass } : access;
}

function unwalled(actor: Actor, facts: FolderFacts): FolderAccess | undefined {
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

/** How something is moved. */
export type Move = {
  /** Whether it stays in its owner's tree and behind the same wall. */
  within: boolean;
  /** Whether it comes out from behind a wall. */
  leavesWall: boolean;
};
/**
 * Whether the actor may move something. Out from behind a wall it goes by its owner inside, and into another tree or to the top by
 * its owner or an administrator.
 */
export function mayRelocate({ level, via }: { level: FolderAccess['level']; via: Via }, move: Move): boolean {
  if (move.leavesWall) return level === 'all' && via === 'owner';
  return level === 'all' || (level === 'write' && move.within);
}

/**
 * Whether the actor may set or lift the wall of a folder: its owner, and an administrator inside where the owner is not, as after
 * the folder came to a successor. To be inside by an opening is not enough, but for an administrator whom it shows a wall that
 * nobody is left inside of.
 */
export function mayWall(actor: Actor, { level, via }: FolderAccess, wall: { ownerIsInside: boolean; isDeserted: boolean }): boolean {
  if (level === 'all') return via === 'owner' || (runsTeam(actor) && !wall.ownerIsInside);
  return level === 'read' && runsTeam(actor) && wall.isDeserted;
}

/** Whether the actor may consent to somebody else's breaking of a wall's glass: the folder's owner, or another administrator. */
export function mayConsent(actor: Actor, opening: { asker: string; folderOwner: string; ownerIsInside: boolean }): boolean {
  if (actor.type !== 'user' || actor.id === opening.asker) return false;
  return runsTeam(actor) || (actor.id === opening.folderOwner && opening.ownerIsInside);
}
