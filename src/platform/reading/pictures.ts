import type { Readable } from 'node:stream';
import { builtFile } from '../entry-points.ts';
import { askConfined, UnreadFile, usualLimits, type Within } from './sandbox.ts';
import type { Drawing, Drawn, Redrawing } from './messages.ts';
import { sandboxCommandOf } from './snapshot.ts';

const renderer = builtFile(new URL('render-page.ts', import.meta.url), 'cjs');
const encoder = builtFile(new URL('redraw-file.ts', import.meta.url), 'cjs');

/**
 * Options that delay the optimization of WebAssembly. The optimization takes longer than rendering one page, and most of these processes render only
 * one.
 */
const patient = '--wasm-tiering-budget=200000000';
const drawer = async () => {
  const { node } = await sandboxCommandOf(renderer);
  return { node: [patient, ...node] };
};

/** A rendered page as a WebP image, with its text. */
export type Picture = { page: number; width: number; height: number; bytes: Buffer; text: string };

/** Maximum size of one page, far above that of a photograph. */
const maxPictureBytes = 3 * 1024 * 1024;
const characterBytes = 6;
/** Maximum number of pages per process, because it holds all images in memory. */
const pageConcurrency = 8;

/**
 * Renders pages of a PDF, or an image as its only page, in a sandboxed process. Pages outside the range are omitted. A rendered page
 * has at most four million pixels, and an image is never enlarged. Throws {@link UnreadFile}, or another
 * error if a retry can succeed.
 */
export async function drawPages(file: Readable, options: Drawing, within: Within = {}): Promise<{ pages: number; pictures: Picture[] }> {
  const count = Math.min(options.last - options.first + 1, pageConcurrency);
  const maxOutputBytes = count * (maxPictureBytes + options.characters * characterBytes) + 10_000;
  const drawing = { ...options, last: options.first + count - 1 };
  const said = await askConfined(drawer(), drawing, { file, maxOutputBytes }, { ...within, limits: within.limits ?? drawingLimits });
  const length = said.readUInt32BE(0);
  const drawn = JSON.parse(said.toString('utf8', 4, 4 + length)) as Drawn;
  if ('none' in drawn) throw new UnreadFile(drawn.none, `the file is ${drawn.none}`);
  let at = 4 + length;
  const pictures = drawn.drawn.map(({ bytes, ...picture }) => ({ ...picture, bytes: said.subarray(at, (at += bytes)) }));
  return { pages: drawn.pages, pictures };
}

/** The limits of the rendering process. Node.js reserves about 580 MB of data at the start and uses little of it. */
const drawingLimits = { ...usualLimits, cpuSeconds: 10, wallSeconds: 60, dataMb: 1_200 };
const redrawingLimits = { ...usualLimits, cpuSeconds: 3, wallSeconds: 30 };

/**
 * Re-encodes an uploaded PNG from its pixels, which removes everything else: text, location and data after the end. Throws the errors of {@link
 * drawPages}, also if the image is larger than the limits in `options`.
 */
export async function redrawPng(file: Readable, options: Redrawing, within: Within = {}): Promise<Buffer> {
  const maxOutputBytes = options.maxWidth * options.maxHeight * 4 + 10_000;
  return askConfined(sandboxCommandOf(encoder), options, { file, maxOutputBytes }, { ...within, limits: within.limits ?? redrawingLimits });
}
