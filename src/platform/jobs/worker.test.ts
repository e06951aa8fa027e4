import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Type } from 'typebox';
import { type JobNode, letJobsBeDue, sampleOf, startJobNode } from '../../../test/jobs.ts';
import { createTestDatabase, testPool } from '../../../test/postgres.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { openDatabase, type Database } from '../database/database.ts';
import { exceededQuota } from '../limits/quotas.ts';
import { defineJob, enqueue, type EnqueueOptions, type Job, type JobOptions, PermanentFailure, type JobAttempt } from './job.ts';
import { retryJobs } from './queries.ts';
import { exhaustiveTest } from '../../../test/tier.ts';

let own: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
let database: Database;
const nodes: JobNode[] = [];
before(async () => {
  own = await createTestDatabase();
  pool = testPool(own.url, 4);
  database = openDatabase({ url: own.url }, { applicationName: 'jobs-test', maxConnections: 8 });
});
after(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await database.close();
  await pool.end();
  await own.drop();
});

const Data = Type.Object({ n: Type.Integer() });
type Run = (data: { n: number }, attempt: JobAttempt) => unknown;
let names = 0;

/** Returns a new kind of job and a node that runs it. */
async function nodeFor(run: Run, options: JobOptions<{ n: number }> = {}, pace = {}, name = `test-${(names += 1)}`) {
  const job = defineJob(name, Data, { backoff: { first: 0.02, factor: 1, most: 1 }, ...options }, async (_: null, data, attempt) => {
    await run(data, attempt);
  });
  const started = await startJobNode(own.url, (jobs) => jobs.add(job, null), { pace });
  nodes.push(started);
  return { ...started, job };
}

const add = (team: string | undefined, job: Job<{ n: number }, never>, ns: readonly number[], options: EnqueueOptions = {}) =>
  database.asSystem('add jobs', async (db) => {
    for (const n of ns) enqueue({ db, team }, job, { n }, options);
  });
const rows = async (job: { name: string }) =>
  (await pool.query('SELECT state, attempts, error, data FROM job WHERE name = $1 ORDER BY id', [job.name])).rows;
const upTo = (many: number) => Array.from({ length: many }, (_, n) => n);

test('a job starts after its transaction commits, never after a rollback, and is deleted when it is done', async () => {
  const begun: number[] = [];
  const { job } = await nodeFor(({ n }) => begun.push(n));
  const team = randomUUIDv7();
  await assert.rejects(
    database.inTeam(team, async (db) => {
      enqueue({ db, team }, job, { n: 1 });
      throw new Error('undone');
    }),
    /undone/,
  );
  await database.inTeam(team, async (db) => enqueue({ db, team }, job, { n: 2 }));
  await database.withoutTeam(async (db) => enqueue({ db }, job, { n: 3 }));
  await eventually('both', () => begun.length === 2);
  assert.deepEqual(begun.toSorted(), [2, 3]);
  await eventually('they are deleted', async () => (await rows(job)).length === 0);
});

test('a commit wakes a worker without a wait for its next poll', async () => {
  const begun = new Set<number>();
  // Its polls are further apart than the timeout of the test.
  const { job } = await nodeFor(({ n }) => begun.add(n), {}, { pollMs: 600_000 });
  // Its first poll has ended.
  await add(undefined, job, [-1]);
  await eventually('the first', () => begun.has(-1));
  for (const n of upTo(20)) {
    await add(undefined, job, [n]);
    await eventually(`job ${n}`, () => begun.has(n));
  }
});

