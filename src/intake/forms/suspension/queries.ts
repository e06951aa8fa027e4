import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';

export type Suspendable = { id: string; suspended: boolean };
/** Locks a form and returns whether it is suspended. */
export const lockSuspendable = sqlStatement<TeamScopedId, Suspendable>(
  `SELECT id, suspended_at IS NOT NULL AS suspended FROM interface
   WHERE team_id = $team AND id = $id AND deleted_at IS NULL FOR NO KEY UPDATE`,
);

/** Suspends a form with a reason; resumes it without one. */
export const setSuspended = sqlStatement<TeamScopedId & { reason: string | null; at: Date }, never>(
  `UPDATE interface SET suspended_at = CASE WHEN $reason::text IS NULL THEN NULL ELSE $at::timestamptz END, suspended_reason = $reason,
     version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);
