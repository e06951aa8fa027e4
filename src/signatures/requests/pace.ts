import { boundedCache } from '../../platform/bounded-cache.ts';
import { problems } from '../../platform/problems.ts';

const windowMs = 60_000;
/** Acts by one link in a minute, on one node: a stranger who has it would use up what its team may change, and fill the journal. */
const mostActs = 120;
const counts = boundedCache<{ used: number; resetAt: number }>(50_000);

/** Counts one more act by the link of a signer. Errors: 429. */
export function spendAct(signer: string): void {
  const now = Date.now();
  const kept = counts.get(signer);
  const count = kept && kept.resetAt > now ? kept : { used: 0, resetAt: now + windowMs };
  count.used += 1;
  counts.set(signer, count);
  if (count.used <= mostActs) return;
  const wait = Math.ceil((count.resetAt - now) / 1_000);
  throw problems.rate_limited(`By this link ${mostActs} things were done within a minute. Wait ${wait} seconds.`, {
    headers: { 'retry-after': String(wait) },
  });
}
