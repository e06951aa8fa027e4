import type { Database } from '../../platform/database/database.ts';
import type { Isolation } from '../../platform/jobs/isolated-jobs.ts';
import * as queries from './queries.ts';

/** Days that records and registries stay in the bin. */
const binDays = 30;

/** Permanently deletes records and registries after 30 days in the bin, in batches and by team. */
export async function purgeRegistries({ database, isolation }: { database: Database; isolation: Isolation }, now: Date): Promise<void> {
  const before = new Date(now.getTime() - binDays * 86_400_000);
  const teams = await database.asSystem('find bins of registries', (tx) => tx.all(queries.binsToEmpty, { before }));
  await isolation.each(
    queries.registryBin,
    teams.map(({ team_id: team }) => ({ team, id: '' })),
    async ({ team }) => {
      for (;;) {
        const done = await database.asSystem('empty the bin of records', (tx) => tx.first(queries.purgeRecords, { team, before }));
        if ((done?.gone ?? 0) === 0) break;
      }
      await database.asSystem('empty the bin of registries', (tx) => tx.all(queries.purgeRegistries, { team, before }));
    },
  );
}
