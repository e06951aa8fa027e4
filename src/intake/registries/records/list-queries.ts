import { jsonPage, jsonThing, type ListPage } from '../../../platform/database/json-page.ts';
import { bySort, changeSorts, isoText, type Cursor, sortedBy } from '../../../platform/database/sorted-page.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

/*
 * Statements must not need statistics: what is looked for is read along the one index of `registry_value`, range by range, and put
 * together by counting. Conditions are texts that are compared by their bytes, which row-level security lets an index take.
 */

/** Records of a list, as answers show them; `$former` are fields that are no more. */
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
    createdAt: isoText('r.created_at'),
    updatedAt: isoText('r.updated_at'),
    deletedAt: isoText('r.deleted_at'),
  },
  { data: 'r.data - $former::text[]' },
);

type InState = { team: string; registry: string; state: string };
type PageOptions = { former: readonly string[]; limit: number };
const inRegistry = 'team_id = $team AND registry_id = $registry';

/** A page of the records of a registry by age or change. */
export const listRecords = bySort(changeSorts, (sort) => {
  const { order, after, key } = sortedBy(sort, 'r');
  return sqlStatement<InState & PageOptions & Cursor & { since: string | null }, ListPage>(
    `WITH page AS (
       SELECT r.* FROM registry_record r
       WHERE r.team_id = $team AND r.registry_id = $registry AND r.state = $state AND ${after} AND ($since::timestamptz IS NULL OR r.updated_at >= $since)
       ORDER BY ${order} LIMIT $limit + 1
     ),
     ${jsonPage({ from: 'page r', item, order, key })}`,
  );
});

/** The rows of `page`, whose `id` is that of a record, with the record as `r`. */
const withRecords = `page CROSS JOIN LATERAL (SELECT * FROM registry_record WHERE ${inRegistry} AND id = page.id OFFSET 0) r`;

const ways = ['asc', 'desc'] as const;
export type Way = (typeof ways)[number];
const byWay = <T>(make: (way: Way) => T): Record<Way, T> => ({ asc: make('asc'), desc: make('desc') });
const beyond: Record<Way, string> = { asc: '>', desc: '<' };

export type Range = { low: string; high: string };
/** Where a page begins in the order of a field: after a key and, among those of one key, after a record. */
export type KeyPlace = { afterKey: string; after: string };

/** A page of the records that have a value of one field between two bounds, in the order of the values. */
export const walkValues = byWay((way) =>
  sqlStatement<InState & PageOptions & Range & KeyPlace & { field: string; since: string | null }, ListPage>(
    `WITH page AS MATERIALIZED (
       SELECT v.record_id AS id, v.key FROM registry_value v
       WHERE v.team_id = $team AND v.registry_id = $registry AND v.state = $state AND v.field = $field AND v.key >= $low AND v.key < $high
         AND (v.key, v.record_id) ${beyond[way]} ($afterKey, $after::uuid)
         AND ($since::timestamptz IS NULL OR EXISTS (
           SELECT FROM registry_record c WHERE c.team_id = $team AND c.registry_id = $registry AND c.id = v.record_id AND c.updated_at >= $since OFFSET 0))
       ORDER BY v.key ${way}, v.record_id ${way} LIMIT $limit + 1
     ),
     ${jsonPage({ from: withRecords, item, order: `page.key ${way}, page.id ${way}`, key: ['page.key', 'page.id'] })}`,
  ),
);

/**
 * What records must have: a value in one of `fields` between two bounds. `n` numbers those that must all be met, from 1 on; 0 is what
 * is sorted by, and -1 what a record must not have.
 */
export type ValueRange = Range & { n: number; fields: readonly string[] };

/** What is wanted, as JSON of {@link ValueRange}, with how many must be met; `base`: whether records without any value are among them. */
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

/** Where a page of what was gathered begins; `afterId` is null at the first. */
export type MatchCursor = { afterKey: string; afterId: string | null };

/** What each order goes by, over `f`: what has no value of the field comes last, whichever way it goes. */
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
  return sqlStatement<InState & PageOptions & FilterParams & MatchCursor & { since: string | null }, ListPage>(
    `WITH ${matchesSql},
     page AS MATERIALIZED (
       SELECT f.* FROM ${timed} WHERE ${after} AND ($since::timestamptz IS NULL OR f.at >= $since) ORDER BY ${order} LIMIT $limit + 1
     ),
     ${jsonPage({ from: withRecords, item, order: inPage(order), key: key.map(inPage) })}`,
  );
}

/** A page of the records that have all that is wanted, in an order. */
export const gatherRecords = Object.fromEntries(sorts.map((sort) => [sort, byWay((way) => matchList(sort, way))])) as Record<
  MatchSort,
  Record<Way, ReturnType<typeof matchList>>
>;
