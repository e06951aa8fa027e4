-- Two walls around each team (ARCHITECTURE.md): every team-owned table leads its key with team_id, and row-level
-- security, forced, lets a request see the rows of the team its transaction is confined to, and nothing without one.

-- The team the transaction is confined to; null outside one, which no row equals.
CREATE FUNCTION current_team() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.team_id', true), '')::uuid;

-- Walls in one call, so that no table gets half of them. Requests may do what `privileges` says, inside their team.
CREATE PROCEDURE confine_to_team(target regclass, privileges text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY team_wall ON %s TO chancery_app USING (team_id = (SELECT current_team())) WITH CHECK (team_id = (SELECT current_team()))', target);
  EXECUTE format('GRANT %s ON %s TO chancery_app', privileges, target);
END $$;

-- What the system role may do to a team's table, whatever the team: named table by table, command by command.
CREATE PROCEDURE open_to_system(target regclass, VARIADIC commands text[]) LANGUAGE plpgsql AS $$
DECLARE command text;
BEGIN
  FOREACH command IN ARRAY commands LOOP
    EXECUTE format('GRANT %s ON %s TO chancery_system', command, target);
    IF command = 'INSERT' THEN
      EXECUTE format('CREATE POLICY %I ON %s FOR INSERT TO chancery_system WITH CHECK (true)', 'system_insert', target);
    ELSIF command = 'UPDATE' THEN
      EXECUTE format('CREATE POLICY %I ON %s FOR UPDATE TO chancery_system USING (true) WITH CHECK (true)', 'system_update', target);
    ELSE
      EXECUTE format('CREATE POLICY %I ON %s FOR %s TO chancery_system USING (true)', 'system_' || lower(command), target, command);
    END IF;
  END LOOP;
END $$;

REVOKE EXECUTE ON PROCEDURE confine_to_team(regclass, text) FROM PUBLIC;
REVOKE EXECUTE ON PROCEDURE open_to_system(regclass, text[]) FROM PUBLIC;

-- One row an act, written in the transaction of the change it records. `seq` is given when the entry becomes a leaf
-- of the Merkle tree.
CREATE TABLE audit_entry (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  seq bigint,
  type text NOT NULL,
  actor_type text NOT NULL CHECK (actor_type IN ('user', 'staff', 'client', 'agent', 'system')),
  actor_id uuid,
  target_type text,
  target_id text,
  at timestamptz NOT NULL,
  ip inet,
  request_id text,
  data jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (team_id, id)
);
CREATE INDEX audit_entry_by_type ON audit_entry (team_id, type, id);
CALL confine_to_team('audit_entry', 'SELECT, INSERT');
CALL open_to_system('audit_entry', 'SELECT', 'INSERT');

-- The envelope is serialised once: every delivery of the event sends and signs these bytes.
CREATE TABLE event (
  team_id uuid NOT NULL,
  id text NOT NULL,
  type text NOT NULL,
  body bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id)
);
CALL confine_to_team('event', 'SELECT, INSERT');
CALL open_to_system('event', 'SELECT', 'INSERT', 'DELETE');

-- Answers of creating requests, kept 24 hours under the caller's Idempotency-Key. `answer` is encrypted with the
-- master key: some answers carry a secret that is shown once.
CREATE TABLE idempotent_answer (
  team_id uuid NOT NULL,
  actor_id uuid NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  answer bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, actor_id, key)
);
CREATE INDEX idempotent_answer_by_age ON idempotent_answer (created_at);
CALL confine_to_team('idempotent_answer', 'SELECT, INSERT, DELETE');
CALL open_to_system('idempotent_answer', 'SELECT', 'DELETE');

-- Facts about this database that outlive a process, such as the fingerprint of the master key it was written with.
CREATE TABLE service_fact (
  name text PRIMARY KEY,
  value text NOT NULL
);
GRANT SELECT, INSERT ON service_fact TO chancery_system;
