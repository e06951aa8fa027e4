import { immediateAccessParamsOf, type ContainedAccess, noBarrier, viewerOf } from '#access';
import { ownerOfTeam } from '#teams';
import type { Row } from '../../platform/database/row.ts';
import { isUuid, notFound } from '../../platform/identifiers.ts';
import { problems } from '../../platform/problems.ts';
import { isConfined, type Scope } from '../../platform/scope.ts';
import { reach } from './access.ts';
import { accessToFolder, type FolderAccess, type FolderKind, mayRelocate } from './policy.ts';
import { folderProblems } from './problems.ts';
import * as queries from './queries.ts';
import * as tree from './tree-queries.ts';
import { lockImmediatelyVisible } from '../../platform/database/lock-tracking.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** Maximum levels of nested folders. */
export const maxDepth = 64;

/** A location: the parent folder (null at the top), the owner of the tree and the barrier. */
export type FolderLocation = { parent: string | null; user_id: string; barrier_id: string; matter_id?: string | null };
/** A location with the actor’s access to the folder; absent at the top of a tree. */
export type AccessibleLocation = FolderLocation & { access?: FolderAccess };

/**
 * Returns the location in a folder that the actor may write to, and locks it until the transaction ends. A folder that the actor cannot see is not
 * locked. Errors: 422 `parent_not_found`.
 */
export async function lockTargetFolder(scope: Scope, folderId: string, kind: FolderKind = 'folder'): Promise<AccessibleLocation> {
  if (!isUuid(folderId)) throw noParent(kind);
  const of = { team: scope.team, id: folderId };
  return scope.db.locked(tree.lockTreeShared, { team: scope.team }, () =>
    lockImmediatelyVisible(
      scope.db,
      {
        atOnce: [queries.lockFolderSharedDirectly, { ...of, ...immediateAccessParamsOf(scope.actor) }],
        lock: [queries.lockFolderShared, of],
      },
      () => placeIn(scope, folderId, kind),
    ),
  );
}

/** Returns the location in a folder that the actor may write to. Errors: 422 `parent_not_found`. */
async function placeIn(scope: Scope, folderId: string, kind: FolderKind): Promise<AccessibleLocation> {
  const found = await reach(scope, folderId, kind);
  const access = found && accessToFolder(scope.actor, found, kind);
  if (!found || !access?.can('edit')) throw noParent(kind);
  return { parent: found.id, user_id: found.user_id, barrier_id: found.barrier_id, matter_id: found.matter_id, access };
}

/**
 * Locks the trees as {@link lockTargetFolder} does, for callers that lock another row before the target folder is known. The tree lock must come first.
 */
export function lockTreesShared({ db, team }: Pick<Scope, 'db' | 'team'>): void {
  db.send(tree.lockTreeShared, { team });
}

/** Returns the location of a new folder: in `parent`, or at the top of the tree of the actor’s owner (see `ownerForActor`). */
export async function placeForNew(scope: Scope, parent: string | null, matter?: string): Promise<AccessibleLocation> {
  if (matter !== undefined) return lockMatterFor(scope, matter, parent);
  if (parent === null) return topFor(scope);
  if (!isUuid(parent)) throw noParent();
  const place = await lockTargetFolder(scope, parent);
  const path = await scope.db.first(tree.pathOf, { team: scope.team, id: parent, moved: null });
  if ((path?.depth ?? 0) + 1 > maxDepth) throw tooDeep();
  return place;
}

/**
 * Returns the location at the top of a matter that the actor may write to, and locks it. `folder` must be unset: a folder is in its matter. Errors:
 * 400, 422 `matter_not_found`.
 */
export async function lockMatterFor(scope: Scope, matter: string, folder?: string | null): Promise<AccessibleLocation> {
  if (folder) throw problems.validation_failed('Give a folder or `matterId`, not both. A folder is already in its matter.');
  if ('scopes' in scope.actor && !scope.actor.scopes.has('matters:read')) throw noParent('matter');
  return lockTargetFolder(scope, matter.toLowerCase(), 'matter');
}

/**
 * Returns the top of the actor’s own tree, or of the team owner’s tree for an API client. Errors: 403 for an API client that is confined to folders.
 */
export async function topFor(scope: Scope): Promise<AccessibleLocation> {
  if (isConfined(scope.actor))
    throw problems.forbidden('This API client is confined to folders: set `parentId` or `folderId` to one of them or to a folder below.');
  return { parent: null, user_id: await ownerForActor(scope), barrier_id: noBarrier };
}

/** Returns the owner of resources that the actor creates: the person, or the team’s owner for an API client. */
export async function ownerForActor(scope: Scope): Promise<string> {
  if (scope.actor.type === 'user') return scope.actor.id;
  const owner = await scope.db.first(ownerOfTeam, { team: scope.team });
  if (!owner) throw notFound('team owner');
  return owner.id;
}

