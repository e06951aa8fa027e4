import { teamIsSuspended } from '#accounts';
import { sqlStatement } from '../../../platform/database/statement.ts';
import { delayByBudget } from '../../../platform/limits/quota-queries.ts';
import { walk } from './claim-queries.ts';

// Statements of the workers. They cross teams and run as the system (jobs.ts). Each still names team_id, because it leads every key.

/**
 * Planner settings for the statements below, for one transaction. The queue can grow from empty to a million rows before its statistics change, so
 * plans must be good for both sizes. Otherwise PostgreSQL would scan a table that was empty for each joined row.
 */
export const forceStablePlans = sqlStatement<object, never>(
  `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
     set_config('enable_bitmapscan', 'off', true), set_config('enable_material', 'off', true),
     set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`,
);

/** For the claim only: reads the head of an endpoint’s queue in index order instead of sorting its whole backlog. */
export const noSorting = sqlStatement<object, never>(
  "SELECT set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true)",
);

/** The result of one attempt, by column names. Members without a value are absent. */
export type SettledRow = {
  team_id: string;
  endpoint_id: string;
  delivery_id: string;
  place: string;
  attempt: number;
  /** The version of the endpoint at the claim. */
  version: number;
  /** `delivered`, `failed`, or `pending` for another attempt after `wait` seconds. */
  outcome: string;
  wait: number;
  /** Seconds since the attempt began. Absent if nothing was sent. */
  age?: number | undefined;
  latency_ms?: number | undefined;
  response_status?: number | undefined;
  error?: string | undefined;
  error_detail?: string | undefined;
  response_headers?: string | undefined;
  /** Hexadecimal, after `\\x`. */
  response_body?: string | undefined;
};

/**
 * Writes the results of a batch: the log for each, the state only if this worker still has the lease. A failure under an earlier version of the
 * endpoint does not count for the current one, so the delivery is queued again at once. A repeated execution changes nothing. Rows of the queue are
 * found by the positions from the claim, regardless of the queue’s size. By index, the planner might read an endpoint’s whole backlog, because its
 * statistics may be from an empty queue. Rows of the log are found and written one by one for the same reason (`write_webhook_outcomes`). `first` and
 * `last` are the smallest and the greatest identifier, so that other partitions are not opened.
 */
export const settle = sqlStatement<{ token: string; rows: string; first: string; last: string }, never>(
  `WITH result AS MATERIALIZED (
    SELECT * FROM json_to_recordset($rows::json) AS r(team_id uuid, endpoint_id uuid, delivery_id uuid, place tid, attempt int, version int, outcome text, wait float8, age float8,
      latency_ms int, response_status int, error text, error_detail text, response_headers text, response_body bytea)
  ),
  logged AS (
    INSERT INTO webhook_attempt (team_id, endpoint_id, delivery_id, attempt, started_at, latency_ms, response_status, error, error_detail, response_headers, response_body)
    SELECT team_id, endpoint_id, delivery_id, attempt, now() - make_interval(secs => age), latency_ms, response_status, error, error_detail, response_headers, response_body
    FROM result WHERE age IS NOT NULL
    ON CONFLICT DO NOTHING
  ),
  locked AS MATERIALIZED (
    SELECT r.team_id, r.endpoint_id, r.delivery_id, r.place, r.attempt, r.response_status, r.error, r.age, CASE WHEN moved.so THEN 0 ELSE r.wait END AS wait,
      CASE WHEN moved.so THEN 'moved' ELSE r.outcome END AS outcome
    FROM (SELECT * FROM result ORDER BY team_id, endpoint_id, delivery_id OFFSET 0) r
    CROSS JOIN LATERAL (
      SELECT r.outcome <> 'delivered' AND r.age IS NOT NULL AND EXISTS (
        SELECT FROM webhook_endpoint e WHERE e.team_id = r.team_id AND e.id = r.endpoint_id AND e.version <> r.version
      ) AS so
    ) moved
    CROSS JOIN LATERAL (
      SELECT FROM webhook_queue q WHERE q.ctid = r.place
        AND q.team_id = r.team_id AND q.endpoint_id = r.endpoint_id AND q.delivery_id = r.delivery_id AND q.lease_token = $token AND q.attempts = r.attempt
      FOR UPDATE
    ) q
  ),
  finished AS (
    DELETE FROM webhook_queue q USING locked h WHERE q.ctid = h.place AND h.outcome NOT IN ('pending', 'moved')
  ),
  waiting AS (
    UPDATE webhook_queue q SET next_at = now() + make_interval(secs => h.wait), lease_until = NULL, lease_token = NULL,
      max_attempts = q.max_attempts + (h.outcome = 'moved')::int,
      base_attempts = CASE WHEN h.outcome = 'moved' THEN q.attempts ELSE q.base_attempts END
    FROM locked h WHERE q.ctid = h.place AND h.outcome IN ('pending', 'moved')
  ),
  logs AS (
    SELECT h.*, d.log_place FROM locked h CROSS JOIN LATERAL (
      SELECT d.ctid AS log_place FROM webhook_delivery d
      WHERE d.team_id = h.team_id AND d.endpoint_id = h.endpoint_id AND d.id = h.delivery_id AND d.id BETWEEN $first AND $last LIMIT 1
    ) d
  )
  SELECT write_webhook_outcomes($first, $last, array_agg(team_id), array_agg(endpoint_id), array_agg(delivery_id), array_agg(log_place),
    array_agg(outcome), array_agg(attempt), array_agg(response_status), array_agg(error), array_agg(age), array_agg(wait)) FROM logs`,
);

