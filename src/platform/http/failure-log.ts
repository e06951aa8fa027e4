import type { FastifyBaseLogger, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    recordFailure: RecordFailure;
  }
}

export type Failure = {
  error: unknown;
  /** The status of the response. */
  status: number;
  /** A constant message for this kind of failure. */
  message: string;
  /** The affected resource, in a request for several resources. */
  about?: Record<string, string>;
};

/** Logs a failed request if the service caused the failure. Errors of the caller (4xx) are not logged. */
export type RecordFailure = (request: FastifyRequest, failure: Failure) => void;

/** Maximum number of log entries of one kind per period. Further failures are counted, and the count is logged at the end of the period. */
const maxOfKind = 20;
const periodMs = 60_000;

/** Maximum number of different kinds per period. Further kinds share one count. */
const maxKinds = 500;

/**
 * Logs failures with a limit per kind, so that one frequent failure or one busy team does not fill the log.
 * A kind is the message, the route and the code. The returned `end` logs the outstanding counts.
 */
export function failureLog(log: FastifyBaseLogger): { note: RecordFailure; end: () => void } {
  const kinds = new Map<string, { logged: number; unwritten: number; kind: Record<string, string | undefined> }>();
  let timer: NodeJS.Timeout | undefined;

  function end(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const { unwritten, kind } of kinds.values())
      if (unwritten > 0) log.error({ ...kind, unwritten }, 'more requests failed in the same way; not logged individually');
    kinds.clear();
  }

  function note(request: FastifyRequest, { error, status, message, about }: Failure): void {
    if (status < 500 || isHungUp(error)) return;
    const route = request.routeOptions.url;
    const kind = { failure: message, route, code: codeOf(error) };
    const own = JSON.stringify(kind);
    const key = kinds.has(own) || kinds.size < maxKinds ? own : 'others';
    const counted = kinds.get(key) ?? { logged: 0, unwritten: 0, kind: key === own ? kind : {} };
    kinds.set(key, counted);
    timer ??= setTimeout(end, periodMs).unref();
    if (counted.logged >= maxOfKind) {
      counted.unwritten += 1;
      return;
    }
    counted.logged += 1;
    request.log.error({ err: error, requestId: request.id, trace_id: request.traceId, route, ...about }, message);
  }

  return { note, end };
}

/** Returns the code of a problem, a Node.js error or a database error; undefined for other codes. */
function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : undefined;
}

/** Returns whether the client closed the connection during the body. Clients can cause this as often as they want, so it is not logged. */
const isHungUp = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted';
