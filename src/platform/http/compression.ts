import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './app.ts';
import { etagList, isKnownTo, plainTag } from './etag.ts';

type ContentCoding = 'br' | 'gzip';

type CompressionDone = (error: Error | null, bytes: Buffer) => void;

/** zlib uses the thread pool of libuv, so compression does not block the event loop. */
const compress: Record<ContentCoding, (bytes: Buffer, quality: number, done: CompressionDone) => void> = {
  br: (bytes, quality, done) => brotliCompress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }, done),
  gzip: (bytes, quality, done) => gzip(bytes, { level: quality }, done),
};
/** Quality levels: fast for each response, slow for a file that is compressed once. */
const [perResponse, once] = [5, 9];
/** Minimum size for compression, in bytes. A smaller body fits in one packet. */
const minBytes = 1024;
const compressible = /^(?:text\/|application\/(?:json|javascript|[\w.-]+\+json)|image\/svg\+xml)/;

/** Returns the best encoding that the client accepts (RFC 9110 §12.5.3). */
function encodingFor({ headers }: FastifyRequest): ContentCoding | undefined {
  const accepted = (headers['accept-encoding'] ?? '')
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => !/;\s*q=0(?:\.0*)?$/.test(one))
    .map((one) => one.split(';')[0]?.trim());
  return (['br', 'gzip'] as const).find((one) => accepted.includes(one));
}

/**
 * Returns whether the size of a compressed body could disclose a secret (BREACH). Another site can make a browser send input together with a cookie,
 * and an observer sees from the size how well input and secret compress. No site can make a browser send an access token.
 */
function mayLeak(request: FastifyRequest, reply: FastifyReply): boolean {
  const cookieAlone = request.principal === null && request.headers.cookie !== undefined;
  return cookieAlone || reply.hasHeader('set-cookie') || request.routeOptions.config?.showsSecret === true;
}

/**
 * Compresses JSON and text. Streams stay uncompressed: files, archives, exports and event streams. A compressed body has a separate entity tag
 * (RFC 9110 §8.8.3.3), which `If-Match` and `If-None-Match` accept like the plain one.
 */
export function compressResponses(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const tag = reply.getHeader('etag');
    if (reply.statusCode === 304) {
      addVary(reply);
      const known = etagList(request.headers['if-none-match']).map((one) => one.replace(/^W\//, ''));
      reply.header('etag', known.find((one) => plainTag(one) === tag) ?? tag);
    }
    if ((typeof payload !== 'string' && !Buffer.isBuffer(payload)) || !isCompressible(request, reply, payload)) return done(null, payload);
    addVary(reply);
    const encoding = encodingFor(request);
    if (encoding === undefined) return done(null, payload);
    if (typeof tag === 'string') reply.header('etag', encodedTag(tag, encoding));
    reply.header('content-encoding', encoding).removeHeader('content-length');
    compress[encoding](Buffer.from(payload), perResponse, done);
  });
}

function isCompressible(request: FastifyRequest, reply: FastifyReply, body: string | Buffer): boolean {
  if (body.length < minBytes || reply.statusCode === 206 || reply.hasHeader('content-encoding')) return false;
  return compressible.test(String(reply.getHeader('content-type'))) && !mayLeak(request, reply);
}

function addVary(reply: FastifyReply): void {
  const named = [reply.getHeader('vary') ?? []].flat().join(', ');
  if (!/accept-encoding/i.test(named)) reply.header('vary', named === '' ? 'accept-encoding' : `${named}, accept-encoding`);
}

/** Returns the entity tag of a compressed body. */
const encodedTag = (tag: string, encoding: ContentCoding) => tag.replace(/"$/, `-${encoding}"`);

/** A file that is the same for all clients, such as a style sheet or the API description. Each encoding is computed once. */
export type StaticFile = { type: string; bytes: Buffer; hash: string; encoded: Partial<Record<ContentCoding, Promise<Buffer>>> };

export function staticFile(type: string, bytes: Buffer): StaticFile {
  return { type, bytes, hash: createHash('sha256').update(bytes).digest('hex').slice(0, 16), encoded: {} };
}

/** Sends a file in the best encoding that the client accepts, or 304 if the client has it. */
export async function sendStaticFile(request: FastifyRequest, reply: FastifyReply, file: StaticFile): Promise<FastifyReply> {
  const tag = `"${file.hash}"`;
  addVary(reply);
  if (isKnownTo(request, tag)) return reply.code(304).header('etag', tag).send();
  reply.type(/^image\/(?!svg)/.test(file.type) ? file.type : `${file.type}; charset=utf-8`);
  const encoding = compressible.test(file.type) ? encodingFor(request) : undefined;
  if (encoding === undefined) return reply.header('etag', tag).send(file.bytes);
  file.encoded[encoding] ??= promisify(compress[encoding])(file.bytes, once);
  return reply.headers({ 'content-encoding': encoding, etag: encodedTag(tag, encoding) }).send(await file.encoded[encoding]);
}
