import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Asker, asking, file } from '../../test/asking.ts';
import { type Chancery, sharedChancery, type Team, type User } from '../../test/harness.ts';

/* Who lets others read a document by a task or a workflow, and for how long: as long as they may themself, by ownership, a share or their role. */

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

test('one passes a task of one’s own on with what it opens, since its giver answers for that', async () => {
  const [holder, deputy] = (await people(2)) as [User, User];
  const { id } = await hidden();
  const { body: task } = await give(maker, id, holder);
  await made(holder, 'POST', `${tasks}/${task.id}/reassign`, { userId: deputy.id });
  assert.deepEqual([await reads(holder, id), await reads(deputy, id)], [false, true]);
});

/** What gives somebody a right to a document, and what ends that; the giver of each is another person. */
type Case = {
  giver: () => Promise<Asker & { id: string }>;
  right: (given: Given) => Promise<unknown>;
  ends: (given: Given) => Promise<unknown>;
};
type Given = { id: string; folder: string; giver: { id: string }; right?: any };
const member = async () => (await people(1))[0] as User;
const shareFolder = ({ folder, giver }: Given) => made(maker, 'POST', `${folders}/${folder}/shares`, { userId: giver.id, access: 'write' });
const shareDocument = ({ id, giver }: Given) => made(maker, 'POST', `${documents}/${id}/access`, { userId: giver.id, access: 'read' });
const shareTeam = ({ folder }: Given) => made(maker, 'POST', `${folders}/${folder}/shares`, { team: true, access: 'read' });
const setMember = (id: string, body: object) => made(owner, 'PATCH', `/api/v1/team/members/${id}`, body);
const setClient = (id: string, body: object) => made(owner, 'PATCH', `/api/v1/security/clients/${id}`, body);
const newFolder = async () => (await made(maker, 'POST', `${folders}/`, { name: `N ${Math.random()}` })).id as string;
const admin = () => chancery.user(team, { role: 'admin' });
const client = () => chancery.client(owner, ['documents:read', 'tasks:write', 'tasks:read']);
const nothing = async () => undefined;

const cases: Record<string, Case> = {
  'a share of its folder is ended': {
    giver: member,
    right: shareFolder,
    ends: ({ folder, right }) => made(maker, 'DELETE', `${folders}/${folder}/shares/${right.id}`),
  },
  'a share of the document is ended': {
    giver: member,
    right: shareDocument,
    ends: ({ id, right }) => made(maker, 'DELETE', `${documents}/${id}/access/${right.id}`),
  },
  'the document is moved out of the shared folder': {
    giver: member,
    right: shareFolder,
    ends: async ({ id }) => made(maker, 'PATCH', `${documents}/${id}/move`, { folderId: await newFolder() }),
  },
  'a folder is moved out of the shared one': {
    giver: member,
    right: async (given) => {
      const above = await newFolder();
      await made(maker, 'PATCH', `${folders}/${given.folder}/move`, { parentId: above });
      await shareFolder({ ...given, folder: above });
    },
    ends: ({ folder }) => made(maker, 'PATCH', `${folders}/${folder}/move`, { parentId: null }),
  },
  'the folder is put behind a wall that the giver is outside of': {
    giver: member,
    right: shareFolder,
    ends: async ({ folder }) => made(maker, 'PUT', `${folders}/${folder}/wall`, { userIds: [accomplice.id] }),
  },
  'an administrator becomes a member': { giver: admin, right: nothing, ends: ({ giver }) => setMember(giver.id, { role: 'member' }) },
  'a member becomes a viewer': { giver: member, right: shareFolder, ends: ({ giver }) => setMember(giver.id, { role: 'viewer' }) },
  'the giver is suspended': { giver: member, right: shareFolder, ends: ({ giver }) => setMember(giver.id, { isActive: false }) },
  'the giver is removed, and the successor may not': {
    giver: member,
    right: shareFolder,
    ends: async ({ giver }) => made(owner, 'DELETE', `/api/v1/team/members/${giver.id}?successorId=${(await member()).id}`),
  },
  'the client is switched off': { giver: client, right: nothing, ends: ({ giver }) => setClient(giver.id, { isActive: false }) },
  'the client loses the scope to read': {
    giver: client,
    right: nothing,
    ends: ({ giver }) => setClient(giver.id, { scopes: ['tasks:write'] }),
  },
  'the client is confined to another folder': {
    giver: client,
    right: nothing,
    ends: async ({ giver }) => setClient(giver.id, { folderIds: [await newFolder()] }),
  },
};

let accomplice: User;

