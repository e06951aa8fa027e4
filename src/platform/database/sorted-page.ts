import { largestId, smallestId } from '../identifiers.ts';

/** What a list may be sorted by: when a thing was made (its id), changed or is due; the other way round with a minus. */
export const sorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'dueDate', '-dueDate'] as const;
export type Sort = (typeof sorts)[number];

/** The orders of lists of things that are never due. */
export const changeSorts = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt'] as const;
export type ChangeSort = (typeof changeSorts)[number];

/** A statement for each of some orders. */
export function bySort<S extends Sort, T>(orders: readonly S[], make: (sort: S) => T): Record<S, T> {
  return Object.fromEntries(orders.map((sort) => [sort, make(sort)])) as Record<S, T>;
}

/** Where a page begins: after a thing that is sorted by this time and has this identifier. Without one, at the beginning. */
export type Cursor = { afterTime: string; after: string | null };

/** A thing of a list and where it stands in it. */
export type Placed<T> = { thing: T; place: readonly [time: string, id: string] };

/** A page of a list of things that change, in an order, of those that were changed at a time or later. */
export type ChangePage = Cursor & { sort: ChangeSort; since: string | null; limit: number };

/** Where the first page of a list begins. */
export function firstPlace(sort: Sort): Cursor {
  if (sort === 'createdAt') return { afterTime: '', after: smallestId };
  if (sort === '-createdAt') return { afterTime: '', after: largestId };
  return { afterTime: 'infinity', after: null };
}

/** What a sort goes by; what is never due comes last. */
const columns = { createdAt: 'created_at', updatedAt: 'updated_at', dueDate: 'due_at' } as const;

/**
 * The parts of a statement that lists rows of `alias` in an order: `order` for ORDER BY, `after` a condition with
 * `$afterTime` and `$after`, `key` what the cursor holds. By age it is the identifier that counts, which begins with a time.
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

/** A time as responses write it. */
export const isoText = (expression: string): string => `to_char(${expression}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

type After = { time: string; id: string };

/**
 * Beyond which place a page begins of a list by time that may be narrowed to times from `from` on (or before `to`), as one bound for
 * `(time, id)`: of two bounds on one side the index may be entered by the wrong one, and walked from there to the other, which for the
 * last page of a million is all of them. Nothing has the smallest of identifiers.
 */
export const laterPlace = (from: string, { time, id }: After): string =>
  `(greatest(${from}, ${time}), CASE WHEN ${from} > ${time} THEN '${smallestId}'::uuid ELSE ${id} END)`;
export const earlierPlace = (to: string, { time, id }: After): string =>
  `(least(${to}, ${time}), CASE WHEN ${to} <= ${time} THEN '${smallestId}'::uuid ELSE ${id} END)`;
