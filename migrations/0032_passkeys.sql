-- A passkey of a person (WebAuthn Level 3): the public half, and how often the authenticator says it has signed. The id of a
-- credential is found before the team is known, and is registered once.
CREATE TABLE passkey (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  name text NOT NULL,
  credential_id bytea NOT NULL CHECK (octet_length(credential_id) BETWEEN 16 AND 1023),
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  transports text[] NOT NULL,
  -- Whether the key may be copied to other devices of the person (BE), or is bound to one.
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

-- Whose is this passkey?
CREATE FUNCTION passkey_by_credential(wanted bytea)
RETURNS TABLE (team_id uuid, account_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.team_id, p.account_id, p.id FROM passkey p WHERE p.credential_id = wanted
$$;
REVOKE EXECUTE ON FUNCTION passkey_by_credential(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION passkey_by_credential(bytea) TO chancery_app;

-- Challenges are signed by the service, so that asking for one writes nothing; those that were answered are kept, as
-- hashes, until they would have ended anyway.
CREATE TABLE passkey_challenge_spent (
  hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenge_spent_by_age ON passkey_challenge_spent (expires_at);
GRANT SELECT, INSERT ON passkey_challenge_spent TO chancery_app;
GRANT SELECT, DELETE ON passkey_challenge_spent TO chancery_system;

-- How the sign-in that waits for its second factor was begun.
ALTER TABLE sign_in_challenge ADD COLUMN amr text[] NOT NULL DEFAULT '{pwd}';
