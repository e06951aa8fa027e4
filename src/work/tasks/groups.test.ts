import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type Asker, asking } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestResponse, type TestTeam, type User } from '../../../test/harness.ts';
import { mailsTo } from '../../../test/people.ts';

const tasks = '/api/v1/tasks';
const groups = '/api/v1/groups';
const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});
const { call, made, documentOf } = asking(() => chancery);
const refusal = ({ status, body }: TestResponse) => [status, body?.code];

type World = { team: TestTeam; owner: User; creator: User; one: User; two: User; outsider: User; group: string };
/** A team with a group of two members, and a member who creates tasks. */
async function world(): Promise<World> {
  const team = await chancery.team();
  const [creator, one, two, outsider] = [
    await chancery.user(team),
    await chancery.user(team),
    await chancery.user(team),
    await chancery.user(team),
  ];
  return { team, owner: team.owner, creator, one, two, outsider, group: await groupOf(team.owner, one, two) };
}
async function groupOf(owner: User, ...people: User[]): Promise<string> {
  const { id } = await made(owner, 'POST', `${groups}/`, { name: `Group ${randomUUIDv7()}` });
  for (const { id: userId } of people) await made(owner, 'POST', `${groups}/${id}/members`, { userId });
  return id;
}
const give = (by: Asker, groupId: string, more: object = {}) => made(by, 'POST', `${tasks}/`, { title: 'Read it', groupId, ...more });
const claim = (by: Asker, id: string) => call(by, 'POST', `${tasks}/${id}/claim`);
const release = (by: Asker, id: string) => call(by, 'POST', `${tasks}/${id}/release`);
const complete = (by: Asker, id: string, body: object = {}) => call(by, 'POST', `${tasks}/${id}/complete`, body);
const read = (by: Asker, id: string) => call(by, 'GET', `${tasks}/${id}`);
const listed = async (by: Asker, query: string): Promise<string[]> =>
  (await made(by, 'GET', `${tasks}?${query}`)).map(({ id }: { id: string }) => id);
const entries = async (id: string): Promise<string[]> => {
  const { rows } = await chancery.pool.query('SELECT type FROM audit_entry WHERE target_id = $1 ORDER BY id', [id]);
  return rows.map(({ type }) => type);
};
const remove = (by: User, group: string, { id }: User) => made(by, 'DELETE', `${groups}/${group}/members/${id}`);
const setActive = (by: User, { id }: User, isActive: boolean) => made(by, 'PATCH', `/api/v1/team/members/${id}`, { isActive });
/** Starts a workflow of the creator with one step, and returns its open tasks. */
async function started(by: Asker, step: object, documentId = 'DMS-1'): Promise<any[]> {
  const { id } = await made(by, 'POST', '/api/v1/workflows/', { name: 'W', documentId, steps: [{ id: 'a', ...step }] });
  await made(by, 'POST', `/api/v1/workflows/${id}/start`);
  return made(by, 'GET', `${tasks}?workflowId=${id}&status=open`);
}

test('a member of the group claims a task, completes it, and the task keeps its group', async () => {
  const { creator, one, group } = await world();
  const task = await give(creator, group);
  assert.deepEqual([task.assignedGroupId, task.assignedTo], [group, undefined]);
  const claimed = await claim(one, task.id);
  assert.deepEqual([claimed.status, claimed.body.assignedTo, claimed.body.assignedGroupId], [200, one.id, group]);
  const done = await complete(one, task.id);
  assert.deepEqual([done.status, done.body.completedBy, done.body.assignedGroupId], [200, one.id, group]);
  assert.deepEqual(await entries(task.id), ['task.created', 'task.claimed', 'task.completed']);
});

test('of fifty concurrent claims of two members exactly one wins', async () => {
  const { creator, one, two, group } = await world();
  const { id } = await give(creator, group);
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => claim(n % 2 === 0 ? one : two, id)));
  const winners = answers.filter(({ status }) => status === 200);
  assert.equal(winners.length, 1);
  for (const answer of answers) if (answer !== winners[0]) assert.deepEqual(refusal(answer), [409, 'task_claimed']);
  assert.equal((await read(creator, id)).body.assignedTo, winners[0]?.body.assignedTo);
  assert.deepEqual(await entries(id), ['task.created', 'task.claimed']);
});

