import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createTarPacker, type TarPackController } from 'modern-tar';
import type { Connection } from '../database/pool.ts';
import { version } from '../entry-points.ts';
import { type Storage, StorageError } from '../storage/storage.ts';
import type { OwnedTable } from '../tables.ts';
import { linesOf } from './lines.ts';
import { enterTeam, pathsQuery, teamRowsQuery, type TeamTable, teamTables } from './queries.ts';
import { type Snapshot, withSnapshot } from './snapshot.ts';
import { HashingTransform, keyOf } from './stored-files.ts';

type ExportOptions = {
  connection: Connection;
  storage: Pick<Storage, 'read'>;
  tables: readonly OwnedTable[];
  team: string;
  /** The archive to write. */
  file: string;
  /** Yields the lines of the team’s journal with proofs. */
  journal: () => Promise<AsyncIterable<string>>;
  /** The keys that verify the checkpoints of the journal. */
  verifierKeys: readonly string[];
};

type ExportedTable = { table: string; file: string; rows: number; sha256: string; withoutColumns: string[] };

/** The description of an export, which is the last entry of its archive. */
export type TeamExport = {
  format: 'chancery team export 1';
  version: string;
  createdAt: string;
  team: string;
  /** The tables in the order of their foreign keys. */
  tables: ExportedTable[];
  withoutTables: { table: string; reason: string }[];
  journal: { file: string; keys: string; sha256: string };
  files: { list: string; sha256: string; count: number; missing: string[] };
};

/** An archive under construction. An entry is a file on disk first, because a tar header has the size. */
class Archive {
  readonly #controller: TarPackController;
  readonly #written: Promise<void>;
  readonly #folder: string;

  constructor(file: string, folder: string) {
    const { readable, controller } = createTarPacker();
    this.#controller = controller;
    this.#folder = folder;
    this.#written = pipeline(Readable.fromWeb(readable), createWriteStream(file, { mode: 0o600, flush: true }));
    // `finish` throws the error.
    this.#written.catch(() => undefined);
  }

  /** Adds an entry that `write` writes. Returns what `write` returns, and the SHA-256 of the entry. */
  async add<T>(
    name: string,
    write: (to: [NodeJS.ReadWriteStream, NodeJS.WritableStream]) => Promise<T>,
  ): Promise<{ result: T; sha256: string }> {
    const part = join(this.#folder, 'part');
    const hashing = new HashingTransform();
    const result = await write([hashing, createWriteStream(part, { mode: 0o600 })]);
    const { size } = await stat(part);
    const entry = this.#controller.add({ name, size, type: 'file', mode: 0o600, mtime: new Date() });
    await pipeline(createReadStream(part), Writable.fromWeb(entry));
    return { result, sha256: hashing.digest() };
  }

  async finish(): Promise<void> {
    this.#controller.finalize();
    await this.#written;
  }

  async abandon(error: unknown): Promise<void> {
    this.#controller.error(error);
    await this.#written.catch(() => undefined);
  }
}

/**
 * Writes the data of a team into a tar archive: its tables as JSON lines, its stored files, and its journal with proofs. Row security confines all
 * reads to the team. Secrets, token hashes and encrypted columns are left out. Only one entry at a time is on the disk besides the archive.
 */
export async function exportTeamData(options: ExportOptions): Promise<TeamExport> {
  const { connection, file } = options;
  const folder = await mkdtemp(`${file}.parts-`);
  const temporary = join(folder, 'archive');
  const archive = new Archive(temporary, folder);
  try {
    const done = await withSnapshot(connection, (snapshot) => fill(archive, snapshot, options, join(folder, 'paths')));
    await archive.finish();
    await rename(temporary, file);
    return done;
  } catch (error) {
    await archive.abandon(error);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(archive: Archive, snapshot: Snapshot, options: ExportOptions, paths: string): Promise<TeamExport> {
  const { team, verifierKeys } = options;
  const createdAt = new Date().toISOString();
  await snapshot.begin();
  const found = await snapshot.all(teamTables, {});
  await snapshot.all(enterTeam, { team });
  const rows = await addTables(archive, snapshot, options, found);
  if (!rows.tables.some(({ table, rows: count }) => table === 'team' && count === 1)) throw new Error(`There is no team ${team}.`);
  const keys = options.tables.flatMap(({ name, table: { file } }) => (file ? [{ table: name, column: file.key }] : []));
  await snapshot.copy(pathsQuery(keys, team), createWriteStream(paths, { mode: 0o600 }));
  await snapshot.commit();
  const files = await addFiles(archive, options, paths);
  const journal = await archive.add('journal.jsonl', async (to) => pipeline([Readable.from(await options.journal()), ...to]));
  await archive.add('journal-keys.txt', (to) => pipeline([Readable.from(verifierKeys.map((key) => `${key}\n`)), ...to]));
  const done: TeamExport = {
    format: 'chancery team export 1',
    version,
    createdAt,
    team,
    ...rows,
    journal: { file: 'journal.jsonl', keys: 'journal-keys.txt', sha256: journal.sha256 },
    files,
  };
  await archive.add('manifest.json', (to) => pipeline([Readable.from([`${JSON.stringify(done, undefined, 2)}\n`]), ...to]));
  return done;
}

async function addTables(
  archive: Archive,
  snapshot: Snapshot,
  { tables, team }: ExportOptions,
  found: readonly TeamTable[],
): Promise<Pick<TeamExport, 'tables' | 'withoutTables'>> {
  const done: Pick<TeamExport, 'tables' | 'withoutTables'> = { tables: [], withoutTables: [] };
  for (const { name, table } of tables) {
    const columns = found.find((candidate) => candidate.name === name);
    if (!columns) continue;
    if (table.leftOut !== undefined) {
      done.withoutTables.push({ table: name, reason: table.leftOut });
      continue;
    }
    const withoutColumns = [...columns.binary.filter((column) => !table.exportedBytes?.includes(column)), ...(table.secretText ?? [])];
    const shown = columns.columns.filter((column) => !withoutColumns.includes(column));
    const query = teamRowsQuery(name, shown, team);
    const file = `tables/${name}.jsonl`;
    const { result, sha256 } = await archive.add(file, (to) => snapshot.copyPlain(query, ...to));
    done.tables.push({ table: name, file, rows: result, sha256, withoutColumns });
  }
  return done;
}

/** Adds the stored files and their list, which `sha256sum --check` reads. */
async function addFiles(archive: Archive, { storage }: ExportOptions, paths: string): Promise<TeamExport['files']> {
  const done = { count: 0, missing: [] as string[] };
  const list = `${paths}.sha256`;
  async function* lines(): AsyncGenerator<string> {
    for await (const path of linesOf(createReadStream(paths))) {
      const added = await addFile(archive, storage, path);
      if (added === undefined) done.missing.push(keyOf(path));
      else {
        done.count += 1;
        yield `${added}  files/${path}\n`;
      }
    }
  }
  await pipeline(lines, createWriteStream(list, { mode: 0o600 }));
  const { sha256 } = await archive.add('files.sha256', (to) => pipeline([createReadStream(list), ...to]));
  return { list: 'files.sha256', sha256, ...done };
}

async function addFile(archive: Archive, storage: Pick<Storage, 'read'>, path: string): Promise<string | undefined> {
  try {
    const bytes = await storage.read(keyOf(path));
    return (await archive.add(`files/${path}`, (to) => pipeline([bytes, ...to]))).sha256;
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'missing') return undefined;
    throw error;
  }
}
