import { behindWallText, joinDocumentText, outsideText } from '#documents';
import { memberText, teamGoesOn } from '#teams';
import { sqlStatement } from '../platform/database/statement.ts';
import { notWaitingAfterFailure } from '../platform/jobs/trouble-queries.ts';
import { asksOwnPersonText, giverLeftText, heldText, hiddenText } from './maker-queries.ts';
import type { Task } from './schemas.ts';

export type TaskRow = {
  id: string;
  title: string;
  description: string | null;
  type: string;
  status: 'open' | 'completed' | 'rejected' | 'cancelled';
  assigned_to: string | null;
  delegated_from: string | null;
  on_behalf_of: string | null;
  created_by: string;
  created_by_type: string;
  workflow_id: string | null;
  step_id: string | null;
  document_id: string | null;
  linked_document_id: string | null;
  linked_by: string | null;
  document_version: number | null;
  document_sha256: string | null;
  on_new_version: 'restart' | 'refuse' | 'ignore';
  outcomes: string[];
  due_at: string | null;
  outcome: string | null;
  comment: string | null;
  completed_by: string | null;
  completed_by_type: string | null;
  completed_at: string | null;
  cancel_reason: 'document_changed' | null;
  /** Whether the document that it, or its workflow, is about stands behind a wall now. */
  walled: boolean;
  /** Whether who made it, or its workflow, has left the team since. */
  maker_left: boolean;
  version: number;
  created_at: string;
  updated_at: string;
};

/** The members of a task that answers leave out without a value, by the column they come from. One task and the list show the same. */
export const optionalMembers = {
  description: 'description',
  assignedTo: 'assigned_to',
  delegatedFrom: 'delegated_from',
  onBehalfOf: 'on_behalf_of',
  workflowId: 'workflow_id',
  stepId: 'step_id',
  documentId: 'document_id',
  documentVersion: 'document_version',
  documentSha256: 'document_sha256',
  dueDate: 'due_at',
  outcome: 'outcome',
  comment: 'comment',
  completedBy: 'completed_by',
  completedByType: 'completed_by_type',
  completedAt: 'completed_at',
} as const satisfies Partial<Record<keyof Task, keyof TaskRow>>;

const plainColumns = `id, title, type, status, created_by, created_by_type, outcomes, ${Object.values(optionalMembers).join(', ')},
  linked_document_id, linked_by, on_new_version, cancel_reason, version, created_at, updated_at`;
// Of a workflow's task whose maker may not read the document any more, it is the workflow that is about it.
const aboutDocument = `coalesce(task.linked_document_id, (
    SELECT w.linked_document_id FROM workflow_in_short(task.team_id, task.workflow_id) w))`;
/** What a task is, as the select list of a statement over `task`. */
export const taskColumns = `${plainColumns.replaceAll(/\w+/g, (column) => `task.${column}`)}, ${behindWallText('task', aboutDocument)} AS walled,
  ${giverLeftText('task')} AS maker_left`;

/** Which of these identifiers are tasks about a document that stands behind a wall. */
export const tasksBehindWalls = sqlStatement<{ team: string; ids: readonly string[] }, { id: string }>(
  `SELECT task.id FROM (SELECT unnest($ids::uuid[]) AS id) named
   CROSS JOIN LATERAL (SELECT * FROM task o WHERE o.team_id = $team AND o.id = named.id OFFSET 0) task
   WHERE ${behindWallText('task', aboutDocument)}`,
);

type One = { team: string; id: string };

/**
 * A task as somebody sees it: `outside` where a wall keeps them from its document, `hidden` where what it says is another's alone to read,
 * `former` where it was theirs before they left and came back.
 */
export type SeenTask = TaskRow & { outside: boolean; hidden: boolean; former: boolean };
type Seen = One & { user: string | null };
const seen = `${taskColumns}, ${outsideText('task.linked_document_id')} AS outside, ${hiddenText('task', '$user::uuid')} AS hidden,
  coalesce((task.assigned_to = $user OR task.completed_by = $user OR task.on_behalf_of = $user) AND NOT ${heldText('task', '$user')}, false) AS former`;

