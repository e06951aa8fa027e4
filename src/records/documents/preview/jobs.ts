import { keepFile } from '../../../platform/storage/store-file.ts';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { defineJob, enqueue, type JobAttempt } from '../../../platform/jobs/job.ts';
import { UnreadFile } from '../../../platform/reading/sandbox.ts';
import { drawPages } from '../../../platform/reading/pictures.ts';
import type { Scope } from '../../../platform/scope.ts';
import { StorageError, type Storage } from '../../../platform/storage/storage.ts';
import * as queries from './queries.ts';

type PreviewDependencies = { database: Database; storage: Storage };

const drawnWidth = 800;
const maxPictureBytes = 4 * 1024 * 1024;
/** Files with more bytes get no preview. */
const maxBytesDrawn = 32 * 1024 * 1024;

/** Media types that can have a preview, as declared by the upload. */
const drawable = new Set(['application/pdf', 'image/png', 'image/jpeg']);

/** Enqueues the preview of a version in the transaction that adds it, if its type can have one. */
export function askForPreview(scope: Scope, of: { document: string; version: number; mediaType: string }, runAt: { runAt?: Date }): void {
  const [type = ''] = of.mediaType.toLowerCase().split(';');
  if (!drawable.has(type.trim())) return;
  const version = { team: scope.team, document: of.document, version: of.version };
  scope.db.send(queries.insertPreview, version);
  enqueue(scope, previewJob, version, runAt);
}

const data = Type.Object({ team: Type.String(), document: Type.String(), version: Type.Integer() });
type PreviewJobData = { team: string; document: string; version: number };

/**
 * Draws the first page of a version. Safe to repeat after a crash: only the file of the committed row is used, and a nightly job removes files
 * without a row.
 */
export const previewJob = defineJob(
  'document-preview',
  data,
  {
    retries: 4,
    backoff: { first: 5, factor: 6, most: 3_600 },
    timeout: 90,
    concurrency: 2,
    counted: false,
    onDiscard: (tx: Transaction, version: PreviewJobData) => tx.all(queries.previewFailed, { ...version, reason: 'unreadable' }),
  },
  async ({ database, storage }: PreviewDependencies, version: PreviewJobData, { signal }: JobAttempt) => {
    const { team } = version;
    const wanted = await database.reader(team).first(queries.previewToMake, version);
    if (!wanted) return;
    const made = wanted.size > maxBytesDrawn ? 'limit' : await firstPage(storage, wanted.storage_key, signal);
    if (typeof made === 'string') {
      await database.inTeam(team, (db) => db.all(queries.previewFailed, { ...version, reason: made }));
      return;
    }
    const { picture, pages } = made;
    const { bytes, width, height } = picture;
    await keepFile(storage, { bytes: Readable.from([bytes]), maxBytes: maxPictureBytes }, (file) =>
      database.inTeam(team, async (db) => {
        if (!(await db.first(queries.previewMade, version))) return false;
        db.send(queries.insertPreviewFile, { ...version, ...file, width, height, pages });
        return true;
      }),
    );
  },
);

/** Draws the first page, or returns the reason why there is no image. */
async function firstPage(storage: Storage, key: string, signal: AbortSignal) {
  try {
    const { pages, pictures } = await drawPages(
      await storage.read(key),
      { first: 1, last: 1, width: drawnWidth, characters: 0 },
      { signal },
    );
    const [picture] = pictures;
    return picture === undefined ? 'unreadable' : { pages, picture };
  } catch (error) {
    if (error instanceof UnreadFile) return error.reason;
    if (error instanceof StorageError && error.reason === 'missing') return 'missing';
    throw error;
  }
}
