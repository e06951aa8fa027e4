const mark = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const most = { bytes: 200 * 1024, width: 1_000, height: 400 };

/** Returns the error of a drawn signature as a sentence, or undefined if it is a PNG of an accepted size. */
export function drawingError(png: Uint8Array): string | undefined {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (bytes.length < 33 || !bytes.subarray(0, 16).equals(mark)) return 'A drawn signature must be a PNG.';
  if (bytes.length > most.bytes) return `A drawn signature can have at most ${most.bytes / 1024} KiB.`;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width < 1 || height < 1 || width > most.width || height > most.height)
    return `A drawn signature can be at most ${most.width} pixels wide and ${most.height} pixels high.`;
  return undefined;
}
