/**
 * For receivers, published as `@chancery/webhooks`: verifies that a delivery comes from the service, is unchanged and is recent. It uses only
 * modules of Node.js.
 */
import { createHmac, createPublicKey, type JsonWebKeyInput, timingSafeEqual, verify as verifyBytes } from 'node:crypto';

/** The event of a delivery. `data` has the identifier of the resource, the team, and under `data` the members of the event type. */
export type WebhookEvent = {
  /** The identifier of the event, equal in every attempt and for every endpoint. Use it to detect repeated deliveries. */
  id: string;
  type: string;
  teamId: string;
  /** The time of the event in ISO 8601, UTC. */
  timestamp: string;
  data: Record<string, unknown>;
  /** Whether texts or lists in `data` were shortened because the event would exceed 256 KiB. Request the resource from the API. */
  dataTruncated?: boolean;
};

/** Node’s `request.headers`, a `Headers` object, or any record; names in any case. */
export type WebhookHeaders = { get(name: string): string | null } | Record<string, string | readonly string[] | undefined>;

export type VerifyOptions = {
  /** The maximum difference between the time of sending and now, in seconds; 300 by default. */
  toleranceSeconds?: number;
  /** The Unix time to compare with; by default the current time. */
  nowSeconds?: number;
};

export type VerificationErrorCode =
  | 'missing_header'
  | 'malformed_header'
  | 'timestamp_out_of_tolerance'
  | 'signature_mismatch'
  | 'malformed_body';

/** Thrown for a delivery that is not authentic. Respond with 401 and ignore the delivery. `code` is the reason. */
export class WebhookVerificationError extends Error {
  readonly code: VerificationErrorCode;
  constructor(code: VerificationErrorCode, message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
    this.code = code;
  }
}

const prefix = 'whsec_';
const defaultToleranceSeconds = 300;

