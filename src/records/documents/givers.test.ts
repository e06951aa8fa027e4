import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Asker, asking, file } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';

/* Access to a document by a task: who may give it, and when it ends. */

const documents = '/api/v1/smartdoc/documents';
const folders = '/api/v1/smartdoc/folders';
const workflows = '/api/v1/workflows';
const tasks = '/api/v1/tasks';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
/** Owns the documents of these tests. */
let creator: User;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
  creator = await chancery.user(team);
});

const { call, made, documentOf } = asking(() => chancery);
const people = (count: number) => Promise.all(Array.from({ length: count }, () => chancery.user(team)));

/** A document in a separate folder of the creator. */
const hidden = (by: Asker = creator) => documentOf(by);

const give = (by: Asker, documentId: string, to: User) => call(by, 'POST', tasks, { title: 'T', documentId, assignedTo: to.id });

/** Whether a user reads a document; the same for the document, its file and the lists. */
async function reads(who: Asker, id: string): Promise<boolean> {
  const [one, content, list] = [
    await call(who, 'GET', `${documents}/${id}`),
    await call(who, 'GET', `${documents}/${id}/content`),
    await call(who, 'GET', documents),
  ];
  const seen = list.body.some((each: any) => each.id === id);
  assert.deepEqual([content.status === 200, seen], [one.status === 200, one.status === 200]);
  return one.status === 200;
}

test('a task or a workflow for oneself gives no access: after the share ends, the document is unreadable', async () => {
  const [reader] = (await people(1)) as [User];
  const { id, folder } = await hidden();
  const share = await made(creator, 'POST', `${folders}/${folder}/shares`, { userId: reader.id, access: 'read' });
  const own = await give(reader, id, reader);
  assert.deepEqual([own.status, own.body.documentVersion], [201, 1]);
  const done = await give(reader, id, reader);
  const flow = await made(reader, 'POST', workflows, {
    name: 'W',
    documentId: id,
    steps: [{ id: 'a', type: 'task', assignedTo: reader.id }],
  });
  await made(reader, 'POST', `${workflows}/${flow.id}/start`);
  await made(reader, 'POST', `${tasks}/${done.body.id}/complete`, {});
  assert.equal(await reads(reader, id), true);
  await made(creator, 'DELETE', `${folders}/${folder}/shares/${share.id}`);
  assert.equal(await reads(reader, id), false);
});

test('an assignee or approver with access by a task cannot give it to others', async () => {
  const [taskAssignee, accomplice] = (await people(2)) as [User, User];
  const { id } = await hidden();
  const given = (await give(creator, id, taskAssignee)).body;
  const steps = [{ id: 'a', type: 'task', assignedTo: accomplice.id }];
  const draft = await made(taskAssignee, 'POST', workflows, { name: 'W', documentId: 'DMS-1', steps });
  const refusedEverywhere = async () => {
    const answers = [
      await give(taskAssignee, id, accomplice),
      await call(taskAssignee, 'POST', workflows, { name: 'W', documentId: id, steps }),
      await call(taskAssignee, 'POST', `${workflows}/templates/nda-approval`, { documentId: id }),
      await call(taskAssignee, 'PUT', `${workflows}/${draft.id}`, { documentId: id }),
    ];
    for (const answer of answers) assert.deepEqual([answer.status, answer.body.code], [403, 'document_access_denied']);
    // A task for oneself, without an assignee, or for a reader is a normal task and gives no access.
    assert.equal((await give(taskAssignee, id, taskAssignee)).status, 201);
    assert.equal((await give(taskAssignee, id, creator)).status, 201);
    const nobodys = await made(taskAssignee, 'POST', tasks, { title: 'T', documentId: id });
    await made(owner, 'POST', `${tasks}/${nobodys.id}/reassign`, { userId: accomplice.id });
    assert.equal(await reads(accomplice, id), false);
  };
  await refusedEverywhere();
  await made(taskAssignee, 'POST', `${tasks}/${given.id}/complete`, {});
  assert.equal(await reads(taskAssignee, id), false);
  assert.equal((await give(taskAssignee, id, accomplice)).body.documentVersion, undefined, 'an external reference');
});

