import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { longInHandMs } from '../../src/automation/webhooks/engine/in-flight.ts';
import { enqueue } from '../enqueue.ts';
import { type Chancery, startChancery } from '../harness.ts';
import { eventually, ok, type Receiver, startReceiver } from '../webhook-receiver.ts';

/* Endpoints that change while deliveries to them are in flight. */

let chancery: Chancery;
let receiver: Receiver;
before(async () => {
  // Answers that are held back must not be given up meanwhile.
  const settings = { WEBHOOK_TIMEOUT_SECONDS: '60', WEBHOOK_LEASE_SECONDS: '300' };
  [chancery, receiver] = await Promise.all([startChancery({ settings }), startReceiver()]);
  receiver.answer = (response) => void setTimeout(() => ok(response), 10);
});
after(async () => {
  await chancery.stop();
  await receiver.close();
});

/** What a worker may have in hand, a claim that is under way, and what is on its way to the receiver; far from all. */
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

/** How many had come once no more come. */
async function quiet(count: () => number): Promise<number> {
  for (let last = -1; last !== count();) {
    last = count();
    await sleep(400);
  }
  return count();
}

test('switched off under load: what is in hand ends, nothing more is sent, and all the rest goes out once it is on again', async () => {
  const one = await endpoint('switched');
  await one.queue(600);
  await eventually('load', () => one.arrived().length > 50);
  await one.call('PATCH', '', { body: { isActive: false } });
  const atChange = one.arrived().length;
  const leased = 'SELECT FROM webhook_queue WHERE endpoint_id = $1 AND lease_until > now()';
  await eventually('nothing is in hand', async () => (await chancery.pool.query(leased, [one.id])).rowCount === 0);
  const atEnd = one.arrived().length;
  assert.ok(atEnd <= atChange + maxInFlight, `${atEnd - atChange} after the change`);
  const atPause = await one.states();
  assert.deepEqual(atPause, { delivered: atEnd, pending: 600 - atEnd });
  await one.call('PATCH', '', { body: { isActive: true } });
  await eventually('the rest', async () => (await one.states()).delivered === 600);
  assert.equal(one.copies(), 0, 'each once');
});

test('deleted under load: what is in hand ends, the rest is cancelled, nothing is left in the queue', async () => {
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

test('moved under load: what was not yet claimed goes to the new place, and each arrives once', async () => {
  const one = await endpoint('moved');
  await one.queue(400);
  await eventually('load', () => one.arrived().length > 30);
  await one.call('PATCH', '', { body: { url: `${receiver.url}/there` } });
  await eventually('all', async () => (await one.states()).delivered === 400);
  const ids = [...one.arrived(), ...receiver.at('/there')].map(({ event }) => event.id);
  assert.deepEqual([ids.length, new Set(ids).size], [400, 400]);
  assert.ok(receiver.at('/there').length > 200);
});

test('what waits for a connection while its endpoint moves or is deleted is not sent where that was, and has failed nowhere', async () => {
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
  await eventually('all answer quickly', () => old() > 300);
  // So many are under way that some wait for one of the 64 connections.
  const open: ServerResponse[] = [];
  receiver.answer = (response) => void open.push(response);
  await eventually('as many as there are connections', () => open.length >= 64);
  const leased = 'SELECT FROM webhook_queue WHERE endpoint_id = ANY ($1) AND lease_until > now()';
  await eventually('more in hand', async () => ((await chancery.pool.query(leased, [ids])).rowCount ?? 0) > open.length);
  const change = (id: string, n: number) =>
    n % 2 === 0
      ? chancery.call('DELETE', `/api/v1/webhooks/${id}`, { token: owner.token })
      : chancery.call('PATCH', `/api/v1/webhooks/${id}`, { token: owner.token, body: { url: `${receiver.url}/full-there` } });
  await Promise.all(ids.map(change));
  const atChange = old();
  receiver.answer = quick;
  // From then on the worker reads the endpoint again before it sends what it claimed before the change.
  const [{ changed }] = (await chancery.pool.query('SELECT clock_timestamp()::text AS changed')).rows;
  const isLongInHand = 'SELECT clock_timestamp() > $1::timestamptz + make_interval(secs => $2) AS yes';
  await eventually('all in hand was claimed long ago', async () => {
    const { rows } = await chancery.pool.query(isLongInHand, [changed, longInHandMs / 1_000]);
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
  await eventually('the rest', async () => (await states()).pending === 0);
  assert.equal(old(), atChange, 'nothing more');
  const { failed, delivered, cancelled } = await states();
  assert.deepEqual([failed, delivered + cancelled], [0, ids.length * 60]);
  assert.equal(new Set(receiver.received.map(({ event }) => event.id)).size, receiver.received.length, 'each once');
});

test('rotated twice under load: every delivery verifies by a secret that was valid, and by the newest alone once the old ones were ended', async () => {
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
    'the current one and the one before, never all three',
  );
  assert.ok(kinds.has('011'), 'the newest and the one before, at the end');
  const lastOfOld = verifying.findLastIndex(([original]) => original);
  assert.ok(lastOfOld < 600 - 1, 'the first secret is refused in the end');

  await rotate({ expirePreviousNow: true });
  const sent = one.arrived().length;
  await one.queue(30);
  await eventually('the last ones', () => one.arrived().length === sent + 30);
  for (const delivery of one.arrived().slice(sent)) {
    assert.deepEqual(
      secrets.map((secret) => receiver.verifies(delivery, secret)),
      [false, false, false, true],
    );
    assert.equal(delivery.headers['x-service-signature-previous'], undefined);
  }
});

test('an overlap that is over signs with the new secret alone', async () => {
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

test('odd payloads are sent, signed and logged as the bytes they are: 1 MB, deep, any Unicode, and what is no UTF-8', async () => {
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
    'signed over exactly these bytes',
  );
  await eventually('the log', async () => (await one.states()).delivered === payloads.length);
  const log = await one.call('GET', '/deliveries', { unchecked: true });
  assert.deepEqual([log.status, log.body.length], [200, payloads.length]);
});
