import type { SessionFacts, SessionStatements } from '#credentials';
import type { RefreshClaim } from '../../../platform/crypto/refresh-tokens.ts';
import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';
import { closedBecauseSql, isMember, memberWithTeam } from './credential-queries.ts';

/** The user who decides about a connected app, with the current state and sign-in method of the user. */
export type ConsentingAccount = Row<'account', 'email' | 'first_name' | 'locale' | 'role'> & {
  credential_epoch: number;
  account_id: string;
  team_name: string;
  by_provider: boolean;
};
export const findConsentingAccount = sqlStatement<{ team: string; session: string }, ConsentingAccount>(
  `SELECT s.account_id, a.email, a.first_name, a.locale, a.role, t.name AS team_name, p.credential_epoch, s.connection_id IS NOT NULL AS by_provider
   FROM session s JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id JOIN team t ON t.team_id = s.team_id
   JOIN person p ON p.id = s.account_id WHERE s.team_id = $team AND s.id = $session`,
);

type AppSession = {
  team: string;
  account: string;
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

const closedToApp = closedBecauseSql({
  unchanged: 'p.credential_epoch = $epoch',
  signedInAt: 'i.created_at',
  authTime: 'i.auth_time',
  throughProvider: '$byProvider',
  ownProofAt: 'i.own_proof_at',
});

/**
 * Opens a sign-in for a connected app from the sign-in of the person. It has the same authentication methods and does not end later. It expires soon
 * unless the app redeems its code. Returns no row if the person may no longer sign in by this method.
 */
export const openAppSession = sqlStatement<AppSession, { lives_until: string }>(
  `WITH member AS (
     SELECT a.id, a.credential_epoch, p.credential_epoch AS person_epoch, s.connection_id, i.auth_time, i.own_proof_at, i.second_factor_at, i.amr, i.acr,
       i.expires_at AS lives_until
     FROM ${memberWithTeam} JOIN session s ON s.team_id = a.team_id AND s.account_id = a.id JOIN sign_in i ON i.id = s.id
     WHERE ${isMember} AND s.id = $by AND i.app_id IS NULL AND s.revoked_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()
       AND s.epoch = a.credential_epoch AND i.epoch = p.credential_epoch AND ${closedToApp} IS NULL
     FOR SHARE OF p, a
   ), signed AS (
     INSERT INTO sign_in (id, person_id, epoch, auth_time, own_proof_at, second_factor_at, amr, acr, ip, app_id, app_scopes, created_at, last_used_at,
       expires_at)
     SELECT $session, member.id, member.person_epoch, member.auth_time, member.own_proof_at, member.second_factor_at, member.amr, member.acr,
       $ip, $connectedApp, $scopes, $at, $at, least(member.lives_until, $at::timestamptz + make_interval(secs => $lasts)) FROM member
   ), opened AS (
     INSERT INTO session (team_id, id, account_id, connection_id, epoch, created_at)
     SELECT $team, $session, member.id, member.connection_id, member.credential_epoch, $at FROM member
   ) SELECT lives_until FROM member`,
);

export type AppSessionFacts = Row<'account', 'role'> & Row<'session', 'account_id'> & { app_id: string; app_scopes: string[] };
type AppSessionRow = AppSessionFacts & SessionFacts;
const claimColumns = 'account_id, role, app_id, app_scopes, auth_time, amr, acr, counter';
const found = 'a row is one of a valid session of an app';
const ofApp = { app_id: found, app_scopes: found };
const foundRow = { ...ofApp, account_id: found, role: found, auth_time: found, amr: found, acr: found, counter: found };

/** The refresh tokens of connected apps, separate from those of users. */
export const appSessions: SessionStatements<AppSessionFacts> = {
  rotate: sqlStatement<RefreshClaim & { keep: number; idle: number }, AppSessionRow>(
    `SELECT ${claimColumns} FROM rotate_session($session, $owner, true, $idle, $counter, $keep)`,
    foundRow,
  ),
  state: sqlStatement<Pick<RefreshClaim, 'owner' | 'session'> & { idle: number }, AppSessionRow & { ages: number[] }>(
    `SELECT ${claimColumns}, ages FROM session_state($session, $owner, true, $idle)`,
    ofApp,
  ),
};

/** Extends a sign-in that was opened for a connected app to its full lifetime. Returns no row if it has ended. */
export const takeUpSession = sqlStatement<
  { team: string; session: string; connectedApp: string; until: string; idle: number; at: Date },
  AppSessionFacts & Row<'sign_in', 'auth_time' | 'amr' | 'acr'> & { counter: number }
>(
  `UPDATE sign_in i SET expires_at = $until, last_used_at = $at FROM session s, account a, team t, person p
   WHERE i.id = $session AND i.app_id = $connectedApp AND s.team_id = $team AND s.id = i.id AND p.id = i.person_id
     AND a.team_id = s.team_id AND a.id = s.account_id AND t.team_id = s.team_id AND s.revoked_at IS NULL
     AND session_in_use(i.revoked_at, i.expires_at, i.last_used_at, $idle) AND s.epoch = a.credential_epoch AND i.epoch = p.credential_epoch
     AND a.status = 'active' AND a.ends_at IS NULL AND t.status = 'active'
   RETURNING s.account_id, a.role, i.app_id, coalesce(i.app_scopes, '{}') AS app_scopes, i.auth_time, i.amr, i.acr, i.refresh_counter AS counter`,
);

/** The valid sessions of connected apps that act for a person in a team. */
export const activeAppSessions = sqlStatement<{ team: string; account: string }, Row<'sign_in', 'id' | 'last_used_at' | 'expires_at'>>(
  `SELECT i.id, i.last_used_at, i.expires_at FROM session s JOIN sign_in i ON i.id = s.id
   JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id JOIN person p ON p.id = s.account_id
   WHERE s.team_id = $team AND s.account_id = $account AND i.app_id IS NOT NULL AND s.revoked_at IS NULL AND i.revoked_at IS NULL
     AND i.expires_at > now() AND s.epoch = a.credential_epoch AND i.epoch = p.credential_epoch ORDER BY i.id DESC LIMIT 100`,
);
