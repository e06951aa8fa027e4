import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openApi } from '@chancery/client';
import { type Chancery, sharedChancery, type User } from '../../../../test/harness.ts';

const path = '/api/v1/webhooks';
const example = { name: 'Accounting', url: 'https://receiver.example/hook', events: ['task.created'] };
let chancery: Chancery;
let owner: User;

before(async () => {
  chancery = await sharedChancery();
  ({ owner } = await chancery.team());
});

const create = (members: object = {}, by = owner) =>
  chancery.call('POST', `${path}/`, { token: by.token, body: { ...example, ...members } });
const call = (method: string, rest: string, options: object = {}) =>
  chancery.call(method, `${path}${rest}`, { token: owner.token, ...options });
const acts = async (target: string) =>
  (await chancery.pool.query('SELECT type FROM audit_entry WHERE target_id = $1 ORDER BY id', [target])).rows.map((row) => row.type);

test('an endpoint is registered with exactly its members, a secret shown once, a Location and an ETag', async () => {
  const made = await create();
  assert.equal(made.status, 201);
  assert.equal(made.headers.get('location'), `${path}/${made.body.id}`);
  assert.match(made.headers.get('etag') ?? '', /^"1-/);
  const { secret, ...rest } = made.body;
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(Object.keys(rest), ['id', 'name', 'url', 'events', 'isActive', 'teamId', 'createdBy', 'createdAt', 'updatedAt']);
  assert.deepEqual(
    { name: rest.name, url: rest.url, events: rest.events, isActive: rest.isActive, teamId: rest.teamId, createdBy: rest.createdBy },
    { ...example, isActive: true, teamId: owner.team, createdBy: owner.id },
  );
  assert.deepEqual((await call('GET', `/${made.body.id}`)).body, rest);
  const list = await call('GET', '/');
  assert.deepEqual(
    list.body.find((one: { id: string }) => one.id === made.body.id),
    rest,
  );
  assert.ok(!list.text.includes('whsec_'));
  assert.deepEqual(await acts(made.body.id), ['webhook.endpoint.created']);
  const { rows } = await chancery.pool.query('SELECT secret FROM webhook_endpoint WHERE id = $1', [made.body.id]);
  assert.ok(!rows[0].secret.includes(secret), 'the secret is encrypted at rest');
});

test('a body that does not fit is a 400 that points at the member', async () => {
  const bodies: [object, string][] = [
    [{ events: [] }, '/events'],
    [{ events: ['task.created', 'nodots'] }, '/events/1'],
    [{ events: ['task..created'] }, '/events/0'],
    [{ events: ['*.created'] }, '/events/0'],
    [{ events: Array.from({ length: 65 }, (_, index) => `a.b${index}`) }, '/events'],
    [{ events: 'task.created' }, '/events'],
    [{ name: '   ' }, '/name'],
    [{ name: 'x'.repeat(201) }, '/name'],
    [{ url: 'not a url' }, '/url'],
    [{ url: '/relative' }, '/url'],
    [{ url: undefined }, '/url'],
  ];
  for (const [members, pointer] of bodies) {
    const answer = await create(members);
    assert.equal(answer.status, 400, JSON.stringify(members));
    assert.equal(answer.body.code, 'validation_failed');
    assert.equal(answer.body.errors[0].pointer, pointer, JSON.stringify(members));
  }
});

test('a URL that cannot be a target is a 422 naming the rule', async () => {
  const rules: [string, string][] = [
    ['ftp://receiver.example/', 'https'],
    ['https://user:pass@receiver.example/', 'credentials'],
    ['https://receiver.example/#part', 'fragment'],
    ['https://169.254.169.254/latest', 'public_address'],
  ];
  for (const [url, rule] of rules) {
    const answer = await create({ url });
    assert.equal(answer.status, 422, url);
    assert.equal(answer.body.code, 'url_not_allowed');
    assert.equal(answer.body.errors[0].rule, rule, url);
  }
});

test('unknown event types are stored once each and named in a Warning header', async () => {
  const events = ['task.*', 'future.thing', 'future.*', 'future.thing', '*'];
  const made = await create({ events });
  assert.deepEqual(made.body.events, ['task.*', 'future.thing', 'future.*', '*']);
  assert.match(made.headers.get('warning') ?? '', /^299 - ".*future\.thing, future\.\*"$/);
  assert.equal((await create({ events: ['webhook.test', 'folder.*'] })).headers.get('warning'), null);
});

test('an event type close to a known one is rejected with that name; stored types stay', async () => {
  for (const [name, nearest] of [
    ['taks.*', 'task.*'],
    ['task.creatd', 'task.created'],
    ['workflow.step.activted', 'workflow.step.activated'],
  ] as const) {
    const { status, body } = await create({ events: ['task.created', name] });
    assert.deepEqual([status, body.code, body.errors[0].pointer], [422, 'webhook_event_not_found', '/events/1']);
    assert.ok(body.errors[0].reason.includes(`\`${nearest}\``), body.errors[0].reason);
  }
  const { body: made } = await create();
  await chancery.pool.query("UPDATE webhook_endpoint SET events = '{taks.*}' WHERE id = $1", [made.id]);
  assert.deepEqual((await call('PATCH', `/${made.id}`, { body: { events: ['taks.*', 'folder.*'] } })).body.events, ['taks.*', 'folder.*']);
  assert.equal((await call('PATCH', `/${made.id}`, { body: { events: ['floder.*'] } })).status, 422);
});

test('the TypeScript client shows the Warning header of a response', async () => {
  const shown: string[] = [];
  const credentials = { accessToken: () => Promise.resolve(owner.token), ended: () => undefined };
  const api = openApi(chancery.url, credentials, { warn: (warning) => shown.push(warning) });
  await api.POST('/api/v1/webhooks/', { body: { ...example, events: ['future.thing'] } });
  await api.GET('/api/v1/webhooks/');
  assert.deepEqual(shown, ['POST /api/v1/webhooks/: Stored, but no event has this type now: future.thing']);
});

test('PATCH changes the given members, ignores unknown ones, and rejects a body without known members', async () => {
  const { body: made } = await create();
  const patched = await call('PATCH', `/${made.id}`, { body: { isActive: false, secret: 'whsec_mine', foo: 1 } });
  assert.equal(patched.status, 200);
  assert.equal(patched.body.isActive, false);
  assert.equal(patched.body.name, made.name);
  assert.match(patched.headers.get('etag') ?? '', /^"2-/);
  assert.ok(!('secret' in patched.body));
  for (const body of [{}, { foo: 1 }]) assert.equal((await call('PATCH', `/${made.id}`, { body })).status, 400);
  for (const body of [{ name: null }, { isActive: 'yes' }, { url: 'x' }, { events: ['bad'] }]) {
    assert.equal((await call('PATCH', `/${made.id}`, { body })).status, 400, JSON.stringify(body));
  }
  const stale = await call('PATCH', `/${made.id}`, { body: { name: 'Late' }, headers: { 'if-match': '"1"' } });
  assert.equal(stale.status, 412);
  const all = await call('PATCH', `/${made.id}`, { body: { name: ' New ', url: 'https://new.example/x', events: ['*'], isActive: true } });
  assert.deepEqual([all.body.name, all.body.url, all.body.events, all.body.isActive], ['New', 'https://new.example/x', ['*'], true]);
  assert.deepEqual(await acts(made.id), ['webhook.endpoint.created', 'webhook.endpoint.updated', 'webhook.endpoint.updated']);
});

test('DELETE responds 204 with an empty body, after which every operation on the id is a 404', async () => {
  const { body: made } = await create();
  const gone = await call('DELETE', `/${made.id}`);
  assert.equal(gone.status, 204);
  assert.equal(gone.text, '');
  const requests: [string, string, object?][] = [
    ['GET', ''],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['GET', '/deliveries'],
    ['POST', '/test'],
    ['POST', '/recover', { since: '2026-01-01T00:00:00Z' }],
  ];
  for (const [method, rest, body] of requests) {
    assert.equal((await call(method, `/${made.id}${rest}`, { body })).status, 404, `${method} ${rest}`);
  }
  const { rows } = await chancery.pool.query('SELECT length(secret) AS n FROM webhook_endpoint WHERE id = $1', [made.id]);
  assert.equal(rows[0].n, 0, 'the secret is erased');
});

test('another team and an invalid identifier get the same 404; members and viewers see no endpoints', async () => {
  const { body: made } = await create();
  const { owner: stranger } = await chancery.team();
  for (const id of [made.id, 'nonsense', '00000000-0000-7000-8000-000000000000']) {
    const answers = await Promise.all([
      chancery.call('GET', `${path}/${id}`, { token: stranger.token }),
      chancery.call('PATCH', `${path}/${id}`, { token: stranger.token, body: { name: 'Mine' } }),
      chancery.call('DELETE', `${path}/${id}`, { token: stranger.token }),
      chancery.call('POST', `${path}/${id}/rotate-secret`, { token: stranger.token }),
      chancery.call('GET', `${path}/${id}/deliveries`, { token: stranger.token }),
      chancery.call('GET', `${path}/${id}/deliveries/${id}/attempts`, { token: stranger.token }),
    ]);
    assert.deepEqual(new Set(answers.map(({ status, body }) => `${status} ${body.code}`)), new Set(['404 not_found']));
  }
  for (const role of ['member', 'viewer'] as const) {
    const person = await chancery.user(owner.team, { role });
    const answers = [
      await create({}, person),
      ...(await Promise.all(
        ['/', `/${made.id}`, `/${made.id}/settings`, `/${made.id}/deliveries`].map((rest) =>
          chancery.call('GET', `${path}${rest}`, { token: person.token }),
        ),
      )),
    ];
    assert.deepEqual(new Set(answers.map(({ status, body }) => `${status} ${body.code}`)), new Set(['403 insufficient_scope']), role);
  }
});

test('an API client sees and changes only the endpoints that it registered; team managers see all', async () => {
  const { owner: manager } = await chancery.team();
  const [one, other] = [await chancery.client(manager), await chancery.client(manager)];
  const made = async (token: string) => (await chancery.call('POST', `${path}/`, { token, body: { ...example, events: ['*'] } })).body;
  const [ofPerson, ofOne, ofOther] = [await made(manager.token), await made(one.token), await made(other.token)];
  assert.equal(ofOne.clientId, one.id);
  await chancery.folder(manager);
  const listed = async (token: string) => (await chancery.call('GET', `${path}/`, { token })).body.map(({ id }: any) => id);
  assert.deepEqual(await listed(one.token), [ofOne.id]);
  assert.deepEqual(await listed(manager.token), [ofPerson.id, ofOne.id, ofOther.id]);
  const [delivery] = (await chancery.call('GET', `${path}/${ofPerson.id}/deliveries`, { token: manager.token })).body;
  const operations = chancery.description.operations.filter(
    (operation) => operation.path.startsWith(`${path}/{id}`) && !operation.personal,
  );
  assert.ok(operations.length >= 11);
  const bodies: Record<string, object> = {
    [`PATCH ${path}/{id}`]: { name: 'Mine' },
    [`PUT ${path}/{id}/settings`]: { maxPerSecond: 1 },
    [`POST ${path}/{id}/deliveries/retry`]: { items: [{ id: delivery.id }] },
    [`POST ${path}/{id}/recover`]: { since: '2020-01-01T00:00:00.000Z' },
  };
  for (const operation of operations) {
    const body = bodies[`${operation.method} ${operation.path}`];
    const answer = await chancery.call(operation.method, operation.path.replace('{id}', ofPerson.id).replace('{deliveryId}', delivery.id), {
      token: one.token,
      ...(body ? { body } : {}),
    });
    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], `${operation.method} ${operation.path}`);
  }
  // The client manages its own endpoint. It cannot expunge a payload, because that affects every endpoint of the team.
  assert.equal((await chancery.call('PATCH', `${path}/${ofOne.id}`, { token: one.token, body: { name: 'Mine' } })).status, 200);
  const [own] = (await chancery.call('GET', `${path}/${ofOne.id}/deliveries`, { token: one.token })).body;
  const expunge = await chancery.call('DELETE', `${path}/${ofOne.id}/deliveries/${own.id}/payload`, { token: one.token });
  assert.deepEqual([expunge.status, expunge.body.code], [403, 'person_required']);
});

