import type { Static } from 'typebox';
import { firstMerged, type MergedItem, type MergedPart } from '../../platform/database/merged-page.ts';
import type { Cursor } from '../../platform/database/sorted-page.ts';
import type { ReadScope } from '../../platform/scope.ts';
import { storableText } from '../../platform/text.ts';
import { type Kind, kindNames, kinds, sources } from './kinds.ts';
import type { inbox, inboxItem } from './schemas.ts';

/** Maximum number of items that a count counts. */
const maxCounted = 1_000;

/** Only items of these kinds, and with this part of the title. */
type InboxFilters = { kinds: readonly Kind[] | undefined; q: string | undefined };

/** A page of the inbox, with the sort key of the last item if another page follows. */
export type InboxPage = Static<typeof inbox> & { last: readonly [due: string, id: string] | undefined };

/**
 * Returns a page of the items that wait for the caller, by due date and age. The first page has the counts. Kinds without the scopes of the caller are
 * omitted.
 */
export async function readInbox(
  scope: ReadScope,
  scopes: ReadonlySet<string>,
  { kinds: selected = kindNames, q }: InboxFilters,
  { limit: page, after, afterTime }: Cursor & { limit: number },
): Promise<InboxPage> {
  const isFirst = after === null;
  const cursor = isFirst ? firstMerged : { after, afterTime };
  const filter = { q: q === undefined ? null : storableText(q) };
  const wanted = new Set(selected.filter((kind) => kinds[kind].scopes.every((one) => scopes.has(one))));
  const reads = new Set([...wanted].map((kind) => sources[kind]));
  const parts = (
    await Promise.all([...reads].map((read) => read(scope, { ...cursor, ...filter, page, limit: isFirst ? maxCounted : page }, wanted)))
  ).flat();
  const all = parts.flatMap(({ items }) => items).toSorted(byDueDate);
  const items = all.slice(0, page);
  const end = items.at(-1);
  return {
    ...(isFirst ? { counts: countsOf(wanted, parts) } : {}),
    // The serializer omits the sort key.
    items: items as unknown[] as Static<typeof inboxItem>[],
    last: end && all.length > page ? end.place : undefined,
  };
}

function countsOf(wanted: ReadonlySet<Kind>, parts: readonly MergedPart[]): NonNullable<InboxPage['counts']> {
  const counts = [...wanted].map((kind) => {
    const { open = 0, overdue = 0, more = false } = parts.find((part) => part.kind === kind) ?? {};
    const isTask = kind === 'task' || kind === 'approval';
    return [kinds[kind].count, { open, ...(isTask ? { overdue } : {}), ...(more ? { isLowerBound: true } : {}) }];
  });
  return Object.fromEntries(counts) as NonNullable<InboxPage['counts']>;
}

/** The order of PostgreSQL: times in one format, then identifiers. */
const byDueDate = (a: MergedItem, b: MergedItem): number => {
  const [left, right] = [String(a.place), String(b.place)];
  return left < right ? -1 : Number(left > right);
};
