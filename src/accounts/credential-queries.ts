import { sqlStatement } from '../platform/database/statement.ts';

type LiveSession = { team_id: string; account_id: string; role: string; auth_time: string; acr: string; two_factor_enabled: boolean };

/** Who a living session belongs to, and as what; nothing once it, its account or its team has ended. */
export const liveSession = sqlStatement<{ session: string }, LiveSession>(
  'SELECT team_id, account_id, role, auth_time, acr, two_factor_enabled FROM live_session($session)',
);

/** Proves a person's session inside the transaction of an act: fails where it has ended, or the role is another by now. */
export const proveSession = sqlStatement<{ team: string; account: string; session: string; role: string }, never>(
  'SELECT hold_person($team, $account, $session, $role)',
);

/** Has changes of one person's credentials come one after another; what follows sees what was done before. */
export const lockAccount = sqlStatement<{ team: string; account: string }, never>(
  'SELECT id FROM account WHERE team_id = $team AND id = $account AND deleted_at IS NULL FOR NO KEY UPDATE',
);

/** Ends one session and tells every node. */
export const revokeSession = sqlStatement<{ team: string; session: string; account: string; at: Date }, { id: string }>(
  `WITH ended AS (
     UPDATE session SET revoked_at = $at WHERE team_id = $team AND id = $session AND account_id = $account AND revoked_at IS NULL RETURNING id
   ) SELECT id, pg_notify('revoked', id::text)::text AS told FROM ended`,
);

/** Ends all sessions of a person but one, and tells every node. */
export const revokeOtherSessions = sqlStatement<{ team: string; account: string; except: string | null; at: Date }, { id: string }>(
  `WITH ended AS (
     UPDATE session SET revoked_at = $at
     WHERE team_id = $team AND account_id = $account AND revoked_at IS NULL AND ($except::uuid IS NULL OR id <> $except) RETURNING id
   ) SELECT id, pg_notify('revoked', id::text)::text AS told FROM ended`,
);

type Through = { team: string; connection: string };

/** Those whose sessions were begun through a connection to a provider, locked in order. */
export const lockAccountsThrough = sqlStatement<Through, { id: string }>(
  `SELECT id FROM account WHERE team_id = $team AND id IN (
     SELECT account_id FROM session WHERE team_id = $team AND connection_id = $connection AND revoked_at IS NULL
   ) ORDER BY id FOR NO KEY UPDATE`,
);

/** Sign-ins through a connection that wait for a second factor. */
export const dropChallengesThrough = sqlStatement<Through, never>(
  `DELETE FROM sign_in_challenge WHERE (team_id, account_id) IN (
     SELECT team_id, account_id FROM sign_in_challenge WHERE team_id = $team AND connection_id = $connection ORDER BY account_id FOR UPDATE)`,
);

/** Ends all sessions that were begun through a connection, and tells every node. */
export const revokeSessionsThrough = sqlStatement<Through & { at: Date }, { id: string }>(
  `WITH held AS MATERIALIZED (
     SELECT id FROM session WHERE team_id = $team AND connection_id = $connection AND revoked_at IS NULL ORDER BY account_id, id FOR NO KEY UPDATE
   ), ended AS (
     UPDATE session SET revoked_at = $at WHERE team_id = $team AND id IN (SELECT id FROM held) RETURNING id
   ) SELECT id, pg_notify('revoked', id::text)::text AS told FROM ended`,
);
