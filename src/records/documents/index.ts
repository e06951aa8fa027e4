import { domain as access } from '#access';
import { domain as clients } from '#clients';
import { domain as folders } from '#folders';
import { domain as teams } from '#teams';
import { defineDomain } from '../../platform/domain.ts';
import { openJob } from '../../platform/jobs/job.ts';
import { announceDates } from './dates/index.ts';
import { documentsForPages } from './for-pages.ts';
import { purgeDocuments } from './jobs.ts';
import { documentListeners, grantListener } from './listeners.ts';
import { keepRules } from './retention/index.ts';
import { previewJob } from './preview/index.ts';
import { documentRoutes } from './routes.ts';
import { textJob } from './search/index.ts';
import { manageable, shareDocument } from './sharing.ts';
import { documentTables } from './tables.ts';

/**
 * Documents: a title, a state and immutable versions of a file, each with its SHA-256. Readers of a folder may read its documents; only the owner can
 * read a document without a folder. Shares and tasks give access to a single document.
 */
export const domain = defineDomain({
  name: 'documents',
  uses: { access, teams, folders, clients },
  tables: documentTables,
  description: () => import('./description.ts'),
  tools: async ({ storage }) => (await import('./tools.ts')).documentTools(storage),
  subscribes: { usual: documentListeners, last: [grantListener] },
  open({ config, database, storage, scanner, listeners, masterKey }, uses) {
    uses.teams.shareWithGuests('document', { check: manageable, share: shareDocument });
    const places = masterKey.box('document-date-cursors');
    return {
      exports: documentsForPages,
      routes: (app) => documentRoutes(app, { storage, scanner, places, maxUploadBytes: config.MAX_UPLOAD_MB * 1024 * 1024 }),
      jobs: [openJob(textJob, { database, storage }), openJob(previewJob, { database, storage })],
      periodic: [
        { name: 'document-purge', cron: '17 3 * * *', run: ({ now, isolation }) => purgeDocuments({ database, storage, isolation }, now) },
        {
          name: 'document-retention',
          cron: '41 * * * *',
          run: ({ now, isolation }) => keepRules({ database, listeners, isolation }, now),
        },
        {
          name: 'document-dates',
          cron: '*/5 * * * *',
          run: ({ now, isolation }) => announceDates({ database, listeners, isolation }, now),
        },
      ],
    };
  },
});

export { endGrantsOfMember, endGrantsOfTask, grantForTask } from './grants.ts';
export type { DocumentsForPages } from './for-pages.ts';
export { accessEnded, dateNear, datesChanged, documentMoved, documentVersionAdded, reviewDue } from './events.ts';
export { fileOfVersion, joinDocumentSql } from './reference-queries.ts';
export {
  actorToday,
  lockCopyBehindBarrier,
  copyStaysBehindBarrier,
  documentReadable,
  documentReadableBy,
  documentStillOpen,
  documentToOpen,
  documentAccessDenied,
  readableDocument,
  type ReferredDocument,
  lockMoveBehindBarrier,
  versionOfDocument,
} from './references.ts';
export { type ArchivedFile, archiveOf, fileNameOf, uniqueNames } from './bulk/index.ts';
export { type DocumentInWhole, documentInWhole, filesOfDocument, type KeptVersion, recordReadings } from './evidence.ts';
export { isBeingSigned } from './signing-lock.ts';
export { documentsAmong, lockDocument } from './queries.ts';
export type { Document, DocumentStatus } from './schemas.ts';
export { document as documentSchema, type Version as DocumentVersion, version as documentVersionSchema } from './schemas.ts';
export { refuseUnderHoldLocked } from './holds/index.ts';
export { endDocumentOf, createDocument, moveDocumentToMatter, placeForDocument, setDocumentStatus } from './service.ts';
export { documentNames, readable as documentFor } from './access.ts';
export { addSealedVersion } from './sealed.ts';
export { addFirstVersion, contentHead, fileIsKept, openVersion, versionOfTask } from './versions.ts';
export { presentVersion } from './present.ts';
