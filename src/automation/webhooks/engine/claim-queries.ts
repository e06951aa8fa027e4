import { teamIsSuspended } from '#accounts';
import { sqlStatement } from '../../../platform/database/statement.ts';
import type { Claimed } from '../sending/outcome.ts';

// Statements that claim deliveries from the queue. They run as the system, with the settings of queue-queries.ts.

/** The endpoints of a claim: at most `scan` endpoints with queued deliveries after a given endpoint, or the endpoints of some teams. */
export type Look = { afterTeam: string; afterEndpoint: string; scan: number } | { teams: string[] };

export type ClaimParams = {
  token: string;
  leaseSeconds: number;
  /** Maximum deliveries. */
  limit: number;
  /** Maximum deliveries in progress to an endpoint that is failing or has a rate limit. */
  cap: number;
  /**
   * JSON: the maximum in progress for each endpoint that recently responded to this worker, and 0 for endpoints whose last response never ended.
   * Endpoints with 0 and all others get at most one delivery.
   */
  rooms: string;
  /** Maximum deliveries for all endpoints that neither responded recently nor failed. */
  fresh: number;
  /** Maximum deliveries for all endpoints that failed last, or whose last response never ended. */
  slice: number;
  /** Maximum deliveries of one team, for each health of endpoints. */
  share: number;
  /** JSON: `share` for each team with deliveries in progress at this worker. */
  shares: string;
};

type ScanResult = {
  /** The number of scanned endpoints, and the last of them. */
  scanned: number;
  last_team: string | null;
  last_endpoint: string | null;
  database_ms: number;
  /** Milliseconds until a rate-limited endpoint may get more deliveries; null if no such endpoint waits. */
  pace_ms: number | null;
};

/**
 * `health`: the kind of endpoint: `answers` if it responded recently, `fresh`, or `troubled`. The type and the body are null if the event is
 * deleted.
 */
type ClaimedDelivery = Omit<Claimed, 'eventType' | 'body'> & { health: string; eventType: string | null; body: Buffer | null };

/** A row of a claim. At least one row reports the scan; it has no delivery if none is due. */
export type ClaimedRow = ScanResult & (ClaimedDelivery | { [Member in keyof ClaimedDelivery]: null });

// Both walks need one index probe for each endpoint with queued deliveries, regardless of their number.
const step = (from: string, next: string, condition: string) => `walk AS (
    ${from}
    UNION ALL
    SELECT n.team_id, n.endpoint_id, w.step + 1 FROM walk w CROSS JOIN LATERAL (
      SELECT q.team_id, q.endpoint_id FROM webhook_queue q WHERE ${next} ORDER BY q.team_id, q.endpoint_id LIMIT 1
    ) n ${condition}
  )`;
/** Scans all queued endpoints, starting at `first` while `condition` holds. */
export const walk = (first: string, condition: string) =>
  step(
    `(SELECT q.team_id, q.endpoint_id, 1 AS step FROM webhook_queue q ${first} ORDER BY q.team_id, q.endpoint_id LIMIT 1)`,
    '(q.team_id, q.endpoint_id) > (w.team_id, w.endpoint_id)',
    condition,
  );
const walkOn = walk('WHERE (q.team_id, q.endpoint_id) > ($afterTeam::uuid, $afterEndpoint::uuid)', 'WHERE w.step < $scan');
const walkTeams = step(
  `SELECT f.team_id, f.endpoint_id, 1 AS step FROM unnest($teams::uuid[]) AS t(team_id) CROSS JOIN LATERAL (
      SELECT q.team_id, q.endpoint_id FROM webhook_queue q WHERE q.team_id = t.team_id ORDER BY q.team_id, q.endpoint_id LIMIT 1
    ) f`,
  'q.team_id = w.team_id AND q.endpoint_id > w.endpoint_id',
  '',
);