test('a job with a start time waits; a keyed job is added once while it waits, and again after it has started', async () => {
  const begun: number[] = [];
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const { job } = await nodeFor(async ({ n }) => {
    begun.push(n);
    if (n === 1) await gate;
  });
  await add('0198f000-0000-7000-8000-000000000001', job, [7], { runAt: new Date(Date.now() + 1_500) });
  const later = { runAt: new Date(Date.now() + 800), key: 'once' };
  await Promise.all(upTo(20).map(() => add(undefined, job, [1], later)));
  assert.equal((await rows(job)).length, 2);
  await eventually('the keyed job', () => begun.includes(1));
  assert.ok(!begun.includes(7) || Date.now() > later.runAt.getTime() + 500);
  await add(undefined, job, [2], { key: 'once' });
  await eventually('the job that was added while the first ran', () => begun.includes(2));
  release();
  await eventually('all', async () => (await rows(job)).length === 0);
  assert.deepEqual(begun.toSorted(), [1, 2, 7]);
});

test('10 000 jobs of one team delay neither the job of another team nor that of no team', async () => {
  const order: string[] = [];
  const { job } = await nodeFor(
    async (_, { team = 'none' }) => {
      order.push(team);
      await sleep(2);
    },
    { concurrency: 10, counted: false },
  );
  const [many, one] = [randomUUIDv7(), randomUUIDv7()];
  await pool.query(
    `INSERT INTO job (team_id, id, name, data, state, due_at) SELECT $1, gen_random_uuid(), $2, '{"n": 1}', 'ready', now() - interval '1 hour' FROM generate_series(1, 10000)`,
    [many, job.name],
  );
  await add(many, job, [1]);
  await eventually('some', () => order.length > 50);
  const at = order.length;
  await Promise.all([add(one, job, [1]), add(undefined, job, [1])]);
  await eventually('both', () => order.includes(one) && order.includes('none'));
  const earlier = Math.max(order.indexOf(one), order.indexOf('none')) - at;
  assert.ok(earlier < 300, `${earlier} of the other team came before`);
  await pool.query("DELETE FROM job WHERE team_id = $1 AND state = 'ready'", [many]);
});

test('a team with endless jobs leaves slots for others, and a second such team leaves some too', async () => {
  const begun: string[] = [];
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const { job } = await nodeFor(
    async (_, { team = '' }) => {
      begun.push(team);
      await gate;
    },
    { concurrency: 10 },
  );
  const teams = upTo(3).map(() => randomUUIDv7());
  for (const team of teams) {
    await add(team, job, upTo(20));
    await eventually('the team has started', () => begun.includes(team));
  }
  assert.ok(begun.length <= 10);
  release();
  await eventually('all', async () => begun.length === 60 && (await rows(job)).length === 0);
});

test('a team gets at most the slots that the job kind allows, even if no other team waits', async () => {
  const busy = new Map<string, number>();
  let most = 0;
  const { job } = await nodeFor(
    async (_, { team = '' }) => {
      busy.set(team, (busy.get(team) ?? 0) + 1);
      most = Math.max(most, ...busy.values());
      await sleep(2);
      busy.set(team, (busy.get(team) ?? 0) - 1);
    },
    { concurrency: 10, maxPerTeam: 3 },
  );
  for (const team of [randomUUIDv7(), randomUUIDv7()]) await add(team, job, upTo(30));
  await eventually('all', async () => (await rows(job)).length === 0);
  assert.equal(most, 3);
});

test('a slot is used for its minimum time, and the work in it is not delayed', async () => {
  const begun: number[] = [];
  const from = performance.now();
  const { job } = await nodeFor(() => void begun.push(performance.now() - from), { concurrency: 10, maxPerTeam: 2, minSlotMs: 100 });
  await add(randomUUIDv7(), job, upTo(10));
  await eventually('all', async () => (await rows(job)).length === 0);
  // Two at a time, five times: the last ones start after four minimum times.
  assert.equal(begun.length, 10);
  assert.ok((begun.at(-1) ?? 0) - (begun[0] ?? 0) >= 395, String(begun));
});

test('all of 300 teams are served, more than one search covers', async () => {
  const served = new Set<string>();
  const { job } = await nodeFor((_, { team = '' }) => served.add(team));
  await database.asSystem('add jobs', async (db) => {
    for (const _ of upTo(300)) enqueue({ db, team: randomUUIDv7() }, job, { n: 1 }, { lowPriority: true });
  });
  await eventually('all', () => served.size === 300);
});

