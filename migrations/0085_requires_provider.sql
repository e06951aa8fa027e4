-- Must a member sign in through a provider of the team? By the domain of their address, or because they have done so; the
-- owner never: a provider that fails must not lock the team out. For the caller's team alone, as row-level security has it.
CREATE FUNCTION requires_provider(team uuid, person uuid) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM account a JOIN sso_connection c ON c.team_id = a.team_id
    WHERE a.team_id = team AND a.id = person AND a.role <> 'owner' AND c.is_active AND c.is_enforced AND (
      EXISTS (SELECT FROM sso_domain d
        WHERE d.team_id = team AND d.connection_id = c.id AND d.domain = split_part(a.email_key, '@', 2) AND d.verified_at IS NOT NULL)
      OR EXISTS (SELECT FROM federated_identity f WHERE f.team_id = team AND f.connection_id = c.id AND f.account_id = person)));
END $$;
REVOKE EXECUTE ON FUNCTION requires_provider(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION requires_provider(uuid, uuid) TO chancery_app;
