import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Asker, asking } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type User } from '../../../test/harness.ts';
import { broughtIn, type Registered, registered } from '../../../test/people.ts';
import { waitingBatch } from '../../../test/signature-batches.ts';
import { pdfDocument } from '../../../test/signatures.ts';

/* The resources of a member who left a team and came back. */

const path = '/api/v1/workflows';
const tasks = '/api/v1/tasks';
let chancery: Chancery;
let owner: Registered;
let creator: Registered;
let other: User;
let document: any;
let first: Asker;

const { call, made, status: statusOf } = asking(() => chancery);
const idsOf = async (by: Asker, list: string): Promise<string[]> => (await made(by, 'GET', list)).map(({ id }: { id: string }) => id);

async function back(): Promise<Asker> {
  await made(owner, 'DELETE', `/api/v1/team/members/${creator.id}`);
  return { token: await broughtIn(chancery, owner, creator) };
}

before(async () => {
  chancery = await sharedChancery();
  [owner, creator] = [await registered(chancery), await registered(chancery)];
  first = { token: await broughtIn(chancery, owner, creator) };
  other = await chancery.user(owner.team);
  document = await chancery.document({ ...owner, role: 'owner', sessionId: '' });
  await made(owner, 'POST', `/api/v1/smartdoc/documents/${document.id}/access`, { userId: creator.id, access: 'write' });
});

