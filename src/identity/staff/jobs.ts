import type { Database } from '../../platform/database/database.ts';
import { dropExpired } from './queries.ts';

/** Deletes expired links, set-ups and challenges, and sessions that ended a month ago. */
export async function dropExpiredStaff(database: Database): Promise<void> {
  for (const statement of dropExpired) await database.asSystem('delete expired data of staff', (tx) => tx.all(statement, {}));
}
