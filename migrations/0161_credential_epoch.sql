-- One number says which of a person's credentials are of now: sessions, sign-ins that wait for their second factor, and links
-- carry the one they were made under, and are good while it is the account's. What ends them raises it: so that one that was
-- being made meanwhile, on what was true before, is dead from the start.
ALTER TABLE account ADD COLUMN credential_epoch integer NOT NULL DEFAULT 1;
ALTER TABLE session ADD COLUMN epoch integer NOT NULL DEFAULT 1;
ALTER TABLE sign_in_challenge ADD COLUMN epoch integer NOT NULL DEFAULT 1;
ALTER TABLE password_reset ADD COLUMN epoch integer NOT NULL DEFAULT 1;
ALTER TABLE staff ADD COLUMN credential_epoch integer NOT NULL DEFAULT 1;
ALTER TABLE staff_session ADD COLUMN epoch integer NOT NULL DEFAULT 1;
ALTER TABLE staff_challenge ADD COLUMN epoch integer NOT NULL DEFAULT 1;
ALTER TABLE staff_password_link ADD COLUMN epoch integer NOT NULL DEFAULT 1;

CREATE FUNCTION raise_credential_epoch() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(credential_key(NEW.id));
  NEW.credential_epoch := OLD.credential_epoch + 1;
  RETURN NEW;
END $$;

-- A password that is hashed anew stays the password: its version is not another one.
CREATE TRIGGER raise_epoch BEFORE UPDATE OF status, deleted_at, email_key, two_factor_enabled, password_hash ON account FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at OR OLD.email_key <> NEW.email_key
    OR OLD.two_factor_enabled <> NEW.two_factor_enabled
    OR (OLD.password_hash IS DISTINCT FROM NEW.password_hash AND OLD.version <> NEW.version))
  EXECUTE FUNCTION raise_credential_epoch();
CREATE TRIGGER raise_epoch BEFORE UPDATE OF is_active, email_key, totp_secret, password_hash ON staff FOR EACH ROW
  WHEN (OLD.is_active <> NEW.is_active OR OLD.email_key <> NEW.email_key OR (OLD.totp_secret IS NULL) <> (NEW.totp_secret IS NULL)
    OR OLD.password_hash IS DISTINCT FROM NEW.password_hash)
  EXECUTE FUNCTION raise_credential_epoch();

CREATE OR REPLACE FUNCTION live_session(wanted uuid)
RETURNS TABLE (team_id uuid, account_id uuid, role text, auth_time timestamptz, acr text, two_factor_enabled boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.team_id, s.account_id, a.role, s.auth_time, s.acr, a.two_factor_enabled
  FROM session s
  JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id
  JOIN team t ON t.team_id = s.team_id
  WHERE s.id = wanted AND s.revoked_at IS NULL AND s.expires_at > now() AND s.epoch = a.credential_epoch
    AND a.status = 'active' AND t.status = 'active'
$$;

CREATE OR REPLACE FUNCTION hold_person(held_team uuid, held_account uuid, held_session uuid, believed_role text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE role_now text;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(credential_key(held_account));
  PERFORM pg_advisory_xact_lock_shared(credential_key(held_team));
  SELECT a.role INTO role_now
  FROM session s
  JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id
  JOIN team t ON t.team_id = s.team_id
  WHERE s.team_id = held_team AND s.id = held_session AND s.account_id = held_account AND s.epoch = a.credential_epoch
    AND s.revoked_at IS NULL AND s.expires_at > now() AND a.status = 'active' AND t.status = 'active';
  IF role_now IS NULL THEN RAISE EXCEPTION 'the session has ended' USING ERRCODE = 'CR401'; END IF;
  IF role_now <> believed_role THEN RAISE EXCEPTION 'the role was changed' USING ERRCODE = 'CR403'; END IF;
END $$;

CREATE OR REPLACE FUNCTION hold_staff(held_staff uuid, held_session uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(credential_key(held_staff));
  PERFORM FROM staff_session t JOIN staff s ON s.id = t.staff_id
  WHERE t.id = held_session AND s.id = held_staff AND t.epoch = s.credential_epoch
    AND t.revoked_at IS NULL AND t.expires_at > now() AND s.is_active;
  IF NOT FOUND THEN RAISE EXCEPTION 'the session has ended' USING ERRCODE = 'CR401'; END IF;
END $$;

DROP FUNCTION account_by_email(text);
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
