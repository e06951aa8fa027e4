import type { Added } from './messages.ts';

/** A signature as a PDF holds it: its message, and the two stretches of the file that it is about. */
export type FoundSignature = { at: number; contents: Buffer; end: number; signed: [Buffer, Buffer]; dictionary: string };

/** A range that fits nothing in the file: of a signature that was cut off from what it signed, or of a file within the file. */
export type Misfit = { at: number; end: 0 };

/** More are not looked at. */
export const maxSignatures = 50;
const rangeOf = /^\/ByteRange\s*\[\s*(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]/;
const hexString = /^<[\da-fA-F\s\0]*>$/;
/** Characters of a message: with its certificates it has some thousands, with revocation lists more. */
const maxMessage = 4 * 1024 * 1024;
const maxTypes = 20;
/** How far around its range the other entries of a signature's dictionary are looked for. */
const nearby = 2_000;

/**
 * The signatures of a PDF, in the order of what they cover, and first the ranges that do not fit.
 *
 * They are found by their ranges rather than by way of the objects: whatever leads there, a signature speaks for the bytes from the
 * beginning of the file to the end of its range, save one string, the message itself. A range that leaves out anything else, into
 * which somebody could write unseen, fits no file.
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
  // The range itself is among what is signed, or it could be another than the one that was meant.
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

/** What stands near the range in the same object, without the message. */
function around(file: Buffer, at: number, [before, after]: [number, number]): string {
  const from = at > after ? Math.max(after, at - nearby) : Math.max(0, at - nearby);
  const text = (start: number, end: number) => file.toString('latin1', Math.max(0, start), Math.max(0, end));
  const beside = at < before ? text(from, before) + text(after, after + nearby) : text(before - nearby, before) + text(from, at + nearby);
  const near = at < before ? at - from : Math.min(nearby, before) + at - from;
  const opens = beside.lastIndexOf(' obj', near);
  const closes = beside.indexOf('endobj', near);
  return beside.slice(opens === -1 ? 0 : opens, closes === -1 ? undefined : closes);
}

/** What a file has behind a place: so many bytes and objects, and the types that those name. */
export function addedBehind(file: Buffer, end: number): Added {
  const text = file.toString('latin1', end);
  const types = new Set<string>();
  for (const [, type = ''] of text.matchAll(/\/Type\s*\/([A-Za-z]{1,30})/g)) if (types.size < maxTypes) types.add(type);
  let objects = 0;
  for (const _ of text.matchAll(/\b\d{1,10} \d{1,5} obj\b/g)) objects += 1;
  return { bytes: file.length - end, objects, types: [...types].toSorted() };
}
