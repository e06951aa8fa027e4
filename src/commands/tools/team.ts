import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { ownedTables } from '../../domains.ts';
import { openConnection, requireDatabase } from '../../open-database.ts';
import { openStorage } from '../../open-storage.ts';
import { exportTeamData, type TeamExport } from '../../platform/backup/export-team.ts';
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
