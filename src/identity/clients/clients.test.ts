import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { createAccessTokens } from '#accounts';
import { clientLookup } from '#clients';
import { openKeyRing } from '#keys';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { notificationMs } from '../../../test/signals.ts';
import { loadMasterKey } from '../../platform/crypto/master-key.ts';

const path = '/api/v1/security/clients';
const example = { name: 'Payroll', scopes: ['tasks:read', 'documents:read'] };
let chancery: Chancery;
let team: TestTeam;
let owner: User;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
});

const create = (members: object = {}, token = owner.token) =>
  chancery.call('POST', `${path}/`, { token, body: { ...example, ...members } });
const call = (method: string, rest: string, options: object = {}) =>
  chancery.call(method, `${path}${rest}`, { token: owner.token, ...options });
const tokenFor = (id: string, secret: string) =>
  chancery.call('POST', '/oauth/token', {
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const reads = async (token: string) => (await chancery.call('GET', '/api/v1/tasks/', { token })).status;
const acts = async (target: string) =>
  (await chancery.pool.query('SELECT type FROM audit_entry WHERE target_id = $1 ORDER BY id', [target])).rows.map((row) => row.type);

test('creating a client returns its members, a secret shown once, a Location and an ETag', async () => {
  const made = await create();
  assert.equal(made.status, 201);
  assert.equal(made.headers.get('location'), `${path}/${made.body.id}`);
  assert.match(made.headers.get('etag') ?? '', /^"1-/);
  const { clientSecret, ...rest } = made.body;
  assert.match(clientSecret, /^chs_[\w-]{43}$/);
  assert.deepEqual(Object.keys(rest), [
    'id',
    'clientId',
    'name',
    'scopes',
    'createdAt',
    'updatedAt',
    'createdBy',
    'createdByType',
    'responsibleId',
    'isActive',
    'mcpApproval',
  ]);
  assert.deepEqual([rest.clientId, rest.name, rest.isActive, rest.mcpApproval], [rest.id, 'Payroll', true, 'mutating']);
  assert.deepEqual([rest.createdBy, rest.responsibleId], [owner.id, owner.id]);
  assert.deepEqual(rest.scopes, ['documents:read', 'tasks:read']);
  assert.deepEqual((await call('GET', `/${made.body.id}`)).body, rest);
  const list = await call('GET', '/');
  assert.ok(list.body.some((one: { id: string }) => one.id === made.body.id));
  assert.ok(!list.text.includes('chs_'));
  assert.deepEqual(await acts(made.body.id), ['client.created']);
});

test('only a keyed hash of a secret is stored, and the journal does not contain it', async () => {
  const made = (await create()).body;
  const { rows } = await chancery.pool.query('SELECT hash FROM api_client_secret WHERE client_id = $1', [made.id]);
  assert.equal(rows.length, 1);
  assert.equal(rows[0].hash.length, 32);
  const everything = await chancery.pool.query(
    "SELECT (SELECT string_agg(c::text, '') FROM api_client c) || (SELECT string_agg(a::text, '') FROM audit_entry a) AS text",
  );
  assert.ok(!everything.rows[0].text.includes(made.clientSecret));
});

test('a repeated creation under one Idempotency-Key creates one client and shows the same secret again', async () => {
  const headers = { 'idempotency-key': 'make-a-client' };
  const [first, second] = [await call('POST', '/', { body: example, headers }), await call('POST', '/', { body: example, headers })];
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
});

test('an invalid body and an unknown scope are rejected', async () => {
  const bodies: [object, number, string][] = [
    [{ scopes: [] }, 400, 'validation_failed'],
    [{ scopes: 'tasks:read' }, 400, 'validation_failed'],
    [{ name: ' ' }, 400, 'validation_failed'],
    [{ name: 'x'.repeat(201) }, 400, 'validation_failed'],
    [{ name: undefined }, 400, 'validation_failed'],
    [{ expiresAt: 'tomorrow' }, 400, 'validation_failed'],
    [{ scopes: ['tasks:read', 'everything'] }, 422, 'unknown_scope'],
    [{ expiresAt: '2020-01-01T00:00:00.000Z' }, 422, 'expiry_in_past'],
  ];
  for (const [members, status, code] of bodies) {
    const answer = await create(members);
    assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(members));
  }
});

test('owner and administrators see clients, and manage them with the scope for changes of the team', async () => {
  const made = (await create()).body;
  const member = await chancery.user(team, { role: 'member' });
  const admin = await chancery.user(team, { role: 'admin' });
  assert.equal((await chancery.call('GET', `${path}/`, { token: admin.token })).status, 200);
  for (const rest of ['/', `/${made.id}`]) {
    const answer = await chancery.call('GET', `${path}${rest}`, { token: member.token });
    assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden'], rest);
  }
  for (const [method, rest, body] of [
    ['POST', '/', example],
    ['PATCH', `/${made.id}`, { name: 'Mine' }],
    ['POST', `/${made.id}/rotate-secret`, {}],
    ['DELETE', `/${made.id}`, undefined],
  ] as const) {
    const answer = await chancery.call(method, `${path}${rest}`, { token: member.token, body });
    assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient_scope'], `${method} ${rest}`);
  }
});

test('an API client cannot create, change, rotate, take over or delete clients, including itself', async () => {
  const manager = await chancery.client(owner, ['team:read', 'team:write', 'tasks:read']);
  for (const [method, rest, body] of [
    ['POST', '/', example],
    ['PATCH', `/${manager.id}`, { scopes: ['team:read'] }],
    ['POST', `/${manager.id}/rotate-secret`, {}],
    ['POST', `/${manager.id}/take-over`, {}],
    ['DELETE', `/${manager.id}`, undefined],
  ] as const) {
    const answer = await chancery.call(method, `${path}${rest}`, { token: manager.token, body });
    assert.deepEqual([answer.status, answer.body.code], [403, 'person_required'], `${method} ${rest}`);
  }
});

test('a client can be confined to folders of the team, as its representation and the journal show', async () => {
  const [folder, other] = [await chancery.folder(owner), await chancery.folder(owner)];
  const stranger = await chancery.folder((await chancery.team()).owner);
  for (const [members, status, code] of [
    [{ folderIds: [] }, 400, 'validation_failed'],
    [{ folderIds: ['nonsense'] }, 400, 'validation_failed'],
    [{ folderIds: [stranger.id] }, 422, 'folder_not_found'],
    [{ folderIds: [folder.id], scopes: ['tasks:read', 'audit:read'] }, 422, 'scope_not_confinable'],
    [{ folderIds: [folder.id], scopes: ['webhooks:write'] }, 422, 'scope_not_confinable'],
  ] as const) {
    const answer = await create(members);
    assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(members));
  }
  const made = await create({
    folderIds: [folder.id, folder.id.toUpperCase(), other.id],
    scopes: ['team:read', 'team:write', 'folders:read'],
  });
  assert.deepEqual([made.status, made.body.folderIds], [201, [folder.id, other.id]]);
  assert.deepEqual((await call('GET', `/${made.body.id}`)).body.folderIds, [folder.id, other.id]);
  const { rows } = await chancery.pool.query("SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'client.created'", [
    made.body.id,
  ]);
  assert.deepEqual(rows[0].data.folderIds, [folder.id, other.id]);

  const freed = await call('PATCH', `/${made.body.id}`, { body: { folderIds: null } });
  assert.ok(!('folderIds' in freed.body));
});

test('a client can be confined only to folders that its creator sees; a barred folder is rejected like a missing one', async () => {
  const [room, folder] = [await chancery.folder(owner), await chancery.folder(owner)];
  const hidden = await chancery.folder(owner, { parentId: room.id });
  const admin = await chancery.user(owner.team, { role: 'admin' });
  const by = (method: string, rest: string, body: object) => chancery.call(method, `${path}${rest}`, { token: admin.token, body });
  const made = await by('POST', '/', { ...example, folderIds: [hidden.id, folder.id], scopes: ['folders:read'] });
  assert.equal(made.status, 201, made.text);
  const barrier = await chancery.call('PUT', `/api/v1/smartdoc/folders/${room.id}/barrier`, { token: owner.token, body: { userIds: [] } });
  assert.equal(barrier.status, 200, barrier.text);
  for (const id of [hidden.id, randomUUIDv7()]) {
    for (const answer of [
      await by('POST', '/', { ...example, folderIds: [id], scopes: ['folders:read'] }),
      await by('PATCH', `/${(await create({ scopes: ['folders:read'] })).body.id}`, { folderIds: [id] }),
    ])
      assert.deepEqual([answer.status, answer.body.code, answer.body.detail.includes(id)], [422, 'folder_not_found', true]);
  }
  const wider = await by('PATCH', `/${made.body.id}`, { scopes: ['folders:read', 'documents:read'] });
  assert.deepEqual([wider.status, wider.body.folderIds], [200, [hidden.id, folder.id]], 'it keeps its present folders');
});

test('a confined client cannot read counts of the whole team', async () => {
  const folder = await chancery.folder(owner);
  const client = await chancery.client(owner, ['team:read', 'folders:read']);
  const usage = () => chancery.call('GET', '/api/v1/team/usage', { token: client.token });
  assert.equal((await usage()).status, 200);
  await call('PATCH', `/${client.id}`, { body: { folderIds: [folder.id] } });
  assert.equal((await usage()).status, 403);
});

test('a changed confinement applies at the client’s next request', async () => {
  const folder = await chancery.folder(owner);
  const made = (await create({ folderIds: [folder.id] })).body;
  const { access_token: token } = (await tokenFor(made.id, made.clientSecret)).body;
  const keys = await openKeyRing(
    chancery.database,
    await loadMasterKey({ configured: chancery.masterKey, dataDir: '', generate: 'never' }),
    { accessAlgorithm: chancery.config.SIGNING_ALGORITHM },
  );
  const tokens = createAccessTokens({
    database: chancery.database,
    keys,
    issuer: chancery.config.BASE_URL,
    receivesRevocations: () => false,
    liveClient: clientLookup(chancery.database),
  });
  const scopes = new Set(made.scopes);
  assert.deepEqual((await tokens.verify(token))?.actor, { type: 'client', id: made.id, scopes, folderIds: [folder.id] });
  await call('PATCH', `/${made.id}`, { body: { folderIds: null } });
  assert.deepEqual((await tokens.verify(token))?.actor, { type: 'client', id: made.id, scopes });
});

test('a change is checked against If-Match, an empty one is rejected, and each increases the version', async () => {
  const made = (await create()).body;
  const empty = await call('PATCH', `/${made.id}`, { body: { colour: 'red' } });
  assert.deepEqual([empty.status, empty.body.code], [400, 'validation_failed']);
  const renamed = await call('PATCH', `/${made.id}`, { body: { name: 'Books' }, headers: { 'if-match': '"1"' } });
  assert.deepEqual([renamed.status, renamed.body.name, renamed.headers.get('etag')?.slice(0, 3)], [200, 'Books', '"2-']);
  const stale = await call('PATCH', `/${made.id}`, { body: { name: 'Late' }, headers: { 'if-match': '"1"' } });
  assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed']);
  assert.equal((await call('DELETE', `/${made.id}`, { headers: { 'if-match': '"1"' } })).status, 412);
});

test('deletion ends the client, its secret and its tokens on the next request', async () => {
  const client = await chancery.client(owner, ['tasks:read']);
  assert.equal(await reads(client.token), 200);
  assert.equal((await call('DELETE', `/${client.id}`)).status, 204);
  assert.equal(await reads(client.token), 401);
  assert.equal((await tokenFor(client.id, client.secret)).status, 401);
  assert.equal((await call('GET', `/${client.id}`)).status, 404);
  assert.equal((await call('DELETE', `/${client.id}`)).status, 404);
  assert.ok((await acts(client.id)).includes('client.deleted'));
});

test('a deletion concurrent with fifty token requests and fifty uses leaves no valid token', async () => {
  const client = await chancery.client(owner, ['tasks:read']);
  const [issued, used] = await Promise.all([
    Promise.all(Array.from({ length: 50 }, () => tokenFor(client.id, client.secret))),
    Promise.all(Array.from({ length: 50 }, () => reads(client.token))),
    call('DELETE', `/${client.id}`),
  ]);
  assert.ok(issued.every(({ status }) => status === 200 || status === 401 || status === 429));
  assert.ok(used.every((status) => status === 200 || status === 401));
  const tokens = [client.token, ...issued.filter(({ status }) => status === 200).map(({ body }) => body.access_token)];
  const later = await Promise.all(tokens.map((token) => reads(token)));
  assert.deepEqual([...new Set(later)], [401]);
});

test('a deactivated client gets no token and its tokens are invalid until it is reactivated', async () => {
  const client = await chancery.client(owner, ['tasks:read']);
  assert.equal((await call('PATCH', `/${client.id}`, { body: { isActive: false } })).body.isActive, false);
  assert.equal(await reads(client.token), 401);
  assert.deepEqual([(await tokenFor(client.id, client.secret)).status], [401]);
  await call('PATCH', `/${client.id}`, { body: { isActive: true } });
  assert.equal(await reads(client.token), 200);
});

test('a removed scope is gone at the next request, although the token contains it', async () => {
  const client = await chancery.client(owner, ['tasks:read', 'tasks:write']);
  const give = (body: object) => chancery.call('POST', '/api/v1/tasks/', { token: client.token, body });
  assert.equal((await give({ title: 'Before' })).status, 201);
  await call('PATCH', `/${client.id}`, { body: { scopes: ['tasks:read'] } });
  const refused = await give({ title: 'After' });
  assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope']);
  assert.equal(await reads(client.token), 200);
});

test('a client and its tokens expire at expiresAt', async () => {
  const soon = new Date(Date.now() + 2_500).toISOString();
  const made = (await create({ expiresAt: soon })).body;
  assert.equal(made.expiresAt, soon);
  const issued = await tokenFor(made.id, made.clientSecret);
  assert.ok(issued.body.expires_in <= 3, 'the token ends no later than the client');
  const early = await reads(issued.body.access_token);
  // On a slow machine it may have expired already.
  if (Date.now() < Date.parse(soon)) assert.equal(early, 200);
  await eventually('its end', async () => (await reads(issued.body.access_token)) === 401, notificationMs);
  assert.equal((await tokenFor(made.id, made.clientSecret)).status, 401);
  const kept = await call('PATCH', `/${made.id}`, { body: { expiresAt: null } });
  assert.ok(!('expiresAt' in kept.body));
  assert.equal((await tokenFor(made.id, made.clientSecret)).status, 200);
});

test('a rotation shows a new secret once; both work through the overlap, and then only the new one', async () => {
  const client = await chancery.client(owner, ['tasks:read']);
  const rotated = await call('POST', `/${client.id}/rotate-secret`, { body: { overlapHours: 1 } });
  assert.equal(rotated.status, 200);
  assert.notEqual(rotated.body.clientSecret, client.secret);
  const overlap = Date.parse(rotated.body.previousSecretExpiresAt) - Date.now();
  assert.ok(overlap > 3_590_000 && overlap <= 3_600_000);
  assert.deepEqual(
    [(await tokenFor(client.id, client.secret)).status, (await tokenFor(client.id, rotated.body.clientSecret)).status],
    [200, 200],
  );
  assert.equal(await reads(client.token), 200, 'a token of the old secret works while that does');
  await chancery.pool.query("UPDATE api_client_secret SET expires_at = now() - interval '1 second' WHERE expires_at IS NOT NULL");
  assert.deepEqual(
    [(await tokenFor(client.id, client.secret)).status, (await tokenFor(client.id, rotated.body.clientSecret)).status],
    [401, 200],
  );
  assert.ok((await acts(client.id)).includes('client.secret_rotated'));
});

test('the overlap is 24 hours by default and 168 at most', async () => {
  const client = await chancery.client(owner, ['tasks:read']);
  const rotated = await call('POST', `/${client.id}/rotate-secret`);
  const hours = (Date.parse(rotated.body.previousSecretExpiresAt) - Date.now()) / 3_600_000;
  assert.ok(hours > 23.99 && hours <= 24);
  for (const overlapHours of [-1, 169, '5']) {
    assert.equal((await call('POST', `/${client.id}/rotate-secret`, { body: { overlapHours } })).status, 400);
  }
});

test('without overlap the old secret and every token it got end at once', async () => {
  const client = await chancery.client(owner, ['tasks:read']);
  assert.equal(await reads(client.token), 200);
  const rotated = await call('POST', `/${client.id}/rotate-secret`, { body: { overlapHours: 0 } });
  assert.ok(!('previousSecretExpiresAt' in rotated.body));
  assert.equal(await reads(client.token), 401);
  assert.equal((await tokenFor(client.id, client.secret)).status, 401);
  assert.equal((await tokenFor(client.id, rotated.body.clientSecret)).status, 200);
});

test('when the overlap is over the old secret’s tokens end too, also on a node that had cached them before the rotation', async () => {
  const node = await chancery.node('api');
  const client = await chancery.client(owner, ['tasks:read']);
  const there = async () => (await fetch(`${node.address}/api/v1/tasks/`, { headers: { authorization: `Bearer ${client.token}` } })).status;
  assert.deepEqual([await there(), await reads(client.token)], [200, 200]);
  const { previousSecretExpiresAt } = (await call('POST', `/${client.id}/rotate-secret`, { body: { overlapHours: 2 / 3600 } })).body;
  const early = [await there(), await reads(client.token)];
  // On a slow machine the overlap may be over already.
  if (Date.now() < Date.parse(previousSecretExpiresAt)) assert.deepEqual(early, [200, 200], 'not before');
  await eventually('the end on both', async () => (await there()) === 401 && (await reads(client.token)) === 401, notificationMs);
});

test('a second rotation within the overlap ends the oldest secret: at most two exist', async () => {
  const client = await chancery.client(owner, ['tasks:read']);
  const second = (await call('POST', `/${client.id}/rotate-secret`)).body.clientSecret;
  const third = (await call('POST', `/${client.id}/rotate-secret`)).body.clientSecret;
  const works = await Promise.all([client.secret, second, third].map(async (secret) => (await tokenFor(client.id, secret)).status));
  assert.deepEqual(works, [401, 200, 200]);
  assert.equal(await reads(client.token), 401);
});

test('fifty concurrent rotations leave two secrets, the last of them current, and no error', async () => {
  const client = await chancery.client(owner, ['tasks:read']);
  const answers = await Promise.all(Array.from({ length: 50 }, () => call('POST', `/${client.id}/rotate-secret`)));
  assert.ok(answers.every(({ status }) => status === 200));
  const { rows } = await chancery.pool.query('SELECT expires_at FROM api_client_secret WHERE client_id = $1', [client.id]);
  assert.deepEqual(rows.map(({ expires_at: end }) => end === null).toSorted(), [false, true]);
  const newest = answers
    .toSorted(
      (a, b) => Number.parseInt(a.headers.get('etag')?.slice(1) ?? '', 10) - Number.parseInt(b.headers.get('etag')?.slice(1) ?? '', 10),
    )
    .at(-1);
  assert.equal((await tokenFor(client.id, newest?.body.clientSecret)).status, 200);
});

test('a team has at most a hundred clients, also after fifty concurrent creations', async () => {
  const fullTeam = await chancery.team();
  await chancery.pool.query(
    `INSERT INTO api_client (team_id, id, name, scopes, created_by, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'Filler', '{tasks:read}', $2, now(), now() FROM generate_series(1, 90)`,
    [fullTeam.id, fullTeam.owner.id],
  );
  const answers = await Promise.all(Array.from({ length: 50 }, () => create({}, fullTeam.owner.token)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 10);
  for (const answer of answers.filter(({ status }) => status !== 201))
    assert.deepEqual([answer.status, answer.body.code], [409, 'client_limit']);
});

test('the list has pages', async () => {
  const other = (await chancery.team()).owner;
  for (let index = 0; index < 5; index += 1) await create({ name: `Client ${index}` }, other.token);
  const names: string[] = [];
  for (let next: string | undefined = `${path}/?limit=2`; next !== undefined;) {
    const answer = await chancery.call('GET', next, { token: other.token });
    names.push(...answer.body.map((one: { name: string }) => one.name));
    next = /<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1]?.replace(/^https?:\/\/[^/]+/, '');
  }
  assert.deepEqual(names, ['Client 0', 'Client 1', 'Client 2', 'Client 3', 'Client 4']);
});

test('replaced secrets and revoked tokens are deleted after their expiry', async () => {
  const { dropEndedSecrets } = await import('./jobs.ts');
  const client = await chancery.client(owner, ['tasks:read']);
  await call('POST', `/${client.id}/rotate-secret`);
  await chancery.pool.query(
    "UPDATE api_client_secret SET expires_at = now() - interval '2 hours' WHERE client_id = $1 AND expires_at IS NOT NULL",
    [client.id],
  );
  await chancery.pool.query("INSERT INTO api_client_revoked_token VALUES ($1, gen_random_uuid(), now() - interval '2 hours')", [team.id]);
  await dropEndedSecrets(chancery.database);
  const { rows } = await chancery.pool.query(
    'SELECT (SELECT count(*) FROM api_client_secret WHERE client_id = $1)::int AS secrets, (SELECT count(*) FROM api_client_revoked_token)::int AS tokens',
    [client.id],
  );
  assert.deepEqual(rows[0], { secrets: 1, tokens: 0 });
});