for (const [what, { giver: find, right, ends }] of Object.entries(cases)) {
  test(`what was given for a task ends when ${what}`, async () => {
    accomplice = (await people(1))[0] as User;
    const giver = await find();
    const given: Given = { ...(await hidden()), giver };
    given.right = await right(given);
    const task = await give(giver, given.id, accomplice);
    assert.equal(task.status, 201, task.text);
    assert.equal(await reads(accomplice, given.id), true);
    await ends(given);
    assert.equal(await reads(accomplice, given.id), false);
    // The task can be done all the same, and leaves no record of what was not open any more.
    await made(accomplice, 'POST', `${tasks}/${task.body.id}/complete`, {});
    assert.equal(await reads(accomplice, given.id), false);
  });
}

test('a share with the whole team is a right like another; the owner’s own lasts, and a successor’s who may let others read', async () => {
  const [giver, reader, heir] = (await people(3)) as [User, User, User];
  const { id, folder } = await hidden(giver);
  const shared = await hidden();
  await shareTeam({ ...shared, giver });
  assert.equal((await give(giver, id, reader)).status, 201);
  assert.equal((await give(giver, shared.id, reader)).status, 201);
  assert.equal(await reads(reader, id), true);
  // The tree goes to the heir with the task’s document.
  await made(owner, 'DELETE', `/api/v1/team/members/${giver.id}?successorId=${heir.id}`);
  assert.equal(await reads(reader, id), true);
  assert.equal((await made(heir, 'GET', `${folders}/${folder}`)).userId, heir.id);
  const { grants } = await made(heir, 'GET', `${documents}/${id}/access`);
  const of = grants.find((grant: any) => grant.reason === 'task');
  assert.deepEqual([of.userId, of.grantedBy, of.inactive], [reader.id, heir.id, undefined]);
});

test('of a share that ends while 50 tasks are given by it at once, nothing is open afterwards', async () => {
  const [giver, reader] = (await people(2)) as [User, User];
  const { id, folder } = await hidden();
  const share = await made(maker, 'POST', `${folders}/${folder}/shares`, { userId: giver.id, access: 'read' });
  const giving = Array.from({ length: 50 }, () => give(giver, id, reader));
  const [ended, ...answers] = await Promise.all([call(maker, 'DELETE', `${folders}/${folder}/shares/${share.id}`), ...giving]);
  assert.ok(ended.status < 300, ended.text);
  for (const { status, text } of answers) assert.equal(status, 201, text);
  assert.equal(await reads(reader, id), false);
  const { grants } = await made(maker, 'GET', `${documents}/${id}/access`);
  assert.ok(grants.filter((grant: any) => grant.reason === 'task').every((grant: any) => grant.inactive === true));
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
  assert.equal(await reads(reader, id), false);
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

test('what is open by nobody’s right any more when its giver leaves stays closed; what is goes to the successor, also of one suspended', async () => {
  const [giver, reader, next, heir] = (await people(4)) as [User, User, User, User];
  const [lost, kept] = [await hidden(), await hidden()];
  const share = (of: { folder: string }, to: User) =>
    made(maker, 'POST', `${folders}/${of.folder}/shares`, { userId: to.id, access: 'read' });
  const [ended] = [await share(lost, giver), await share(kept, giver), await share(lost, heir), await share(kept, heir)];
  const steps = [reader, next].map(({ id }, n) => ({ id: `s${n}`, type: 'task', assignees: [id] }));
  const given = [];
  for (const { id } of [lost, kept]) {
    given.push((await give(giver, id, reader)).body.id, (await give(giver, id, giver)).body.id);
    const flow = await made(giver, 'POST', workflows, { name: 'W', documentId: id, steps });
    await made(giver, 'POST', `${workflows}/${flow.id}/start`);
  }
  await made(maker, 'DELETE', `${folders}/${lost.folder}/shares/${ended.id}`);
  await setMember(giver.id, { isActive: false });
  await made(owner, 'DELETE', `/api/v1/team/members/${giver.id}?successorId=${heir.id}`);
  assert.deepEqual([await reads(reader, lost.id), await reads(reader, kept.id)], [false, true]);
  const { grants } = await made(maker, 'GET', `${documents}/${lost.id}/access`);
  assert.ok(!grants.some((one: any) => one.reason === 'task'));
  // Neither by passing on, nor by what the workflow begins next.
  for (const task of given) await pass(owner, task, next);
  for (const task of await made(owner, 'GET', `${tasks}?assignedTo=${reader.id}&status=open`))
    await made(reader, 'POST', `${tasks}/${task.id}/complete`, {});
  assert.deepEqual([await reads(next, lost.id), await reads(next, kept.id)], [false, true]);
});
