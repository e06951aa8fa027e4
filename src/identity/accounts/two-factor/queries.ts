import { factorStatements } from '#credentials';
import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

type AccountKey = { account: string };
const ofPerson = { person_id: 'account' } as const;

type Assurance = Row<'account', 'email' | 'first_name' | 'role' | 'locale' | 'two_factor_enabled'> &
  Row<'session', 'account_id' | 'connection_id'> &
  Row<'sign_in', 'auth_time' | 'own_proof_at' | 'second_factor_at' | 'acr' | 'amr'> & {
    /** Whether an authenticator app is set up. A user can also have a passkey as the second factor, without an app. */
    app_enabled: boolean;
  };

/** Returns the current authentication of a valid session. */
export const assuranceOf = sqlStatement<{ team: string; session: string }, Assurance>(
  `SELECT s.account_id, a.email, a.first_name, a.role, a.locale, p.two_factor_enabled, i.auth_time, i.own_proof_at, i.second_factor_at, i.acr, i.amr,
     s.connection_id, EXISTS (SELECT FROM two_factor f WHERE f.person_id = s.account_id) AS app_enabled
   FROM session s JOIN sign_in i ON i.id = s.id JOIN account a ON a.team_id = s.team_id AND a.id = s.account_id JOIN person p ON p.id = s.account_id
   WHERE s.team_id = $team AND s.id = $session AND s.revoked_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()
     AND s.epoch = a.credential_epoch AND i.epoch = p.credential_epoch AND membership_is_open(a.status, a.ends_at)`,
);

/**
 * Records a new authentication of a session and makes every node read the session again. If a person with a second
 * factor signed in through a provider, the password alone does not count as a sign-in without the provider.
 */
export const raiseSession = sqlStatement<
  { session: string; amr: string[]; acr: string; secondFactor: boolean; at: Date },
  { id: string; notified: string }
>(
  `WITH raised AS (
     UPDATE sign_in SET auth_time = $at,
       own_proof_at = CASE WHEN $secondFactor OR own_proof_at IS NOT NULL OR NOT (SELECT p.two_factor_enabled FROM person p WHERE p.id = person_id)
         THEN $at ELSE own_proof_at END,
       second_factor_at = CASE WHEN $secondFactor THEN $at ELSE second_factor_at END,
       amr = $amr, acr = $acr
     WHERE id = $session AND revoked_at IS NULL RETURNING id
   ) SELECT id, pg_notify('revoked', id::text)::text AS notified FROM raised`,
);

/** The statements of authenticator apps and backup codes for users. */
export const tables = factorStatements<AccountKey>({
  key: ofPerson,
  setup: 'two_factor_setup',
  codes: 'backup_code',
  factor: { table: 'two_factor', key: ofPerson, secret: 'secret', lastStep: 'last_step' },
});

/** Stores the authenticator app. The code of `step`, which confirmed the set-up, counts as used (RFC 6238 section 5.2). */
export const enableTwoFactor = sqlStatement<AccountKey & { secret: Buffer; step: number; at: Date }, never>(
  `WITH factor AS (
     INSERT INTO two_factor (person_id, secret, last_step, enabled_at) VALUES ($account, $secret, $step, $at)
   ) UPDATE person SET two_factor_enabled = true, version = version + 1, updated_at = $at WHERE id = $account`,
);

/** Removes the authenticator app. Returns no row if there is none. */
export const dropApp = sqlStatement<AccountKey, { person_id: string }>(
  `WITH setups AS (
     DELETE FROM two_factor_setup WHERE person_id = $account
   ) DELETE FROM two_factor WHERE person_id = $account RETURNING person_id`,
);

/** Turns two-factor authentication off for a user without any factor left, and deletes its data. Returns no row while a factor remains. */
export const disableWithoutFactors = sqlStatement<AccountKey & { at: Date }, { id: string }>(
  `WITH bare AS (
     UPDATE person SET two_factor_enabled = false, version = version + 1, updated_at = $at
     WHERE id = $account AND two_factor_enabled
       AND NOT EXISTS (SELECT FROM two_factor f WHERE f.person_id = $account)
       AND NOT EXISTS (SELECT FROM passkey p WHERE p.person_id = $account)
     RETURNING id
   ), codes AS (
     DELETE FROM backup_code WHERE person_id = (SELECT id FROM bare)
   ), challenges AS (
     DELETE FROM sign_in_challenge WHERE person_id = (SELECT id FROM bare)
   ) SELECT id FROM bare`,
);

