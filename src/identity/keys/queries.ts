import type { Row } from '../../platform/database/row.ts';
import { sqlStatement } from '../../platform/database/statement.ts';

type PublishedKey = Row<'signing_key', 'kid' | 'purpose' | 'alg' | 'private_jwk' | 'status'> & { public_jwk: unknown };

/** Lists all published keys, the active one first, for readers that use only the first key. */
export const publishedKeys = sqlStatement<object, PublishedKey>(
  `SELECT kid, purpose, alg, public_jwk, private_jwk, status FROM signing_key WHERE status <> 'removed' ORDER BY status, created_at DESC`,
);

/** Serializes key changes of all nodes until the transaction ends. */
export const lockKeys = sqlStatement<object, never>("SELECT pg_advisory_xact_lock(hashtextextended('signing keys', 0))");

type KeyAges = Row<'signing_key', 'kid' | 'purpose' | 'alg' | 'status'> & {
  published_for: number;
  active_for: number | null;
  retired_for: number | null;
  due: boolean;
};

/** Returns the ages of keys in seconds by the database clock, which all nodes share. */
export const keyAges = sqlStatement<object, KeyAges>(
  `SELECT kid, purpose, alg, status,
     extract(epoch FROM now() - created_at)::float8 AS published_for,
     CASE WHEN status = 'active' THEN extract(epoch FROM now() - activated_at)::float8 END AS active_for,
     CASE WHEN status = 'retired' THEN extract(epoch FROM now() - retired_at)::float8 END AS retired_for,
     coalesce(activates_at <= now(), false) AS due
   FROM signing_key WHERE status <> 'removed'`,
);

export type NewKey = Row<'signing_key', 'kid' | 'purpose' | 'alg'> & { publicJwk: string; privateJwk: Buffer };

export const insertNext = sqlStatement<NewKey, never>(
  `INSERT INTO signing_key (kid, purpose, alg, public_jwk, private_jwk, status) VALUES ($kid, $purpose, $alg, $publicJwk, $privateJwk, 'next')`,
);

/** Retires the active key of a purpose. Its private key is deleted, so that later backups cannot sign either. */
export const retireActive = sqlStatement<{ purpose: string }, never>(
  `UPDATE signing_key SET status = 'retired', retired_at = now(), private_jwk = NULL WHERE purpose = $purpose AND status = 'active'`,
);

export const activateNext = sqlStatement<{ kid: string }, never>(
  `UPDATE signing_key SET status = 'active', activated_at = now(), activates_at = NULL WHERE kid = $kid AND status = 'next'`,
);

/** Requests that the next key signs after it has been published for `after` seconds. */
export const askForNext = sqlStatement<{ purpose: string; after: number }, { kid: string; activates_at: string }>(
  `UPDATE signing_key SET activates_at = greatest(now(), created_at + make_interval(secs => $after))
   WHERE purpose = $purpose AND status = 'next' RETURNING kid, activates_at`,
);

/** Marks keys as removed, so that they no longer verify signatures. The rows stay as a record of past keys. */
export const removeKeys = sqlStatement<{ kids: string[] }, never>(
  `UPDATE signing_key SET status = 'removed', removed_at = now(), private_jwk = NULL WHERE kid = ANY ($kids)`,
);

/** Notifies every node when the transaction commits. */
export const notifyKeysChanged = sqlStatement<object, never>("SELECT pg_notify('signing_keys', '')");
