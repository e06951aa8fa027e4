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
import { sharableFolder, shareFolder } from './shares.ts';
import { folderTables } from './tables.ts';

/**
 * Folders: one tree for each person. A share gives a person, a group or the team access to a subtree, and a barrier hides a subtree from all
 * non-members. Names are unique among siblings, and trees have no cycles and a limited depth, even under concurrent changes. Deleting moves a subtree
 * to the bin for 30 days.
 */
export const domain = defineDomain({
  name: 'folders',
  uses: { access, accounts, journal, teams },
  settings: folderSettings,
  tables: folderTables,
  description: () => import('./description.ts'),
  tools: async () => (await import('./tools.ts')).tools,
  subscribes: { usual: folderListeners },
  open({ database, listeners, clock }, uses, { BARRIER_JOB_DOCUMENTS: maxDocuments }) {
    uses.teams.shareWithGuests('folder', { check: sharableFolder, share: shareFolder });
    return {
      exports: { barrierJobDocuments: maxDocuments },
      routes: (app) => folderRoutes(app, maxDocuments),
      jobs: [openJob(barrierChangeJob, { database, listeners, clock })],
      // Runs after the bin of documents was emptied, because a folder is purged only when it is empty.
      periodic: [{ name: 'folder-purge', cron: '22 3 * * *', run: ({ now, isolation }) => purgeFolders({ database, isolation }, now) }],
    };
  },
});

export {
  type AccessibleFolder,
  binnedFolder,
  clientOf,
  folderNames,
  foldersBelow,
  lockedInTree,
  type OpenFolder,
  seesFolder,
  readableFolder,
} from './access.ts';
export { liftBarrier, readBarrier, setBarrier } from './barriers.ts';
export { carry } from './barrier-changes.ts';
export { barrierBody, type BarrierBody, folderBarrier } from './schemas.ts';
export { moveFolder } from './service.ts';
export { barrierSet, folderDeleted, folderMoved, folderRestored, folderUnshared } from './events.ts';
export { legalHoldError, refuseInClosedMatter, refuseUnderHold, refuseLeavingHold } from './holds.ts';
export { extentOf, hasHoldWithin, lockTree, opensAt, lockTreeShared } from './tree-queries.ts';
export { mergeMetadata } from './metadata.ts';
export {
  lockTargetFolder,
  lockMatterFor,
  lockTreesShared,
  movesWithin,
  notYours,
  type AccessibleLocation,
  ownerForActor,
  refuseOpening,
  topFor,
} from './folder-location.ts';
export { mayRelocate } from './policy.ts';
export { folderProblems } from './problems.ts';
export { binRoot, foldersAmong, lockFolderShared, insertRoot, keepFolder, lockFolder, updateRoot } from './queries.ts';
export { accessOf, dependentGrants, revokedGrant } from './shares.ts';
