-- A task for a person. `document_id` is text because it can name a document in another system.
CREATE TABLE task (
  team_id uuid NOT NULL REFERENCES team,
  id uuid NOT NULL,
  title text NOT NULL,
  description text,
  type text NOT NULL DEFAULT 'task',
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'completed', 'rejected', 'cancelled')),
  assigned_to uuid,
  created_by uuid NOT NULL,
  workflow_id uuid,
  step_id text,
  -- The tasks of one step that were created together. Each is one vote in the same decision.
  round_id uuid,
  document_id text,
  due_at timestamptz,
  outcome text,
  comment text,
  completed_by uuid,
  completed_at timestamptz,
  overdue_emitted boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- The workflow of the task is paused.
  paused boolean NOT NULL DEFAULT false,
  created_by_type text NOT NULL DEFAULT 'user',
  -- The creator. After the creator leaves the team, the successor.
  owner_id uuid NOT NULL,
  -- The participant of an ended task, who may still read it: the person who completed it, or its last assignee. Null after they left the team.
  participant_id uuid,
  -- The document as a foreign key, which becomes null with the deletion of the document, and the user who linked it.
  linked_document_id uuid,
  linked_by uuid,
  -- The document of the task or of its workflow, kept after the deletion of either. Its barrier hides the task.
  about_document_id uuid,
  -- The version that a task about a document concerns, and how the task may end.
  document_version integer,
  document_sha256 text,
  on_new_version text NOT NULL DEFAULT 'ignore' CHECK (on_new_version IN ('restart', 'refuse', 'ignore')),
  outcomes text[] NOT NULL DEFAULT '{completed}',
  -- The first assignee, if the task was reassigned.
  delegated_from uuid,
  -- The absent member; the assignee is their delegate. Null after the absent member left the team.
  on_behalf_of uuid,
  completed_by_type text,
  cancel_reason text CHECK (cancel_reason IN ('document_changed')),
  -- When the current assignee got the task.
  assigned_at timestamptz NOT NULL DEFAULT now(),
  -- The number of reminders since the task was overdue, and the time of the next one.
  reminders integer NOT NULL DEFAULT 0,
  remind_at timestamptz,
  -- The escalation levels of an overdue task, each with a delay in milliseconds after the due date. `escalated`: the number of levels reached.
  -- `escalate_at`: the time of the next level.
  escalation jsonb,
  escalated integer NOT NULL DEFAULT 0,
  escalate_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT task_assignee_exists FOREIGN KEY (team_id, assigned_to) REFERENCES account (team_id, id),
  CONSTRAINT task_about FOREIGN KEY (team_id, linked_document_id) REFERENCES document (team_id, id)
    ON DELETE SET NULL (linked_document_id)
) WITH (autovacuum_analyze_scale_factor = 0.02);
-- The orders of lists of a whole team, by status. Only these lists name this collation. Without it, a list of one person could use these indexes and
-- read all tasks of the team. While a table seems empty, the planner gives all indexes the same cost.
CREATE INDEX task_by_status ON task (team_id, status COLLATE "C", id);
CREATE INDEX task_by_change ON task (team_id, status COLLATE "C", updated_at, id);
CREATE INDEX task_by_due ON task (team_id, status COLLATE "C", (CASE WHEN due_at IS NULL THEN 'infinity' ELSE due_at END), id);
-- The indexes of timers exclude tasks of paused workflows.
CREATE INDEX task_due ON task (due_at)
  WHERE status = 'open' AND NOT paused AND NOT overdue_emitted AND due_at IS NOT NULL;
CREATE INDEX task_reminding ON task (remind_at) WHERE status = 'open' AND NOT paused AND remind_at IS NOT NULL;
CREATE INDEX task_escalating ON task (escalate_at) WHERE status = 'open' AND NOT paused AND escalate_at IS NOT NULL;
CREATE INDEX task_about_document ON task (team_id, linked_document_id) WHERE linked_document_id IS NOT NULL;
CREATE INDEX task_of_document ON task (team_id, document_id) WHERE document_id IS NOT NULL;
-- The list of a person also has tasks that they own, took part in or have a delegate for.
CREATE INDEX task_owner ON task (team_id, owner_id, status, id);
CREATE INDEX task_participant ON task (team_id, participant_id, status, id) WHERE participant_id IS NOT NULL;
CREATE INDEX task_for_absent ON task (team_id, on_behalf_of, status, id) WHERE on_behalf_of IS NOT NULL;
CREATE INDEX task_of_assignee ON task (team_id, assigned_to, status, id);
-- Created last: while a table seems empty, all indexes seem to cost the same and the planner takes the newest. A plan with another index reads all
-- tasks of the team for each step.
CREATE INDEX task_of_step ON task (team_id, workflow_id, step_id) WHERE workflow_id IS NOT NULL;
CALL confine_to_team('task', 'SELECT, INSERT, UPDATE');
CALL open_to_system('task', 'SELECT', 'DELETE');
-- A grant lets the person who completed a task about a document read its version.
CALL access_resource_type('task', 'task');
CALL access_container_column('task');

