import { type Compilable, sql } from 'kysely';
import { matches } from '../../../platform/database/list-filters.ts';
import { mergedStatement, undatedAfter } from '../../../platform/database/merged-page.ts';
import type { Row } from '../../../platform/database/row.ts';
import { isoText } from '../../../platform/database/sorted-page.ts';
import { build, type Columns, sqlStatement } from '../../../platform/database/statement.ts';
import { storableText } from '../../../platform/text.ts';
import { delayByBudget } from '../../../platform/limits/quota-queries.ts';

export type DeliveryRow = {
  team_id: string;
  endpoint_id: string;
  id: string;
  event_id: string;
  event_type: string;
  /** The bytes to send; empty if expunged, null if the event is deleted. */
  body: Buffer | null;
  status: string;
  attempts: number;
  max_attempts: number;
  response_status: number | null;
  error: string | null;
  created_at: string;
  delivered_at: string | null;
  last_attempt_at: string | null;
  next_retry_at: string | null;
};

type DeliveryKey = { team: string; endpoint: string; id: string };

/** An event and its subscription data. */
export type FanOut = {
  event: string;
  type: string;
  /** The subscriptions that include the event, separated by commas. */
  names: string;
  /** The scope that the event requires: see `endpoint_gets`. */
  scope: string;
  /** The only endpoint that gets the event, regardless of its subscriptions; null for all subscribed endpoints. */
  only: string | null;
  /** A UUIDv7 with the time for the identifiers of the deliveries. */
  base: string;
};

/** Whether a team has active endpoints. */
export const hasEndpoints = sqlStatement<{ team: string }, unknown>(
  'SELECT FROM webhook_endpoint WHERE team_id = $team AND is_active AND deleted_at IS NULL LIMIT 1',
);

/**
 * Inserts and queues one delivery of each event for each subscribed active endpoint of the team. Wakes the workers if there are any. If the team has
 * exceeded its quota, deliveries are delayed. The quota also counts deliveries of earlier events in the batch. Returns the number of deliveries.
 */
export const fanOut = sqlStatement<Columns<FanOut> & { team: string }, { queued: number; here: string; woken: string | null }>(
  `WITH made AS (
     INSERT INTO webhook_delivery (team_id, endpoint_id, id, event_id, event_type, max_attempts, created_at)
     SELECT w.team_id, w.id, uuidv7_like(e.base), e.event, e.type, (SELECT max_attempts FROM webhook_setting), now()
     FROM unnest($event::text[], $type::text[], $names::text[], $scope::text[], $only::uuid[], $base::uuid[]) AS e(event, type, names, scope, for_one, base),
       webhook_endpoint w
     WHERE w.team_id = $team AND w.is_active AND w.deleted_at IS NULL
       AND CASE WHEN e.for_one IS NULL THEN w.events && string_to_array(e.names, ',') AND endpoint_gets(w.team_id, w.client_id, w.scopes, e.scope) ELSE w.id = e.for_one END
     RETURNING team_id, endpoint_id, id, event_id, max_attempts, created_at
   ), queued AS (
     INSERT INTO webhook_queue (team_id, endpoint_id, delivery_id, event_id, max_attempts, next_at)
     SELECT team_id, endpoint_id, id, event_id, max_attempts, created_at + ${delayByBudget('deliveries', '$team', `(queued_here() + rank() OVER (ORDER BY event_id) - 1)`)} FROM made
     RETURNING team_id
   ) SELECT count(*)::int AS queued, set_config('app.queued', (queued_here() + count(*))::text, true) AS here, (SELECT pg_notify('webhook_due', team_id::text)::text FROM queued LIMIT 1) AS woken FROM queued`,
);

const columns = [
  'd.team_id',
  'd.endpoint_id',
  'd.id',
  'd.event_id',
  'd.event_type',
  'd.status',
  'd.attempts',
  'd.max_attempts',
  'd.response_status',
  'd.error',
  'd.created_at',
  'd.delivered_at',
  'd.last_attempt_at',
  'd.next_retry_at',
] as const;
/** The payload of the event, read only for the deliveries of a page. */
const payload = sql<Buffer | null>`(SELECT v.body FROM event v WHERE v.team_id = d.team_id AND v.id = d.event_id)`.as('body');
const deliverySql = `SELECT ${columns.join(', ')}, e.body FROM webhook_delivery d LEFT JOIN event e ON e.team_id = d.team_id AND e.id = d.event_id`;

