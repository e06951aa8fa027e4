/** A point is 1/72 inch. Positions are from the left and from the top of the page, as it is shown. */
export type PdfPage = { width: number; height: number };

/** A run of text. `x` and `y` are the start of its base line; `size` is the height of the letters and `angle` the rotation in radians. */
export type PdfText = { text: string; x: number; y: number; width: number; size: number; angle: number; endsLine: boolean };

/** Why a file has no pages to show. */
export type PdfFailure = 'encrypted' | 'broken' | 'too_slow' | 'too_large';

/** A data file of the renderer, which the console fetches for it. */
export type PdfAsset = { folder: 'cmaps' | 'standard_fonts' | 'wasm'; name: string };

export type PdfCall =
  | { kind: 'open'; bytes: Uint8Array }
  | { kind: 'render'; page: number; scale: number }
  | { kind: 'text'; page: number };
/** From the console to the renderer. */
export type ToRenderer = (PdfCall & { id: number }) | { kind: 'asset'; id: number; bytes: Uint8Array | null };
/** From the renderer to the console. `ready` says that the script runs. */
export type FromRenderer =
  | { kind: 'ready' }
  | { kind: 'result'; id: number; value: unknown }
  | { kind: 'failure'; id: number; reason: PdfFailure }
  | ({ kind: 'asset'; id: number } & PdfAsset);

export const maxPages = 5_000;
/** Pixels of one rendered page: 64 MiB of memory. */
export const maxPixels = 16_777_216;
