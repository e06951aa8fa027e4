/**
 * Folders: a tree for each person, shared by the subtree. Names are unique among siblings, trees have no cycles and a
 * bounded depth, also under races; deleting moves a subtree to the bin, from which it can be restored for 30 days.
 */
export { readableFolder, viewerOf } from './access.ts';
export { folderDeleted, folderRestored } from './events.ts';
export { purgeFolders } from './jobs.ts';
export { folderListener } from './listeners.ts';
export { mergeMetadata } from './metadata.ts';
export { folderProblems } from './problems.ts';
export { holdFolderFor } from './service.ts';
export { folderRoutes } from './routes.ts';
