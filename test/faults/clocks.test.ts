import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { enqueue } from '../enqueue.ts';
import { type Chancery, startChancery, type User } from '../harness.ts';
import { type Spawned, spawnService, spawnWorker } from '../spawned.ts';
import { eventually, type Receiver, startReceiver } from '../webhook-receiver.ts';

/* Nodes whose clocks differ by minutes from each other and from the database. The clock of the database decides. */

const minuteMs = 60_000;
// With a clock that is off by 25 s, a lease of 20 s would expire at once or start late.
const [timeoutMs, leaseMs, waitMs] = [15_000, 20_000, 1_000];

let chancery: Chancery;
let receiver: Receiver;
let owner: User;
/** A node that responds to requests, with a token that it issued. */
type Node = { url: string; token: string };
let ahead: Node;
let behind: Node;
const spawned: Omit<Spawned, 'url'>[] = [];
/** The arrival times of each event, by a clock that no process shifts. */
const arrivedAt = new Map<string, number[]>();

/** Returns the settings of a process with a shifted clock. */
function clockOff(ms: number): Record<string, string> {
  const module = `const Right = Date; globalThis.Date = class Date extends Right {
    constructor(...given) { given.length === 0 ? super(Right.now() + ${ms}) : super(...given); }
    static now() { return Right.now() + ${ms}; }
  };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` };
}

