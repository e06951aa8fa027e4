import { equalInConstantTime, hmac, newToken } from '../../platform/crypto/tokens.ts';

/** Creates a secret of 256 random bits. Secret scanners recognize a published secret by its prefix. */
export function newClientSecret(): string {
  return `chs_${newToken()}`;
}

/** The stored form of a secret: a keyed hash, bound to its client. A slow hash is unnecessary for 256 random bits. */
export function secretHash(key: Buffer, clientId: string, secret: string): Buffer {
  return hmac(key, clientId, secret);
}

/** Returns the secret that matches, if any. It compares each in constant time, and a dummy value if the client has no secret. */
export function shownSecret<Row extends { hash: Buffer }>(rows: readonly Row[], shown: Buffer): Row | undefined {
  const nothing = Buffer.alloc(shown.length);
  let found: Row | undefined;
  for (const row of rows) if (equalInConstantTime(row.hash, shown)) found = row;
  if (rows.length === 0) equalInConstantTime(nothing, shown);
  return found;
}