CREATE TABLE task_comment (
  team_id uuid NOT NULL,
  id uuid NOT NULL,
  task_id uuid NOT NULL,
  user_id uuid NOT NULL,
  text text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by_type text NOT NULL DEFAULT 'user',
  PRIMARY KEY (team_id, id),
  CONSTRAINT task_comment_of FOREIGN KEY (team_id, task_id) REFERENCES task (team_id, id)
);
CREATE INDEX task_comment_by_task ON task_comment (team_id, task_id, id);
CALL confine_to_team('task_comment', 'SELECT, INSERT');
CALL open_to_system('task_comment', 'SELECT', 'DELETE');

-- One row for each person with a pending daily mail. It lists the tasks assigned since `since` and is sent at `due_at`.
CREATE TABLE task_digest (
  team_id uuid NOT NULL,
  account_id uuid NOT NULL,
  since timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, account_id)
);
CREATE INDEX task_digest_due ON task_digest (due_at);
CALL confine_to_team('task_digest', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('task_digest', 'SELECT', 'DELETE');

-- Delegations: while a member is absent, their new tasks go to another member.
CREATE TABLE task_delegation (
  team_id uuid NOT NULL REFERENCES team,
  user_id uuid NOT NULL,
  to_user_id uuid NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  -- The types of task that go to the delegate; null for all.
  kinds text[],
  -- Whether tasks that are open at the start go to the delegate.
  open_tasks boolean NOT NULL,
  given_by uuid NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, user_id),
  CHECK (user_id <> to_user_id AND ends_at > starts_at),
  CONSTRAINT task_delegation_of FOREIGN KEY (team_id, user_id) REFERENCES account (team_id, id),
  CONSTRAINT task_delegation_to FOREIGN KEY (team_id, to_user_id) REFERENCES account (team_id, id)
);
CREATE INDEX task_delegation_by_delegate ON task_delegation (team_id, to_user_id);
CALL confine_to_team('task_delegation', 'SELECT, INSERT, UPDATE, DELETE');
CALL open_to_system('task_delegation', 'SELECT', 'DELETE');

-- The persons with a conflict of interest in a decision on a version of a document, by the two-person rule. They are the creator of the workflow, the
-- uploader of the version, and the person responsible for a client that did either. `late`: they uploaded it after the workflow started, when the
-- deciders were already named.
CREATE FUNCTION conflicted_with(team uuid, creator uuid, of_document uuid, of_version integer, began timestamptz)
RETURNS TABLE (person uuid, late boolean) LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 3 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT behind.id, coalesce(source.at > began, false) FROM (
      SELECT creator AS id, NULL::timestamptz AS at
      UNION ALL SELECT v.created_by, v.created_at FROM document_version v
        WHERE v.team_id = team AND v.document_id = of_document AND v.number = of_version
    ) source CROSS JOIN LATERAL (
      SELECT source.id
      UNION ALL SELECT coalesce(c.responsible_id, c.created_by) FROM api_client c WHERE c.team_id = team AND c.id = source.id
      UNION ALL SELECT f.responsible_id FROM former_client f WHERE f.team_id = team AND f.id = source.id
    ) behind WHERE behind.id IS NOT NULL;
END $$;

-- The persons with a conflict of interest in the decision of a task: those of `conflicted_with`, and the other deciders of its round.
CREATE FUNCTION conflicted_persons(team uuid, of_task uuid) RETURNS TABLE (person uuid, late boolean)
LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 5 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT c.person, c.late FROM task t LEFT JOIN workflow w ON w.team_id = team AND w.id = t.workflow_id
    CROSS JOIN LATERAL conflicted_with(team, t.created_by, t.linked_document_id, t.document_version, w.started_at) c
    WHERE t.team_id = team AND t.id = of_task
    UNION ALL
    SELECT voice.id, true FROM task t
    JOIN task o ON o.team_id = team AND o.workflow_id = t.workflow_id AND o.step_id = t.step_id AND o.round_id = t.round_id
      AND o.id <> t.id AND o.status <> 'cancelled'
    CROSS JOIN LATERAL (VALUES (o.assigned_to), (o.completed_by)) voice (id)
    WHERE t.team_id = team AND t.id = of_task AND voice.id IS NOT NULL;
