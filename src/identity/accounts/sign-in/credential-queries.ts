import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

type LiveSession = Row<'session', 'team_id' | 'account_id' | 'auth_time' | 'acr' | 'program_id' | 'program_scopes'> & {
  role: string;
  two_factor_enabled: boolean;
};

/** Who a living session belongs to, and as what; nothing once it, its account or its team has ended. */
export const liveSession = sqlStatement<{ session: string }, LiveSession>(
  'SELECT team_id, account_id, role, auth_time, acr, two_factor_enabled, program_id, program_scopes FROM live_session($session)',
);

/** Proves a person's session inside the transaction of an act: fails where it has ended, or the role is another by now. */
export const proveSession = sqlStatement<{ team: string; account: string; session: string; role: string }, never>(
  'SELECT hold_person($team, $account, $session, $role)',
);

/** Has changes of one person's credentials come one after another; what follows sees what was done before. */
export const lockAccount = sqlStatement<{ team: string; account: string }, never>(
  'SELECT id FROM account WHERE team_id = $team AND id = $account AND deleted_at IS NULL FOR NO KEY UPDATE',
);

/** Waits until all that is being done with a person's credentials is done or given up; nothing more is meanwhile. */
export const holdCredentialsAlone = sqlStatement<{ account: string }, { locked: unknown }>(
  'SELECT pg_advisory_xact_lock(credential_key($account)) AS locked',
);

/** Ends one session and tells every node. */
export const revokeSession = sqlStatement<{ team: string; session: string; account: string; at: Date }, { id: string; notified: string }>(
  `WITH ended AS (
     UPDATE session SET revoked_at = $at WHERE team_id = $team AND id = $session AND account_id = $account AND revoked_at IS NULL RETURNING id
   ) SELECT id, pg_notify('revoked', id::text)::text AS notified FROM ended`,
);

/** Ends all sessions of a person but one, in the order in which those that are refreshed together are held, and tells every node. */
export const revokeOtherSessions = sqlStatement<
  { team: string; account: string; except: string | null; at: Date },
  { id: string; notified: string }
>(
  `WITH held AS (
     SELECT id FROM session WHERE team_id = $team AND account_id = $account AND revoked_at IS NULL AND ($except::uuid IS NULL OR id <> $except)
     ORDER BY id FOR NO KEY UPDATE
   ), ended AS (
     UPDATE session SET revoked_at = $at WHERE team_id = $team AND id IN (SELECT id FROM held) RETURNING id
   ) SELECT id, pg_notify('revoked', id::text)::text AS notified FROM ended`,
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
  `WITH held AS (
     SELECT account_id FROM sign_in_challenge WHERE team_id = $team AND connection_id = $connection ORDER BY account_id FOR UPDATE
   )
   DELETE FROM sign_in_challenge c USING held WHERE c.team_id = $team AND c.account_id = held.account_id`,
);

/** Waits for what the people of a team are doing, and has what they do next wait: one lock, however many they are. */
export const holdWholeTeam = sqlStatement<{ team: string }, never>('SELECT hold_whole_team($team)');

/** Ends all sessions that were begun through a connection, and tells every node. */
export const revokeSessionsThrough = sqlStatement<Through & { at: Date }, { id: string; notified: string }>(
  `WITH held AS (
     SELECT id FROM session WHERE team_id = $team AND connection_id = $connection AND revoked_at IS NULL ORDER BY account_id, id FOR NO KEY UPDATE
   ), ended AS (
     UPDATE session SET revoked_at = $at WHERE team_id = $team AND id IN (SELECT id FROM held) RETURNING id
   ) SELECT id, pg_notify('revoked', id::text)::text AS notified FROM ended`,
);

/**
 * What lets a sign-in through, written once, of a person `a` of the team `t`: each statement that opens a session asks for all
 * of it, and where one of it does not hold, its name says what the person is told. `$epoch` is the account's when what it signs
 * in with was looked at.
 */
