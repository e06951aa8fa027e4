import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKnownTo } from '../etag.ts';

/** Sends a description, with CORS for all origins, or 304 if the client has this version. */
export function sendDescription(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  reply.headers({
    etag: tag,
    'cache-control': 'public, max-age=60',
    'access-control-allow-origin': '*',
    'content-type': 'application/json; charset=utf-8',
  });
  return isKnownTo(request, tag) ? reply.code(304).send() : reply.send(text);
}
