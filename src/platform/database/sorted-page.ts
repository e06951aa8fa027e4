import { largestId, smallestId } from '../identifiers.ts';

/** The sort orders of lists: by creation (the id), change or due date; descending with a minus. */
export const sorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'dueDate', '-dueDate'] as const;
export type Sort = (typeof sorts)[number];

/** The sort orders of lists without due dates. */
export const changeSorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt'] as const;
export type ChangeSort = (typeof changeSorts)[number];

/** Creates a statement for each sort order. */
export function bySort<S extends Sort, T>(orders: readonly S[], make: (sort: S) => T): Record<S, T> {
  return Object.fromEntries(orders.map((sort) => [sort, make(sort)])) as Record<S, T>;
}

/** The start of a page: after the item with this sort time and identifier. Without an identifier, the first page. */
export type Cursor = { afterTime: string; after: string | null };

/** A list item with its sort key. */
export type Placed<T> = { thing: T; place: readonly [time: string, id: string] };

/** The parameters of a page of a list with resources that changed at `since` or later. */
export type ChangePage = Cursor & { sort: ChangeSort; since: string | null; limit: number };

/** Returns the cursor of the first page. */
export function firstPlace(sort: Sort): Cursor {
  if (sort === 'createdAt') return { afterTime: '', after: smallestId };
  if (sort === '-createdAt') return { afterTime: '', after: largestId };
  return { afterTime: 'infinity', after: null };
}

/** The column of each sort order. Items without a due date sort last. */
const columns = { createdAt: 'created_at', updatedAt: 'updated_at', dueDate: 'due_at' } as const;

/**
 * Returns the parts of a statement that lists rows of `alias` in an order. `order` is for ORDER BY, `after` is a condition with
 * `$afterTime` and `$after`, and `key` is for the cursor. The creation order uses the identifier, which starts with a timestamp.
 */
export function sortedBy(sort: Sort, alias: string): { order: string; after: string; key: string[] } {
  const [direction, beyond] = sort.startsWith('-') ? ['DESC', '<'] : ['ASC', '>'];
  const member = sort.replace('-', '') as keyof typeof columns;
  const id = `${alias}.id`;
  if (member === 'createdAt') return { order: `${id} ${direction}`, after: `${id} ${beyond} $after`, key: ["''", id] };
  const time = member === 'dueDate' ? `coalesce(${alias}.${columns.dueDate}, 'infinity')` : `${alias}.${columns[member]}`;
  return {
    order: `${time} ${direction}, ${id} ${direction}`,
    after: `($after::uuid IS NULL OR (${time}, ${id}) ${beyond} ($afterTime::timestamptz, $after::uuid))`,
    key: [`(${time})::text`, id],
  };
}

/** Returns an expression for a time in the format of responses. */
export const isoText = (expression: string): string => `to_char(${expression}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

type After = { time: string; id: string };

/**
 * Returns the bound of a page as one `(time, id)` pair, for a list by time since `from` (or before `to`). With two bounds on one side, PostgreSQL may
 * start the index scan at the wrong bound. It then reads all rows up to the other bound. No row has the smallest identifier.
 */
export const laterPlace = (from: string, { time, id }: After): string =>
  `(greatest(${from}, ${time}), CASE WHEN ${from} > ${time} THEN '${smallestId}'::uuid ELSE ${id} END)`;
export const earlierPlace = (to: string, { time, id }: After): string =>
  `(least(${to}, ${time}), CASE WHEN ${to} <= ${time} THEN '${smallestId}'::uuid ELSE ${id} END)`;
