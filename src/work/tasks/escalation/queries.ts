import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import { eligibleSql } from '../eligible-queries.ts';
import type { EscalationLevel } from '../insert-queries.ts';
import { taskColumns, type TaskRow } from '../queries.ts';

/** Tasks that reached their next level, oldest first, with a limit for each team. */
export const dueEscalations = sqlStatement<{ now: Date; limit: number; ofEachTeam: number }, { team: string; id: string }>(
  `SELECT team_id AS team, id FROM (
     SELECT team_id, id, escalate_at, row_number() OVER (PARTITION BY team_id ORDER BY escalate_at) AS place
     FROM task WHERE status = 'open' AND NOT paused AND escalate_at <= $now
       AND NOT job_waits('task-escalation', task.team_id, id::text) AND team_active(task.team_id)
   ) due WHERE place <= $ofEachTeam ORDER BY escalate_at LIMIT $limit`,
);

type Escalating = { escalation: EscalationLevel[]; escalated: number; due_at: string };
/** The escalation levels of a task that has reached one of them. The caller must have locked the task. */
export const reachedLevels = sqlStatement<TeamScopedId & { now: Date }, Escalating>(
  `SELECT escalation, escalated, due_at FROM task
   WHERE team_id = $team AND id = $id AND status = 'open' AND NOT paused AND escalate_at <= $now AND escalation IS NOT NULL AND due_at IS NOT NULL`,
);

export const storeLevel = sqlStatement<TeamScopedId & { escalated: number; next: string | null }, never>(
  'UPDATE task SET escalated = $escalated, escalate_at = $next::timestamptz WHERE team_id = $team AND id = $id',
);

/** The targets of an escalation: one person, or the members with a role. */
const isTargetSql = '(a.id = $user OR a.role = $role)';
type EscalationTarget = { team: string; user: string | null; role: string | null };

/** Maximum number of people with a role who get a mail. */
const maxRecipients = 20;
export const escalationTargets = sqlStatement<EscalationTarget, { id: string }>(
  `SELECT a.id FROM member a WHERE a.team_id = $team AND ${isTargetSql} ORDER BY a.id LIMIT ${maxRecipients}`,
);

/**
 * Assigns an open task to the first target who may do it. As for a step, a decision never goes to a person with a conflict of interest. The caller
 * must have locked the task. SKIP LOCKED skips a member who is leaving, instead of waiting.
 */
export const assignToEscalationTarget = sqlStatement<EscalationTarget & { id: string; now: Date }, TaskRow>(
  `UPDATE task SET assigned_to = given.id, assigned_group_id = NULL, assigned_at = $now, on_behalf_of = NULL, version = task.version + 1, updated_at = $now,
     delegated_from = CASE WHEN coalesce(task.delegated_from, task.assigned_to) <> given.id THEN coalesce(task.delegated_from, task.assigned_to) END
   FROM (
     SELECT m.id FROM task t CROSS JOIN LATERAL (
       SELECT a.id FROM member a WHERE a.team_id = $team AND ${isTargetSql} AND a.id IS DISTINCT FROM t.assigned_to
         AND ${eligibleSql({ type: 't.type', about: 't.about_document_id', conflicted: 'SELECT c.person FROM conflicted_persons($team, t.id) c' })}
       ORDER BY a.id LIMIT 1 FOR SHARE OF a SKIP LOCKED
     ) m
     WHERE t.team_id = $team AND t.id = $id
   ) given
   WHERE task.team_id = $team AND task.id = $id AND task.status = 'open' RETURNING ${taskColumns}`,
);
