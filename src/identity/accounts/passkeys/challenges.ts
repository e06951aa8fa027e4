import { randomBytes } from 'node:crypto';
import { equalInConstantTime, hmac, tokenHash } from '../../../platform/crypto/tokens.ts';

/** What a challenge was made for: an answer to one is good for nothing else. */
export type PasskeyPurpose = 'register' | 'login' | 'second-factor' | 'reauthenticate';

/** Seconds that a challenge can be answered. */
export const passkeyChallengeSeconds = 300;
const nonceBytes = 16;
const expiryBytes = 6;
const challengeBytes = nonceBytes + expiryBytes + 32;

/**
 * A challenge for an authenticator to sign, as base64url: nonce, end (Unix ms), and a keyed hash of both with what it is
 * for. Asking for one writes nothing, so that nobody fills a table by asking. `subject` says whose it is: the session that
 * asks, or the token of the sign-in that waits.
 */
export function newPasskeyChallenge(key: Buffer, purpose: PasskeyPurpose, subject: string, now: Date): string {
  const head = Buffer.alloc(nonceBytes + expiryBytes);
  randomBytes(nonceBytes).copy(head);
  head.writeUIntBE(now.getTime() + passkeyChallengeSeconds * 1_000, nonceBytes, expiryBytes);
  return Buffer.concat([head, mac(key, purpose, subject, head)]).toString('base64url');
}

/** The hash by which an answered challenge is remembered; nothing when it is not one of ours, not for this, or has ended. */
export function readPasskeyChallenge(
  key: Buffer,
  purpose: PasskeyPurpose,
  subject: string,
  challenge: string,
  now: Date,
): Buffer | undefined {
  const bytes = Buffer.from(challenge, 'base64url');
  // One spelling alone, or a second one of the same bytes would count as unused.
  if (bytes.length !== challengeBytes || bytes.toString('base64url') !== challenge) return undefined;
  const head = bytes.subarray(0, nonceBytes + expiryBytes);
  if (!equalInConstantTime(bytes.subarray(head.length), mac(key, purpose, subject, head))) return undefined;
  return head.readUIntBE(nonceBytes, expiryBytes) > now.getTime() ? tokenHash(challenge) : undefined;
}

function mac(key: Buffer, purpose: PasskeyPurpose, subject: string, head: Buffer): Buffer {
  return hmac(key, 'passkey challenge', purpose, subject, head.toString('base64url'));
}
