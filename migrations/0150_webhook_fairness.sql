-- Teams whose deliveries go out at so many an hour for now, because they have used up what they may announce: delayed, never
-- dropped. A row for each such team and none for the others, so that those cost a probe of an empty index. `free_at` is as
-- in webhook_pace.
CREATE TABLE webhook_team_pace (
  team_id uuid PRIMARY KEY,
  per_hour integer NOT NULL CHECK (per_hour > 0),
  free_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0.2);
CALL confine_to_team('webhook_team_pace', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('webhook_team_pace', 'SELECT', 'INSERT', 'UPDATE', 'DELETE');

-- As in 0080, and one outcome more: `moved` is an attempt that was made before its endpoint was changed and failed. It says
-- nothing of the endpoint as it is now, so that the delivery waits again, with one attempt more.
CREATE OR REPLACE FUNCTION write_webhook_outcomes(
  first uuid, last uuid, teams uuid[], endpoints uuid[], ids uuid[], places tid[],
  outcomes text[], numbers integer[], statuses integer[], errors text[], ages float8[], waits float8[]
) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off SET enable_bitmapscan = off SET enable_tidscan = on
SET enable_nestloop = on SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  UPDATE webhook_delivery d SET status = CASE r.outcome WHEN 'moved' THEN 'pending' ELSE r.outcome END,
    max_attempts = d.max_attempts + (r.outcome = 'moved')::int, attempts = least(r.attempt, d.max_attempts),
    response_status = r.response_status, error = r.error,
    last_attempt_at = CASE WHEN r.age IS NULL THEN d.last_attempt_at ELSE now() - make_interval(secs => r.age) END,
    delivered_at = CASE WHEN r.outcome = 'delivered' THEN now() END,
    next_retry_at = CASE WHEN r.outcome IN ('pending', 'moved') THEN now() + make_interval(secs => r.wait) END
  FROM unnest(teams, endpoints, ids, places, outcomes, numbers, statuses, errors, ages, waits)
    AS r(team_id, endpoint_id, id, place, outcome, attempt, response_status, error, age, wait)
  WHERE d.ctid = r.place AND d.team_id = r.team_id AND d.endpoint_id = r.endpoint_id AND d.id = r.id AND d.id BETWEEN first AND last;
END $$;
