import type { FastifyRequest } from 'fastify';
import { countByMinute } from '../../../platform/fixed-window-counter.ts';
import { problems } from '../../../platform/problems.ts';

/**
 * Maximum number of actions by one link per minute on one node. Without the limit, a stranger with the link could use up the write quota of the team
 * and fill the journal.
 */
const maxActs = 120;
const counter = countByMinute();

/** HTTP requests that were already counted. A drawn signature is checked before it is used, and the whole counts as one action. */
const counted = new WeakSet<FastifyRequest>();

/** Counts an action by the link of a signer, once for each HTTP request. Throws 429 if the limit is exceeded. */
export function spendAct(http: FastifyRequest, signer: string): void {
  if (counted.has(http)) return;
  counted.add(http);
  const count = counter.add(signer);
  if (count.used <= maxActs) return;
  const wait = counter.wait(count);
  throw problems.rate_limited(`This link was used for ${maxActs} actions within a minute. Wait ${wait} seconds.`, {
    headers: { 'retry-after': String(wait) },
  });
}
