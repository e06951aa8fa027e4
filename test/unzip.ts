import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { fromBuffer, type ZipFile } from 'yauzl';

/** Returns the files of an archive by path. Reads the central directory, as other programs do. */
export async function unzipped(bytes: Buffer): Promise<Record<string, Buffer>> {
  const zip = await promisify<Buffer, object, ZipFile>(fromBuffer as never)(bytes, {
    lazyEntries: true,
    strictFileNames: true,
    validateEntrySizes: true,
  });
  const files: Record<string, Buffer> = {};
  for (;;) {
    const next = new Promise<any>((resolve) => zip.once('entry', resolve).once('end', () => resolve(undefined)));
    zip.readEntry();
    const entry = await next;
    zip.removeAllListeners();
    if (entry === undefined) return files;
    files[entry.fileName] = await buffer((await promisify(zip.openReadStream.bind(zip) as any)(entry)) as any);
  }
}
