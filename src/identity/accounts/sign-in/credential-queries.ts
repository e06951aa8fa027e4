import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

type LiveSession = Row<'session', 'account_id'> &
  Row<'sign_in', 'auth_time' | 'acr' | 'app_id' | 'app_scopes'> & { role: string; lacks_second_factor: boolean; ends_in: number | null };

/** The person of a valid session in a team, and the role. No row once the session, the membership or the team has ended. */
export const liveSession = sqlStatement<{ session: string; team: string }, LiveSession>(
  'SELECT account_id, role, auth_time, acr, lacks_second_factor, app_id, app_scopes, ends_in FROM find_session($session, $team)',
);

/** Verifies a user’s session inside the transaction of an action. Fails if it has ended or the role has changed. */
export const checkSession = sqlStatement<{ team: string; account: string; session: string; role: string }, never>(
  'SELECT check_person_credential($team, $account, $session, $role)',
);

/** Serializes changes of a person's credentials. Later statements see earlier changes. */
export const lockPerson = sqlStatement<{ account: string }, never>(
  'SELECT id FROM person WHERE id = $account AND deleted_at IS NULL FOR NO KEY UPDATE',
);

/** Serializes changes of a membership. */
export const lockMembership = sqlStatement<{ team: string; account: string }, never>(
  'SELECT id FROM account WHERE team_id = $team AND id = $account AND deleted_at IS NULL FOR NO KEY UPDATE',
);

/** Waits until all transactions with a user’s credentials have ended, and blocks new ones. */
export const lockCredentialsExclusively = sqlStatement<{ account: string }, { locked: unknown }>(
  'SELECT pg_advisory_xact_lock(credential_key($account)) AS locked',
);

/**
 * The sign-ins `i` that the sign-in `$session` in `$team` sees and can end. With a password, code or passkey these are
 * all of the person. Otherwise they are those through a provider of the team, because that provider confirms the
 * identity for this team alone.
 */
export const isWithinReach = `(i.id = $session OR EXISTS (SELECT FROM sign_in own WHERE own.id = $session AND own.own_proof_at IS NOT NULL)
  OR i.own_proof_at IS NULL AND EXISTS (SELECT FROM session s WHERE s.team_id = $team AND s.id = i.id AND s.connection_id IS NOT NULL))`;

export const signInWithinReach = sqlStatement<{ team: string; session: string; account: string; wanted: string }, { id: string }>(
  `SELECT i.id FROM sign_in i WHERE i.id = $wanted AND i.person_id = $account AND ${isWithinReach}`,
);

/** Whether a sign-in has used a password, code or passkey. If not, also the teams that admit its provider. */
export const reachOfSignIn = sqlStatement<{ session: string; account: string }, { is_own: boolean; homes: string[] }>(
  `SELECT i.own_proof_at IS NOT NULL AS is_own, CASE WHEN i.own_proof_at IS NULL
     THEN ARRAY(SELECT t.team_id FROM teams_of_person() t WHERE admits_from_home(t.team_id, $account, i.id)) ELSE '{}' END AS homes
   FROM sign_in i WHERE i.id = $session`,
);

/** Ends one sign-in of the current person in all teams and notifies the nodes. */
export const revokeSignIn = sqlStatement<{ session: string; account: string; at: Date }, { id: string; notified: string }>(
  `WITH ended AS (
     UPDATE sign_in SET revoked_at = $at WHERE id = $session AND person_id = $account AND revoked_at IS NULL RETURNING id
   ) SELECT id, pg_notify('revoked', id::text)::text AS notified FROM ended`,
);

/** Ends all sign-ins of a person except one, locked in the order of their ids, and notifies the nodes. */
export const revokeOtherSignIns = sqlStatement<{ account: string; except: string | null; at: Date }, { id: string; notified: string }>(
  `WITH locked AS (
     SELECT id FROM sign_in WHERE person_id = $account AND revoked_at IS NULL AND ($except::uuid IS NULL OR id <> $except)
     ORDER BY id FOR NO KEY UPDATE
   ), ended AS (
     UPDATE sign_in SET revoked_at = $at WHERE id IN (SELECT id FROM locked) RETURNING id
   ) SELECT id, pg_notify('revoked', id::text)::text AS notified FROM ended`,
);

/** Ends the sessions of a member in a team except one, locked in the order of their ids, and notifies the nodes. */
export const revokeMemberSessions = sqlStatement<
  { team: string; account: string; except: string | null; at: Date },
  { id: string; notified: string }
