import { onWhite, readPng, writePng } from './png.ts';
import type { Redrawing } from './messages.ts';

/** Minimum ink of a drawing: a number of black pixels, or a part of all its pixels. A drawing with less ink is invisible at a small size. */
const leastInk = { pixels: 20, part: 0.01 };

/** Re-encodes a PNG from its pixels, in a separate process. Throws if the input is not a PNG, is too large, or is blank on white paper. */
export function work(argument: string, bytes: Buffer): Uint8Array {
  const { maxWidth, maxHeight } = JSON.parse(argument) as Redrawing;
  const pixels = readPng(bytes, ({ width, height }) => width <= maxWidth && height <= maxHeight);
  if (inkOf(onWhite(pixels)) < Math.min(leastInk.pixels, leastInk.part * pixels.width * pixels.height)) throw new Error('the PNG is blank');
  return writePng(pixels);
}

/** Returns how much darker than white paper the colours are, in pixels of full black. */
function inkOf(colours: Buffer): number {
  let ink = 0;
  for (let at = 0; at < colours.length; at += 3) ink += 255 - Math.min(colours[at]!, colours[at + 1]!, colours[at + 2]!);
  return ink / 255;
}