test('only members of the group see and claim its task; its creator and an administrator see it', async () => {
  const { creator, owner, one, outsider, group } = await world();
  const { id } = await give(creator, group);
  for (const by of [outsider]) {
    assert.equal((await read(by, id)).status, 404);
    assert.equal((await claim(by, id)).status, 404);
  }
  assert.equal((await read(one, id)).status, 200);
  for (const by of [creator, owner]) {
    assert.equal((await read(by, id)).status, 200);
    assert.deepEqual(refusal(await claim(by, id)), [403, 'forbidden']);
  }
  const client = await chancery.client(owner, ['tasks:read', 'tasks:write']);
  assert.deepEqual(refusal(await claim(client, id)), [403, 'person_required']);
});

test('an ended task is visible to the member who completed it, and to no other member of the group', async () => {
  const { creator, one, two, group } = await world();
  const { id } = await give(creator, group);
  await claim(one, id);
  await complete(one, id);
  assert.equal((await read(one, id)).status, 200);
  assert.equal((await read(two, id)).status, 404);
  assert.deepEqual([await listed(one, ''), await listed(two, '')], [[id], []]);
});

test('a task of a group is completed by its claimer only', async () => {
  const { creator, owner, one, two, group } = await world();
  const { id } = await give(creator, group);
  for (const by of [one, creator, owner]) assert.deepEqual(refusal(await complete(by, id)), [403, 'forbidden']);
  await claim(one, id);
  for (const by of [two, creator, owner]) assert.deepEqual(refusal(await complete(by, id)), [403, 'forbidden']);
  assert.equal((await complete(one, id)).status, 200);
});

test('`claimable` lists what the caller can claim, with `assignedTo=me` also their own, in each order', async () => {
  const { creator, one, two, group } = await world();
  const [free, taken] = [await give(creator, group), await give(creator, group)];
  const own = await made(creator, 'POST', `${tasks}/`, { title: 'Own', assignedTo: one.id });
  await claim(two, taken.id);
  for (const sort of ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'dueDate', '-dueDate']) {
    assert.deepEqual(await listed(one, `claimable=true&sort=${sort}`), [free.id]);
    const both = await listed(one, `claimable=true&assignedTo=me&sort=${sort}`);
    assert.deepEqual(both.toSorted(), [free.id, own.id].toSorted());
  }
  assert.deepEqual(await listed(one, 'assignedTo=me&status=open'), [own.id]);
  assert.deepEqual((await listed(one, '')).toSorted(), [free.id, taken.id, own.id].toSorted());
  assert.deepEqual(await listed(one, 'claimable=true&status=completed'), []);
  assert.deepEqual(refusal(await call(one, 'GET', `${tasks}?claimable=true&assignedTo=${two.id}`)), [400, 'validation_failed']);
});

test('`claimable` has no decision of a conflicted member, and pages through all tasks', async () => {
  const { creator, one, group } = await world();
  const found = [await give(creator, group), await give(creator, group), await give(creator, group)];
  const [approval] = await started(one, { type: 'approval', groups: [group], mode: 'any' });
  assert.ok(!(await listed(one, 'claimable=true')).includes(approval.id));
  const first = await call(one, 'GET', `${tasks}?claimable=true&limit=2`);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await call(one, 'GET', next.slice(next.indexOf('/api/')));
  assert.deepEqual(
    [...first.body, ...second.body].map(({ id }) => id),
    found.map(({ id }) => id),
  );
});

test('the creator of a workflow and the uploader do not claim its decision, and a viewer claims tasks only', async () => {
  const { team, owner, creator, one, group } = await world();
  const viewer = await chancery.user(team, { role: 'viewer' });
  for (const person of [creator, viewer]) await made(owner, 'POST', `${groups}/${group}/members`, { userId: person.id });
  const [approval] = await started(creator, { type: 'approval', groups: [group], mode: 'any' });
  assert.deepEqual(refusal(await claim(creator, approval.id)), [403, 'separation_of_duties']);
  assert.deepEqual(refusal(await claim(viewer, approval.id)), [403, 'forbidden']);
  assert.equal((await claim(one, approval.id)).status, 200);
  const { id } = await give(creator, group);
  assert.equal((await claim(viewer, id)).status, 200);
});

