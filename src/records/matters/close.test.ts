import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { asking } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { askToSign, pdfDocument } from '../../../test/signatures.ts';

const matters = '/api/v1/matters';
const folders = '/api/v1/smartdoc/folders';
const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: TestTeam;
let lawyer: User;
let colleague: User;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  [lawyer, colleague] = [await chancery.user(team), await chancery.user(team)];
});

const { call: ask, made: done } = asking(() => chancery);
const matter = () => done(lawyer, 'POST', `${matters}/`, { name: `Matter ${randomUUIDv7()}` });
const steps = [{ id: 'a', type: 'task', name: 'Read' }];
const workflow = (more: object) => done(lawyer, 'POST', '/api/v1/workflows/', { name: 'Review', documentId: 'elsewhere', steps, ...more });
const nameField = { id: 'name', type: 'text', label: 'Name' };
const registry = (more: object) => done(lawyer, 'POST', '/api/v1/registries/', { name: 'Parties', fields: [nameField], ...more });
/** Returns a published form. */
async function form(more: object) {
  const interfaces = '/api/v1/interfaces';
  const { id } = await done(lawyer, 'POST', `${interfaces}/`, { title: 'Intake', type: 'form', fields: [nameField], ...more });
  return done(lawyer, 'POST', `${interfaces}/${id}/publish`, { revision: 1 });
}
const submit = ({ publicToken }: { publicToken: string }) =>
  chancery.call('POST', `/api/v1/interfaces/public/${publicToken}/submit`, { body: { data: { name: 'Ada' } } });
const close = (id: string, body?: object) => ask(lawyer, 'POST', `${matters}/${id}/close`, body);

/** A matter with an active workflow, an open task and a pending signature request. */
async function busy() {
  const { id: matterId } = await matter();
  const pdf = await pdfDocument(chancery, lawyer, { matterId });
  const request = await askToSign(chancery, lawyer, { documentId: pdf.id });
  const running = await workflow({ matterId });
  await done(lawyer, 'POST', `/api/v1/workflows/${running.id}/start`);
  const task = await done(lawyer, 'POST', '/api/v1/tasks/', { title: 'Call the court', matterId });
  return { matterId, request, running, task };
}

test('open work prevents closing, and the response lists it', async () => {
  const { matterId, request, running, task } = await busy();
  const answer = await close(matterId);
  assert.equal(answer.status, 409);
  assert.equal(answer.body.code, 'open_work');
  assert.deepEqual(
    answer.body.openWork.map(({ type, id }: { type: string; id: string }) => [type, id]).toSorted(),
    [
      ['signature_request', request.id],
      ['task', task.id],
      ['workflow', running.id],
    ].toSorted(),
  );
});

test('with force and a reason, open work ends with the matter', async () => {
  const { matterId, request, running, task } = await busy();
  assert.equal((await close(matterId, { force: true })).status, 400);
  const closed = await close(matterId, { force: true, reason: 'The parties settled' });
  assert.equal(closed.status, 200, closed.text);
  assert.equal(closed.body.status, 'closed');
  const ended = await done(lawyer, 'GET', `/api/v1/workflows/${running.id}`);
  assert.deepEqual([ended.status, ended.reason], ['cancelled', 'The parties settled']);
  assert.equal((await done(lawyer, 'GET', `/api/v1/tasks/${task.id}`)).status, 'cancelled');
  assert.equal((await done(lawyer, 'GET', `/api/v1/signatures/${request.id}`)).status, 'voided');
});

