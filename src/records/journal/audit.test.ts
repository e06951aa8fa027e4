import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type User } from '../../../test/harness.ts';

const path = '/api/v1/security/audit';
let chancery: Chancery;
let owner: User;

before(async () => {
  chancery = await sharedChancery();
  ({ owner } = await chancery.team());
});

const read = (query = '', by = owner) => chancery.call('GET', `${path}${query}`, { token: by.token });

async function everyPage(query: string, between: () => Promise<unknown> = async () => undefined): Promise<any[]> {
  const events: any[] = [];
  for (let cursor = ''; ;) {
    const { body } = await read(`?${query}${cursor}`);
    events.push(...body.events);
    if (body.nextCursor === undefined) return events;
    await between();
    cursor = `&cursor=${body.nextCursor}`;
  }
}

test('an action is one entry with actor, target, time, address and request', async () => {
  const made = await chancery.call('POST', '/api/v1/smartdoc/folders/', {
    token: owner.token,
    body: { name: 'Audited' },
    headers: { 'x-request-id': 'audited-request-1' },
  });
  const { status, body } = await read('?limit=1');
  assert.equal(status, 200);
  const [entry] = body.events;
  assert.deepEqual(entry, {
    id: entry.id,
    type: 'folder.created',
    actor: { type: 'user', id: owner.id },
    teamId: owner.team,
    target: { type: 'folder', id: made.body.id },
    at: entry.at,
    ip: entry.ip,
    requestId: made.headers.get('x-request-id'),
    data: { name: 'Audited' },
  });
  assert.match(entry.ip, /^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/);
});

test('pages cover the journal newest first, without gap or repeat, while entries are added', async () => {
  await Promise.all(Array.from({ length: 30 }, () => chancery.folder(owner)));
  // Entries of one instant, finer than what responses show.
  await chancery.pool.query(
    `INSERT INTO audit_entry (team_id, id, type, actor_type, at)
     SELECT $1, gen_random_uuid(), 'test.burst', 'system', now() - interval '1 day' + n * interval '100 microseconds' FROM generate_series(1, 40) n`,
    [owner.team],
  );
  const { rows } = await chancery.pool.query('SELECT id FROM audit_entry WHERE team_id = $1 ORDER BY at DESC, id DESC', [owner.team]);
  const seen = await everyPage('limit=7', () => chancery.folder(owner));
  assert.deepEqual(
    seen.map(({ id }) => id),
    rows.map(({ id }) => id),
  );
});

test('the end has no cursor, also when it falls on the end of a page', async () => {
  const { owner: other } = await chancery.team();
  assert.deepEqual((await read('', other)).body, { events: [] });
  for (let made = 0; made < 4; made += 1) await chancery.folder(other);
  const first = await read('?limit=2', other);
  assert.equal(first.body.events.length, 2);
  const second = await read(`?limit=2&cursor=${first.body.nextCursor}`, other);
  assert.equal(second.body.events.length, 2);
  assert.ok(!('nextCursor' in second.body));
});

test('the journal is filtered by type, actor and time, also combined', async () => {
  const { owner: other } = await chancery.team();
  const member = await chancery.user(other.team);
  const folder = await chancery.folder(other);
  await chancery.folder(member);
  await chancery.call('PUT', `/api/v1/smartdoc/folders/${folder.id}`, { token: other.token, body: { name: 'Changed' } });
  const types = async (query: string) => (await read(query, other)).body.events.map((entry: any) => entry.type);
  assert.deepEqual(await types('?type=folder.updated'), ['folder.updated']);
  assert.deepEqual(await types(`?actorId=${member.id}`), ['folder.created']);
  assert.deepEqual(await types(`?actorId=${member.id}&type=folder.updated`), []);
  const { events } = (await read('', other)).body;
  assert.deepEqual(await types(`?from=${events[0].at}`), ['folder.updated']);
  assert.deepEqual(await types(`?to=${events[0].at}`), ['folder.created', 'folder.created']);
  assert.deepEqual(await types(`?from=${events.at(-1).at}&to=${events[0].at}&limit=1`), ['folder.created']);
});

test('the journal of one resource has only its entries, page by page', async () => {
  const { owner: other } = await chancery.team();
  const [folder, second] = [await chancery.folder(other), await chancery.folder(other)];
  for (const color of ['red', 'green', 'blue'])
    await chancery.call('PUT', `/api/v1/smartdoc/folders/${folder.id}`, { token: other.token, body: { color } });
  const steps = [{ id: 'a', type: 'task' }];
  const template = { name: second.id, description: 'Named like a folder', steps };
  assert.equal((await chancery.call('POST', '/api/v1/workflows/templates', { token: other.token, body: template })).status, 201);
  const updates = ['folder.updated', 'folder.updated', 'folder.updated', 'folder.created'];
  const types = async (query: string, by = other) => (await read(query, by)).body.events.map((entry: any) => entry.type);
  assert.deepEqual(await types(`?targetId=${folder.id}`), updates);
  assert.deepEqual(await types(`?targetId=${folder.id.toUpperCase()}&type=folder.created`), ['folder.created']);
  assert.deepEqual(await types(`?targetId=${second.id}`), ['workflow_template.created', 'folder.created']);
  assert.deepEqual(await types(`?targetId=${second.id}&targetType=folder`), ['folder.created']);
  const paged: string[] = [];
  let cursor = '';
  do {
    const { body } = await read(`?targetId=${folder.id}&targetType=folder&limit=1${cursor}`, other);
    paged.push(...body.events.map((entry: any) => entry.type));
    cursor = body.nextCursor === undefined ? '' : `&cursor=${body.nextCursor}`;
  } while (cursor !== '');
  assert.deepEqual(paged, updates);
  for (const none of ['no-such-thing', '%00', '%F0%9F%92%A9', 'x'.repeat(200)])
    assert.deepEqual(await types(`?targetId=${none}`), [], none);
  assert.deepEqual(await types(`?targetId=${folder.id}`, owner), [], 'another team’s');
  for (const [query, pointer] of [
    ['?targetType=folder', '/targetId'],
    ['?targetId=', '/targetId'],
    [`?targetId=${'x'.repeat(201)}`, '/targetId'],
  ] as const) {
    const refused = await read(query, other);
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, pointer], query);
  }
});

test('limit is 1 to 200 and 50 by default; an invalid value is a 400', async () => {
  const { owner: other } = await chancery.team();
  await chancery.pool.query(
    "INSERT INTO audit_entry (team_id, id, type, actor_type, at) SELECT $1, gen_random_uuid(), 'test.many', 'system', now() FROM generate_series(1, 210)",
    [other.team],
  );
  assert.equal((await read('', other)).body.events.length, 50);
  assert.equal((await read('?limit=200', other)).body.events.length, 200);
  for (const query of ['?limit=0', '?limit=201', '?limit=x', '?cursor=%00', '?cursor=WyJhIiwiYiJd', '?actorId=me', '?from=yesterday']) {
    assert.equal((await read(query, other)).status, 400, query);
  }
});

test('it requires audit:read, and shows only the caller’s team', async () => {
  const { owner: stranger } = await chancery.team();
  assert.deepEqual((await read('', stranger)).body.events, []);
  const member = await chancery.user(owner.team, { role: 'member' });
  assert.equal((await read('', member)).body.code, 'insufficient_scope');
  assert.equal((await chancery.call('GET', path)).status, 401);
});
