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
 * Gives the team's document of a submission the PDF as its first version: a copy, which stays when the PDF of who answered goes. By the
 * right of whoever has set that documents are made. Done again after a crash: a document that has a file keeps it, and a file without a
 * row is removed by night. Who answers for the form may decide on it: what it says is the visitor's.
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
          // It is in the bin, that right has ended, or a decision that was taken already lets no file in.
          if (error instanceof Problem && (error.status === 403 || error.status === 404 || error.code === 'document_under_decision'))
            return false;
          throw error;
        }),
    );
  },
);

/** Has the team's document of a submission get its file, once this is committed. */
export function askForFile(scope: Pick<Scope, 'db' | 'team'>, submission: string): void {
  enqueue(scope, documentFileJob, { submission }, { key: submission });
}
