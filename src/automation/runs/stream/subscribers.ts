import type { Database } from '../../../platform/database/database.ts';
import type { Listener } from '../../../platform/database/listen.ts';
import { eventChannel, followedChannel, type Part, textChannel } from './publish.ts';

/** The maximum number of buffered parts. A reader that is slower gets the whole text with the event of the step. */
const maxParts = 200;

/** A follower of a run: one stream of its events. */
export class Follower {
  /** Ends the stream. */
  readonly leave: () => void;
  readonly #parts: Part[] = [];
  #hasEvent = false;
  #wake: () => void = () => undefined;

  constructor(leave: () => void) {
    this.leave = leave;
  }

  /** Waits for an event of the run, more text of its model, an abort of `signal`, or the end of `ms`. Returns whether an event occurred. */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#hasEvent && this.#parts.length === 0 && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = () => resolve();
      this.#wake = wake;
      const timer = setTimeout(wake, ms);
      signal.addEventListener('abort', wake, { once: true });
      await promise;
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
    }
    const was = this.#hasEvent;
    this.#hasEvent = false;
    return was;
  }

  /** Returns and removes the buffered parts of text, in order. */
  parts(): Part[] {
    return this.#parts.splice(0);
  }

  notify(): void {
    this.#hasEvent = true;
    this.#wake();
  }

  hear(part: Part): void {
    if (this.#parts.length < maxParts) this.#parts.push(part);
    this.#wake();
  }
}

/** The followers of runs on this node. All of them share one subscription to each channel. */
export class Followers {
  readonly #listener: Pick<Listener, 'on' | 'onReconnect'>;
  readonly #database: Pick<Database, 'notify'>;
  readonly #following = new Map<string, Set<Follower>>();
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

  /** Asks the node of a run to publish the text of its model for the next 40 s. A new follower gets it from the start of the response. */
  announce(run: string, isNew: boolean): void {
    this.#database.notify(followedChannel, isNew ? `${run} new` : run);
  }

  /** Ends all waits because the node stops. */
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
