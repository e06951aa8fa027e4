import { Agent, type Dispatcher } from 'undici';
import { guardedConnector, type GuardOptions } from '../addresses/guarded-connector.ts';
import { errorCode, InterimAnswers, maxInterim } from './send-errors.ts';
import { createTeamConnections } from './team-connections.ts';

/** The result of one attempt. `error` is a stable code, `errorDetail` a text for people. */
export type AttemptResult = {
  /** Whether the receiver responded with 2xx. */
  ok: boolean;
  responseStatus?: number;
  error?: string;
  errorDetail?: string;
  /** The response headers, at most 8 KiB, without secrets. */
  responseHeaders?: Record<string, string>;
  /** The first 16 KiB. */
  responseBody?: Buffer;
  /** Whether the status arrived but the rest was late or too long, so that the connection was closed. */
  unfinished?: boolean;
  retryAfterSeconds?: number;
  /** Milliseconds until the status line, or until the attempt ended without one. */
  latencyMs: number;
};

export type Delivery = { teamId: string; url: string; headers: Record<string, string>; body: Buffer };

export type Sender = {
  /** The deadline of one exchange including the body, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum connections of one team to one origin. Further deliveries wait, and their deadline does not run yet. */
  readonly connections: number;
  /** Sends one delivery. Never throws. */
  send(delivery: Delivery): Promise<AttemptResult>;
  close(): Promise<void>;
};

export type SenderOptions = GuardOptions & {
  /** Maximum connections of one team to one origin. */
  connections?: number;
  /** Milliseconds for the rest of a response after its status line. */
  bodyMs?: number;
};

const acceptedBytes = 64 * 1024;
const keptBytes = 16 * 1024;
const keptHeaderBytes = 8 * 1024;
/** Maximum bytes of the whole response, including status line, headers and body. */
const answerBytes = 2 * acceptedBytes;
const secretHeaders = new Set(['set-cookie', 'authorization', 'proxy-authorization', 'www-authenticate', 'cookie']);

/**
 * Sends webhooks. Each team has separate keep-alive connections. A name is resolved once for each connection, to addresses that the policy allows,
 * and redirects are not followed. One deadline covers the exchange, and a shorter one the rest after the status line. The status line decides the
 * result.
 */
export function createSender(options: SenderOptions): Sender {
  const { timeoutMs, connections = 64, bodyMs = 1_000 } = options;
  const connect = guardedConnector({ ...options, answerBytes });
  // Sockets are replaced after a while, and their names resolved again.
  const agent = () =>
    new Agent({
      connections,
      pipelining: 1,
      keepAliveTimeout: 30_000,
      keepAliveMaxTimeout: 60_000,
      clientTtl: 300_000,
      maxHeaderSize: keptBytes,
      connect,
    });
  const teams = createTeamConnections(agent, 60_000 + 2 * timeoutMs);

  return {
    timeoutMs,
    connections,
    send: (delivery) => exchange(teams.of(delivery.teamId), delivery, { timeoutMs, bodyMs }),
    close: () => teams.close(),
  };
}

/** The received part of a response. */
type Answer = {
  status: number;
  statusMs: number;
  headers: Record<string, string | string[] | undefined>;
  chunks: Buffer[];
  size: number;
  interim: number;
};

/**
 * Sends one request with undici’s dispatch, because its streams and promises would cost as much as the request itself. Resolves once, at the first
 * end or error. The status line decides the result, regardless of the body.
 */
function exchange(
  dispatcher: Dispatcher,
  { url, headers, body }: Delivery,
  { timeoutMs, bodyMs }: { timeoutMs: number; bodyMs: number },
): Promise<AttemptResult> {
  const startedAt = performance.now();
  const { promise, resolve } = Promise.withResolvers<AttemptResult>();
  const answer: Answer = { status: 0, statusMs: 0, headers: {}, chunks: [], size: 0, interim: 0 };
  let controller: Dispatcher.DispatchController | undefined;
  let stopped: Error | undefined;

  const stop = (): void => {
    stopped = new DOMException('the deadline passed', 'TimeoutError');
    finish(stopped);
    controller?.abort(stopped);
  };
  const deadline = setTimeout(stop, timeoutMs);
  let rest: NodeJS.Timeout | undefined;

  function finish(error?: Error): void {
    clearTimeout(deadline);
    clearTimeout(rest);
    if (answer.status === 0) resolve({ ok: false, ...errorCode(error), latencyMs: performance.now() - startedAt });
    else resolve({ ...resultOf(answer), ...(error ? { unfinished: true } : {}), latencyMs: answer.statusMs });
  }

  const target = new URL(url);
  dispatcher.dispatch(
    {
      origin: target.origin,
      path: `${target.pathname}${target.search}`,
      method: 'POST',
      headers: { 'user-agent': 'Chancery-Webhooks', 'accept-encoding': 'identity', ...headers },
      body,
      // The deadlines above cover these.
      headersTimeout: 0,
      bodyTimeout: 0,
    },
    {
      onRequestStart(started) {
        controller = started;
        // The request waited for a connection past its deadline.
        if (stopped) started.abort(stopped);
      },
      onResponseStart(started, status, received) {
        if (status < 200) return countInterim(answer, started);
        [answer.status, answer.statusMs, answer.headers] = [status, performance.now() - startedAt, received];
        rest = setTimeout(stop, bodyMs);
      },
      onResponseData: (started, chunk) => keepChunk(answer, started, chunk),
      onResponseEnd: () => finish(),
      onResponseError: (_, error) => finish(error),
    },
  );
  return promise;
}

function countInterim(answer: Answer, controller: Dispatcher.DispatchController): void {
  answer.interim += 1;
  if (answer.interim > maxInterim) controller.abort(new InterimAnswers());
}

function keepChunk(answer: Answer, controller: Dispatcher.DispatchController, chunk: Buffer): void {
  if (answer.size < keptBytes) answer.chunks.push(chunk);
  answer.size += chunk.length;
  if (answer.size > acceptedBytes) controller.abort(new Error('the response is larger than the maximum'));
}

function resultOf({ status, headers, chunks }: Answer): Omit<AttemptResult, 'latencyMs'> {
  const ok = status >= 200 && status < 300;
  const retryAfterSeconds = retryAfter(headers['retry-after']);
  return {
    ok,
    responseStatus: status,
    ...(ok ? {} : { error: statusError(status), errorDetail: `the receiver responded with ${status}` }),
    responseHeaders: keptHeaders(headers),
    responseBody: Buffer.concat(chunks).subarray(0, keptBytes),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

function statusError(status: number): string {
  if (status === 410) return 'endpoint_gone';
  return status >= 300 && status < 400 ? 'redirect_not_followed' : 'http_status';
}

function keptHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept: Record<string, string> = {};
  let size = 0;
  for (const [name, value] of Object.entries(headers)) {
    const text = secretHeaders.has(name) ? '[redacted]' : [value].flat().join(', ');
    size += name.length + text.length;
    if (size > keptHeaderBytes) break;
    kept[name] = text;
  }
  return kept;
}

/** Returns the seconds to wait, from a number of seconds or an HTTP date (RFC 9110 §10.2.3); undefined for other values. */
export function retryAfter(header: string | string[] | undefined, nowMs: number = Date.now()): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,10}(\.\d+)?$/.test(header)) return Number(header);
  const at = /^[A-Z][a-z]{2},/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, (at - nowMs) / 1_000);
}
