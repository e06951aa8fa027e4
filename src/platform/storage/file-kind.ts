import { Readable } from 'node:stream';
import { compoundKind, cryptographicKind, type FileKind, mailKind, ownKinds } from './office-and-mail.ts';
import type { Storage } from './storage.ts';

export type { FileKind } from './office-and-mail.ts';

/** The kind of an unknown file. It can be downloaded but is never displayed. */
export const unknownKind: FileKind = { mediaType: 'application/octet-stream', extension: 'bin' };
const text: FileKind = { mediaType: 'text/plain', extension: 'txt' };

const sampleBytes = 64 * 1024;
/** Maximum time of the detection in milliseconds. With less time, a busy server or a slow bucket would cause unknown types. */
const longestMs = 30_000;
/** Maximum size of one read during the detection. Archives list their files in small pieces. */
const maxReadBytes = 1024 * 1024;

/**
 * Returns the kind of a stored file from its bytes; its name and its declared type do not matter. Text without control characters is plain text, even
 * if it contains HTML, except for mail messages.
 */
export async function kindOf(storage: Storage, key: string, size: number): Promise<FileKind> {
  if (size === 0) return unknownKind;
  const found = await detected(storage, key);
  if (found?.mediaType === compoundFile) return (await compoundKind((from, to) => bytesOf(storage, key, { from, to, size }))) ?? found;
  if (found) return found;
  const sample = await bytesOf(storage, key, { from: 0, to: sampleBytes, size });
  const kind = mailKind(sample) ?? cryptographicKind(sample);
  if (!isText(sample, size)) return kind ?? unknownKind;
  return kind ? { ...kind, isText: true } : text;
}

const compoundFile = 'application/x-cfb';
/** Types that replace a detected type. Outlook mailboxes have a different type from messages. */
const renamed: Readonly<Record<string, string>> = { pst: 'application/vnd.ms-outlook-pst' };

async function detected(storage: Storage, key: string): Promise<FileKind | undefined> {
  const { fileTypeFromStream } = await import('file-type');
  const stream = await storage.read(key);
  try {
    const found = await fileTypeFromStream(Readable.toWeb(stream), { maxBufferSize: maxReadBytes, signal: AbortSignal.timeout(longestMs) });
    return found && { mediaType: plainType(renamed[found.ext] ?? found.mime), extension: found.ext };
  } catch {
    // The file violates its format, or the detection takes too long.
    return unknownKind;
  } finally {
    stream.destroy();
  }
}

/** Returns a media type in lower case without parameters. */
const plainType = (mediaType: string): string => mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? mediaType;

/** Returns the bytes between two offsets, as far as the file has them. */
async function bytesOf(storage: Storage, key: string, { from, to, size }: { from: number; to: number; size: number }): Promise<Buffer> {
  if (from >= size) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  for await (const chunk of await storage.read(key, { start: from, end: Math.min(to, size) - 1 })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Returns whether the beginning of the file is readable UTF-8. */
function isText(sample: Buffer, size: number): boolean {
  try {
    // The sample can end inside a character.
    const read = new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: size > sampleBytes });
    return !/\p{Cc}/u.test(read.replaceAll(/[\t\n\v\f\r]/g, ''));
  } catch {
    return false;
  }
}

/** Text types that depend on the file name, if the type is accepted. */
const kindsOfText: Readonly<Record<string, string>> = { csv: 'text/csv', md: 'text/markdown', json: 'application/json' };

/** Media types of the same images; cameras write either. */
const sameType = (mediaType: string): string => (/^image\/hei[cf](?:-sequence)?$/.test(mediaType) ? 'image/heic' : mediaType);

/** Returns whether accepted media types, including families such as `image/*`, include a type. */
export const includesType = (accepted: readonly string[], mediaType: string): boolean =>
  accepted.some(
    (one) => sameType(one) === sameType(mediaType) || one === '*/*' || (one.endsWith('/*') && mediaType.startsWith(one.slice(0, -1))),
  );

/** Returns the kind as one of the accepted types, or `undefined` if none of them fits. */
export function acceptedKind(kind: FileKind, fileName: string, accepted: readonly string[]): FileKind | undefined {
  if (kind.mediaType === text.mediaType) {
    const extension = fileName.toLowerCase().split('.').at(-1) ?? '';
    const mediaType = kindsOfText[extension];
    if (mediaType !== undefined && includesType(accepted, mediaType)) return { mediaType, extension };
  }
  if (includesType(accepted, kind.mediaType)) return kind;
  return kind.isText && includesType(accepted, text.mediaType) ? text : undefined;
}

let known: Promise<ReadonlySet<string>> | undefined;

/** Returns all media types that {@link kindOf} and {@link acceptedKind} can return. */
export function knownTypes(): Promise<ReadonlySet<string>> {
  known ??= import('file-type').then(
    ({ supportedMimeTypes }) =>
      new Set([
        ...[...supportedMimeTypes].map(plainType),
        ...ownKinds.map(({ mediaType }) => mediaType),
        ...Object.values(kindsOfText),
        ...Object.values(renamed),
        text.mediaType,
        unknownKind.mediaType,
      ]),
  );
  return known;
}

/** Returns a file name with the extension of its kind, so that a wrong extension does not open another program. */
export function nameOfKind(fileName: string, extension: string): string {
  const alike = sameKind.find((extensions) => extensions.includes(extension)) ?? [extension];
  const has = fileName.toLowerCase().split('.').slice(1).at(-1);
  return has !== undefined && alike.includes(has) ? fileName : `${fileName}.${extension}`;
}

const sameKind = [
  ['jpg', 'jpeg'],
  ['tif', 'tiff'],
  ['txt', 'text', 'log'],
  ['heic', 'heif'],
  ['p7c', 'p7b'],
];
