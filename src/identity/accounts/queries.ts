import { resetCounterSql, sessionStatements } from '#credentials';
import type { Row, RowWithout } from '../../platform/database/row.ts';
import { sqlStatement } from '../../platform/database/statement.ts';
import { entryFrom, type EntryParams, wakeFrom } from '../../platform/journal/record.ts';
import { allOf, eachOf, letsIn, type NewSession, type Opened, type SignInConditions } from './sign-in/credential-queries.ts';

/** Remembers a proof of work; no row comes back when it was used before. */
export const spendProof = sqlStatement<{ id: Buffer; expiresAt: Date }, { spent: boolean }>(
  'INSERT INTO altcha_spent (id, expires_at) VALUES ($id, $expiresAt) ON CONFLICT DO NOTHING RETURNING true AS spent',
);

type AccountLookup = Row<'account', 'team_id' | 'id' | 'email' | 'locale' | 'password_hash' | 'status' | 'credential_epoch'> & {
  team_status: string;
};

export const accountByEmail = sqlStatement<{ emailKey: string }, AccountLookup>('SELECT * FROM account_by_email($emailKey)');

type SignInLookup = (AccountLookup | { [member in keyof AccountLookup]: null }) & {
  pending_hash: string | null;
  blocked_seconds: number | null;
};

/** All that a sign-in looks up before the password is looked at, in one row: the account, a registration, what blocks. */
export const signInLookup = sqlStatement<{ emailKey: string; keys: Buffer[] }, SignInLookup>(
  `SELECT a.*, (SELECT b.seconds FROM throttle_block($keys) b) AS blocked_seconds,
     (SELECT r.password_hash FROM registration r WHERE r.email_key = $emailKey AND r.expires_at > now() ORDER BY r.created_at DESC LIMIT 1) AS pending_hash
   FROM (VALUES (1)) AS always LEFT JOIN account_by_email($emailKey) AS a ON true`,
);

export type Registration = Row<
  'registration',
  'id' | 'email' | 'first_name' | 'last_name' | 'password_hash' | 'code_hmac' | 'tries' | 'locale'
> & { code_live: boolean };

const attempt = `SELECT id, email, first_name, last_name, password_hash, code_hmac, coalesce(code_expires_at > now(), false) AS code_live, tries, locale
   FROM registration WHERE email_key = $emailKey AND expires_at > now()`;

/** The living attempts for an address: first those that a code was mailed for, newest first. */
export const registrationsOf = sqlStatement<{ emailKey: string }, Registration>(
  `${attempt} ORDER BY code_hmac IS NULL, created_at DESC LIMIT 20 FOR UPDATE`,
);

/** A device's own attempt for an address, however many others there are. */
export const registrationBy = sqlStatement<{ emailKey: string; device: Buffer }, Registration>(
  `${attempt} AND device_hash = $device ORDER BY created_at DESC LIMIT 1`,
);

/** From how many places an address was registered. */
export const placesOf = sqlStatement<{ emailKey: string }, { places: number }>(
  'SELECT count(DISTINCT origin_hash)::int AS places FROM registration WHERE email_key = $emailKey AND expires_at > now()',
);

/** Whether a device has a living attempt for an address. */
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
  /** Nothing where no code was mailed: nobody can know it, and nobody is to guess it. */
  codeHmac: Buffer | null;
  /** Seconds that the code is good. */
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

/** Takes all attempts for an address: whoever deletes them first has verified it. */
export const takeRegistrations = sqlStatement<{ emailKey: string }, { id: string }>(
  'DELETE FROM registration WHERE email_key = $emailKey RETURNING id',
);

export const insertTeam = sqlStatement<{ team: string; name: string; at: Date }, never>(
  'INSERT INTO team (team_id, name, created_at, updated_at) VALUES ($team, $name, $at, $at)',
);

type NewAccount = {
  team: string;
  id: string;
  email: string;
  emailKey: string;
  firstName: string;
  lastName: string;
  role: string;
  locale: string;
  passwordHash: string | null;
  at: Date;
};

export const insertAccount = sqlStatement<NewAccount, never>(
  `INSERT INTO account (team_id, id, email, email_key, first_name, last_name, role, locale, password_hash, created_at, updated_at)
   VALUES ($team, $id, $email, $emailKey, $firstName, $lastName, $role, $locale, $passwordHash, $at, $at)`,
);

export type AccountRow = RowWithout<
  'account',
  'address_released' | 'created_at' | 'deleted_at' | 'email_key' | 'status' | 'task_mails' | 'updated_at' | 'version'
>;

export const accountById = sqlStatement<{ team: string; id: string }, AccountRow>(
  `SELECT id, team_id, email, first_name, last_name, role, timezone, locale, onboarding_completed_at, two_factor_enabled, password_hash,
     credential_epoch
   FROM account WHERE team_id = $team AND id = $id AND deleted_at IS NULL`,
);

