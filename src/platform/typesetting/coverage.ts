import { closeSync, openSync, readSync } from 'node:fs';

const lastCodePoint = 0x10_ff_ff;

/** The characters for which at least one font has a glyph. */
export type Coverage = { has(codePoint: number): boolean };

/** Reads the supported characters from the fonts. For a collection (TTC), reads the first face. */
export function coverageOf(files: readonly string[]): Coverage {
  const bits = new Uint8Array((lastCodePoint >> 3) + 1);
  const add = (first: number, last: number): void => {
    for (let at = first; at <= Math.min(last, lastCodePoint); at += 1) bits[at >> 3]! |= 1 << (at & 7);
  };
  for (const file of files) readCharacterMap(file, add);
  return { has: (codePoint) => codePoint <= lastCodePoint && ((bits[codePoint >> 3] ?? 0) & (1 << (codePoint & 7))) !== 0 };
}

type Add = (first: number, last: number) => void;

/** Finds the table `cmap` (OpenType 1.9, “cmap — Character to Glyph Index Mapping Table”) and reads its Unicode subtables. */
function readCharacterMap(file: string, add: Add): void {
  const handle = openSync(file, 'r');
  try {
    const read = (at: number, length: number): DataView => {
      const bytes = Buffer.alloc(length);
      readSync(handle, bytes, 0, length, at);
      return new DataView(bytes.buffer, bytes.byteOffset, length);
    };
    const head = read(0, 16);
    const start = head.getUint32(0) === 0x74_74_63_66 ? head.getUint32(12) : 0;
    const count = read(start, 12).getUint16(4);
    const tables = read(start + 12, count * 16);
    for (let at = 0; at < count * 16; at += 16) {
      if (tables.getUint32(at) !== 0x63_6d_61_70) continue;
      readSubtables(read(tables.getUint32(at + 8), tables.getUint32(at + 12)), add);
    }
  } finally {
    closeSync(handle);
  }
}

function readSubtables(table: DataView, add: Add): void {
  for (let at = 4; at < 4 + 8 * table.getUint16(2); at += 8) {
    const platform = table.getUint16(at);
    const encoding = table.getUint16(at + 2);
    if (platform !== 0 && !(platform === 3 && (encoding === 1 || encoding === 10))) continue;
    const offset = table.getUint32(at + 4);
    const format = table.getUint16(offset);
    if (format === 4) readSegments(table, offset, add);
    else if (format === 12) readGroups(table, offset, add);
  }
}

/** Reads format 4: segments of the Basic Multilingual Plane. Characters with glyph 0 are not supported. */
function readSegments(table: DataView, offset: number, add: Add): void {
  const segments = table.getUint16(offset + 6) / 2;
  const [ends, starts] = [offset + 14, offset + 16 + 2 * segments];
  const [deltas, ranges] = [starts + 2 * segments, starts + 4 * segments];
  for (let segment = 0; segment < segments; segment += 1) {
    const [first, last] = [table.getUint16(starts + 2 * segment), table.getUint16(ends + 2 * segment)];
    const range = table.getUint16(ranges + 2 * segment);
    const delta = table.getUint16(deltas + 2 * segment);
    for (let at = first; at <= last && at < 0xff_ff; at += 1) {
      const place = ranges + 2 * segment + range + 2 * (at - first);
      const named = range === 0 ? at : place + 2 <= table.byteLength ? table.getUint16(place) : 0;
      const glyph = range !== 0 && named === 0 ? 0 : (named + delta) & 0xff_ff;
      if (glyph !== 0) add(at, at);
    }
  }
}

/** Reads format 12: groups of any characters. */
function readGroups(table: DataView, offset: number, add: Add): void {
  const groups = table.getUint32(offset + 12);
  for (let group = 0; group < groups; group += 1) {
    const at = offset + 16 + 12 * group;
    const [first, last, glyph] = [table.getUint32(at), table.getUint32(at + 4), table.getUint32(at + 8)];
    add(glyph === 0 ? first + 1 : first, last);
  }
}
