-- Something a person is to do. `document_id` is text: it may name a document that is kept in another system.
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
  -- The tasks of one step that were made together: each is a voice in the same decision.
  round_id uuid,
  document_id text,
  due_at timestamptz,
  outcome text,
  comment text,
  completed_by uuid,
  completed_at timestamptz,
  overdue_announced boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- The workflow of the task is paused.
  held boolean NOT NULL DEFAULT false,
  created_by_type text NOT NULL DEFAULT 'user',
  -- The creator, and after they leave the team their successor.
  owner_id uuid NOT NULL,
  -- Who has the task as a record after its end: who completed it, or its last assignee. Null after they left the team.
  participant_id uuid,
  -- The document, by a key that is emptied when it is ended, and who put it there.
  linked_document_id uuid,
  linked_by uuid,
  -- The document that it or its workflow is about, also after the deletion of either. Its barrier hides the task.
  about_document_id uuid,
  -- A task on a document says which version it is about and how it may end.
  document_version integer,
  document_sha256 text,
  on_new_version text NOT NULL DEFAULT 'ignore' CHECK (on_new_version IN ('restart', 'refuse', 'ignore')),
  outcomes text[] NOT NULL DEFAULT '{completed}',
  -- Whom it was given to first, when it was passed on.
  delegated_from uuid,
  -- In whose place whoever has it does it, while that person is away. Null after they left the team.
  on_behalf_of uuid,
  completed_by_type text,
  cancel_reason text CHECK (cancel_reason IN ('document_changed')),
  -- Since when somebody has the task.
  assigned_at timestamptz NOT NULL DEFAULT now(),
  -- How often whoever has it was reminded since it was overdue, and when that is due again.
  reminders integer NOT NULL DEFAULT 0,
  remind_at timestamptz,
  -- Whom it comes to when it stays overdue: levels, each with the milliseconds after it is due; how many were, and when the next is.
  escalation jsonb,
  escalated integer NOT NULL DEFAULT 0,
  escalate_at timestamptz,
  PRIMARY KEY (team_id, id),
  CONSTRAINT task_assignee_exists FOREIGN KEY (team_id, assigned_to) REFERENCES account (team_id, id),
  CONSTRAINT task_about FOREIGN KEY (team_id, linked_document_id) REFERENCES document (team_id, id)
    ON DELETE SET NULL (linked_document_id)
) WITH (autovacuum_analyze_scale_factor = 0.02);
-- The orders of lists of a whole team, state by state. The state has a collation of its own here, which those lists name: while a table is taken
-- to be empty all indexes seem to cost the same, and a plan for the tasks of one person along one of these would read all of the team.
CREATE INDEX task_by_status ON task (team_id, status COLLATE "C", id);
CREATE INDEX task_by_change ON task (team_id, status COLLATE "C", updated_at, id);
CREATE INDEX task_by_due ON task (team_id, status COLLATE "C", (CASE WHEN due_at IS NULL THEN 'infinity' ELSE due_at END), id);
-- What stands still with a paused workflow is outside the index that timers look at.
CREATE INDEX task_due ON task (due_at)
  WHERE status = 'open' AND NOT held AND NOT overdue_announced AND due_at IS NOT NULL;
CREATE INDEX task_reminding ON task (remind_at) WHERE status = 'open' AND NOT held AND remind_at IS NOT NULL;
CREATE INDEX task_escalating ON task (escalate_at) WHERE status = 'open' AND NOT held AND escalate_at IS NOT NULL;
CREATE INDEX task_about_document ON task (team_id, linked_document_id) WHERE linked_document_id IS NOT NULL;
CREATE INDEX task_of_document ON task (team_id, document_id) WHERE document_id IS NOT NULL;
-- What a person owns or has ended is looked for as well as what they hold.
CREATE INDEX task_owner ON task (team_id, owner_id, status, id);
CREATE INDEX task_participant ON task (team_id, participant_id, status, id) WHERE participant_id IS NOT NULL;
CREATE INDEX task_for_absent ON task (team_id, on_behalf_of, status, id) WHERE on_behalf_of IS NOT NULL;
CREATE INDEX task_of_assignee ON task (team_id, assigned_to, status, id);
-- Made last: of indexes that seem to cost the same, as all do while a table is taken to be empty, the planner takes the newest, and a plan
-- along another one reads all tasks of the team for each step.
CREATE INDEX task_of_step ON task (team_id, workflow_id, step_id) WHERE workflow_id IS NOT NULL;
CALL confine_to_team('task', 'SELECT, INSERT, UPDATE');
CALL open_to_system('task', 'SELECT', 'DELETE');
-- The person who completed a task about a document reads its version by a grant.
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

-- A row for each person who is to get a mail of the day: with what they were given since then, when it is time.
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

