import { equalInConstantTime, hmac, newToken } from '../../platform/crypto/tokens.ts';

/** A secret of 256 random bits; the prefix lets scanners of published code find one that leaked. */
export function newClientSecret(): string {
  return `chs_${newToken()}`;
}

/** What is kept of a secret: a keyed hash, bound to its client. So many bits need no slow one. */
export function secretHash(key: Buffer, clientId: string, secret: string): Buffer {
  return hmac(key, clientId, secret);
}

/** The one of a client's secrets that was shown, if any. Each is compared, in constant time; without any, one that matches nothing. */
export function shownSecret<Row extends { hash: Buffer }>(rows: readonly Row[], shown: Buffer): Row | undefined {
  const nothing = Buffer.alloc(shown.length);
  let found: Row | undefined;
  for (const row of rows) if (equalInConstantTime(row.hash, shown)) found = row;
  if (rows.length === 0) equalInConstantTime(nothing, shown);
  return found;
}
