import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asking, file } from '../../../test/asking.ts';
import { sharedChancery, type User } from '../../../test/harness.ts';

const documents = '/api/v1/smartdoc/documents';

test('lists filter documents by their reference, among those that the caller may read', async () => {
  const chancery = await sharedChancery();
  const { call, made, folderBy } = asking(() => chancery);
  const team = await chancery.team();
  const [creator, other] = [await chancery.user(team), await chancery.user(team)];
  const listed = async (by: User, query: string) => (await made(by, 'GET', `${documents}/?${query}`)).map(({ id }: { id: string }) => id);

  const one = await made(creator, 'POST', `${documents}/`, { title: 'Lease', reference: '2026/014' });
  assert.equal(one.reference, '2026/014');
  const two = await made(creator, 'POST', `${documents}/`, file({ reference: '2026/014', folderId: (await folderBy(creator)).id }));
  const three = await made(creator, 'POST', `${documents}/`, { title: 'Lease', reference: '2026/0140' });
  const hidden = await made(other, 'POST', `${documents}/`, { title: 'Lease', reference: '2026/014' });

  assert.deepEqual(await listed(creator, 'reference=2026%2F014'), [one.id, two.id]);
  assert.deepEqual(await listed(other, 'reference=2026%2F014'), [hidden.id]);
  assert.deepEqual(await listed(team.owner, 'reference=2026%2F014&sort=-createdAt'), [hidden.id, two.id, one.id]);
  assert.deepEqual(await listed(creator, 'reference=2026%2F0140&status=draft'), [three.id]);
  assert.deepEqual(await listed(creator, 'reference=2026%2F0140&status=archived'), []);

  assert.equal(
    (await made(creator, 'PUT', `${documents}/${one.id}`, { title: 'Lease, signed' })).reference,
    '2026/014',
    'not named, it stays',
  );
  assert.equal((await made(creator, 'PUT', `${documents}/${one.id}`, { reference: '2027/001' })).reference, '2027/001');
  assert.equal((await made(creator, 'PUT', `${documents}/${one.id}`, { reference: null })).reference, undefined);
  assert.deepEqual(await listed(creator, 'reference=2026%2F014'), [two.id]);
  const { events } = await made(team.owner, 'GET', `/api/v1/security/audit?targetId=${one.id}&type=document.updated`);
  assert.deepEqual(
    events.flatMap(({ data }: { data: { changes: Record<string, unknown> } }) => data.changes.reference ?? []).toReversed(),
    [{ from: '2026/014', to: '2027/001' }, { from: '2027/001' }],
  );
  assert.equal((await call(creator, 'PUT', `${documents}/${one.id}`, { reference: 'x'.repeat(201) })).status, 400);
  assert.equal((await made(creator, 'PUT', `${documents}/${one.id}`, { reference: 'x'.repeat(200) })).reference.length, 200);
});
