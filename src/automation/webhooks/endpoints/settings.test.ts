import assert from 'node:assert/strict';
import { createPublicKey, verify as verifyBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type Chancery, sharedChancery, type User } from '../../../../test/harness.ts';
import { eventually, ok, type Receiver, startReceiver } from '../../../../test/webhook-receiver.ts';

const path = '/api/v1/webhooks';
let chancery: Chancery;
let receiver: Receiver;

before(async () => {
  [chancery, receiver] = await Promise.all([sharedChancery('all'), startReceiver()]);
  // A second worker: limits apply across all nodes.
  await chancery.node('worker');
});
after(async () => {
  await receiver.close();
});

async function endpoint(place: string, events = ['folder.created'], by?: User) {
  const owner = by ?? (await chancery.team()).owner;
  const body = { name: place, url: `${receiver.url}/${place}`, events };
  const { body: made } = await chancery.call('POST', `${path}/`, { token: owner.token, body });
  const call = (method: string, rest: string, options: object = {}) =>
    chancery.call(method, `${path}/${made.id}${rest}`, { token: owner.token, ...options });
  const arrived = (count = 1) => eventually(`${count} at ${place}`, () => receiver.at(`/${place}`)[count - 1]);
  return { owner, id: made.id as string, secret: made.secret as string, call, arrived };
}

test('settings start empty, change only as given, and null restores a default', async () => {
  const { call } = await endpoint('plain');
  const first = await call('GET', '/settings');
  assert.deepEqual(first.body, { headers: {}, signing: 'hmac' });
  const all = {
    headers: { 'X-Tenant': 'a', authorization: 'Bearer t0ken' },
    maxPerSecond: 5,
    description: 'Two\nlines',
    signing: 'ed25519',
  };
  const set = await call('PUT', '/settings', { body: all, headers: { 'if-match': first.headers.get('etag') } });
  assert.equal(set.status, 200, set.text);
  assert.deepEqual(set.body, all);
  const read = await call('GET', '/settings');
  assert.deepEqual(read.body, all);
  assert.equal(read.headers.get('etag'), set.headers.get('etag'));
  const part = await call('PUT', '/settings', { body: { maxPerSecond: null, headers: { 'x-other': 'b' } } });
  assert.deepEqual(part.body, { headers: { 'x-other': 'b' }, description: 'Two\nlines', signing: 'ed25519' });
  const back = await call('PUT', '/settings', { body: { headers: null, description: null, signing: null } });
  assert.deepEqual(back.body, { headers: {}, signing: 'hmac' });
  const stale = await call('PUT', '/settings', { body: { description: 'x' }, headers: { 'if-match': '"1"' } });
  assert.equal(stale.status, 412);
  const versionOf = (answer: { headers: Headers }) => /^"(\d+)-/.exec(answer.headers.get('etag') ?? '')?.[1];
  assert.equal(versionOf(await call('GET', '')), versionOf(back), 'the endpoint and its settings share one version');
});

test('an invalid setting is a 400 that points at the member, and changes nothing', async () => {
  const { call } = await endpoint('refused');
  const bodies: [object, string][] = [
    [{}, ''],
    [{ maxPerSecond: 5, unknown: 1 }, '/unknown'],
    [{ foo: 1 }, '/foo'],
    [{ maxPerSecond: 0 }, '/maxPerSecond'],
    [{ maxPerSecond: 1.5 }, '/maxPerSecond'],
    [{ maxPerSecond: 1_001 }, '/maxPerSecond'],
    [{ maxPerSecond: '5' }, '/maxPerSecond'],
    [{ signing: 'rsa' }, '/signing'],
    [{ description: 'x'.repeat(1_001) }, '/description'],
    [{ description: 'a\0b' }, '/description'],
    [{ headers: { 'x-a': 5 } }, '/headers/x-a'],
    [{ headers: { 'x-a': 'line\r\nbreak: yes' } }, '/headers/x-a'],
    [{ headers: { 'x-a': ' padded' } }, '/headers/x-a'],
    [{ headers: { 'x-a': '' } }, '/headers/x-a'],
    [{ headers: { 'x-a': 'ü' } }, '/headers/x-a'],
    [{ headers: { 'X-A': '1', 'x-a': '2' } }, '/headers/x-a'],
    [{ headers: { 'x a': '1' } }, '/headers/x a'],
    [{ headers: { 'x/~a': '1' } }, '/headers/x~1~0a'],
    [{ headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, '1'])) }, '/headers'],
    [{ headers: { 'x-long': 'y'.repeat(4_096) } }, '/headers'],
  ];
  const forbidden = [
    'Host',
    'content-length',
    'Transfer-Encoding',
    'connection',
    'content-type',
    'X-Service-Signature',
    'webhook-id',
  ].concat([
    'X-Forwarded-For',
    'Proxy-Authorization',
    'Metadata-Flavor',
    'X-aws-ec2-metadata-token',
    'user-agent',
    'expect',
    'te',
    'upgrade',
  ]);
  for (const name of forbidden) bodies.push([{ headers: { [name]: 'x' } }, `/headers/${name}`]);
  for (const [body, pointer] of bodies) {
    const answer = await call('PUT', '/settings', { body });
    assert.deepEqual([answer.status, answer.body.code], [400, 'validation_failed'], JSON.stringify(body));
    assert.equal(answer.body.errors[0].pointer, pointer, JSON.stringify(body));
  }
  const secretish = await call('PUT', '/settings', { body: { headers: { 'x-key': 'hunter2\n' } } });
  assert.ok(!secretish.text.includes('hunter2'), 'an error repeats no header value');
  assert.deepEqual((await call('GET', '/settings')).body, { headers: {}, signing: 'hmac' });
});

