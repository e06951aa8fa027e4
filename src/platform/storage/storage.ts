import type { Readable } from 'node:stream';
import { type Problem, problems } from '../problems.ts';

/** What is known of a file once it is kept. */
export type StoredFile = { key: string; size: number; sha256: string };

/** Bytes of a file, from `start` to `end` inclusive. */
export type ByteRange = { start: number; end: number };

/** Errors: RangeError for what is no range of bytes. */
export function requireRange(range: ByteRange | undefined): void {
  if (range && !(Number.isSafeInteger(range.start) && Number.isSafeInteger(range.end) && range.start >= 0 && range.start <= range.end))
    throw new RangeError(`${range.start} to ${range.end} is no range of bytes`);
}

/** Where files are kept. A file is written once and never changed. */
export type Storage = {
  /**
   * Keeps a stream, hashing it on the way. A stream that breaks, or is larger than `maxBytes`, leaves nothing.
   *
   * @param options.ownerKey shares concurrency and memory fairly among the senders of uploads
   * @param options.declaredBytes the maximum number of bytes that the sender declared, if any
   */
  write(stream: Readable, options: { maxBytes: number; ownerKey?: string; declaredBytes?: number | undefined }): Promise<StoredFile>;
  /** The bytes from `start` to `end` inclusive, or all. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  remove(key: string): Promise<void>;
};

/** A storage as its housekeeping sees it. */
export type FileStore = Storage & {
  /** The keys of all files that are kept, some at a time. */
  keys(): AsyncIterable<string[]>;
  has(key: string): Promise<boolean>;
  /** Whether a file was kept longer ago than that; false for one that is not there. */
  isOlder(key: string, ms: number): Promise<boolean>;
  /** Removes what a killed process left half-written, so long ago that nobody goes on with it; returns how many. */
  removeAbandoned(olderThanMs?: number): Promise<number>;
};

/** Notes that belong to no row of the database. Each has a fixed name, and a write replaces it as a whole. */
export type NoteStore = {
  /** Returns the text of a note, or `undefined` if there is none. Throws a {@link StorageError} for one above {@link maxNoteBytes}. */
  readNote(name: NoteName): Promise<string | undefined>;
  writeNote(name: NoteName, text: string): Promise<void>;
};
export type NoteName = 'audit-checkpoints.json';
export const maxNoteBytes = 64 * 1024;

/** Reads the text of a note, which is at most {@link maxNoteBytes} long. */
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

/** A file that was not kept, and why. */
export class StorageError extends Error {
  readonly reason: 'too_large' | 'no_space' | 'crowded' | 'missing' | 'unavailable';
  constructor(reason: StorageError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.reason = reason;
  }
}

/** What the client is told when the storage cannot be used or is full, 503, or too much is on its way to it, 429: with `Retry-After`. */
export function storageProblem(error: unknown): Problem | undefined {
  if (error instanceof StorageError && error.reason === 'crowded')
    return problems.rate_limited(
      'Too many files are being sent at once, by you or by all. Nothing was kept. Send this one again in some seconds, and fewer at once.',
      { headers: { 'retry-after': '5' } },
    );
  if (error instanceof StorageError && error.reason === 'no_space')
    return problems.unavailable(
      'There is no room left for files. Nothing was kept; tell the operator, and send the request again when there is room.',
      { headers: { 'retry-after': '60' } },
    );
  if (!(error instanceof StorageError) || error.reason !== 'unavailable') return undefined;
  return problems.unavailable(
    'The storage of files cannot be used at the moment. Nothing was kept; tell the operator, and send the request again later.',
    {
      headers: { 'retry-after': '30' },
    },
  );
}
