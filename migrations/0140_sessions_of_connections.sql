-- Through which provider's connection a session was begun, so that it ends with the connection. A sign-in that still waits
-- for a second factor carries it along.
ALTER TABLE session ADD COLUMN connection_id uuid;
ALTER TABLE sign_in_challenge ADD COLUMN connection_id uuid;
CREATE INDEX session_of_connection ON session (team_id, connection_id) WHERE connection_id IS NOT NULL AND revoked_at IS NULL;

-- Sessions begun before now: through the connection that the person used last.
ALTER TABLE session NO FORCE ROW LEVEL SECURITY;
ALTER TABLE federated_identity NO FORCE ROW LEVEL SECURITY;
UPDATE session s SET connection_id = (
  SELECT f.connection_id FROM federated_identity f WHERE f.team_id = s.team_id AND f.account_id = s.account_id
  ORDER BY f.last_used_at DESC LIMIT 1)
WHERE 'fed' = ANY (s.amr) AND s.revoked_at IS NULL;
ALTER TABLE federated_identity FORCE ROW LEVEL SECURITY;
ALTER TABLE session FORCE ROW LEVEL SECURITY;
