-- Who a person is at an OpenID Connect provider: found by issuer and subject, never by address. Ends with the membership.
CREATE TABLE federated_identity (
  team_id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  account_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, issuer, subject),
  FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id)
);
CREATE INDEX federated_identity_of_account ON federated_identity (team_id, account_id);
CREATE INDEX federated_identity_of_connection ON federated_identity (team_id, connection_id);
CALL confine_to_team('federated_identity', 'SELECT, INSERT, UPDATE, DELETE');

-- A provider that a team signs in through. The issuer never changes: who proved a domain proved it for this provider.
CREATE TABLE sso_connection (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  client_secret bytea NOT NULL,
  -- Nobody is made an administrator by a provider.
  default_role text NOT NULL CHECK (default_role IN ('member', 'viewer')),
  is_enforced boolean NOT NULL,
  trusts_mfa boolean NOT NULL,
  is_active boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, id),
  CONSTRAINT sso_connection_id_once UNIQUE (id)
);
CALL confine_to_team('sso_connection', 'SELECT, INSERT, UPDATE, DELETE');
CREATE POLICY lookup ON sso_connection FOR SELECT TO chancery_owner USING (true);

-- Domains of addresses. Anybody may name one; it counts once a record in its DNS has shown whose it is, for one connection
-- of the whole service.
CREATE TABLE sso_domain (
  team_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  domain text NOT NULL,
  proof text NOT NULL,
  verified_at timestamptz,
  PRIMARY KEY (team_id, connection_id, domain),
  FOREIGN KEY (team_id, connection_id) REFERENCES sso_connection (team_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX sso_domain_once ON sso_domain (domain) WHERE verified_at IS NOT NULL;
CALL confine_to_team('sso_domain', 'SELECT, INSERT, UPDATE, DELETE');
CREATE POLICY lookup ON sso_domain FOR SELECT TO chancery_owner USING (true);
CREATE POLICY release ON sso_domain FOR UPDATE TO chancery_owner
  USING (EXISTS (SELECT FROM team t WHERE t.team_id = sso_domain.team_id AND t.status = 'closed')) WITH CHECK (verified_at IS NULL);

-- Which team signs in through this connection?
CREATE FUNCTION sso_connection_by_id(wanted uuid)
RETURNS TABLE (team_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.team_id, c.id FROM sso_connection c JOIN team t ON t.team_id = c.team_id
  WHERE c.id = wanted AND c.is_active AND t.status = 'active'
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

-- Answers of providers that were taken, by hashes of their state, until they would have ended anyway.
CREATE TABLE sso_state_spent (
  hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sso_state_spent_by_age ON sso_state_spent (expires_at);
GRANT SELECT, INSERT ON sso_state_spent TO chancery_app;
GRANT SELECT, DELETE ON sso_state_spent TO chancery_system;
