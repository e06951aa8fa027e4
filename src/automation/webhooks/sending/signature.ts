import { randomBytes } from 'node:crypto';
import type { EndpointSecrets } from '../endpoints/secrets.ts';
import { serviceSignature, standardSignature } from '@chancery/webhooks';
import type { Claimed } from './outcome.ts';

const prefix = 'whsec_';

/** Creates an endpoint secret: `whsec_` and 32 random bytes as base64, which Standard Webhooks libraries accept too. */
export function newSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

export type Signing = {
  eventId: string;
  eventType: string;
  /** The bytes to send. */
  body: Buffer;
  secret: string;
  /** The secret before the last rotation, during its overlap. */
  previousSecret?: string;
  /** Signs with the service’s Ed25519 key; absent unless the owner chose it. */
  signPublicly?: (content: Buffer) => Buffer;
  /** The Unix time of sending. */
  nowSeconds: number;
};

/**
 * Returns the headers of one delivery. `x-service-signature` has exactly one signature, and a separate header has the signature with the previous
 * secret. The Standard Webhooks headers list `v1` signatures and may include `v1a`, an Ed25519 signature.
 */
export function signedHeaders({
  eventId,
  eventType,
  body,
  secret,
  previousSecret,
  signPublicly,
  nowSeconds,
}: Signing): Record<string, string> {
  const timestamp = String(nowSeconds);
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret];
  const standard = secrets.map((one) => standardSignature(one, eventId, timestamp, body));
  if (signPublicly) {
    const signature = signPublicly(Buffer.concat([Buffer.from(`${eventId}.${timestamp}.`), body]));
    standard.push(`v1a,${signature.toString('base64')}`);
  }
  return {
    'content-type': 'application/json',
    'x-service-signature': serviceSignature(secret, timestamp, body),
    ...(previousSecret === undefined ? {} : { 'x-service-signature-previous': serviceSignature(previousSecret, timestamp, body) }),
    'x-service-timestamp': timestamp,
    'x-service-event-id': eventId,
    'x-service-event-type': eventType,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  };
}

/** Returns the headers of one attempt: the custom headers, and signatures with the current time. Throws if a secret or header cannot be decrypted. */
export function headersOf(
  { endpointId, eventId, eventType, body, secret, previousSecret, headers, signing }: Claimed,
  secrets: EndpointSecrets,
  signPublicly: (content: Buffer) => Buffer,
): Record<string, string> {
  const own = headers ? secrets.openHeaders(endpointId, headers) : {};
  const signed = signedHeaders({
    eventId,
    eventType,
    body,
    secret: secrets.open(endpointId, secret),
    ...(previousSecret ? { previousSecret: secrets.open(endpointId, previousSecret) } : {}),
    ...(signing === 'ed25519' ? { signPublicly } : {}),
    nowSeconds: Math.floor(Date.now() / 1_000),
  });
  return { ...own, ...signed };
}
