import { sqlStatement } from '../../../platform/database/statement.ts';

/** Erases the records of submissions with their keys and history. */
export const eraseOfSubmissions = sqlStatement<{ team: string; submissions: readonly string[] }, { id: string; registry_id: string }>(
  `WITH made AS (
     SELECT registry_id, id FROM registry_record WHERE team_id = $team AND submission_id = ANY ($submissions::uuid[])
     ORDER BY registry_id, id FOR UPDATE
   )
   DELETE FROM registry_record r USING made WHERE r.team_id = $team AND r.registry_id = made.registry_id AND r.id = made.id
   RETURNING r.id, r.registry_id`,
);

export type BinderRow = { id: string; role: string | null; scopes: string[] | null };

/** An active member who joined the team before the given time, or an active API client. */
export const binderSince = sqlStatement<{ team: string; id: string; since: string }, BinderRow>(
  `SELECT id, role, NULL::text[] AS scopes FROM member WHERE team_id = $team AND id = $id AND created_at <= $since
   UNION ALL
   SELECT id, NULL, scopes FROM active_client WHERE team_id = $team AND id = $id AND folder_ids IS NULL AND 'registries:write' = ANY (scopes)`,
);

/**
 * Removes the link to the submission from the records that a member approved, so that these records outlive the
 * submission.
 */
export const unlinkApproved = sqlStatement<{ team: string; submission: string; ids: readonly string[] }, never>(
  `UPDATE registry_record r SET submission_id = NULL
   WHERE r.team_id = $team AND r.submission_id = $submission AND r.id = ANY ($ids::uuid[]) AND r.state = 'active' AND (r.act = 'approved' OR EXISTS (
     SELECT FROM registry_record_version v
     WHERE v.team_id = $team AND v.registry_id = r.registry_id AND v.record_id = r.id AND v.act = 'approved'))`,
);
