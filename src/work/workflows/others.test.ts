import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Asker, asking } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';

/* The effects of a workflow on documents and decisions of other users. */

const path = '/api/v1/workflows';
const documents = '/api/v1/smartdoc/documents';
const folders = '/api/v1/smartdoc/folders';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let admin: User;
let creator: User;
let approver: User;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
  admin = await chancery.user(team, { role: 'admin' });
  [creator, approver] = [await chancery.user(team), await chancery.user(team)];
});

const { call, made, documentOf, shareDocument: share, newVersion } = asking(() => chancery);
const approval = (more: object = {}) => ({ id: 'approve', type: 'approval', assignees: [approver.id], ...more });
const refusing = { config: { onNewVersion: 'refuse' } };
async function draft(by: Asker, documentId: string, steps: object[] = [approval()], more: object = {}): Promise<string> {
  return (await made(by, 'POST', `${path}/`, { name: 'Secret matter', documentId, steps, ...more })).id;
}
async function started(by: Asker, documentId: string, steps?: object[], more?: object): Promise<string> {
  const id = await draft(by, documentId, steps, more);
  await made(by, 'POST', `${path}/${id}/start`);
  return id;
}
const openTasks = (id: string): Promise<any[]> => made(owner, 'GET', `/api/v1/tasks?workflowId=${id}&status=open`);
const statusOf = async (by: Asker, document: string) => (await made(by, 'GET', `${documents}/${document}`)).status;
const complete = (by: Asker, task: string, body: object = { outcome: 'approved' }) =>
  call(by, 'POST', `/api/v1/tasks/${task}/complete`, body);

// --- documents of other users

test('a workflow of a reader does not change the status of a document and rejects no versions', async () => {
  const { id } = await documentOf(owner);
  await share(owner, id, creator, 'read');
  const refused = await draft(creator, id, [approval(refusing)]);
  const answer = await call(creator, 'POST', `${path}/${refused}/start`);
  assert.deepEqual([answer.status, answer.body.code], [403, 'refusal_needs_write']);

  const flow = await started(creator, id);
  assert.equal(await statusOf(owner, id), 'draft');
  const late = await call(creator, 'PUT', `${path}/${flow}`, { steps: [approval(), { ...approval(refusing), id: 'again' }] });
  assert.deepEqual([late.status, late.body.code], [403, 'refusal_needs_write']);
  assert.equal((await newVersion(owner, id)).status, 201);
  const [task] = await openTasks(flow);
  assert.deepEqual([task.documentVersion, (await complete(approver, task.id)).status], [2, 200]);
  assert.equal((await made(creator, 'GET', `${path}/${flow}`)).status, 'completed');
  assert.equal(await statusOf(owner, id), 'draft', 'the workflow does not approve it');
});

test('a new version makes an approved document a draft, also during a workflow of a reader', async () => {
  const { id } = await documentOf(owner);
  await share(owner, id, creator, 'read');
  const own = await started(owner, id);
  assert.equal(await statusOf(owner, id), 'in_review');
  const [task] = await openTasks(own);
  await complete(approver, task.id);
  assert.equal(await statusOf(owner, id), 'approved');
  await started(creator, id);
  assert.equal(await statusOf(owner, id), 'approved');
  await newVersion(owner, id);
  assert.equal(await statusOf(owner, id), 'draft');
});

test('with write access a workflow controls the document status and rejects versions, while its creator has the access', async () => {
  const { id } = await documentOf(owner);
  const grant = await share(owner, id, creator, 'write');
  const flow = await started(creator, id, [approval(refusing)]);
  assert.equal(await statusOf(owner, id), 'in_review');
  const refused = await newVersion(owner, id);
  assert.deepEqual([refused.status, refused.body.code], [409, 'document_under_decision']);
  assert.match(refused.body.detail, /Secret matter/, 'the owner of the team sees the workflow');
  await made(owner, 'DELETE', `${documents}/${id}/access/${grant.id}`);
  assert.equal((await newVersion(owner, id)).status, 201);
  assert.equal((await openTasks(flow)).length, 1, 'the decision restarted');
});

