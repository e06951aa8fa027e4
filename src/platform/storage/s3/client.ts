import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, request } from 'undici';
import { StorageError } from '../storage.ts';
import type { SentBytes } from './part.ts';
import type { S3Place } from './place.ts';
import { textOf } from './xml.ts';

export type S3Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined };

/** Timeouts and retries of requests to the store. */
export type S3RetryPolicy = {
  /** Timeout of a connection attempt. */
  connectMs: number;
  /** Timeout until a response starts, and between two pieces of it. */
  answerMs: number;
  /** Maximum number of attempts of a request that failed or whose response reports a busy store or an internal error. */
  tries: number;
  /** Wait before the second attempt. It doubles with each further attempt. */
  pauseMs: number;
};

export const s3RetryPolicy: S3RetryPolicy = { connectMs: 5_000, answerMs: 20_000, tries: 4, pauseMs: 200 };

/** A request for the bucket, or for one file in it. */
export type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: SentBytes;
  tries?: number;
};

export type S3Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Readable };

/** Thrown if the store rejected a request, with the error code of the store. */
export class S3Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(`the store responded ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

const nothing = createHash('sha256').digest('hex');
const maxAnswer = 8 * 1024 * 1024;
const full = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientCapacity',
  'InsufficientStorage',
]);

/** Returns the text of a response. Throws if it is longer than any S3 response. */
export async function textOfAnswer(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += (chunk as Buffer).length;
    if (size > maxAnswer) throw new Error('the response of the store is too long');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns whether a retry can succeed: the store is busy, has an internal error, or was unreachable. */
const passes = (error: unknown): boolean =>
  !(error instanceof S3Refusal) || error.status >= 500 || error.status === 429 || error.code === 'RequestTimeout';

export type S3Client = {
  /** Sends a request with retries. Throws {@link S3Refusal} for a rejected request, otherwise {@link StorageError} `unavailable`. */
  send(request: S3Request): Promise<S3Answer>;
  /** Like `send`, but returns the text of the response. */
  text(request: S3Request): Promise<string>;
  close(): Promise<void>;
};

/**
 * Client of an S3-compatible store. The operator configures the store, so private addresses are allowed, unlike in addresses
 * that teams configure. Redirects are not followed.
 */
export function s3Client(place: S3Place, credentials: S3Credentials, retryPolicy: S3RetryPolicy): S3Client {
  const { connectMs, answerMs, pauseMs } = retryPolicy;
  const agent = new Agent({
    connect: { timeout: connectMs },
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    connections: 128,
    pipelining: 1,
  });
  const origin = new URL(place.endpoint);
  if (!place.pathStyle) origin.hostname = `${place.bucket}.${origin.hostname}`;
  const { sessionToken, ...pair } = credentials;
  const signing = { ...pair, ...(sessionToken === undefined ? {} : { sessionToken }) };
  const base = place.pathStyle ? `${origin.origin}/${place.bucket}` : origin.origin;

  async function once({ method, key, query = {}, headers, body }: S3Request): Promise<S3Answer> {
    const url = new URL(key === undefined ? `${base}/` : `${base}/${place.prefix}${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signed = await new AwsV4Signer({
      ...signing,
      method,
      url: url.href,
      service: 's3',
      region: place.region,
      headers: { 'x-amz-content-sha256': body?.sha256 ?? nothing, ...headers },
    }).sign();
    const answer = await request(signed.url, {
      method,
      dispatcher: agent,
      headers: { ...Object.fromEntries(signed.headers), ...(body ? { 'content-length': String(body.size) } : {}) },
      body: body ? (body.size === 0 ? Buffer.alloc(0) : body.stream()) : null,
    });
    // An abandoned, partly read response must not end the process.
    answer.body.on('error', () => undefined);
    if (answer.statusCode < 300) return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    const text = method === 'HEAD' ? '' : await textOfAnswer(answer.body);
    throw new S3Refusal(answer.statusCode, textOf(text, 'Code') ?? '');
  }

  async function withTries<T>(tries: number, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    for (let tried = 1; ; tried += 1) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof S3Refusal && (full.has(error.code) || error.status === 507))
          throw new StorageError('no_space', 'the file storage is full', { cause: error });
        if (!passes(error)) throw error;
        // The total wait must not be a multiple of the timeout.
        if (tried >= tries || performance.now() - begun > answerMs)
          throw new StorageError('unavailable', 'the store failed or did not respond', { cause: error });
        // Random, so that nodes with the same error do not retry at the same time.
        await wait(pauseMs * 2 ** (tried - 1) * (0.5 + Math.random()));
      }
    }
  }

  return {
    send: (sent) => withTries(sent.tries ?? retryPolicy.tries, () => once(sent)),
    text: (sent) => withTries(sent.tries ?? retryPolicy.tries, async () => textOfAnswer((await once(sent)).body)),
    close: () => agent.destroy(),
  };
}
