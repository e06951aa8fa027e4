import type { Database } from '../../platform/database/database.ts';
import type { Listener } from '../../platform/database/listen.ts';
import { WakeLoop } from '../../platform/jobs/wake-loop.ts';
import { attemptsToStop } from './run-queries.ts';

/** The channel for identifiers of runs that must end or that another attempt owns now. */
export const leaveChannel = 'agent_run_leave';

/** The interval between polls of all in-flight runs, with a connected listener and without one. */
const lookEveryMs = 5_000;
const deafEveryMs = 500;
const mostRecent = 1_000;

/** An attempt at a run on this node. */
type InFlightRun = { team: string; id: string; attempt: number };

type InFlightJobsOptions = { database: Database; listener: Pick<Listener, 'on' | 'onReconnect' | 'connected'>; everyMs?: number };

/**
 * Watches the in-flight runs of a node with one query for all of them. It checks the runs in a notification at once, and all runs at intervals
 * because a notification can be lost. The number of queries does not grow with the number of runs.
 */
export class InFlightRuns {
  readonly #options: Required<InFlightJobsOptions>;
  readonly #watched = new Map<string, { run: InFlightRun; leave: (lost: boolean) => void }>();
  /** The attempts to check next. */
  readonly #named = new Set<string>();
  /** Runs from recent notifications that are not in progress on this node. An attempt may register one of them a moment later. */
  readonly #recent = new Set<string>();
  readonly #loop: WakeLoop;
  #lookedAt = performance.now();

  constructor(options: InFlightJobsOptions) {
    this.#options = { everyMs: lookEveryMs, ...options };
    // After an error the next poll checks all runs.
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

  /** Calls `leave` once when an attempt must stop; `lost` is true if another attempt owns the run. Returns a function that ends the watch. */
  watch(run: InFlightRun, leave: (lost: boolean) => void): () => void {
    const key = keyOf(run);
    this.#watched.set(key, { run, leave });
    // The notification may have come between the start of the attempt and this call.
    if (this.#recent.delete(run.id)) this.#lookAt([key]);
    return () => void this.#watched.delete(key);
  }

  close(): void {
    void this.#loop.stop();
  }

  #heard(id: string): void {
    const keys = [...this.#watched].filter(([, { run }]) => run.id === id).map(([key]) => key);
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
    const given = [...this.#named].flatMap((key) => this.#watched.get(key)?.run ?? []);
    this.#named.clear();
    if (given.length === 0) return;
    const params = { teams: given.map(({ team }) => team), ids: given.map(({ id }) => id), attempts: given.map(({ attempt }) => attempt) };
    const toLeave = await this.#options.database.asSystem('find running runs to end', (tx) => tx.all(attemptsToStop, params));
    for (const { id, attempt, lost } of toLeave) {
      const key = keyOf({ id, attempt });
      const one = this.#watched.get(key);
      this.#watched.delete(key);
      one?.leave(lost);
    }
  }
}

const keyOf = ({ id, attempt }: Pick<InFlightRun, 'id' | 'attempt'>): string => `${id} ${attempt}`;
