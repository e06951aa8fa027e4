import type { Database } from '../../platform/database/database.ts';
import { dropOver } from './queries.ts';

/** Deletes secrets after their overlap, and revoked tokens after their expiry. */
export async function dropEndedSecrets(database: Database): Promise<void> {
  for (const statement of dropOver) await database.asSystem('delete expired data of API clients', (tx) => tx.all(statement, {}));
}
