import type { Readable } from 'node:stream';

/** What is known of a file once it is kept. */
export type StoredFile = { key: string; size: number; sha256: string };

/** Where files are kept. A file is written once and never changed. */
export type Storage = {
  /** Keeps a stream, hashing it on the way. A stream that breaks, or is larger than `maxBytes`, leaves nothing. */
  write(stream: Readable, options: { maxBytes: number }): Promise<StoredFile>;
  /** The bytes from `start` to `end` inclusive, or all. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>;
  remove(key: string): Promise<void>;
};

/** A file that was not kept, and why. */
export class StorageError extends Error {
  readonly reason: 'too_large' | 'no_space' | 'missing';
  constructor(reason: StorageError['reason'], message: string) {
    super(message);
    this.name = 'StorageError';
    this.reason = reason;
  }
}