test('a member reassigns an own task with its access', async () => {
  const [taskAssignee, deputy] = (await people(2)) as [User, User];
  const { id } = await hidden();
  const { body: task } = await give(creator, id, taskAssignee);
  await made(taskAssignee, 'POST', `${tasks}/${task.id}/reassign`, { userId: deputy.id });
  assert.deepEqual([await reads(taskAssignee, id), await reads(deputy, id)], [false, true]);
});

const member = async () => (await people(1))[0] as User;
const share = (folder: string, principal: object) => made(creator, 'POST', `${folders}/${folder}/shares`, { ...principal, access: 'read' });
const setMember = (id: string, body: object) => made(owner, 'PATCH', `/api/v1/team/members/${id}`, body);
const setClient = (id: string, body: object) => made(owner, 'PATCH', `/api/v1/security/clients/${id}`, body);
const newFolder = async () => (await made(creator, 'POST', `${folders}/`, { name: `N ${Math.random()}` })).id as string;

/** A document that a member with a share of its folder gave to another member by a task. */
async function givenByShare() {
  const [sharer, reader] = (await people(2)) as [User, User];
  const { id, folder } = await hidden();
  const { id: shareId } = await share(folder, { userId: sharer.id });
  const task = await give(sharer, id, reader);
  assert.equal(task.status, 201, task.text);
  return { id, folder, grantor: sharer, reader, shareId: shareId as string, task: task.body.id as string };
}
type SharedDocument = Awaited<ReturnType<typeof givenByShare>>;

const changes: Record<string, (given: SharedDocument) => Promise<unknown>> = {
  'the share of its grantor is revoked': ({ folder, shareId }) => made(creator, 'DELETE', `${folders}/${folder}/shares/${shareId}`),
  'the document moves out of the shared folder': async ({ id }) =>
    made(creator, 'PATCH', `${documents}/${id}/move`, { folderId: await newFolder() }),
  'its grantor is suspended': ({ grantor }) => setMember(grantor.id, { isActive: false }),
  'its grantor leaves and the successor may not read the document': async ({ grantor }) =>
    made(owner, 'DELETE', `/api/v1/team/members/${grantor.id}?successorId=${(await member()).id}`),
};

for (const [what, change] of Object.entries(changes)) {
  test(`the grant of a task stays valid when ${what}, until the task ends`, async () => {
    const given = await givenByShare();
    await change(given);
    assert.equal(await reads(given.reader, given.id), true);
    const { grants } = await made(creator, 'GET', `${documents}/${given.id}/access`);
    assert.equal(grants.find((grant: any) => grant.reason === 'task').grantedBy, given.grantor.id);
    await made(owner, 'POST', `${tasks}/${given.task}/reassign`, { userId: creator.id });
    assert.equal(await reads(given.reader, given.id), false);
  });
}

test('a barrier ends the access by a task of excluded users', async () => {
  const { id, folder, grantor, reader } = await givenByShare();
  await made(creator, 'PUT', `${folders}/${folder}/barrier`, { userIds: [grantor.id] });
  assert.equal(await reads(reader, id), false);
});

test('a member whose share is revoked gives no access, and neither do later steps of their workflows', async () => {
  const [sharer, first, next] = (await people(3)) as [User, User, User];
  const { id, folder } = await hidden();
  const { id: shareId } = await share(folder, { userId: sharer.id });
  const steps = [first, next].map((assignee, n) => ({ id: `s${n}`, type: 'task', assignees: [assignee.id] }));
  const flow = await made(sharer, 'POST', workflows, { name: 'W', documentId: id, steps });
  await made(sharer, 'POST', `${workflows}/${flow.id}/start`);
  await made(creator, 'DELETE', `${folders}/${folder}/shares/${shareId}`);
  assert.equal((await give(sharer, id, next)).body.documentVersion, undefined, 'an external reference');
  const [open] = await made(owner, 'GET', `${tasks}?workflowId=${flow.id}&status=open`);
  await made(first, 'POST', `${tasks}/${open.id}/complete`, {});
  assert.equal(await reads(next, id), false);
});

