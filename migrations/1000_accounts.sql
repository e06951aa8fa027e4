-- Separates a person from the membership in a team, so that a person can belong to several teams.
-- A person has a profile and a password. An account is the membership in a team. A sign_in is one sign-in on one device. A session opens a sign-in
-- in a team. All identifiers, access tokens and refresh tokens stay valid.

-- The person whose request the transaction serves; null outside one, which no row equals.
CREATE FUNCTION current_person() RETURNS uuid
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.person_id', true), '')::uuid;

-- Row-level security for tables of a person: a request reaches the rows of its own person, in whichever team. Functions that run as the owner
-- find rows by one exact key.
CREATE PROCEDURE confine_to_person(target regclass, owner_column name) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY person_isolation ON %s TO chancery_app USING (%2$I = (SELECT current_person())) WITH CHECK (%2$I = (SELECT current_person()))',
    target, owner_column);
  EXECUTE format('DROP POLICY IF EXISTS lookup ON %s', target);
  EXECUTE format('CREATE POLICY lookup ON %s FOR SELECT TO chancery_owner USING (true)', target);
END $$;
REVOKE EXECUTE ON PROCEDURE confine_to_person(regclass, name) FROM PUBLIC;

-- A person. `email` is the stored spelling; `email_key` is compared. After deletion the row stays without personal data, so that identifiers in
-- journals resolve.
CREATE TABLE person (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  locale text NOT NULL DEFAULT 'en',
  timezone text NOT NULL DEFAULT 'UTC',
  password_hash text,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  onboarding_completed_at timestamptz,
  -- Rises with the password, the address, the factors and the deletion. Sign-ins of an earlier epoch are invalid in each team.
  credential_epoch integer NOT NULL DEFAULT 1,
  version integer NOT NULL DEFAULT 1,
  -- The team of the last sign-in or switch. The next sign-in opens it.
  last_team_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);

-- One sign-in on one device, in all teams. The refresh token is a counter under a keyed hash; `rotations` tells a concurrent retry from a replay.
CREATE TABLE sign_in (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL,
  refresh_counter integer NOT NULL DEFAULT 0,
  rotations timestamptz[] NOT NULL DEFAULT '{}',
  auth_time timestamptz NOT NULL,
  -- The time of the last password, code or passkey of the person. A sign-in through a provider proves nothing outside the provider's team.
  own_proof_at timestamptz,
  -- The time of the last second factor. A repeated password does not change it.
  second_factor_at timestamptz,
  amr text[] NOT NULL,
  acr text NOT NULL CHECK (acr IN ('aal1', 'aal2')),
  ip inet,
  user_agent text,
  epoch integer NOT NULL DEFAULT 1,
  -- The connected app that holds the sign-in, and its scopes. Its tokens open the MCP server only.
  app_id text,
  app_scopes text[],
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  CONSTRAINT sign_in_of_app CHECK ((app_id IS NULL) = (app_scopes IS NULL))
);

-- The move of the rows. Challenges and unconfirmed factors last minutes and begin again.
ALTER TABLE account NO FORCE ROW LEVEL SECURITY;
ALTER TABLE session NO FORCE ROW LEVEL SECURITY;
ALTER TABLE two_factor_setup NO FORCE ROW LEVEL SECURITY;
ALTER TABLE sign_in_challenge NO FORCE ROW LEVEL SECURITY;
INSERT INTO person (id, email, email_key, first_name, last_name, locale, timezone, password_hash, two_factor_enabled, onboarding_completed_at,
  credential_epoch, version, last_team_id, created_at, updated_at, deleted_at)
SELECT DISTINCT ON (id) id, email, email_key, first_name, last_name, locale, timezone, password_hash, two_factor_enabled, onboarding_completed_at,
  credential_epoch, version, CASE WHEN deleted_at IS NULL THEN team_id END, created_at, updated_at, deleted_at
FROM account ORDER BY id, deleted_at DESC NULLS FIRST;
INSERT INTO sign_in (id, person_id, refresh_counter, rotations, auth_time, own_proof_at, second_factor_at, amr, acr, ip, user_agent, epoch, app_id,
  app_scopes, created_at, last_used_at, expires_at, revoked_at)
