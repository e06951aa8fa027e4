import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';
import encode, { init } from '@jsquash/webp/encode.js';
import type { Drawing, Drawn } from './messages.ts';
import { pictureAsPage } from './picture-page.ts';

const maxPixels = 4_000_000;
/** The quality of the image: almost as sharp as lossless, at a third of the size, or a tenth for a scanned page. */
const quality = { quality: 82, method: 2 };

/** Reads WebAssembly code when this module is loaded, so that a snapshot contains it and the process needs no file access. */
const code = (name: string) => new Uint8Array(readFileSync(createRequire(import.meta.url).resolve(name)));
const pdfium = code('@hyzyla/pdfium/pdfium.wasm');
const encoder = code('@jsquash/webp/codec/enc/webp_enc_simd.wasm');

/** Renders pages of one file in a separate process. Returns the length of the JSON head (four bytes), the head, and the images. */
export async function work(argument: string, bytes: Buffer): Promise<Uint8Array> {
  const request = JSON.parse(argument) as Drawing;
  const isPicture = bytes[0] === 0xff || bytes[0] === 0x89;
  const document = await opened(bytes, isPicture);
  const pictures: Uint8Array[] = [];
  const found: Drawn = typeof document === 'string' ? { none: document } : { pages: document.getPageCount(), drawn: [] };
  if (typeof document !== 'string' && 'drawn' in found) {
    await init({ wasmBinary: encoder });
    for (let number = request.first; number <= Math.min(request.last, found.pages); number += 1) {
      // A broken page does not hide the others.
      const page = await draw(document.getPage(number - 1), request, isPicture).catch(() => undefined);
      if (page === undefined) continue;
      const { picture, ...drawn } = page;
      pictures.push(picture);
      found.drawn.push({ page: number, ...drawn, bytes: picture.length });
    }
  }
  const head = Buffer.from(JSON.stringify(found));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, ...pictures]);
}

async function opened(bytes: Buffer, isPicture: boolean): Promise<PDFiumDocument | 'locked' | 'unreadable'> {
  const library = await PDFiumLibrary.init({ wasmBinary: pdfium.buffer });
  try {
    return await library.loadDocument(isPicture ? pictureAsPage(bytes) : bytes);
  } catch (error) {
    return error instanceof Error && error.message.startsWith('Password') ? 'locked' : 'unreadable';
  }
}

async function draw(
  page: PDFiumPage,
  request: Drawing,
  isPicture: boolean,
): Promise<{ width: number; height: number; text: string; picture: Uint8Array }> {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  if (!(originalWidth > 0 && originalHeight > 0)) throw new Error('the page has no size');
  const wide = isPicture ? Math.min(request.width, originalWidth) : request.width;
  const width = Math.max(1, Math.floor(Math.min(wide, Math.sqrt((maxPixels * originalWidth) / originalHeight))));
  const height = Math.max(1, Math.min(Math.round((width * originalHeight) / originalWidth), maxPixels));
  const text = request.characters === 0 ? '' : textOf(page, request.characters);
  const { data } = await page.render({
    width,
    height,
    scale: 1,
    renderFormFields: true,
    render: ({ data: pixels }) => Promise.resolve(pixels),
  });
  const picture = await encode({ data, width, height }, quality);
  return { width, height, text, picture: new Uint8Array(picture) };
}

/** Returns the text of a page. A page with unreadable text is still rendered. */
function textOf(page: PDFiumPage, characters: number): string {
  try {
    return page
      .getText()
      .toWellFormed()
      .replaceAll(/[^\P{Cc}\n\t]/gu, ' ')
      .slice(0, characters);
  } catch {
    return '';
  }
}
