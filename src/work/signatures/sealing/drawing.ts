const mark = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const most = { bytes: 200 * 1024, width: 1_000, height: 400 };

/** What is wrong with a drawn signature, as a sentence; nothing where it is a PNG of a size that is taken. */
export function drawingError(png: Uint8Array): string | undefined {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (bytes.length < 33 || !bytes.subarray(0, 16).equals(mark)) return 'A drawn signature must be a PNG.';
  if (bytes.length > most.bytes) return `A drawn signature may have ${most.bytes / 1024} KiB.`;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width < 1 || height < 1 || width > most.width || height > most.height)
    return `A drawn signature may be ${most.width} pixels wide and ${most.height} high.`;
  return undefined;
}
