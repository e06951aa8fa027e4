import { jsonThing, pageStatement } from '../../../platform/database/json-page.ts';
import { mergedStatement, undatedAfter } from '../../../platform/database/merged-page.ts';
import { bySort, changeSorts, isoText, type Cursor, sortedBy } from '../../../platform/database/sorted-page.ts';

/*
 * These statements must not depend on statistics: they read ranges of the one index of `registry_value`, and combine them by counting.
 * Conditions compare texts by bytes, because row-level security lets such comparisons use an index.
 */

/** The columns of a record in a list. `$former` has the removed fields. */
const item = jsonThing(
  {
    id: 'r.id',
    status: 'r.state',
    version: 'r.version',
    createdBy: 'r.created_by',
    createdByType: 'r.created_by_type',
    updatedBy: 'r.changed_by',
    updatedByType: 'r.changed_by_type',
    submissionId: 'r.submission_id',
    workflowId: 'r.workflow_id',
    createdAt: isoText('r.created_at'),
    updatedAt: isoText('r.updated_at'),
    deletedAt: isoText('r.deleted_at'),
  },
  { data: 'r.data - $former::text[]' },
);

type InState = { team: string; registry: string; state: string };
type PageOptions = { former: readonly string[]; limit: number };
const inRegistry = 'team_id = $team AND registry_id = $registry';

/** A page of the records of a registry, by creation or change. */
export const listRecords = bySort(changeSorts, (sort) => {
  const { order, after, key } = sortedBy(sort, 'r');
  return pageStatement<InState & PageOptions & Cursor & { since: string | null }>(
    `WITH page AS (
       SELECT r.* FROM registry_record r
       WHERE r.team_id = $team AND r.registry_id = $registry AND r.state = $state AND ${after} AND ($since::timestamptz IS NULL OR r.updated_at >= $since)
       ORDER BY ${order} LIMIT $limit + 1
     )`,
    { from: 'page r', item, order, key },
  );
});

/** Joins the rows of `page` with their records as `r`. */
const withRecords = `page CROSS JOIN LATERAL (SELECT * FROM registry_record WHERE ${inRegistry} AND id = page.id OFFSET 0) r`;

const ways = ['asc', 'desc'] as const;
export type Way = (typeof ways)[number];
const byWay = <T>(make: (way: Way) => T): Record<Way, T> => ({ asc: make('asc'), desc: make('desc') });
const beyond: Record<Way, string> = { asc: '>', desc: '<' };

export type KeyRange = { low: string; high: string };
/** The cursor of a page in the order of a field: a key, and a record among the records with that key. */
export type KeyPlace = { afterKey: string; after: string };

/** A page of the records whose value of a field is in a range, in the order of the values. */
export const walkValues = byWay((way) =>
  pageStatement<InState & PageOptions & KeyRange & KeyPlace & { field: string; since: string | null }>(
    `WITH page AS MATERIALIZED (
       SELECT v.record_id AS id, v.key FROM registry_value v
       WHERE v.team_id = $team AND v.registry_id = $registry AND v.state = $state AND v.field = $field AND v.key >= $low AND v.key < $high
         AND (v.key, v.record_id) ${beyond[way]} ($afterKey, $after::uuid)
         AND ($since::timestamptz IS NULL OR EXISTS (
           SELECT FROM registry_record c WHERE c.team_id = $team AND c.registry_id = $registry AND c.id = v.record_id AND c.updated_at >= $since OFFSET 0))
       ORDER BY v.key ${way}, v.record_id ${way} LIMIT $limit + 1
     )`,
    { from: withRecords, item, order: `page.key ${way}, page.id ${way}`, key: ['page.key', 'page.id'] },
  ),
);

/**
 * A condition: a value in one of `fields` within the range. All conditions with `n` from 1 on must match. The number 0 is for the sort field, and -1
 * for a condition that must not match.
 */
export type ValueRange = KeyRange & { n: number; fields: readonly string[] };

/**
 * The conditions as JSON of {@link ValueRange}. `met` is the number of conditions that must match. `base` selects all records, even those without any
 * value.
 */
type FilterParams = { wanted: string; met: number; base: boolean };

