import { sessionStatements } from '#credentials';
import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';
import { allOf, letsIn } from './credential-queries.ts';

/** Who is asked whether a program may act for them, as they are now, and what they sign in by. */
export type ConsentingAccount = Row<'account', 'email' | 'first_name' | 'locale' | 'role' | 'credential_epoch'> & {
  account_id: string;
  team_name: string;
  by_provider: boolean;
};
export const findConsentingAccount = sqlStatement<{ team: string; session: string }, ConsentingAccount>(
  `SELECT s.account_id, a.email, a.first_name, a.locale, a.role, t.name AS team_name, a.credential_epoch, s.connection_id IS NOT NULL AS by_provider
   FROM session s JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id JOIN team t ON t.team_id = s.team_id
   WHERE s.team_id = $team AND s.id = $session`,
);

type AppSession = {
  team: string;
  session: string;
  by: string;
  epoch: number;
  byProvider: boolean;
  connectedApp: string;
  scopes: string[];
  at: Date;
  lasts: number;
  ip: string | null;
};

/**
 * Opens a session that a program is to hold, out of the person's own: what that one has shown of them, and no longer than that one would last.
 * It is over in a moment unless the program takes it up. No row where the person may not sign in so by now.
 */
export const openAppSession = sqlStatement<AppSession, { lives_until: string }>(
  `WITH person AS (
     SELECT a.id, a.credential_epoch, s.connection_id, s.auth_time, s.second_factor_at, s.amr, s.acr, s.expires_at AS lives_until
     FROM session s JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id JOIN team t ON t.team_id = s.team_id
     WHERE s.team_id = $team AND s.id = $by AND s.program_id IS NULL AND s.revoked_at IS NULL AND s.expires_at > now()
       AND s.epoch = a.credential_epoch AND a.deleted_at IS NULL AND ${allOf(letsIn)}
     FOR SHARE OF a
   ), opened AS (
     INSERT INTO session (team_id, id, account_id, connection_id, epoch, auth_time, second_factor_at, amr, acr, ip, program_id, program_scopes, created_at, last_used_at, expires_at)
     SELECT $team, $session, person.id, person.connection_id, person.credential_epoch, person.auth_time, person.second_factor_at, person.amr, person.acr,
       $ip, $connectedApp, $scopes, $at, $at, least(person.lives_until, $at::timestamptz + make_interval(secs => $lasts)) FROM person
   ) SELECT lives_until FROM person`,
);

/** The sessions that programs hold, for their refresh tokens: apart from those of people. */
export const appSessions = sessionStatements<AppSessionFacts>({
  table: 'session',
  holder: 'team_id',
  of: 'account a, team t',
  joined: 'a.team_id = s.team_id AND a.id = s.account_id AND t.team_id = s.team_id',
  alive: "s.program_id IS NOT NULL AND s.epoch = a.credential_epoch AND a.status = 'active' AND t.status = 'active'",
  facts: "s.account_id, a.role, s.program_id, coalesce(s.program_scopes, '{}') AS program_scopes",
});
export type AppSessionFacts = Row<'account', 'role'> & Row<'session', 'account_id'> & { program_id: string; program_scopes: string[] };

/** Has a session that was opened for a program last as long as it may; no row where it is over. */
export const takeUpSession = sqlStatement<
  { team: string; session: string; connectedApp: string; until: string; idle: number; at: Date },
  AppSessionFacts & Row<'session', 'auth_time' | 'amr' | 'acr'> & { counter: number }
>(
  `UPDATE session s SET expires_at = $until, last_used_at = $at FROM account a, team t
   WHERE s.team_id = $team AND s.id = $session AND s.program_id = $connectedApp AND a.team_id = s.team_id AND a.id = s.account_id AND t.team_id = s.team_id
     AND session_in_use(s.revoked_at, s.expires_at, s.last_used_at, $idle) AND s.epoch = a.credential_epoch AND a.status = 'active' AND t.status = 'active'
   RETURNING s.account_id, a.role, s.program_id, coalesce(s.program_scopes, '{}') AS program_scopes, s.auth_time, s.amr, s.acr, s.refresh_counter AS counter`,
);

/** Which of these sessions of a person a program holds and may use now. */
export const activeAppSessions = sqlStatement<{ team: string; account: string }, Row<'session', 'id' | 'last_used_at' | 'expires_at'>>(
  `SELECT s.id, s.last_used_at, s.expires_at FROM session s JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id
   WHERE s.team_id = $team AND s.account_id = $account AND s.program_id IS NOT NULL AND s.revoked_at IS NULL AND s.expires_at > now()
     AND s.epoch = a.credential_epoch ORDER BY s.id DESC LIMIT 100`,
);
