import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Transaction } from '../database/database.ts';
import type { Listener } from '../database/listen.ts';
import { roomBeside } from '../fair-budget.ts';
import { serviceTeam } from '../journal/record.ts';
import { jobChannel, type OpenedJob } from './job.ts';
import {
  extendLeases,
  forceGenericPlan,
  removeJobs,
  type SearchedJob,
  recordWorker,
  type ClaimedJob,
  takeJobs,
  wakeJobs,
} from './queries.ts';
import type { JobRunner } from './runner.ts';
import { WakeLoop } from './wake-loop.ts';

/** The polling interval, and the lease after which a dead worker loses its jobs, in milliseconds. */
export type Pace = { pollMs: number; leaseMs: number };

type WorkerOptions = {
  database: Database;
  listener: Listener;
  log: Logger;
  runner: JobRunner;
  works: ReadonlyMap<string, OpenedJob>;
  pace: Pace;
  /** Additional work that runs in the transaction of each poll. */
  alongside: (tx: Transaction) => Promise<void>;
};

const maxTeamsPerClaim = 64;
const wakeBatchSize = 1_000;
const lastWritesMs = 10_000;

/** A job that this worker has claimed: it runs, or it has ended and is not yet removed. */
type LeasedJob = ClaimedJob & { stage: 'running' | 'done' };

/** The state of the search for jobs of one name. `from` is the next team. `found`: a job was found since the first team. */
type Lap = { from: string; found: boolean };
const newLap: Lap = { from: serviceTeam, found: false };

