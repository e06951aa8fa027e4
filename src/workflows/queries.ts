import { behindWallText, type DocumentStatus, documentText, ownDocumentText } from '#documents';
import { approvedNewestText, decidesText, eligibleText, hasHeldText, heirText, linkedByHeir, makerLeftText, tasksOfStepText } from '#tasks';
import { joinedAfterText, membersText, teamGoesOn } from '#teams';
import { sqlStatement } from '../platform/database/statement.ts';
import { notWaitingAfterFailure } from '../platform/jobs/trouble-queries.ts';
import type { Parameter, TemplateStep } from './schemas.ts';
import type { Status } from './states.ts';
import type { StepStatus } from './steps.ts';

/** A step as the table has it; times as ISO text. */
export type StepRow = {
  id: string;
  type: string;
  name: string | null;
  description: string | null;
  assignees: string[];
  /** Roles whose people it is given to when it begins. Those are assignees from then on, and this is empty. */
  roles: string[];
  /** Somebody has left whose decision nobody could take over: it is given to nobody, beside the assignees. */
  vacant: boolean;
  mode: 'any' | 'all';
  depends_on: string[];
  due_in_days: number | null;
  config: Record<string, unknown>;
  status: StepStatus;
  started_at: string | null;
  completed_at: string | null;
  outcome: string | null;
  wake_at: string | null;
  /** What an answer that the step waits for must name: of this run of it alone. */
  nonce: string | null;
  /** The request for signatures that it waits for, or was ended by. */
  request_id: string | null;
  task_ids: string[];
};

type StoredWorkflow = {
  id: string;
  name: string;
  type: string;
  status: Status;
  document_id: string;
  /** The document, where it is one of the team's; emptied when that is ended. */
  linked_document_id: string | null;
  /** Who put the document there: tasks open what they may read. */
  linked_by: string | null;
  /** Whether the workflow leads the document's state and may refuse versions of it, since it was started. */
  leads_document: boolean;
  assigned_to: string | null;
  created_by: string;
  created_by_type: string;
  /** Whether who made it has left the team since. */
  maker_left: boolean;
  due_at: string | null;
  reason: string | null;
  started_at: string | null;
  paused_at: string | null;
  completed_at: string | null;
  /** How often a refusal has led back. */
  returns: number;
  /** Of the team's template that it was made from. */
  template_version: number | null;
  version: number;
  created_at: string;
  updated_at: string;
  /** Whether the document that it is about stands behind a wall now. */
  walled: boolean;
  steps: StepRow[];
};

/** A workflow in hand; `written` where this act has written the row already, so that it is another version once. */
export type WorkflowRow = StoredWorkflow & { written?: boolean };

/** Whether a workflow was over when whom it is given to came to the team, as a condition on its row: it is no more theirs then than its tasks. */
export const assigneeLeftText = (workflow: string) =>
  joinedAfterText(`${workflow}.team_id`, `${workflow}.assigned_to`, `${workflow}.completed_at`);

const iso = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The tasks of the step `s` of the workflow `w`. They are ordered outside of where they are found: the planner, where the table
 * was never analysed, would otherwise read all tasks of the team along the index that has them in this order.
 */
export const taskIdsText = `ARRAY(SELECT o.id FROM (
    ${tasksOfStepText('t.id', 'w.id', 's.id')} OFFSET 0
  ) o ORDER BY o.id)`;

// A workflow with its steps, and each step with its tasks, in one query however many there are.
const whole = `w.id, w.name, w.type, w.status, w.document_id, w.linked_document_id, w.linked_by, w.leads_document, w.assigned_to, w.created_by, w.created_by_type, w.due_at, w.reason,
  w.started_at, w.paused_at, w.completed_at, w.returns, w.template_version, w.version, w.created_at, w.updated_at,
  ${behindWallText('w', 'w.linked_document_id')} AS walled, ${makerLeftText('w')} AS maker_left,
  (SELECT coalesce(json_agg(json_build_object('id', s.id, 'type', s.type, 'name', s.name, 'description', s.description, 'assignees', s.assignees,
     'roles', s.roles, 'vacant', s.vacant, 'mode', s.mode, 'depends_on', s.depends_on, 'due_in_days', s.due_in_days, 'config', s.config, 'status', s.status,
     'started_at', ${iso('s.started_at')}, 'completed_at', ${iso('s.completed_at')}, 'outcome', s.outcome, 'wake_at', ${iso('s.wake_at')}, 'nonce', s.nonce, 'request_id', s.request_id,
     'task_ids', ${taskIdsText}
   ) ORDER BY s.position), '[]') FROM workflow_step s WHERE s.team_id = $team AND s.workflow_id = w.id) AS steps`;

