import { domain as teams } from '#teams';
import { domain as folders } from '#folders';
import { defineDomain } from '../platform/domain.ts';
import { documentTables } from './tables.ts';

/**
 * Documents: a title, a state, and immutable versions of a file, each with its SHA-256. One in a folder is seen by
 * whoever sees the folder, one outside any by its owner; single people can be given it, such as reviewers for their task.
 */
export const domain = defineDomain({
  name: 'documents',
  uses: [teams, folders],
  tables: documentTables,
  description: () => import('./description.ts'),
});

export { endGrantsOfMember, endGrantsOfTask, grantForTask } from './grants.ts';
export { documentVersionAdded } from './events.ts';
export { outsideText } from './giver-queries.ts';
export { purgeDocuments } from './jobs.ts';
export { documentListeners, grantListener, leaverListener, lostByMember } from './listeners.ts';
export { type FileReport, reconcileFiles, tendFiles } from './reconcile-jobs.ts';
export { behindWallText } from './queries.ts';
export { type DocumentDeps, documentRoutes } from './routes.ts';
export {
  documentReadableBy,
  documentToOpen,
  notYoursToOpen,
  readableDocument,
  type ReferredDocument,
  versionOfDocument,
} from './references.ts';
export type { DocumentStatus } from './schemas.ts';
export { setDocumentStatus } from './service.ts';
