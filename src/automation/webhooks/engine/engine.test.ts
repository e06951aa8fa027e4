import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mock, test } from 'node:test';
import { Client } from 'pg';
import { pino } from 'pino';
import { enqueue as queueEvents } from '../../../../test/enqueue.ts';
import { testPool } from '../../../../test/postgres.ts';
import { openEngineWorld, type OwnedEndpoint } from '../../../../test/engine-world.ts';
import { eventually, ok } from '../../../../test/webhook-receiver.ts';
import { countPasses } from '../../../../test/signals.ts';
import { cleanQueue } from './jobs.ts';
import { dropOldDeliveries, makeLogDays } from '../deliveries/log-jobs.ts';
import { settle, type SettledRow, forceStablePlans } from './queue-queries.ts';
import { exhaustiveTest } from '../../../../test/tier.ts';

// Only the API: each test runs its own engines.
const world = openEngineWorld(['*']);
const { engine, endpoint } = world;
const enqueue = (one: OwnedEndpoint, many: number, ageMs = 0) => world.enqueue(one, many, { ageMs });

const count = async (text: string, values: unknown[] = []) => Number((await world.chancery.pool.query(text, values)).rows[0].count);
const waiting = () => count('SELECT count(*) FROM webhook_queue');
const inStatus = (status: string) => count('SELECT count(*) FROM webhook_delivery WHERE status = $1', [status]);
const drained = () => eventually('an empty queue', async () => (await waiting()) === 0);

test('two engines on one database deliver every event, each once without failures', async () => {
  // Long deadlines: on a busy machine a short one could pass and cause a retry.
  const patient = { timeoutMs: 15_000, leaseSeconds: 30 };
  await Promise.all([engine(patient), engine(patient)]);
  const endpoints = await Promise.all(Array.from({ length: 8 }, (_, index) => endpoint(`shared${index}`)));
  await Promise.all(endpoints.map((one) => enqueue(one, 100)));
  await drained();
  assert.equal(await inStatus('delivered'), 800);
  assert.equal(world.receiver.received.length, 800);
  assert.equal(new Set(world.receiver.received.map(({ headers }) => headers['x-service-event-id'])).size, 800);
  assert.equal(await count('SELECT count(*) FROM webhook_attempt'), 800);
});

test('deliveries of a dead worker are claimed by another after their lease, and that attempt counts', async () => {
  const one = await endpoint('orphan');
  await enqueue(one, 5);
  await world.chancery.pool.query(
    "UPDATE webhook_queue SET lease_until = now() + interval '1 hour', lease_token = gen_random_uuid(), attempts = 1",
  );
  const passes = countPasses();
  await engine({ onPass: passes.onPass });
  await passes.more();
  assert.equal(world.receiver.received.length, 0, 'the lease is respected');
  await world.chancery.pool.query('UPDATE webhook_queue SET lease_until = now()');
  await drained();
  const { rows } = await world.chancery.pool.query('SELECT DISTINCT status, attempts FROM webhook_delivery');
  assert.deepEqual(rows, [{ status: 'delivered', attempts: 2 }]);
});

