import type { Database } from '../platform/database/database.ts';
import type { Isolation } from '../platform/jobs/isolated-jobs.ts';
import type { OwnedTable } from '../platform/tables.ts';
import { dueTeams, eraseStatement, forgetTeam, teamPurge } from './purge-queries.ts';

const keptDays = 30;

/** Lets go of what a team has outside the database; its rows are there still, and it may be asked again. */
export type EndTeam = (team: string) => Promise<void>;

type Parts = {
  database: Database;
  isolation: Isolation;
  /** Every table, what a row points to before it: their owners say which are erased. */
  tables: readonly OwnedTable[];
  /** What goes with a team beside its rows, such as files. */
  beforeRows: readonly EndTeam[];
};

/**
 * Erases what teams held that were closed 30 days ago: what is outside the database first, then their tables from the last to the
 * first, in transactions of their own. The journal stays, and with it the team's row and the tombstones of its people, without a
 * name in any of them: entries name them by identifier. What is cut short goes on at the next run.
 */
export async function purgeClosedTeams({ database, isolation, tables, beforeRows }: Parts, now: Date): Promise<void> {
  const statements = tables
    .filter(({ table }) => table.purge === 'erased')
    .toReversed()
    .map(({ name }) => eraseStatement(name));
  const before = new Date(now.getTime() - keptDays * 86_400_000);
  const due = await database.asSystem('find closed teams', (tx) => tx.all(dueTeams, { before }));
  await isolation.each(
    teamPurge,
    due.map(({ team_id: team }) => ({ team, id: '' })),
    async ({ team }) => {
      // Before the rows: a run that is cut short finds the rest by them.
      for (const end of beforeRows) await end(team);
      for (const statement of statements)
        await repeat(() => database.asSystem('erase a closed team', (tx) => tx.first(statement, { team })));
      await database.asSystem('a closed team is erased', (tx) => tx.all(forgetTeam, { team, at: now }));
    },
    { limitMs: 600_000 },
  );
}

async function repeat(erase: () => Promise<{ erased: number } | undefined>): Promise<void> {
  for (let row = await erase(); row && row.erased > 0; row = await erase());
}
