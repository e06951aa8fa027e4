import type { Readable } from 'node:stream';

/**
 * Adds an error listener to a file stream that may be read later. Without a listener, an error of the storage or the client before the first read
 * would end the process. A later reader gets the error from `errored`.
 */
export function ignoreStreamErrors<File extends Readable>(file: File): File {
  return file.once('error', () => undefined);
}
