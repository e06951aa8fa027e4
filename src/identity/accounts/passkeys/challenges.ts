import { randomBytes } from 'node:crypto';
import { equalInConstantTime, hmac, tokenHash } from '../../../platform/crypto/tokens.ts';

/** The purpose of a challenge. A response is valid only for its purpose. */
export type PasskeyPurpose = 'register' | 'login' | 'second-factor' | 'reauthenticate';

/** Lifetime of a challenge in seconds. */
export const passkeyChallengeSeconds = 300;
const nonceBytes = 16;
const expiryBytes = 6;
const challengeBytes = nonceBytes + expiryBytes + 32;

/**
 * Creates a challenge as base64url: nonce, expiry (Unix ms), and a keyed hash of both with the purpose. Stores nothing, so that many requests cannot
 * fill a table. `subject` binds it to the session of the request or to the token of the pending sign-in.
 */
export function newPasskeyChallenge(key: Buffer, purpose: PasskeyPurpose, subject: string, now: Date): string {
  const head = Buffer.alloc(nonceBytes + expiryBytes);
  randomBytes(nonceBytes).copy(head);
  head.writeUIntBE(now.getTime() + passkeyChallengeSeconds * 1_000, nonceBytes, expiryBytes);
  return Buffer.concat([head, mac(key, purpose, subject, head)]).toString('base64url');
}

/** Returns the hash that marks a challenge as used. Returns undefined if the challenge is forged, expired or for another purpose. */
export function readPasskeyChallenge(
  key: Buffer,
  purpose: PasskeyPurpose,
  subject: string,
  challenge: string,
  now: Date,
): Buffer | undefined {
  const bytes = Buffer.from(challenge, 'base64url');
  // Only one spelling is accepted, because another spelling of the same bytes would count as unused.
  if (bytes.length !== challengeBytes || bytes.toString('base64url') !== challenge) return undefined;
  const head = bytes.subarray(0, nonceBytes + expiryBytes);
  if (!equalInConstantTime(bytes.subarray(head.length), mac(key, purpose, subject, head))) return undefined;
  return head.readUIntBE(nonceBytes, expiryBytes) > now.getTime() ? tokenHash(challenge) : undefined;
}

function mac(key: Buffer, purpose: PasskeyPurpose, subject: string, head: Buffer): Buffer {
  return hmac(key, 'passkey challenge', purpose, subject, head.toString('base64url'));
}
