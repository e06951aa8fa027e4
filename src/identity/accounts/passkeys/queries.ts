import type { Row, RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';

type AccountKey = { team: string; account: string };
type PasskeyKey = AccountKey & { id: string };

export type PasskeyRow = Row<'passkey', 'id' | 'name' | 'synced' | 'created_at' | 'last_used_at'>;
export type CredentialRow = RowWithout<'passkey', 'account_id' | 'created_at' | 'last_used_at' | 'name' | 'team_id'> & {
  /** Of the account, when this was read. */
  epoch: number;
};

const shown = 'id, name, synced, created_at, last_used_at';

export const listPasskeys = sqlStatement<AccountKey, PasskeyRow>(
  `SELECT ${shown} FROM passkey WHERE team_id = $team AND account_id = $account ORDER BY created_at, id`,
);

export const findPasskey = sqlStatement<PasskeyKey, PasskeyRow>(
  `SELECT ${shown} FROM passkey WHERE team_id = $team AND account_id = $account AND id = $id`,
);

/** What the browser and the verification need of each passkey of a person. */
export const credentialsOf = sqlStatement<AccountKey, CredentialRow>(
  `SELECT id, credential_id, public_key, sign_count::float8 AS sign_count, transports, synced,
     (SELECT a.credential_epoch FROM account a WHERE a.team_id = $team AND a.id = $account) AS epoch
   FROM passkey WHERE team_id = $team AND account_id = $account ORDER BY created_at, id`,
  { epoch: 'a passkey names an account, by a key' },
);

export const passkeyByCredential = sqlStatement<{ credential: Buffer }, Row<'passkey', 'team_id' | 'account_id' | 'id'>>(
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

/** Keeps a passkey, which is a second factor at once. */
export const insertPasskey = sqlStatement<NewPasskey, PasskeyRow>(
  `WITH marked AS (
     UPDATE account SET two_factor_enabled = true, version = version + 1, updated_at = $at
     WHERE team_id = $team AND id = $account AND NOT two_factor_enabled
   ) INSERT INTO passkey (team_id, id, account_id, name, credential_id, public_key, sign_count, transports, synced, created_at)
   VALUES ($team, $id, $account, $name, $credential, $publicKey, $signCount, $transports, $synced, $at) RETURNING ${shown}`,
);

export const renamePasskey = sqlStatement<PasskeyKey & { name: string }, PasskeyRow>(
  `UPDATE passkey SET name = $name WHERE team_id = $team AND account_id = $account AND id = $id RETURNING ${shown}`,
);

export const deletePasskey = sqlStatement<PasskeyKey, { name: string }>(
  'DELETE FROM passkey WHERE team_id = $team AND account_id = $account AND id = $id RETURNING name',
);

/**
 * Notes that a passkey has signed. The counter goes up, or stays at zero with authenticators that count nothing (WebAuthn
 * §6.1.1); no row when it does neither, so that of two answers with one count one is taken.
 */
export const takeAssertion = sqlStatement<PasskeyKey & { signCount: number; at: Date }, { id: string }>(
  `UPDATE passkey SET sign_count = $signCount, last_used_at = $at
   WHERE team_id = $team AND account_id = $account AND id = $id AND ($signCount > sign_count OR ($signCount = 0 AND sign_count = 0)) RETURNING id`,
);

/** Remembers that a challenge was answered; no row when it was before. */
export const spendChallenge = sqlStatement<{ hash: Buffer; seconds: number }, { spent: boolean }>(
  `INSERT INTO passkey_challenge_spent (hash, expires_at) VALUES ($hash, now() + make_interval(secs => $seconds))
   ON CONFLICT DO NOTHING RETURNING true AS spent`,
);
