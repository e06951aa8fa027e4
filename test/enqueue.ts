import type pg from 'pg';

/** An endpoint with queued deliveries. */
export type TargetEndpoint = { id: string; team: string };
/** `ageMs` is the age of the deliveries. `body` is the body of each, by default a small event. `quietly` sends no notification to workers. */
export type Enqueued = { ageMs?: number; body?: Buffer; maxAttempts?: number; quietly?: boolean };

/** Returns a UUIDv7 of a given time. */
function idAt(ms: number): string {
  const hex = Math.floor(ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/**
 * Queues so many events for an endpoint in one statement, like the fan-out. For tests of a filled queue. The event types begin with `test.`, as no
 * product event does.
 */
export async function enqueue(pool: pg.Pool, { id, team }: TargetEndpoint, count: number, options: Enqueued = {}): Promise<void> {
  const { ageMs = 0, body = null, maxAttempts = 3 } = options;
  await pool.query(
    `WITH made AS MATERIALIZED (SELECT n, 'evt_' || replace(uuidv7_like($7::uuid)::text, '-', '') AS id, uuidv7_like($7::uuid) AS delivery FROM generate_series(1, $3::int) n),
     e AS (INSERT INTO event (team_id, id, type, body, created_at)
       SELECT $1::uuid, id, 'test.made', coalesce($5::bytea, convert_to('{"id":"' || id || '","type":"test.made","n":' || n || '}', 'UTF8')), now() FROM made),
     d AS (INSERT INTO webhook_delivery (team_id, endpoint_id, id, event_id, event_type, max_attempts, created_at)
       SELECT $1::uuid, $2::uuid, delivery, id, 'test.made', $6::int, now() - make_interval(secs => $4) FROM made RETURNING *)
     INSERT INTO webhook_queue (team_id, endpoint_id, delivery_id, event_id, max_attempts, next_at)
     SELECT team_id, endpoint_id, id, event_id, max_attempts, created_at FROM d`,
    [team, id, count, ageMs / 1_000, body, maxAttempts, idAt(Date.now() - ageMs)],
  );
  if (!options.quietly) await pool.query("SELECT pg_notify('webhook_due', $1)", [team]);
}
