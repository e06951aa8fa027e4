import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery } from '../../../test/harness.ts';
import { eventually } from '../../../test/webhook-receiver.ts';

let chancery: Chancery;
let worker: Awaited<ReturnType<Chancery['node']>>;
before(async () => {
  chancery = await startChancery({ role: 'api' });
});
after(() => chancery.stop());

async function get(base: string | undefined, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${base}${path}`);
  return { status: response.status, text: await response.text() };
}
const readinessOf = async (base: string | undefined) => {
  const { status, text } = await get(base, '/readyz');
  return { code: status, ...(JSON.parse(text) as { status: unknown; reason?: string }) };
};
const sampleOf = async (base: string | undefined, metric: string, job: string) =>
  Number(new RegExp(`^${metric}\\{name="${job}"\\} (\\S+)$`, 'm').exec((await get(base, '/metrics')).text)?.[1]);

/** Adds a job with an unknown name, which no node runs. */
const addJob = (name: string, state: string, dueAt: string) =>
  chancery.pool.query(`INSERT INTO job (team_id, id, name, data, state, due_at) VALUES ($1, $2, $3, '{}', $4, now() + $5::interval)`, [
    randomUUIDv7(),
    randomUUIDv7(),
    name,
    state,
    dueAt,
  ]);

test('an API node is degraded until a worker runs', async () => {
  const alone = await readinessOf(chancery.url);
  assert.deepEqual([alone.code, alone.status], [200, 'degraded']);
  assert.match(alone.reason ?? '', /no worker has run yet/);
  worker = await chancery.node('worker');
  await eventually('the worker runs', async () => (await readinessOf(chancery.url)).status === 'ok');
});

test('each role serves health, readiness and metrics, and a worker nothing else', async () => {
  for (const base of [chancery.url, worker.address]) {
    assert.deepEqual(await get(base, '/healthz'), { status: 200, text: '{"status":"ok"}' });
    assert.deepEqual(await get(base, '/readyz'), { status: 200, text: '{"status":"ok"}' });
    assert.equal((await get(base, '/metrics')).status, 200);
  }
  for (const path of ['/', '/openapi.json', '/api/v1/tasks/', '/.well-known/jwks.json'])
    assert.equal((await get(worker.address, path)).status, 404, path);
});

test('each node reports the number of due jobs and the age of the oldest per queue', async () => {
  for (const [state, dueAt] of [
    ['ready', '-10 minutes'],
    ['ready', '-1 minutes'],
    ['waiting', '-20 minutes'],
    ['running', '-1 minutes'],
    ['waiting', '1 hour'],
    ['running', '1 hour'],
    ['failed', '-2 hours'],
  ] as const)
    await addJob('test-due', state, dueAt);
  await addJob('test-another', 'ready', '-5 minutes');
  for (const base of [chancery.url, worker.address]) {
    assert.equal(await sampleOf(base, 'chancery_jobs_due', 'test-due'), 4);
    const age = await sampleOf(base, 'chancery_jobs_oldest_due_seconds', 'test-due');
    assert.ok(age >= 1_200 && age < 3_600, String(age));
    assert.equal(await sampleOf(base, 'chancery_jobs_failed', 'test-due'), 1);
    assert.equal(await sampleOf(base, 'chancery_jobs_due', 'test-another'), 1);
  }
  await chancery.pool.query("DELETE FROM job WHERE name = 'test-due'");
  assert.ok(Number.isNaN(await sampleOf(chancery.url, 'chancery_jobs_due', 'test-due')), 'an empty queue has no sample');
});

test('an API node is degraded if no worker has run for minutes', async () => {
  await worker.stop();
  await chancery.pool.query("UPDATE job_schedule SET begun_at = now() - interval '11 minutes'");
  const { code, status, reason } = await readinessOf(chancery.url);
  assert.deepEqual([code, status], [200, 'degraded']);
  assert.match(reason ?? '', /no worker has run for 11 minutes/);
});
