import type { FastifyReply, FastifyRequest } from 'fastify';
import { problems } from '../problems.ts';

/** Names the version a client has read, for `If-Match`. */
export function setEtag(reply: FastifyReply, version: number): void {
  reply.header('etag', `"${version}"`);
}

/**
 * Compares `If-Match` with the version there is (RFC 9110 §13.1.1): without the header nothing is asked; weak tags never
 * match. Returns the comparison, so that the service can make it under the lock of the row.
 */
export function ifMatch(request: FastifyRequest): (version: number) => void {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return () => undefined;
  const tags = header.split(',').map((tag) => tag.trim());
  return (version) => {
    if (tags.includes(`"${version}"`)) return;
    throw problems.precondition_failed(
      'The resource was changed since you read it. Read it again and repeat the change on what it is now.',
    );
  };
}
