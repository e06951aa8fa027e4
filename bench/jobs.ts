/** Measures the job queue: the cost of a new job, the start delay, the throughput, and the effect of one team on another. */
import { randomUUIDv7 } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Type } from 'typebox';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import { startEmbeddedServer } from '../src/platform/database/embedded.ts';
import { openListener } from '../src/platform/database/listen.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { sqlStatement } from '../src/platform/database/statement.ts';
import { defineJob, enqueue, type Job } from '../src/platform/jobs/job.ts';
import { Jobs } from '../src/platform/jobs/jobs.ts';
import { countJobFailures } from '../src/platform/telemetry/metrics.ts';
import { quantile } from './webhook-world.ts';
import type { Result } from './result.ts';

type Data = { n: number };
type World = { pool: pg.Pool; database: Database; job: Job<Data, never>; run: { work: (data: Data, team: string | undefined) => unknown } };

const teams = Array.from({ length: 100 }, () => randomUUIDv7());
const [firstTeam = ''] = teams;
const insertAct = sqlStatement<{ team: string }, never>(
  "INSERT INTO event (team_id, id, type, body, created_at) VALUES ($team, gen_random_uuid()::text, 'bench.made', '', now())",
);

/** Compares transactions per second, 16 at once: one row, and one row with a job that no worker claims. */
async function cost({ database }: World, seconds: number, rounds: number): Promise<Result> {
  const left = defineJob('bench-idle', Type.Any(), { counted: false }, async () => undefined);
  const perSecond = async (withJob: boolean) => {
    const until = performance.now() + seconds * 1_000;
    let done = 0;
    const one = async (): Promise<void> => {
      while (performance.now() < until) {
        await database.inTeam(firstTeam, async (db) => {
          db.send(insertAct, { team: firstTeam });
          if (withJob) enqueue({ db, team: firstTeam }, left, {});
        });
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: 16 }, one));
    return done / seconds;
  };
  await perSecond(true);
  const runs: { without: number; with: number }[] = [];
  for (let round = 0; round < rounds; round += 1) runs.push({ without: await perSecond(false), with: await perSecond(true) });
  const ratio = quantile(
    runs.map((run) => run.with / run.without),
    0.5,
  );
  const figures = {
    without: quantile(
      runs.map((run) => run.without),
      0.5,
    ),
    with: quantile(
      runs.map((run) => run.with),
      0.5,
    ),
    percent: 100 * ratio,
  };
  return { scenario: 'jobs: transactions of one row, without and with a job (/s)', figures, aim: '≥ 75 %', met: ratio >= 0.75 };
}

async function commitToStart({ database, job, run }: World): Promise<Result> {
  const delays: number[] = [];
  for (let n = 0; n < 500; n += 1) {
    const { promise, resolve } = Promise.withResolvers<number>();
    run.work = () => resolve(performance.now());
    await database.inTeam(firstTeam, async (db) => enqueue({ db, team: firstTeam }, job, { n }));
    const committed = performance.now();
    delays.push((await promise) - committed);
    await sleep(2);
  }
  const figures = { p50: quantile(delays, 0.5), p99: quantile(delays, 0.99) };
  return {
    scenario: 'jobs: from the commit to the start (ms)',
    figures,
    aim: 'p50 ≤ 5, p99 ≤ 50',
    met: figures.p50 <= 5 && figures.p99 <= 50,
  };
}

const fill = (pool: pg.Pool, of: readonly string[], name: string, each: number) =>
  pool.query(
    `INSERT INTO job (team_id, id, name, data, state, due_at) SELECT t, gen_random_uuid(), $2, '{"n": 1}', 'ready', now() FROM unnest($1::uuid[]) t, generate_series(1, $3)`,
    [of, name, each],
  );

