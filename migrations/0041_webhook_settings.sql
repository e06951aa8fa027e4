-- What the owner of an endpoint sets beside its name, URL and events. The values of headers may be credentials: the whole
-- set is encrypted with the master key, like the secret.
ALTER TABLE webhook_endpoint
  ADD COLUMN description text,
  ADD COLUMN headers bytea,
  ADD COLUMN signing text NOT NULL DEFAULT 'hmac' CHECK (signing IN ('hmac', 'ed25519'));

-- Endpoints that take only so much: a row for each, and none for the others, so that those cost a probe of an empty
-- index. `free_at` is when the allowance is whole again: a claim moves it on by what it took (GCRA), whichever node claims.
CREATE TABLE webhook_pace (
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  max_per_second integer NOT NULL CHECK (max_per_second BETWEEN 1 AND 1000),
  free_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, endpoint_id)
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0.2);
CALL confine_to_team('webhook_pace', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('webhook_pace', 'SELECT', 'UPDATE');

-- How many may leave at once, and how many a second after that: of both together no second sees more than the limit.
CREATE FUNCTION webhook_burst(max_per_second integer) RETURNS integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN greatest(1, max_per_second / 10);
CREATE FUNCTION webhook_rate(max_per_second integer) RETURNS integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN max_per_second - greatest(1, max_per_second / 10) + 1;

-- A payload that is expunged leaves its row, with an empty body.
GRANT UPDATE (body) ON event TO chancery_app;

-- A third purpose: signatures of deliveries by a key of the service, for receivers that want no shared secret.
ALTER TABLE signing_key DROP CONSTRAINT signing_key_purpose_check;
ALTER TABLE signing_key ADD CONSTRAINT signing_key_purpose_check CHECK (purpose IN ('access', 'witness', 'webhook'));
