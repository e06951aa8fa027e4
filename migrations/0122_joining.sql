-- Which living invitations wait for this address, the newest first?
CREATE FUNCTION invitations_of_address(wanted text)
RETURNS TABLE (team_id uuid, id uuid, email text, email_key text, role text, expires_at timestamptz, team_name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT i.team_id, i.id, i.email, i.email_key, i.role, i.expires_at, t.name
  FROM invitation i JOIN team t ON t.team_id = i.team_id
  WHERE i.email_key = wanted AND i.status = 'pending' AND i.expires_at > now() AND t.status = 'active'
  ORDER BY i.sent_at DESC, i.id DESC LIMIT 50
$$;
REVOKE EXECUTE ON FUNCTION invitations_of_address(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION invitations_of_address(text) TO chancery_app;
DROP FUNCTION invitation_by_email(text);

-- An administrator has let the person go: their address is theirs to change, and no provider of the team must be used.
ALTER TABLE account ADD COLUMN address_released boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION requires_provider(team uuid, person uuid) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM account a JOIN sso_connection c ON c.team_id = a.team_id
    WHERE a.team_id = team AND a.id = person AND a.role <> 'owner' AND NOT a.address_released AND c.is_active AND c.is_enforced AND (
      EXISTS (SELECT FROM sso_domain d
        WHERE d.team_id = team AND d.connection_id = c.id AND d.domain = split_part(a.email_key, '@', 2) AND d.verified_at IS NOT NULL)
      OR EXISTS (SELECT FROM federated_identity f WHERE f.team_id = team AND f.connection_id = c.id AND f.account_id = person)));
END $$;

-- Which team signs in through this connection? None before one of its domains is verified: until then the provider is whoever
-- the team says it is, and nobody's browser is sent there.
CREATE OR REPLACE FUNCTION sso_connection_by_id(wanted uuid)
RETURNS TABLE (team_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.team_id, c.id FROM sso_connection c JOIN team t ON t.team_id = c.team_id
  WHERE c.id = wanted AND c.is_active AND t.status = 'active'
    AND EXISTS (SELECT FROM sso_domain d WHERE d.team_id = c.team_id AND d.connection_id = c.id AND d.verified_at IS NOT NULL)
$$;
