import { randomUUIDv7 } from 'node:crypto';
import type { Readable } from 'node:stream';
import { FairBudget } from '../../fair-budget.ts';
import { FairQueue } from '../../fair-queue.ts';
import { isUuid } from '../../identifiers.ts';
import { type FileStore, type NoteStore, noteText, requireRange, StorageError, type StoredFile } from '../storage.ts';
import { type S3Client, s3Client, type S3Credentials, S3Refusal, type S3RetryPolicy, s3RetryPolicy } from './client.ts';
import { sentBytes } from './part.ts';
import type { S3Place } from './place.ts';
import { readObject } from './reading.ts';
import { waitBriefly, headOf, writeObject } from './writing.ts';
import { elements, textOf } from './xml.ts';

/** An S3 storage, with a check for the start. */
export type S3Store = FileStore &
  NoteStore & {
    /** Stores, finds, lists and removes a file of one byte. Throws a {@link StorageError} whose cause can be an {@link S3Refusal}. */
    probe(): Promise<void>;
    close(): Promise<void>;
  };

/** Maximum number of concurrent sends to the store, in total and per owner. */
const sendConcurrency = 48;
const sendConcurrencyPerOwner = 16;

/** The share of the free disk space that one owner can use. */
const partOfRoom = 1 / 8;

/**
 * Age in milliseconds from which a multipart upload counts as abandoned. The store reports only the start time, and a large upload can take hours.
 */
const abandonedMs = 24 * 3_600_000;

/** Stores files in a bucket, under random keys without folders. The service never gives out URLs of the bucket. */
export function createS3Storage(
  place: S3Place,
  credentials: S3Credentials,
  { retryPolicy = s3RetryPolicy, spoolBytes }: { retryPolicy?: S3RetryPolicy; spoolBytes: number },
): S3Store {
  const client = s3Client(place, credentials, retryPolicy);
  const sends = new FairQueue({ concurrency: sendConcurrency, concurrencyPerKey: sendConcurrencyPerOwner });
  const budget = new FairBudget({ total: spoolBytes, part: partOfRoom });
  const store: S3Store = {
    write: (stream, options) => write({ client, sends, budget }, stream, options),

    async read(key, range) {
      requireRange(range);
      requireKey(key);
      return readObject(client, key, range).catch((error: unknown) => {
        throw storageError(error);
      });
    },

    async remove(key) {
      requireKey(key);
      await remove(client, key);
    },

    keys: () => listKeys(client, place),

    async has(key) {
      if (!isUuid(key)) return false;
      return (await withStorageErrors(headOf(client, key))) !== undefined;
    },

    async isOlder(key, ms) {
      requireKey(key);
      const head = await withStorageErrors(headOf(client, key));
      if (head === undefined) return false;
      // Both times come from the clock of the store.
      const [now, kept] = [Date.parse(String(head.date)), Date.parse(String(head['last-modified']))];
      return kept < (Number.isNaN(now) ? Date.now() : now) - ms;
    },

    removeAbandoned: (olderThanMs = abandonedMs) => abortUploads(client, place, olderThanMs),

    async readNote(name) {
      try {
        return await noteText(name, await withStorageErrors(readObject(client, name)));
      } catch (error) {
        if (error instanceof StorageError && error.reason === 'missing') return undefined;
        throw error;
      }
    },

    async writeNote(name, text) {
      const { body } = await withStorageErrors(client.send({ method: 'PUT', key: name, body: sentBytes(Buffer.from(text)) }));
      body.resume();
    },

    async probe() {
      const key = randomUUIDv7();
      await withStorageErrors(client.send({ method: 'PUT', key, body: sentBytes(Buffer.from('?')) }));
      const there = await store.has(key);
      await list(client, { 'list-type': '2', prefix: place.prefix, 'max-keys': '1' });
      await store.remove(key);
      if (!there) throw new StorageError('unavailable', 'the store does not find a file that was just stored');
    },

    close: () => client.close(),
  };
  return store;
}

type Sending = { client: S3Client; sends: FairQueue; budget: FairBudget };