test('the metrics report the due deliveries and the age of the oldest, without those of failing and inactive endpoints', async () => {
  const sample = async (metric: string) => {
    const text = await (await fetch(`${world.chancery.url}/metrics`)).text();
    return Number(new RegExp(`^${metric}\\{name="webhook-delivery"\\} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  assert.ok(Number.isNaN(await sample('chancery_jobs_due')), 'an empty queue has no sample');
  const [one, other, failing, inactive] = [
    await endpoint('one'),
    await endpoint('other'),
    await endpoint('failing'),
    await endpoint('inactive'),
  ];
  for (const [of, many] of [
    [one, 4],
    [other, 1],
    [failing, 2],
    [inactive, 2],
  ] as const)
    await enqueue(of, many);
  const { pool } = world.chancery;
  await pool.query("UPDATE webhook_queue SET next_at = now() - interval '2 hours'");
  await pool.query("UPDATE webhook_queue SET next_at = now() - interval '10 minutes' WHERE endpoint_id = ANY ($1)", [[one.id, other.id]]);
  const change = (set: string, place: number) =>
    pool.query(
      `UPDATE webhook_queue SET ${set} WHERE delivery_id = (SELECT delivery_id FROM webhook_queue WHERE endpoint_id = $1 ORDER BY delivery_id OFFSET $2 LIMIT 1)`,
      [one.id, place],
    );
  await change("next_at = now() + interval '1 hour'", 0);
  await change("next_at = now() - interval '1 hour', lease_until = now() + interval '1 minute'", 1);
  await change("next_at = now() - interval '20 minutes', lease_until = now() - interval '1 minute'", 2);
  await pool.query('INSERT INTO webhook_endpoint_state (team_id, endpoint_id, consecutive_failures) VALUES ($1, $2, 1)', [
    failing.owner.team,
    failing.id,
  ]);
  await pool.query('UPDATE webhook_endpoint SET is_active = false, deactivated_at = now() WHERE id = $1', [inactive.id]);
  assert.equal(await sample('chancery_jobs_due'), 3);
  const age = await sample('chancery_jobs_oldest_due_seconds');
  assert.ok(age >= 1_200 && age < 3_600, String(age));
  assert.ok(Number.isNaN(await sample('chancery_jobs_failed')), 'failed deliveries are in the log of their endpoint');
});

test('a delivery whose attempts all crashed their worker is failed and not sent again', async () => {
  const [poison, healthy] = [await endpoint('poison'), await endpoint('healthy')];
  await enqueue(poison, 1);
  await world.chancery.pool.query('UPDATE webhook_queue SET attempts = 3, lease_until = now(), lease_token = gen_random_uuid()');
  await enqueue(healthy, 1);
  await engine();
  await drained();
  const { rows } = await world.chancery.pool.query('SELECT status, error, attempts FROM webhook_delivery WHERE endpoint_id = $1', [
    poison.id,
  ]);
  assert.deepEqual(rows, [{ status: 'failed', error: 'worker_lost', attempts: 3 }]);
  assert.deepEqual(
    world.receiver.received.map(({ path }) => path),
    ['/healthy'],
  );
});

test('a worker without its lease logs its attempt and changes nothing else', async () => {
  const one = await endpoint('late');
  let finish: (() => void) | undefined;
  world.receiver.answer = (response) => {
    finish = () => response.writeHead(500).end();
  };
  await engine();
  await enqueue(one, 1);
  const answer = await eventually('a send under way', () => finish);
  await world.chancery.pool.query(
    "UPDATE webhook_queue SET lease_token = gen_random_uuid(), lease_until = now() + interval '1 minute', attempts = 2",
  );
  answer();
  await eventually('the attempt', () => count('SELECT count(*) FROM webhook_attempt'));
  const { rows } = await world.chancery.pool.query(
    'SELECT d.status, d.attempts, q.attempts AS queued FROM webhook_delivery d JOIN webhook_queue q ON q.delivery_id = d.id',
  );
  assert.deepEqual(rows, [{ status: 'pending', attempts: 0, queued: 2 }]);
});

test('an endpoint never has more than 10 deliveries in flight, with two engines and a deep queue', async () => {
  const one = await endpoint('capped');
  let open = 0;
  let most = 0;
  world.receiver.answer = (response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      ok(response);
    }, 5);
  };
  await enqueue(one, 400);
  await Promise.all([engine(), engine()]);
  await drained();
  assert.equal(await inStatus('delivered'), 400);
  assert.ok(most >= 5 && most <= 10, `${most} at once`);
});

test('an endpoint that hangs, with a deep backlog, delays neither other endpoints nor other teams', async () => {
  const [dead, neighbour, stranger] = [await endpoint('dead'), await endpoint('neighbour'), await endpoint('stranger')];
  world.receiver.answer = (response, { path }) => (path === '/dead' ? undefined : ok(response));
  await enqueue(dead, 2_000, 60_000);
  await engine({ schedule: [60_000, 60_000], timeoutMs: 500 });
  await eventually('an attempt for the failing endpoint', () => world.receiver.at('/dead').length > 0);
  await Promise.all([enqueue(neighbour, 50), enqueue(stranger, 50)]);
  await eventually('the others', () => world.receiver.at('/neighbour').length + world.receiver.at('/stranger').length === 100);
  await eventually('the breaker', () => count('SELECT count(*) FROM webhook_endpoint_state WHERE blocked_until > now()'));
  // When the first attempts end one by one, others have replaced them before the tenth failure: nine at most.
  const tried = world.receiver.at('/dead').length;
  assert.ok(tried >= 10 && tried < 20, `the breaker is open after ten failures in a row, not ${tried}`);
});

test('endpoints that never respond have one delivery in flight each, and deliveries queued after them do not wait for their end', async () => {
  const hanging = await Promise.all(Array.from({ length: 40 }, (_, index) => endpoint(`hang${index}`)));
  const good = await endpoint('good');
  const over: string[] = [];
  world.receiver.answer = (response, { path }) => {
    if (path === '/good') return ok(response);
    response.on('close', () => over.push(path));
  };
  await Promise.all(hanging.map((one) => enqueue(one, 20, 60_000)));
  const { stop } = await engine({ timeoutMs: 30_000, leaseSeconds: 40 });
  const tried = () => world.receiver.received.filter(({ path }) => path !== '/good').map(({ path }) => path);
  await eventually('the first of them', () => tried().length > 0);
  await enqueue(good, 60);
  await eventually('what came later', () => world.receiver.at('/good').length === 60);
  await eventually('an attempt for each of them', () => new Set(tried()).size === 40);
  assert.deepEqual(over, [], 'none of them has ended');
  assert.equal(tried().length, 40);
  world.receiver.hangUp();
  await stop();
});

test('a worker claims for a notified team only; other deliveries are found by polling', async () => {
  const [named, unnamed] = [await endpoint('named'), await endpoint('unnamed')];
  const { stop } = await engine({ pollMs: 600_000 });
  await enqueue(named, 1);
  await eventually('the start', () => world.receiver.at('/named').length === 1);
  await queueEvents(world.chancery.pool, { id: unnamed.id, team: unnamed.owner.team }, 1, { quietly: true });
  await world.chancery.folder(named.owner);
  await eventually('an event of the notified team', () => world.receiver.at('/named').length === 2);
  assert.equal(world.receiver.at('/unnamed').length, 0);
  await stop();
  const passes = countPasses();
  await engine({ pollMs: 200, onPass: passes.onPass });
  await eventually('what a start finds', () => world.receiver.at('/unnamed').length === 1);
  await passes.more();
  await queueEvents(world.chancery.pool, { id: unnamed.id, team: unnamed.owner.team }, 1, { quietly: true });
  await eventually('the poll', () => world.receiver.at('/unnamed').length === 2);
});

test('a failing endpoint gets one delivery after the other, without waiting for a poll', async () => {
  const one = await endpoint('one-by-one');
  world.receiver.answer = (response) => void response.writeHead(500).end();
  await engine({ schedule: [60_000, 60_000], pollMs: 600_000 });
  await enqueue(one, 5);
  await eventually('each to be tried', () => world.receiver.received.length === 5);
});

test('results of a batch are written without reading the log between the oldest and the newest', async () => {
  const [old, quiet, young] = [await endpoint('oldest'), await endpoint('between'), await endpoint('newest')];
  await makeLogDays(world.chancery.database, new Date());
  const token = randomUUID();
  const client = await world.chancery.pool.connect();
  const write = async (rows: SettledRow[]): Promise<number> => {
    const ids = rows.map((row) => row.delivery_id).toSorted();
    const [first = token, last = token] = [ids[0], ids.at(-1)];
    await client.query("BEGIN; SELECT set_config('role', 'chancery_system', true)");
    await client.query(forceStablePlans.text);
    await client.query({ name: settle.name, text: settle.text, values: settle.values({ token, rows: JSON.stringify(rows), first, last }) });
    const read = await client.query(
      "SELECT sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int AS n FROM pg_stat_xact_user_tables WHERE relname LIKE 'webhook_delivery%'",
    );
    await client.query('COMMIT');
    return read.rows[0].n;
  };
  try {
    // The statement is planned while the log is empty, and that plan is cached.
    await write([]);
    await enqueue(old, 20, 60_000);
    await enqueue(quiet, 20_000, 30_000);
    await world.chancery.pool.query('DELETE FROM webhook_queue WHERE endpoint_id = $1', [quiet.id]);
    await enqueue(young, 20);
    const { rows: leased } = await world.chancery.pool.query(
      "UPDATE webhook_queue SET lease_token = $1, lease_until = now() + interval '1 minute', attempts = 1 RETURNING team_id, endpoint_id, delivery_id, ctid::text AS place",
      [token],
    );
    const read = await write(
      leased.map((one): SettledRow => ({ ...one, attempt: 1, outcome: 'delivered', wait: 0, age: 0, latency_ms: 1, response_status: 200 })),
    );
    assert.ok(read < 1_000, `${read} rows were read to write 40`);
  } finally {
    client.release();
  }
  assert.deepEqual([await inStatus('delivered'), await waiting()], [40, 0]);
});

exhaustiveTest('the circuit breaker closes when the receiver is back, and the backlog is sent', async () => {
  const one = await endpoint('back');
  world.receiver.answer = (response) => void response.writeHead(503).end();
  await engine({ schedule: [100, 200, 200, 200, 200, 200, 200, 200, 200] });
  await enqueue(one, 30);
  await world.chancery.pool.query('UPDATE webhook_queue SET max_attempts = 100');
  await eventually('an open breaker', () => count('SELECT count(*) FROM webhook_endpoint_state WHERE blocked_until > now()'));
  world.receiver.answer = ok;
  await drained();
  assert.equal(await inStatus('delivered'), 30);
  assert.equal(await count('SELECT count(*) FROM webhook_endpoint_state WHERE consecutive_failures > 0'), 0);
});

test('an endpoint without a success for long enough and with 20 failures is disabled, and its deliveries are kept', async () => {
  const one = await endpoint('failing');
  await world.chancery.pool.query("UPDATE person SET locale = 'de' WHERE id = $1", [one.owner.id]);
  world.receiver.answer = (response) => void response.writeHead(500).end();
  await engine({ schedule: [1, 1], disableAfterSeconds: 0.2 });
  await enqueue(one, 60);
  const active = async () => (await world.chancery.call('GET', `/api/v1/webhooks/${one.id}`, { token: one.owner.token })).body.isActive;
  await eventually('switched off', async () => !(await active()));
  const { rows } = await world.chancery.pool.query(
    "SELECT data->>'reason' AS reason FROM audit_entry WHERE type = 'webhook.endpoint.disabled' AND target_id = $1",
    [one.id],
  );
  assert.deepEqual(rows, [{ reason: 'failing' }]);
  const mails = await world.chancery.pool.query('SELECT subject FROM mail_message WHERE recipient = $1', [one.owner.email]);
  assert.deepEqual(mails.rows, [{ subject: 'Webhook-Endpunkt „failing“ deaktiviert' }], 'one mail, in the owner’s language');
  await eventually('quiet', async () => (await count('SELECT count(*) FROM webhook_queue WHERE lease_until > now()')) === 0);
  assert.ok((await waiting()) > 0);
});

test('waiting deliveries of an inactive endpoint are not claimed until it is active again', async () => {
  const one = await endpoint('inactive');
  const patch = (isActive: boolean) =>
    world.chancery.call('PATCH', `/api/v1/webhooks/${one.id}`, { token: one.owner.token, body: { isActive } });
  await patch(false);
  await enqueue(one, 5);
  const passes = countPasses();
  await engine({ onPass: passes.onPass });
  await passes.more();
  assert.deepEqual([world.receiver.received.length, await waiting()], [0, 5]);
  await patch(true);
  await eventually('what was held', () => world.receiver.received.length === 5);
});

test('stop completes deliveries in flight, writes their results and leaves no lease', async () => {
  const one = await endpoint('stopping');
  world.receiver.answer = (response) => void setTimeout(() => ok(response), 300);
  const { stop } = await engine();
  await enqueue(one, 50);
  await eventually('sends under way', () => world.receiver.received.length >= 10);
  await stop();
  const arrived = world.receiver.received.length;
  assert.equal(await inStatus('delivered'), arrived);
  assert.equal(await waiting(), 50 - arrived);
  assert.equal(await count('SELECT count(*) FROM webhook_queue WHERE lease_until IS NOT NULL OR attempts > 0'), 0);
});

/** Closes the connections of engines and accepts no new ones, until the returned function is called. */
async function shutOut(): Promise<() => Promise<void>> {
  // From another database, because a database cannot block its own connections.
  const elsewhere = new URL(world.chancery.databaseUrl);
  const name = elsewhere.pathname.slice(1);
  elsewhere.pathname = '/postgres';
  const admin = new Client({ connectionString: elsewhere.href });
  await admin.connect();
  await admin.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
  await world.chancery.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name IN ('engine-under-test', 'chancery-listen') AND datname = current_database()",
  );
  return async () => {
    await admin.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
    await admin.end();
  };
}

test('an outage of the database loses nothing and needs no restart', async () => {
  const one = await endpoint('outage');
  world.receiver.answer = (response) => void setTimeout(() => ok(response), 20);
  const lines: string[] = [];
  await engine({ log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }) });
  await enqueue(one, 200);
  await eventually('some', () => world.receiver.received.length > 20);
  const letIn = await shutOut();
  await eventually('it meets that', () => lines.some((line) => line.includes('cannot reach the database')));
  assert.ok(world.receiver.received.length < 200, 'nothing is sent that could not be recorded');
  await letIn();
  await drained();
  assert.equal(await inStatus('delivered'), 200);
  assert.equal(new Set(world.receiver.received.map(({ headers }) => headers['x-service-event-id'])).size, 200);
});

test('an engine that stops during an outage writes its results once the database is back', async () => {
  const one = await endpoint('stopped-in-outage');
  const answered = Promise.withResolvers<void>();
  world.receiver.answer = (response) => void answered.promise.then(() => ok(response));
  const lines: string[] = [];
  const { stop } = await engine({ log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }) });
  await enqueue(one, 1);
  await eventually('a send', () => world.receiver.received.length === 1);
  const letIn = await shutOut();
  answered.resolve();
  await eventually('it meets that', () => lines.some((line) => line.includes('cannot reach the database')));
  const stopping = stop();
  await letIn();
  await stopping;
  assert.deepEqual([await inStatus('delivered'), await waiting()], [1, 0]);
});

test('the sweep cancels deliveries of a deleted endpoint, fails those that waited for 72 hours, and nothing else', async () => {
  const [deleted, inactive, fresh, active] = [await endpoint('a'), await endpoint('b'), await endpoint('c'), await endpoint('d')];
  for (const one of [deleted, inactive, fresh, active]) await enqueue(one, 3);
  await world.chancery.pool.query(
    'UPDATE webhook_endpoint SET is_active = false, deactivated_at = now(), deleted_at = now() WHERE id = $1',
    [deleted.id],
  );
  await world.chancery.pool.query(
    "UPDATE webhook_endpoint SET is_active = false, deactivated_at = now() - interval '73 hours' WHERE id = $1",
    [inactive.id],
  );
  await world.chancery.pool.query(
    "UPDATE webhook_endpoint SET is_active = false, deactivated_at = now() - interval '71 hours' WHERE id = $1",
    [fresh.id],
  );
  await cleanQueue(world.chancery.database);
  const state = async (id: string) =>
    (await world.chancery.pool.query('SELECT DISTINCT status, error FROM webhook_delivery WHERE endpoint_id = $1', [id])).rows;
  assert.deepEqual(await state(deleted.id), [{ status: 'cancelled', error: null }]);
  assert.deepEqual(await state(inactive.id), [{ status: 'failed', error: 'endpoint_inactive' }]);
  assert.deepEqual(
    [await state(fresh.id), await state(active.id)],
    [[{ status: 'pending', error: null }], [{ status: 'pending', error: null }]],
  );
  assert.equal(await waiting(), 6);
});

/** Sets the results of an endpoint’s deliveries, each with one logged attempt. */
async function ended(id: string, status: string): Promise<void> {
  await world.chancery.pool.query('UPDATE webhook_delivery SET status = $2, attempts = 1 WHERE endpoint_id = $1', [id, status]);
  await world.chancery.pool.query(
    'INSERT INTO webhook_attempt (team_id, endpoint_id, delivery_id, attempt, started_at, latency_ms) SELECT team_id, endpoint_id, id, 1, created_at, 5 FROM webhook_delivery WHERE endpoint_id = $1',
    [id],
  );
  if (status !== 'pending') await world.chancery.pool.query('DELETE FROM webhook_queue WHERE endpoint_id = $1', [id]);
}

const dayMs = 86_400_000;
const days = async () =>
  (
    await world.chancery.pool.query(
      "SELECT relname FROM pg_class WHERE relname ~ '^webhook_(delivery|attempt)_[0-9]{8}$' AND relkind = 'r' ORDER BY 1",
    )
  ).rows.map(({ relname }) => relname as string);
const tableOf = (parent: string, ageDays: number) =>
  `webhook_${parent}_${new Date(Date.now() - ageDays * dayMs).toISOString().slice(0, 10).replaceAll('-', '')}`;

test('events are deleted after 90 days, except those that a delivery waits for', async () => {
  const one = await endpoint('waiting');
  await enqueue(one, 1, 120 * dayMs);
  const { rows: deliveries } = await world.chancery.pool.query('SELECT team_id, event_id FROM webhook_delivery WHERE endpoint_id = $1', [
    one.id,
  ]);
  const [{ team_id: team, event_id: pending }] = deliveries;
  const put = (id: string, age: number) =>
    world.chancery.pool.query(
      "INSERT INTO event (team_id, id, type, body, created_at) VALUES ($1, $2, 'test.made', '{}', $3) ON CONFLICT (team_id, id) DO UPDATE SET created_at = excluded.created_at",
      [team, id, new Date(Date.now() - age * dayMs)],
    );
  await put(pending, 120);
  await put('evt_old', 91);
  await put('evt_young', 89);
  await dropOldDeliveries(world.chancery.database, new Date());
  const { rows } = await world.chancery.pool.query('SELECT id FROM event WHERE id = ANY ($1) ORDER BY id', [
    [pending, 'evt_old', 'evt_young'],
  ]);
  assert.deepEqual(rows.map(({ id }) => id).toSorted(), [pending, 'evt_young'].toSorted());
});

test('the log keeps successful deliveries for 30 days, others for 90, and never drops waiting ones; whole days are dropped', async () => {
  const cases: [string, number, boolean][] = [
    ['delivered', 29, true],
    ['delivered', 31, false],
    ['failed', 31, true],
    ['failed', 92, false],
    ['cancelled', 92, false],
    ['pending', 300, true],
    ['delivered', 300, false],
    ['cancelled', 89, true],
    ['failed', 40, true],
    ['delivered', 45, false],
  ];
  const expected: string[] = [];
  for (const [index, [status, age, kept]] of cases.entries()) {
    const one = await endpoint(`old${index}`);
    await enqueue(one, 3, age * dayMs);
    await ended(one.id, status);
    if (kept) expected.push(one.id);
  }
  for (let round = 0; round < 2; round += 1) {
    await dropOldDeliveries(world.chancery.database, new Date());
    for (const [table, key] of [
      ['webhook_delivery', 'id'],
      ['webhook_attempt', 'delivery_id'],
    ]) {
      const { rows } = await world.chancery.pool.query(`SELECT endpoint_id, count(${key})::int AS n FROM ${table} GROUP BY 1 ORDER BY 1`);
      assert.deepEqual(
        rows,
        expected.toSorted().map((id) => ({ endpoint_id: id, n: 3 })),
        `${table}, time ${round + 1}`,
      );
    }
  }
  const tables = await days();
  for (const parent of ['delivery', 'attempt']) {
    for (const age of [29, 31, 40, 89, 300]) assert.ok(tables.includes(tableOf(parent, age)), `${parent} of ${age} days ago`);
    for (const age of [45, 92]) assert.ok(!tables.includes(tableOf(parent, age)), `the day ${age} days ago is gone`);
    for (const ahead of [0, -1, -2, -3]) assert.ok(tables.includes(tableOf(parent, ahead)), 'partitions of coming days exist');
  }
  assert.equal(await count('SELECT count(*) FROM webhook_delivery_rest'), 0, 'the rest is empty');
  // Deliveries that waited for so long are still sent.
  await engine();
  await drained();
  assert.equal(world.receiver.received.length, 3);
});

test('rows before the creation of their day go to the default partition and move afterwards, with 10 concurrent workers', async () => {
  const one = await endpoint('early');
  await world.chancery.pool.query(`DROP TABLE ${tableOf('delivery', 0)}, ${tableOf('attempt', 0)}`).catch(() => undefined);
  await enqueue(one, 20);
  assert.equal(await count('SELECT count(*) FROM webhook_delivery_rest'), 20);
  await Promise.all(Array.from({ length: 10 }, () => makeLogDays(world.chancery.database, new Date())));
  assert.equal(await count('SELECT count(*) FROM webhook_delivery_rest'), 0);
  assert.equal(await count(`SELECT count(*) FROM ${tableOf('delivery', 0)}`), 20);
  await engine();
  await drained();
  assert.equal(await inStatus('delivered'), 20);
});

test('rows queued at the moment of the creation of their day find a partition: 50 concurrent, ten days in turn', async () => {
  const one = await endpoint('midnight');
  const many = testPool(world.chancery.databaseUrl, 25);
  try {
    for (let age = 200; age < 210; age += 1) {
      const day = new Date(Date.now() - age * dayMs).toISOString().slice(0, 10);
      const queued = Array.from({ length: 50 }, () => queueEvents(many, { id: one.id, team: one.owner.team }, 1, { ageMs: age * dayMs }));
      await Promise.all([...queued, many.query('SELECT make_webhook_log_day($1)', [day])]);
      assert.equal(await count(`SELECT count(*) FROM ${tableOf('delivery', age)}`), 50, day);
    }
  } finally {
    await many.end();
  }
});

exhaustiveTest(
  'old days are dropped while deliveries run and the log is read: nothing is lost or repeated, and reads continue',
  async () => {
    const [old, busy] = [await endpoint('aged'), await endpoint('busy')];
    for (let age = 31; age < 37; age += 1) await enqueue(old, 300, age * dayMs);
    await world.chancery.pool.query(
      "UPDATE webhook_delivery SET status = CASE WHEN random() < 0.1 THEN 'failed' ELSE 'delivered' END WHERE endpoint_id = $1",
      [old.id],
    );
    await world.chancery.pool.query('DELETE FROM webhook_queue WHERE endpoint_id = $1', [old.id]);
    const failed = await inStatus('failed');
    await makeLogDays(world.chancery.database, new Date());
    await Promise.all([engine({ timeoutMs: 15_000, leaseSeconds: 30 }), engine({ timeoutMs: 15_000, leaseSeconds: 30 })]);
    let dropping = true;
    let reads = 0;
    const reading = (async () => {
      while (dropping) {
        const answer = await world.chancery.call('GET', `/api/v1/webhooks/${old.id}/deliveries?limit=50`, { token: old.owner.token });
        assert.equal(answer.status, 200);
        reads += 1;
      }
    })();
    const feeding = (async () => {
      for (let n = 0; n < 20; n += 1) {
        await enqueue(busy, 20);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();
    await dropOldDeliveries(world.chancery.database, new Date());
    await feeding;
    dropping = false;
    await reading;
    await drained();
    assert.deepEqual([await inStatus('failed'), await inStatus('delivered')], [failed, 400]);
    assert.equal(new Set(world.receiver.received.map(({ event }) => event.id)).size, 400);
    assert.equal(world.receiver.received.length, 400);
    assert.ok(reads > 0);
  },
);

test('only background work creates and drops days', async () => {
  for (const call of ["make_webhook_log_day('2026-01-01')", "thin_webhook_log_day('2026-01-01', true)", 'webhook_log_days_before(now())']) {
    await assert.rejects(
      world.chancery.database.withoutTeam((tx) => tx.query({ compile: () => ({ sql: `SELECT ${call}`, parameters: [] }) } as never)),
      /permission denied/,
    );
  }
});

test('an engine whose lease is not longer than its deadline does not start', async () => {
  await assert.rejects(engine({ leaseSeconds: 1, timeoutMs: 1_000 }), /lease/);
});

test('a worker whose clock is ten minutes off sends nothing and counts no attempt; with a correct clock it continues', async () => {
  const one = await endpoint('skewed');
  await enqueue(one, 5);
  const untouched = async () =>
    (await world.chancery.pool.query('SELECT count(*)::int AS n FROM webhook_queue WHERE attempts = 0 AND lease_until IS NULL')).rows[0].n;
  const right = Date.now();
  try {
    mock.timers.enable({ apis: ['Date'], now: right + 600_000 });
    const first = countPasses();
    const { stop } = await engine({ onPass: first.onPass });
    await first.more(1);
    await stop();
    assert.deepEqual([world.receiver.received.length, await untouched()], [0, 5], 'ahead');
    mock.timers.setTime(right - 600_000);
    const second = countPasses();
    await engine({ onPass: second.onPass });
    await second.more(1);
    await eventually('its claims are released', async () => (await untouched()) === 5);
    assert.equal(world.receiver.received.length, 0, 'behind');
  } finally {
    mock.timers.reset();
  }
  await eventually('what waited', () => world.receiver.received.length === 5);
  await drained();
  const { rows } = await world.chancery.pool.query('SELECT DISTINCT status, attempts FROM webhook_delivery');
  assert.deepEqual(rows, [{ status: 'delivered', attempts: 1 }]);
});

test('a clock that is a few seconds off still sends, and only the database clock decides when deliveries are due', async () => {
  const one = await endpoint('drifting');
  await enqueue(one, 3);
  await world.chancery.pool.query("UPDATE webhook_queue SET next_at = now() + interval '15 seconds'");
  try {
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 20_000 });
    const passes = countPasses();
    await engine({ onPass: passes.onPass });
    await passes.more();
    assert.equal(world.receiver.received.length, 0, 'not due by the database’s clock');
    await world.chancery.pool.query('UPDATE webhook_queue SET next_at = now()');
    await eventually('the deliveries', () => world.receiver.received.length === 3);
  } finally {
    mock.timers.reset();
  }
});

test('deliveries of a suspended team wait until it is restored, and those of other teams continue', async () => {
  const [one, other] = [await endpoint('suspended'), await endpoint('beside')];
  const setTeamStatus = (status: string) =>
    world.chancery.pool.query('UPDATE team SET status = $2 WHERE team_id = $1', [one.owner.team, status]);
  await setTeamStatus('suspended');
  await Promise.all([enqueue(one, 20), enqueue(other, 20)]);
  await engine();
  await eventually('the other team’s', async () => (await waiting()) === 20);
  assert.equal(world.receiver.at('/suspended').length, 0);
  await setTeamStatus('active');
  await drained();
  assert.equal(world.receiver.at('/suspended').length, 20);
});