test('a closed matter is read-only until it is reopened', async () => {
  const { id: matterId } = await matter();
  const top = await done(lawyer, 'POST', `${folders}/`, { name: 'Pleadings', matterId });
  const filed = await chancery.document(lawyer, { folderId: top.id });
  const draft = await workflow({ documentId: filed.id });
  const [parties, binned] = [await registry({ matterId }), await registry({ matterId })];
  await done(lawyer, 'DELETE', `/api/v1/registries/${binned.id}`);
  assert.equal((await close(matterId)).status, 200);
  const file = new FormData();
  file.set('file', new Blob([randomUUIDv7()], { type: 'text/plain' }), 'b.txt');
  const changes = [
    ['PATCH', `${matters}/${matterId}`, { practice: 'Tax' }],
    ['POST', `${folders}/`, { name: 'More', matterId }],
    ['POST', `${folders}/`, { name: 'More', parentId: top.id }],
    ['PUT', `${folders}/${top.id}`, { description: 'New' }],
    ['DELETE', `${folders}/${top.id}?recursive=true`],
    ['POST', `${documents}/`, { title: 'More', folderId: top.id }],
    ['PUT', `${documents}/${filed.id}`, { description: 'New' }],
    ['POST', `${documents}/${filed.id}/versions`, file],
    ['PATCH', `${documents}/${filed.id}/move`, { folderId: null }],
    ['DELETE', `${documents}/${filed.id}`],
    ['POST', '/api/v1/tasks/', { title: 'Read', documentId: filed.id }],
    ['POST', '/api/v1/workflows/', { name: 'Review', documentId: filed.id, steps }],
    ['POST', `/api/v1/workflows/${draft.id}/start`],
    ['PUT', `/api/v1/registries/${parties.id}`, { name: 'Other' }],
    ['DELETE', `/api/v1/registries/${parties.id}`],
    ['POST', `/api/v1/registries/${binned.id}/restore`],
    ['POST', `/api/v1/registries/${parties.id}/records`, { data: { name: 'Ada' } }],
    ['POST', `${matters}/${matterId}/contents/remove`, { items: [{ type: 'folder', id: top.id }] }],
    ['POST', `${matters}/${matterId}/close`],
  ] as const;
  for (const [method, path, body] of changes) {
    const answer = await ask(lawyer, method, path, body);
    assert.equal(answer.body?.code, 'matter_closed', `${method} ${path}: ${answer.status} ${answer.text}`);
  }
  assert.equal((await ask(lawyer, 'GET', `${documents}/${filed.id}`)).status, 200);
  await done(lawyer, 'POST', `${matters}/${matterId}/access`, { userId: colleague.id, access: 'read' });
  assert.equal((await ask(colleague, 'GET', `${documents}/${filed.id}`)).status, 200);
  await done(lawyer, 'POST', `${matters}/${matterId}/reopen`);
  assert.equal((await ask(lawyer, 'PUT', `${documents}/${filed.id}`, { description: 'New' })).status, 200);
});

test('until the end of its retention period, a closed matter cannot be deleted', async () => {
  const { id } = await matter();
  const closed = await close(id, { retainUntil: '9999-01-01' });
  assert.equal(closed.body.retainUntil, '9999-01-01');
  assert.equal((await ask(lawyer, 'DELETE', `${matters}/${id}`)).body.code, 'matter_retained');
  const reopened = await done(lawyer, 'POST', `${matters}/${id}/reopen`);
  assert.equal(reopened.retainUntil, '9999-01-01');
  assert.equal((await ask(lawyer, 'DELETE', `${matters}/${id}`)).body.code, 'matter_retained');
  assert.equal((await close(id)).body.retainUntil, '9999-01-01');
  await done(lawyer, 'POST', `${matters}/${id}/reopen`);
  assert.equal((await close(id, { retainUntil: '2020-01-01' })).body.retainUntil, '2020-01-01');
  assert.equal((await ask(lawyer, 'DELETE', `${matters}/${id}`)).status, 204);
});

test('forms of a closed matter are closed, and a form elsewhere writes no record into it', async () => {
  const { id: matterId } = await matter();
  const parties = await registry({ matterId });
  const config = { bindsRegistryTypeId: parties.id, bindsRegistryFields: { name: 'name' } };
  const [inside, outside] = [await form({ matterId }), await form({ config })];
  for (const each of [inside, outside]) assert.equal((await submit(each)).status, 200);
  const records = async () => (await done(lawyer, 'GET', `/api/v1/registries/${parties.id}/records`)).length;
  assert.equal(await records(), 1);
  await close(matterId);
  const refused = await submit(inside);
  assert.deepEqual([refused.status, refused.body.code], [410, 'interface_closed']);
  assert.equal((await chancery.call('GET', `/api/v1/interfaces/public/${inside.publicToken}`)).body.code, 'interface_closed');
  assert.equal((await submit(outside)).status, 200);
  assert.equal(await records(), 1);
  const { rows } = await chancery.pool.query('SELECT code FROM submission_effect WHERE team_id = $1 AND status = $2', [team.id, 'failed']);
  assert.deepEqual(rows, [{ code: 'matter_closed' }]);
  await done(lawyer, 'POST', `${matters}/${matterId}/reopen`);
  assert.equal((await submit(inside)).status, 200);
});

