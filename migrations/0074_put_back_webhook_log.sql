-- Puts the log that 0073 kept into its partitions, for which the wall is lifted for the owner alone and in this transaction
-- alone. What belongs to days that have no partition yet goes to the rest, and from there when a worker makes them.
DO $$
BEGIN
  IF to_regclass('webhook_delivery_kept') IS NULL THEN RETURN; END IF;
  ALTER TABLE webhook_delivery NO FORCE ROW LEVEL SECURITY;
  ALTER TABLE webhook_attempt NO FORCE ROW LEVEL SECURITY;
  INSERT INTO webhook_delivery (team_id, endpoint_id, id, event_id, event_type, status, attempts, max_attempts, response_status, error,
      created_at, delivered_at, last_attempt_at, next_retry_at)
    SELECT team_id, endpoint_id, id, event_id, event_type, status, attempts, max_attempts, response_status, error,
      created_at, delivered_at, last_attempt_at, next_retry_at FROM webhook_delivery_kept ON CONFLICT DO NOTHING;
  INSERT INTO webhook_attempt (team_id, endpoint_id, delivery_id, attempt, started_at, latency_ms, response_status, error, error_detail,
      response_headers, response_body)
    SELECT team_id, endpoint_id, delivery_id, attempt, started_at, latency_ms, response_status, error, error_detail,
      response_headers, response_body FROM webhook_attempt_kept ON CONFLICT DO NOTHING;
  ALTER TABLE webhook_delivery FORCE ROW LEVEL SECURITY;
  ALTER TABLE webhook_attempt FORCE ROW LEVEL SECURITY;
  DROP TABLE webhook_delivery_kept, webhook_attempt_kept;
END $$;
