import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { enqueue as queueEvents } from '../../../../test/enqueue.ts';
import { openEngineWorld } from '../../../../test/engine-world.ts';
import type { User } from '../../../../test/harness.ts';
import { eventually, ok } from '../../../../test/webhook-receiver.ts';
import { loadMasterKey } from '../../../platform/crypto/master-key.ts';
import { retryDelivery } from '../deliveries/service.ts';
import { dropOldDeliveries } from '../deliveries/log-jobs.ts';
import { endpointSecrets } from '../endpoints/secrets.ts';
import { newSecret } from '../sending/signature.ts';

/* Effects of one team’s receivers, changes and backlogs on other teams and later settings. */

const world = openEngineWorld(['folder.updated']);
const { engine, enqueue } = world;

async function endpoint(place: string, owner?: User) {
  const made = await world.endpoint(place, owner);
  const call = (method: string, body?: object) =>
    world.chancery.call(method, `/api/v1/webhooks/${made.id}`, { token: made.owner.token, ...(body ? { body } : {}) });
  return { ...made, patch: (change: object) => call('PATCH', change), read: async () => (await call('GET')).body };
}

type Endpoint = Awaited<ReturnType<typeof endpoint>>;
const rowsOf = async (text: string, values: unknown[] = []) => (await world.chancery.pool.query(text, values)).rows;
const deliveriesOf = (one: Endpoint) =>
  rowsOf('SELECT status, error, attempts FROM webhook_delivery WHERE endpoint_id = $1 ORDER BY created_at, id', [one.id]);

/** A receiver that holds requests until it is released. The first response decides for all later ones. */
function holding(): { pending: ServerResponse[]; answer(status: number): void } {
  const pending: ServerResponse[] = [];
  world.receiver.answer = (response) => void pending.push(response);
  return {
    pending: pending,
    answer(status) {
      world.receiver.answer = (response) => void response.writeHead(status).end();
      for (const response of pending.splice(0)) response.writeHead(status).end();
    },
  };
}

test(
  'three teams whose endpoints respond forty times and then hang stay within their share, and another team’s events are delivered',
  { timeout: 600_000 },
  async () => {
    const owners = await Promise.all([1, 2, 3].map(async () => (await world.chancery.team()).owner));
    const bad = await Promise.all(owners.flatMap((owner, team) => Array.from({ length: 6 }, (_, n) => endpoint(`bad${team}-${n}`, owner))));
    const good = await endpoint('good');
    const answered = new Map<string, number>();
    let silent = 0;
    world.receiver.answer = (response, { path }) => {
      const earlier = answered.get(path) ?? 0;
      answered.set(path, earlier + 1);
      if (path === '/good' || earlier < 40) return ok(response);
      silent += 1;
      response.writeHead(200, { 'content-length': '100' }).write('x');
    };
    // No silent response ends during the test.
    await engine({ timeoutMs: 3_600_000, leaseSeconds: 7_200, maxInFlight: 60 });
    await Promise.all(bad.map((one) => enqueue(one, 150)));
    await eventually('their silence', () => silent >= 40);
    for (let n = 1; n <= 10; n += 1) {
      await enqueue(good, 1);
      await eventually('the good one', () => world.receiver.at('/good').length === n);
    }
    const leased = await rowsOf('SELECT team_id, count(*)::int AS n FROM webhook_queue WHERE lease_until > now() GROUP BY 1');
    assert.ok(
      leased.every(({ n }) => n <= 25),
      JSON.stringify(leased),
    );
  },
);

/** Endpoints of several teams, inserted as rows: creating them by the API would take longer than the test. */
async function manyEndpoints(many: number): Promise<{ team: string; id: string }[]> {
  const secrets = endpointSecrets(await loadMasterKey({ configured: world.chancery.masterKey, dataDir: '/nowhere', generate: 'never' }));
  const made = Array.from({ length: many }, () => ({ team: randomUUIDv7(), id: randomUUIDv7() }));
  await world.chancery.pool.query("INSERT INTO team (team_id, name) SELECT unnest($1::uuid[]), 'Many'", [made.map(({ team }) => team)]);
  await world.chancery.pool.query(
    `INSERT INTO webhook_endpoint (team_id, id, name, url, events, created_by, secret, created_at, updated_at)
     SELECT team, id, 'Many', $4, ARRAY['folder.updated'], team, secret, now(), now() FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS t(team, id, secret)`,
    [
      made.map(({ team }) => team),
      made.map(({ id }) => id),
      made.map(({ id }) => secrets.seal(id, newSecret())),
      `${world.receiver.url}/first`,
    ],
  );
  return made;
}

