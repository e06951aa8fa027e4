import { LRUCache } from 'lru-cache';
import { problems } from '../../platform/problems.ts';

const windowMs = 60_000;

/** Counts submissions in windows of a minute, on this node. */
export type Rates = {
  /** Counts one more under a key. Throws 429 where it is one too many; with 0 there is no limit. */
  spend(key: string, perMinute: number, what: string, things?: string): void;
};

export function countRates(now: () => number = Date.now): Rates {
  const counts = new LRUCache<string, { used: number; resetAt: number }>({ max: 50_000 });
  return {
    spend(key, perMinute, what, things = 'submissions') {
      if (perMinute === 0) return;
      const at = now();
      const kept = counts.get(key);
      const count = kept && kept.resetAt > at ? kept : { used: 0, resetAt: at + windowMs };
      count.used += 1;
      counts.set(key, count);
      if (count.used <= perMinute) return;
      const wait = Math.ceil((count.resetAt - at) / 1_000);
      throw problems.rate_limited(`${what} ${perMinute} ${things} a minute. Keep what you have and send it again in ${wait} seconds.`, {
        headers: { 'retry-after': String(wait) },
      });
    },
  };
}
