import type { Database } from '../../platform/database/database.ts';
import { dropOld } from './invitation-queries.ts';

/** Deletes invitations 30 days after they ended or expired, so that their addresses are not stored longer than needed. */
export async function dropOldInvitations(database: Database, now: Date): Promise<void> {
  await database.asSystem('drop old invitations', (tx) => tx.all(dropOld, { before: new Date(now.getTime() - 30 * 86_400_000) }));
}
