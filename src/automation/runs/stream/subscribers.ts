import type { Database } from '../../../platform/database/database.ts';
import type { Listener } from '../../../platform/database/listen.ts';
import { eventChannel, followedChannel, type Part, textChannel } from './publish.ts';

const maxOfPerson = 10;
/** Whoever reads that slowly has what was said once the step is written. */
const maxParts = 200;

/** One who follows a run. */
export class Follower {
  /** Ends it. */
  readonly leave: () => void;
  readonly #parts: Part[] = [];
  #isTold = false;
  #wake: () => void = () => undefined;

  constructor(leave: () => void) {
    this.leave = leave;
  }

  /** Resolves when something has happened in the run, a model has said more in it, `signal` is aborted, or this long has passed: whether it was an event. */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#isTold && this.#parts.length === 0 && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = () => resolve();
      this.#wake = wake;
      const timer = setTimeout(wake, ms);
      signal.addEventListener('abort', wake, { once: true });
      await promise;
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
    }
    const was = this.#isTold;
    this.#isTold = false;
    return was;
  }

  /** What models have said since it was last asked, in order. */
  parts(): Part[] {
    return this.#parts.splice(0);
  }

  notify(): void {
    this.#isTold = true;
    this.#wake();
  }

  hear(part: Part): void {
    if (this.#parts.length < maxParts) this.#parts.push(part);
    this.#wake();
  }
}

/** Those who follow runs on this node. Hears of events once, however many follow. */
export class Followers {
  readonly #listener: Pick<Listener, 'on' | 'onReconnect'>;
  readonly #database: Pick<Database, 'notify'>;
  readonly #following = new Map<string, Set<Follower>>();
  readonly #counts = new Map<string, number>();
  #isClosed = false;

  constructor(listener: Pick<Listener, 'on' | 'onReconnect'>, database: Pick<Database, 'notify'>) {
    this.#listener = listener;
    this.#database = database;
  }

  async start(): Promise<void> {
    await this.#listener.on(eventChannel, (run) => this.#following.get(run)?.forEach((one) => one.notify()));
    await this.#listener.on(textChannel, (payload) => {
      const { run, ...part } = JSON.parse(payload) as Part & { run: string };
      this.#following.get(run)?.forEach((one) => one.hear(part));
    });
    this.#listener.onReconnect(() => this.#notifyAll());
  }

  follow(run: string): Follower {
    const all = this.#following.get(run) ?? new Set();
    const follower = new Follower(() => {
      all.delete(follower);
      if (all.size === 0 && this.#following.get(run) === all) this.#following.delete(run);
    });
    this.#following.set(run, all.add(follower));
    if (this.#isClosed) follower.notify();
    return follower;
  }

  /** Has whoever carries a run out pass on what its model says, for half a minute; from the beginning of its answer for one who is new. */
  announce(run: string, isNew: boolean): void {
    this.#database.notify(followedChannel, isNew ? `${run} new` : run);
  }

  /** Counts one more who follows; how to count them no more, or nothing where they follow as many as they may. */
  enter(person: string): (() => void) | undefined {
    const count = this.#counts.get(person) ?? 0;
    if (count >= maxOfPerson) return undefined;
    this.#counts.set(person, count + 1);
    return () => {
      const left = (this.#counts.get(person) ?? 1) - 1;
      if (left === 0) this.#counts.delete(person);
      else this.#counts.set(person, left);
    };
  }

  /** The node stops: nobody waits any more. */
  close(): void {
    this.#isClosed = true;
    this.#notifyAll();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  #notifyAll(): void {
    for (const all of this.#following.values()) for (const one of all) one.notify();
  }
}
