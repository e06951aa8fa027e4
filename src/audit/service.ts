import type { ReadScope } from '../platform/scope.ts';
import { presentEntry } from './present.ts';
import { type EntryFilter, listEntries, type Place } from './queries.ts';
import type { Entry } from './schemas.ts';

/** A page of the team's journal, newest first; `next` is where the following page begins, absent at the end. */
export async function readJournal(scope: ReadScope, filter: EntryFilter): Promise<{ entries: Entry[]; next: Place | undefined }> {
  const rows = await scope.db.query(listEntries(scope.team, { ...filter, limit: filter.limit + 1 }));
  const shown = rows.slice(0, filter.limit);
  const last = rows.length > filter.limit ? shown.at(-1) : undefined;
  return { entries: shown.map(presentEntry), next: last && { at: last.exact_at, id: last.id } };
}
