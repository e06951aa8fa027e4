import type { Database } from '../../platform/database/database.ts';
import { dropUnused as dropSome } from './queries.ts';

/** Drops programs that have registered themselves and that nobody uses. */
export async function dropUnused(database: Database): Promise<void> {
  await database.asSystem('drop programs that nobody uses', (tx) => tx.all(dropSome, {}));
}