export const findDelivery = sqlStatement<DeliveryKey, DeliveryRow>(
  `${deliverySql} WHERE d.team_id = $team AND d.endpoint_id = $endpoint AND d.id = $id`,
);

/** Selects the delivery of one event to one endpoint. */
export const findDeliveryOf = sqlStatement<{ team: string; endpoint: string; event: string; firstDelivery: string }, DeliveryRow>(
  `${deliverySql} WHERE d.team_id = $team AND d.endpoint_id = $endpoint AND d.event_id = $event AND d.id >= $firstDelivery`,
);

/** The status of deliveries that are still in the log. */
type DeliveryState = { id: string; status: 'pending' | 'delivered' | 'failed' | 'cancelled'; error: string | null };
export const deliveryStates = sqlStatement<{ team: string; endpoints: readonly string[]; ids: readonly string[] }, DeliveryState>(
  `SELECT d.id, d.status, d.error FROM unnest($endpoints::uuid[], $ids::uuid[]) AS w (endpoint, id)
   JOIN webhook_delivery d ON d.team_id = $team AND d.endpoint_id = w.endpoint AND d.id = w.id`,
);

/** Selects a delivery to the endpoint whose event has one of these types, regardless of its status. */
export const findDeliveryOfTypes = sqlStatement<{ team: string; endpoint: string; types: string[] }, { event_type: string }>(
  'SELECT event_type FROM webhook_delivery WHERE team_id = $team AND endpoint_id = $endpoint AND event_type = ANY($types::text[]) LIMIT 1',
);

export type DeliveryFilter = {
  status?: Row<'webhook_delivery'>['status'];
  eventType?: string;
  q?: string;
  sort?: 'createdAt' | '-createdAt';
  beyond?: string;
  limit: number;
};

/** Selects a page of an endpoint’s deliveries, newest first unless `sort` says otherwise. Each filter has an index. */
export function listDeliveries(team: string, endpoint: string, filter: DeliveryFilter): Compilable<DeliveryRow> {
  let query = build
    .selectFrom('webhook_delivery as d')
    .select([...columns, payload])
    .where('d.team_id', '=', team)
    .where('d.endpoint_id', '=', endpoint);
  if (filter.status === 'pending') {
    query = query.innerJoin('webhook_queue as q', (join) =>
      join.onRef('q.team_id', '=', 'd.team_id').onRef('q.endpoint_id', '=', 'd.endpoint_id').onRef('q.delivery_id', '=', 'd.id'),
    );
  } else if (filter.status === 'failed' || filter.status === 'cancelled') {
    query = query.where('d.undelivered', '=', filter.status);
  } else if (filter.status !== undefined) {
    query = query.where('d.status', '=', filter.status);
  }
  if (filter.eventType !== undefined) query = query.where('d.event_type', '=', filter.eventType);
  if (filter.q !== undefined) {
    const part = sql`lower(${storableText(filter.q)})`;
    query = query.where(
      sql<boolean>`(position(${part} IN d.event_type) > 0 OR position(${part} IN d.event_id) > 0 OR position(${part} IN lower(d.error)) > 0)`,
    );
  }
  const oldestFirst = filter.sort === 'createdAt';
  if (filter.beyond !== undefined) query = query.where('d.id', oldestFirst ? '>' : '<', filter.beyond);
  return query.orderBy('d.id', oldestFirst ? 'asc' : 'desc').limit(filter.limit);
}

/** The failed deliveries of the endpoints of the team, or of an API client, the oldest first. */
export const failedDeliveries = mergedStatement<{ team: string; owner: string | null }>(
  `SELECT f.* FROM webhook_endpoint e CROSS JOIN LATERAL (
     SELECT f.id, f.endpoint_id, f.event_type AS title, f.created_at, NULL::timestamptz AS due_at, false AS is_overdue FROM webhook_delivery f
     WHERE f.team_id = $team AND f.endpoint_id = e.id AND f.undelivered = 'failed' AND f.id > ${undatedAfter} AND ${matches('f.event_type')} ORDER BY f.id LIMIT $limit + 1
   ) f WHERE e.team_id = $team AND e.deleted_at IS NULL AND ($owner::uuid IS NULL OR e.client_id = $owner)`,
  "'delivery'",
  { id: 'f.id', title: 'f.title', createdAt: isoText('f.created_at'), endpointId: 'f.endpoint_id' },
);