test('a person decides once in a step: the second task of it is not for them', async () => {
  const { owner, creator, one, group } = await world();
  const other = await groupOf(owner, one);
  const [first, second] = await started(creator, { type: 'approval', groups: [group, other], mode: 'any' });
  assert.equal((await claim(one, first.id)).status, 200);
  assert.deepEqual(refusal(await claim(one, second.id)), [403, 'separation_of_duties']);
});

test('a released task waits for another member', async () => {
  const { creator, owner, one, two, group } = await world();
  const { id } = await give(creator, group);
  assert.deepEqual(refusal(await release(one, id)), [403, 'forbidden']);
  assert.deepEqual(refusal(await release(owner, id)), [409, 'task_not_claimed']);
  await claim(one, id);
  assert.deepEqual(refusal(await release(two, id)), [403, 'forbidden']);
  const released = await release(one, id);
  assert.deepEqual([released.status, released.body.assignedTo, released.body.assignedGroupId], [200, undefined, group]);
  await claim(two, id);
  assert.equal((await release(owner, id)).status, 200, 'an administrator releases, too');
  assert.deepEqual(await entries(id), ['task.created', 'task.claimed', 'task.released', 'task.claimed', 'task.released']);
});

test('claim and release compare `If-Match`', async () => {
  const { creator, one, group } = await world();
  const { id } = await give(creator, group);
  const send = (what: string, etag: string) =>
    chancery.call('POST', `${tasks}/${id}/${what}`, { token: one.token, headers: { 'if-match': etag } });
  const etag = (await read(one, id)).headers.get('etag') ?? '';
  assert.equal((await send('claim', '"99"')).status, 412);
  assert.equal((await send('claim', etag)).status, 200);
  assert.equal((await send('release', etag)).status, 412);
});

test('members of the group read the document while the task is open; who completed it keeps its version', async () => {
  const { owner, creator, one, two, outsider, group } = await world();
  const { id: document } = await documentOf(creator);
  const { id } = await give(creator, group, { documentId: document });
  const reads = async () => Promise.all([one, two, outsider].map(async (by) => (await call(by, 'GET', `${documents}/${document}`)).status));
  assert.deepEqual(await reads(), [200, 200, 404]);
  await made(owner, 'POST', `${groups}/${group}/members`, { userId: outsider.id });
  assert.deepEqual(await reads(), [200, 200, 200], 'a new member reads it at the next request');
  await claim(one, id);
  await complete(one, id);
  assert.deepEqual(await reads(), [404, 404, 404]);
  const versions = await Promise.all([one, two].map(async (by) => (await call(by, 'GET', `${tasks}/${id}/document`)).status));
  assert.deepEqual(versions, [200, 404]);
});

test('a claimed task is released when its claimer leaves the group and reads the document no longer', async () => {
  const { owner, creator, one, two, group } = await world();
  const { id: document, folder } = await documentOf(creator);
  const about = await give(creator, group, { documentId: document });
  const plain = await give(creator, group);
  for (const id of [about.id, plain.id]) await claim(one, id);
  await remove(owner, group, one);
  assert.equal((await read(creator, about.id)).body.assignedTo, undefined, 'released');
  assert.equal((await read(creator, plain.id)).body.assignedTo, one.id, 'nothing keeps them from it');
  await claim(two, about.id);
  await made(creator, 'POST', `${folders}/${folder}/shares`, { userId: two.id, access: 'read' });
  await remove(owner, group, two);
  assert.equal((await read(creator, about.id)).body.assignedTo, two.id, 'a share lets them read it');
});

test('claimed tasks of a suspended member and of one who leaves the team go back to the group', async () => {
  const { owner, creator, one, two, group } = await world();
  const { id } = await give(creator, group);
  await claim(one, id);
  await setActive(owner, one, false);
  assert.equal((await read(creator, id)).body.assignedTo, undefined);
  await claim(two, id);
  await made(owner, 'DELETE', `/api/v1/team/members/${two.id}`);
  const left = (await read(creator, id)).body;
  assert.deepEqual([left.assignedTo, left.assignedGroupId], [undefined, group], 'not the successor');
  const types = await entries(id);
  assert.deepEqual(types.slice(0, 4), ['task.created', 'task.claimed', 'task.released', 'task.claimed']);
  assert.deepEqual(
    types.slice(4).toSorted(),
    ['task.released', 'task.unassigned'],
    'the group is empty, because the other member is suspended',
  );
});

