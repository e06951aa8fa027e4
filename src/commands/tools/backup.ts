import type { Logger } from 'pino';
import { compareRowsWithCheckpoint, readTree } from '#journal';
import type { Config } from '../../config.ts';
import { ownedTables, sealedColumns } from '../../domains.ts';
import { openConnection, reached, requireDatabase, startChecks, withDatabase } from '../../open-database.ts';
import { openStorage } from '../../open-storage.ts';
import { findBackupErrors } from '../../platform/backup/check.ts';
import { type BackupReport, createBackup } from '../../platform/backup/create.ts';
import { loadBackup } from '../../platform/backup/load.ts';
import { type Manifest, readManifest } from '../../platform/backup/manifest.ts';
import type { Snapshot } from '../../platform/backup/snapshot.ts';
import { loadMasterKey } from '../../platform/crypto/master-key.ts';
import { holdRestored, releaseRestored } from '../../platform/database/service-state.ts';

async function readJournal(snapshot: Snapshot): Promise<Pick<Manifest, 'installation' | 'checkpoint'>> {
  const tree = await snapshot.first(readTree, {});
  return { installation: tree?.first ?? null, checkpoint: tree?.checkpoint ?? null };
}

/** Backs up the database and the files into a folder. The service may run at the same time. */
export async function backUp(config: Config, log: Logger, folder: string): Promise<BackupReport> {
  await requireDatabase(config);
  const storage = await openStorage(config);
  const opened = await openConnection({ ...config, DATABASE_URL: config.BACKUP_DATABASE_URL ?? config.DATABASE_URL }, log);
  const { connection } = opened;
  const options = { connection, storage, folder, tables: ownedTables, orders: { audit_entry: 'log_id, seq' }, readJournal };
  try {
    return await reached(opened, () => createBackup(options));
  } finally {
    await storage.close();
    await opened.server?.stop();
  }
}

/** Reads the description of the backup in a folder. Throws if there is none. */
export async function describeBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if (!manifest) throw new Error(`${folder} has no complete backup: manifest.json is missing.`);
  return manifest;
}

type FindErrors = { folder: string; manifest: Manifest; withKnown: boolean };

/** Yields the errors of a backup. Needs the master key, and no database. */
export async function* findErrors(config: Config, { folder, manifest, withKnown }: FindErrors): AsyncGenerator<string> {
  const { MASTER_KEY: configured, MASTER_KEYS_ACCEPTED: others, DATA_DIR: dataDir } = config;
  const masterKey = await loadMasterKey({ configured, others, dataDir, generate: 'never' });
  const check = { folder, manifest, withKnown, masterKey, tables: ownedTables, sealed: sealedColumns };
  yield* findBackupErrors({ ...check, findJournalError: compareRowsWithCheckpoint });
}

/** Loads a backup into the empty database and storage of the settings. Background work waits for {@link release}. */
export async function load(config: Config, log: Logger, { folder, manifest }: { folder: string; manifest: Manifest }): Promise<void> {
  const storage = await openStorage(config);
  const opened = await openConnection(config, log);
  try {
    const { connection } = opened;
    await reached(opened, () => loadBackup({ connection, checks: startChecks(config, opened), storage, folder, manifest }));
  } finally {
    await storage.close();
    await opened.server?.stop();
  }
}

/** Lets nodes start background work after a restore. Returns whether it waited. */
export const release = (config: Config, log: Logger): Promise<boolean> => withDatabase(config, log, releaseRestored);

/** Holds back background work, for a database that another program restored. */
export const hold = (config: Config, log: Logger): Promise<void> => withDatabase(config, log, holdRestored);
