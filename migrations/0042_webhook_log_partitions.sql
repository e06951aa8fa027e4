-- The log of deliveries and attempts by day of their ids, which are UUIDv7: what is past its days goes by dropping whole
-- tables, not row by row. Ids say the day, so that every look-up by id goes to one partition.
--
-- A unique key over (event, endpoint) cannot span partitions. An event is inserted once, under its own key, in the
-- transaction of its one fan-out; recovery looks first, under the endpoint's lock.

-- The smallest UUIDv7 of a moment.
CREATE FUNCTION uuidv7_from(moment timestamptz) RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN (lpad(to_hex(floor(extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid;

ALTER TABLE webhook_delivery RENAME TO webhook_delivery_before;
ALTER TABLE webhook_attempt RENAME TO webhook_attempt_before;
ALTER TABLE webhook_delivery_before RENAME CONSTRAINT webhook_delivery_pkey TO webhook_delivery_before_pkey;
ALTER TABLE webhook_attempt_before RENAME CONSTRAINT webhook_attempt_pkey TO webhook_attempt_before_pkey;
DROP INDEX webhook_delivery_by_type, webhook_delivery_undelivered, webhook_delivery_by_age;

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
  -- Unchanged when a delivery succeeds, so that the update stays within its page (HOT) though the index below is partial.
  undelivered text GENERATED ALWAYS AS (CASE WHEN status IN ('failed', 'cancelled') THEN status END) STORED,
  PRIMARY KEY (team_id, endpoint_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX webhook_delivery_by_event ON webhook_delivery (team_id, event_id, endpoint_id);
CREATE INDEX webhook_delivery_by_type ON webhook_delivery (team_id, event_type, endpoint_id, id);
CREATE INDEX webhook_delivery_undelivered ON webhook_delivery (team_id, endpoint_id, undelivered, id) WHERE undelivered IS NOT NULL;
CALL confine_to_team('webhook_delivery', 'SELECT, INSERT, UPDATE');
CALL open_to_system('webhook_delivery', 'SELECT', 'INSERT', 'UPDATE');

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
CALL open_to_system('webhook_attempt', 'SELECT', 'INSERT');

-- What no day has been made for: nothing is ever refused because a job did not run. Emptied when the day is made.
CREATE TABLE webhook_delivery_rest PARTITION OF webhook_delivery DEFAULT WITH (fillfactor = 85);
CREATE TABLE webhook_attempt_rest PARTITION OF webhook_attempt DEFAULT;

INSERT INTO webhook_delivery (team_id, endpoint_id, id, event_id, event_type, status, attempts, max_attempts, response_status, error,
    created_at, delivered_at, last_attempt_at, next_retry_at)
  SELECT team_id, endpoint_id, id, event_id, event_type, status, attempts, max_attempts, response_status, error,
    created_at, delivered_at, last_attempt_at, next_retry_at FROM webhook_delivery_before;
INSERT INTO webhook_attempt SELECT * FROM webhook_attempt_before;
DROP TABLE webhook_delivery_before, webhook_attempt_before;

-- Retention runs as the owner of the tables, who is bound by the walls too: it may see what waits.
CREATE POLICY retention ON webhook_queue FOR SELECT TO chancery_owner USING (true);

-- The columns of a table that are stored as they are given.
CREATE FUNCTION webhook_log_columns(parent regclass) RETURNS text
  LANGUAGE sql STABLE SET search_path = public, pg_temp
  RETURN (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
          WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped AND attgenerated = '');

-- Makes the partitions of one day (UTC) unless they are there, with what the rest holds of that day. Waits at most half a
-- second for those who use the log: then it fails, having changed nothing.
CREATE FUNCTION make_webhook_log_day(day date) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  low uuid := uuidv7_from(day::timestamp AT TIME ZONE 'UTC');
  high uuid := uuidv7_from((day + 1)::timestamp AT TIME ZONE 'UTC');
  part record;
  made boolean := false;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('webhook log', 0));
  FOR part IN SELECT * FROM (VALUES ('webhook_delivery', 'id', 85), ('webhook_attempt', 'delivery_id', 100)) AS t (parent, key, fill) LOOP
    CONTINUE WHEN to_regclass(part.parent || to_char(day, '_YYYYMMDD')) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) WITH (fillfactor = %s)', part.parent || to_char(day, '_YYYYMMDD'), part.parent, part.fill);
    EXECUTE format('WITH moved AS (DELETE FROM %1$I WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *) INSERT INTO %5$I (%6$s) SELECT %6$s FROM moved',
      part.parent || '_rest', part.key, low, high, part.parent || to_char(day, '_YYYYMMDD'), webhook_log_columns(part.parent::regclass));
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part.parent, part.parent || to_char(day, '_YYYYMMDD'), low, high);
    made := true;
  END LOOP;
  RETURN made;
END $$;

-- Days that the rest holds deliveries of, between two moments.
CREATE FUNCTION webhook_log_days_to_make(since timestamptz, until timestamptz) RETURNS SETOF date
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT DISTINCT (to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) AT TIME ZONE 'UTC')::date
  FROM webhook_delivery_rest WHERE id >= uuidv7_from(since) AND id < uuidv7_from(until)
$$;

-- Days of the log that were over at a moment, the oldest first.
CREATE FUNCTION webhook_log_days_before(moment timestamptz) RETURNS SETOF date
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT day FROM (
    SELECT to_date(right(c.relname, 8), 'YYYYMMDD') AS day FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'webhook_delivery'::regclass AND c.relname ~ '^webhook_delivery_[0-9]{8}$'
  ) days WHERE (day + 1)::timestamp AT TIME ZONE 'UTC' <= moment ORDER BY day
$$;

-- Drops the partitions of a day. What is to be kept of it, undelivered deliveries or only what still waits, is copied
-- into tables that take their place: found by index, so that the log is closed for moments. False when there was nothing
-- to drop. Waits at most half a second for those who use the log: then it fails, having changed nothing. Tables are
-- locked in the order in which workers lock them.
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
