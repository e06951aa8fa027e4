import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery } from '../../../test/harness.ts';

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

const get = (token: string) => chancery.call('GET', '/api/v1/team', { token });
const patch = (token: string, body: unknown, headers: Record<string, string> = {}) =>
  chancery.call('PATCH', '/api/v1/team', { token, body, headers });

test('every member, including viewers, reads the team with its owner, time zone and number of members', async () => {
  const team = await chancery.team('Notaries');
  const viewer = await chancery.user(team, { role: 'viewer' });
  const answer = await get(viewer.token);
  assert.equal(answer.status, 200);
  const { createdAt, updatedAt, ...rest } = answer.body;
  assert.deepEqual(rest, {
    id: team.id,
    name: 'Notaries',
    timezone: 'UTC',
    ownerId: team.owner.id,
    membersCount: 2,
    clientsAwaitTakeover: true,
    fourEyes: false,
  });
  assert.match(createdAt, /Z$/);
  assert.match(updatedAt, /Z$/);
});

test('owner and administrators change name and time zone; unchanged members are not journalled', async () => {
  const team = await chancery.team();
  const admin = await chancery.user(team, { role: 'admin' });
  const changed = await patch(admin.token, { name: '  Ink & Seal ', timezone: 'Europe/Vienna' });
  assert.deepEqual([changed.status, changed.body.name, changed.body.timezone], [200, 'Ink & Seal', 'Europe/Vienna']);
  assert.equal((await patch(team.owner.token, { name: 'Ink & Seal' })).status, 200);
  const { body } = await chancery.call('GET', '/api/v1/security/audit?type=team.updated', { token: team.owner.token });
  assert.equal(body.events.length, 1);
  assert.deepEqual([body.events[0].actor.id, body.events[0].data], [admin.id, { members: ['name', 'timezone'] }]);
});

for (const role of ['member', 'viewer'] as const) {
  test(`a ${role} cannot change the team`, async () => {
    const team = await chancery.team();
    const { token } = await chancery.user(team, { role });
    const answer = await patch(token, { name: 'Mine' });
    assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient_scope']);
  });
}

for (const [body, status, code] of [
  [{ timezone: 'Mars/Olympus' }, 422, 'invalid_timezone'],
  [{ name: '   ' }, 400, 'validation_failed'],
  [{ name: 'a/b' }, 400, 'validation_failed'],
  [{ name: 5 }, 400, 'validation_failed'],
  [{}, 400, 'validation_failed'],
  [{ colour: 'red' }, 400, 'validation_failed'],
] as const) {
  test(`a change to ${JSON.stringify(body)} is rejected`, async () => {
    const { owner } = await chancery.team();
    const answer = await patch(owner.token, body);
    assert.deepEqual([answer.status, answer.body.code], [status, code]);
  });
}

test('a change on a stale version is rejected, one on the current version succeeds', async () => {
  const { owner } = await chancery.team();
  const etag = (await get(owner.token)).headers.get('etag') ?? '';
  assert.equal((await patch(owner.token, { name: 'First' }, { 'if-match': etag })).status, 200);
  assert.equal((await patch(owner.token, { name: 'Second' }, { 'if-match': etag })).status, 412);
});

test('a due date without a time ends with the day in the team’s time zone', async () => {
  const { owner } = await chancery.team();
  await patch(owner.token, { timezone: 'Asia/Tokyo' });
  const task = await chancery.call('POST', '/api/v1/tasks/', { token: owner.token, body: { title: 'File', dueDate: '2030-05-01' } });
  assert.match(task.body.dueDate, /^2030-05-01T14:59:59/);
});