test('a returning member does not own the resources of their first membership, only the new ones', async () => {
  const steps = [
    { id: 'one', type: 'task', assignees: [other.id] },
    { id: 'two', type: 'task', assignees: [other.id], dependsOn: ['one'] },
  ];
  const flow = (await made(first, 'POST', `${path}/`, { name: 'Old', documentId: document.id, steps })).id;
  await made(first, 'POST', `${path}/${flow}/start`);
  const unnamed = (await made(first, 'POST', `${path}/`, { name: 'Draft', documentId: 'DMS-1', steps: [{ id: 'a', type: 'task' }] })).id;
  await made(first, 'POST', `${path}/templates`, { name: 'mine', description: 'x', steps: [{ id: 'a', type: 'task' }] });
  const given = (await made(first, 'POST', `${tasks}/`, { title: 'Given', assignedTo: other.id, documentId: document.id })).id;
  assert.equal(await statusOf(first, 'PUT', `${path}/${flow}`, { name: 'Old still' }), 200);
  assert.deepEqual(await idsOf(first, tasks), await idsOf(other, tasks), 'they see the tasks that they created');

  const signed = await pdfDocument(chancery, first);
  const request = { documentId: signed.id, signers: [{ email: 'ada@acme.example', name: 'Ada' }] };
  const requestId = (await made(first, 'POST', '/api/v1/signatures/', request)).id;
  const batch = (await waitingBatch(chancery.pool, { id: creator.id, team: owner.team })).id;
  assert.deepEqual([await idsOf(first, '/api/v1/signatures/'), await idsOf(first, '/api/v1/signatures/bulk')], [[requestId], [batch]]);

  const pack = (await made(first, 'POST', '/api/v1/evidence', { documentId: signed.id })).id;
  assert.equal(await statusOf(first, 'GET', `/api/v1/evidence/${pack}`), 200);

  const again = await back();
  for (const part of ['', '/file']) assert.equal(await statusOf(again, 'GET', `/api/v1/evidence/${pack}${part}`), 404);
  assert.deepEqual([await idsOf(again, '/api/v1/signatures/'), await idsOf(again, '/api/v1/signatures/bulk')], [[], []]);
  assert.equal(await statusOf(again, 'GET', `/api/v1/signatures/${requestId}/evidence`), 404);
  assert.equal(await statusOf(again, 'POST', `/api/v1/signatures/${requestId}/void`, { reason: 'Mine' }), 404);
  assert.equal(await statusOf(again, 'GET', `/api/v1/signatures/bulk/${batch}/rows`), 404);
  assert.deepEqual([await idsOf(again, `${path}/`), await idsOf(again, tasks)], [[], []]);
  assert.equal(await statusOf(again, 'GET', `${path}/${flow}`), 404);
  assert.equal(await statusOf(again, 'PUT', `${path}/${flow}`, { steps }), 404);
  assert.equal(await statusOf(again, 'POST', `${path}/${flow}/cancel`, {}), 404);
  assert.equal(await statusOf(again, 'DELETE', `${path}/templates/mine`), 403);
  assert.equal(await statusOf(again, 'PUT', `${path}/templates/mine`, { description: 'y' }), 403);
  assert.equal(await statusOf(again, 'GET', `${tasks}/${given}`), 404);
  assert.equal(await statusOf(again, 'POST', `${tasks}/${given}/reassign`, { userId: creator.id }), 404);

  // A task created by the workflow after their return is not theirs either.
  const [one] = await made(other, 'GET', `${tasks}?workflowId=${flow}&status=open`);
  await made(other, 'POST', `${tasks}/${one.id}/complete`, {});
  const [two] = await made(other, 'GET', `${tasks}?workflowId=${flow}&status=open`);
  assert.deepEqual([two.stepId, two.createdBy], ['two', creator.id], 'the response still names the creator');
  assert.equal(await statusOf(again, 'POST', `${tasks}/${two.id}/reassign`, { userId: creator.id }), 404);
  assert.deepEqual(await idsOf(again, tasks), []);
  assert.equal(await statusOf(again, 'GET', `/api/v1/smartdoc/documents/${document.id}`), 404);

  const { text } = await call(owner, 'GET', `${path}/${flow}/access`);
  assert.deepEqual([text.includes(other.id), text.includes(creator.id)], [true, false], 'the access list agrees');

  await made(owner, 'PUT', `${path}/${unnamed}`, { assignedTo: null });
  await made(owner, 'POST', `${path}/${unnamed}/start`);
  const [nobodys] = await made(owner, 'GET', `${tasks}?workflowId=${unnamed}`);
  assert.equal(nobodys.assignedTo, owner.id, 'a step without assignees does not go to the creator of the workflow who left');

  // This holds after the deletion of the workflow too.
  await made(owner, 'POST', `${path}/${flow}/cancel`, {});
  await made(owner, 'DELETE', `${path}/${flow}`);
  assert.deepEqual([await idsOf(again, tasks), await statusOf(again, 'GET', `${tasks}/${two.id}`)], [[], 404]);
  assert.equal(await statusOf(again, 'POST', `${tasks}/${two.id}/comments`, { text: 'x' }), 404);

  const fresh = (await made(again, 'POST', `${path}/`, { name: 'New', documentId: 'DMS-1', steps })).id;
  const task = (await made(again, 'POST', `${tasks}/`, { title: 'New', assignedTo: other.id })).id;
  await made(again, 'POST', `${path}/templates`, { name: 'new', description: 'x', steps: [{ id: 'a', type: 'task' }] });
  await made(again, 'PUT', `${path}/${fresh}`, { name: 'Newer' });
  await made(again, 'POST', `${tasks}/${task}/reassign`, { userId: creator.id });
  assert.equal(await statusOf(again, 'DELETE', `${path}/templates/new`), 204);
  assert.deepEqual([await idsOf(again, `${path}/`), await idsOf(again, tasks)], [[fresh], [task]]);
});

