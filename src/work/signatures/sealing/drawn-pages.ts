import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium';
import type { Layer } from './messages.ts';
import { type PageSize, type PageRectangle, Unsealable } from './pdf-sealer.ts';

/** Loaded with the module, because the sandboxed process cannot open files. */
const code = new Uint8Array(readFileSync(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm')));
let library: Promise<PDFiumLibrary> | undefined;

/** Pixels per point. The value is lower for a page that would otherwise exceed `maxPixels`. */
const pixelsOfPoint = 2;
const maxPixels = 6_000_000;
/** Colour differences, of 255: `inked` for visible ink, `changed` for a visible change of the page. */
const inked = 8;
const changed = 48;
/** Minimum share of the contrast on white paper that a value must keep. Below it the value is hard to read, for example in black on dark grey. */
const leastContrast = 1 / 3;
/** Margin around a field, in points, for smoothed edges. */
const edge = 1.5;

type Drawn = { width: number; height: number; data: Uint8Array };

async function open(bytes: Uint8Array): Promise<PDFiumDocument> {
  library ??= PDFiumLibrary.init({ wasmBinary: code.slice().buffer });
  return (await library).loadDocument(bytes);
}

/** Whether a password or a certificate is needed to open the file. */
export async function isLocked(bytes: Uint8Array): Promise<boolean> {
  try {
    (await open(bytes)).destroy();
    return false;
  } catch (error) {
    return error instanceof Error && /^(Password|Unsupported security)/.test(error.message);
  }
}

/** Returns the text of each page. */
export async function textsOf(bytes: Uint8Array): Promise<string[]> {
  const document = await open(bytes);
  try {
    return Array.from({ length: document.getPageCount() }, (_, page) => document.getPage(page).getText());
  } finally {
    document.destroy();
  }
}

/**
 * Compares the rendered pages of two files. In each field, the difference must be at least {@link leastContrast} of the contrast that the value has
 * on white paper. Outside the fields, the pages must look the same. Otherwise throws an {@link Unsealable}.
 */
export async function requireInk(
  before: Uint8Array,
  after: Uint8Array,
  laid: readonly Uint8Array[],
  { overlays, places, pages }: Layer,
): Promise<void> {
  // Without overlays, PDFium is not loaded.
  if (overlays.length === 0) return;
  const documents: PDFiumDocument[] = [];
  const opened = async (bytes: Uint8Array): Promise<PDFiumDocument> => {
    const document = await open(bytes);
    documents.push(document);
    return document;
  };
  try {
    const [first, second] = [await opened(before), await opened(after)];
    const sheets = new Map<number, PDFiumDocument>();
    for (const [file, bytes] of laid.entries()) sheets.set(file, await opened(bytes));
    for (const { file, page: at, onto } of overlays) {
      const [page, sheet] = [pages[onto], sheets.get(file)];
      if (!page || !sheet) throw new Unsealable('field_outside_page', `The file has no page ${onto + 1}.`);
      const [old, made] = [await draw(first, onto, page), await draw(second, onto, page)];
      const alone = await draw(sheet, at, page);
      comparePage({ old, made, alone }, { number: onto + 1, page, places: places.filter((place) => place.page === onto + 1) });
    }
  } finally {
    for (const document of documents) document.destroy();
  }
}

/** Renders a page. `number` starts at 0. */
async function draw(document: PDFiumDocument, number: number, { width: wide, height: high }: PageSize): Promise<Drawn> {
  const scale = Math.min(pixelsOfPoint, Math.sqrt(maxPixels / (wide * high)));
  const [width, height] = [Math.max(1, Math.round(wide * scale)), Math.max(1, Math.round(high * scale))];
  const { data } = await document.getPage(number).render({
    width,
    height,
    scale: 1,
    render: ({ data: pixels }) => Promise.resolve(pixels),
  });
  return { width, height, data };
}

type Drawings = { old: Drawn; made: Drawn; alone: Drawn };

function comparePage(
  { old, made, alone }: Drawings,
  { number, page, places }: { number: number; page: PageSize; places: readonly PageRectangle[] },
): void {
  const { width, height } = old;
  const [across, along] = [width / page.width, height / page.height];
  const belongs = new Uint8Array(width * height);
  const white = new Uint8Array(width * height * 4).fill(255);
  for (const place of places) {
    let [most, shown, meant] = [0, 0, 0];
    eachPixel(boxOf(place, { across, along, width, height, around: 0 }), width, (at) => {
      const ink = difference(old.data, made.data, at);
      most = Math.max(most, ink);
      shown += ink;
      meant += difference(white, alone.data, at);
    });
    eachPixel(boxOf(place, { across, along, width, height, around: edge }), width, (at) => {
      belongs[at] = 1;
    });
    if (most < inked || shown < meant * leastContrast)
      throw new Unsealable(
        'field_not_visible',
        `The value of the field at ${Math.round(place.x)}, ${Math.round(place.y)} on page ${number} is hard to see: other content covers it, or the page is dark there. Move the field, or print the file as PDF again.`,
      );
  }
  for (let at = 0; at < belongs.length; at += 1)
    if (belongs[at] === 0 && difference(old.data, made.data, at) >= changed)
      throw new Unsealable(
        'field_not_visible',
        `The fields would change other content of page ${number}. Print the file as PDF again and upload the new file.`,
      );
}

type Box = { left: number; top: number; right: number; bottom: number };

function boxOf(
  { x, y, width: wide, height: high }: PageRectangle,
  { across, along, width, height, around }: { across: number; along: number; width: number; height: number; around: number },
): Box {
  return {
    left: Math.max(0, Math.floor((x - around) * across)),
    top: Math.max(0, Math.floor((y - around) * along)),
    right: Math.min(width, Math.ceil((x + wide + around) * across)),
    bottom: Math.min(height, Math.ceil((y + high + around) * along)),
  };
}

function eachPixel({ left, top, right, bottom }: Box, width: number, visit: (at: number) => void): void {
  for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) visit(y * width + x);
}

function difference(one: Uint8Array, other: Uint8Array, pixel: number): number {
  let most = 0;
  for (let at = pixel * 4; at < pixel * 4 + 3; at += 1) most = Math.max(most, Math.abs((one[at] ?? 0) - (other[at] ?? 0)));
  return most;
}
