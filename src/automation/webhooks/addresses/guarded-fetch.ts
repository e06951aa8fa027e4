import { Agent } from 'undici';
import { guardedConnector, type GuardOptions } from './guarded-connector.ts';
import { InterimAnswers, maxInterim } from '../sending/send-errors.ts';

/** Fetches like the standard's `fetch`, from addresses that the policy allows alone; redirects are not followed. */
export type GuardedFetch = {
  fetch(url: string, init: { method?: string; headers?: Record<string, string>; body?: string | Uint8Array }): Promise<Response>;
  close(): Promise<void>;
};

const acceptedBytes = 1024 * 1024;
const overheadBytes = 128 * 1024;
const withoutBody = new Set([204, 205, 304]);

/**
 * For other parts that reach what a team names, under the same rules as webhooks. An answer of more than 1 MiB is refused;
 * one that is compressed stays so, since it may be any size when it is not.
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
