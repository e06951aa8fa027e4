import { boundedCache } from './bounded-cache.ts';

/** What was counted under a key, and when it begins anew, as the clock says. */
export type Counted = { used: number; resetAt: number };
/** Counts in fixed windows, on this node. */
export type Counter = {
  /** Counts one more under a key. */
  add(key: string): Counted;
  /** Seconds until something begins anew, rounded up: what `Retry-After` says. */
  wait(counted: Pick<Counted, 'resetAt'>): number;
};

/** Counts under at most `most` keys, of which the longest unused goes first, in windows of a minute that each begin with their first. */
export function countByMinute({ most = 50_000, windowMs = 60_000, now = Date.now } = {}): Counter {
  const counts = boundedCache<Counted>(most);
  return {
    add(key) {
      const at = now();
      const kept = counts.get(key);
      const counted = kept && kept.resetAt > at ? kept : { used: 0, resetAt: at + windowMs };
      counted.used += 1;
      counts.set(key, counted);
      return counted;
    },
    wait: ({ resetAt }) => Math.ceil((resetAt - now()) / 1_000),
  };
}
