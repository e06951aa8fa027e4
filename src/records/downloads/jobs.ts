import type { Database } from '../../platform/database/database.ts';
import { dropAddresses } from './queries.ts';

/** Deletes expired addresses. */
export async function dropExpiredAddresses(database: Database): Promise<void> {
  await database.asSystem('delete expired download addresses', (tx) => tx.all(dropAddresses, {}));
}
