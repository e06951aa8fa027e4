import { factorStatements } from '#credentials';
import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

type AccountKey = { team: string; account: string };
const ofPerson = { team_id: 'team', account_id: 'account' } as const;

type Assurance = Row<'account', 'email' | 'first_name' | 'role' | 'locale' | 'two_factor_enabled'> &
  Row<'session', 'account_id' | 'auth_time' | 'second_factor_at' | 'acr' | 'amr' | 'connection_id'> & {
    /** An authenticator app is set up. A passkey is a second factor without one. */
    app_enabled: boolean;
  };

/** How sure a living session is of its person, as of now. */
export const assuranceOf = sqlStatement<{ team: string; session: string }, Assurance>(
  `SELECT s.account_id, a.email, a.first_name, a.role, a.locale, a.two_factor_enabled, s.auth_time, s.second_factor_at, s.acr, s.amr, s.connection_id,
     EXISTS (SELECT FROM two_factor f WHERE f.team_id = $team AND f.account_id = s.account_id) AS app_enabled
   FROM session s JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id
   WHERE s.team_id = $team AND s.id = $session AND s.revoked_at IS NULL AND s.expires_at > now() AND s.epoch = a.credential_epoch
     AND a.status = 'active'`,
);

/** Remembers that the person proved who they are, and has every node read the session again. */
export const raiseSession = sqlStatement<
  { team: string; session: string; amr: string[]; acr: string; secondFactor: boolean; at: Date },
  { id: string; notified: string }
>(
  `WITH raised AS (
     UPDATE session SET auth_time = $at, second_factor_at = CASE WHEN $secondFactor THEN $at ELSE second_factor_at END, amr = $amr, acr = $acr
     WHERE team_id = $team AND id = $session AND revoked_at IS NULL RETURNING id
   ) SELECT id, pg_notify('revoked', id::text)::text AS notified FROM raised`,
);

/** The authenticator apps and backup codes of people. */
export const tables = factorStatements<AccountKey>({
  key: ofPerson,
  setup: 'two_factor_setup',
  codes: 'backup_code',
  factor: { table: 'two_factor', key: ofPerson, secret: 'secret', lastStep: 'last_step' },
});

/** Stores the authenticator app. The code of `step`, which confirmed the set-up, counts as used (RFC 6238 section 5.2). */
export const enableTwoFactor = sqlStatement<AccountKey & { secret: Buffer; step: number; at: Date }, never>(
  `WITH factor AS (
     INSERT INTO two_factor (team_id, account_id, secret, last_step, enabled_at) VALUES ($team, $account, $secret, $step, $at)
   ) UPDATE account SET two_factor_enabled = true, version = version + 1, updated_at = $at WHERE team_id = $team AND id = $account`,
);

/** Takes the authenticator app away; no row when there is none. */
export const dropApp = sqlStatement<AccountKey, { account_id: string }>(
  `WITH setups AS (
     DELETE FROM two_factor_setup WHERE team_id = $team AND account_id = $account
   ) DELETE FROM two_factor WHERE team_id = $team AND account_id = $account RETURNING account_id`,
);

/** Turns two-factor off for a person who has no second factor left, and ends what went with it; no row while one is left. */
export const settleFactors = sqlStatement<AccountKey & { at: Date }, { id: string }>(
  `WITH bare AS (
     UPDATE account SET two_factor_enabled = false, version = version + 1, updated_at = $at
     WHERE team_id = $team AND id = $account AND two_factor_enabled
       AND NOT EXISTS (SELECT FROM two_factor f WHERE f.team_id = $team AND f.account_id = $account)
       AND NOT EXISTS (SELECT FROM passkey p WHERE p.team_id = $team AND p.account_id = $account)
     RETURNING id
   ), codes AS (
     DELETE FROM backup_code WHERE team_id = $team AND account_id = (SELECT id FROM bare)
   ), challenges AS (
     DELETE FROM sign_in_challenge WHERE team_id = $team AND account_id = (SELECT id FROM bare)
   ) SELECT id FROM bare`,
);