test('revoking the share of a folder with cascade ends what its principal granted below it, and nothing else', async () => {
  const { id, folder, grantor, reader, shareId } = await givenByShare();
  const other = (await people(1))[0] as User;
  await give(creator, id, other);
  const elsewhere = await hidden(grantor);
  await give(grantor, elsewhere.id, reader);
  const above = await newFolder();
  const { id: shareAbove } = await share(above, { userId: grantor.id });
  await made(creator, 'PATCH', `${folders}/${folder}/move`, { parentId: above });
  await made(creator, 'DELETE', `${folders}/${folder}/shares/${shareId}`);
  assert.equal(await reads(reader, id), true);
  await made(creator, 'DELETE', `${folders}/${above}/shares/${shareAbove}?cascade=true`);
  assert.deepEqual([await reads(reader, id), await reads(other, id), await reads(reader, elsewhere.id)], [false, true, true]);
  const { rows } = await chancery.pool.query(
    "SELECT data->'cascade' AS cascade FROM audit_entry WHERE target_id = $1 AND type = 'folder.unshared'",
    [above],
  );
  assert.deepEqual(rows, [{ cascade: true }]);
});

test('revoking the share of a group with cascade ends what its members granted', async () => {
  const [sharer, reader] = (await people(2)) as [User, User];
  const { id } = await hidden();
  const group = await made(owner, 'POST', '/api/v1/groups', { name: `G ${Math.random()}` });
  await made(owner, 'POST', `/api/v1/groups/${group.id}/members`, { userId: sharer.id });
  const grant = await made(creator, 'POST', `${documents}/${id}/access`, { groupId: group.id, access: 'read' });
  assert.equal((await give(sharer, id, reader)).status, 201);
  assert.equal(await reads(reader, id), true);
  await made(creator, 'DELETE', `${documents}/${id}/access/${grant.id}?cascade=true`);
  assert.deepEqual([await reads(sharer, id), await reads(reader, id)], [false, false]);
});

test('revoking the share of the team with cascade keeps the grants by the owner of the document', async () => {
  const [grantor, first, second] = (await people(3)) as [User, User, User];
  const { id, folder } = await hidden();
  const { id: shareId } = await share(folder, { team: true });
  await give(grantor, id, first);
  await give(creator, id, second);
  await made(creator, 'DELETE', `${folders}/${folder}/shares/${shareId}?cascade=true`);
  assert.deepEqual([await reads(first, id), await reads(second, id)], [false, true]);
});

test('an unassigned task by a member without the right to grant gives no access after the member leaves', async () => {
  const [assignee, reader] = (await people(2)) as [User, User];
  const { id } = await hidden();
  await give(creator, id, assignee);
  const task = await made(assignee, 'POST', tasks, { title: 'T', documentId: id });
  await made(owner, 'DELETE', `/api/v1/team/members/${assignee.id}`);
  await made(owner, 'POST', `${tasks}/${task.id}/reassign`, { userId: reader.id });
  assert.equal(await reads(reader, id), false);
});

const decided = (who: Asker, task: string, path = '') => call(who, 'GET', `${tasks}/${task}/document${path}`);
const fileOf = async (who: Asker, task: string) => (await decided(who, task, '/content')).text;

/** A document that its creator gave to a member by a task, which the member completed. */
async function completed() {
  const decider = await member();
  const { id, folder } = await hidden();
  const text = (await call(creator, 'GET', `${documents}/${id}/content`)).text;
  const { body: task } = await give(creator, id, decider);
  await made(decider, 'POST', `${tasks}/${task.id}/complete`, {});
  return { id, folder, decider, task: task.id as string, text };
}

