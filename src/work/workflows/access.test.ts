import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type TestResponse, type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';

const path = '/api/v1/workflows';
const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let admin: User;
let creator: User;
let assignee: User;
let uninvolved: User;
let viewer: User;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
  admin = await chancery.user(team, { role: 'admin' });
  [creator, assignee, uninvolved] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  viewer = await chancery.user(team, { role: 'viewer' });
});

type Caller = { token: string };
const call = (by: Caller, method: string, to: string, body?: unknown) =>
  chancery.call(method, to, { token: by.token, ...(body === undefined ? {} : { body }) });
const openTasks = async (id: string): Promise<any[]> => (await call(owner, 'GET', `/api/v1/tasks?workflowId=${id}&status=open`)).body;
async function draft(by: Caller, steps: object[], documentId = 'DMS-1'): Promise<string> {
  const made = await call(by, 'POST', `${path}/`, { name: 'W', documentId, steps });
  assert.equal(made.status, 201, made.text);
  return made.body.id;
}
async function started(by: Caller, steps: object[], documentId?: string): Promise<string> {
  const id = await draft(by, steps, documentId);
  const begun = await call(by, 'POST', `${path}/${id}/start`);
  assert.equal(begun.status, 200, begun.text);
  return id;
}
const step = (type: string, assignedTo?: User, more: object = {}) => ({
  id: type,
  type,
  ...(assignedTo ? { assignedTo: assignedTo.id } : {}),
  ...more,
});
const plain = ({ body }: TestResponse) => {
  const { instance: _instance, request_id: _request, trace_id: _trace, ...rest } = body;
  return rest;
};
const listed = async (by: Caller, list: string, id: string) =>
  (await call(by, 'GET', list)).body.some((one: any) => one.id === id || one.workflowId === id);

/** A document that only its owner can see. */
async function hidden(by: User): Promise<string> {
  const folder = await chancery.folder(by);
  const form = new FormData();
  form.set('title', 'Confidential');
  form.set('folderId', folder.id);
  form.set('file', new Blob(['text'], { type: 'text/plain' }), 'a.txt');
  return (await chancery.call('POST', `${documents}/`, { token: by.token, body: form })).body.id;
}
const reads = async (by: Caller, document: string) => (await call(by, 'GET', `${documents}/${document}`)).status === 200;

test('creator, assignees of the workflow and its tasks, and team managers see a workflow', async () => {
  const id = await started(creator, [step('review', assignee)]);
  const [task] = await openTasks(id);
  const given = await chancery.user(team);
  await call(creator, 'PUT', `${path}/${id}`, { assignedTo: given.id });
  const client = await chancery.client(owner);
  for (const by of [owner, admin, creator, assignee, given, client]) {
    assert.equal((await call(by, 'GET', `${path}/${id}`)).status, 200);
    assert.equal(await listed(by, `${path}/`, id), true);
    assert.equal(await listed(by, `${path}/active`, id), true);
  }
  for (const by of [uninvolved, viewer]) {
    const [hiddenOne, missing] = [await call(by, 'GET', `${path}/${id}`), await call(by, 'GET', `${path}/${randomUUIDv7()}`)];
    assert.deepEqual([hiddenOne.status, plain(hiddenOne)], [404, plain(missing)]);
    for (const list of ['', 'active', `document/DMS-1`, `?assignedTo=${given.id}`, '?status=active&limit=500'])
      assert.equal(await listed(by, `${path}/${list}`, id), false, list);
    assert.equal((await call(by, 'GET', `${path}/${id}/access`)).status, 404);
    assert.equal((await call(by, 'GET', `/api/v1/tasks/${task.id}`)).status, 404);
    assert.equal((await call(by, 'GET', `/api/v1/tasks/${task.id}/comments`)).status, 404);
    for (const query of [`?workflowId=${id}`, `?assignedTo=${assignee.id}`, '?documentId=DMS-1'])
      assert.equal(await listed(by, `/api/v1/tasks${query}`, id), false, query);
  }
  const { body } = await call(assignee, 'GET', `${path}/${id}/access`);
  const of = (who: User) =>
    body.grants.filter(({ userId }: any) => userId === who.id).map(({ reason, access }: any) => `${reason} ${access}`);
  assert.deepEqual(
    [of(owner), of(admin), of(creator), of(given), of(assignee)],
    [['role write'], ['role write'], ['maker write'], ['assignee read'], ['task read']],
  );
  assert.deepEqual([of(uninvolved), of(viewer)], [[], []]);
});

