import type { Database } from '../../platform/database/database.ts';
import { dropSpent } from './queries.ts';

/** Drops states of sign-ins that could no longer be answered anyway. */
export async function dropSpentStates(database: Database): Promise<void> {
  await database.asSystem('drop spent states of single sign-on', (tx) => tx.all(dropSpent, {}));
}
