-- Responses of create requests, stored for 24 hours under the Idempotency-Key of the caller, including staff. `response` is encrypted
-- with the master key, because some responses contain a secret that is shown once.
CREATE TABLE idempotent_response (
  team_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  response bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, actor_id, key)
);
CREATE INDEX idempotent_response_by_age ON idempotent_response (created_at);
CALL confine_to_team('idempotent_response', 'SELECT, INSERT, DELETE');
CALL open_to_system('idempotent_response', 'SELECT', 'INSERT', 'DELETE');
CALL let_system_reseal('idempotent_response', 'response');
