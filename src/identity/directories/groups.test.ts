import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { asking } from '../../../test/asking.ts';
import { directoriesPath, type DirectoryWorld, withDirectory } from '../../../test/directories.ts';
import { type Chancery, sharedChancery, type TestResponse, type User } from '../../../test/harness.ts';

const groups = '/api/v1/groups';
let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

const ok = (answer: TestResponse): any => {
  assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
  return answer.body;
};
const { made, documentOf } = asking(() => chancery);
const refusal = ({ status, body }: TestResponse) => [status, body?.scimType ?? body?.code];
const patch = (world: DirectoryWorld, group: { id: string }, ...Operations: object[]) =>
  world.scim('PATCH', `/Groups/${group.id}`, { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations });
const membersOf = async (world: DirectoryWorld, group: { id: string }): Promise<string[]> =>
  (ok(await world.scim('GET', `/Groups/${group.id}`)).members ?? []).map(({ value }: any) => value).toSorted();
/** The accounts in the group, as the team sees it. */
const accountsOf = async (world: DirectoryWorld, group: { id: string }): Promise<string[]> =>
  ok(await chancery.call('GET', `${groups}/${group.id}/members`, { token: world.owner.token }))
    .map(({ userId }: any) => userId)
    .toSorted();
async function accountOf(world: DirectoryWorld, user: { id: string }): Promise<string> {
  const listed = ok(await chancery.call('GET', `${directoriesPath}/${world.directory.id}/users`, { token: world.owner.token }));
  return listed.find(({ id }: any) => id === user.id).userId;
}
const roleOf = async (world: DirectoryWorld, user: { id: string }): Promise<string> =>
  ok(await chancery.call('GET', `/api/v1/team/members/${await accountOf(world, user)}`, { token: world.owner.token })).role;
const events = async (world: DirectoryWorld, type: string) =>
  (await chancery.pool.query('SELECT body FROM event WHERE team_id = $1 AND type = $2 ORDER BY id', [world.id, type])).rows.map(
    ({ body }) => JSON.parse(body).data.data,
  );
const by = (world: { owner: User }, body?: unknown) => ({ token: world.owner.token, ...(body === undefined ? {} : { body }) });

describe('a group of a directory', () => {
  test('gives its members access, and is a group of the team with the directory', async () => {
    const world = await withDirectory(chancery);
    const users = [await world.provision(), await world.provision()];
    const group = await world.group('Litigation', [users[0].id]);
    assert.deepEqual(await accountsOf(world, group), [await accountOf(world, users[0])]);
    const shown = ok(await chancery.call('GET', `${groups}/${group.id}`, by(world)));
    assert.deepEqual(
      [shown.name, shown.directoryId, shown.createdByType, shown.membersCount],
      ['Litigation', world.directory.id, 'directory', 1],
    );
    assert.deepEqual(await events(world, 'group.members_changed'), [{ name: 'Litigation', added: 1, removed: 0 }]);
    const folder = await chancery.folder(world.owner);
    ok(await chancery.call('POST', `/api/v1/smartdoc/folders/${folder.id}/shares`, by(world, { groupId: group.id, access: 'read' })));
    assert.equal((await patch(world, group, { op: 'Add', path: 'members', value: [{ value: users[1].id }] })).status, 204);
    assert.deepEqual(await membersOf(world, group), users.map(({ id }) => id).toSorted());
  });

  test('cannot be changed through the API, nor be a member of a barrier', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision();
    const group = await world.group('Read only');
    const userId = await accountOf(world, user);
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', '', undefined],
      ['POST', '/members', { userId }],
      ['DELETE', `/members/${userId}`, undefined],
    ] as const)
      assert.deepEqual(refusal(await chancery.call(method, `${groups}/${group.id}${path}`, by(world, body))), [
        409,
        'group_managed_by_directory',
      ]);
    const folder = await chancery.folder(world.owner);
    const barrier = by(world, { userIds: [world.owner.id], groupIds: [group.id] });
    assert.deepEqual(refusal(await chancery.call('PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, barrier)), [
      422,
      'group_managed_by_directory',
    ]);
  });

  test('keeps its id and its shares when it is renamed, and is 409 with the name of another group', async () => {
    const world = await withDirectory(chancery);
    const group = await world.group('Before');
    ok(await chancery.call('POST', `${groups}/`, by(world, { name: 'Taken' })));
    assert.equal((await patch(world, group, { op: 'replace', value: { id: group.id, displayName: 'After' } })).status, 204);
    assert.equal(ok(await chancery.call('GET', `${groups}/${group.id}`, by(world))).name, 'After');
    assert.deepEqual(refusal(await patch(world, group, { op: 'replace', path: 'displayName', value: 'taken' })), [409, 'uniqueness']);
    assert.deepEqual(refusal(await world.scim('POST', '/Groups', { displayName: 'AFTER' })), [409, 'uniqueness']);
  });

  test('ends with its shares when it is deleted, and is 404 from then on', async () => {
    const world = await withDirectory(chancery);
    const group = await world.group('Short-lived', [(await world.provision()).id]);
    assert.equal((await world.scim('DELETE', `/Groups/${group.id}`)).status, 204);
    assert.equal((await world.scim('DELETE', `/Groups/${group.id}`)).status, 404);
    assert.equal((await chancery.call('GET', `${groups}/${group.id}`, by(world))).status, 404);
  });

  test('of another directory or of the team is 404', async () => {
    const [world, other] = [await withDirectory(chancery), await withDirectory(chancery)];
    const own = ok(await chancery.call('POST', `${groups}/`, by(world, { name: 'Manual' })));
    for (const id of [own.id, (await other.group('Theirs')).id, 'x']) assert.equal((await world.scim('GET', `/Groups/${id}`)).status, 404);
    assert.equal(ok(await world.scim('GET', '/Groups')).totalResults, 0);
  });
});

