import { setImmediate, setTimeout } from 'node:timers/promises';

/** Work that takes longer than this rests for as long as it took before it is done again. */
const shortMs = 20;

/**
 * Work whose outcome many ask for, often at once: one pass is under way at a time, and whoever asks gets what a pass has found that began
 * after they asked. What it costs grows with how often something happens, and not with how many want to know of it.
 */
export function coalesce<T>(work: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;

  async function pass(before: Promise<unknown>): Promise<T> {
    await before;
    // Who was woken by the same thing asks before it begins.
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

/** The same by keys, each for as long as somebody waits for it. */
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