export const letsIn = {
  active: "a.status = 'active' AND t.status = 'active'",
  unchanged: 'a.credential_epoch = $epoch',
  /** By a provider of the team, where the team asks for that; the owner never must. */
  asTheTeamAsks: "($byProvider OR a.role = 'owner' OR NOT requires_provider(a.team_id, a.id))",
} as const;

/** Conditions as one, for a `WHERE`. */
export const allOf = (conditions: Readonly<Record<string, string>>) => Object.values(conditions).join(' AND ');

/** Conditions as columns of their names, for a `SELECT`. */
export const eachOf = (conditions: Readonly<Record<string, string>>) =>
  Object.entries(conditions)
    .map(([name, condition]) => `${condition} AS "${name}"`)
    .join(', ');

/** Which of the conditions hold. */
export type SignInConditions = Record<keyof typeof letsIn, boolean>;

export type NewSession = {
  team: string;
  session: string;
  account: string;
  /** The account's, when what it signs in with was looked at. */
  epoch: number;
  /** Whether a provider of the team vouches for the person. */
  byProvider: boolean;
  /** The team's connection to that provider. */
  connection: string | null;
  amr: string[];
  acr: string;
  authTime: Date;
  secondFactorAt: Date | null;
  at: Date;
  /** When it ends for good, if not after `lasts` seconds. */
  lives: string | null;
  lasts: number;
  ip: string | null;
  userAgent: string | null;
};

export type Opened = Row<'account', 'id' | 'email' | 'first_name' | 'last_name' | 'role'>;

/**
 * Opens a session for a person who is still as they were, and who may sign in so; no row otherwise. The account's row is held:
 * whatever ends its credentials comes before, and is seen, or after, and finds the session.
 */
export const openSession = sqlStatement<NewSession, Opened>(
  `WITH person AS (
     SELECT a.id, a.email, a.first_name, a.last_name, a.role, a.credential_epoch FROM account a JOIN team t ON t.team_id = a.team_id
     WHERE a.team_id = $team AND a.id = $account AND a.deleted_at IS NULL AND ${allOf(letsIn)}
     FOR SHARE OF a
   ), opened AS (
     INSERT INTO session (team_id, id, account_id, connection_id, epoch, auth_time, second_factor_at, amr, acr, ip, user_agent, created_at, last_used_at, expires_at)
     SELECT $team, $session, person.id, $connection, person.credential_epoch, $authTime, $secondFactorAt, $amr, $acr, $ip, $userAgent, $at, $at,
       coalesce($lives::timestamptz, $at::timestamptz + make_interval(secs => $lasts)) FROM person
   ) SELECT id, email, first_name, last_name, role FROM person`,
);

/** Why no session was opened, or none is going to be. */
export const signInConditions = sqlStatement<{ team: string; account: string; epoch: number; byProvider: boolean }, SignInConditions>(
  `SELECT ${eachOf(letsIn)}
   FROM account a JOIN team t ON t.team_id = a.team_id WHERE a.team_id = $team AND a.id = $account AND a.deleted_at IS NULL`,
);

/**
 * Takes a person's living sessions, or one of them, along into the epoch that a change of theirs has begun: what was good
 * before it goes on.
 */
export const keepSessions = sqlStatement<{ team: string; account: string; only: string | null }, never>(
  `WITH held AS (
     SELECT s.id, a.credential_epoch FROM account a JOIN session s ON s.team_id = a.team_id AND s.account_id = a.id
     WHERE a.team_id = $team AND a.id = $account AND s.revoked_at IS NULL AND ($only::uuid IS NULL OR s.id = $only) AND s.epoch = a.credential_epoch - 1
     ORDER BY s.id FOR NO KEY UPDATE OF s
   ) UPDATE session s SET epoch = held.credential_epoch FROM held WHERE s.team_id = $team AND s.id = held.id`,
);