-- Somebody is away, and another does what comes to be given to them meanwhile.
CREATE TABLE task_delegation (
  team_id uuid NOT NULL REFERENCES team,
  user_id uuid NOT NULL,
  to_user_id uuid NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  -- The types of task that it is of; all without it.
  kinds text[],
  -- What is open when it begins goes along.
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

-- The persons whom the two-person rule keeps from a decision on a version of a document: who created the workflow, who uploaded the version,
-- and who answers for a client that did either. `late`: they uploaded it after the workflow began, when it was known who decides.
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

-- The same for the decision of a task, and the persons with another voice in its round.
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

-- Conditions on the row of a task. PostgreSQL puts the expressions in the place of the calls.
-- Whether a person or program has a relation to it: owner, assignee of an open one, absentee or participant.
CREATE FUNCTION is_related_to_task(who uuid, owner uuid, on_behalf_of uuid, participant uuid, assignee uuid, status text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT who IN (owner, on_behalf_of, participant) OR (assignee = who AND status = 'open') $$;
-- Whether a program asks its own person by it, as `asksOwnPerson` says.
CREATE FUNCTION asks_own_person(type text, created_by_type text, workflow uuid) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT type = 'tool_approval' AND created_by_type = 'user' AND workflow IS NULL $$;
-- Whether it asks about a call of a tool, as `asksAboutCall` says, and hides its text from a person who is not asked.
CREATE FUNCTION hides_its_text(type text, workflow uuid, assignee uuid, person uuid) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT type IN ('tool_approval', 'tool_outcome') AND workflow IS NULL AND assignee IS DISTINCT FROM person $$;

-- What workflows ask about their tasks. The functions in SQL are written so that PostgreSQL puts the query in the place of the call.
CREATE FUNCTION tasks_of_workflow(of_team uuid, of_workflow uuid) RETURNS TABLE (id uuid, step_id text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT t.id, t.step_id FROM task t WHERE t.team_id = of_team AND t.workflow_id = of_workflow
$$;
-- The persons who have, had and ended, or have done for them the tasks of a workflow, and since when.
CREATE FUNCTION task_participants(of_team uuid, of_workflow uuid) RETURNS TABLE (id uuid, since timestamptz) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT t.assigned_to, t.assigned_at FROM task t WHERE t.team_id = of_team AND t.workflow_id = of_workflow AND t.status = 'open'
  UNION ALL SELECT t.on_behalf_of, t.assigned_at FROM task t WHERE t.team_id = of_team AND t.workflow_id = of_workflow AND t.on_behalf_of IS NOT NULL
  UNION ALL SELECT t.participant_id, coalesce(t.completed_at, t.assigned_at) FROM task t WHERE t.team_id = of_team AND t.workflow_id = of_workflow
$$;
-- Whether a person has a task of a workflow, or has it as a record.
CREATE FUNCTION participates(team uuid, of_workflow uuid, person uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM task t WHERE t.team_id = team AND t.workflow_id = of_workflow
      AND (person IN (t.on_behalf_of, t.participant_id) OR t.assigned_to = person AND t.status = 'open'));
END $$;
-- Whether a task of a workflow has approved the newest version of its document.
CREATE FUNCTION newest_is_approved(team uuid, of_workflow uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM task t CROSS JOIN LATERAL (SELECT d.current_version FROM filed_documents(team) d WHERE d.id = t.linked_document_id) d
    WHERE t.team_id = team AND t.workflow_id = of_workflow AND t.type = 'approval' AND t.outcome = 'approved'
      AND t.document_version IS NOT DISTINCT FROM nullif(d.current_version, 0));
END $$;
-- Whether anybody of a team stands in for another, now or later.
CREATE FUNCTION has_delegations(team uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM task_delegation d WHERE d.team_id = team);
END $$;
REVOKE EXECUTE ON FUNCTION tasks_of_workflow(uuid, uuid), task_participants(uuid, uuid), participates(uuid, uuid, uuid), newest_is_approved(uuid, uuid),
  has_delegations(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tasks_of_workflow(uuid, uuid), task_participants(uuid, uuid), participates(uuid, uuid, uuid), newest_is_approved(uuid, uuid),
  has_delegations(uuid) TO chancery_app, chancery_system;

-- The persons whom the two-person rule keeps from decisions of a workflow on the newest version of its document.
CREATE FUNCTION conflicted_of_workflow(team uuid, creator uuid, of_document uuid) RETURNS SETOF uuid LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 3 AS $$
BEGIN
  RETURN QUERY SELECT c.person
    FROM conflicted_with(team, creator, of_document, (SELECT d.current_version FROM filed_documents(team) d WHERE d.id = of_document), NULL) c;
END $$;
-- The tasks of a step. They are ordered outside of where they are found: without statistics the planner would otherwise read all tasks of the
-- team along the index in this order.
CREATE FUNCTION task_ids_of_step(team uuid, of_workflow uuid, of_step text) RETURNS uuid[] LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN ARRAY(SELECT o.id FROM (
    SELECT t.id FROM task t WHERE t.team_id = team AND t.workflow_id = of_workflow AND t.step_id = of_step OFFSET 0) o ORDER BY o.id);
END $$;
-- Whether a document belongs to a person or program, and no barrier excludes them, as it may a successor.
CREATE FUNCTION owns_document(team uuid, document uuid, person uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM filed_documents(team) own WHERE own.id = document AND own.user_id = person AND NOT barrier_excludes(team, own.barrier_id, person));
END $$;
REVOKE EXECUTE ON FUNCTION conflicted_of_workflow(uuid, uuid, uuid), task_ids_of_step(uuid, uuid, text), owns_document(uuid, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION conflicted_of_workflow(uuid, uuid, uuid), task_ids_of_step(uuid, uuid, text), owns_document(uuid, uuid, uuid)
  TO chancery_app, chancery_system;