describe('members', () => {
  test('are added, removed, replaced and cleared as Entra ID and Okta write it', async () => {
    const world = await withDirectory(chancery);
    const [a, b, c] = [(await world.provision()).id, (await world.provision()).id, (await world.provision()).id];
    const group = await world.group('Steps', [a]);
    const steps: [object, string[]][] = [
      [{ op: 'Add', path: 'members', value: [{ $ref: null, value: b }] }, [a, b]],
      [{ op: 'Remove', path: 'members', value: [{ value: a }] }, [b]],
      [{ op: 'add', path: 'members', value: [{ value: c, display: 'C' }] }, [b, c]],
      [{ op: 'remove', path: `members[value eq "${b}"]` }, [c]],
      [{ op: 'replace', path: 'members', value: [{ value: a }, { value: b }] }, [a, b]],
      [{ op: 'replace', value: { members: [{ value: c }] } }, [c]],
      [{ op: 'remove', path: 'members' }, []],
    ];
    for (const [operation, expected] of steps) {
      assert.equal((await patch(world, group, operation)).status, 204);
      assert.deepEqual(await membersOf(world, group), expected.toSorted(), JSON.stringify(operation));
      const accounts = await Promise.all(expected.map((id) => accountOf(world, { id })));
      assert.deepEqual(await accountsOf(world, group), accounts.toSorted());
    }
  });

  test('are unchanged if one is unknown, a group, or of another directory', async () => {
    const [world, other] = [await withDirectory(chancery), await withDirectory(chancery)];
    const known = await world.provision();
    const group = await world.group('All or none');
    for (const value of [
      [{ value: known.id }, { value: randomUUIDv7() }],
      [{ value: known.id }, { value: (await other.provision()).id }],
      [{ value: known.id }, { value: group.id, type: 'Group' }],
      [{ value: 'not an id' }],
    ]) {
      const both = [
        { op: 'replace', path: 'displayName', value: 'Changed' },
        { op: 'add', path: 'members', value },
      ];
      assert.deepEqual(refusal(await patch(world, group, ...both)), [400, 'invalidValue']);
    }
    const read = ok(await world.scim('GET', `/Groups/${group.id}`));
    assert.deepEqual([read.displayName, read.members], ['All or none', undefined]);
  });

  test('stay while a user is deactivated', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision();
    const group = await world.group('Stays', [user.id]);
    ok(await world.scim('PATCH', `/Users/${user.id}`, { Operations: [{ op: 'replace', value: { active: false } }] }));
    assert.deepEqual(await membersOf(world, group), [user.id]);
  });

  test('are listed with a filter by member, and left out on demand', async () => {
    const world = await withDirectory(chancery);
    const user = await world.provision();
    const group = await world.group('Found', [user.id]);
    await world.group('Other');
    const found = ok(await world.scim('GET', `/Groups?filter=${encodeURIComponent(`members.value eq "${user.id}"`)}`));
    assert.deepEqual([found.totalResults, found.Resources[0].members.length], [1, 1]);
    const [without] = ok(await world.scim('GET', '/Groups?filter=displayName%20eq%20%22found%22&excludedAttributes=members')).Resources;
    assert.deepEqual([without.id, without.members], [group.id, undefined]);
  });
});

