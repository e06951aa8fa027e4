import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type TestResponse, type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';

const path = '/api/v1/workflows';
const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let approver: User;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
  approver = await chancery.user(team);
});

const post = (to: string, body?: unknown, by = owner, headers: Record<string, string> = {}) =>
  chancery.call('POST', to, { token: by.token, headers, ...(body === undefined ? {} : { body }) });
const read = async (id: string) => (await chancery.call('GET', `${path}/${id}`, { token: owner.token })).body;
const tasksOf = async (id: string): Promise<any[]> =>
  (await chancery.call('GET', `/api/v1/tasks?workflowId=${id}`, { token: owner.token })).body;
const openTask = async (id: string) => (await tasksOf(id)).find(({ status }) => status === 'open');
const openTaskOf = async (id: string, of: User) =>
  (await tasksOf(id)).find(({ status, assignedTo }) => status === 'open' && assignedTo === of.id);
const complete = (task: { id: string }, body: unknown, by = approver, headers: Record<string, string> = {}) =>
  post(`/api/v1/tasks/${task.id}/complete`, body, by, headers);
const statuses = (body: any) => body.steps.map(({ status }: any) => status).join();

async function started(steps: object[], documentId = 'DMS-1'): Promise<string> {
  const made = await post(`${path}/`, { name: 'W', documentId, steps });
  assert.equal(made.status, 201, made.text);
  const begun = await post(`${path}/${made.body.id}/start`);
  assert.equal(begun.status, 200, begun.text);
  return made.body.id;
}
async function uploaded(text = 'one'): Promise<{ id: string; sha256: string }> {
  const form = new FormData();
  form.set('title', 'Contract');
  form.set('file', new Blob([text], { type: 'text/plain' }), 'a.txt');
  const { body } = await chancery.call('POST', `${documents}/`, { token: owner.token, body: form });
  return { id: body.id, sha256: body.currentVersion.sha256 };
}
function version(id: string, text = 'two', by = owner): Promise<TestResponse> {
  const form = new FormData();
  form.set('file', new Blob([text], { type: 'text/plain' }), 'b.txt');
  return chancery.call('POST', `${documents}/${id}/versions`, { token: by.token, body: form });
}
const lastEvent = async (type: string) => {
  const { rows } = await chancery.pool.query('SELECT body FROM event WHERE team_id = $1 AND type = $2 ORDER BY id DESC LIMIT 1', [
    team.id,
    type,
  ]);
  return JSON.parse(rows[0].body.toString()).data.data;
};
const approval = (more: object = {}) => ({ id: 'approval', type: 'approval', assignedTo: approver.id, ...more });

test('an approval accepts exactly its outcomes', async () => {
  const id = await started([approval()]);
  const task = await openTask(id);
  assert.deepEqual(task.outcomes, ['approved', 'changes_requested', 'rejected']);
  for (const body of [
    undefined,
    {},
    ...['reject', 'declined', 'Rejected', 'no', '', ' approved', 'completed'].map((outcome) => ({ outcome })),
  ]) {
    const answer = await complete(task, body);
    assert.deepEqual([answer.status, answer.body.code], [422, 'outcome_invalid'], JSON.stringify(body));
    assert.equal(answer.body.errors[0].pointer, '/outcome');
  }
  assert.equal((await read(id)).status, 'active');
  assert.equal((await complete(task, { outcome: 'approved' })).body.outcome, 'approved');
  assert.equal((await read(id)).status, 'completed');
});

test('each type of task has its outcomes; a single outcome or `completed` is the default', async () => {
  for (const [step, outcomes, said] of [
    [{ type: 'task' }, ['completed'], undefined],
    [{ type: 'site-visit' }, ['completed'], undefined],
    [{ type: 'form' }, ['submitted'], undefined],
    [{ type: 'acknowledgement' }, ['acknowledged'], undefined],
    [{ type: 'task', config: { outcomes: ['filed'] } }, ['filed'], undefined],
    [{ type: 'task', config: { outcomes: ['filed', 'completed'] } }, ['filed', 'completed'], undefined],
    [{ type: 'site-visit', config: { outcomes: ['fine', 'not fine'] } }, ['fine', 'not fine'], 'not fine'],
  ] as const) {
    const id = await started([{ id: 'a', assignedTo: approver.id, ...step }]);
    const task = await openTask(id);
    assert.deepEqual(task.outcomes, outcomes);
    assert.equal((await complete(task, { outcome: 'nonsense' })).status, 422);
    if (said !== undefined) assert.equal((await complete(task, undefined)).status, 422, 'several outcomes have no default');
    const { body } = await complete(task, said === undefined ? undefined : { outcome: said });
    assert.equal(body.outcome, said ?? (outcomes.includes('completed' as never) ? 'completed' : outcomes[0]));
    assert.deepEqual([body.status, (await read(id)).status], ['completed', 'completed']);
  }
});

