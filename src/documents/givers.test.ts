import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Asker, asking, file } from '../../test/asking.ts';
import { type Chancery, sharedChancery, type Team, type User } from '../../test/harness.ts';

/* Access to a document by a task: who may give it, what ends it and what does not. */

const documents = '/api/v1/smartdoc/documents';
const folders = '/api/v1/smartdoc/folders';
const workflows = '/api/v1/workflows';
const tasks = '/api/v1/tasks';
let chancery: Chancery;
let team: Team;
let owner: User;
/** Owns what the others are given. */
let maker: User;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
  maker = await chancery.user(team);
});

const { call, made, documentOf } = asking(() => chancery);
const people = (count: number) => Promise.all(Array.from({ length: count }, () => chancery.user(team)));

/** A document in a folder of its own, of the maker’s. */
const hidden = (by: Asker = maker) => documentOf(by);

const give = (by: Asker, documentId: string, to: User) => call(by, 'POST', tasks, { title: 'T', documentId, assignedTo: to.id });

/** Whether somebody reads a document; by itself, its file and in the lists alike. */
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

test('a task or a workflow for oneself opens nothing: the share ends, and with it the reading', async () => {
  const [reader] = (await people(1)) as [User];
  const { id, folder } = await hidden();
  const share = await made(maker, 'POST', `${folders}/${folder}/shares`, { userId: reader.id, access: 'read' });
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
  await made(maker, 'DELETE', `${folders}/${folder}/shares/${share.id}`);
  assert.equal(await reads(reader, id), false);
});

test('who holds a document by a task, or has decided on it, opens it to nobody else', async () => {
  const [holder, accomplice] = (await people(2)) as [User, User];
  const { id } = await hidden();
  const given = (await give(maker, id, holder)).body;
  const steps = [{ id: 'a', type: 'task', assignedTo: accomplice.id }];
  const draft = await made(holder, 'POST', workflows, { name: 'W', documentId: 'DMS-1', steps });
  const refusedEverywhere = async () => {
    const answers = [
      await give(holder, id, accomplice),
      await call(holder, 'POST', workflows, { name: 'W', documentId: id, steps }),
      await call(holder, 'POST', `${workflows}/templates/nda-approval`, { documentId: id }),
      await call(holder, 'PUT', `${workflows}/${draft.id}`, { documentId: id }),
    ];
    for (const answer of answers) assert.deepEqual([answer.status, answer.body.code], [403, 'document_not_yours_to_open']);
    // For oneself, for nobody, and for somebody who reads it already, it is a task like another, and opens nothing.
    assert.equal((await give(holder, id, holder)).status, 201);
    assert.equal((await give(holder, id, maker)).status, 201);
    const nobodys = await made(holder, 'POST', tasks, { title: 'T', documentId: id });
    await made(owner, 'POST', `${tasks}/${nobodys.id}/reassign`, { userId: accomplice.id });
    assert.equal(await reads(accomplice, id), false);
  };
  await refusedEverywhere();
  await made(holder, 'POST', `${tasks}/${given.id}/complete`, {});
  assert.equal(await reads(holder, id), true, 'as a record');
  await refusedEverywhere();
});

test('one passes a task of one’s own on with what it opens', async () => {
  const [holder, deputy] = (await people(2)) as [User, User];
  const { id } = await hidden();
  const { body: task } = await give(maker, id, holder);
  await made(holder, 'POST', `${tasks}/${task.id}/reassign`, { userId: deputy.id });
  assert.deepEqual([await reads(holder, id), await reads(deputy, id)], [false, true]);
});

const member = async () => (await people(1))[0] as User;
const share = (folder: string, principal: object) => made(maker, 'POST', `${folders}/${folder}/shares`, { ...principal, access: 'read' });
const setMember = (id: string, body: object) => made(owner, 'PATCH', `/api/v1/team/members/${id}`, body);
const setClient = (id: string, body: object) => made(owner, 'PATCH', `/api/v1/security/clients/${id}`, body);
const newFolder = async () => (await made(maker, 'POST', `${folders}/`, { name: `N ${Math.random()}` })).id as string;