/** A document of the owner with a workflow of the creator, who has write access, so that it controls the document status. */
async function ledByCreator(steps?: object[], there?: { id: string; folder: string }) {
  const document = there ?? (await documentOf(owner));
  const grant = await share(owner, document.id, creator, 'write');
  const flow = await started(creator, document.id, steps);
  assert.equal(await statusOf(owner, document.id), 'in_review');
  return { ...document, grant, flow };
}
/** Returns the actor type and value of the last status change of a document. */
async function lastSetting(document: string): Promise<unknown[]> {
  const { rows } = await chancery.pool.query(
    "SELECT actor_type, data->'changes'->'status'->>'to' AS status FROM audit_entry WHERE target_id = $1 AND type = 'document.updated' ORDER BY id DESC LIMIT 1",
    [document],
  );
  return [rows[0]?.actor_type, rows[0]?.status];
}

test('a workflow does not approve a document after its linker lost write access: the service ends the review', async () => {
  const { id, flow } = await ledByCreator();
  await share(owner, id, creator, 'read');
  const [task] = await openTasks(flow);
  assert.equal((await complete(approver, task.id)).status, 200);
  assert.equal((await made(creator, 'GET', `${path}/${flow}`)).status, 'completed');
  assert.deepEqual([await statusOf(owner, id), await lastSetting(id)], ['draft', ['system', 'draft']]);

  const kept = await ledByCreator();
  await complete(approver, (await openTasks(kept.flow))[0].id);
  assert.deepEqual([await statusOf(owner, kept.id), await lastSetting(kept.id)], ['approved', ['user', 'approved']]);
});

test('the service ends the review if a barrier excludes the creator of the workflow or they lost their share', async () => {
  for (const lose of [
    ({ id, grant }: { id: string; grant: { id: string } }) => made(owner, 'DELETE', `${documents}/${id}/access/${grant.id}`),
    ({ folder }: { folder: string }) => made(owner, 'PUT', `${folders}/${folder}/barrier`, { userIds: [owner.id] }),
  ]) {
    const led = await ledByCreator();
    await lose(led);
    assert.equal((await call(creator, 'GET', `${documents}/${led.id}`)).status, 404);
    await made(owner, 'POST', `${path}/${led.flow}/cancel`, {});
    assert.deepEqual([await statusOf(owner, led.id), await lastSetting(led.id)], ['draft', ['system', 'draft']]);
  }
});

test('an approved document gets that status back, unless it has an unapproved version by then', async () => {
  for (const right of ['write', 'read'] as const)
    for (const newer of [false, true]) {
      const { id, folder } = await documentOf(owner);
      await complete(approver, (await openTasks(await started(owner, id)))[0].id);
      assert.equal(await statusOf(owner, id), 'approved');
      const { flow } = await ledByCreator([{ id: 'read', type: 'task', assignees: [creator.id] }], { id, folder });
      if (newer) assert.equal((await newVersion(owner, id)).status, 201);
      await share(owner, id, creator, right);
      await made(creator, 'POST', `${path}/${flow}/cancel`, {});
      assert.equal(await statusOf(owner, id), newer ? 'draft' : 'approved', `${right} ${newer}`);
    }
});

test('an approval of a version does not count for the next one, uploaded while another workflow was in progress', async () => {
  const { id } = await documentOf(owner);
  const beside = await started(owner, id, [{ id: 'file', type: 'task', assignees: [owner.id] }]);
  await complete(approver, (await openTasks(await started(owner, id)))[0].id);
  assert.equal((await newVersion(owner, id)).status, 201);
  await made(owner, 'POST', `${path}/${beside}/cancel`, {});
  assert.equal(await statusOf(owner, id), 'draft');
});

