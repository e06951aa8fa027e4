import type { Logger } from 'pino';
import { type FileReport, reconcileFiles } from '#documents';
import type { Config } from '../config.ts';
import { openStorage, withDatabase } from '../open-database.ts';

/** Compares the files of the settings with what refers to them, and changes nothing. */
export function reportFiles(config: Config, log: Logger): Promise<FileReport> {
  return withDatabase(config, log, async (database) => reconcileFiles({ database, storage: await openStorage(config) }, 'report'));
}
