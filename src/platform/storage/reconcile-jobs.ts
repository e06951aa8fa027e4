import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { OwnedTable } from '../tables.ts';
import { type FileRow, type FileTable, tablesWithFiles } from './reconcile-queries.ts';
import type { FileStore } from './storage.ts';

/** Minimum age of compared files in milliseconds. A younger file may belong to an upload in progress. */
const settledMs = 24 * 3_600_000;
const rowBatchSize = 1_000;
const maxExamples = 100;

/** The result of a comparison of files and rows, with the number of each problem and the first hundred examples. */
export type FileReport = {
  files: number;
  /** Rows with a file, of all tables. */
  rows: number;
  /** Files without a row that are at least one day old. */
  orphans: { count: number; keys: string[] };
  /** Rows whose file does not exist. */
  missing: { count: number; rows: { team: string; table: string; row: string; key: string }[] };
};

type Parts = { database: Database; storage: FileStore; tables: readonly OwnedTable[] };

/**
 * Compares files and rows in both directions, for all tables that declare files. `remove` deletes files without a row, for example from a
 * process that was killed before it committed the row; `report` changes nothing.
 * Missing files need an operator.
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

/** Returns which of these files have a row in any table. */
async function keptOf(database: Database, referring: readonly FileTable[], keys: readonly string[]): Promise<Set<string>> {
  const kept = new Set<string>();
  for (const { kept: keptBy } of referring) {
    const rows = await database.asSystem('find files without a row', (tx) => tx.all(keptBy, { keys }));
    for (const { storage_key: key } of rows) kept.add(key);
  }
  return kept;
}

/** Yields all rows of a table with a file, in batches. */
async function* rowsOf(database: Database, { after: rowsAfter }: FileTable): AsyncIterable<FileRow> {
  for (let after = ''; ;) {
    const rows = await database.asSystem('find rows without a file', (tx) => tx.all(rowsAfter, { after, limit: rowBatchSize }));
    yield* rows;
    if (rows.length < rowBatchSize) return;
    after = rows.at(-1)?.storage_key ?? '';
  }
}

/** Runs the nightly comparison and logs the result. */
export async function maintainFiles(parts: Parts & { log: Logger }): Promise<void> {
  const { orphans, missing } = await reconcileFiles(parts, 'remove');
  if (orphans.count > 0) parts.log.warn({ removed: orphans.count }, 'files without a row were removed');
  if (missing.count > 0)
    parts.log.error(
      { missing: missing.count, examples: missing.rows.slice(0, 10) },
      'files of rows are missing; restore them from a backup',
    );
}
