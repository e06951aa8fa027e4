-- Approval policies: named rules about who approves. Each change is a version.

CREATE TABLE approval_policy (
  team_id uuid NOT NULL REFERENCES team (team_id),
  name text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  -- The rules with all defaults. They were checked when they were stored.
  rules jsonb NOT NULL,
  -- SHA-256 of the canonical JSON of the rules.
  sha256 text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, name)
);
CALL confine_to_team('approval_policy', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('approval_policy', 'SELECT', 'DELETE');

-- The versions of a policy. They stay after its deletion, and a later policy of the same name continues the numbers. So name and version of a round
-- always mean the same rules.
CREATE TABLE approval_policy_version (
  team_id uuid NOT NULL REFERENCES team (team_id),
  name text NOT NULL,
  version integer NOT NULL,
  rules jsonb NOT NULL,
  sha256 text NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, name, version)
);
CALL confine_to_team('approval_policy_version', 'SELECT, INSERT, DELETE');
CALL open_to_system('approval_policy_version', 'SELECT', 'DELETE');

-- The policy by which people approve the tool calls of the agent. Null: one person approves.
ALTER TABLE agent ADD COLUMN approval_policy text;

-- The workflow templates, the steps of unfinished workflows and the agents that name a policy. `id`: the name of the template, or the identifier of the
-- workflow or agent; null if a barrier excludes the person.
CREATE FUNCTION approval_policy_uses(team uuid, policy text, person uuid) RETURNS TABLE (kind text, id text, step text)
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
    UNION ALL SELECT 'agent', a.id::text, NULL FROM agent a WHERE a.team_id = team AND a.approval_policy = policy;
