import { Type } from 'typebox';
import { removalsPaused } from '../backup/queries.ts';
import type { Database } from '../database/database.ts';
import { defineJob, enqueue } from '../jobs/job.ts';
import { type FileStore, type Storage, StorageError } from './storage.ts';

const pausedMs = 60_000;

/** Whether a backup or an export pauses the removal of files. */
const isPaused = async (database: Database): Promise<boolean> =>
  (await database.asSystem('look for a backup', (tx) => tx.first(removalsPaused, {})))?.paused === true;

/**
 * Removes a file after a backup ended, or repeats a removal that failed, for about three weeks. After that, the nightly comparison finds the file.
 */
export const fileRemovalJob = defineJob(
  'file-removal',
  Type.Object({ key: Type.String() }),
  { retries: 40, backoff: { first: 30, factor: 2, most: 12 * 3_600 }, counted: false },
  async ({ storage, database }: { storage: Pick<Storage, 'remove'>; database: Database }, { key }) => {
    if (await isPaused(database)) return { later: new Date(database.clock.now() + pausedMs) };
    return storage.remove(key);
  },
);

/**
 * Returns a storage that retries failed removals as jobs, because the caller no longer has a reference to the file. While a backup runs, it removes all
 * files as jobs, because the snapshot of the backup can name them.
 */
export function retryingRemovals(storage: FileStore, database: Database): FileStore {
  return {
    ...storage,
    async remove(key) {
      try {
        if (!(await isPaused(database))) return await storage.remove(key);
      } catch (error) {
        if (!(error instanceof StorageError && error.reason === 'unavailable')) throw error;
      }
      return database.asSystem('queue the removal of a file', async (db) => enqueue({ db }, fileRemovalJob, { key }, { key }));
    },
  };
}