export type AttemptRow = {
  attempt: number;
  started_at: string;
  latency_ms: number;
  response_status: number | null;
  error: string | null;
  error_detail: string | null;
  response_headers: string | null;
  response_body: Buffer | null;
};

export const listAttempts = sqlStatement<DeliveryKey, AttemptRow>(
  `SELECT attempt, started_at, latency_ms, response_status, error, error_detail, response_headers, response_body
   FROM webhook_attempt WHERE team_id = $team AND endpoint_id = $endpoint AND delivery_id = $id ORDER BY attempt`,
);

/** Queues a failed or cancelled delivery for one more attempt. */
export const requeueEnded = sqlStatement<DeliveryKey, { id: string }>(
  `WITH back AS (
     UPDATE webhook_delivery SET status = 'pending', max_attempts = attempts + 1, next_retry_at = NULL
     WHERE team_id = $team AND endpoint_id = $endpoint AND id = $id AND status IN ('failed', 'cancelled')
     RETURNING team_id, endpoint_id, id, event_id, attempts, max_attempts
   ), queued AS (
     INSERT INTO webhook_queue (team_id, endpoint_id, delivery_id, event_id, attempts, base_attempts, max_attempts, next_at)
     SELECT team_id, endpoint_id, id, event_id, attempts, attempts, max_attempts, now() FROM back
   ) SELECT id FROM back`,
);

/** Makes a waiting delivery due now, unless it is in progress. */
export const makeDueNow = sqlStatement<DeliveryKey, { delivery_id: string }>(
  `UPDATE webhook_queue SET next_at = now()
   WHERE team_id = $team AND endpoint_id = $endpoint AND delivery_id = $id AND (lease_until IS NULL OR lease_until < now())
   RETURNING delivery_id`,
);

/** The time of the database, which is also the clock of events and deliveries. */
export const databaseTime = sqlStatement<object, { now: string }>('SELECT now() AS now');

/** `firstDelivery` is the smallest possible identifier of a delivery since `since`, so that older partitions are not read. */
type Since = { team: string; endpoint: string; since: string; firstDelivery: string };
/** Types whose events the endpoint may not get. */
type Closed = { closed: string[] };

/** Locks the event of a delivery against deletion, and returns its payload size. Returns no row if the event is deleted. */
export const lockPayload = sqlStatement<DeliveryKey, { bytes: number }>(
  `SELECT octet_length(e.body) AS bytes FROM webhook_delivery d JOIN event e ON e.team_id = d.team_id AND e.id = d.event_id
   WHERE d.team_id = $team AND d.endpoint_id = $endpoint AND d.id = $id FOR KEY SHARE OF e`,
);

/** Queues every failed delivery of an endpoint since a time for a complete new series of attempts, and locks their events. */
export const requeueFailed = sqlStatement<Since & Closed, { n: number }>(
  `WITH locked AS MATERIALIZED (
     SELECT d.id FROM webhook_delivery d JOIN event e ON e.team_id = d.team_id AND e.id = d.event_id AND octet_length(e.body) > 0
     WHERE d.team_id = $team AND d.endpoint_id = $endpoint AND d.undelivered = 'failed' AND d.created_at >= $since AND d.id >= $firstDelivery
       AND d.event_type <> ALL($closed::text[])
     FOR KEY SHARE OF e
   ), back AS (
     UPDATE webhook_delivery SET status = 'pending', max_attempts = attempts + (SELECT max_attempts FROM webhook_setting), next_retry_at = NULL
     FROM locked
     WHERE team_id = $team AND endpoint_id = $endpoint AND undelivered = 'failed' AND webhook_delivery.id >= $firstDelivery AND webhook_delivery.id = locked.id
     RETURNING team_id, endpoint_id, webhook_delivery.id, event_id, attempts, max_attempts
   ), queued AS (
     INSERT INTO webhook_queue (team_id, endpoint_id, delivery_id, event_id, attempts, base_attempts, max_attempts, next_at)
     SELECT team_id, endpoint_id, id, event_id, attempts, attempts, max_attempts, now() FROM back
     RETURNING 1
   ) SELECT count(*) AS n FROM queued`,
);

type Missed = Since &
  Closed & {
    firstEvent: string;
    types: string[];
    prefixes: string[];
    /** Event types that the subscription `*` (an empty prefix) does not include. */
    notByAll: string[];
    not: readonly string[];
    base: string;
  };