SELECT id, account_id, refresh_counter, rotations, auth_time, CASE WHEN 'fed' <> ALL (amr) THEN auth_time END, second_factor_at, amr, acr, ip, user_agent,
  epoch, app_id, app_scopes, created_at, last_used_at, expires_at, revoked_at
FROM session;
DELETE FROM two_factor_setup;
DELETE FROM sign_in_challenge;
ALTER TABLE account FORCE ROW LEVEL SECURITY;
ALTER TABLE session FORCE ROW LEVEL SECURITY;
ALTER TABLE two_factor_setup FORCE ROW LEVEL SECURITY;
ALTER TABLE sign_in_challenge FORCE ROW LEVEL SECURITY;

CREATE UNIQUE INDEX person_email_once ON person (email_key) WHERE deleted_at IS NULL;
CREATE INDEX person_by_age ON person (created_at DESC, id DESC) WHERE deleted_at IS NULL;
GRANT SELECT, INSERT, UPDATE ON person TO chancery_app;
CALL confine_to_person('person', 'id');
CALL open_to_system('person', 'SELECT', 'UPDATE');

ALTER TABLE sign_in ADD FOREIGN KEY (person_id) REFERENCES person;
CREATE INDEX sign_in_of_person ON sign_in (person_id);
GRANT SELECT, INSERT, UPDATE ON sign_in TO chancery_app;
CALL confine_to_person('sign_in', 'person_id');
CALL open_to_system('sign_in', 'SELECT', 'UPDATE', 'DELETE');
CREATE POLICY rotation ON sign_in FOR UPDATE TO chancery_owner USING (true);
CREATE TRIGGER lock_credential BEFORE UPDATE OF revoked_at ON sign_in FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION lock_credential_exclusively('person_id');

-- The membership. Address, names, language, zone and factor state are copies of the person's; the trigger of person writes them.
DROP TRIGGER raise_epoch ON account;
DROP INDEX account_email_once, account_id_once;
ALTER TABLE account DROP COLUMN password_hash, DROP COLUMN onboarding_completed_at, ADD FOREIGN KEY (id) REFERENCES person;
CREATE INDEX account_of_person ON account (id) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX account_email_in_team ON account (team_id, email_key) WHERE deleted_at IS NULL;
-- The epoch of the membership. Sessions of an earlier one are invalid in this team.
CREATE TRIGGER raise_epoch BEFORE UPDATE OF status, deleted_at ON account FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at) EXECUTE FUNCTION raise_credential_epoch();

-- A rehash keeps the version: the password is the same.
CREATE TRIGGER raise_epoch BEFORE UPDATE OF deleted_at, email_key, two_factor_enabled, password_hash ON person FOR EACH ROW
  WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at OR OLD.email_key <> NEW.email_key OR OLD.two_factor_enabled <> NEW.two_factor_enabled
    OR (OLD.password_hash IS DISTINCT FROM NEW.password_hash AND OLD.version <> NEW.version))
  EXECUTE FUNCTION raise_credential_epoch();
-- Copies the profile into the memberships, locked in the order of their teams.
CREATE FUNCTION copy_person() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM account a WHERE a.id = NEW.id AND a.deleted_at IS NULL ORDER BY a.team_id FOR NO KEY UPDATE;
  UPDATE account a SET email = NEW.email, email_key = NEW.email_key, first_name = NEW.first_name, last_name = NEW.last_name, locale = NEW.locale,
    timezone = NEW.timezone, two_factor_enabled = NEW.two_factor_enabled, version = a.version + 1, updated_at = NEW.updated_at
  WHERE a.id = NEW.id AND a.deleted_at IS NULL;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION copy_person() FROM PUBLIC;
CREATE POLICY copies ON account FOR UPDATE TO chancery_owner USING (true);
CREATE TRIGGER copy_person AFTER UPDATE OF email, email_key, first_name, last_name, locale, timezone, two_factor_enabled ON person FOR EACH ROW
  WHEN ((OLD.email, OLD.email_key, OLD.first_name, OLD.last_name, OLD.locale, OLD.timezone, OLD.two_factor_enabled)
    IS DISTINCT FROM (NEW.email, NEW.email_key, NEW.first_name, NEW.last_name, NEW.locale, NEW.timezone, NEW.two_factor_enabled))
  EXECUTE FUNCTION copy_person();

