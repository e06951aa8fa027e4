-- Connected apps that have registered themselves (RFC 7591) to act for users over MCP. They belong to no team. Unused registrations are deleted.
CREATE TABLE connected_app (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  redirect_uris text[] NOT NULL CHECK (cardinality(redirect_uris) BETWEEN 1 AND 10),
  created_at timestamptz NOT NULL,
  -- The time of the last connection or token renewal, to the day. Null: never.
  used_at timestamptz
);
CREATE INDEX connected_app_by_age ON connected_app ((coalesce(used_at, created_at)));
GRANT SELECT, INSERT, UPDATE ON connected_app TO chancery_app;
GRANT SELECT, DELETE ON connected_app TO chancery_system;

-- The consent of a user to a connected app: its data beyond the session, and the code
-- that gets the first tokens once. Until then the session expires together with the code.
CREATE TABLE connected_app_connection (
  team_id uuid NOT NULL,
  session_id uuid NOT NULL,
  account_id uuid NOT NULL,
  client_id text NOT NULL,
  name text NOT NULL,
  redirect_uri text NOT NULL,
  scopes text[] NOT NULL,
  code_hash bytea NOT NULL,
  code_challenge text NOT NULL,
  -- The expiry of the session after its code is redeemed.
  lives_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  redeemed_at timestamptz,
  PRIMARY KEY (team_id, session_id),
  CONSTRAINT connected_app_connection_code_once UNIQUE (team_id, code_hash),
  CONSTRAINT connected_app_connection_of FOREIGN KEY (team_id, session_id) REFERENCES session (team_id, id) ON DELETE CASCADE
);
CREATE INDEX connected_app_connection_of_account ON connected_app_connection (team_id, account_id, created_at DESC, session_id DESC);
CALL confine_to_team('connected_app_connection', 'SELECT, INSERT, UPDATE');
CALL open_to_system('connected_app_connection', 'SELECT', 'DELETE');
CREATE POLICY lookup ON connected_app_connection FOR SELECT TO chancery_owner USING (true);

-- Returns the connection of a code.
CREATE FUNCTION connection_by_code(of_team uuid, wanted bytea)
RETURNS TABLE (
  session_id uuid, account_id uuid, client_id text, redirect_uri text, code_challenge text, lives_until timestamptz
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.session_id, c.account_id, c.client_id, c.redirect_uri, c.code_challenge, c.lives_until
  FROM connected_app_connection c WHERE c.team_id = of_team AND c.code_hash = wanted
$$;
REVOKE EXECUTE ON FUNCTION connection_by_code(uuid, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION connection_by_code(uuid, bytea) TO chancery_app;
