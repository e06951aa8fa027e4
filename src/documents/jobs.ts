import type { Database } from '../platform/database/database.ts';
import type { Storage } from '../platform/storage/storage.ts';
import * as queries from './queries.ts';

const binDays = 30;

/** Ends documents that have been in the bin for 30 days, and their files. */
export async function purgeDocuments(database: Database, storage: Storage, now: Date): Promise<void> {
  const before = new Date(now.getTime() - binDays * 86_400_000);
  for (;;) {
    const files = await database.asSystem('empty the bin of documents', (tx) => tx.all(queries.purgeDocuments, { before }));
    // After the commit: a file without a row is harmless, a row without its file is not.
    for (const { storage_key: key } of files) await storage.remove(key);
    if (files.length === 0) return;
  }
}
