-- An invitation to join a team, mailed as a link. A pending one past `expires_at` has expired; it may be sent again.
CREATE TABLE invitation (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  -- An invitation cannot make an owner. The owner transfers the ownership to a member.
  role text NOT NULL CHECK (role IN ('admin', 'member', 'viewer')),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'accepted', 'revoked')),
  token_hash bytea NOT NULL,
  -- The person or API client that invited.
  invited_by uuid NOT NULL,
  accepted_by uuid,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- What `invited_by` is.
  created_by_type text NOT NULL DEFAULT 'user',
  PRIMARY KEY (team_id, id),
  CONSTRAINT invitation_token_once UNIQUE (team_id, token_hash)
);
CREATE UNIQUE INDEX invitation_one_pending ON invitation (team_id, email_key) WHERE status = 'pending';
CREATE INDEX invitation_of_address ON invitation (email_key, sent_at DESC) WHERE status = 'pending';
CREATE INDEX invitation_by_age ON invitation (coalesce(ended_at, expires_at));
CALL confine_to_team('invitation', 'SELECT, INSERT, UPDATE');
-- Staff who turn a person's second factor off end their invitations to administer.
CALL open_to_system('invitation', 'SELECT', 'UPDATE', 'DELETE');
CREATE POLICY lookup ON invitation FOR SELECT TO chancery_owner USING (true);

-- Which living invitation does this link belong to?
CREATE FUNCTION invitation_by_token(of_team uuid, wanted bytea)
RETURNS TABLE (team_id uuid, id uuid, email text, email_key text, role text, expires_at timestamptz, team_name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT i.team_id, i.id, i.email, i.email_key, i.role, i.expires_at, t.name
  FROM invitation i JOIN team t ON t.team_id = i.team_id
  WHERE i.team_id = of_team AND i.token_hash = wanted AND i.status = 'pending' AND i.expires_at > now() AND t.status = 'active'
$$;

-- Which living invitations wait for this address, the newest first?
CREATE FUNCTION invitations_of_address(wanted text)
RETURNS TABLE (team_id uuid, id uuid, email text, email_key text, role text, expires_at timestamptz, team_name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT i.team_id, i.id, i.email, i.email_key, i.role, i.expires_at, t.name
  FROM invitation i JOIN team t ON t.team_id = i.team_id
  WHERE i.email_key = wanted AND i.status = 'pending' AND i.expires_at > now() AND t.status = 'active'
  ORDER BY i.sent_at DESC, i.id DESC LIMIT 50
$$;
REVOKE EXECUTE ON FUNCTION invitation_by_token(uuid, bytea), invitations_of_address(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION invitation_by_token(uuid, bytea), invitations_of_address(text) TO chancery_app;
