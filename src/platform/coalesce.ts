import { setImmediate, setTimeout } from 'node:timers/promises';

/** Maximum duration in milliseconds of a short run. After a longer run, the next one waits for as long as it took. */
const shortMs = 20;

/**
 * Runs `work` once for concurrent callers, and one run at a time. A caller gets the result of a run that started after its call.
 * The cost depends on the number of runs, not on the number of callers.
 */
export function coalesce<T>(work: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;

  async function pass(before: Promise<unknown>): Promise<T> {
    await before;
    // Callers that the same event woke up join this run.
    await setImmediate();
    next = undefined;
    const begun = performance.now();
    const found = work();
    current = found
      .catch(() => undefined)
      .then(async () => {
        const took = performance.now() - begun;
        if (took > shortMs) await setTimeout(took, undefined, { ref: false });
      });
    return found;
  }

  return () => (next ??= pass(current));
}

/** Runs `work` once for all callers that use the same key at the same time. */
export function sharedBy<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const waiting = new Map<string, Promise<T>>();
  return (key, work) => {
    const found = waiting.get(key);
    if (found) return found;
    const begin = async () => {
      await setImmediate();
      waiting.delete(key);
      return work();
    };
    const one = begin();
    waiting.set(key, one);
    return one;
  };
}
