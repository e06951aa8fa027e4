import { viewerOf } from '#access';
import { isUuid, notFound, pathId } from '../../platform/identifiers.ts';
import { problems } from '../../platform/problems.ts';
import type { AccessContext, Scope } from '../../platform/scope.ts';
import { accessToFolder, type FolderAccess } from './policy.ts';
import { type FolderRow, reachBinned, type ReachedFolder, reachFolder } from './queries.ts';
import { openBelow } from './tree-queries.ts';

/** A folder with what the actor may do with it. */
export type AccessibleFolder<Row = ReachedFolder> = { folder: Row; access: FolderAccess };

/** A folder the actor may read. Errors: 404 for one that is missing, in the bin or hidden. */
export async function readableFolder(scope: AccessContext, id: string): Promise<AccessibleFolder> {
  const folder = await reach(scope, pathId(id, 'folder'));
  const access = folder && accessToFolder(scope.actor, folder);
  if (!access) throw notFound('folder');
  return { folder, access };
}

/** Whether there is a folder that the actor may read. */
export async function seesFolder(scope: AccessContext, id: string): Promise<boolean> {
  const folder = isUuid(id) ? await reach(scope, id) : undefined;
  return folder !== undefined && accessToFolder(scope.actor, folder) !== undefined;
}

/** A folder with how the actor stands to it. */
export const reach = ({ db, team, actor }: AccessContext, id: string): Promise<ReachedFolder | undefined> =>
  db.first(reachFolder, { team, id, ...viewerOf(actor) });

/** A folder as an archive has it. */
export type OpenFolder = { id: string; parentId: string | null; name: string };

/** A folder and those in it that are open to the actor, at most so many, each after the one that it lies in. Errors: 403, 404. */
export async function foldersBelow(scope: AccessContext, id: string, limit: number): Promise<OpenFolder[]> {
  const { folder } = await readableFolder(scope, id);
  const found = await scope.db.all(openBelow, { team: scope.team, id: folder.id, limit, user: viewerOf(scope.actor).user });
  return found.map(({ id: one, parent_id: parentId, name }) => ({ id: one, parentId, name }));
}

/** A folder the actor may change. One shared for reading is a 403: they see it, but may not write. */
export async function writableFolder(scope: AccessContext, id: string): Promise<AccessibleFolder> {
  const found = await readableFolder(scope, id);
  if (!found.access.can('edit'))
    throw problems.forbidden('This folder is shared with you for reading only. Ask its owner for write access.');
  return found;
}

/** A folder in the bin, for those whom its owner's affairs are. */
export async function binnedFolder(scope: AccessContext, id: string): Promise<AccessibleFolder<FolderRow>> {
  const folder = await scope.db.first(reachBinned, { team: scope.team, id: pathId(id, 'folder'), ...viewerOf(scope.actor) });
  const access = folder && accessToFolder(scope.actor, folder);
  if (!folder || !access?.restores) throw notFound('folder');
  return { folder, access };
}

/** The API client that acts, if it is one: what anybody else changes is no longer its own. */
export const clientOf = ({ actor }: Pick<Scope, 'actor'>): string | null => (actor.type === 'client' ? actor.id : null);
