-- SAML 2.0 beside OpenID Connect, back-channel logout, and sign-ins through the provider of a person's own team.

ALTER TABLE signing_key DROP CONSTRAINT signing_key_purpose_check,
  ADD CONSTRAINT signing_key_purpose_check CHECK (purpose IN ('access', 'witness', 'webhook', 'evidence', 'saml'));

-- `issuer` is the entity ID of a SAML provider. It has neither a client nor a secret. It signs no claim about an address, so the domain decides.
ALTER TABLE sso_connection
  ADD COLUMN kind text NOT NULL DEFAULT 'oidc' CHECK (kind IN ('oidc', 'saml')),
  -- Members may also enter by a sign-in through the connection of another team that verified the domain of their address.
  ADD COLUMN trusts_home boolean NOT NULL DEFAULT false,
  -- The claim or attribute with the identifier of the person in the team's directory.
  ADD COLUMN subject_claim text,
  ALTER COLUMN client_id DROP NOT NULL,
  ALTER COLUMN client_secret DROP NOT NULL,
  ADD CONSTRAINT sso_connection_of_kind CHECK ((kind = 'oidc') = (client_id IS NOT NULL) AND (kind = 'oidc') = (client_secret IS NOT NULL)),
  ADD CONSTRAINT sso_connection_saml_trust CHECK (kind = 'oidc' OR email_trust = 'domain');