test('owner and administrators hear of tasks that wait in an emptied group', async () => {
  const { owner, creator, one, two, group } = await world();
  const { id } = await give(creator, group, { title: 'Nobody there' });
  await remove(owner, group, one);
  assert.deepEqual(await entries(id), ['task.created']);
  await remove(owner, group, two);
  assert.deepEqual(await entries(id), ['task.created', 'task.unassigned']);
  assert.ok((await mailsTo(chancery, owner.email)).some(({ text }) => text.includes('Nobody there')));
  await made(owner, 'POST', `${groups}/${group}/members`, { userId: two.id });
  assert.equal((await claim(two, id)).status, 200, 'the task waited');
});

test('a group in use is deleted by force: unclaimed tasks have no assignee, claimed ones stay with their claimers', async () => {
  const { owner, creator, one, group } = await world();
  const { id: document } = await documentOf(creator);
  const [free, taken] = [await give(creator, group), await give(creator, group, { documentId: document })];
  const [ofStep] = await started(creator, { type: 'task', groups: [group], mode: 'any' });
  const template = { name: `t-${randomUUIDv7()}`, description: 'D', steps: [{ id: 'a', type: 'task', groups: [group], mode: 'any' }] };
  await made(owner, 'POST', '/api/v1/workflows/templates', template);
  await claim(one, taken.id);
  const uses = { shares: 0, barriers: 0, tasks: 3, steps: 1, templates: 1, policies: 0 };
  assert.deepEqual(await made(owner, 'GET', `${groups}/${group}/uses`), uses);
  const refused = await call(owner, 'DELETE', `${groups}/${group}`);
  assert.deepEqual([...refusal(refused), refused.body.uses], [409, 'group_in_use', uses]);
  await made(owner, 'DELETE', `${groups}/${group}?force=true`);
  for (const { id } of [free, ofStep]) {
    const { body } = await read(creator, id);
    assert.deepEqual([body.assignedTo, body.assignedGroupId], [undefined, undefined]);
    assert.equal((await entries(id)).at(-1), 'task.unassigned');
  }
  assert.equal((await read(one, taken.id)).body.assignedTo, one.id);
  assert.equal((await call(one, 'GET', `${documents}/${document}`)).status, 200, 'the claimer reads the document');
  assert.equal((await complete(one, taken.id)).status, 200);
});

test('a barrier releases the claimed tasks of outsiders, hides the task from them, and stops a member with emergency access', async () => {
  const { team, owner, creator, one, two, group } = await world();
  const admin = await chancery.user(team, { role: 'admin' });
  await made(owner, 'POST', `${groups}/${group}/members`, { userId: admin.id });
  const { id: document, folder } = await documentOf(creator);
  const { id } = await give(creator, group, { documentId: document });
  await claim(one, id);
  await made(creator, 'PUT', `${folders}/${folder}/barrier`, { userIds: [two.id, creator.id] });
  assert.equal((await read(creator, id)).body.assignedTo, undefined);
  assert.equal((await entries(id)).at(-1), 'task.released');
  assert.equal((await claim(one, id)).status, 404);
  assert.deepEqual(await listed(one, 'claimable=true'), []);
  const requests = `/api/v1/barriers/${folder}/emergency-access`;
  const request = await made(admin, 'POST', requests, { reason: 'An audit' });
  await made(owner, 'POST', `${requests}/${request.id}/approve`);
  assert.deepEqual(refusal(await claim(admin, id)), [422, 'outside_barrier']);
  assert.deepEqual(await listed(admin, 'claimable=true'), []);
  assert.equal((await claim(two, id)).status, 200);
});

