import { Agent, fetch as send } from 'undici';
import { guardedConnector, type GuardOptions } from './sender.ts';

/** Fetches like the standard's `fetch`, from addresses that the policy allows alone; redirects are not followed. */
export type GuardedFetch = {
  fetch(url: string, init: { method?: string; headers?: Record<string, string>; body?: string }): Promise<Response>;
  close(): Promise<void>;
};

const acceptedBytes = 1024 * 1024;

/** For other parts that reach what a team names, under the same rules as webhooks. At most 1 MiB is read of an answer. */
export function createGuardedFetch(options: GuardOptions): GuardedFetch {
  const agent = new Agent({
    connections: 16,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
    clientTtl: 300_000,
    maxResponseSize: acceptedBytes,
    connect: guardedConnector(options),
  });
  return {
    async fetch(url, { method = 'GET', headers = {}, body }) {
      return send(url, {
        method,
        headers: { ...headers, 'user-agent': 'Chancery' },
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
        dispatcher: agent,
        signal: AbortSignal.timeout(options.timeoutMs),
      });
    },
    close: () => agent.destroy(),
  };
}