/** A document that a member with a share of its folder gave to another member by a task. */
async function givenByShare() {
  const [giver, reader] = (await people(2)) as [User, User];
  const { id, folder } = await hidden();
  const { id: shareId } = await share(folder, { userId: giver.id });
  const task = await give(giver, id, reader);
  assert.equal(task.status, 201, task.text);
  return { id, folder, giver, reader, shareId: shareId as string, task: task.body.id as string };
}
type Given = Awaited<ReturnType<typeof givenByShare>>;

const changes: Record<string, (given: Given) => Promise<unknown>> = {
  'the share of its grantor is revoked': ({ folder, shareId }) => made(maker, 'DELETE', `${folders}/${folder}/shares/${shareId}`),
  'the document moves out of the shared folder': async ({ id }) =>
    made(maker, 'PATCH', `${documents}/${id}/move`, { folderId: await newFolder() }),
  'its grantor is suspended': ({ giver }) => setMember(giver.id, { isActive: false }),
  'its grantor leaves and the successor may not read the document': async ({ giver }) =>
    made(owner, 'DELETE', `/api/v1/team/members/${giver.id}?successorId=${(await member()).id}`),
};

for (const [what, change] of Object.entries(changes)) {
  test(`the grant of a task stays valid when ${what}, until the task ends`, async () => {
    const given = await givenByShare();
    await change(given);
    assert.equal(await reads(given.reader, given.id), true);
    const { grants } = await made(maker, 'GET', `${documents}/${given.id}/access`);
    assert.equal(grants.find((grant: any) => grant.reason === 'task').grantedBy, given.giver.id);
    await made(owner, 'POST', `${tasks}/${given.task}/reassign`, { userId: maker.id });
    assert.equal(await reads(given.reader, given.id), false);
  });
}

test('a barrier ends the reading by a task of whoever is outside of it', async () => {
  const { id, folder, giver, reader } = await givenByShare();
  await made(maker, 'PUT', `${folders}/${folder}/barrier`, { userIds: [giver.id] });
  assert.equal(await reads(reader, id), false);
});

test('a member whose share is revoked gives the document to nobody, nor do later steps of their workflows', async () => {
  const [giver, first, next] = (await people(3)) as [User, User, User];
  const { id, folder } = await hidden();
  const { id: shareId } = await share(folder, { userId: giver.id });
  const steps = [first, next].map((assignee, n) => ({ id: `s${n}`, type: 'task', assignees: [assignee.id] }));
  const flow = await made(giver, 'POST', workflows, { name: 'W', documentId: id, steps });
  await made(giver, 'POST', `${workflows}/${flow.id}/start`);
  await made(maker, 'DELETE', `${folders}/${folder}/shares/${shareId}`);
  assert.equal((await give(giver, id, next)).body.documentVersion, undefined, 'an external reference');
  const [open] = await made(owner, 'GET', `${tasks}?workflowId=${flow.id}&status=open`);
  await made(first, 'POST', `${tasks}/${open.id}/complete`, {});
  assert.equal(await reads(next, id), false);
});

test('revoking the share of a folder with cascade ends what its principal granted below it, and nothing else', async () => {
  const { id, folder, giver, reader, shareId } = await givenByShare();
  const other = (await people(1))[0] as User;
  await give(maker, id, other);
  const elsewhere = await hidden(giver);
  await give(giver, elsewhere.id, reader);
  const above = await newFolder();
  const { id: shareAbove } = await share(above, { userId: giver.id });
  await made(maker, 'PATCH', `${folders}/${folder}/move`, { parentId: above });
  await made(maker, 'DELETE', `${folders}/${folder}/shares/${shareId}`);
  assert.equal(await reads(reader, id), true);
  await made(maker, 'DELETE', `${folders}/${above}/shares/${shareAbove}?cascade=true`);
  assert.deepEqual([await reads(reader, id), await reads(other, id), await reads(reader, elsewhere.id)], [false, true, true]);
  const { rows } = await chancery.pool.query(
    "SELECT data->'cascade' AS cascade FROM audit_entry WHERE target_id = $1 AND type = 'folder.unshared'",
    [above],
  );
  assert.deepEqual(rows, [{ cascade: true }]);
});

