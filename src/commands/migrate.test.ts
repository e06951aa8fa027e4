import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { settingsOf, typedCommand } from '../../test/command-line.ts';
import { type Chancery, startChancery } from '../../test/harness.ts';
import { onDatabase } from '../../test/postgres.ts';
import { freePort, spawnService } from '../../test/spawned.ts';
import { eventually } from '../../test/webhook-receiver.ts';

let chancery: Chancery;
let settings: Record<string, string>;
const name = `w_${Math.random().toString(36).slice(2)}`;

before(async () => {
  chancery = await startChancery({ role: 'api' });
  await chancery.pool.query(`CREATE DATABASE ${name}`);
  settings = { ...settingsOf(chancery), DATABASE_URL: onDatabase(chancery.databaseUrl, name), MIGRATE_AT_START: 'off' };
});
after(async () => {
  await chancery.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await chancery.stop();
});

/** Returns the status and the reason of `/readyz`; undefined before the port is open. */
async function readiness(port: string): Promise<{ status: number; reason?: string } | undefined> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  return response && { ...((await response.json()) as { reason: string }), status: response.status };
}

test('a command on a database without the schema names `migrate`, and changes nothing', async () => {
  const { code, stderr } = await typedCommand(['staff', 'list'], settings);
  assert.equal(code, 1);
  assert.match(stderr, /^The database lacks \d+ migrations\. Run chancery migrate first\.$/m);
  const planned = await typedCommand(['migrate', '--plan'], settings);
  assert.match(planned.stdout, /^0010_tenant-isolation\.sql: expand; locks no table with rows; the previous version continues to run$/m);
});

test('a node that waits for the schema stops at SIGTERM', async () => {
  const port = String(await freePort());
  const child = spawn(process.execPath, ['packages/server/bin.js', 'serve'], {
    env: { ...settings, PORT: port, PATH: process.env.PATH, NODE_NO_WARNINGS: '1', LOG_LEVEL: 'silent' },
  });
  await eventually('the response of the waiting node', async () => (await readiness(port))?.status === 503);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('a node waits for the schema, responds with the reason, and serves after `migrate`', async () => {
  const port = String(await freePort());
  const starting = spawnService({ ...settings, PORT: port }, ['--role', 'api']);
  await eventually('the response of the waiting node', async () => (await readiness(port))?.status === 503);
  assert.match((await readiness(port))?.reason ?? '', /^The database lacks \d+ migrations\. Run chancery migrate\.$/);
  assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
  assert.equal((await fetch(`http://127.0.0.1:${port}/api/v1/team`)).status, 503);
  const waiting = typedCommand(['migrate', '--wait'], settings);
  assert.match((await typedCommand(['migrate'], settings)).stdout, /^Applied: 0010_tenant-isolation\.sql, /);
  assert.equal((await waiting).stdout, 'The schema is up to date.\n');
  const service = await starting;
  assert.equal((await readiness(port))?.status, 200);
  assert.equal(await service.stop(), 0);
});
