import { randomUUIDv7 } from 'node:crypto';
import type { Logger } from 'pino';
import { createTeamByOperator, emailOf, type TeamByOperator, type TeamDraft } from '#accounts';
import type { Config } from '../../config.ts';
import { ownedTables } from '../../domains.ts';
import { listeners } from '../../listeners.ts';
import { openConnection, requireDatabase, withDatabase } from '../../open-database.ts';
import { openStorage } from '../../open-storage.ts';
import { exportTeamData, type TeamExport } from '../../platform/backup/export-team.ts';
import { lifetimesOf } from '../../platform/lifetimes.ts';
import { withJournal } from './journal.ts';

/** Writes the data of a team into a tar archive. The service may run at the same time. The team’s journal records the export. */
export async function exportTeam(config: Config, log: Logger, { team, file }: { team: string; file: string }): Promise<TeamExport> {
  await requireDatabase(config);
  const storage = await openStorage(config);
  const { connection, server } = await openConnection(config, log);
  try {
    return await withJournal(config, log, (journal) =>
      exportTeamData({
        connection,
        storage,
        tables: ownedTables,
        team,
        file,
        verifierKeys: journal.verifierKeys,
        journal: () => journal.export(team, 0),
      }),
    );
  } finally {
    await storage.close();
    await server?.stop();
  }
}

/** Creates a team and, if necessary, the account of its owner. The service can run at the same time, and sends the mail. */
export async function createTeam(
  config: Config,
  log: Logger,
  { owner: address, ...draft }: Omit<TeamDraft, 'owner'> & { owner: string },
): Promise<TeamByOperator> {
  const owner = emailOf(address);
  const settings = { baseUrl: config.BASE_URL, lifetimes: lifetimesOf(config) };
  return withDatabase(
    config,
    log,
    (database) => {
      const context = { now: new Date(database.clock.now()), requestId: randomUUIDv7(), listeners };
      return database.withoutTeam((db) => createTeamByOperator(settings, { db, ...context }, { ...draft, owner }));
    },
    // An operator can create the first team before the first start of the service.
    { begins: true },
  );
}
