import { isBehindBarrier, viewerOf } from '#access';
import { pathId } from '../../platform/identifiers.ts';
import { record } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { binnedFolder, clientOf, type AccessibleFolder } from './access.ts';
import { folderDeleted, folderRestored } from './events.ts';
import { maxDepth, tooDeep, barrierAround } from './folder-location.ts';
import { folderProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Folder } from './schemas.ts';
import { eventData, changeableInTree, getFolder, nameTaken } from './service.ts';
import * as tree from './tree-queries.ts';
import { legalHoldError, refuseInClosedMatter, refuseLeavingHold } from './holds.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** Moves a folder to the bin; with `recursive`, all below it too. Errors: 403 `folder_barred`, 409 `folder_not_empty`, `legal_hold_active`. */
export async function deleteFolder(scope: Scope, id: string, recursive: 'recursive' | 'empty-only', expect: VersionCheck): Promise<void> {
  const { folder, access } = await changeableInTree(scope, id, expect);
  if (!access.placed)
    throw problems.forbidden(
      'The folder itself is shared with you, so you may delete only its content. Ask its owner to delete the folder.',
    );
  if (recursive === 'empty-only' && folder.children + folder.documents > 0) {
    throw folderProblems.folder_not_empty(
      'The folder still contains folders or documents. Move or delete them first, or add `?recursive=true` to move everything to the bin.',
    );
  }
  const extent = await scope.db.first(tree.extentOf, { team: scope.team, id: folder.id, user: viewerOf(scope.actor).user });
  if ((extent?.closed ?? 0) > 0)
    throw folderProblems.folder_barred(
      'A barrier on a folder below excludes you. Ask the owner of that folder to move or delete it first.',
    );
  const hold = await scope.db.first(tree.hasHoldWithin, { team: scope.team, id: folder.id });
  if (hold?.on_hold !== false) throw legalHoldError('this folder, one above it, or something in it');
  refuseInClosedMatter(scope, folder.id);
  await scope.db.all(tree.binSubtree, { team: scope.team, id: folder.id, client: clientOf(scope), at: scope.now });
  await record(
    scope,
    folderDeleted,
    folder.id,
    { ...eventData(folder.name, { ...folder, parent: folder.parent_id }), ...access.placedByRole },
    isBehindBarrier(folder.barrier_id),
  );
}

/**
 * Restores a folder and everything that was deleted with it. It goes to the top of the tree if its former parent no longer exists or is too deep.
 * Errors: 403 `folder_barred`, 409 `name_taken`, `legal_hold_active`, 422 `folder_too_deep`.
 */
export async function restoreFolder(scope: Scope, id: string): Promise<Versioned<Folder>> {
  const folderId = pathId(id, 'folder');
  const of = { team: scope.team, id: folderId };
  await binnedFolder(scope, folderId);
  const binned = await scope.db.locked(tree.lockTree, of, () =>
    scope.db.locked(queries.lockFolder, of, () => binnedFolder(scope, folderId)),
  );
  const { folder, access } = binned;
  refuseInClosedMatter(scope, folder.id);
  const parent = await placeOfBefore(scope, binned);
  if (parent === null) await refuseLeavingHold(scope, folder.parent_id, null);
  await pipelined([
    () => (parent === null && folder.parent_id !== null ? scope.db.all(tree.moveToTop, { team: scope.team, id: folderId }) : undefined),
    () => scope.db.all(tree.restoreSubtree, { team: scope.team, id: folderId, client: clientOf(scope), at: scope.now }),
    () =>
      record(
        scope,
        folderRestored,
        folderId,
        { ...eventData(folder.name, { ...folder, parent }), ...access.byRole('share') },
        isBehindBarrier(folder.barrier_id),
      ),
  ]).catch(nameTaken(folder.name));
  return getFolder(scope, folderId);
}

/**
 * Returns the former parent of a folder in the bin, or null if the folder would be too deep there. A restore never moves content out of a barrier.
 * The former parent still exists, because a folder with content is never purged.
 */
async function placeOfBefore(scope: Scope, { folder }: AccessibleFolder<queries.FolderRow>): Promise<string | null> {
  const { parent_id: parent } = folder;
  if (parent === null) return null;
  const { locked, path, extent, around } = await pipelined({
    locked: () => scope.db.first(queries.lockFolderShared, { team: scope.team, id: parent }),
    path: () => scope.db.first(tree.pathOf, { team: scope.team, id: parent, moved: null }),
    extent: () => scope.db.first(tree.extentOf, { team: scope.team, id: folder.id, user: null }),
    around: () => barrierAround(scope, folder),
  });
  const fits = (path?.depth ?? 0) + (extent?.whole_height ?? 1) <= maxDepth;
  if (locked && fits) return parent;
  if (!isBehindBarrier(around)) return null;
  if (locked) throw tooDeep();
  throw folderProblems.folder_barred(
    'Its former folder is inside a barrier and is in the bin. First restore that folder, or the folder that was deleted with it.',
  );
}
