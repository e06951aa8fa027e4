import { forgetTeam } from '#accounts';
import type { Database } from '../../platform/database/database.ts';
import type { Isolation } from '../../platform/jobs/isolated-jobs.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { OwnedTable } from '../../platform/tables.ts';
import { teamHasLegalHold } from '#accounts';
import { dueTeams, eraseStatement, teamPurge } from './purge-queries.ts';

const keptDays = 30;

type Parts = {
  database: Database;
  storage: Pick<Storage, 'remove'>;
  isolation: Isolation;
  /** Every table, what a row points to before it: their owners say which are erased, and which refer to files. */
  tables: readonly OwnedTable[];
};

/**
 * Erases what teams held that were closed 30 days ago: their tables from the last to the first, in transactions of their own, and
 * files after the rows that referred to them. The journal stays, and with it the team's row and the tombstones of its people,
 * without a name in any of them: entries name them by identifier. While a legal hold stands in a team, the tables that one keeps stay whole, and
 * the team is looked at again every night. What is cut short goes on at the next run; files that a process
 * killed in between leaves go with all others that nothing refers to.
 */
export async function purgeClosedTeams({ database, storage, isolation, tables }: Parts, now: Date): Promise<void> {
  const statements = tables
    .filter(({ table }) => table.purge === 'erased')
    .toReversed()
    .map(({ name, table }) => ({ erase: eraseStatement(name, table.file), kept: table.legalHold }));
  const hasLegalHold = teamHasLegalHold(tables);
  const before = new Date(now.getTime() - keptDays * 86_400_000);
  const due = await database.asSystem('find closed teams', (tx) => tx.all(dueTeams, { before }));
  await isolation.each(
    teamPurge,
    due.map(({ team_id: team }) => ({ team, id: '' })),
    async ({ team }) => {
      // Nobody of a closed team places or lifts one meanwhile.
      const onHold = (await database.asSystem('look for holds', (tx) => tx.first(hasLegalHold, { team })))?.on_hold !== false;
      for (const { erase, kept } of statements)
        if (!(onHold && kept))
          await repeat(async () => {
            const gone = await database.asSystem('erase a closed team', (tx) => tx.first(erase, { team }));
            for (const key of gone?.files ?? []) await storage.remove(key);
            return gone?.erased ?? 0;
          });
      if (onHold) return;
      await database.asSystem('a closed team is erased', (tx) => tx.all(forgetTeam, { team, at: now }));
    },
    { limitMs: 600_000 },
  );
}

async function repeat(erase: () => Promise<number>): Promise<void> {
  while ((await erase()) > 0);
}
