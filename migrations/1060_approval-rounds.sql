-- Approval rounds: one question to several people, with one task as the vote of each.

CREATE TABLE approval_round (
  team_id uuid NOT NULL REFERENCES team (team_id),
  id uuid NOT NULL,
  -- The question: a step of a workflow, or a tool call. A subject has one open round.
  subject_type text NOT NULL CHECK (subject_type IN ('step', 'tool_call')),
  subject_id text NOT NULL,
  workflow_id uuid,
  step_id text,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'approved', 'rejected', 'voided', 'expired')),
  -- The outcome of a decided round: `approved`, or that of the first rejection. The reason of a voided one.
  outcome text,
  -- Null for the rules of a step itself.
  policy_name text,
  policy_version integer,
  -- SHA-256 of the rules that the round copied.
  policy_sha256 text NOT NULL,
  rule text NOT NULL,
  -- SHA-256 of the salt and the answers that chose the rule; null if no condition names an answer. The answers themselves are not stored.
  input_digest bytea,
  input_salt bytea,
  -- The places: `[{count, from}]`.
  need jsonb NOT NULL,
  exclude text[] NOT NULL CHECK (exclude <@ '{creator,uploader,submitter,requester}'::text[]),
  on_rejection text NOT NULL CHECK (on_rejection IN ('first', 'quorum')),
  -- The user of the agent that calls a tool. The requester of a step is the owner of its workflow.
  requester_id uuid,
  document_id uuid,
  about_document_id uuid,
  document_version integer,
  document_sha256 text,
  args_sha256 text,
  -- The previous round of the subject.
  supersedes uuid,
  expires_at timestamptz,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  ended_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT approval_round_of_step CHECK ((subject_type = 'step') = (workflow_id IS NOT NULL AND step_id IS NOT NULL)),
  CONSTRAINT approval_round_ended CHECK ((status = 'open') = (ended_at IS NULL))
);
CREATE UNIQUE INDEX approval_round_open ON approval_round (team_id, subject_type, subject_id) WHERE status = 'open';
CREATE INDEX approval_round_of_subject ON approval_round (team_id, subject_type, subject_id, id);
CREATE INDEX approval_round_of_workflow ON approval_round (team_id, workflow_id, id) WHERE workflow_id IS NOT NULL;
CREATE INDEX approval_round_expiring ON approval_round (expires_at) WHERE status = 'open' AND expires_at IS NOT NULL;
CALL confine_to_team('approval_round', 'SELECT, INSERT, UPDATE');
CALL open_to_system('approval_round', 'SELECT', 'DELETE');

-- The candidates of a round are fixed when it begins. `places`: the indexes of the needs that they can fill. A vote of a delegate fills the place of the
-- candidate.
CREATE TABLE approval_candidate (
  team_id uuid NOT NULL,
  round_id uuid NOT NULL,
  account_id uuid NOT NULL,
  places integer[] NOT NULL,
  task_id uuid NOT NULL,
  PRIMARY KEY (team_id, round_id, account_id),
  CONSTRAINT approval_candidate_of FOREIGN KEY (team_id, round_id) REFERENCES approval_round (team_id, id) ON DELETE CASCADE,
  CONSTRAINT approval_candidate_exists FOREIGN KEY (team_id, account_id) REFERENCES account (team_id, id)
);
CREATE INDEX approval_candidate_by_account ON approval_candidate (team_id, account_id);
CALL confine_to_team('approval_candidate', 'SELECT, INSERT, UPDATE');
CALL open_to_system('approval_candidate', 'SELECT', 'DELETE');

-- A task with this column is a vote. Its `round_id` is the same. No foreign key: tasks are deleted before the tables of later domains.
ALTER TABLE task ADD COLUMN approval_round_id uuid;
CREATE INDEX task_of_approval_round ON task (team_id, approval_round_id, id) WHERE approval_round_id IS NOT NULL;
ALTER TABLE task DROP CONSTRAINT task_cancel_reason_check;
ALTER TABLE task ADD CONSTRAINT task_cancel_reason_check
  CHECK (cancel_reason IN ('document_changed', 'round_decided', 'round_voided', 'round_expired'));

-- The persons in the parameters of its template, by name. Approval rules name them as `parameter:<name>`.
ALTER TABLE workflow ADD COLUMN people jsonb NOT NULL DEFAULT '{}';