export const findTask = sqlStatement<Seen, SeenTask>(`SELECT ${seen} FROM task WHERE team_id = $team AND id = $id`);

/** Whom an overdue task comes to: so many milliseconds after it is due, a person or a role, and whether it is theirs from then on. */
export type EscalationLevel = { after: number; to: string; reassign: boolean };

/** A task as it is inserted. */
export type InsertedTask = {
  id: string;
  title: string;
  description: string | null;
  type: string;
  assigned_to: string | null;
  created_by: string;
  created_by_type: string;
  workflow_id: string | null;
  step_id: string | null;
  document_id: string | null;
  /** When it was given, where that was before it is made: of a workflow, when that was. */
  given_at?: string;
  linked_document_id: string | null;
  linked_by: string | null;
  document_version: number | null;
  document_sha256: string | null;
  on_new_version: string;
  outcomes: readonly string[];
  due_at: string | null;
  delegated_from: string | null;
  on_behalf_of: string | null;
  escalation: readonly EscalationLevel[] | null;
  escalate_at: string | null;
};
/** Columns that follow from the kind of task and the document that it is about. */
export type Derived =
  | 'linked_document_id'
  | 'linked_by'
  | 'document_version'
  | 'document_sha256'
  | 'on_new_version'
  | 'outcomes'
  | 'delegated_from'
  | 'on_behalf_of'
  | 'escalation'
  | 'escalate_at';

/** Several tasks in one statement; `tasks` is a JSON array of {@link InsertedTask}. */
export const insertTasks = sqlStatement<{ team: string; tasks: string; at: Date }, never>(
  `INSERT INTO task (team_id, id, title, description, type, assigned_to, created_by, created_by_type, workflow_id, step_id, document_id,
     linked_document_id, linked_by, document_version, document_sha256, on_new_version, outcomes, due_at, delegated_from, on_behalf_of, escalation, escalate_at, given_at, assigned_at, created_at, updated_at)
   SELECT $team, t.id, t.title, t.description, t.type, t.assigned_to, t.created_by, t.created_by_type, t.workflow_id, t.step_id, t.document_id,
     t.linked_document_id, t.linked_by, t.document_version, t.document_sha256, t.on_new_version, t.outcomes, t.due_at, t.delegated_from, t.on_behalf_of, t.escalation, t.escalate_at,
     coalesce(t.given_at, $at), $at, $at, $at
   FROM jsonb_to_recordset($tasks) AS t(id uuid, title text, description text, type text, assigned_to uuid, created_by uuid,
     created_by_type text, workflow_id uuid, step_id text, document_id text, given_at timestamptz, linked_document_id uuid, linked_by uuid, document_version integer,
     document_sha256 text, on_new_version text, outcomes text[], due_at timestamptz, delegated_from uuid, on_behalf_of uuid, escalation jsonb, escalate_at timestamptz)`,
);

type End = One & {
  status: string;
  outcome: string;
  comment: string | null;
  by: string | null;
  byType: string;
  documentVersion: number | null;
  sha256: string | null;
  at: Date;
};

/** Ends an open task. The caller holds its lock. */
export const endTask = sqlStatement<End, TaskRow>(
  `UPDATE task SET status = $status, outcome = $outcome, comment = $comment, completed_by = $by, completed_by_type = $byType,
     document_version = $documentVersion, document_sha256 = $sha256, completed_at = $at, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND status = 'open' RETURNING ${taskColumns}`,
);

