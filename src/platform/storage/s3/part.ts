import { createHash, randomUUIDv7 } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { storageError } from '../file-system-errors.ts';
import { StorageError } from '../storage.ts';

/** Bytes to send: a stream that can be read again, with their SHA-256. */
export type SentBytes = { size: number; sha256: string; stream: () => Readable };

/** Maximum memory for the part of one upload. */
export const blockBytes = 64 * 1024;

/** Wraps a few bytes in memory for sending. */
export const sentBytes = (bytes: Buffer): SentBytes => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  stream: () => Readable.from([bytes]),
});

/** Opens a file and unlinks it immediately, so that no file remains if the process is killed. */
async function nameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `chancery-part-${randomUUIDv7()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
  } catch (error) {
    await file.close();
    throw error;
  }
  return file;
}

/** Checks that parts can be written to the disk. */
export const checkSpool = async (): Promise<void> => (await nameless()).close();

/** A part of an upload: its last bytes in memory, the rest in an unlinked file. */
export type Part = {
  readonly size: number;
  /** Appends as many bytes as fit into the memory, and returns their number. */
  add(bytes: Buffer): Promise<number>;
  /** Returns the bytes to send. Valid until the next `clear`. */
  ended(): SentBytes;
  /** Starts a new part with the same memory and file. */
  clear(): void;
  close(): Promise<void>;
};

/**
 * Opens a part that collects bytes at any speed: a slow sender uses at most 64 KiB of memory.
 *
 * @param spool called before the first byte is written to the disk; an error rejects the part
 */
export const openPart = (spool: () => void): Part => new SpooledPart(spool);

class SpooledPart implements Part {
  readonly #spool: () => void;
  readonly #block = Buffer.allocUnsafeSlow(blockBytes);
  #file: FileHandle | undefined;
  #hash = createHash('sha256');
  #size = 0;
  /** Number of bytes in the file. */
  #spooled = 0;

  constructor(spool: () => void) {
    this.#spool = spool;
  }

  get size(): number {
    return this.#size;
  }

  async add(bytes: Buffer): Promise<number> {
    if (this.#size - this.#spooled === blockBytes)
      await this.#spill().catch((error: unknown) => {
        throw storageError(error);
      });
    const taken = bytes.copy(this.#block, this.#size - this.#spooled);
    this.#hash.update(bytes.subarray(0, taken));
    this.#size += taken;
    return taken;
  }

  ended(): SentBytes {
    const rest = this.#block.subarray(0, this.#size - this.#spooled);
    const [file, from] = [this.#file, this.#spooled];
    return {
      size: this.#size,
      sha256: this.#hash.digest('hex'),
      stream: () => Readable.from(readPart(file, from, rest), { objectMode: false }),
    };
  }

  clear(): void {
    this.#hash = createHash('sha256');
    [this.#size, this.#spooled] = [0, 0];
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #spill(): Promise<void> {
    if (!this.#file) {
      this.#spool();
      this.#file = await nameless();
    }
    const { bytesWritten } = await this.#file.write(this.#block, 0, blockBytes, this.#spooled);
    // On a nearly full disk, a short write reports no error.
    if (bytesWritten !== blockBytes) throw new StorageError('no_space', 'the disk for parts of files is full');
    this.#spooled += blockBytes;
  }
}

/** Yields the bytes of a part from its file, then those in memory. */
async function* readPart(file: FileHandle | undefined, from: number, rest: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; file && at < from; at += blockBytes) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(blockBytes), 0, blockBytes, at);
    if (bytesRead !== blockBytes) throw new Error('a part of a file is shorter on the disk than written');
    yield buffer;
  }
  if (rest.length > 0) yield rest;
}