type One = { team: string; id: string };
/** Whose workflows are seen; null for all of the team's. `viewer`: those with a task of theirs alone. */
export type Seer = { seer: string | null; viewer: boolean };

export const findWorkflow = sqlStatement<One, StoredWorkflow>(`SELECT ${whole} FROM workflow w WHERE w.team_id = $team AND w.id = $id`);

/** What is known of a step that an agent is to do, and of its workflow. */
export type AgentStepRow = Pick<StoredWorkflow, 'name' | 'document_id' | 'created_by' | 'created_by_type' | 'maker_left' | 'walled'> & {
  id: string;
  config: Record<string, unknown>;
};

/** The steps of a workflow that agents are to do. Most have none, and are not read as a whole for it. */
export const agentSteps = sqlStatement<One, AgentStepRow>(
  `SELECT s.id, s.config, w.name, w.document_id, w.created_by, w.created_by_type,
     ${behindWallText('w', 'w.linked_document_id')} AS walled, ${makerLeftText('w')} AS maker_left
   FROM workflow_step s JOIN workflow w ON w.team_id = $team AND w.id = s.workflow_id
   WHERE s.team_id = $team AND s.workflow_id = $id AND s.type = 'agent' ORDER BY s.position`,
);

/**
 * Whether a workflow that is no draft any more is about a document of somebody's, as a condition on its row; not where a wall
 * keeps its owner from that document, as it may keep a successor.
 */
export const onOwnDocument = (workflow: string, user: string) =>
  `(${workflow}.status <> 'draft' AND ${ownDocumentText(`${workflow}.linked_document_id`, user)})`;

/** What a viewer sees: the workflows of which they have or had a task since they came to the team. */
const heldText = hasHeldText('w.id', '$seer');

/** What somebody else sees by themselves: what they made or are given, and what runs on a document of theirs. */
const theirsText = `((w.created_by = $seer AND NOT ${makerLeftText('w')}) OR (w.assigned_to = $seer AND NOT ${assigneeLeftText('w')}) OR ${onOwnDocument('w', '$seer')})`;

/** Whether somebody sees the workflow `w`. `$viewer`: by tasks alone. */
export const seenText = `($seer::uuid IS NULL OR (NOT $viewer::boolean AND ${theirsText}) OR ${heldText})`;

// One of a workflow that is named has a text for each kind of colleague: PostgreSQL would plan a text for all of them anew each time.
const findSeen = (condition: string) =>
  sqlStatement<One & { seer: string }, StoredWorkflow>(
    `SELECT ${whole} FROM workflow w WHERE w.team_id = $team AND w.id = $id AND ${condition}`,
  );

/** A workflow that somebody sees. Of one that they do not see nothing is read: it takes as long as one that is not there. */
export const findSeenWorkflow = { member: findSeen(`(${theirsText} OR ${heldText})`), viewer: findSeen(heldText) };

/** Whether a workflow runs or ran on a document of somebody's. */
export const runsOnOwn = sqlStatement<One & { user: string }, { owns: boolean }>(
  `SELECT ${onOwnDocument('w', '$user')} AS owns FROM workflow w WHERE w.team_id = $team AND w.id = $id`,
);

type NewWorkflow = {
  team: string;
  id: string;
  name: string;
  type: string;
  document: string;
  linked: string | null;
  linkedBy: string;
  assignedTo: string | null;
  createdBy: string;
  createdByType: string;
  dueAt: string | null;
  templateVersion: number | null;
  steps: string;
  at: Date;
};

const stepColumns = `id text, position integer, type text, name text, description text, assignees uuid[], mode text, depends_on text[],
  due_in_days integer, config jsonb, roles text[]`;

/** Bytes that steps have at least in a list. */
const sizeOf = (step: string) => `coalesce(sum(octet_length(${step}.config::text) + coalesce(octet_length(${step}.description), 0)), 0)`;

