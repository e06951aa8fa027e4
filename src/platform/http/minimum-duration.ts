import { setTimeout as sleep } from 'node:timers/promises';

/** The minimum duration in milliseconds. It exceeds the slowest path of these operations, even with a distant database. */
const evenMs = 50;
const lateMs = 5;

/**
 * Runs `work`, and returns its result or error after 50 ms at the earliest. For an existing account the work takes longer (a mail, a counted
 * attempt), and the medians of many attempts would disclose the difference. If the work takes longer, the response follows at the next multiple of 50
 * ms.
 */
export async function withMinimumDuration<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const [done] = await Promise.allSettled([work(), sleep(evenMs)]);
  const over = (performance.now() - began) % evenMs;
  // Timers fire a little late. A response within this tolerance does not wait for the next multiple.
  if (over > lateMs) await sleep(evenMs - over);
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}

/** Like {@link withMinimumDuration}, but only for errors, if success is visible anyway. */
export async function withMinimumErrorDuration<T>(work: () => Promise<T>): Promise<T> {
  const earliest = sleep(evenMs, undefined, { ref: false });
  try {
    return await work();
  } catch (error) {
    await earliest;
    throw error;
  }
}