/** Gives an open task to an active member; no row when either is not so. */
export const reassignTask = sqlStatement<One & { user: string; at: Date }, TaskRow>(
  `UPDATE task SET assigned_to = a.id, assigned_at = $at, version = task.version + 1, updated_at = $at,
     on_behalf_of = CASE WHEN task.assigned_to = a.id THEN task.on_behalf_of END,
     delegated_from = CASE WHEN coalesce(task.delegated_from, task.assigned_to) <> a.id THEN coalesce(task.delegated_from, task.assigned_to) END
   FROM (${memberText('a.id', '$user')}) a
   WHERE task.team_id = $team AND task.id = $id AND task.status = 'open'
   RETURNING ${taskColumns}`,
);

/**
 * The locks of the workflows that are not over and name somebody who leaves or a role, or have a task of theirs, in one order for all who
 * take several; those of their documents before, as ever: what their tasks open is opened to others.
 */
export const lockWorkflowsOf = sqlStatement<{ team: string; user: string }, { id: string }>(
  `WITH theirs AS MATERIALIZED (
     SELECT w.id, w.linked_document_id FROM workflow w
     WHERE w.team_id = $team AND w.status IN ('draft', 'active', 'paused') AND (w.assigned_to = $user OR w.created_by = $user OR w.linked_by = $user
       OR EXISTS (SELECT FROM workflow_step s WHERE s.team_id = $team AND s.workflow_id = w.id AND ($user::uuid = ANY (s.assignees) OR s.roles <> '{}'))
       OR EXISTS (SELECT FROM task t WHERE t.team_id = $team AND t.workflow_id = w.id AND t.assigned_to = $user AND t.status = 'open'))
   ),
   documents_held AS MATERIALIZED (
     SELECT d.id FROM theirs ${joinDocumentText('theirs.linked_document_id')} ORDER BY d.id FOR NO KEY UPDATE OF d
   )
   SELECT w.id FROM workflow w WHERE w.team_id = $team AND w.id IN (SELECT id FROM theirs) AND (SELECT count(*) FROM documents_held) >= 0
   ORDER BY w.id FOR NO KEY UPDATE OF w`,
);

export const cancelTasks = sqlStatement<
  { team: string; workflow: string; steps: readonly string[] | null; reason: string | null; at: Date },
  { id: string }
>(
  `UPDATE task SET status = 'cancelled', cancel_reason = $reason, version = version + 1, updated_at = $at
   WHERE team_id = $team AND workflow_id = $workflow AND status = 'open' AND ($steps::text[] IS NULL OR step_id = ANY ($steps)) RETURNING id`,
);

/** Cancels tasks that no workflow has. */
export const withdrawTasks = sqlStatement<{ team: string; ids: readonly string[]; at: Date }, { id: string }>(
  `UPDATE task SET status = 'cancelled', version = version + 1, updated_at = $at
   FROM (SELECT id FROM task WHERE team_id = $team AND id = ANY ($ids) ORDER BY id FOR NO KEY UPDATE) held
   WHERE task.team_id = $team AND task.id = held.id AND task.status = 'open' RETURNING task.id`,
);

/** Cancels what programs have asked somebody who leaves: nobody else answers it. */
export const withdrawOwnQuestions = sqlStatement<{ team: string; user: string; at: Date }, never>(
  `UPDATE task SET status = 'cancelled', version = version + 1, updated_at = $at
   FROM (SELECT t.id FROM task t WHERE t.team_id = $team AND t.assigned_to = $user AND t.status = 'open' AND ${asksOwnPersonText('t')}
     ORDER BY t.id FOR NO KEY UPDATE) held
   WHERE task.team_id = $team AND task.id = held.id`,
);

export const openTasksOfStep = sqlStatement<{ team: string; workflow: string; step: string }, { open: number }>(
  "SELECT count(*)::int AS open FROM task WHERE team_id = $team AND workflow_id = $workflow AND step_id = $step AND status = 'open'",
);

/** The open tasks of a workflow that is paused: nothing of them is due meanwhile. */
export const holdTasks = sqlStatement<{ team: string; workflow: string }, never>(
  "UPDATE task SET held = true WHERE team_id = $team AND workflow_id = $workflow AND status = 'open'",
);

