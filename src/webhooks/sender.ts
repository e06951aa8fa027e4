import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { AddressPolicy } from './addresses.ts';
import { isBadPort } from './ports.ts';
import { resolveBySystem, type Resolve } from './resolver.ts';
import { BlockedAddress, errorCode } from './send-errors.ts';

/** What came of one attempt. `error` is a stable code, `errorDetail` says more to a person. */
export type AttemptResult = {
  /** The receiver answered 2xx. */
  ok: boolean;
  responseStatus?: number;
  error?: string;
  errorDetail?: string;
  /** At most 8 KiB, without what is secret. */
  responseHeaders?: Record<string, string>;
  /** The first 16 KiB. */
  responseBody?: Buffer;
  retryAfterSeconds?: number;
  latencyMs: number;
};

export type Delivery = { url: string; headers: Record<string, string>; body: Buffer; signal?: AbortSignal };

export type Sender = {
  /** The deadline of one exchange, body included. */
  readonly timeoutMs: number;
  /** Sends one delivery and never throws. */
  send(delivery: Delivery): Promise<AttemptResult>;
  close(): Promise<void>;
};

export type SenderOptions = {
  policy: AddressPolicy;
  timeoutMs: number;
  connectTimeoutMs?: number;
  /** PEM certificates trusted besides the public ones. */
  ca?: string;
  /** Connections to one origin; teams may share one. */
  connections?: number;
  /** How names are looked up; by default as the system does. */
  resolve?: Resolve;
};

const acceptedBytes = 64 * 1024;
const keptBytes = 16 * 1024;
const keptHeaderBytes = 8 * 1024;
const secretHeaders = new Set(['set-cookie', 'authorization', 'proxy-authorization', 'www-authenticate', 'cookie']);

/**
 * Sends webhooks: connections are kept, the name is resolved once for each and pinned to addresses that the policy
 * allows, redirects are not followed, and one deadline covers the whole exchange.
 */
export function createSender(options: SenderOptions): Sender {
  const { timeoutMs, connections = 128 } = options;
  // A socket is renewed after a while, and its address looked up anew.
  const agent = new Agent({
    connections,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 60_000,
    clientTtl: 300_000,
    maxHeaderSize: keptBytes,
    connect: guardedConnector(options),
  });

  return {
    timeoutMs,
    send: (delivery) => exchange(agent, delivery, timeoutMs),
    close: () => agent.destroy(),
  };
}

export type GuardOptions = Pick<SenderOptions, 'policy' | 'timeoutMs' | 'connectTimeoutMs' | 'ca' | 'resolve'>;

/** Opens connections to addresses that the policy allows, and to no others, whatever name or redirect led to them. */
export function guardedConnector(options: GuardOptions): buildConnector.connector {
  const { policy, timeoutMs, connectTimeoutMs = Math.min(5_000, timeoutMs), resolve = resolveBySystem } = options;
  // Plain http is for private networks alone.
  const mayReach = (protocol: string, address: string) => policy.allows(address) && (protocol === 'https:' || !policy.isPublic(address));

  function connect(target: buildConnector.Options, callback: buildConnector.Callback): void {
    const { protocol, hostname } = target;
    if ((isBadPort(target.port) && !policy.allowPrivate) || (isIP(hostname) !== 0 && !mayReach(protocol, hostname))) {
      callback(new BlockedAddress(), null);
      return;
    }
    const connector = protocol === 'https:' ? secure : plain;
    connector(target, (error, socket) => {
      if (error) return callback(error, null);
      // Whatever led here: the address at the other end is what counts.
      if (mayReach(protocol, socket.remoteAddress ?? '')) return callback(null, socket);
      socket.destroy();
      callback(new BlockedAddress(), null);
    });
  }

  const connectorFor = (protocol: string) =>
    buildConnector({
      timeout: connectTimeoutMs,
      allowH2: false,
      lookup: guardedLookup(resolve, (address) => mayReach(protocol, address)),
      ...(options.ca === undefined ? {} : { ca: [...rootCertificates, options.ca] }),
    } as buildConnector.BuildOptions);
  const plain = connectorFor('http:');
  const secure = connectorFor('https:');
  return connect;
}

/**
 * One request and its answer, by undici's dispatch: its streams and promises would cost as much as the request itself.
 * Resolves once, whatever happens first; the status line decides, a body that breaks off after it does not.
 */
function exchange(agent: Agent, { url, headers, body, signal }: Delivery, timeoutMs: number): Promise<AttemptResult> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let received: Record<string, string | string[] | undefined> = {};
    const chunks: Buffer[] = [];
    let size = 0;
    let stopped: Error | undefined;

    const stop = (reason: Error): void => {
      stopped = reason;
      finish(reason);
      controller?.abort(reason);
    };
    const aborted = (): void => stop(new DOMException('the sender is stopping', 'AbortError'));
    const deadline = setTimeout(() => stop(new DOMException('the deadline passed', 'TimeoutError')), timeoutMs);

    function finish(error?: Error): void {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', aborted);
      const latencyMs = performance.now() - startedAt;
      if (status === 0) resolve({ ok: false, ...errorCode(error), latencyMs });
      else resolve({ ...answerOf(status, received), responseBody: Buffer.concat(chunks).subarray(0, keptBytes), latencyMs });
    }

    signal?.addEventListener('abort', aborted, { once: true });
    const target = new URL(url);
    agent.dispatch(
      {
        origin: target.origin,
        path: `${target.pathname}${target.search}`,
        method: 'POST',
        headers: { 'user-agent': 'Chancery-Webhooks', 'accept-encoding': 'identity', ...headers },
        body,
        // One deadline covers all.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(started) {
          controller = started;
          // It waited for a connection past its deadline.
          if (stopped) started.abort(stopped);
        },
        onResponseStart(_, statusCode, answered) {
          if (statusCode < 200) return;
          status = statusCode;
          received = answered;
        },
        onResponseData(started, chunk) {
          if (size < keptBytes) chunks.push(chunk);
          size += chunk.length;
          if (size > acceptedBytes) started.abort(new Error('the answer is longer than what is read of it'));
        },
        onResponseEnd: () => finish(),
        onResponseError: (_, error) => finish(error),
      },
    );
  });
}

function answerOf(status: number, headers: Record<string, string | string[] | undefined>): Omit<AttemptResult, 'latencyMs'> {
  const ok = status >= 200 && status < 300;
  const retryAfterSeconds = retryAfter(headers['retry-after']);
  return {
    ok,
    responseStatus: status,
    ...(ok ? {} : { error: statusError(status), errorDetail: `the receiver answered ${status}` }),
    responseHeaders: keptHeaders(headers),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Resolves once and gives on only what may be reached: the socket connects to exactly what was checked. */
function guardedLookup(resolve: Resolve, mayReach: (address: string) => boolean) {
  return (hostname: string, options: { all?: boolean }, callback: LookupCallback): void => {
    resolve(hostname, (error, addresses) => {
      if (error) return callback(error, []);
      const allowed = addresses.filter(({ address }) => mayReach(address));
      const [first] = allowed;
      if (!first) return callback(new BlockedAddress(), []);
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
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

/** Seconds to wait, from a number of seconds or an HTTP date (RFC 9110 §10.2.3); nothing when it is neither. */
export function retryAfter(header: string | string[] | undefined, nowMs: number = Date.now()): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,10}(\.\d+)?$/.test(header)) return Number(header);
  const at = /^[A-Z][a-z]{2},/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, (at - nowMs) / 1_000);
}
