-- kind: expand
-- Approval rounds about tool calls over MCP.

-- The policy by which people approve the tool calls. Null: one person approves.
ALTER TABLE api_client ADD COLUMN approval_policy text;
ALTER TABLE connected_app_connection ADD COLUMN approval_policy text;

-- The approval round of a call, which says whether the call is approved. The version before writes calls without a round: their task and `status` say it.
-- While that version can run beside this one, `task_id` also has the vote of a round without policy, and `status` the result of each round. A later
-- contract drops `task_id` and the calls without a round.
ALTER TABLE mcp_approval ADD COLUMN round_id uuid;
ALTER TABLE mcp_approval ADD CONSTRAINT mcp_approval_round FOREIGN KEY (team_id, round_id) REFERENCES approval_round (team_id, id);
CREATE UNIQUE INDEX mcp_approval_of_round ON mcp_approval (team_id, round_id) WHERE round_id IS NOT NULL;
ALTER TABLE mcp_approval ALTER COLUMN task_id DROP NOT NULL;
ALTER TABLE mcp_approval ADD CONSTRAINT mcp_approval_request CHECK (coalesce(round_id, task_id) IS NOT NULL);

-- Refuses a call without a round if its caller has a policy. The version before knows no policies, and would ask one person. Its callers get 503.
CREATE FUNCTION require_round_of_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM api_client c WHERE c.team_id = NEW.team_id AND c.id = NEW.client_id AND c.approval_policy IS NOT NULL)
    OR EXISTS (SELECT FROM connected_app_connection c WHERE c.team_id = NEW.team_id AND c.session_id = NEW.connection_id AND c.approval_policy IS NOT NULL)
  THEN RAISE EXCEPTION 'the caller has an approval policy' USING ERRCODE = '53400';
  END IF;
  RETURN NEW;
END $$;
REVOKE EXECUTE ON FUNCTION require_round_of_call() FROM PUBLIC;
CREATE TRIGGER mcp_approval_has_round BEFORE INSERT ON mcp_approval FOR EACH ROW WHEN (NEW.round_id IS NULL) EXECUTE FUNCTION require_round_of_call();

-- Locks a policy against deletion. Returns whether it exists.
CREATE FUNCTION lock_approval_policy(team uuid, policy text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM FROM approval_policy p WHERE p.team_id = team AND p.name = policy FOR KEY SHARE;
  RETURN FOUND;
END $$;
REVOKE EXECUTE ON FUNCTION lock_approval_policy(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_approval_policy(uuid, text) TO chancery_app;

-- The places that name a policy: workflow templates, steps of unfinished workflows, agents, API clients, and connected apps until they end. `id`: the name
-- of the template, or the identifier of the others; null if a barrier excludes the person.
CREATE OR REPLACE FUNCTION approval_policy_uses(team uuid, policy text, person uuid) RETURNS TABLE (kind text, id text, step text)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 10 AS $$
BEGIN
  RETURN QUERY
    SELECT 'template', t.name, s.step->>'id' FROM workflow_template t CROSS JOIN LATERAL jsonb_array_elements(t.steps) s(step)
      WHERE t.team_id = team AND s.step->'config'->'approval'->>'policy' = policy
    UNION ALL
    SELECT 'workflow', CASE WHEN NOT document_outsider(team, w.about_document_id, person) THEN w.id::text END, s.id
      FROM workflow_step s JOIN workflow w ON w.team_id = team AND w.id = s.workflow_id
      WHERE s.team_id = team AND s.status IN ('pending', 'active') AND w.status IN ('draft', 'active', 'paused')
        AND s.config->'approval'->>'policy' = policy
    UNION ALL SELECT 'agent', a.id::text, NULL FROM agent a WHERE a.team_id = team AND a.approval_policy = policy
    UNION ALL SELECT 'client', c.id::text, NULL FROM api_client c WHERE c.team_id = team AND c.approval_policy = policy
    UNION ALL SELECT 'connected_app', c.session_id::text, NULL FROM connected_app_connection c
      WHERE c.team_id = team AND c.approval_policy = policy AND connected_app_session_lives(team, c.session_id);
END $$;

-- Whether a program asks its own user with this task, as in `asksOwnPerson`. Votes of other members are no such tasks.
CREATE FUNCTION asks_own_person(type text, created_by_type text, workflow uuid, creator uuid, assignee uuid) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT asks_own_person(type, created_by_type, workflow) AND creator IS NOT DISTINCT FROM assignee $$;
