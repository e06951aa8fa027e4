import { Type } from 'typebox';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { Listener } from '../database/listen.ts';
import type { SchedulerMetrics } from '../telemetry/metrics.ts';
import { defineJob, type Job, openJob, type OpenedJob } from './job.ts';
import { createPeriodic } from './periodic.ts';
import { createRunner } from './runner.ts';
import { createWorker, type Pace } from './worker.ts';

/** Work that waits for nobody: jobs that were added in a transaction, and periodic work, each once over all nodes. */
export type Jobs = {
  /** Declares a kind of job before the start, with what its run takes. A node carries out those it knows. */
  add<Data, Deps>(job: Job<Data, Deps>, deps: Deps): void;
  /** Declares periodic work before the start. `cron` has five fields, in UTC. What was due while nobody ran is made up for once. */
  schedule(name: string, cron: string, work: () => Promise<void>): void;
  start(): Promise<void>;
  /** Why background work does not go on at the moment; nothing while it does. */
  failure(): string | undefined;
  /** Waits for what is in hand, at most `graceMs`; the rest is put back. */
  stop(graceMs: number): Promise<void>;
};

export type JobsOptions = {
  database: Database;
  listener: Listener;
  log: Logger;
  metrics: SchedulerMetrics;
  clock?: () => Date;
  pace?: Pace;
};

const usualPace: Pace = { pollMs: 5_000, leaseMs: 15_000 };
/** It looks for work at each poll: after so many without success it has trouble. */
const pollsMissed = 3;
const stoppedMessage =
  'Background work on this node is stopped: its tables are missing or its database connection is lost. The node tries again every 5 seconds.';

const periodic = (name: string) =>
  defineJob(
    name,
    Type.Object({}),
    { retries: 3, backoff: { first: 10, factor: 3, most: 600 }, timeout: 900, concurrency: 1, counted: false },
    (work: () => Promise<void>) => work(),
  );

/** Opens the queue of jobs on the service's database. Nodes that carry out jobs start it; any transaction may add them. */
export function openJobs({ database, listener, log, metrics, clock, pace = usualPace }: JobsOptions): Jobs {
  const works = new Map<string, OpenedJob>();
  const crons = new Map<string, string>();
  const now = clock ?? (() => new Date(database.clock.now()));
  const runner = createRunner({ database, log, metrics, works });
  const worker = createWorker({ database, listener, log, runner, works, pace, alongside: createPeriodic(crons, now) });
  const goesOn = () => performance.now() - worker.lookedAt() < pollsMissed * pace.pollMs;
  let said = true;
  let watching: NodeJS.Timeout | undefined;

  function add<Data, Deps>(job: Job<Data, Deps>, deps: Deps): void {
    if (works.has(job.name)) throw new Error(`the job ${job.name} is declared twice`);
    works.set(job.name, openJob(job, deps));
  }

  function schedule(name: string, cron: string, work: () => Promise<void>): void {
    add(periodic(name), work);
    crons.set(name, cron);
  }

  function watch(): void {
    const does = goesOn();
    metrics.goesOn(does);
    if (does !== said) log[does ? 'info' : 'error'](does ? 'background work goes on again' : 'background work does not go on');
    said = does;
  }

  return {
    add,
    schedule,
    async start() {
      await worker.start();
      watching = setInterval(watch, pace.pollMs);
      watching.unref();
      metrics.goesOn(true);
    },
    failure: () => (goesOn() ? undefined : stoppedMessage),
    async stop(graceMs) {
      clearInterval(watching);
      await worker.stop(graceMs);
    },
  };
}