test('a person who completed a task reads only the version of that task, through the task', async () => {
  const { id, folder, decider, task, text } = await completed();
  await made(creator, 'PUT', `${documents}/${id}`, { labels: ['Secret'] });
  await made(creator, 'POST', `${documents}/${id}/versions`, file());
  const { preview: _, ...first } = (await made(creator, 'GET', `${documents}/${id}/versions`))[1];
  const shown = await decided(decider, task);
  assert.deepEqual([shown.status, shown.body, await fileOf(decider, task)], [200, first, text]);
  assert.equal(await reads(decider, id), false);
  for (const path of ['/versions', '/content?version=1', '/dates', '/preview', '/compare?from=1'])
    assert.equal((await call(decider, 'GET', `${documents}/${id}${path}`)).status, 404, path);
  const found = ['/?label=Secret', `/?folderId=${folder}`, '/search?q=Agreement'].map((path) =>
    made(decider, 'GET', `${documents}${path}`),
  );
  assert.deepEqual(await Promise.all(found), [[], [], []]);
  assert.deepEqual(await made(decider, 'GET', '/api/v1/smartdoc/labels'), []);
  assert.equal((await give(decider, id, decider)).body.documentVersion, undefined, 'an external reference');
  const { grants } = await made(creator, 'GET', `${documents}/${id}/access`);
  assert.ok(!grants.some((grant: any) => grant.userId === decider.id));
});

test('the journal records who reads the document of a task, and what allowed it', async () => {
  const { id, decider, task } = await completed();
  await decided(decider, task);
  await chancery.call('HEAD', `${tasks}/${task}/document/content`, { token: decider.token });
  await fileOf(decider, task);
  await fileOf(owner, task);
  const { rows } = await chancery.pool.query(
    "SELECT actor_id, data FROM audit_entry WHERE target_id = $1 AND type = 'document.content_read' AND actor_id <> $2 ORDER BY id",
    [id, creator.id],
  );
  assert.deepEqual(
    rows.map(({ actor_id: by, data }) => [by, data]),
    [
      [decider.id, { version: 1, via: 'record' }],
      [owner.id, { version: 1, via: 'role' }],
    ],
  );
});

const endsRecord: Record<string, (given: Awaited<ReturnType<typeof completed>>) => Promise<unknown>> = {
  'a barrier excludes the person': ({ folder }) => made(creator, 'PUT', `${folders}/${folder}/barrier`, { userIds: [] }),
  'the document is in the bin': ({ id }) => made(creator, 'DELETE', `${documents}/${id}`),
  'the document is deleted permanently': ({ id }) => chancery.pool.query('DELETE FROM document WHERE id = $1', [id]),
};
for (const [what, change] of Object.entries(endsRecord))
  test(`the document of a completed task is 404 when ${what}`, async () => {
    const given = await completed();
    assert.equal((await decided(given.decider, given.task)).status, 200);
    await change(given);
    for (const path of ['', '/content']) assert.equal((await decided(given.decider, given.task, path)).status, 404);
  });

test('a member who leaves the team keeps no grant, also of the tasks that they completed', async () => {
  const { id, decider } = await completed();
  await give(creator, id, decider);
  const grants = async () =>
    (await chancery.pool.query('SELECT source FROM access_grant WHERE user_id = $1 ORDER BY source', [decider.id])).rows.map(
      ({ source }) => source,
    );
  assert.deepEqual(await grants(), ['record', 'task']);
  await made(owner, 'DELETE', `/api/v1/team/members/${decider.id}`);
  assert.deepEqual(await grants(), []);
});

