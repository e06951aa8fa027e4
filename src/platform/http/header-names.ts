import type { FastifyRequest } from 'fastify';

/** Counts the headers with a name. Node.js keeps the first of duplicate headers, but a proxy may keep the last. */
export function headersNamed(request: FastifyRequest, name: string): number {
  const { rawHeaders } = request.raw;
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === name.length && rawHeaders[at]?.toLowerCase() === name) count += 1;
  }
  return count;
}
