import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Transaction } from '../database/database.ts';
import type { Listener } from '../database/listen.ts';
import { roomBeside } from '../fair-budget.ts';
import { serviceTeam } from '../journal/record.ts';
import { jobChannel, type OpenedJob } from './job.ts';
import { extendLeases, keptPlan, removeJobs, type SearchedJob, seeWorker, type ClaimedJob, takeJobs, wakeJobs } from './queries.ts';
import type { JobRunner } from './runner.ts';
import { WakeLoop } from './wake-loop.ts';

/** How often is looked for what nobody was told of, and how long what a dead node had in hand stays with it, in milliseconds. */
export type Pace = { pollMs: number; leaseMs: number };

type WorkerOptions = {
  database: Database;
  listener: Listener;
  log: Logger;
  runner: JobRunner;
  works: ReadonlyMap<string, OpenedJob>;
  pace: Pace;
  /** What else is looked at in the transaction of each poll. */
  alongside: (tx: Transaction) => Promise<void>;
};

const maxTeamsPerClaim = 64;
const wakeBatchSize = 1_000;
const lastWritesMs = 10_000;

/** A job that this worker has claimed: it runs, or has run and is not yet removed. */
type LeasedJob = ClaimedJob & { stage: 'running' | 'done' };

/** The search for jobs of one name: the team it goes on at, and whether it found any since it began at the first. */
type Lap = { from: string; found: boolean };
const newLap: Lap = { from: serviceTeam, found: false };

/** Takes jobs as they become ready, over any number of nodes: woken by notification, with polling as the truth. */
export class JobWorker {
  readonly #options: WorkerOptions;
  readonly #id = randomUUID();
  readonly #leased = new Map<string, LeasedJob>();
  readonly #laps = new Map<string, Lap>();
  /** Names that were announced since the last look began. It may have missed their jobs. */
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
      (error) => options.log.warn({ err: error }, 'the queue of jobs could not be read; trying again'),
    );
  }

  /** When it last looked for work with success, by `performance.now()`. */
  get lookedAt(): number {
    return this.#lookedAt;
  }

  async start(): Promise<void> {
    const { listener, pace } = this.#options;
    // Work of a time that is near is told of without its name.
    await listener.on(jobChannel, (name) => (name === '' ? this.#pollNow() : this.#wake(name)));
    listener.onReconnect(() => this.#pollNow());
    this.#leaseTimer = setInterval(() => this.#extendLeases(), pace.leaseMs / 3);
    this.#loop.poll(pace.pollMs, () => this.#pollNow());
  }

  /** Takes no more. Waits for running jobs, at most `graceMs`; what is left then is aborted and put back for other nodes. */
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

  /** Removes what is done and takes what there is room for, in one transaction. False when there was nothing to look for. */
  async #look(): Promise<boolean> {
    const { database, works, pace } = this.#options;
    const polls = this.#isPollDue && !this.#isStopping;
    for (const name of polls ? works.keys() : this.#announced) if (!this.#laps.has(name)) this.#laps.set(name, newLap);
    this.#announced.clear();
    const done = [...this.#leased.values()].filter(({ stage }) => stage === 'done');
    const room = this.#roomNow();
    const takes = room.names.length > 0 && !this.#isStopping;
    if (!polls && !takes && done.length === 0) return false;
    const found = await database.asSystem('take jobs', async (tx) => {
      if (done.length > 0) tx.send(removeJobs, { teams: done.map(({ team_id: team }) => team), ids: done.map(({ id }) => id) });
      if (polls) await this.#poll(tx);
      if (!takes) return [];
      tx.send(keptPlan, {});
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

  /** What there is room for of each name that is looked for, and of each team that has running jobs of it. */
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
      // Alone a team gets about two thirds of the places, and never the last free one.
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

  /** Makes ready what has waited long enough, and the jobs of dead nodes. */
  async #poll(tx: Transaction): Promise<void> {
    const { pace, alongside } = this.#options;
    tx.send(seeWorker, { id: this.#id });
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

  /** Begins what was taken. A name is looked for until a whole lap over its teams has found nothing. */
  #beginFound(names: readonly string[], found: readonly SearchedJob[]): void {
    const byName = Map.groupBy(found, ({ name }) => name);
    for (const name of names) {
      const rows = byName.get(name) ?? [];
      const lap = this.#laps.get(name) ?? newLap;
      const [first] = rows;
      const some = lap.found || first?.some === true;
      if (first?.more) this.#laps.set(name, { from: first.last, found: some });
      // Where a lap was taken up again may be its middle: one whole lap is made at least.
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
      // Its next try, or what waits behind it.
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
      .asSystem('keep jobs in hand', (tx) => tx.all(extendLeases, { ...params, leaseSeconds: pace.leaseMs / 1_000 }))
      .catch((error: unknown) => log.warn({ err: error }, 'the leases of jobs in hand could not be extended'));
  }
}

function isTaken(row: SearchedJob): row is SearchedJob & ClaimedJob {
  return row.id !== null;
}
