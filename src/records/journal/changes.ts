import type { Reader } from '../../platform/database/database.ts';
import { eventCatalogue } from '../../platform/journal/audit-actions.ts';
import { changesBetween, type ChangeRow, lastNumber } from './change-queries.ts';

/** The maximum number of entries that one read covers. */
const maxEntries = 500;

/** Returns the position of the team’s last entry in the tree. */
export async function journalPosition(db: Reader, team: string): Promise<number> {
  return (await db.first(lastNumber, { team }))?.number ?? 0;
}

/** Returns the next events of a team after a position, in order, and the position that the read has reached. */
export async function changesAfter(db: Reader, team: string, after: number): Promise<{ rows: ChangeRow[]; to: number }> {
  const to = Math.min(await journalPosition(db, team), after + maxEntries);
  if (to <= after) return { rows: [], to: after };
  return { rows: await db.all(changesBetween, { team, after, to, types: [...eventCatalogue.keys()] }), to };
}
