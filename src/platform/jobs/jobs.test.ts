import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type DatabaseProxy, startDatabaseProxy } from '../../../test/database-proxy.ts';
import { type JobNode, sampleOf, startJobNode } from '../../../test/jobs.ts';
import { createTestDatabase, testPool } from '../../../test/postgres.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { StorageError } from '../storage/storage.ts';

let own: Awaited<ReturnType<typeof createTestDatabase>>;
let proxy: DatabaseProxy;
let pool: pg.Pool;
let node: JobNode;
const nodes: JobNode[] = [];
let ran = 0;

before(async () => {
  own = await createTestDatabase();
  proxy = await startDatabaseProxy(own.url);
  pool = testPool(own.url, 2);
  node = await periodicNode(proxy.url, 'count', async () => {
    ran += 1;
  });
  await eventually('its schedule is recorded', () => known('count'));
});
after(async () => {
  await Promise.all(nodes.map((one) => one.stop()));
  await pool.end();
  await proxy.close();
  await own.drop();
});

async function periodicNode(url: string, name: string, work: () => Promise<void>, clock?: () => Date): Promise<JobNode> {
  const started = await startJobNode(url, (jobs) => jobs.schedule(name, '0 0 1 1 *', work), {
    pace: { pollMs: 200 },
    ...(clock ? { clock } : {}),
  });
  nodes.push(started);
  return started;
}

const known = async (name: string) => (await pool.query('SELECT FROM job_schedule WHERE name = $1', [name])).rowCount;
const up = async () => Number(/^chancery_jobs_up (\d)/m.exec(await node.registry.metrics())?.[1]);
/** Sets the last start two years back, so that the job is due. */
const due = (name: string) =>
  pool.query("UPDATE job_schedule SET begun_at = date_trunc('second', now()) - interval '2 years' WHERE name = $1", [name]);
const rows = async (name: string) => (await pool.query('SELECT state, attempts FROM job WHERE name = $1', [name])).rows;

test('background work with missing tables reports it, and continues when they are back', async () => {
  await eventually('it runs', async () => node.jobs.failure() === undefined && (await up()) === 1);
  await pool.query('ALTER TABLE job RENAME TO job_away');
  try {
    await eventually('it reports it', () => node.jobs.failure());
    await eventually('its metric reports it', async () => (await up()) === 0);
  } finally {
    await pool.query('ALTER TABLE job_away RENAME TO job');
  }
  await eventually('it runs again', async () => node.jobs.failure() === undefined && (await up()) === 1);
  const earlier = ran;
  await due('count');
  await eventually('work is done', () => ran > earlier);
});

test('background work with silent and then rejected connections reports it and recovers automatically', async () => {
  proxy.refuses = true;
  proxy.silence();
  await eventually('it reports it', () => node.jobs.failure());
  proxy.heal();
  proxy.cut();
  await eventually('it runs again', () => node.jobs.failure() === undefined);
  const earlier = ran;
  await due('count');
  await eventually('work is done', () => ran > earlier);
});

test('a due job runs once across all nodes, also if no node ran at its time, but not at the very first start', async () => {
  let runs = 0;
  const work = async () => void (runs += 1);
  const first = await periodicNode(own.url, 'nightly', work);
  await eventually('its schedule is recorded', () => known('nightly'));
  await first.stop();
  await due('nightly');
  await Promise.all([1, 2, 3, 4].map(() => periodicNode(own.url, 'nightly', work)));
  await eventually('a run', () => runs === 1);
  const looked = async (pool_: pg.Pool) =>
    (await pool_.query("SELECT begun_at > now() - interval '1 day' AS now FROM job_schedule WHERE name = 'nightly'")).rows[0].now;
  assert.ok(await looked(pool));
  for (let time = 0; time < 5; time += 1) {
    await due('nightly');
    await eventually('the next run', () => runs === time + 2);
    await eventually('it has ended', async () => (await rows('nightly')).length === 0);
  }
  assert.equal(runs, 6);
});

test('two runs of one periodic job never overlap: a time during a run counts as that run', async () => {
  let [now, most, runs] = [0, 0, 0];
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const work = async () => {
    runs += 1;
    most = Math.max(most, (now += 1));
    await gate;
    now -= 1;
  };
  await Promise.all([1, 2].map(() => periodicNode(own.url, 'long', work)));
  await eventually('its schedule is recorded', () => known('long'));
  await due('long');
  await eventually('a run', () => runs === 1);
  await due('long');
  await eventually(
    'the next start is recorded',
    async () => (await pool.query("SELECT FROM job_schedule WHERE name = 'long' AND begun_at > now() - interval '1 year'")).rowCount,
  );
  assert.equal((await rows('long')).length, 1);
  release();
  await eventually('it has ended', async () => (await rows('long')).length === 0);
  assert.deepEqual([most, runs], [1, 1]);
});

test('a run with a full storage waits, and the attempt does not count', async () => {
  let full = true;
  let runs = 0;
  await periodicNode(own.url, 'filing', async () => {
    runs += 1;
    if (full) throw new StorageError('no_space', 'the file storage is full');
  });
  await eventually('its schedule is recorded', () => known('filing'));
  await due('filing');
  await eventually('it waits', async () => (await rows('filing'))[0]?.attempts === 0 && runs === 1);
  assert.deepEqual(await rows('filing'), [{ state: 'waiting', attempts: 0 }]);
  full = false;
  await pool.query("UPDATE job SET due_at = now() WHERE name = 'filing'");
  await eventually('it is done', async () => (await rows('filing')).length === 0);
  assert.equal(runs, 2);
});

test('a run whose file exceeds the file size limit has a limited number of attempts', async () => {
  await periodicNode(own.url, 'oversized', async () => {
    throw new StorageError('no_space', 'the file storage is full', { cause: Object.assign(new Error(), { code: 'EFBIG' }) });
  });
  await eventually('its schedule is recorded', () => known('oversized'));
  await due('oversized');
  await eventually('an attempt has failed', async () =>
    (await rows('oversized')).some(({ state, attempts }) => state === 'waiting' && attempts === 1),
  );
});

test('a failed run is counted and retried; the last permanent failure is kept', async () => {
  const failing = await periodicNode(own.url, 'failing', async () => {
    throw new Error('no');
  });
  await eventually('its schedule is recorded', () => known('failing'));
  for (const time of [1, 2]) {
    await due('failing');
    await eventually('it waits for its next attempt', async () =>
      (await rows('failing')).some(({ state, attempts }) => state === 'waiting' && attempts === 1),
    );
    assert.equal(await sampleOf(failing.registry, 'chancery_job_failures_total', 'failing'), 2 * time - 1);
    await pool.query("UPDATE job SET attempts = 3, due_at = now() WHERE name = 'failing' AND state = 'waiting'");
    await eventually('it is discarded', async () => (await rows('failing')).every(({ state }) => state === 'failed'));
    assert.equal((await rows('failing')).length, 1);
  }
});
