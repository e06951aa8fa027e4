import type { Database } from '../platform/database/database.ts';
import { dueTeams, filesOf, forgetTeam, eraseStatements } from './purge-queries.ts';

const keptDays = 30;

/**
 * Erases what teams held that were closed 30 days ago. Each table in a transaction of its own, files after the rows that
 * name them; what is cut short goes on at the next run. `removeFile` takes a file out of the storage, gone or not.
 */
export async function purgeClosedTeams(database: Database, removeFile: (key: string) => Promise<void>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * 86_400_000);
  const due = await database.asSystem('find closed teams', (tx) => tx.all(dueTeams, { before }));
  for (const { team_id: team } of due) {
    const files = await database.asSystem('files of a closed team', (tx) => tx.all(filesOf, { team }));
    // Before the rows: a run that is cut short finds the rest of the files by them.
    for (const { storage_key: key } of files) await removeFile(key);
    for (const statement of eraseStatements) await database.asSystem('erase a closed team', (tx) => tx.all(statement, { team }));
    await database.asSystem('a closed team is erased', (tx) => tx.all(forgetTeam, { team, at: now }));
  }
}
