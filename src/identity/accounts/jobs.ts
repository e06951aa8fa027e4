import { dropCounters } from '#credentials';
import type { Database } from '../../platform/database/database.ts';
import { dropExpired } from './queries.ts';
import { dropExpiredFactors } from './two-factor/queries.ts';

/** Deletes expired registrations, used proofs of work, counters and links, and sessions that ended a month ago. */
export async function dropExpiredSignIns(database: Database): Promise<void> {
  for (const statement of [...dropExpired, ...dropExpiredFactors, dropCounters])
    await database.asSystem('delete expired sign-in data', (tx) => tx.all(statement, {}));
}
