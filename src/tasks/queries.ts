import { sqlStatement } from '../platform/database/statement.ts';

export type TaskRow = {
  id: string;
  title: string;
  description: string | null;
  type: string;
  status: 'open' | 'completed' | 'rejected' | 'cancelled';
  assigned_to: string | null;
  created_by: string;
  workflow_id: string | null;
  step_id: string | null;
  document_id: string | null;
  due_at: string | null;
  outcome: string | null;
  comment: string | null;
  completed_by: string | null;
  completed_at: string | null;
  version: number;
  created_at: string;
  updated_at: string;
};

const columns = `id, title, description, type, status, assigned_to, created_by, workflow_id, step_id, document_id, due_at, outcome, comment,
  completed_by, completed_at, version, created_at, updated_at`;

type One = { team: string; id: string };

export const findTask = sqlStatement<One, TaskRow>(`SELECT ${columns} FROM task WHERE team_id = $team AND id = $id`);

type Filter = {
  team: string;
  status: string[] | null;
  assignee: string | null;
  workflow: string | null;
  overdue: boolean | null;
  now: Date;
  after: string;
  limit: number;
};

export const listTasks = sqlStatement<Filter, TaskRow>(
  `SELECT ${columns} FROM task
   WHERE team_id = $team AND id > $after
     AND ($status::text[] IS NULL OR status = ANY ($status))
     AND ($assignee::uuid IS NULL OR assigned_to = $assignee)
     AND ($workflow::uuid IS NULL OR workflow_id = $workflow)
     AND ($overdue::boolean IS NULL OR (status = 'open' AND coalesce(due_at < $now, false)) = $overdue)
   ORDER BY id LIMIT $limit`,
);

/** Several tasks in one statement; `tasks` is a JSON array of rows. */
export const insertTasks = sqlStatement<{ team: string; tasks: string; at: Date }, never>(
  `INSERT INTO task (team_id, id, title, description, type, assigned_to, created_by, workflow_id, step_id, document_id, due_at, created_at, updated_at)
   SELECT $team, t.id, t.title, t.description, t.type, t.assigned_to, t.created_by, t.workflow_id, t.step_id, t.document_id, t.due_at, $at, $at
   FROM jsonb_to_recordset($tasks) AS t(id uuid, title text, description text, type text, assigned_to uuid, created_by uuid,
     workflow_id uuid, step_id text, document_id text, due_at timestamptz)`,
);

/** Ends an open task; no row when it is open no more. */
export const endTask = sqlStatement<
  One & { status: string; outcome: string; comment: string | null; by: string | null; at: Date },
  TaskRow
>(
  `UPDATE task SET status = $status, outcome = $outcome, comment = $comment, completed_by = $by, completed_at = $at, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND status = 'open' RETURNING ${columns}`,
);

/** Gives an open task to an active member; no row when either is not so. */
export const reassignTask = sqlStatement<One & { user: string; at: Date }, TaskRow>(
  `UPDATE task SET assigned_to = a.id, version = task.version + 1, updated_at = $at FROM account a
   WHERE task.team_id = $team AND task.id = $id AND task.status = 'open' AND a.team_id = $team AND a.id = $user AND a.status = 'active'
   RETURNING ${columns
     .split(',')
     .map((column) => `task.${column.trim()}`)
     .join(', ')}`,
);

/** Which of these are active members. */
export const activeMembers = sqlStatement<{ team: string; ids: string[] }, { id: string }>(
  "SELECT id FROM account WHERE team_id = $team AND id = ANY ($ids) AND status = 'active'",
);

export const cancelTasks = sqlStatement<{ team: string; workflow: string; steps: string[] | null; at: Date }, { id: string }>(
  `UPDATE task SET status = 'cancelled', version = version + 1, updated_at = $at
   WHERE team_id = $team AND workflow_id = $workflow AND status = 'open' AND ($steps::text[] IS NULL OR step_id = ANY ($steps)) RETURNING id`,
);

export const openTasksOfStep = sqlStatement<{ team: string; workflow: string; step: string }, { open: number }>(
  "SELECT count(*)::int AS open FROM task WHERE team_id = $team AND workflow_id = $workflow AND step_id = $step AND status = 'open'",
);

/** Due dates stop while a workflow is paused: they move by as long as it was. */
export const shiftDueDates = sqlStatement<{ team: string; workflow: string; pausedAt: string; at: Date }, never>(
  `UPDATE task SET due_at = due_at + ($at::timestamptz - $pausedAt::timestamptz), updated_at = $at
   WHERE team_id = $team AND workflow_id = $workflow AND status = 'open' AND due_at IS NOT NULL`,
);

/** Puts the acts on one workflow and its tasks one after another, whichever of them comes first. */
export const lockWorkflow = sqlStatement<{ team: string; workflow: string }, { locked: null }>(
  "SELECT pg_advisory_xact_lock(hashtextextended('workflow ' || $team || $workflow, 0)) AS locked",
);

export const teamZone = sqlStatement<{ team: string }, { time_zone: string }>('SELECT time_zone FROM team WHERE team_id = $team');

export const insertComment = sqlStatement<One & { task: string; user: string; text: string; at: Date }, never>(
  'INSERT INTO task_comment (team_id, id, task_id, user_id, text, created_at) VALUES ($team, $id, $task, $user, $text, $at)',
);

export const listComments = sqlStatement<One, { id: string; task_id: string; user_id: string; text: string; created_at: string }>(
  'SELECT id, task_id, user_id, text, created_at FROM task_comment WHERE team_id = $team AND task_id = $id ORDER BY id',
);

/** Teams that have tasks whose due date has passed unannounced. */
export const teamsWithOverdue = sqlStatement<{ now: Date }, { team_id: string }>(
  "SELECT DISTINCT team_id FROM task WHERE status = 'open' AND NOT overdue_announced AND due_at < $now LIMIT 500",
);

export const announceOverdue = sqlStatement<{ team: string; now: Date }, TaskRow>(
  `UPDATE task SET overdue_announced = true WHERE team_id = $team AND status = 'open' AND NOT overdue_announced AND due_at < $now
     AND (workflow_id IS NULL OR EXISTS (SELECT FROM workflow w WHERE w.team_id = $team AND w.id = workflow_id AND w.status = 'active'))
   RETURNING ${columns}`,
);

/** Open tasks of somebody who leaves go to another member. */
export const handOverTasks = sqlStatement<{ team: string; from: string; to: string; at: Date }, TaskRow>(
  `UPDATE task SET assigned_to = $to, version = version + 1, updated_at = $at
   WHERE team_id = $team AND assigned_to = $from AND status = 'open' RETURNING ${columns}`,
);
