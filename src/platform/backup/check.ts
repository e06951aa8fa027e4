import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { MasterKey } from '../crypto/master-key.ts';
import type { SealedColumn } from '../database/encrypted-column.ts';
import { migrationFiles, sha256Of } from '../database/migrations.ts';
import type { OwnedTable } from '../tables.ts';
import { copiedValues, linesOf } from './lines.ts';
import { type BackupPart, hashFile, type Manifest } from './manifest.ts';
import { fileIn, listedFiles, pathOf } from './stored-files.ts';

export type CopiedRow = Readonly<Record<string, string | null>>;

type CheckOptions = {
  folder: string;
  manifest: Manifest;
  masterKey: MasterKey;
  tables: readonly OwnedTable[];
  sealed: readonly SealedColumn[];
  /** Whether files count that the storage already lacked when the backup was made. */
  withKnown: boolean;
  /** Recomputes the journal from its rows. Returns the error. */
  findJournalError: (rows: AsyncIterable<CopiedRow>, checkpoint: string) => Promise<string | undefined>;
};

/** Yields the rows of a table in a backup. */
async function* rowsOf(folder: string, { file, columns }: BackupPart): AsyncGenerator<CopiedRow> {
  const bytes = createGunzip();
  // The reader of the rows gets the error.
  pipeline(createReadStream(join(folder, file)), bytes, () => undefined);
  for await (const line of linesOf(bytes)) yield Object.fromEntries(copiedValues(line).map((value, at) => [columns[at] ?? '', value]));
}

/** Yields the errors of a backup, without a database. Reads every byte of it. */
export async function* findBackupErrors(options: CheckOptions): AsyncGenerator<string> {
  const { folder, manifest, masterKey } = options;
  yield* schemaErrors(manifest);
  const wrongKeys = [...keyErrors(manifest, masterKey)];
  yield* wrongKeys;
  let damaged = false;
  for await (const error of hashErrors(folder, manifest)) {
    damaged = true;
    yield error;
  }
  // Rows of damaged files cannot be read.
  if (damaged) return;
  yield* rowErrors(options);
  if (wrongKeys.length === 0) yield* await sealErrors(options);
  const journal = manifest.database.find(({ table }) => table === 'audit_entry');
  if (manifest.checkpoint === null || !journal) return;
  const error = await options.findJournalError(rowsOf(folder, journal), manifest.checkpoint);
  if (error !== undefined) yield `the journal in ${journal.file} does not match its checkpoint: ${error}`;
}

/** Yields the migrations of the backup that this version does not have. */
async function* schemaErrors({ schema, version }: Manifest): AsyncGenerator<string> {
  const files = new Map((await migrationFiles()).map(({ name, text }) => [name, sha256Of(text)]));
  for (const { name, sha256 } of schema) {
    const own = files.get(name);
    if (own === undefined)
      yield `the backup has the migration ${name}, which this version does not know. Install version ${version} or later`;
    else if (own !== sha256) yield `the migration ${name} of the backup differs from the one of this version. Install version ${version}`;
  }
}

function* keyErrors({ masterKeys }: Manifest, { fingerprint, fingerprints }: MasterKey): Generator<string> {
  for (const needed of masterKeys)
    if (!fingerprints.includes(needed))
      yield `the backup needs the master key ${needed}, and MASTER_KEY is the key ${fingerprint}. Set MASTER_KEY to the key of the backup`;
}

/** Yields the files of a backup that are missing or damaged, by their SHA-256. */
async function* hashErrors(folder: string, { database, files }: Manifest): AsyncGenerator<string> {
  const parts = [...database.map(({ file, sha256 }) => ({ file, sha256 })), { file: files.list, sha256: files.sha256 }];
  for (const { file, sha256 } of parts) yield* hashError(join(folder, file), file, sha256);
  for await (const { path, sha256 } of listedFiles(join(folder, files.list)))
    yield* hashError(fileIn(folder, path), `files/${path}`, sha256);
}

async function* hashError(file: string, name: string, sha256: string): AsyncGenerator<string> {
  const found = await hashFile(file).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) yield found.code === 'ENOENT' ? `${name} is missing` : `${name} cannot be read: ${found.message}`;
  else if (found !== sha256) yield `${name} is damaged: its SHA-256 is ${found}, and the backup names ${sha256}`;
}

/** Yields the rows that name a file which the backup does not have. */
async function* rowErrors({ folder, manifest, tables, withKnown }: CheckOptions): AsyncGenerator<string> {
  const known = new Set(withKnown ? [] : manifest.files.missing);
  for (const { name, table } of tables) {
    const part = manifest.database.find((candidate) => candidate.table === name);
    if (!table.file || !part) continue;
    const { key, of } = table.file;
    for await (const row of rowsOf(folder, part)) {
      const stored = row[key];
      if (stored === null || stored === undefined || known.has(stored) || (await isFile(fileIn(folder, pathOf(stored))))) continue;
      yield `files/${pathOf(stored)} is missing: ${name} of ${of.map((column) => `${column} ${row[column]}`).join(', ')} names it`;
    }
  }
}

const isFile = (file: string): Promise<boolean> =>
  stat(file).then(
    (found) => found.isFile(),
    () => false,
  );

/** Decrypts the first encrypted value. */
async function sealErrors({ folder, manifest, masterKey, sealed }: CheckOptions): Promise<string[]> {
  for (const { table, column, key, purpose, boundTo } of sealed) {
    const part = manifest.database.find((candidate) => candidate.table === table);
    if (!part || part.rows === 0) continue;
    for await (const row of rowsOf(folder, part)) {
      const value = Buffer.from(row[column]?.slice(2) ?? '', 'hex');
      if (value.length === 0) continue;
      try {
        masterKey.box(purpose).open(value, boundTo(Object.fromEntries(Object.keys(key).map((name) => [name, row[name] ?? '']))));
        return [];
      } catch (error) {
        return [`the master key ${masterKey.fingerprint} does not decrypt ${table}.${column}: ${(error as Error).message}`];
      }
    }
  }
  return [];
}