>(
  `WITH locked AS (
     SELECT id FROM session WHERE team_id = $team AND account_id = $account AND revoked_at IS NULL AND ($except::uuid IS NULL OR id <> $except)
     ORDER BY id FOR NO KEY UPDATE
   ), ended AS (
     UPDATE session SET revoked_at = $at WHERE team_id = $team AND id IN (SELECT id FROM locked) RETURNING id
   ) SELECT id, pg_notify('revoked', id::text)::text AS notified FROM ended`,
);

/** The sessions through a connection to a provider: all, or those of one account or of one session at the provider. */
type Through = { team: string; connection: string; account: string | null; idpSession: string | null };
const isThrough = `team_id = $team AND connection_id = $connection AND revoked_at IS NULL
  AND ($account::uuid IS NULL OR account_id = $account) AND ($idpSession::text IS NULL OR idp_session = $idpSession)`;

/** Locks the users who have sessions through a connection, in the order of their ids. */
export const lockAccountsThrough = sqlStatement<Through, { id: string }>(
  `SELECT id FROM account WHERE team_id = $team AND id IN (
     SELECT account_id FROM session WHERE ${isThrough}
   ) ORDER BY id FOR NO KEY UPDATE`,
);

/** Ends the sign-ins through a connection that wait for a second factor. */
export const endChallenges = sqlStatement<Omit<Through, 'team'>, never>('SELECT end_challenges($connection, $account, $idpSession)');

/** Waits for running transactions of a team’s members and blocks new ones, with one lock for any number of members. */
export const lockTeamCredentials = sqlStatement<{ team: string }, never>('SELECT lock_team_credentials($team)');

/** Ends sessions through a connection and notifies every node. */
export const revokeSessionsThrough = sqlStatement<Through & { at: Date }, { id: string; notified: string }>(
  `WITH locked AS (
     SELECT id FROM session WHERE ${isThrough} ORDER BY account_id, id FOR NO KEY UPDATE
   ), ended AS (
     UPDATE session SET revoked_at = $at WHERE team_id = $team AND id IN (SELECT id FROM locked) RETURNING id
   ) SELECT id, pg_notify('revoked', id::text)::text AS notified FROM ended`,
);

/** A person `p` by `$account` with the membership `a` in `$team`, the team `t` and its sign-in rules `y`. */
export const memberWithTeam =
  'person p JOIN account a ON a.team_id = $team AND a.id = p.id JOIN team t ON t.team_id = a.team_id LEFT JOIN team_policy y ON y.team_id = a.team_id';
export const isMember = 'p.id = $account AND p.deleted_at IS NULL AND a.deleted_at IS NULL';

/** The facts of a sign-in, as SQL. `$byProvider`: through a provider of the team. `$epoch`: of the person at the time of the proof. */
type SignInFacts = { unchanged: string; signedInAt: string; authTime: string; throughProvider: string; ownProofAt: string };

/** The reason why the team is closed to a sign-in, or null, for {@link memberWithTeam}. Owners need no provider. */
export const closedBecauseSql = ({ unchanged, signedInAt, authTime, throughProvider, ownProofAt }: SignInFacts) =>
  `team_closed_because(membership_is_open(a.status, a.ends_at), t.status, ${unchanged}, a.reactivated_at, ${signedInAt}, y.session_hours, ${authTime}, ${throughProvider},
     a.role <> 'owner' AND requires_provider(a.team_id, a.id), ${ownProofAt})`;

/**
 * Like {@link closedBecauseSql}, for a sign-in at this moment.
 */
export const closedToNewSql = closedBecauseSql({
  unchanged: 'p.credential_epoch = $epoch',
  signedInAt: 'now()',
  authTime: 'now()',
  throughProvider: '$byProvider',
  ownProofAt: 'now()',
});

/** Returns conditions as named columns for a `SELECT`. */
export const eachOf = (conditions: Readonly<Record<string, string>>) =>
  Object.entries(conditions)
    .map(([name, condition]) => `${condition} AS "${name}"`)
    .join(', ');

export type NewSession = {
  team: string;
  session: string;
  account: string;
  /** The epoch of the person when the credentials were checked. */
  epoch: number;
  /** Whether a provider of the team has authenticated the user. */
  byProvider: boolean;
  /** The team’s connection to the provider. */
  connection: string | null;
  /** The identifier of the session at the provider. */
  idpSession: string | null;
  amr: string[];
  acr: string;
  authTime: Date;
  /** The time when the person last used a password, code or passkey; null for a sign-in through a provider. */
  ownProofAt: Date | null;
  secondFactorAt: Date | null;
  at: Date;
  /** The final expiry of the session if it comes before `lasts` seconds. */
  lives: string | null;
  lasts: number;
  ip: string | null;
  userAgent: string | null;
};

export type Opened = Row<'account', 'id' | 'email' | 'first_name' | 'last_name' | 'role'>;

