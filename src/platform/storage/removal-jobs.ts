import { Type } from 'typebox';
import type { Database } from '../database/database.ts';
import { defineJob, enqueue } from '../jobs/job.ts';
import { type FileStore, type Storage, StorageError } from './storage.ts';

/** Repeats the removal of a file that failed, for about three weeks. After that, the nightly comparison finds the file. */
export const fileRemovalJob = defineJob(
  'file-removal',
  Type.Object({ key: Type.String() }),
  { retries: 40, backoff: { first: 30, factor: 2, most: 12 * 3_600 }, counted: false },
  ({ storage }: { storage: Pick<Storage, 'remove'> }, { key }) => storage.remove(key),
);

/** Returns a storage that retries failed removals as jobs, because the caller no longer has a reference to the file. */
export function retryingRemovals(storage: FileStore, database: Database): FileStore {
  return {
    ...storage,
    async remove(key) {
      try {
        await storage.remove(key);
      } catch (error) {
        if (!(error instanceof StorageError && error.reason === 'unavailable')) throw error;
        await database.asSystem('queue the removal of a file', async (db) => enqueue({ db }, fileRemovalJob, { key }, { key }));
      }
    },
  };
}
