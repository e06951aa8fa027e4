import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { type DatabaseProxy, startDatabaseProxy } from '../../../test/database-proxy.ts';
import { createTestDatabase } from '../../../test/postgres.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { countJobFailures } from '../telemetry/metrics.ts';
import { type Jobs, openJobs } from './jobs.ts';

let own: Awaited<ReturnType<typeof createTestDatabase>>;
let proxy: DatabaseProxy;
let pool: pg.Pool;
let jobs: Jobs;
let ran = 0;
const registry = new Registry();
before(async () => {
  own = await createTestDatabase();
  proxy = await startDatabaseProxy(own.url);
  pool = new pg.Pool({ connectionString: own.url, max: 2 });
  pool.on('error', () => undefined);
  jobs = openJobs({ url: proxy.url }, pino({ level: 'silent' }), countJobFailures(registry), { lookEveryMs: 200, statementMs: 3_000 });
  jobs.schedule('count', '0 0 1 1 *', async () => {
    ran += 1;
  });
  await jobs.start();
});
after(async () => {
  await jobs.stop(1_000);
  await pool.end();
  await proxy.close();
  await own.drop();
});

const up = async () => Number(/^chancery_jobs_up (\d)/m.exec(await registry.metrics())?.[1]);

/** Does what the schedule does when it is time. */
async function due(): Promise<void> {
  const sender = new PgBoss({ connectionString: own.url, schema: 'chancery_jobs', supervise: false, schedule: false });
  await sender.start();
  await sender.send('count', {});
  await sender.stop({ graceful: false });
}

test('periodic work whose tables are gone says so, makes them again and goes on', async () => {
  assert.deepEqual([jobs.trouble(), await up()], [undefined, 1]);
  await pool.query('DROP SCHEMA chancery_jobs CASCADE');
  await eventually('it says so', () => jobs.trouble());
  await eventually('its metric says so', async () => (await up()) === 0);
  await eventually('it goes on', async () => jobs.trouble() === undefined && (await up()) === 1, 40_000);
  const earlier = ran;
  await due();
  await eventually('work is done', () => ran > earlier, 30_000);
  // A run whose end is not noted before its connection is lost counts as under way until it expires.
  const underWay = "SELECT FROM chancery_jobs.job WHERE name = 'count' AND state = 'active'";
  await eventually('its end is noted', async () => (await pool.query(underWay)).rowCount === 0, 30_000);
});

test('periodic work whose connections fall silent, and are refused for a while, says so and goes on by itself', async () => {
  proxy.refuses = true;
  proxy.silence();
  await eventually('it says so', () => jobs.trouble(), 30_000);
  proxy.heal();
  proxy.cut();
  await eventually('it goes on', () => jobs.trouble() === undefined, 40_000);
  const earlier = ran;
  await due();
  await eventually('work is done', () => ran > earlier, 30_000);
});