test('creator and team managers can change a workflow; others who see it get 403, the rest 404', async () => {
  const acts: [string, string, unknown?][] = [
    ['PUT', '', { name: 'New' }],
    ['POST', '/pause', {}],
    ['POST', '/resume'],
    ['POST', '/cancel', {}],
    ['DELETE', ''],
  ];
  const id = await started(creator, [step('review', assignee)]);
  const client = await chancery.client(owner);
  for (const [method, to, body] of acts) {
    for (const [by, status] of [
      [assignee, 403],
      [client, 403],
      [uninvolved, 404],
      [viewer, 403],
    ] as const)
      assert.equal((await call(by, method, `${path}/${id}${to}`, body)).status, status, `${method} ${to}`);
  }
  for (const [method, to, body] of acts.slice(0, 3)) assert.equal((await call(creator, method, `${path}/${id}${to}`, body)).status, 200);
  for (const [method, to, body] of acts)
    assert.equal(
      (await call(admin, method, `${path}/${id}${to}`, body)).status,
      method === 'POST' && to !== '/cancel' ? (to === '/pause' ? 200 : 200) : 200,
      `${method} ${to}`,
    );
  const own = await draft(client, [step('review', assignee)]);
  assert.equal((await call(client, 'PUT', `${path}/${own}`, { name: 'Own' })).status, 200);
});

test('only the assignee can approve: not the creator, an administrator, another member or a program', async () => {
  const client = await chancery.client(owner);
  for (const type of ['approval', 'review']) {
    const id = await started(creator, [step(type, assignee)]);
    const [task] = await openTasks(id);
    for (const by of [owner, admin, creator, client])
      assert.equal((await call(by, 'POST', `/api/v1/tasks/${task.id}/complete`, { outcome: 'approved' })).status, 403);
    assert.equal((await call(uninvolved, 'POST', `/api/v1/tasks/${task.id}/complete`, { outcome: 'approved' })).status, 404);
    assert.equal((await call(assignee, 'POST', `/api/v1/tasks/${task.id}/complete`, { outcome: 'approved' })).status, 200);
  }
});

test('assignee and administrators can reassign a decision with a reason, but never to the creator of the workflow', async () => {
  const id = await started(creator, [step('approval', assignee)]);
  const [task] = await openTasks(id);
  const pass = (by: Caller, userId: string, reason?: string) =>
    call(by, 'POST', `/api/v1/tasks/${task.id}/reassign`, { userId, ...(reason === undefined ? {} : { reason }) });
  assert.equal((await pass(creator, creator.id)).status, 403);
  assert.equal((await pass(creator, uninvolved.id)).status, 403);
  assert.equal((await pass(assignee, creator.id)).status, 403);
  assert.equal((await pass(admin, creator.id)).status, 403);
  assert.equal((await pass(await chancery.client(owner), uninvolved.id)).status, 403);
  const passed = await pass(admin, uninvolved.id, 'On leave');
  assert.deepEqual([passed.status, passed.body.assignedTo, passed.body.delegatedFrom], [200, uninvolved.id, assignee.id]);
  const { rows } = await chancery.pool.query("SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'task.assigned'", [task.id]);
  assert.deepEqual([rows[0].data.reason, rows[0].data.changes], ['On leave', { assignedTo: { from: assignee.id, to: uninvolved.id } }]);
  const mails = await chancery.pool.query('SELECT text_body FROM mail_message WHERE recipient = $1', [assignee.email]);
  assert.ok(mails.rows.some(({ text_body: text }) => /was assigned to another member[\s\S]*On leave/.test(text)));
  const ended = await call(uninvolved, 'POST', `/api/v1/tasks/${task.id}/complete`, { outcome: 'approved' });
  assert.equal(ended.status, 200);
  const done = await chancery.pool.query("SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'task.completed'", [task.id]);
  assert.equal(done.rows[0].data.onBehalfOf, assignee.id);
});

test('an approval cannot be reassigned to the uploader of the document', async () => {
  const document = await hidden(admin);
  const id = await started(admin, [step('approval', assignee)], document);
  await chancery.pool.query('UPDATE workflow SET created_by = $2 WHERE id = $1', [id, creator.id]);
  await chancery.pool.query('UPDATE task SET created_by = $2 WHERE workflow_id = $1', [id, creator.id]);
  const [task] = await openTasks(id);
  assert.equal((await call(admin, 'POST', `/api/v1/tasks/${task.id}/reassign`, { userId: admin.id })).status, 403);
  assert.equal((await call(owner, 'POST', `/api/v1/tasks/${task.id}/reassign`, { userId: owner.id })).status, 200);
});

