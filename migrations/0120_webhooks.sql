-- The receivers of a team’s events. A deleted endpoint stays as a row until its log is dropped.
CREATE TABLE webhook_endpoint (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  -- When sending stopped. Waiting deliveries are kept for 72 hours.
  deactivated_at timestamptz,
  client_id uuid,
  created_by uuid NOT NULL,
  -- Encrypted with the master key. Signing needs the secret itself, so a hash is not enough.
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  description text,
  -- Header values may be credentials, so the whole set is encrypted with the master key, like the secret.
  headers bytea,
  signing text NOT NULL DEFAULT 'hmac' CHECK (signing IN ('hmac', 'ed25519')),
  -- For an API client’s endpoint: the scopes of the token that last set its URL or subscriptions. The endpoint gets only events of these scopes that
  -- the client still has. Null: all scopes of the client.
  scopes text[],
  PRIMARY KEY (team_id, id),
  CHECK (is_active = (deactivated_at IS NULL))
);
-- Each event of a team reads this index. It is empty for a team without endpoints.
CREATE INDEX webhook_endpoint_active ON webhook_endpoint (team_id) WHERE is_active AND deleted_at IS NULL;
CALL confine_to_team('webhook_endpoint', 'SELECT, INSERT, UPDATE');
CALL open_to_system('webhook_endpoint', 'SELECT', 'DELETE');
CALL let_system_reseal('webhook_endpoint', 'secret', 'previous_secret', 'headers');

