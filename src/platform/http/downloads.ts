import { pipeline, Readable, Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileProblems } from '../storage/problems.ts';
import { type Storage, StorageError } from '../storage/storage.ts';
import { isKnownTo } from './etag.ts';

/** A file that is kept, as its row says. */
export type KeptFile = { storage_key: string; file_name: string; media_type: string; size: number; sha256: string };

/** One byte range (RFC 9110 §14.1.2), or nothing when the header asks for several or for none that is understood. */
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
 * A name as RFC 8187 writes it: of the characters that are left alone by `encodeURIComponent`, four are not allowed. Half of a surrogate pair, on
 * which that fails, is written as what stands for none.
 */
function extended(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * The bytes of a file, as many as its answer announces, or an error that ends the connection: after fewer of them the next answer on it would be
 * taken for the rest of the file, and of more of them the rest for the next answer.
 */
function exactly(bytes: number, file: Readable): Readable {
  let left = bytes;
  // With it the answer would be whole: it is sent once nothing comes behind it.
  let last: Buffer | undefined;
  const check = (isSo: boolean) =>
    isSo ? null : new StorageError('unavailable', `the storage has another length for a file than its row: not ${bytes}`);
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (chunk.length === 0) return done();
      left -= chunk.length;
      if (left === 0) last = chunk;
      done(check(left >= 0), left === 0 ? undefined : chunk);
    },
    flush: (done) => done(check(left === 0), last),
  });
  // What goes wrong with either ends both, and is told by what is read.
  return pipeline(file, counted, () => undefined);
}

/** Sends a file's bytes as a download, whole or the range asked for; without `storage`, what there is to say of them. `caching` says what may be kept on the way. */
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
    throw fileProblems.range_not_satisfiable(`The file has ${file.size} bytes. Ask for a range within it.`, {
      headers: { 'content-range': `bytes */${file.size}` },
    });
  }
  const plainName = file.file_name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
  const described = {
    ...validators,
    'accept-ranges': 'bytes',
    'content-type': file.media_type,
    'content-disposition': `attachment; filename="${plainName}"; filename*=UTF-8''${extended(file.file_name)}`,
    // Whatever was uploaded, a browser that opens it runs nothing.
    'content-security-policy': "sandbox; default-src 'none'",
  };
  // Opened once nothing is left to go wrong: a file that nobody reads or closes ends the process when it is collected.
  const length = range ? range.end - range.start + 1 : file.size;
  const stream = storage ? exactly(length, await storage.read(file.storage_key, range)) : Readable.from([]);
  reply.headers({ ...described, 'content-length': length });
  if (!range) return reply.send(stream);
  return reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`).send(stream);
}