test('any user or program who sees a task without an assignee can complete it; not a decision or an assigned task', async () => {
  const client = await chancery.client(owner);
  const nobodys = async () => (await call(creator, 'POST', '/api/v1/tasks', { title: 'T' })).body.id;
  for (const by of [creator, owner, client]) {
    const id = await nobodys();
    assert.equal((await call(uninvolved, 'POST', `/api/v1/tasks/${id}/complete`)).status, 404);
    assert.equal((await call(by, 'POST', `/api/v1/tasks/${id}/complete`)).status, 200);
  }
  const given = (await call(creator, 'POST', '/api/v1/tasks', { title: 'T', assignedTo: assignee.id.toUpperCase() })).body;
  assert.equal(given.assignedTo, assignee.id);
  for (const by of [creator, owner, client]) assert.equal((await call(by, 'POST', `/api/v1/tasks/${given.id}/complete`)).status, 403);
  assert.equal((await call(assignee, 'POST', `/api/v1/tasks/${given.id}/complete`)).status, 200);
});

test('a viewer sees and completes their own tasks, and cannot create or reassign anything', async () => {
  const given = (await call(owner, 'POST', '/api/v1/tasks', { title: 'T', assignedTo: viewer.id })).body.id;
  assert.equal((await call(viewer, 'GET', `/api/v1/tasks/${given}/comments`)).status, 200);
  assert.equal((await call(viewer, 'POST', `/api/v1/tasks/${given}/reassign`, { userId: assignee.id })).status, 403);
  assert.equal((await call(viewer, 'POST', `/api/v1/tasks/${given}/complete`)).status, 200);
  assert.equal((await call(viewer, 'POST', '/api/v1/tasks', { title: 'T' })).status, 403);
  const refused = await call(owner, 'POST', `${path}/`, { name: 'W', documentId: 'X', steps: [step('approval', viewer)] });
  assert.deepEqual([refused.status, refused.body.code], [422, 'assignee_is_viewer']);
  const id = await started(owner, [step('approval', assignee), step('acknowledgement', viewer, { dependsOn: [] })]);
  const own = await draft(owner, [step('review')]);
  assert.equal((await call(owner, 'PUT', `${path}/${own}`, { assignedTo: viewer.id })).body.code, 'assignee_is_viewer');
  const decision = (await openTasks(id)).find(({ type }) => type === 'approval');
  const passed = await call(owner, 'POST', `/api/v1/tasks/${decision.id}/reassign`, { userId: viewer.id });
  assert.equal(passed.body.code, 'assignee_is_viewer');
  // A member got the decision and became a viewer afterwards.
  await chancery.pool.query('UPDATE task SET assigned_to = $2 WHERE id = $1', [decision.id, viewer.id]);
  assert.equal((await call(viewer, 'GET', `${path}/${id}`)).status, 200);
  for (const task of await openTasks(id)) {
    const outcome = task.type === 'approval' ? 'approved' : 'acknowledged';
    const answer = await call(viewer, 'POST', `/api/v1/tasks/${task.id}/complete`, { outcome });
    assert.equal(answer.status, task.type === 'approval' ? 403 : 200);
  }
});

test('an unreadable document is treated as an external identifier, and linking it grants no access', async () => {
  const document = await hidden(owner);
  const client = await chancery.client(owner, ['workflows:read', 'workflows:write', 'tasks:read', 'tasks:write']);
  for (const [by, opens] of [
    [creator, false],
    [owner, true],
  ] as const) {
    const made = await call(by, 'POST', `${path}/`, { name: 'W', documentId: document, steps: [step('task', uninvolved)] });
    assert.deepEqual([made.body.documentLinked, made.body.documentId], [opens, document]);
    await call(by, 'POST', `${path}/${made.body.id}/start`);
    assert.equal(await reads(uninvolved, document), opens);
    await call(by, 'POST', `${path}/${made.body.id}/cancel`, {});
    assert.equal(await reads(uninvolved, document), false);
  }
  // The same applies to a change of a draft, to a task, and to the draft of another member.
  const id = await draft(creator, [step('task', uninvolved)]);
  assert.equal((await call(creator, 'PUT', `${path}/${id}`, { documentId: document })).body.documentLinked, false);
  assert.equal((await call(uninvolved, 'PUT', `${path}/${id}`, { documentId: document })).status, 404);
  await call(creator, 'POST', '/api/v1/tasks', { title: 'T', documentId: document, assignedTo: uninvolved.id });
  assert.equal(await reads(uninvolved, document), false);
  assert.ok(client.token);
});

