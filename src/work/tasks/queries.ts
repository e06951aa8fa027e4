import type { Row, RowWithout } from '../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import type { Task } from './schemas.ts';

export type TaskRow = RowWithout<
  'task',
  | 'about_document_id'
  | 'assigned_at'
  | 'container_id'
  | 'escalate_at'
  | 'escalated'
  | 'escalation'
  | 'held'
  | 'overdue_announced'
  | 'participant_id'
  | 'remind_at'
  | 'reminders'
  | 'round_id'
  | 'team_id'
> & {
  /** Who has an ended task as a record. */
  participant_id: string | null;
  /** Whether the document that it, or its workflow, is about stands behind a barrier now. */
  barred: boolean;
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

const plainColumns = `id, title, type, status, created_by, created_by_type, owner_id, participant_id, outcomes, ${Object.values(optionalMembers).join(', ')},
  linked_document_id, linked_by, on_new_version, cancel_reason, version, created_at, updated_at`;
/** What a task is, as the select list of a statement over `task`. */
export const taskColumns = `${plainColumns.replaceAll(/\w+/g, (column) => `task.${column}`)}, document_is_barred(task.team_id, task.about_document_id) AS barred`;

/** Which of these identifiers are tasks about a document that stands behind a barrier. */
export const tasksBehindBarriers = sqlStatement<{ team: string; ids: readonly string[] }, { id: string }>(
  `SELECT task.id FROM (SELECT unnest($ids::uuid[]) AS id) named
   CROSS JOIN LATERAL (SELECT * FROM task o WHERE o.team_id = $team AND o.id = named.id OFFSET 0) task
   WHERE document_is_barred(task.team_id, task.about_document_id)`,
);

/** A task that the caller may see, if no barrier excludes them: `hidden` where what it says is another's alone to read. */
export type FoundTask = TaskRow & { hidden: boolean };
/** A task that the caller sees. `emergency`: the caller is inside of its barrier by emergency access only, and changes nothing. */
export type SeenTask = FoundTask & { emergency: boolean };

export type Own = TeamScopedId & { user: string | null };

export const findTask = sqlStatement<Own, FoundTask>(
  `SELECT ${taskColumns}, hides_its_text(task.type, task.workflow_id, task.assigned_to, $user::uuid) AS hidden FROM task WHERE team_id = $team AND id = $id`,
);

type TaskEnd = TeamScopedId & {
  description: string | null;
  status: string;
  outcome: string;
  comment: string | null;
  by: string | null;
  byType: string;
  documentVersion: number | null;
  sha256: string | null;
  at: Date;
};

/** Ends an open task. The caller holds its lock, and knows the row that it becomes. */
export const endTask = sqlStatement<TaskEnd, { id: string }>(
  `UPDATE task SET description = $description, status = $status, outcome = $outcome, comment = $comment, completed_by = $by, completed_by_type = $byType,
     participant_id = coalesce($by, assigned_to), document_version = $documentVersion, document_sha256 = $sha256, completed_at = $at, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND status = 'open' RETURNING id`,
);

/** Gives an open task to an active member; no row when either is not so. */
export const reassignTask = sqlStatement<TeamScopedId & { user: string; at: Date }, TaskRow>(
  `UPDATE task SET assigned_to = a.id, assigned_at = $at, version = task.version + 1, updated_at = $at,
     on_behalf_of = CASE WHEN task.assigned_to = a.id THEN task.on_behalf_of END,
     delegated_from = CASE WHEN coalesce(task.delegated_from, task.assigned_to) <> a.id THEN coalesce(task.delegated_from, task.assigned_to) END
   FROM member a
   WHERE a.team_id = $team AND a.id = $user AND task.team_id = $team AND task.id = $id AND task.status = 'open'
   RETURNING ${taskColumns}`,
);

/** Takes open tasks from assignees who are outside of a barrier around their documents. `assigned_from`: who had each of them. */
export const unassignOutsiders = sqlStatement<{ team: string; ids: readonly string[]; at: Date }, TaskRow & { assigned_from: string }>(
  `WITH held AS (
     SELECT t.id, t.assigned_to FROM task t WHERE t.team_id = $team AND t.id = ANY ($ids) AND t.status = 'open' AND t.assigned_to IS NOT NULL
     ORDER BY t.id FOR NO KEY UPDATE
   )
   UPDATE task SET assigned_to = NULL, on_behalf_of = NULL, assigned_at = $at, version = task.version + 1, updated_at = $at FROM held
   WHERE task.team_id = $team AND task.id = held.id AND document_outsider($team, task.about_document_id, held.assigned_to)
   RETURNING ${taskColumns}, held.assigned_to AS assigned_from`,
);

/** Takes an open task from its assignee; no row if the task is another person's by now. */
export const unassign = sqlStatement<TeamScopedId & { user: string; at: Date }, TaskRow>(
  `UPDATE task SET assigned_to = NULL, on_behalf_of = NULL, assigned_at = $at, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND assigned_to = $user AND status = 'open' RETURNING ${taskColumns}`,
);

export const cancelTasks = sqlStatement<
  { team: string; workflow: string; steps: readonly string[] | null; reason: string | null; at: Date },
  { id: string }
>(
  `UPDATE task SET status = 'cancelled', cancel_reason = $reason, participant_id = assigned_to, version = version + 1, updated_at = $at
   WHERE team_id = $team AND workflow_id = $workflow AND status = 'open' AND ($steps::text[] IS NULL OR step_id = ANY ($steps)) RETURNING id`,
);

/** Locks tasks that no workflow has, as `withdrawTasks` does. */
export const lockQuestions = sqlStatement<{ team: string; ids: readonly string[] }, never>(
  'SELECT FROM task WHERE team_id = $team AND id = ANY ($ids) ORDER BY id FOR NO KEY UPDATE',
);

/** Cancels what was asked about calls of tools, by tasks that no workflow has: what they say is gone, as `asksAboutCall` says. */
export const withdrawTasks = sqlStatement<{ team: string; ids: readonly string[]; at: Date }, { id: string }>(
  `WITH held AS (SELECT id FROM task WHERE team_id = $team AND id = ANY ($ids) ORDER BY id FOR NO KEY UPDATE)
   UPDATE task SET status = 'cancelled', description = NULL, participant_id = assigned_to, version = version + 1, updated_at = $at FROM held
   WHERE task.team_id = $team AND task.id = held.id AND task.status = 'open' RETURNING task.id`,
);

/** Cancels what programs have asked somebody who leaves: nobody else answers it. */
export const withdrawOwnQuestions = sqlStatement<{ team: string; user: string; at: Date }, never>(
  `WITH held AS (
     SELECT t.id FROM task t WHERE t.team_id = $team AND t.assigned_to = $user AND t.status = 'open' AND asks_own_person(t.type, t.created_by_type, t.workflow_id)
     ORDER BY t.id FOR NO KEY UPDATE
   )
   UPDATE task SET status = 'cancelled', description = NULL, version = version + 1, updated_at = $at FROM held
   WHERE task.team_id = $team AND task.id = held.id`,
);

export const openTasksOfStep = sqlStatement<{ team: string; workflow: string; step: string }, { open: number }>(
  "SELECT count(*)::int AS open FROM task WHERE team_id = $team AND workflow_id = $workflow AND step_id = $step AND status = 'open'",
);

/** The open tasks of a workflow that is paused: nothing of them is due meanwhile. */
export const pauseTasks = sqlStatement<{ team: string; workflow: string }, never>(
  "UPDATE task SET held = true WHERE team_id = $team AND workflow_id = $workflow AND status = 'open'",
);

/** A workflow goes on: due dates move by as long as it was paused, and no further than a time that can be written. */
export const resumeTasks = sqlStatement<{ team: string; workflow: string; pausedAt: string; at: Date }, never>(
  `UPDATE task SET held = false, escalate_at = least(escalate_at + ($at::timestamptz - $pausedAt::timestamptz), '9999-12-31 23:59:59.999Z'),
     due_at = least(due_at + ($at::timestamptz - $pausedAt::timestamptz), '9999-12-31 23:59:59.999Z'), updated_at = $at
   WHERE team_id = $team AND workflow_id = $workflow AND status = 'open'`,
);

export const insertComment = sqlStatement<TeamScopedId & { task: string; by: string; byType: string; text: string; at: Date }, never>(
  'INSERT INTO task_comment (team_id, id, task_id, user_id, created_by_type, text, created_at) VALUES ($team, $id, $task, $by, $byType, $text, $at)',
);

/** Whether a task waits still, and for whom: for those who hold something of it. */
export const assigneeOfTask = sqlStatement<TeamScopedId, Row<'task', 'assigned_to' | 'workflow_id' | 'step_id'> & { open: boolean }>(
  "SELECT status = 'open' AS open, assigned_to, workflow_id, step_id FROM task WHERE team_id = $team AND id = $id",
);

/** The tasks of some workflows and those about a document, the newest, at most so many. */
export const tasksAbout = sqlStatement<
  { team: string; workflows: readonly string[]; document: string | null; principalId: string | null; limit: number },
  { id: string }
>(
  `SELECT id FROM (
     SELECT t.id FROM task t WHERE t.team_id = $team AND t.workflow_id = ANY ($workflows::uuid[])
     UNION SELECT t.id FROM task t WHERE t.team_id = $team AND t.linked_document_id = $document::uuid
       AND ($principalId::uuid IS NULL OR is_related_to_task($principalId, t.owner_id, t.on_behalf_of, t.participant_id, t.assigned_to, t.status))
   ) found ORDER BY id DESC LIMIT $limit`,
);
