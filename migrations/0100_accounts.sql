CREATE TABLE team (
  team_id uuid PRIMARY KEY,
  name text NOT NULL,
  time_zone text NOT NULL DEFAULT 'UTC',
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'closed')),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- The time when a team was closed. Its data is kept for 30 days and then erased, except for its journal.
  closed_at timestamptz,
  purged_at timestamptz,
  -- Whether an API client is suspended until a takeover after its responsible user has left.
  clients_await_takeover boolean NOT NULL DEFAULT true
);
-- Lists of staff over all teams, newest first.
CREATE INDEX team_by_age ON team (created_at DESC, team_id DESC);
CREATE INDEX team_to_purge ON team (closed_at) WHERE closed_at IS NOT NULL AND purged_at IS NULL;
CALL confine_to_team('team', 'SELECT, INSERT, UPDATE');
CALL open_to_system('team', 'SELECT', 'UPDATE');
CREATE POLICY lookup ON team FOR SELECT TO chancery_owner USING (true);

-- A change of a team’s status changes the rights of its members and clients, so every node is notified.
CREATE FUNCTION lock_team_exclusively() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(credential_key(NEW.team_id));
  PERFORM pg_notify('revoked', 'team ' || NEW.team_id);
  RETURN NEW;
END $$;
CREATE TRIGGER lock_credential BEFORE UPDATE OF status ON team FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION lock_team_exclusively();

-- Limits that staff set for a team.
ALTER TABLE team_quota ADD FOREIGN KEY (team_id) REFERENCES team;

-- A user in a team. `email` is the stored spelling for mail; `email_key` is the form for comparison.
-- After deletion the row stays without personal data, so that identifiers in the journal still
-- resolve. Users keep their id when they change teams: the row in the old team is redacted too.
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
  -- An administrator has released the address: the user can change it, and need not sign in through a provider of the team.
  address_released boolean NOT NULL DEFAULT false,
  credential_epoch integer NOT NULL DEFAULT 1,
  -- When the user gets mails about assigned tasks: at once, once a day or never.
  task_mails text NOT NULL DEFAULT 'at_once' CHECK (task_mails IN ('at_once', 'daily', 'none')),
  PRIMARY KEY (team_id, id)
);
-- An address has at most one account over all teams, a team exactly one owner, and a user one active row.
CREATE UNIQUE INDEX account_email_once ON account (email_key) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX account_one_owner ON account (team_id) WHERE role = 'owner' AND deleted_at IS NULL;
CREATE UNIQUE INDEX account_id_once ON account (id) WHERE deleted_at IS NULL;
-- Lists of staff over all users, newest first.
CREATE INDEX account_by_age ON account (created_at DESC, id DESC) WHERE deleted_at IS NULL;
CALL confine_to_team('account', 'SELECT, INSERT, UPDATE');
CALL open_to_system('account', 'SELECT', 'UPDATE');
CREATE POLICY lookup ON account FOR SELECT TO chancery_owner USING (true);
-- The active members of teams, with the rights and row-level security of the caller. Its rows can be locked.
CREATE VIEW member WITH (security_invoker) AS
  SELECT a.team_id, a.id, a.email, a.first_name, a.last_name, a.role, a.locale, a.created_at FROM account a
  WHERE a.status = 'active' AND a.deleted_at IS NULL;
GRANT SELECT, UPDATE ON member TO chancery_app;
CREATE TRIGGER lock_credential BEFORE UPDATE OF role, status, deleted_at ON account FOR EACH ROW
  WHEN (OLD.role <> NEW.role OR OLD.status <> NEW.status OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION lock_credential_exclusively('id');
-- Rehashing the same password does not change the version, so the epoch stays.
CREATE TRIGGER raise_epoch BEFORE UPDATE OF status, deleted_at, email_key, two_factor_enabled, password_hash ON account FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at OR OLD.email_key <> NEW.email_key
    OR OLD.two_factor_enabled <> NEW.two_factor_enabled
    OR (OLD.password_hash IS DISTINCT FROM NEW.password_hash AND OLD.version <> NEW.version))
  EXECUTE FUNCTION raise_credential_epoch();