test('header values are visible to callers with write access, encrypted at rest, and absent from the journal', async () => {
  const { owner, id, call } = await endpoint('hidden');
  await call('PUT', '/settings', { body: { headers: { 'x-api-key': 'k3y-value' } } });
  // A client without write access sees only the header names of its own endpoint.
  const client = await chancery.client(owner, ['webhooks:read', 'webhooks:write']);
  await chancery.pool.query('UPDATE webhook_endpoint SET client_id = $1 WHERE id = $2', [client.id, id]);
  await chancery.call('PATCH', `/api/v1/security/clients/${client.id}`, { token: owner.token, body: { scopes: ['webhooks:read'] } });
  const seen = await chancery.call('GET', `${path}/${id}/settings`, { token: client.token });
  assert.deepEqual(seen.body.headers, { 'x-api-key': '[redacted]' });
  const refused = await chancery.call('PUT', `${path}/${id}/settings`, { token: client.token, body: { maxPerSecond: 1 } });
  assert.equal(refused.body.code, 'insufficient_scope');
  const { rows } = await chancery.pool.query('SELECT headers FROM webhook_endpoint WHERE id = $1', [id]);
  assert.ok(!rows[0].headers.includes('k3y-value'));
  const { rows: entries } = await chancery.pool.query(
    "SELECT type, data FROM audit_entry WHERE target_id = $1 AND type = 'webhook.endpoint.settings_changed'",
    [id],
  );
  assert.deepEqual(entries, [{ type: 'webhook.endpoint.settings_changed', data: { changed: ['headers'], headerNames: ['x-api-key'] } }]);
  await call('DELETE', '');
  assert.equal((await chancery.pool.query('SELECT headers FROM webhook_endpoint WHERE id = $1', [id])).rows[0].headers, null);
  assert.equal((await call('GET', '/settings')).status, 404);
});

test('custom headers are sent with each delivery and never replace those of the service', async () => {
  const { owner, secret, call, arrived } = await endpoint('headed');
  await call('PUT', '/settings', { body: { headers: { Authorization: 'Bearer abc', 'X-Tenant': 'seven' } } });
  await chancery.folder(owner);
  const got = await arrived();
  assert.deepEqual([got.headers.authorization, got.headers['x-tenant']], ['Bearer abc', 'seven']);
  assert.equal(got.headers['content-type'], 'application/json');
  assert.ok(receiver.verifies(got, secret));
});

