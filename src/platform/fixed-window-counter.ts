import { boundedCache } from './bounded-cache.ts';

/** The count of a key and the end of its window, in milliseconds of the clock. */
export type Counted = { used: number; resetAt: number };
/** Counts events in fixed windows, in the memory of this node. */
export type Counter = {
  /** Increments the count of a key and returns it. */
  add(key: string): Counted;
  /** Returns the seconds until the window ends, rounded up, for `Retry-After`. */
  wait(counted: Pick<Counted, 'resetAt'>): number;
};

/**
 * Creates a counter for at most `most` keys, which evicts the least recently used key. A window starts with the first event and lasts one minute by
 * default.
 */
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