/**
 * Queues the events since a time that an endpoint subscribes to but has no delivery of, and locks them. `firstEvent` limits the search by identifier.
 * The caller must lock the endpoint, because two concurrent calls would queue the same events.
 */
export const queueMissed = sqlStatement<Missed, { n: number }>(
  `WITH missed AS MATERIALIZED (
     SELECT e.team_id, e.id, e.type FROM event e
     WHERE e.team_id = $team AND e.id >= $firstEvent AND e.created_at >= $since AND e.type <> ALL($not::text[]) AND e.type <> ALL($closed::text[]) AND octet_length(e.body) > 0
       AND (e.type = ANY($types::text[]) OR EXISTS (SELECT FROM unnest($prefixes::text[]) family WHERE starts_with(e.type, family) AND (family <> '' OR e.type <> ALL($notByAll::text[]))))
       AND NOT EXISTS (SELECT FROM webhook_delivery d
         WHERE d.team_id = $team AND d.event_id = e.id AND d.endpoint_id = $endpoint AND d.id >= $firstDelivery)
     ORDER BY e.id FOR KEY SHARE OF e
   ), made AS (
     INSERT INTO webhook_delivery (team_id, endpoint_id, id, event_id, event_type, max_attempts, created_at)
     SELECT team_id, $endpoint, uuidv7_like($base), id, type, (SELECT max_attempts FROM webhook_setting), now() FROM missed
     RETURNING team_id, endpoint_id, id, event_id, max_attempts, created_at
   ), queued AS (
     INSERT INTO webhook_queue (team_id, endpoint_id, delivery_id, event_id, max_attempts, next_at)
     SELECT team_id, endpoint_id, id, event_id, max_attempts, created_at FROM made
     RETURNING 1
   ) SELECT count(*) AS n FROM queued`,
);

/** Cancels all waiting deliveries of an endpoint. Locks rows in the same order as workers. */
export const cancelWaiting = sqlStatement<{ team: string; endpoint: string }, never>(
  `WITH locked AS (
     SELECT delivery_id FROM webhook_queue WHERE team_id = $team AND endpoint_id = $endpoint ORDER BY delivery_id FOR UPDATE
   ), gone AS (
     DELETE FROM webhook_queue q USING locked WHERE q.team_id = $team AND q.endpoint_id = $endpoint AND q.delivery_id = locked.delivery_id
     RETURNING q.delivery_id
   )
   UPDATE webhook_delivery d SET status = 'cancelled', next_retry_at = NULL FROM gone
   WHERE d.team_id = $team AND d.endpoint_id = $endpoint AND d.id = gone.delivery_id AND d.status = 'pending'`,
);

/** Deletes the payload of an event permanently, and cancels its waiting deliveries to all endpoints. Locks rows in the same order as workers. */
export const expungePayload = sqlStatement<{ team: string; event: string; firstDelivery: string }, never>(
  `WITH emptied AS (
     UPDATE event SET body = '' WHERE team_id = $team AND id = $event
   ), locked AS (
     SELECT q.endpoint_id, q.delivery_id FROM webhook_delivery d
     JOIN webhook_queue q ON q.team_id = d.team_id AND q.endpoint_id = d.endpoint_id AND q.delivery_id = d.id
     WHERE d.team_id = $team AND d.event_id = $event AND d.id >= $firstDelivery ORDER BY q.endpoint_id, q.delivery_id FOR UPDATE OF q
   ), gone AS (
     DELETE FROM webhook_queue q USING locked WHERE q.team_id = $team AND q.endpoint_id = locked.endpoint_id AND q.delivery_id = locked.delivery_id
     RETURNING q.endpoint_id, q.delivery_id
   )
   UPDATE webhook_delivery d SET status = 'cancelled', error = 'payload_expunged', next_retry_at = NULL FROM gone
   WHERE d.team_id = $team AND d.endpoint_id = gone.endpoint_id AND d.id = gone.delivery_id AND d.status = 'pending'`,
);

/** Returns which of these scopes the endpoint currently has. */
export const scopesOpenTo = sqlStatement<{ team: string; endpoint: string; scopes: readonly string[] }, { scope: string }>(
  `SELECT s.scope FROM unnest($scopes::text[]) AS s(scope), webhook_endpoint e
   WHERE e.team_id = $team AND e.id = $endpoint AND endpoint_gets($team, e.client_id, e.scopes, s.scope)`,
);
