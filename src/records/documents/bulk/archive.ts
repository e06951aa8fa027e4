import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file of an archive, opened when it is its turn. */
export type ArchivedFile = { path: string; at: Date; size: number; source: Readable };

/**
 * A zip archive of files, one after the other as it is read: nothing is compressed, a few pieces are in memory, and the next file is asked
 * for once the one before has been read. A file that breaks off ends the archive with an error, since a shorter one would pass for whole;
 * an archive that is let go of lets go of its file.
 */
export function archiveOf(files: AsyncIterable<ArchivedFile>): Readable {
  const zip = new ZipFile();
  // It is a PassThrough, which the types say less of.
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