type Endpoints = { teams: string[]; endpoints: string[] };
/** Results for endpoints, each with the version at the claim. */
type Versions = Endpoints & { versions: number[] };
type Places = Endpoints & { deliveries: string[]; places: string[] };

/** Serializes workers that write states of several endpoints: row locks do not cover a row that another worker has just inserted. */
export const takeTurn = sqlStatement<object, never>("SELECT FROM pg_advisory_xact_lock(hashtextextended('webhook breakers', 0))");

/** Locks the states of endpoints in order, for the two statements below. Otherwise two workers could deadlock. */
export const lockEndpointStates = sqlStatement<Endpoints, never>(
  `SELECT FROM webhook_endpoint_state s JOIN unnest($teams::uuid[], $endpoints::uuid[]) AS r(team_id, endpoint_id)
     ON s.team_id = r.team_id AND s.endpoint_id = r.endpoint_id
   ORDER BY s.team_id, s.endpoint_id FOR UPDATE OF s`,
);

/** Closes the circuit breaker of endpoints that accepted a delivery, if their version is unchanged. */
export const endpointsRecovered = sqlStatement<Versions, never>(
  `UPDATE webhook_endpoint_state s SET consecutive_failures = 0, failing_since = NULL, blocked_until = NULL
   FROM unnest($teams::uuid[], $endpoints::uuid[], $versions::int[]) AS r(team_id, endpoint_id, version)
   JOIN webhook_endpoint e ON e.team_id = r.team_id AND e.id = r.endpoint_id AND e.version = r.version
   WHERE s.team_id = r.team_id AND s.endpoint_id = r.endpoint_id AND s.consecutive_failures > 0`,
);

type Failures = Versions & {
  failures: number[];
  /** The number of consecutive failures that opens the circuit breaker, and its pause in seconds. Each further failure doubles the pause. */
  threshold: number;
  pauseSeconds: number;
  longestPauseSeconds: number;
  /** When an endpoint is disabled. */
  disableAfterSeconds: number;
  disableFrom: number;
};

/**
 * Counts consecutive failures of endpoints whose version is unchanged, opens the circuit breaker past the threshold, and returns the endpoints to
 * disable.
 */
