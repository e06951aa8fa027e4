import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { type EmbeddedServer, startEmbeddedServer } from '../../src/platform/database/embedded.ts';
import { type Spawned, spawnService } from '../spawned.ts';
import { eventually } from '../webhook-receiver.ts';

let folder: string;
let server: EmbeddedServer;
let worker: Spawned;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-health-'));
  // The database server runs as another user if the tests run as root, so the folder must be readable.
  await chmod(folder, 0o755);
  server = await startEmbeddedServer({ dataDir: join(folder, 'database'), log: pino({ level: 'silent' }) });
  const { host, user } = server.connection;
  worker = await spawnService(
    {
      DATABASE_URL: `postgres://${user}@localhost/chancery?host=${encodeURIComponent(host)}`,
      MASTER_KEY: randomBytes(32).toString('base64'),
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'silent',
    },
    ['--role', 'worker'],
  );
});
after(async () => {
  await worker.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function get(path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${worker.url}${path}`);
  return { status: response.status, text: await response.text() };
}

test('a worker whose database stops is not ready and names the cause, still reports metrics, and is ready again when the database is back', async () => {
  assert.deepEqual(await get('/readyz'), { status: 200, text: '{"status":"ok"}' });
  process.kill(Number((await readFile(join(folder, 'database/postgres/postmaster.pid'), 'utf8')).split('\n', 1)[0]), 'SIGINT');
  const reason = await eventually('the worker notices the loss', async () => {
    const { status, text } = await get('/readyz');
    // A pooled connection breaks first (EPIPE, 57P01).
    return status === 503 && /\((ENOENT|ECONNREFUSED)\)/.test(text) && JSON.parse(text).detail;
  });
  assert.match(reason, /^The database does not respond \(\w+\)\.$/);
  assert.equal((await get('/healthz')).status, 200, 'a restart of the worker would not help');
  assert.match((await get('/metrics')).text, /^chancery_jobs_up [01]$/m);
  await eventually('background work counts as stopped', async () => /^chancery_jobs_up 0$/m.test((await get('/metrics')).text));
  await server.ensureRunning();
  await eventually('the worker is ready', async () => (await get('/readyz')).status === 200);
  await eventually('background work runs', async () => /^chancery_jobs_up 1$/m.test((await get('/metrics')).text));
});