/** A workflow and its steps in one statement; `steps` is a JSON array of rows. */
export const insertWorkflow = sqlStatement<NewWorkflow, never>(
  `WITH made AS (
     INSERT INTO workflow (team_id, id, name, type, document_id, linked_document_id, linked_by, size, assigned_to, created_by,
       created_by_type, due_at, template_version, created_at, updated_at)
     SELECT $team, $id, $name, $type, $document, $linked, $linkedBy, (SELECT ${sizeOf('s')} FROM jsonb_to_recordset($steps) AS s(${stepColumns})),
       $assignedTo, $createdBy, $createdByType, $dueAt, $templateVersion, $at, $at RETURNING id
   )
   INSERT INTO workflow_step (team_id, workflow_id, id, position, type, name, description, assignees, mode, depends_on, due_in_days, config, roles)
   SELECT $team, made.id, s.id, s.position, s.type, s.name, s.description, s.assignees, s.mode, s.depends_on, s.due_in_days, s.config, s.roles
   FROM made, jsonb_to_recordset($steps) AS s(${stepColumns})`,
);

/** Replaces the steps that have not begun, but for those that are kept. */
export const dropPendingSteps = sqlStatement<One & { kept: readonly string[] }, never>(
  "DELETE FROM workflow_step WHERE team_id = $team AND workflow_id = $id AND status = 'pending' AND id <> ALL ($kept::text[])",
);
export const insertSteps = sqlStatement<One & { steps: string }, never>(
  `INSERT INTO workflow_step (team_id, workflow_id, id, position, type, name, description, assignees, mode, depends_on, due_in_days, config, roles)
   SELECT $team, $id, s.id, s.position, s.type, s.name, s.description, s.assignees, s.mode, s.depends_on, s.due_in_days, s.config, s.roles
   FROM jsonb_to_recordset($steps) AS s(${stepColumns})
   ON CONFLICT (team_id, workflow_id, id) DO UPDATE SET position = excluded.position`,
);
export const measureSteps = sqlStatement<One, never>(
  `UPDATE workflow SET size = (SELECT ${sizeOf('s')} FROM workflow_step s WHERE s.team_id = $team AND s.workflow_id = $id)
   WHERE team_id = $team AND id = $id`,
);

/** Takes a workflow whose lock is held to another state; due dates move by as long as it was paused. */
export const transition = sqlStatement<One & { to: string; reason: string | null; at: Date }, never>(
  `UPDATE workflow SET status = $to, reason = coalesce($reason, reason), version = version + 1, updated_at = $at,
     started_at = CASE WHEN $to = 'active' THEN coalesce(started_at, $at) ELSE started_at END,
     paused_at = CASE WHEN $to = 'paused' THEN $at::timestamptz ELSE NULL END,
     completed_at = CASE WHEN $to IN ('completed', 'rejected', 'cancelled') THEN $at ELSE completed_at END,
     due_at = CASE WHEN $to = 'active' AND paused_at IS NOT NULL AND NOT due_fixed
       THEN least(due_at + ($at::timestamptz - paused_at), '9999-12-31 23:59:59.999Z') ELSE due_at END,
     due_fixed = false
   WHERE team_id = $team AND id = $id`,
);

type StepChange = {
  id: string;
  status: StepStatus;
  started_at: string | null;
  completed_at: string | null;
  outcome: string | null;
  wake_at: string | null;
  nonce: string | null;
  request_id: string | null;
};

/** Changes of several steps in one statement and, with `raise`, of the workflow, which is another version then; `changes` is a JSON array. */
export const updateSteps = sqlStatement<One & { changes: string; raise: boolean; at: Date }, never>(
  `WITH changed AS (UPDATE workflow SET version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id AND $raise::boolean)
   UPDATE workflow_step s SET status = c.status, started_at = c.started_at, completed_at = c.completed_at, outcome = c.outcome,
     wake_at = c.wake_at, nonce = c.nonce, request_id = c.request_id, wait_left = NULL
   FROM jsonb_to_recordset($changes) AS c(id text, status text, started_at timestamptz, completed_at timestamptz, outcome text, wake_at timestamptz, nonce text, request_id uuid)
   WHERE s.team_id = $team AND s.workflow_id = $id AND s.id = c.id`,
);
export const stepChanges = (changes: readonly StepChange[]): string =>
  JSON.stringify(
    changes.map(({ id, status, started_at, completed_at, outcome, wake_at, nonce, request_id }) => ({
      id,
      status,
      started_at,
      completed_at,
      outcome,
      wake_at,
      nonce,
      request_id,
    })),
  );

