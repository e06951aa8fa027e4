import { clientOf, folderDeleted, folderRestored } from '#folders';
import { memberRemoved } from '#teams';
import { type EventListener, type HeardEvent, on } from '../platform/journal/listeners.ts';
import { refuseSignedInFolder } from './being-signed.ts';
import { lostByLeaver } from './giver-queries.ts';
import { endGrantsOfMember } from './grants.ts';
import * as queries from './queries.ts';

const lost = new WeakMap<HeardEvent, readonly string[]>();

/**
 * Looks which documents a leaving member has put into tasks and workflows and may not let others read any more. It is the first
 * to hear of the leaving: their shares and what they own are gone when the others have heard it.
 */
export const leaverListener = on(memberRemoved, async (scope, event) => {
  const documents = await scope.db.all(lostByLeaver, { team: scope.team, from: event.targetId });
  lost.set(
    event,
    documents.map(({ id }) => id),
  );
});

/** What the leaving member of this event may not let others read any more: nobody succeeds them in that. */
export function lostByMember(event: HeardEvent): readonly string[] {
  const documents = lost.get(event);
  if (documents === undefined) throw new Error('the leaving was not heard by `leaverListener` first');
  return documents;
}

/** What lies in a folder goes to the bin with it, and comes back with it; what was a leaving member's is their successor's. */
export const documentListeners: readonly EventListener[] = [
  on(memberRemoved, async (scope, { targetId: from, data: { successorId: to } }) => {
    await scope.db.all(queries.handOverDocuments, { team: scope.team, from, to, at: scope.now });
  }),
  on(folderDeleted, async (scope, { targetId: folder }) => {
    await scope.db.all(queries.binWithFolder, { team: scope.team, folder, client: clientOf(scope), at: scope.now });
    await refuseSignedInFolder(scope, folder);
  }),
  on(folderRestored, async (scope, { targetId: folder }) => {
    await scope.db.all(queries.restoreWithFolder, { team: scope.team, folder, client: clientOf(scope) });
  }),
];

/** What was opened for a leaving member. Grants for tasks belong to workflows, whose locks come before. */
export const grantListener = on(memberRemoved, (scope, event) =>
  endGrantsOfMember(scope, event.targetId, event.data.successorId, lostByMember(event)),
);