test('a submission and the closing of its matter are in one order, 15 times', async () => {
  for (let round = 0; round < 15; round += 1) {
    const { id: matterId } = await matter();
    const inside = await form({ matterId });
    const [sent, closed] = await Promise.all([submit(inside), close(matterId)]);
    assert.equal(closed.status, 200);
    assert.ok(sent.status === 200 || sent.body.code === 'interface_closed', sent.text);
  }
});

test('a legal hold on a matter prevents its deletion', async () => {
  const { id } = await matter();
  const hold = await done(team.owner, 'POST', '/api/v1/smartdoc/holds', { folderId: id, reason: 'Discovery' });
  assert.equal((await ask(lawyer, 'DELETE', `${matters}/${id}`)).body.code, 'legal_hold_active');
  await done(team.owner, 'POST', `/api/v1/smartdoc/holds/${hold.id}/lift`, { reason: 'Settled' });
  assert.equal((await ask(lawyer, 'DELETE', `${matters}/${id}`)).status, 204);
});

test('only the responsible person and administrators close a matter', async () => {
  const { id } = await matter();
  await done(lawyer, 'POST', `${matters}/${id}/access`, { userId: colleague.id, access: 'write' });
  assert.equal((await ask(colleague, 'POST', `${matters}/${id}/close`)).status, 403);
  assert.equal((await ask(team.owner, 'POST', `${matters}/${id}/close`)).status, 200);
});

test('work that a barrier hides from the actor is counted, not listed, and force does not end it', async () => {
  const { id: matterId } = await matter();
  const top = await done(lawyer, 'POST', `${folders}/`, { name: 'Inside', matterId });
  const filed = await chancery.document(lawyer, { folderId: top.id });
  const running = await workflow({ documentId: filed.id });
  await done(lawyer, 'POST', `/api/v1/workflows/${running.id}/start`);
  await done(lawyer, 'PUT', `${folders}/${top.id}/barrier`, { userIds: [lawyer.id] });
  const answer = await ask(team.owner, 'POST', `${matters}/${matterId}/close`, { force: true, reason: 'Discovery' });
  assert.equal(answer.body.code, 'open_work');
  assert.deepEqual(answer.body.openWork, []);
  assert.equal((await done(lawyer, 'GET', `/api/v1/workflows/${running.id}`)).status, 'active');
});

test('while a matter is closed, nothing new begins: 25 times, either the task or the closing is refused', async () => {
  for (let round = 0; round < 25; round += 1) {
    const { id: matterId } = await matter();
    const [made, closed] = await Promise.all([ask(lawyer, 'POST', '/api/v1/tasks/', { title: 'Call', matterId }), close(matterId)]);
    const open = (await done(lawyer, 'GET', `/api/v1/tasks/?matterId=${matterId}&status=open`)).length;
    const { status } = await done(lawyer, 'GET', `${matters}/${matterId}`);
    assert.ok(!(status === 'closed' && open > 0), `${made.status} ${closed.status}: ${open} open in a ${status} matter`);
    assert.deepEqual([made.status, closed.status].filter((one) => one < 300).length, 1);
  }
});

test('50 documents that are created while the matter closes are all in it before, or refused', async () => {
  const { id: matterId } = await matter();
  const create = () => ask(lawyer, 'POST', `${documents}/`, { title: `Deed ${randomUUIDv7()}`, matterId });
  const answers = await Promise.all([...Array.from({ length: 25 }, create), close(matterId), ...Array.from({ length: 25 }, create)]);
  const created = answers.filter(({ status }) => status === 201).length;
  const refused = answers.filter(({ body }) => body?.code === 'matter_closed').length;
  assert.equal(created + refused, 50);
  assert.equal((await done(lawyer, 'GET', `${documents}/?matterId=${matterId}`)).length, created);
});

test('a document that moves into a matter while its barrier is raised is behind the barrier', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id: matterId } = await matter();
    const loose = await chancery.document(lawyer);
    await done(lawyer, 'POST', `${documents}/${loose.id}/access`, { userId: colleague.id, access: 'read' });
    const items = [{ type: 'document', id: loose.id }];
    const [added, raised] = await Promise.all([
      ask(lawyer, 'POST', `${matters}/${matterId}/contents`, { items, confirm: true }),
      ask(lawyer, 'PUT', `${matters}/${matterId}/barrier`, { userIds: [] }),
    ]);
    assert.deepEqual([added.status, raised.status], [204, 200]);
    assert.equal((await ask(colleague, 'GET', `${documents}/${loose.id}`)).status, 404);
  }
});