/** People of a role whom a step is given to at most. */
export const mostOfRole = 20;

/** Whom each step that names roles would be given to now. */
export const peopleOfRoles = sqlStatement<One, { id: string; people: string[] }>(
  `SELECT s.id, ${eligibleText(
    {
      roles: 's.roles',
      type: 's.type',
      maker: 'w.created_by',
      document: 'w.linked_document_id',
      version: `(${documentText('d.current_version', 'w.linked_document_id')})`,
    },
    mostOfRole,
  )} AS people
   FROM workflow w JOIN workflow_step s ON s.team_id = $team AND s.workflow_id = w.id
   WHERE w.team_id = $team AND w.id = $id AND s.roles <> '{}'`,
);

/** Roles have become people; with `vacant` there are none, and nobody else decides. */
export const settleRoles = sqlStatement<One & { step: string; people: readonly string[]; vacant: boolean }, never>(
  `UPDATE workflow_step SET assignees = $people::uuid[], roles = '{}', vacant = $vacant WHERE team_id = $team AND workflow_id = $id AND id = $step`,
);

/**
 * Holds the members of roles, who stay that until the transaction ends: of these, or of those that the steps of a workflow name. Whoever
 * leaves is taken before a workflow is locked.
 */
export const holdRoles = sqlStatement<{ team: string; roles: readonly string[] }, never>(
  `${membersText('a.id')} AND a.role = ANY ($roles::text[]) ORDER BY a.id FOR SHARE OF a`,
);
export const holdRolesOf = sqlStatement<One, never>(
  `${membersText('a.id')} AND a.role = ANY (ARRAY(SELECT unnest(s.roles) FROM workflow_step s WHERE s.team_id = $team AND s.workflow_id = $id))
   ORDER BY a.id FOR SHARE OF a`,
);

/** A refusal has led back once more. */
export const noteReturn = sqlStatement<One, never>('UPDATE workflow SET returns = returns + 1 WHERE team_id = $team AND id = $id');

/** Waits stop while a workflow is paused: what is left of them is kept. */
export const holdWaits = sqlStatement<One & { at: Date }, never>(
  `UPDATE workflow_step SET wait_left = greatest(extract(epoch FROM wake_at - $at::timestamptz) * 1000, 0), wake_at = NULL
   WHERE team_id = $team AND workflow_id = $id AND status = 'active' AND wake_at IS NOT NULL`,
);
export const releaseWaits = sqlStatement<One & { at: Date }, never>(
  `UPDATE workflow_step SET wake_at = least($at::timestamptz + wait_left * interval '1 millisecond', '9999-12-31 23:59:59.999Z'), wait_left = NULL
   WHERE team_id = $team AND workflow_id = $id AND status = 'active' AND wait_left IS NOT NULL`,
);

type Change = One & {
  name: string;
  document: string;
  linked: string | null;
  linkedBy: string | null;
  assignedTo: string | null;
  dueAt: string | null;
  dueGiven: boolean;
  at: Date;
};