/** Removes all second factors, including passkeys. Returns no row if there was none. */
export const removeFactors = sqlStatement<AccountKey & { at: Date }, { id: string }>(
  `WITH factor AS (
     DELETE FROM two_factor WHERE person_id = $account
   ), passkeys AS (
     DELETE FROM passkey WHERE person_id = $account
   ), codes AS (
     DELETE FROM backup_code WHERE person_id = $account
   ), setups AS (
     DELETE FROM two_factor_setup WHERE person_id = $account
   ), challenges AS (
     DELETE FROM sign_in_challenge WHERE person_id = $account
   ) UPDATE person SET two_factor_enabled = false, version = version + 1, updated_at = $at
   WHERE id = $account AND two_factor_enabled RETURNING id`,
);

/** Returns the methods with which a user can complete a sign-in, preferred ones first. */
export const methodsOf = sqlStatement<AccountKey, { methods: string[] }>(
  `SELECT array_remove(ARRAY[
     CASE WHEN EXISTS (SELECT FROM two_factor WHERE person_id = $account) THEN 'totp' END,
     CASE WHEN EXISTS (SELECT FROM backup_code WHERE person_id = $account AND used_at IS NULL) THEN 'backup_code' END,
     CASE WHEN EXISTS (SELECT FROM passkey WHERE person_id = $account) THEN 'webauthn' END
   ], NULL) AS methods`,
);

export const backupCodesLeft = sqlStatement<AccountKey, { left: number }>(
  'SELECT count(*)::int AS left FROM backup_code WHERE person_id = $account AND used_at IS NULL',
);

/** Stores a challenge, which replaces an older one of the same person. `team` is the team that the sign-in opens. */
export const putChallenge = sqlStatement<
  AccountKey & {
    team: string;
    epoch: number;
    hash: Buffer;
    amr: string[];
    connection: string | null;
    idpSession: string | null;
    endsAt: string | null;
    seconds: number;
  },
  never
>(
  `INSERT INTO sign_in_challenge (person_id, opens_team_id, epoch, token_hash, amr, connection_id, idp_session, ends_at, expires_at)
   VALUES ($account, $team, $epoch, $hash, $amr, $connection, $idpSession, $endsAt::timestamptz, now() + make_interval(secs => $seconds))
   ON CONFLICT (person_id) DO UPDATE SET opens_team_id = excluded.opens_team_id, token_hash = excluded.token_hash, epoch = excluded.epoch,
     amr = excluded.amr, connection_id = excluded.connection_id, idp_session = excluded.idp_session, ends_at = excluded.ends_at, tries = 0, expires_at = excluded.expires_at`,
);

export const challengeByToken = sqlStatement<{ hash: Buffer }, { person_id: string; team_id: string }>(
  'SELECT * FROM challenge_by_token($hash)',
);

/** Counts one attempt at a valid challenge. Returns no row if all attempts are used. */
export const tryChallenge = sqlStatement<AccountKey & { hash: Buffer; maxTries: number }, { person_id: string }>(
  `UPDATE sign_in_challenge SET tries = tries + 1
   WHERE person_id = $account AND token_hash = $hash AND tries < $maxTries AND expires_at > now() RETURNING person_id`,
);

export type TakenChallenge = Row<'sign_in_challenge', 'amr' | 'connection_id' | 'idp_session' | 'ends_at' | 'epoch'>;
export const takeChallenge = sqlStatement<AccountKey & { hash: Buffer }, TakenChallenge>(
  'DELETE FROM sign_in_challenge WHERE person_id = $account AND token_hash = $hash RETURNING amr, connection_id, idp_session, ends_at, epoch',
);

/** Deletes challenges, reset links and changes that depend on the old password or address. */
export const dropPending = sqlStatement<AccountKey, never>(
  `WITH challenges AS (
     DELETE FROM sign_in_challenge WHERE person_id = $account
   ), resets AS (
     DELETE FROM password_reset WHERE person_id = $account
   ) DELETE FROM email_change WHERE person_id = $account`,
);

