import { resetCounterSql, type SessionFacts, type SessionStatements } from '#credentials';
import type { RefreshClaim } from '../../platform/crypto/refresh-tokens.ts';
import type { Row } from '../../platform/database/row.ts';
import { sqlStatement } from '../../platform/database/statement.ts';
import { entryFrom, type EntryParams, wakeFrom } from '../../platform/journal/record.ts';
import {
  closedToNewSql,
  eachOf,
  isMember,
  isWithinReach,
  memberWithTeam,
  type NewSession,
  type Opened,
} from './sign-in/credential-queries.ts';

/** Marks a proof of work as used. Returns no row if it was already used. */
export const spendProof = sqlStatement<{ id: Buffer; expiresAt: Date }, { spent: boolean }>(
  'INSERT INTO altcha_spent (id, expires_at) VALUES ($id, $expiresAt) ON CONFLICT DO NOTHING RETURNING true AS spent',
);

/** A person, and the team that a sign-in opens. `team_id` is null without a membership. */
type PersonLookup = Row<'person', 'id' | 'email' | 'locale' | 'password_hash' | 'credential_epoch'> & {
  team_id: string | null;
  status: string | null;
  team_status: string | null;
};

export const personByEmail = sqlStatement<{ emailKey: string }, PersonLookup>('SELECT * FROM person_by_email($emailKey)');

type SignInLookup = (PersonLookup | { [member in keyof PersonLookup]: null }) & {
  pending_hash: string | null;
  blocked_seconds: number | null;
};

/** Looks up everything for a sign-in before the password check, in one row: the account, a registration, and a block after wrong guesses. */
export const signInLookup = sqlStatement<{ emailKey: string; keys: Buffer[] }, SignInLookup>(
  `SELECT a.*, (SELECT b.seconds FROM throttle_block($keys) b) AS blocked_seconds,
     (SELECT r.password_hash FROM registration r WHERE r.email_key = $emailKey AND r.expires_at > now() ORDER BY r.created_at DESC LIMIT 1) AS pending_hash
   FROM (VALUES (1)) AS always LEFT JOIN person_by_email($emailKey) AS a ON true`,
);

export type Registration = Row<
  'registration',
  'id' | 'email' | 'first_name' | 'last_name' | 'password_hash' | 'code_hmac' | 'tries' | 'locale'
> & { code_live: boolean };

const attempt = `SELECT id, email, first_name, last_name, password_hash, code_hmac, coalesce(code_expires_at > now(), false) AS code_live, tries, locale
   FROM registration WHERE email_key = $emailKey AND expires_at > now()`;

/** Locks the valid registrations of an address: those with a mailed code first, newest first. */
export const registrationsOf = sqlStatement<{ emailKey: string }, Registration>(
  `${attempt} ORDER BY code_hmac IS NULL, created_at DESC LIMIT 20 FOR UPDATE`,
);

/** Returns a device’s registration of an address, independent of all others. */
export const registrationBy = sqlStatement<{ emailKey: string; device: Buffer }, Registration>(
  `${attempt} AND device_hash = $device ORDER BY created_at DESC LIMIT 1`,
);

/** Counts the networks from which an address was registered. */
export const placesOf = sqlStatement<{ emailKey: string }, { places: number }>(
  'SELECT count(DISTINCT origin_hash)::int AS places FROM registration WHERE email_key = $emailKey AND expires_at > now()',
);

/** Whether a device has registered an address, and the registration is still valid. */
export const registeredBy = sqlStatement<{ emailKey: string; device: Buffer }, { known: boolean }>(
  'SELECT true AS known FROM registration WHERE email_key = $emailKey AND device_hash = $device AND expires_at > now() LIMIT 1',
);

type NewRegistration = {
  id: string;
  email: string;
  emailKey: string;
  firstName: string;
  lastName: string;
  locale: string;
  passwordHash: string;
  deviceHash: Buffer;
  originHash: Buffer;
  /** The HMAC of the mailed code. Null if no code was mailed, so that no guess can match. */
  codeHmac: Buffer | null;
  /** Lifetime of the code in seconds. */
  lives: number;
};