const matchesSql = `found AS MATERIALIZED (
       SELECT v.id, max(v.key) FILTER (WHERE v.n = 0) AS key FROM (
         SELECT w.n, m.record_id AS id, m.key FROM jsonb_to_recordset($wanted::jsonb) AS w(n integer, fields text[], low text, high text)
         CROSS JOIN LATERAL (
           SELECT record_id, key FROM registry_value
           WHERE ${inRegistry} AND state = $state AND field = ANY (w.fields) AND key >= w.low AND key < w.high OFFSET 0
         ) m
         UNION ALL
         SELECT 0, b.id, NULL FROM registry_record b WHERE $base AND b.team_id = $team AND b.registry_id = $registry AND b.state = $state
       ) v GROUP BY v.id
       HAVING count(DISTINCT v.n) FILTER (WHERE v.n > 0) = $met AND count(*) FILTER (WHERE v.n < 0) = 0
     )`;

const sorts = ['createdAt', 'updatedAt', 'key'] as const;
export type MatchSort = (typeof sorts)[number];

/** The cursor of a page of matches; `afterId` is null for the first page. */
export type MatchCursor = { afterKey: string; afterId: string | null };

/** The sort columns of each order, over `f`. Records without a value of the sort field come last in both directions. */
function matchOrder(sort: MatchSort, way: Way): { order: string; after: string; key: string[] } {
  const past = beyond[way];
  if (sort === 'createdAt')
    return { order: `f.id ${way}`, after: `($afterId::uuid IS NULL OR ($afterKey = '' AND f.id ${past} $afterId))`, key: ["''", 'f.id'] };
  if (sort === 'updatedAt')
    return {
      order: `f.at ${way}, f.id ${way}`,
      after: `($afterId::uuid IS NULL OR (f.at, f.id) ${past} ($afterKey::timestamptz, $afterId::uuid))`,
      key: ['f.at::text', 'f.id'],
    };
  return {
    order: `(f.key IS NULL), f.key ${way}, f.id ${way}`,
    after: `($afterId::uuid IS NULL OR CASE WHEN $afterKey = '' THEN f.key IS NULL AND f.id ${past} $afterId
         ELSE f.key IS NULL OR (f.key COLLATE "C", f.id) ${past} ($afterKey, $afterId::uuid) END)`,
    key: ["coalesce(f.key, '')", 'f.id'],
  };
}

function matchList(sort: MatchSort, way: Way) {
  const { order, after, key } = matchOrder(sort, way);
  const timed = `(SELECT found.*, c.updated_at AS at FROM found CROSS JOIN LATERAL (
         SELECT updated_at FROM registry_record WHERE ${inRegistry} AND id = found.id OFFSET 0) c) f`;
  const inPage = (part: string) => part.replaceAll('f.', 'page.');
  return pageStatement<InState & PageOptions & FilterParams & MatchCursor & { since: string | null }>(
    `WITH ${matchesSql},
     page AS MATERIALIZED (
       SELECT f.* FROM ${timed} WHERE ${after} AND ($since::timestamptz IS NULL OR f.at >= $since) ORDER BY ${order} LIMIT $limit + 1
     )`,
    { from: withRecords, item, order: inPage(order), key: key.map(inPage) },
  );
}

/** A page of the records that match all conditions, in one of the orders. */
export const listRecordsBySort = Object.fromEntries(sorts.map((sort) => [sort, byWay((way) => matchList(sort, way))])) as Record<
  MatchSort,
  Record<Way, ReturnType<typeof matchList>>
>;

/** The records of some registries that wait for approval, the oldest first. */
export const recordsToReview = mergedStatement<{ team: string; registries: readonly string[]; names: readonly string[] }>(
  `SELECT f.* FROM unnest($registries::uuid[], $names::text[]) AS c(id, name) CROSS JOIN LATERAL (
     SELECT f.id, f.registry_id, f.created_at, c.name AS title, NULL::timestamptz AS due_at, false AS is_overdue FROM registry_record f
     WHERE f.team_id = $team AND f.registry_id = c.id AND f.state = 'pending' AND f.id > ${undatedAfter} ORDER BY f.id LIMIT $limit + 1
   ) f`,
  "'record'",
  { id: 'f.id', title: 'f.title', createdAt: isoText('f.created_at'), registryId: 'f.registry_id' },
);
