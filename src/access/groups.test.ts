import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../test/harness.ts';
import { smallTemplate } from '../../test/operations/small-template.ts';

let chancery: Chancery;
let team: TestTeam;
let owner: User;
let creator: User;
let member: User;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
  [creator, member] = [await chancery.user(team), await chancery.user(team)];
});

const groups = '/api/v1/groups';
const call = (by: User, method: string, path: string, body?: unknown) =>
  chancery.call(method, path, { token: by.token, ...(body === undefined ? {} : { body }) });
async function made(by: User, method: string, path: string, body?: unknown): Promise<any> {
  const answer = await call(by, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}
const group = (name = `Group ${randomUUIDv7()}`): Promise<{ id: string; name: string }> => made(owner, 'POST', `${groups}/`, { name });
const fields = [{ id: 'name', type: 'text', label: 'Name' }];

/** One resource of each shareable type, with its path and its shares. */
const resources: Record<string, () => Promise<{ path: string; shares: string; body: object; by: User }>> = {
  registry: async () => {
    const { id } = await made(creator, 'POST', '/api/v1/registries/', { name: `Parties ${randomUUIDv7()}`, fields });
    return { path: `/api/v1/registries/${id}`, shares: `/api/v1/registries/${id}/access`, body: { access: 'read' }, by: creator };
  },
  template: async () => {
    const { id } = await made(creator, 'POST', '/api/v1/document-templates/', smallTemplate());
    const path = `/api/v1/document-templates/${id}`;
    return { path, shares: `${path}/access`, body: { access: 'read' }, by: creator };
  },
  form: async () => {
    const { id } = await made(creator, 'POST', '/api/v1/interfaces/', { title: 'Intake', type: 'form', fields });
    return { path: `/api/v1/interfaces/${id}`, shares: `/api/v1/interfaces/${id}/shares`, body: { rights: ['edit'] }, by: creator };
  },
  document: async () => {
    const form = new FormData();
    form.set('title', `Deed ${randomUUIDv7()}`);
    const { id } = (await chancery.call('POST', '/api/v1/smartdoc/documents/', { token: creator.token, body: form })).body;
    const path = `/api/v1/smartdoc/documents/${id}`;
    return { path, shares: `${path}/access`, body: { access: 'read' }, by: creator };
  },
  folder: async () => {
    const { id } = await made(creator, 'POST', '/api/v1/smartdoc/folders/', { name: `Folder ${randomUUIDv7()}` });
    const path = `/api/v1/smartdoc/folders/${id}`;
    return { path, shares: `${path}/shares`, body: { access: 'read' }, by: creator };
  },
  agent: async () => {
    const { id } = await made(owner, 'POST', '/ws/api/agents/', { name: `Agent ${randomUUIDv7()}` });
    return { path: `/ws/api/agents/${id}`, shares: `/ws/api/agents/${id}/shares`, body: {}, by: owner };
  },
};

for (const [type, make] of Object.entries(resources))
  test(`${type}: a share with a group gives a member access while the member is in the group`, async () => {
    const { path, shares, body, by } = await make();
    const { id } = await group();
    const { groupId } = await made(by, 'POST', shares, { groupId: id, ...body });
    assert.equal(groupId, id);
    assert.equal((await call(member, 'GET', path)).status, 404);
    await made(owner, 'POST', `${groups}/${id}/members`, { userId: member.id });
    assert.equal((await call(member, 'GET', path)).status, 200);
    const listed = await made(member, 'GET', `${path.slice(0, path.lastIndexOf('/'))}/`);
    assert.ok(JSON.stringify(listed).includes(path.slice(path.lastIndexOf('/') + 1)), 'the list contains it');
    assert.equal((await call(owner, 'DELETE', `${groups}/${id}/members/${member.id}`)).status, 204);
    assert.equal((await call(member, 'GET', path)).status, 404);
  });

test('a group with a folder share can access the folders and documents below it', async () => {
  const { path, shares, by } = await (resources.folder ?? assert.fail)();
  const parentId = path.slice(path.lastIndexOf('/') + 1);
  const { id: below } = await made(by, 'POST', '/api/v1/smartdoc/folders/', { name: 'Below', parentId });
  const form = new FormData();
  form.set('title', 'Deed');
  form.set('folderId', below);
  const { id: document } = (await chancery.call('POST', '/api/v1/smartdoc/documents/', { token: by.token, body: form })).body;
  const { id: groupId } = await group();
  await made(owner, 'POST', `${groups}/${groupId}/members`, { userId: member.id });
  await made(by, 'POST', shares, { groupId, access: 'write' });
  const found = await made(member, 'GET', `/api/v1/smartdoc/documents/?folderId=${below}`);
  assert.deepEqual(
    found.map(({ id }: { id: string }) => id),
    [document],
  );
  await made(member, 'PUT', `/api/v1/smartdoc/documents/${document}`, { title: 'Deed of the group' });
  const { grants } = await made(by, 'GET', `${path}/access`);
  assert.ok(grants.some((grant: { groupId?: string; access: string }) => grant.groupId === groupId && grant.access === 'write'));
});

test('deleting a group deletes its shares', async () => {
  const { path, shares, by } = await (resources.registry ?? assert.fail)();
  const { id } = await group();
  await made(owner, 'POST', `${groups}/${id}/members`, { userId: member.id });
  await made(by, 'POST', shares, { groupId: id, access: 'write' });
  assert.equal((await made(member, 'GET', path)).access, 'write');
  assert.equal((await call(owner, 'DELETE', `${groups}/${id}`)).status, 204);
  assert.equal((await call(member, 'GET', path)).status, 404);
  const { grants } = await made(by, 'GET', shares);
  assert.deepEqual(
    grants.filter(({ reason }: { reason: string }) => reason === 'share'),
    [],
  );
});

test('a second share with the same group replaces the first', async () => {
  const { shares, by } = await (resources.registry ?? assert.fail)();
  const { id: groupId } = await group();
  const first = await made(by, 'POST', shares, { groupId, access: 'read' });
  const second = await made(by, 'POST', shares, { groupId, access: 'write' });
  assert.deepEqual([second.id, second.access], [first.id, 'write']);
});

test('a share names exactly one principal', async () => {
  const { shares, by } = await (resources.registry ?? assert.fail)();
  const { id: groupId } = await group();
  for (const principal of [{}, { groupId, team: true }, { groupId, userId: member.id }]) {
    const { status, body } = await call(by, 'POST', shares, { access: 'read', ...principal });
    assert.deepEqual([status, body.code], [400, 'validation_failed']);
  }
});

test('a group of another team is not found', async () => {
  const { owner: other } = await chancery.team();
  const { id: groupId } = await made(other, 'POST', `${groups}/`, { name: 'Theirs' });
  const { shares, by } = await (resources.registry ?? assert.fail)();
  const { status, body } = await call(by, 'POST', shares, { groupId, access: 'read' });
  assert.deepEqual([status, body.code], [404, 'group_not_found']);
  assert.equal((await call(owner, 'GET', `${groups}/${groupId}`)).status, 404);
});

test('group names are unique regardless of case, also under concurrent creation', async () => {
  const outcomes = await Promise.all(['Tax', 'TAX', 'tax', 'Tax'].map((name) => call(owner, 'POST', `${groups}/`, { name })));
  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), [201, 409, 409, 409]);
  const { id } = await group();
  const { status, body } = await call(owner, 'PATCH', `${groups}/${id}`, { name: 'tAx' });
  assert.deepEqual([status, body.code], [409, 'group_name_taken']);
});

