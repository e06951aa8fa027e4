import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Transaction } from '../database/database.ts';
import type { Listener } from '../database/listen.ts';
import { roomBeside } from '../fair-budget.ts';
import { serviceTeam } from '../journal/record.ts';
import { jobChannel, type OpenedJob } from './job.ts';
import { extendLeases, keptPlan, removeJobs, type SearchedJob, type ClaimedJob, takeJobs, wakeJobs } from './queries.ts';
import type { Runner } from './runner.ts';

/** How often is looked for what nobody was told of, and how long what a dead node had in hand stays with it, in milliseconds. */
export type Pace = { pollMs: number; leaseMs: number };

type Options = {
  database: Database;
  listener: Listener;
  log: Logger;
  runner: Runner;
  works: ReadonlyMap<string, OpenedJob>;
  pace: Pace;
  /** What else is looked at in the transaction of each poll. */
  alongside: (tx: Transaction) => Promise<void>;
};

export type Worker = {
  start(): Promise<void>;
  /** Takes no more. Waits for what is in hand, at most `graceMs`; what is left then is aborted and put back for other nodes. */
  stop(graceMs: number): Promise<void>;
  /** When it last looked for work with success, by `performance.now()`. */
  lookedAt(): number;
};

const maxTeamsPerClaim = 64;
const wakeBatchSize = 1_000;
const lastWritesMs = 10_000;

/** What one worker has in hand: being done, or done and not yet removed. */
type LeasedJob = ClaimedJob & { stage: 'running' | 'done' };

/** The search for jobs of one name: the team it goes on at, and whether it found any since it began at the first. */
type Lap = { from: string; found: boolean };
const newLap: Lap = { from: serviceTeam, found: false };