test('completing a task never signs; its assignee can record a signature on paper as such', async () => {
  const steps = [{ id: 'sign', type: 'signature', assignedTo: approver.id }];
  const id = await started(steps);
  const task = await openTask(id);
  assert.deepEqual(task.outcomes, []);
  for (const outcome of ['approved', 'signed', 'signed_elsewhere', 'refused to sign', undefined])
    assert.equal((await complete(task, { outcome })).body.code, 'outcome_invalid');
  assert.equal((await post(`/api/v1/tasks/${task.id}/signature`, { outcome: 'signed' }, approver)).status, 400);
  assert.equal((await post(`/api/v1/tasks/${task.id}/signature`, { outcome: 'signed_elsewhere' }, owner)).status, 403);
  assert.equal(
    (await post(`/api/v1/tasks/${task.id}/signature`, { outcome: 'signed_elsewhere' }, approver)).body.outcome,
    'signed_elsewhere',
  );
  assert.equal((await read(id)).status, 'completed');
  const declined = await started(steps);
  await post(`/api/v1/tasks/${(await openTask(declined)).id}/signature`, { outcome: 'declined' }, approver);
  assert.equal((await read(declined)).status, 'rejected');
  const other = await started([{ id: 'a', type: 'task', assignedTo: approver.id }]);
  const answer = await post(`/api/v1/tasks/${(await openTask(other)).id}/signature`, { outcome: 'signed_elsewhere' }, approver);
  assert.equal(answer.body.code, 'outcome_invalid');
});

test('a request for changes goes back to the named step, or restarts the step', async () => {
  const back = await started([{ id: 'write', type: 'task', assignedTo: approver.id }, approval({ config: { onReject: 'write' } })]);
  await complete(await openTask(back), undefined);
  await complete(await openTask(back), { outcome: 'changes_requested' });
  assert.equal(statuses(await read(back)), 'active,pending');

  const again = await started([approval()]);
  const first = await openTask(again);
  assert.equal((await complete(first, { outcome: 'changes_requested' })).body.status, 'rejected');
  const second = await openTask(again);
  assert.notEqual(second.id, first.id);
  await complete(second, { outcome: 'rejected' });
  assert.equal((await read(again)).status, 'rejected');
});

test('a task about a document stores its version; a decision on another version is rejected', async () => {
  const document = await uploaded();
  const id = await started([approval()], document.id);
  const task = await openTask(id);
  assert.deepEqual([task.documentVersion, task.documentSha256], [1, document.sha256]);
  for (const documentVersion of [2, 7]) {
    const answer = await complete(task, { outcome: 'approved', documentVersion });
    assert.deepEqual([answer.status, answer.body.code], [409, 'document_changed']);
  }
  const { status, body } = await complete(task, { outcome: 'approved', documentVersion: 1 });
  assert.deepEqual([status, body.documentVersion, body.documentSha256], [200, 1, document.sha256]);
  const expected = {
    outcome: 'approved',
    completedBy: approver.id,
    completedByType: 'user',
    documentVersion: 1,
    documentSha256: document.sha256,
  };
  for (const type of ['task.completed', 'workflow.step.completed']) {
    const data = await lastEvent(type);
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((member) => [member, data[member]])), expected, type);
  }
  const { rows } = await chancery.pool.query("SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'task.completed'", [task.id]);
  assert.deepEqual([rows[0].data.documentSha256, rows[0].data.changes], [document.sha256, { status: { from: 'open', to: 'completed' } }]);
});

