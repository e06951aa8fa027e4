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
  last_login_at timestamptz,
  credential_epoch integer NOT NULL DEFAULT 1
);
CREATE TRIGGER lock_credential BEFORE UPDATE OF is_active ON staff FOR EACH ROW
  WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION lock_credential_exclusively('id');
CREATE TRIGGER raise_epoch BEFORE UPDATE OF is_active, email_key, totp_secret, password_hash ON staff FOR EACH ROW
  WHEN (OLD.is_active <> NEW.is_active OR OLD.email_key <> NEW.email_key OR (OLD.totp_secret IS NULL) <> (NEW.totp_secret IS NULL)
    OR OLD.password_hash IS DISTINCT FROM NEW.password_hash)
  EXECUTE FUNCTION raise_credential_epoch();

-- A link that sets the first or a forgotten password; the newest alone.
CREATE TABLE staff_password_link (
  staff_id uuid PRIMARY KEY REFERENCES staff,
  token_hash bytea NOT NULL CONSTRAINT staff_password_link_once UNIQUE,
  expires_at timestamptz NOT NULL,
  epoch integer NOT NULL DEFAULT 1
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
  expires_at timestamptz NOT NULL,
  epoch integer NOT NULL DEFAULT 1
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
  revoked_at timestamptz,
  epoch integer NOT NULL DEFAULT 1,
  -- As in a person's session.
  second_factor_at timestamptz
);
CREATE INDEX staff_session_of_staff ON staff_session (staff_id) WHERE revoked_at IS NULL;
CREATE TRIGGER lock_credential BEFORE UPDATE OF revoked_at ON staff_session FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION lock_credential_exclusively('staff_id');

GRANT SELECT, INSERT, UPDATE, DELETE ON staff, staff_password_link, staff_totp_setup, staff_backup_code, staff_challenge, staff_session
  TO chancery_system;

-- Fails where the session has ended or is no longer good (CR401).
CREATE FUNCTION check_staff_credential(locked_staff uuid, locked_session uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM lock_credential_shared(locked_staff);
  PERFORM FROM staff_session t JOIN staff s ON s.id = t.staff_id
  WHERE t.id = locked_session AND s.id = locked_staff AND t.epoch = s.credential_epoch
    AND t.revoked_at IS NULL AND t.expires_at > now() AND s.is_active;
  IF NOT FOUND THEN RAISE EXCEPTION 'the session has ended' USING ERRCODE = 'CR401'; END IF;
END $$;
REVOKE EXECUTE ON FUNCTION check_staff_credential(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION check_staff_credential(uuid, uuid) TO chancery_system;