describe('tasks of a group', () => {
  /** Puts a signed-in member of the team under the directory. */
  async function managed(world: DirectoryWorld) {
    const member = await chancery.user(world);
    const email = `${member.id}@${world.domain}`;
    await chancery.pool.query('UPDATE account SET email = $3, email_key = $3 WHERE team_id = $1 AND id = $2', [world.id, member.id, email]);
    return { ...member, scim: await world.provision({ userName: email }) };
  }
  const assigneeOf = async (world: DirectoryWorld, id: string) => (await made(world.owner, 'GET', `/api/v1/tasks/${id}`)).assignedTo;
  const entries = async (id: string): Promise<string[]> =>
    (await chancery.pool.query('SELECT type FROM audit_entry WHERE target_id = $1 ORDER BY id', [id])).rows.map(({ type }) => type);

  test('go back to it when the directory removes the member, and a group without members is reported', async () => {
    const world = await withDirectory(chancery);
    const [one, two] = [await managed(world), await managed(world)];
    const group = await world.group('Reviewers', [one.scim.id, two.scim.id]);
    const { id: documentId } = await documentOf(world.owner);
    const task = await made(world.owner, 'POST', '/api/v1/tasks/', { title: 'Read it', groupId: group.id, documentId });
    await made(one, 'POST', `/api/v1/tasks/${task.id}/claim`);
    await patch(world, group, { op: 'remove', path: `members[value eq "${one.scim.id}"]` });
    assert.equal(await assigneeOf(world, task.id), undefined);
    await made(two, 'POST', `/api/v1/tasks/${task.id}/claim`);
    assert.equal((await patch(world, group, { op: 'remove', path: 'members' })).status, 204);
    assert.equal(await assigneeOf(world, task.id), undefined);
    assert.deepEqual((await entries(task.id)).filter((type) => type === 'task.unassigned').length, 1);
    assert.deepEqual((await events(world, 'group.members_changed')).slice(1), [
      { name: 'Reviewers', added: 0, removed: 1 },
      { name: 'Reviewers', added: 0, removed: 1 },
    ]);
    assert.deepEqual(await events(world, 'group.member_removed'), []);
    const listed = await chancery.pool.query("SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'group.members_removed'", [
      group.id,
    ]);
    assert.deepEqual(new Set(listed.rows.flatMap(({ data }) => data.userIds)), new Set([one.id, two.id]));
  });

  test('can be steps of a workflow', async () => {
    const world = await withDirectory(chancery);
    const user = await managed(world);
    const group = await world.group('Approvers', [user.scim.id]);
    const steps = [{ id: 'a', type: 'task', groups: [group.id], mode: 'any' }];
    const { id } = await made(world.owner, 'POST', '/api/v1/workflows/', { name: 'W', documentId: 'DMS-1', steps });
    await made(world.owner, 'POST', `/api/v1/workflows/${id}/start`);
    const [task] = await made(world.owner, 'GET', `/api/v1/tasks?workflowId=${id}&status=open`);
    assert.equal(task.assignedGroupId, group.id);
  });

  test('that race with the removal of the member do not stay with them', async () => {
    const world = await withDirectory(chancery);
    const one = await managed(world);
    const group = await world.group('Racing', [one.scim.id]);
    const { id: documentId } = await documentOf(world.owner);
    const body = { title: 'Read it', groupId: group.id, documentId };
    const tasks = await Promise.all(Array.from({ length: 20 }, () => made(world.owner, 'POST', '/api/v1/tasks/', body)));
    const claims = (from: number, to: number) =>
      tasks.slice(from, to).map(({ id }) => chancery.call('POST', `/api/v1/tasks/${id}/claim`, { token: one.token }));
    const removal = patch(world, group, { op: 'remove', path: 'members' });
    await Promise.all([...claims(0, 10), removal, ...claims(10, 20)]);
    assert.equal((await removal).status, 204);
    assert.deepEqual(await made(world.owner, 'GET', `/api/v1/tasks?assignedTo=${one.id}`), []);
  });
});

