import type { Logger } from 'pino';
import type { Database } from '../platform/database/database.ts';
import type { FileStore } from '../platform/storage/storage.ts';
import { keptOf, versionsAfter } from './reconcile-queries.ts';

/** Files younger than this may belong to an upload that is under way. */
const settledMs = 24 * 3_600_000;
const rowsAtOnce = 1_000;
const mostExamples = 100;

/** What a comparison of files and rows found. Of each fault, how many, and the first hundred. */
export type FileReport = {
  files: number;
  versions: number;
  /** Files of a day and more that no version refers to. */
  orphans: { count: number; keys: string[] };
  /** Versions whose file is not there. */
  missing: { count: number; versions: { team: string; document: string; number: number }[] };
};

/**
 * Compares files and rows both ways. `remove` takes away the files that nothing refers to, as a process killed between
 * keeping a file and committing its row leaves them; `report` changes nothing. What is missing is for a person to look at.
 */
export async function reconcileFiles(
  { database, storage }: { database: Database; storage: FileStore },
  mode: 'remove' | 'report',
): Promise<FileReport> {
  const report: FileReport = { files: 0, versions: 0, orphans: { count: 0, keys: [] }, missing: { count: 0, versions: [] } };
  for await (const keys of storage.keys()) {
    report.files += keys.length;
    const rows = await database.asSystem('look for files that nothing refers to', (tx) => tx.all(keptOf, { keys }));
    const kept = new Set(rows.map(({ storage_key: key }) => key));
    for (const key of keys) {
      if (kept.has(key) || !(await storage.isOlder(key, settledMs))) continue;
      report.orphans.count += 1;
      if (report.orphans.keys.length < mostExamples) report.orphans.keys.push(key);
      if (mode === 'remove') await storage.remove(key);
    }
  }
  for (let after = ''; ;) {
    const rows = await database.asSystem('look for versions without their file', (tx) =>
      tx.all(versionsAfter, { after, limit: rowsAtOnce }),
    );
    for (const { team_id: team, document_id: document, number, storage_key: key } of rows) {
      report.versions += 1;
      if (await storage.has(key)) continue;
      report.missing.count += 1;
      if (report.missing.versions.length < mostExamples) report.missing.versions.push({ team, document, number });
    }
    if (rows.length < rowsAtOnce) return report;
    after = rows.at(-1)?.storage_key ?? '';
  }
}

/** The nightly comparison, which says in the log what it found. */
export async function tendFiles(parts: { database: Database; storage: FileStore; log: Logger }): Promise<void> {
  const { orphans, missing } = await reconcileFiles(parts, 'remove');
  if (orphans.count > 0) parts.log.warn({ removed: orphans.count }, 'files that no version referred to were removed');
  if (missing.count > 0)
    parts.log.error(
      { missing: missing.count, examples: missing.versions.slice(0, 10) },
      'versions of documents have no file: restore them from a backup',
    );
}
