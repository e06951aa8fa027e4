-- What a credential does and what ends it exclude one another: an act that is committed holds the credential it was made
-- with, shared, and looks whether it still stands; whatever ends or lowers a credential holds it alone. So what a credential
-- does is either done before its end or not at all.

-- The advisory lock of whoever or whatever a credential hangs on: a person, an API client, a member of staff, a team.
CREATE FUNCTION credential_key(holder uuid) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN hashtextextended('credential ' || holder::text, 0);

-- Taken by the tables themselves, so that no statement can forget it. The argument names the column with whose it is. The
-- row is locked before: who ends several things of one holder locks the holder's row first (account, api_client, staff).
CREATE FUNCTION hold_credential_alone() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE ended jsonb := CASE WHEN TG_OP = 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
BEGIN
  PERFORM pg_advisory_xact_lock(credential_key((ended ->> TG_ARGV[0])::uuid));
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;

CREATE TRIGGER hold_credential BEFORE UPDATE OF revoked_at ON session FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION hold_credential_alone('account_id');
CREATE TRIGGER hold_credential BEFORE UPDATE OF role, status, deleted_at ON account FOR EACH ROW
  WHEN (OLD.role <> NEW.role OR OLD.status <> NEW.status OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION hold_credential_alone('id');
CREATE TRIGGER hold_credential BEFORE UPDATE OF is_active, scopes, folder_ids, expires_at ON api_client FOR EACH ROW
  WHEN (OLD.is_active <> NEW.is_active OR OLD.scopes <> NEW.scopes OR OLD.folder_ids IS DISTINCT FROM NEW.folder_ids
    OR OLD.expires_at IS DISTINCT FROM NEW.expires_at)
  EXECUTE FUNCTION hold_credential_alone('id');
CREATE TRIGGER hold_credential_deleted BEFORE DELETE ON api_client FOR EACH ROW EXECUTE FUNCTION hold_credential_alone('id');
CREATE TRIGGER hold_credential BEFORE UPDATE OF expires_at ON api_client_secret FOR EACH ROW
  WHEN (OLD.expires_at IS DISTINCT FROM NEW.expires_at) EXECUTE FUNCTION hold_credential_alone('client_id');
CREATE TRIGGER hold_credential_deleted BEFORE DELETE ON api_client_secret FOR EACH ROW
  WHEN (OLD.expires_at IS NULL OR OLD.expires_at > now()) EXECUTE FUNCTION hold_credential_alone('client_id');
CREATE TRIGGER hold_credential BEFORE UPDATE OF is_active ON staff FOR EACH ROW
  WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION hold_credential_alone('id');
CREATE TRIGGER hold_credential BEFORE UPDATE OF revoked_at ON staff_session FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION hold_credential_alone('staff_id');

-- With a team's standing all that its people and clients hold changes: every node is told, whoever the change comes from.
CREATE FUNCTION hold_team_alone() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(credential_key(NEW.team_id));
  PERFORM pg_notify('revoked', 'team ' || NEW.team_id);
  RETURN NEW;
END $$;
CREATE TRIGGER hold_credential BEFORE UPDATE OF status ON team FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION hold_team_alone();

-- Each of the following fails where the credential has ended (CR401) or may do less or other than was believed (CR403). They
-- read behind the lock, in a snapshot of their own, and wait half a second at most: whoever holds the lock may wait for rows
-- that this very transaction has changed (55P03; the act is tried again).
CREATE FUNCTION hold_person(held_team uuid, held_account uuid, held_session uuid, believed_role text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE role_now text;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(credential_key(held_account));
  PERFORM pg_advisory_xact_lock_shared(credential_key(held_team));
  SELECT a.role INTO role_now
  FROM session s
  JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id
  JOIN team t ON t.team_id = s.team_id
  WHERE s.team_id = held_team AND s.id = held_session AND s.account_id = held_account
    AND s.revoked_at IS NULL AND s.expires_at > now() AND a.status = 'active' AND t.status = 'active';
  IF role_now IS NULL THEN RAISE EXCEPTION 'the session has ended' USING ERRCODE = 'CR401'; END IF;
  IF role_now <> believed_role THEN RAISE EXCEPTION 'the role was changed' USING ERRCODE = 'CR403'; END IF;
END $$;

CREATE FUNCTION hold_client(
  held_team uuid, held_client uuid, held_secret uuid, held_token uuid, believed_scopes text[], believed_folders uuid[]
) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE now_good record;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(credential_key(held_client));
  PERFORM pg_advisory_xact_lock_shared(credential_key(held_team));
  SELECT l.scopes, l.folder_ids INTO now_good FROM live_client_token(held_secret, held_token) l
  WHERE l.team_id = held_team AND l.client_id = held_client;
  IF NOT FOUND THEN RAISE EXCEPTION 'the token has ended' USING ERRCODE = 'CR401'; END IF;
  IF NOT (believed_scopes <@ now_good.scopes) OR believed_folders IS DISTINCT FROM now_good.folder_ids THEN
    RAISE EXCEPTION 'what the client may do was changed' USING ERRCODE = 'CR403';
  END IF;
END $$;

CREATE FUNCTION hold_staff(held_staff uuid, held_session uuid) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(credential_key(held_staff));
  PERFORM FROM staff_session t JOIN staff s ON s.id = t.staff_id
  WHERE t.id = held_session AND s.id = held_staff AND t.revoked_at IS NULL AND t.expires_at > now() AND s.is_active;
  IF NOT FOUND THEN RAISE EXCEPTION 'the session has ended' USING ERRCODE = 'CR401'; END IF;
END $$;

REVOKE EXECUTE ON FUNCTION hold_person(uuid, uuid, uuid, text), hold_client(uuid, uuid, uuid, uuid, text[], uuid[]), hold_staff(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hold_person(uuid, uuid, uuid, text), hold_client(uuid, uuid, uuid, uuid, text[], uuid[]) TO chancery_app;
GRANT EXECUTE ON FUNCTION hold_staff(uuid, uuid) TO chancery_system;
