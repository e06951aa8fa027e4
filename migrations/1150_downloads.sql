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
CREATE INDEX download_address_by_end ON download_address (expires_at);
CALL confine_to_team('download_address', 'SELECT, INSERT, DELETE');
CALL open_to_system('download_address', 'SELECT', 'DELETE');
