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
/** The first `page + 1` items of one kind after a cursor, and the numbers of those that were read. `more`: the statement stopped at `limit` items. */
export type MergedPart = { kind: string; items: MergedItem[]; open: number; overdue: number; more: boolean };

/** An expression: the identifier after which a page of items without a due date begins. Other items come before these. */
export const undatedAfter = `CASE WHEN $after::uuid IS NULL OR $afterTime::timestamptz < 'infinity' THEN '${smallestId}' ELSE $after::uuid END`;

export const { order: mergedOrder, after: afterMerged } = sortedBy('dueDate', 'f');

/**
 * Creates the statement that returns a {@link MergedPart} for each kind with items. `found` selects rows with the columns `id`, `due_at` and
 * `is_overdue`, at most `$limit + 1`, in the order of the list. `kind` and `item` have expressions over its alias `f`.
 */
export function mergedStatement<Params extends object>(
  found: string,
  kind: string,
  item: Record<string, string>,
): Statement<Params & MergedPage, MergedPart> {
  return sqlStatement<Params & MergedPage, MergedPart>(
    `WITH found AS MATERIALIZED (${found}),
     placed AS (SELECT f.*, ${kind} AS kind, row_number() OVER (PARTITION BY ${kind} ORDER BY ${mergedOrder}) AS place FROM found f)
     SELECT f.kind, json_agg(json_build_object('due', coalesce(f.due_at, 'infinity')::text, 'id', f.id,
         'item', json_strip_nulls(${jsonObject(item)})) ORDER BY f.place) FILTER (WHERE f.place <= $page + 1) AS items,
       least(count(*), $limit)::int AS open, least(count(*) FILTER (WHERE f.is_overdue), $limit)::int AS overdue,
       (SELECT count(*) FROM found) > $limit AS more
     FROM placed f GROUP BY f.kind`,
    { items: 'a kind with rows has a first one' },
  );
}
