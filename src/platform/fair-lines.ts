/** Work that is done a few at a time, and in turn by whose it is. */
export type FairLines = {
  /** Does the work when it is its turn. Rejects with {@link LineFull} where too much of the same waits, or of all. */
  run<T>(whose: string, work: () => Promise<T>): Promise<T>;
};

/** So much waits already that more would wait for long. */
export class LineFull extends Error {}

export type LineLimits = {
  /** How much is done at once, and of that for one. */
  atOnce: number;
  atOnceOfOne: number;
  /** How much waits, and of that for one. */
  waiting: number;
  waitingOfOne: number;
};

/**
 * Lines of work, one for each of those whose it is: however much of it one has, each of the others has its turn after one piece of
 * theirs.
 */
export function fairLines({ atOnce, atOnceOfOne, waiting: mostWaiting, waitingOfOne }: LineLimits): FairLines {
  // Whoever has had a turn goes to the end.
  const lines = new Map<string, (() => void)[]>();
  const underWay = new Map<string, number>();
  let busy = 0;
  let waits = 0;

  function next(): void {
    while (busy < atOnce) {
      const found = [...lines].find(([whose]) => (underWay.get(whose) ?? 0) < atOnceOfOne);
      if (!found) return;
      const [whose, line] = found;
      const begin = line.shift();
      lines.delete(whose);
      if (line.length > 0) lines.set(whose, line);
      waits -= 1;
      busy += 1;
      underWay.set(whose, (underWay.get(whose) ?? 0) + 1);
      begin?.();
    }
  }

  function leave(whose: string): void {
    busy -= 1;
    const left = (underWay.get(whose) ?? 1) - 1;
    if (left === 0) underWay.delete(whose);
    else underWay.set(whose, left);
    next();
  }

  return {
    async run(whose, work) {
      const line = lines.get(whose) ?? [];
      if (waits >= mostWaiting || line.length >= waitingOfOne) throw new LineFull('too much waits already');
      await new Promise<void>((begin) => {
        line.push(begin);
        lines.set(whose, line);
        waits += 1;
        next();
      });
      try {
        return await work();
      } finally {
        leave(whose);
      }
    },
  };
}
