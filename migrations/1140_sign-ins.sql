-- Ends sessions through the provider of another team when the own team no longer admits them. The team stopped trusting homes, enforces another
-- connection, or made the member an administrator.
CREATE FUNCTION end_unadmitted_sessions(team uuid) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH unadmitted AS MATERIALIZED (
    SELECT s.id FROM session s JOIN sign_in i ON i.id = s.id
    WHERE s.team_id = team AND s.connection_id IS NULL AND s.revoked_at IS NULL AND i.own_proof_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()
      AND NOT admits_from_home(team, s.account_id, s.id)
    ORDER BY s.account_id, s.id FOR NO KEY UPDATE OF s
  ), ended AS (
    UPDATE session s SET revoked_at = now() FROM unadmitted WHERE s.team_id = team AND s.id = unadmitted.id RETURNING s.id
  ) SELECT pg_notify('revoked', ended.id::text) FROM ended
$$;
REVOKE EXECUTE ON FUNCTION end_unadmitted_sessions(uuid) FROM PUBLIC;
CREATE FUNCTION end_unadmitted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM end_unadmitted_sessions(OLD.team_id);
  RETURN NULL;
END $$;
CREATE TRIGGER end_unadmitted_changed AFTER UPDATE ON sso_connection FOR EACH ROW
  WHEN (OLD.trusts_home AND NOT NEW.trusts_home OR OLD.is_active AND NOT NEW.is_active OR NEW.is_enforced AND NOT OLD.is_enforced)
  EXECUTE FUNCTION end_unadmitted();
CREATE TRIGGER end_unadmitted_deleted AFTER DELETE ON sso_connection FOR EACH ROW WHEN (OLD.trusts_home) EXECUTE FUNCTION end_unadmitted();
CREATE TRIGGER end_unadmitted_role AFTER UPDATE OF role ON account FOR EACH ROW
  WHEN (NEW.role IN ('owner', 'admin') AND OLD.role NOT IN ('owner', 'admin')) EXECUTE FUNCTION end_unadmitted();
