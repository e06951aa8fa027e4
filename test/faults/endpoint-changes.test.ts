import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { longInFlightMs } from '../../src/automation/webhooks/engine/in-flight.ts';
import { enqueue } from '../enqueue.ts';
import { type Chancery, startChancery } from '../harness.ts';
import { eventually, ok, type Receiver, startReceiver } from '../webhook-receiver.ts';

/* Endpoints that change while deliveries to them are in flight. */

let chancery: Chancery;
let receiver: Receiver;
before(async () => {
  // Responses that the receiver holds back must not time out.
  const settings = { WEBHOOK_TIMEOUT_SECONDS: '60', WEBHOOK_LEASE_SECONDS: '300' };
  [chancery, receiver] = await Promise.all([startChancery({ settings }), startReceiver()]);
  receiver.answer = (response) => void setTimeout(() => ok(response), 10);
});
after(async () => {
  await chancery.stop();
  await receiver.close();
});

/** The maximum of leased deliveries, of a claim in progress and of requests on the way to the receiver; far below the total. */
const maxInFlight = 150;

async function endpoint(place: string) {
  const { owner } = await chancery.team();
  const body = { name: place, url: `${receiver.url}/${place}`, events: ['folder.updated'] };
  const { body: made } = await chancery.call('POST', '/api/v1/webhooks/', { token: owner.token, body });
  const call = (method: string, rest = '', options: object = {}) =>
    chancery.call(method, `/api/v1/webhooks/${made.id}${rest}`, { token: owner.token, ...options });
  const states = async () => {
    const { rows } = await chancery.pool.query(
      'SELECT status, count(*)::int AS n FROM webhook_delivery WHERE endpoint_id = $1 GROUP BY 1',
      [made.id],
    );
    return Object.fromEntries(rows.map(({ status, n }) => [status, n])) as Record<string, number>;
  };
  const queue = (count: number) => enqueue(chancery.pool, { id: made.id, team: owner.team }, count);
  const arrived = () => receiver.at(`/${place}`);
  const copies = () => arrived().length - new Set(arrived().map(({ event }) => event.id)).size;
  return { id: made.id as string, secret: made.secret as string, call, states, queue, arrived, copies };
}

/** Waits until the count stops rising, and returns it. */
async function quiet(count: () => number): Promise<number> {
  for (let last = -1; last !== count();) {
    last = count();
    await sleep(400);
  }
  return count();
}

test('an endpoint that is deactivated under load: deliveries in flight finish, no more are sent, and the rest follow its reactivation', async () => {
  const one = await endpoint('switched');
  await one.queue(600);
  await eventually('load', () => one.arrived().length > 50);
  await one.call('PATCH', '', { body: { isActive: false } });
  const atChange = one.arrived().length;
  const leased = 'SELECT FROM webhook_queue WHERE endpoint_id = $1 AND lease_until > now()';
  await eventually('no deliveries in flight', async () => (await chancery.pool.query(leased, [one.id])).rowCount === 0);
  const atEnd = one.arrived().length;
  assert.ok(atEnd <= atChange + maxInFlight, `${atEnd - atChange} after the change`);
  const atPause = await one.states();
  assert.deepEqual(atPause, { delivered: atEnd, pending: 600 - atEnd });
  await one.call('PATCH', '', { body: { isActive: true } });
  await eventually('the remaining deliveries', async () => (await one.states()).delivered === 600);
  assert.equal(one.copies(), 0, 'each event arrived once');
});

test('an endpoint that is deleted under load: deliveries in flight finish, the rest are cancelled, and the queue has no rows of it', async () => {
  const one = await endpoint('deleted');
  await one.queue(600);
  await eventually('load', () => one.arrived().length > 50);
  assert.equal((await one.call('DELETE')).status, 204);
  const atChange = one.arrived().length;
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM webhook_queue WHERE endpoint_id = $1', [one.id]);
  assert.equal(rows[0].n, 0);
  const atEnd = await quiet(() => one.arrived().length);
  assert.ok(atEnd <= atChange + maxInFlight);
  const { delivered = 0, cancelled = 0, ...rest } = await one.states();
  assert.deepEqual([delivered + cancelled, rest], [600, {}]);
  assert.ok(delivered >= 1 && cancelled >= 500 - maxInFlight && delivered <= atEnd);
});

