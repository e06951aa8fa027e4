/** Thrown if the queue was full, or if the work waited too long (`waited`). The work did not start. */
export class QueueFullError extends Error {
  readonly waited: boolean;
  constructor(waited: boolean) {
    super(waited ? 'The work waited too long in the queue' : 'The queue is full');
    this.waited = waited;
  }
}

export type FairQueueOptions = {
  /** The maximum number of running tasks of all keys. */
  concurrency: number;
  /**
   * The maximum number of running tasks of one key. A function is called whenever work of the key could start; `contended` is true if other keys
   * wait.
   */
  concurrencyPerKey: number | ((key: string, contended: boolean) => number);
  /** The maximum number of waiting tasks of all keys. */
  maxWaiting?: number;
  maxWaitingPerKey?: number;
  /** The maximum wait in milliseconds. */
  maxWaitMs?: number;
};

type Waiter = { begin: (release: () => void) => void; reject: (error: QueueFullError) => void; timer: NodeJS.Timeout | undefined };
type Key = { name: string; running: number; waiting: Set<Waiter> };

/** Runs work of many keys, such as teams, with bounded concurrency. Keys take turns: each key starts one task per round (fair queuing, RFC 970). */
export class FairQueue {
  readonly #options: Required<FairQueueOptions>;
  readonly #keys = new Map<string, Key>();
  /** Keys with waiting work, in the order of their turns. */
  readonly #turns = new Set<Key>();
  #running = 0;
  #waiting = 0;
  #isClosed = false;

  constructor(options: FairQueueOptions) {
    this.#options = { maxWaiting: Infinity, maxWaitingPerKey: Infinity, maxWaitMs: Infinity, ...options };
  }

  /** Runs the work when it is the turn of the key. Throws {@link QueueFullError}. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const release = await this.enter(key);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Waits for a turn, at most `maxWaitMs`. Returns a function that the caller calls once to end the turn. Throws {@link QueueFullError}. */
  enter(name: string, maxWaitMs: number = this.#options.maxWaitMs): (() => void) | Promise<() => void> {
    const key = this.#keys.get(name) ?? { name, running: 0, waiting: new Set<Waiter>() };
    this.#keys.set(name, key);
    if (key.waiting.size === 0 && this.#mayBegin(key)) return this.#begin(key);
    return this.#wait(key, maxWaitMs);
  }

  /** Returns whether the key has running or waiting work. */
  has = (name: string): boolean => this.#keys.has(name);

  /** Returns the number of running tasks of a key. */
  runningOf = (name: string): number => this.#keys.get(name)?.running ?? 0;

  /** Starts waiting work that may run now. Call it after the limit of a key increased. */
  serve(): void {
    for (const key of this.#turns) {
      if (this.#running >= this.#options.concurrency) return;
      if (!this.#mayBegin(key)) continue;
      const [next] = key.waiting;
      // A set iterates in insertion order and includes members that are added during the iteration.
      this.#turns.delete(key);
      if (!next) continue;
      this.#leave(key, next);
      if (key.waiting.size > 0) this.#turns.add(key);
      next.begin(this.#begin(key));
    }
  }

  /** Rejects all waiting work, and from now on all work that would have to wait. */
  close(): void {
    this.#isClosed = true;
    for (const key of this.#turns) for (const waiter of key.waiting) this.#reject(key, waiter);
  }

  #mayBegin(key: Key): boolean {
    if (this.#running >= this.#options.concurrency) return false;
    const { concurrencyPerKey: limit } = this.#options;
    if (typeof limit === 'number') return key.running < limit;
    return key.running < limit(key.name, this.#turns.size > (this.#turns.has(key) ? 1 : 0));
  }

  #begin(key: Key): () => void {
    this.#running += 1;
    key.running += 1;
    return () => {
      this.#running -= 1;
      key.running -= 1;
      this.#forgetIdle(key);
      this.serve();
    };
  }

  #wait(key: Key, maxWaitMs: number): Promise<() => void> {
    const { maxWaiting, maxWaitingPerKey } = this.#options;
    if (this.#waiting >= maxWaiting || key.waiting.size >= maxWaitingPerKey || maxWaitMs <= 0 || this.#isClosed) {
      this.#forgetIdle(key);
      return Promise.reject(new QueueFullError(false));
    }
    return new Promise((begin, reject) => {
      const waiter: Waiter = { begin, reject, timer: undefined };
      if (Number.isFinite(maxWaitMs)) waiter.timer = setTimeout(() => this.#reject(key, waiter), maxWaitMs);
      key.waiting.add(waiter);
      this.#waiting += 1;
      this.#turns.add(key);
    });
  }

  #reject(key: Key, waiter: Waiter): void {
    this.#leave(key, waiter);
    if (key.waiting.size === 0) this.#turns.delete(key);
    this.#forgetIdle(key);
    waiter.reject(new QueueFullError(true));
  }

  #leave(key: Key, waiter: Waiter): void {
    key.waiting.delete(waiter);
    this.#waiting -= 1;
    clearTimeout(waiter.timer);
  }

  #forgetIdle(key: Key): void {
    if (key.running === 0 && key.waiting.size === 0) this.#keys.delete(key.name);
  }
}
