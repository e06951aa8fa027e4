/** ASN.1 in its one distinguished form (ITU-T X.690), as far as certificates, signed messages and requests for timestamps need it. */

function tagged(tag: number, ...parts: Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from([tag]), lengthOf(length), ...parts]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

export const sequence = (...parts: Uint8Array[]) => tagged(0x30, ...parts);
/** Sets are written in the order of their bytes. */
export const setOf = (...parts: Uint8Array[]) => tagged(0x31, ...parts.toSorted((one, other) => Buffer.compare(one, other)));
export const octets = (bytes: Uint8Array) => tagged(0x04, bytes);
export const nothing = () => tagged(0x05);
export const text = (value: string) => tagged(0x0c, Buffer.from(value));
export const bits = (bytes: Uint8Array, unused = 0) => tagged(0x03, Buffer.from([unused]), bytes);
/** A part that its place names, in place of its own tag. */
export const named = (number: number, bytes: Uint8Array) => tagged(0x80 | number, bytes);
/** A time in UTC, as certificates have it (RFC 5280, 4.1.2.5): with two digits of the year until 2049. */
export function time(at: Date): Buffer {
  const digits = `${at.toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`;
  return at.getUTCFullYear() < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}
export const truth = () => tagged(0x01, Buffer.from([0xff]));
/** A part that its place names, around others. */
export const placed = (number: number, ...parts: Uint8Array[]) => tagged(0xa0 | number, ...parts);

/** A number that is not negative. */
export function integer(value: number | Uint8Array): Buffer {
  const bytes = typeof value === 'number' ? Buffer.from([value]) : Buffer.from(value);
  const start = bytes.findIndex((byte) => byte !== 0);
  const shortest = start === -1 ? Buffer.from([0]) : bytes.subarray(start);
  return tagged(0x02, shortest[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), shortest]) : shortest);
}

export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

/** A part of something that was read: its tag, all its bytes, and those within. */
export type Part = { tag: number; raw: Buffer; content: Buffer };

/** The parts that stand one behind the other. Throws where the bytes are not of the distinguished form. */
export function partsOf(bytes: Buffer): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < bytes.length;) {
    const tag = bytes[at]!;
    const short = bytes[at + 1] ?? 0x80;
    const more = short < 0x80 ? 0 : short & 0x7f;
    if (short === 0x80 || more > 4 || (tag & 0x1f) === 0x1f) throw new Error('not of the distinguished form');
    const start = at + 2 + more;
    const end = start + (more === 0 ? short : bytes.readUIntBE(at + 2, more));
    if (end > bytes.length) throw new Error('longer than what there is');
    parts.push({ tag, raw: bytes.subarray(at, end), content: bytes.subarray(start, end) });
    at = end;
  }
  return parts;
}
