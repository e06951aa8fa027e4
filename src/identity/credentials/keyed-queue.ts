/** The place of one piece of work among those that share a key with it. */
type QueueSlot = {
  /** Resolves when all that were begun before it are done. */
  earlier: Promise<void>;
  /** To be called when later ones need not wait for it any longer; the end of the work does the same. */
  done: () => void;
};

/**
 * Remembers, in this process, in which order pieces of work over keys began, so that one can wait for those before it. Each
 * waits for earlier ones alone: no two wait for each other.
 */
export function createKeyedQueue(): <T>(keys: readonly Buffer[], work: (turn: QueueSlot) => Promise<T>) => Promise<T> {
  /** By key: resolves when all that have begun so far are done. */
  const last = new Map<string, Promise<void>>();

  return async (keys, work) => {
    const names = keys.map((key) => key.toString('hex'));
    const earlier = Promise.all(names.map((name) => last.get(name) ?? Promise.resolve())).then(() => undefined);
    const { promise, resolve } = Promise.withResolvers<void>();
    // Without a value: one that held those of the earlier ones would grow for as long as some are always under way.
    const all = Promise.all([earlier, promise]).then(() => undefined);
    for (const name of names) last.set(name, all);
    void all.then(() => {
      for (const name of names) if (last.get(name) === all) last.delete(name);
    });
    try {
      return await work({ earlier, done: resolve });
    } finally {
      resolve();
    }
  };
}
