-- Writes what came of a batch of attempts into the log of deliveries, whose rows lie where `places` says; `first` and `last`,
-- the smallest and the greatest id, keep other partitions closed. A function for its settings: the planner takes a young
-- partition, or a range of ids, for a handful of rows, and would compare every delivery between the first and the last with
-- each one of the batch. With no way but the place, each row is read by itself, whatever the log holds.
CREATE FUNCTION write_webhook_outcomes(
  first uuid, last uuid, teams uuid[], endpoints uuid[], ids uuid[], places tid[],
  outcomes text[], numbers integer[], statuses integer[], errors text[], ages float8[], waits float8[]
) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off SET enable_bitmapscan = off SET enable_tidscan = on
SET enable_nestloop = on SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  UPDATE webhook_delivery d SET status = r.outcome, attempts = least(r.attempt, d.max_attempts), response_status = r.response_status, error = r.error,
    last_attempt_at = CASE WHEN r.age IS NULL THEN d.last_attempt_at ELSE now() - make_interval(secs => r.age) END,
    delivered_at = CASE WHEN r.outcome = 'delivered' THEN now() END,
    next_retry_at = CASE WHEN r.outcome = 'pending' THEN now() + make_interval(secs => r.wait) END
  FROM unnest(teams, endpoints, ids, places, outcomes, numbers, statuses, errors, ages, waits)
    AS r(team_id, endpoint_id, id, place, outcome, attempt, response_status, error, age, wait)
  WHERE d.ctid = r.place AND d.team_id = r.team_id AND d.endpoint_id = r.endpoint_id AND d.id = r.id AND d.id BETWEEN first AND last;
END $$;
