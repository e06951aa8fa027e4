import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type User } from '../../test/harness.ts';
import { broughtIn, type Registered, registered } from '../../test/people.ts';

/* What somebody made in a team, once they have left it and come back. */

const path = '/api/v1/workflows';
const tasks = '/api/v1/tasks';
let chancery: Chancery;
let owner: Registered;
let maker: Registered;
let other: User;
let document: any;
let first: Caller;

type Caller = { token: string };
const call = (by: Caller, method: string, to: string, body?: unknown) =>
  chancery.call(method, to, { token: by.token, ...(body === undefined ? {} : { body }) });
async function made(by: Caller, method: string, to: string, body?: unknown): Promise<any> {
  const answer = await call(by, method, to, body);
  assert.ok(answer.status < 300, `${method} ${to}: ${answer.text}`);
  return answer.body;
}
const statusOf = async (by: Caller, method: string, to: string, body?: unknown) => (await call(by, method, to, body)).status;
const idsOf = async (by: Caller, list: string): Promise<string[]> => (await made(by, 'GET', list)).map(({ id }: { id: string }) => id);

async function back(): Promise<Caller> {
  await made(owner, 'DELETE', `/api/v1/team/members/${maker.id}`);
  return { token: await broughtIn(chancery, owner, maker) };
}

before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off' } });
  [owner, maker] = [await registered(chancery), await registered(chancery)];
  first = { token: await broughtIn(chancery, owner, maker) };
  other = await chancery.user(owner.team);
  document = await chancery.document({ ...owner, role: 'owner', sessionId: '' });
  await made(owner, 'POST', `/api/v1/smartdoc/documents/${document.id}/access`, { userId: maker.id, access: 'write' });
});
after(() => chancery.stop());

test('who comes back to a team has nothing of what they made there before, and all of what they make now', async () => {
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
  assert.deepEqual(await idsOf(first, tasks), await idsOf(other, tasks), 'what they gave is theirs to see');

  const again = await back();
  assert.deepEqual([await idsOf(again, `${path}/`), await idsOf(again, tasks)], [[], []]);
  assert.equal(await statusOf(again, 'GET', `${path}/${flow}`), 404);
  assert.equal(await statusOf(again, 'PUT', `${path}/${flow}`, { steps }), 404);
  assert.equal(await statusOf(again, 'POST', `${path}/${flow}/cancel`, {}), 404);
  assert.equal(await statusOf(again, 'DELETE', `${path}/templates/mine`), 403);
  assert.equal(await statusOf(again, 'PUT', `${path}/templates/mine`, { description: 'y' }), 403);
  assert.equal(await statusOf(again, 'GET', `${tasks}/${given}`), 404);
  assert.equal(await statusOf(again, 'POST', `${tasks}/${given}/reassign`, { userId: maker.id }), 404);

  // A task that the workflow gives after they came back is as little theirs as the workflow.
  const [one] = await made(other, 'GET', `${tasks}?workflowId=${flow}&status=open`);
  await made(other, 'POST', `${tasks}/${one.id}/complete`, {});
  const [two] = await made(other, 'GET', `${tasks}?workflowId=${flow}&status=open`);
  assert.deepEqual([two.stepId, two.createdBy], ['two', maker.id], 'who made it is told as ever');
  assert.equal(await statusOf(again, 'POST', `${tasks}/${two.id}/reassign`, { userId: maker.id }), 404);
  assert.deepEqual(await idsOf(again, tasks), []);
  assert.equal(await statusOf(again, 'GET', `/api/v1/smartdoc/documents/${document.id}`), 404);

  const { text } = await call(owner, 'GET', `${path}/${flow}/access`);
  assert.deepEqual([text.includes(other.id), text.includes(maker.id)], [true, false], 'who sees it says the same');

  await made(owner, 'PUT', `${path}/${unnamed}`, { assignedTo: null });
  await made(owner, 'POST', `${path}/${unnamed}/start`);
  const [nobodys] = await made(owner, 'GET', `${tasks}?workflowId=${unnamed}`);
  assert.equal(nobodys.assignedTo, owner.id, 'a step that names nobody is not given to who made the workflow before they left');

  const fresh = (await made(again, 'POST', `${path}/`, { name: 'New', documentId: 'DMS-1', steps })).id;
  const task = (await made(again, 'POST', `${tasks}/`, { title: 'New', assignedTo: other.id })).id;
  await made(again, 'POST', `${path}/templates`, { name: 'new', description: 'x', steps: [{ id: 'a', type: 'task' }] });
  await made(again, 'PUT', `${path}/${fresh}`, { name: 'Newer' });
  await made(again, 'POST', `${tasks}/${task}/reassign`, { userId: maker.id });
  assert.equal(await statusOf(again, 'DELETE', `${path}/templates/new`), 204);
  assert.deepEqual([await idsOf(again, `${path}/`), await idsOf(again, tasks)], [[fresh], [task]]);
});
