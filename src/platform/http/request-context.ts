import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

declare module 'fastify' {
  interface FastifyRequest {
    /** The trace this request belongs to (W3C Trace Context), the caller's where it names one. */
    traceId: string;
  }
}

const sane = /^[\w.-]{1,64}$/;
const traceparent = /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-|$)/;

/** The caller's request id where it is harmless, a new one otherwise. */
export function requestIdOf(raw: IncomingMessage): string {
  const given = raw.headers['x-request-id'];
  return typeof given === 'string' && sane.test(given) ? given : randomUUIDv7();
}

/** The trace the caller names, or a new one. Node.js makes UUIDs in batches; 16 random bytes take 5 % of the CPU time of a small read. */
export function traceIdOf(raw: IncomingMessage | undefined): string {
  const given = raw?.headers.traceparent;
  return (typeof given === 'string' && traceparent.exec(given)?.[1]) || randomUUID().replaceAll('-', '');
}