export const insertRegistration = sqlStatement<NewRegistration, never>(
  `INSERT INTO registration (id, email, email_key, first_name, last_name, locale, password_hash, device_hash, origin_hash, code_hmac, code_expires_at)
   VALUES ($id, $email, $emailKey, $firstName, $lastName, $locale, $passwordHash, $deviceHash, $originHash, $codeHmac, now() + make_interval(secs => $lives))`,
);

export const renewCode = sqlStatement<{ id: string; codeHmac: Buffer; lives: number }, never>(
  'UPDATE registration SET code_hmac = $codeHmac, code_expires_at = now() + make_interval(secs => $lives), tries = 0 WHERE id = $id',
);

export const countTry = sqlStatement<{ emailKey: string }, never>('UPDATE registration SET tries = tries + 1 WHERE email_key = $emailKey');

/** Deletes all registrations of an address. Of concurrent transactions, only the first returns rows, and only that one has verified the address. */
export const takeRegistrations = sqlStatement<{ emailKey: string }, { id: string }>(
  'DELETE FROM registration WHERE email_key = $emailKey RETURNING id',
);

export const insertTeam = sqlStatement<{ team: string; name: string; at: Date }, never>(
  'INSERT INTO team (team_id, name, created_at, updated_at) VALUES ($team, $name, $at, $at)',
);

type NewPerson = {
  id: string;
  email: string;
  emailKey: string;
  firstName: string;
  lastName: string;
  locale: string;
  passwordHash: string | null;
  at: Date;
};

export const insertPerson = sqlStatement<NewPerson, never>(
  `INSERT INTO person (id, email, email_key, first_name, last_name, locale, password_hash, created_at, updated_at)
   VALUES ($id, $email, $emailKey, $firstName, $lastName, $locale, $passwordHash, $at, $at)`,
);

/** Adds a person with the team as the manager. */
export const insertManagedPerson = sqlStatement<Omit<NewPerson, 'passwordHash'> & { team: string }, never>(
  `INSERT INTO person (id, email, email_key, first_name, last_name, locale, managed_by, created_at, updated_at)
   VALUES ($id, $email, $emailKey, $firstName, $lastName, $locale, $team, $at, $at)`,
);

/** The current person, locked, if the team manages them. */
export const managedPerson = sqlStatement<
  { team: string; id: string },
  Row<'person', 'email' | 'email_key' | 'first_name' | 'last_name' | 'locale'>
>(
  `SELECT email, email_key, first_name, last_name, locale FROM person
   WHERE id = $id AND managed_by = $team AND deleted_at IS NULL FOR NO KEY UPDATE`,
);

/** Changes the current person for the team that manages them. */
export const updateManagedPerson = sqlStatement<
  { team: string; id: string; email: string; emailKey: string; firstName: string; lastName: string; at: Date },
  never
>(
  `UPDATE person SET email = $email, email_key = $emailKey, first_name = $firstName, last_name = $lastName, version = version + 1, updated_at = $at
   WHERE id = $id AND managed_by = $team AND deleted_at IS NULL`,
);

/** The team of the current person that manages them, if any. */
export const managingTeam = sqlStatement<{ id: string }, { name: string }>(
  'SELECT t.name FROM person p JOIN teams_of_person() t ON t.team_id = p.managed_by WHERE p.id = $id',
);

const copied = ['email', 'email_key', 'first_name', 'last_name', 'locale', 'timezone', 'two_factor_enabled'];

/** Makes the current person a member of a team; reuses the row of a former membership. Returns no row for a current member. */
export const insertMember = sqlStatement<
  { team: string; id: string; role: string; endsAt: string | null; sponsor: string | null; at: Date },
  { id: string }
