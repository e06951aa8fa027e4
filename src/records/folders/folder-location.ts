import { immediateAccessParamsOf, type ContainedAccess, noBarrier, viewerOf } from '#access';
import { ownerOfTeam } from '#teams';
import type { Row } from '../../platform/database/row.ts';
import { isUuid, notFound } from '../../platform/identifiers.ts';
import { problems } from '../../platform/problems.ts';
import { isConfined, type Scope } from '../../platform/scope.ts';
import { reach } from './access.ts';
import { accessToFolder, type FolderAccess, mayRelocate } from './policy.ts';
import { folderProblems } from './problems.ts';
import * as queries from './queries.ts';
import * as tree from './tree-queries.ts';
import { lockImmediatelyVisible } from '../../platform/database/lock-tracking.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** Folders nest at most this deep. */
export const maxDepth = 64;

/** Where something lies: in which folder, if any, in whose tree, behind which barrier. */
export type FolderLocation = { parent: string | null; user_id: string; barrier_id: string };
/** The same with the permissions of the actor on the folder; absent at the top of a tree. */
export type AccessibleLocation = FolderLocation & { access?: FolderAccess };

/**
 * The place of what is put into a folder, which the actor must be able to write to. It stays as it is, in the tree as that is, until
 * the transaction ends. Of a folder that they do not see nothing is locked. Errors: 422 `parent_not_found`.
 */
export async function holdFolderFor(scope: Scope, folderId: string): Promise<AccessibleLocation> {
  if (!isUuid(folderId)) throw noParent();
  const of = { team: scope.team, id: folderId };
  return scope.db.locked(tree.shareTree, { team: scope.team }, () =>
    lockImmediatelyVisible(
      scope.db,
      { atOnce: [queries.holdFolderDirectly, { ...of, ...immediateAccessParamsOf(scope.actor) }], lock: [queries.holdFolder, of] },
      () => placeIn(scope, folderId),
    ),
  );
}

/** The place of what the actor puts into a folder. Errors: 422 `parent_not_found`. */
async function placeIn(scope: Scope, folderId: string): Promise<AccessibleLocation> {
  const found = await reach(scope, folderId);
  const access = found && accessToFolder(scope.actor, found);
  if (!found || !access?.can('edit')) throw noParent();
  return { parent: found.id, user_id: found.user_id, barrier_id: found.barrier_id, access };
}

/**
 * Holds the trees as {@link holdFolderFor} does: for whoever locks something of their own before they know which folder it is put into,
 * since the lock of the trees comes before.
 */
export function holdTrees({ db, team }: Pick<Scope, 'db' | 'team'>): void {
  db.send(tree.shareTree, { team });
}

/** The place of a new folder: `parent` or, without one, the top of the tree of whom the actor makes things for. */
export async function placeForNew(scope: Scope, parent: string | null): Promise<AccessibleLocation> {
  if (parent === null) return topFor(scope);
  if (!isUuid(parent)) throw noParent();
  const place = await holdFolderFor(scope, parent);
  const path = await scope.db.first(tree.pathOf, { team: scope.team, id: parent, moved: null });
  if ((path?.depth ?? 0) + 1 > maxDepth) throw tooDeep();
  return place;
}

/** The top of the tree of a person; of an API client, of its team's owner. One that is confined has none. */
export async function topFor(scope: Scope): Promise<AccessibleLocation> {
  if (isConfined(scope.actor))
    throw problems.forbidden('This API client is confined to folders: name one of them, or one below, as `parentId` or `folderId`.');
  return { parent: null, user_id: await ownerForActor(scope), barrier_id: noBarrier };
}

/** What a person makes is theirs; what an API client makes belongs to the team's owner. */
export async function ownerForActor(scope: Scope): Promise<string> {
  if (scope.actor.type === 'user') return scope.actor.id;
  const owner = await scope.db.first(ownerOfTeam, { team: scope.team });
  if (!owner) throw notFound('team owner');
  return owner.id;
}

