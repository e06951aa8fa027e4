import { isUtf8 } from 'node:buffer';
import type { YieldingWork } from '../yield.ts';

export const encodings = ['utf-8', 'utf-16', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

/** The maximum size of the text in UTF-8, in bytes, and the error for an unreadable file. */
export type FileLimits = { textBytes: number; invalid: (detail: string) => Error };

const partBytes = 64 * 1024;
/** Number of bytes that decide between UTF-8 and UTF-16 without a byte order mark. */
const sampleBytes = 4 * 1024;

/**
 * Converts a file to UTF-8 without a byte order mark. Without `given`, detects the encoding from the byte order mark, the zero bytes of
 * UTF-16, or valid UTF-8. Otherwise uses windows-1252, the encoding of Excel in Western Europe and America. Throws the error of `limits`.
 */
export async function asUtf8(
  content: Buffer,
  given: Encoding | undefined,
  limits: FileLimits,
  turns: YieldingWork,
): Promise<{ text: Buffer; encoding: Encoding }> {
  const found = markOf(content) ?? { encoding: encodingOf(content), label: undefined, mark: 0 };
  const encoding = given ?? found.encoding;
  const mark = encoding === found.encoding ? found.mark : 0;
  const bytes = content.subarray(mark);
  if (encoding === 'utf-8') {
    if (!isUtf8(bytes)) throw limits.invalid('The file is not valid UTF-8. Send it with its `encoding`, or save it as “CSV UTF-8”.');
    return { text: bytes, encoding };
  }
  const label = encoding === 'utf-16' ? (found.label ?? byteOrderOf(bytes)) : encoding;
  return { text: await decoded(bytes, label, limits, turns), encoding };
}

const marks = [
  { encoding: 'utf-8', label: undefined, bytes: Buffer.from('efbbbf', 'hex') },
  { encoding: 'utf-16', label: 'utf-16le', bytes: Buffer.from('fffe', 'hex') },
  { encoding: 'utf-16', label: 'utf-16be', bytes: Buffer.from('feff', 'hex') },
] as const;

function markOf(content: Buffer) {
  const found = marks.find(({ bytes }) => content.subarray(0, bytes.length).equals(bytes));
  return found && { encoding: found.encoding, label: found.label, mark: found.bytes.length };
}

const zeros = (content: Buffer) => {
  const sample = content.subarray(0, sampleBytes);
  let [even, odd] = [0, 0];
  for (const [at, byte] of sample.entries()) {
    if (byte !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  return { even, odd };
};
const byteOrderOf = (content: Buffer) => (zeros(content).even > zeros(content).odd ? 'utf-16be' : 'utf-16le');

function encodingOf(content: Buffer): Encoding {
  const { even, odd } = zeros(content);
  // Names and separators are mostly ASCII, so every other byte is zero.
  if (Math.max(even, odd) * 4 > Math.min(content.length, sampleBytes) && Math.min(even, odd) === 0) return 'utf-16';
  return isUtf8(content) ? 'utf-8' : 'windows-1252';
}

const controls = /(?![\t\r\n])\p{Cc}/u;

async function decoded(bytes: Buffer, label: string, { textBytes, invalid }: FileLimits, turns: YieldingWork): Promise<Buffer> {
  const undecodable = () =>
    invalid(`The file is not valid ${label.toUpperCase()}. Save it as “CSV UTF-8”, or send it with its \`encoding\`.`);
  const decoder = new TextDecoder(label, { fatal: true });
  const parts: Buffer[] = [];
  let size = 0;
  for (let at = 0; at < bytes.length; at += partBytes) {
    const text = decodedPart(decoder, bytes.subarray(at, at + partBytes), at + partBytes < bytes.length);
    // Bytes without a character in the encoding become control characters.
    if (text === undefined || (label === 'windows-1252' && controls.test(text))) throw undecodable();
    const part = Buffer.from(text);
    if ((size += part.length) > textBytes)
      throw invalid(`The file has more than ${textBytes / 1024 / 1024} MiB of text in UTF-8. Split it and import the parts separately.`);
    parts.push(part);
    if (turns.over) await turns.next();
  }
  return Buffer.concat(parts);
}

function decodedPart(decoder: TextDecoder, part: Buffer, stream: boolean): string | undefined {
  try {
    return decoder.decode(part, { stream });
  } catch {
    return undefined;
  }
}