test('a new version restarts open and completed decisions, and no decision on the previous version is accepted', async () => {
  const document = await uploaded();
  const id = await started(
    [{ id: 'prepare', type: 'task', assignedTo: approver.id }, { id: 'review', type: 'review', assignedTo: approver.id }, approval()],
    document.id,
  );
  await complete(await openTask(id), undefined);
  await complete(await openTask(id), { outcome: 'approved' });
  const old = await openTask(id);
  assert.equal(old.stepId, 'approval');
  assert.equal((await version(document.id)).status, 201);
  assert.equal(statuses(await read(id)), 'completed,active,pending');
  for (const body of [{ outcome: 'approved' }, { outcome: 'approved', documentVersion: 1 }]) {
    const late = await complete(old, body);
    assert.deepEqual([late.status, late.body.code], [409, 'document_changed']);
  }
  const review = await openTask(id);
  assert.deepEqual([review.stepId, review.documentVersion], ['review', 2]);
  await complete(review, { outcome: 'approved', documentVersion: 2 });
  await complete(await openTask(id), { outcome: 'approved', documentVersion: 2 });
  assert.equal((await read(id)).status, 'completed');
  const { rows } = await chancery.pool.query("SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'workflow.steps_restarted'", [
    id,
  ]);
  assert.deepEqual([rows.length, rows[0].data.steps, rows[0].data.documentVersion], [1, ['review', 'approval'], 2]);
  assert.equal((await version(document.id, 'three')).status, 201, 'after the end new versions are accepted');
});

test('open decisions get the first file of a document and keep their tasks; earlier decisions restart', async () => {
  const empty = async () => (await post(`${documents}/`, { title: 'Intake' })).body.id;
  const taken = { type: 'task.document_version_taken' };
  const document = await empty();
  const two = { assignees: [approver.id, owner.id], config: { onNewVersion: 'refuse' } };
  const id = await started([{ id: 'review', type: 'review', ...two }, approval()], document);
  const openTasks = await tasksOf(id);
  assert.deepEqual(
    openTasks.map(({ documentVersion }) => documentVersion),
    [undefined, undefined],
  );
  const etag = (await chancery.call('GET', `/api/v1/tasks/${openTasks[0].id}`, { token: owner.token })).headers.get('etag') ?? '';
  assert.equal((await version(document)).status, 201, 'no decision was made that it could change');
  const given = await tasksOf(id);
  assert.deepEqual(
    given.map((task) => [task.id, task.status, task.documentVersion, task.documentSha256.length]),
    openTasks.map((task) => [task.id, 'open', 1, 64]),
  );
  const entries = await chancery.pool.query('SELECT target_id AS id FROM audit_entry WHERE type = $1 AND target_id = ANY ($2)', [
    taken.type,
    openTasks.map((task) => task.id),
  ]);
  assert.equal(entries.rows.length, 2);
  const first = given.find(({ assignedTo }) => assignedTo === approver.id);
  assert.equal(
    (await complete(first, { outcome: 'approved' }, approver, { 'if-match': etag })).status,
    412,
    'the task was read before the document had a file',
  );
  assert.equal((await complete(first, { outcome: 'approved' })).body.documentVersion, 1);
  assert.equal((await version(document)).body.code, 'document_under_decision', 'the second version is a new version');

  const other = await empty();
  const half = await started([{ id: 'review', type: 'review', assignees: [approver.id, owner.id] }, approval()], other);
  await complete(await openTaskOf(half, approver), { outcome: 'approved' });
  assert.equal((await version(other)).status, 201);
  const open = (await tasksOf(half)).filter(({ status }) => status === 'open');
  assert.deepEqual(
    open.map(({ documentVersion, assignedTo }) => [documentVersion, assignedTo]).toSorted(),
    [
      [1, approver.id],
      [1, owner.id],
    ].toSorted(),
    'an approval without a file does not approve the file',
  );

  const raced = await empty();
  const racing = await started([approval(), { id: 'then', type: 'task', assignedTo: approver.id }], raced);
  const waiting = await openTask(racing);
  const [decided] = await Promise.all([complete(waiting, { outcome: 'approved' }), version(raced)]);
  const now = await openTask(racing);
  if (decided.body.documentVersion === 1) assert.equal(now.stepId, 'then');
  else assert.deepEqual([now.stepId, now.documentVersion, decided.status], ['approval', 1, decided.status]);
});

test('a new version during a pause restarts decisions at the resume', async () => {
  const document = await uploaded();
  const id = await started([approval()], document.id);
  await post(`${path}/${id}/pause`, {});
  await version(document.id);
  assert.equal(statuses(await read(id)), 'pending');
  await post(`${path}/${id}/resume`);
  assert.equal((await openTask(id)).documentVersion, 2);
});