/** Takes every second factor away, passkeys too; no row when there was none. */
export const removeFactors = sqlStatement<AccountKey & { at: Date }, { id: string }>(
  `WITH factor AS (
     DELETE FROM two_factor WHERE team_id = $team AND account_id = $account
   ), passkeys AS (
     DELETE FROM passkey WHERE team_id = $team AND account_id = $account
   ), codes AS (
     DELETE FROM backup_code WHERE team_id = $team AND account_id = $account
   ), setups AS (
     DELETE FROM two_factor_setup WHERE team_id = $team AND account_id = $account
   ), challenges AS (
     DELETE FROM sign_in_challenge WHERE team_id = $team AND account_id = $account
   ) UPDATE account SET two_factor_enabled = false, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $account AND two_factor_enabled RETURNING id`,
);

/** What a person can complete a sign-in with, in the order it is offered. */
export const methodsOf = sqlStatement<AccountKey, { methods: string[] }>(
  `SELECT array_remove(ARRAY[
     CASE WHEN EXISTS (SELECT FROM two_factor WHERE team_id = $team AND account_id = $account) THEN 'totp' END,
     CASE WHEN EXISTS (SELECT FROM backup_code WHERE team_id = $team AND account_id = $account AND used_at IS NULL) THEN 'backup_code' END,
     CASE WHEN EXISTS (SELECT FROM passkey WHERE team_id = $team AND account_id = $account) THEN 'webauthn' END
   ], NULL) AS methods`,
);

export const backupCodesLeft = sqlStatement<AccountKey, { left: number }>(
  'SELECT count(*)::int AS left FROM backup_code WHERE team_id = $team AND account_id = $account AND used_at IS NULL',
);

/** A newer challenge replaces the older one of the same person. */
export const putChallenge = sqlStatement<
  AccountKey & { epoch: number; hash: Buffer; amr: string[]; connection: string | null; seconds: number },
  never
>(
  `INSERT INTO sign_in_challenge (team_id, account_id, epoch, token_hash, amr, connection_id, expires_at)
   VALUES ($team, $account, $epoch, $hash, $amr, $connection, now() + make_interval(secs => $seconds))
   ON CONFLICT (team_id, account_id) DO UPDATE SET token_hash = excluded.token_hash, epoch = excluded.epoch, amr = excluded.amr,
     connection_id = excluded.connection_id, tries = 0,
     expires_at = excluded.expires_at`,
);

export const challengeByToken = sqlStatement<{ hash: Buffer }, { team_id: string; account_id: string }>(
  'SELECT * FROM challenge_by_token($hash)',
);

/** Spends one try of a living challenge; no row once they are used up. */
export const tryChallenge = sqlStatement<AccountKey & { hash: Buffer; maxTries: number }, { account_id: string }>(
  `UPDATE sign_in_challenge SET tries = tries + 1
   WHERE team_id = $team AND account_id = $account AND token_hash = $hash AND tries < $maxTries AND expires_at > now() RETURNING account_id`,
);

export type TakenChallenge = Row<'session', 'amr' | 'connection_id' | 'epoch'>;
export const takeChallenge = sqlStatement<AccountKey & { hash: Buffer }, TakenChallenge>(
  'DELETE FROM sign_in_challenge WHERE team_id = $team AND account_id = $account AND token_hash = $hash RETURNING amr, connection_id, epoch',
);

/** What waits for an old password or an old address ends with it. */
export const dropPending = sqlStatement<AccountKey, never>(
  `WITH challenges AS (
     DELETE FROM sign_in_challenge WHERE team_id = $team AND account_id = $account
   ), resets AS (
     DELETE FROM password_reset WHERE team_id = $team AND account_id = $account
   ) DELETE FROM email_change WHERE team_id = $team AND account_id = $account`,
);

type NewEmail = { email: string; emailKey: string };

/** `codeHmac`: nothing where no code was mailed. */
export const putEmailChange = sqlStatement<AccountKey & NewEmail & { codeHmac: Buffer | null; lives: number }, never>(
  `INSERT INTO email_change (team_id, account_id, email, email_key, code_hmac, expires_at)
   VALUES ($team, $account, $email, $emailKey, $codeHmac, now() + make_interval(secs => $lives))
   ON CONFLICT (team_id, account_id) DO UPDATE SET email = excluded.email, email_key = excluded.email_key, code_hmac = excluded.code_hmac,
     tries = 0, expires_at = excluded.expires_at`,
);