END $$;
REVOKE EXECUTE ON FUNCTION conflicted_with(uuid, uuid, uuid, integer, timestamptz), conflicted_persons(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION conflicted_with(uuid, uuid, uuid, integer, timestamptz), conflicted_persons(uuid, uuid) TO chancery_app, chancery_system;

-- Conditions on the row of a task. PostgreSQL inlines these functions.
-- Whether a person or program is related to the task: owner, assignee while it is open, absent member or participant.
CREATE FUNCTION is_related_to_task(who uuid, owner uuid, on_behalf_of uuid, participant uuid, assignee uuid, status text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT who IN (owner, on_behalf_of, participant) OR (assignee = who AND status = 'open') $$;
-- Whether a program asks its own user with this task, as in `asksOwnPerson`.
CREATE FUNCTION asks_own_person(type text, created_by_type text, workflow uuid) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT type = 'tool_approval' AND created_by_type = 'user' AND workflow IS NULL $$;
-- Whether the task asks about a tool call, as in `asksAboutCall`, and hides its text from a person who is not its assignee.
CREATE FUNCTION hides_its_text(type text, workflow uuid, assignee uuid, person uuid) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT type IN ('tool_approval', 'tool_outcome') AND workflow IS NULL AND assignee IS DISTINCT FROM person $$;

-- Functions that workflows call about their tasks. PostgreSQL inlines those in SQL.
CREATE FUNCTION tasks_of_workflow(of_team uuid, of_workflow uuid) RETURNS TABLE (id uuid, step_id text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT t.id, t.step_id FROM task t WHERE t.team_id = of_team AND t.workflow_id = of_workflow
$$;
-- The current assignees, absent members and participants of the tasks of a workflow, and since when.
CREATE FUNCTION task_participants(of_team uuid, of_workflow uuid) RETURNS TABLE (id uuid, since timestamptz) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT t.assigned_to, t.assigned_at FROM task t WHERE t.team_id = of_team AND t.workflow_id = of_workflow AND t.status = 'open'
  UNION ALL SELECT t.on_behalf_of, t.assigned_at FROM task t WHERE t.team_id = of_team AND t.workflow_id = of_workflow AND t.on_behalf_of IS NOT NULL
  UNION ALL SELECT t.participant_id, coalesce(t.completed_at, t.assigned_at) FROM task t WHERE t.team_id = of_team AND t.workflow_id = of_workflow
$$;
-- Whether a person is an assignee, absent member or participant of a task of a workflow.
CREATE FUNCTION participates(team uuid, of_workflow uuid, person uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM task t WHERE t.team_id = team AND t.workflow_id = of_workflow
      AND (person IN (t.on_behalf_of, t.participant_id) OR t.assigned_to = person AND t.status = 'open'));
END $$;
-- Whether an approval task of a workflow approved the newest version of its document.
CREATE FUNCTION newest_is_approved(team uuid, of_workflow uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM task t CROSS JOIN LATERAL (SELECT d.current_version FROM filed_documents(team) d WHERE d.id = t.linked_document_id) d
    WHERE t.team_id = team AND t.workflow_id = of_workflow AND t.type = 'approval' AND t.outcome = 'approved'
      AND t.document_version IS NOT DISTINCT FROM nullif(d.current_version, 0));
END $$;
-- Whether the team has a delegation, current or future.
CREATE FUNCTION has_delegations(team uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM task_delegation d WHERE d.team_id = team);
END $$;
REVOKE EXECUTE ON FUNCTION tasks_of_workflow(uuid, uuid), task_participants(uuid, uuid), participates(uuid, uuid, uuid), newest_is_approved(uuid, uuid),
  has_delegations(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tasks_of_workflow(uuid, uuid), task_participants(uuid, uuid), participates(uuid, uuid, uuid), newest_is_approved(uuid, uuid),
  has_delegations(uuid) TO chancery_app, chancery_system;

-- The persons with a conflict of interest in decisions of a workflow on the newest version of its document.
CREATE FUNCTION conflicted_of_workflow(team uuid, creator uuid, of_document uuid) RETURNS SETOF uuid LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 3 AS $$
BEGIN
  RETURN QUERY SELECT c.person
    FROM conflicted_with(team, creator, of_document, (SELECT d.current_version FROM filed_documents(team) d WHERE d.id = of_document), NULL) c;
END $$;
-- The tasks of a step. OFFSET 0 separates the search from the sort: without statistics, the planner would otherwise read all tasks of the team along
-- the primary key.
CREATE FUNCTION task_ids_of_step(team uuid, of_workflow uuid, of_step text) RETURNS uuid[] LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN ARRAY(SELECT o.id FROM (
    SELECT t.id FROM task t WHERE t.team_id = team AND t.workflow_id = of_workflow AND t.step_id = of_step OFFSET 0) o ORDER BY o.id);
END $$;
-- Whether a document belongs to a person or program and no barrier excludes them. A barrier may exclude a successor.
CREATE FUNCTION owns_document(team uuid, document uuid, person uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM filed_documents(team) own WHERE own.id = document AND own.user_id = person AND NOT barrier_excludes(team, own.barrier_id, person));
END $$;
REVOKE EXECUTE ON FUNCTION conflicted_of_workflow(uuid, uuid, uuid), task_ids_of_step(uuid, uuid, text), owns_document(uuid, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION conflicted_of_workflow(uuid, uuid, uuid), task_ids_of_step(uuid, uuid, text), owns_document(uuid, uuid, uuid)
  TO chancery_app, chancery_system;