before(async () => {
  [chancery, receiver] = await Promise.all([startChancery({ role: 'api' }), startReceiver()]);
  ({ owner } = await chancery.team());
  const settings = {
    DATABASE_URL: chancery.databaseUrl,
    DATA_DIR: chancery.config.DATA_DIR,
    MASTER_KEY: chancery.masterKey,
    BASE_URL: chancery.config.BASE_URL,
    WEBHOOK_TIMEOUT_SECONDS: String(timeoutMs / 1_000),
    WEBHOOK_LEASE_SECONDS: String(leaseMs / 1_000),
    WEBHOOK_RETRY_SCHEDULE: `${waitMs}ms`,
  };
  // Two clocks within the tolerance but far from each other, and one beyond the tolerance.
  for (const off of [25_000, -25_000, 10 * minuteMs]) spawned.push(spawnWorker({ ...settings, ...clockOff(off) }));
  const client = await chancery.client(owner);
  const nodeOff = async (ms: number): Promise<Node> => {
    const node = await spawnService({ ...settings, ...clockOff(ms) }, ['--role', 'api']);
    spawned.push(node);
    const issued = await fetch(`${node.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    return { url: node.url, token: ((await issued.json()) as any).access_token };
  };
  [ahead, behind] = await Promise.all([nodeOff(10 * minuteMs), nodeOff(-10 * minuteMs)]);
});
after(async () => {
  await Promise.all(spawned.map((one) => one.kill()));
  await chancery.stop();
  await receiver.close();
});

async function call(node: Node, method: string, path: string, body?: object): Promise<any> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${node.token}` };
  const response = await fetch(`${node.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path} answered ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

const rows = async (text: string, values: unknown[] = []): Promise<any[]> => (await chancery.pool.query(text, values)).rows;
const states = (id: string) => rows('SELECT DISTINCT status, attempts FROM webhook_delivery WHERE endpoint_id = $1', [id]);
const offBy = (time: string | number) => Math.abs(Date.now() - new Date(time).getTime());

test('a token is valid on every node until it expires, whichever node issued it', async () => {
  for (const { token } of [ahead, behind, { token: owner.token }])
    for (const { url } of [ahead, behind, chancery]) await call({ url, token }, 'GET', '/api/v1/smartdoc/folders/');
  for (const { token } of [ahead, behind]) {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    assert.ok(offBy(claims.iat * 1_000) < minuteMs && offBy(claims.nbf * 1_000) < minuteMs, JSON.stringify(claims));
  }
});

test('stored times come from the clock of the database', async () => {
  for (const node of [ahead, behind]) {
    const folder = await call(node, 'POST', '/api/v1/smartdoc/folders/', { name: `Dated by ${new URL(node.url).port}` });
    assert.ok(offBy(folder.createdAt) < minuteMs, folder.createdAt);
    const [entry] = await rows('SELECT at FROM audit_entry WHERE target_id = $1', [folder.id]);
    assert.ok(offBy(entry.at) < minuteMs, String(entry.at));
  }
});

test('each event is due at once, is sent once, and is retried by the schedule with database times, whichever nodes record and send it', async () => {
  const seen = new Set<string>();
  receiver.answer = (response, { event }) => {
    arrivedAt.set(event.id, [...(arrivedAt.get(event.id) ?? []), performance.now()]);
    response.writeHead(seen.has(event.id) ? 204 : 503).end();
    seen.add(event.id);
  };
  const made = await call(ahead, 'POST', '/api/v1/webhooks/', { name: 'Times', url: `${receiver.url}/times`, events: ['folder.created'] });
  for (const node of [ahead, behind])
    for (const n of [1, 2, 3, 4]) await call(node, 'POST', '/api/v1/smartdoc/folders/', { name: `Folder ${n}, ${new URL(node.url).port}` });
  await eventually('all events delivered', async () => JSON.stringify(await states(made.id)) === '[{"status":"delivered","attempts":2}]');
  assert.equal(arrivedAt.size, 8);
  for (const [first = 0, second = 0, ...more] of arrivedAt.values()) {
    assert.deepEqual(more, []);
    assert.ok(second - first >= waitMs - 50, `${second - first} ms`);
  }
  assert.ok(receiver.at('/times').every((delivery) => receiver.verifies(delivery, made.secret)));
  assert.ok(
    receiver.at('/times').every(({ headers }) => offBy(Number(headers['x-service-timestamp']) * 1_000) < 45_000),
    'no receiver rejects a signature because of its age',
  );
  for (const one of await call(behind, 'GET', `/api/v1/webhooks/${made.id}/deliveries`)) {
    for (const time of [one.createdAt, one.lastAttemptAt, one.deliveredAt]) assert.ok(offBy(time) < minuteMs, `${time}`);
    for (const { startedAt } of await call(ahead, 'GET', `/api/v1/webhooks/${made.id}/deliveries/${one.id}/attempts`))
      assert.ok(offBy(startedAt) < minuteMs);
  }
});

test('a lease lasts its full time: no other node takes over a delivery in flight, even if clocks differ', async () => {
  const made = await call(behind, 'POST', '/api/v1/webhooks/', { name: 'Slow', url: `${receiver.url}/slow`, events: ['folder.deleted'] });
  receiver.answer = (response) => void setTimeout(() => response.writeHead(204).end(), 1_300);
  await enqueue(chancery.pool, { id: made.id, team: owner.team }, 10);
  await eventually('sends', () => receiver.at('/slow').length >= 5);
  const [lease] = await rows(
    'SELECT (extract(epoch FROM max(lease_until) - now()) * 1000)::float8 AS ms FROM webhook_queue WHERE endpoint_id = $1',
    [made.id],
  );
  assert.ok(lease.ms > 0 && lease.ms <= leaseMs, `${lease.ms} ms`);
  await eventually('all events delivered', async () => JSON.stringify(await states(made.id)) === '[{"status":"delivered","attempts":1}]');
  assert.equal(receiver.at('/slow').length, 10);
});

test('recovery since a time covers the events since then from each node, and a secret rotation overlaps for its full time', async () => {
  receiver.answer = (response) => void response.writeHead(204).end();
  const made = await call(ahead, 'POST', '/api/v1/webhooks/', { name: 'Out', url: `${receiver.url}/out`, events: ['task.created'] });
  const path = `/api/v1/webhooks/${made.id}`;
  const task = (node: Node) => call(node, 'POST', '/api/v1/tasks/', { title: 'While it was away' });
  await call(behind, 'PATCH', path, { isActive: false });
  // Events from before the outage.
  for (const node of [ahead, behind]) await task(node);
  await sleep(50);
  const since = new Date().toISOString();
  for (const node of [ahead, behind, ahead, behind]) await task(node);
  await call(ahead, 'PATCH', path, { isActive: true });
  assert.deepEqual(await call(behind, 'POST', `${path}/recover`, { since }), { failed: 0, missed: 4 });
  assert.deepEqual(await call(ahead, 'POST', `${path}/recover`, { since }), { failed: 0, missed: 0 }, 'no event twice');
  await eventually('the missed events', () => receiver.at('/out').length === 4);
  const future = await fetch(`${ahead.url}${path}/recover`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ahead.token}` },
    body: JSON.stringify({ since: new Date(Date.now() + 5 * minuteMs).toISOString() }),
  });
  assert.equal(future.status, 400, 'a future time stays in the future on a node whose clock is already past it');

  for (const node of [ahead, behind]) {
    await call(node, 'POST', `${path}/rotate-secret`, { overlapHours: 1 });
    const [{ minutes }] = await rows(
      'SELECT (extract(epoch FROM previous_secret_until - now()) / 60)::float8 AS minutes FROM webhook_endpoint WHERE id = $1',
      [made.id],
    );
    assert.ok(Math.abs(minutes - 60) < 1, `${minutes} minutes`);
  }
});
