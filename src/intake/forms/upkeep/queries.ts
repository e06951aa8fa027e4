import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';
import { deleteResponsesOfSql } from '../../../platform/http/idempotency.ts';

/** The name of the job that erases expired answers. */
export const retentionJob = 'submission-retention';

/** Days for which the answers of a deleted interface stay, as long as items stay in the bin. */
const deletedDays = 30;

/**
 * Returns submissions to erase: after the retention period of their form, or a month after its deletion. Reads the oldest of each team along the
 * index of each form. The retention period of a matter keeps the answers of its forms. A submission with a workflow in progress is due again a day later.
 */
export const dueErasures = sqlStatement<
  { now: Date; limit: number; ofEachTeam: number },
  { team: string; id: string; interface: string; reason: 'retention' | 'deletion' }
>(
  `WITH ending AS (
     SELECT i.team_id, i.id, 'retention' AS reason, $now::timestamptz - make_interval(days => i.retain_days) AS before
     FROM interface i WHERE i.retain_days IS NOT NULL AND i.deleted_at IS NULL AND team_active(i.team_id)
       AND NOT matter_retains(i.team_id, i.folder_id)
     UNION ALL
     SELECT i.team_id, i.id, 'deletion', 'infinity' FROM interface i
     WHERE i.deleted_at < $now::timestamptz - interval '${deletedDays} days' AND team_active(i.team_id)
   ), due AS (
     SELECT ending.team_id, one.id, ending.id AS interface, ending.reason, one.created_at,
       row_number() OVER (PARTITION BY ending.team_id ORDER BY one.created_at, one.id) AS n
     FROM ending CROSS JOIN unnest('{received,failed,held,spam}'::text[]) AS shelf(name) CROSS JOIN LATERAL (
       SELECT s.id, s.created_at FROM submission s
       WHERE s.team_id = ending.team_id AND s.interface_id = ending.id AND s.shelf = shelf.name AND s.created_at < ending.before
         AND (s.erase_after IS NULL OR s.erase_after <= $now)
         AND NOT job_waits('${retentionJob}', s.team_id, s.id::text)
       ORDER BY s.created_at, s.id LIMIT $ofEachTeam
     ) one
   ) SELECT team_id AS team, id, interface, reason FROM due WHERE n <= $ofEachTeam ORDER BY created_at, id LIMIT $limit`,
);

/** Returns a submission if it is still due, because the retention period of its form may have been extended. */
export const stillDue = sqlStatement<TeamScopedId & { now: Date }, { id: string }>(
  `SELECT s.id FROM submission s JOIN interface i ON i.team_id = $team AND i.id = s.interface_id
   WHERE s.team_id = $team AND s.id = $id AND s.erased_at IS NULL
     AND (i.deleted_at < $now::timestamptz - interval '${deletedDays} days'
       OR i.deleted_at IS NULL AND NOT matter_retains($team, i.folder_id) AND s.created_at < $now::timestamptz - make_interval(days => i.retain_days))`,
);

/** Postpones the erasure of a submission with a running workflow. */
export const postponeErasure = sqlStatement<TeamScopedId & { until: Date }, never>(
  'UPDATE submission SET erase_after = $until WHERE team_id = $team AND id = $id AND erased_at IS NULL',
);

/** Deletes sessions, and the responses that are stored for repeated requests in them. */
const dropSessions = sqlStatement<{ before: Date; limit: number }, { gone: number }>(
  `WITH dropped AS (
     DELETE FROM submission_session WHERE (team_id, id) IN (
       SELECT team_id, id FROM submission_session WHERE expires_at < $before ORDER BY expires_at LIMIT $limit
     ) RETURNING team_id, id
   ), answers AS (${deleteResponsesOfSql('dropped')})
   SELECT count(*)::int AS gone FROM dropped`,
);

const dropOver = (table: string, over: string, key: string) =>
  sqlStatement<{ before: Date; limit: number }, { gone: number }>(
    `WITH dropped AS (
       DELETE FROM ${table} WHERE (team_id, ${key}) IN (
         SELECT team_id, ${key} FROM ${table} WHERE ${over} < $before ORDER BY ${over} LIMIT $limit
       ) RETURNING 1
     ) SELECT count(*)::int AS gone FROM dropped`,
  );

/** The name of the job that deletes unconfirmed submissions, and the teams that have some, longest due first. */
export const unconfirmedJob = 'submission-unconfirmed';
export const teamsWithUnconfirmed = sqlStatement<{ before: Date }, { team_id: string }>(
  `WITH over AS (
     SELECT team_id, interface_id, min(confirm_until) AS since FROM submission WHERE status = 'held' AND confirm_until < $before
     GROUP BY team_id, interface_id
   )
   SELECT o.team_id FROM over o JOIN interface i ON i.team_id = o.team_id AND i.id = o.interface_id
   WHERE NOT on_legal_hold(o.team_id, NULL, i.folder_id) AND NOT job_waits('${unconfirmedJob}', o.team_id, '')
   GROUP BY o.team_id ORDER BY min(o.since) LIMIT 1000`,
);

/** Deletes unconfirmed submissions, oldest first, up to the limit. Skips folders under a legal hold. */
export const dropUnconfirmed = sqlStatement<{ team: string; before: Date; limit: number }, { gone: number }>(
  `WITH free AS MATERIALIZED (
     SELECT i.id FROM interface i WHERE i.team_id = $team AND NOT on_legal_hold($team, NULL, i.folder_id)
       AND i.id = ANY (ARRAY(SELECT DISTINCT interface_id FROM submission WHERE team_id = $team AND status = 'held' AND confirm_until < $before))
   ), over AS (
     SELECT s.id FROM submission s JOIN free ON free.id = s.interface_id
     WHERE s.team_id = $team AND s.status = 'held' AND s.confirm_until < $before ORDER BY s.confirm_until LIMIT $limit FOR UPDATE OF s SKIP LOCKED
   ), dropped AS (
     DELETE FROM submission s USING over WHERE s.team_id = $team AND s.id = over.id RETURNING 1
   ) SELECT count(*)::int AS gone FROM dropped`,
);

/** Data that is useless after its expiry. Each statement deletes the oldest rows up to a limit. */
export const leftovers = {
  sessions: dropSessions,
  proofs: dropOver('submission_proof', 'expires_at', 'id'),
  drafts: dropOver('submission_draft', 'expires_at', 'id'),
  links: dropOver('interface_link', 'coalesce(retired_at, expires_at)', 'id'),
};
