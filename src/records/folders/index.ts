import { domain as access } from '#access';
import { domain as accounts } from '#accounts';
import { domain as journal } from '#journal';
import { domain as teams } from '#teams';
import { defineDomain } from '../../platform/domain.ts';
import { openJob } from '../../platform/jobs/job.ts';
import { barrierChangeJob } from './barrier-changes.ts';
import { folderSettings } from './config.ts';
import { purgeFolders } from './jobs.ts';
import { folderListeners } from './listeners.ts';
import { folderRoutes } from './routes.ts';
import { folderTables } from './tables.ts';

/**
 * Folders: a tree for each person, shared by the subtree with people or the whole team, and hidden by barriers from all but their members. Names are unique among siblings, trees have no cycles and a
 * bounded depth, also under races; deleting moves a subtree to the bin, from which it can be restored for 30 days.
 */
export const domain = defineDomain({
  name: 'folders',
  uses: { access, accounts, journal, teams },
  settings: folderSettings,
  tables: folderTables,
  description: () => import('./description.ts'),
  tools: async () => (await import('./tools.ts')).tools,
  subscribes: { usual: folderListeners },
  open: ({ database, listeners, clock }, _uses, { BARRIER_JOB_DOCUMENTS: maxDocuments }) => ({
    exports: undefined,
    routes: (app) => folderRoutes(app, maxDocuments),
    jobs: [openJob(barrierChangeJob, { database, listeners, clock })],
    // Once the bin of documents was emptied: a folder goes when nothing is in it.
    periodic: [{ name: 'folder-purge', cron: '22 3 * * *', run: ({ now, isolation }) => purgeFolders({ database, isolation }, now) }],
  }),
});

export { binnedFolder, clientOf, foldersBelow, type OpenFolder, seesFolder, readableFolder } from './access.ts';
export { barrierSet, folderDeleted, folderMoved, folderRestored, folderUnshared } from './events.ts';
export { legalHoldError, refuseUnderHold, refuseLeavingHold } from './holds.ts';
export { lockTree, shareTree } from './tree-queries.ts';
export { mergeMetadata } from './metadata.ts';
export {
  holdFolderFor,
  holdTrees,
  movesWithin,
  notYours,
  type AccessibleLocation,
  ownerForActor,
  refuseOpening,
  topFor,
} from './folder-location.ts';
export { mayRelocate } from './policy.ts';
export { folderProblems } from './problems.ts';
export { foldersAmong, holdFolder } from './queries.ts';
export { accessOf, dependentGrants, revokedGrant } from './shares.ts';