/** Returns `v1=` and the hex HMAC-SHA256 of `<timestamp>.<body>`, keyed by the whole secret as UTF-8. */
export function serviceSignature(secret: string, timestamp: string, body: Uint8Array): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`;
}

/** Returns the Standard Webhooks signature, keyed by the bytes that the secret encodes. */
export function standardSignature(secret: string, id: string, timestamp: string, body: Uint8Array): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

/**
 * Returns the headers of a callback that completes a workflow step (`workflow.step.callback_requested`). They sign the nonce of that event, the
 * time and the body with the endpoint’s secret, as in Standard Webhooks.
 *
 * @param rawBody the bytes to send, `{"outcome": "…"}`
 */
export function signAnswer(
  rawBody: string | Uint8Array,
  nonce: string,
  secret: string,
  nowSeconds: number = Math.floor(Date.now() / 1_000),
): Record<string, string> {
  const timestamp = String(nowSeconds);
  return {
    'content-type': 'application/json',
    'webhook-id': nonce,
    'webhook-timestamp': timestamp,
    'webhook-signature': standardSignature(secret, nonce, timestamp, bytesOf(rawBody)),
  };
}

/**
 * Verifies a delivery with the secret of its endpoint and returns its event. During a rotation, deliveries are signed with the old secret too; you
 * may also pass both secrets.
 *
 * @param rawBody the bytes as received: a body that was parsed and serialized again has another signature
 * @param secret `whsec_…`, or several
 * @throws {WebhookVerificationError} if the delivery is not authentic
 * @throws {TypeError} for a missing raw body or secret
 */
export function verify(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent {
  const body = bytesOf(rawBody);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (secrets.length === 0 || secrets.some((one) => typeof one !== 'string' || one.length < 16))
    throw new TypeError('Give the secret that the creation of the endpoint returned: whsec_….');
  const given = [headerOf(headers, 'x-service-signature'), headerOf(headers, 'x-service-signature-previous')].filter(isText);
  if (given.length > 0) {
    const timestamp = timestampOf(headers, 'x-service-timestamp', options);
    const expected = secrets.map((one) => serviceSignature(one, timestamp, body));
    return proven(body, given, expected);
  }
  // Only the Standard Webhooks headers arrived.
  const { id, timestamp, signatures } = standardHeaders(headers, options);
  const expected = secrets.map((one) => standardSignature(one, id, timestamp, body));
  return proven(body, signatures, expected);
}

/**
 * Verifies the Ed25519 signature of a delivery, for endpoints with `signing: ed25519`, with the key set at `/.well-known/webhook-jwks.json`. Fetch
 * the key set once and cache it for its `max-age`; fetch it again before you reject a delivery. Errors as {@link verify}.
 */
export function verifyWithKeys(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  keySet: { keys: readonly object[] },
  options: VerifyOptions = {},
): WebhookEvent {
  const body = bytesOf(rawBody);
  const { id, timestamp, signatures } = standardHeaders(headers, options);
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const keys = (keySet.keys as JsonWebKeyInput['key'][]).filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519');
  const proof = signatures
    .filter((one) => one.startsWith('v1a,'))
    .map((one) => Buffer.from(one.slice(4), 'base64'))
    .some((signature) => keys.some((key) => verifyBytes(null, content, createPublicKey({ key, format: 'jwk' }), signature)));
  if (!proof) throw mismatch();
  return eventOf(body);
}

function bytesOf(rawBody: string | Uint8Array): Buffer {
  if (typeof rawBody === 'string') return Buffer.from(rawBody);
  if (rawBody instanceof Uint8Array) return Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  throw new TypeError('Give the raw body as text or bytes. A parsed body cannot be verified.');
}

const isText = (value: string | undefined): value is string => value !== undefined;

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (found === undefined || typeof found === 'string') return found;
  throw new WebhookVerificationError('malformed_header', `The header ${name} was sent more than once.`);
}

function requiredHeader(headers: WebhookHeaders, name: string): string {
  const value = headerOf(headers, name);
  if (value === undefined) throw new WebhookVerificationError('missing_header', `The header ${name} is missing.`);
  return value;
}

function timestampOf(headers: WebhookHeaders, name: string, options: VerifyOptions): string {
  const { toleranceSeconds = defaultToleranceSeconds, nowSeconds = Date.now() / 1_000 } = options;
  if (!(toleranceSeconds >= 0)) throw new TypeError('toleranceSeconds must be a number of seconds, at least 0.');
  const timestamp = requiredHeader(headers, name);
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('malformed_header', `The header ${name} is not a Unix time.`);
  if (Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError(
      'timestamp_out_of_tolerance',
      `The delivery was sent more than ${toleranceSeconds} seconds before or after now.`,
    );
  return timestamp;
}

function standardHeaders(headers: WebhookHeaders, options: VerifyOptions) {
  const signatures = requiredHeader(headers, 'webhook-signature').split(' ');
  return { id: requiredHeader(headers, 'webhook-id'), timestamp: timestampOf(headers, 'webhook-timestamp', options), signatures };
}

/** Compares each signature with each expected one, in constant time. */
function proven(body: Buffer, given: readonly string[], expected: readonly string[]): WebhookEvent {
  const matches = given.some((one) => expected.some((other) => equal(one, other)));
  if (!matches) throw mismatch();
  return eventOf(body);
}

function equal(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function mismatch(): WebhookVerificationError {
  return new WebhookVerificationError(
    'signature_mismatch',
    'No signature matches. The secret belongs to another endpoint, or the body differs from the sent bytes.',
  );
}

/** Parses the event. Call this only after the signature was verified. */
function eventOf(body: Buffer): WebhookEvent {
  try {
    const event = JSON.parse(body.toString()) as WebhookEvent;
    if (typeof event.id === 'string' && typeof event.type === 'string') return event;
  } catch {
    // Falls through to the error.
  }
  throw new WebhookVerificationError('malformed_body', 'The body is signed but is not an event.');
}
