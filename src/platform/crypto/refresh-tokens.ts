import { equalInConstantTime, hmac } from './tokens.ts';

/** What a refresh token says: which session, of which team or member of staff, and how often it was rotated. */
export type RefreshClaim = { holder: string; session: string; counter: number };

/** Tokens are written under the first, and read under any. */
export type RefreshKeys = readonly [Buffer, ...Buffer[]];

const prefix = 'rt_';
const bodyBytes = 16 + 16 + 4;
const macBytes = 32;

const uuidBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');
const uuidText = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/**
 * Writes a refresh token. It is a keyed hash over the session and a counter, so that the same successor can be handed
 * out twice to requests that race, though no token is kept anywhere.
 */
export function writeRefreshToken([key]: RefreshKeys, claim: RefreshClaim): string {
  const body = Buffer.concat([uuidBytes(claim.holder), uuidBytes(claim.session), Buffer.alloc(4)]);
  body.writeUInt32BE(claim.counter, 32);
  return `${prefix}${Buffer.concat([body, hmac(key, body.toString('latin1'))]).toString('base64url')}`;
}

/** Reads a refresh token that was written here; nothing for any other text. */
export function readRefreshToken(keys: RefreshKeys, token: string): RefreshClaim | undefined {
  if (!token.startsWith(prefix) || token.length > 200) return undefined;
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
  if (bytes.length !== bodyBytes + macBytes || bytes.toString('base64url') !== token.slice(prefix.length)) return undefined;
  const body = bytes.subarray(0, bodyBytes);
  const mac = bytes.subarray(bodyBytes);
  if (!keys.some((key) => equalInConstantTime(mac, hmac(key, body.toString('latin1'))))) return undefined;
  return { holder: uuidText(body.subarray(0, 16)), session: uuidText(body.subarray(16, 32)), counter: body.readUInt32BE(32) };
}

/**
 * What a token that is no longer the newest means (authentication, 2.9). `ages` are the seconds since the latest
 * rotations, oldest first.
 * - `successor`: just rotated, and its successor is unused: two requests raced or an answer was lost; the same again
 * - `superseded`: just rotated, and newer ones are in use; or rotated at a time that has not come, since the clock was set back, and nobody
 *   can say how long ago: refused, and the session lives
 * - `reused`: rotated long ago: somebody has an old token, and nobody can say who
 */
export function judgeOldToken(
  presented: number,
  current: number,
  ages: readonly number[],
  graceSeconds: number,
): 'successor' | 'superseded' | 'reused' {
  const age = ages[ages.length - (current - presented)];
  if (presented >= current || age === undefined || age > graceSeconds) return 'reused';
  return current - presented === 1 && age >= -graceSeconds ? 'successor' : 'superseded';
}
