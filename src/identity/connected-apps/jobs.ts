import type { Database } from '../../platform/database/database.ts';
import { dropUnused as dropSome } from './queries.ts';

/** Deletes unused registrations of apps. */
export async function dropUnused(database: Database): Promise<void> {
  await database.asSystem('drop unused connected apps', (tx) => tx.all(dropSome, {}));
}