test('a backlog of first deliveries is as fast as alone while endpoints of one other team fail', async () => {
  const { owner } = await world.chancery.team();
  const failing = await Promise.all(Array.from({ length: 8 }, (_, n) => endpoint(`failing${n}`, owner)));
  const good = await manyEndpoints(400);
  world.receiver.answer = (response, { path }) =>
    path.startsWith('/failing') ? void response.writeHead(500).end() : void setTimeout(() => ok(response), 20);
  /** Milliseconds from the start of a worker until each endpoint had its first delivery. */
  const firstDeliveries = async (): Promise<number> => {
    const earlier = world.receiver.at('/first').length;
    for (const one of good) await queueEvents(world.chancery.pool, one, 1, { quietly: true });
    const at = performance.now();
    const { stop } = await engine({ schedule: [60_000], pollMs: 5_000 });
    await eventually('all first deliveries', () => world.receiver.at('/first').length === earlier + 400);
    const took = performance.now() - at;
    await stop();
    return took;
  };
  // The minimum of several alternating runs: other load on the machine only adds time.
  let [alone, beside] = [Infinity, Infinity];
  // On an idle machine both are about equal; a busy one needs some more time.
  const asAlone = () => beside < 3 * alone + 300;
  for (let tries = 0; tries < 4 && !asAlone(); tries += 1) {
    await world.chancery.pool.query('TRUNCATE webhook_queue, webhook_endpoint_state');
    alone = Math.min(alone, await firstDeliveries());
    await Promise.all(failing.map((one) => enqueue(one, 200, { ageMs: 60_000, maxAttempts: 10 })));
    beside = Math.min(beside, await firstDeliveries());
  }
  assert.ok(failing.every((_, n) => world.receiver.at(`/failing${n}`).length > 0));
  // Five every thirty milliseconds would take 2.4 seconds.
  assert.ok(asAlone(), `${Math.round(alone)} ms alone, ${Math.round(beside)} ms beside them`);
});

test('a 410 and failures of a previous URL do not disable or delay a changed endpoint, whose deliveries go to the new URL', async () => {
  for (const status of [410, 500]) {
    const one = await endpoint(`before${status}`);
    const hold = holding();
    const { stop } = await engine({ schedule: [60_000, 60_000], disableAfterSeconds: 0 });
    await enqueue(one, 1);
    await eventually('a send', () => hold.pending.length === 1);
    // Enough failures to disable it with the next one.
    await world.chancery.pool.query(
      "INSERT INTO webhook_endpoint_state VALUES ($1, $2, 30, now() - interval '9 days', NULL) ON CONFLICT DO NOTHING",
      [one.owner.team, one.id],
    );
    assert.equal((await one.patch({ url: `${world.receiver.url}/after${status}` })).status, 200);
    world.receiver.answer = ok;
    for (const response of hold.pending) response.writeHead(status).end();
    await eventually(`arrival at the new address after ${status}`, () => world.receiver.at(`/after${status}`).length === 1);
    await eventually('delivered', async () => (await deliveriesOf(one))[0].status === 'delivered');
    assert.deepEqual([(await one.read()).isActive, (await deliveriesOf(one))[0].attempts], [true, 2]);
    assert.deepEqual(await rowsOf('SELECT FROM webhook_endpoint_state WHERE endpoint_id = $1 AND consecutive_failures > 0', [one.id]), []);
    const attempts = await rowsOf('SELECT response_status FROM webhook_attempt WHERE endpoint_id = $1 ORDER BY attempt', [one.id]);
    assert.deepEqual(attempts, [{ response_status: status }, { response_status: 200 }], 'both attempts are in the log');
    await stop();
  }
});

test('the last attempt, rejected because of the previous secret, is not final after the secret changed', async () => {
  const one = await endpoint('rotated');
  const hold = holding();
  await engine({ schedule: [60_000] });
  await enqueue(one, 1, { maxAttempts: 1 });
  await eventually('a send', () => hold.pending.length === 1);
  await world.chancery.call('POST', `/api/v1/webhooks/${one.id}/rotate-secret`, {
    token: one.owner.token,
    body: { expirePreviousNow: true },
  });
  world.receiver.answer = ok;
  hold.pending[0]?.writeHead(401).end();
  await eventually('delivered', async () => (await deliveriesOf(one))[0].status === 'delivered');
  assert.deepEqual(await deliveriesOf(one), [{ status: 'delivered', error: null, attempts: 2 }]);
});

