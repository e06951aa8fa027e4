import { Readable } from 'node:stream';
import { builtFile } from '../../../platform/entry-points.ts';
import { askConfined, type Limits, UnreadFile } from '../../../platform/reading/sandbox.ts';
import { sandboxCommandOf } from '../../../platform/reading/snapshot.ts';
import { type SealingResponse, type SealingRequest, parseFramed } from './messages.ts';
import { maxPdfBytes, Unsealable } from './pdf-sealer.ts';

export const usual: Limits = { cpuSeconds: 20, wallSeconds: 120, dataMb: 1_300, heapMb: 512 };
/** Limit of the output, in bytes. The output is larger than the input, because it includes fonts, images of fields, and the certificate. */
const maxAnswered = maxPdfBytes + 24 * 1024 * 1024;
const script = builtFile(new URL('work-on-file.ts', import.meta.url), 'cjs');

/** Delays the optimization of WebAssembly code, because most processes render only a few pages. */
const patient = '--wasm-tiering-budget=200000000';
const worker = async () => {
  const { node } = await sandboxCommandOf(script);
  return { node: [patient, ...node] };
};

type SealingResult = Exclude<SealingResponse, { refused: string }>;

/**
 * Runs work on a PDF in a child process that can access only this file. Rejects with {@link Unsealable} if the file is rejected or exceeds a limit,
 * and with another error if a retry can succeed.
 */
export async function workOnFile(
  request: SealingRequest,
  files: readonly (Uint8Array | Readable)[],
  { signal, limits = usual }: { signal?: AbortSignal | undefined; limits?: Limits } = {},
): Promise<{ response: SealingResult; file: Buffer }> {
  const file = Readable.from(framedStream(request, files), { objectMode: false });
  try {
    const said = await askConfined(worker(), '', { file, maxOutputBytes: maxAnswered }, { limits, ...(signal ? { signal } : {}) });
    const { message, files: made } = parseFramed(said) as { message: SealingResponse; files: Buffer[] };
    if ('refused' in message) throw new Unsealable(message.refused, message.message);
    return { response: message, file: made[0] ?? Buffer.alloc(0) };
  } catch (error) {
    if (!(error instanceof UnreadFile)) throw error;
    if (error.reason === 'limit')
      throw new Unsealable(
        'limit',
        'The processing of the file exceeded its time or memory limit. Print it as PDF again and upload the new file.',
      );
    throw new Unsealable('broken', 'The file cannot be processed. Print it as PDF again and upload the new file.');
  } finally {
    // Closes streams that were not read.
    for (const one of files) if (one instanceof Readable) one.destroy();
  }
}

async function* framedStream(request: SealingRequest, files: readonly (Uint8Array | Readable)[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(
    `${JSON.stringify({ message: request, sizes: files.map((file) => (file instanceof Readable ? null : file.length)) })}\n`,
  );
  for (const file of files) {
    if (file instanceof Readable) for await (const chunk of file) yield chunk as Uint8Array;
    else yield file;
  }
}
