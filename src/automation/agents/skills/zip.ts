import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { most } from './limits.ts';

/** A zip archive cannot be taken: what is wrong with it. */
export class ZipError extends Error {}

export type Unpacked = { path: string; content: Buffer };

// The kind of a file in its Unix mode, which archives carry in the upper half of its attributes.
const kindBits = 0o170000;
const [unsaid, plainFile, folder] = [0, 0o100000, 0o040000];
// What Macintosh computers add to archives.
const additions = /^__MACOSX\/|(?:^|\/)\.DS_Store$/;

/**
 * Unpacks a zip archive in memory. Nothing of it is believed: sizes are counted while it is unpacked, and compared with what it says.
 * Throws a {@link ZipError}.
 */
export async function unzip(bytes: Buffer): Promise<Unpacked[]> {
  try {
    const zip = await fromBufferPromise(bytes, { strictFileNames: true, validateEntrySizes: true, decodeStrings: true });
    // Folders are entries too, and so is what is left out.
    if (zip.entryCount > 4 * most.files) throw new ZipError(`has more than ${4 * most.files} entries`);
    return await unpack(zip);
  } catch (error) {
    if (error instanceof ZipError) throw error;
    throw new ZipError(`cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : 'it is no archive'}`);
  }
}

async function unpack(zip: ZipFile): Promise<Unpacked[]> {
  const files: Unpacked[] = [];
  let left = most.allBytes;
  for await (const entry of zip.eachEntry()) {
    if (!isFile(entry) || additions.test(entry.fileName)) continue;
    if (files.length === most.files) throw new ZipError(`has more than ${most.files} files`);
    const content = await contentOf(zip, entry, Math.min(left, most.bytes));
    left -= content.length;
    files.push({ path: entry.fileName, content });
  }
  return files;
}

function isFile(entry: Entry): boolean {
  const name = entry.fileName.slice(0, 200);
  const kind = (entry.externalFileAttributes >>> 16) & kindBits;
  const isFolder = entry.fileName.endsWith('/');
  if (kind !== unsaid && kind !== (isFolder ? folder : plainFile))
    throw new ZipError(`has \`${name}\`, which is a link or something else that is no file`);
  if (isFolder && entry.uncompressedSize > 0) throw new ZipError(`has a folder with content, \`${name}\``);
  if (entry.isEncrypted()) throw new ZipError(`has \`${name}\` encrypted`);
  if (!entry.canDecodeFileData()) throw new ZipError(`has \`${name}\` compressed in a way that is not deflate`);
  return !isFolder;
}

async function contentOf(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Buffer> {
  const name = entry.fileName.slice(0, 200);
  const tooLarge = () => new ZipError(`has more than 1 MiB in \`${name}\`, or more than 8 MiB in all`);
  if (entry.uncompressedSize > maxBytes) throw tooLarge();
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of await zip.openReadStreamPromise(entry)) {
    size += (part as Buffer).length;
    if (size > maxBytes) throw tooLarge();
    parts.push(part as Buffer);
  }
  const content = Buffer.concat(parts);
  if (crc32(content) !== entry.crc32) throw new ZipError(`has \`${name}\` damaged: its checksum is another`);
  return content;
}