type Where = { user_id: string; barrier_id: string };

/** Whether a move keeps the owner and the barrier. Undefined means the top of the tree. */
export const movesWithin = (from: Where, to: Where | undefined): { within: boolean } => ({
  within: to?.user_id === from.user_id && to.barrier_id === from.barrier_id,
});

type Moved = Row<'folder', 'id' | 'parent_id' | 'user_id' | 'barrier_id'>;

/**
 * Returns the new location of a folder that moves to another parent, or to the top of its own tree for null. The caller must hold the lock of the
 * tree. Errors: 403 if the actor may not move it (`mayRelocate`), 409 `folder_cycle`, `folder_barred`, 422 `folder_too_deep`, `parent_not_found`.
 */
export async function placeForMoved(
  scope: Scope,
  folder: Moved,
  access: FolderAccess,
  parentId: string | null,
  kind: FolderKind = 'folder',
): Promise<AccessibleLocation> {
  const ownBarrier = folder.barrier_id === folder.id;
  if (parentId === null) {
    if (!mayRelocate(access, { within: false })) throw notYours();
    return { parent: null, user_id: folder.user_id, barrier_id: ownBarrier ? folder.id : noBarrier };
  }
  if (!isUuid(parentId)) throw noParent();
  const { target, path, extent } = await pipelined({
    target: () => lockTargetFolder(scope, parentId, kind),
    path: () => scope.db.first(tree.pathOf, { team: scope.team, id: parentId, moved: folder.id }),
    extent: () => scope.db.first(tree.extentOf, { team: scope.team, id: folder.id, user: viewerOf(scope.actor).user }),
  });
  if (path?.through) throw folderProblems.folder_cycle('The target is inside the folder to move. Choose a target outside of it.');
  if (!mayRelocate(access, movesWithin(folder, target))) throw notYours();
  await refuseOpening(scope, access, { from: folder.id, to: target.parent }, () => isCreatedByClient(scope, folder.id));
  if (target.user_id !== folder.user_id && (extent?.barriers ?? 0) > 0)
    throw folderProblems.folder_barred(
      'This folder, or a folder in it or in the bin, has a barrier, so it cannot change its owner. Lift the barrier first.',
    );
  if ((path?.depth ?? 0) + (extent?.height ?? 1) > maxDepth) throw tooDeep();
  return { ...target, barrier_id: ownBarrier ? folder.id : target.barrier_id };
}

/** Returns the barrier around a folder, without the folder’s own barrier. Also for folders in the bin. */
export async function barrierAround(scope: Scope, { parent_id: parent }: { parent_id: string | null }): Promise<string> {
  if (parent === null) return noBarrier;
  return (await scope.db.first(queries.barrierOf, { team: scope.team, id: parent }))?.barrier_id ?? noBarrier;
}

/**
 * Rejects a move that gives access to a person, the team or a confined API client that has no access now. An actor with the permission to share may
 * do it, and so may an API client that created the resource and all its content. Errors: 403.
 *
 * @param madeByActor whether the actor is an API client that made the resource and all its content
 */
export async function refuseOpening(
  scope: Scope,
  access: ContainedAccess<'folder' | 'document'>,
  { from, to }: { from: string | null; to: string | null },
  madeByActor: () => boolean | Promise<boolean>,
): Promise<void> {
  if (access.can('share') || to === null || from === to) return;
  const found = await scope.db.first(tree.opensAt, { team: scope.team, from, to });
  if (found?.opens === false || (scope.actor.type === 'client' && (await madeByActor()))) return;
  throw problems.forbidden(
    'The move would give access to users or API clients that have no access now. Ask the owner of the folder or document, or an administrator, to move it.',
  );
}

/** Whether the actor is an API client that made a folder and all its content, including the bin. The caller must hold the lock of the tree. */
export async function isCreatedByClient(scope: Scope, folderId: string): Promise<boolean> {
  if (scope.actor.type !== 'client') return false;
  const found = await scope.db.first(tree.isCreatedByClient, { team: scope.team, id: folderId, client: scope.actor.id });
  return found?.wholly === true;
}

export const notYours = () =>
  problems.forbidden(
    'Only the owner or an administrator may move this folder or document to another tree, to the top, or across a barrier. Move it within the tree, or ask one of them.',
  );
const noParent = (kind: FolderKind = 'folder') =>
  kind === 'matter'
    ? folderProblems.matter_not_found('`matterId` is not a matter that you may write to. Check the identifier.')
    : folderProblems.parent_not_found('`parentId` or `folderId` is not a folder that you may write to. Check the identifier.');
export const tooDeep = () => folderProblems.folder_too_deep(`Folders have at most ${maxDepth} levels. Choose a folder nearer to the top.`);
