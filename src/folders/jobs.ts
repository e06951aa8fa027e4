import type { Database } from '../platform/database/database.ts';
import * as queries from './queries.ts';

/** Days something stays in the bin. */
export const binDays = 30;

/** Ends folders that have been in the bin for 30 days, leaves before their parents. */
export async function purgeFolders(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - binDays * 86_400_000);
  for (;;) {
    const gone = await database.asSystem('empty the bin of folders', (tx) => tx.all(queries.purgeFolders, { before }));
    if (gone.length === 0) return;
  }
}