export const endpointsFailed = sqlStatement<Failures, { team_id: string; endpoint_id: string; dead: boolean }>(
  `INSERT INTO webhook_endpoint_state AS s (team_id, endpoint_id, consecutive_failures, failing_since, blocked_until)
   SELECT r.team_id, r.endpoint_id, n, now(),
     CASE WHEN n >= $threshold::int THEN now() + make_interval(secs => least($longestPauseSeconds::float8, $pauseSeconds::float8 * power(2, least(30, n - $threshold)))) END
   FROM unnest($teams::uuid[], $endpoints::uuid[], $versions::int[], $failures::int[]) AS r(team_id, endpoint_id, version, n)
   JOIN webhook_endpoint e ON e.team_id = r.team_id AND e.id = r.endpoint_id AND e.version = r.version
   ORDER BY 1, 2
   ON CONFLICT (team_id, endpoint_id) DO UPDATE SET
     consecutive_failures = s.consecutive_failures + excluded.consecutive_failures,
     failing_since = coalesce(s.failing_since, now()),
     blocked_until = CASE WHEN s.consecutive_failures + excluded.consecutive_failures >= $threshold
       THEN now() + make_interval(secs => least($longestPauseSeconds, $pauseSeconds * power(2, least(30, s.consecutive_failures + excluded.consecutive_failures - $threshold)))) END
   RETURNING team_id, endpoint_id, consecutive_failures >= $disableFrom AND failing_since <= now() - make_interval(secs => $disableAfterSeconds) AS dead`,
);

/** Selects a delivery that the worker has claimed, if its endpoint is unchanged. */
export const claimStands = sqlStatement<
  { team: string; endpoint: string; delivery: string; token: string; version: number },
  { id: string }
>(
  `SELECT q.delivery_id AS id FROM webhook_queue q
   JOIN webhook_endpoint e ON e.team_id = q.team_id AND e.id = q.endpoint_id AND e.version = $version AND e.is_active AND e.deleted_at IS NULL
   WHERE q.team_id = $team AND q.endpoint_id = $endpoint AND q.delivery_id = $delivery AND q.lease_token = $token`,
);

/** Releases claimed deliveries that were not sent; the attempt does not count. Locks rows in the order in which results are written. */
export const releaseClaims = sqlStatement<Places & { token: string }, never>(
  `WITH locked AS MATERIALIZED (
     SELECT r.place
     FROM (SELECT * FROM unnest($teams::uuid[], $endpoints::uuid[], $deliveries::uuid[], $places::tid[]) AS r(team_id, endpoint_id, delivery_id, place)
           ORDER BY team_id, endpoint_id, delivery_id OFFSET 0) r
     CROSS JOIN LATERAL (
       SELECT FROM webhook_queue q WHERE q.ctid = r.place
         AND q.team_id = r.team_id AND q.endpoint_id = r.endpoint_id AND q.delivery_id = r.delivery_id AND q.lease_token = $token
       FOR UPDATE
     ) q
   )
   UPDATE webhook_queue q SET lease_until = NULL, lease_token = NULL, attempts = q.attempts - 1 FROM locked WHERE q.ctid = locked.place`,
);

/**
 * Ends deliveries that can no longer be sent, at most `limit`. They become `cancelled` if the endpoint is deleted (the event came during the
 * deletion), and `failed` if it has been inactive too long.
 */