test('revoking the share of a group with cascade ends what its members granted', async () => {
  const [giver, reader] = (await people(2)) as [User, User];
  const { id } = await hidden();
  const group = await made(owner, 'POST', '/api/v1/groups', { name: `G ${Math.random()}` });
  await made(owner, 'POST', `/api/v1/groups/${group.id}/members`, { userId: giver.id });
  const grant = await made(maker, 'POST', `${documents}/${id}/access`, { groupId: group.id, access: 'read' });
  assert.equal((await give(giver, id, reader)).status, 201);
  assert.equal(await reads(reader, id), true);
  await made(maker, 'DELETE', `${documents}/${id}/access/${grant.id}?cascade=true`);
  assert.deepEqual([await reads(giver, id), await reads(reader, id)], [false, false]);
});

test('revoking the share of the team with cascade keeps the grants by the owner of the document', async () => {
  const [grantor, first, second] = (await people(3)) as [User, User, User];
  const { id, folder } = await hidden();
  const { id: shareId } = await share(folder, { team: true });
  await give(grantor, id, first);
  await give(maker, id, second);
  await made(maker, 'DELETE', `${folders}/${folder}/shares/${shareId}?cascade=true`);
  assert.deepEqual([await reads(first, id), await reads(second, id)], [false, true]);
});

test('an unassigned task by a member without the right to grant opens nothing after the member leaves', async () => {
  const [assignee, reader] = (await people(2)) as [User, User];
  const { id } = await hidden();
  await give(maker, id, assignee);
  const task = await made(assignee, 'POST', tasks, { title: 'T', documentId: id });
  await made(owner, 'DELETE', `/api/v1/team/members/${assignee.id}`);
  await made(owner, 'POST', `${tasks}/${task.id}/reassign`, { userId: reader.id });
  assert.equal(await reads(reader, id), false);
});

test('who completed a task keeps the version it was about, and of a newer one reads the title alone', async () => {
  const [decider] = (await people(1)) as [User];
  const { id } = await hidden();
  const { body: task } = await give(maker, id, decider);
  await made(decider, 'POST', `${tasks}/${task.id}/complete`, {});
  await made(maker, 'PUT', `${documents}/${id}`, { description: 'What it was about', metadata: { offer: 1 } });
  await made(maker, 'POST', `${documents}/${id}/versions`, file());
  await made(maker, 'PUT', `${documents}/${id}`, { title: 'Agreement, again', description: 'A higher offer', metadata: { offer: 2 } });
  const versions = async (who: Asker) => (await made(who, 'GET', `${documents}/${id}/versions`)).map((each: any) => each.number);
  assert.deepEqual([await versions(decider), await versions(maker)], [[1], [2, 1]]);
  const at = (number: string) => call(decider, 'GET', `${documents}/${id}${number}`);
  assert.equal((await at('/content?version=1')).status, 200);
  for (const number of ['/content?version=2', '/content', '/content?version=99']) {
    const refused = await at(number);
    assert.deepEqual([refused.status, refused.body.code], [403, 'version_not_kept'], number);
  }
  const whole = await made(maker, 'GET', `${documents}/${id}`);
  const { description: _, metadata: __, ...rest } = whole;
  const shown = { ...rest, currentVersion: (await made(maker, 'GET', `${documents}/${id}/versions`))[1] };
  const inLists = async (who: Asker, folder: string) => {
    const lists = await Promise.all([made(who, 'GET', documents), made(who, 'GET', `${documents}/?folderId=${folder}`)]);
    return lists.map((list) => list.filter((each: any) => each.id === id));
  };
  assert.deepEqual((await at('')).body, shown);
  assert.deepEqual(await inLists(decider, whole.folderId), [[shown], [shown]]);
  assert.equal((await give(decider, id, decider)).body.documentVersion, 1, 'and refers to no other');
  const { grants } = await made(maker, 'GET', `${documents}/${id}/access`);
  const kept = grants.find((grant: any) => grant.reason === 'record');
  assert.deepEqual([kept.userId, kept.version, kept.grantedBy], [decider.id, 1, maker.id]);
  const { rows } = await chancery.pool.query(
    "SELECT type, data FROM audit_entry WHERE target_id = $1 AND type LIKE 'access.%' ORDER BY id",
    [id],
  );
  assert.deepEqual(rows.map(({ type, data }) => [type, data.reason, data.grantedBy, data.version]).toSorted(), [
    ['access.ended', 'task', maker.id, undefined],
    ['access.granted', 'record', maker.id, 1],
    ['access.granted', 'task', maker.id, undefined],
  ]);
  // What is open for another reason too is open wholly.
  const again = await give(maker, id, decider);
  assert.deepEqual([(await at('')).body, await inLists(decider, whole.folderId)], [whole, [[whole], [whole]]]);
  await made(maker, 'POST', `${tasks}/${again.body.id}/reassign`, { userId: maker.id });
  assert.deepEqual((await at('')).body, shown);
});