/** Takes jobs as they become ready, over any number of nodes: woken by notification, with polling as the truth. */
export function createWorker({ database, listener, log, runner, works, pace, alongside }: Options): Worker {
  const leasedJobs = new Map<string, LeasedJob>();
  const laps = new Map<string, Lap>();
  /** Names to be looked for that were asked for since the last look began: what it did not find may be there since. */
  const requestedNames = new Set<string>();
  const inProgress = new Set<Promise<void>>();
  let [pollDue, again, stopped] = [true, false, false];
  let running: Promise<void> | undefined;
  let lookedAt = performance.now();
  let timers: NodeJS.Timeout[] = [];
  let nextDue: NodeJS.Timeout | undefined;

  /** What there is room for of each name that is looked for, and of each team that has some of it in hand. */
  function roomNow() {
    const room = { names: [] as string[], rooms: [] as number[], ofOne: [] as number[], from: [] as string[] };
    const holding = { busyNames: [] as string[], busyTeams: [] as string[], busyRooms: [] as number[] };
    const busy = Map.groupBy(
      [...leasedJobs.values()].filter(({ stage }) => stage === 'running'),
      ({ name }) => name,
    );
    for (const [name, { from }] of laps) {
      const own = busy.get(name) ?? [];
      const { concurrency = 0, maxPerTeam = 0 } = works.get(name)?.job.options ?? {};
      const free = concurrency - own.length;
      if (free <= 0) continue;
      // Alone a team gets about two thirds of the places, and never the last free one.
      const roomOf = (count: number) => Math.max(0, Math.min(roomBeside(count, free, 2, count + free > 1 ? 1 : 0), maxPerTeam - count));
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

  /** Makes ready what has waited long enough, and what dead nodes had in hand. */
  async function poll(tx: Transaction): Promise<void> {
    const row = await tx.first(wakeJobs, { leasedIds: [...leasedJobs.keys()], limit: wakeBatchSize });
    await alongside(tx);
    tx.afterCommit(() => {
      lookedAt = performance.now();
      pollDue = row?.woken === wakeBatchSize;
      clearTimeout(nextDue);
      const inMs = row?.next_ms ?? pace.pollMs;
      if (inMs < pace.pollMs) nextDue = setTimeout(pollNow, Math.max(5, inMs));
    });
  }

  /** Removes what is done and takes what there is room for, in one transaction. False when there was nothing to look for. */
  async function look(): Promise<boolean> {
    const polling = pollDue && !stopped;
    for (const name of polling ? works.keys() : requestedNames) if (!laps.has(name)) laps.set(name, newLap);
    requestedNames.clear();
    const done = [...leasedJobs.values()].filter(({ stage }) => stage === 'done');
    const room = roomNow();
    const takes = room.names.length > 0 && !stopped;
    if (!polling && !takes && done.length === 0) return false;
    const found = await database.asSystem('take jobs', async (tx) => {
      if (done.length > 0) tx.send(removeJobs, { teams: done.map(({ team_id: team }) => team), ids: done.map(({ id }) => id) });
      if (polling) await poll(tx);
      if (!takes) return [];
      tx.send(keptPlan, {});
      return tx.all(takeJobs, { ...room, lanes: maxTeamsPerClaim, leasedIds: [...leasedJobs.keys()], leaseSeconds: pace.leaseMs / 1_000 });
    });
    for (const { id } of done) leasedJobs.delete(id);
    if (takes) goOn(room.names, found);
    return true;
  }

  /** Begins what was taken. A name is looked for until a whole lap over its teams has found nothing. */
  function goOn(names: readonly string[], found: readonly SearchedJob[]): void {
    const byName = Map.groupBy(found, ({ name }) => name);
    for (const name of names) {
      const rows = byName.get(name) ?? [];
      const lap = laps.get(name) ?? newLap;
      const [first] = rows;
      const some = lap.found || first?.some === true;
      if (first?.more) laps.set(name, { from: first.last, found: some });
      // Where a lap was taken up again may be its middle: one whole lap is made at least.
      else if (some || lap.from !== newLap.from) laps.set(name, newLap);
      else laps.delete(name);
    }
    for (const row of found) if (isTaken(row)) begin({ ...row, stage: 'running' });
  }

  function begin(job: LeasedJob): void {
    leasedJobs.set(job.id, job);
    const minSlotMs = works.get(job.name)?.job.options.minSlotMs ?? 0;
    const rest = minSlotMs > 0 ? sleep(minSlotMs) : undefined;
    const work = runner.carryOut(job).then(async (came) => {
      await rest;
      if (came === 'done') job.stage = 'done';
      else leasedJobs.delete(job.id);
      inProgress.delete(work);
      // Its next try, or what waits behind it.
      if (came === 'settled') pollDue = true;
      wake(job.name);
    });
    inProgress.add(work);
  }

  async function drain(): Promise<void> {
    do again = false;
    while ((await look()) || again);
  }

  function wake(name: string): void {
    if (works.has(name)) requestedNames.add(name);
    again = true;
    running ??= drain()
      .catch((error: unknown) => log.warn({ err: error }, 'the queue of jobs could not be read; trying again'))
      .finally(() => {
        running = undefined;
        // Asked for after the last look and before this.
        if (again) wake('');
      });
  }

  function pollNow(): void {
    pollDue = true;
    wake('');
  }

  function keepLeases(): void {
    const jobs = [...leasedJobs.values()];
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

  return {
    lookedAt: () => lookedAt,
    async start() {
      // Work of a time that is near is told of without its name.
      await listener.on(jobChannel, (name) => (name === '' ? pollNow() : wake(name)));
      listener.onReconnect(pollNow);
      timers = [setInterval(pollNow, pace.pollMs), setInterval(keepLeases, pace.leaseMs / 3)];
      pollNow();
    },
    async stop(graceMs) {
      stopped = true;
      clearTimeout(nextDue);
      const allDone = () => Promise.all(inProgress);
      await Promise.race([allDone(), sleep(graceMs, undefined, { ref: false })]);
      runner.abort();
      await Promise.race([allDone(), sleep(lastWritesMs, undefined, { ref: false })]);
      runner.close();
      await allDone();
      wake('');
      await running;
      for (const timer of timers) clearInterval(timer);
    },
  };
}

function isTaken(row: SearchedJob): row is SearchedJob & ClaimedJob {
  return row.id !== null;
}