export const endUnsendable = sqlStatement<{ inactiveSeconds: number; limit: number }, { ended: number }>(
  `WITH RECURSIVE ${walk('', '')},
  dead AS (
    SELECT w.team_id, w.endpoint_id, CASE WHEN e.deleted_at IS NULL THEN 'failed' ELSE 'cancelled' END AS status
    FROM walk w JOIN webhook_endpoint e ON e.team_id = w.team_id AND e.id = w.endpoint_id
    WHERE e.deleted_at IS NOT NULL OR e.deactivated_at < now() - make_interval(secs => $inactiveSeconds)
  ),
  picked AS MATERIALIZED (
    SELECT p.*, dead.status FROM dead CROSS JOIN LATERAL (
      SELECT q.team_id, q.endpoint_id, q.delivery_id, q.ctid AS place FROM webhook_queue q
      WHERE q.team_id = dead.team_id AND q.endpoint_id = dead.endpoint_id AND (q.lease_until IS NULL OR q.lease_until < now())
      ORDER BY q.delivery_id LIMIT $limit FOR UPDATE SKIP LOCKED
    ) p
  ),
  gone AS (
    DELETE FROM webhook_queue q USING picked p WHERE q.ctid = p.place AND q.team_id = p.team_id AND q.delivery_id = p.delivery_id
  ),
  ended AS (
    UPDATE webhook_delivery d SET status = p.status, next_retry_at = NULL, error = CASE WHEN p.status = 'failed' THEN 'endpoint_inactive' ELSE d.error END
    FROM picked p WHERE d.team_id = p.team_id AND d.endpoint_id = p.endpoint_id AND d.id = p.delivery_id
    RETURNING 1
  ) SELECT count(*)::int AS ended FROM ended`,
);

/**
 * Counts the due deliveries that no worker has claimed, at most `limit`, and the seconds since the oldest became due.
 * Leaves out inactive endpoints and endpoints of suspended teams. Also leaves out endpoints whose last attempt failed,
 * because their deliveries wait for the receiver. Scans at most `limit` endpoints.
 */
export const countDueDeliveries = sqlStatement<{ limit: number }, { deliveries: number; oldest_seconds: number | null }>(
  `WITH RECURSIVE ${walk('', 'WHERE w.step < $limit::int')},
  due AS (
    SELECT d.next_at FROM walk w
    JOIN webhook_endpoint e ON e.team_id = w.team_id AND e.id = w.endpoint_id AND e.is_active AND e.deleted_at IS NULL
      AND NOT ${teamIsSuspended('w.team_id')}
    LEFT JOIN webhook_endpoint_state s ON s.team_id = w.team_id AND s.endpoint_id = w.endpoint_id
    CROSS JOIN LATERAL (
      SELECT q.next_at FROM webhook_queue q
      WHERE q.team_id = w.team_id AND q.endpoint_id = w.endpoint_id AND q.next_at <= now() AND (q.lease_until IS NULL OR q.lease_until < now())
      ORDER BY q.next_at LIMIT $limit::int
    ) d
    WHERE coalesce(s.consecutive_failures, 0) = 0
    LIMIT $limit::int
  ) SELECT count(*)::int AS deliveries, extract(epoch FROM now() - min(next_at))::float8 AS oldest_seconds FROM due`,
);

/** Stores the maximum number of attempts, for nodes that run no workers. */
export const keepMaxAttempts = sqlStatement<{ maxAttempts: number }, never>(
  'UPDATE webhook_setting SET max_attempts = $maxAttempts WHERE max_attempts <> $maxAttempts',
);

/** The days (UTC, `YYYY-MM-DD`) without a partition of the log, up to `ahead` days from now. */
export const daysToMake = sqlStatement<{ now: Date; ahead: number }, { day: string }>(
  `SELECT day::date AS day FROM (
     SELECT generate_series(($now::timestamptz AT TIME ZONE 'UTC')::date, ($now AT TIME ZONE 'UTC')::date + $ahead::int, interval '1 day')::date AS day
     UNION SELECT webhook_log_days_to_make($now - interval '400 days', $now + make_interval(days => $ahead))
   ) days WHERE to_regclass('webhook_attempt' || to_char(day, '_YYYYMMDD')) IS NULL ORDER BY day`,
  { day: 'a day always has a name' },
);

/** Creates the partitions of a day, and moves its rows from the default partition into them. */
export const makeDay = sqlStatement<{ day: string }, { made: boolean }>('SELECT make_webhook_log_day($day::date) AS made');

const stillWaits = `EXISTS (SELECT FROM webhook_delivery d JOIN webhook_queue q ON q.team_id = d.team_id AND q.endpoint_id = d.endpoint_id AND q.delivery_id = d.id
         WHERE d.team_id = e.team_id AND d.event_id = e.id)`;

