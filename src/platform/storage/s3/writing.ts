import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { StorageError } from '../storage.ts';
import { type S3Client, S3Refusal } from './client.ts';
import { blockBytes, openPart, type Part, sentBytes, type SentBytes } from './part.ts';
import { textOf } from './xml.ts';

/** The minimum size of a part in a multipart upload, and the maximum number of parts (S3). */
export const leastPart = 5 * 1024 * 1024;
const maxParts = 10_000;

export type StoredObject = { size: number; sha256: string };

/** The limits of an upload: its size, its turn to send, and its disk space. */
export type Writing = {
  maxBytes: number;
  /** Runs a send when it is its turn. */
  inTurn: <T>(send: () => Promise<T>) => Promise<T>;
  /** Reserves disk space for a part. An error rejects the file. */
  spool: (bytes: number) => void;
};

/**
 * Splits a stream into parts of equal size, except the last, and hashes the whole. Each part is valid until the next is requested.
 * Throws above `maxBytes`.
 */
async function* partsOf(
  part: Part,
  stream: Readable,
  { maxBytes, partBytes }: { maxBytes: number; partBytes: number },
  whole: { size: number; sha256: string },
): AsyncIterable<SentBytes> {
  const all = createHash('sha256');
  for await (const chunk of stream) {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
    whole.size += rest.length;
    if (whole.size > maxBytes) throw new StorageError('too_large', `the file is larger than ${maxBytes} bytes`);
    all.update(rest);
    for (; rest.length > 0;) {
      // A full part is sent when more bytes arrive, because it could be the last or only one.
      if (part.size === partBytes) {
        yield part.ended();
        part.clear();
      }
      rest = rest.subarray(await part.add(rest.subarray(0, partBytes - part.size)));
    }
  }
  whole.sha256 = all.digest('hex');
  yield part.ended();
}

/**
 * Stores a stream under a key: a small file with one request, a large file as a multipart upload. A complete part waits on the disk until it is sent,
 * so that a slow sender occupies neither memory nor a slot. The store verifies each request with its SHA-256, and the total length is checked at the
 * end. If it throws, the caller removes the file.
 */
export async function writeObject(
  client: S3Client,
  key: string,
  stream: Readable,
  { maxBytes, inTurn, spool }: Writing,
): Promise<StoredObject> {
  const whole: StoredObject = { size: 0, sha256: '' };
  const tags: string[] = [];
  const partBytes = Math.max(leastPart, Math.ceil(maxBytes / maxParts / blockBytes) * blockBytes);
  const part = openPart(() => spool(Math.min(partBytes, maxBytes)));
  let upload: string | undefined;
  try {
    for await (const bytes of partsOf(part, stream, { maxBytes, partBytes }, whole)) {
      const only = whole.sha256 !== '' && tags.length === 0;
      if (only) await inTurn(() => put(client, key, bytes));
      else {
        const id = (upload ??= await begin(client, key));
        tags.push(await inTurn(() => putPart(client, { key, upload: id, number: tags.length + 1 }, bytes)));
      }
    }
    if (upload !== undefined) await complete(client, key, upload, tags);
    const kept = await lengthOf(client, key);
    if (kept !== whole.size) throw new StorageError('unavailable', `the store has ${kept ?? 'no'} bytes of a file of ${whole.size}`);
    return whole;
  } catch (error) {
    stream.destroy();
    // If this fails, the sweep of abandoned uploads finds the parts.
    if (upload !== undefined) await waitBriefly(client.send({ method: 'DELETE', key, query: { uploadId: upload }, tries: 1 }).then(drain));
    throw error;
  } finally {
    await part.close();
  }
}

/** Waits for a cleanup for at most 1 s, so that the error reaches the client soon. */
export async function waitBriefly(cleaning: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const long = wait(1_000, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([cleaning, long]).catch(() => undefined);
  over.abort();
}

const drain = ({ body }: { body: Readable }): void => void body.resume();

async function put(client: S3Client, key: string, body: SentBytes): Promise<void> {
  drain(await client.send({ method: 'PUT', key, body }));
}

async function begin(client: S3Client, key: string): Promise<string> {
  const upload = textOf(await client.text({ method: 'POST', key, query: { uploads: '' } }), 'UploadId');
  if (upload === undefined) throw new StorageError('unavailable', 'the store did not start a multipart upload');
  return upload;
}

async function putPart(
  client: S3Client,
  { key, upload, number }: { key: string; upload: string; number: number },
  body: SentBytes,
): Promise<string> {
  const answer = await client.send({ method: 'PUT', key, query: { partNumber: String(number), uploadId: upload }, body });
  drain(answer);
  const { etag } = answer.headers;
  if (typeof etag !== 'string' || !/^"?[\w+/=-]{1,128}"?$/.test(etag))
    throw new StorageError('unavailable', 'the store returned no ETag for a part');
  return etag;
}

async function complete(client: S3Client, key: string, upload: string, tags: readonly string[]): Promise<void> {
  const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag.replaceAll('"', '&quot;')}</ETag></Part>`);
  const bytes = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
  const body = sentBytes(bytes);
  const answer = await client.text({ method: 'POST', key, query: { uploadId: upload }, body }).catch((error: unknown) => {
    // An earlier attempt without a response has completed the upload. The length is checked afterwards.
    if (error instanceof S3Refusal && error.code === 'NoSuchUpload') return '<CompleteMultipartUploadResult/>';
    throw error;
  });
  // An error during the completion arrives with the status 200.
  if (!answer.includes('CompleteMultipartUploadResult'))
    throw new StorageError(
      'unavailable',
      `the store did not complete the multipart upload: ${textOf(answer, 'Code') ?? 'no reason given'}`,
    );
}

/** Returns the length of a file; undefined if it does not exist. */
export async function lengthOf(client: S3Client, key: string): Promise<number | undefined> {
  const answer = await headOf(client, key);
  return answer === undefined ? undefined : Number(answer['content-length']);
}

/** Returns the headers of a file; undefined if it does not exist. */
export async function headOf(client: S3Client, key: string): Promise<Record<string, string | string[] | undefined> | undefined> {
  try {
    const answer = await client.send({ method: 'HEAD', key });
    drain(answer);
    return answer.headers;
  } catch (error) {
    if (error instanceof S3Refusal && error.status === 404) return undefined;
    throw error;
  }
}
