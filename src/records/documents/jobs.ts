import { lockTreeShared } from '#folders';
import type { Database } from '../../platform/database/database.ts';
import type { Isolation } from '../../platform/jobs/isolated-jobs.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import * as queries from './queries.ts';

const binDays = 30;

/** Deletes documents and their files after 30 days in the bin, in batches, team by team. */
export async function purgeDocuments(
  { database, storage, isolation }: { database: Database; storage: Storage; isolation: Isolation },
  now: Date,
): Promise<void> {
  const before = new Date(now.getTime() - binDays * 86_400_000);
  const teams = await database.asSystem('find bins of documents', (tx) => tx.all(queries.binsToEmpty, { before }));
  await isolation.each(
    queries.documentBin,
    teams.map(({ team_id: team }) => ({ team, id: '' })),
    async ({ team }) => {
      for (;;) {
        const gone = await database.asSystem('empty the bin of documents', (tx) =>
          tx.locked(lockTreeShared, { team }, () => tx.all(queries.purgeDocuments, { team, before })),
        );
        // After the commit: a file without a row is harmless, a row without its file is not.
        for (const { storage_keys: keys } of gone) for (const key of keys) await storage.remove(key);
        if (gone.length === 0) return;
      }
    },
  );
}
