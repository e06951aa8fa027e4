import type { Readable } from 'node:stream';
import { type Problem, problems } from '../problems.ts';

/** The key, size and hash of a stored file. */
export type StoredFile = { key: string; size: number; sha256: string };

/** Bytes of a file, from `start` to `end` inclusive. */
export type ByteRange = { start: number; end: number };

/** Throws a RangeError for an invalid byte range. */
export function requireRange(range: ByteRange | undefined): void {
  if (range && !(Number.isSafeInteger(range.start) && Number.isSafeInteger(range.end) && range.start >= 0 && range.start <= range.end))
    throw new RangeError(`${range.start} to ${range.end} is not a byte range`);
}

/** The file storage. A file is written once and never changes. */
export type Storage = {
  /**
   * Stores and hashes a stream. If the stream fails or exceeds `maxBytes`, nothing is stored.
   *
   * @param options.ownerKey shares concurrency and memory fairly among the senders of uploads
   * @param options.declaredBytes the maximum number of bytes that the sender declared, if any
   * @param options.key the key of a file from a backup; by default a new one
   */
  write(
    stream: Readable,
    options: { maxBytes: number; ownerKey?: string; declaredBytes?: number | undefined; key?: string },
  ): Promise<StoredFile>;
  /** Returns the bytes from `start` to `end` inclusive, or all bytes. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  remove(key: string): Promise<void>;
};

/** A storage with maintenance functions. */
export type FileStore = Storage & {
  /** Yields the keys of all files, in batches. */
  keys(): AsyncIterable<string[]>;
  has(key: string): Promise<boolean>;
  /** Returns whether a file was stored more than `ms` milliseconds ago; false if it does not exist. */
  isOlder(key: string, ms: number): Promise<boolean>;
  /** Removes abandoned incomplete files, for example of a killed process, and returns their number. */
  removeAbandoned(olderThanMs?: number): Promise<number>;
};

/** Notes that belong to no row of the database. Each has a fixed name, and a write replaces it completely. */
export type NoteStore = {
  /** Returns the text of a note, or `undefined` if there is none. Throws a {@link StorageError} for one above {@link maxNoteBytes}. */
  readNote(name: NoteName): Promise<string | undefined>;
  writeNote(name: NoteName, text: string): Promise<void>;
};
export type NoteName = 'audit-checkpoints.json';
export const maxNoteBytes = 64 * 1024;

/** Reads the text of a note of at most {@link maxNoteBytes}. */
export async function noteText(name: NoteName, stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += (chunk as Buffer).length;
    if (size > maxNoteBytes) throw new StorageError('too_large', `the note ${name} is larger than ${maxNoteBytes} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

/** Thrown if a file operation failed. Has the reason. */
export class StorageError extends Error {
  readonly reason: 'too_large' | 'no_space' | 'crowded' | 'missing' | 'unavailable';
  constructor(reason: StorageError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.reason = reason;
  }
}

/** Converts a storage error to a problem with `Retry-After`: 503 if the storage is unavailable or full, 429 if too many uploads are in progress. */
export function storageProblem(error: unknown): Problem | undefined {
  if (error instanceof StorageError && error.reason === 'crowded')
    return problems.rate_limited(
      'You or all users together have too many uploads in progress. The file was not stored. Send it again in a few seconds, and send fewer at the same time.',
      { headers: { 'retry-after': '5' } },
    );
  if (error instanceof StorageError && error.reason === 'no_space')
    return problems.unavailable(
      'The file storage is full. Nothing was stored. Ask the operator to free some space, and send the request again later.',
      { headers: { 'retry-after': '60' } },
    );
  if (!(error instanceof StorageError) || error.reason !== 'unavailable') return undefined;
  return problems.unavailable(
    'The file storage is currently unavailable. Nothing was stored. Send the request again later; if it fails again, inform the operator.',
    {
      headers: { 'retry-after': '30' },
    },
  );
}
