import type { Storage } from '../../platform/storage/storage.ts';
import type { DocumentVersionRow } from './queries.ts';

/** The storage key and the size of a version’s file. */
export type Bytes = Pick<DocumentVersionRow, 'storage_key' | 'size'>;

/** Media types besides `text/*` that are or may be text. Files without a media type are examined too. */
const texts = /^application\/(?:(?:[\w.+-]+\+)?(?:json|xml|yaml)|toml|javascript|sql|x-ndjson|octet-stream)$/;
export const mayBeText = (mediaType: string) => {
  const [type = ''] = mediaType.toLowerCase().split(';');
  return type.startsWith('text/') || texts.test(type.trim());
};

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Reads at most `most` bytes of a file from `start` on. */
export async function bytesOf(storage: Storage, { storage_key: key, size }: Bytes, start: number, most: number): Promise<Buffer> {
  const end = Math.min(start + most, size) - 1;
  const chunks: Buffer[] = [];
  if (end >= start) for await (const chunk of await storage.read(key, { start, end })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The encoding of a file by its byte order mark, or UTF-8. */
export async function encodingOf(storage: Storage, version: Bytes): Promise<Encoding> {
  const [first, second] = await bytesOf(storage, version, 0, 2);
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

const continues = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** Decodes the complete characters in a part of a file. Undefined if the part is not text. */
export function decoded(part: Buffer, encoding: Encoding, at: { first: boolean; last: boolean }) {
  const skipped = at.first ? 0 : cutAtStart(part, encoding);
  const used = at.last ? part.length : part.length - cutAtEnd(part, encoding);
  const text = decode(part.subarray(skipped, used), encoding, at.first);
  return text === undefined || holdsControls(text) ? undefined : { text, skipped, used };
}

/** Whether a text has control characters other than white space. */
const holdsControls = (text: string) => /\p{Cc}/u.test(text.replaceAll(/[\t\n\v\f\r]/g, ''));

function decode(bytes: Buffer, encoding: Encoding, first: boolean): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: !first }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The number of bytes at the start that belong to a character of the previous part. */
function cutAtStart(part: Buffer, encoding: Encoding): number {
  if (encoding !== 'utf-8') {
    const high = part[encoding === 'utf-16le' ? 1 : 0] ?? 0;
    return high >= 0xdc && high <= 0xdf ? 2 : 0;
  }
  let skipped = 0;
  while (skipped < 3 && continues(part[skipped])) skipped += 1;
  return skipped;
}

/** The number of bytes at the end that begin an incomplete character. */
function cutAtEnd(part: Buffer, encoding: Encoding): number {
  if (encoding !== 'utf-8') {
    const odd = part.length % 2;
    const high = part[part.length - odd - (encoding === 'utf-16le' ? 1 : 2)] ?? 0;
    return odd + (high >= 0xd8 && high <= 0xdb ? 2 : 0);
  }
  let behind = 0;
  while (behind < 3 && continues(part[part.length - 1 - behind])) behind += 1;
  const firstByte = part[part.length - 1 - behind] ?? 0;
  const length = firstByte >= 0xf0 ? 4 : firstByte >= 0xe0 ? 3 : firstByte >= 0xc0 ? 2 : 1;
  return length > behind + 1 ? behind + 1 : 0;
}
