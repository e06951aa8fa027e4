import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { from as copyFrom } from 'pg-copy-streams';
import { migrate } from '../database/migrate.ts';
import { appliedMigrations } from '../database/migrations.ts';
import type { Connection } from '../database/pool.ts';
import { hasState, markRestored } from '../database/service-state.ts';
import type { StartCheck } from '../database/start-checks.ts';
import type { FileStore, Storage } from '../storage/storage.ts';
import { connectForCopy } from './connection.ts';
import type { Manifest } from './manifest.ts';
import { anyTable, copiedTables, forcedTables, foreignKeys, quoted } from './queries.ts';
import { Snapshot } from './snapshot.ts';
import { fileIn, keyOf, type ListedFile, listedFiles } from './stored-files.ts';

type LoadOptions = {
  connection: Connection;
  checks: readonly StartCheck[];
  storage: FileStore;
  folder: string;
  manifest: Manifest;
};

/** Throws unless the database and the storage are empty. A database that was only migrated is empty. */
async function requireEmpty(target: Snapshot, storage: FileStore): Promise<void> {
  const isMigrated = (await appliedMigrations(target.client)).size > 0;
  const found = isMigrated ? (await hasState(target)) && 'rows of a service' : (await target.first(anyTable, {}))?.name;
  if (found)
    throw new Error(`The database is not empty: it has ${isMigrated ? found : `the table ${found}`}. Restore into an empty database.`);
  for await (const [key] of storage.keys())
    throw new Error(`The file storage is not empty: it has the file ${key}. Restore into an empty folder or bucket.`);
}

/** Throws if the database has a migration that the backup lacks: its effects on the rows would be missing. */
async function requireSameSchema(target: Snapshot, { schema }: Manifest): Promise<void> {
  const own = new Set(schema.map(({ name }) => name));
  const surplus = [...(await appliedMigrations(target.client)).keys()].find((name) => !own.has(name));
  if (surplus !== undefined)
    throw new Error(`The database has the migration ${surplus}, which the backup lacks. Restore into a database without a schema.`);
}

/**
 * Loads a backup into an empty database and an empty storage. The rows and the mark that holds back background work are visible together, after the
 * files are stored. The schema is that of the backup.
 */
export async function loadBackup(options: LoadOptions): Promise<void> {
  const { connection, checks, storage, manifest } = options;
  const target = new Snapshot(await connectForCopy(connection));
  const { client } = target;
  try {
    await requireEmpty(target, storage);
    await migrate(connection, { checks, only: new Set(manifest.schema.map(({ name }) => name)) });
    await requireSameSchema(target, manifest);
    await client.query('BEGIN; SET LOCAL ROLE chancery_owner');
    await loadRows(target, options);
    await markRestored(target, new Date());
    await storeFiles(options);
    await client.query('COMMIT');
    await client.query('SET ROLE chancery_owner; ANALYZE');
  } finally {
    await client.end();
  }
}

/** Loads the rows of all tables, without triggers and with one check of each foreign key at the end. */
async function loadRows(target: Snapshot, { folder, manifest }: LoadOptions): Promise<void> {
  const { client } = target;
  const names = (await target.all(copiedTables, {})).map(({ name }) => quoted(name));
  const keys = await target.all(foreignKeys, {});
  const forced = await target.all(forcedTables, {});
  for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const name of names) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  for (const { name } of forced) await client.query(`ALTER TABLE ${name} NO FORCE ROW LEVEL SECURITY`);
  // Migrations insert rows, which the backup has too.
  await client.query(`TRUNCATE ${names.join(', ')}`);
  for (const { table, columns, file, rows } of manifest.database) {
    const into = client.query(copyFrom(`COPY ${quoted(table)} (${columns.map(quoted).join(', ')}) FROM STDIN`));
    await pipeline(createReadStream(join(folder, file)), createGunzip(), into);
    if (into.rowCount !== rows) throw new Error(`${file} has ${into.rowCount} rows, but the manifest states ${rows}.`);
  }
  for (const { table, name, definition } of keys) await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  for (const { name } of forced) await client.query(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`);
  for (const name of names) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
}

/** Stores the files of a backup under their keys. After a failure the storage is empty again. */
async function storeFiles({ storage, folder, manifest }: LoadOptions): Promise<void> {
  const list = join(folder, manifest.files.list);
  try {
    for await (const listed of listedFiles(list)) await storeFile(storage, folder, listed);
  } catch (error) {
    for await (const { path } of listedFiles(list)) await storage.remove(keyOf(path));
    throw error;
  }
}

async function storeFile(storage: Pick<Storage, 'write'>, folder: string, { path, sha256 }: ListedFile): Promise<void> {
  const file = fileIn(folder, path);
  const stored = await storage.write(createReadStream(file), { maxBytes: (await stat(file)).size, key: keyOf(path) });
  if (stored.sha256 !== sha256) throw new Error(`The file ${path} changed during the restore.`);
}
