import type { Row, RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

type AccountKey = { account: string };
type PasskeyKey = AccountKey & { id: string };

export type PasskeyRow = Row<'passkey', 'id' | 'name' | 'synced' | 'created_at' | 'last_used_at'>;
export type CredentialRow = RowWithout<'passkey', 'created_at' | 'last_used_at' | 'name' | 'person_id'> & {
  /** The credential epoch of the account when the row was read. */
  epoch: number;
};

const shown = 'id, name, synced, created_at, last_used_at';

export const listPasskeys = sqlStatement<AccountKey, PasskeyRow>(
  `SELECT ${shown} FROM passkey WHERE person_id = $account ORDER BY created_at, id`,
);

export const findPasskey = sqlStatement<PasskeyKey, PasskeyRow>(`SELECT ${shown} FROM passkey WHERE person_id = $account AND id = $id`);

/** Returns the data of a user’s passkeys for options and verification. */
export const credentialsOf = sqlStatement<AccountKey, CredentialRow>(
  `SELECT id, credential_id, public_key, sign_count::float8 AS sign_count, transports, synced,
     (SELECT p.credential_epoch FROM person p WHERE p.id = $account) AS epoch
   FROM passkey WHERE person_id = $account ORDER BY created_at, id`,
  { epoch: 'a passkey names a person, by a key' },
);

export const passkeyByCredential = sqlStatement<{ credential: Buffer }, Row<'passkey', 'person_id' | 'id'>>(
  'SELECT * FROM passkey_by_credential($credential)',
);

type NewPasskey = PasskeyKey & {
  name: string;
  credential: Buffer;
  publicKey: Buffer;
  signCount: number;
  transports: string[];
  synced: boolean;
  at: Date;
};

/** Stores a passkey, which immediately counts as a second factor. */
export const insertPasskey = sqlStatement<NewPasskey, PasskeyRow>(
  `WITH marked AS (
     UPDATE person SET two_factor_enabled = true, version = version + 1, updated_at = $at
     WHERE id = $account AND NOT two_factor_enabled
   ) INSERT INTO passkey (id, person_id, name, credential_id, public_key, sign_count, transports, synced, created_at)
   VALUES ($id, $account, $name, $credential, $publicKey, $signCount, $transports, $synced, $at) RETURNING ${shown}`,
);

export const renamePasskey = sqlStatement<PasskeyKey & { name: string }, PasskeyRow>(
  `UPDATE passkey SET name = $name WHERE person_id = $account AND id = $id RETURNING ${shown}`,
);

export const deletePasskey = sqlStatement<PasskeyKey, { name: string }>(
  'DELETE FROM passkey WHERE person_id = $account AND id = $id RETURNING name',
);

/**
 * Records the use of a passkey. The counter must increase, or stay zero for authenticators without one (WebAuthn
 * §6.1.1). Otherwise it returns no row, so that only one of two responses with the same counter is accepted.
 */
export const takeAssertion = sqlStatement<PasskeyKey & { signCount: number; at: Date }, { id: string }>(
  `UPDATE passkey SET sign_count = $signCount, last_used_at = $at
   WHERE person_id = $account AND id = $id AND ($signCount > sign_count OR ($signCount = 0 AND sign_count = 0)) RETURNING id`,
);

/** Marks a challenge as used. Returns no row if it was already used. */
export const spendChallenge = sqlStatement<{ hash: Buffer; seconds: number }, { spent: boolean }>(
  `INSERT INTO passkey_challenge_spent (hash, expires_at) VALUES ($hash, now() + make_interval(secs => $seconds))
   ON CONFLICT DO NOTHING RETURNING true AS spent`,
);
