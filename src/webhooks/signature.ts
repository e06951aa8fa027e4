import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

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

/** Hex HMAC-SHA256 of `<timestamp>.<body>`, keyed by the whole secret as UTF-8. */
function serviceSignature(secret: string, timestamp: string, body: Buffer): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`;
}

/** The Standard Webhooks signature, keyed by the bytes that the secret encodes. */
function standardSignature(secret: string, id: string, timestamp: string, body: Buffer): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

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

export type Received = {
  /** Header names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  /** The body as it came: not parsed and written again. */
  body: Buffer | string;
  secret: string;
  /** How old a delivery may be; 300 seconds by default. */
  toleranceSeconds?: number;
  nowSeconds?: number;
};

/**
 * For receivers: true when a delivery was signed with the secret, or with the one before it, and is not old. Compares in
 * constant time.
 */
export function verifyDelivery({ headers, body, secret, toleranceSeconds = 300, nowSeconds = Date.now() / 1_000 }: Received): boolean {
  const timestamp = headers['x-service-timestamp'];
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds) return false;
  const expected = Buffer.from(serviceSignature(secret, timestamp, Buffer.from(body)));
  return [headers['x-service-signature'], headers['x-service-signature-previous']].some((given) => {
    const signature = Buffer.from(typeof given === 'string' ? given : '');
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}