DROP FUNCTION account_by_email(text), live_session(uuid);
DROP INDEX session_of_account_ever;
ALTER TABLE session DROP CONSTRAINT session_id_once, DROP CONSTRAINT session_of_app,
  DROP COLUMN refresh_counter, DROP COLUMN rotations, DROP COLUMN auth_time, DROP COLUMN second_factor_at, DROP COLUMN amr, DROP COLUMN acr,
  DROP COLUMN ip, DROP COLUMN user_agent, DROP COLUMN last_used_at, DROP COLUMN expires_at, DROP COLUMN app_id, DROP COLUMN app_scopes,
  ADD CONSTRAINT session_of_sign_in FOREIGN KEY (id) REFERENCES sign_in ON DELETE CASCADE;
CREATE INDEX session_by_sign_in ON session (id);

-- Tables of a person: their rows no longer belong to a team.
DROP FUNCTION reset_by_token(bytea), challenge_by_token(bytea), passkey_by_credential(bytea);
DROP POLICY team_isolation ON password_reset;
ALTER TABLE password_reset DROP CONSTRAINT password_reset_pkey, DROP CONSTRAINT password_reset_team_id_account_id_fkey, DROP COLUMN team_id;
ALTER TABLE password_reset RENAME account_id TO person_id;
ALTER TABLE password_reset ADD PRIMARY KEY (person_id), ADD FOREIGN KEY (person_id) REFERENCES person;
CALL confine_to_person('password_reset', 'person_id');
DROP POLICY team_isolation ON email_change;
ALTER TABLE email_change DROP CONSTRAINT email_change_pkey, DROP CONSTRAINT email_change_team_id_account_id_fkey, DROP COLUMN team_id;
ALTER TABLE email_change RENAME account_id TO person_id;
ALTER TABLE email_change ADD PRIMARY KEY (person_id), ADD FOREIGN KEY (person_id) REFERENCES person;
CALL confine_to_person('email_change', 'person_id');
DROP POLICY team_isolation ON two_factor;
ALTER TABLE two_factor DROP CONSTRAINT two_factor_pkey, DROP CONSTRAINT two_factor_team_id_account_id_fkey, DROP COLUMN team_id;
ALTER TABLE two_factor RENAME account_id TO person_id;
ALTER TABLE two_factor ADD PRIMARY KEY (person_id), ADD FOREIGN KEY (person_id) REFERENCES person;
CALL confine_to_person('two_factor', 'person_id');
DROP POLICY team_isolation ON two_factor_setup;
ALTER TABLE two_factor_setup DROP CONSTRAINT two_factor_setup_pkey, DROP CONSTRAINT two_factor_setup_team_id_account_id_fkey, DROP COLUMN team_id;
ALTER TABLE two_factor_setup RENAME account_id TO person_id;
ALTER TABLE two_factor_setup ADD PRIMARY KEY (person_id), ADD FOREIGN KEY (person_id) REFERENCES person;
CALL confine_to_person('two_factor_setup', 'person_id');
DROP POLICY team_isolation ON backup_code;
ALTER TABLE backup_code DROP CONSTRAINT backup_code_pkey, DROP CONSTRAINT backup_code_team_id_account_id_fkey, DROP COLUMN team_id;
ALTER TABLE backup_code RENAME account_id TO person_id;
ALTER TABLE backup_code ADD PRIMARY KEY (person_id, slot), ADD FOREIGN KEY (person_id) REFERENCES person;
CALL confine_to_person('backup_code', 'person_id');
DROP POLICY team_isolation ON sign_in_challenge;
ALTER TABLE sign_in_challenge DROP CONSTRAINT sign_in_challenge_pkey, DROP CONSTRAINT sign_in_challenge_team_id_account_id_fkey;
ALTER TABLE sign_in_challenge RENAME account_id TO person_id;
-- The team that the sign-in opens.
ALTER TABLE sign_in_challenge RENAME team_id TO opens_team_id;
ALTER TABLE sign_in_challenge ADD PRIMARY KEY (person_id), ADD FOREIGN KEY (person_id) REFERENCES person;
CREATE INDEX sign_in_challenge_through ON sign_in_challenge (connection_id) WHERE connection_id IS NOT NULL;
CALL confine_to_person('sign_in_challenge', 'person_id');
DROP POLICY team_isolation ON passkey;
ALTER TABLE passkey DROP CONSTRAINT passkey_pkey, DROP CONSTRAINT passkey_team_id_account_id_fkey, DROP COLUMN team_id;
ALTER TABLE passkey RENAME account_id TO person_id;
ALTER TABLE passkey ADD PRIMARY KEY (id), ADD FOREIGN KEY (person_id) REFERENCES person;
CREATE INDEX passkey_of_person ON passkey (person_id);
CALL confine_to_person('passkey', 'person_id');

