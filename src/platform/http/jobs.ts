import type { Database } from '../database/database.ts';
import { dropOld } from './idempotency.ts';

/** Drops kept answers that no request gets any more, a bounded number a transaction. */
export async function dropOldAnswers(database: Database, atOnce = 2_000): Promise<void> {
  for (;;) {
    const done = await database.asSystem('drop kept answers', (tx) => tx.first(dropOld, { limit: atOnce }));
    if ((done?.n ?? 0) < atOnce) return;
  }
}
