/** The queue was full, or the work waited too long (`waited`). Nothing of it ran. */
export class QueueFullError extends Error {
  readonly waited: boolean;
  constructor(waited: boolean) {
    super(waited ? 'the work waited too long' : 'too much work waits');
    this.waited = waited;
  }
}

export type FairQueueOptions = {
  /** How many pieces of work run at the same time, of all keys. */
  concurrency: number;
  /** How many of them one key has. A function is asked each time that work of the key could begin; `contended`: work of other keys waits. */
  concurrencyPerKey: number | ((key: string, contended: boolean) => number);
  /** How many wait, of all keys and of one. */
  maxWaiting?: number;
  maxWaitingPerKey?: number;
  /** How long work waits, in milliseconds. */
  maxWaitMs?: number;
};

type Waiter = { begin: (release: () => void) => void; reject: (error: QueueFullError) => void; timer: NodeJS.Timeout | undefined };
type Key = { name: string; running: number; waiting: Set<Waiter> };

/**
 * Runs work of many keys, such as teams, with bounded concurrency. Keys take turns: after one piece of its work a key waits for one piece of
 * each other key (fair queuing, RFC 970).
 */
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

  /** Runs the work in its turn. Errors: {@link QueueFullError}. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const release = await this.enter(key);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Waits for a turn, for at most `maxWaitMs`. The caller ends it by the returned function, once. Errors: {@link QueueFullError}. */
  enter(name: string, maxWaitMs: number = this.#options.maxWaitMs): (() => void) | Promise<() => void> {
    const key = this.#keys.get(name) ?? { name, running: 0, waiting: new Set<Waiter>() };
    this.#keys.set(name, key);
    if (key.waiting.size === 0 && this.#mayBegin(key)) return this.#begin(key);
    return this.#wait(key, maxWaitMs);
  }

  /** Whether work of a key runs or waits. */
  has = (name: string): boolean => this.#keys.has(name);

  /** How much work of a key runs. */
  runningOf = (name: string): number => this.#keys.get(name)?.running ?? 0;

  /** Begins work that may begin by now: after a limit of a key rose. */
  serve(): void {
    for (const key of this.#turns) {
      if (this.#running >= this.#options.concurrency) return;
      if (!this.#mayBegin(key)) continue;
      const [next] = key.waiting;
      // A set iterates in the order of insertion, and over members that are added meanwhile.
      this.#turns.delete(key);
      if (!next) continue;
      this.#leave(key, next);
      if (key.waiting.size > 0) this.#turns.add(key);
      next.begin(this.#begin(key));
    }
  }

  /** Rejects all work that waits, and from now on all work that would have to. */
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