test('the error for a rejected version names the workflow to users who see it, and to others its type and the person to ask', async () => {
  const assignee = await chancery.user(team);
  const { id } = await documentOf(creator);
  await share(creator, id, assignee, 'write');
  const flow = await started(admin, id, [approval(refusing)]);
  const [toAssignee, toCreator] = [await newVersion(assignee, id), await newVersion(creator, id)];
  assert.deepEqual([toAssignee.status, toCreator.status], [409, 409]);
  const { first_name: first, last_name: last } = (
    await chancery.pool.query('SELECT first_name, last_name FROM account WHERE id = $1', [admin.id])
  ).rows[0];
  assert.ok(!toAssignee.body.detail.includes('Secret matter'), toAssignee.body.detail);
  assert.ok(toAssignee.body.detail.includes(`${first} ${last}`) && toAssignee.body.detail.includes('custom'), toAssignee.body.detail);
  assert.match(toCreator.body.detail, /Secret matter/, 'the owner of the document sees its workflows');
  assert.equal((await call(assignee, 'GET', `${path}/${flow}`)).status, 404);
});

test('the owner of a document sees and cancels active workflows on it, but not the drafts of others', async () => {
  const { id } = await documentOf(creator);
  const flow = await draft(admin, id);
  const seen = async () => [
    (await call(creator, 'GET', `${path}/${flow}`)).status,
    (await made(creator, 'GET', `${path}/document/${id}`)).some((one: any) => one.id === flow),
  ];
  assert.deepEqual(await seen(), [404, false]);
  assert.equal((await call(creator, 'POST', `${path}/${flow}/cancel`, {})).status, 404);
  await made(admin, 'POST', `${path}/${flow}/start`);
  assert.deepEqual(await seen(), [200, true]);
  const { grants } = await made(creator, 'GET', `${path}/${flow}/access`);
  assert.ok(grants.some((one: any) => one.userId === creator.id && one.reason === 'document'));
  for (const [method, to, body] of [
    ['PUT', '', { name: 'Mine' }],
    ['POST', '/pause', {}],
    ['DELETE', '', undefined],
  ] as const)
    assert.equal((await call(creator, method, `${path}/${flow}${to}`, body)).status, 403, to);
  await made(creator, 'POST', `${path}/${flow}/cancel`, { reason: 'Not now' });
  assert.deepEqual([(await openTasks(flow)).length, await statusOf(creator, id)], [0, 'draft']);
});

// --- decisions of other users

test('no decision goes to the creator of the workflow, the uploader, or the person responsible for a program that did either', async () => {
  const answering = await chancery.user(team, { role: 'admin' });
  const client = await chancery.client(answering);
  const { id } = await documentOf(owner);
  await newVersion(client, id);
  const flow = await started(creator, 'DMS-1');
  const pass = async (task: { id: string }, to: User, by: Asker) =>
    (await call(by, 'POST', `/api/v1/tasks/${task.id}/reassign`, { userId: to.id })).status;

  const [own] = await openTasks(flow);
  for (const by of [owner, admin, approver]) assert.equal(await pass(own, creator, by), 403);
  const uploaded = await started(owner, id, [approval()]);
  const [version] = await openTasks(uploaded);
  for (const by of [owner, admin, approver]) assert.equal(await pass(version, answering, by), 403, 'their program uploaded the version');
  const [clientTask] = await openTasks(await started(client, 'DMS-1'));
  for (const by of [owner, answering, approver]) assert.equal(await pass(clientTask, answering, by), 403);
  // Actions of a deleted program still count for its responsible person.
  await made(owner, 'DELETE', `/api/v1/security/clients/${client.id}`);
  for (const task of [version, clientTask]) assert.equal(await pass(task, answering, owner), 403);
  for (const task of [version, clientTask, own]) assert.equal(await pass(task, admin, owner), 200);

  const { id: theirs } = await documentOf(admin);
  const [task] = await openTasks(await started(creator, 'DMS-2', [approval()]));
  const [pinned] = await openTasks(await started(owner, theirs, [approval()]));
  assert.deepEqual(
    [await pass(task, admin, owner), await pass(pinned, admin, owner)],
    [200, 403],
    'a second administrator cannot do it either',
  );
});

