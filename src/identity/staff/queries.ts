import { factorStatements, sessionStatements } from '#credentials';
import type { Row } from '../../platform/database/row.ts';
import { sqlStatement } from '../../platform/database/statement.ts';

export type StaffRow = Row<'staff', 'id' | 'email' | 'name' | 'is_active' | 'created_at' | 'last_login_at'> & {
  totp_enabled: boolean;
  /** Increased by each change that ends credentials (`raise_credential_epoch`). */
  credential_epoch: number;
};

const columns = 'id, email, name, is_active, totp_secret IS NOT NULL AS totp_enabled, credential_epoch, created_at, last_login_at';

export const staffByEmail = sqlStatement<{ emailKey: string }, StaffRow & { password_hash: string | null }>(
  `SELECT ${columns}, password_hash FROM staff WHERE email_key = $emailKey`,
);
export const staffById = sqlStatement<{ id: string }, StaffRow & { password_hash: string | null }>(
  `SELECT ${columns}, password_hash FROM staff WHERE id = $id`,
);
export const listStaff = sqlStatement<object, StaffRow>(`SELECT ${columns} FROM staff ORDER BY created_at, id`);
export const anyStaff = sqlStatement<object, { any: boolean }>('SELECT EXISTS (SELECT FROM staff) AS any');

type NewStaff = { id: string; email: string; emailKey: string; name: string; passwordHash: string | null; at: Date };
export const insertStaff = sqlStatement<NewStaff, { id: string }>(
  `INSERT INTO staff (id, email, email_key, name, password_hash, created_at) VALUES ($id, $email, $emailKey, $name, $passwordHash, $at)
   ON CONFLICT (email_key) DO NOTHING RETURNING id`,
);

export const setActive = sqlStatement<{ id: string; active: boolean }, { id: string }>(
  'UPDATE staff SET is_active = $active WHERE id = $id RETURNING id',
);
export const setPassword = sqlStatement<{ id: string; hash: string }, never>('UPDATE staff SET password_hash = $hash WHERE id = $id');

export const putLink = sqlStatement<{ id: string; hash: Buffer; hours: number }, never>(
  `INSERT INTO staff_password_link (staff_id, epoch, token_hash, expires_at)
   SELECT $id, s.credential_epoch, $hash, now() + make_interval(hours => $hours) FROM staff s WHERE s.id = $id
   ON CONFLICT (staff_id) DO UPDATE SET token_hash = excluded.token_hash, epoch = excluded.epoch, expires_at = excluded.expires_at`,
);
export const staffByLink = sqlStatement<{ hash: Buffer }, Row<'staff', 'id' | 'email' | 'name'>>(
  `SELECT s.id, s.email, s.name FROM staff_password_link l JOIN staff s ON s.id = l.staff_id
   WHERE l.token_hash = $hash AND l.expires_at > now() AND l.epoch = s.credential_epoch AND s.is_active`,
);
export const takeLink = sqlStatement<{ hash: Buffer }, { staff_id: string }>(
  `DELETE FROM staff_password_link l USING staff s
   WHERE l.token_hash = $hash AND l.expires_at > now() AND s.id = l.staff_id AND l.epoch = s.credential_epoch AND s.is_active RETURNING l.staff_id`,
);

type Assurance = Row<'staff_session', 'staff_id' | 'auth_time' | 'second_factor_at' | 'amr' | 'acr'> & {
  email: string;
  name: string;
  is_active: boolean;
  totp_enabled: boolean;
};

/** Returns a valid session with its owner. Each request reads it, so that an ended session is rejected at once on every node. */
export const liveSession = sqlStatement<{ session: string }, Assurance>(
  `SELECT s.id AS staff_id, s.email, s.name, s.is_active, s.totp_secret IS NOT NULL AS totp_enabled, t.auth_time, t.second_factor_at, t.amr, t.acr
   FROM staff_session t JOIN staff s ON s.id = t.staff_id
   WHERE t.id = $session AND t.revoked_at IS NULL AND t.expires_at > now() AND t.epoch = s.credential_epoch AND s.is_active`,
);

/** Verifies a staff session inside the transaction of an action. Fails if the session has ended. */
export const checkSession = sqlStatement<{ staff: string; session: string }, never>('SELECT check_staff_credential($staff, $session)');

/** Serializes changes of the credentials of one member of staff. The row is locked before those of the sessions. */
export const lockStaff = sqlStatement<{ staff: string }, never>('SELECT id FROM staff WHERE id = $staff FOR NO KEY UPDATE');

type NewSession = Row<'staff_session', 'id' | 'epoch' | 'amr' | 'acr' | 'ip'> & { staff: string; at: Date; userAgent: string | null };

/** Opens a session. Returns no row if the member of staff is inactive or their credentials have changed since they were checked. */
export const openSession = sqlStatement<NewSession, StaffRow & { password_hash: string | null }>(
  `WITH member_of_staff AS (
     UPDATE staff SET last_login_at = $at WHERE id = $staff AND is_active AND credential_epoch = $epoch RETURNING ${columns}, password_hash
   ), opened AS (
     INSERT INTO staff_session (id, staff_id, epoch, auth_time, second_factor_at, amr, acr, ip, user_agent, created_at, last_used_at, expires_at)
     SELECT $id, member_of_staff.id, member_of_staff.credential_epoch, $at, CASE WHEN $acr = 'aal2' THEN $at::timestamptz END, $amr, $acr, $ip, $userAgent, $at, $at,
       $at::timestamptz + interval '24 hours' FROM member_of_staff
   ) SELECT * FROM member_of_staff`,
);