-- The failure state of an endpoint. Failures write it, and the success that ends them, but not each delivery.
CREATE TABLE webhook_endpoint_state (
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  consecutive_failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  -- The circuit breaker: no delivery is claimed for the endpoint before this time.
  blocked_until timestamptz,
  PRIMARY KEY (team_id, endpoint_id)
) WITH (fillfactor = 70);
CALL confine_to_team('webhook_endpoint_state', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('webhook_endpoint_state', 'SELECT', 'INSERT', 'UPDATE', 'DELETE');

-- Endpoints with a rate limit: a row for each of these, none for others, which only cost a probe of an index. `free_at` is when the allowance is
-- complete again. A claim on any node moves it by the claimed number (GCRA).
CREATE TABLE webhook_rate_limit (
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  max_per_second integer NOT NULL CHECK (max_per_second BETWEEN 1 AND 1000),
  free_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, endpoint_id)
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0.2);
CALL confine_to_team('webhook_rate_limit', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('webhook_rate_limit', 'SELECT', 'UPDATE', 'DELETE');

-- The burst size, and the rate a second after it. Together they never exceed the limit in any second.
CREATE FUNCTION webhook_burst(max_per_second integer) RETURNS integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN greatest(1, max_per_second / 10);
CREATE FUNCTION webhook_rate(max_per_second integer) RETURNS integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN max_per_second - greatest(1, max_per_second / 10) + 1;

-- The configured maximum attempts of the workers, for nodes without workers.
CREATE TABLE webhook_setting (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  max_attempts integer NOT NULL CHECK (max_attempts > 0)
);
INSERT INTO webhook_setting (max_attempts) VALUES (10);
GRANT SELECT ON webhook_setting TO chancery_app;
GRANT SELECT, UPDATE ON webhook_setting TO chancery_system;

-- The waiting deliveries only: small and hot. A lease names the worker of a row and its expiry. A claimed row keeps its `next_at` and its position
-- at the head of its endpoint, which limits the deliveries in flight there.
CREATE TABLE webhook_queue (
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  event_id text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL,
  -- Attempts before the delivery was queued again manually. The schedule starts again after them.
  base_attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL,
  lease_until timestamptz,
  lease_token uuid,
  PRIMARY KEY (team_id, endpoint_id, delivery_id)
) WITH (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.1
);
CREATE INDEX webhook_queue_due ON webhook_queue (team_id, endpoint_id, next_at);
CALL confine_to_team('webhook_queue', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('webhook_queue', 'SELECT', 'INSERT', 'UPDATE', 'DELETE');
-- The owner of the tables drops the days of the log. Row-level security applies to it too, so it needs this policy to see waiting deliveries.
CREATE POLICY retention ON webhook_queue FOR SELECT TO chancery_owner USING (true);

-- A UUIDv7 with the time and order of `base` and new random bits, for the rows of one statement.
CREATE FUNCTION uuidv7_like(base uuid) RETURNS uuid
  LANGUAGE sql VOLATILE PARALLEL SAFE
  RETURN encode(substring(uuid_send(base) FROM 1 FOR 8) || substring(uuid_send(gen_random_uuid()) FROM 9), 'hex')::uuid;

-- The smallest UUIDv7 of a time.
CREATE FUNCTION uuidv7_from(moment timestamptz) RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN (lpad(to_hex(floor(extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid;

-- One event for one endpoint: the log in the API. Rows are derived from the endpoint’s row, and endpoints are never removed, so no foreign key is
-- needed.
--
-- The log of deliveries and attempts is partitioned by the day of their identifiers, which are UUIDv7. Old days are dropped as whole tables. An
-- identifier determines the day, so each look-up by identifier reads one partition.
--
-- A unique key over (event, endpoint) cannot span partitions. An event is inserted once, with its own key, in the transaction of its one fan-out.
-- Recovery checks first, under the endpoint’s lock.
CREATE TABLE webhook_delivery (
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  id uuid NOT NULL,
  event_id text NOT NULL,
  event_type text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
  attempts integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL,
  response_status integer,
  error text,
  created_at timestamptz NOT NULL,
  delivered_at timestamptz,
  last_attempt_at timestamptz,
  next_retry_at timestamptz,
  -- Unchanged when a delivery succeeds, so the update stays within its page (HOT) although the index below is partial.
  undelivered text GENERATED ALWAYS AS (CASE WHEN status IN ('failed', 'cancelled') THEN status END) STORED,
  PRIMARY KEY (team_id, endpoint_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX webhook_delivery_by_event ON webhook_delivery (team_id, event_id, endpoint_id);
CREATE INDEX webhook_delivery_by_type ON webhook_delivery (team_id, event_type, endpoint_id, id);
CREATE INDEX webhook_delivery_undelivered ON webhook_delivery (team_id, endpoint_id, undelivered, id) WHERE undelivered IS NOT NULL;
CALL confine_to_team('webhook_delivery', 'SELECT, INSERT, UPDATE');
CALL open_to_system('webhook_delivery', 'SELECT', 'INSERT', 'UPDATE', 'DELETE');

-- The attempts. `response_headers` is text, because receivers may send characters that jsonb rejects.
CREATE TABLE webhook_attempt (
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  attempt integer NOT NULL,
  started_at timestamptz NOT NULL,
  latency_ms integer NOT NULL,
  response_status integer,
  error text,
  error_detail text,
  response_headers text,
  response_body bytea,
  PRIMARY KEY (team_id, endpoint_id, delivery_id, attempt)
) PARTITION BY RANGE (delivery_id);
CALL confine_to_team('webhook_attempt', 'SELECT');
CALL open_to_system('webhook_attempt', 'SELECT', 'INSERT', 'DELETE');

-- Rows of days without a partition, so that no insert fails because a job did not run. They move when the partition is created.
CREATE TABLE webhook_delivery_rest PARTITION OF webhook_delivery DEFAULT WITH (fillfactor = 85);
CREATE TABLE webhook_attempt_rest PARTITION OF webhook_attempt DEFAULT;

-- The stored columns of a table, without generated ones.
CREATE FUNCTION webhook_log_columns(parent regclass) RETURNS text
  LANGUAGE sql STABLE SET search_path = public, pg_temp
  RETURN (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
          WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped AND attgenerated = '');

-- Creates the partitions of one day (UTC) unless they exist, and moves its rows from the default partition. Writers to the log wait at its parent
-- until the partition exists, and then use it. Waits at most half a second for concurrent users of the log; then it fails without a change.
CREATE FUNCTION make_webhook_log_day(day date) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  low uuid := uuidv7_from(day::timestamp AT TIME ZONE 'UTC');
  high uuid := uuidv7_from((day + 1)::timestamp AT TIME ZONE 'UTC');
  part record;
  made boolean := false;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('webhook log', 0));
  FOR part IN SELECT * FROM (VALUES ('webhook_delivery', 'id', 85), ('webhook_attempt', 'delivery_id', 100)) AS t (parent, key, fill) LOOP
    CONTINUE WHEN to_regclass(part.parent || to_char(day, '_YYYYMMDD')) IS NOT NULL;
    EXECUTE format('LOCK TABLE ONLY %I IN SHARE ROW EXCLUSIVE MODE', part.parent);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) WITH (fillfactor = %s)', part.parent || to_char(day, '_YYYYMMDD'), part.parent, part.fill);
    EXECUTE format('WITH moved AS (DELETE FROM %1$I WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *) INSERT INTO %5$I (%6$s) SELECT %6$s FROM moved',
      part.parent || '_rest', part.key, low, high, part.parent || to_char(day, '_YYYYMMDD'), webhook_log_columns(part.parent::regclass));
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part.parent, part.parent || to_char(day, '_YYYYMMDD'), low, high);
    made := true;
  END LOOP;
  RETURN made;
END $$;

-- Days with deliveries in the default partition, between two times.
CREATE FUNCTION webhook_log_days_to_make(since timestamptz, until timestamptz) RETURNS SETOF date
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT DISTINCT (to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) AT TIME ZONE 'UTC')::date
  FROM webhook_delivery_rest WHERE id >= uuidv7_from(since) AND id < uuidv7_from(until)
$$;

-- Days of the log that ended before a time, oldest first.
CREATE FUNCTION webhook_log_days_before(moment timestamptz) RETURNS SETOF date
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT day FROM (
    SELECT to_date(right(c.relname, 8), 'YYYYMMDD') AS day FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'webhook_delivery'::regclass AND c.relname ~ '^webhook_delivery_[0-9]{8}$'
  ) days WHERE (day + 1)::timestamp AT TIME ZONE 'UTC' <= moment ORDER BY day
$$;

-- Drops the partitions of a day. Rows to keep, undelivered deliveries or only waiting ones, are copied into tables that replace them. They are found
-- by index, so the log is locked only for moments. Returns false if there is nothing to drop. Waits at most half a second for concurrent users of
-- the log; then it fails without a change. Locks tables in the same order as workers.
CREATE FUNCTION thin_webhook_log_day(day date, keep_undelivered boolean) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms'
  SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  deliveries text := 'webhook_delivery' || to_char(day, '_YYYYMMDD');
  attempts text := 'webhook_attempt' || to_char(day, '_YYYYMMDD');
  low uuid := uuidv7_from(day::timestamp AT TIME ZONE 'UTC');
  high uuid := uuidv7_from((day + 1)::timestamp AT TIME ZONE 'UTC');
  surplus boolean;
  kept boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('webhook log', 0));
  EXECUTE format('SELECT NOT EXISTS (SELECT FROM %1$I) OR EXISTS (SELECT FROM %1$I WHERE status = ''delivered'' OR (NOT %2$L AND status <> ''pending''))',
    deliveries, keep_undelivered) INTO surplus;
  IF NOT surplus THEN RETURN false; END IF;
  LOCK TABLE ONLY webhook_delivery IN ACCESS EXCLUSIVE MODE;
  LOCK TABLE ONLY webhook_attempt IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('CREATE TEMP TABLE kept_webhook_delivery ON COMMIT DROP AS
    SELECT d.* FROM %1$I d WHERE %2$L AND d.undelivered IS NOT NULL
    UNION ALL SELECT d.* FROM webhook_queue q JOIN %1$I d ON d.team_id = q.team_id AND d.endpoint_id = q.endpoint_id AND d.id = q.delivery_id
    WHERE q.delivery_id >= %3$L AND q.delivery_id < %4$L', deliveries, keep_undelivered, low, high);
  EXECUTE format('CREATE TEMP TABLE kept_webhook_attempt ON COMMIT DROP AS
    SELECT a.* FROM kept_webhook_delivery d JOIN %I a ON a.team_id = d.team_id AND a.endpoint_id = d.endpoint_id AND a.delivery_id = d.id', attempts);
  EXECUTE format('DROP TABLE %I, %I', deliveries, attempts);
  SELECT EXISTS (SELECT FROM kept_webhook_delivery) INTO kept;
  IF kept THEN
    EXECUTE format('CREATE TABLE %I PARTITION OF webhook_delivery FOR VALUES FROM (%L) TO (%L)', deliveries, low, high);
    EXECUTE format('CREATE TABLE %I PARTITION OF webhook_attempt FOR VALUES FROM (%L) TO (%L)', attempts, low, high);
    EXECUTE format('INSERT INTO %1$I (%2$s) SELECT %2$s FROM kept_webhook_delivery', deliveries, webhook_log_columns('webhook_delivery'));
    EXECUTE format('INSERT INTO %I SELECT * FROM kept_webhook_attempt', attempts);
  END IF;
  DROP TABLE kept_webhook_delivery, kept_webhook_attempt;
  RETURN true;
END $$;

REVOKE EXECUTE ON FUNCTION make_webhook_log_day(date), webhook_log_days_to_make(timestamptz, timestamptz),
  webhook_log_days_before(timestamptz), thin_webhook_log_day(date, boolean), webhook_log_columns(regclass) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_webhook_log_day(date), webhook_log_days_to_make(timestamptz, timestamptz),
  webhook_log_days_before(timestamptz), thin_webhook_log_day(date, boolean) TO chancery_system;

-- Writes the results of a batch of attempts into the log of deliveries. `places` are the positions of the rows. `first` and `last`, the smallest and
-- the greatest identifier, keep other partitions closed. It is a function because of its settings. The planner expects few rows in a young
-- partition. It would compare every delivery in the range of identifiers with each row of the batch. With access by position only, each row is read
-- individually, regardless of the size of the log.
--
-- The outcome `moved` is a failed attempt that began before its endpoint changed. It does not concern the endpoint’s current version, so the
-- delivery waits again, with one more attempt.
CREATE FUNCTION write_webhook_outcomes(
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

-- Whether an endpoint may get events of a scope. The endpoints of the team may. For an endpoint of an API client, the client must be active, have
-- the scope and not be confined to folders. The token that last set the URL or subscriptions must have had the scope too (`set_with`, null for any).
CREATE FUNCTION endpoint_gets(team uuid, client uuid, set_with text[], scope text) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  IF client IS NULL THEN RETURN true; END IF;
  RETURN (set_with IS NULL OR scope = ANY (set_with)) AND EXISTS (
    SELECT FROM active_client c WHERE c.team_id = team AND c.id = client AND scope = ANY (c.scopes) AND c.folder_ids IS NULL);
END $$;
REVOKE EXECUTE ON FUNCTION endpoint_gets(uuid, uuid, text[], text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION endpoint_gets(uuid, uuid, text[], text) TO chancery_app, chancery_system;
