import type { FastifyRequest } from 'fastify';
import { countByMinute } from '../../../platform/fixed-window-counter.ts';
import { problems } from '../../../platform/problems.ts';

/** Acts by one link in a minute, on one node: a stranger who has it would use up what its team may change, and fill the journal. */
const maxActs = 120;
const counter = countByMinute();

/** Requests that are counted already: a drawn signature is looked at before it is signed with, and is one act. */
const counted = new WeakSet<FastifyRequest>();

/** Counts a request as one more act by the link of a signer, once however often it is asked to. Errors: 429. */
export function spendAct(http: FastifyRequest, signer: string): void {
  if (counted.has(http)) return;
  counted.add(http);
  const count = counter.add(signer);
  if (count.used <= maxActs) return;
  const wait = counter.wait(count);
  throw problems.rate_limited(`By this link ${maxActs} things were done within a minute. Wait ${wait} seconds.`, {
    headers: { 'retry-after': String(wait) },
  });
}
