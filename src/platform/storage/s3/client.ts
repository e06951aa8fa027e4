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

/** How long the store is waited for, and how often it is asked. */
export type S3RetryPolicy = {
  /** Until a connection stands. */
  connectMs: number;
  /** Until an answer begins, and between two pieces of it. */
  answerMs: number;
  /** Tries of a request that failed on the way, or whose answer says that the store is busy or has a fault. */
  tries: number;
  /** Before the second try; then twice as long each time. */
  pauseMs: number;
};

export const s3RetryPolicy: S3RetryPolicy = { connectMs: 5_000, answerMs: 20_000, tries: 4, pauseMs: 200 };

/** A request of the bucket, or of one file in it. */
export type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: SentBytes;
  tries?: number;
};

export type S3Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Readable };

/** What the store refused, by its own code. */
export class S3Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(`the store answered ${status} ${code}`);
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

/** The text of an answer that is no file. Throws when it is longer than any answer of S3. */
export async function textOfAnswer(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += (chunk as Buffer).length;
    if (size > maxAnswer) throw new Error('the store answers without end');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

/** Whether another try may go better: the store is busy, has a fault, or was not reached. */
const passes = (error: unknown): boolean =>
  !(error instanceof S3Refusal) || error.status >= 500 || error.status === 429 || error.code === 'RequestTimeout';

export type S3Client = {
  /** Sends a request, again while that may help. Throws {@link S3Refusal} for what is refused, otherwise {@link StorageError} `unavailable`. */
  send(request: S3Request): Promise<S3Answer>;
  /** The same, for an answer whose text is wanted. */
  text(request: S3Request): Promise<string>;
  close(): Promise<void>;
};

/**
 * Speaks with an S3-compatible store. The operator names it, so that it may have a private address: the rules for addresses that
 * teams name do not hold here. No redirect is followed.
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
    // Whoever lets go of an answer that it has not read whole is not to end the process with it.
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
          throw new StorageError('no_space', 'the store has no room left for files', { cause: error });
        if (!passes(error)) throw error;
        // Whoever waits for an answer is not to wait for several times what the store may take.
        if (tried >= tries || performance.now() - begun > answerMs)
          throw new StorageError('unavailable', 'the store of files does not answer as it should', { cause: error });
        // Unevenly: nodes that met the same fault do not come back at once.
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