test('a step may reject new versions during its decision, or ignore them', async () => {
  const refused = await uploaded();
  const refusing = await started([approval({ config: { onNewVersion: 'refuse' } })], refused.id);
  const answer = await version(refused.id);
  assert.deepEqual([answer.status, answer.body.code], [409, 'document_under_decision']);
  await complete(await openTask(refusing), { outcome: 'rejected' });
  assert.equal((await version(refused.id)).status, 201);

  const ignored = await uploaded();
  const id = await started([approval({ config: { onNewVersion: 'ignore' } })], ignored.id);
  const task = await openTask(id);
  await version(ignored.id);
  assert.equal(
    (await complete(task, { outcome: 'approved', documentVersion: 2 })).body.code,
    'document_changed',
    'the task is about version 1',
  );
  assert.equal((await complete(task, { outcome: 'approved', documentVersion: 1 })).body.documentVersion, 1);
});

test('a person who uploads a version after the start cannot approve it; the uploader of an earlier version can if named', async () => {
  const document = await uploaded();
  const own = await started([approval({ assignedTo: owner.id })], document.id);
  assert.equal((await complete(await openTask(own), { outcome: 'approved' }, owner)).status, 200);
  const later = await started([approval({ assignedTo: owner.id })], document.id);
  assert.equal((await version(document.id)).status, 201);
  assert.equal((await complete(await openTask(later), { outcome: 'approved' }, owner)).status, 403);
});

test('a scan uploaded after the signature does not restart approvals', async () => {
  const document = await uploaded();
  const id = await started(
    [approval(), { id: 'sign', type: 'signature', assignedTo: approver.id }, { id: 'file', type: 'task', assignedTo: approver.id }],
    document.id,
  );
  await complete(await openTask(id), { outcome: 'approved' });
  await post(`/api/v1/tasks/${(await openTask(id)).id}/signature`, { outcome: 'signed_elsewhere' }, approver);
  await version(document.id);
  assert.equal(statuses(await read(id)), 'completed,completed,active');
  const file = await openTask(id);
  assert.equal(
    (await complete(file, { documentVersion: 2 })).body.documentVersion,
    2,
    'a filing task may be completed on the newer version',
  );
});

test('with concurrent approvals and new versions, an approval is always of the version that it names', async () => {
  for (let round = 0; round < 8; round += 1) {
    const document = await uploaded();
    const id = await started([approval(), { id: 'then', type: 'task', assignedTo: approver.id }], document.id);
    const task = await openTask(id);
    const [decided, added] = await Promise.all([complete(task, { outcome: 'approved' }), version(document.id)]);
    assert.equal(added.status, 201, added.text);
    assert.ok(decided.status === 200 || decided.body.code === 'document_changed', decided.text);
    const open = (await tasksOf(id)).filter(({ status }) => status === 'open');
    assert.deepEqual(
      open.map(({ stepId, documentVersion }) => [stepId, documentVersion]),
      [['approval', 2]],
    );
  }
});

test('the journal has the old and new value of each change', async () => {
  const made = await post(`${path}/`, { name: 'Before', documentId: 'X', steps: [{ id: 'a', type: 'task' }] });
  const { id } = made.body;
  await chancery.call('PUT', `${path}/${id}`, { token: owner.token, body: { name: 'After', assignedTo: approver.id } });
  await chancery.call('PUT', `${path}/${id}`, {
    token: owner.token,
    body: { steps: [{ id: 'b', type: 'review', assignedTo: approver.id }] },
  });
  await post(`${path}/${id}/start`);
  await post(`${path}/${id}/pause`, { reason: 'r' });
  const { rows } = await chancery.pool.query(
    "SELECT type, data->'changes' AS changes FROM audit_entry WHERE target_id = $1 AND data ? 'changes' ORDER BY id",
    [id],
  );
  assert.deepEqual(rows, [
    { type: 'workflow.updated', changes: { name: { from: 'Before', to: 'After' }, assignedTo: { to: approver.id } } },
    {
      type: 'workflow.updated',
      changes: { 'steps/a': { from: { type: 'task', assignees: [] } }, 'steps/b': { to: { type: 'review', assignees: [approver.id] } } },
    },
    { type: 'workflow.started', changes: { status: { from: 'draft', to: 'active' } } },
    { type: 'workflow.paused', changes: { status: { from: 'active', to: 'paused' } } },
  ]);
  assert.deepEqual([(await lastEvent('workflow.paused')).actorId, (await lastEvent('workflow.paused')).actorType], [owner.id, 'user']);
});

