import { createHash, randomUUIDv7 } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { storageError } from '../file-system-errors.ts';
import { StorageError } from '../storage.ts';

/** Bytes that are sent: as a stream that can be read again, with their SHA-256. */
export type SentBytes = { size: number; sha256: string; stream: () => Readable };

/** As much of a file as one sender has in memory. */
export const blockBytes = 64 * 1024;

/** A few bytes in memory, to be sent. */
export const sentBytes = (bytes: Buffer): SentBytes => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  stream: () => Readable.from([bytes]),
});

/** A file that is removed as soon as it is open, so that nothing is left of it when the process is killed. */
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

/** Sees that parts can be kept on the disk. */
export const trySpool = async (): Promise<void> => (await nameless()).close();

/** A part of a file that is on its way to the store: its beginning in memory, the rest in a file without a name. */
export type Part = {
  readonly size: number;
  /** Copies bytes to its end, as many as the memory takes, and says how many those were. */
  add(bytes: Buffer): Promise<number>;
  /** What is to be sent. Good until the part is begun anew. */
  ended(): SentBytes;
  /** Begins anew in the same place. */
  clear(): void;
  close(): Promise<void>;
};

/**
 * Takes the bytes of a part as slowly as they come: whoever sends a byte a second has 64 KiB of memory, and no more.
 *
 * @param spool asked before the first byte goes to the disk; what it throws refuses the part
 */
export const openPart = (spool: () => void): Part => new SpooledPart(spool);

class SpooledPart implements Part {
  readonly #spool: () => void;
  readonly #block = Buffer.allocUnsafeSlow(blockBytes);
  #file: FileHandle | undefined;
  #hash = createHash('sha256');
  #size = 0;
  /** The bytes that are in the file. */
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
    // The last bytes that a disk has room for are written without an error.
    if (bytesWritten !== blockBytes) throw new StorageError('no_space', 'there is no room left for parts of files');
    this.#spooled += blockBytes;
  }
}

/** Reads the first bytes of a part from its file, and then the rest. */
async function* readPart(file: FileHandle | undefined, from: number, rest: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; file && at < from; at += blockBytes) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(blockBytes), 0, blockBytes, at);
    if (bytesRead !== blockBytes) throw new Error('a part of a file has become shorter on the disk');
    yield buffer;
  }
  if (rest.length > 0) yield rest;
}
