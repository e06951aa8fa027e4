import type { Storage } from '../../../platform/storage/storage.ts';
import { UnreadFile } from '../../../platform/reading/sandbox.ts';
import { type TextRequest, readText } from '../../../platform/reading/text-reader.ts';
import { type Bytes, bytesOf, decoded, encodingOf, mayBeText } from '../file-bytes.ts';
import type { DocumentVersionRow } from '../queries.ts';
import { plain } from './passages.ts';

/** Maximum number of searchable characters of a text, and of searchable bytes of a text file. */
export const maxCharacters = 500_000;
const maxBytes = 2 * 1024 * 1024;
/** Maximum bytes of other file types, which cannot be read in part. */
const maxBytesWhole = 32 * 1024 * 1024;

const office =
  /^application\/(?:octet-stream|vnd\.openxmlformats-officedocument\.wordprocessingml\.|vnd\.ms-word\.document\.|vnd\.oasis\.opendocument\.text)/;

/**
 * Extracts the searchable text of a version. PDF and word processor files are parsed in a separate process. Empty for other types and for broken,
 * locked or too large files. The first bytes decide the type.
 */
export async function takeText(
  storage: Storage,
  version: Bytes & Pick<DocumentVersionRow, 'media_type'>,
  signal: AbortSignal,
): Promise<string> {
  const kind = kindOf(version.media_type, (await bytesOf(storage, version, 0, 5)).toString('latin1'));
  if (kind === undefined) return '';
  const text = await (kind === 'text' ? textFile(storage, version) : wholeFile(storage, version, kind, signal));
  return plain(text.slice(0, maxCharacters));
}

function kindOf(mediaType: string, head: string): 'text' | TextRequest['kind'] | undefined {
  if (head === '%PDF-') return 'pdf';
  if (head.startsWith('PK\u0003\u0004')) return office.test(mediaType.toLowerCase()) ? 'office' : undefined;
  return mayBeText(mediaType) ? 'text' : undefined;
}

async function textFile(storage: Storage, version: Bytes): Promise<string> {
  const encoding = await encodingOf(storage, version);
  const bytes = await bytesOf(storage, version, 0, maxBytes);
  return decoded(bytes, encoding, { first: true, last: bytes.length >= version.size })?.text ?? '';
}

async function wholeFile(storage: Storage, version: Bytes, kind: TextRequest['kind'], signal: AbortSignal): Promise<string> {
  if (version.size > maxBytesWhole) return '';
  try {
    return await readText(await storage.read(version.storage_key), { kind, characters: maxCharacters }, { signal });
  } catch (error) {
    if (error instanceof UnreadFile) return '';
    throw error;
  }
}