test('the document of a task is readable for its assignee, and not for others who see the task without access to the document', async () => {
  const [assignee, stranger] = (await people(2)) as [User, User];
  const { id } = await hidden();
  const { body: task } = await give(creator, id, assignee);
  assert.equal((await decided(assignee, task.id)).status, 200);
  assert.equal((await decided(stranger, task.id)).status, 404);
  // The assignee of a task without access completes it, and gets no access.
  const nobodys = await made(assignee, 'POST', tasks, { title: 'T', documentId: id });
  await made(owner, 'POST', `${tasks}/${nobodys.id}/reassign`, { userId: stranger.id });
  await made(stranger, 'POST', `${tasks}/${nobodys.id}/complete`, {});
  assert.equal((await decided(stranger, nobodys.id)).status, 404);
  const tasksAlone = await chancery.client(owner, ['tasks:read']);
  assert.equal((await decided(tasksAlone, task.id)).status, 404);
  const both = await chancery.client(owner, ['tasks:read', 'documents:read']);
  assert.equal((await decided(both, task.id)).status, 200);
  const loose = await give(creator, 'DMS-1', assignee);
  assert.equal((await decided(assignee, loose.body.id)).status, 404);
});

test('an API client needs the scope to read documents, both when it adds them and when they take effect', async () => {
  const [reader] = (await people(1)) as [User];
  const { id } = await hidden();
  const steps = [{ id: 'a', type: 'task', assignedTo: reader.id }];
  const blind = await chancery.client(owner, ['tasks:write', 'tasks:read', 'workflows:write', 'workflows:read']);
  const task = await give(blind, id, reader);
  assert.deepEqual([task.status, task.body.documentId, task.body.documentVersion], [201, id, undefined], 'as a document kept elsewhere');
  const flow = await made(blind, 'POST', workflows, { name: 'W', documentId: id, steps });
  assert.equal(flow.documentLinked, false);
  await made(blind, 'POST', `${workflows}/${flow.id}/start`);
  assert.equal(await reads(reader, id), false);

  const seeing = await chancery.client(owner, ['workflows:write', 'workflows:read', 'documents:read', 'tasks:read']);
  const drafted = await made(seeing, 'POST', workflows, { name: 'W', documentId: id, steps });
  const later = await made(seeing, 'POST', workflows, { name: 'W', documentId: id, steps });
  assert.equal(drafted.documentLinked, true);
  await made(seeing, 'POST', `${workflows}/${drafted.id}/start`);
  assert.equal(await reads(reader, id), true);
  await setClient(seeing.id, { scopes: ['workflows:write', 'workflows:read', 'tasks:read'] });
  assert.equal(await reads(reader, id), true);
  const refused = await call(owner, 'POST', `${workflows}/${later.id}/start`);
  assert.deepEqual([refused.status, refused.body.code], [409, 'document_not_readable']);
});

/** The grant by a task for a document, as the owner sees it. */
const taskGrant = async (id: string, to: { id: string }) =>
  (await made(creator, 'GET', `${documents}/${id}/access`)).grants.find((one: any) => one.userId === to.id && one.reason === 'task');
const pass = (by: Asker, task: string, to: { id: string }) => call(by, 'POST', `${tasks}/${task}/reassign`, { userId: to.id });

