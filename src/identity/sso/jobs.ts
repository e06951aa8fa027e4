import type { Database } from '../../platform/database/database.ts';
import { dropSpent } from './queries.ts';

/** Deletes used states whose sign-ins have expired. */
export async function dropSpentStates(database: Database): Promise<void> {
  await database.asSystem('delete used states of single sign-on', (tx) => tx.all(dropSpent, {}));
}