test('the access of a task ends with its completion, cancellation, reassignment or the offboarding of its assignee', async () => {
  const document = await hidden(creator);
  const other = await chancery.user(team);
  const both = [step('task', undefined, { assignees: [assignee.id, other.id], mode: 'any' })];
  const opened = async (...people: User[]) => Promise.all(people.map((person) => reads(person, document)));

  const completed = await started(creator, both, document);
  assert.deepEqual(await opened(assignee, other, uninvolved), [true, true, false]);
  const own = (await openTasks(completed)).find(({ assignedTo }) => assignedTo === other.id);
  await call(other, 'POST', `/api/v1/tasks/${own.id}/complete`);
  assert.deepEqual(await opened(assignee, other), [false, false]);
  const kept = await Promise.all([other, assignee].map((person) => call(person, 'GET', `/api/v1/tasks/${own.id}/document`)));
  assert.deepEqual(
    kept.map(({ status }) => status),
    [200, 404],
    'only the person who completed it reads its version',
  );
  assert.equal((await call(creator, 'DELETE', `${path}/${completed}`)).status, 200);
  assert.deepEqual(await opened(assignee), [false]);

  const cancelled = await started(creator, [step('task', assignee)], document);
  assert.deepEqual(await opened(assignee), [true]);
  await call(creator, 'POST', `${path}/${cancelled}/cancel`, {});
  assert.deepEqual(await opened(assignee), [false]);

  const passed = await started(creator, [step('task', assignee)], document);
  const [task] = await openTasks(passed);
  await call(assignee, 'POST', `/api/v1/tasks/${task.id}/reassign`, { userId: uninvolved.id });
  assert.deepEqual(await opened(assignee, uninvolved), [false, true]);
  await call(creator, 'POST', `${path}/${passed}/cancel`, {});

  const leaver = await chancery.user(team);
  const left = await started(creator, [step('task', leaver)], document);
  await call(owner, 'DELETE', `/api/v1/team/members/${leaver.id}?successorId=${uninvolved.id}`);
  assert.deepEqual(await opened(uninvolved), [true]);
  await call(creator, 'POST', `${path}/${left}/cancel`, {});
  assert.deepEqual(await opened(uninvolved), [false]);

  const given = (await call(creator, 'POST', '/api/v1/tasks', { title: 'T', documentId: document, assignedTo: assignee.id })).body;
  assert.deepEqual([given.documentVersion, ...(await opened(assignee))], [1, true]);
  await call(assignee, 'POST', `/api/v1/tasks/${given.id}/complete`);
  assert.deepEqual(await opened(assignee), [false]);
});

test('no task grants access to a document that the linking user can no longer read, at the start and in later steps', async () => {
  const document = await hidden(owner);
  const folder = (await call(owner, 'GET', `${documents}/${document}`)).body.folderId;
  const shared = await call(owner, 'POST', `/api/v1/smartdoc/folders/${folder}/shares`, { userId: creator.id, access: 'read' });
  const id = await started(creator, [step('task', assignee), step('review', uninvolved)], document);
  const late = await draft(creator, [step('task', uninvolved)], document);
  assert.equal(await reads(assignee, document), true);
  await call(owner, 'DELETE', `/api/v1/smartdoc/folders/${folder}/shares/${shared.body.id}`);
  assert.equal((await call(creator, 'POST', `${path}/${late}/start`)).body.code, 'document_not_readable');
  const [task] = await openTasks(id);
  assert.equal((await call(assignee, 'POST', `/api/v1/tasks/${task.id}/complete`)).status, 200);
  assert.equal((await openTasks(id))[0].assignedTo, uninvolved.id);
  assert.equal(await reads(uninvolved, document), false);
});

test('after the deletion of its document a workflow can be finished, and no row names the document', async () => {
  const document = await hidden(creator);
  const id = await started(creator, [step('task', assignee), step('review', assignee)], document);
  assert.equal((await call(creator, 'DELETE', `${documents}/${document}`)).status, 204);
  await chancery.pool.query('DELETE FROM document_version WHERE document_id = $1', [document]);
  await chancery.pool.query('DELETE FROM document WHERE id = $1', [document]);
  for (const outcome of ['completed', 'approved']) {
    const [task] = await openTasks(id);
    assert.equal((await call(assignee, 'POST', `/api/v1/tasks/${task.id}/complete`, { outcome })).status, 200);
  }
  const { body } = await call(creator, 'GET', `${path}/${id}`);
  assert.deepEqual([body.status, body.documentLinked, body.documentId], ['completed', false, document]);
});

test('creator and team managers can change a team template', async () => {
  const body = { name: 'members-own', description: 'd', steps: [{ id: 'a', type: 'task' }] };
  assert.equal((await call(creator, 'POST', `${path}/templates`, body)).status, 201);
  const at = `${path}/templates/members-own`;
  assert.equal((await call(assignee, 'PUT', at, { description: 'x' })).status, 403);
  assert.equal((await call(assignee, 'DELETE', at)).status, 403);
  assert.equal((await call(creator, 'PUT', at, { description: 'x' })).status, 200);
  assert.equal((await call(admin, 'DELETE', at)).status, 204);
});