test('a member who leaves the team is removed from its groups', async () => {
  const leaver = await chancery.user(team);
  const { id } = await group();
  await made(owner, 'POST', `${groups}/${id}/members`, { userId: leaver.id });
  assert.equal((await made(owner, 'GET', `${groups}/${id}`)).membersCount, 1);
  assert.equal((await call(owner, 'DELETE', `/api/v1/team/members/${leaver.id}`)).status, 204);
  assert.deepEqual(await made(owner, 'GET', `${groups}/${id}/members`), []);
  const { status, body } = await call(owner, 'POST', `${groups}/${id}/members`, { userId: leaver.id });
  assert.deepEqual([status, body.code], [404, 'member_not_found']);
});

test('a member is added once, and members are listed by page', async () => {
  const { id } = await group();
  const people = [creator.id, member.id, owner.id].toSorted();
  for (const userId of [...people, member.id]) await made(owner, 'POST', `${groups}/${id}/members`, { userId });
  const first = await call(owner, 'GET', `${groups}/${id}/members?limit=2`);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? assert.fail('another page follows');
  const second = await made(owner, 'GET', new URL(next, 'http://localhost').pathname + new URL(next, 'http://localhost').search);
  assert.deepEqual(
    [...first.body, ...second].map(({ userId }: { userId: string }) => userId),
    people,
  );
});

test('a confined API client manages the registry that it creates, and no other', async () => {
  const folder = await chancery.folder(creator, { name: 'Client' });
  const { id, token } = await chancery.client(owner, ['registries:read', 'registries:write', 'folders:read']);
  await made(owner, 'PATCH', `/api/v1/security/clients/${id}`, { folderIds: [folder.id] });
  const { status, body } = await chancery.call('POST', '/api/v1/registries/', { token, body: { name: 'Of a client', fields } });
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal(body.access, 'manage');
  const { path } = await (resources.registry ?? assert.fail)();
  assert.equal((await chancery.call('GET', path, { token })).status, 404);
  const listed = await chancery.call('GET', '/api/v1/registries/', { token });
  assert.deepEqual(
    listed.body.map((one: { id: string }) => one.id),
    [body.id],
  );
});