test('three nodes run 500 jobs, each once', async () => {
  const done: number[] = [];
  const { job } = await nodeFor(({ n }) => done.push(n));
  for (const _ of [1, 2]) await nodeFor(({ n }) => done.push(n), {}, {}, job.name);
  const team = randomUUIDv7();
  await Promise.all(
    upTo(50).map((at) =>
      add(
        team,
        job,
        upTo(10).map((n) => at * 10 + n),
      ),
    ),
  );
  await eventually('all', async () => done.length >= 500 && (await rows(job)).length === 0);
  assert.deepEqual(
    done.toSorted((a, b) => a - b),
    upTo(500),
  );
});

test('a failing job is retried with growing waits, then kept, counted and retried manually; invalid data are not retried', async () => {
  let mended = false;
  const tries: number[] = [];
  const given: string[] = [];
  const { job, registry } = await nodeFor(
    ({ n }, { attempt }) => {
      tries.push(attempt);
      if (!mended) throw n === 5 ? new PermanentFailure('never') : new Error('not yet');
    },
    { retries: 2, onDiscard: async (_, { n }, reason) => given.push(`${n} ${reason}`) },
  );
  await add(randomUUIDv7(), job, [1]);
  await eventually('its end', async () => (await rows(job))[0]?.state === 'failed');
  assert.deepEqual(tries, [1, 2, 3]);
  assert.deepEqual(await rows(job), [{ state: 'failed', attempts: 3, error: 'not yet', data: { n: 1 } }]);
  await add(undefined, job, [5]);
  await eventually('one that no retry can fix', async () => (await rows(job)).some(({ error }) => error === 'never'));
  assert.equal(tries.length, 4);
  await add(undefined, job, ['x' as unknown as number]);
  await eventually(
    'one with invalid data',
    async () => (await rows(job)).length === 3 && (await rows(job)).every(({ state }) => state === 'failed'),
  );
  assert.equal(tries.length, 4);
  assert.deepEqual(given.slice(0, 2), ['1 not yet', '5 never']);
  assert.equal(await sampleOf(registry, 'chancery_jobs_failed', job.name), 3);
  assert.equal(await sampleOf(registry, 'chancery_job_failures_total', job.name), 5);
  mended = true;
  await database.asSystem('retry', (tx) => tx.all(retryJobs, { id: null, name: job.name, limit: 100 }));
  await eventually('all others are done', async () => (await rows(job)).length === 1);
  assert.match((await rows(job))[0].error, /do not match/);
});

test('an attempt above its time limit is aborted and fails, and its slot is free for others', async () => {
  const aborted: number[] = [];
  const done: number[] = [];
  const { job } = await nodeFor(
    async ({ n }, { signal }) => {
      if (n > 1) return done.push(n);
      signal.addEventListener('abort', () => aborted.push(n));
      return new Promise(() => undefined);
    },
    { timeout: 0.2, retries: 0, concurrency: 2 },
  );
  await add(undefined, job, [0, 1, 2, 3]);
  await eventually('the others', () => done.length === 2);
  await eventually(
    'both are kept as failed',
    async () => (await rows(job)).length === 2 && (await rows(job)).every(({ error }) => /longer than 0.2 s/.test(error ?? '')),
  );
  assert.equal(aborted.length, 2);
});

