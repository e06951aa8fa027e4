import { createHash, randomUUIDv7 } from 'node:crypto';
import { open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FairBudget } from '../fair-budget.ts';
import { isUuid } from '../identifiers.ts';
import { hasCode, storageError } from './file-system-errors.ts';
import { makeFolder } from './make-folder.ts';
import {
  type ByteRange,
  type FileStore,
  type NoteName,
  type NoteStore,
  noteText,
  requireRange,
  StorageError,
  type StoredFile,
} from './storage.ts';
import { ignoreStreamErrors } from './ignore-stream-errors.ts';

/** Returns the names of the subfolders with two hexadecimal digits. */
async function subfolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && /^[0-9a-f]{2}$/.test(entry.name)).map(({ name }) => name);
}

/** Flushes the entries of a folder to the disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

/** Creates and removes a file, to check that the folder is writable. A full disk is not an error, so it does not prevent the start. */
async function tryWriting(folder: string): Promise<void> {
  const file = join(folder, randomUUIDv7());
  try {
    await (await open(file, 'wx', 0o600)).close();
    await rm(file);
  } catch (error) {
    if (!hasCode(error, 'ENOSPC', 'EDQUOT')) throw error;
  }
}

/** Age in milliseconds from which an incomplete file counts as abandoned. An active upload grows continuously or is aborted. */
const abandonedMs = 15 * 60_000;

/** The share of the free disk space that one owner can use. */
const partOfRoom = 1 / 4;

/** The folder of the files: `incoming` contains incomplete files, and `budget` limits their bytes. */
type StorageFolder = { folder: string; incoming: string; budget: FairBudget };

/**
 * Stores files in a folder with subfolders. A file is written to a temporary name, flushed, and
 * renamed, so files are complete even after a power failure. Incomplete uploads can use `halfBytes` in total,
 * shared fairly by owner: each counts with its declared or maximum size.
 */
export async function createDiskStorage(options: { folder: string; halfBytes?: number }): Promise<FileStore & NoteStore> {
  const { folder, halfBytes = Infinity } = options;
  const incoming = join(folder, 'incoming');
  const place: StorageFolder = { folder, incoming, budget: new FairBudget({ total: halfBytes, part: partOfRoom }) };
  await makeFolder(incoming);
  await tryWriting(incoming);

  return {
    write: (stream, limits) => writeFileTo(place, stream, limits),
    read: (key, range) => readFrom(place, key, range),

    async remove(key) {
      await rm(placeOf(place, key).file, { force: true }).catch((error: unknown) => {
        throw storageError(error);
      });
    },

    async *keys() {
      for (const outer of await subfolders(folder)) {
        for (const inner of await subfolders(join(folder, outer))) {
          const names = (await readdir(join(folder, outer, inner))).filter((name) => isUuid(name));
          if (names.length > 0) yield names;
        }
      }
    },

    async has(key) {
      return (
        isUuid(key) &&
        (await stat(placeOf(place, key).file).then(
          () => true,
          () => false,
        ))
      );
    },

    async isOlder(key, ms) {
      return (await writtenAt(placeOf(place, key).file)) < Date.now() - ms;
    },

    async removeAbandoned(olderThanMs = abandonedMs) {
      let removed = 0;
      for (const name of await readdir(incoming)) {
        const file = join(incoming, name);
        if ((await writtenAt(file)) > Date.now() - olderThanMs) continue;
        await rm(file, { force: true });
        removed += 1;
      }
      return removed;
    },

    async readNote(name) {
      try {
        return await noteText(name, (await open(join(folder, name))).createReadStream());
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined;
        throw storageError(error);
      }
    },

    writeNote: (name, text) => writeNoteTo(place, name, text),
  };
}

/** Returns the path of a file. The last hexadecimal digits of a version 7 UUID are random; the first are the time. */
function placeOf({ folder }: Pick<StorageFolder, 'folder'>, key: string): { dir: string; file: string } {
  if (!isUuid(key)) throw new StorageError('missing', 'the file does not exist');
  const dir = join(folder, key.slice(-2), key.slice(-4, -2));
  return { dir, file: join(dir, key) };
}

/** Returns Unix milliseconds; infinity if the file does not exist. */
async function writtenAt(file: string): Promise<number> {
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  return mtimeMs;
}

/** Counts and hashes the bytes of a stream. Fails at the first byte above `maxBytes`. */
class Measure extends Transform {
  size = 0;
  readonly hash = createHash('sha256');
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    super();
    this.#maxBytes = maxBytes;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += chunk.length;
    if (this.size > this.#maxBytes) {
      done(new StorageError('too_large', `the file is larger than ${this.#maxBytes} bytes`));
      return;
    }
    this.hash.update(chunk);
    done(null, chunk);
  }
}

async function writeFileTo(
  place: StorageFolder,
  stream: Readable,
  { maxBytes, ownerKey, declaredBytes = maxBytes, key = randomUUIDv7() }: Parameters<FileStore['write']>[1],
): Promise<StoredFile> {
  const { folder, incoming, budget } = place;
  // Files of the service itself are limited by the number of concurrent jobs.
  const leave = ownerKey === undefined ? () => undefined : budget.take(ownerKey, Math.min(declaredBytes, maxBytes));
  if (!leave) {
    stream.destroy();
    throw new StorageError('crowded', 'too many incomplete files');
  }
  const temporary = join(incoming, key);
  const { dir, file } = placeOf(place, key);
  const measure = new Measure(maxBytes);
  try {
    ignoreStreamErrors(stream);
    const handle = await open(temporary, 'wx', 0o600);
    await pipeline(stream, measure, handle.createWriteStream({ flush: true }));
    const made = await makeFolder(dir);
    await rename(temporary, file);
    await syncFolder(dir);
    // A new subfolder is also a new entry in its parent folders.
    if (made !== undefined) await Promise.all([syncFolder(dirname(dir)), syncFolder(folder)]);
  } catch (error) {
    // If the file could not be opened, the stream is unread. An unread stream would end the process when it is garbage-collected.
    stream.destroy();
    // If the folder fails, these fail too; the first error is reported.
    await Promise.allSettled([rm(temporary, { force: true }), rm(file, { force: true })]);
    throw storageError(error);
  } finally {
    leave();
  }
  return { key, size: measure.size, sha256: measure.hash.digest('hex') };
}

async function readFrom(place: StorageFolder, key: string, range?: ByteRange): Promise<Readable> {
  // Checked before the file is opened: a file handle without a stream ends the process when it is garbage-collected.
  requireRange(range);
  try {
    const handle = await open(placeOf(place, key).file);
    return handle.createReadStream(range ?? {});
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw new StorageError('missing', 'the file is not in the storage');
    throw storageError(error);
  }
}

async function writeNoteTo({ folder, incoming }: StorageFolder, name: NoteName, text: string): Promise<void> {
  const temporary = join(incoming, randomUUIDv7());
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600, flush: true });
    await rename(temporary, join(folder, name));
    await syncFolder(folder);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw storageError(error);
  }
}
