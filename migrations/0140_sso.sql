-- A provider that a team signs in through. The issuer never changes: who proved a domain proved it for this provider.
CREATE TABLE sso_connection (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  client_secret bytea NOT NULL,
  -- A provider cannot make a user an administrator.
  default_role text NOT NULL CHECK (default_role IN ('member', 'viewer')),
  is_enforced boolean NOT NULL,
  -- The proof of an address: the claims of the provider, or the verified domain of the connection.
  email_trust text NOT NULL DEFAULT 'claim' CHECK (email_trust IN ('claim', 'domain')),
  trusts_mfa boolean NOT NULL,
  -- Just-in-time provisioning: a new person with an address of a verified domain gets an account at the first sign-in.
  jit boolean NOT NULL DEFAULT true,
  is_active boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Who connected the provider.
  created_by uuid,
  PRIMARY KEY (team_id, id),
  CONSTRAINT sso_connection_id_once UNIQUE (id)
);
CALL confine_to_team('sso_connection', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('sso_connection', 'SELECT', 'DELETE');
CALL let_system_reseal('sso_connection', 'client_secret');
CREATE POLICY lookup ON sso_connection FOR SELECT TO chancery_owner USING (true);

-- Domains of email addresses. Any team can add a domain. A DNS record verifies it for at most one connection of the
-- whole service.
CREATE TABLE sso_domain (
  team_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  domain text NOT NULL,
  proof text NOT NULL,
  verified_at timestamptz,
  -- The DNS record of a verified domain is looked up daily. A domain whose record is missing for two weeks is unverified.
  checked_at timestamptz,
  missing_since timestamptz,
  PRIMARY KEY (team_id, connection_id, domain),
  FOREIGN KEY (team_id, connection_id) REFERENCES sso_connection (team_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX sso_domain_once ON sso_domain (domain) WHERE verified_at IS NOT NULL;
CREATE INDEX sso_domain_by_check ON sso_domain (checked_at) WHERE verified_at IS NOT NULL;
CALL confine_to_team('sso_domain', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('sso_domain', 'SELECT', 'DELETE');
CREATE POLICY lookup ON sso_domain FOR SELECT TO chancery_owner USING (true);
CREATE POLICY release ON sso_domain FOR UPDATE TO chancery_owner
  USING (EXISTS (SELECT FROM team t WHERE t.team_id = sso_domain.team_id AND t.status = 'closed')) WITH CHECK (verified_at IS NULL);

-- Returns the team of a connection if one of its domains is verified. Chancery does not redirect browsers to an unverified
-- provider.
CREATE FUNCTION sso_connection_by_id(wanted uuid)
RETURNS TABLE (team_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.team_id, c.id FROM sso_connection c JOIN team t ON t.team_id = c.team_id
  WHERE c.id = wanted AND c.is_active AND t.status = 'active'
    AND EXISTS (SELECT FROM sso_domain d WHERE d.team_id = c.team_id AND d.connection_id = c.id AND d.verified_at IS NOT NULL)
$$;

-- Through which connection do people of this domain sign in?
CREATE FUNCTION sso_connection_by_domain(wanted text)
RETURNS TABLE (team_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.team_id, c.id FROM sso_domain d
  JOIN sso_connection c ON c.team_id = d.team_id AND c.id = d.connection_id
  JOIN team t ON t.team_id = d.team_id
  WHERE d.domain = wanted AND d.verified_at IS NOT NULL AND c.is_active AND t.status = 'active'
$$;

-- A closed team keeps no domain from its owner.
CREATE FUNCTION release_sso_domain(wanted text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE sso_domain d SET verified_at = NULL
  WHERE d.domain = wanted AND d.verified_at IS NOT NULL AND EXISTS (SELECT FROM team t WHERE t.team_id = d.team_id AND t.status = 'closed')
$$;
REVOKE EXECUTE ON FUNCTION sso_connection_by_id(uuid), sso_connection_by_domain(text), release_sso_domain(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sso_connection_by_id(uuid), sso_connection_by_domain(text), release_sso_domain(text) TO chancery_app;

-- Whether a member must sign in through a provider of the team: because of the address domain or an earlier such sign-in.
-- Exceptions are members with a released address, and the owner, so that a failing provider does not lock the team out.
-- Row-level security limits it to the team of the caller.
CREATE FUNCTION requires_provider(team uuid, person uuid) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM account a JOIN sso_connection c ON c.team_id = a.team_id
    WHERE a.team_id = team AND a.id = person AND a.role <> 'owner' AND NOT a.address_released AND c.is_active AND c.is_enforced AND (
      EXISTS (SELECT FROM sso_domain d
        WHERE d.team_id = team AND d.connection_id = c.id AND d.domain = split_part(a.email_key, '@', 2) AND d.verified_at IS NOT NULL)
      OR EXISTS (SELECT FROM federated_identity f WHERE f.team_id = team AND f.connection_id = c.id AND f.account_id = person)));
END $$;
REVOKE EXECUTE ON FUNCTION requires_provider(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION requires_provider(uuid, uuid) TO chancery_app;

-- Hashes of the states of accepted provider responses, until the states expire. They prevent a second use.
CREATE TABLE sso_state_spent (
  hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sso_state_spent_by_age ON sso_state_spent (expires_at);
GRANT SELECT, INSERT ON sso_state_spent TO chancery_app;
GRANT SELECT, DELETE ON sso_state_spent TO chancery_system;
