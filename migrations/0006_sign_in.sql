-- Before there is an account: one row a registration attempt, each with its own password and code, so that nobody can
-- have their password confirmed by the owner of the address, nor block the owner.
CREATE TABLE registration (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  password_hash text NOT NULL,
  -- Names the browser that registered: the hash of a cookie.
  device_hash bytea NOT NULL,
  -- Where it came from, under a keyed hash: attempts from one place are one person's.
  origin_hash bytea NOT NULL,
  code_hmac bytea,
  code_expires_at timestamptz,
  tries integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL DEFAULT now() + interval '24 hours'
);
CREATE INDEX registration_of_address ON registration (email_key, created_at DESC);
CREATE INDEX registration_by_age ON registration (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON registration TO chancery_app;
GRANT SELECT, DELETE ON registration TO chancery_system;

-- Proofs of work that were used, by what was signed, until they expire.
CREATE TABLE altcha_spent (
  id bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX altcha_spent_by_age ON altcha_spent (expires_at);
GRANT SELECT, INSERT ON altcha_spent TO chancery_app;
GRANT SELECT, DELETE ON altcha_spent TO chancery_system;

-- Failures and mails, counted by a keyed hash of what they concern, whether or not an account exists.
CREATE TABLE throttle (
  key bytea PRIMARY KEY,
  hits integer NOT NULL,
  since timestamptz NOT NULL,
  blocked_until timestamptz,
  expires_at timestamptz NOT NULL
);
CREATE INDEX throttle_by_age ON throttle (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON throttle TO chancery_app;
GRANT SELECT, DELETE ON throttle TO chancery_system;

CREATE TABLE password_reset (
  team_id uuid NOT NULL,
  account_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, account_id),
  CONSTRAINT password_reset_token_once UNIQUE (token_hash),
  FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id)
);
CALL confine_to_team('password_reset', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('password_reset', 'SELECT', 'DELETE');
CREATE POLICY lookup ON password_reset FOR SELECT TO chancery_owner USING (true);

-- Whose address is this? For signing in, and for the mail that says an account exists already.
CREATE FUNCTION account_by_email(wanted text)
RETURNS TABLE (team_id uuid, id uuid, email text, password_hash text, status text, team_status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.team_id, a.id, a.email, a.password_hash, a.status, t.status
  FROM account a JOIN team t ON t.team_id = a.team_id
  WHERE a.email_key = wanted AND a.deleted_at IS NULL
$$;

-- Which team does this reset link belong to?
CREATE FUNCTION reset_by_token(wanted bytea)
RETURNS TABLE (team_id uuid, account_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.team_id, r.account_id FROM password_reset r WHERE r.token_hash = wanted AND r.expires_at > now()
$$;
REVOKE EXECUTE ON FUNCTION account_by_email(text), reset_by_token(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION account_by_email(text), reset_by_token(bytea) TO chancery_app;
