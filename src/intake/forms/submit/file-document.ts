import { keepFile } from '../../../platform/storage/store-file.ts';
import { addFirstVersion } from '#documents';
import { issuedDocumentOf } from '#issued-documents';
import { Type } from 'typebox';
import type { Database } from '../../../platform/database/database.ts';
import { defineJob, enqueue, type JobAttempt } from '../../../platform/jobs/job.ts';
import type { EventListener } from '../../../platform/journal/listeners.ts';
import { Problem } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { actionGrantor } from '../submission-actions.ts';
import { documentOf } from './effects.ts';
import { pdfName } from './pdf-name.ts';
import * as queries from './queries.ts';

export type Filing = { database: Database; listeners: readonly EventListener[]; storage: Storage; clock: () => Date };

const maxBytes = 64 * 1024 * 1024;

/**
 * Adds the PDF as the first version of the document of a submission. It is a copy that stays when the PDF of the visitor is deleted. Uses the rights
 * of the member who enabled documents. A retry after a crash is safe: a document with a file keeps it, and a nightly cleanup removes a file without a
 * row. The member may also approve the document, because its content comes from the visitor.
 */
export const documentFileJob = defineJob(
  'submission-document-file',
  Type.Object({ submission: Type.String() }),
  { retries: 5, backoff: { first: 5, factor: 4, most: 600 }, timeout: 60, concurrency: 2, counted: false },
  async ({ database, listeners, storage, clock }: Filing, { submission: id }, { team }: JobAttempt) => {
    if (team === undefined) return;
    const db = database.reader(team);
    const wanted = await db.first(queries.documentToFile, { team, id });
    const issuedDocument = wanted && (await issuedDocumentOf({ db, team }, documentOf(id)));
    if (!wanted || issuedDocument?.file === undefined) return;
    const grantor = await actionGrantor({ db, team }, { ...wanted, id: wanted.interface_id });
    if (!grantor) return;
    const bytes = await storage.read(issuedDocument.file.key);
    await keepFile(storage, { bytes, maxBytes }, (file) =>
      database
        .inTeam(team, (tx) => {
          const upload = { ...file, fileName: pdfName({ ...wanted, id }), mediaType: 'application/pdf' };
          const scope: Scope = {
            db: tx,
            team,
            actor: grantor,
            recordedAs: { type: 'system' },
            now: clock(),
            requestId: 'submission-document-file',
            listeners,
          };
          return addFirstVersion(scope, wanted.document_id, upload, id);
        })
        .catch((error: unknown) => {
          // The document is in the bin, the right has ended, or a pending or finished decision prevents new versions.
          if (error instanceof Problem && (error.status === 403 || error.status === 404 || error.code === 'document_under_decision'))
            return false;
          throw error;
        }),
    );
  },
);

/** Enqueues the job that adds the file to the document. It runs after the commit. */
export function askForFile(scope: Pick<Scope, 'db' | 'team'>, submission: string): void {
  enqueue(scope, documentFileJob, { submission }, { key: submission });
}
