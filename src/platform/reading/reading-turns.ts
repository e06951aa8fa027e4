import { problems } from '../problems.ts';

/** Work that takes a process of its own for a second or so, done while somebody waits for it. */
export type ReadingTurns = <T>(whose: string, work: () => Promise<T>) => Promise<T>;

/**
 * Lets so much of such work of one node be done at once; what is more waits in the order in which it came, at most `mostWaiting`, and
 * `mostOfOne` of one `whose`. What would have to wait behind that is refused: 503 with `Retry-After`.
 */
export function readingTurns({ atOnce, mostWaiting, mostOfOne }: Record<'atOnce' | 'mostWaiting' | 'mostOfOne', number>): ReadingTurns {
  const waiting: { whose: string; begin: () => void }[] = [];
  let busy = 0;

  async function wait(whose: string): Promise<void> {
    if (busy < atOnce) {
      busy += 1;
      return;
    }
    if (waiting.length >= mostWaiting || waiting.filter((one) => one.whose === whose).length >= mostOfOne)
      throw problems.unavailable('Many files are being read just now. Ask again in 5 seconds.', { headers: { 'retry-after': '5' } });
    await new Promise<void>((begin) => waiting.push({ whose, begin }));
  }

  return async (whose, work) => {
    await wait(whose);
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next.begin();
      else busy -= 1;
    }
  };
}
