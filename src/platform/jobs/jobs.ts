import { Type } from 'typebox';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { Listener } from '../database/listen.ts';
import type { SchedulerMetrics } from '../telemetry/metrics.ts';
import type { Tracer } from '../telemetry/tracing.ts';
import { defineJob, type Job, openJob, type OpenedJob } from './job.ts';
import { createPeriodic } from './periodic.ts';
import { JobRunner } from './runner.ts';
import { JobWorker, type Pace } from './worker.ts';

export type JobsOptions = {
  database: Database;
  listener: Listener;
  log: Logger;
  metrics: SchedulerMetrics;
  tracer?: Tracer | undefined;
  clock?: () => Date;
  pace?: Pace;
};

const usualPace: Pace = { pollMs: 5_000, leaseMs: 15_000 };
/** Number of missed polls after which background work counts as stopped. */
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

/**
 * The job queue in the database: jobs that transactions add, and periodic jobs, each on one node at a time. Only worker nodes start it;
 * every transaction can add jobs.
 */
export class Jobs {
  readonly #options: JobsOptions & { pace: Pace };
  readonly #works = new Map<string, OpenedJob>();
  readonly #crons = new Map<string, string>();
  readonly #worker: JobWorker;
  #said = true;
  #watching: NodeJS.Timeout | undefined;

  constructor({ pace = usualPace, ...options }: JobsOptions) {
    const { database, clock = () => new Date(database.clock.now()) } = options;
    this.#options = { ...options, pace };
    const runner = new JobRunner({ ...options, works: this.#works });
    this.#worker = new JobWorker({ ...options, runner, works: this.#works, pace, alongside: createPeriodic(this.#crons, clock) });
  }

  /** Declares a kind of job with its dependencies, before the start. A node runs only declared jobs. */
  add<Data, Deps>(job: Job<Data, Deps>, deps: Deps): void {
    if (this.#works.has(job.name)) throw new Error(`the job ${job.name} is declared twice`);
    this.#works.set(job.name, openJob(job, deps));
  }

  /** Declares a periodic job before the start. `cron` has five fields, in UTC. Runs that were missed while no node worked become one run. */
  schedule(name: string, cron: string, work: () => Promise<void>): void {
    this.add(periodic(name), work);
    this.#crons.set(name, cron);
  }

  async start(): Promise<void> {
    const { metrics, pace } = this.#options;
    await this.#worker.start();
    this.#watching = setInterval(() => this.#watch(), pace.pollMs).unref();
    metrics.goesOn(true);
  }

  /** Returns the reason why background work is stopped; undefined while it runs. */
  failure(): string | undefined {
    return performance.now() - this.#worker.lookedAt < pollsMissed * this.#options.pace.pollMs ? undefined : stoppedMessage;
  }

  /** Waits for running jobs, at most `graceMs`, then returns the others to the queue. */
  async stop(graceMs: number): Promise<void> {
    clearInterval(this.#watching);
    await this.#worker.stop(graceMs);
  }

  #watch(): void {
    const { log, metrics } = this.#options;
    const goesOn = this.failure() === undefined;
    metrics.goesOn(goesOn);
    if (goesOn !== this.#said) log[goesOn ? 'info' : 'error'](goesOn ? 'background work runs again' : 'background work is stopped');
    this.#said = goesOn;
  }
}