export const updateProfile = sqlStatement<
  { team: string; id: string; firstName: string; lastName: string; timezone: string; locale: string; onboarding: string | null; at: Date },
  never
>(
  `UPDATE account SET first_name = $firstName, last_name = $lastName, timezone = $timezone, locale = $locale, onboarding_completed_at = $onboarding,
     version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id`,
);

export const notificationsOf = sqlStatement<{ team: string; id: string }, { task_mails: 'at_once' | 'daily' | 'none' }>(
  'SELECT task_mails FROM account WHERE team_id = $team AND id = $id AND deleted_at IS NULL',
);

export const updateNotifications = sqlStatement<{ team: string; id: string; taskMails: string; at: Date }, never>(
  'UPDATE account SET task_mails = $taskMails, version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);

export const setPassword = sqlStatement<{ team: string; id: string; hash: string; at: Date }, never>(
  'UPDATE account SET password_hash = $hash, version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);

/** The same password hashed anew: not where it was changed meanwhile. Its version stays, which says that it is the same (`raise_epoch`). */
export const rehashPassword = sqlStatement<{ team: string; id: string; old: string; hash: string }, never>(
  'UPDATE account SET password_hash = $hash WHERE team_id = $team AND id = $id AND password_hash = $old',
);

/** The sessions of people, for their refresh tokens. */
export const sessions = sessionStatements<Row<'session', 'account_id'> & Row<'account', 'role'>>({
  table: 'session',
  holder: 'team_id',
  of: 'account a, team t',
  joined: 'a.team_id = s.team_id AND a.id = s.account_id AND t.team_id = s.team_id',
  alive: "s.program_id IS NULL AND s.epoch = a.credential_epoch AND a.status = 'active' AND t.status = 'active'",
  facts: 's.account_id, a.role',
});

/** Whose a living session is. */
export const sessionOwner = sqlStatement<{ team: string; session: string; idle: number }, { account_id: string }>(
  `SELECT s.account_id FROM session s JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id
   WHERE s.team_id = $team AND s.id = $session AND session_in_use(s.revoked_at, s.expires_at, s.last_used_at, $idle) AND s.epoch = a.credential_epoch`,
);

/** Whether any session of a person was this browser or program, and whether there are any at all. */
type DeviceOf = { team: string; account: string; userAgent: string | null };
export type DeviceSeen = { others: boolean; known: boolean };
const seenOf = `SELECT EXISTS (SELECT FROM session s WHERE s.team_id = $team AND s.account_id = $account AND s.program_id IS NULL) AS others,
     EXISTS (SELECT FROM session s WHERE s.team_id = $team AND s.account_id = $account AND s.program_id IS NULL AND s.user_agent IS NOT DISTINCT FROM $userAgent::text) AS known`;
export const deviceSeen = sqlStatement<DeviceOf, DeviceSeen>(seenOf);

export const zoneOfPerson = sqlStatement<{ team: string; id: string }, { timezone: string }>(
  'SELECT timezone FROM account WHERE team_id = $team AND id = $id',
);

/**
 * What makes a sign-in by password a plain one, beside what lets it through: where one of it does not hold, the sign-in goes on
 * in another way, or is refused for now.
 */
export const plainly = {
  oneFactor: 'NOT a.two_factor_enabled',
  knownDevice: '(seen.known OR NOT seen.others)',
  unblocked: 'coalesce(block.seconds, 0) <= 0',
} as const;

/** A person by `$team` and `$account`, with all that the conditions of a sign-in by password speak of. */
const signingIn = `account a JOIN team t ON t.team_id = a.team_id CROSS JOIN (${seenOf}) AS seen CROSS JOIN throttle_block($keys) AS block`;

/**
 * A person whose password was right, as they are now and stay until the transaction ends, and which conditions of a sign-in
 * hold. Where nothing blocks, the counter of what was right is begun anew.
 */
export const signInState = sqlStatement<
  DeviceOf & { epoch: number; byProvider: boolean; keys: Buffer[]; renewed: Buffer },
  Opened & { locale: string } & DeviceSeen & SignInConditions & Record<keyof typeof plainly, boolean> & { blocked_seconds: number | null }
>(
  `WITH block AS (SELECT seconds FROM throttle_block($keys)),
     renewed AS (${resetCounterSql('$renewed', 'NOT EXISTS (SELECT FROM block WHERE seconds > 0)')})
   SELECT a.id, a.email, a.first_name, a.last_name, a.role, a.locale, seen.others, seen.known, block.seconds AS blocked_seconds,
     ${eachOf(letsIn)}, ${eachOf(plainly)}
   FROM ${signingIn}
   WHERE a.team_id = $team AND a.id = $account AND a.deleted_at IS NULL FOR SHARE OF a`,
);

type PlainSignIn = Omit<NewSession, 'session' | 'secondFactorAt' | 'lives' | 'connection'> &
  EntryParams & { session: string; lasts: number; keys: Buffer[]; renewed: Buffer; wake: boolean };

/**
 * A whole sign-in by password as one statement, if nothing about it is special: the session, its entry in the journal, and
 * the counter of what was right begun anew. No row comes back and nothing is done where one of the conditions does not hold.
 */
export const signInPlainly = sqlStatement<PlainSignIn, Opened & { woken: string | null }>(
  `WITH person AS (
     SELECT a.id, a.email, a.first_name, a.last_name, a.role, a.credential_epoch
     FROM ${signingIn}
     WHERE a.team_id = $team AND a.id = $account AND a.deleted_at IS NULL AND ${allOf(letsIn)} AND ${allOf(plainly)}
     FOR SHARE OF a
   ), renewed AS (
     ${resetCounterSql('$renewed', 'EXISTS (SELECT FROM person)')}
   ), opened AS (
     INSERT INTO session (team_id, id, account_id, epoch, auth_time, amr, acr, ip, user_agent, created_at, last_used_at, expires_at)
     SELECT $team, $session, person.id, person.credential_epoch, $authTime, $amr, $acr, $ip, $userAgent, $at, $at, $at::timestamptz + make_interval(secs => $lasts)
     FROM person
   ), recorded AS (
     ${entryFrom('person')}
   ) SELECT person.id, person.email, person.first_name, person.last_name, person.role, ${wakeFrom} FROM person`,
);

type ListedSession = Row<'session', 'id' | 'ip' | 'user_agent' | 'created_at' | 'last_used_at' | 'expires_at'>;

/** Living sessions of a person, the one last used first; times to the millisecond, as cursors carry them. */
export const listSessions = sqlStatement<
  { team: string; account: string; before: string | null; beforeId: string | null; limit: number },
  ListedSession
>(
  `SELECT s.id, s.ip, s.user_agent, s.created_at, s.last_used_at, s.expires_at
   FROM session s JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id
   WHERE s.team_id = $team AND s.account_id = $account AND s.revoked_at IS NULL AND s.expires_at > now() AND s.epoch = a.credential_epoch
     AND s.program_id IS NULL AND ($before::timestamptz IS NULL OR (date_trunc('milliseconds', s.last_used_at), s.id) < ($before, $beforeId::uuid))
   ORDER BY date_trunc('milliseconds', s.last_used_at) DESC, s.id DESC LIMIT $limit + 1`,
);

/** The newest link alone is good: an older one of the same person is replaced. `epoch`: the one under which its address was looked up. */
export const putReset = sqlStatement<{ team: string; account: string; epoch: number; hash: Buffer; lives: number }, never>(
  `INSERT INTO password_reset (team_id, account_id, epoch, token_hash, expires_at)
   VALUES ($team, $account, $epoch, $hash, now() + make_interval(secs => $lives))
   ON CONFLICT (team_id, account_id) DO UPDATE SET token_hash = excluded.token_hash, epoch = excluded.epoch, created_at = now(),
     expires_at = excluded.expires_at`,
);

export const resetByToken = sqlStatement<{ hash: Buffer }, { team_id: string; account_id: string }>('SELECT * FROM reset_by_token($hash)');

/** Uses a link up; no row when another request was quicker, or the person's credentials are others by now. */
export const takeReset = sqlStatement<{ team: string; account: string; hash: Buffer }, { account_id: string }>(
  `DELETE FROM password_reset WHERE team_id = $team AND account_id = $account AND token_hash = $hash AND expires_at > now()
     AND epoch = (SELECT credential_epoch FROM account a WHERE a.team_id = $team AND a.id = $account) RETURNING account_id`,
);

/**
 * What is over is dropped: attempts, proofs, counters, links, long-ended sessions. What somebody holds of things of which one act
 * may hold several is left for the next time.
 */
export const dropExpired = [
  'DELETE FROM registration WHERE expires_at < now()',
  'DELETE FROM altcha_spent WHERE expires_at < now()',
  'DELETE FROM password_reset WHERE expires_at < now()',
  `WITH held AS (
     SELECT team_id, id FROM session WHERE expires_at < now() - interval '30 days' OR revoked_at < now() - interval '30 days'
     ORDER BY team_id, id FOR UPDATE SKIP LOCKED
   )
   DELETE FROM session s USING held WHERE s.team_id = held.team_id AND s.id = held.id`,
].map((text) => sqlStatement<object, never>(text));

/** Whether a member must sign in through a provider of the team; the owner never must. */
export const requiresProvider = sqlStatement<{ team: string; account: string }, { required: boolean }>(
  'SELECT requires_provider($team, $account) AS required',
);
