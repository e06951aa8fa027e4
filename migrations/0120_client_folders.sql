-- An API client may be confined to folders: what lies outside these trees is not there for it. Absent: the whole team's.
ALTER TABLE api_client ADD COLUMN folder_ids uuid[]
  CONSTRAINT api_client_folders_some CHECK (cardinality(folder_ids) BETWEEN 1 AND 50);

DROP FUNCTION live_client_token(uuid, uuid);
-- Is this token of this secret still good, and for what?
CREATE FUNCTION live_client_token(wanted uuid, token uuid)
RETURNS TABLE (team_id uuid, client_id uuid, scopes text[], folder_ids uuid[], until timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.team_id, c.id, c.scopes, c.folder_ids, least(c.expires_at, s.expires_at)
  FROM api_client_secret s
  JOIN api_client c ON c.team_id = s.team_id AND c.id = s.client_id
  JOIN team t ON t.team_id = s.team_id
  WHERE s.id = wanted AND (s.expires_at IS NULL OR s.expires_at > now())
    AND c.is_active AND (c.expires_at IS NULL OR c.expires_at > now()) AND t.status = 'active'
    AND NOT EXISTS (SELECT FROM api_client_revoked_token r WHERE r.team_id = s.team_id AND r.jti = token)
$$;
REVOKE EXECUTE ON FUNCTION live_client_token(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION live_client_token(uuid, uuid) TO chancery_app;
