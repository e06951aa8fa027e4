import { FairQueue, QueueFullError } from '../fair-queue.ts';
import { problems } from '../problems.ts';

/** Runs work that needs a separate process for about a second while a client waits. */
export type ReadingTurns = <T>(team: string, work: () => Promise<T>) => Promise<T>;

/**
 * Limits this work on a node to `atOnce` concurrent tasks and one per team; teams take turns. At most `maxWaiting` tasks can wait, and `maxOfOne` of
 * one team. Throws 503 with `Retry-After` above these limits.
 */
export function readingTurns({ atOnce, maxWaiting, maxOfOne }: Record<'atOnce' | 'maxWaiting' | 'maxOfOne', number>): ReadingTurns {
  const queue = new FairQueue({ concurrency: atOnce, concurrencyPerKey: 1, maxWaiting, maxWaitingPerKey: maxOfOne });
  return async (team, work) => {
    try {
      return await queue.run(team, work);
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      throw problems.unavailable('The service is reading many files. Try again in 5 seconds.', { headers: { 'retry-after': '5' } });
    }
  };
}
