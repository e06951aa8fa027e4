import type { Scope } from '../../platform/scope.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { bytesOf, decoded, encodingOf, mayBeText } from './file-bytes.ts';
import { documentProblems } from './problems.ts';
import { openContent } from './versions.ts';

/** Bytes of a file that are read as text at once, at most: as JSON they may take six times as many. */
export const maxTextBytes = 131_072;

/** A part of the text of a version. */
export type TextPart = {
  documentId: string;
  version: number;
  mediaType: string;
  text: string;
  /** The bytes of the file that it is, from this one up to that one. */
  from: number;
  to: number;
  /** Bytes of the whole file. */
  size: number;
  /** Where the next part begins; absent where this is the last one. */
  next?: number;
};

/**
 * Reads a part of a version as text; that it was opened is recorded, as it is of a download. Errors: as `openContent`, 422
 * `document_not_text`.
 */
export async function readText(
  scope: Scope,
  storage: Storage,
  { id, version: number }: { id: string; version: number | undefined },
  { from, bytes }: { from: number; bytes: number },
): Promise<TextPart> {
  const version = await openContent(scope, id, number);
  if (!mayBeText(version.media_type)) throw notText(`It is a file of type ${version.media_type}.`);
  const encoding = await encodingOf(storage, version);
  // A part begins and ends with a whole character.
  const start = Math.min(encoding === 'utf-8' ? from : from - (from % 2), version.size);
  const part = await bytesOf(storage, version, start, bytes);
  const found = decoded(part, encoding, { first: start === 0, last: start + part.length >= version.size });
  if (!found) throw notText('It holds bytes that are no text.');
  const { text, skipped, used } = found;
  const to = start + used;
  return {
    documentId: id,
    version: version.number,
    mediaType: version.media_type,
    text,
    from: start + skipped,
    to,
    size: version.size,
    ...(to < version.size ? { next: to } : {}),
  };
}

function notText(why: string) {
  return documentProblems.document_not_text(`The text of this version cannot be read here. ${why} Have a person open it.`);
}