/** Keeps all valid sessions, or one of them, after a change of credentials by moving them to the new epoch. */
export const keepSessions = sqlStatement<{ staff: string; only: string | null }, never>(
  `UPDATE staff_session t SET epoch = s.credential_epoch FROM staff s
   WHERE s.id = $staff AND t.staff_id = $staff AND t.revoked_at IS NULL AND ($only::uuid IS NULL OR t.id = $only) AND t.epoch = s.credential_epoch - 1`,
);

/** The statements of refresh tokens for staff sessions. */
export const sessions = sessionStatements<{ staff_id: string }>({
  table: 'staff_session',
  owner: 'staff_id',
  of: 'staff p',
  joined: 'p.id = s.staff_id',
  alive: 's.epoch = p.credential_epoch AND p.is_active',
  facts: 's.staff_id',
});

/** Ends one session, or with `null` all of a member of staff except one. */
export const revokeSessions = sqlStatement<{ staff: string; session: string | null; except: string | null; at: Date }, { id: string }>(
  `UPDATE staff_session SET revoked_at = $at WHERE staff_id = $staff AND revoked_at IS NULL
     AND ($session::uuid IS NULL OR id = $session) AND ($except::uuid IS NULL OR id <> $except) RETURNING id`,
);
export const raiseSession = sqlStatement<{ session: string; amr: string[]; acr: string; secondFactor: boolean; at: Date }, { id: string }>(
  `UPDATE staff_session SET auth_time = $at, second_factor_at = CASE WHEN $secondFactor THEN $at ELSE second_factor_at END, amr = $amr, acr = $acr
   WHERE id = $session AND revoked_at IS NULL RETURNING id`,
);

/** The statements of authenticator apps and backup codes for staff. */
export const factors = factorStatements<{ staff: string }>({
  key: { staff_id: 'staff' },
  setup: 'staff_totp_setup',
  codes: 'staff_backup_code',
  factor: { table: 'staff', key: { id: 'staff' }, secret: 'totp_secret', lastStep: 'totp_last_step' },
});

/** Turns TOTP on. Returns no row if it is already on. The code of `step`, which confirmed the set-up, counts as used (RFC 6238 section 5.2). */
export const enableTotp = sqlStatement<{ staff: string; secret: Buffer; step: number }, { id: string }>(
  'UPDATE staff SET totp_secret = $secret, totp_last_step = $step WHERE id = $staff AND totp_secret IS NULL RETURNING id',
);
/** Turns TOTP off and deletes its codes, set-ups and challenges. Returns no row if it is off. */
export const disableTotp = sqlStatement<{ staff: string }, { id: string }>(
  `WITH codes AS (DELETE FROM staff_backup_code WHERE staff_id = $staff),
     setups AS (DELETE FROM staff_totp_setup WHERE staff_id = $staff),
     challenges AS (DELETE FROM staff_challenge WHERE staff_id = $staff)
   UPDATE staff SET totp_secret = NULL WHERE id = $staff AND totp_secret IS NOT NULL RETURNING id`,
);
export const putChallenge = sqlStatement<{ staff: string; epoch: number; hash: Buffer; seconds: number }, never>(
  `INSERT INTO staff_challenge (staff_id, epoch, token_hash, expires_at) VALUES ($staff, $epoch, $hash, now() + make_interval(secs => $seconds))
   ON CONFLICT (staff_id) DO UPDATE SET token_hash = excluded.token_hash, epoch = excluded.epoch, tries = 0, expires_at = excluded.expires_at`,
);
export const tryChallenge = sqlStatement<{ hash: Buffer; maxTries: number }, { staff_id: string }>(
  'UPDATE staff_challenge SET tries = tries + 1 WHERE token_hash = $hash AND tries < $maxTries AND expires_at > now() RETURNING staff_id',
);
export const takeChallenge = sqlStatement<{ hash: Buffer }, { staff_id: string; epoch: number }>(
  'DELETE FROM staff_challenge WHERE token_hash = $hash RETURNING staff_id, epoch',
);
export const dropChallenges = sqlStatement<{ staff: string }, never>('DELETE FROM staff_challenge WHERE staff_id = $staff');

/** Deletes expired rows. Locked sessions are left for the next run. */
export const dropExpired = [
  'DELETE FROM staff_password_link WHERE expires_at < now()',
  'DELETE FROM staff_totp_setup WHERE expires_at < now()',
  'DELETE FROM staff_challenge WHERE expires_at < now()',
  `WITH locked AS (
     SELECT id FROM staff_session WHERE expires_at < now() - interval '30 days' OR revoked_at < now() - interval '30 days'
     ORDER BY id FOR UPDATE SKIP LOCKED
   )
   DELETE FROM staff_session s USING locked WHERE s.id = locked.id`,
].map((text) => sqlStatement<object, never>(text));