test('a template accepts assignees by step', async () => {
  const client = await chancery.client(owner);
  const as = (to: string, body?: unknown) => chancery.call('POST', to, { token: client.token, ...(body === undefined ? {} : { body }) });
  const assignees = {
    review: [approver.id],
    approval: [approver.id.toUpperCase(), approver.id],
    signature: [approver.id],
    file: [owner.id],
  };
  const made = await as(`${path}/templates/contract-review-and-signature`, { documentId: 'X', assignees });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(
    made.body.steps.map((step: any) => step.assignees),
    [[approver.id], [approver.id], [approver.id], [owner.id]],
  );
  assert.equal((await as(`${path}/${made.body.id}/start`)).status, 200);
  const { file: _file, ...some } = assignees;
  const partly = await as(`${path}/templates/contract-review-and-signature`, { documentId: 'X', assignees: some });
  assert.deepEqual((await as(`${path}/${partly.body.id}/start`)).body.code, 'assignee_required');
  const wrong = await as(`${path}/templates/nda-approval`, { documentId: 'X', assignees: { aproval: [owner.id] } });
  const [{ pointer, reason }] = wrong.body.errors;
  assert.deepEqual([wrong.status, pointer, reason], [422, '/assignees/aproval', 'is unknown; did you mean `approval`?']);
});

test('notification steps that begin together send one mail to each person', async () => {
  const [one, two] = [await chancery.user(team), await chancery.user(team)];
  const steps = Array.from({ length: 20 }, (_, at) => ({
    id: `n${at}`,
    type: 'notification',
    name: `Notice ${at}`,
    assignees: at % 2 === 0 ? [one.id, two.id] : [one.id],
  }));
  await started(steps);
  const mails = async ({ email }: User) =>
    (await chancery.pool.query('SELECT text_body FROM mail_message WHERE recipient = $1', [email])).rows.map((row) => row.text_body);
  const [text, ...more] = await mails(one);
  assert.deepEqual([more.length, text.match(/Notice \d+/g).length, (await mails(two)).length], [0, 20, 1]);
});

test('the status of a document follows from its workflows', async () => {
  const state = async (id: string) => (await chancery.call('GET', `${documents}/${id}`, { token: owner.token })).body.status;
  const { id: document } = await uploaded();
  const approve = async () => complete(await openTask(await started([approval()], document)), { outcome: 'approved' });

  const cancelled = await started([approval()], document);
  assert.equal(await state(document), 'in_review');
  await post(`${path}/${cancelled}/cancel`, {});
  assert.equal(await state(document), 'draft', 'the status before the workflow');
  await approve();
  assert.equal(await state(document), 'approved');
  const filed = await started([{ id: 'a', type: 'task', assignedTo: approver.id }], document);
  assert.equal(await state(document), 'in_review');
  await complete(await openTask(filed), undefined);
  assert.equal(await state(document), 'approved', 'a workflow without decisions does not change the status');
  assert.equal((await version(document)).status, 201);
  assert.equal(await state(document), 'draft', 'the newer version is not approved');

  // Of two concurrent workflows the last to end sets the status, by the results of both.
  const beside = await started([{ id: 'a', type: 'task', assignedTo: approver.id }], document);
  await approve();
  assert.equal(await state(document), 'in_review');
  await complete(await openTask(beside), undefined);
  assert.equal(await state(document), 'approved');
  const rejected = await started([approval()], document);
  await complete(await openTask(rejected), { outcome: 'rejected' });
  assert.equal(await state(document), 'draft');

  // The approval of an old version does not approve the document.
  const old = await started([approval({ config: { onNewVersion: 'ignore' } })], document);
  await version(document, 'newer');
  await complete(await openTask(old), { outcome: 'approved' });
  assert.equal(await state(document), 'draft');
  for (const kept of ['signed', 'archived']) {
    await chancery.pool.query('UPDATE document SET status = $2 WHERE id = $1', [document, kept]);
    await approve();
    assert.equal(await state(document), kept);
  }
});
