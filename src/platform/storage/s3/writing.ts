import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { StorageError } from '../storage.ts';
import { type S3Client, S3Refusal } from './client.ts';
import { blockBytes, openPart, type Part, sentBytes, type SentBytes } from './part.ts';
import { textOf } from './xml.ts';

/** What a part of a large file has at least, by S3's rules; and how many parts a file has at most. */
export const leastPart = 5 * 1024 * 1024;
const maxParts = 10_000;

export type StoredObject = { size: number; sha256: string };

/** What a file is written by: who waits their turn to send bytes, and who may have how much of the disk before that. */
export type Writing = {
  maxBytes: number;
  /** Sends bytes when it is their turn. */
  inTurn: <T>(send: () => Promise<T>) => Promise<T>;
  /** Takes room on the disk for a part of so many bytes. What it throws refuses the file. */
  spool: (bytes: number) => void;
};

/**
 * The bytes of a stream in parts that are all of one size save the last, with the hash of all. Each is good until the next is asked for.
 * Throws once there are more than `maxBytes`.
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
      // A full one goes once more follows: it may be the last, or the only one.
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
 * Keeps a stream under a key: a small one by a single request, a large one in parts. A part is sent when it is there whole, and waits on
 * the disk until then, so that a slow sender holds neither memory nor a turn to send. The store compares each request with its
 * SHA-256, and is asked for the length of the whole at the end. Rejects when it is not kept; whoever called then removes what may be there.
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
    // What fails here is found by the sweep of what was left half-written.
    if (upload !== undefined) await briefly(client.send({ method: 'DELETE', key, query: { uploadId: upload }, tries: 1 }).then(drain));
    throw error;
  } finally {
    await part.close();
  }
}

/** Waits for what cleans up, but not long: where the store has failed whoever sent the file is to hear of it. */
export async function briefly(cleaning: Promise<unknown>): Promise<void> {
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
  if (upload === undefined) throw new StorageError('unavailable', 'the store began no upload in parts');
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
    throw new StorageError('unavailable', 'the store took a part and did not name it');
  return etag;
}

async function complete(client: S3Client, key: string, upload: string, tags: readonly string[]): Promise<void> {
  const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag.replaceAll('"', '&quot;')}</ETag></Part>`);
  const bytes = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
  const body = sentBytes(bytes);
  const answer = await client.text({ method: 'POST', key, query: { uploadId: upload }, body }).catch((error: unknown) => {
    // An earlier try whose answer was lost has put the parts together: the length tells.
    if (error instanceof S3Refusal && error.code === 'NoSuchUpload') return '<CompleteMultipartUploadResult/>';
    throw error;
  });
  // A fault while the parts are put together comes behind a status of 200.
  if (!answer.includes('CompleteMultipartUploadResult'))
    throw new StorageError('unavailable', `the store did not put the parts together: ${textOf(answer, 'Code') ?? 'it does not say why'}`);
}

/** The length of a file; nothing where there is none. */
export async function lengthOf(client: S3Client, key: string): Promise<number | undefined> {
  const answer = await headOf(client, key);
  return answer === undefined ? undefined : Number(answer['content-length']);
}

/** What the store says of a file; nothing where there is none. */
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