/** A workflow goes on: due dates move by as long as it was paused, and no further than a time that can be written. */
export const releaseTasks = sqlStatement<{ team: string; workflow: string; pausedAt: string; at: Date }, never>(
  `UPDATE task SET held = false, escalate_at = least(escalate_at + ($at::timestamptz - $pausedAt::timestamptz), '9999-12-31 23:59:59.999Z'),
     due_at = least(due_at + ($at::timestamptz - $pausedAt::timestamptz), '9999-12-31 23:59:59.999Z'), updated_at = $at
   WHERE team_id = $team AND workflow_id = $workflow AND status = 'open'`,
);

/**
 * Puts the acts on one workflow and its tasks one after another: whoever changes any of them takes this first and reads
 * afterwards. A document of the team is locked before its workflow, since a new version goes that way too.
 */
export const lockWorkflow = sqlStatement<{ team: string; workflow: string }, { id: string }>(
  `WITH document_held AS MATERIALIZED (
     SELECT d.id FROM workflow w ${joinDocumentText('w.linked_document_id')}
     WHERE w.team_id = $team AND w.id = $workflow FOR NO KEY UPDATE OF d
   )
   SELECT w.id FROM workflow w WHERE w.team_id = $team AND w.id = $workflow AND (SELECT count(*) FROM document_held) >= 0
   FOR NO KEY UPDATE OF w`,
);

/** The task as it is once nobody else changes it; one of a workflow is read after the workflow's lock. */
export const lockTask = sqlStatement<Seen, SeenTask>(
  `SELECT ${seen} FROM task WHERE team_id = $team AND id = $id FOR NO KEY UPDATE OF task`,
);

/** Somebody is to get a mail of the day; one who is anyway keeps the time. */
export const rememberDigest = sqlStatement<One & { since: Date; due: Date }, never>(
  'INSERT INTO task_digest (team_id, account_id, since, due_at) VALUES ($team, $id, $since, $due) ON CONFLICT DO NOTHING',
);

export const dueDigests = sqlStatement<{ now: Date; limit: number; ofEachTeam: number }, { team: string; id: string }>(
  `SELECT team, id FROM (
     SELECT team_id AS team, account_id AS id, due_at, row_number() OVER (PARTITION BY team_id ORDER BY due_at) AS place
     FROM task_digest WHERE due_at < $now AND ${notWaitingAfterFailure('task-digest', 'task_digest.team_id', 'account_id')} AND ${teamGoesOn('task_digest.team_id')}
   ) due WHERE place <= $ofEachTeam ORDER BY due_at LIMIT $limit`,
);

export const takeDigest = sqlStatement<One & { now: Date }, { since: string }>(
  'DELETE FROM task_digest WHERE team_id = $team AND account_id = $id AND due_at < $now RETURNING since',
);

/** What somebody was given since a time, by others, and has still to do: the newest, and how many there are. */
export const givenSince = sqlStatement<
  One & { since: string; limit: number },
  Pick<TaskRow, 'id' | 'title' | 'walled'> & { total: number }
>(
  `SELECT task.id, task.title, ${behindWallText('task', aboutDocument)} AS walled, count(*) OVER ()::int AS total FROM task
   WHERE task.team_id = $team AND task.assigned_to = $id AND task.status = 'open' AND task.assigned_at >= $since
     AND NOT (task.created_by = $id AND task.workflow_id IS NULL AND task.delegated_from IS NULL AND NOT ${asksOwnPersonText('task')})
   ORDER BY task.assigned_at DESC, task.id LIMIT $limit`,
);

export const insertComment = sqlStatement<One & { task: string; by: string; byType: string; text: string; at: Date }, never>(
  'INSERT INTO task_comment (team_id, id, task_id, user_id, created_by_type, text, created_at) VALUES ($team, $id, $task, $by, $byType, $text, $at)',
);

