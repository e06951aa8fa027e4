import type { Readable } from 'node:stream';

/**
 * Says of a file that it will be read, which may be later: where a store or a client breaks off until then and nobody listens, that ends the
 * process. The stream keeps in `errored` what went wrong, and whoever reads it then is told so.
 */
export function ignoreStreamErrors<File extends Readable>(file: File): File {
  return file.once('error', () => undefined);
}
