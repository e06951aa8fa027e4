import { sqlStatement } from '../../../platform/database/statement.ts';

type DueQuery = { now: Date; limit: number; ofEachTeam: number };

/** Expired requests, the oldest expiry first, with at most `ofEachTeam` of each team. */
export const dueExpiries = sqlStatement<DueQuery, { team: string; id: string }>(
  `SELECT team_id AS team, id FROM (
     SELECT team_id, id, expires_at, row_number() OVER (PARTITION BY team_id ORDER BY expires_at) AS place
     FROM signature_request r WHERE status = 'pending' AND expires_at < $now
       AND NOT job_waits('signature-expiry', r.team_id, id::text) AND team_active(r.team_id)
   ) due WHERE place <= $ofEachTeam ORDER BY expires_at LIMIT $limit`,
);

/** Signers with a due reminder, the oldest first, with at most `ofEachTeam` of each team. */
export const dueReminders = sqlStatement<DueQuery, { team: string; id: string }>(
  `SELECT team_id AS team, id FROM (
     SELECT team_id, id, remind_at, row_number() OVER (PARTITION BY team_id ORDER BY remind_at) AS place
     FROM signature_signer s WHERE remind_at < $now
       AND NOT job_waits('signature-reminder', s.team_id, id::text) AND team_active(s.team_id)
   ) due WHERE place <= $ofEachTeam ORDER BY remind_at LIMIT $limit`,
);

export const requestOfSigner = sqlStatement<{ team: string; id: string }, { request_id: string }>(
  'SELECT request_id FROM signature_signer WHERE team_id = $team AND id = $id',
);

/** Deletes expired sessions. */
export const dropOldSessions = sqlStatement<{ now: Date }, never>('DELETE FROM signature_session WHERE expires_at < $now');

/** Postpones a reminder, for example while the request is suspended. */
export const postponeReminder = sqlStatement<{ team: string; id: string; at: Date }, never>(
  'UPDATE signature_signer SET remind_at = $at WHERE team_id = $team AND id = $id AND remind_at IS NOT NULL',
);
