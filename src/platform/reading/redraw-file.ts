import { onWhite, readPng, writePng } from './png.ts';
import type { Redrawing } from './messages.ts';

/** What a drawing has at least, in pixels of full black, or as a part of all its pixels: less is lost when it is drawn small. */
const leastInk = { pixels: 20, part: 0.01 };

/** Makes a PNG anew from the pixels of one, in a process of its own. It fails on what is none, is too large, or is blank on white paper. */
export function work(argument: string, bytes: Buffer): Uint8Array {
  const { mostWidth, mostHeight } = JSON.parse(argument) as Redrawing;
  const pixels = readPng(bytes, ({ width, height }) => width <= mostWidth && height <= mostHeight);
  if (inkOf(onWhite(pixels)) < Math.min(leastInk.pixels, leastInk.part * pixels.width * pixels.height)) throw new Error('a blank PNG');
  return writePng(pixels);
}

/** How much darker than white paper colours are, in pixels of full black. */
function inkOf(colours: Buffer): number {
  let ink = 0;
  for (let at = 0; at < colours.length; at += 3) ink += 255 - Math.min(colours[at]!, colours[at + 1]!, colours[at + 2]!);
  return ink / 255;
}
