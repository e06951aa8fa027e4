import type { Database } from '../../platform/database/database.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { endUploads } from './queries.ts';

/** Removes files that visitors sent and nobody submitted within a day. Files go after their rows: one without a row is harmless. */
export async function expireUploads(
  { database, storage }: { database: Database; storage: Pick<Storage, 'remove'> },
  before: Date,
): Promise<void> {
  for (;;) {
    const gone = await database.asSystem('end uploads that nobody submitted', (tx) => tx.all(endUploads, { before }));
    for (const { storage_key: key } of gone) await storage.remove(key);
    if (gone.length === 0) return;
  }
}
