import { smallestId } from '../identifiers.ts';
import { jsonObject } from './json-page.ts';
import { matches } from './list-filters.ts';
import { sqlStatement, type Statement } from './statement.ts';

/**
 * Pages of a list that merges items of several domains, by due date and identifier. `limit` is the maximum number of items that a statement reads, and
 * `page` that of items in the response. `q` is a part of their titles.
 */
export type MergedPage = { afterTime: string; after: string; page: number; limit: number; q: string | null };

/** The cursor of the first page. It contains no nulls, so that PostgreSQL plans the statement once. */
export const firstMerged = { afterTime: '-infinity', after: smallestId };

/** An item with its kind and its sort key. */
export type MergedItem = { place: readonly [due: string, id: string] } & Record<string, unknown>;
/**
 * The first items of one kind after a cursor, unsorted, and the numbers of those that were read. `more`: the statement stopped at `limit` items of all
 * its kinds.
 */
export type MergedPart = { kind: string; items: MergedItem[]; open: number; overdue: number; more: boolean };

/** An expression: the identifier after which a page of items without a due date begins. Other items come before these. */
export const undatedAfter = `CASE WHEN $afterTime::timestamptz < 'infinity' THEN '${smallestId}' ELSE $after::uuid END`;

const due = "coalesce(f.due_at, 'infinity')";
export const mergedOrder = `${due}, f.id`;
export const afterMerged = `(${due}, f.id) > ($afterTime::timestamptz, $after::uuid)`;

/**
 * Creates the statement that returns a {@link MergedPart} for each kind with items. `found` selects rows with the columns `id`, `title`, `due_at`
 * and `is_overdue`. `kind` and `item` have expressions over its alias `f`.
 */
export function mergedStatement<Params extends object>(
  found: string,
  kind: string,
  item: Record<string, string>,
): Statement<Params & MergedPage, MergedPart> {
  const members = jsonObject({ kind: 'f.kind', place: `json_build_array((${due})::text, f.id)`, ...item });
  return sqlStatement<Params & MergedPage, MergedPart>(
    `SELECT f.kind, coalesce(json_agg(json_strip_nulls(${members})) FILTER (WHERE f.place <= $page + 1), '[]') AS items,
       least(count(*), $limit)::int AS open, least(count(*) FILTER (WHERE f.is_overdue), $limit)::int AS overdue,
       sum(count(*)) OVER () > $limit AS more
     FROM (
       SELECT f.*, ${kind} AS kind, row_number() OVER (ORDER BY ${mergedOrder}) AS place FROM (${found}) f
       WHERE ${matches('f.title')} ORDER BY ${mergedOrder} LIMIT $limit + 1
     ) f GROUP BY f.kind`,
  );
}
