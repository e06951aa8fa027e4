import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than the longest of the ways through what is evened out takes, on a database that is some way off. */
const evenMs = 50;
const lateMs = 5;

/**
 * Does the work and answers no sooner than 50 ms after it began, refusals too: what an address brings about (a mail, a
 * counted try) takes a moment longer than nothing, and many tries would tell the two apart by their medians. On a machine so
 * busy that it takes longer, it answers after the next full 50 ms.
 */
export async function withMinimumDuration<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const [done] = await Promise.allSettled([work(), sleep(evenMs)]);
  const over = (performance.now() - began) % evenMs;
  // A timer is a moment late: what took its 50 ms is not sent on to the next.
  if (over > lateMs) await sleep(evenMs - over);
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}

/** The same for refusals alone: where success tells of itself anyway. */
export async function refusedInEvenTime<T>(work: () => Promise<T>): Promise<T> {
  const earliest = sleep(evenMs, undefined, { ref: false });
  try {
    return await work();
  } catch (error) {
    await earliest;
    throw error;
  }
}
