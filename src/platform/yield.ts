import { setTimeout } from 'node:timers';
import { setImmediate as nextPass } from 'node:timers/promises';
import { FairQueue } from './fair-queue.ts';

/** Long work on the event loop that runs in slices. */
export type YieldingWork = {
  /** Whether the current slice used its time. */
  readonly over: boolean;
  /** Lets other work run, then starts the next slice. */
  next(): Promise<void>;
};

/**
 * Runs one slice at a time on this node, then pauses for the same time. So long work uses at most half of the event loop, and a short request waits
 * for at most one slice.
 */
const eventLoop = new FairQueue({ concurrency: 1, concurrencyPerKey: 1 });

/**
 * Starts long work in slices. Between two small steps the work checks whether its slice is `over`, so that other work waits for at most `maxMs` and
 * one step. Slices alternate among owners (`ownerKey`), usually teams.
 */
export function yieldToEventLoop(ownerKey = '', maxMs = 5): YieldingWork {
  let begun = performance.now();
  return {
    get over() {
      return performance.now() - begun > maxMs;
    },
    async next() {
      // Work that arrived in the meantime runs first.
      await nextPass();
      const leave = await eventLoop.enter(ownerKey);
      const from = performance.now();
      setImmediate(() => setTimeout(leave, performance.now() - from));
      begun = performance.now();
    },
  };
}
