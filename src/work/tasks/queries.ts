import type { ResourceName } from '#access';
import type { Row, RowWithout } from '../../platform/database/row.ts';
import type { CommentParams } from '../../platform/comment-queries.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import type { Task } from './schemas.ts';

export type TaskRow = RowWithout<
  'task',
  | 'about_document_id'
  | 'assigned_at'
  | 'escalate_at'
  | 'escalated'
  | 'escalation'
  | 'paused'
  | 'overdue_emitted'
  | 'participant_id'
  | 'remind_at'
  | 'reminders'
  | 'round_id'
  | 'team_id'
> & {
  /** The person who may read the task after its end as its participant. */
  participant_id: string | null;
  /** Whether the document of the task or of its workflow is behind a barrier now. */
  barred: boolean;
};

/** The members that responses omit if they have no value, each with its column. A single task and the list have the same members. */
export const optionalMembers = {
  description: 'description',
  assignedTo: 'assigned_to',
  assignedGroupId: 'assigned_group_id',
  delegatedFrom: 'delegated_from',
  onBehalfOf: 'on_behalf_of',
  workflowId: 'workflow_id',
  stepId: 'step_id',
  roundId: 'approval_round_id',
  documentId: 'document_id',
  matterId: 'container_id',
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
/** The select list of a task, for a statement over `task`. */
export const taskColumns = `${plainColumns.replaceAll(/\w+/g, (column) => `task.${column}`)}, document_is_barred(task.team_id, task.about_document_id) AS barred`;

/** The tasks among these identifiers whose documents are behind a barrier. */
export const tasksBehindBarriers = sqlStatement<{ team: string; ids: readonly string[] }, { id: string }>(
  `SELECT task.id FROM (SELECT unnest($ids::uuid[]) AS id) named
   CROSS JOIN LATERAL (SELECT * FROM task o WHERE o.team_id = $team AND o.id = named.id OFFSET 0) task
   WHERE document_is_barred(task.team_id, task.about_document_id)`,
);

/**
 * A task that the caller may see unless a barrier excludes them. `hidden`: only the assignee may read its text. `candidate`: the caller is a member of
 * the group of the open task. `in_viewed_matter`: the caller may view its matter.
 */
export type FoundTask = TaskRow & { hidden: boolean; candidate: boolean; in_viewed_matter: boolean | null };
/** A task that the caller may see. `emergency`: the caller has only emergency access and cannot change it. */
export type SeenTask = FoundTask & { emergency: boolean };

export type Own = TeamScopedId & { user: string | null };

/** The select list of a {@link FoundTask}. */
export const foundColumns = `${taskColumns}, hides_its_text(task.type, task.workflow_id, task.assigned_to, $user::uuid) AS hidden,
  coalesce(is_candidate(task.team_id, task.assigned_group_id, task.status, $user::uuid), false) AS candidate,
  task.container_id IS NOT NULL AND task.container_id IN (SELECT viewed_matters($team, $user::uuid)) AS in_viewed_matter`;

/**
 * Condition: `$principalId` is related to the task by a column, is a member of the group of the open task, or may view its matter.
 */
export const isRelatedSql = (task: string) =>
  `(is_related_to_task($principalId, ${['owner_id', 'on_behalf_of', 'participant_id', 'assigned_to', 'status'].map((column) => `${task}.${column}`).join(', ')})
     OR is_candidate(${task}.team_id, ${task}.assigned_group_id, ${task}.status, $principalId)
     OR ${task}.container_id IS NOT NULL AND ${task}.container_id IN (SELECT viewed_matters($team, $principalId)))`;

/**
 * Condition: the caller may see the task `t`. `$principalId` is the person or API client whose tasks are visible, or null for all of the team; `$user`
 * is the person, or null.
 */
export const isVisibleSql = `($principalId::uuid IS NULL OR ${isRelatedSql('t')}) AND NOT document_excludes($team, t.about_document_id, $user::uuid)`;

/** The titles of the tasks among these identifiers that the caller may see. */
export const tasksNamed = sqlStatement<
  { team: string; ids: readonly string[]; principalId: string | null; user: string | null },
  ResourceName
>(
  `SELECT t.id, t.title AS name FROM (SELECT unnest($ids::uuid[]) AS id) named
   CROSS JOIN LATERAL (SELECT * FROM task o WHERE o.team_id = $team AND o.id = named.id OFFSET 0) t
   WHERE ${isVisibleSql}`,
);

export const findTask = sqlStatement<Own, FoundTask>(`SELECT ${foundColumns} FROM task WHERE team_id = $team AND id = $id`);

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

/** Ends an open task. The caller must have locked it and knows the resulting row. */
export const endTask = sqlStatement<TaskEnd, { id: string }>(
  `UPDATE task SET description = $description, status = $status, outcome = $outcome, comment = $comment, completed_by = $by, completed_by_type = $byType,
     participant_id = coalesce($by, assigned_to), document_version = $documentVersion, document_sha256 = $sha256, completed_at = $at, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND status = 'open' RETURNING id`,
);

/** Assigns an open task to an active member, and no longer to a group. Returns no row if the task is not open or the user is not an active member. */
export const reassignTask = sqlStatement<TeamScopedId & { user: string; at: Date }, TaskRow>(
  `UPDATE task SET assigned_to = a.id, assigned_group_id = NULL, assigned_at = $at, version = task.version + 1, updated_at = $at,
     on_behalf_of = CASE WHEN task.assigned_to = a.id THEN task.on_behalf_of END,
     delegated_from = CASE WHEN coalesce(task.delegated_from, task.assigned_to) <> a.id THEN coalesce(task.delegated_from, task.assigned_to) END
   FROM member a
   WHERE a.team_id = $team AND a.id = $user AND task.team_id = $team AND task.id = $id AND task.status = 'open'
   RETURNING ${taskColumns}`,
);

/** Unassigns open tasks whose assignees a barrier around their documents excludes. `assigned_from`: the previous assignee. */
export const unassignOutsiders = sqlStatement<{ team: string; ids: readonly string[]; at: Date }, TaskRow & { assigned_from: string }>(
  `WITH locked AS (
     SELECT t.id, t.assigned_to FROM task t WHERE t.team_id = $team AND t.id = ANY ($ids) AND t.status = 'open' AND t.assigned_to IS NOT NULL
     ORDER BY t.id FOR NO KEY UPDATE
   )
   UPDATE task SET assigned_to = NULL, on_behalf_of = NULL, assigned_at = $at, version = task.version + 1, updated_at = $at FROM locked
   WHERE task.team_id = $team AND task.id = locked.id AND document_outsider($team, task.about_document_id, locked.assigned_to)
   RETURNING ${taskColumns}, locked.assigned_to AS assigned_from`,
);

/** Unassigns an open task. Returns no row if the task has another assignee now. */
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

/** Expression for a FROM clause: the votes of an approval round. */
export const votesSql = (team: string, round: string) =>
  `LATERAL (SELECT t.* FROM task t WHERE t.team_id = ${team} AND t.approval_round_id = ${round}) t`;

/** Cancels the open votes of an approval round, which the caller has locked. Deletes their text if they ask about a call. */
export const cancelVotes = sqlStatement<{ team: string; round: string; reason: string; at: Date }, { id: string }>(
  `UPDATE task SET status = 'cancelled', cancel_reason = $reason, description = CASE WHEN workflow_id IS NOT NULL THEN description END,
     participant_id = assigned_to, version = version + 1, updated_at = $at
   WHERE team_id = $team AND approval_round_id = $round AND status = 'open' RETURNING id`,
);

/** Cancels open tasks outside of workflows. Their text stays. */
export const cancelGivenTasks = sqlStatement<{ team: string; ids: readonly string[]; at: Date }, { id: string }>(
  `WITH held AS (SELECT id FROM task WHERE team_id = $team AND id = ANY ($ids) ORDER BY id FOR NO KEY UPDATE)
   UPDATE task SET status = 'cancelled', participant_id = assigned_to, version = version + 1, updated_at = $at FROM held
   WHERE task.team_id = $team AND task.id = held.id AND task.status = 'open' AND task.workflow_id IS NULL RETURNING task.id`,
);

/** Locks tasks outside of workflows, in the order of `withdrawTasks`. */
export const lockQuestions = sqlStatement<{ team: string; ids: readonly string[] }, never>(
  'SELECT FROM task WHERE team_id = $team AND id = ANY ($ids) ORDER BY id FOR NO KEY UPDATE',
);

/** Cancels questions about tool calls, which are tasks outside of workflows. Deletes their text, as `asksAboutCall` explains. */
export const withdrawTasks = sqlStatement<{ team: string; ids: readonly string[]; at: Date }, { id: string }>(
  `WITH locked AS (SELECT id FROM task WHERE team_id = $team AND id = ANY ($ids) ORDER BY id FOR NO KEY UPDATE)
   UPDATE task SET status = 'cancelled', description = NULL, participant_id = assigned_to, version = version + 1, updated_at = $at FROM locked
   WHERE task.team_id = $team AND task.id = locked.id AND task.status = 'open' RETURNING task.id`,
);

/** Cancels the questions of API clients to a member who leaves. No other member can decide these questions. */
export const withdrawOwnQuestions = sqlStatement<{ team: string; user: string; at: Date }, never>(
  `WITH locked AS (
     SELECT t.id FROM task t WHERE t.team_id = $team AND t.assigned_to = $user AND t.status = 'open' AND asks_own_person(t.type, t.created_by_type, t.workflow_id, t.created_by, t.assigned_to)
     ORDER BY t.id FOR NO KEY UPDATE
   )
   UPDATE task SET status = 'cancelled', description = NULL, version = version + 1, updated_at = $at FROM locked
   WHERE task.team_id = $team AND task.id = locked.id`,
);

export const openTasksOfStep = sqlStatement<{ team: string; workflow: string; step: string }, { open: number }>(
  "SELECT count(*)::int AS open FROM task WHERE team_id = $team AND workflow_id = $workflow AND step_id = $step AND status = 'open'",
);

/** Pauses the open tasks of a workflow. Their due dates are ignored until the workflow resumes. */
export const pauseTasks = sqlStatement<{ team: string; workflow: string }, never>(
  "UPDATE task SET paused = true WHERE team_id = $team AND workflow_id = $workflow AND status = 'open'",
);

/** A time after a pause, at the latest the end of the year 9999. `least` ignores NULL, so a time that is absent needs a case. */
const movedByPause = (column: string) =>
  `CASE WHEN ${column} IS NOT NULL THEN least(${column} + ($at::timestamptz - $pausedAt::timestamptz), '9999-12-31 23:59:59.999Z') END`;

/** Resumes the open tasks of a workflow. Moves due dates by the length of the pause. */
export const resumeTasks = sqlStatement<{ team: string; workflow: string; pausedAt: string; at: Date }, never>(
  `UPDATE task SET paused = false, escalate_at = ${movedByPause('escalate_at')}, due_at = ${movedByPause('due_at')}, updated_at = $at
   WHERE team_id = $team AND workflow_id = $workflow AND status = 'open'`,
);

export const insertComment = sqlStatement<CommentParams & { task: string }, never>(
  'INSERT INTO task_comment (team_id, id, task_id, user_id, created_by_type, text, created_at) VALUES ($team, $id, $task, $by, $byType, $text, $at)',
);

/** Returns whether a task is open, and its assignee, workflow and step. */
export const assigneeOfTask = sqlStatement<TeamScopedId, Row<'task', 'assigned_to' | 'workflow_id' | 'step_id'> & { open: boolean }>(
  "SELECT status = 'open' AS open, assigned_to, workflow_id, step_id FROM task WHERE team_id = $team AND id = $id",
);

/** The newest tasks of some workflows and about a document, at most `limit`. */
export const tasksAbout = sqlStatement<
  { team: string; workflows: readonly string[]; document: string | null; principalId: string | null; limit: number },
  { id: string }
>(
  `SELECT id FROM (
     SELECT t.id FROM task t WHERE t.team_id = $team AND t.workflow_id = ANY ($workflows::uuid[])
     UNION SELECT t.id FROM task t WHERE t.team_id = $team AND t.linked_document_id = $document::uuid
       AND ($principalId::uuid IS NULL OR ${isRelatedSql('t')})
   ) found ORDER BY id DESC LIMIT $limit`,
);

/** The persons that approved in a round. */
export const approversOfRound = sqlStatement<TeamScopedId, { id: string }>(
  `SELECT t.completed_by AS id FROM task t WHERE t.team_id = $team AND t.approval_round_id = $id AND t.outcome = 'approved' AND t.completed_by IS NOT NULL`,
);

/** The version of a document that a round is about; null if the round is not about it. */
export const versionInRound = sqlStatement<{ team: string; round: string; document: string }, { number: number | null }>(
  'SELECT version_in_round($team, $round, $document) AS number',
);

/** The documents of a round after the first, each with the user who linked it to the workflow. */
export const furtherDocumentsOfRound = sqlStatement<TeamScopedId, { id: string; linked_by: string }>(
  'SELECT d.id, d.linked_by FROM further_documents_of_round($team, $id) d',
  { id: 'the function returns no null', linked_by: 'as above' },
);
