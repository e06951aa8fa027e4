import type { Database } from '../../platform/database/database.ts';
import type { Listener } from '../../platform/database/listen.ts';
import { WakeLoop } from '../../platform/jobs/wake-loop.ts';
import { runsToLeave } from './run-queries.ts';

/** Where nodes hear that a run which one of them may have in hand is to end, or is somebody else's. */
export const leaveChannel = 'agent_run_leave';

/** How often is looked at all runs in hand, whatever was heard; and how often while nothing can be heard. */
const lookEveryMs = 5_000;
const deafEveryMs = 500;
const mostRecent = 1_000;

/** An attempt at a run that a node has in hand. */
type Held = { team: string; id: string; attempt: number };

type Options = { database: Database; listener: Pick<Listener, 'on' | 'onReconnect' | 'connected'>; everyMs?: number };

/**
 * The runs that a node has in hand, looked for together: at those that a notification names as soon as it comes, and at all of them now and
 * then, since a notification is a hint. What it costs does not grow with how many runs there are.
 */
export class InHand {
  readonly #options: Required<Options>;
  readonly #watched = new Map<string, { held: Held; leave: (lost: boolean) => void }>();
  /** The attempts to look at. */
  readonly #named = new Set<string>();
  /** Heard of lately while not in hand here: perhaps just begun. */
  readonly #recent = new Set<string>();
  readonly #loop: WakeLoop;
  #lookedAt = performance.now();

  constructor(options: Options) {
    this.#options = { everyMs: lookEveryMs, ...options };
    // After an error the next poll looks at all again.
    this.#loop = new WakeLoop(
      () => this.#lookAtNamed(),
      () => undefined,
    );
  }

  async start(): Promise<void> {
    const { listener, everyMs } = this.#options;
    await listener.on(leaveChannel, (id) => this.#heard(id));
    listener.onReconnect(() => this.#lookAtAll());
    this.#loop.poll(Math.min(deafEveryMs, everyMs), () => this.#poll());
  }

  /** Calls `leave` once when an attempt is to stop: `lost` where the run is not this attempt's any more. Ends with what it answers. */
  watch(held: Held, leave: (lost: boolean) => void): () => void {
    const key = keyOf(held);
    this.#watched.set(key, { held, leave });
    // It may have been said between its beginning and this.
    if (this.#recent.delete(held.id)) this.#lookAt([key]);
    return () => void this.#watched.delete(key);
  }

  close(): void {
    void this.#loop.stop();
  }

  #heard(id: string): void {
    const keys = [...this.#watched].filter(([, { held }]) => held.id === id).map(([key]) => key);
    if (keys.length > 0) return this.#lookAt(keys);
    this.#recent.add(id);
    if (this.#recent.size > mostRecent) this.#recent.delete(String(this.#recent.values().next().value));
  }

  #poll(): void {
    const { listener, everyMs } = this.#options;
    if (this.#watched.size > 0 && (!listener.connected() || performance.now() - this.#lookedAt >= everyMs)) this.#lookAtAll();
  }

  #lookAtAll(): void {
    this.#lookedAt = performance.now();
    this.#lookAt(this.#watched.keys());
  }

  #lookAt(keys: Iterable<string>): void {
    for (const key of keys) this.#named.add(key);
    this.#loop.wake();
  }

  async #lookAtNamed(): Promise<void> {
    const given = [...this.#named].flatMap((key) => this.#watched.get(key)?.held ?? []);
    this.#named.clear();
    if (given.length === 0) return;
    const params = { teams: given.map(({ team }) => team), ids: given.map(({ id }) => id), attempts: given.map(({ attempt }) => attempt) };
    const toLeave = await this.#options.database.asSystem('find running runs to end', (tx) => tx.all(runsToLeave, params));
    for (const { id, attempt, lost } of toLeave) {
      const key = keyOf({ id, attempt });
      const one = this.#watched.get(key);
      this.#watched.delete(key);
      one?.leave(lost);
    }
  }
}

const keyOf = ({ id, attempt }: Pick<Held, 'id' | 'attempt'>): string => `${id} ${attempt}`;
