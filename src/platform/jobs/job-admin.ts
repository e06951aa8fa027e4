import type { Database } from '../database/database.ts';
import { jobChannel } from './job.ts';
import { dropFailed, forgetWorkers, type ListedJob, listJobs, retryJobs } from './queries.ts';

/** Lists and retries jobs for operators. */
export type JobAdmin = {
  /** Returns jobs by due time, oldest first, optionally of one name. */
  list(which: { state: string; name?: string | undefined; limit: number }): Promise<ListedJob[]>;
  /** Restarts failed jobs: one by id, all of a name, or all. Returns their ids. */
  retry(which: { id?: string | undefined; name?: string | undefined }): Promise<string[]>;
};

const retryBatchSize = 1_000;

export function createJobAdmin(database: Database): JobAdmin {
  return {
    list: ({ state, name, limit }) => database.asSystem('list jobs', (tx) => tx.all(listJobs, { state, name: name ?? null, limit })),
    async retry({ id, name }) {
      const retried: string[] = [];
      for (let more = true; more;) {
        const rows = await database.asSystem('retry failed jobs', async (tx) => {
          const found = await tx.all(retryJobs, { id: id ?? null, name: name ?? null, limit: retryBatchSize });
          for (const one of new Set(found.map((row) => row.name))) tx.notify(jobChannel, one);
          return found;
        });
        retried.push(...rows.map((row) => row.id));
        more = rows.length === retryBatchSize;
      }
      return retried;
    },
  };
}

const keptMs = 90 * 86_400_000;

/** Deletes jobs that were discarded 90 days ago, and workers that have not polled for a day. */
export async function dropFailedJobs(database: Database, now: Date): Promise<void> {
  await database.asSystem('delete old failed jobs', (tx) => tx.all(dropFailed, { before: new Date(now.getTime() - keptMs) }));
  await database.asSystem('forget workers', (tx) => tx.all(forgetWorkers, {}));
}
