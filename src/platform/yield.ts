import { setTimeout } from 'node:timers';
import { setImmediate as nextPass } from 'node:timers/promises';
import { FairQueue } from './fair-queue.ts';

/** Long work on the event loop, done in turns. */
export type YieldingWork = {
  /** Whether the work has had the event loop for long enough. */
  readonly over: boolean;
  /** Lets others be served, and begins another turn once it is due. */
  next(): Promise<void>;
};

/**
 * One turn at a time on the node, then a pause of the same length. Such work has the event loop for half of the time at most. A short
 * request waits for one piece of it.
 */
const eventLoop = new FairQueue({ concurrency: 1, concurrencyPerKey: 1 });

/**
 * Work that asks between two small pieces whether its turn is `over`, so that nobody waits for more than `maxMs` and one piece.
 * `whose`: the team that it is for; the turns go round among teams.
 */
export function yieldToEventLoop(ownerKey = '', maxMs = 5): YieldingWork {
  let begun = performance.now();
  return {
    get over() {
      return performance.now() - begun > maxMs;
    },
    async next() {
      // What came in meanwhile is served before.
      await nextPass();
      const leave = await eventLoop.enter(ownerKey);
      const from = performance.now();
      setImmediate(() => setTimeout(leave, performance.now() - from));
      begun = performance.now();
    },
  };
}
