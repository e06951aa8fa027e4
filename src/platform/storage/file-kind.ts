import { Readable } from 'node:stream';
import { compoundKind, cryptographicKind, type FileKind, mailKind, ownKinds } from './office-and-mail.ts';
import type { Storage } from './storage.ts';

export type { FileKind } from './office-and-mail.ts';

/** What nothing is known of. It is downloaded, and never shown. */
export const unknownKind: FileKind = { mediaType: 'application/octet-stream', extension: 'bin' };
const text: FileKind = { mediaType: 'text/plain', extension: 'txt' };

const sampleBytes = 64 * 1024;
/** With less time, a busy server or a slow bucket would store a known type as unknown. */
const longestMs = 30_000;
/** What may be read at once while looking: an archive names its files in small pieces. */
const maxReadBytes = 1024 * 1024;

/**
 * What a kept file is, by its bytes alone: neither its name nor what its sender says of it decides. Text without control characters is
 * text, whatever is written in it, such as HTML; but mail is mail.
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
/** Mailboxes of Outlook have a type of their own: it is not that of a message. */
const renamed: Readonly<Record<string, string>> = { pst: 'application/vnd.ms-outlook-pst' };

async function detected(storage: Storage, key: string): Promise<FileKind | undefined> {
  const { fileTypeFromStream } = await import('file-type');
  const stream = await storage.read(key);
  try {
    const found = await fileTypeFromStream(Readable.toWeb(stream), { maxBufferSize: maxReadBytes, signal: AbortSignal.timeout(longestMs) });
    return found && { mediaType: plainType(renamed[found.ext] ?? found.mime), extension: found.ext };
  } catch {
    // Broken in a way that its format forbids, or it takes too long to look at.
    return unknownKind;
  } finally {
    stream.destroy();
  }
}

/** A media type without its parameters, in lower case. */
const plainType = (mediaType: string): string => mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? mediaType;

/** The bytes of a kept file from one offset to another, as far as it has them. */
async function bytesOf(storage: Storage, key: string, { from, to, size }: { from: number; to: number; size: number }): Promise<Buffer> {
  if (from >= size) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  for await (const chunk of await storage.read(key, { start: from, end: Math.min(to, size) - 1 })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Whether the beginning is UTF-8 that a person could read. */
function isText(sample: Buffer, size: number): boolean {
  try {
    // What is cut off in the middle of a character at the end of the sample is no fault.
    const read = new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: size > sampleBytes });
    return !/\p{Cc}/u.test(read.replaceAll(/[\t\n\v\f\r]/g, ''));
  } catch {
    return false;
  }
}

/** Types of text that say more than that it is text; the name says which, where it is one that was asked for. */
const kindsOfText: Readonly<Record<string, string>> = { csv: 'text/csv', md: 'text/markdown', json: 'application/json' };

/** Types of the same pictures: cameras write either. */
const sameType = (mediaType: string): string => (/^image\/hei[cf](?:-sequence)?$/.test(mediaType) ? 'image/heic' : mediaType);

/** Whether media types, also whole families such as `image/*`, include one. */
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

/** All media types that {@link kindOf} and {@link acceptedKind} know: a file is never of another. */
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

/** A name that ends as its kind does, so that nobody's program is opened by a name that belies the bytes. */
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
