-- Calls of tools over MCP that a person is to approve: of an API client, or of a program that acts for the person. What exactly is asked stands
-- in the task.
CREATE TABLE mcp_approval (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  client_id uuid,
  -- Instead of a client: the connection by which a program acts, and the person whom it acts for, who alone approves.
  connection_id uuid,
  account_id uuid,
  tool text NOT NULL,
  -- The call, by which it is known when it comes again.
  args_hash text NOT NULL,
  -- The same with what the tool says of itself and what it would change, as they were: what is approved is that.
  hash text NOT NULL,
  task_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'approved', 'denied', 'expired', 'stale', 'used', 'ended')),
  decided_by uuid,
  -- What the call answered when it was carried out, for its client to read again until the time is up.
  result text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT mcp_approval_task UNIQUE (team_id, task_id),
  CONSTRAINT mcp_approval_of FOREIGN KEY (team_id, client_id) REFERENCES api_client (team_id, id) ON DELETE CASCADE,
  CONSTRAINT mcp_approval_of_program FOREIGN KEY (team_id, connection_id) REFERENCES program_connection (team_id, session_id) ON DELETE CASCADE,
  CONSTRAINT mcp_approval_asker CHECK ((client_id IS NULL) <> (connection_id IS NULL) AND (connection_id IS NULL) = (account_id IS NULL))
);
CREATE INDEX mcp_approval_call ON mcp_approval (team_id, client_id, args_hash, id);
CREATE INDEX mcp_approval_program_call ON mcp_approval (team_id, connection_id, args_hash, id) WHERE connection_id IS NOT NULL;
CREATE INDEX mcp_approval_waiting ON mcp_approval (team_id, client_id) WHERE status = 'waiting';
-- What ends with the connection that asked.
CREATE INDEX mcp_approval_program_open ON mcp_approval (connection_id) WHERE connection_id IS NOT NULL AND status IN ('waiting', 'approved');
CREATE INDEX mcp_approval_old ON mcp_approval (created_at);
CALL confine_to_team('mcp_approval', 'SELECT, INSERT, UPDATE');
CALL open_to_system('mcp_approval', 'SELECT', 'DELETE');
