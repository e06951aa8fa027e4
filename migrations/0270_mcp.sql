-- Calls of tools over MCP that a person is to approve. What exactly is asked stands in the task.
CREATE TABLE mcp_approval (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  client_id uuid NOT NULL,
  tool text NOT NULL,
  -- The call, by which it is known when it comes again.
  args_hash text NOT NULL,
  -- The same with what the tool says of itself and what it would change, as they were: what is approved is that.
  hash text NOT NULL,
  task_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'approved', 'denied', 'expired', 'stale', 'used')),
  decided_by uuid,
  -- What the call answered when it was carried out, for its client to read again until the time is up.
  result text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT mcp_approval_task UNIQUE (team_id, task_id),
  CONSTRAINT mcp_approval_of FOREIGN KEY (team_id, client_id) REFERENCES api_client (team_id, id) ON DELETE CASCADE
);
CREATE INDEX mcp_approval_call ON mcp_approval (team_id, client_id, args_hash, id);
CREATE INDEX mcp_approval_waiting ON mcp_approval (team_id, client_id) WHERE status = 'waiting';
CREATE INDEX mcp_approval_old ON mcp_approval (created_at);
CALL confine_to_team('mcp_approval', 'SELECT, INSERT, UPDATE');
CALL open_to_system('mcp_approval', 'SELECT', 'DELETE');
