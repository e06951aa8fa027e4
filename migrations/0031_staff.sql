-- People who run the service. They belong to no team; requests of teams cannot read a row of any of these tables.
CREATE TABLE staff (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL CONSTRAINT staff_email_once UNIQUE,
  name text NOT NULL,
  password_hash text,
  is_active boolean NOT NULL DEFAULT true,
  totp_secret bytea,
  totp_last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_login_at timestamptz
);

-- A link that sets the first or a forgotten password; the newest alone.
CREATE TABLE staff_password_link (
  staff_id uuid PRIMARY KEY REFERENCES staff,
  token_hash bytea NOT NULL CONSTRAINT staff_password_link_once UNIQUE,
  expires_at timestamptz NOT NULL
);

CREATE TABLE staff_totp_setup (
  staff_id uuid PRIMARY KEY REFERENCES staff,
  id uuid NOT NULL,
  secret bytea NOT NULL,
  backup_hashes text[] NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL
);

CREATE TABLE staff_backup_code (
  staff_id uuid NOT NULL REFERENCES staff,
  slot smallint NOT NULL,
  hash text NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (staff_id, slot)
);

CREATE TABLE staff_challenge (
  staff_id uuid PRIMARY KEY REFERENCES staff,
  token_hash bytea NOT NULL CONSTRAINT staff_challenge_once UNIQUE,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL
);

CREATE TABLE staff_session (
  id uuid PRIMARY KEY,
  staff_id uuid NOT NULL REFERENCES staff,
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
  revoked_at timestamptz
);
CREATE INDEX staff_session_of_staff ON staff_session (staff_id) WHERE revoked_at IS NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON staff, staff_password_link, staff_totp_setup, staff_backup_code, staff_challenge, staff_session
  TO chancery_system;
-- Failures of staff are counted in their own transactions.
GRANT INSERT, UPDATE ON throttle TO chancery_system;
-- Lists over all teams and people, newest first.
CREATE INDEX team_by_age ON team (created_at DESC, team_id DESC);
CREATE INDEX account_by_age ON account (created_at DESC, id DESC) WHERE deleted_at IS NULL;