type NewEmail = { email: string; emailKey: string };

/** Stores a change of address. `codeHmac` is null if no code was mailed. */
export const putEmailChange = sqlStatement<AccountKey & NewEmail & { codeHmac: Buffer | null; lives: number }, never>(
  `INSERT INTO email_change (person_id, email, email_key, code_hmac, expires_at)
   VALUES ($account, $email, $emailKey, $codeHmac, now() + make_interval(secs => $lives))
   ON CONFLICT (person_id) DO UPDATE SET email = excluded.email, email_key = excluded.email_key, code_hmac = excluded.code_hmac,
     tries = 0, expires_at = excluded.expires_at`,
);

export const tryEmailChange = sqlStatement<AccountKey & { maxTries: number }, Row<'email_change', 'email' | 'email_key' | 'code_hmac'>>(
  `UPDATE email_change SET tries = tries + 1 WHERE person_id = $account AND tries < $maxTries AND expires_at > now()
   RETURNING email, email_key, code_hmac`,
);

/** Applies and deletes a change of address, if its code has not changed since the check. */
export const takeEmailChange = sqlStatement<AccountKey & { codeHmac: Buffer; at: Date }, { email: string }>(
  `WITH taken AS (
     DELETE FROM email_change WHERE person_id = $account AND code_hmac = $codeHmac RETURNING email, email_key
   ) UPDATE person SET email = taken.email, email_key = taken.email_key, version = version + 1, updated_at = $at FROM taken
   WHERE id = $account RETURNING taken.email`,
);

/** Returns a user who may sign in: neither they nor their team is suspended, and their membership has not ended. */
export const activeMember = sqlStatement<
  { team: string; id: string },
  Row<'account', 'id' | 'email' | 'first_name' | 'last_name' | 'role' | 'locale' | 'two_factor_enabled'>
>(
  `SELECT a.id, a.email, a.first_name, a.last_name, a.role, a.locale, a.two_factor_enabled FROM account a JOIN team t ON t.team_id = a.team_id
   WHERE a.team_id = $team AND a.id = $id AND membership_is_open(a.status, a.ends_at) AND a.deleted_at IS NULL AND t.status = 'active'`,
);

/** Returns the contact of the owner, and the name of the user whose resources are reported. */
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

/** Erases a person. The identifier stays for the journals. */
export const erasePerson = sqlStatement<{ id: string; at: Date }, never>(
  `UPDATE person SET email = '', email_key = '', first_name = '', last_name = '', timezone = 'UTC', locale = 'en', password_hash = NULL,
     two_factor_enabled = false, onboarding_completed_at = NULL, last_team_id = NULL, version = version + 1, updated_at = $at, deleted_at = $at
   WHERE id = $id AND deleted_at IS NULL`,
);

/** Removes network address and program of an erased person's sign-ins. */
export const eraseSignIns = sqlStatement<{ id: string }, never>(
  `WITH locked AS (SELECT i.id FROM sign_in i WHERE i.person_id = $id ORDER BY i.id FOR NO KEY UPDATE)
   UPDATE sign_in SET ip = NULL, user_agent = NULL FROM locked WHERE sign_in.id = locked.id`,
);

/** Erases a user’s network addresses from the team’s journal. Their digests stay, so that its tree still verifies. */
export const eraseAddresses = sqlStatement<{ id: string }, { erased: number }>('SELECT erase_addresses($id)::float8 AS erased');

/** Deletes expired setups, challenges and changes of address. */
export const dropExpiredFactors = [
  'DELETE FROM two_factor_setup WHERE expires_at < now()',
  'DELETE FROM sign_in_challenge WHERE expires_at < now()',
  'DELETE FROM email_change WHERE expires_at < now()',
  'DELETE FROM passkey_challenge_spent WHERE expires_at < now()',
].map((text) => sqlStatement<object, never>(text));

/** Changes the status of a team. Returns no row if it has another status than `from`. */
export const moveTeam = sqlStatement<{ team: string; from: string; to: string; at: Date }, { team_id: string }>(
  'UPDATE team SET status = $to, version = version + 1, updated_at = $at WHERE team_id = $team AND status = $from RETURNING team_id',
);
