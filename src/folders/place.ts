import { isUuid, notFound } from '../platform/identifiers.ts';
import { problems } from '../platform/problems.ts';
import type { Actor, Scope } from '../platform/scope.ts';
import { reach, viewerOf } from './access.ts';
import { accessToFolder, type FolderAccess, mayRelocate, mayWrite } from './policy.ts';
import { folderProblems } from './problems.ts';
import * as queries from './queries.ts';
import * as tree from './tree-queries.ts';
import { noWall } from './visibility-queries.ts';

/** Folders nest at most this deep. */
export const maxDepth = 64;

/** Where something lies: in which folder, if any, in whose tree, behind which wall. */
export type Place = { parent: string | null; user_id: string; wall_id: string };

/**
 * The place of what is put into a folder, which the actor must be able to write to, and which stays as it is until the
 * transaction ends. Errors: 422 `parent_not_found`.
 */
export async function holdFolderFor(scope: Scope, folderId: string): Promise<Place> {
  if (!isUuid(folderId)) throw noParent();
  // What is read after the lock is what holds until the end.
  const [held, found] = await Promise.all([scope.db.first(queries.holdFolder, { team: scope.team, id: folderId }), reach(scope, folderId)]);
  const access = held && found && accessToFolder(scope.actor, found);
  if (!access || !mayWrite(access)) throw noParent();
  return { parent: found.id, user_id: found.user_id, wall_id: found.wall_id };
}

/** The place of a new folder: `parent` or, without one, the top of the tree of whom the actor makes things for. */
export async function placeForNew(scope: Scope, parent: string | null): Promise<Place> {
  if (parent === null) return topFor(scope);
  if (!isUuid(parent)) throw noParent();
  const [, place, path] = await Promise.all([
    scope.db.all(tree.shareTree, { team: scope.team }),
    holdFolderFor(scope, parent),
    scope.db.first(tree.pathOf, { team: scope.team, id: parent, moved: null }),
  ]);
  if ((path?.depth ?? 0) + 1 > maxDepth) throw tooDeep();
  return place;
}

/** The top of the tree of a person; of an API client, of its team's owner. One that is confined has none. */
export async function topFor(scope: Scope): Promise<Place> {
  if (confined(scope.actor))
    throw problems.forbidden('This API client is confined to folders: name one of them, or one below, as `parentId` or `folderId`.');
  return { parent: null, user_id: await ownerForActor(scope), wall_id: noWall };
}

const confined = (actor: Actor): boolean => 'folderIds' in actor && actor.folderIds !== undefined;

/** What a person makes is theirs; what an API client makes belongs to the team's owner. */
export async function ownerForActor(scope: Scope): Promise<string> {
  if (scope.actor.type === 'user') return scope.actor.id;
  const owner = await scope.db.first(queries.ownerOfTeam, { team: scope.team });
  if (!owner) throw notFound('team owner');
  return owner.id;
}

type Moved = { id: string; user_id: string; wall_id: string };

/**
 * Where a folder goes that is moved under another or, with null, to the top of its own tree. The caller holds the tree's lock.
 * Errors: 403 where the owner or the wall would change and the actor is neither owner nor administrator, 409 `folder_cycle`,
 * `folder_walled`, 422 `folder_too_deep`, `parent_not_found`.
 */
export async function placeForMoved(scope: Scope, folder: Moved, access: FolderAccess, parentId: string | null): Promise<Place> {
  const ownWall = folder.wall_id === folder.id;
  if (parentId === null) {
    if (!mayRelocate(access.level, folder, 'the top')) throw notYours();
    return { parent: null, user_id: folder.user_id, wall_id: ownWall ? folder.id : noWall };
  }
  if (!isUuid(parentId)) throw noParent();
  const [target, path, extent] = await Promise.all([
    holdFolderFor(scope, parentId),
    scope.db.first(tree.pathOf, { team: scope.team, id: parentId, moved: folder.id }),
    scope.db.first(tree.extentOf, { team: scope.team, id: folder.id, user: viewerOf(scope.actor).user }),
  ]);
  if (path?.through)
    throw folderProblems.folder_cycle('The target lies inside the folder that is to be moved. Choose a target outside of it.');
  if (!mayRelocate(access.level, folder, target)) throw notYours();
  if (target.user_id !== folder.user_id && (extent?.walls ?? 0) > 0)
    throw folderProblems.folder_walled(
      'A wall stands around this folder or one in it: it cannot become another person’s. Lift the wall first.',
    );
  if ((path?.depth ?? 0) + (extent?.height ?? 1) > maxDepth) throw tooDeep();
  return { ...target, wall_id: ownWall ? folder.id : target.wall_id };
}

export const notYours = () =>
  problems.forbidden(
    'Only its owner or an administrator may move this out of its tree, from behind its wall or to another person. Move it within the tree, or ask them.',
  );
const noParent = () =>
  folderProblems.parent_not_found('`parentId` or `folderId` names no folder that you may write to. Check the identifier.');
export const tooDeep = () =>
  folderProblems.folder_too_deep(`Folders nest at most ${maxDepth} levels deep. Choose a place nearer to the top.`);
