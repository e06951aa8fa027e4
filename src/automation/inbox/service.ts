import type { Static } from 'typebox';
import type { MergedItem } from '../../platform/database/merged-page.ts';
import type { Cursor } from '../../platform/database/sorted-page.ts';
import type { ReadScope } from '../../platform/scope.ts';
import { type KindName, kindNames, kinds } from './kinds.ts';
import type { inbox, inboxItem } from './schemas.ts';

/** Maximum number of items of a kind that a count counts. */
const maxCounted = 1_000;

/** A page of the inbox, with the sort key of the last item if another page follows. */
export type InboxPage = Static<typeof inbox> & { last: readonly [due: string, id: string] | undefined };

/**
 * Returns a page of the items that wait for the caller, by due date and age. The first page has the counts. Kinds without the scopes of the caller are
 * omitted.
 */
export async function readInbox(
  scope: ReadScope,
  scopes: ReadonlySet<string>,
  wanted: readonly KindName[] | undefined,
  { limit: page, ...cursor }: Cursor & { limit: number },
): Promise<InboxPage> {
  const isFirst = cursor.after === null;
  const shown = kindNames.filter((kind) => (wanted?.includes(kind) ?? true) && kinds[kind].scopes.every((one) => scopes.has(one)));
  const parts = await Promise.all(
    shown.map(async (kind) => ({
      kind,
      ...(await kinds[kind].read(scope, { ...cursor, page, limit: isFirst ? maxCounted : page })),
    })),
  );
  const all = parts.flatMap(({ kind, items }) => items.map((item) => ({ kind, ...item }))).toSorted(byDueDate);
  const items = all.slice(0, page);
  const end = items.at(-1);
  return {
    ...(isFirst ? { counts: Object.fromEntries(parts.map(({ kind, ...part }) => [kinds[kind].count, countOf(kind, part)])) } : {}),
    items: items.map(({ kind, item }) => ({ kind, ...item }) as Static<typeof inboxItem>),
    last: end && all.length > page ? [end.due, end.id] : undefined,
  };
}

function countOf(kind: KindName, { open, overdue, more }: { open: number; overdue: number; more: boolean }) {
  const isTask = kind === 'task' || kind === 'approval';
  return { open, ...(isTask ? { overdue: Math.min(overdue, maxCounted) } : {}), ...(more ? { isLowerBound: true as const } : {}) };
}

/** The order of PostgreSQL: times in one format, then identifiers. */
const byDueDate = (a: MergedItem, b: MergedItem): number => {
  const [left, right] = [`${a.due} ${a.id}`, `${b.due} ${b.id}`];
  return left < right ? -1 : Number(left > right);
};
