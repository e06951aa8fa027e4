import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { ownedTables } from '../../domains.ts';
import { withDatabase } from '../../open-database.ts';
import { openStorage } from '../../open-storage.ts';
import { type FileReport, reconcileFiles } from '../../platform/storage/reconcile-jobs.ts';

/** Compares the stored files with the rows that refer to them. Changes nothing. */
export function reportFiles(config: Config, log: Logger): Promise<FileReport> {
  return withDatabase(config, log, async (database) => {
    const storage = await openStorage(config);
    return reconcileFiles({ database, storage, tables: ownedTables }, 'report').finally(() => storage.close());
  });
}