CREATE TABLE saml_connection (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  sso_url text NOT NULL,
  name_id_format text NOT NULL CHECK (name_id_format IN ('persistent', 'emailAddress')),
  -- An unsolicited response starts a sign-in of this service. It never signs anyone in.
  allows_idp_initiated boolean NOT NULL,
  -- The address of the metadata, which are read again daily.
  metadata_url text,
  read_at timestamptz,
  -- The days before the last certificate ends at which the last mail was sent.
  noticed_days integer,
  PRIMARY KEY (team_id, id),
  FOREIGN KEY (team_id, id) REFERENCES sso_connection (team_id, id) ON DELETE CASCADE
);
CREATE INDEX saml_connection_by_reading ON saml_connection (read_at) WHERE metadata_url IS NOT NULL;
CALL confine_to_team('saml_connection', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('saml_connection', 'SELECT', 'DELETE');

-- The certificates (DER) that a provider signs with. The fingerprint is the SHA-256 hash.
CREATE TABLE saml_certificate (
  team_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  fingerprint bytea NOT NULL,
  certificate bytea NOT NULL,
  ends_at timestamptz NOT NULL,
  added_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, connection_id, fingerprint),
  FOREIGN KEY (team_id, connection_id) REFERENCES saml_connection (team_id, id) ON DELETE CASCADE
);
CREATE INDEX saml_certificate_by_end ON saml_certificate (ends_at);
CALL confine_to_team('saml_certificate', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('saml_certificate', 'SELECT', 'DELETE');

-- Hashes of requests that wait for a response, for ten minutes. The response arrives without a cookie.
CREATE TABLE saml_request (
  id_hash bytea PRIMARY KEY,
  connection_id uuid NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX saml_request_by_age ON saml_request (expires_at);
GRANT SELECT, INSERT, DELETE ON saml_request TO chancery_app;
GRANT SELECT, DELETE ON saml_request TO chancery_system;

-- Verified responses, encrypted, for one minute: until the browser returns with the cookie of its request.
CREATE TABLE saml_response (
  handle_hash bytea PRIMARY KEY,
  sealed bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX saml_response_by_age ON saml_response (expires_at);
GRANT SELECT, INSERT, DELETE ON saml_response TO chancery_app;
GRANT SELECT, DELETE ON saml_response TO chancery_system;

-- The team of a connection, active or not: to publish the metadata before a domain is verified, and to end the sessions of a provider.
CREATE FUNCTION sso_connection_team(wanted uuid) RETURNS TABLE (team_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.team_id FROM sso_connection c JOIN team t ON t.team_id = c.team_id WHERE c.id = wanted AND t.status = 'active'
$$;
REVOKE EXECUTE ON FUNCTION sso_connection_team(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sso_connection_team(uuid) TO chancery_app;

-- Back-channel logout. `idp_session` is the provider's identifier (`sid`) of the session.
ALTER TABLE session ADD COLUMN idp_session text;
CREATE INDEX session_of_idp ON session (team_id, connection_id, idp_session) WHERE idp_session IS NOT NULL AND revoked_at IS NULL;
-- `ends_at` is the end that the provider sets for the session.
ALTER TABLE sign_in_challenge ADD COLUMN idp_session text, ADD COLUMN ends_at timestamptz;
-- Ends the sign-ins through a connection of the current team that wait for a second factor. `person` and `at_provider` limit them to one person or one
-- session at the provider.
DROP FUNCTION end_challenges(uuid);
CREATE FUNCTION end_challenges(through uuid, person uuid, at_provider text) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH waiting AS (
    SELECT c.person_id FROM sign_in_challenge c
    WHERE c.connection_id = through AND c.opens_team_id = (SELECT current_team()) AND (person IS NULL OR c.person_id = person)
      AND (at_provider IS NULL OR c.idp_session = at_provider)
    ORDER BY c.person_id FOR UPDATE
  )
  DELETE FROM sign_in_challenge c USING waiting WHERE c.person_id = waiting.person_id
$$;
REVOKE EXECUTE ON FUNCTION end_challenges(uuid, uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_challenges(uuid, uuid, text) TO chancery_app;

-- Whether a team admits a member by a sign-in through the connection of another team that verified the domain of the member's address. Owners and
-- administrators prove themselves to the team.
CREATE FUNCTION admits_from_home(team uuid, person uuid, wanted uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM account a
    JOIN live_session s ON s.id = wanted AND s.account_id = a.id AND s.team_id <> a.team_id
    JOIN sso_connection home ON home.team_id = s.team_id AND home.id = s.connection_id AND home.is_active
    JOIN sso_domain d ON d.team_id = home.team_id AND d.connection_id = home.id AND d.verified_at IS NOT NULL
      AND d.domain = split_part(a.email_key, '@', 2)
    WHERE a.team_id = team AND a.id = person AND a.role NOT IN ('owner', 'admin')
      AND EXISTS (SELECT FROM sso_connection c WHERE c.team_id = team AND c.is_active AND c.trusts_home)
      AND NOT EXISTS (
        SELECT FROM enforced_connection(team, person) e JOIN sso_connection c ON c.team_id = team AND c.id = e.id WHERE NOT c.trusts_home))
$$;
REVOKE EXECUTE ON FUNCTION admits_from_home(uuid, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION admits_from_home(uuid, uuid, uuid) TO chancery_app;

-- A sign-in without an own proof is open in other teams only through its provider. It ends there with its session at home, or with the membership.
CREATE POLICY end_at_home ON session FOR UPDATE TO chancery_owner USING (true);
CREATE FUNCTION end_away_from_home(team uuid, one uuid) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH ended AS (
    UPDATE session s SET revoked_at = now() FROM sign_in i
    WHERE s.id = one AND s.team_id <> team AND s.revoked_at IS NULL AND i.id = s.id AND i.own_proof_at IS NULL RETURNING s.id
  ) SELECT pg_notify('revoked', ended.id::text) FROM ended
$$;
REVOKE EXECUTE ON FUNCTION end_away_from_home(uuid, uuid) FROM PUBLIC;
CREATE FUNCTION session_ends_at_home() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM end_away_from_home(NEW.team_id, NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER session_ends_at_home AFTER UPDATE OF revoked_at ON session FOR EACH ROW
  WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL AND NEW.connection_id IS NOT NULL) EXECUTE FUNCTION session_ends_at_home();
CREATE FUNCTION membership_ends_at_home() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM end_away_from_home(s.team_id, s.id) FROM session s
  WHERE s.team_id = NEW.team_id AND s.account_id = NEW.id AND s.connection_id IS NOT NULL AND s.revoked_at IS NULL ORDER BY s.id;
  RETURN NULL;
END $$;
CREATE TRIGGER membership_ends_at_home AFTER UPDATE OF status, deleted_at ON account FOR EACH ROW
  WHEN (OLD.credential_epoch <> NEW.credential_epoch) EXECUTE FUNCTION membership_ends_at_home();
