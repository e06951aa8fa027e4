import { boundedCache } from '../../../platform/bounded-cache.ts';
import { countByMinute } from '../../../platform/fixed-window-counter.ts';
import { problems } from '../../../platform/problems.ts';

/** What is counted: `things` by their name, and `name`, under which is refused at once what is known to be one too many. */
type Counting = { things?: string; name?: string };

/** Counts submissions in windows of a minute, on this node. */
export type Rates = {
  /** Counts one more under a key. Throws 429 where it is one too many; with 0 there is no limit. */
  spend(key: string, perMinute: number, what: string, counting?: Counting): void;
  /** Throws 429 where the last one that was counted under this name was one too many, as long as its minute lasts. */
  refuse(name: string): void;
};

export function countRates(now: () => number = Date.now): Rates {
  const counter = countByMinute({ now });
  const refused = boundedCache<{ said: string; resetAt: number }>(10_000);
  const refusal = (said: string, resetAt: number) => {
    const wait = counter.wait({ resetAt });
    return problems.rate_limited(`${said} a minute. Keep what you have and send it again in ${wait} seconds.`, {
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
