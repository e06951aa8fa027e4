import { randomBytes } from 'node:crypto';
import type { EndpointSecrets } from '../endpoints/secrets.ts';
import { serviceSignature, standardSignature } from '../verify.ts';
import type { Claimed } from './outcome.ts';

const prefix = 'whsec_';

/** A new endpoint secret: `whsec_` and 32 random bytes as base64, so that Standard Webhooks libraries take it as well. */
export function newSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

export type Signing = {
  eventId: string;
  eventType: string;
  /** The bytes that are sent. */
  body: Buffer;
  secret: string;
  /** The secret before the last rotation, while it still signs. */
  previousSecret?: string;
  /** Signs with the service's own Ed25519 key; absent where the owner did not ask for it. */
  signPublicly?: (content: Buffer) => Buffer;
  /** Unix time of sending. */
  nowSeconds: number;
};

/**
 * The headers of one delivery: the service's own, with exactly one signature in `x-service-signature`; that of the
 * previous secret in a header of its own; and those of Standard Webhooks, whose list takes `v1a`, an Ed25519 signature,
 * beside the `v1` ones.
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

/** The headers of one attempt: the owner's own, and the signatures as of now. Throws when what is sealed cannot be opened. */
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
