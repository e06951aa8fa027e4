import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { enqueue } from '../enqueue.ts';
import { type Chancery, startChancery, type User } from '../harness.ts';
import { type Spawned, spawnWorker } from '../spawned.ts';
import { eventually, isProven } from '../webhook-receiver.ts';

/* A worker is paused (SIGSTOP, like a frozen machine, a debugger or swapping) and continues after its lease. */

type Arrival = { id: string; proven: boolean; response: ServerResponse };

let chancery: Chancery;
let owner: User;
let settings: Record<string, string>;
const workers: Omit<Spawned, 'url'>[] = [];
const secrets = new Map<string, string>();
/** The requests to each path, in order. */
const arrivals = new Map<string, Arrival[]>();
let answer: (path: string, arrival: Arrival) => void = () => undefined;

const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const [path, body] = [request.url ?? '', Buffer.concat(chunks)];
    const id = String(request.headers['x-service-event-id']);
    const proven = JSON.parse(body.toString()).id === id && isProven(body, request.headers, secrets.get(path) ?? '');
    const arrival = { id, proven, response };
    arrivals.set(path, [...(arrivals.get(path) ?? []), arrival]);
    answer(path, arrival);
  });
});

before(async () => {
  chancery = await startChancery({ role: 'api' });
  ({ owner } = await chancery.team());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  settings = {
    DATABASE_URL: chancery.databaseUrl,
    DATA_DIR: chancery.config.DATA_DIR,
    MASTER_KEY: chancery.masterKey,
    WEBHOOK_TIMEOUT_SECONDS: '3',
    WEBHOOK_LEASE_SECONDS: '8',
    WEBHOOK_RETRY_SCHEDULE: '100ms',
    LOG_LEVEL: 'info',
  };
});
after(async () => {
  for (const worker of workers) {
    worker.child.kill('SIGCONT');
    await worker.kill();
  }
  await chancery.stop();
  receiver.closeAllConnections();
  receiver.close();
});

const rows = async (text: string, values: unknown[] = []): Promise<any[]> => (await chancery.pool.query(text, values)).rows;

function start(): Omit<Spawned, 'url'> {
  const worker = spawnWorker(settings);
  workers.push(worker);
  return worker;
}

