import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

declare module 'fastify' {
  interface FastifyRequest {
    /** The trace ID of the request (W3C Trace Context): the ID of the caller, if given. */
    traceId: string;
  }
}

const sane = /^[\w.-]{1,64}$/;
const traceparent = /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-|$)/;

/** Returns the request ID of the caller if it is well-formed, otherwise a new one. */
export function requestIdOf(raw: IncomingMessage): string {
  const given = raw.headers['x-request-id'];
  return typeof given === 'string' && sane.test(given) ? given : randomUUIDv7();
}

/**
 * Returns the trace ID of the caller, or a new one. It uses UUIDs, which Node.js creates in batches. Reading 16 random bytes would take 5 % of the
 * CPU time of a small read.
 */
export function traceIdOf(raw: IncomingMessage | undefined): string {
  const given = raw?.headers.traceparent;
  return (typeof given === 'string' && traceparent.exec(given)?.[1]) || randomUUID().replaceAll('-', '');
}
