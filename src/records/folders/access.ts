import { type ResourceName, viewable, viewerOf } from '#access';
import { isUuid, notFound, pathId } from '../../platform/identifiers.ts';
import { problems } from '../../platform/problems.ts';
import type { AccessContext, Scope } from '../../platform/scope.ts';
import { accessToFolder, type FolderAccess, type FolderKind } from './policy.ts';
import { type FolderRow, foldersNamed, reachBinned, lockFolder, type ReachedFolder, reachFolder } from './queries.ts';
import { lockTree, openBelow } from './tree-queries.ts';

/** A folder and the actor’s access to it. */
export type AccessibleFolder<Row = ReachedFolder> = { folder: Row; access: FolderAccess };

const nounOf = (kind: FolderKind) => (kind === 'matter' ? 'matter' : 'folder');

/** Returns a folder, or the root of a matter, that the actor may read. Errors: 404 if it is missing, in the bin or hidden from the actor. */
export async function readableFolder(scope: AccessContext, id: string, kind: FolderKind = 'folder'): Promise<AccessibleFolder> {
  const folder = await reach(scope, pathId(id, nounOf(kind)), kind);
  const access = folder && accessToFolder(scope.actor, folder, kind);
  if (!access) throw notFound(nounOf(kind));
  return { folder, access };
}

/** Locks the whole tree and a folder that the actor may read. Nothing moves into or out of the tree under this lock. Errors: 404. */
export async function lockedInTree(scope: Scope, id: string, kind: FolderKind = 'folder'): Promise<AccessibleFolder> {
  const of = { team: scope.team, id: pathId(id, nounOf(kind)) };
  await readableFolder(scope, of.id, kind);
  return scope.db.locked(lockTree, of, () => scope.db.locked(lockFolder, of, () => readableFolder(scope, of.id, kind)));
}

/** Whether the folder exists and the actor may read it. */
export async function seesFolder(scope: AccessContext, id: string): Promise<boolean> {
  const folder = isUuid(id) ? await reach(scope, id) : undefined;
  return folder !== undefined && accessToFolder(scope.actor, folder) !== undefined;
}

/** Reads a folder and the facts that decide the actor’s access to it. */
export const reach = ({ db, team, actor }: AccessContext, id: string, kind: FolderKind = 'folder'): Promise<ReachedFolder | undefined> =>
  db.first(reachFolder[kind], { team, id, ...viewerOf(actor) });

/** Returns the names of the folders, or matters, among these identifiers that the actor may read. */
export const folderNames =
  (kind: 'folder' | 'matter') =>
  async ({ db, team, actor }: AccessContext, ids: readonly string[]): Promise<ResourceName[]> =>
    viewable(actor, kind, await db.all(foldersNamed, { team, ids, matters: kind === 'matter', ...viewerOf(actor) }));

/** A folder in a downloaded archive. */
export type OpenFolder = { id: string; parentId: string | null; name: string };

/** Returns a folder and the folders below it that the actor may read, parents first, at most `limit`. Errors: 403, 404. */
export async function foldersBelow(scope: AccessContext, id: string, limit: number): Promise<OpenFolder[]> {
  const { folder } = await readableFolder(scope, id);
  const found = await scope.db.all(openBelow, { team: scope.team, id: folder.id, limit, user: viewerOf(scope.actor).user });
  return found.map(({ id: one, parent_id: parentId, name }) => ({ id: one, parentId, name }));
}

/** Returns a folder that the actor may change. Errors: 403 if the actor may only read it, 404. */
export async function writableFolder(scope: AccessContext, id: string): Promise<AccessibleFolder> {
  const found = await readableFolder(scope, id);
  if (!found.access.can('edit'))
    throw problems.forbidden('This folder is shared with you for reading only. Ask its owner for write access.');
  return found;
}

/** Returns a folder in the bin that the actor may restore. Errors: 404. */
export async function binnedFolder(scope: AccessContext, id: string): Promise<AccessibleFolder<FolderRow>> {
  const folder = await scope.db.first(reachBinned, { team: scope.team, id: pathId(id, 'folder'), ...viewerOf(scope.actor) });
  const access = folder && accessToFolder(scope.actor, folder);
  if (!folder || !access?.restores) throw notFound('folder');
  return { folder, access };
}

/** The acting API client, or null. A change by another actor clears `made_by_client`. */
export const clientOf = ({ actor }: Pick<Scope, 'actor'>): string | null => (actor.type === 'client' ? actor.id : null);
