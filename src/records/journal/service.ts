import type { Static } from 'typebox';
import { encodeCursor, timeOfCursor } from '../../platform/http/page.ts';
import { isUuid } from '../../platform/identifiers.ts';
import { actCatalogue } from '../../platform/journal/audit-actions.ts';
import { problems } from '../../platform/problems.ts';
import type { ReadScope } from '../../platform/scope.ts';
import { auditorOf } from './auditor.ts';
import { presentEntry } from './present.ts';
import { type EntryFilter, listEntries, type JournalCursor } from './queries.ts';
import type { Entry, journal, journalQuery } from './schemas.ts';

type JournalFilter = Omit<EntryFilter, 'types'> & { type?: string };

/** Returns the audit actions that `type` selects: one, or those with a prefix that ends with a dot. */
const typesOf = (type: string) => (type.endsWith('.') ? [...actCatalogue.keys()].filter((one) => one.startsWith(type)) : [type]);

/** Whether a filter can match no entry: no text in the database contains a null character. */
const nothing = (texts: (string | undefined)[]) => texts.some((text) => text?.includes('\0'));

/** Rejects `targetType` without `targetId`, because entries are indexed by target. Errors: 400. */
function requireTarget({ targetId, targetType }: Pick<EntryFilter, 'targetId' | 'targetType'>): void {
  if (targetType === undefined || targetId !== undefined) return;
  throw problems.validation_failed('`targetType` requires `targetId`. To filter by an audit action on all resources, use `type`.', {
    errors: [{ name: 'targetId', pointer: '/targetId', reason: 'is required with targetType', rule: 'required' }],
  });
}

/** Returns a page of the team’s journal, newest first. `next` is the start of the next page, absent at the end. */
async function readJournal(
  scope: ReadScope,
  { type, ...filter }: JournalFilter,
): Promise<{ entries: Entry[]; next: JournalCursor | undefined }> {
  requireTarget(filter);
  const types = type === undefined ? {} : { types: typesOf(type) };
  if (nothing([type, filter.targetId, filter.targetType])) return { entries: [], next: undefined };
  const targetId = isUuid(filter.targetId ?? '') ? { targetId: filter.targetId?.toLowerCase() ?? '' } : {};
  const rows = await scope.db.query(
    listEntries(scope.team, { ...filter, ...types, ...targetId, auditor: auditorOf(scope), limit: filter.limit + 1 }),
  );
  const shown = rows.slice(0, filter.limit);
  const last = rows.length > filter.limit ? shown.at(-1) : undefined;
  return { entries: shown.map(presentEntry), next: last && { at: last.exact_at, id: last.id } };
}

/** Returns a page of the journal as the API shows it. */
export async function readJournalPage(
  scope: ReadScope,
  { cursor, ...filter }: Static<typeof journalQuery>,
): Promise<Static<typeof journal>> {
  const place = timeOfCursor(cursor);
  const { entries, next } = await readJournal(scope, { ...filter, ...(place && { after: { at: place.time, id: place.id } }) });
  return { events: entries, ...(next ? { nextCursor: encodeCursor([next.at, next.id]) } : {}) };
}