>(
  `INSERT INTO account AS kept (team_id, id, role, ends_at, sponsor_id, end_reminded, created_at, updated_at, ${copied.join(', ')})
   SELECT $team, p.id, $role, $endsAt, $sponsor, reminded_before($endsAt::timestamptz), $at, $at, ${copied.map((column) => `p.${column}`).join(', ')} FROM person p WHERE p.id = $id AND p.deleted_at IS NULL
   ON CONFLICT (team_id, id) DO UPDATE SET status = 'active', deleted_at = NULL, role = excluded.role, ends_at = excluded.ends_at, sponsor_id = excluded.sponsor_id,
     sponsor_extended = false, end_reminded = excluded.end_reminded, version = kept.version + 1,
     created_at = excluded.created_at, updated_at = excluded.updated_at, ${copied.map((column) => `${column} = excluded.${column}`).join(', ')}
   WHERE kept.deleted_at IS NOT NULL RETURNING id`,
);

/** A member, as the team knows them. */
export type MemberContact = Row<'account', 'id' | 'email' | 'first_name' | 'last_name' | 'locale' | 'role'>;

export const accountById = sqlStatement<{ team: string; id: string }, MemberContact>(
  'SELECT id, email, first_name, last_name, locale, role FROM account WHERE team_id = $team AND id = $id AND deleted_at IS NULL',
);

export type AccountRow = Row<
  'person',
  | 'id'
  | 'email'
  | 'first_name'
  | 'last_name'
  | 'timezone'
  | 'locale'
  | 'onboarding_completed_at'
  | 'two_factor_enabled'
  | 'password_hash'
  | 'credential_epoch'
> &
  Row<'account', 'team_id' | 'role'>;

/** The current person with the membership in a team. */
export const ownAccount = sqlStatement<{ team: string; id: string }, AccountRow>(
  `SELECT p.id, a.team_id, p.email, p.first_name, p.last_name, a.role, p.timezone, p.locale, p.onboarding_completed_at, p.two_factor_enabled,
     p.password_hash, p.credential_epoch
   FROM person p JOIN account a ON a.team_id = $team AND a.id = p.id WHERE p.id = $id AND a.deleted_at IS NULL`,
);

/** The current person, without a team. */
export type PersonRow = Row<
  'person',
  'id' | 'email' | 'first_name' | 'last_name' | 'locale' | 'password_hash' | 'credential_epoch' | 'last_team_id'
>;
export const personById = sqlStatement<{ id: string }, PersonRow>(
  `SELECT id, email, first_name, last_name, locale, password_hash, credential_epoch, last_team_id FROM person WHERE id = $id AND deleted_at IS NULL`,
);

export const updateProfile = sqlStatement<
  { id: string; firstName: string; lastName: string; timezone: string; locale: string; onboarding: string | null; at: Date },
  never
>(
  `UPDATE person SET first_name = $firstName, last_name = $lastName, timezone = $timezone, locale = $locale, onboarding_completed_at = $onboarding,
     version = version + 1, updated_at = $at WHERE id = $id`,
);

export const notificationsOf = sqlStatement<{ team: string; id: string }, { task_mails: 'at_once' | 'daily' | 'none' }>(
  'SELECT task_mails FROM account WHERE team_id = $team AND id = $id AND deleted_at IS NULL',
);

