import type { Scope } from '../../platform/scope.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { bytesOf, decoded, encodingOf, mayBeText } from './file-bytes.ts';
import { documentProblems } from './problems.ts';
import { openContent } from './versions.ts';

/** Maximum bytes of a file that one call reads as text. As JSON they can need six times as many. */
export const maxTextBytes = 131_072;

/** A part of the text of a version. */
export type TextPart = {
  documentId: string;
  version: number;
  mediaType: string;
  text: string;
  /** The byte range of the part in the file; `to` is exclusive. */
  from: number;
  to: number;
  /** Bytes of the whole file. */
  size: number;
  /** The start of the next part; absent for the last one. */
  next?: number;
};

/** Reads a part of a version as text and records the read like a download. Errors: as `openContent`, 422 `document_not_text`. */
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
  if (!found) throw notText('It contains bytes that are not text.');
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
  return documentProblems.document_not_text(`The text of this version cannot be read here. ${why} Ask a person to open it.`);
}
