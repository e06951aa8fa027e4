import { Agent } from 'undici';
import { guardedConnector, type GuardOptions } from './guarded-connector.ts';
import { InterimAnswers, maxInterim } from '../sending/send-errors.ts';

/** Works like the standard `fetch`, but only for addresses that the policy allows, and without redirects. */
export type GuardedFetch = {
  fetch(url: string, init: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array }): Promise<Response>;
  close(): Promise<void>;
};

const acceptedBytes = 1024 * 1024;
const overheadBytes = 128 * 1024;
const withoutBody = new Set([204, 205, 304]);

/**
 * Creates a fetch for URLs that teams configure, with the rules of webhooks. Rejects responses of more than 1 MiB. Compressed responses stay
 * compressed, because their decompressed size is unlimited.
 */
export function createGuardedFetch(options: GuardOptions): GuardedFetch {
  const agent = new Agent({
    connections: 16,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
    clientTtl: 300_000,
    maxResponseSize: acceptedBytes,
    connect: guardedConnector({ ...options, answerBytes: acceptedBytes + overheadBytes }),
  });
  return {
    async fetch(url, { method = 'GET', headers = {}, body }) {
      const target = new URL(url);
      const flooded = new AbortController();
      let interim = 0;
      const answer = await agent.request({
        origin: target.origin,
        path: `${target.pathname}${target.search}`,
        method,
        headers: { accept: '*/*', ...headers, 'user-agent': 'Chancery', 'accept-encoding': 'identity' },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.any([AbortSignal.timeout(options.timeoutMs), flooded.signal]),
        onInfo() {
          interim += 1;
          if (interim > maxInterim) flooded.abort(new InterimAnswers());
        },
      });
      const bytes = await answer.body.arrayBuffer();
      const received = Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one) => [name, one] as [string, string]),
      );
      return new Response(withoutBody.has(answer.statusCode) ? null : bytes, { status: answer.statusCode, headers: received });
    },
    close: () => agent.destroy(),
  };
}