test('a returning member sees no tasks of their first membership, and old idempotent responses are not repeated', async () => {
  const helper = await registered(chancery);
  const formerly = { token: await broughtIn(chancery, owner, helper) };
  const steps = [{ id: 'one', type: 'approval', assignees: [helper.id] }];
  const assigned = (await made(owner, 'POST', `${path}/`, { name: 'Held', documentId: document.id, steps })).id;
  const given = (
    await made(owner, 'POST', `${path}/`, { name: 'Given', documentId: 'DMS-1', assignedTo: helper.id, steps: [{ id: 'a', type: 'task' }] })
  ).id;
  for (const flow of [assigned, given]) await made(owner, 'POST', `${path}/${flow}/start`);
  const open = await made(formerly, 'GET', tasks);
  for (const { id, type } of open)
    await made(formerly, 'POST', `${tasks}/${id}/complete`, type === 'approval' ? { outcome: 'approved' } : {});
  const [one] = open.map(({ id }: { id: string }) => id);
  const key = { 'idempotency-key': 'before' };
  const words = { text: 'Done' };
  assert.equal((await call(formerly, 'POST', `${tasks}/${one}/comments`, words, key)).status, 201);
  assert.deepEqual([(await idsOf(formerly, tasks)).length, (await idsOf(formerly, `${path}/`)).length], [2, 2]);

  await made(owner, 'DELETE', `/api/v1/team/members/${helper.id}`);
  const again = { token: await broughtIn(chancery, owner, helper) };
  assert.deepEqual([await idsOf(again, tasks), await idsOf(again, `${path}/`), await idsOf(again, `${path}?assignedTo=me`)], [[], [], []]);
  for (const flow of [assigned, given]) {
    assert.equal(await statusOf(again, 'GET', `${path}/${flow}`), 404);
    assert.equal(await statusOf(again, 'GET', `${path}/${flow}/access`), 404);
    assert.ok(!(await call(owner, 'GET', `${path}/${flow}/access`)).text.includes(helper.id), 'the access list agrees');
  }
  for (const { id } of open) {
    assert.equal(await statusOf(again, 'GET', `${tasks}/${id}`), 404);
    assert.equal(await statusOf(again, 'GET', `${tasks}/${id}/comments`), 404);
  }
  const repeated = await call(again, 'POST', `${tasks}/${one}/comments`, words, key);
  assert.deepEqual([repeated.status, repeated.headers.get('idempotency-replayed')], [404, null]);

  const fresh = (await made(owner, 'POST', `${tasks}/`, { title: 'New', assignedTo: helper.id })).id;
  await made(again, 'POST', `${tasks}/${fresh}/complete`, {});
  assert.deepEqual(await idsOf(again, tasks), [fresh], 'new tasks and records are theirs');
});

test('the successor owns the tasks, workflows and templates of the member who left', async () => {
  const leaver = await chancery.user(owner.team);
  const successor = await chancery.user(owner.team);
  const steps = [{ id: 'a', type: 'task', assignees: [other.id] }];
  const flow = (await made(leaver, 'POST', `${path}/`, { name: 'Left', documentId: 'DMS-1', steps })).id;
  const over = (await made(leaver, 'POST', `${path}/`, { name: 'Over', documentId: 'DMS-1', steps })).id;
  await made(leaver, 'POST', `${path}/${over}/cancel`, {});
  await made(leaver, 'POST', `${path}/templates`, { name: 'left', description: 'x', steps });
  const given = (await made(leaver, 'POST', `${tasks}/`, { title: 'Given', assignedTo: other.id })).id;
  const done = (await made(owner, 'POST', `${tasks}/`, { title: 'Done', assignedTo: leaver.id })).id;
  await made(leaver, 'POST', `${tasks}/${done}/complete`, {});
  await made(owner, 'DELETE', `/api/v1/team/members/${leaver.id}?successorId=${successor.id}`);

  assert.deepEqual((await idsOf(successor, `${path}/`)).toSorted(), [flow, over].toSorted());
  assert.deepEqual(await idsOf(successor, tasks), [given], 'the successor does not get records of ended tasks');
  assert.equal(await statusOf(successor, 'PUT', `${path}/${flow}`, { name: 'Successor’s' }), 200);
  assert.equal(await statusOf(successor, 'PUT', `${path}/templates/left`, { description: 'y' }), 200);
  assert.equal(await statusOf(successor, 'POST', `${tasks}/${given}/reassign`, { userId: successor.id }), 200);
  assert.equal((await made(successor, 'GET', `${tasks}/${given}`)).createdBy, leaver.id, 'the creator does not change');
});
