import { smallestId } from '../identifiers.ts';
import { jsonObject } from './json-page.ts';
import { type Cursor, sortedBy } from './sorted-page.ts';
import { sqlStatement, type Statement } from './statement.ts';

/**
 * Pages of a list that merges items of several domains, by due date and identifier. `limit` is the maximum number of items that a statement reads, and
 * `page` that of items in the response.
 */
export type MergedPage = Cursor & { page: number; limit: number };

/** An item with its sort key. */
export type MergedItem = { due: string; id: string; item: Record<string, unknown> };
/** The first `page + 1` items of one domain after a cursor, and the numbers of all that were read: at most `limit`, or more. */
export type MergedPart = { items: MergedItem[]; open: number; overdue: number; more: boolean };

export const nothing: MergedPart = { items: [], open: 0, overdue: 0, more: false };

/** An expression: the identifier after which a page of items without a due date begins. Other items come before these. */
export const undatedAfter = `CASE WHEN $after::uuid IS NULL OR $afterTime::timestamptz < 'infinity' THEN '${smallestId}' ELSE $after::uuid END`;

export const { order: mergedOrder, after: afterMerged } = sortedBy('dueDate', 'f');

/**
 * Creates the statement of a {@link MergedPart}. `found` selects rows with the columns `id`, `due_at` and `is_overdue`, at most `$limit + 1`, in the
 * order of the list. `item` has the expressions of the members over its alias `f`.
 */
export function mergedStatement<Params extends object>(
  found: string,
  item: Record<string, string>,
): Statement<Params & MergedPage, MergedPart> {
  return sqlStatement<Params & MergedPage, MergedPart>(
    `WITH found AS MATERIALIZED (${found})
     SELECT (SELECT coalesce(json_agg(p.entry), '[]') FROM (
         SELECT json_build_object('due', coalesce(f.due_at, 'infinity')::text, 'id', f.id, 'item', json_strip_nulls(${jsonObject(item)})) AS entry
         FROM found f ORDER BY ${mergedOrder} LIMIT $page + 1
       ) p) AS items,
       least(count(*), $limit)::int AS open, (count(*) FILTER (WHERE f.is_overdue))::int AS overdue, count(*) > $limit AS more FROM found f`,
  );
}
