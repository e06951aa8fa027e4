import { equalInConstantTime, hmac } from './tokens.ts';

/** The content of a refresh token: its session, the team or staff member of the session, and the number of rotations. */
export type RefreshClaim = { owner: string; session: string; counter: number };

/** The first key signs new tokens. Every key is accepted for reading. */
export type RefreshKeys = readonly [Buffer, ...Buffer[]];

const prefix = 'rt_';
const bodyBytes = 16 + 16 + 4;
const macBytes = 32;

const uuidBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');
const uuidText = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/**
 * Writes a refresh token. It is a keyed hash of the session and a counter. Concurrent requests get the same
 * successor without any stored token.
 */
export function writeRefreshToken([key]: RefreshKeys, claim: RefreshClaim): string {
  const body = Buffer.concat([uuidBytes(claim.owner), uuidBytes(claim.session), Buffer.alloc(4)]);
  body.writeUInt32BE(claim.counter, 32);
  return `${prefix}${Buffer.concat([body, hmac(key, body.toString('latin1'))]).toString('base64url')}`;
}

/** Reads a refresh token of this service. Returns undefined for any other text. */
export function readRefreshToken(keys: RefreshKeys, token: string): RefreshClaim | undefined {
  if (!token.startsWith(prefix) || token.length > 200) return undefined;
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
  if (bytes.length !== bodyBytes + macBytes || bytes.toString('base64url') !== token.slice(prefix.length)) return undefined;
  const body = bytes.subarray(0, bodyBytes);
  const mac = bytes.subarray(bodyBytes);
  if (!keys.some((key) => equalInConstantTime(mac, hmac(key, body.toString('latin1'))))) return undefined;
  return { owner: uuidText(body.subarray(0, 16)), session: uuidText(body.subarray(16, 32)), counter: body.readUInt32BE(32) };
}

/**
 * Classifies a token that is not the newest (see docs/reference/authentication.md). `ages` are the seconds since the latest rotations, oldest first.
 * - `successor`: just rotated, and its successor is unused. Two requests were concurrent or a response was lost. The same successor is returned.
 * - `superseded`: just rotated, and newer tokens are in use. Or rotated in the future because the clock was set back, so its age is unknown. The
 *   request is rejected, and the session stays valid.
 * - `reused`: rotated long ago. The token may be stolen.
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
