import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Registry } from 'prom-client';
import { type Chancery, startChancery } from '../../../test/harness.ts';
import { isolationOf } from '../../../test/isolation.ts';
import { purgeDocuments } from '../../records/documents/jobs.ts';
import type { Storage } from '../storage/storage.ts';

let chancery: Chancery;
before(async () => {
  chancery = await startChancery({ role: 'api' });
});
after(() => chancery.stop());

const thing = (team: string, id: string = randomUUIDv7()) => ({ team, id });
const failures = async (job: string) =>
  (await chancery.pool.query('SELECT thing, failures, reason FROM job_failure WHERE job = $1 ORDER BY thing', [job])).rows;
const waitIsOver = (job: string) => chancery.pool.query('UPDATE job_failure SET next_at = now() WHERE job = $1', [job]);
const sample = async (registry: Registry, name: string, job: string) =>
  (await registry.getSingleMetric(name)?.get())?.values.find(({ labels }) => labels.name === job)?.value;

test('a failing item is recorded and counted, waits, and does not stop the others', async () => {
  const registry = new Registry();
  const isolation = isolationOf(chancery, registry);
  const [a, b] = [randomUUIDv7(), randomUUIDv7()];
  const things = [thing(a, '1'), thing(a, '2'), thing(b, '3')];
  const done: string[] = [];
  const pass = (mended = false) =>
    isolation.each('test-fault', things, async ({ id }) => {
      if (id === '1' && !mended) throw new Error('year 0000 is out of range');
      done.push(id);
    });
  await pass();
  assert.deepEqual(done.toSorted(), ['2', '3']);
  assert.deepEqual(await failures('test-fault'), [{ thing: '1', failures: 1, reason: 'year 0000 is out of range' }]);
  await pass();
  assert.equal((await failures('test-fault'))[0].failures, 1, 'not retried immediately');
  await waitIsOver('test-fault');
  await pass();
  assert.equal((await failures('test-fault'))[0].failures, 2);
  assert.equal(await sample(registry, 'chancery_job_failures_total', 'test-fault'), 2);
  await waitIsOver('test-fault');
  await pass(true);
  assert.deepEqual(await failures('test-fault'), []);
  assert.ok(done.includes('1'));
});

test('a failure message that cannot be stored does not stop the others', async () => {
  const isolation = isolationOf(chancery, new Registry());
  const done: string[] = [];
  await isolation.each('test-words', [thing(randomUUIDv7(), '1'), thing(randomUUIDv7(), '2')], async ({ id }) => {
    if (id === '1') throw new Error('a server said \0');
    done.push(id);
  });
  assert.deepEqual(done, ['2']);
  assert.deepEqual(await failures('test-words'), [{ thing: '1', failures: 1, reason: 'a server said \uFFFD' }]);
});

test('an item that fails ten times is discarded for a day and shown', async () => {
  const registry = new Registry();
  const isolation = isolationOf(chancery, registry);
  const one = thing(randomUUIDv7());
  for (let run = 0; run < 11; run += 1) {
    await isolation.each('test-aside', [one], async () => {
      throw new Error('never');
    });
    if (run < 9) await waitIsOver('test-aside');
  }
  const { rows } = await chancery.pool.query(
    "SELECT failures, next_at > now() + interval '23 hours' AS aside FROM job_failure WHERE job = 'test-aside'",
  );
  assert.deepEqual(rows, [{ failures: 10, aside: true }]);
  assert.equal(await sample(registry, 'chancery_job_items_discarded', 'test-aside'), 1);
});

test('many discarded items of one team do not affect the retries and the recovery of another', async () => {
  const registry = new Registry();
  const isolation = isolationOf(chancery, registry);
  const [many, few] = [randomUUIDv7(), randomUUIDv7()];
  await chancery.pool.query(
    `INSERT INTO job_failure (team_id, job, thing, failures, reason, since, next_at)
     SELECT $1::uuid, 'test-many', n::text, 10, 'a fault', now() - interval '1 day', now() + interval '1 day' FROM generate_series(1, 10000) n
     UNION ALL SELECT $2::uuid, 'test-many', 'waits', 2, 'a fault', now(), now() + interval '1 hour'
     UNION ALL SELECT $2::uuid, 'test-many', 'again', 2, 'a fault', now(), now() - interval '1 second'`,
    [many, few],
  );
  const done: string[] = [];
  await isolation.each('test-many', [thing(many, '1'), thing(few, 'waits'), thing(few, 'again'), thing(few, 'new')], async ({ id }) => {
    done.push(id);
  });
  assert.deepEqual(done, ['again', 'new']);
  const { rows } = await chancery.pool.query("SELECT thing FROM job_failure WHERE job = 'test-many' AND team_id = $1", [few]);
  assert.deepEqual(rows, [{ thing: 'waits' }]);
  assert.equal(await sample(registry, 'chancery_job_items_discarded', 'test-many'), 10_000);
});

test('an item that never ends and a team with many items delay no other team', async () => {
  const isolation = isolationOf(chancery);
  const [many, few] = [randomUUIDv7(), randomUUIDv7()];
  const order: string[] = [];
  const things = [
    ...Array.from({ length: 5 }, () => thing(randomUUIDv7(), 'stuck')),
    ...Array.from({ length: 50 }, (_, n) => thing(many, `many ${n}`)),
    thing(few, 'few'),
  ];
  await isolation.each(
    'test-turns',
    things,
    async ({ id }) => {
      if (id === 'stuck') return new Promise(() => undefined);
      order.push(id);
      return undefined;
    },
    { limitMs: 50 },
  );
  assert.equal(order.length, 51);
  assert.ok(order.indexOf('few') <= 2, `the team with one item came after ${order.indexOf('few')} items of the other`);
  assert.deepEqual(
    order.filter((id) => id !== 'few'),
    Array.from({ length: 50 }, (_, n) => `many ${n}`),
  );
  assert.equal((await failures('test-turns')).length, 5);
});

test('an unavailable database is not a failure of an item', async () => {
  const isolation = isolationOf(chancery);
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  await assert.rejects(
    isolation.each('test-away', [thing(randomUUIDv7())], () => Promise.reject(away)),
    /ECONNREFUSED/,
  );
  assert.deepEqual(await failures('test-away'), []);
});

test('files of one team that cannot be removed do not stop the bins of other teams from being emptied', async () => {
  const [bad, good] = [await chancery.team(), await chancery.team()];
  for (const { owner } of [bad, good]) {
    const document = await chancery.document(owner);
    await chancery.pool.query("UPDATE document SET deleted_at = now() - interval '31 days' WHERE id = $1", [document.id]);
    await chancery.pool.query(
      "INSERT INTO document_version (team_id, document_id, number, storage_key, file_name, media_type, size, sha256, created_by) VALUES ($1, $2, 1, $4, 'a', 'text/plain', 1, '', $3)",
      [owner.team, document.id, owner.id, owner.team],
    );
  }
  const storage = {
    remove: async (key: string) => {
      if (key === bad.id) throw new Error('the disk is read-only');
    },
  } as unknown as Storage;
  await purgeDocuments({ database: chancery.database, storage, isolation: isolationOf(chancery) }, new Date());
  assert.deepEqual(
    (await failures('document-bin')).map(({ reason }) => reason),
    ['the disk is read-only'],
  );
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM document WHERE team_id = $1', [good.id]);
  assert.equal(rows[0].n, 0);
});