/** Tasks past their due date that nobody was told of, by age, and of each team a few. */
export const dueTasks = sqlStatement<{ now: Date; limit: number; ofEachTeam: number }, { team: string; id: string }>(
  `SELECT team_id AS team, id FROM (
     SELECT team_id, id, due_at, row_number() OVER (PARTITION BY team_id ORDER BY due_at) AS place
     FROM task WHERE status = 'open' AND NOT held AND NOT overdue_announced AND due_at < $now
       AND ${notWaitingAfterFailure('task-overdue', 'task.team_id', 'id')} AND ${teamGoesOn('task.team_id')}
   ) due WHERE place <= $ofEachTeam ORDER BY due_at LIMIT $limit`,
);

export const announceOverdue = sqlStatement<One & { now: Date }, TaskRow>(
  `UPDATE task SET overdue_announced = true, remind_at = CASE WHEN reminders = 0 THEN $now END
   WHERE team_id = $team AND id = $id AND status = 'open' AND NOT held AND NOT overdue_announced AND due_at < $now RETURNING ${taskColumns}`,
);

/** People with overdue tasks of which they are to be reminded, by how long that is due, and of each team a few. */
export const dueReminders = sqlStatement<{ now: Date; limit: number; ofEachTeam: number }, { team: string; id: string }>(
  `SELECT team_id AS team, id FROM (
     SELECT team_id, assigned_to AS id, min(remind_at) AS due_at, row_number() OVER (PARTITION BY team_id ORDER BY min(remind_at)) AS place
     FROM task WHERE status = 'open' AND NOT held AND remind_at <= $now AND due_at < $now AND assigned_to IS NOT NULL
       AND ${notWaitingAfterFailure('task-reminder', 'task.team_id', 'assigned_to')} AND ${teamGoesOn('task.team_id')}
     GROUP BY team_id, assigned_to
   ) due WHERE place <= $ofEachTeam ORDER BY due_at LIMIT $limit`,
);

export type Reminded = Pick<TaskRow, 'id' | 'title' | 'created_by' | 'created_by_type' | 'walled' | 'maker_left'> & { reminders: number };

/**
 * Somebody is reminded of their overdue tasks once more: those that somebody else is just changing wait for another time. The next time is
 * `$second` after the first one, `$third` after that, and then no more.
 */
export const remind = sqlStatement<One & { now: Date; second: Date; third: Date; limit: number }, Reminded>(
  `WITH due AS (
     SELECT id FROM task WHERE team_id = $team AND assigned_to = $id AND status = 'open' AND NOT held AND remind_at <= $now AND due_at < $now
     ORDER BY id LIMIT $limit FOR NO KEY UPDATE SKIP LOCKED
   )
   UPDATE task SET reminders = reminders + 1, remind_at = CASE reminders WHEN 0 THEN $second::timestamptz WHEN 1 THEN $third::timestamptz END
   FROM due WHERE task.team_id = $team AND task.id = due.id
   RETURNING task.id, task.title, task.created_by, task.created_by_type, task.reminders, ${behindWallText('task', aboutDocument)} AS walled,
     ${giverLeftText('task')} AS maker_left`,
);

/** Whether a task waits still, and for whom: for those who hold something of it. */
export const holderOfTask = sqlStatement<
  One,
  { open: boolean; assigned_to: string | null; workflow_id: string | null; step_id: string | null }
>("SELECT status = 'open' AS open, assigned_to, workflow_id, step_id FROM task WHERE team_id = $team AND id = $id");

/** The tasks of some workflows and those about a document, the newest, at most so many. */
export const tasksAbout = sqlStatement<
  { team: string; workflows: readonly string[]; document: string | null; limit: number },
  { id: string }
>(
  `SELECT id FROM (
     SELECT t.id FROM task t WHERE t.team_id = $team AND t.workflow_id = ANY ($workflows::uuid[])
     UNION SELECT t.id FROM task t WHERE t.team_id = $team AND t.linked_document_id = $document::uuid
   ) found ORDER BY id DESC LIMIT $limit`,
);
