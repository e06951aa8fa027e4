import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** 32 random bytes as base64url: a link or one-time token. Only its hash is kept. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns whether a text has the form of a {@link newToken}. Nothing else is looked up. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** What is stored of a token. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A decimal code, each equally likely. */
export function newCode(digits: number): string {
  return String(randomInt(10 ** digits)).padStart(digits, '0');
}

/** A keyed hash: for codes and addresses, which are too few to keep under a plain one. */
export function hmac(key: Buffer, ...parts: string[]): Buffer {
  const mac = createHmac('sha256', key);
  // Lengths go in too, so that no two lists of parts read the same.
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:${part}`);
  return mac.digest();
}

export function equalInConstantTime(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
