import { Type } from 'typebox';
import type { Database } from '../database/database.ts';
import { defineJob, enqueue } from '../jobs/job.ts';
import { type FileStore, type Storage, StorageError } from './storage.ts';

/** Removes a file that could not be removed when it was time; tried for about three weeks, and found by the nightly comparison after. */
export const fileRemovalJob = defineJob(
  'file-removal',
  Type.Object({ key: Type.String() }),
  { retries: 40, backoff: { first: 30, factor: 2, most: 12 * 3_600 }, counted: false },
  ({ storage }: { storage: Pick<Storage, 'remove'> }, { key }) => storage.remove(key),
);

/** A store whose removals are kept as jobs where they fail: whoever removes a file has already forgotten what it was for. */
export function retryingRemovals(storage: FileStore, database: Database): FileStore {
  return {
    ...storage,
    async remove(key) {
      try {
        await storage.remove(key);
      } catch (error) {
        if (!(error instanceof StorageError && error.reason === 'unavailable')) throw error;
        await database.asSystem('keep the removal of a file for later', async (db) => enqueue({ db }, fileRemovalJob, { key }, { key }));
      }
    },
  };
}
