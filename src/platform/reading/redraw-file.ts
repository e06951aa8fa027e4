import { readPng, writePng } from './png.ts';
import type { Redrawing } from './messages.ts';

/** Makes a PNG anew from the pixels of one, in a process of its own. It fails on what is none, or is too large. */
export function work(argument: string, bytes: Buffer): Uint8Array {
  const { mostWidth, mostHeight } = JSON.parse(argument) as Redrawing;
  return writePng(readPng(bytes, ({ width, height }) => width <= mostWidth && height <= mostHeight));
}
