import type { Database } from '../../platform/database/database.ts';
import { dropOver } from './queries.ts';

/** Drops secrets whose overlap is over, and revoked tokens that would have ended anyway. */
export async function dropEndedSecrets(database: Database): Promise<void> {
  for (const statement of dropOver) await database.asSystem('drop what has ended of API clients', (tx) => tx.all(statement, {}));
}