test('of 70 concurrent creations 50 succeed and the others get the limit error; a deletion makes room for one', async () => {
  const { owner: other } = await chancery.team();
  const answers = await Promise.all(Array.from({ length: 70 }, () => create({}, other)));
  const made = answers.filter(({ status }) => status === 201);
  assert.equal(made.length, 50);
  const refused = answers.filter(({ status }) => status !== 201);
  assert.deepEqual(new Set(refused.map(({ status, body }) => `${status} ${body.code}`)), new Set(['409 webhook_endpoint_limit']));
  await chancery.call('DELETE', `${path}/${made[0]?.body.id}`, { token: other.token });
  const again = await Promise.all([create({}, other), create({}, other)]);
  assert.deepEqual(again.map(({ status }) => status).toSorted(), [201, 409]);
  const pages: string[] = [];
  for (let next: string | undefined = `${path}/?limit=20`; next !== undefined;) {
    const page = await chancery.call('GET', next, { token: other.token });
    pages.push(...page.body.map((one: { id: string }) => one.id));
    const link: URL | undefined = page.headers.has('link')
      ? new URL(/<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? '')
      : undefined;
    next = link && `${link.pathname}${link.search}`;
  }
  assert.equal(new Set(pages).size, 50);
  assert.equal(pages.length, 50);
});

