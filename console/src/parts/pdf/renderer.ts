/** Parses and draws PDF files with pdf.js, in the worker of the frame (`frame.ts`). Scripts, links and forms of a file do nothing here. */
import './worker-globals.ts';
import { getDocument, type PDFDocumentProxy, type PDFPageProxy, Util, VerbosityLevel } from 'pdfjs-dist';
// It registers itself as `globalThis.pdfjsWorker`, and so runs in this worker.
import 'pdfjs-dist/build/pdf.worker.mjs';
import {
  type FromRenderer,
  maxPages,
  maxPixels,
  type PdfAsset,
  type PdfFailure,
  type PdfPage,
  type PdfText,
  type ToRenderer,
} from './protocol.ts';

type Canvas = { canvas: OffscreenCanvas | null; context: OffscreenCanvasRenderingContext2D | null };

/** Creates canvases without a document. pdf.js calls these members. */
class CanvasFactory {
  create(width: number, height: number): Canvas {
    const canvas = new OffscreenCanvas(width, height);
    return { canvas, context: canvas.getContext('2d') };
  }
  getNoAlphaContext(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D | null {
    return canvas.getContext('2d', { alpha: false });
  }
  reset({ canvas }: Canvas, width: number, height: number): void {
    if (canvas) Object.assign(canvas, { width, height });
  }
  destroy(one: Canvas): void {
    this.reset(one, 0, 0);
    Object.assign(one, { canvas: null, context: null });
  }
}

/** Filters need SVG elements, which a worker lacks. pdf.js then draws without them. */
class FilterFactory {
  readonly #none = () => 'none';
  addFilter = this.#none;
  addHCMFilter = this.#none;
  addAlphaFilter = this.#none;
  addLuminosityFilter = this.#none;
  addKnockoutFilter = this.#none;
  addHighlightHCMFilter = this.#none;
  addSelectionHCMFilter = this.#none;
  addSelectionFilter = this.#none;
  createSelectionStyle = () => null;
  destroy = () => undefined;
}

const folders = { cMapUrl: 'cmaps', standardFontDataUrl: 'standard_fonts', wasmUrl: 'wasm' } as const;

let port: MessagePort;
const post = (message: FromRenderer, transfer: Transferable[] = []) => port.postMessage(message, transfer);

let nextAsset = 0;
const awaited = new Map<number, (bytes: Uint8Array | null) => void>();

/** Gets character maps, fonts and decoders from the console. */
class BinaryDataFactory {
  async fetch({ kind, filename }: { kind: keyof typeof folders; filename: string }): Promise<Uint8Array> {
    nextAsset += 1;
    const id = nextAsset;
    const asset: PdfAsset = { folder: folders[kind], name: filename };
    const bytes = await new Promise<Uint8Array | null>((resolve) => {
      awaited.set(id, resolve);
      post({ kind: 'asset', id, ...asset });
    });
    if (!bytes) throw new Error(`The console has no file ${filename}.`);
    return bytes;
  }
}

let file: PDFDocumentProxy | undefined;

async function open(bytes: Uint8Array): Promise<PdfPage[]> {
  file = await getDocument({
    data: bytes,
    CanvasFactory,
    FilterFactory,
    BinaryDataFactory,
    // Letters are drawn as paths, so that no font of a file reaches the font engine of the system.
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    enableXfa: false,
    maxImageSize: maxPixels * 4,
    canvasMaxAreaInBytes: maxPixels * 4,
    ownerDocument: { fonts: (globalThis as unknown as { fonts: unknown }).fonts },
    verbosity: VerbosityLevel.ERRORS,
  } as Parameters<typeof getDocument>[0]).promise;
  if (file.numPages > maxPages) throw new TooLarge();
  const pages: PdfPage[] = [];
  for (let number = 1; number <= file.numPages; number += 1) {
    const page = await file.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    pages.push({ width, height });
    page.cleanup();
  }
  return pages;
}

class TooLarge extends Error {}

async function pageOf(number: number): Promise<PDFPageProxy> {
  if (!file) throw new Error('No file is open.');
  return file.getPage(number);
}

async function render(number: number, scale: number): Promise<ImageBitmap> {
  const page = await pageOf(number);
  const viewport = page.getViewport({ scale });
  const canvas = new OffscreenCanvas(Math.max(Math.floor(viewport.width), 1), Math.max(Math.floor(viewport.height), 1));
  const canvasContext = canvas.getContext('2d', { alpha: false }) as unknown as CanvasRenderingContext2D;
  await page.render({ canvas: null, canvasContext, viewport }).promise;
  page.cleanup();
  return canvas.transferToImageBitmap();
}

async function textOf(number: number): Promise<PdfText[]> {
  const page = await pageOf(number);
  const viewport = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  return items.flatMap((item) => {
    if (!('str' in item)) return [];
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = Util.transform(viewport.transform, item.transform as number[]) as number[];
    return [{ text: item.str, x, y, width: item.width, size: Math.hypot(c, d), angle: Math.atan2(b, a), endsLine: item.hasEOL }];
  });
}

function failureOf(error: unknown): PdfFailure {
  if (error instanceof TooLarge) return 'too_large';
  return error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'broken';
}

async function answer(call: Exclude<ToRenderer, { kind: 'asset' }>): Promise<void> {
  try {
    const value = await (call.kind === 'open'
      ? open(call.bytes)
      : call.kind === 'render'
        ? render(call.page, call.scale)
        : textOf(call.page));
    post({ kind: 'result', id: call.id, value }, value instanceof ImageBitmap ? [value] : []);
  } catch (error) {
    post({ kind: 'failure', id: call.id, reason: failureOf(error) });
  }
}

addEventListener(
  'message',
  ({ ports: [first] }) => {
    if (!first) return;
    port = first;
    port.addEventListener('message', ({ data }: MessageEvent<ToRenderer>) => {
      if (data.kind === 'asset') {
        awaited.get(data.id)?.(data.bytes);
        awaited.delete(data.id);
      } else void answer(data);
    });
    port.start();
    post({ kind: 'ready' });
  },
  { once: true },
);