export const updateNotifications = sqlStatement<{ team: string; id: string; taskMails: string; at: Date }, never>(
  'UPDATE account SET task_mails = $taskMails, version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);

export const setPassword = sqlStatement<{ id: string; hash: string; at: Date }, never>(
  'UPDATE person SET password_hash = $hash, version = version + 1, updated_at = $at WHERE id = $id',
);

/**
 * Stores a new hash of the same password, unless the password was changed since. The version of the password does not change, so the trigger
 * `raise_epoch` ends no sessions.
 */
export const rehashPassword = sqlStatement<{ id: string; old: string; hash: string }, never>(
  'UPDATE person SET password_hash = $hash WHERE id = $id AND password_hash = $old',
);

type SessionOwnerRow = Row<'session', 'account_id'> & Row<'account', 'role'>;
const claimColumns = 'account_id, role, auth_time, amr, acr, counter';
const found = 'a row is one of a valid session';
const foundRow = { account_id: found, role: found, auth_time: found, amr: found, acr: found, counter: found };

/** The refresh tokens of users. */
export const sessions: SessionStatements<SessionOwnerRow> = {
  rotate: sqlStatement<RefreshClaim & { keep: number; idle: number }, SessionOwnerRow & SessionFacts>(
    `SELECT ${claimColumns} FROM rotate_session($session, $owner, false, $idle, $counter, $keep)`,
    foundRow,
  ),
  state: sqlStatement(`SELECT ${claimColumns}, ages FROM session_state($session, $owner, false, $idle)`),
};

/** A valid sign-in of a user, in whichever teams it is open. */
export const signInById = sqlStatement<{ session: string; idle: number }, { person_id: string; counter: number; ages: number[] }>(
  'SELECT person_id, counter, ages FROM sign_in_state($session, $idle)',
);

/** The person whose session a cookie identifies. */
export const sessionOwner = sqlStatement<{ team: string; session: string; idle: number }, { account_id: string }>(
  'SELECT person_id AS account_id FROM person_of_session($session, $team, $idle)',
);

/** Whether the person has signed in from this browser or program before, and whether other sign-ins exist. */
type DeviceOf = { account: string; userAgent: string | null };
export type DeviceSeen = { others: boolean; known: boolean };
const ofPerson = 'sign_in i WHERE i.person_id = $account AND i.app_id IS NULL';
const seenOf = `SELECT EXISTS (SELECT FROM ${ofPerson}) AS others,
     EXISTS (SELECT FROM ${ofPerson} AND i.user_agent IS NOT DISTINCT FROM $userAgent::text) AS known`;
export const deviceSeen = sqlStatement<DeviceOf, DeviceSeen>(seenOf);

export const zoneOfPerson = sqlStatement<{ team: string; id: string }, { timezone: string }>(
  'SELECT timezone FROM account WHERE team_id = $team AND id = $id',
);

/** Further conditions of a sign-in with only a password. If one is false, the sign-in needs another step or is rejected. */
export const plainly = {
  oneFactor: 'NOT p.two_factor_enabled',
  knownDevice: '(seen.known OR NOT seen.others)',
  unblocked: 'coalesce(block.seconds, 0) <= 0',
} as const;

/** A member by `$team` and `$account`, with all columns of the conditions of a sign-in with a password. */
const signingIn = `${memberWithTeam} CROSS JOIN (${seenOf}) AS seen CROSS JOIN throttle_block($keys) AS block`;

/**
 * Locks a person after a correct password until the transaction ends. Returns why the team is closed, or null, and the further conditions of a
 * sign-in. Resets the counter of wrong passwords unless the account is blocked.
 */
export const signInState = sqlStatement<
  DeviceOf & { team: string; epoch: number; byProvider: boolean; keys: Buffer[]; renewed: Buffer },
  Opened & { locale: string; closed: string | null; blocked_seconds: number | null } & DeviceSeen & Record<keyof typeof plainly, boolean>
>(
  `WITH block AS (SELECT seconds FROM throttle_block($keys)),
     renewed AS (${resetCounterSql('$renewed', 'NOT EXISTS (SELECT FROM block WHERE seconds > 0)')})
   SELECT a.id, a.email, a.first_name, a.last_name, a.role, a.locale, seen.others, seen.known, block.seconds AS blocked_seconds,
     ${closedToNewSql} AS closed, ${eachOf(plainly)}
   FROM ${signingIn} WHERE ${isMember} FOR SHARE OF p, a`,
);

type PlainSignIn = Omit<NewSession, 'session' | 'secondFactorAt' | 'lives' | 'connection' | 'idpSession' | 'ownProofAt'> &
  EntryParams & { session: string; lasts: number; keys: Buffer[]; renewed: Buffer; wake: boolean };

/**
 * Signs a person in with a password in one statement: sign-in, session in the team, journal entry, and a reset of the failure counter. If a condition
 * does not hold, it changes nothing and returns no row.
 */
export const signInPlainly = sqlStatement<PlainSignIn, Opened & { woken: string | null }>(
  `WITH member AS (
     SELECT a.id, a.email, a.first_name, a.last_name, a.role, a.credential_epoch, p.credential_epoch AS person_epoch
     FROM ${signingIn} WHERE ${isMember} AND ${closedToNewSql} IS NULL AND ${Object.values(plainly).join(' AND ')}
     FOR SHARE OF p, a
   ), renewed AS (
     ${resetCounterSql('$renewed', 'EXISTS (SELECT FROM member)')}
   ), signed AS (
     INSERT INTO sign_in (id, person_id, epoch, auth_time, own_proof_at, amr, acr, ip, user_agent, created_at, last_used_at, expires_at)
     SELECT $session, member.id, member.person_epoch, $authTime, $authTime, $amr, $acr, $ip, $userAgent, now(), $at,
       $at::timestamptz + make_interval(secs => $lasts)
     FROM member
   ), opened AS (
     INSERT INTO session (team_id, id, account_id, epoch, created_at) SELECT $team, $session, member.id, member.credential_epoch, $at FROM member
   ), recorded AS (
     ${entryFrom('member')}
   ) SELECT member.id, member.email, member.first_name, member.last_name, member.role, ${wakeFrom} FROM member`,
);

type ListedSession = Row<'sign_in', 'id' | 'ip' | 'user_agent' | 'created_at' | 'last_used_at' | 'expires_at'>;

type ListedSessions = { team: string; session: string; account: string; before: string | null; beforeId: string | null; limit: number };
/** Valid sign-ins of a person, the last used first; times in milliseconds, as in cursors. */
export const listSessions = sqlStatement<ListedSessions, ListedSession>(
  `SELECT i.id, i.ip, i.user_agent, i.created_at, i.last_used_at, i.expires_at
   FROM sign_in i JOIN person p ON p.id = i.person_id
   WHERE i.person_id = $account AND i.revoked_at IS NULL AND i.expires_at > now() AND i.epoch = p.credential_epoch
     AND i.app_id IS NULL AND ${isWithinReach}
     AND ($before::timestamptz IS NULL OR (date_trunc('milliseconds', i.last_used_at), i.id) < ($before, $beforeId::uuid))
   ORDER BY date_trunc('milliseconds', i.last_used_at) DESC, i.id DESC LIMIT $limit + 1`,
);

/** Stores a reset link and replaces an older one of the user. `epoch` is the credential epoch when the address was looked up. */
export const putReset = sqlStatement<{ account: string; epoch: number; hash: Buffer; lives: number }, never>(
  `INSERT INTO password_reset (person_id, epoch, token_hash, expires_at) VALUES ($account, $epoch, $hash, now() + make_interval(secs => $lives))
   ON CONFLICT (person_id) DO UPDATE SET token_hash = excluded.token_hash, epoch = excluded.epoch, created_at = now(), expires_at = excluded.expires_at`,
);

export const resetByToken = sqlStatement<{ hash: Buffer }, { person_id: string }>('SELECT * FROM reset_by_token($hash)');

/** Marks a link as used. Returns no row if another request has used it, or the credentials have changed. */
export const takeReset = sqlStatement<{ account: string; hash: Buffer }, { person_id: string }>(
  `DELETE FROM password_reset WHERE person_id = $account AND token_hash = $hash AND expires_at > now()
     AND epoch = (SELECT p.credential_epoch FROM person p WHERE p.id = $account) RETURNING person_id`,
);

/** Drops expired registrations, proofs of work, links, and sign-ins that ended 30 days ago. Skips locked rows until the next run. */
export const dropExpired = [
  'DELETE FROM registration WHERE expires_at < now()',
  'DELETE FROM altcha_spent WHERE expires_at < now()',
  'DELETE FROM password_reset WHERE expires_at < now()',
  `WITH ended AS (
     SELECT id FROM sign_in WHERE expires_at < now() - interval '30 days' OR revoked_at < now() - interval '30 days' ORDER BY id FOR UPDATE SKIP LOCKED
   )
   DELETE FROM sign_in i USING ended WHERE i.id = ended.id`,
  `WITH ended AS (
     SELECT team_id, id FROM session WHERE revoked_at < now() - interval '30 days' ORDER BY team_id, id FOR UPDATE SKIP LOCKED
   )
   DELETE FROM session s USING ended WHERE s.team_id = ended.team_id AND s.id = ended.id`,
].map((text) => sqlStatement<object, never>(text));
