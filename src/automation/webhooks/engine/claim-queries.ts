import { teamIsSuspended } from '#accounts';
import { sqlStatement } from '../../../platform/database/statement.ts';
import type { Claimed } from '../sending/outcome.ts';

// What takes deliveries from the queue. Runs as the system, with the settings of queue-queries.ts.

/** Where a claim looks: on from an endpoint, over at most `scan` of all that have something queued, or at those of some teams. */
export type Look = { afterTeam: string; afterEndpoint: string; scan: number } | { teams: string[] };

export type ClaimParams = {
  token: string;
  leaseSeconds: number;
  /** Deliveries at most. */
  limit: number;
  /** Deliveries that one endpoint gets at a time while it fails or takes only so much a second. */
  cap: number;
  /**
   * JSON: how many this worker may hold of each endpoint that it knows to answer, and 0 of those whose last answer never
   * ended; of these and of every other it is one.
   */
  rooms: string;
  /** Of all endpoints together that neither answered of late nor failed a claim takes so many. */
  fresh: number;
  /** Of all those together that failed last, or whose last answer never ended. */
  slice: number;
  /** Deliveries that one team gets, of each of these kinds. */
  share: number;
  /** JSON: the same of teams that this worker has deliveries of in hand. */
  shares: string;
};

type Looked = {
  /** Endpoints looked at, and the last of them. */
  scanned: number;
  last_team: string | null;
  last_endpoint: string | null;
  database_ms: number;
  /** Milliseconds until an endpoint that takes only so much may have more; null when none waits for that. */
  pace_ms: number | null;
};

/** `standing`: what is known of the endpoint: `answers` of late, `fresh`, or `troubled`. Of an event that is gone there is neither type nor body. */
type ClaimedDelivery = Omit<Claimed, 'eventType' | 'body'> & { standing: string; eventType: string | null; body: Buffer | null };

/** One row comes back at least, to say what was looked at: without a delivery where none is due. */
export type ClaimedRow = Looked & (ClaimedDelivery | { [Member in keyof ClaimedDelivery]: null });

// Both walks take one index probe an endpoint that has anything queued, however much that is.
const step = (from: string, next: string, condition: string) => `walk AS (
    ${from}
    UNION ALL
    SELECT n.team_id, n.endpoint_id, w.step + 1 FROM walk w CROSS JOIN LATERAL (
      SELECT q.team_id, q.endpoint_id FROM webhook_queue q WHERE ${next} ORDER BY q.team_id, q.endpoint_id LIMIT 1
    ) n ${condition}
  )`;
/** Along everything that is queued, from what `first` says and as long as `condition` says. */
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
 * Takes due deliveries under a lease. Of each endpoint only the first due rows are looked at, leased or not: a claimed
 * row keeps its place, so no more than these are ever in hand, with any number of workers and nothing to count. While
 * one worker has rows of an endpoint in hand the others leave that endpoint to it. An endpoint that has not answered this
 * worker of late gets one: each of their sends may be a new connection, and may hang. A claim takes a few of those that
 * failed last and more of those of which nothing is known, so that endpoints in trouble, whoever's they are, hold up no first
 * delivery. A failing endpoint gets fewer, an interrupted one and one of a suspended team none; one with a limit a second gets what is left of it, for
 * which its row in webhook_pace is locked, and passed over where another worker has it. Teams take turns, by lot among
 * those of one turn, each up to its share. The attempt is counted here: a delivery that kills its worker uses up its attempts. A delivery whose event is gone comes back without a body. One
 * row comes back at least, to say how far the walk went.
 */
