import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { askConfined, UnreadFile, usualLimits, type Within } from './sandbox.ts';
import type { Drawing, Drawn, Redrawing } from './messages.ts';
import { sandboxCommandOf } from './snapshot.ts';

const from = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Compiled code is made quick to run only once it has run for a while, ten times as long as by itself: most processes draw one page,
 * which takes less than to compile it again.
 */
const patient = '--wasm-tiering-budget=200000000';
const drawer = async () => {
  const { node, mayRead } = await sandboxCommandOf(from('render-page.ts'));
  return { node: [patient, ...node], mayRead };
};

/** A page as a picture (WebP), with the text that stands on it. */
export type Picture = { page: number; width: number; height: number; bytes: Buffer; text: string };

/** Of one page: far more than a photograph of this size takes. */
const maxPictureBytes = 3 * 1024 * 1024;
const characterBytes = 6;
/** Pages of one process: what draws them holds all of their pictures. */
const pageConcurrency = 8;

/**
 * Draws pages of a PDF, or a picture of another kind as its only page, in a confined process; pages that it has not are left out. A
 * picture is never larger than four million pixels, nor larger than a picture that it is made of. Rejects with {@link UnreadFile}, and
 * with another error where that failed for a reason that may pass.
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

/** Node counts some 580 MB as its own when it begins, of which it has touched few. */
const drawingLimits = { ...usualLimits, cpuSeconds: 10, wallSeconds: 60, dataMb: 1_200 };
const redrawingLimits = { ...usualLimits, cpuSeconds: 3, wallSeconds: 30 };

/**
 * Makes a PNG anew from the pixels of one that somebody sent, so that nothing else in it is kept: no text, no place, nothing behind its
 * end. Rejects as {@link drawPages} does, also where it is larger than `asked` says.
 */
export async function redrawPng(file: Readable, options: Redrawing, within: Within = {}): Promise<Buffer> {
  const maxOutputBytes = options.maxWidth * options.maxHeight * 4 + 10_000;
  return askConfined(
    sandboxCommandOf(from('redraw-file.ts')),
    options,
    { file, maxOutputBytes },
    { ...within, limits: within.limits ?? redrawingLimits },
  );
}
