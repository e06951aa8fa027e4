import type { Row } from '../../platform/database/row.ts';
import { sqlStatement } from '../../platform/database/statement.ts';

type PublishedKey = Row<'signing_key', 'kid' | 'purpose' | 'alg' | 'private_jwk' | 'status'> & { public_jwk: unknown };

/** Every key that is published, the one that signs first, so that a reader who takes the first takes that one. */
export const publishedKeys = sqlStatement<object, PublishedKey>(
  `SELECT kid, purpose, alg, public_jwk, private_jwk, status FROM signing_key WHERE status <> 'removed' ORDER BY status, created_at DESC`,
);

/** Puts changes of the keys one after another, whichever node makes them, until the transaction ends. */
export const lockKeys = sqlStatement<object, never>("SELECT pg_advisory_xact_lock(hashtextextended('signing keys', 0))");

type KeyAges = Row<'signing_key', 'kid' | 'purpose' | 'alg' | 'status'> & {
  published_for: number;
  active_for: number | null;
  retired_for: number | null;
  due: boolean;
};

/** Ages in seconds by the clock of the database, the one that all nodes share. */
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

/** The active key of a purpose signs no more. Its private half goes: a backup of later cannot sign either. */
export const retireActive = sqlStatement<{ purpose: string }, never>(
  `UPDATE signing_key SET status = 'retired', retired_at = now(), private_jwk = NULL WHERE purpose = $purpose AND status = 'active'`,
);

export const activateNext = sqlStatement<{ kid: string }, never>(
  `UPDATE signing_key SET status = 'active', activated_at = now(), activates_at = NULL WHERE kid = $kid AND status = 'next'`,
);

/** Asks that the next key sign: now, or as soon as it has been published so many seconds. */
export const askForNext = sqlStatement<{ purpose: string; after: number }, { kid: string; activates_at: string }>(
  `UPDATE signing_key SET activates_at = greatest(now(), created_at + make_interval(secs => $after))
   WHERE purpose = $purpose AND status = 'next' RETURNING kid, activates_at`,
);

/** Keys that nothing verifies any more. The row stays, as the record of which key there was when. */
export const removeKeys = sqlStatement<{ kids: string[] }, never>(
  `UPDATE signing_key SET status = 'removed', removed_at = now(), private_jwk = NULL WHERE kid = ANY ($kids)`,
);

/** Tells every node, when the transaction commits. */
export const notifyKeysChanged = sqlStatement<object, never>("SELECT pg_notify('signing_keys', '')");