-- Returns the account of an address, for sign-ins and for mails about an existing account.
CREATE FUNCTION account_by_email(wanted text)
RETURNS TABLE (
  team_id uuid, id uuid, email text, locale text, password_hash text, status text, team_status text, credential_epoch integer
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.team_id, a.id, a.email, a.locale, a.password_hash, a.status, t.status, a.credential_epoch
  FROM account a JOIN team t ON t.team_id = a.team_id
  WHERE a.email_key = wanted AND a.deleted_at IS NULL
$$;
REVOKE EXECUTE ON FUNCTION account_by_email(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION account_by_email(text) TO chancery_app;

-- The language of a team is that of its owner.
CREATE FUNCTION team_locale(of_team uuid) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT a.locale FROM account a WHERE a.team_id = of_team AND a.role = 'owner' AND a.deleted_at IS NULL
$$;
REVOKE EXECUTE ON FUNCTION team_locale(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION team_locale(uuid) TO chancery_app;

-- Whether a team is neither suspended nor closed. Due work of other teams waits.
CREATE FUNCTION team_active(of_team uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM team t WHERE t.team_id = of_team AND t.status = 'active');
END $$;
REVOKE EXECUTE ON FUNCTION team_active(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION team_active(uuid) TO chancery_app, chancery_system;
-- Whether API clients of a team are suspended until a takeover when their responsible user leaves.
CREATE FUNCTION clients_await_takeover(of_team uuid) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT EXISTS (SELECT FROM team t WHERE t.team_id = of_team AND t.clients_await_takeover)
$$;
REVOKE EXECUTE ON FUNCTION clients_await_takeover(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION clients_await_takeover(uuid) TO chancery_app, chancery_system;

-- Returns the name of a team for its mails.
CREATE FUNCTION team_name(of_team uuid) RETURNS TABLE (name text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT t.name FROM team t WHERE t.team_id = of_team
$$;
REVOKE EXECUTE ON FUNCTION team_name(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION team_name(uuid) TO chancery_system;

-- A sign-in on a device. Refresh tokens of a session are a counter under a keyed hash. Only the counter
-- is stored, and the times of the latest rotations, which distinguish a concurrent retry from a replay.
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
  -- The provider’s connection of the sign-in. The session ends with it.
  connection_id uuid,
  epoch integer NOT NULL DEFAULT 1,
  -- The time of the last second factor, separate from the last authentication: a password does not make the second factor more recent. Null: never.
  second_factor_at timestamptz,
  -- The connected app that owns the session, with its maximum scopes. Its tokens work only at the MCP server.
  app_id text,
  app_scopes text[],
  PRIMARY KEY (team_id, id),
  CONSTRAINT session_of_app CHECK ((app_id IS NULL) = (app_scopes IS NULL)),
  CONSTRAINT session_id_once UNIQUE (id),
  FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id)
);
CREATE INDEX session_of_account ON session (team_id, account_id) WHERE revoked_at IS NULL;
-- All sessions of a user, including ended ones, to recognize a browser.
CREATE INDEX session_of_account_ever ON session (team_id, account_id);
CREATE INDEX session_of_connection ON session (team_id, connection_id) WHERE connection_id IS NOT NULL AND revoked_at IS NULL;
CALL confine_to_team('session', 'SELECT, INSERT, UPDATE');
CALL open_to_system('session', 'SELECT', 'UPDATE', 'DELETE');
CREATE POLICY lookup ON session FOR SELECT TO chancery_owner USING (true);
CREATE TRIGGER lock_credential BEFORE UPDATE OF revoked_at ON session FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION lock_credential_exclusively('account_id');

-- Returns the user and role of a valid session.
CREATE FUNCTION live_session(wanted uuid)
RETURNS TABLE (
  team_id uuid, account_id uuid, role text, auth_time timestamptz, acr text, two_factor_enabled boolean,
  app_id text, app_scopes text[]
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.team_id, s.account_id, a.role, s.auth_time, s.acr, a.two_factor_enabled, s.app_id, s.app_scopes
  FROM session s
  JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id
  JOIN team t ON t.team_id = s.team_id
  WHERE s.id = wanted AND s.revoked_at IS NULL AND s.expires_at > now() AND s.epoch = a.credential_epoch
    AND a.status = 'active' AND t.status = 'active'
$$;
-- Whether the session of a connected app has not ended.
CREATE FUNCTION connected_app_session_lives(team uuid, one uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM session s JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id
    WHERE s.team_id = team AND s.id = one AND s.app_id IS NOT NULL AND s.revoked_at IS NULL AND s.expires_at > now()
      AND s.epoch = a.credential_epoch AND a.status = 'active');
END $$;
REVOKE EXECUTE ON FUNCTION live_session(uuid), connected_app_session_lives(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION live_session(uuid), connected_app_session_lives(uuid, uuid) TO chancery_app, chancery_system;

-- Fails if the session or the user has ended (CR401), or if the role has changed (CR403). Like
-- check_client_credential and check_staff_credential, it reads after it has acquired the lock, in a new snapshot.
CREATE FUNCTION check_person_credential(locked_team uuid, locked_account uuid, locked_session uuid, believed_role text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE role_now text;
BEGIN
  -- Usually no exclusive lock is held, so the functions that can wait are not called.
  IF NOT (pg_try_advisory_xact_lock_shared(credential_key(locked_account)) AND pg_try_advisory_xact_lock_shared(credential_key(locked_team))) THEN
    PERFORM lock_credential_shared(locked_account);
    PERFORM lock_credential_shared(locked_team);
  END IF;
  SELECT a.role INTO role_now
  FROM session s
  JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id
  JOIN team t ON t.team_id = s.team_id
  WHERE s.team_id = locked_team AND s.id = locked_session AND s.account_id = locked_account AND s.epoch = a.credential_epoch
    AND s.revoked_at IS NULL AND s.expires_at > now() AND a.status = 'active' AND t.status = 'active';
  IF role_now IS NULL THEN RAISE EXCEPTION 'the session has ended' USING ERRCODE = 'CR401'; END IF;
  IF role_now <> believed_role THEN RAISE EXCEPTION 'the role was changed' USING ERRCODE = 'CR403'; END IF;
END $$;
REVOKE EXECUTE ON FUNCTION check_person_credential(uuid, uuid, uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION check_person_credential(uuid, uuid, uuid, text) TO chancery_app;

-- Registrations before an account exists. Each attempt is a separate row with its password and code.
-- So no other user can have their password confirmed by the owner of the address, or block the owner.
CREATE TABLE registration (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  password_hash text NOT NULL,
  -- The hash of a cookie that identifies the registering browser.
  device_hash bytea NOT NULL,
  -- A keyed hash of the network. Attempts from one network count as one user’s.
  origin_hash bytea NOT NULL,
  code_hmac bytea,
  code_expires_at timestamptz,
  tries integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL DEFAULT now() + interval '24 hours',
  -- The language that the recipient requested for mails.
  locale text NOT NULL DEFAULT 'en'
);
CREATE INDEX registration_of_address ON registration (email_key, created_at DESC);
CREATE INDEX registration_by_age ON registration (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON registration TO chancery_app;
GRANT SELECT, DELETE ON registration TO chancery_system;

-- Used proofs of work, by their signed content, until they expire.
CREATE TABLE altcha_spent (
  id bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX altcha_spent_by_age ON altcha_spent (expires_at);
GRANT SELECT, INSERT ON altcha_spent TO chancery_app;
GRANT SELECT, DELETE ON altcha_spent TO chancery_system;

-- A link that sets a new password. Only the newest of a user is valid.
CREATE TABLE password_reset (
  team_id uuid NOT NULL,
  account_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  epoch integer NOT NULL DEFAULT 1,
  PRIMARY KEY (team_id, account_id),
  CONSTRAINT password_reset_token_once UNIQUE (token_hash),
  FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id)
);
CALL confine_to_team('password_reset', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('password_reset', 'SELECT', 'DELETE');
CREATE POLICY lookup ON password_reset FOR SELECT TO chancery_owner USING (true);

-- Returns the team and account of a reset link.
CREATE FUNCTION reset_by_token(wanted bytea)
RETURNS TABLE (team_id uuid, account_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.team_id, r.account_id FROM password_reset r WHERE r.token_hash = wanted AND r.expires_at > now()
$$;
REVOKE EXECUTE ON FUNCTION reset_by_token(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reset_by_token(bytea) TO chancery_app;

-- A new address that waits for its code. Until then the account keeps the old one.
CREATE TABLE email_change (
  team_id uuid NOT NULL,
  account_id uuid NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  -- Null if no code was mailed, so that no guess can match.
  code_hmac bytea,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, account_id),
  FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id)
);
CREATE INDEX email_change_by_age ON email_change (expires_at);
CALL confine_to_team('email_change', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('email_change', 'SELECT', 'DELETE');

-- The second factor: an encrypted shared secret for time-based codes (RFC
-- 6238), with the last time step that was used. A step is never accepted twice.
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
CALL let_system_reseal('two_factor', 'secret');

-- A shown secret before its confirmation. An active secret does not change until then.
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
CALL let_system_reseal('two_factor_setup', 'secret');

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

-- A sign-in that waits for its second factor. Only the newest of a user is valid.
CREATE TABLE sign_in_challenge (
  team_id uuid NOT NULL,
  account_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  -- The methods of the first authentication.
  amr text[] NOT NULL DEFAULT '{pwd}',
  -- The provider’s connection of the sign-in, for its later session.
  connection_id uuid,
  epoch integer NOT NULL DEFAULT 1,
  PRIMARY KEY (team_id, account_id),
  CONSTRAINT sign_in_challenge_token_once UNIQUE (token_hash),
  FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id)
);
CREATE INDEX sign_in_challenge_by_age ON sign_in_challenge (expires_at);
CALL confine_to_team('sign_in_challenge', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('sign_in_challenge', 'SELECT', 'DELETE');
CREATE POLICY lookup ON sign_in_challenge FOR SELECT TO chancery_owner USING (true);

-- Returns the team and account of a challenge.
CREATE FUNCTION challenge_by_token(wanted bytea)
RETURNS TABLE (team_id uuid, account_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.team_id, c.account_id FROM sign_in_challenge c WHERE c.token_hash = wanted AND c.expires_at > now()
$$;
REVOKE EXECUTE ON FUNCTION challenge_by_token(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION challenge_by_token(bytea) TO chancery_app;

-- A passkey of a user (WebAuthn Level 3): the public key and the signature counter of the authenticator.
-- A credential is looked up by its id before the team is known, and can be registered once.
CREATE TABLE passkey (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL,
  credential_id bytea NOT NULL CHECK (octet_length(credential_id) BETWEEN 16 AND 1023),
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  transports text[] NOT NULL,
  -- Whether the key may be copied to other devices of the user (BE), or is bound to one.
  synced boolean NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT passkey_credential_once UNIQUE (credential_id),
  FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id)
);
CREATE INDEX passkey_of_account ON passkey (team_id, account_id);
CALL confine_to_team('passkey', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('passkey', 'SELECT', 'DELETE');
CREATE POLICY lookup ON passkey FOR SELECT TO chancery_owner USING (true);

-- Returns the owner of a passkey.
CREATE FUNCTION passkey_by_credential(wanted bytea)
RETURNS TABLE (team_id uuid, account_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.team_id, p.account_id, p.id FROM passkey p WHERE p.credential_id = wanted
$$;
REVOKE EXECUTE ON FUNCTION passkey_by_credential(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION passkey_by_credential(bytea) TO chancery_app;

-- Challenges are signed by the service, so that a request stores nothing. Hashes of used ones are stored until their expiry.
CREATE TABLE passkey_challenge_spent (
  hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenge_spent_by_age ON passkey_challenge_spent (expires_at);
GRANT SELECT, INSERT ON passkey_challenge_spent TO chancery_app;
GRANT SELECT, DELETE ON passkey_challenge_spent TO chancery_system;

-- The identity of a user at an OpenID Connect provider, found by issuer and subject, never by address. It ends with the membership.
CREATE TABLE federated_identity (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  -- The latest address from the provider, if it was trusted.
  email text,
  account_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, issuer, subject),
  CONSTRAINT federated_identity_id_once UNIQUE (team_id, id),
  -- One subject for each issuer: another subject with the same address is another user.
  CONSTRAINT federated_identity_once UNIQUE (team_id, account_id, issuer),
  FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id)
);
CREATE INDEX federated_identity_of_connection ON federated_identity (team_id, connection_id);
CALL confine_to_team('federated_identity', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('federated_identity', 'SELECT', 'DELETE');
-- The time of the last sign-in through a connection.
CREATE FUNCTION last_sign_in_through(of_team uuid, connection uuid) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT max(f.last_used_at) FROM federated_identity f WHERE f.team_id = of_team AND f.connection_id = connection
$$;
REVOKE EXECUTE ON FUNCTION last_sign_in_through(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION last_sign_in_through(uuid, uuid) TO chancery_app;