/** Claims jobs as they become ready, on any number of nodes. Notifications wake it; polling finds jobs whose notification was lost. */
export class JobWorker {
  readonly #options: WorkerOptions;
  readonly #id = randomUUID();
  readonly #leased = new Map<string, LeasedJob>();
  readonly #laps = new Map<string, Lap>();
  /** Job names with a notification since the last search started, because that search may have missed their jobs. */
  readonly #announced = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #loop: WakeLoop;
  #isPollDue = true;
  #isStopping = false;
  #lookedAt = performance.now();
  #leaseTimer: NodeJS.Timeout | undefined;
  #nextDue: NodeJS.Timeout | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#loop = new WakeLoop(
      async () => {
        while (await this.#look());
      },
      (error) => options.log.warn({ err: error }, 'the job queue could not be read; retrying'),
    );
  }

  /** The time of the last successful poll, as `performance.now()`. */
  get lookedAt(): number {
    return this.#lookedAt;
  }

  async start(): Promise<void> {
    const { listener, pace } = this.#options;
    // A job that becomes due soon is notified without its name.
    await listener.on(jobChannel, (name) => (name === '' ? this.#pollNow() : this.#wake(name)));
    listener.onReconnect(() => this.#pollNow());
    this.#leaseTimer = setInterval(() => this.#extendLeases(), pace.leaseMs / 3);
    this.#loop.poll(pace.pollMs, () => this.#pollNow());
  }

  /** Stops claiming jobs. Waits for running jobs, at most `graceMs`, then aborts the others and returns them to the queue. */
  async stop(graceMs: number): Promise<void> {
    const { runner } = this.#options;
    this.#isStopping = true;
    clearTimeout(this.#nextDue);
    const allEnded = () => Promise.all(this.#running);
    await Promise.race([allEnded(), sleep(graceMs, undefined, { ref: false })]);
    runner.abort();
    await Promise.race([allEnded(), sleep(lastWritesMs, undefined, { ref: false })]);
    runner.close();
    await allEnded();
    this.#loop.wake();
    await this.#loop.stop();
    clearInterval(this.#leaseTimer);
  }

  #wake(name: string): void {
    if (this.#options.works.has(name)) this.#announced.add(name);
    this.#loop.wake();
  }

  #pollNow(): void {
    this.#isPollDue = true;
    this.#loop.wake();
  }

  /** Removes completed jobs and claims jobs for the free slots, in one transaction. Returns false if there was nothing to do. */
  async #look(): Promise<boolean> {
    const { database, works, pace } = this.#options;
    const polls = this.#isPollDue && !this.#isStopping;
    for (const name of polls ? works.keys() : this.#announced) if (!this.#laps.has(name)) this.#laps.set(name, newLap);
    this.#announced.clear();
    const done = [...this.#leased.values()].filter(({ stage }) => stage === 'done');
    const room = this.#roomNow();
    const takes = room.names.length > 0 && !this.#isStopping;
    if (!polls && !takes && done.length === 0) return false;
    const found = await database.asSystem('claim jobs', async (tx) => {
      if (done.length > 0) tx.send(removeJobs, { teams: done.map(({ team_id: team }) => team), ids: done.map(({ id }) => id) });
      if (polls) await this.#poll(tx);
      if (!takes) return [];
      tx.send(forceGenericPlan, {});
      return tx.all(takeJobs, {
        ...room,
        lanes: maxTeamsPerClaim,
        leasedIds: [...this.#leased.keys()],
        leaseSeconds: pace.leaseMs / 1_000,
      });
    });
    for (const { id } of done) this.#leased.delete(id);
    if (takes) this.#beginFound(room.names, found);
    return true;
  }

  /** Returns the free slots of each job name to search, and of each team with running jobs of the name. */
  #roomNow() {
    const room = { names: [] as string[], rooms: [] as number[], ofOne: [] as number[], from: [] as string[] };
    const holding = { busyNames: [] as string[], busyTeams: [] as string[], busyRooms: [] as number[] };
    const busy = Map.groupBy(
      [...this.#leased.values()].filter(({ stage }) => stage === 'running'),
      ({ name }) => name,
    );
    for (const [name, { from }] of this.#laps) {
      const own = busy.get(name) ?? [];
      const { concurrency = 0, maxPerTeam = 0 } = this.#options.works.get(name)?.job.options ?? {};
      const free = concurrency - own.length;
      if (free <= 0) continue;
      // A single team gets about two thirds of the slots, and never the last free slot.
      const roomOf = (used: number) => Math.max(0, Math.min(roomBeside(used, free, 2, used + free > 1 ? 1 : 0), maxPerTeam - used));
      room.names.push(name);
      room.rooms.push(free);
      room.ofOne.push(roomOf(0));
      room.from.push(from);
      for (const [team, jobs] of Map.groupBy(own, ({ team_id: of }) => of)) {
        holding.busyNames.push(name);
        holding.busyTeams.push(team);
        holding.busyRooms.push(roomOf(jobs.length));
      }
    }
    return { ...room, ...holding };
  }

  /** Makes due jobs and the jobs of dead workers ready. */
  async #poll(tx: Transaction): Promise<void> {
    const { pace, alongside } = this.#options;
    tx.send(recordWorker, { id: this.#id });
    const row = await tx.first(wakeJobs, { leasedIds: [...this.#leased.keys()], limit: wakeBatchSize });
    await alongside(tx);
    tx.afterCommit(() => {
      this.#lookedAt = performance.now();
      this.#isPollDue = row?.woken === wakeBatchSize;
      clearTimeout(this.#nextDue);
      const inMs = row?.next_ms ?? pace.pollMs;
      if (inMs < pace.pollMs) this.#nextDue = setTimeout(() => this.#pollNow(), Math.max(5, inMs));
    });
  }

  /** Starts claimed jobs. The search for a name continues until a complete pass over its teams finds nothing. */
  #beginFound(names: readonly string[], found: readonly SearchedJob[]): void {
    const byName = Map.groupBy(found, ({ name }) => name);
    for (const name of names) {
      const rows = byName.get(name) ?? [];
      const lap = this.#laps.get(name) ?? newLap;
      const [first] = rows;
      const some = lap.found || first?.some === true;
      if (first?.more) this.#laps.set(name, { from: first.last, found: some });
      // A continued search may have started in the middle, so at least one complete pass is made.
      else if (some || lap.from !== newLap.from) this.#laps.set(name, newLap);
      else this.#laps.delete(name);
    }
    for (const row of found) if (isTaken(row)) this.#begin({ ...row, stage: 'running' });
  }

  #begin(job: LeasedJob): void {
    this.#leased.set(job.id, job);
    const work = this.#carryOut(job).finally(() => {
      this.#running.delete(work);
      this.#wake(job.name);
    });
    this.#running.add(work);
  }

  async #carryOut(job: LeasedJob): Promise<void> {
    const { runner, works } = this.#options;
    const minSlotMs = works.get(job.name)?.job.options.minSlotMs ?? 0;
    const rest = minSlotMs > 0 ? sleep(minSlotMs) : undefined;
    const came = await runner.carryOut(job);
    await rest;
    if (came === 'done') {
      job.stage = 'done';
    } else {
      this.#leased.delete(job.id);
      // Its next attempt, or a job that waits for it.
      this.#isPollDue = true;
    }
  }

  #extendLeases(): void {
    const { database, log, pace } = this.#options;
    const jobs = [...this.#leased.values()];
    if (jobs.length === 0) return;
    const params = {
      teams: jobs.map(({ team_id: team }) => team),
      ids: jobs.map(({ id }) => id),
      attempts: jobs.map(({ attempts }) => attempts),
    };
    database
      .asSystem('extend job leases', (tx) => tx.all(extendLeases, { ...params, leaseSeconds: pace.leaseMs / 1_000 }))
      .catch((error: unknown) => log.warn({ err: error }, 'the leases of running jobs could not be extended'));
  }
}

function isTaken(row: SearchedJob): row is SearchedJob & ClaimedJob {
  return row.id !== null;
}