async function write(
  { client, sends, budget }: Sending,
  stream: Readable,
  { maxBytes, ownerKey, key = randomUUIDv7() }: Parameters<FileStore['write']>[1],
): Promise<StoredFile> {
  let leave: (() => void) | undefined;
  const spool = (bytes: number): void => {
    // Files of the service itself are limited by the number of concurrent jobs.
    if (ownerKey === undefined) return;
    leave = budget.take(ownerKey, bytes);
    if (!leave) throw new StorageError('crowded', 'too many uploads to the store in progress');
  };
  try {
    return { key, ...(await writeObject(client, key, stream, { maxBytes, spool, inTurn: (send) => sends.run(ownerKey ?? '', send) })) };
  } catch (error) {
    // The store may have stored the file despite the error. If the removal fails too, the nightly comparison finds it.
    await waitBriefly(remove(client, key, 1));
    throw storageError(error);
  } finally {
    leave?.();
  }
}

function requireKey(key: string): void {
  if (!isUuid(key)) throw new StorageError('missing', 'the file does not exist');
}

/** Returns the key if the file belongs to this service; undefined for other files in the bucket. */
function ownKey({ prefix }: S3Place, key = ''): string[] {
  const own = key.startsWith(prefix) ? key.slice(prefix.length) : '';
  return isUuid(own) ? [own] : [];
}

/** Converts a rejection by the store to a storage error. The settings or the store cause it, so the uploader cannot fix it. */
function storageError(error: unknown): unknown {
  if (!(error instanceof S3Refusal)) return error;
  if (error.code === 'NoSuchKey' || (error.status === 404 && error.code !== 'NoSuchBucket'))
    return new StorageError('missing', 'the file is not in the storage', { cause: error });
  return new StorageError('unavailable', 'the store rejected a request', { cause: error });
}

async function withStorageErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw storageError(error);
  }
}

async function list(client: S3Client, query: Record<string, string>): Promise<string> {
  const page = await withStorageErrors(client.text({ method: 'GET', query }));
  if (!/<List(Bucket|MultipartUploads)Result/.test(page)) throw new StorageError('unavailable', 'the store did not return a list');
  return page;
}

async function remove(client: S3Client, key: string, tries?: number): Promise<void> {
  try {
    (await client.send({ method: 'DELETE', key, ...(tries === undefined ? {} : { tries }) })).body.resume();
  } catch (error) {
    if (error instanceof S3Refusal && error.code === 'NoSuchKey') return;
    throw storageError(error);
  }
}

async function* listKeys(client: S3Client, place: S3Place): AsyncGenerator<string[]> {
  for (let token: string | undefined; ;) {
    const page = await list(client, {
      'list-type': '2',
      prefix: place.prefix,
      ...(token === undefined ? {} : { 'continuation-token': token }),
    });
    const keys = elements(page, 'Contents').flatMap((entry) => ownKey(place, textOf(entry, 'Key')));
    if (keys.length > 0) yield keys;
    token = textOf(page, 'IsTruncated') === 'true' ? textOf(page, 'NextContinuationToken') : undefined;
    if (token === undefined) return;
  }
}

/** Aborts multipart uploads that started longer ago than this. Their parts use space but appear in no file list. */
async function abortUploads(client: S3Client, place: S3Place, olderThanMs: number): Promise<number> {
  let aborted = 0;
  for (let after: Record<string, string> = {}; ;) {
    const page = await list(client, { uploads: '', prefix: place.prefix, ...after });
    for (const entry of elements(page, 'Upload')) {
      const [[key], upload] = [ownKey(place, textOf(entry, 'Key')), textOf(entry, 'UploadId')];
      if (key === undefined || upload === undefined || Date.parse(textOf(entry, 'Initiated') ?? '') > Date.now() - olderThanMs) continue;
      await withStorageErrors(client.send({ method: 'DELETE', key, query: { uploadId: upload } }).then(({ body }) => void body.resume()));
      aborted += 1;
    }
    const [key, upload] = [textOf(page, 'NextKeyMarker'), textOf(page, 'NextUploadIdMarker')];
    if (textOf(page, 'IsTruncated') !== 'true' || key === undefined) return aborted;
    after = { 'key-marker': key, ...(upload === undefined ? {} : { 'upload-id-marker': upload }) };
  }
}
