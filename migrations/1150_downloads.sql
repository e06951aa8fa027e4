-- Addresses that download one file: each is valid for a minute, for one download.
CREATE TABLE download_address (
  team_id uuid NOT NULL REFERENCES team,
  -- The SHA-256 of the token in the address.
  token_hash bytea NOT NULL,
  -- The operation that sends the file: its method, its path with the query, and the JSON body of a POST.
  method text NOT NULL CHECK (method IN ('GET', 'POST')),
  path text NOT NULL,
  body text CHECK ((body IS NOT NULL) = (method = 'POST')),
  -- The access token of the caller, encrypted with a key that only the token in the address gives.
  credential bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, token_hash)
);
CREATE UNIQUE INDEX download_address_by_token ON download_address (token_hash);
CREATE INDEX download_address_by_end ON download_address (expires_at);
CALL confine_to_team('download_address', 'SELECT, INSERT, DELETE');
CALL open_to_system('download_address', 'SELECT', 'DELETE');

-- The team of an address, before the team is known.
CREATE FUNCTION team_of_download(hash bytea) RETURNS TABLE (team_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT d.team_id FROM download_address d WHERE d.token_hash = hash AND d.expires_at > now()
$$;
REVOKE EXECUTE ON FUNCTION team_of_download(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION team_of_download(bytea) TO chancery_app;
CREATE POLICY lookup ON download_address FOR SELECT TO chancery_owner USING (true);
