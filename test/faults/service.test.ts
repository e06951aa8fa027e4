import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import process from 'node:process';
import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, type Spawned, spawnService } from '../spawned.ts';
import { eventually } from '../webhook-receiver.ts';

let folder: string;
let service: Spawned;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-faults-'));
  // The database server runs as another user if the tests run as root, so the folder must be readable.
  await chmod(folder, 0o755);
  service = await spawnService({ DATA_DIR: join(folder, 'main') });
});
after(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts `serve` with settings that it must reject. Returns its output and exit code. */
async function refusedStart(settings: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['packages/chancery/bin/chancery.js', 'serve'], {
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', LOG_LEVEL: 'error', PORT: '0', DATA_DIR: join(folder, 'refused'), ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = await once(child, 'exit');
  return { code, said: said.trim() };
}

const example = randomBytes(32).toString('base64');
// config.test.ts covers the message of each setting. This test covers that the program prints the message and exits.
for (const [why, settings, expected] of [
  ['a master key of the wrong length', { MASTER_KEY: 'c2hvcnQ=' }, /^MASTER_KEY must be 32 bytes/],
  [
    'production without https',
    { NODE_ENV: 'production', MASTER_KEY: example, BASE_URL: 'http://a.example' },
    /^BASE_URL must be set to the public https/,
  ],
] as [string, Record<string, string>, RegExp][]) {
  test(`${why} stops the start with one message that names the setting and contains no value`, async () => {
    const { code, said } = await refusedStart(settings);
    assert.equal(code, 1);
    assert.match(said, expected);
    assert.equal(said.split('\n').length, 1);
    assert.doesNotMatch(said, /c2hvcnQ/);
  });
}

test('an incorrect setting found during the start of the embedded database stops the database again', async () => {
  const { code, said } = await refusedStart({ ACCESS_TOKEN_SECONDS: 'soon' });
  assert.equal(code, 1);
  assert.match(said, /^ACCESS_TOKEN_SECONDS must be/);
  const made = await readdir(join(folder, 'refused/postgres'));
  assert.ok(made.includes('PG_VERSION') && !made.includes('postmaster.pid'), made.join());
});

test('the start error for a port in use says that the port is in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const { code, said } = await refusedStart({ PORT: String(typeof address === 'object' && address?.port), DATA_DIR: join(folder, 'main') });
  taken.close();
  assert.deepEqual(
    [code, said],
    [1, 'The port is in use. Stop the program that listens on it, or set PORT (a worker: HEALTH_PORT) to another port.'],
  );
});

test('a client that disconnects in the middle of a form page or of a body writes nothing to the log', async () => {
  const { hostname, port } = new URL(service.url);
  const said = service.output();
  for (const [path, type] of [
    ['/f/none', 'application/x-www-form-urlencoded'],
    ['/oauth/token', 'application/x-www-form-urlencoded'],
    ['/api/v1/auth/login', 'application/json'],
  ]) {
    const socket = connect(Number(port), hostname);
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 100\r\n\r\na=`);
    // An immediate response is not about the body.
    await Promise.race([once(socket, 'data'), sleep(300)]);
    socket.resetAndDestroy();
  }
  await sleep(300);
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  assert.equal(service.output(), said);
});

test('a start with another master key than that of the database is rejected', async () => {
  const { code, said } = await refusedStart({ DATA_DIR: join(folder, 'main'), MASTER_KEY: example });
  assert.equal(code, 1);
  assert.match(said, /does not match this database/);
  assert.ok(!said.includes(example));
});

test('two processes on one data directory both serve requests, and the first to end leaves the database to the other', async () => {
  const second = await spawnService({ DATA_DIR: join(folder, 'main') });
  assert.equal((await fetch(`${second.url}/readyz`)).status, 200);
  assert.equal(await second.stop(), 0);
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
});

test('without the job tables a worker is not ready and other nodes are degraded, until the tables are back', async () => {
  const port = String(await freePort());
  const worker = await spawnService({ DATA_DIR: join(folder, 'main'), PORT: port }, ['--role', 'worker']);
  const client = new pg.Client({ host: join(folder, 'main/run'), port: 5432, user: 'chancery', database: 'chancery' });
  await client.connect();
  await client.query('ALTER TABLE job RENAME TO job_away');
  const ready = async ({ url } = service) => {
    const answer = await fetch(`${url}/readyz`);
    return `${answer.status} ${await answer.text()}`;
  };
  await eventually('the worker is not ready', async () => /^503 .*Background work/.test(await ready(worker)));
  await eventually('the other node is degraded', async () => /^200 .*degraded.*Background work/.test(await ready()));
  await client.query('ALTER TABLE job_away RENAME TO job');
  await client.end();
  for (const node of [service, worker]) await eventually('the node serves requests', async () => /^200 .*"ok"/.test(await ready(node)));
  assert.equal(await worker.stop(), 0);
});

test('while the database restarts under load, requests get 503 with Retry-After, and then succeed without a service restart', async () => {
  const url = `${service.url}/api/v1/security/auth/login`;
  const send = () =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `p${Math.random()}@example.org`, password: 'x' }),
      signal: AbortSignal.timeout(60_000),
    });
  assert.equal((await send()).status, 401);
  const pid = Number((await readFile(join(folder, 'main/postgres/postmaster.pid'), 'utf8')).split('\n', 1)[0]);
  process.kill(pid, 'SIGKILL');
  const seen = new Set<number>();
  let served = 0;
  for (const end = Date.now() + 30_000; served < 20 && Date.now() < end;) {
    const answer = await send();
    const text = await answer.text();
    seen.add(answer.status);
    if (answer.status === 503) {
      assert.equal(answer.headers.get('content-type')?.split(';')[0], 'application/problem+json');
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
      assert.doesNotMatch(text, /socket|ECONN|postgres/i);
      await sleep(20);
    }
    served = answer.status === 401 ? served + 1 : 0;
  }
  assert.equal(served, 20, 'successful requests without a restart');
  assert.deepEqual(
    [...seen].filter((status) => status !== 401 && status !== 503),
    [],
    'no request failed with another status',
  );
});

test('after kill -9 of the service, the next start uses the data directory again', async () => {
  const dataDir = join(folder, 'killed');
  const first = await spawnService({ DATA_DIR: dataDir });
  await first.kill();
  const second = await spawnService({ DATA_DIR: dataDir });
  assert.equal((await fetch(`${second.url}/readyz`)).status, 200);
  assert.equal(await second.stop(), 0);
});

test('SIGTERM finishes the requests in flight and exits with 0', async () => {
  const own = await spawnService({ DATA_DIR: join(folder, 'main'), PORT: String(await freePort()) });
  // A wrong password costs a hash, so the request is still in flight when the signal arrives.
  const answers = Array.from({ length: 40 }, () =>
    fetch(`${own.url}/api/v1/security/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":"a@b.org","password":"x"}',
    }),
  );
  let answered = 0;
  for (const answer of answers) void answer.then(() => (answered += 1));
  // The service reports how many requests it has begun to read, this request included. A request that it has not read yet may fail.
  await eventually('all requests in flight', async () => {
    // Read the counter first: requests that complete during the check would count twice.
    const answeredBefore = answered;
    const metrics = await (await fetch(`${own.url}/metrics`)).text();
    return answeredBefore + Number(/^chancery_http_requests_in_flight (\d+)/m.exec(metrics)?.[1] ?? 0) > answers.length;
  });
  const ended = own.stop();
  for (const answer of await Promise.all(answers)) assert.ok([401, 429].includes(answer.status), `${answer.status} ${await answer.text()}`);
  assert.equal(await ended, 0);
});