test('an endpoint whose URL changes under load: unclaimed deliveries go to the new URL, and each event arrives once', async () => {
  const one = await endpoint('moved');
  await one.queue(400);
  await eventually('load', () => one.arrived().length > 30);
  await one.call('PATCH', '', { body: { url: `${receiver.url}/there` } });
  await eventually('all', async () => (await one.states()).delivered === 400);
  const ids = [...one.arrived(), ...receiver.at('/there')].map(({ event }) => event.id);
  assert.deepEqual([ids.length, new Set(ids).size], [400, 400]);
  assert.ok(receiver.at('/there').length > 200);
});

test('a delivery that waits for a connection while its endpoint changes is not sent to the old URL and does not count as failed', async () => {
  const { owner } = await chancery.team();
  const endpoints = Array.from({ length: 12 }, (_, n) => ({
    name: `full-${n}`,
    url: `${receiver.url}/full-${n}`,
    events: ['folder.updated'],
  }));
  const answers = await Promise.all(endpoints.map((body) => chancery.call('POST', '/api/v1/webhooks/', { token: owner.token, body })));
  const ids = answers.map(({ body }) => body.id as string);
  const old = () => receiver.received.filter(({ path }) => /^\/full-\d+$/.test(path)).length;
  const quick = receiver.answer;
  for (const id of ids) await enqueue(chancery.pool, { id, team: owner.team }, 60, { quietly: true });
  await chancery.pool.query("SELECT pg_notify('webhook_due', $1)", [owner.team]);
  await eventually('fast responses of all endpoints', () => old() > 300);
  // Starts so many deliveries that some wait for one of the 64 connections.
  const open: ServerResponse[] = [];
  receiver.answer = (response) => void open.push(response);
  await eventually('one request on each connection', () => open.length >= 64);
  const leased = 'SELECT FROM webhook_queue WHERE endpoint_id = ANY ($1) AND lease_until > now()';
  await eventually('more deliveries in flight', async () => ((await chancery.pool.query(leased, [ids])).rowCount ?? 0) > open.length);
  const change = (id: string, n: number) =>
    n % 2 === 0
      ? chancery.call('DELETE', `/api/v1/webhooks/${id}`, { token: owner.token })
      : chancery.call('PATCH', `/api/v1/webhooks/${id}`, { token: owner.token, body: { url: `${receiver.url}/full-there` } });
  await Promise.all(ids.map(change));
  const atChange = old();
  receiver.answer = quick;
  // From this time on, the worker reads the endpoint again before it sends deliveries that it claimed earlier.
  const [{ changed }] = (await chancery.pool.query('SELECT clock_timestamp()::text AS changed')).rows;
  const isLongInFlight = 'SELECT clock_timestamp() > $1::timestamptz + make_interval(secs => $2) AS yes';
  await eventually('only deliveries that were claimed before the change', async () => {
    const { rows } = await chancery.pool.query(isLongInFlight, [changed, longInFlightMs / 1_000]);
    return rows[0].yes;
  });
  for (const response of open) ok(response);
  const states = async () => {
    const { rows } = await chancery.pool.query(
      `SELECT count(*) FILTER (WHERE status = 'pending')::int AS pending, count(*) FILTER (WHERE error IS NOT NULL)::int AS failed,
         count(*) FILTER (WHERE status = 'delivered')::int AS delivered, count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled
       FROM webhook_delivery WHERE endpoint_id = ANY ($1)`,
      [ids],
    );
    return rows[0] as Record<'pending' | 'failed' | 'delivered' | 'cancelled', number>;
  };
  await eventually('the remaining deliveries', async () => (await states()).pending === 0);
  assert.equal(old(), atChange, 'no more deliveries');
  const { failed, delivered, cancelled } = await states();
  assert.deepEqual([failed, delivered + cancelled], [0, ids.length * 60]);
  assert.equal(new Set(receiver.received.map(({ event }) => event.id)).size, receiver.received.length, 'each event arrived once');
});

