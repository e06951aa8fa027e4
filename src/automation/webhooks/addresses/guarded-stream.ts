import { Readable } from 'node:stream';
import { Agent } from 'undici';
import { InterimAnswers, maxInterim } from '../sending/send-errors.ts';
import { guardedConnector, type GuardOptions } from './guarded-connector.ts';

/** Works like the standard `fetch` and streams the response. */
export type GuardedStream = { fetch: typeof globalThis.fetch; close(): Promise<void> };

const overheadBytes = 128 * 1024;

/**
 * Creates a fetch for streamed responses with the rules of webhooks: only allowed addresses, no redirects, no compression, and at most
 * `answerBytes`. `timeoutMs` limits the time without data.
 */
export function createGuardedStream(options: GuardOptions & { answerBytes: number }): GuardedStream {
  const { timeoutMs, answerBytes } = options;
  const agent = new Agent({
    connections: 64,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
    clientTtl: 300_000,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: answerBytes,
    connect: guardedConnector({ ...options, answerBytes: answerBytes + overheadBytes }),
  });
  return {
    async fetch(input, { method = 'GET', headers, body, signal } = {}) {
      const target = new URL(input instanceof Request ? input.url : input);
      const flooded = new AbortController();
      let interim = 0;
      const answer = await agent.request({
        origin: target.origin,
        path: `${target.pathname}${target.search}`,
        method,
        headers: { ...Object.fromEntries(new Headers(headers)), 'user-agent': 'Chancery', 'accept-encoding': 'identity' },
        ...(typeof body === 'string' ? { body } : {}),
        signal: AbortSignal.any([flooded.signal, ...(signal ? [signal] : [])]),
        onInfo() {
          interim += 1;
          if (interim > maxInterim) flooded.abort(new InterimAnswers());
        },
      });
      const received = Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one) => [name, one] as [string, string]),
      );
      const empty = [204, 205, 304].includes(answer.statusCode);
      if (empty) await answer.body.dump();
      return new Response(empty ? null : (Readable.toWeb(answer.body) as ReadableStream), { status: answer.statusCode, headers: received });
    },
    close: () => agent.destroy(),
  };
}