test('a creation repeated with its Idempotency-Key returns the same secret and creates one endpoint', async () => {
  const { owner: other } = await chancery.team();
  const headers = { 'idempotency-key': 'once' };
  const first = await chancery.call('POST', `${path}/`, { token: other.token, body: example, headers });
  const second = await chancery.call('POST', `${path}/`, { token: other.token, body: example, headers });
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  assert.equal((await chancery.call('GET', `${path}/`, { token: other.token })).body.length, 1);
});

test('rotation returns a new secret, accepts an overlap of 0 to 168 hours, and needs no body', async () => {
  const { body: made } = await create();
  const rotated = await call('POST', `/${made.id}/rotate-secret`);
  assert.equal(rotated.status, 200);
  assert.match(rotated.body.secret, /^whsec_/);
  assert.notEqual(rotated.body.secret, made.secret);
  assert.equal((await call('POST', `/${made.id}/rotate-secret`, { body: { overlapHours: 169 } })).status, 400);
  assert.equal((await call('POST', `/${made.id}/rotate-secret`, { body: { overlapHours: 0 } })).status, 200);
  assert.deepEqual(await acts(made.id), ['webhook.endpoint.created', 'webhook.secret_rotated', 'webhook.secret_rotated']);
});

test('the catalogue lists each event type with a schema and an example that fits it', async () => {
  const { body, status } = await call('GET', '/event-types');
  assert.equal(status, 200);
  const types = body.map((one: { type: string }) => one.type);
  assert.deepEqual(types, types.toSorted());
  for (const type of ['folder.created', 'webhook.test', 'webhook.endpoint.disabled', 'webhook.secret_rotated'])
    assert.ok(types.includes(type), type);
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const addFormats = await import('ajv-formats');
  const ajv = new Ajv2020({ strict: false });
  addFormats.default.default(ajv);
  for (const { type, schema, example: envelope } of body) assert.ok(ajv.validate(schema, envelope), `${type}: ${ajv.errorsText()}`);
});