test('a success at the previous URL counts: the delivery is not sent again to the new one', async () => {
  const one = await endpoint('old-place');
  const hold = holding();
  await engine();
  await enqueue(one, 1);
  await eventually('a send', () => hold.pending.length === 1);
  await one.patch({ url: `${world.receiver.url}/new-place` });
  hold.answer(200);
  await eventually('delivered', async () => (await deliveriesOf(one))[0].status === 'delivered');
  assert.equal(world.receiver.at('/new-place').length, 0);
});

test('a delivery whose event is deleted ends as expunged, and later ones arrive', async () => {
  const one = await endpoint('gone');
  await enqueue(one, 1, { ageMs: 60_000 });
  await world.chancery.pool.query('DELETE FROM event e USING webhook_queue q WHERE q.event_id = e.id AND q.endpoint_id = $1', [one.id]);
  await enqueue(one, 6);
  await engine();
  await eventually('the others', () => world.receiver.at('/gone').length === 6);
  await eventually('an empty queue', async () => (await rowsOf('SELECT FROM webhook_queue')).length === 0);
  assert.deepEqual((await deliveriesOf(one))[0], { status: 'failed', error: 'payload_expunged', attempts: 1 });
});

/** Makes all queued deliveries of an endpoint fail in the past; returns their identifiers. */
async function failedLongAgo(one: Endpoint): Promise<string[]> {
  await world.chancery.pool.query("UPDATE webhook_delivery SET status = 'failed', attempts = 1 WHERE endpoint_id = $1", [one.id]);
  await world.chancery.pool.query('DELETE FROM webhook_queue WHERE endpoint_id = $1', [one.id]);
  await world.chancery.pool.query("UPDATE event SET created_at = now() - interval '91 days' WHERE team_id = $1 AND type = 'test.made'", [
    one.owner.team,
  ]);
  return (await rowsOf('SELECT id FROM webhook_delivery WHERE endpoint_id = $1', [one.id])).map(({ id }) => id);
}

test('a retry in progress locks its event against deletion for its age', async () => {
  const one = await endpoint('retried');
  await enqueue(one, 1);
  const [id = ''] = await failedLongAgo(one);
  await world.chancery.database.inTeam(one.owner.team, async (tx) => {
    const actor = { type: 'user', id: one.owner.id } as const;
    const scope = { db: tx, team: one.owner.team, actor, now: new Date(), requestId: 'retry', listeners: [] };
    await retryDelivery(scope, one.id, id, new Set());
    await dropOldDeliveries(world.chancery.database, new Date());
  });
  await engine();
  await eventually('the retried one', () => world.receiver.at('/retried').length === 1);
});

test('concurrent retries and deletions: accepted retries arrive, and others report the deleted payload', async () => {
  const one = await endpoint('raced');
  await enqueue(one, 50);
  const ids = await failedLongAgo(one);
  const retry = (id: string) =>
    world.chancery.call('POST', `/api/v1/webhooks/${one.id}/deliveries/${id}/retry`, { token: one.owner.token });
  const [, ...answers] = await Promise.all([dropOldDeliveries(world.chancery.database, new Date()), ...ids.map(retry)]);
  const taken = answers.filter(({ status }) => status === 200).length;
  const odd = answers.filter(({ status, body }) => status !== 200 && body.code !== 'webhook_payload_deleted');
  assert.deepEqual(odd, []);
  await engine();
  await eventually('an empty queue', async () => (await rowsOf('SELECT FROM webhook_queue')).length === 0);
  assert.equal(world.receiver.at('/raced').length, taken);
});

test('a delivery whose result cannot be written delays no other, and is left to its lease', async () => {
  const [odd, ...good] = await Promise.all(Array.from({ length: 6 }, (_, n) => endpoint(`written${n}`)));
  assert.ok(odd);
  await world.chancery.pool.query(`
    CREATE FUNCTION refuse_attempt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not this one'; END $$;
    CREATE TRIGGER refuse_attempt BEFORE INSERT ON webhook_attempt FOR EACH ROW WHEN (NEW.endpoint_id = '${odd.id}') EXECUTE FUNCTION refuse_attempt()`);
  try {
    await engine();
    await Promise.all([odd, ...good].map((one) => enqueue(one, 5)));
    for (const one of good)
      await eventually('the others', async () => (await deliveriesOf(one)).every(({ status }) => status === 'delivered'));
    assert.deepEqual(new Set((await deliveriesOf(odd)).map(({ status }) => status)), new Set(['pending']));
  } finally {
    await world.chancery.pool.query('DROP TRIGGER refuse_attempt ON webhook_attempt; DROP FUNCTION refuse_attempt');
  }
  await world.chancery.pool.query("UPDATE webhook_queue SET lease_until = now() - interval '1 second'");
  await eventually('the odd one', async () => (await deliveriesOf(odd)).every(({ status }) => status === 'delivered'));
});
