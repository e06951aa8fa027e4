import { FairQueue, QueueFullError } from '../fair-queue.ts';
import { problems } from '../problems.ts';

/** Work that takes a process of its own for a second or so, done while somebody waits for it. */
export type ReadingTurns = <T>(team: string, work: () => Promise<T>) => Promise<T>;

/**
 * Lets so much of such work of one node be done at once, and one piece of it of each team, so that there is room for another team while one
 * has much; the turns go round among teams. What is more waits, at most `maxWaiting`, and `maxOfOne` of one team. What would have to wait
 * behind that is refused: 503 with `Retry-After`.
 */
export function readingTurns({ atOnce, maxWaiting, maxOfOne }: Record<'atOnce' | 'maxWaiting' | 'maxOfOne', number>): ReadingTurns {
  const queue = new FairQueue({ concurrency: atOnce, concurrencyPerKey: 1, maxWaiting, maxWaitingPerKey: maxOfOne });
  return async (team, work) => {
    try {
      return await queue.run(team, work);
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      throw problems.unavailable('Many files are being read just now. Ask again in 5 seconds.', { headers: { 'retry-after': '5' } });
    }
  };
}
