import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { directoriesPath, type DirectoryWorld, verifyDomain, withDirectory } from '../../../test/directories.ts';
import { type Chancery, sharedChancery, type TestResponse } from '../../../test/harness.ts';

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

const ok = (answer: TestResponse): any => {
  assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
  return answer.body;
};
const refusal = ({ status, body }: TestResponse) => [status, body?.code];
const one = ({ directory }: DirectoryWorld) => `${directoriesPath}/${directory.id}`;

test('can be created, listed, read, and changed under If-Match', async () => {
  const world = await withDirectory(chancery, { removalDelayDays: 3 });
  const { token } = world.owner;
  const read = await chancery.call('GET', one(world), { token });
  assert.deepEqual(
    [ok(read).baseUrl, read.body.defaultRole, read.body.removalDelayDays, read.body.isActive],
    [`${chancery.config.BASE_URL}/scim/v2`, 'member', 3, true],
  );
  const headers = { 'if-match': read.headers.get('etag') ?? '' };
  const changed = ok(await chancery.call('PATCH', one(world), { token, body: { name: 'Azure', defaultRole: 'viewer' }, headers }));
  assert.deepEqual([changed.name, changed.defaultRole], ['Azure', 'viewer']);
  assert.equal((await chancery.call('PATCH', one(world), { token, body: { name: 'x' }, headers })).status, 412);
  assert.deepEqual(ok(await chancery.call('GET', directoriesPath, { token })), [changed]);
  assert.equal((await chancery.call('DELETE', one(world), { token, headers })).status, 412);
});

test('are managed by owner and administrators, with a recent sign-in', async () => {
  const world = await withDirectory(chancery);
  const [member, admin] = [await chancery.user(world), await chancery.user(world, { role: 'admin' })];
  const body = { name: 'Okta', kind: 'okta' };
  assert.equal((await chancery.call('GET', directoriesPath, { token: member.token })).status, 403);
  ok(await chancery.call('POST', directoriesPath, { token: admin.token, body }));
  await chancery.pool.query("UPDATE sign_in SET auth_time = now() - interval '16 minutes' WHERE person_id = $1", [admin.id]);
  for (const [method, path, sent] of [
    ['POST', directoriesPath, body],
    ['PATCH', one(world), { name: 'x' }],
    ['DELETE', one(world), undefined],
    ['POST', `${one(world)}/tokens`, {}],
  ] as const)
    assert.deepEqual(
      refusal(await chancery.call(method, path, { token: admin.token, ...(sent ? { body: sent } : {}) })),
      [401, 'reauthentication_required'],
      `${method} ${path}`,
    );
});

test('are at most five for a team', async () => {
  const world = await withDirectory(chancery);
  const create = () => chancery.call('POST', directoriesPath, { token: world.owner.token, body: { name: 'One more', kind: 'other' } });
  const made = await Promise.all(Array.from({ length: 10 }, create));
  assert.equal(made.filter(({ status }) => status === 201).length, 4);
  assert.deepEqual(refusal(await create()), [409, 'directory_limit']);
});

test('have at most two valid tokens, each shown once and stored as a hash', async () => {
  const world = await withDirectory(chancery);
  const { token } = world.owner;
  const create = () => chancery.call('POST', `${one(world)}/tokens`, { token, body: { expiresInDays: 30 } });
  const made = await Promise.all([create(), create(), create()]);
  const second = made.find(({ status }) => status === 201);
  assert.equal(made.filter(({ status, body }) => status === 409 && body.code === 'token_limit').length, 2);
  assert.match(second?.body.token, /^[\w-]{64}$/);
  assert.equal(Math.round((Date.parse(second?.body.expiresAt) - Date.parse(second?.body.createdAt)) / 86_400_000), 30);
  const listed = await chancery.call('GET', `${one(world)}/tokens`, { token });
  assert.equal(ok(listed).length, 2);
  assert.ok(!listed.text.includes(second?.body.token));
  const { rows } = await chancery.pool.query('SELECT hash::text FROM directory_token WHERE directory_id = $1', [world.directory.id]);
  assert.ok(rows.every(({ hash }) => hash.length === 2 + 64));
  assert.deepEqual(refusal(await chancery.call('POST', `${one(world)}/tokens`, { token, body: { expiresInDays: 366 } })), [
    400,
    'validation_failed',
  ]);
});

test('log requests with the names of attributes, and no values', async () => {
  const world = await withDirectory(chancery);
  const user = await world.provision({ title: 'Secret counsel' });
  await world.scim('PATCH', `/Users/${user.id}`, { Operations: [{ op: 'replace', path: 'shoeSize', value: 44 }] });
  const log = await chancery.call('GET', `${one(world)}/log`, { token: world.owner.token });
  const [failed, created] = ok(log);
  assert.deepEqual(
    [failed.method, failed.path, failed.status, failed.scimType],
    ['PATCH', `/scim/v2/Users/${user.id}`, 400, 'invalidPath'],
  );
  assert.deepEqual([created.status, created.attributes], [201, ['userName', 'givenName', 'familyName', 'active', 'title']]);
  assert.ok(!log.text.includes('Secret counsel') && !log.text.includes(user.userName));
  const [token] = ok(await chancery.call('GET', `${one(world)}/tokens`, { token: world.owner.token }));
  assert.ok(token.lastUsedAt);
});

test('keep the last 1 000 requests', async () => {
  const world = await withDirectory(chancery);
  await chancery.pool.query(
    `INSERT INTO directory_log (team_id, directory_id, id, at, method, path, status, attributes, request_id)
     SELECT $1, $2, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, now(), 'GET', '/scim/v2/Users', 200, '{}', 'x' FROM generate_series(1, 1005) n`,
    [world.id, world.directory.id],
  );
  ok(await world.scim('GET', '/ServiceProviderConfig'));
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM directory_log WHERE directory_id = $1', [world.directory.id]);
  assert.equal(rows[0].n, 1_000);
});

test('settings with an unknown connection, member or group are rejected', async () => {
  const [world, other] = [await withDirectory(chancery), await withDirectory(chancery)];
  const foreign = await verifyDomain(chancery, other, 'foreign.example');
  for (const body of [
    { connectionId: foreign },
    { successor: 'member' },
    { successor: 'member', successorId: other.owner.id },
    { ownerSuccessorId: other.owner.id },
    { roleGroups: [{ groupId: 'x', role: 'viewer' }] },
  ])
    assert.deepEqual(refusal(await chancery.call('PATCH', one(world), { token: world.owner.token, body })), [
      422,
      'invalid_directory_setting',
    ]);
});

test('limit the rate of requests of one directory, and no other', async () => {
  const [world, other] = [await withDirectory(chancery), await withDirectory(chancery)];
  const answers = await Promise.all(Array.from({ length: 400 }, () => world.scim('GET', '/ServiceProviderConfig')));
  const limited = answers.find(({ status }) => status === 429);
  assert.ok(limited, 'beyond 250 at once some are limited');
  assert.match(limited.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assert.equal(limited.body.status, '429');
  assert.equal((await other.scim('GET', '/ServiceProviderConfig')).status, 200);
});