test('ed25519 adds a v1a signature that verifies with the published key; the others stay', async () => {
  const { owner, secret, call, arrived } = await endpoint('asymmetric');
  await call('PUT', '/settings', { body: { signing: 'ed25519' } });
  await chancery.folder(owner);
  const got = await arrived();
  const signatures = String(got.headers['webhook-signature']).split(' ');
  assert.deepEqual(
    signatures.map((one) => one.split(',')[0]),
    ['v1', 'v1a'],
  );
  const { body: published } = await chancery.call('GET', '/.well-known/webhook-jwks.json');
  assert.deepEqual(Object.keys(published.keys[0]).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  const key = createPublicKey({ key: published.keys[0], format: 'jwk' });
  const content = Buffer.concat([Buffer.from(`${got.event.id}.${String(got.headers['webhook-timestamp'])}.`), got.body]);
  const signature = Buffer.from(signatures[1]?.slice(4) ?? '', 'base64');
  assert.ok(verifyBytes(null, content, key, signature));
  assert.ok(!verifyBytes(null, Buffer.concat([content, Buffer.of(32)]), key, signature));
  assert.ok(receiver.verifies(got, secret));
  assert.ok(new Webhook(secret).verify(got.body.toString(), got.headers as Record<string, string>), 'public libraries pass over it');
  const { body: access } = await chancery.call('GET', '/.well-known/jwks.json');
  assert.ok(!JSON.stringify(access).includes(published.keys[0].x), 'it is no key of another purpose');
});

test('maxPerSecond applies across two workers and delays no other endpoint', async () => {
  const limit = 20;
  const times: number[] = [];
  receiver.answer = (response, { path: place }) => {
    if (place === '/paced') times.push(performance.now());
    ok(response);
  };
  const { owner, call } = await endpoint('paced');
  const free = await endpoint('free', ['folder.created'], owner);
  await call('PUT', '/settings', { body: { maxPerSecond: limit } });
  const from = performance.now();
  await Promise.all(Array.from({ length: 70 }, () => chancery.folder(owner)));
  await free.arrived(70);
  assert.ok(times.length < 70, 'the other endpoint has all of its own before');
  await eventually('the paced ones', () => times.length === 70);
  // A burst may be sent at once, the others not faster than the limit. Late ones may arrive together.
  for (const [place, at] of times.entries())
    assert.ok(at - from >= ((place + 1 - 2 * limit) / limit) * 1_000, `${place + 1} after ${at - from} ms at ${limit}/s`);
  await call('PUT', '/settings', { body: { maxPerSecond: null } });
  const sent = times.length;
  await Promise.all(Array.from({ length: 60 }, () => chancery.folder(owner)));
  await eventually('unpaced again', () => times.length === sent + 60);
  const { rows } = await chancery.pool.query('SELECT FROM webhook_rate_limit WHERE team_id = $1', [owner.team]);
  assert.deepEqual(rows, []);
  receiver.answer = ok;
});

test('an expunged payload is removed from every log and from waiting deliveries; statuses and attempts stay', async () => {
  const { owner, id, call, arrived } = await endpoint('erased');
  const other = await endpoint('waiting', ['folder.created'], owner);
  receiver.answer = (response, { path: place }) =>
    void (place === '/waiting' ? response.writeHead(503, { 'retry-after': '3600' }).end() : ok(response));
  await chancery.folder(owner, { name: 'Personal Name' });
  await arrived();
  const delivered = await eventually('delivered', async () => (await call('GET', '/deliveries?status=delivered')).body[0]);
  const waiting = await eventually('a failed attempt', async () =>
    (await other.call('GET', '/deliveries')).body.find((one: any) => one.attempts === 1),
  );
  assert.equal(delivered.payload.data.data.name, 'Personal Name');
  const gone = await call('DELETE', `/deliveries/${delivered.id}/payload`);
  assert.deepEqual([gone.status, gone.text], [204, '']);
  assert.equal((await call('DELETE', `/deliveries/${delivered.id}/payload`)).status, 204, 'again is no error');
  const read = (await call('GET', `/deliveries/${delivered.id}`)).body;
  assert.deepEqual(read, { ...delivered, payload: {} });
  assert.equal((await call('GET', `/deliveries/${delivered.id}/attempts`)).body.length, 1);
  const cancelled = (await other.call('GET', `/deliveries/${waiting.id}`)).body;
  assert.deepEqual([cancelled.status, cancelled.error, cancelled.payload, cancelled.attempts], ['cancelled', 'payload_expunged', {}, 1]);
  const { rows } = await chancery.pool.query('SELECT encode(body, $2) AS body FROM event WHERE id = $1', [delivered.eventId, 'escape']);
  assert.deepEqual(rows, [{ body: '' }]);
  receiver.answer = ok;
  const retried = await other.call('POST', `/deliveries/${waiting.id}/retry`);
  assert.deepEqual([retried.status, retried.body.code], [409, 'webhook_payload_deleted']);
  await chancery.pool.query("UPDATE webhook_delivery SET status = 'failed' WHERE id = $1", [waiting.id]);
  const late = await endpoint('late', ['folder.created'], owner);
  await chancery.pool.query("UPDATE webhook_endpoint SET created_at = now() - interval '1 hour' WHERE id = ANY($1)", [[late.id, other.id]]);
  for (const one of [other, late]) {
    const recovered = await one.call('POST', '/recover', { body: { since: '2020-01-01T00:00:00Z' } });
    assert.deepEqual(recovered.body, { failed: 0, missed: 0 }, 'nothing is sent without a payload');
  }
  const { owner: stranger } = await chancery.team();
  const refused = await chancery.call('DELETE', `${path}/${id}/deliveries/${delivered.id}/payload`, { token: stranger.token });
  assert.equal(refused.status, 404);
});

test('a queued delivery whose payload is expunged before it is sent ends without being sent', async () => {
  const { owner, call } = await endpoint('emptied');
  receiver.answer = (response, { path: place }) =>
    void (place === '/emptied' ? response.writeHead(503, { 'retry-after': '3600' }).end() : ok(response));
  await chancery.folder(owner);
  await eventually('a failed attempt', async () => (await call('GET', '/deliveries')).body[0]?.attempts === 1);
  receiver.answer = ok;
  await chancery.pool.query("UPDATE event SET body = '' WHERE team_id = $1", [owner.team]);
  await chancery.pool.query('UPDATE webhook_queue SET next_at = now() WHERE team_id = $1', [owner.team]);
  const ended = await eventually('the end', async () => (await call('GET', '/deliveries?status=failed')).body[0]);
  assert.equal(ended.error, 'payload_expunged');
  assert.equal(receiver.at('/emptied').length, 1);
});
