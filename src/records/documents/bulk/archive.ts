import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file of an archive. Its stream opens when the archive reaches it. */
export type ArchivedFile = { path: string; at: Date; size: number; source: Readable };

/**
 * Returns a zip archive that is written while it is read, without compression. It holds only a few chunks in memory and requests the next file after
 * the previous one was read. If a file ends too early, the archive fails, because a shorter file would look complete. Destroying the archive destroys
 * the open file.
 */
export function archiveOf(files: AsyncIterable<ArchivedFile>): Readable {
  const zip = new ZipFile();
  // yazl returns a PassThrough, but its types promise less.
  const out = zip.outputStream as Readable;
  const fail = (error: unknown): void => void out.destroy(error instanceof Error ? error : new Error(String(error)));
  zip.on('error', fail);
  void addAll(zip, out, files).catch(fail);
  return out;
}

async function addAll(zip: ZipFile, out: Readable, files: AsyncIterable<ArchivedFile>): Promise<void> {
  for await (const { path, at, size, source } of files) {
    const letGo = (): void => void source.destroy();
    out.once('close', letGo);
    if (out.destroyed) letGo();
    const read = finished(source);
    zip.addReadStream(source, path, { size, mtime: at, compress: false, mode: 0o100_644 });
    await read;
    out.off('close', letGo);
  }
  zip.end();
}
