import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type Chancery, startChancery, type User } from '../../../../test/harness.ts';
import { eventually, ok, type Receiver, startReceiver } from '../../../../test/webhook-receiver.ts';

const path = '/api/v1/webhooks';
let chancery: Chancery;
let receiver: Receiver;

before(async () => {
  [chancery, receiver] = await Promise.all([startChancery(), startReceiver()]);
});
after(async () => {
  await chancery.stop();
  await receiver.close();
});

/** Creates a team with one endpoint at `/<place>`. */
async function endpoint(place: string, events: string[] = ['folder.*'], by?: User) {
  const owner = by ?? (await chancery.team()).owner;
  const body = { name: place, url: `${receiver.url}/${place}`, events };
  const made = await chancery.call('POST', `${path}/`, { token: owner.token, body });
  assert.equal(made.status, 201, made.text);
  const call = (method: string, rest: string, options: object = {}) =>
    chancery.call(method, `${path}/${made.body.id}${rest}`, { token: owner.token, ...options });
  const log = async (query = '') => (await call('GET', `/deliveries${query}`)).body;
  const settled = (status: string) =>
    eventually(`a ${status} delivery`, async () => (await log()).find((one: any) => one.status === status));
  return { owner, secret: made.body.secret as string, id: made.body.id as string, call, log, settled };
}

test('an event arrives signed over its raw bytes, verifies by both schemes, and is logged as delivered', async () => {
  const { owner, secret, id, settled, call } = await endpoint('signed');
  const folder = await chancery.folder(owner, { name: 'Ünïcode “Ordner”' });
  const delivery = await settled('delivered');
  const [got] = receiver.at('/signed');
  assert.ok(got);
  assert.ok(receiver.verifies(got, secret));
  assert.ok(!receiver.verifies(got, `${secret}x`));
  assert.ok(!receiver.verifies({ ...got, body: Buffer.concat([got.body, Buffer.from(' ')]) }, secret));
  assert.deepEqual(new Webhook(secret).verify(got.body.toString(), got.headers as Record<string, string>), got.event);
  assert.deepEqual(got.event, {
    id: got.headers['x-service-event-id'],
    type: 'folder.created',
    teamId: owner.team,
    timestamp: got.event.timestamp,
    data: { folderId: folder.id, teamId: owner.team, data: { name: 'Ünïcode “Ordner”' } },
  });
  assert.equal(got.headers['x-service-event-type'], 'folder.created');
  assert.match(String(got.headers['x-service-signature']), /^v1=[0-9a-f]{64}$/);
  assert.equal(got.headers['x-service-signature-previous'], undefined);
  assert.deepEqual(Object.keys(delivery).toSorted(), [
    'attempts',
    'createdAt',
    'deliveredAt',
    'endpointId',
    'eventId',
    'eventType',
    'id',
    'lastAttemptAt',
    'maxAttempts',
    'payload',
    'responseStatus',
    'status',
    'teamId',
  ]);
  assert.deepEqual(
    [delivery.endpointId, delivery.attempts, delivery.maxAttempts, delivery.responseStatus, delivery.eventId],
    [id, 1, 3, 200, got.event.id],
  );
  assert.deepEqual(delivery.payload, got.event);
  assert.deepEqual((await call('GET', `/deliveries/${delivery.id}`)).body, delivery);
});

test('a failing receiver is retried with the same event and a new time until it succeeds; each attempt is logged', async () => {
  const { owner, secret, call, settled } = await endpoint('flaky');
  let tries = 0;
  receiver.answer = (response, { path: place }) => {
    if (place !== '/flaky') return ok(response);
    tries += 1;
    if (tries === 3) return ok(response);
    response.writeHead(500, { 'set-cookie': 'session=secret', 'x-trace': 'abc' }).end(Buffer.from(`broken \0 ${'€'.repeat(9_000)}`));
  };
  await chancery.folder(owner);
  const delivery = await settled('delivered');
  const got = receiver.at('/flaky');
  assert.equal(got.length, 3);
  assert.equal(new Set(got.map(({ headers }) => headers['x-service-event-id'])).size, 1);
  assert.ok(got.every((one) => receiver.verifies(one, secret)));
  assert.ok(!('error' in delivery) && !('nextRetryAt' in delivery), 'success leaves no error behind');
  const { body: attempts } = await call('GET', `/deliveries/${delivery.id}/attempts`);
  assert.deepEqual(
    attempts.map((one: any) => [one.attempt, one.responseStatus, one.error]),
    [
      [1, 500, 'http_status'],
      [2, 500, 'http_status'],
      [3, 200, undefined],
    ],
  );
  assert.equal(attempts[0].responseHeaders['x-trace'], 'abc');
  assert.ok(!JSON.stringify(attempts).includes('session=secret'));
  assert.ok(Buffer.byteLength(attempts[0].responseBody) <= 16 * 1024 + 3);
  receiver.answer = ok;
});