export const tryEmailChange = sqlStatement<AccountKey & { maxTries: number }, Row<'email_change', 'email' | 'email_key' | 'code_hmac'>>(
  `UPDATE email_change SET tries = tries + 1 WHERE team_id = $team AND account_id = $account AND tries < $maxTries AND expires_at > now()
   RETURNING email, email_key, code_hmac`,
);

/** Takes the change and makes it, if the code is still the one that was checked. */
export const takeEmailChange = sqlStatement<AccountKey & { codeHmac: Buffer; at: Date }, { id: string }>(
  `WITH taken AS (
     DELETE FROM email_change WHERE team_id = $team AND account_id = $account AND code_hmac = $codeHmac RETURNING email, email_key
   ) UPDATE account SET email = taken.email, email_key = taken.email_key, version = version + 1, updated_at = $at FROM taken
   WHERE team_id = $team AND id = $account RETURNING id`,
);

/** A person who may sign in: neither they nor their team is suspended. */
export const activeMember = sqlStatement<
  { team: string; id: string },
  Row<'account', 'id' | 'email' | 'first_name' | 'last_name' | 'role' | 'locale' | 'two_factor_enabled' | 'credential_epoch'>
>(
  `SELECT a.id, a.email, a.first_name, a.last_name, a.role, a.locale, a.two_factor_enabled, a.credential_epoch FROM account a JOIN team t ON t.team_id = a.team_id
   WHERE a.team_id = $team AND a.id = $id AND a.status = 'active' AND a.deleted_at IS NULL AND t.status = 'active'`,
);

/** Whom to tell of what a person has made, and the person's name. */
export const ownerContactFor = sqlStatement<
  { team: string; account: string },
  { email: string; first_name: string; locale: string; person: string | null }
>(
  `SELECT o.email, o.first_name, o.locale, p.first_name || ' ' || p.last_name AS person
   FROM account o LEFT JOIN account p ON p.team_id = $team AND p.id = $account
   WHERE o.team_id = $team AND o.role = 'owner' AND o.deleted_at IS NULL`,
);

export const otherMembers = sqlStatement<{ team: string; id: string }, { others: number }>(
  'SELECT count(*)::int AS others FROM account WHERE team_id = $team AND id <> $id AND deleted_at IS NULL',
);

export const setRole = sqlStatement<{ team: string; id: string; role: string; at: Date }, never>(
  'UPDATE account SET role = $role, version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);

/** Leaves a tombstone: the identifier, without a person behind it. */
export const eraseAccount = sqlStatement<{ team: string; id: string; at: Date }, never>(
  `UPDATE account SET email = '', email_key = '', first_name = '', last_name = '', timezone = 'UTC', locale = 'en', password_hash = NULL,
     status = 'deleted', two_factor_enabled = false, onboarding_completed_at = NULL, version = version + 1, updated_at = $at, deleted_at = $at
   WHERE team_id = $team AND id = $id`,
);

/** Sessions remember where they came from; an erased person's do not. */
export const eraseSessions = sqlStatement<{ team: string; id: string }, never>(
  `WITH held AS (SELECT s.id FROM session s WHERE s.team_id = $team AND s.account_id = $id ORDER BY s.id FOR NO KEY UPDATE)
   UPDATE session SET ip = NULL, user_agent = NULL FROM held WHERE session.team_id = $team AND session.id = held.id`,
);

/** Erases the addresses a person acted from out of the team's journal; digests stay, so that its tree still verifies. */
export const eraseAddresses = sqlStatement<{ id: string }, { erased: number }>('SELECT erase_addresses($id)::float8 AS erased');

/** Waiting setups, challenges and changes that are over. */
export const dropExpiredFactors = [
  'DELETE FROM two_factor_setup WHERE expires_at < now()',
  'DELETE FROM sign_in_challenge WHERE expires_at < now()',
  'DELETE FROM email_change WHERE expires_at < now()',
  'DELETE FROM passkey_challenge_spent WHERE expires_at < now()',
].map((text) => sqlStatement<object, never>(text));

/** Moves a team from one standing to another; no row when it is in neither. */
export const moveTeam = sqlStatement<{ team: string; from: string; to: string; at: Date }, { team_id: string }>(
  'UPDATE team SET status = $to, version = version + 1, updated_at = $at WHERE team_id = $team AND status = $from RETURNING team_id',
);
