import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { StorageError } from '../storage.ts';
import { type S3Client, S3Refusal } from './client.ts';
import { textOf } from './xml.ts';

/** What a part of a large file has at least, by S3's rules; and how many parts a file has at most. */
export const leastPart = 5 * 1024 * 1024;
const mostParts = 10_000;
const blockBytes = 64 * 1024;

type Part = { pieces: Buffer[]; size: number; sha256: string };
export type Written = { size: number; sha256: string };

/** The bytes of a stream in parts that are all of one size save the last, with the hash of all. Throws once there are more than `maxBytes`. */
async function* partsOf(stream: Readable, maxBytes: number, whole: { size: number; sha256: string }): AsyncIterable<Part> {
  const partBytes = Math.max(leastPart, Math.ceil(maxBytes / mostParts));
  const all = createHash('sha256');
  let part = emptyPart();
  for await (const chunk of stream) {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
    whole.size += rest.length;
    if (whole.size > maxBytes) throw new StorageError('too_large', `the file is larger than ${maxBytes} bytes`);
    all.update(rest);
    for (; rest.length > 0;) {
      // A full one goes once more follows: it may be the last, or the only one.
      if (part.size === partBytes) {
        yield ended(part);
        part = emptyPart();
      }
      rest = rest.subarray(addTo(part, rest.subarray(0, partBytes - part.size)));
    }
  }
  whole.sha256 = all.digest('hex');
  yield ended(part);
}

const emptyPart = () => ({ pieces: [] as Buffer[], size: 0, hash: createHash('sha256') });

/** Copies bytes to the end of a part, as many as its last block takes: whoever sends single bytes would have us keep an object for each. */
function addTo(part: ReturnType<typeof emptyPart>, bytes: Buffer): number {
  if (part.size % blockBytes === 0) part.pieces.push(Buffer.allocUnsafeSlow(blockBytes));
  const taken = bytes.copy(part.pieces.at(-1) as Buffer, part.size % blockBytes);
  part.hash.update(bytes.subarray(0, taken));
  part.size += taken;
  return taken;
}

function ended({ pieces, size, hash }: ReturnType<typeof emptyPart>): Part {
  const [last, full] = [size % blockBytes, pieces.slice(0, Math.floor(size / blockBytes))];
  return { pieces: last === 0 ? full : [...full, (pieces.at(-1) as Buffer).subarray(0, last)], size, sha256: hash.digest('hex') };
}

/**
 * Keeps a stream under a key: a small one by a single request, a large one in parts, of which one is in memory at a time. The
 * store compares each request with its SHA-256, and is asked for the length of the whole at the end. Rejects when it is not kept; whoever
 * called then removes what may be there.
 */
export async function writeObject(client: S3Client, key: string, stream: Readable, maxBytes: number): Promise<Written> {
  const whole: Written = { size: 0, sha256: '' };
  const tags: string[] = [];
  let upload: string | undefined;
  try {
    for await (const part of partsOf(stream, maxBytes, whole)) {
      const only = whole.sha256 !== '' && tags.length === 0;
      if (only) await put(client, key, part);
      else {
        upload ??= await begin(client, key);
        tags.push(await putPart(client, { key, upload, number: tags.length + 1 }, part));
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

async function put(client: S3Client, key: string, body: Part): Promise<void> {
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
  body: Part,
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
  const body = { pieces: [bytes], size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
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
