import type { Database } from '../database/database.ts';
import { deleteExpired } from './idempotency.ts';

/** Deletes expired stored responses, a bounded number per transaction. */
export async function deleteExpiredResponses(database: Database, atOnce = 2_000): Promise<void> {
  for (;;) {
    const done = await database.asSystem('delete expired responses', (tx) => tx.first(deleteExpired, { limit: atOnce }));
    if ((done?.n ?? 0) < atOnce) return;
  }
}
