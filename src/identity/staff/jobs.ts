import type { Database } from '../../platform/database/database.ts';
import { dropExpired } from './queries.ts';

/** Drops what is over: links, set-ups, challenges, sessions that ended a month ago. */
export async function dropExpiredStaff(database: Database): Promise<void> {
  for (const statement of dropExpired) await database.asSystem('drop what has expired of staff', (tx) => tx.all(statement, {}));
}