export const updateWorkflow = sqlStatement<Change, never>(
  `UPDATE workflow SET name = $name, document_id = $document, linked_document_id = $linked, linked_by = $linkedBy, assigned_to = $assignedTo,
     overdue_announced = overdue_announced AND due_at IS NOT DISTINCT FROM $dueAt::timestamptz, due_at = $dueAt,
     due_fixed = due_fixed OR (status = 'paused' AND $dueGiven::boolean),
     version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);

export const deleteWorkflow = sqlStatement<One, never>('DELETE FROM workflow WHERE team_id = $team AND id = $id');

type DuePage = { now: Date; limit: number; ofEachTeam: number };
export type DueWait = { team: string; id: string; workflow_id: string; step_id: string };

/** Waits that are over, by age, and of each team a few. Those of a paused workflow have no time. */
export const dueWaits = sqlStatement<DuePage, DueWait>(
  `SELECT team_id AS team, workflow_id || ' ' || id AS id, workflow_id, id AS step_id FROM (
     SELECT team_id, workflow_id, id, wake_at, row_number() OVER (PARTITION BY team_id ORDER BY wake_at) AS place
     FROM workflow_step WHERE status = 'active' AND wake_at <= $now
       AND ${notWaitingAfterFailure('workflow-wait', 'workflow_step.team_id', "(workflow_id || ' ' || id)")} AND ${teamGoesOn('workflow_step.team_id')}
   ) due WHERE place <= $ofEachTeam ORDER BY wake_at LIMIT $limit`,
);

/** Workflows past their due date that nobody was told of, by age, and of each team a few. */
export const dueWorkflows = sqlStatement<DuePage, { team: string; id: string }>(
  `SELECT team_id AS team, id FROM (
     SELECT team_id, id, due_at, row_number() OVER (PARTITION BY team_id ORDER BY due_at) AS place
     FROM workflow WHERE status IN ('draft', 'active') AND NOT overdue_announced AND due_at < $now
       AND ${notWaitingAfterFailure('workflow-overdue', 'workflow.team_id', 'id')} AND ${teamGoesOn('workflow.team_id')}
   ) due WHERE place <= $ofEachTeam ORDER BY due_at LIMIT $limit`,
);
export const announceOverdue = sqlStatement<One & { now: Date }, Pick<WorkflowRow, 'id' | 'name' | 'type' | 'document_id' | 'walled'>>(
  `UPDATE workflow SET overdue_announced = true
   WHERE team_id = $team AND id = $id AND status IN ('draft', 'active') AND NOT overdue_announced AND due_at < $now
   RETURNING id, name, type, document_id, ${behindWallText('workflow', 'workflow.linked_document_id')} AS walled`,
);

/** `steps` as they were written: checked when they came in. */
export type TemplateRow = {
  name: string;
  description: string;
  steps: TemplateStep[];
  parameters: Parameter[];
  created_by: string | null;
  created_by_type: string;
  maker_left: boolean;
  /** Who has said last what its steps are. */
  steps_by: string | null;
  version: number;
  created_at: string;
  updated_at: string;
};
const ofTemplate = `name, description, steps, parameters, created_by, created_by_type, steps_by, version, created_at, updated_at,
  ${makerLeftText('workflow_template')} AS maker_left`;

export const findTemplate = sqlStatement<{ team: string; name: string }, TemplateRow>(
  `SELECT ${ofTemplate} FROM workflow_template WHERE team_id = $team AND name = $name`,
);
export const lockTemplate = sqlStatement<{ team: string; name: string }, TemplateRow>(
  `SELECT ${ofTemplate} FROM workflow_template WHERE team_id = $team AND name = $name FOR UPDATE`,
);
/** Puts additions of a team one after another, so that each counts what the one before added. */
export const lockTemplateCount = sqlStatement<{ team: string }, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('workflow templates ' || $team, 0)) AS locked",
);
export const countTemplates = sqlStatement<{ team: string }, { templates: number }>(
  'SELECT count(*)::integer AS templates FROM workflow_template WHERE team_id = $team',
);
export const insertTemplate = sqlStatement<
  { team: string; name: string; description: string; steps: string; parameters: string; by: string | null; byType: string; at: Date },
  TemplateRow
>(
  `INSERT INTO workflow_template (team_id, name, description, steps, parameters, created_by, created_by_type, steps_by, created_at, updated_at)
   VALUES ($team, $name, $description, $steps, $parameters, $by, $byType, $by, $at, $at) ON CONFLICT DO NOTHING RETURNING ${ofTemplate}`,
);
export const updateTemplate = sqlStatement<
  { team: string; name: string; description: string | null; steps: string | null; parameters: string | null; by: string | null; at: Date },
  TemplateRow
>(
  `UPDATE workflow_template SET description = coalesce($description, description), steps = coalesce($steps::jsonb, steps),
     parameters = coalesce($parameters::jsonb, parameters),
     steps_by = CASE WHEN $steps::jsonb IS NULL AND $parameters::jsonb IS NULL THEN steps_by ELSE $by::uuid END, version = version + 1, updated_at = $at
   WHERE team_id = $team AND name = $name RETURNING ${ofTemplate}`,
);
/** Versions of a template that are kept at most. */
const mostVersions = 100;
/** Keeps what a template says now as one of its versions. */
export const keepTemplateVersion = sqlStatement<{ team: string; name: string; by: string | null; byType: string; at: Date }, never>(
  `WITH dropped AS (
     DELETE FROM workflow_template_version v USING workflow_template t
     WHERE v.team_id = $team AND v.name = $name AND t.team_id = $team AND t.name = $name AND v.version <= t.version - ${mostVersions}
   )
   INSERT INTO workflow_template_version (team_id, name, version, description, steps, parameters, created_by, created_by_type, created_at)
   SELECT team_id, name, version, description, steps, parameters, $by::uuid, $byType, $at FROM workflow_template WHERE team_id = $team AND name = $name`,
);
export const deleteTemplate = sqlStatement<{ team: string; name: string }, { name: string }>(
  'DELETE FROM workflow_template WHERE team_id = $team AND name = $name RETURNING name',
);

/**
 * Somebody who leaves is given no further step: their place in the steps of workflows that are not over goes to whoever may take
 * it, also in steps that are done, since a refusal may lead back to them; and so do workflows that are not over and would give
 * their tasks to them, as assignee or as maker. A decision that nobody may take over is vacant, and does not pass from two
 * persons to one; one that names nobody goes to who may decide, where the successor may not.
 */
export const handOverWorkflows = sqlStatement<{ team: string; from: string; to: string; lost: readonly string[]; at: Date }, never>(
  `WITH concerned AS (
     SELECT s.workflow_id, s.id, $from = ANY (s.assignees) AS named, ${decidesText('s.type')} AS decides,
       ${heirText({
         type: 's.type',
         maker: 'w.created_by',
         document: 'w.linked_document_id',
         version: `(${documentText('d.current_version', 'w.linked_document_id')})`,
         voices: 'a.id = ANY (s.assignees)',
       })} AS heir
     FROM workflow w JOIN workflow_step s ON s.team_id = $team AND s.workflow_id = w.id
     WHERE w.team_id = $team AND w.status IN ('draft', 'active', 'paused')
       AND ($from = ANY (s.assignees) OR (s.assignees = '{}' AND s.roles = '{}' AND NOT s.vacant AND ${decidesText('s.type')}
         AND (w.assigned_to = $from OR w.assigned_to IS NULL AND w.created_by = $from)))
   ),
   steps AS (
     UPDATE workflow_step s SET
       assignees = CASE
         WHEN NOT c.named THEN CASE WHEN c.heir IS NULL THEN s.assignees ELSE ARRAY[c.heir] END
         WHEN c.heir IS NULL OR c.heir = ANY (s.assignees) THEN array_remove(s.assignees, $from::uuid)
         ELSE array_replace(s.assignees, $from::uuid, c.heir) END,
       vacant = s.vacant OR (c.decides AND c.heir IS NULL AND (NOT c.named OR s.mode = 'all' OR cardinality(s.assignees) = 1))
     FROM concerned c
     WHERE s.team_id = $team AND s.workflow_id = c.workflow_id AND s.id = c.id AND (c.named OR c.heir IS DISTINCT FROM $to)
   )
   UPDATE workflow SET assigned_to = CASE WHEN assigned_to = $from OR assigned_to IS NULL AND created_by = $from THEN $to ELSE assigned_to END,
     linked_by = ${linkedByHeir}, version = version + 1, updated_at = $at
   WHERE team_id = $team AND status IN ('draft', 'active', 'paused')
     AND (assigned_to = $from OR assigned_to IS NULL AND created_by = $from OR linked_by = $from)`,
);

/** Workflows under way that are about a document, whose lock the caller holds. */
export const runningAbout = sqlStatement<{ team: string; document: string }, { id: string; leads_document: boolean }>(
  // Ordered outside of where they are found, as the tasks of a step are.
  `SELECT o.id, o.leads_document FROM (
     SELECT id, leads_document FROM workflow WHERE team_id = $team AND linked_document_id = $document AND status IN ('active', 'paused') OFFSET 0
   ) o ORDER BY o.id`,
);

/** A step that an agent has to do yet, or has not done, in a workflow under way. */
export const liveStepsOfAgent = sqlStatement<{ team: string; agent: string }, { id: string }>(
  `SELECT s.id FROM workflow w JOIN workflow_step s ON s.team_id = w.team_id AND s.workflow_id = w.id
   WHERE w.team_id = $team AND w.status IN ('active', 'paused') AND s.type = 'agent' AND s.status IN ('pending', 'active', 'failed')
     AND lower(s.config ->> 'agentId') = $agent::text LIMIT 1`,
);

/** Which endpoint a step asks, of a team that goes on. */
export const endpointAsked = sqlStatement<One & { step: string }, { endpoint: string }>(
  `SELECT coalesce(lower(s.config ->> 'endpointId'), '') AS endpoint FROM workflow_step s
   WHERE s.team_id = $team AND s.workflow_id = $id AND s.id = $step AND s.type = 'webhook' AND s.config ? 'endpointId' AND ${teamGoesOn('s.team_id')}`,
);

/** The workflows with a step that waits for the answer of an endpoint. */
export const askingEndpoint = sqlStatement<{ team: string; endpoint: string }, { id: string }>(
  `SELECT DISTINCT workflow_id AS id FROM workflow_step
   WHERE team_id = $team AND type = 'webhook' AND status = 'active' AND lower(config ->> 'endpointId') = $endpoint::text`,
);

/** What was answered in the form of each of these tasks; of a task that was not ended by one, or whose answers are erased, nothing. */
export const answersOfTasks = sqlStatement<{ team: string; tasks: readonly string[] }, { task_id: string; data: Record<string, unknown> }>(
  'SELECT a.task_id, a.data FROM answers_of_tasks($team::uuid, $tasks::uuid[]) a',
);

/** Workflows under way that are named, or about one of these documents. */
export const underWay = sqlStatement<{ team: string; ids: readonly string[]; documents: readonly string[] }, { id: string }>(
  `SELECT id FROM workflow WHERE team_id = $team AND id = ANY ($ids::uuid[]) AND status IN ('active', 'paused')
   UNION SELECT id FROM workflow WHERE team_id = $team AND linked_document_id = ANY ($documents::uuid[]) AND status IN ('active', 'paused')`,
);

/** A workflow leads the state of its document from here on, which was `before` where that changed. */
export const noteLead = sqlStatement<One & { before: DocumentStatus | null }, never>(
  'UPDATE workflow SET leads_document = true, document_status_before = $before WHERE team_id = $team AND id = $id',
);

/** What a workflow that has ended led its document to: approved where the newest version was, a draft where it was refused. */
export const noteDocumentResult = sqlStatement<One, never>(
  `UPDATE workflow w SET document_result = CASE
     WHEN w.status = 'rejected' THEN 'draft'
     WHEN w.status = 'completed' AND ${approvedNewestText('w.id')} THEN 'approved' END
   WHERE w.team_id = $team AND w.id = $id`,
);

/** Nobody has approved the newest version of a document: no workflow about it leads it back to that any more. */
export const forgetApprovals = sqlStatement<{ team: string; document: string }, never>(
  `UPDATE workflow SET document_result = nullif(document_result, 'approved'),
     document_status_before = CASE WHEN document_status_before = 'approved' THEN 'draft' ELSE document_status_before END
   WHERE team_id = $team AND linked_document_id = $document AND (document_result = 'approved' OR document_status_before = 'approved')`,
);

/** Whether a workflow on a document is under way still, and what those led to that ended since a time. */
export const documentSettled = sqlStatement<
  { team: string; document: string; since: string },
  { running: boolean; result: DocumentStatus | null; before: DocumentStatus | null }
>(
  `WITH about AS (SELECT * FROM workflow WHERE team_id = $team AND linked_document_id = $document AND leads_document)
   SELECT EXISTS (SELECT FROM about WHERE status IN ('active', 'paused')) AS running,
     (SELECT document_result FROM about WHERE document_result IS NOT NULL AND completed_at >= $since
      ORDER BY completed_at DESC, id DESC LIMIT 1) AS result,
     (SELECT document_status_before FROM about WHERE document_status_before IS NOT NULL AND completed_at >= $since
      ORDER BY started_at LIMIT 1) AS before`,
);

/** The workflows that run on a document, the newest, at most so many. */
export const workflowsOn = sqlStatement<{ team: string; document: string; limit: number }, { id: string }>(
  'SELECT id FROM workflow WHERE team_id = $team AND linked_document_id = $document ORDER BY id DESC LIMIT $limit',
);
