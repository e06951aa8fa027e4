import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '../storage/make-folder.ts';
import { type Storage, StorageError } from '../storage/storage.ts';
import { linesOf } from './lines.ts';
import { hashFile } from './manifest.ts';

/** A file of a backup: its path in the folder of files, which ends with its key, and its SHA-256. */
export type ListedFile = { path: string; sha256: string };

const folderOf = (folder: string) => join(folder, 'files');
const maxMissing = 1_000;

/** Returns the place of a stored file in a backup. */
export const fileIn = (folder: string, path: string): string => join(folderOf(folder), path);

/** The path of a stored file in a backup. The last digits of a key are random, so folders have a similar number of files. */
export const pathOf = (key: string): string => `${key.slice(-2)}/${key.slice(-4, -2)}/${key}`;

export const keyOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Yields the files of a list in the order of their paths. Without a list, yields none. */
export async function* listedFiles(list: string | undefined): AsyncGenerator<ListedFile> {
  if (list === undefined || !(await exists(list))) return;
  for await (const line of linesOf(createReadStream(list))) {
    const [, sha256 = '', path] = /^([0-9a-f]{64}) {2}files\/(.+)$/.exec(line) ?? [];
    if (path !== undefined) yield { path, sha256 };
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Hashes the bytes that pass. */
export class HashingTransform extends Transform {
  readonly #hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk);
    done(null, chunk);
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}

type CopyFilesOptions = {
  storage: Pick<Storage, 'read'>;
  folder: string;
  /** The paths of the files in order, one a line. */
  paths: string;
  /** The list of the backup before, and the list to write. */
  before: string | undefined;
  list: string;
};

/** The stored files of a backup. `copied` were not in the backup before. */
export type CopiedFiles = { count: number; copied: number; missing: string[]; sha256: string };

/** Copies the files that the backup does not have, and writes their list. A file never changes, so the hash of an earlier backup still holds. */
export async function copyFiles({ storage, folder, paths, before, list }: CopyFilesOptions): Promise<CopiedFiles> {
  const result = { count: 0, copied: 0, missing: [] as string[] };
  const known = listedFiles(before);
  async function* lines(): AsyncGenerator<string> {
    let earlier = (await known.next()).value;
    for await (const path of linesOf(createReadStream(paths))) {
      while (earlier && earlier.path < path) earlier = (await known.next()).value;
      const file = fileIn(folder, path);
      // A file that an interrupted backup copied is complete, because it got its name afterwards.
      const kept = (await exists(file)) ? (earlier?.path === path ? earlier.sha256 : await hashFile(file)) : undefined;
      const sha256 = kept ?? (await copyFile(storage, folder, path));
      if (sha256 === undefined) {
        result.missing.push(keyOf(path));
        if (result.missing.length > maxMissing)
          throw new Error(`More than ${maxMissing} files of the database are not in the storage. Check STORAGE_URL and DATA_DIR.`);
        continue;
      }
      result.count += 1;
      if (kept === undefined) result.copied += 1;
      yield `${sha256}  files/${path}\n`;
    }
  }
  const hashing = new HashingTransform();
  await pipeline(lines, hashing, createWriteStream(list, { mode: 0o600, flush: true }));
  return { ...result, sha256: hashing.digest() };
}

/** Copies a stored file and returns its SHA-256; undefined if the storage does not have the file. */
async function copyFile(storage: Pick<Storage, 'read'>, folder: string, path: string): Promise<string | undefined> {
  const file = fileIn(folder, path);
  const temporary = join(folderOf(folder), 'incoming');
  await makeFolder(dirname(file), 0o700);
  try {
    const hashing = new HashingTransform();
    const bytes = await storage.read(keyOf(path));
    await pipeline(bytes, hashing, createWriteStream(temporary, { mode: 0o600, flush: true }));
    await rename(temporary, file);
    return hashing.digest();
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'missing') return undefined;
    throw error;
  }
}

/** Removes the files that a list does not name. Returns their number. */
export async function removeUnlisted(folder: string, list: string): Promise<number> {
  let removed = 0;
  const listed = listedFiles(list);
  let next = (await listed.next()).value;
  for await (const path of present(folderOf(folder))) {
    while (next && next.path < path) next = (await listed.next()).value;
    if (next?.path === path) continue;
    await rm(fileIn(folder, path));
    removed += 1;
  }
  await rm(join(folderOf(folder), 'incoming'), { force: true });
  return removed;
}

/** Yields the paths of the files in a folder in order. */
async function* present(root: string): AsyncGenerator<string> {
  for (const outer of await foldersIn(root))
    for (const inner of await foldersIn(join(root, outer)))
      for (const name of (await readdir(join(root, outer, inner))).toSorted()) yield `${outer}/${inner}/${name}`;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}
