import { pipeline, Readable, Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileProblems } from '../storage/problems.ts';
import { type Storage, StorageError } from '../storage/storage.ts';
import { isKnownTo } from './etag.ts';

/** A stored file, as its row describes it. */
export type KeptFile = { storage_key: string; file_name: string; media_type: string; size: number; sha256: string };

/** Returns one byte range (RFC 9110 §14.1.2); undefined if the header has several ranges or is invalid. */
export function byteRange(header: string | undefined, size: number): { start: number; end: number } | 'unsatisfiable' | undefined {
  const found = header === undefined ? null : /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  if (!found || (found[1] === '' && found[2] === '')) return undefined;
  const [, from = '', to = ''] = found;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && from !== '' && Number(to) < Number(from)) return undefined;
  return start > end || start >= size ? 'unsatisfiable' : { start, end };
}

/**
 * Encodes a file name as in RFC 8187. It also encodes four characters that `encodeURIComponent` keeps and RFC 8187 forbids, and replaces unpaired
 * surrogates, on which `encodeURIComponent` fails.
 */
function extended(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Returns a stream with exactly the announced number of bytes, or an error that ends the connection. With fewer bytes the client would read the
 * next response as part of the file. With more bytes it would read the rest as the next response.
 */
function exactly(bytes: number, file: Readable): Readable {
  let left = bytes;
  // The last chunk completes the response, so it is held back until the file ends.
  let last: Buffer | undefined;
  const check = (isSo: boolean) =>
    isSo ? null : new StorageError('unavailable', `the stored file does not have ${bytes} bytes as its row says`);
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (chunk.length === 0) return done();
      left -= chunk.length;
      if (left === 0) last = chunk;
      done(check(left >= 0), left === 0 ? undefined : chunk);
    },
    flush: (done) => done(check(left === 0), last),
  });
  // An error of either stream ends both and reaches the reader.
  return pipeline(file, counted, () => undefined);
}

/** Sends a file, or the requested range, as a download; without `storage` only the headers. `caching` is the Cache-Control header. */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  storage: Storage | undefined,
  file: KeptFile,
  caching = 'private, no-cache',
): Promise<FastifyReply> {
  const tag = `"${file.sha256}"`;
  const validators = { etag: tag, 'cache-control': caching };
  if (isKnownTo(request, tag)) return reply.headers(validators).code(304).send();
  const ifRange = request.headers['if-range'];
  const range = ifRange === undefined || ifRange === tag ? byteRange(request.headers.range, file.size) : undefined;
  if (range === 'unsatisfiable') {
    throw fileProblems.range_not_satisfiable(`The file has ${file.size} bytes. Request a range within it.`, {
      headers: { 'content-range': `bytes */${file.size}` },
    });
  }
  const plainName = file.file_name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
  const described = {
    ...validators,
    'accept-ranges': 'bytes',
    'content-type': file.media_type,
    'content-disposition': `attachment; filename="${plainName}"; filename*=UTF-8''${extended(file.file_name)}`,
    // A browser that opens the file must not run scripts in it.
    'content-security-policy': "sandbox; default-src 'none'",
  };
  // Opened last, when nothing else can fail: a stream that is never read or closed ends the process when it is garbage-collected.
  const length = range ? range.end - range.start + 1 : file.size;
  const stream = storage ? exactly(length, await storage.read(file.storage_key, range)) : Readable.from([]);
  reply.headers({ ...described, 'content-length': length });
  if (!range) return reply.send(stream);
  return reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`).send(stream);
}