test('after all attempts the delivery is failed with the reason; a manual retry sends it again', async () => {
  const { owner, call, settled, log } = await endpoint('down');
  receiver.answer = (response, { path: place }) =>
    void (place === '/down' ? response.writeHead(302, { location: '/elsewhere' }).end() : ok(response));
  await chancery.folder(owner);
  const failed = await settled('failed');
  assert.deepEqual([failed.attempts, failed.maxAttempts, failed.responseStatus, failed.error], [3, 3, 302, 'redirect_not_followed']);
  assert.ok(!('nextRetryAt' in failed) && !('deliveredAt' in failed));
  assert.equal(receiver.at('/elsewhere').length, 0);
  receiver.answer = ok;
  const retried = await call('POST', `/deliveries/${failed.id}/retry`);
  assert.equal(retried.status, 200);
  assert.deepEqual([retried.body.status, retried.body.maxAttempts], ['pending', 4]);
  const delivered = await settled('delivered');
  assert.deepEqual([delivered.id, delivered.eventId, delivered.attempts], [failed.id, failed.eventId, 4]);
  const again = await call('POST', `/deliveries/${failed.id}/retry`);
  assert.equal(again.status, 409);
  assert.equal(again.body.code, 'webhook_delivery_not_retryable');
  assert.equal((await log()).length, 1);
});

test('410 ends the delivery at once, disables the endpoint, and notifies the team’s other endpoints and its owner', async () => {
  const gone = await endpoint('gone', ['folder.created']);
  await endpoint('watcher', ['webhook.endpoint.disabled'], gone.owner);
  receiver.answer = (response, { path: place }) => void (place === '/gone' ? response.writeHead(410).end() : ok(response));
  await chancery.folder(gone.owner);
  const failed = await gone.settled('failed');
  assert.deepEqual([failed.attempts, failed.error], [1, 'endpoint_gone']);
  const [received] = await eventually('the event', () => (receiver.at('/watcher').length > 0 ? receiver.at('/watcher') : undefined));
  assert.deepEqual(received?.event.data, { endpointId: gone.id, teamId: gone.owner.team, data: { name: 'gone', reason: 'gone' } });
  assert.equal((await gone.call('GET', '')).body.isActive, false);
  const { rows } = await chancery.pool.query('SELECT subject FROM mail_message WHERE recipient = $1', [gone.owner.email]);
  assert.equal(rows.length, 1);
  const { rows: audit } = await chancery.pool.query(
    "SELECT actor_type FROM audit_entry WHERE type = 'webhook.endpoint.disabled' AND target_id = $1",
    [gone.id],
  );
  assert.deepEqual(audit, [{ actor_type: 'system' }]);
  receiver.answer = ok;
});

test('an event goes to its type, its families and *, once each, and to no other endpoint or team', async () => {
  const { owner } = await chancery.team();
  const exact = await endpoint('exact', ['folder.created', 'folder.created'], owner);
  const family = await endpoint('family', ['folder.*', 'folder.created', '*'], owner);
  const all = await endpoint('all', ['*'], owner);
  const other = await endpoint('other', ['document.*', 'task.*'], owner);
  const stranger = await endpoint('stranger', ['*']);
  const folder = await chancery.folder(owner);
  await chancery.call('PUT', `/api/v1/smartdoc/folders/${folder.id}`, { token: owner.token, body: { name: 'Renamed' } });
  await eventually(
    'deliveries',
    () => receiver.at('/all').length >= 2 && receiver.at('/family').length >= 2 && receiver.at('/exact').length >= 1,
  );
  const types = async (one: typeof exact) => (await one.log()).map((delivery: any) => delivery.eventType).toSorted();
  assert.deepEqual(await types(exact), ['folder.created']);
  assert.deepEqual(await types(family), ['folder.created', 'folder.updated']);
  assert.deepEqual(await types(all), ['folder.created', 'folder.updated']);
  assert.deepEqual(await types(other), []);
  assert.deepEqual(await types(stranger), []);
  assert.equal(receiver.at('/all')[0]?.event.id, receiver.at('/family')[0]?.event.id);
});

