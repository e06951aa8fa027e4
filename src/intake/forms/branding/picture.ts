import { crc32 } from 'node:zlib';

/** A validated image: its type, its size, and its bytes without metadata. */
export type Picture = { mediaType: 'image/png' | 'image/jpeg'; width: number; height: number; bytes: Buffer };

const pngStart = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Rewrites a PNG or JPEG with only the parts that are needed to draw it. Removes metadata such as comments and locations, and data
 * after the end. Returns `undefined` for other formats and truncated images.
 */
export function pictureOf(bytes: Buffer): Picture | undefined {
  if (bytes.subarray(0, 8).equals(pngStart)) return pngOf(bytes);
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? jpegOf(bytes) : undefined;
}

/** The PNG chunks that stay: header, palette, transparency, colour space, pixels and end. */
const drawn = new Set(['IHDR', 'PLTE', 'tRNS', 'sRGB', 'gAMA', 'IDAT', 'IEND']);

function pngOf(bytes: Buffer): Picture | undefined {
  const kept: Buffer[] = [pngStart];
  const found: string[] = [];
  for (let at = 8; at + 12 <= bytes.length;) {
    const [length, type] = [bytes.readUInt32BE(at), bytes.toString('latin1', at + 4, at + 8)];
    const end = at + 12 + length;
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined;
    if ((found.length === 0) !== (type === 'IHDR') || (type === 'IHDR' && length !== 13)) return undefined;
    if (drawn.has(type)) kept.push(bytes.subarray(at, end));
    found.push(type);
    if (type === 'IEND') {
      const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
      return found.includes('IDAT') && width > 0 && height > 0
        ? { mediaType: 'image/png', width, height, bytes: Buffer.concat(kept) }
        : undefined;
    }
    at = end;
  }
  return undefined;
}

/** JPEG markers (ITU-T T.81): frames with the size, and the tables and Adobe colour information that are kept. */
const frames = new Set([0xc0, 0xc1, 0xc2]);
const tables = new Set([0xc4, 0xdb, 0xdd, 0xee]);
const [startOfScan, endOfImage] = [0xda, 0xd9];

function jpegOf(bytes: Buffer): Picture | undefined {
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  let size: { width: number; height: number } | undefined;
  let scans = 0;
  for (let at = 2; at + 2 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return undefined;
    if (marker === endOfImage) {
      kept.push(bytes.subarray(at, at + 2));
      return size && scans > 0 ? { mediaType: 'image/jpeg', ...size, bytes: Buffer.concat(kept) } : undefined;
    }
    if (at + 4 > bytes.length) return undefined;
    let end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end < at + 4 || end > bytes.length) return undefined;
    if (frames.has(marker)) {
      if (size || end < at + 9) return undefined;
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
      if (size.width === 0 || size.height === 0) return undefined;
    } else if (marker === startOfScan) {
      scans += 1;
      end = endOfScan(bytes, end);
    } else if (marker >= 0xc3 && marker <= 0xcf && !tables.has(marker)) return undefined;
    if (frames.has(marker) || marker === startOfScan || tables.has(marker)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return undefined;
}

/** Returns the position of the next marker. A zero byte after 0xFF escapes it, and restart markers belong to the scan. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}