test('a program names documents by its scope to read them, when it puts them there and when they take effect', async () => {
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

/** The grant that a task has made of a document, as its owner sees it. */
const taskGrant = async (id: string, to: { id: string }) =>
  (await made(maker, 'GET', `${documents}/${id}/access`)).grants.find((one: any) => one.userId === to.id && one.reason === 'task');
const pass = (by: Asker, task: string, to: { id: string }) => call(by, 'POST', `${tasks}/${task}/reassign`, { userId: to.id });

test('what was revoked of a task stays so, to whomever the task is passed, and completing it keeps no record', async () => {
  const [giver, holder, deputy, heir] = (await people(4)) as [User, User, User, User];
  const { id, folder } = await hidden();
  await made(maker, 'POST', `${folders}/${folder}/shares`, { userId: giver.id, access: 'read' });
  const { body: task } = await give(giver, id, holder);
  const held = await taskGrant(id, holder);
  assert.equal((await pass(holder, task.id, holder)).status, 200);
  assert.deepEqual(await taskGrant(id, holder), held, 'passed to oneself it moves nothing');
  await made(maker, 'DELETE', `${documents}/${id}/access/${held.id}`);
  for (const [by, to] of [
    [holder, holder],
    [owner, deputy],
    [deputy, holder],
  ] as const) {
    assert.equal((await pass(by, task.id, to)).status, 200);
    assert.equal(await reads(to, id), false);
  }
  await pass(holder, task.id, deputy);
  await made(owner, 'DELETE', `/api/v1/team/members/${deputy.id}?successorId=${heir.id}`);
  assert.equal(await reads(heir, id), false);
  await made(heir, 'POST', `${tasks}/${task.id}/complete`, {});
  assert.equal(await reads(heir, id), false);
  // Another task is another act of somebody who may let others read.
  assert.equal((await give(giver, id, holder)).status, 201);
  assert.equal(await reads(holder, id), true);
});

test('nor does a step that begins again open to the same person what was revoked of its task', async () => {
  const [holder, next] = (await people(2)) as [User, User];
  const { id } = await hidden();
  const steps = [
    { id: 'a', type: 'approval', assignees: [holder.id] },
    { id: 'b', type: 'task', assignees: [next.id] },
  ];
  const flow = await made(maker, 'POST', workflows, { name: 'W', documentId: id, steps });
  await made(maker, 'POST', `${workflows}/${flow.id}/start`);
  await made(maker, 'DELETE', `${documents}/${id}/access/${(await taskGrant(id, holder)).id}`);
  const open = async () => (await made(owner, 'GET', `${tasks}?workflowId=${flow.id}&status=open`))[0];
  await made(holder, 'POST', `${tasks}/${(await open()).id}/complete`, { outcome: 'changes_requested' });
  assert.equal((await open()).assignedTo, holder.id);
  assert.equal(await reads(holder, id), false);
  await made(holder, 'POST', `${tasks}/${(await open()).id}/complete`, { outcome: 'approved' });
  assert.deepEqual([await reads(holder, id), await reads(next, id)], [false, true], 'others of the workflow read on');
});

test('of a task that is revoked and passed on fifty times at once, nothing is open that was revoked', async () => {
  const [holder, deputy] = (await people(2)) as [User, User];
  const { id } = await hidden();
  const { body: task } = await give(maker, id, holder);
  const grant = await taskGrant(id, holder);
  const passing = Array.from({ length: 50 }, () => pass(owner, task.id, deputy));
  const [revoked, ...answers] = await Promise.all([call(maker, 'DELETE', `${documents}/${id}/access/${grant.id}`), ...passing]);
  for (const { status, text } of answers) assert.equal(status, 200, text);
  assert.ok([204, 404].includes(revoked.status), revoked.text);
  assert.deepEqual([await reads(holder, id), await reads(deputy, id)], [false, revoked.status === 404]);
});
