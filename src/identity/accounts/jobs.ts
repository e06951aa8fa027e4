import { dropCounters } from '#credentials';
import type { Database } from '../../platform/database/database.ts';
import { dropExpired } from './queries.ts';
import { dropExpiredFactors } from './two-factor/queries.ts';

/** Drops what is over: registration attempts, spent proofs, counters, links, sessions that ended a month ago. */
export async function dropExpiredSignIns(database: Database): Promise<void> {
  for (const statement of [...dropExpired, ...dropExpiredFactors, dropCounters])
    await database.asSystem('drop what has expired', (tx) => tx.all(statement, {}));
}
