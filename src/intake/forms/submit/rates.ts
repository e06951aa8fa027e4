import { boundedCache } from '../../../platform/bounded-cache.ts';
import { countByMinute } from '../../../platform/fixed-window-counter.ts';
import { problems } from '../../../platform/problems.ts';

/**
 * A count of requests. `things` names the counted items in the error. After an excess, further requests with the same `name` are rejected immediately
 * in the same minute.
 */
type Counting = { things?: string; name?: string };

/** Limits the rate in windows of one minute, on this node. */
export type Rates = {
  /** Counts one use of a key. Throws 429 above the limit. A limit of 0 means no limit. */
  spend(key: string, perMinute: number, what: string, counting?: Counting): void;
  /** Rejects early: throws 429 if the limit under this name is already exceeded in the current minute. */
  refuse(name: string): void;
};

export function countRates(now: () => number = Date.now): Rates {
  const counter = countByMinute({ now });
  const refused = boundedCache<{ said: string; resetAt: number }>(10_000);
  const refusal = (said: string, resetAt: number) => {
    const wait = counter.wait({ resetAt });
    return problems.rate_limited(`${said} a minute. Keep your answers and send them again in ${wait} seconds.`, {
      headers: { 'retry-after': String(wait) },
    });
  };
  return {
    spend(key, perMinute, what, { things = 'submissions', name } = {}) {
      if (perMinute === 0) return;
      const { used, resetAt } = counter.add(key);
      if (used <= perMinute) return;
      const said = `${what} ${perMinute} ${things}`;
      if (name !== undefined) refused.set(name, { said, resetAt });
      throw refusal(said, resetAt);
    },
    refuse(name) {
      const known = refused.get(name);
      if (known && known.resetAt > now()) throw refusal(known.said, known.resetAt);
    },
  };
}