/** Locks events before a time that no delivery waits for, at most `limit`. Skips events that a retry has locked. */
export const lockOldEvents = sqlStatement<{ before: Date; limit: number }, { team_id: string; id: string }>(
  `SELECT e.team_id, e.id FROM event e WHERE e.created_at < $before AND NOT ${stillWaits} LIMIT $limit FOR UPDATE OF e SKIP LOCKED`,
);

/** Deletes locked events, except those that a retry has queued since. */
export const dropLockedEvents = sqlStatement<{ teams: string[]; ids: string[] }, never>(
  `DELETE FROM event e USING unnest($teams::uuid[], $ids::text[]) AS r(team_id, id)
   WHERE e.team_id = r.team_id AND e.id = r.id AND NOT ${stillWaits}`,
);

/** The past days of the log before `before`, oldest first. */
export const daysBefore = sqlStatement<{ before: Date }, { day: string }>('SELECT day FROM webhook_log_days_before($before) AS days(day)');

/** Drops the partitions of a day. Keeps deliveries that still wait, and with `keepUndelivered` all undelivered ones. */
export const thinDay = sqlStatement<{ day: string; keepUndelivered: boolean }, { thinned: boolean }>(
  'SELECT thin_webhook_log_day($day::date, $keepUndelivered) AS thinned',
);

/** Returns which of these teams have an endpoint, active or not, that subscribes to an event and has its scope. */
export const teamsThatAsk = sqlStatement<{ teams: string[]; names: string[]; scope: string }, { team_id: string }>(
  `SELECT DISTINCT team_id FROM webhook_endpoint WHERE team_id = ANY($teams::uuid[]) AND deleted_at IS NULL AND events && $names::text[]
     AND endpoint_gets(team_id, client_id, scopes, $scope)`,
);

type ManyEvents = {
  /** The team of each event. This array and the three below have one element for each event. */
  teams: string[];
  events: string[];
  bodies: Buffer[];
  times: string[];
  /** The distinct teams. Only their endpoints are read. */
  asking: string[];
  type: string;
  names: string[];
  /** The scope that the events require. */
  scope: string;
  /** A UUIDv7 with the time for the identifiers of the deliveries. */
  base: string;
};

/** Records events of one type, and queues each new one for every subscribed active endpoint of its team. */
export const fanOutMany = sqlStatement<ManyEvents, { team_id: string; queued: number; woken: string }>(
  `WITH recorded AS (
     INSERT INTO event (team_id, id, type, body, created_at)
     SELECT team_id, id, $type, body, created_at
     FROM unnest($teams::uuid[], $events::text[], $bodies::bytea[], $times::timestamptz[]) AS e(team_id, id, body, created_at)
     ON CONFLICT DO NOTHING RETURNING team_id, id
   ), made AS (
     INSERT INTO webhook_delivery (team_id, endpoint_id, id, event_id, event_type, max_attempts, created_at)
     SELECT e.team_id, w.id, uuidv7_like($base), e.id, $type, (SELECT max_attempts FROM webhook_setting), now()
     FROM recorded e JOIN webhook_endpoint w ON w.team_id = e.team_id AND w.is_active AND w.deleted_at IS NULL AND w.events && $names::text[]
       AND endpoint_gets(w.team_id, w.client_id, w.scopes, $scope)
     WHERE w.team_id = ANY($asking::uuid[])
     RETURNING team_id, endpoint_id, id, event_id, max_attempts, created_at
   ), queued AS (
     INSERT INTO webhook_queue (team_id, endpoint_id, delivery_id, event_id, max_attempts, next_at)
     SELECT team_id, endpoint_id, id, event_id, max_attempts, created_at + ${delayByBudget('deliveries', 'made.team_id')} FROM made
     RETURNING team_id
   ) SELECT team_id, queued, pg_notify('webhook_due', team_id::text)::text AS woken FROM (SELECT team_id, count(*)::int AS queued FROM queued GROUP BY team_id) q`,
);