test('a restarted decision keeps its assignees: the creator cannot take it by a pause, a new version or a change', async () => {
  const { id } = await documentOf(creator);
  const flow = await started(creator, id, [approval(), { id: 'file', type: 'task', assignees: [approver.id] }]);
  await made(creator, 'POST', `${path}/${flow}/pause`, {});
  assert.equal((await newVersion(creator, id)).status, 201);
  const { steps } = await made(creator, 'GET', `${path}/${flow}`);
  assert.equal(steps[0].status, 'pending');
  const rest = { id: 'file', type: 'task', assignees: [approver.id] };
  for (const instead of [
    { assignees: [creator.id] },
    { assignees: [approver.id, creator.id], mode: 'any' },
    { type: 'task' },
    { config: { onNewVersion: 'ignore' } },
  ])
    for (const by of [creator, admin]) {
      const answer = await call(by, 'PUT', `${path}/${flow}`, { steps: [approval(instead), rest] });
      assert.deepEqual([answer.status, answer.body.code], [409, 'approval_already_requested'], JSON.stringify(instead));
    }
  assert.equal((await call(creator, 'PUT', `${path}/${flow}`, { steps: [rest] })).body.code, 'workflow_steps_invalid');
  // Unchanged steps are accepted, and a step that was not requested yet can change.
  const answer = await made(creator, 'PUT', `${path}/${flow}`, { steps: [approval(), { ...rest, assignees: [creator.id] }] });
  assert.deepEqual([answer.steps[0].assignees, answer.steps[1].assignees], [[approver.id], [creator.id]]);
  await made(creator, 'POST', `${path}/${flow}/resume`);
  const [task] = await openTasks(flow);
  assert.deepEqual([task.assignedTo, task.documentVersion], [approver.id, 2]);
});

test('the creator cannot take it by a rejection that leads back, or by assigning the workflow to themself', async () => {
  const steps = [
    { id: 'prepare', type: 'task', assignees: [approver.id] },
    { id: 'approve', type: 'approval', config: { onReject: 'prepare' } },
  ];
  const flow = await started(creator, 'DMS-1', steps, { assignedTo: approver.id });
  await complete(approver, (await openTasks(flow))[0].id, {});
  await complete(approver, (await openTasks(flow))[0].id, { outcome: 'rejected' });
  assert.equal((await made(creator, 'GET', `${path}/${flow}`)).steps[1].status, 'pending');
  for (const body of [{ steps: [steps[0], { ...steps[1], assignees: [creator.id] }] }, { assignedTo: creator.id }, { assignedTo: null }])
    assert.equal((await call(creator, 'PUT', `${path}/${flow}`, body)).body.code, 'approval_already_requested', JSON.stringify(body));
  await complete(approver, (await openTasks(flow))[0].id, {});
  assert.equal((await openTasks(flow))[0].assignedTo, approver.id);
});

test('an unchanged document keeps the user who linked it, or stays unlinked', async () => {
  const { id } = await documentOf(owner);
  const flow = await draft(creator, id, [{ id: 'a', type: 'task', assignees: [approver.id] }]);
  for (const same of [id, id.toUpperCase()])
    assert.equal((await made(admin, 'PUT', `${path}/${flow}`, { documentId: same, name: 'Renamed' })).documentLinked, false);
  await made(creator, 'POST', `${path}/${flow}/start`);
  assert.equal((await call(approver, 'GET', `${documents}/${id}`)).status, 404);

  await share(owner, id, creator, 'read');
  const linked = await draft(creator, id, [{ id: 'a', type: 'task', assignees: [approver.id] }]);
  await made(admin, 'PUT', `${path}/${linked}`, { documentId: id });
  await made(creator, 'POST', `${path}/${linked}/start`);
  assert.equal((await call(approver, 'GET', `${documents}/${id}`)).status, 200);
  const { grants } = await made(owner, 'GET', `${documents}/${id}/access`);
  assert.equal(grants.find((one: any) => one.reason === 'task').grantedBy, creator.id, 'by the creator, not by the administrator');
});