describe('role groups', () => {
  async function withRoles(settings: Record<string, unknown> = {}) {
    const world = await withDirectory(chancery);
    const [viewers, admins] = [await world.group('Viewers'), await world.group('Admins')];
    const set = (body: object, { token } = world.owner) =>
      chancery.call('PATCH', `${directoriesPath}/${world.directory.id}`, { token, body });
    const roleGroups = [
      { groupId: viewers.id, role: 'viewer' },
      { groupId: admins.id, role: 'admin' },
    ];
    ok(await set({ roleGroups, mayGiveAdmin: true, ...settings }));
    return { world, viewers, admins, set };
  }

  test('decide the role of their members, the highest one, and the default without one', async () => {
    const { world, viewers, admins } = await withRoles();
    const user = await world.provision();
    const add = { op: 'add', path: 'members', value: [{ value: user.id }] };
    assert.equal(await roleOf(world, user), 'member');
    await patch(world, viewers, add);
    assert.equal(await roleOf(world, user), 'viewer');
    await patch(world, admins, add);
    assert.equal(await roleOf(world, user), 'admin');
    await patch(world, admins, { op: 'remove', path: 'members' });
    assert.equal(await roleOf(world, user), 'viewer');
    await world.scim('DELETE', `/Groups/${viewers.id}`);
    assert.equal(await roleOf(world, user), 'member');
    assert.deepEqual(
      (await events(world, 'member.role_changed')).map(({ to }: any) => to),
      ['viewer', 'admin', 'viewer', 'member'],
    );
  });

  test('are settings no longer when the group is deleted', async () => {
    const { world, viewers, admins, set } = await withRoles();
    await world.scim('DELETE', `/Groups/${viewers.id}`);
    assert.deepEqual(ok(await set({ name: 'Renamed' })).roleGroups, [{ groupId: admins.id, role: 'admin' }]);
    await world.scim('DELETE', `/Groups/${admins.id}`);
    assert.deepEqual(ok(await set({ name: 'Again' })).roleGroups, []);
  });

  test('appoint administrators only if the owner allowed it', async () => {
    const { world, admins, set } = await withRoles();
    const admin = await chancery.user(world, { role: 'admin' });
    assert.equal((await set({ mayGiveAdmin: false }, admin)).status, 403);
    assert.equal((await set({ mayGiveAdmin: false })).body.code, 'invalid_directory_setting');
    const foreign = { roleGroups: [{ groupId: randomUUIDv7(), role: 'viewer' }] };
    assert.equal((await set(foreign)).body.code, 'invalid_directory_setting');
    ok(await set({ roleGroups: [{ groupId: admins.id, role: 'viewer' }] }));
    ok(await set({ mayGiveAdmin: false }));
    assert.equal((await set({ roleGroups: [{ groupId: admins.id, role: 'admin' }] })).body.code, 'invalid_directory_setting');
  });
});

test('a deleted directory leaves its groups to the team, with their members', async () => {
  const world = await withDirectory(chancery);
  const user = await world.provision();
  const group = await world.group('Survivor', [user.id]);
  const account = await accountOf(world, user);
  assert.equal((await chancery.call('DELETE', `${directoriesPath}/${world.directory.id}?keep=true`, by(world))).status, 204);
  assert.deepEqual(await accountsOf(world, group), [account]);
  assert.equal(ok(await chancery.call('PATCH', `${groups}/${group.id}`, by(world, { name: 'Ours' }))).directoryId, undefined);
  assert.equal((await world.scim('GET', '/Users')).status, 401);
  assert.equal(ok(await chancery.call('GET', `/api/v1/team/members/${account}`, by(world))).isActive, true);
});