test('a rolled-back action leaves no event and no delivery', async () => {
  const { owner, log } = await endpoint('undone', ['*']);
  await chancery.folder(owner, { name: 'Same' });
  assert.equal((await chancery.call('POST', '/api/v1/smartdoc/folders/', { token: owner.token, body: { name: 'same' } })).status, 409);
  assert.equal((await log()).length, 1);
});

test('an inactive endpoint gets no new events and keeps waiting deliveries; after reactivation they are sent', async () => {
  const { owner, call, log, settled } = await endpoint('held', ['folder.created']);
  receiver.answer = (response, { path: place }) =>
    void (place === '/held' ? response.writeHead(503, { 'retry-after': '1' }).end() : ok(response));
  await chancery.folder(owner);
  await eventually('a first attempt', async () => (await log())[0]?.attempts === 1);
  const [waiting] = await log('?status=pending');
  assert.ok(Date.parse(waiting.nextRetryAt) - Date.parse(waiting.lastAttemptAt) >= 1_000, 'Retry-After is honoured');
  await call('PATCH', '', { body: { isActive: false } });
  await chancery.folder(owner);
  for (const rest of ['/test', `/deliveries/${waiting.id}/retry`]) {
    const refused = await call('POST', rest);
    assert.equal(refused.body.code, 'webhook_endpoint_inactive', rest);
  }
  receiver.answer = ok;
  const sent = receiver.at('/held').length;
  // It would be due. The delivery to another endpoint of the team shows that the team’s queue was read.
  await chancery.pool.query('UPDATE webhook_queue SET next_at = now() WHERE team_id = $1', [owner.team]);
  await endpoint('beside', ['document.created'], owner);
  await chancery.document(owner);
  await eventually('the other endpoint has its own', () => receiver.at('/beside').length === 1);
  assert.equal(receiver.at('/held').length, sent, 'nothing is sent meanwhile');
  assert.deepEqual(
    (await log()).map((one: any) => one.status),
    ['pending'],
  );
  await call('PATCH', '', { body: { isActive: true } });
  assert.equal((await settled('delivered')).id, waiting.id);
  const recovered = await call('POST', '/recover', { body: { since: '2020-01-01T00:00:00Z' } });
  assert.deepEqual(recovered.body, { failed: 0, missed: 1 });
  await eventually('the missed event', async () => (await log('?status=delivered')).length === 2);
  assert.deepEqual((await call('POST', '/recover', { body: { since: '2020-01-01T00:00:00Z' } })).body, { failed: 0, missed: 0 });
  assert.equal((await call('POST', '/recover', { body: { since: '2999-01-01T00:00:00Z' } })).status, 400);
  // Invalid times for the service, although calendars and offsets of this form may exist.
  for (const since of ['2026-06-30T23:59:60Z', '2026-01-01T00:00:00+01']) {
    const { status, body } = await call('POST', '/recover', { body: { since }, unchecked: true });
    assert.deepEqual([status, body.code], [400, 'validation_failed'], since);
  }
});

test('deletion cancels waiting deliveries, and a send in flight changes nothing afterwards', async () => {
  const { owner, id, call } = await endpoint('deleted', ['folder.created']);
  let finish: (() => void) | undefined;
  receiver.answer = (response, { path: place }) => {
    if (place === '/deleted') finish = () => ok(response);
    else ok(response);
  };
  await chancery.folder(owner);
  const answer = await eventually('a send under way', () => finish);
  assert.equal((await call('DELETE', '')).status, 204);
  const state = async () => (await chancery.pool.query('SELECT status FROM webhook_delivery WHERE endpoint_id = $1', [id])).rows;
  assert.deepEqual(await state(), [{ status: 'cancelled' }]);
  answer();
  await eventually(
    'the attempt in the log',
    async () => (await chancery.pool.query('SELECT FROM webhook_attempt WHERE endpoint_id = $1', [id])).rowCount,
  );
  assert.deepEqual(await state(), [{ status: 'cancelled' }]);
  assert.equal((await chancery.pool.query('SELECT FROM webhook_queue WHERE endpoint_id = $1', [id])).rowCount, 0);
  receiver.answer = ok;
});