test('an owner excluded from their document by a barrier neither sees nor cancels its workflows until they are included', async () => {
  const [leaver, successor] = [await chancery.user(team), await chancery.user(team)];
  const { id, folder } = await documentOf(leaver);
  await made(leaver, 'POST', `${folders}/${folder}/shares`, { userId: creator.id, access: 'write' });
  await made(leaver, 'PUT', `${folders}/${folder}/barrier`, { userIds: [leaver.id, creator.id, admin.id] });
  const flow = await started(creator, id, [approval({ assignees: [creator.id] })]);
  assert.equal((await call(leaver, 'GET', `${path}/${flow}`)).status, 200);
  await made(owner, 'DELETE', `/api/v1/team/members/${leaver.id}?successorId=${successor.id}`);

  const seenBy = async () => [
    (await call(successor, 'GET', `${documents}/${id}`)).status,
    (await call(successor, 'GET', `${path}/${flow}`)).status,
    (await made(successor, 'GET', `${path}?documentId=${id}`)).length,
    (await call(admin, 'GET', `${path}/${flow}/access`)).text.includes(successor.id),
  ];
  assert.deepEqual(await seenBy(), [404, 404, 0, false]);
  assert.equal((await call(successor, 'POST', `${path}/${flow}/cancel`, {})).status, 404);

  await made(admin, 'PUT', `${folders}/${folder}/barrier`, { userIds: [successor.id, creator.id, admin.id] });
  assert.deepEqual(await seenBy(), [200, 200, 1, true]);
  assert.equal((await call(successor, 'POST', `${path}/${flow}/cancel`, {})).status, 200);
});

test('a person who uploads a version during its decision cannot decide on it, and the task can be reassigned', async () => {
  for (const type of ['approval', 'review']) {
    const { id } = await documentOf(owner);
    await share(owner, id, approver, 'write');
    await share(owner, id, creator, 'write');
    const flow = await started(creator, id, [approval({ type }), approval({ id: 'next', type })]);
    assert.equal((await newVersion(approver, id)).status, 201);
    const [own] = await openTasks(flow);
    assert.deepEqual([own.assignedTo, own.documentVersion], [approver.id, 2]);
    for (const outcome of ['approved', 'rejected']) {
      const refused = await complete(approver, own.id, { outcome });
      assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
    }
    const several = await made(approver, 'POST', '/api/v1/tasks/complete', { items: [{ id: own.id, outcome: 'approved' }] });
    assert.equal(several.results[0].status, 403);
    await made(approver, 'POST', `/api/v1/tasks/${own.id}/reassign`, { userId: admin.id });
    assert.equal((await complete(admin, own.id, { outcome: 'approved' })).status, 200);
    // They cannot decide in a later step either. After an upload by another person they can decide again.
    const [next] = await openTasks(flow);
    assert.equal((await complete(approver, next.id, { outcome: 'approved' })).status, 403);
    await newVersion(creator, id);
    for (let step = 0; step < 2; step += 1)
      assert.equal((await complete(approver, (await openTasks(flow))[0].id, { outcome: 'approved' })).status, 200);
    assert.equal((await made(creator, 'GET', `${path}/${flow}`)).status, 'completed');
  }
});

test('the same applies to uploads of their program; they can still sign, and decide on a version from before the start', async () => {
  const answering = await chancery.user(team, { role: 'admin' });
  const client = await chancery.client(answering);
  const { id } = await documentOf(answering);
  const requested = [answering.id];
  const flow = await started(owner, id, [
    approval({ assignees: requested }),
    approval({ id: 'sign', type: 'signature', assignees: requested }),
  ]);
  const first = await started(owner, id, [approval({ assignees: requested })]);
  assert.equal(
    (await complete(answering, (await openTasks(first))[0].id, { outcome: 'approved' })).status,
    200,
    'requested with their own version',
  );
  assert.equal((await newVersion(client, id)).status, 201);
  const [task] = await openTasks(flow);
  assert.equal((await complete(answering, task.id, { outcome: 'approved' })).status, 403);
  await made(owner, 'POST', `/api/v1/tasks/${task.id}/reassign`, { userId: admin.id });
  assert.equal((await complete(admin, task.id, { outcome: 'approved' })).status, 200);
  const [signature] = await openTasks(flow);
  await made(answering, 'POST', `/api/v1/tasks/${signature.id}/signature`, { outcome: 'signed_elsewhere' });
});
