import type { Added } from './messages.ts';

/** A signature of a PDF: its message and the two signed ranges of the file. */
export type FoundSignature = { at: number; contents: Buffer; end: number; signed: [Buffer, Buffer]; dictionary: string };

/** A byte range that does not match the file. The signature was moved away from the signed content, or belongs to an embedded file. */
export type Misfit = { at: number; end: 0 };

/** Limit of signatures in a file. */
export const maxSignatures = 50;
const rangeOf = /^\/ByteRange\s*\[\s*(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]/;
const hexString = /^<[\da-fA-F\s\0]*>$/;
/** Maximum length of a message, in characters. Certificates need some thousands, and revocation lists more. */
const maxMessage = 4 * 1024 * 1024;
const maxTypes = 20;
/** Maximum distance from the byte range, in bytes, at which the other entries of the signature dictionary are read. */
const nearby = 2_000;

/**
 * Returns the signatures of a PDF in the order of their signed ranges. Ranges that do not match the file come first.
 *
 * The search uses byte ranges instead of the object graph. A valid range covers the file from its start to the end of the range, except the message.
 * Content could be hidden in any other gap, so ranges with such gaps do not match.
 */
export function findSignatures(file: Buffer): (FoundSignature | Misfit)[] {
  const found: (FoundSignature | Misfit)[] = [];
  for (let at = file.indexOf('/ByteRange'); at !== -1 && found.length <= maxSignatures; at = file.indexOf('/ByteRange', at + 1)) {
    const range = rangeOf
      .exec(file.toString('latin1', at, at + 200))
      ?.slice(1)
      .map(Number);
    if (range) found.push(signatureAt(file, at, range) ?? { at, end: 0 });
  }
  return found.toSorted((one, other) => one.end - other.end);
}

function signatureAt(file: Buffer, at: number, range: number[]): FoundSignature | undefined {
  const [start = 0, before = 0, after = 0, length = 0] = range;
  const end = after + length;
  // The signature must cover its own byte range. Otherwise the range could be replaced.
  const within = at < before || (at >= after && at < end);
  if (start !== 0 || before >= after || after - before > maxMessage || end > file.length || !within) return undefined;
  const gap = file.toString('latin1', before, after);
  if (!hexString.test(gap)) return undefined;
  return {
    at,
    contents: Buffer.from(gap.replaceAll(/[^\da-fA-F]/g, ''), 'hex'),
    end,
    signed: [file.subarray(0, before), file.subarray(after, end)],
    dictionary: around(file, at, [before, after]),
  };
}

/** Returns the text of the same object near the byte range. Omits the signature message. */
function around(file: Buffer, at: number, [before, after]: [number, number]): string {
  const from = at > after ? Math.max(after, at - nearby) : Math.max(0, at - nearby);
  const text = (start: number, end: number) => file.toString('latin1', Math.max(0, start), Math.max(0, end));
  const beside = at < before ? text(from, before) + text(after, after + nearby) : text(before - nearby, before) + text(from, at + nearby);
  const near = at < before ? at - from : Math.min(nearby, before) + at - from;
  const opens = beside.lastIndexOf(' obj', near);
  const closes = beside.indexOf('endobj', near);
  return beside.slice(opens === -1 ? 0 : opens, closes === -1 ? undefined : closes);
}

/** Returns the number of bytes and objects after `end`, and the types of the objects. */
export function addedBehind(file: Buffer, end: number): Added {
  const text = file.toString('latin1', end);
  const types = new Set<string>();
  for (const [, type = ''] of text.matchAll(/\/Type\s*\/([A-Za-z]{1,30})/g)) if (types.size < maxTypes) types.add(type);
  let objects = 0;
  for (const _ of text.matchAll(/\b\d{1,10} \d{1,5} obj\b/g)) objects += 1;
  return { bytes: file.length - end, objects, types: [...types].toSorted() };
}
