import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import { claimableSql } from './eligible-queries.ts';
import { taskColumns, type TaskRow } from './queries.ts';

/** Schedules the daily mail of a person. If the mail is already scheduled, the time stays the same. */
export const rememberDigest = sqlStatement<TeamScopedId & { since: Date; due: Date }, never>(
  'INSERT INTO task_digest (team_id, account_id, since, due_at) VALUES ($team, $id, $since, $due) ON CONFLICT DO NOTHING',
);

export const dueDigests = sqlStatement<{ now: Date; limit: number; ofEachTeam: number }, { team: string; id: string }>(
  `SELECT team, id FROM (
     SELECT team_id AS team, account_id AS id, due_at, row_number() OVER (PARTITION BY team_id ORDER BY due_at) AS place
     FROM task_digest WHERE due_at < $now AND NOT job_waits('task-digest', task_digest.team_id, account_id::text) AND team_active(task_digest.team_id)
   ) due WHERE place <= $ofEachTeam ORDER BY due_at LIMIT $limit`,
);

export const takeDigest = sqlStatement<TeamScopedId & { now: Date }, { since: string }>(
  'DELETE FROM task_digest WHERE team_id = $team AND account_id = $id AND due_at < $now RETURNING since',
);

/**
 * The open tasks that others assigned to a person or to one of their groups since a time: the newest, and the total
 * number. Leaves out tasks hidden by a barrier, and group tasks that a member has claimed.
 */
export const givenSince = sqlStatement<TeamScopedId & { since: string; limit: number }, Pick<TaskRow, 'id' | 'title'> & { total: number }>(
  `SELECT task.id, task.title, count(*) OVER ()::int AS total FROM (
     SELECT o.* FROM task o WHERE o.team_id = $team AND o.assigned_to = $id AND o.status = 'open'
     UNION ALL ${claimableSql({ person: '$id' })}
   ) task
   WHERE task.assigned_at >= $since
     AND NOT (task.created_by = $id AND task.workflow_id IS NULL AND task.delegated_from IS NULL AND NOT asks_own_person(task.type, task.created_by_type, task.workflow_id, task.created_by, task.assigned_to))
     AND NOT document_excludes($team, task.about_document_id, $id::uuid)
   ORDER BY task.assigned_at DESC, task.id LIMIT $limit`,
);

/** Overdue tasks without an emitted event, oldest first, with a limit for each team. */
export const dueTasks = sqlStatement<{ now: Date; limit: number; ofEachTeam: number }, { team: string; id: string }>(
  `SELECT team_id AS team, id FROM (
     SELECT team_id, id, due_at, row_number() OVER (PARTITION BY team_id ORDER BY due_at) AS place
     FROM task WHERE status = 'open' AND NOT paused AND NOT overdue_emitted AND due_at < $now
       AND NOT job_waits('task-overdue', task.team_id, id::text) AND team_active(task.team_id)
   ) due WHERE place <= $ofEachTeam ORDER BY due_at LIMIT $limit`,
);

export const markOverdueEmitted = sqlStatement<TeamScopedId & { now: Date }, TaskRow>(
  `UPDATE task SET overdue_emitted = true, remind_at = CASE WHEN reminders = 0 THEN $now END
   WHERE team_id = $team AND id = $id AND status = 'open' AND NOT paused AND NOT overdue_emitted AND due_at < $now RETURNING ${taskColumns}`,
);

/** People with due reminders of overdue tasks, oldest first, with a limit for each team. */
export const dueReminders = sqlStatement<{ now: Date; limit: number; ofEachTeam: number }, { team: string; id: string }>(
  `SELECT team_id AS team, id FROM (
     SELECT team_id, assigned_to AS id, min(remind_at) AS due_at, row_number() OVER (PARTITION BY team_id ORDER BY min(remind_at)) AS place
     FROM task WHERE status = 'open' AND NOT paused AND remind_at <= $now AND due_at < $now AND assigned_to IS NOT NULL
       AND NOT job_waits('task-reminder', task.team_id, assigned_to::text) AND team_active(task.team_id)
     GROUP BY team_id, assigned_to
   ) due WHERE place <= $ofEachTeam ORDER BY due_at LIMIT $limit`,
);

export type Reminded = Pick<TaskRow, 'id' | 'title' | 'owner_id' | 'created_by_type' | 'barred'> & { reminders: number };

/**
 * Counts one reminder for the overdue tasks of a person. Skips tasks that another transaction has locked. The second reminder is due at `$second` and
 * the third, which is the last, at `$third`.
 */
export const remind = sqlStatement<TeamScopedId & { now: Date; second: Date; third: Date; limit: number }, Reminded>(
  `WITH due AS (
     SELECT id FROM task WHERE team_id = $team AND assigned_to = $id AND status = 'open' AND NOT paused AND remind_at <= $now AND due_at < $now
     ORDER BY id LIMIT $limit FOR NO KEY UPDATE SKIP LOCKED
   )
   UPDATE task SET reminders = reminders + 1, remind_at = CASE reminders WHEN 0 THEN $second::timestamptz WHEN 1 THEN $third::timestamptz END
   FROM due WHERE task.team_id = $team AND task.id = due.id
   RETURNING task.id, task.title, task.owner_id, task.created_by_type, task.reminders, document_is_barred(task.team_id, task.about_document_id) AS barred`,
);