test('the owner of the document revokes the access of the group, which then no longer has the task', async () => {
  const { creator, one, group } = await world();
  const { id: document } = await documentOf(creator);
  const { id } = await give(creator, group, { documentId: document });
  await claim(one, id);
  const { grants } = await made(creator, 'GET', `${documents}/${document}/access`);
  const grant = grants.find(({ taskId }: { taskId?: string }) => taskId === id);
  assert.equal(grant.groupId, group);
  await made(creator, 'DELETE', `${documents}/${document}/access/${grant.id}`);
  const { body } = await read(creator, id);
  assert.deepEqual([body.assignedTo, body.assignedGroupId], [undefined, undefined]);
  assert.equal((await read(one, id)).status, 404);
});

test('a reassigned task is no longer one of the group', async () => {
  const { owner, creator, one, outsider, group } = await world();
  const { id: document } = await documentOf(creator);
  const { id } = await give(creator, group, { documentId: document });
  const { body } = await call(owner, 'POST', `${tasks}/${id}/reassign`, { userId: outsider.id });
  assert.deepEqual([body.assignedTo, body.assignedGroupId], [outsider.id, undefined]);
  const reads = await Promise.all([one, outsider].map(async (by) => (await call(by, 'GET', `${documents}/${document}`)).status));
  assert.deepEqual(reads, [404, 200]);
});

test('members who can claim a new task get one mail, or their daily one; the actor gets none', async () => {
  const { owner, creator, one, two, group } = await world();
  await made(owner, 'POST', `${groups}/${group}/members`, { userId: creator.id });
  await made(two, 'PUT', '/api/v1/security/auth/profile/notifications', { taskAssigned: 'daily' });
  const { id } = await give(creator, group, { title: 'Peregrine' });
  const about = async ({ email }: User) => (await mailsTo(chancery, email)).filter(({ text }) => text.includes('Peregrine')).length;
  await claim(one, id);
  await release(one, id);
  assert.deepEqual([await about(one), await about(two), await about(creator)], [1, 0, 0]);
  const { rows } = await chancery.pool.query('SELECT FROM task_digest WHERE account_id = $1', [two.id]);
  assert.equal(rows.length, 1);
});

test('a step with the mode `all` has one task for each member at its start, and later members get none', async () => {
  const { owner, creator, one, two, outsider, group } = await world();
  await made(owner, 'POST', `${groups}/${group}/members`, { userId: creator.id });
  const open = await started(creator, { type: 'approval', groups: [group] });
  assert.deepEqual(open.map(({ assignedTo }) => assignedTo).toSorted(), [one.id, two.id].toSorted(), 'without the creator of the workflow');
  await made(owner, 'POST', `${groups}/${group}/members`, { userId: outsider.id });
  await remove(owner, group, one);
  for (const { id, assignedTo } of open)
    assert.equal((await complete(assignedTo === one.id ? one : two, id, { outcome: 'approved' })).status, 200);
  const flow = await made(creator, 'GET', `/api/v1/workflows/${open[0].workflowId}`);
  assert.deepEqual(
    [flow.status, flow.steps[0].assignees.toSorted(), flow.steps[0].groups],
    ['completed', [one.id, two.id].toSorted(), undefined],
  );
});

test('a step with the mode `any` has one task for the group', async () => {
  const { creator, one, group } = await world();
  const open = await started(creator, { type: 'approval', groups: [group], mode: 'any' });
  assert.deepEqual(
    open.map(({ assignedTo, assignedGroupId }) => [assignedTo, assignedGroupId]),
    [[undefined, group]],
  );
  await claim(one, open[0].id);
  assert.equal((await complete(one, open[0].id, { outcome: 'approved' })).status, 200);
  const flow = await made(creator, 'GET', `/api/v1/workflows/${open[0].workflowId}`);
  assert.deepEqual([flow.status, flow.steps[0].groups], ['completed', [group]]);
});

for (const mode of ['any', 'all'])
  test(`a step of a group without an eligible member (${mode}) has no assignee, and owner and administrators hear of it`, async () => {
    const { owner, creator } = await world();
    const own = await groupOf(owner, creator);
    const [task] = await started(creator, { type: 'approval', name: 'Kestrel', groups: [own], mode });
    assert.equal(task.assignedTo, undefined);
    assert.deepEqual((await entries(task.id)).toSorted(), ['task.created', 'task.unassigned']);
    assert.ok((await mailsTo(chancery, owner.email)).some(({ text }) => text.includes('Kestrel')));
  });

