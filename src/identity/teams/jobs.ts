import type { Database } from '../../platform/database/database.ts';
import { dropOld } from './invitation-queries.ts';

/** Drops invitations that ended or expired 30 days ago: the addresses in them are kept no longer than needed. */
export async function dropOldInvitations(database: Database, now: Date): Promise<void> {
  await database.asSystem('drop old invitations', (tx) => tx.all(dropOld, { before: new Date(now.getTime() - 30 * 86_400_000) }));
}
