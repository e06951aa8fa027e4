-- MCP tool calls that need the approval of a person: calls of an API client, or of an app that acts for the person. The task has the exact request.
CREATE TABLE mcp_approval (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  client_id uuid,
  -- Instead of a client: the connection of an app, and its person. Only that person can approve.
  connection_id uuid,
  account_id uuid,
  tool text NOT NULL,
  -- Identifies a repeated call.
  args_hash text NOT NULL,
  -- The hash of the call, the definition of the tool and the state of the target. The approval is for exactly these.
  hash text NOT NULL,
  task_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'approved', 'denied', 'expired', 'stale', 'used', 'ended')),
  decided_by uuid,
  -- The result of the executed call, which its client can read again until the approval expires.
  result text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT mcp_approval_task UNIQUE (team_id, task_id),
  CONSTRAINT mcp_approval_of FOREIGN KEY (team_id, client_id) REFERENCES api_client (team_id, id) ON DELETE CASCADE,
  CONSTRAINT mcp_approval_of_app FOREIGN KEY (team_id, connection_id) REFERENCES connected_app_connection (team_id, session_id) ON DELETE CASCADE,
  CONSTRAINT mcp_approval_asker CHECK ((client_id IS NULL) <> (connection_id IS NULL) AND (connection_id IS NULL) = (account_id IS NULL))
);
CREATE INDEX mcp_approval_call ON mcp_approval (team_id, client_id, args_hash, id);
CREATE INDEX mcp_approval_app_call ON mcp_approval (team_id, connection_id, args_hash, id) WHERE connection_id IS NOT NULL;
CREATE INDEX mcp_approval_waiting ON mcp_approval (team_id, client_id) WHERE status = 'waiting';
-- The approvals that end with their connection.
CREATE INDEX mcp_approval_app_open ON mcp_approval (connection_id) WHERE connection_id IS NOT NULL AND status IN ('waiting', 'approved');
CREATE INDEX mcp_approval_old ON mcp_approval (created_at);
CALL confine_to_team('mcp_approval', 'SELECT, INSERT, UPDATE');
CALL open_to_system('mcp_approval', 'SELECT', 'DELETE');
