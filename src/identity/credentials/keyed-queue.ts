/** The position of a task in the queue of its keys. */
type QueueSlot = {
  /** Resolves when all earlier tasks with a common key are done. */
  earlier: Promise<void>;
  /** Lets later tasks continue before this task ends. Otherwise they continue when it ends. */
  done: () => void;
};

/**
 * Creates a queue, local to this process, that remembers the start order of tasks by key. A task can wait for earlier tasks with the same keys, but
 * never for later ones, so no deadlock is possible.
 */
export function createKeyedQueue(): <T>(keys: readonly Buffer[], work: (turn: QueueSlot) => Promise<T>) => Promise<T> {
  /** By key: resolves when all tasks that have started so far are done. */
  const last = new Map<string, Promise<void>>();

  return async (keys, work) => {
    const names = keys.map((key) => key.toString('hex'));
    const earlier = Promise.all(names.map((name) => last.get(name) ?? Promise.resolve())).then(() => undefined);
    const { promise, resolve } = Promise.withResolvers<void>();
    // The promise has no value: one with the values of earlier tasks would grow for as long as tasks overlap.
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