async function endpoint(path: string, deliveries: number): Promise<string> {
  const body = { name: path, url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`, events: ['document.deleted'] };
  const { body: made } = await chancery.call('POST', '/api/v1/webhooks/', { token: owner.token, body });
  secrets.set(path, made.secret);
  await enqueue(chancery.pool, { id: made.id, team: owner.team }, deliveries, { maxAttempts: 4 });
  return made.id;
}

/** Pauses a worker outside of a transaction: this test does not cover how the database handles open transactions. */
async function freeze(worker: Omit<Spawned, 'url'>): Promise<void> {
  await eventually('a moment outside a transaction', async () => {
    worker.child.kill('SIGSTOP');
    const [open] = await rows(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name IN ('chancery-worker', 'chancery-jobs') AND state <> 'idle'",
    );
    if (open.n === 0) return true;
    worker.child.kill('SIGCONT');
    return false;
  });
}

const log = (id: string) =>
  rows(
    'SELECT id, event_id, status, attempts, response_status, error, delivered_at, next_retry_at FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY id',
    [id],
  );
/** Creates folders; each adds one journal entry. */
const acts = async (n: number) => void (await Promise.all(Array.from({ length: n }, () => chancery.folder(owner))));
const journal = async () =>
  (
    await rows(
      `SELECT l.lease_owner, l.size::int, count(*)::int AS entries, count(DISTINCT e.seq)::int AS places FROM audit_log l CROSS JOIN audit_entry e GROUP BY l.lease_owner, l.size`,
    )
  )[0];
const attempts = (id: string) =>
  rows('SELECT attempt, error, response_status FROM webhook_attempt WHERE endpoint_id = $1 ORDER BY delivery_id, attempt', [id]);

test('a worker paused beyond its leases: another worker delivers its events and continues the journal, and its late results change nothing', async () => {
  const maxInFlight = 10;
  const perEndpoint = 1 + 3 * maxInFlight;
  const here = (path: string) => arrivals.get(path) ?? [];
  // An endpoint that responds, but not at once, gets ten deliveries at a time.
  answer = (path, { response }) => {
    if (here(path).length === 1) setTimeout(() => response.writeHead(204).end(), 300);
  };
  const first = start();
  // Waits for the complete start: a worker that is paused while the scheduler creates its tables blocks the others.
  await eventually('a complete start', () => first.output().includes('The worker runs'));
  const taken = await endpoint('/taken', perEndpoint);
  const answered = await endpoint('/answered', perEndpoint);
  const failing = await endpoint('/failing', 1 + maxInFlight);
  const repeats = (path: string) => here(path).slice(1);
  await eventually('sends', () => ['/taken', '/answered', '/failing'].every((path) => repeats(path).length === maxInFlight));
  await eventually('a separate tree', async () => (await journal()).lease_owner);
  await freeze(first);
  const stood = await journal();
  await acts(20);
  // While the worker is paused, its requests get a response or stay open.
  for (const path of ['/answered', '/failing']) for (const { response } of repeats(path)) response.writeHead(204).end();
  // The second worker fails at one endpoint, and the `Retry-After` is longer than this test.
  answer = (path, { response }) => {
    const busy = path === '/failing' && here(path).length <= 1 + 2 * maxInFlight;
    response.writeHead(busy ? 503 : 204, busy ? { 'retry-after': '3600' } : {}).end();
  };

  const second = start();
  const ended = async (id: string) => (await log(id)).every(({ status }) => status === 'delivered');
  await eventually('the second worker delivers all events', async () => (await ended(taken)) && (await ended(answered)));
  await eventually(
    'the second worker failed once at the failing endpoint',
    async () => (await attempts(failing)).length === 1 + maxInFlight,
  );
  const [takenLog, answeredLog, failingLog] = [await log(taken), await log(answered), await log(failing)];
  assert.deepEqual(
    [...new Set(failingLog.map(({ status, attempts: n, response_status }) => `${status} ${n} ${response_status}`))].toSorted(),
    ['delivered 1 204', 'pending 2 503'],
  );
  assert.equal((await attempts(taken)).length, perEndpoint, 'the first worker wrote nothing');
  const taker = await eventually('the second worker continues the journal', async () => {
    const now = await journal();
    return now.places === now.entries ? now : undefined;
  });
  assert.ok(taker.lease_owner !== stood.lease_owner && taker.size >= stood.size + 20);
  const states = () => rows('SELECT endpoint_id, consecutive_failures, blocked_until FROM webhook_endpoint_state ORDER BY 1');
  const statesBefore = await states();

  await acts(10);
  first.child.kill('SIGCONT');
  await acts(10);
  await eventually('the late results are in the log of attempts', async () => {
    const counts = await Promise.all([taken, answered, failing].map(async (id) => (await attempts(id)).length));
    return counts.join() === [perEndpoint + maxInFlight, perEndpoint + maxInFlight, 1 + 2 * maxInFlight].join();
  });
  assert.deepEqual(await log(taken), takenLog, 'a timeout does not undo a delivery');
  assert.deepEqual(await log(answered), answeredLog, 'a late response does not store the result again');
  assert.deepEqual(await log(failing), failingLog, 'no late result ends a delivery that is still to be retried');
  assert.deepEqual(await states(), statesBefore, 'failures caused by the pause do not count against an endpoint');

  for (const { id } of failingLog.filter(({ status }) => status === 'pending'))
    await chancery.call('POST', `/api/v1/webhooks/${failing}/deliveries/${id}/retry`, { token: owner.token });
  await eventually('the remaining deliveries', () => ended(failing));
  assert.deepEqual(await rows('SELECT * FROM webhook_queue'), []);
  for (const [path, id, most] of [
    ['/taken', taken, 2],
    ['/answered', answered, 2],
    ['/failing', failing, 3],
  ] as const) {
    const copies = Map.groupBy(here(path), (arrival) => arrival.id);
    assert.deepEqual(
      [...copies.keys()].toSorted(),
      (await log(id)).map(({ event_id }) => event_id).toSorted(),
      'no event is lost or unknown',
    );
    assert.equal(
      [...copies.values()].filter(({ length }) => length === most).length,
      maxInFlight,
      'the deliveries in flight were sent again',
    );
    assert.equal(
      [...copies.values()].filter(({ length }) => length === 1).length,
      copies.size - maxInFlight,
      'no other delivery was sent again',
    );
    assert.ok(here(path).every(({ proven }) => proven));
  }
  assert.deepEqual([await first.stop(), await second.stop()], [0, 0], `both workers exit with 0: ${first.output()} ${second.output()}`);
  const { size, entries, places } = await journal();
  assert.deepEqual([size, places], [entries, entries], 'one tree with each entry once');
});