/**
 * Signs a person in on a device and opens a session in a team, if the conditions of a sign-in are true. Returns no row otherwise. Locks the rows of
 * person and membership. A concurrent change that ends the credentials either committed before and is visible here, or runs after and ends this
 * sign-in too.
 */
export const openSession = sqlStatement<NewSession, Opened>(
  `WITH member AS (
     SELECT a.id, a.email, a.first_name, a.last_name, a.role, a.credential_epoch, p.credential_epoch AS person_epoch
     FROM ${memberWithTeam} WHERE ${isMember} AND ${closedToNewSql} IS NULL FOR SHARE OF p, a
   ), signed AS (
     INSERT INTO sign_in (id, person_id, epoch, auth_time, own_proof_at, second_factor_at, amr, acr, ip, user_agent, created_at, last_used_at, expires_at)
     SELECT $session, member.id, member.person_epoch, $authTime, $ownProofAt, $secondFactorAt, $amr, $acr, $ip, $userAgent, now(), $at,
       least($lives::timestamptz, now() + make_interval(secs => $lasts)) FROM member
   ), opened AS (
     INSERT INTO session (team_id, id, account_id, connection_id, idp_session, epoch, created_at)
     SELECT $team, $session, member.id, $connection, $idpSession, member.credential_epoch, $at FROM member
   ) SELECT id, email, first_name, last_name, role FROM member`,
);

/** Returns the reason why the team is closed to a new sign-in, or null. */
export const closedToNew = sqlStatement<{ team: string; account: string; epoch: number; byProvider: boolean }, { closed: string | null }>(
  `SELECT ${closedToNewSql} AS closed FROM ${memberWithTeam} WHERE ${isMember}`,
);

/** The connection that a team enforces for a member. */
export const enforcedConnection = sqlStatement<{ team: string; account: string }, { id: string }>(
  'SELECT id FROM enforced_connection($team, $account) LIMIT 1',
);

/**
 * Moves all valid sign-ins of a person, or only one of them, to the new epoch. So they stay valid after a change of
 * credentials.
 */
export const keepSignIns = sqlStatement<{ account: string; only: string | null }, never>(
  `WITH locked AS (
     SELECT i.id, p.credential_epoch FROM person p JOIN sign_in i ON i.person_id = p.id
     WHERE p.id = $account AND i.revoked_at IS NULL AND ($only::uuid IS NULL OR i.id = $only) AND i.epoch = p.credential_epoch - 1
     ORDER BY i.id FOR NO KEY UPDATE OF i
   ) UPDATE sign_in i SET epoch = locked.credential_epoch FROM locked WHERE i.id = locked.id`,
);

/** Stores the team that the next sign-in opens. */
export const rememberTeam = sqlStatement<{ team: string; account: string }, never>(
  'UPDATE person SET last_team_id = $team WHERE id = $account AND last_team_id IS DISTINCT FROM $team',
);

/**
 * Opens a valid sign-in of the current person in a team, or returns why the team is closed to it. No row without the sign-in or the membership. A
 * session through a provider of the team stays unchanged. A sign-in through a provider of another team counts if the team trusts it as a home.
 */
export const openInTeam = sqlStatement<
  { team: string; session: string; account: string; at: Date },
  Row<'account', 'role'> & Row<'sign_in', 'amr' | 'acr' | 'auth_time'> & { closed: string | null }
>(
  `WITH member AS (
     SELECT a.role, a.credential_epoch, i.amr, i.acr, i.auth_time, ${closedBecauseSql({
       unchanged: 'i.epoch = p.credential_epoch',
       signedInAt: 'i.created_at',
       authTime: 'i.auth_time',
       throughProvider: `(EXISTS (SELECT FROM session s WHERE s.team_id = $team AND s.id = i.id AND s.epoch = a.credential_epoch AND s.revoked_at IS NULL)
         OR admits_from_home(a.team_id, a.id, i.id))`,
       ownProofAt: 'i.own_proof_at',
     })} AS closed
     FROM ${memberWithTeam} JOIN sign_in i ON i.person_id = p.id
     WHERE ${isMember} AND i.id = $session AND i.revoked_at IS NULL AND i.expires_at > now() AND i.app_id IS NULL
     FOR SHARE OF p, a
   ), opened AS (
     INSERT INTO session AS s (team_id, id, account_id, epoch, created_at)
     SELECT $team, $session, $account, credential_epoch, $at FROM member WHERE closed IS NULL
     ON CONFLICT (team_id, id) DO UPDATE SET epoch = excluded.epoch, created_at = excluded.created_at, connection_id = NULL, revoked_at = NULL
     WHERE s.revoked_at IS NOT NULL OR s.epoch <> excluded.epoch
   ) SELECT role, amr, acr, auth_time, closed FROM member`,
);
