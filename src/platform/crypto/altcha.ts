import { createHash, createHmac, randomInt } from 'node:crypto';
import { createChallenge as createV2 } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { createChallenge as createV1, verifySolution as verifyV1 } from 'altcha-lib/v1';
import { equalInConstantTime } from './tokens.ts';

export type AltchaResult =
  | { ok: true; id: Buffer; expiresAt: Date }
  | { ok: false; code: 'altcha_required' | 'altcha_invalid' | 'altcha_expired' };

const ttlSeconds = 600;
/** The largest number that a client must try in version 1. All numbers take about half a second on a phone. */
const maxNumber = 50_000;
const v2Cost = 5_000;
const v2MaxCounter = 200;

/** Derives the key that signs the answer of a version 2 challenge. It differs from the key that signs the challenge. */
const answerKey = (key: string) => `${key} key`;

type ChallengeOptions = { key: string; now: Date };

/**
 * Returns a new signed challenge in the version 1 format, which every release of the widget accepts, or in version 2. `action` restricts the purpose
 * of the proof. Without it, the proof is valid for every use of the key.
 */
export async function createChallenge({
  key,
  now,
  version,
  action,
}: ChallengeOptions & { version: 1 | 2; action: string | undefined }): Promise<object> {
  const expires = new Date(now.getTime() + ttlSeconds * 1000);
  if (version === 1) {
    return createV1({ algorithm: 'SHA-256', hmacKey: key, maxNumber, expires, ...(action ? { params: { action } } : {}) });
  }
  return createV2({
    algorithm: 'PBKDF2/SHA-256',
    cost: v2Cost,
    counter: randomInt(1, v2MaxCounter + 1),
    deriveKey,
    expiresAt: expires,
    hmacSignatureSecret: key,
    hmacKeySignatureSecret: answerKey(key),
    ...(action ? { data: { action } } : {}),
  });
}

const invalid = { ok: false, code: 'altcha_invalid' } as const;

/**
 * Verifies a proof of either version, as base64 of JSON or as an object. Returns a hash of the signed value as its ID, so that a proof in another
 * encoding also counts as used. Verification derives no keys, because the answer of version 2 has a signature.
 */
export async function verifyProof(proof: unknown, options: ChallengeOptions & { action: string }): Promise<AltchaResult> {
  if (proof === undefined || proof === null || proof === '') return { ok: false, code: 'altcha_required' };
  const payload = decode(proof);
  if (!payload) return invalid;
  try {
    return typeof payload.challenge === 'string' ? await checkV1(payload, options) : checkV2(payload, options);
  } catch {
    return invalid;
  }
}

type Payload = Record<string, unknown>;

function isRecord(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function decode(proof: unknown): Payload | undefined {
  if (isRecord(proof)) return proof;
  if (typeof proof !== 'string' || proof.length > 8_192) return undefined;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(proof, 'base64').toString());
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function idOf(signed: string): Buffer {
  return createHash('sha256').update(signed).digest();
}

async function checkV1(payload: Payload, { key, now, action }: ChallengeOptions & { action: string }): Promise<AltchaResult> {
  const { algorithm, challenge, number, salt, signature } = payload;
  if (algorithm !== 'SHA-256' || typeof challenge !== 'string' || !/^[0-9a-f]{64}$/.test(challenge)) return invalid;
  // The delimiter at the end keeps digits from moving between the salt and the number.
  if (typeof salt !== 'string' || !salt.endsWith('&') || typeof signature !== 'string' || typeof number !== 'number') return invalid;
  if (!Number.isInteger(number) || number < 0 || number > maxNumber) return invalid;
  if (!(await verifyV1({ algorithm, challenge, number, salt, signature }, key, false))) return invalid;
  const parameters = new URLSearchParams(salt.slice(salt.indexOf('?') + 1));
  return accept(challenge, Number(parameters.get('expires')), parameters.get('action'), action, now);
}

/**
 * Checks version 2 without the library. The library checks the expiry with its own clock and before the signature, so its result `expired` can come
 * from forged content.
 */
function checkV2(payload: Payload, { key, now, action }: ChallengeOptions & { action: string }): AltchaResult {
  const { challenge, solution } = payload;
  if (!isRecord(challenge) || !isRecord(challenge.parameters) || !isRecord(solution)) return invalid;
  const { parameters } = challenge;
  if (!isHmac(challenge.signature, key, canonical(parameters))) return invalid;
  const { counter, derivedKey } = solution;
  if (!Number.isInteger(counter) || typeof derivedKey !== 'string' || !/^[0-9a-f]{64}$/.test(derivedKey)) return invalid;
  if (!isHmac(parameters.keySignature, answerKey(key), Buffer.from(derivedKey, 'hex'))) return invalid;
  const boundTo = isRecord(parameters.data) && typeof parameters.data.action === 'string' ? parameters.data.action : null;
  return accept(String(parameters.nonce), Number(parameters.expiresAt), boundTo, action, now);
}

/** Returns the text that the library signs: JSON with sorted members. */
function canonical(parameters: Payload): string {
  return JSON.stringify(parameters, (_name, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

function isHmac(given: unknown, key: string, message: string | Buffer): boolean {
  const expected = createHmac('sha256', key).update(message).digest('hex');
  return typeof given === 'string' && equalInConstantTime(Buffer.from(given), Buffer.from(expected));
}

function accept(signed: string, expires: number, boundTo: string | null, action: string, now: Date): AltchaResult {
  if (boundTo !== null && boundTo !== action) return invalid;
  const expiresAt = new Date(expires * 1000);
  // An invalid time is treated as expired.
  if (!(expiresAt.getTime() > now.getTime())) return { ok: false, code: 'altcha_expired' };
  return { ok: true, id: idOf(signed), expiresAt };
}