async function throughput({ pool, job, run }: World): Promise<Result> {
  const rates: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    let done = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    run.work = () => (done += 1) === 20_000 && resolve();
    await fill(pool, teams, job.name, 200);
    const from = performance.now();
    await pool.query("SELECT pg_notify('job_due', $1)", [job.name]);
    await promise;
    if (round > 0) rates.push(20_000 / ((performance.now() - from) / 1_000));
  }
  const perSecond = quantile(rates, 0.5);
  return { scenario: 'jobs: empty ones of 100 teams, 50 at a time', figures: { perSecond }, aim: '≥ 4000/s', met: perSecond >= 4_000 };
}

/** Measures the delay of a single job while another team has 10 000 jobs of 5 ms each. */
async function fairness({ pool, database, job, run }: World, rounds: number): Promise<Result> {
  const waits: number[] = [];
  let done = 0;
  let one = (): void => undefined;
  run.work = async (_, team) => {
    done += 1;
    if (team !== firstTeam) return one();
    await sleep(5);
  };
  await fill(pool, [firstTeam], job.name, 10_000);
  await pool.query("SELECT pg_notify('job_due', $1)", [job.name]);
  const from = performance.now();
  for (let round = 0; round < 20 * rounds; round += 1) {
    await sleep(20);
    const { promise, resolve } = Promise.withResolvers<void>();
    one = resolve;
    await database.asSystem('bench', async (db) => enqueue({ db, team: teams[1] }, job, { n: 1 }));
    const added = performance.now();
    await promise;
    waits.push(performance.now() - added);
  }
  const figures = { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99), othersPerSecond: done / ((performance.now() - from) / 1_000) };
  // Skips rows that the node claims at this moment. Waiting for them in another lock order could cause a deadlock.
  const discard = () =>
    pool.query("DELETE FROM job WHERE (team_id, id) IN (SELECT team_id, id FROM job WHERE state = 'ready' FOR UPDATE SKIP LOCKED)");
  while ((await discard()).rowCount);
  return { scenario: 'jobs: one beside 10 000 of another team, to its start (ms)', figures, aim: 'p99 ≤ 100', met: figures.p99 <= 100 };
}

/** Measures the database load of an idle node. */
async function idle({ pool }: World): Promise<Result> {
  const count = async () => {
    await pool.query('SELECT pg_stat_force_next_flush()');
    return Number((await pool.query('SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()')).rows[0].xact_commit);
  };
  await sleep(2_000);
  const before = await count();
  await sleep(20_000);
  const perSecond = Math.max(0, (await count()) - before - 2) / 20;
  return { scenario: 'jobs: transactions while there is nothing to do', figures: { perSecond }, aim: '≤ 1/s', met: perSecond <= 1 };
}

export async function benchJobs(
  options: { seconds: number; rounds: number; only: readonly string[] },
  show: (result: Result) => void,
): Promise<void> {
  if (options.only.length > 0 && !options.only.some((part) => 'jobs'.includes(part))) return;
  const dataDir = await mkdtemp(join(tmpdir(), 'chancery-bench-jobs-'));
  await chmod(dataDir, 0o755);
  const log = pino({ level: 'error' });
  const server = await startEmbeddedServer({ dataDir, log });
  await migrate(server.connection);
  const pool = new pg.Pool({ ...server.connection, max: 2 });
  const [database, own] = ['bench', 'bench-node'].map((applicationName) => openDatabase(server.connection, { applicationName })) as [
    Database,
    Database,
  ];
  const listener = openListener(server.connection, () => undefined);
  const run: World['run'] = { work: () => undefined };
  const job = defineJob(
    'bench',
    Type.Object({ n: Type.Integer() }),
    { concurrency: 50, counted: false },
    async (_: null, data, { team }) => {
      await run.work(data, team);
    },
  );
  const jobs = new Jobs({ database: own, listener, log, metrics: countJobFailures(new Registry()) });
  jobs.add(job, null);
  await jobs.start();
  const world = { pool, database, job, run };
  show(await idle(world));
  show(await cost(world, options.seconds, options.rounds));
  show(await commitToStart(world));
  show(await throughput(world));
  show(await fairness(world, options.rounds));
  await jobs.stop(5_000);
  await listener.close();
  await Promise.all([database.close(), own.close(), pool.end()]);
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
