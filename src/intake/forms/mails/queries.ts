import type { Row, RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import type { Definition } from '../schemas.ts';

/** Locks the count of a form. Concurrent submissions wait, so the next count includes those of this transaction. */
export const lockTakenCount = sqlStatement<TeamScopedId, { taken: number }>(
  'SELECT taken::int AS taken FROM interface_count WHERE team_id = $team AND interface_id = $id FOR NO KEY UPDATE',
);

export type CountRow = RowWithout<'interface_count', 'interface_id' | 'team_id'>;

/**
 * Returns the number of submissions, the number that notifications already covered, and the time of the last
 * notification.
 */
export const lockCount = sqlStatement<TeamScopedId, CountRow>(
  `SELECT taken::int AS taken, notified::int AS notified, notified_at, failures_notified_at FROM interface_count
   WHERE team_id = $team AND interface_id = $id FOR NO KEY UPDATE`,
);

export const markNotified = sqlStatement<TeamScopedId & { at: Date }, never>(
  'UPDATE interface_count SET notified = taken, notified_at = $at WHERE team_id = $team AND interface_id = $id',
);

export const markFailuresNotified = sqlStatement<TeamScopedId & { at: Date }, never>(
  'UPDATE interface_count SET failures_notified_at = $at WHERE team_id = $team AND interface_id = $id',
);

/** Returns the members to notify of submissions, from the published version. */
export const notifiedBy = sqlStatement<TeamScopedId, { notify: string[] | null }>(
  `SELECT v.definition #> '{config,notify}' AS notify
   FROM interface i JOIN interface_version v ON v.team_id = $team AND v.interface_id = i.id AND v.number = i.published_version
   WHERE i.team_id = $team AND i.id = $id AND i.deleted_at IS NULL`,
);

export type FailureRow = { kind: string; code: string; submissions: number };

/** Counts the failed effects and outputs of a form by kind and code, from the newest 1,000 failed submissions. */
export const failures = sqlStatement<TeamScopedId, FailureRow>(
  `SELECT e.kind, coalesce(e.code, 'internal_error') AS code, count(*)::int AS submissions
   FROM (
     SELECT s.id FROM submission s WHERE s.team_id = $team AND s.interface_id = $id AND s.status = 'failed' ORDER BY s.id DESC LIMIT 1000
   ) failed
   CROSS JOIN LATERAL (
     SELECT kind, code FROM submission_effect WHERE team_id = $team AND submission_id = failed.id AND status = 'failed'
     UNION ALL
     SELECT make, code FROM submission_output WHERE team_id = $team AND submission_id = failed.id AND status = 'failed'
   ) e (kind, code)
   GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 20`,
);

export type ReceiptRow = Row<'submission', 'interface_id' | 'locale' | 'created_at'> & {
  data: Record<string, unknown> | null;
  definition: Definition;
};

/** Locks a submission that is not erased. An erasure waits for the end of the transaction. */
export const lockUnerasedSubmission = sqlStatement<TeamScopedId, { id: string }>(
  'SELECT id FROM submission WHERE team_id = $team AND id = $id AND erased_at IS NULL FOR SHARE',
);

/** Returns the data of a receipt. */
export const submissionToConfirm = sqlStatement<TeamScopedId, ReceiptRow>(
  `SELECT s.interface_id, s.data, s.locale, s.created_at, v.definition
   FROM submission s JOIN interface_version v ON v.team_id = $team AND v.interface_id = s.interface_id AND v.number = s.version
   WHERE s.team_id = $team AND s.id = $id`,
);
