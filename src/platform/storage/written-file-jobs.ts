import type { Database, Transaction } from '../database/database.ts';
import type { Statement } from '../database/statement.ts';
import { removeDropped } from './store-file.ts';
import type { Storage } from './storage.ts';

/** The reason why a file was not written. */
export type FileFailure = { code: string; detail: string };

/** Returns the options of a job that writes a file for a member. `fail` stores the reason if the job is discarded. */
export const writtenFileJob = <Data>(fail: (tx: Transaction, data: Data, failure: FileFailure) => Promise<unknown>) => ({
  retries: 3,
  backoff: { first: 5, factor: 4, most: 120 },
  timeout: 3_600,
  concurrency: 2,
  // A team can have two in progress.
  counted: false,
  onDiscard: (tx: Transaction, data: Data) =>
    fail(tx, data, {
      code: 'internal_error',
      detail: 'The service failed repeatedly to write the file. Request it again.',
    }),
});

const keptMs = 24 * 3_600_000;
const dropBatchSize = 100;

/** Deletes files one day after they were written: a bounded number of rows per transaction, and their files after the commit. */
export function dropWrittenFiles(
  { database, storage }: { database: Database; storage: Storage },
  now: Date,
  { reason, statement }: { reason: string; statement: Statement<{ before: Date; limit: number }, { storage_key: string | null }> },
): Promise<void> {
  const before = new Date(now.getTime() - keptMs);
  return removeDropped(storage, () => database.asSystem(reason, (tx) => tx.all(statement, { before, limit: dropBatchSize })));
}