test('revoking the access of an assignee unassigns the task, which another member then reads and completes', async () => {
  const [taskAssignee, deputy] = (await people(2)) as [User, User];
  const { id } = await hidden();
  const { body: task } = await give(creator, id, taskAssignee);
  const taskAccess = await taskGrant(id, taskAssignee);
  assert.equal((await pass(taskAssignee, task.id, taskAssignee)).status, 200);
  assert.deepEqual(await taskGrant(id, taskAssignee), taskAccess, 'reassigned to its assignee, the task keeps its grant');
  await made(creator, 'DELETE', `${documents}/${id}/access/${taskAccess.id}`);
  assert.equal(await reads(taskAssignee, id), false);
  assert.equal((await call(taskAssignee, 'GET', `${tasks}/${task.id}`)).status, 404);
  const waiting = await made(owner, 'GET', `${tasks}/${task.id}`);
  assert.deepEqual([waiting.status, waiting.assignedTo], ['open', undefined]);
  const { rows } = await chancery.pool.query(
    "SELECT type, data->>'assignedFrom' AS before, data->>'revoked' AS revoked FROM audit_entry WHERE target_id IN ($1, $2) AND type IN ('access.ended', 'task.unassigned')",
    [id, task.id],
  );
  assert.deepEqual(
    rows.toSorted((a, b) => (a.type < b.type ? -1 : 1)),
    [
      { type: 'access.ended', before: null, revoked: 'true' },
      { type: 'task.unassigned', before: taskAssignee.id, revoked: null },
    ],
  );
  assert.equal((await pass(owner, task.id, deputy)).status, 200);
  assert.equal(await reads(deputy, id), true);
  await made(deputy, 'POST', `${tasks}/${task.id}/complete`, {});
  assert.deepEqual([(await decided(deputy, task.id)).status, (await decided(taskAssignee, task.id)).status], [200, 404]);
});

test('after fifty concurrent revocations and reassignments, only the assignee reads the document', async () => {
  const [taskAssignee, deputy] = (await people(2)) as [User, User];
  const { id } = await hidden();
  const { body: task } = await give(creator, id, taskAssignee);
  const grant = await taskGrant(id, taskAssignee);
  const passing = Array.from({ length: 50 }, () => pass(owner, task.id, deputy));
  const [revoked, ...answers] = await Promise.all([call(creator, 'DELETE', `${documents}/${id}/access/${grant.id}`), ...passing]);
  for (const { status, text } of answers) assert.equal(status, 200, text);
  assert.ok([200, 404].includes(revoked.status), revoked.text);
  assert.deepEqual([await reads(taskAssignee, id), await reads(deputy, id)], [false, true]);
});

test('the revocation of a share lists the remaining grants below; with cascade, and for an owner’s own grants, it lists none', async () => {
  const { id, folder, grantor, reader, shareId, task } = await givenByShare();
  await give(creator, id, await member());
  const own = await taskGrant(id, reader);
  const below = [{ id: own.id, documentId: id, userId: reader.id, taskId: task, grantedBy: grantor.id, since: own.since }];
  const above = await newFolder();
  const { id: shareAbove } = await share(above, { userId: grantor.id });
  await made(creator, 'PATCH', `${folders}/${folder}/move`, { parentId: above });
  assert.deepEqual(await made(creator, 'DELETE', `${folders}/${above}/access/${shareAbove}`), { dependentGrants: below });
  assert.deepEqual(await made(creator, 'DELETE', `${folders}/${folder}/shares/${shareId}`), { dependentGrants: below });
  const alone = () => made(creator, 'POST', `${documents}/${id}/access`, { userId: grantor.id, access: 'read' });
  assert.deepEqual(await made(creator, 'DELETE', `${documents}/${id}/access/${(await alone()).id}`), { dependentGrants: below });
  const { id: last } = await alone();
  assert.deepEqual(await made(creator, 'DELETE', `${documents}/${id}/access/${last}?cascade=true`), { dependentGrants: [] });
  assert.equal(await reads(reader, id), false);
});

test('the revocation of a share above a barrier lists nothing inside it to an excluded person', async () => {
  const { id, folder, grantor, shareId, reader } = await givenByShare();
  const above = await newFolder();
  const { id: shareAbove } = await share(above, { userId: grantor.id });
  await made(creator, 'PATCH', `${folders}/${folder}/move`, { parentId: above });
  await made(owner, 'PUT', `${folders}/${folder}/barrier`, { userIds: [grantor.id, reader.id] });
  assert.equal((await call(creator, 'DELETE', `${folders}/${folder}/shares/${shareId}`)).status, 404);
  assert.deepEqual(await made(creator, 'DELETE', `${folders}/${above}/shares/${shareAbove}`), { dependentGrants: [] });
  assert.equal(await reads(reader, id), true);
});