const claimAlong = (path: string) =>
  `WITH RECURSIVE ${path},
  ready AS MATERIALIZED (
    SELECT h.place, kind.standing, random() AS lot, share.most,
      row_number() OVER (PARTITION BY w.team_id, kind.standing ORDER BY h.nth, h.next_at) AS turn
    FROM walk w
    JOIN webhook_endpoint e ON e.team_id = w.team_id AND e.id = w.endpoint_id AND e.is_active AND e.deleted_at IS NULL
      AND NOT ${teamIsSuspended('w.team_id')}
    LEFT JOIN webhook_endpoint_state s ON s.team_id = w.team_id AND s.endpoint_id = w.endpoint_id
    LEFT JOIN webhook_pace l ON l.team_id = w.team_id AND l.endpoint_id = w.endpoint_id
    CROSS JOIN LATERAL (SELECT ($rooms::jsonb ->> w.endpoint_id::text)::int AS room) known
    CROSS JOIN LATERAL (
      SELECT CASE WHEN known.room > 0 THEN 'answers' WHEN known.room = 0 OR s.consecutive_failures > 0 THEN 'troubled' ELSE 'fresh' END AS standing
    ) kind
    CROSS JOIN LATERAL (SELECT coalesce(($shares::jsonb ->> w.team_id::text)::int, $share::int) AS most) share
    LEFT JOIN LATERAL (
      SELECT floor(webhook_burst(p.max_per_second) - greatest(0, extract(epoch FROM p.free_at - now())) * webhook_rate(p.max_per_second) + 1e-6) AS room
      FROM webhook_pace p WHERE p.team_id = l.team_id AND p.endpoint_id = l.endpoint_id FOR UPDATE SKIP LOCKED
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
    SELECT q.ctid AS place, r.standing
    FROM (
      SELECT place, standing FROM (
        (SELECT * FROM ready WHERE standing = 'answers' AND turn <= most ORDER BY turn, lot LIMIT $limit)
        UNION ALL (SELECT * FROM ready WHERE standing = 'fresh' AND turn <= most ORDER BY turn, lot LIMIT $fresh)
        UNION ALL (SELECT * FROM ready WHERE standing = 'troubled' AND turn <= most ORDER BY turn, lot LIMIT $slice)
      ) allotted ORDER BY turn, lot LIMIT $limit
    ) r JOIN webhook_queue q ON q.ctid = r.place
    WHERE q.lease_until IS NULL OR q.lease_until < now()
    FOR UPDATE OF q SKIP LOCKED
  ),
  claimed AS (
    UPDATE webhook_queue q SET lease_until = now() + make_interval(secs => $leaseSeconds), lease_token = $token, attempts = q.attempts + 1
    FROM picked p WHERE q.ctid = p.place
    RETURNING q.team_id, q.endpoint_id, q.delivery_id, q.event_id, q.ctid AS place, q.attempts, q.max_attempts, q.base_attempts, p.standing
  ),
  paid AS (
    UPDATE webhook_pace p SET free_at = greatest(p.free_at, now()) + make_interval(secs => c.n::float8 / webhook_rate(p.max_per_second))
    FROM (SELECT team_id, endpoint_id, count(*) AS n FROM claimed GROUP BY 1, 2) c
    WHERE p.team_id = c.team_id AND p.endpoint_id = c.endpoint_id
    RETURNING p.free_at
  )
  SELECT t.scanned, t.last_team, t.last_endpoint, (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS database_ms,
    (SELECT (extract(epoch FROM min(free_at) - now()) * 1000)::float8 FROM (
      SELECT free_at FROM paid UNION ALL
      SELECT p.free_at FROM walk w JOIN webhook_pace p ON p.team_id = w.team_id AND p.endpoint_id = w.endpoint_id WHERE p.free_at > now()
    ) waits) AS pace_ms, c.*
  FROM (SELECT n AS scanned, w.team_id AS last_team, w.endpoint_id AS last_endpoint FROM (SELECT count(*)::int AS n FROM walk) many LEFT JOIN walk w ON w.step = n LIMIT 1) t
  LEFT JOIN (
    SELECT c.team_id AS "teamId", c.endpoint_id AS "endpointId", c.delivery_id AS "deliveryId", c.event_id AS "eventId", c.place, v.type AS "eventType",
      c.attempts AS attempt, c.max_attempts AS "maxAttempts", c.base_attempts AS "baseAttempts", c.standing, v.body, e.url, e.version, e.secret,
      CASE WHEN e.previous_secret_until > now() THEN e.previous_secret END AS "previousSecret", e.headers, e.signing,
      EXISTS (SELECT FROM webhook_endpoint_state s WHERE s.team_id = c.team_id AND s.endpoint_id = c.endpoint_id AND s.consecutive_failures > 0) AS failing
    FROM claimed c
    JOIN webhook_endpoint e ON e.team_id = c.team_id AND e.id = c.endpoint_id
    LEFT JOIN LATERAL (SELECT v.type, v.body FROM event v WHERE v.team_id = c.team_id AND v.id = c.event_id LIMIT 1) v ON true
  ) c ON true`;

/** A claim of what lies on from an endpoint: everything that is due, in time. */
export const claimOn = sqlStatement<ClaimParams & { afterTeam: string; afterEndpoint: string; scan: number }, ClaimedRow>(
  claimAlong(walkOn),
);

/** A claim for some teams alone: as quick as ever, whatever waits for the endpoints of others. */
export const claimForTeams = sqlStatement<ClaimParams & { teams: string[] }, ClaimedRow>(claimAlong(walkTeams));
