import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import type { WorkflowRow } from './queries.ts';

/** Stops the waits of a paused workflow and stores their remaining time. */
export const pauseTimers = sqlStatement<TeamScopedId & { at: Date }, never>(
  `UPDATE workflow_step SET wait_left = greatest(extract(epoch FROM wake_at - $at::timestamptz) * 1000, 0), wake_at = NULL
   WHERE team_id = $team AND workflow_id = $id AND status = 'active' AND wake_at IS NOT NULL`,
);

export const releaseWaits = sqlStatement<TeamScopedId & { at: Date }, never>(
  `UPDATE workflow_step SET wake_at = least($at::timestamptz + wait_left * interval '1 millisecond', '9999-12-31 23:59:59.999Z'), wait_left = NULL
   WHERE team_id = $team AND workflow_id = $id AND status = 'active' AND wait_left IS NOT NULL`,
);

type DuePage = { now: Date; limit: number; ofEachTeam: number };

export type DueWait = { team: string; id: string; workflow_id: string; step_id: string };

/** Waits that have ended, oldest first, with a limit for each team. Waits of a paused workflow have no end. */
export const dueWaits = sqlStatement<DuePage, DueWait>(
  `SELECT team_id AS team, workflow_id || ' ' || id AS id, workflow_id, id AS step_id FROM (
     SELECT team_id, workflow_id, id, wake_at, row_number() OVER (PARTITION BY team_id ORDER BY wake_at) AS place
     FROM workflow_step WHERE status = 'active' AND wake_at <= $now
       AND NOT job_waits('workflow-wait', workflow_step.team_id, workflow_id || ' ' || id) AND team_active(workflow_step.team_id)
   ) due WHERE place <= $ofEachTeam ORDER BY wake_at LIMIT $limit`,
);

/** Overdue workflows without an emitted event, oldest first, with a limit for each team. */
export const dueWorkflows = sqlStatement<DuePage, { team: string; id: string }>(
  `SELECT team_id AS team, id FROM (
     SELECT team_id, id, due_at, row_number() OVER (PARTITION BY team_id ORDER BY due_at) AS place
     FROM workflow WHERE status IN ('draft', 'active') AND NOT overdue_emitted AND due_at < $now
       AND NOT job_waits('workflow-overdue', workflow.team_id, id::text) AND team_active(workflow.team_id)
   ) due WHERE place <= $ofEachTeam ORDER BY due_at LIMIT $limit`,
);

export const markOverdueEmitted = sqlStatement<
  TeamScopedId & { now: Date },
  Pick<WorkflowRow, 'id' | 'name' | 'type' | 'document_id' | 'barred'>
>(
  `UPDATE workflow SET overdue_emitted = true
   WHERE team_id = $team AND id = $id AND status IN ('draft', 'active') AND NOT overdue_emitted AND due_at < $now
   RETURNING id, name, type, document_id, document_is_barred(workflow.team_id, workflow.about_document_id) AS barred`,
);
