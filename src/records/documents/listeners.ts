import { clientOf, folderDeleted, folderRestored, folderUnshared } from '#folders';
import { memberRemoved } from '#teams';
import { type EventListener, on } from '../../platform/journal/listeners.ts';
import { refuseSignedInFolder } from './signing-lock.ts';
import { endGrantsBy, endGrantsOfMember } from './grants.ts';
import * as queries from './queries.ts';

/** Documents follow their folder into the bin and out of it. Documents of a member who leaves go to the successor. */
export const documentListeners: readonly EventListener[] = [
  on(memberRemoved, async (scope, { targetId: from, data: { successorId: to } }) => {
    await scope.db.all(queries.lockDocumentsOfLeaver, { team: scope.team, from });
    await scope.db.all(queries.handOverDocuments, { team: scope.team, from, to, at: scope.now });
  }),
  on(folderDeleted, async (scope, { targetId: folder }) => {
    await scope.db.all(queries.binWithFolder, { team: scope.team, folder, client: clientOf(scope), at: scope.now });
    await refuseSignedInFolder(scope, folder);
  }),
  on(folderUnshared, async (scope, { targetId: folder, data }) => {
    if (data.cascade) await endGrantsBy(scope, data, { folder });
  }),
  on(folderRestored, async (scope, { targetId: folder }) => {
    await scope.db.all(queries.restoreWithFolder, { team: scope.team, folder, client: clientOf(scope) });
  }),
];

/** Ends the grants to a member who leaves. Grants for tasks belong to workflows, which acquire their locks first. */
export const grantListener = on(memberRemoved, (scope, event) => endGrantsOfMember(scope, event.targetId));