test('after a rotation the one signature is by the new secret, and a second header has that of the old one', async () => {
  const { owner, secret, call } = await endpoint('rotated', ['folder.created']);
  const { body: rotated } = await call('POST', '/rotate-secret');
  await chancery.folder(owner);
  const [first] = await eventually('the delivery', () => (receiver.at('/rotated').length > 0 ? receiver.at('/rotated') : undefined));
  assert.ok(first);
  assert.ok(receiver.verifies(first, rotated.secret) && receiver.verifies(first, secret));
  assert.match(String(first.headers['x-service-signature']), /^v1=[0-9a-f]{64}$/);
  assert.equal(String(first.headers['webhook-signature']).split(' ').length, 2);
  assert.ok(new Webhook(secret).verify(first.body.toString(), first.headers as Record<string, string>));
  const { body: emergency } = await call('POST', '/rotate-secret', { body: { expirePreviousNow: true } });
  await chancery.folder(owner);
  const second = await eventually('the next delivery', () => receiver.at('/rotated')[1]);
  assert.ok(receiver.verifies(second, emergency.secret));
  assert.ok(!receiver.verifies(second, rotated.secret) && !receiver.verifies(second, secret));
  assert.equal(second.headers['x-service-signature-previous'], undefined);
});

test('a test event goes to one endpoint, regardless of its subscriptions', async () => {
  const tested = await endpoint('tested', ['document.created']);
  const bystander = await endpoint('bystander', ['*'], tested.owner);
  const made = await tested.call('POST', '/test');
  assert.equal(made.status, 201);
  assert.deepEqual([made.body.eventType, made.body.status, made.body.endpointId], ['webhook.test', 'pending', tested.id]);
  assert.equal(made.headers.get('location'), `${path}/${tested.id}/deliveries/${made.body.id}`);
  assert.equal((await tested.settled('delivered')).id, made.body.id);
  assert.equal(receiver.at('/tested').length, 1);
  assert.deepEqual(await bystander.log(), []);
});

test('the log is filtered by status and type and paged newest first without gaps or repeats', async () => {
  const { owner, call, log } = await endpoint('paged', ['folder.*']);
  const folders = await Promise.all(Array.from({ length: 25 }, () => chancery.folder(owner)));
  await Promise.all(
    folders.slice(0, 5).map((folder) => chancery.call('DELETE', `/api/v1/smartdoc/folders/${folder.id}`, { token: owner.token })),
  );
  await eventually('all delivered', async () => (await log('?status=delivered')).length === 30);
  assert.equal((await log('?eventType=folder.deleted')).length, 5);
  assert.equal((await log('?eventType=folder.deleted&status=delivered&limit=2')).length, 2);
  for (const status of ['pending', 'failed', 'cancelled']) assert.deepEqual(await log(`?status=${status}`), []);
  const ids: string[] = [];
  for (let query = '?limit=7'; query !== '';) {
    const page = await call('GET', `/deliveries${query}`);
    ids.push(...page.body.map((one: any) => one.id));
    await chancery.folder(owner);
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    query = next === undefined ? '' : new URL(next).search;
  }
  assert.equal(ids.length, 30);
  assert.deepEqual(ids, [...new Set(ids)].toSorted().toReversed());
  for (const query of ['?limit=0', '?limit=1001', '?status=unknown', '?cursor=bad']) {
    assert.equal((await call('GET', `/deliveries${query}`)).status, 400, query);
  }
});

test('an unreachable receiver fails with a stable code and no status', async () => {
  const closed = await startReceiver();
  await closed.close();
  const { owner, call, settled } = await endpoint('unreachable', ['folder.created']);
  await call('PATCH', '', { body: { url: closed.url } });
  await chancery.folder(owner);
  const failed = await settled('failed');
  assert.equal(failed.error, 'connection_refused');
  assert.ok(!('responseStatus' in failed));
  const recovered = await call('POST', '/recover', { body: { since: failed.createdAt } });
  assert.deepEqual(recovered.body, { failed: 1, missed: 0 });
});