-- The persons with a conflict of interest in a decision, each with the reason. They created the workflow, uploaded the version, submitted a form of the
-- workflow or requested the decision. Others are responsible for an API client that did. `late`: by an action after `began`.
CREATE FUNCTION conflict_reasons(
  team uuid, creator uuid, requester uuid, of_workflow uuid, of_document uuid, of_version integer, began timestamptz
) RETURNS TABLE (person uuid, late boolean, reason text)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 5 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT behind.id, coalesce(source.at > began, false), source.reason FROM (
      SELECT creator AS id, NULL::timestamptz AS at, 'creator' AS reason
      UNION ALL SELECT requester, NULL, 'requester'
      UNION ALL SELECT v.created_by, v.created_at, 'uploader' FROM document_version v
        WHERE v.team_id = team AND v.document_id = of_document AND v.number = of_version
      UNION ALL SELECT t.completed_by, t.completed_at, 'submitter' FROM task t
        WHERE t.team_id = team AND t.workflow_id = of_workflow AND t.type = 'form' AND t.status = 'completed'
    ) source CROSS JOIN LATERAL (
      SELECT source.id
      UNION ALL SELECT coalesce(c.responsible_id, c.created_by) FROM api_client c WHERE c.team_id = team AND c.id = source.id
      UNION ALL SELECT f.responsible_id FROM former_client f WHERE f.team_id = team AND f.id = source.id
    ) behind WHERE behind.id IS NOT NULL;
END $$;
CREATE OR REPLACE FUNCTION conflicted_with(team uuid, creator uuid, of_document uuid, of_version integer, began timestamptz)
RETURNS TABLE (person uuid, late boolean) LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 3 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT c.person, c.late FROM conflict_reasons(team, creator, NULL, NULL, of_document, of_version, began) c;
END $$;

-- The persons whom `exclude` keeps from a round. A voter of the previous round who uploaded a later version is always excluded.
CREATE FUNCTION excluded_by(
  team uuid, exclude text[], requester uuid, of_workflow uuid, of_document uuid, of_version integer, previous uuid
) RETURNS TABLE (person uuid, reason text)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 5 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT c.person, c.reason FROM (SELECT) always LEFT JOIN workflow w ON w.team_id = team AND w.id = of_workflow
    CROSS JOIN LATERAL conflict_reasons(team, w.created_by, coalesce(requester, w.owner_id), of_workflow, of_document, of_version, NULL) c
    WHERE c.reason = ANY (exclude)
    UNION ALL SELECT v.created_by, 'uploader' FROM approval_round p
    JOIN document_version v ON v.team_id = team AND v.document_id = of_document AND v.number > p.document_version AND v.number <= of_version
    JOIN task t ON t.team_id = team AND t.approval_round_id = p.id AND t.completed_by = v.created_by AND t.status IN ('completed', 'rejected')
    WHERE p.team_id = team AND p.id = previous;
END $$;
CREATE FUNCTION excluded_from_round(team uuid, of_round uuid) RETURNS TABLE (person uuid, reason text)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 5 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT e.person, e.reason FROM approval_round r
    CROSS JOIN LATERAL excluded_by(team, r.exclude, r.requester_id, r.workflow_id, r.document_id, r.document_version, r.supersedes) e
    WHERE r.team_id = team AND r.id = of_round;
END $$;

-- For a vote, the round says who is excluded. In both cases one person decides once: `voice` is the assignee or voter of another task of the round.
CREATE OR REPLACE FUNCTION conflicted_persons(team uuid, of_task uuid) RETURNS TABLE (person uuid, late boolean)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 5 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT c.person, c.late FROM task t LEFT JOIN workflow w ON w.team_id = team AND w.id = t.workflow_id
    CROSS JOIN LATERAL conflicted_with(team, t.created_by, t.linked_document_id, t.document_version, w.started_at) c
    WHERE t.team_id = team AND t.id = of_task AND t.approval_round_id IS NULL
    UNION ALL
    SELECT e.person, true FROM task t CROSS JOIN LATERAL excluded_from_round(team, t.approval_round_id) e
    WHERE t.team_id = team AND t.id = of_task AND t.approval_round_id IS NOT NULL
    UNION ALL
    SELECT voice.id, true FROM task t
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

-- Locks a round, so that its votes are counted one after another. Returns whether it is open and has not expired.
CREATE FUNCTION lock_approval_round(team uuid, of_round uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE is_open boolean;
BEGIN
  SELECT r.status = 'open' AND coalesce(r.expires_at > now(), true) INTO is_open FROM approval_round r
    WHERE r.team_id = team AND r.id = of_round FOR NO KEY UPDATE;
  RETURN is_open;
END $$;
REVOKE EXECUTE ON FUNCTION conflict_reasons(uuid, uuid, uuid, uuid, uuid, integer, timestamptz),
  excluded_by(uuid, text[], uuid, uuid, uuid, integer, uuid), excluded_from_round(uuid, uuid), lock_approval_round(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION conflict_reasons(uuid, uuid, uuid, uuid, uuid, integer, timestamptz),
  excluded_by(uuid, text[], uuid, uuid, uuid, integer, uuid), excluded_from_round(uuid, uuid) TO chancery_app, chancery_system;
GRANT EXECUTE ON FUNCTION lock_approval_round(uuid, uuid) TO chancery_app;
