import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { OwnedTable } from '../tables.ts';
import { type FileRow, type FileTable, tablesWithFiles } from './reconcile-queries.ts';
import type { FileStore } from './storage.ts';

/** Files younger than this may belong to an upload that is under way. */
const settledMs = 24 * 3_600_000;
const rowBatchSize = 1_000;
const maxExamples = 100;

/** What a comparison of files and rows found. Of each fault, how many, and the first hundred. */
export type FileReport = {
  files: number;
  /** Rows that refer to a file, of all tables. */
  rows: number;
  /** Files of a day and more that no row refers to. */
  orphans: { count: number; keys: string[] };
  /** Rows whose file is not there. */
  missing: { count: number; rows: { team: string; table: string; row: string; key: string }[] };
};

type Parts = { database: Database; storage: FileStore; tables: readonly OwnedTable[] };

/**
 * Compares files and rows both ways, over every table that says that it refers to files. `remove` takes away the files that
 * nothing refers to, as a process killed between keeping a file and committing its row leaves them; `report` changes nothing.
 * What is missing is for a person to look at.
 */
export async function reconcileFiles({ database, storage, tables }: Parts, mode: 'remove' | 'report'): Promise<FileReport> {
  const report: FileReport = { files: 0, rows: 0, orphans: { count: 0, keys: [] }, missing: { count: 0, rows: [] } };
  const referring = tablesWithFiles(tables);
  for await (const keys of storage.keys()) {
    report.files += keys.length;
    const kept = await keptOf(database, referring, keys);
    for (const key of keys) {
      if (kept.has(key) || !(await storage.isOlder(key, settledMs))) continue;
      report.orphans.count += 1;
      if (report.orphans.keys.length < maxExamples) report.orphans.keys.push(key);
      if (mode === 'remove') await storage.remove(key);
    }
  }
  for (const table of referring)
    for await (const { team_id: team, row, storage_key: key } of rowsOf(database, table)) {
      report.rows += 1;
      if (await storage.has(key)) continue;
      report.missing.count += 1;
      if (report.missing.rows.length < maxExamples) report.missing.rows.push({ team, table: table.table, row, key });
    }
  return report;
}

/** Of these files, those that a row of some table refers to. */
async function keptOf(database: Database, referring: readonly FileTable[], keys: readonly string[]): Promise<Set<string>> {
  const kept = new Set<string>();
  for (const { kept: keptBy } of referring) {
    const rows = await database.asSystem('look for files that nothing refers to', (tx) => tx.all(keptBy, { keys }));
    for (const { storage_key: key } of rows) kept.add(key);
  }
  return kept;
}

/** All rows of a table with a file, some at a time. */
async function* rowsOf(database: Database, { after: rowsAfter }: FileTable): AsyncIterable<FileRow> {
  for (let after = ''; ;) {
    const rows = await database.asSystem('look for rows without their file', (tx) => tx.all(rowsAfter, { after, limit: rowBatchSize }));
    yield* rows;
    if (rows.length < rowBatchSize) return;
    after = rows.at(-1)?.storage_key ?? '';
  }
}

/** The nightly comparison, which says in the log what it found. */
export async function tendFiles(parts: Parts & { log: Logger }): Promise<void> {
  const { orphans, missing } = await reconcileFiles(parts, 'remove');
  if (orphans.count > 0) parts.log.warn({ removed: orphans.count }, 'files that no row referred to were removed');
  if (missing.count > 0)
    parts.log.error(
      { missing: missing.count, examples: missing.rows.slice(0, 10) },
      'files that rows refer to are not there: restore them from a backup',
    );
}
