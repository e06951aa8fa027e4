import type pg from 'pg';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import { openListener } from '../src/platform/database/listen.ts';
import { Jobs } from '../src/platform/jobs/jobs.ts';
import { readQueues } from '../src/platform/jobs/queue-state.ts';
import type { Pace } from '../src/platform/jobs/worker.ts';
import { countJobFailures, measureQueues } from '../src/platform/telemetry/metrics.ts';
import { testDatabaseLimits } from './database-limits.ts';

/** A node that only runs jobs. */
export type JobNode = { jobs: Jobs; database: Database; registry: Registry; stop(): Promise<void> };

type Options = { pace?: Partial<Pace>; clock?: () => Date; graceMs?: number };

/** Starts a node. `declare` adds its jobs before the start. Each node has its own database connections, like a separate process. */
export async function startJobNode(
  url: string,
  declare: (jobs: Jobs, database: Database) => void,
  { pace, clock, graceMs = 1_000 }: Options = {},
): Promise<JobNode> {
  const database = openDatabase({ url }, { applicationName: 'job-node', maxConnections: 8, limits: testDatabaseLimits });
  const listener = openListener({ url }, () => undefined);
  const registry = new Registry();
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const jobs = new Jobs({
    database,
    listener,
    log,
    metrics: countJobFailures(registry),
    // Longer than a busy machine can delay the renewal of a lease.
    pace: { pollMs: 500, leaseMs: 60_000, ...pace },
    ...(clock ? { clock } : {}),
  });
  measureQueues(registry, () => readQueues(database));
  declare(jobs, database);
  await jobs.start();
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await jobs.stop(graceMs);
    await Promise.all([listener.close(), database.close()]);
  };
  return { jobs, database, registry, stop: () => (stopped ??= stop()) };
}

/** Returns the value of a metric for a job, or undefined. */
export async function sampleOf(registry: Registry, name: string, job: string): Promise<number | undefined> {
  return (await registry.getSingleMetric(name)?.get())?.values.find(({ labels }) => labels.name === job)?.value;
}

/**
 * Makes jobs of a state due now. `names` is a LIKE pattern; `to` is their new state. Locks rows in the order of docs/internals/locks.md, because
 * workers finish jobs concurrently.
 */
export async function letJobsBeDue(
  pool: pg.Pool,
  state: 'waiting' | 'running',
  names = '%',
  to: 'ready' | typeof state = state,
): Promise<void> {
  await pool.query(
    `WITH due AS MATERIALIZED (SELECT team_id, id FROM job WHERE state = $1 AND name LIKE $2 ORDER BY team_id, id FOR UPDATE)
     UPDATE job j SET due_at = now(), state = $3 FROM due d WHERE j.team_id = d.team_id AND j.id = d.id`,
    [state, names, to],
  );
}
