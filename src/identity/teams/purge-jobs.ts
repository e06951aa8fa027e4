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
  /** All tables, referenced tables first. Each declares whether a purge erases it and whether it refers to files. */
  tables: readonly OwnedTable[];
};

/**
 * Erases the data of teams 30 days after they were closed, table by table from last to first. Each batch is a separate transaction,
 * and files follow their rows. The journal, the team’s row and the redacted rows of its users stay, because entries refer to them by
 * identifier. While a legal hold applies in the team, its tables with `legalHold` stay complete, and the team is checked again every
 * night. An interrupted purge continues at the next run. Files that a killed process leaves are deleted with all other unreferenced files.
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
      // No user can place or lift a hold in a closed team, so the result stays valid.
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
