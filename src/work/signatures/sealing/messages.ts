import type { PreparationFinding, Manner, PageSize, PageRectangle, UnsealableReason } from './pdf-sealer.ts';
import type { ListState } from './revocation-list.ts';

/** Request to the process that works on a PDF. The files follow the request in the order described for each type of work. */
export type SealingRequest =
  /** Files: the upload. */
  | { work: 'prepare'; fields: readonly PageRectangle[] }
  /** Tries the overlays before signing. Files: the presented file, then the overlay pages. */
  | ({ work: 'try' } & Layer)
  /** Files: the presented file, then the certificate, then the overlay pages. If the first file is itself a certificate, the second one is empty. */
  | ({ work: 'compose'; seal: SealText; room: number } & Layer)
  /** Files: the sealed file, then the certificates, revocation lists and OCSP responses. The numbers count each kind. */
  | { work: 'validation'; certificates: number; lists: number; answers: number }
  /** Files: a revocation list, a certificate and its issuer certificate, as DER. `now` is in milliseconds. */
  | { work: 'list'; now: number };

/** The overlays, the field rectangles that must show ink, and the sizes of all pages. */
export type Layer = { overlays: readonly Overlay[]; places: readonly PageRectangle[]; pages: readonly PageSize[] };

/** A page of overlay file `file` that covers page `onto` of the document. Both page numbers start at 0. */
export type Overlay = { file: number; page: number; onto: number };

/** The texts of the signature that PDF viewers show, and its time (ISO 8601, UTC). */
export type SealText = { name: string; reason: string; field: string; time: string };

/** Response of the process. A file follows if the work created one. */
export type SealingResponse =
  | { done: 'prepare'; pages: PageSize[]; findings: PreparationFinding[]; manner: Manner }
  | { done: 'try' }
  | { done: 'compose'; contents: { at: number; length: number } }
  | { done: 'validation' }
  | { done: 'list'; state: ListState }
  | { refused: UnsealableReason; message: string };

/** A response and its file. The file is empty if the work created none. */
export type SealingOutput = { response: SealingResponse; file: Uint8Array };

/** Combines a message and files: a JSON line with the sizes, then the bytes of the files. */
export function framed(message: object, files: readonly Uint8Array[]): Buffer {
  const line = JSON.stringify({ message, sizes: files.map(({ length }) => length) });
  return Buffer.concat([Buffer.from(`${line}\n`), ...files]);
}

/** Splits the output of {@link framed}. A file of unknown size (null) gets the remaining bytes. */
export function parseFramed(bytes: Buffer): { message: unknown; files: Buffer[] } {
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
