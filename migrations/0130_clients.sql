-- API clients: software that acts for a team, with granted scopes.
CREATE TABLE api_client (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  is_active boolean NOT NULL DEFAULT true,
  created_by uuid NOT NULL,
  expires_at timestamptz,
  -- The time when a token was last issued, to the minute.
  last_used_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- The folders that confine the client: resources outside of these trees are invisible to it. Null: no confinement.
  folder_ids uuid[] CONSTRAINT api_client_folders_some CHECK (cardinality(folder_ids) BETWEEN 1 AND 50),
  -- The responsible user: the creator, until a takeover. If that user has left the team or their password was
  -- reset, an attacker may have the client’s secret. A client with write scopes is then suspended until a takeover.
  responsible_id uuid,
  awaiting_since timestamptz,
  -- Which tool calls over MCP need the approval of a user: those that change data, or none.
  mcp_approval text NOT NULL DEFAULT 'mutating' CONSTRAINT api_client_mcp_approval CHECK (mcp_approval IN ('mutating', 'never')),
  PRIMARY KEY (team_id, id),
  CONSTRAINT api_client_id_once UNIQUE (id)
);
CREATE INDEX api_client_by_person ON api_client (team_id, (coalesce(responsible_id, created_by)));
CALL confine_to_team('api_client', 'SELECT, INSERT, UPDATE, DELETE');
-- When staff remove a user’s second factor, that user’s clients are suspended.
CALL open_to_system('api_client', 'SELECT', 'UPDATE', 'DELETE');
CREATE POLICY lookup ON api_client FOR SELECT TO chancery_owner USING (true);
-- The active clients, with the rights and row-level security of the caller.
CREATE VIEW active_client WITH (security_invoker) AS
  SELECT c.team_id, c.id, c.scopes, c.folder_ids FROM api_client c WHERE c.is_active AND (c.expires_at IS NULL OR c.expires_at > now());
GRANT SELECT ON active_client TO chancery_app, chancery_system;
CREATE TRIGGER lock_credential BEFORE UPDATE OF is_active, scopes, folder_ids, expires_at ON api_client FOR EACH ROW
  WHEN (OLD.is_active <> NEW.is_active OR OLD.scopes <> NEW.scopes OR OLD.folder_ids IS DISTINCT FROM NEW.folder_ids
    OR OLD.expires_at IS DISTINCT FROM NEW.expires_at)
  EXECUTE FUNCTION lock_credential_exclusively('id');
CREATE TRIGGER lock_credential_deleted BEFORE DELETE ON api_client FOR EACH ROW EXECUTE FUNCTION lock_credential_exclusively('id');

-- The responsible user of a deleted client, who may not decide on resources that the client created or uploaded.
CREATE TABLE former_client (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  responsible_id uuid NOT NULL,
  PRIMARY KEY (team_id, id)
);
CALL confine_to_team('former_client', 'SELECT, INSERT');
CALL open_to_system('former_client', 'SELECT', 'DELETE');

