CREATE TABLE team (
  team_id uuid PRIMARY KEY,
  name text NOT NULL,
  time_zone text NOT NULL DEFAULT 'UTC',
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'closed')),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CALL confine_to_team('team', 'SELECT, INSERT, UPDATE');
CALL open_to_system('team', 'SELECT', 'UPDATE');

-- A person in a team. `email` is the stored spelling that mail goes to; `email_key` is what addresses are compared by.
-- After deletion the row stays as a tombstone without personal data, so that the journal's ids still resolve.
CREATE TABLE account (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  timezone text NOT NULL DEFAULT 'UTC',
  locale text NOT NULL DEFAULT 'en',
  password_hash text,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled', 'deleted')),
  onboarding_completed_at timestamptz,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT account_id_once UNIQUE (id)
);
-- One account an address, in whichever team; one owner a team, always.
CREATE UNIQUE INDEX account_email_once ON account (email_key) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX account_one_owner ON account (team_id) WHERE role = 'owner' AND deleted_at IS NULL;
CALL confine_to_team('account', 'SELECT, INSERT, UPDATE');
CALL open_to_system('account', 'SELECT', 'UPDATE');

-- One sign-in on one device. Refresh tokens of a session are a counter under a keyed hash: only the counter is kept,
-- and with it the times of the latest rotations, which tell a racing retry from a replay.
CREATE TABLE session (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  refresh_counter integer NOT NULL DEFAULT 0,
  rotations timestamptz[] NOT NULL DEFAULT '{}',
  auth_time timestamptz NOT NULL,
  amr text[] NOT NULL,
  acr text NOT NULL CHECK (acr IN ('aal1', 'aal2')),
  ip inet,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT session_id_once UNIQUE (id),
  FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id)
);
CREATE INDEX session_of_account ON session (team_id, account_id) WHERE revoked_at IS NULL;
CALL confine_to_team('session', 'SELECT, INSERT, UPDATE');
CALL open_to_system('session', 'SELECT', 'UPDATE', 'DELETE');

-- Keys that sign: `access` for access tokens, `witness` for the audit journal's checkpoints. The private half is
-- encrypted with the master key.
CREATE TABLE signing_key (
  kid text PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('access', 'witness')),
  alg text NOT NULL,
  public_jwk jsonb NOT NULL,
  private_jwk bytea NOT NULL,
  status text NOT NULL CHECK (status IN ('next', 'active', 'retired')),
  created_at timestamptz NOT NULL DEFAULT now(),
  activated_at timestamptz,
  retired_at timestamptz
);
CREATE UNIQUE INDEX signing_key_one_active ON signing_key (purpose) WHERE status = 'active';
CREATE UNIQUE INDEX signing_key_one_next ON signing_key (purpose) WHERE status = 'next';
GRANT SELECT, INSERT, UPDATE, DELETE ON signing_key TO chancery_system;

-- Questions that come before the team is known. Each answers one question by one exact key and runs as the owner of
-- the tables, to whom the walls are opened for reading just these.
CREATE POLICY lookup ON account FOR SELECT TO chancery_owner USING (true);
CREATE POLICY lookup ON session FOR SELECT TO chancery_owner USING (true);
CREATE POLICY lookup ON team FOR SELECT TO chancery_owner USING (true);

-- Is this session alive, and as whom?
CREATE FUNCTION live_session(wanted uuid)
RETURNS TABLE (team_id uuid, account_id uuid, role text, auth_time timestamptz, acr text, two_factor_enabled boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.team_id, s.account_id, a.role, s.auth_time, s.acr, a.two_factor_enabled
  FROM session s
  JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id
  JOIN team t ON t.team_id = s.team_id
  WHERE s.id = wanted AND s.revoked_at IS NULL AND s.expires_at > now() AND a.status = 'active' AND t.status = 'active'
$$;
REVOKE EXECUTE ON FUNCTION live_session(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION live_session(uuid) TO chancery_app, chancery_system;
