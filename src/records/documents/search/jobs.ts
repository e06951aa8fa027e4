import { Type } from 'typebox';
import type { Database } from '../../../platform/database/database.ts';
import { sqlState } from '../../../platform/database/errors.ts';
import { defineJob, type JobAttempt } from '../../../platform/jobs/job.ts';
import { StorageError, type Storage } from '../../../platform/storage/storage.ts';
import { passagesOf } from './passages.ts';
import * as queries from './queries.ts';
import { takeText } from './take-text.ts';

export type TextDependencies = { database: Database; storage: Storage };

/** PostgreSQL error program_limit_exceeded: the text has too many different words for one tsvector. */
const tooManyWords = '54000';

const aMomentMs = 1_000;

/**
 * Extracts the searchable text of the newest version of a document. Safe to repeat after a crash: it replaces the stored text. A newer version has
 * its own job.
 */
export const textJob = defineJob(
  'document-text',
  Type.Object({ document: Type.String() }),
  { retries: 4, backoff: { first: 5, factor: 6, most: 3_600 }, timeout: 150, concurrency: 2, counted: false },
  async ({ database, storage }: TextDependencies, { document }, { team, signal }: JobAttempt) => {
    if (team === undefined) return undefined;
    const version = await database.reader(team).first(queries.versionToRead, { team, document });
    if (!version) return undefined;
    const text = await takeText(storage, version, signal).catch(nothingOfMissing);
    if (await keepText(database, { team, document, version: version.number }, text)) return undefined;
    // Another transaction is changing the document, so the job runs again later instead of waiting.
    const still = await database.reader(team).first(queries.versionToRead, { team, document });
    return still?.number === version.number ? { later: new Date(Date.now() + aMomentMs) } : undefined;
  },
);

/** Treats a missing file as an empty text, because a nightly job finds and reports missing files. */
function nothingOfMissing(error: unknown): string {
  if (error instanceof StorageError && error.reason === 'missing') return '';
  throw error;
}

/** Stores as much of a text as the database accepts. Returns false if the document cannot be locked. */
async function keepText(database: Database, of: { team: string; document: string; version: number }, text: string): Promise<boolean> {
  const { team, document } = of;
  try {
    return await database.inTeam(team, async (db) => {
      if (!(await db.first(queries.lockForExtraction, of))) return false;
      db.send(queries.dropPassages, { team, document });
      db.send(queries.keepBody, { ...of, text });
      await db.all(queries.keepPassages, { team, document, passages: passagesOf(text) });
      return true;
    });
  } catch (error) {
    if (sqlState(error) !== tooManyWords || text.length < 1_000) throw error;
    return keepText(database, of, text.slice(0, text.length / 2).toWellFormed());
  }
}
