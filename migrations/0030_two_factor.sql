-- The second factor: a shared secret for time-based codes (RFC 6238), encrypted, with the last step that signed
-- somebody in; a step is never taken twice.
CREATE TABLE two_factor (
  team_id uuid NOT NULL,
  account_id uuid NOT NULL,
  secret bytea NOT NULL,
  last_step bigint NOT NULL DEFAULT 0,
  enabled_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, account_id),
  FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id)
);
CALL confine_to_team('two_factor', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('two_factor', 'SELECT', 'DELETE');

-- A secret that was shown and not yet confirmed; the living one, if any, is untouched meanwhile.
CREATE TABLE two_factor_setup (
  team_id uuid NOT NULL,
  account_id uuid NOT NULL,
  id uuid NOT NULL,
  secret bytea NOT NULL,
  backup_hashes text[] NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, account_id),
  FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id)
);
CREATE INDEX two_factor_setup_by_age ON two_factor_setup (expires_at);
CALL confine_to_team('two_factor_setup', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('two_factor_setup', 'SELECT', 'DELETE');

CREATE TABLE backup_code (
  team_id uuid NOT NULL,
  account_id uuid NOT NULL,
  slot smallint NOT NULL,
  hash text NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (team_id, account_id, slot),
  FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id)
);
CALL confine_to_team('backup_code', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('backup_code', 'SELECT', 'DELETE');

-- A sign-in that waits for its second factor: the newest of a person alone.
CREATE TABLE sign_in_challenge (
  team_id uuid NOT NULL,
  account_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, account_id),
  CONSTRAINT sign_in_challenge_token_once UNIQUE (token_hash),
  FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id)
);
CREATE INDEX sign_in_challenge_by_age ON sign_in_challenge (expires_at);
CALL confine_to_team('sign_in_challenge', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('sign_in_challenge', 'SELECT', 'DELETE');
CREATE POLICY lookup ON sign_in_challenge FOR SELECT TO chancery_owner USING (true);

-- Which team does this challenge belong to?
CREATE FUNCTION challenge_by_token(wanted bytea)
RETURNS TABLE (team_id uuid, account_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.team_id, c.account_id FROM sign_in_challenge c WHERE c.token_hash = wanted AND c.expires_at > now()
$$;
REVOKE EXECUTE ON FUNCTION challenge_by_token(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION challenge_by_token(bytea) TO chancery_app;

-- A new address that awaits its code. The account keeps the old one until then.
CREATE TABLE email_change (
  team_id uuid NOT NULL,
  account_id uuid NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  code_hmac bytea NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, account_id),
  FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id)
);
CREATE INDEX email_change_by_age ON email_change (expires_at);
CALL confine_to_team('email_change', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('email_change', 'SELECT', 'DELETE');

-- Mails are written in the language their recipient asked for.
ALTER TABLE registration ADD COLUMN locale text NOT NULL DEFAULT 'en';
DROP FUNCTION account_by_email(text);
CREATE FUNCTION account_by_email(wanted text)
RETURNS TABLE (team_id uuid, id uuid, email text, locale text, password_hash text, status text, team_status text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.team_id, a.id, a.email, a.locale, a.password_hash, a.status, t.status
  FROM account a JOIN team t ON t.team_id = a.team_id
  WHERE a.email_key = wanted AND a.deleted_at IS NULL
$$;
REVOKE EXECUTE ON FUNCTION account_by_email(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION account_by_email(text) TO chancery_app;

-- All sessions of a person, ended ones too: has this browser been seen?
CREATE INDEX session_of_account_ever ON session (team_id, account_id);