test('a secret rotated twice under load: each delivery has a valid signature, and after the overlap only the newest secret signs', async () => {
  const one = await endpoint('rotated');
  const secrets = [one.secret];
  const rotate = async (body: object) => {
    secrets.push((await one.call('POST', '/rotate-secret', { body })).body.secret);
  };
  await one.queue(600);
  await eventually('load', () => one.arrived().length > 50);
  await rotate({ overlapHours: 24 });
  const first = one.arrived().length;
  await eventually('more', () => one.arrived().length > first + 100);
  await rotate({});
  await eventually('all', async () => (await one.states()).delivered === 600);
  const verifying = one.arrived().map((delivery) => secrets.map((secret) => receiver.verifies(delivery, secret)));
  assert.ok(verifying.every((by) => by.some(Boolean)));
  const kinds = new Set(verifying.map((by) => by.map(Number).join('')));
  assert.deepEqual(
    [...kinds].filter((kind) => !['100', '110', '011'].includes(kind)),
    [],
    'the current secret and the one before, never all three',
  );
  assert.ok(kinds.has('011'), 'the newest secret and the one before at the end');
  const lastOfOld = verifying.findLastIndex(([original]) => original);
  assert.ok(lastOfOld < 600 - 1, 'the first secret does not verify at the end');

  await rotate({ expirePreviousNow: true });
  const sent = one.arrived().length;
  await one.queue(30);
  await eventually('the last deliveries', () => one.arrived().length === sent + 30);
  for (const delivery of one.arrived().slice(sent)) {
    assert.deepEqual(
      secrets.map((secret) => receiver.verifies(delivery, secret)),
      [false, false, false, true],
    );
    assert.equal(delivery.headers['x-service-signature-previous'], undefined);
  }
});

test('after the overlap only the new secret signs', async () => {
  const one = await endpoint('overlap');
  const { body: rotated } = await one.call('POST', '/rotate-secret', { body: { overlapHours: 168 } });
  const { rows } = await chancery.pool.query(
    'SELECT extract(epoch FROM previous_secret_until - now()) / 3600 AS hours FROM webhook_endpoint WHERE id = $1',
    [one.id],
  );
  assert.ok(Math.abs(Number(rows[0].hours) - 168) < 0.1);
  await one.queue(1);
  const during = await eventually('during', () => one.arrived()[0]);
  assert.ok(receiver.verifies(during, one.secret) && receiver.verifies(during, rotated.secret));
  await chancery.pool.query("UPDATE webhook_endpoint SET previous_secret_until = now() - interval '1 second' WHERE id = $1", [one.id]);
  await one.queue(1);
  const later = await eventually('later', () => one.arrived()[1]);
  assert.ok(!receiver.verifies(later, one.secret) && receiver.verifies(later, rotated.secret));
  assert.equal(String(later.headers['webhook-signature']).split(' ').length, 1);
});

test('unusual payloads are sent, signed and logged byte for byte: 1 MB, deep nesting, any Unicode, and invalid UTF-8', async () => {
  const one = await endpoint('poison');
  const { rows } = await chancery.pool.query('SELECT team_id FROM webhook_endpoint WHERE id = $1', [one.id]);
  const wrap = (value: string) => Buffer.from(`{"id":"evt_x","type":"test.made","data":${value}}`);
  const payloads = [
    wrap(JSON.stringify('€'.repeat(350_000))),
    wrap(`${'['.repeat(3_000)}${']'.repeat(3_000)}`),
    wrap(String.raw`"\u0000 \ud800 \udfff \u2028 \uFFFF"`),
    wrap(JSON.stringify('\u2028\u2029\ufeff\u202e 👩‍👩‍👧‍👦 Å Å \u0301\u0000\u001f')),
    wrap('1e400'),
    wrap('{"a":1,"a":2,"__proto__":{"x":1},"constructor":{"prototype":{}}}'),
    wrap(' \t\r\n "space around" \n '),
    Buffer.concat([Buffer.from('{"id":"evt_x","type":"test.made","data":"'), Buffer.of(0xff, 0xfe, 0xc3, 0x28), Buffer.from('"}')]),
  ];
  for (const body of payloads) await enqueue(chancery.pool, { id: one.id, team: rows[0].team_id }, 1, { body });
  await eventually('all', () => one.arrived().length === payloads.length);
  for (const body of payloads)
    assert.ok(
      one.arrived().some((got) => got.body.equals(body)),
      body.toString('latin1').slice(0, 80),
    );
  assert.ok(
    one.arrived().every((got) => receiver.verifies(got, one.secret)),
    'the signature covers exactly these bytes',
  );
  await eventually('the log entry', async () => (await one.states()).delivered === payloads.length);
  const log = await one.call('GET', '/deliveries', { unchecked: true });
  assert.deepEqual([log.status, log.body.length], [200, payloads.length]);
});
