import type { FastifyRequest } from 'fastify';

/** How often a header was sent. Node keeps the first of those that may come once, where another program may keep the last. */
export function headersNamed(request: FastifyRequest, name: string): number {
  const { rawHeaders } = request.raw;
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === name.length && rawHeaders[at]?.toLowerCase() === name) count += 1;
  }
  return count;
}