-- A secret of 256 random bits, stored as a keyed hash. A client has one, or two during the overlap
-- of a rotation. A token names its secret, like a user’s token its session: it ends with the secret.
CREATE TABLE api_client_secret (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  client_id uuid NOT NULL,
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- Null for the current secret.
  expires_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT api_client_secret_of FOREIGN KEY (team_id, client_id) REFERENCES api_client (team_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX api_client_secret_one_current ON api_client_secret (team_id, client_id) WHERE expires_at IS NULL;
CREATE INDEX api_client_secret_by_client ON api_client_secret (client_id);
CALL confine_to_team('api_client_secret', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('api_client_secret', 'SELECT', 'DELETE');
CREATE POLICY lookup ON api_client_secret FOR SELECT TO chancery_owner USING (true);
CREATE TRIGGER lock_credential BEFORE UPDATE OF expires_at ON api_client_secret FOR EACH ROW
  WHEN (OLD.expires_at IS DISTINCT FROM NEW.expires_at) EXECUTE FUNCTION lock_credential_exclusively('client_id');
CREATE TRIGGER lock_credential_deleted BEFORE DELETE ON api_client_secret FOR EACH ROW
  WHEN (OLD.expires_at IS NULL OR OLD.expires_at > now()) EXECUTE FUNCTION lock_credential_exclusively('client_id');

-- Tokens that their client revoked (RFC 7009), until their expiry.
CREATE TABLE api_client_revoked_token (
  team_id uuid NOT NULL,
  jti uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, jti)
);
CREATE INDEX api_client_revoked_token_by_age ON api_client_revoked_token (expires_at);
CALL confine_to_team('api_client_revoked_token', 'SELECT, INSERT');
CALL open_to_system('api_client_revoked_token', 'SELECT', 'DELETE');
CREATE POLICY lookup ON api_client_revoked_token FOR SELECT TO chancery_owner USING (true);

-- Returns the valid secrets of a client, with its rights.
CREATE FUNCTION secrets_of_client(wanted uuid)
RETURNS TABLE (team_id uuid, secret_id uuid, hash bytea, scopes text[], usable boolean, until timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.team_id, s.id, s.hash, c.scopes,
    c.is_active AND t.status = 'active' AND (c.expires_at IS NULL OR c.expires_at > now()),
    least(c.expires_at, s.expires_at)
  FROM api_client_secret s
  JOIN api_client c ON c.team_id = s.team_id AND c.id = s.client_id
  JOIN team t ON t.team_id = s.team_id
  WHERE s.client_id = wanted AND (s.expires_at IS NULL OR s.expires_at > now())
$$;

-- Returns the client and rights of a valid token.
CREATE FUNCTION live_client_token(of_team uuid, wanted uuid, token uuid)
RETURNS TABLE (client_id uuid, scopes text[], folder_ids uuid[], until timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.id, c.scopes, c.folder_ids, least(c.expires_at, s.expires_at)
  FROM api_client_secret s
  JOIN api_client c ON c.team_id = s.team_id AND c.id = s.client_id
  JOIN team t ON t.team_id = s.team_id
  WHERE s.team_id = of_team AND s.id = wanted AND (s.expires_at IS NULL OR s.expires_at > now())
    AND c.is_active AND (c.expires_at IS NULL OR c.expires_at > now()) AND t.status = 'active'
    AND NOT EXISTS (SELECT FROM api_client_revoked_token r WHERE r.team_id = s.team_id AND r.jti = token)
$$;
REVOKE EXECUTE ON FUNCTION secrets_of_client(uuid), live_client_token(uuid, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION secrets_of_client(uuid), live_client_token(uuid, uuid, uuid) TO chancery_app;

-- Fails if the token has ended (CR401), or if the client has fewer scopes or other folders (CR403).
CREATE FUNCTION check_client_credential(
  locked_team uuid, locked_client uuid, locked_secret uuid, locked_token uuid, believed_scopes text[], believed_folders uuid[]
) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE now_good record;
BEGIN
  -- See check_person_credential.
  IF NOT (pg_try_advisory_xact_lock_shared(credential_key(locked_client)) AND pg_try_advisory_xact_lock_shared(credential_key(locked_team))) THEN
    PERFORM lock_credential_shared(locked_client);
    PERFORM lock_credential_shared(locked_team);
  END IF;
  SELECT l.scopes, l.folder_ids INTO now_good FROM live_client_token(locked_team, locked_secret, locked_token) l
  WHERE l.client_id = locked_client;
  IF NOT FOUND THEN RAISE EXCEPTION 'the token has ended' USING ERRCODE = 'CR401'; END IF;
  IF NOT (believed_scopes <@ now_good.scopes) OR believed_folders IS DISTINCT FROM now_good.folder_ids THEN
    RAISE EXCEPTION 'what the client may do was changed' USING ERRCODE = 'CR403';
  END IF;
END $$;
REVOKE EXECUTE ON FUNCTION check_client_credential(uuid, uuid, uuid, uuid, text[], uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION check_client_credential(uuid, uuid, uuid, uuid, text[], uuid[]) TO chancery_app;

-- Returns the folders that confine clients. PostgreSQL inlines the query, because it has no SET clause and returns rows.
CREATE FUNCTION folders_of_clients(of_team uuid) RETURNS TABLE (folder_ids uuid[])
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT c.folder_ids FROM api_client c WHERE c.team_id = of_team
$$;
REVOKE EXECUTE ON FUNCTION folders_of_clients(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION folders_of_clients(uuid) TO chancery_app, chancery_system;
