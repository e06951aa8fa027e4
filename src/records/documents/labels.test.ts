import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Asker, asking } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';

const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: TestTeam;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
});

const { call, made, shareDocument, folderBy } = asking(() => chancery);
const document = async (by: User, labels: string[], members: object = {}) =>
  made(by, 'POST', `${documents}/`, { title: 'Agreement', labels, ...members });
const labelsOf = async (by: Asker) =>
  (await made(by, 'GET', '/api/v1/smartdoc/labels')).map(({ label, documents: count }: any) => `${label} ${count}`);
const found = async (by: User, ...labels: string[]): Promise<string[]> => {
  const query = labels.map((label) => `label=${encodeURIComponent(label)}`).join('&');
  const listed = (await made(by, 'GET', `${documents}/?${query}`)).map(({ id }: any) => id);
  const hits = (await made(by, 'GET', `${documents}/search?q=agreement&${query}`)).map(({ document: { id } }: any) => id);
  assert.deepEqual(hits.toSorted(), listed.toSorted(), 'the search has the same documents as the list');
  return listed;
};

test('labels are stored as written, once regardless of case, and replaced as a whole', async () => {
  const creator = await chancery.user(team);
  const { id, labels } = await document(creator, [' NDA ', 'nda', 'Café', 'Ｎｄａ', 'Straße']);
  assert.deepEqual(labels, ['NDA', 'Café', 'Straße']);
  assert.deepEqual((await made(creator, 'PUT', `${documents}/${id}`, { title: 'Agreement on it' })).labels, labels, 'not named, they stay');
  const read = await call(creator, 'GET', `${documents}/${id}`);
  assert.deepEqual((await made(creator, 'PUT', `${documents}/${id}`, read.body)).labels, labels, 'as it was read');
  assert.deepEqual((await made(creator, 'PUT', `${documents}/${id}`, { labels: ['Lease'] })).labels, ['Lease']);
  const { events } = await made(team.owner, 'GET', `/api/v1/security/audit?targetId=${id}&type=document.updated`);
  assert.deepEqual(
    events.flatMap(({ data }: any) => data.changes.labels ?? []),
    [{ from: labels, to: ['Lease'] }],
  );
  assert.equal((await made(creator, 'PUT', `${documents}/${id}`, { labels: [] })).labels, undefined);
  for (const wrong of [
    [''],
    ['   '],
    ['x'.repeat(51)],
    ['a\u0000b'],
    ['a\u202eb'],
    Array.from({ length: 21 }, (_, n) => `${n}`),
    'NDA',
    [null],
  ]) {
    const refused = await call(creator, 'PUT', `${documents}/${id}`, { labels: wrong });
    assert.equal(refused.status, 400, JSON.stringify(wrong));
  }
  assert.equal((await made(creator, 'PUT', `${documents}/${id}`, { labels: ['é'.repeat(50), '😀'.repeat(50)] })).labels.length, 2);
});

test('lists and the search are filtered by all given labels, and counts cover only readable documents', async () => {
  const [creator, reader, assignee] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  const room = await folderBy(creator);
  const one = await document(creator, ['Lease', 'Berlin']);
  const two = await document(creator, ['lease']);
  const barred = await document(creator, ['Lease', 'Secret'], { folderId: room.id });
  const other = await document(creator, ['Berlin']);
  assert.deepEqual(await labelsOf(creator), ['Lease 3', 'Berlin 2', 'Secret 1']);
  assert.deepEqual(await found(creator, 'LEASE'), [one.id, two.id, barred.id]);
  assert.deepEqual(await found(creator, 'lease', 'Berlin'), [one.id]);
  assert.deepEqual(await found(creator, 'none'), []);
  assert.deepEqual((await call(creator, 'GET', `${documents}/?label=a%00b`)).body, []);
  await shareDocument(creator, two.id, reader, 'read');
  assert.deepEqual([await labelsOf(reader), await found(reader, 'Lease')], [['lease 1'], [two.id]]);
  // A document readable by its folder and by its own share is counted once.
  const shelf = await folderBy(creator);
  const shelved = await document(creator, ['Lease', 'Shelf'], { folderId: shelf.id });
  await made(creator, 'POST', `/api/v1/smartdoc/folders/${shelf.id}/shares`, { userId: reader.id, access: 'read' });
  await shareDocument(creator, shelved.id, reader, 'read');
  assert.deepEqual(await labelsOf(reader), ['Lease 2', 'Shelf 1']);
  const client = await chancery.client(team.owner, ['documents:read']);
  await made(team.owner, 'PATCH', `/api/v1/security/clients/${client.id}`, { folderIds: [shelf.id] });
  assert.deepEqual(await labelsOf(client), ['Lease 1', 'Shelf 1']);
  await made(creator, 'DELETE', `${documents}/${shelved.id}`);
  await made(creator, 'PUT', `/api/v1/smartdoc/folders/${room.id}/barrier`, { userIds: [] });
  assert.ok(!JSON.stringify(await labelsOf(team.owner)).includes('Secret'));
  assert.deepEqual(await found(team.owner, 'Secret'), []);
  const task = await made(creator, 'POST', '/api/v1/tasks/', { title: 'Read it', documentId: other.id, assignedTo: assignee.id });
  assert.deepEqual([await labelsOf(assignee), await found(assignee, 'Berlin')], [['Berlin 1'], [other.id]]);
  await made(assignee, 'POST', `/api/v1/tasks/${task.id}/complete`, {});
  assert.deepEqual([await labelsOf(assignee), await found(assignee, 'Berlin')], [[], []]);
  await made(creator, 'DELETE', `${documents}/${two.id}`);
  assert.deepEqual(await labelsOf(creator), ['Berlin 2', 'Lease 2', 'Secret 1']);
});
