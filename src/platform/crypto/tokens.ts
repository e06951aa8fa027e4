import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** Returns 32 random bytes as base64url, for a link or one-time token. Only its hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns a token that names its team: the 16 bytes of the team's identifier and 32 random bytes, as base64url. A request that shows nothing but the
 * token is thereby looked up in one team.
 */
export function newTeamToken(team: string): string {
  const token = Buffer.concat([Buffer.from(team.replaceAll('-', ''), 'hex'), randomBytes(32)]).toString('base64url');
  // Programs that find links in a text can omit a dash at the end.
  return /[-_]$/.test(token) ? newTeamToken(team) : token;
}

/** Returns the team and the hash of a {@link newTeamToken}, or undefined if the text has another form. */
export function readTeamToken(text: string): { team: string; hash: Buffer } | undefined {
  if (!/^[\w-]{64}$/.test(text)) return undefined;
  const hex = Buffer.from(text, 'base64url').toString('hex', 0, 16);
  return { team: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), hash: tokenHash(text) };
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
