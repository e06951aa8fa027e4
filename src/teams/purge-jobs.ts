import type { Database } from '../platform/database/database.ts';
import type { Isolation } from '../platform/jobs/isolated-jobs.ts';
import { dueTeams, filesOf, forgetTeam, eraseStatements, teamPurge } from './purge-queries.ts';

const keptDays = 30;

type Parts = {
  database: Database;
  isolation: Isolation;
  /** Takes a file out of the storage, gone or not. */
  removeFile: (key: string) => Promise<void>;
};

/**
 * Erases what teams held that were closed 30 days ago. Each table in a transaction of its own, files after the rows that
 * name them; what is cut short goes on at the next run.
 */
export async function purgeClosedTeams({ database, isolation, removeFile }: Parts, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * 86_400_000);
  const due = await database.asSystem('find closed teams', (tx) => tx.all(dueTeams, { before }));
  await isolation.each(
    teamPurge,
    due.map(({ team_id: team }) => ({ team, id: '' })),
    async ({ team }) => {
      const files = await database.asSystem('files of a closed team', (tx) => tx.all(filesOf, { team }));
      // Before the rows: a run that is cut short finds the rest of the files by them.
      for (const { storage_key: key } of files) await removeFile(key);
      for (const statement of eraseStatements)
        await repeat(() => database.asSystem('erase a closed team', (tx) => tx.first(statement, { team })));
      await database.asSystem('a closed team is erased', (tx) => tx.all(forgetTeam, { team, at: now }));
    },
    { limitMs: 600_000 },
  );
}

async function repeat(erase: () => Promise<{ erased: number } | undefined>): Promise<void> {
  for (let row = await erase(); row && row.erased > 0; row = await erase());
}
