/** The header of a JPEG: its size, the number of colour components, and the orientation (Exif 2.3, tag 0x0112). */
export type JpegHead = { width: number; height: number; colours: number; adobe: boolean; orientation: number };

const startOfFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Reads the segments of a JPEG up to the frame header; undefined if there is none. */
export function jpegHead(bytes: Buffer): JpegHead | undefined {
  let orientation = 1;
  let adobe = false;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const segment = bytes.subarray(at + 4, at + 2 + bytes.readUInt16BE(at + 2));
    if (marker === 0xe1 && segment.toString('latin1', 0, 6) === 'Exif\0\0') orientation = orientationIn(segment.subarray(6));
    if (marker === 0xee && segment.toString('latin1', 0, 5) === 'Adobe') adobe = true;
    if (startOfFrame(marker) && segment.length >= 6)
      return { height: segment.readUInt16BE(1), width: segment.readUInt16BE(3), colours: segment[5] ?? 0, adobe, orientation };
    at += 4 + segment.length;
  }
  return undefined;
}

/** Returns the orientation in the first directory of a TIFF; 1 (upright) by default. */
function orientationIn(tiff: Buffer): number {
  if (tiff.length < 8) return 1;
  const little = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number) => (at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let entry = 0; entry < Math.min(short(directory), 200); entry += 1) {
    const at = directory + 2 + entry * 12;
    if (short(at) === 0x0112) return short(at + 8) >= 1 && short(at + 8) <= 8 ? short(at + 8) : 1;
  }
  return 1;
}
