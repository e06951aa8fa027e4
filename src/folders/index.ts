import { domain as teams } from '#teams';
import { defineDomain } from '../platform/domain.ts';
import { folderTables } from './tables.ts';

/**
 * Folders: a tree for each person, shared by the subtree with people or the whole team, and walled where only those named may be. Names are unique among siblings, trees have no cycles and a
 * bounded depth, also under races; deleting moves a subtree to the bin, from which it can be restored for 30 days.
 */
export const domain = defineDomain({ name: 'folders', uses: [teams], tables: folderTables, description: () => import('./description.ts') });

export { clientOf, type Looking, readableFolder, viewerOf, viewOf } from './access.ts';
export { folderDeleted, folderRestored } from './events.ts';
export { purgeFolders } from './jobs.ts';
export { folderListener } from './listeners.ts';
export { mergeMetadata } from './metadata.ts';
export { holdFolderFor, moveFrom, notYours, type OpenPlace, ownerForActor, refuseOpening, topFor } from './place.ts';
export { mayRelocate } from './policy.ts';
export { folderProblems } from './problems.ts';
export { folderRoutes } from './routes.ts';
export { type AccessList, accessList } from './schemas.ts';
export { accessOf, refuseOneself } from './shares.ts';
export {
  at,
  isOpen,
  isWalled,
  noWall,
  type Standing,
  standingOfOwn,
  standingText,
  type View,
  type Viewer,
  viewText,
} from './visibility-queries.ts';
