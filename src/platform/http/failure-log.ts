import type { FastifyBaseLogger, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    noteFailure: NoteFailure;
  }
}

export type Failure = {
  error: unknown;
  /** The status that whoever asked is told. */
  status: number;
  /** What failed, in words that are the same for all such failures. */
  message: string;
  /** Which thing it was about, where a request is about several. */
  about?: Record<string, string>;
};

/** Writes down what failed of a request by a fault of the service. What is refused by a fault of who asked (4xx) goes unwritten. */
export type NoteFailure = (request: FastifyRequest, failure: Failure) => void;

/** How many failures of one kind are written down in a period; those beyond are counted, and the number is written at its end. */
const maxOfKind = 20;
const periodMs = 60_000;

/** Kinds that are told apart in a period. More share one count. */
const maxKinds = 500;

/**
 * Failures in the log, of which one that happens at each request, or a team that asks for more than there is, writes no more than others:
 * a kind is what failed, where, and with which code. The returned `end` writes the numbers that are outstanding.
 */
export function failureLog(log: FastifyBaseLogger): { note: NoteFailure; end: () => void } {
  const kinds = new Map<string, { logged: number; unwritten: number; kind: Record<string, string | undefined> }>();
  let timer: NodeJS.Timeout | undefined;

  function end(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const { unwritten, kind } of kinds.values())
      if (unwritten > 0) log.error({ ...kind, unwritten }, 'more requests failed in the same way than are written down');
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
    request.log.error({ err: error, requestId: request.id, traceId: request.traceId, route, ...about }, message);
  }

  return { note, end };
}

/** The code of a problem, or of an error of Node's or of the database; what is not one of their short names is not told apart. */
function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : undefined;
}

/** Whether there is nobody left to answer: the body broke off with its connection. Anybody can do so as often as they like. */
const isHungUp = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted';
