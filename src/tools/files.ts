import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { ownedTables } from '../domains.ts';
import { openStorage, withDatabase } from '../open-database.ts';
import { type FileReport, reconcileFiles } from '../platform/storage/reconcile-jobs.ts';

/** Compares the files of the settings with what refers to them, and changes nothing. */
export function reportFiles(config: Config, log: Logger): Promise<FileReport> {
  return withDatabase(config, log, async (database) =>
    reconcileFiles({ database, storage: await openStorage(config), tables: ownedTables }, 'report'),
  );
}
