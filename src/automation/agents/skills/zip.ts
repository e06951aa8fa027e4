import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { most } from './limits.ts';

/** Thrown for a rejected zip archive. The message names the defect. */
export class ZipError extends Error {}

export type Unpacked = { path: string; content: Buffer };

// The file type in the Unix mode, which is in the upper half of the external attributes.
const kindBits = 0o170000;
const [unsaid, plainFile, folder] = [0, 0o100000, 0o040000];
// Files that macOS adds to archives.
const additions = /^__MACOSX\/|(?:^|\/)\.DS_Store$/;

/** Unpacks a zip archive in memory. Checks the real sizes and checksums against the declared ones. Throws {@link ZipError}. */
export async function unzip(bytes: Buffer): Promise<Unpacked[]> {
  try {
    const zip = await fromBufferPromise(bytes, { strictFileNames: true, validateEntrySizes: true, decodeStrings: true });
    // The limit is higher than the number of files, because folders and skipped files are entries too.
    if (zip.entryCount > 4 * most.files) throw new ZipError(`has more than ${4 * most.files} entries`);
    return await unpack(zip);
  } catch (error) {
    if (error instanceof ZipError) throw error;
    throw new ZipError(`cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : 'it is not an archive'}`);
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
    throw new ZipError(`contains \`${name}\`, which is a link or a special entry, not a file`);
  if (isFolder && entry.uncompressedSize > 0) throw new ZipError(`contains a folder with content: \`${name}\``);
  if (entry.isEncrypted()) throw new ZipError(`contains the encrypted file \`${name}\``);
  if (!entry.canDecodeFileData()) throw new ZipError(`contains \`${name}\` with a compression other than deflate`);
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
  if (crc32(content) !== entry.crc32) throw new ZipError(`contains the damaged file \`${name}\`: its checksum does not match`);
  return content;
}