exhaustiveTest('another node runs a job of killed nodes with all its retries, until it was interrupted too often', async () => {
  const name = 'test-killed';
  const waiting = defineJob(name, Data, { retries: 1 }, async () => undefined);
  const team = randomUUIDv7();
  async function killed(jobs: number): Promise<void> {
    const child = spawn(process.execPath, ['test/fixtures/job-node.ts', own.url, name], {
      env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    await eventually('it runs all jobs', () => out.split('\n').length > jobs);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    // Its leases expire.
    await letJobsBeDue(pool, 'running', name);
  }
  const tries: [number, number][] = [];
  const run: Run = ({ n }, { attempt }) => {
    tries.push([n, attempt]);
    if (n === 2 && attempt === 3) throw new Error('not yet');
  };

  await add(team, waiting, [1]);
  await killed(1);
  const other = await nodeFor(run, { retries: 1 }, {}, name);
  await eventually('it is done immediately', async () => tries.length === 1 && (await rows(waiting)).length === 0);
  assert.deepEqual(tries, [[1, 2]]);
  await other.stop();

  // After two kills it has not used its only retry.
  await add(team, waiting, [2, 3]);
  await killed(2);
  await killed(2);
  const counted = await pool.query("UPDATE job SET interruptions = 11 WHERE name = $1 AND data->>'n' = '3'", [name]);
  assert.equal(counted.rowCount, 1);
  await nodeFor(run, { retries: 1 }, {}, name);
  await eventually('both wait', async () => (await rows(waiting)).every(({ state }) => state === 'waiting'));
  const early = await pool.query("SELECT FROM job WHERE name = $1 AND due_at < now() + interval '2 seconds'", [name]);
  assert.equal(early.rowCount, 0, 'a job that was interrupted before waits');
  await letJobsBeDue(pool, 'waiting', name);
  await eventually('one is left', async () => (await rows(waiting)).length === 1);
  assert.deepEqual(tries.slice(1), [
    [2, 3],
    [2, 4],
  ]);
  const [left] = await eventually('it is discarded', async () => (await rows(waiting)).filter(({ state }) => state === 'failed'));
  assert.match(left.error, /interrupted 1[12] times/);
  assert.deepEqual(left.data, { n: 3 });
});

exhaustiveTest('a job longer than its lease stays with its node, which does not start it again after the lease expires', async () => {
  const tries: number[] = [];
  /** The jobs end when the database time is past this. */
  let until = Infinity;
  const slow: Run = async ({ n }) => {
    tries.push(n);
    await eventually('its time', async () => (await pool.query('SELECT now() > to_timestamp($1) AS past', [until])).rows[0].past);
  };
  const leaseMs = 5_000;
  const { job } = await nodeFor(slow, {}, { leaseMs, pollMs: 100 });
  await nodeFor(slow, {}, { leaseMs, pollMs: 100 }, job.name);
  await add(undefined, job, [1, 2, 3]);
  const { rows: leases } = await eventually('all have started', async () => {
    const found = await pool.query(
      "SELECT extract(epoch FROM max(due_at))::float8 AS until FROM job WHERE name = $1 AND state = 'running' HAVING count(*) = 3",
      [job.name],
    );
    return found.rowCount === 1 ? found : undefined;
  });
  until = leases[0].until + 0.5;
  await eventually('all', async () => tries.length >= 3 && (await rows(job)).length === 0);
  assert.deepEqual(tries.toSorted(), [1, 2, 3]);
  const { job: alone } = await nodeFor(slow, {}, { pollMs: 50 });
  until = Infinity;
  await add(undefined, alone, [9]);
  await eventually('it has started', () => tries.includes(9));
  await pool.query("UPDATE job SET state = 'ready', due_at = now() - interval '1 hour' WHERE name = $1", [alone.name]);
  // The node claims this one from the same queue.
  await add(undefined, alone, [10]);
  await eventually('it polls again', () => tries.includes(10));
  until = 0;
  await eventually('it is done', async () => (await rows(alone)).length === 0);
  assert.equal(tries.filter((n) => n === 9).length, 1);
});

test('a stopping node returns unfinished jobs, and another node starts them immediately without counting the attempt', async () => {
  const tries: [string, number][] = [];
  const hangs =
    (which: string): Run =>
    (_, { attempt }) => {
      tries.push([which, attempt]);
      return which === 'first' ? new Promise(() => undefined) : undefined;
    };
  const first = await nodeFor(hangs('first'), {}, { leaseMs: 600_000 });
  await add(undefined, first.job, [1]);
  await eventually('it has started', () => tries.length === 1);
  await first.stop();
  await nodeFor(hangs('second'), {}, {}, first.job.name);
  await eventually('the other node has done it', async () => tries.length === 2 && (await rows(first.job)).length === 0);
  assert.deepEqual(tries, [
    ['first', 1],
    ['second', 1],
  ]);
});

test('requests insert jobs of their own team only, and cannot read or change jobs', async () => {
  const [team, other] = [randomUUIDv7(), randomUUIDv7()];
  const job = defineJob('test-walls', Data, {}, async () => undefined);
  await database.inTeam(team, async (db) => enqueue({ db, team }, job, { n: 1 }));
  await assert.rejects(
    database.inTeam(team, async (db) => enqueue({ db, team: other }, job, { n: 1 })),
    /row-level security/,
  );
  await assert.rejects(
    database.withoutTeam(async (db) => enqueue({ db, team }, job, { n: 1 })),
    /row-level security/,
  );
  for (const text of ['SELECT FROM job', 'UPDATE job SET name = name', 'DELETE FROM job', 'SELECT FROM job_schedule']) {
    const client = await pool.connect();
    try {
      await client.query(`BEGIN; SELECT set_config('role', 'chancery_app', true), set_config('app.team_id', '${team}', true)`);
      await assert.rejects(client.query(text), /permission denied/);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }
  assert.equal((await rows(job)).length, 1);
});

test('50 concurrent requests add no more jobs than the quota of the team, across job kinds', async () => {
  const team = randomUUIDv7();
  await pool.query("INSERT INTO team (team_id, name) VALUES ($1, 'Many')", [team]);
  const job = defineJob('test-quota', Data, {}, async () => undefined);
  await pool.query("INSERT INTO team_quota VALUES ($1, 'jobsWaiting', 7)", [team]);
  const outcomes = await Promise.allSettled(upTo(50).map((n) => database.inTeam(team, async (db) => enqueue({ db, team }, job, { n }))));
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 7);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') assert.equal(exceededQuota(outcome.reason)?.quota, 'jobsWaiting');
  }
  await pool.query("UPDATE job SET state = 'failed' WHERE id = (SELECT id FROM job WHERE team_id = $1 LIMIT 1)", [team]);
  await pool.query('DELETE FROM job WHERE id = (SELECT id FROM job WHERE team_id = $1 AND state = $2 LIMIT 1)', [team, 'ready']);
  for (const n of [1, 2]) await database.inTeam(team, async (db) => enqueue({ db, team }, job, { n }));
  await assert.rejects(database.inTeam(team, async (db) => enqueue({ db, team }, job, { n: 3 })));
});

test('a failure with any characters is recorded, and its message can be the data of another job', async () => {
  const received: string[] = [];
  const noted = defineJob('test-noted', Type.Object({ reason: Type.String() }), { counted: false }, async (_: null, { reason }) => {
    received.push(reason);
  });
  const options: JobOptions<{ n: number }> = { retries: 0, onDiscard: async (db, _, reason) => enqueue({ db }, noted, { reason }) };
  const said = ['it says \0 and more', `${'x'.repeat(499)}😀`, 'half \ud83d of one'];
  const { job } = await nodeFor(({ n }) => {
    throw new Error(said[n]);
  }, options);
  nodes.push(await startJobNode(own.url, (jobs) => jobs.add(noted, null), {}));
  await add(randomUUIDv7(), job, [0, 1, 2]);
  const kept = ['it says \uFFFD and more', 'x'.repeat(499), 'half \uFFFD of one'];
  await eventually('all three were reported', () => received.length === 3);
  assert.deepEqual(received.toSorted(), kept.toSorted());
  assert.deepEqual(
    (await rows(job)).map(({ state, error }) => `${state}: ${error}`).toSorted(),
    kept.map((error) => `failed: ${error}`).toSorted(),
  );
});
