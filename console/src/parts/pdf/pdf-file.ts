import { consoleAddress } from '../../address.ts';
import {
  type FromRenderer,
  maxPages,
  maxPixels,
  type PdfCall,
  type PdfFailure,
  type PdfPage,
  type PdfText,
  type ToRenderer,
} from './protocol.ts';

/** Time for one call, such as a page. Then the frame ends. */
export const maxCallMs = 20_000;
const maxRuns = 50_000;

/** The renderer could not read the file, or it took too long. */
export class PdfError extends Error {
  readonly reason: PdfFailure;
  constructor(reason: PdfFailure) {
    super(`The PDF file is not shown: ${reason}`);
    this.reason = reason;
  }
}

/** An open PDF file. Pages count from 1. `render` and `text` run one after the other, in the order of the calls. */
export type PdfFile = {
  readonly pages: readonly PdfPage[];
  /** Draws a page with `scale` pixels for each point, less if the page is large. An aborted call that has not begun does not run. */
  render(page: number, scale: number, signal?: AbortSignal): Promise<ImageBitmap>;
  text(page: number, signal?: AbortSignal): Promise<readonly PdfText[]>;
  close(): void;
};

const isSize = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < 100_000;

/** The renderer reads untrusted files, so the console checks its messages. */
function pagesOf(value: unknown): PdfPage[] {
  const pages = Array.isArray(value) ? (value as Partial<PdfPage>[]) : [];
  if (pages.length === 0 || pages.length > maxPages) throw new PdfError('broken');
  return pages.map(({ width, height }) => {
    if (!isSize(width) || !isSize(height)) throw new PdfError('broken');
    return { width, height };
  });
}

function runsOf(value: unknown): PdfText[] {
  const runs = Array.isArray(value) ? (value as Record<keyof PdfText, unknown>[]).slice(0, maxRuns) : [];
  return runs.flatMap(({ text, x, y, width, size, angle, endsLine }) =>
    typeof text === 'string' && [x, y, width, size, angle].every((one) => Number.isFinite(one))
      ? [{ text, x: Number(x), y: Number(y), width: Number(width), size: Number(size), angle: Number(angle), endsLine: endsLine === true }]
      : [],
  );
}

type Pending = { resolve: (value: unknown) => void; reject: (error: unknown) => void };

/** The frame that runs the renderer, with an opaque origin. */
class Renderer {
  readonly #frame = document.createElement('iframe');
  readonly #channel = new MessageChannel();
  #pending: (Pending & { id: number; timer: number }) | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #nextId = 0;
  #ended: PdfError | undefined;

  async start(): Promise<void> {
    const { port1: port, port2 } = this.#channel;
    const ready = this.#call((id) => {
      this.#frame.sandbox.add('allow-scripts');
      this.#frame.hidden = true;
      this.#frame.src = `${consoleAddress}/pdf-renderer.html`;
      this.#frame.addEventListener('load', () => this.#frame.contentWindow?.postMessage(null, '*', [port2]), { once: true });
      port.addEventListener('message', ({ data }: MessageEvent<FromRenderer>) => void this.#hear(data, id));
      port.start();
      document.body.append(this.#frame);
    });
    await ready;
  }

  /** Runs a call after the ones before it. */
  async run(
    call: PdfCall,
    { signal, transfer = [] }: { signal?: AbortSignal | undefined; transfer?: Transferable[] } = {},
  ): Promise<unknown> {
    const before = this.#last;
    const result = before
      .catch(() => undefined)
      .then(() => {
        signal?.throwIfAborted();
        return this.#call((id) => this.#channel.port1.postMessage({ ...call, id } satisfies ToRenderer, transfer));
      });
    this.#last = result;
    return result;
  }

  end(reason: PdfFailure = 'broken'): void {
    this.#ended ??= new PdfError(reason);
    this.#settle()?.reject(this.#ended);
    this.#channel.port1.close();
    this.#frame.remove();
  }

  #call(begin: (id: number) => void): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    this.#nextId += 1;
    const id = this.#nextId;
    return new Promise((resolve, reject) => {
      this.#pending = { id, resolve, reject, timer: window.setTimeout(() => this.end('too_slow'), maxCallMs) };
      begin(id);
    });
  }

  #settle(): Pending | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    clearTimeout(pending?.timer);
    return pending;
  }

  async #hear(message: FromRenderer, start: number): Promise<void> {
    if (message.kind === 'asset') {
      const { fetchAsset } = await import('./assets.ts');
      const bytes = await fetchAsset(message).catch(() => null);
      return this.#channel.port1.postMessage({ kind: 'asset', id: message.id, bytes } satisfies ToRenderer, bytes ? [bytes.buffer] : []);
    }
    const id = message.kind === 'ready' ? start : message.id;
    if (this.#pending?.id !== id) return undefined;
    if (message.kind === 'failure') return this.#settle()?.reject(new PdfError(message.reason));
    return this.#settle()?.resolve(message.kind === 'result' ? message.value : undefined);
  }
}

/** Opens a PDF file in a frame of its own. The bytes move to the frame. Rejects with {@link PdfError}. */
export async function openPdf(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<PdfFile> {
  const renderer = new Renderer();
  signal.addEventListener('abort', () => renderer.end(), { once: true });
  await renderer.start();
  const pages = pagesOf(await renderer.run({ kind: 'open', bytes }, { transfer: [bytes.buffer] }));
  return {
    pages,
    async render(page, scale, given) {
      const { width = 1, height = 1 } = pages[page - 1] ?? {};
      const limited = Math.min(scale, Math.sqrt(maxPixels / (width * height)));
      const bitmap = await renderer.run({ kind: 'render', page, scale: limited }, { signal: given });
      if (!(bitmap instanceof ImageBitmap)) throw new PdfError('broken');
      return bitmap;
    },
    text: async (page, given) => runsOf(await renderer.run({ kind: 'text', page }, { signal: given })),
    close: () => renderer.end(),
  };
}