END $$;
REVOKE EXECUTE ON FUNCTION approval_policy_uses(uuid, text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION approval_policy_uses(uuid, text, uuid) TO chancery_app, chancery_system;

-- Whether the creator of a workflow, the uploader of the version and the submitters of its forms cannot approve or review.
ALTER TABLE team ADD COLUMN four_eyes boolean NOT NULL DEFAULT false;

-- With `four_eyes`, each conflict of interest in a decision without a round counts like one after the start of the workflow.
CREATE OR REPLACE FUNCTION conflicted_persons(team uuid, of_task uuid) RETURNS TABLE (person uuid, late boolean)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 5 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT c.person, c.late OR eyes.four FROM task t LEFT JOIN workflow w ON w.team_id = team AND w.id = t.workflow_id
    CROSS JOIN LATERAL (SELECT o.four_eyes AS four FROM team o WHERE o.team_id = t.team_id) eyes
    CROSS JOIN LATERAL conflict_reasons(team, t.created_by, NULL, CASE WHEN eyes.four THEN t.workflow_id END, t.linked_document_id, t.document_version, w.started_at) c
    WHERE t.team_id = team AND t.id = of_task AND t.approval_round_id IS NULL
    UNION ALL
    SELECT e.person, true FROM task t CROSS JOIN LATERAL excluded_from_round(team, t.approval_round_id) e
    WHERE t.team_id = team AND t.id = of_task AND t.approval_round_id IS NOT NULL
    UNION ALL
    SELECT voice.id, t.document_version IS NOT NULL OR t.approval_round_id IS NOT NULL FROM task t
    JOIN task o ON o.team_id = team AND o.workflow_id = t.workflow_id AND o.step_id = t.step_id AND o.round_id = t.round_id
      AND o.id <> t.id AND o.status <> 'cancelled'
    CROSS JOIN LATERAL (VALUES (o.assigned_to), (o.completed_by)) voice (id)
    WHERE t.team_id = team AND t.id = of_task AND voice.id IS NOT NULL
    UNION ALL
    SELECT voice.id, true FROM task t
    JOIN task o ON o.team_id = team AND o.approval_round_id = t.approval_round_id AND o.id <> t.id AND o.status <> 'cancelled'
    CROSS JOIN LATERAL (VALUES (o.assigned_to), (o.completed_by)) voice (id)
    WHERE t.team_id = team AND t.id = of_task AND t.workflow_id IS NULL AND voice.id IS NOT NULL;
END $$;
-- Whether the participants with this reason are excluded from a decision: by `exclude`, or by its default with `four_eyes`.
CREATE FUNCTION is_excluded(team uuid, exclude text[], reason text) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN reason = ANY (exclude) OR reason <> 'requester' AND EXISTS (SELECT FROM team o WHERE o.team_id = team AND o.four_eyes);
END $$;
REVOKE EXECUTE ON FUNCTION is_excluded(uuid, text[], text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_excluded(uuid, text[], text) TO chancery_app, chancery_system;

-- The persons excluded from a round: those of `exclude`, and with `four_eyes` also those of its default. A voter of the previous round who uploaded a later
-- version is always excluded.
CREATE OR REPLACE FUNCTION excluded_by(
  team uuid, exclude text[], requester uuid, of_workflow uuid, of_document uuid, of_version integer, previous uuid
) RETURNS TABLE (person uuid, reason text)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 5 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT c.person, c.reason FROM (SELECT) always
    LEFT JOIN workflow w ON w.team_id = team AND w.id = of_workflow
    CROSS JOIN LATERAL conflict_reasons(team, w.created_by, coalesce(requester, w.owner_id), of_workflow, of_document, of_version, NULL) c
    WHERE is_excluded(team, exclude, c.reason)
    UNION ALL SELECT v.created_by, 'uploader' FROM approval_round p
    JOIN document_version v ON v.team_id = team AND v.document_id = of_document AND v.number > p.document_version AND v.number <= of_version
    JOIN task t ON t.team_id = team AND t.approval_round_id = p.id AND t.completed_by = v.created_by AND t.status IN ('completed', 'rejected')
    WHERE p.team_id = team AND p.id = previous;
END $$;

-- The uses of a group, by kind. Approval rules of a step or template count as its groups.
DROP FUNCTION group_uses(uuid, uuid);
CREATE FUNCTION group_uses(team uuid, of_group uuid)
RETURNS TABLE (shares integer, barriers integer, tasks integer, steps integer, templates integer, policies integer)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 1 AS $$
DECLARE named text := '"group:' || of_group || '"';
BEGIN
  RETURN QUERY SELECT
    (SELECT count(*)::int FROM access_grant g WHERE g.team_id = team AND g.group_id = of_group AND g.source = 'share'),
    (SELECT count(*)::int FROM access_barrier_member m WHERE m.team_id = team AND m.group_id = of_group),
    (SELECT count(*)::int FROM task t WHERE t.team_id = team AND t.assigned_group_id = of_group AND t.status = 'open'),
    (SELECT count(*)::int FROM workflow_step s JOIN workflow w ON w.team_id = team AND w.id = s.workflow_id
      WHERE s.team_id = team AND (of_group = ANY (s.groups) OR strpos((s.config->'approval')::text, named) > 0) AND s.status IN ('pending', 'active')
        AND w.status IN ('draft', 'active', 'paused')),
    (SELECT count(*)::int FROM workflow_template t WHERE t.team_id = team
      AND (t.steps @> jsonb_build_array(jsonb_build_object('groups', jsonb_build_array(of_group::text))) OR strpos(t.steps::text, named) > 0)),
    (SELECT count(*)::int FROM approval_policy p WHERE p.team_id = team AND strpos(p.rules::text, named) > 0);
END $$;
REVOKE EXECUTE ON FUNCTION group_uses(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION group_uses(uuid, uuid) TO chancery_app, chancery_system;

-- The approval round of a call, if the agent has an approval policy. Then a call has a task only to check its outcome.
ALTER TABLE agent_run_call ADD COLUMN approval_round_id uuid;
ALTER TABLE agent_run_call ADD CONSTRAINT agent_run_call_round FOREIGN KEY (team_id, approval_round_id) REFERENCES approval_round (team_id, id);
CREATE UNIQUE INDEX agent_run_call_of_round ON agent_run_call (team_id, approval_round_id) WHERE approval_round_id IS NOT NULL;
ALTER TABLE agent_run_call DROP CONSTRAINT agent_run_call_request;
ALTER TABLE agent_run_call ADD CONSTRAINT agent_run_call_request CHECK (
  (coalesce(task_id, approval_round_id) IS NULL) = (request_hash IS NULL) AND (request_hash IS NULL) = (expires_at IS NULL)
  AND (decided_by IS NULL) = (decided_at IS NULL) AND (status <> 'unknown' OR task_id IS NOT NULL)
  AND (status <> 'awaiting_approval' OR coalesce(task_id, approval_round_id) IS NOT NULL));

-- The persons excluded from a round. A tool call has two requesters: the owner of the run, and the user who started it.
CREATE OR REPLACE FUNCTION excluded_from_round(team uuid, of_round uuid) RETURNS TABLE (person uuid, reason text)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 5 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT e.person, e.reason FROM approval_round r
    CROSS JOIN LATERAL excluded_by(team, r.exclude, r.requester_id, r.workflow_id, r.document_id, r.document_version, r.supersedes) e
    WHERE r.team_id = team AND r.id = of_round
    UNION ALL SELECT run.requested_by, 'requester' FROM approval_round r
    JOIN agent_run_call c ON c.team_id = team AND c.approval_round_id = r.id JOIN agent_run run ON run.team_id = team AND run.id = c.run_id
    WHERE r.team_id = team AND r.id = of_round AND run.requested_by IS NOT NULL AND is_excluded(team, r.exclude, 'requester');
END $$;
