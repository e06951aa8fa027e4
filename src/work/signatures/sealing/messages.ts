import type { PreparationFinding, Manner, Page, PageRectangle, UnsealableReason } from './pdf-sealer.ts';
import type { ListState } from './revocation-list.ts';

/** What the process that works on a PDF is asked; files come behind it, in the order that the work says. */
export type SealingRequest =
  /** One file: the upload. */
  | { work: 'prepare'; fields: readonly PageRectangle[] }
  /** Files: what signers are to be shown, then pages that are laid over it for a trial. */
  | ({ work: 'try' } & Layer)
  /** Files: what is signed, then the certificate (none where the first is itself a certificate), then pages that are laid over. */
  | ({ work: 'compose'; seal: SealText; room: number } & Layer)
  /** Files: the sealed one, then what is kept for later: certificates, revocation lists, answers of OCSP, so many of each. */
  | { work: 'validation'; certificates: number; lists: number; answers: number }
  /** Files: a revocation list, a certificate, and its issuer's, as DER. `now` in milliseconds. */
  | { work: 'list'; now: number };

/** The overlays of pages, the places that then have ink, and the sizes of all pages. */
export type Layer = { overlays: readonly Overlay[]; places: readonly PageRectangle[]; pages: readonly Page[] };

/** A page of the file `file`, counted among those that are laid over, that goes over `onto` (both pages from 0). */
export type Overlay = { file: number; page: number; onto: number };

/** What the signature says of itself to readers of PDF. */
export type SealText = { name: string; reason: string; field: string };

/** What it answers, with a file behind it where it made one. */
export type SealingResponse =
  | { done: 'prepare'; pages: Page[]; findings: PreparationFinding[]; manner: Manner }
  | { done: 'try' }
  | { done: 'compose'; contents: { at: number; length: number } }
  | { done: 'validation' }
  | { done: 'list'; state: ListState }
  | { refused: UnsealableReason; message: string };

/** A response, and the file that it made; an empty file where it made none. */
export type SealingOutput = { response: SealingResponse; file: Uint8Array };

/** A message and files in one run of bytes: a line of JSON that says how long each is, then they. */
export function framed(message: object, files: readonly Uint8Array[]): Buffer {
  const line = JSON.stringify({ message, sizes: files.map(({ length }) => length) });
  return Buffer.concat([Buffer.from(`${line}\n`), ...files]);
}

/** Takes apart what {@link framed} made; the last file is what is left where its size is not said. */
export function unframed(bytes: Buffer): { message: unknown; files: Buffer[] } {
  const line = bytes.indexOf('\n');
  const { message, sizes } = JSON.parse(bytes.toString('utf8', 0, line)) as { message: unknown; sizes: (number | null)[] };
  let at = line + 1;
  const files = sizes.map((size) => {
    const file = bytes.subarray(at, size === null ? undefined : at + size);
    at += file.length;
    return file;
  });
  return { message, files };
}