-- The sign-in rules of a team. Without a row there are none.
CREATE TABLE team_policy (
  team_id uuid PRIMARY KEY REFERENCES team,
  -- Sign-ins without a second factor reach the own profile only.
  second_factor boolean NOT NULL,
  -- The hours after which a sign-in must be proven again to open the team.
  session_hours integer CHECK (session_hours BETWEEN 1 AND 2160),
  version integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CALL confine_to_team('team_policy', 'SELECT, INSERT, UPDATE');
CALL open_to_system('team_policy', 'SELECT', 'DELETE');
CREATE POLICY lookup ON team_policy FOR SELECT TO chancery_owner USING (true);

-- Valid sessions: neither the sign-in nor the session has ended, and nothing has changed that they depend on. For functions of the owner.
CREATE VIEW live_session AS
  SELECT s.team_id, s.id, s.account_id, s.connection_id, a.role, i.auth_time, i.amr, i.acr, i.app_id, i.app_scopes,
    i.refresh_counter, i.rotations, i.last_used_at, y.second_factor
  FROM session s
  JOIN sign_in i ON i.id = s.id
  JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id
  JOIN person p ON p.id = s.account_id
  JOIN team t ON t.team_id = s.team_id
  LEFT JOIN team_policy y ON y.team_id = s.team_id
  WHERE s.revoked_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()
    AND (y.session_hours IS NULL OR i.auth_time > now() - make_interval(hours => y.session_hours))
    AND s.epoch = a.credential_epoch AND i.epoch = p.credential_epoch AND a.status = 'active' AND t.status = 'active';

-- The person and role of a valid session in a team.
CREATE FUNCTION find_session(wanted uuid, in_team uuid)
RETURNS TABLE (
  account_id uuid, role text, auth_time timestamptz, acr text, lacks_second_factor boolean, app_id text, app_scopes text[]
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.account_id, s.role, s.auth_time, s.acr, coalesce(s.second_factor AND s.acr = 'aal1', false), s.app_id, s.app_scopes
  FROM live_session s WHERE s.team_id = in_team AND s.id = wanted
$$;
-- The person of a session that was used in the last `idle` seconds.
CREATE FUNCTION person_of_session(wanted uuid, in_team uuid, idle float8) RETURNS TABLE (person_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.account_id FROM live_session s
  WHERE s.team_id = in_team AND s.id = wanted AND s.app_id IS NULL AND s.last_used_at > now() - make_interval(secs => idle)
$$;
-- The state of a refresh token's session, with the ages of its latest rotations in seconds, oldest first. `of_app`: a connected app holds it.
CREATE FUNCTION session_state(wanted uuid, in_team uuid, of_app boolean, idle float8)
RETURNS TABLE (
  account_id uuid, role text, auth_time timestamptz, amr text[], acr text, counter integer, app_id text, app_scopes text[], ages float8[]
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.account_id, s.role, s.auth_time, s.amr, s.acr, s.refresh_counter, s.app_id, s.app_scopes,
    ARRAY(SELECT extract(epoch FROM now() - r)::float8 FROM unnest(s.rotations) WITH ORDINALITY AS x(r, n) ORDER BY n)
  FROM live_session s
  WHERE s.team_id = in_team AND s.id = wanted AND (s.app_id IS NOT NULL) = of_app AND s.last_used_at > now() - make_interval(secs => idle)
$$;
-- The state of a valid sign-in, in whichever teams it is open.
CREATE FUNCTION sign_in_state(wanted uuid, idle float8) RETURNS TABLE (person_id uuid, counter integer, ages float8[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT i.person_id, i.refresh_counter,
    ARRAY(SELECT extract(epoch FROM now() - r)::float8 FROM unnest(i.rotations) WITH ORDINALITY AS x(r, n) ORDER BY n)
  FROM sign_in i JOIN person p ON p.id = i.person_id
  WHERE i.id = wanted AND i.app_id IS NULL AND i.epoch = p.credential_epoch AND p.deleted_at IS NULL
    AND session_in_use(i.revoked_at, i.expires_at, i.last_used_at, idle)
$$;
-- Rotates a refresh token: of two requests with the same counter one gets a row. Keeps the last `keep` times of rotation.
CREATE FUNCTION rotate_session(wanted uuid, in_team uuid, of_app boolean, idle float8, expected integer, keep integer)
RETURNS TABLE (
  account_id uuid, role text, auth_time timestamptz, amr text[], acr text, counter integer, app_id text, app_scopes text[]
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY UPDATE sign_in i SET refresh_counter = i.refresh_counter + 1, last_used_at = now(),
      rotations = (i.rotations || now())[greatest(1, cardinality(i.rotations) + 2 - keep) :]
    FROM live_session s
    WHERE i.id = wanted AND i.refresh_counter = expected AND s.team_id = in_team AND s.id = i.id AND (s.app_id IS NOT NULL) = of_app
      AND i.last_used_at > now() - make_interval(secs => idle)
    RETURNING s.account_id, s.role, i.auth_time, i.amr, i.acr, i.refresh_counter, i.app_id, i.app_scopes;
END $$;
-- Whether the session of a connected app is valid.
CREATE OR REPLACE FUNCTION connected_app_session_lives(team uuid, one uuid) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  RETURN EXISTS (SELECT FROM live_session s WHERE s.team_id = team AND s.id = one AND s.app_id IS NOT NULL);
END $$;
REVOKE EXECUTE ON FUNCTION find_session(uuid, uuid), person_of_session(uuid, uuid, float8), session_state(uuid, uuid, boolean, float8),
  sign_in_state(uuid, float8), rotate_session(uuid, uuid, boolean, float8, integer, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_session(uuid, uuid), person_of_session(uuid, uuid, float8), session_state(uuid, uuid, boolean, float8),
  sign_in_state(uuid, float8), rotate_session(uuid, uuid, boolean, float8, integer, integer) TO chancery_app;
GRANT EXECUTE ON FUNCTION find_session(uuid, uuid) TO chancery_system;

DROP FUNCTION check_person_credential(uuid, uuid, uuid, text);
CREATE FUNCTION check_person_credential(in_team uuid, of_account uuid, of_session uuid, expected_role text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE role_now text;
BEGIN
  -- Changes are rare: without one, no function that can wait is called.
  IF NOT (pg_try_advisory_xact_lock_shared(credential_key(of_account)) AND pg_try_advisory_xact_lock_shared(credential_key(in_team))) THEN
    PERFORM lock_credential_shared(of_account);
    PERFORM lock_credential_shared(in_team);
  END IF;
  SELECT s.role INTO role_now FROM live_session s WHERE s.team_id = in_team AND s.id = of_session AND s.account_id = of_account;
  IF role_now IS NULL THEN RAISE EXCEPTION 'the session has ended' USING ERRCODE = 'CR401'; END IF;
  IF role_now <> expected_role THEN RAISE EXCEPTION 'the role was changed' USING ERRCODE = 'CR403'; END IF;
END $$;
REVOKE EXECUTE ON FUNCTION check_person_credential(uuid, uuid, uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION check_person_credential(uuid, uuid, uuid, text) TO chancery_app;

-- The person of an address, with the team that a sign-in opens: the last one if it is open, else the oldest open one. Without a membership there
-- is no team.
CREATE FUNCTION person_by_email(wanted text)
RETURNS TABLE (
  id uuid, email text, locale text, password_hash text, credential_epoch integer, team_id uuid, status text, team_status text
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.id, p.email, p.locale, p.password_hash, p.credential_epoch, m.team_id, m.status, m.team_status
  FROM person p LEFT JOIN LATERAL (
    SELECT a.team_id, a.status, t.status AS team_status FROM account a JOIN team t ON t.team_id = a.team_id
    WHERE a.id = p.id AND a.deleted_at IS NULL
    ORDER BY a.status = 'active' AND t.status = 'active' DESC, a.team_id = p.last_team_id DESC NULLS LAST, a.created_at, a.team_id LIMIT 1
  ) m ON true
  WHERE p.email_key = wanted AND p.deleted_at IS NULL
$$;
-- The teams of the current person, oldest membership first, and the connection that each enforces for the person.
CREATE POLICY lookup ON federated_identity FOR SELECT TO chancery_owner USING (true);
-- PostgreSQL puts the query in the place of the call.
CREATE FUNCTION enforced_connection(team uuid, person uuid) RETURNS TABLE (id uuid)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT c.id FROM account a JOIN sso_connection c ON c.team_id = a.team_id
  WHERE a.team_id = team AND a.id = person AND a.role <> 'owner' AND NOT a.address_released AND c.is_active AND c.is_enforced AND (
    EXISTS (SELECT FROM sso_domain d
      WHERE d.team_id = team AND d.connection_id = c.id AND d.domain = split_part(a.email_key, '@', 2) AND d.verified_at IS NOT NULL)
    OR EXISTS (SELECT FROM federated_identity f WHERE f.team_id = team AND f.connection_id = c.id AND f.account_id = person))
  ORDER BY c.id
$$;
CREATE OR REPLACE FUNCTION requires_provider(team uuid, person uuid) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  RETURN EXISTS (SELECT FROM enforced_connection(team, person));
END $$;
CREATE FUNCTION teams_of_person()
RETURNS TABLE (
  team_id uuid, name text, team_status text, role text, status text, joined_at timestamptz, connection_id uuid, needs_second_factor boolean
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT a.team_id, t.name, t.status, a.role, a.status, a.created_at, (SELECT e.id FROM enforced_connection(a.team_id, a.id) e LIMIT 1),
    NOT a.two_factor_enabled AND EXISTS (SELECT FROM team_policy y WHERE y.team_id = a.team_id AND y.second_factor)
  FROM account a JOIN team t ON t.team_id = a.team_id
  WHERE a.id = (SELECT current_person()) AND a.deleted_at IS NULL ORDER BY a.created_at, a.team_id LIMIT 200
$$;
-- Ends the sign-ins through a connection of the current team that wait for a second factor.
CREATE POLICY connection_change ON sign_in_challenge FOR ALL TO chancery_owner USING (opens_team_id = (SELECT current_team()));
CREATE FUNCTION end_challenges(through uuid) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH waiting AS (
    SELECT c.person_id FROM sign_in_challenge c WHERE c.connection_id = through AND c.opens_team_id = (SELECT current_team())
    ORDER BY c.person_id FOR UPDATE
  )
  DELETE FROM sign_in_challenge c USING waiting WHERE c.person_id = waiting.person_id
$$;
-- The person of a mailed link, of a challenge and of a passkey.
CREATE FUNCTION reset_by_token(wanted bytea) RETURNS TABLE (person_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.person_id FROM password_reset r WHERE r.token_hash = wanted AND r.expires_at > now()
$$;
CREATE FUNCTION challenge_by_token(wanted bytea) RETURNS TABLE (person_id uuid, team_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.person_id, c.opens_team_id FROM sign_in_challenge c WHERE c.token_hash = wanted AND c.expires_at > now()
$$;
CREATE FUNCTION passkey_by_credential(wanted bytea) RETURNS TABLE (person_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.person_id, p.id FROM passkey p WHERE p.credential_id = wanted
$$;
REVOKE EXECUTE ON FUNCTION end_challenges(uuid), person_by_email(text), teams_of_person(), enforced_connection(uuid, uuid), reset_by_token(bytea), challenge_by_token(bytea),
  passkey_by_credential(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION teams_of_person() TO chancery_system;
GRANT EXECUTE ON FUNCTION enforced_connection(uuid, uuid), end_challenges(uuid), person_by_email(text), teams_of_person(), reset_by_token(bytea), challenge_by_token(bytea), passkey_by_credential(bytea)
  TO chancery_app;
