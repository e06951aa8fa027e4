import { type Actor, runsTeam } from '../platform/scope.ts';
import { noWall, type Standing } from './visibility-queries.ts';

/** How the actor stands to a folder: facts the queries give. See `standingText`. */
export type FolderFacts = Standing & { user_id: string };

/**
 * What may be done with a folder and what lies in it: `name` is its name and owner alone, from outside of its wall; `write` to
 * add, change and bin; `all` what is its owner's and administrators' too: to move out of the tree, share and wall.
 * `placed`: whether also the folder itself may be moved or binned, which takes writing where it lies.
 * `held`: of that, what the actor holds besides their role in the team; absent where the role adds nothing.
 */
export type FolderAccess = { level: 'name' | 'read' | 'write' | 'all'; via: Via; placed: boolean; held?: Held };
/** What somebody holds of a thing by what was given to them. */
export type Held = { level: 'none' | 'read' | 'write'; placed: boolean };

/** What opened a thing: the word the journal has for it. */
export type Via = 'owner' | 'share' | 'task' | 'record' | 'role' | 'client' | 'system';

/** Owner and administrators see and manage all content of their team. */
export const isManager = runsTeam;

/** Viewers only read, whatever they own or were given. */
export function readsOnly(actor: Actor): boolean {
  return actor.type === 'user' && actor.role === 'viewer';
}

/** What somebody holds of a thing. A share may be one that they gave themselves or the whole team: see `viaOf`. */
export type Reasons = { owns: boolean; share: boolean; shareByAnother: boolean; task?: boolean; record?: boolean };

/**
 * What opened a thing to a person: the first that holds, the plainest reason first; what one's role alone opens is the last. A
 * share that an administrator gave themselves, or the whole team, opens nothing to them that their role did not.
 */
export function viaOf(actor: Actor, { owns, share, shareByAnother, task, record }: Reasons): Via | undefined {
  const manager = isManager(actor);
  if (owns) return 'owner';
  if (manager ? shareByAnother : share) return 'share';
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

/** What the actor may do with a folder; undefined where it is to them as if it were not there. */
export function accessToFolder(actor: Actor, facts: FolderFacts): FolderAccess | undefined {
  if (facts.closed_above) return undefined;
  const access = unwalled(actor, facts);
  if (!access) return undefined;
  if (facts.closed) return { ...access, level: 'name', placed: false };
  return facts.by_opening ? { ...access, ...throughGlass } : access;
}

/** What is held of a thing by one's role alone. */
export const nothing: Held = { level: 'none', placed: false };

/** What a broken glass opens is read, and nothing else is done with it: not by whoever owns it either. */
export const throughGlass = { level: 'read', placed: false } as const;

function unwalled(actor: Actor, facts: FolderFacts): FolderAccess | undefined {
  if (actor.type === 'system') return { level: 'all', via: 'system', placed: true };
  if (actor.type === 'client' || actor.type === 'agent') {
    if (actor.folderIds === undefined) return { level: 'write', via: 'client', placed: true };
    return facts.within ? { level: 'write', via: 'client', placed: facts.within_above } : undefined;
  }
  if (actor.type !== 'user') return undefined;
  const owns = facts.user_id === actor.id;
  const via = viaOf(actor, { owns, share: facts.shared !== null, shareByAnother: facts.shared_by_another });
  if (via === undefined) return undefined;
  if (readsOnly(actor)) return { level: 'read', via, placed: false };
  if (owns) return { level: 'all', via, placed: true };
  const given = { level: facts.shared ?? 'read', placed: facts.shared_above === 'write' };
  if (!isManager(actor)) return { ...given, via };
  return { level: 'all', via, placed: true, held: facts.shared_by_another ? given : nothing };
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
type Place = { user_id: string; wall_id: string };

/** How something moves; `around` is the wall it lies behind, which is another than its own for a folder that is walled itself. */
export function moveFrom(from: Place, to: Place | 'the top', around = from.wall_id): Move {
  const wall = to === 'the top' ? noWall : to.wall_id;
  return {
    within: to !== 'the top' && to.user_id === from.user_id && to.wall_id === from.wall_id,
    leavesWall: around !== noWall && wall !== around,
  };
}

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
  if (level === 'all') return via === 'owner' || (isManager(actor) && !wall.ownerIsInside);
  return level === 'read' && isManager(actor) && wall.isDeserted;
}

/** Whether the actor may consent to somebody else's breaking of a wall's glass: the folder's owner, or another administrator. */
export function mayConsent(actor: Actor, opening: { asker: string; folderOwner: string; ownerIsInside: boolean }): boolean {
  if (actor.type !== 'user' || actor.id === opening.asker) return false;
  return isManager(actor) || (actor.id === opening.folderOwner && opening.ownerIsInside);
}
