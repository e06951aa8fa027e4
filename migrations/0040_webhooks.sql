-- Where a team's events are sent. A deleted endpoint stays as a row, so that its log survives until it is dropped.
CREATE TABLE webhook_endpoint (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  name text NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  -- Since when nothing is sent: what waits is held for 72 hours.
  deactivated_at timestamptz,
  client_id uuid,
  created_by uuid NOT NULL,
  -- Encrypted with the master key: signing needs the secret itself, so that a hash would not do.
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_until timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (team_id, id),
  CHECK (is_active = (deactivated_at IS NULL))
);
-- What each event of a team looks into: empty pages for a team without an endpoint.
CREATE INDEX webhook_endpoint_active ON webhook_endpoint (team_id) WHERE is_active AND deleted_at IS NULL;
CALL confine_to_team('webhook_endpoint', 'SELECT, INSERT, UPDATE');
CALL open_to_system('webhook_endpoint', 'SELECT');

-- How often a delivery is tried, as the workers are configured: nodes that only answer requests read it here.
CREATE TABLE webhook_setting (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  max_attempts integer NOT NULL CHECK (max_attempts > 0)
);
INSERT INTO webhook_setting (max_attempts) VALUES (10);
GRANT SELECT ON webhook_setting TO chancery_app;
GRANT SELECT, UPDATE ON webhook_setting TO chancery_system;

-- One event for one endpoint: the log that the API shows. Rows are made from the endpoint's own row and endpoints are
-- never removed, so that no foreign key need be checked for each.
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
  PRIMARY KEY (team_id, endpoint_id, id),
  -- Fan-out is idempotent: an event goes to an endpoint once.
  CONSTRAINT webhook_delivery_once UNIQUE (team_id, event_id, endpoint_id)
) WITH (fillfactor = 85);
CREATE INDEX webhook_delivery_by_type ON webhook_delivery (team_id, endpoint_id, event_type, id);
CREATE INDEX webhook_delivery_undelivered ON webhook_delivery (team_id, endpoint_id, undelivered, id) WHERE undelivered IS NOT NULL;
CREATE INDEX webhook_delivery_by_age ON webhook_delivery USING brin (created_at) WITH (pages_per_range = 32);
CALL confine_to_team('webhook_delivery', 'SELECT, INSERT, UPDATE');
CALL open_to_system('webhook_delivery', 'SELECT', 'INSERT', 'UPDATE', 'DELETE');

-- What is still to be sent, and nothing else: small and hot. A lease says which worker has a row in hand and until when;
-- a claimed row keeps its `next_at`, and so its place at the head of its endpoint, which bounds what is in flight there.
CREATE TABLE webhook_queue (
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  event_id text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL,
  -- Attempts before the delivery was queued again by hand: the schedule of waits begins anew after them.
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

-- How an endpoint does while it fails: written by failures and by the success that ends them, not by each delivery.
CREATE TABLE webhook_endpoint_state (
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  consecutive_failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  -- The circuit breaker: nothing is claimed for the endpoint before this time.
  blocked_until timestamptz,
  PRIMARY KEY (team_id, endpoint_id)
) WITH (fillfactor = 70);
CALL confine_to_team('webhook_endpoint_state', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('webhook_endpoint_state', 'SELECT', 'INSERT', 'UPDATE');

-- What happened at each try. `response_headers` is text, since a receiver may send what jsonb does not take.
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
);
CALL confine_to_team('webhook_attempt', 'SELECT');
CALL open_to_system('webhook_attempt', 'SELECT', 'INSERT', 'DELETE');

-- A UUIDv7 with the time and order of `base` and random bits of its own: ids for the rows of one statement.
CREATE FUNCTION uuidv7_like(base uuid) RETURNS uuid
  LANGUAGE sql VOLATILE PARALLEL SAFE
  RETURN encode(substring(uuid_send(base) FROM 1 FOR 8) || substring(uuid_send(gen_random_uuid()) FROM 9), 'hex')::uuid;
