import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** Returns 32 random bytes as base64url, for a link or one-time token. Only its hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text has the form of a {@link newToken}. Other texts are not looked up. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** Returns the hash to store for a token. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns a random decimal code. All values are equally likely. */
export function newCode(digits: number): string {
  return String(randomInt(10 ** digits)).padStart(digits, '0');
}

/** Returns a keyed hash. Use it for codes and addresses, which could be guessed from a hash without a key. */
export function hmac(key: Buffer, ...parts: string[]): Buffer {
  const mac = createHmac('sha256', key);
  // The length prefixes prevent two lists of parts from having the same hash.
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:${part}`);
  return mac.digest();
}

export function equalInConstantTime(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
