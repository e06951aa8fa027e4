import type { Actor } from '../platform/scope.ts';

/** How the actor stands to a folder: facts the queries give. See `standingText`. */
export type FolderFacts = {
  user_id: string;
  made_by_client: string | null;
  shared: 'read' | 'write' | null;
  shared_above: 'read' | 'write' | null;
  closed: boolean;
  closed_above: boolean;
  within: boolean;
  within_above: boolean;
};

/**
 * What may be done with a folder and what lies in it: `name` is its name and owner alone, from outside of its wall; `write` to
 * add, change and bin; `all` what is its owner's and administrators' too: to move out of the tree, share and wall.
 * `placed`: whether also the folder itself may be moved or binned, which takes writing where it lies.
 */
export type FolderAccess = { level: 'name' | 'read' | 'write' | 'all'; via: Via; placed: boolean };
/** What opened a thing: the word the journal has for it. */
export type Via = 'owner' | 'share' | 'task' | 'record' | 'role' | 'client' | 'system';

/** Owner and administrators see and manage all content of their team. */
export function isManager(actor: Actor): boolean {
  return actor.type === 'user' && (actor.role === 'owner' || actor.role === 'admin');
}

/** Viewers only read, whatever they own or were given. */
export function readsOnly(actor: Actor): boolean {
  return actor.type === 'user' && actor.role === 'viewer';
}

/** What the actor may do with a folder; undefined where it is to them as if it were not there. */
export function accessToFolder(actor: Actor, facts: FolderFacts): FolderAccess | undefined {
  if (facts.closed_above) return undefined;
  const access = unwalled(actor, facts);
  return access && facts.closed ? { ...access, level: 'name', placed: false } : access;
}

function unwalled(actor: Actor, facts: FolderFacts): FolderAccess | undefined {
  if (actor.type === 'system') return { level: 'all', via: 'system', placed: true };
  if (actor.type === 'client' || actor.type === 'agent') {
    if (actor.folderIds === undefined) return { level: 'write', via: 'client', placed: true };
    return facts.within ? { level: 'write', via: 'client', placed: facts.within_above } : undefined;
  }
  if (actor.type !== 'user') return undefined;
  const mine = facts.user_id === actor.id;
  if (!mine && facts.shared === null && !isManager(actor)) return undefined;
  const via = mine ? 'owner' : facts.shared === null ? 'role' : 'share';
  if (readsOnly(actor)) return { level: 'read', via, placed: false };
  if (mine || isManager(actor)) return { level: 'all', via, placed: true };
  return { level: facts.shared ?? 'read', via, placed: facts.shared_above === 'write' };
}

/** Whether the actor may add to a folder and change what lies in it. */
export const mayWrite = ({ level }: FolderAccess): boolean => level === 'write' || level === 'all';

/** Whether the actor says who else sees a folder: its owner, administrators, and of API clients the one that made it. */
export function mayShare(actor: Actor, access: FolderAccess, facts: FolderFacts): boolean {
  if (actor.type === 'client') return mayWrite(access) && facts.made_by_client === actor.id;
  return access.level === 'all';
}

/**
 * Whether the actor may put something of one owner, behind one wall, where another owner and wall are. Nothing changes its
 * owner or leaves a wall but by its owner or an administrator.
 */
export function mayRelocate(level: FolderAccess['level'], from: Place, to: Place | 'the top'): boolean {
  if (level === 'all') return true;
  return level === 'write' && to !== 'the top' && to.user_id === from.user_id && to.wall_id === from.wall_id;
}
type Place = { user_id: string; wall_id: string };

/**
 * Whether the actor may set or lift the wall of a folder they are inside of: its owner, and an administrator where the owner
 * is outside, as after the folder came to a successor.
 */
export function mayWall(actor: Actor, access: FolderAccess, owner: { isActor: boolean; isInside: boolean }): boolean {
  if (access.level !== 'all') return false;
  return owner.isActor || (isManager(actor) && !owner.isInside);
}

/** Whether the actor may consent to somebody else's breaking of a wall's glass: the folder's owner, or another administrator. */
export function mayConsent(actor: Actor, opening: { asker: string; folderOwner: string; ownerIsInside: boolean }): boolean {
  if (actor.type !== 'user' || actor.id === opening.asker) return false;
  return isManager(actor) || (actor.id === opening.folderOwner && opening.ownerIsInside);
}
