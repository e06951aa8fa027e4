import { clientOf, folderDeleted, folderRestored } from '#folders';
import { memberRemoved } from '#teams';
import type { EventListener, RecordedEvent } from '../platform/journal/record.ts';
import { lostByLeaver } from './giver-queries.ts';
import { endGrantsOfMember } from './grants.ts';
import * as queries from './queries.ts';

const lost = new WeakMap<RecordedEvent, readonly string[]>();

/**
 * Looks which documents a leaving member has put into tasks and workflows and may not let others read any more. It is the first
 * to hear of the leaving: their shares and what they own are gone when the others have heard it.
 */
export const leaverListener: EventListener = async (scope, event) => {
  if (event.type !== memberRemoved.type) return;
  const documents = await scope.db.all(lostByLeaver, { team: scope.team, from: String(event.data.userId) });
  lost.set(
    event,
    documents.map(({ id }) => id),
  );
};

/** What the leaving member of this event may not let others read any more: nobody succeeds them in that. */
export function lostByMember(event: RecordedEvent): readonly string[] {
  const documents = lost.get(event);
  if (documents === undefined) throw new Error('the leaving was not heard by `leaverListener` first');
  return documents;
}

/** What lies in a folder goes to the bin with it, and comes back with it; what was a leaving member's is their successor's. */
export const documentListener: EventListener = async (scope, event) => {
  if (event.type === memberRemoved.type) {
    const { successorId } = event.data.data as { successorId: string };
    const from = String(event.data.userId);
    await scope.db.all(queries.handOverDocuments, { team: scope.team, from, to: successorId, at: scope.now });
    return;
  }
  if (event.type !== folderDeleted.type && event.type !== folderRestored.type) return;
  const of = { team: scope.team, folder: String(event.data.folderId), client: clientOf(scope) };
  if (event.type === folderDeleted.type) await scope.db.all(queries.binWithFolder, { ...of, at: scope.now });
  else await scope.db.all(queries.restoreWithFolder, of);
};

/** What was opened for a leaving member. Grants for tasks belong to workflows, whose locks come before. */
export const grantListener: EventListener = async (scope, event) => {
  if (event.type !== memberRemoved.type) return;
  const { successorId } = event.data.data as { successorId: string };
  await endGrantsOfMember(scope, String(event.data.userId), successorId, lostByMember(event));
};
