import { Readable } from 'node:stream';
import type { Storage } from './storage.ts';

/** What a file is by its bytes: `extension` is the usual one of its type. */
export type FileKind = { mediaType: string; extension: string };

/** What nothing is known of. It is downloaded, and never shown. */
export const unknownKind: FileKind = { mediaType: 'application/octet-stream', extension: 'bin' };
const text: FileKind = { mediaType: 'text/plain', extension: 'txt' };

const sampleBytes = 64 * 1024;
/** With less time, a busy server or a slow bucket would store a known type as unknown. */
const longestMs = 30_000;
/** What may be read at once while looking: an archive names its files in small pieces. */
const readAtOnce = 1024 * 1024;

/**
 * What a kept file is, by its bytes alone: neither its name nor what its sender says of it decides. Text without control characters is
 * text, whatever is written in it, such as HTML.
 */
export async function kindOf(storage: Storage, key: string, size: number): Promise<FileKind> {
  if (size === 0) return unknownKind;
  return (await detected(storage, key)) ?? ((await isText(storage, key, size)) ? text : unknownKind);
}

async function detected(storage: Storage, key: string): Promise<FileKind | undefined> {
  const { fileTypeFromStream } = await import('file-type');
  const stream = await storage.read(key);
  try {
    const found = await fileTypeFromStream(Readable.toWeb(stream), { maxBufferSize: readAtOnce, signal: AbortSignal.timeout(longestMs) });
    return found && { mediaType: found.mime, extension: found.ext };
  } catch {
    // Broken in a way that its format forbids, or it takes too long to look at.
    return unknownKind;
  } finally {
    stream.destroy();
  }
}

/** Whether the beginning is UTF-8 that a person could read. */
async function isText(storage: Storage, key: string, size: number): Promise<boolean> {
  const chunks: Buffer[] = [];
  for await (const chunk of await storage.read(key, { start: 0, end: Math.min(size, sampleBytes) - 1 })) chunks.push(chunk as Buffer);
  try {
    // What is cut off in the middle of a character at the end of the sample is no fault.
    const read = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks), { stream: size > sampleBytes });
    return !/\p{Cc}/u.test(read.replaceAll(/[\t\n\v\f\r]/g, ''));
  } catch {
    return false;
  }
}

/** Types of text that say more than that it is text; the name says which, where it is one that was asked for. */
const kindsOfText: Readonly<Record<string, string>> = { csv: 'text/csv', md: 'text/markdown', json: 'application/json' };

/**
 * The kind as it is taken where only some are: nothing when it is none of them. `accepted` are media types, also whole families
 * such as `image/*`.
 */
export function acceptedKind(kind: FileKind, fileName: string, accepted: readonly string[]): FileKind | undefined {
  const takes = (mediaType: string) =>
    accepted.some((one) => one === mediaType || one === '*/*' || (one.endsWith('/*') && mediaType.startsWith(one.slice(0, -1))));
  if (kind.mediaType === text.mediaType) {
    const extension = fileName.toLowerCase().split('.').at(-1) ?? '';
    const mediaType = kindsOfText[extension];
    if (mediaType !== undefined && takes(mediaType)) return { mediaType, extension };
  }
  return takes(kind.mediaType) ? kind : undefined;
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
];