type Where = { user_id: string; barrier_id: string };

/** Whether a move keeps the owner and the barrier. Undefined is the top of the tree. */
export const movesWithin = (from: Where, to: Where | undefined): { within: boolean } => ({
  within: to?.user_id === from.user_id && to.barrier_id === from.barrier_id,
});

type Moved = Row<'folder', 'id' | 'parent_id' | 'user_id' | 'barrier_id'>;

/**
 * Where a folder goes that is moved under another or, with null, to the top of its own tree. The caller holds the tree's lock.
 * Errors: 403 where that is not the actor's to do (`mayRelocate`), 409 `folder_cycle`, `folder_barred`, 422 `folder_too_deep`,
 * `parent_not_found`.
 */
export async function placeForMoved(
  scope: Scope,
  folder: Moved,
  access: FolderAccess,
  parentId: string | null,
): Promise<AccessibleLocation> {
  const ownBarrier = folder.barrier_id === folder.id;
  if (parentId === null) {
    if (!mayRelocate(access, { within: false })) throw notYours();
    return { parent: null, user_id: folder.user_id, barrier_id: ownBarrier ? folder.id : noBarrier };
  }
  if (!isUuid(parentId)) throw noParent();
  const { target, path, extent } = await pipelined({
    target: () => holdFolderFor(scope, parentId),
    path: () => scope.db.first(tree.pathOf, { team: scope.team, id: parentId, moved: folder.id }),
    extent: () => scope.db.first(tree.extentOf, { team: scope.team, id: folder.id, user: viewerOf(scope.actor).user }),
  });
  if (path?.through)
    throw folderProblems.folder_cycle('The target lies inside the folder that is to be moved. Choose a target outside of it.');
  if (!mayRelocate(access, movesWithin(folder, target))) throw notYours();
  await refuseOpening(scope, access, { from: folder.id, to: target.parent }, () => madeWholly(scope, folder.id));
  if (target.user_id !== folder.user_id && (extent?.barriers ?? 0) > 0)
    throw folderProblems.folder_barred(
      'A barrier is around this folder or one in it, which may be in the bin: it cannot become another person’s. Lift the barrier first.',
    );
  if ((path?.depth ?? 0) + (extent?.height ?? 1) > maxDepth) throw tooDeep();
  return { ...target, barrier_id: ownBarrier ? folder.id : target.barrier_id };
}

/** The barrier that a folder lies behind by its place, kept or in the bin, whether or not it has one of its own. */
export async function barrierAround(scope: Scope, { parent_id: parent }: { parent_id: string | null }): Promise<string> {
  if (parent === null) return noBarrier;
  return (await scope.db.first(queries.barrierOf, { team: scope.team, id: parent }))?.barrier_id ?? noBarrier;
}

/**
 * Refuses to whoever only writes a move that opens something: to a person, the team or a confined API client that reaches the
 * target and not where it lies now. What an API client made by itself it may put wherever it could have made it.
 *
 * @param madeByActor whether the actor, an API client, made the thing and all that is in it
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
    'The move would give access to users or API clients that have none now. Its owner or an administrator may move it there.',
  );
}

/** Whether the actor is an API client that made a folder and all that is in it, the bin too. The caller holds the tree's lock. */
export async function madeWholly(scope: Scope, folderId: string): Promise<boolean> {
  if (scope.actor.type !== 'client') return false;
  const found = await scope.db.first(tree.madeWholly, { team: scope.team, id: folderId, client: scope.actor.id });
  return found?.wholly === true;
}

export const notYours = () =>
  problems.forbidden(
    'Only the owner or an administrator moves this to another tree, to the top, or across a barrier. Move it within the tree, or ask them.',
  );
const noParent = () =>
  folderProblems.parent_not_found('`parentId` or `folderId` names no folder that you may write to. Check the identifier.');
export const tooDeep = () =>
  folderProblems.folder_too_deep(`Folders nest at most ${maxDepth} levels deep. Choose a place nearer to the top.`);