test('a pending step of a deleted group has no assignee when it begins', async () => {
  const { owner, creator, group } = await world();
  const steps = [
    { id: 'first', type: 'task', assignees: [creator.id] },
    { id: 'second', type: 'task', groups: [group], mode: 'any' },
  ];
  const { id } = await made(creator, 'POST', '/api/v1/workflows/', { name: 'W', documentId: 'DMS-1', steps });
  await made(creator, 'POST', `/api/v1/workflows/${id}/start`);
  await made(owner, 'DELETE', `${groups}/${group}?force=true`);
  const [first] = await made(creator, 'GET', `${tasks}?workflowId=${id}&status=open`);
  await complete(creator, first.id);
  const [second] = await made(creator, 'GET', `${tasks}?workflowId=${id}&status=open`);
  assert.deepEqual([second.assignedTo, second.assignedGroupId], [undefined, undefined]);
  assert.deepEqual((await entries(second.id)).toSorted(), ['task.created', 'task.unassigned']);
});

test('bad groups are rejected: unknown ones, both kinds of assignee, and steps without tasks', async () => {
  const { creator, one, group } = await world();
  const send = (body: object) => call(creator, 'POST', `${tasks}/`, { title: 'T', ...body });
  assert.deepEqual(refusal(await send({ groupId: randomUUIDv7() })), [404, 'group_not_found']);
  assert.deepEqual(refusal(await send({ groupId: group, assignedTo: one.id })), [400, 'validation_failed']);
  const flow = (step: object) =>
    call(creator, 'POST', '/api/v1/workflows/', { name: 'W', documentId: 'DMS-1', steps: [{ id: 'a', type: 'task', ...step }] });
  assert.deepEqual(refusal(await flow({ groups: [randomUUIDv7()] })), [404, 'group_not_found']);
  const wait = await flow({ type: 'wait', groups: [group], config: { days: 1 } });
  assert.deepEqual([...refusal(wait), wait.body.errors[0].pointer], [422, 'workflow_steps_invalid', '/steps/0/groups']);
});

test('of fifty tasks with claims that race with the removal of the member none stays with them', async () => {
  const { owner, creator, one, group } = await world();
  const { id: document } = await documentOf(creator);
  const given = await Promise.all(Array.from({ length: 50 }, () => give(creator, group, { documentId: document })));
  const claims = (from: number, to: number) => given.slice(from, to).map(({ id }) => claim(one, id));
  await Promise.all([...claims(0, 25), remove(owner, group, one), ...claims(25, 50)]);
  assert.deepEqual(await listed(creator, `assignedTo=${one.id}`), []);
});

test('of fifty new tasks that race with the deletion of their group none keeps it', async () => {
  const { owner, creator, group } = await world();
  const [, ...answers] = await Promise.all([
    made(owner, 'DELETE', `${groups}/${group}?force=true`),
    ...Array.from({ length: 50 }, () => call(creator, 'POST', `${tasks}/`, { title: 'T', groupId: group })),
  ]);
  for (const { status, body } of answers) {
    assert.ok(status === 201 || body.code === 'group_not_found', String(status));
    if (status === 201) assert.equal((await read(creator, body.id)).body.assignedGroupId, undefined);
  }
});

test('a member who becomes a guest leaves the groups, and the claimed tasks go back to them', async () => {
  const { owner, creator, one, group } = await world();
  const other = await groupOf(owner, one);
  const { id: documentId } = await documentOf(creator);
  const [first, second] = [await give(creator, group, { documentId }), await give(creator, other, { documentId })];
  for (const { id } of [first, second]) await claim(one, id);
  const endsAt = new Date(Date.now() + 5 * 86_400_000).toISOString();
  await made(owner, 'PATCH', `/api/v1/team/members/${one.id}`, { role: 'guest', endsAt });
  for (const [{ id }, of] of [
    [first, group],
    [second, other],
  ] as const) {
    const { body } = await read(creator, id);
    assert.deepEqual([body.assignedTo, body.assignedGroupId], [undefined, of]);
    // Identifiers of one millisecond have no order.
    assert.ok((await entries(id)).slice(2).includes('task.released'));
    assert.equal((await entries(of)).at(-1), 'group.member_removed');
  }
});
