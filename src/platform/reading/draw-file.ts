import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';
import encode, { init } from '@jsquash/webp/encode.js';
import type { Drawing, Drawn } from './messages.ts';
import { pictureAsPage } from './picture-page.ts';

/**
 * The process that draws pages of one file: which ones by its arguments, its bytes by standard input; by standard output the length of
 * what it found (four bytes), that as JSON, and the pictures.
 */
const asked = JSON.parse(process.argv[2] ?? '') as Drawing;
const mostPixels = 4_000_000;
/** Nearly as sharp as without loss, and a third of its size; a scanned page takes a tenth. */
const quality = { quality: 82, method: 2 };

const bytes = await buffer(process.stdin);
const isPicture = bytes[0] === 0xff || bytes[0] === 0x89;
const document = await opened();
const pictures: Uint8Array[] = [];
const found: Drawn = typeof document === 'string' ? { none: document } : { pages: document.getPageCount(), drawn: [] };
if (typeof document !== 'string' && 'drawn' in found) {
  await prepareEncoder();
  for (let number = asked.first; number <= Math.min(asked.last, found.pages); number += 1) {
    // A page that is broken hides no other.
    const page = await draw(document.getPage(number - 1)).catch(() => undefined);
    if (page === undefined) continue;
    const { picture, ...drawn } = page;
    pictures.push(picture);
    found.drawn.push({ page: number, ...drawn, bytes: picture.length });
  }
}
const head = Buffer.from(JSON.stringify(found));
const length = Buffer.alloc(4);
length.writeUInt32BE(head.length);
process.stdout.write(Buffer.concat([length, head, ...pictures]));

async function opened(): Promise<PDFiumDocument | 'locked' | 'unreadable'> {
  const library = await PDFiumLibrary.init();
  try {
    return await library.loadDocument(isPicture ? pictureAsPage(bytes) : bytes);
  } catch (error) {
    return error instanceof Error && error.message.startsWith('Password') ? 'locked' : 'unreadable';
  }
}

/** The encoder's own way to its code is by the network's, which is closed here. */
async function prepareEncoder(): Promise<void> {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('@jsquash/webp/codec/enc/webp_enc_simd.wasm'));
  await init({ wasmBinary: wasm });
}

async function draw(page: PDFiumPage): Promise<{ width: number; height: number; text: string; picture: Uint8Array }> {
  const { originalWidth, originalHeight } = page.getOriginalSize();
  if (!(originalWidth > 0 && originalHeight > 0)) throw new Error('a page without a size');
  const wide = isPicture ? Math.min(asked.width, originalWidth) : asked.width;
  const width = Math.max(1, Math.floor(Math.min(wide, Math.sqrt((mostPixels * originalWidth) / originalHeight))));
  const height = Math.max(1, Math.min(Math.round((width * originalHeight) / originalWidth), mostPixels));
  const text = asked.characters === 0 ? '' : textOf(page);
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

/** What stands on a page. One whose text cannot be read is drawn all the same. */
function textOf(page: PDFiumPage): string {
  try {
    return page
      .getText()
      .toWellFormed()
      .replaceAll(/[^\P{Cc}\n\t]/gu, ' ')
      .slice(0, asked.characters);
  } catch {
    return '';
  }
}
