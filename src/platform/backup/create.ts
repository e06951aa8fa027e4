import { createWriteStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { appliedMigrations, migrationFiles, schemaError } from '../database/migrations.ts';
import { lockMigrations, unlockMigrations } from '../database/migrate.ts';
import type { Connection } from '../database/pool.ts';
import { masterKeysOfDatabase } from '../database/service-state.ts';
import { version } from '../entry-points.ts';
import { makeFolder } from '../storage/make-folder.ts';
import type { Storage } from '../storage/storage.ts';
import type { OwnedTable } from '../tables.ts';
import { type BackupPart, type Manifest, readManifest, writeManifest } from './manifest.ts';
import { bypassesRowSecurity, copiedTables, type CopiedTable, pathsQuery, quoted, rowsQuery, tryBackupLock } from './queries.ts';
import { type Snapshot, withSnapshot } from './snapshot.ts';
import { type CopiedFiles, copyFiles, removeUnlisted } from './stored-files.ts';

type BackupOptions = {
  connection: Connection;
  storage: Pick<Storage, 'read'>;
  folder: string;
  tables: readonly OwnedTable[];
  /** The order of the rows of tables that a check reads in order. */
  orders: Readonly<Record<string, string>>;
  /** Reads the state of the journal. */
  readJournal: (snapshot: Snapshot) => Promise<Pick<Manifest, 'installation' | 'checkpoint'>>;
};

/** The result of a backup. `removed` files of an earlier backup no longer have a row. */
export type BackupReport = { manifest: Manifest; copied: number; removed: number };

const needsRole =
  'A backup needs a database role that reads all rows. As a superuser run CREATE ROLE chancery_backup LOGIN BYPASSRLS PASSWORD …; GRANT pg_read_all_data TO chancery_backup. Then set BACKUP_DATABASE_URL to this role.';

/** Where a backup is written. The names differ from those of earlier backups in the folder. */
type BackupNames = { folder: string; database: string; list: string; paths: string };

function namesFor(folder: string, at: Date): BackupNames {
  const stamp = at.toISOString().replaceAll(/[-:.]/g, '');
  return { folder, database: `database-${stamp}`, list: `files-${stamp}.sha256`, paths: join(folder, `files-${stamp}.paths`) };
}

/**
 * Writes a backup of the database and the stored files into a folder, while the service runs. The rows are of one snapshot. Files of an earlier backup
 * in the folder are kept, and only new files are copied. The earlier backup is valid until the new one is complete.
 */
export async function createBackup(options: BackupOptions): Promise<BackupReport> {
  const { folder, connection } = options;
  await makeFolder(folder, 0o700);
  const earlier = await readManifest(folder);
  return withSnapshot(connection, async (snapshot) => {
    if (!(await snapshot.first(tryBackupLock, {}))?.locked) throw new Error('Another backup of this database is running.');
    if (!(await snapshot.first(bypassesRowSecurity, {}))?.bypasses) throw new Error(needsRole);
    const createdAt = new Date();
    const names = namesFor(folder, createdAt);
    await makeFolder(join(folder, names.database), 0o700);
    const { manifest, copied } = await write(snapshot, { names, options, earlier, createdAt }).catch(async (error: unknown) => {
      for (const name of [join(folder, names.database), join(folder, names.list), names.paths])
        await rm(name, { recursive: true, force: true });
      throw error;
    });
    await removeEarlier(names);
    return { manifest, copied, removed: await removeUnlisted(folder, join(folder, names.list)) };
  });
}

type Writing = { names: BackupNames; options: BackupOptions; earlier: Manifest | undefined; createdAt: Date };

/** Copies rows and files, and then writes the manifest. */
async function write(
  snapshot: Snapshot,
  { names, options, earlier, createdAt }: Writing,
): Promise<Pick<BackupReport, 'manifest' | 'copied'>> {
  const { folder, storage } = options;
  const rows = await copyRows(snapshot, names, options, earlier);
  const before = earlier && join(folder, earlier.files.list);
  const files = await copyFiles({ storage, folder, paths: names.paths, before, list: join(folder, names.list) });
  const manifest = manifestOf({ rows, copied: files, names, createdAt });
  await writeManifest(folder, manifest);
  return { manifest, copied: files.copied };
}

type CopiedRows = Pick<Manifest, 'schema' | 'masterKeys' | 'installation' | 'checkpoint' | 'database'>;

function manifestOf(done: { rows: CopiedRows; copied: CopiedFiles; names: BackupNames; createdAt: Date }): Manifest {
  const { rows, copied, names, createdAt } = done;
  const { count, missing, sha256 } = copied;
  return {
    format: 'chancery backup 1',
    version,
    createdAt: createdAt.toISOString(),
    ...rows,
    files: { list: names.list, sha256, count, missing },
  };
}

/** Copies the rows of all tables in one snapshot, and writes the paths of the files that they name. */
async function copyRows(
  snapshot: Snapshot,
  names: BackupNames,
  options: BackupOptions,
  earlier: Manifest | undefined,
): Promise<CopiedRows> {
  const { tables, schema } = await beginSnapshot(snapshot);
  const unreadable = tables.find(({ readable }) => !readable);
  if (unreadable) throw new Error(`The role of the backup cannot read the table ${unreadable.name}. ${needsRole}`);
  const journal = await options.readJournal(snapshot);
  if (earlier && earlier.installation !== null && earlier.installation !== journal.installation)
    throw new Error(`${names.folder} has a backup of another installation. Choose another folder.`);
  const masterKeys = await masterKeysOfDatabase(snapshot);
  const database: BackupPart[] = [];
  for (const { name, columns } of tables) {
    const query = rowsQuery({ name, columns }, options.orders[name]);
    const file = `${names.database}/${name}.copy.gz`;
    database.push({ table: name, columns, file, ...(await snapshot.copyCompressed(query, join(names.folder, file))) });
  }
  await snapshot.copy(pathsQuery(keyColumns(tables, options.tables)), createWriteStream(names.paths, { mode: 0o600 }));
  await snapshot.commit();
  return { schema, masterKeys, ...journal, database };
}

/** Begins the snapshot with locks of all tables against migrations. */
async function beginSnapshot(snapshot: Snapshot): Promise<{ tables: CopiedTable[]; schema: Manifest['schema'] }> {
  const { client } = snapshot;
  await lockMigrations(client);
  await snapshot.begin();
  const tables = await snapshot.all(copiedTables, {});
  const applied = await appliedMigrations(client);
  const files = await migrationFiles();
  const unknown = [...applied.keys()].find((name) => files.every((file) => file.name !== name));
  const error = unknown === undefined ? schemaError(files, applied, version) : `a later version applied the migration ${unknown}`;
  if (applied.size === 0) throw new Error('The database has no schema of Chancery. Check DATABASE_URL.');
  if (error !== undefined) throw new Error(`This version cannot back up the database: ${error}`);
  const locked = tables.filter(({ readable }) => readable).map(({ name }) => quoted(name));
  await client.query(`LOCK TABLE ${locked.join(', ')} IN ACCESS SHARE MODE`);
  await unlockMigrations(client);
  return { tables, schema: Array.from(applied, ([name, { sha256 }]) => ({ name, sha256 })) };
}

/** Returns the columns with keys of files, of the tables that the database has. */
function keyColumns(tables: readonly CopiedTable[], owned: readonly OwnedTable[]): { table: string; column: string }[] {
  return owned.flatMap(({ name, table: { file } }) =>
    file && tables.some((table) => table.name === name && table.columns.includes(file.key)) ? [{ table: name, column: file.key }] : [],
  );
}

/** Removes the rows and lists of earlier and of incomplete backups. */
async function removeEarlier({ folder, database, list }: BackupNames): Promise<void> {
  for (const name of await readdir(folder))
    if (/^(?:database-|files-)/.test(name) && name !== database && name !== list)
      await rm(join(folder, name), { recursive: true, force: true });
}
