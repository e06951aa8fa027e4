import { isBehindBarrier, noBarrier, viewerOf } from '#access';
import { clientOf, folderProblems, lockFolderShared, lockTreesShared, refuseLeavingHold } from '#folders';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { record } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Versioned } from '../../platform/versioned.ts';
import { documentRestored } from './events.ts';
import { accessToDocument, type DocumentAccess } from './policy.ts';
import * as queries from './queries.ts';
import type { Document } from './schemas.ts';
import { eventData, getDocument } from './service.ts';

/**
 * Restores a document from the bin into its folder, or without a folder if that no longer exists. The owner of the document, administrators, and API
 * clients without folder limits can do this. Errors: 403 `folder_barred`, 404, 409 `legal_hold_active`.
 */
export async function restoreDocument(scope: Scope, id: string): Promise<Versioned<Document>> {
  const documentId = pathId(id, 'document');
  const of = { team: scope.team, id: documentId };
  const look = () => restorable(scope, documentId);
  await look();
  lockTreesShared(scope);
  // Locks the folder before the document, like `moveDocument`.
  const { binned: before } = await look();
  const kept = before.folder_id ? await scope.db.first(lockFolderShared, { team: scope.team, id: before.folder_id }) : undefined;
  const { binned, access } = await scope.db.locked(queries.lockDocument, of, look);
  if (!kept && binned.barrier_id !== noBarrier)
    throw folderProblems.folder_barred(
      'Its folder is in the bin, and the document must stay inside the barrier of that folder. Restore the folder first.',
    );
  const folder = kept?.id ?? null;
  await refuseLeavingHold(scope, binned.folder_id, folder);
  scope.db.send(queries.restoreDocument, { ...of, folder, client: clientOf(scope), at: scope.now });
  await record(
    scope,
    documentRestored,
    documentId,
    { ...eventData(binned.title, folder, binned.matter_id), ...access.byRole('share') },
    isBehindBarrier(binned.barrier_id),
  );
  return getDocument(scope, documentId);
}

/** Returns a document in the bin that the actor may restore. Errors: 404. */
async function restorable(scope: Scope, id: string): Promise<{ binned: queries.ReachedDocument; access: DocumentAccess }> {
  const binned = await scope.db.first(queries.reachBinned, { team: scope.team, id, ...viewerOf(scope.actor) });
  const access = binned && accessToDocument(scope.actor, binned);
  if (!binned || !access?.restores) throw notFound('document');
  return { binned, access };
}
