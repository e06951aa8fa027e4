import { setTimeout as sleep } from 'node:timers/promises';
import { changesAfter, type ChangeRow, journalPosition } from '#journal';
import type { Database } from '../../../platform/database/database.ts';
import type { Listener } from '../../../platform/database/listen.ts';
import { WakeLoop } from '../../../platform/jobs/wake-loop.ts';
import type { BulkListener } from '../../../platform/journal/record.ts';

const channel = 'changes';
/** The minimum time between two reads of a team’s changes. Later changes join the next read. */
const pauseMs = 1_000;
/** The polling interval without notifications. */
const pollMs = 15_000;
/** The number of changes of a team that a node keeps for its streams. */
const maxKept = 1_000;

/** Notifies all nodes about the teams that have new entries in the tree of the journal. */
export const changeListener: BulkListener = async (tx, _type, announcements) => {
  for (const team of new Set(announcements.map((one) => one.team))) tx.notify(channel, team);
};

/** Changes after a position, up to and including position `to`. */
export type Changes = { rows: ChangeRow[]; to: number };

/** The latest changes of a team on this node. Its streams share one read of each change. */
export class TeamChanges {
  readonly #read: (after: number) => Promise<Changes>;
  readonly #loop: WakeLoop;
  readonly #waiting = new Set<() => void>();
  #rows: ChangeRow[] = [];
  /** All changes after `#from` and up to `#to` are in `#rows`. */
  #from = 0;
  #to = 0;
  /** Whether it reads changes: from {@link begin} to {@link close}. */
  #isOpen = false;
  /** The number of streams. */
  streams = 0;

  constructor(read: (after: number) => Promise<Changes>, report: (error: unknown) => void) {
    this.#read = read;
    this.#loop = new WakeLoop(() => this.#pass(), report);
  }

  /** Begins to collect changes at a position. */
  begin(position: number): this {
    this.#from = position;
    this.#to = position;
    this.#isOpen = true;
    this.#loop.poll(pollMs);
    return this;
  }

  /** The position of the last known entry. */
  get position(): number {
    return this.#to;
  }

  /** Returns the changes after a position. Reads older ones from the journal. */
  async after(position: number): Promise<Changes> {
    if (position < this.#from) return this.#read(position);
    return { rows: this.#rows.filter(({ number }) => number > position), to: Math.max(position, this.#to) };
  }

  /** Reads the next changes. */
  wake(): void {
    if (this.#isOpen) this.#loop.wake();
  }

  /** Waits for a change after a position, an abort of `signal`, or the end of `ms`. */
  async wait(position: number, ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || !this.#isOpen || position < this.#to) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const timer = setTimeout(wake, ms);
    signal.addEventListener('abort', wake, { once: true });
    this.#waiting.add(wake);
    await promise;
    this.#waiting.delete(wake);
    signal.removeEventListener('abort', wake);
    clearTimeout(timer);
  }

  /** Ends the polling and all waits. */
  close(): void {
    this.#isOpen = false;
    void this.#loop.stop();
    for (const wake of this.#waiting) wake();
  }

  async #pass(): Promise<void> {
    const { rows, to } = await this.#read(this.#to);
    if (to === this.#to) return;
    this.#rows.push(...rows);
    this.#to = to;
    this.#from = this.#rows.splice(0, Math.max(0, this.#rows.length - maxKept)).at(-1)?.number ?? this.#from;
    for (const wake of this.#waiting) wake();
    await sleep(pauseMs, undefined, { ref: false });
    this.wake();
  }
}

type FeedOptions = {
  database: Pick<Database, 'reader'>;
  listener: Pick<Listener, 'on' | 'onReconnect'>;
  report: (error: unknown) => void;
};

/** The changes of all teams with streams on this node. */
export class ChangeFeed {
  readonly #database: Pick<Database, 'reader'>;
  readonly #listener: Pick<Listener, 'on' | 'onReconnect'>;
  readonly #report: (error: unknown) => void;
  /** The changes of each team, and when they are ready. */
  readonly #teams = new Map<string, { changes: TeamChanges; ready: Promise<TeamChanges> }>();
  #isClosed = false;

  constructor({ database, listener, report }: FeedOptions) {
    this.#database = database;
    this.#listener = listener;
    this.#report = report;
  }

  async start(): Promise<void> {
    await this.#listener.on(channel, (team) => this.#teams.get(team)?.changes.wake());
    this.#listener.onReconnect(() => {
      for (const { changes } of this.#teams.values()) changes.wake();
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Opens the changes of a team for one stream. {@link leave} ends its use. */
  async open(team: string): Promise<TeamChanges> {
    const opened = this.#teams.get(team) ?? this.#begin(team);
    this.#teams.set(team, opened);
    opened.changes.streams += 1;
    try {
      return await opened.ready;
    } catch (error) {
      this.leave(team, opened.changes);
      throw error;
    }
  }

  leave(team: string, changes: TeamChanges): void {
    changes.streams -= 1;
    if (changes.streams > 0) return;
    changes.close();
    this.#teams.delete(team);
  }

  /** Ends all streams because the node stops. */
  close(): void {
    this.#isClosed = true;
    for (const { changes } of this.#teams.values()) changes.close();
  }

  #begin(team: string) {
    const db = this.#database.reader(team);
    const changes = new TeamChanges((after) => changesAfter(db, team, after), this.#report);
    return { changes, ready: journalPosition(db, team).then((position) => changes.begin(position)) };
  }
}
