import type { Database } from '../../platform/database/database.ts';
import type { Isolation } from '../../platform/jobs/isolated-jobs.ts';
import * as queries from './tree-queries.ts';

/** Days that a resource stays in the bin. */
export const binDays = 30;

/** Deletes empty folders after 30 days in the bin, unless a legal hold applies. Works in batches, team by team, children before parents. */
export async function purgeFolders({ database, isolation }: { database: Database; isolation: Isolation }, now: Date): Promise<void> {
  const before = new Date(now.getTime() - binDays * 86_400_000);
  const teams = await database.asSystem('find bins of folders', (tx) => tx.all(queries.binsToEmpty, { before }));
  await isolation.each(
    queries.folderBin,
    teams.map(({ team_id: team }) => ({ team, id: '' })),
    async ({ team }) => {
      for (;;) {
        const gone = await database.asSystem('empty the bin of folders', (tx) =>
          tx.locked(queries.lockTree, { team }, () => tx.all(queries.purgeFolders, { team, before })),
        );
        if (gone.length === 0) return;
      }
    },
  );
}