/**
 * Claims due deliveries with a lease.
 * - Only the first due rows of each endpoint are read, leased or not. A claimed row keeps its position, so this limits the deliveries in progress
 *   without counting, for any number of workers.
 * - While one worker has deliveries of an endpoint in progress, other workers skip that endpoint.
 * - An endpoint that has not responded to this worker recently gets one delivery, because each may need a new connection and may hang.
 * - A claim takes a few deliveries of failing endpoints and more of unknown ones, so that failing endpoints delay no first delivery.
 * - A failing endpoint gets fewer. An endpoint with an open circuit breaker or of a suspended team gets none.
 * - A rate-limited endpoint gets its remaining allowance. Its row in webhook_rate_limit is locked, and skipped if another worker has it.
 * - Teams take turns in random order, each up to its share.
 * - The attempt is counted here, so a delivery that crashes its worker uses up its attempts.
 * - A delivery whose event is deleted has no body. At least one row reports the progress of the scan.
 */
const claimAlong = (path: string) =>
  `WITH RECURSIVE ${path},
  ready AS MATERIALIZED (
    SELECT h.place, kind.health, random() AS lot, share.most,
      row_number() OVER (PARTITION BY w.team_id, kind.health ORDER BY h.nth, h.next_at) AS turn
    FROM walk w
    JOIN webhook_endpoint e ON e.team_id = w.team_id AND e.id = w.endpoint_id AND e.is_active AND e.deleted_at IS NULL
      AND NOT ${teamIsSuspended('w.team_id')}
    LEFT JOIN webhook_endpoint_state s ON s.team_id = w.team_id AND s.endpoint_id = w.endpoint_id
    LEFT JOIN webhook_rate_limit l ON l.team_id = w.team_id AND l.endpoint_id = w.endpoint_id
    CROSS JOIN LATERAL (SELECT ($rooms::jsonb ->> w.endpoint_id::text)::int AS room) known
    CROSS JOIN LATERAL (
      SELECT CASE WHEN known.room > 0 THEN 'answers' WHEN known.room = 0 OR s.consecutive_failures > 0 THEN 'troubled' ELSE 'fresh' END AS health
    ) kind
    CROSS JOIN LATERAL (SELECT coalesce(($shares::jsonb ->> w.team_id::text)::int, $share::int) AS most) share
    LEFT JOIN LATERAL (
      SELECT floor(webhook_burst(p.max_per_second) - greatest(0, extract(epoch FROM p.free_at - now())) * webhook_rate(p.max_per_second) + 1e-6) AS room
      FROM webhook_rate_limit p WHERE p.team_id = l.team_id AND p.endpoint_id = l.endpoint_id FOR UPDATE SKIP LOCKED
    ) allowance ON true
    CROSS JOIN LATERAL (
      SELECT head.*, bool_or(leased AND lease_token <> $token) OVER () AS taken, count(*) FILTER (WHERE NOT leased) OVER (ORDER BY nth) AS free_nth FROM (
        SELECT q.ctid AS place, q.next_at, q.lease_token, coalesce(q.lease_until >= now(), false) AS leased, row_number() OVER (ORDER BY q.next_at) AS nth
        FROM webhook_queue q
        WHERE q.team_id = w.team_id AND q.endpoint_id = w.endpoint_id AND q.next_at <= now()
        ORDER BY q.next_at
        LIMIT least(greatest(1, coalesce(known.room, 1)), CASE WHEN s.consecutive_failures > 0 THEN greatest(1, $cap::int - s.consecutive_failures) WHEN l.endpoint_id IS NOT NULL THEN $cap END)
      ) head
    ) h
    WHERE (s.blocked_until IS NULL OR s.blocked_until <= now()) AND NOT h.leased AND NOT h.taken
      AND (l.endpoint_id IS NULL OR h.free_nth <= allowance.room)
  ),
  picked AS MATERIALIZED (
    SELECT q.ctid AS place, r.health
    FROM (
      SELECT place, health FROM (
        (SELECT * FROM ready WHERE health = 'answers' AND turn <= most ORDER BY turn, lot LIMIT $limit)
        UNION ALL (SELECT * FROM ready WHERE health = 'fresh' AND turn <= most ORDER BY turn, lot LIMIT $fresh)
        UNION ALL (SELECT * FROM ready WHERE health = 'troubled' AND turn <= most ORDER BY turn, lot LIMIT $slice)
      ) allotted ORDER BY turn, lot LIMIT $limit
    ) r JOIN webhook_queue q ON q.ctid = r.place
    WHERE q.lease_until IS NULL OR q.lease_until < now()
    FOR UPDATE OF q SKIP LOCKED
  ),
  claimed AS (
    UPDATE webhook_queue q SET lease_until = now() + make_interval(secs => $leaseSeconds), lease_token = $token, attempts = q.attempts + 1
    FROM picked p WHERE q.ctid = p.place
    RETURNING q.team_id, q.endpoint_id, q.delivery_id, q.event_id, q.ctid AS place, q.attempts, q.max_attempts, q.base_attempts, p.health
  ),
  paid AS (
    UPDATE webhook_rate_limit p SET free_at = greatest(p.free_at, now()) + make_interval(secs => c.n::float8 / webhook_rate(p.max_per_second))
    FROM (SELECT team_id, endpoint_id, count(*) AS n FROM claimed GROUP BY 1, 2) c
    WHERE p.team_id = c.team_id AND p.endpoint_id = c.endpoint_id
    RETURNING p.free_at
  )
  SELECT t.scanned, t.last_team, t.last_endpoint, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS database_ms,
    (SELECT (extract(epoch FROM min(free_at) - now()) * 1000)::float8 FROM (
      SELECT free_at FROM paid UNION ALL
      SELECT p.free_at FROM walk w JOIN webhook_rate_limit p ON p.team_id = w.team_id AND p.endpoint_id = w.endpoint_id WHERE p.free_at > now()
    ) waits) AS pace_ms, c.*
  FROM (SELECT n AS scanned, w.team_id AS last_team, w.endpoint_id AS last_endpoint FROM (SELECT count(*)::int AS n FROM walk) many LEFT JOIN walk w ON w.step = n LIMIT 1) t
  LEFT JOIN (
    SELECT c.team_id AS "teamId", c.endpoint_id AS "endpointId", c.delivery_id AS "deliveryId", c.event_id AS "eventId", c.place, v.type AS "eventType", v.traceparent,
      c.attempts AS attempt, c.max_attempts AS "maxAttempts", c.base_attempts AS "baseAttempts", c.health, v.body, e.url, e.version, e.secret,
      CASE WHEN e.previous_secret_until > now() THEN e.previous_secret END AS "previousSecret", e.headers, e.signing,
      EXISTS (SELECT FROM webhook_endpoint_state s WHERE s.team_id = c.team_id AND s.endpoint_id = c.endpoint_id AND s.consecutive_failures > 0) AS failing
    FROM claimed c
    JOIN webhook_endpoint e ON e.team_id = c.team_id AND e.id = c.endpoint_id
    LEFT JOIN LATERAL (SELECT v.type, v.body, v.traceparent FROM event v WHERE v.team_id = c.team_id AND v.id = c.event_id LIMIT 1) v ON true
  ) c ON true`;

/** Claims for the queued endpoints after a given one, in order. Repeated calls reach all due deliveries. */
export const claimOn = sqlStatement<ClaimParams & { afterTeam: string; afterEndpoint: string; scan: number }, ClaimedRow>(
  claimAlong(walkOn),
);

/** Claims for some teams only. Its cost does not depend on the backlog of other teams. */
export const claimForTeams = sqlStatement<ClaimParams & { teams: string[] }, ClaimedRow>(claimAlong(walkTeams));
