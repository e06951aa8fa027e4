import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Asker, asking } from '../../../test/asking.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { mailsTo } from '../../../test/people.ts';
import { runTimers } from '../../../test/timers.ts';

/* Barriers around the documents of tasks and workflows hide both from excluded people. */

const path = '/api/v1/workflows';
const tasks = '/api/v1/tasks';
const folders = '/api/v1/smartdoc/folders';
const dayMs = 86_400_000;
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let creator: User;
let inside: User;
let outside: User;
let admin: User;

before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off' } });
  team = await chancery.team();
  owner = team.owner;
  [creator, inside, outside] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  admin = await chancery.user(team, { role: 'admin' });
});
after(() => chancery.stop());

const { call, made, documentOf } = asking(() => chancery);

/** Creates a document of the owner that the creator may add to workflows. `barrier` sets a barrier with `within` and the owner inside. */
async function room(...within: User[]) {
  const { id, folder } = await documentOf(owner);
  for (const user of [creator, inside]) await made(owner, 'POST', `${folders}/${folder}/shares`, { userId: user.id, access: 'write' });
  const barrier = (...more: User[]) =>
    made(owner, 'PUT', `${folders}/${folder}/barrier`, { userIds: [...within, ...more].map((one) => one.id) });
  return { id, folder, barrier };
}
const step = (id: string, assignee: User, more: object = {}) => ({
  id,
  name: `Nightingale ${id}`,
  type: 'task',
  assignees: [assignee.id],
  ...more,
});
const draft = (by: Asker, documentId: string, steps: object[], more: object = {}) =>
  made(by, 'POST', `${path}/`, { name: 'Nightingale', documentId, steps, ...more });
async function started(by: Asker, documentId: string, steps: object[]): Promise<string> {
  const flow = await draft(by, documentId, steps);
  await made(by, 'POST', `${path}/${flow.id}/start`);
  return flow.id;
}
const openTasks = (flow: string): Promise<any[]> => made(owner, 'GET', `${tasks}?workflowId=${flow}&status=open`);
const give = (by: Asker, documentId: string, to?: User, more: object = {}) =>
  made(by, 'POST', `${tasks}/`, { title: 'Nightingale task', documentId, ...(to ? { assignedTo: to.id } : {}), ...more });
/** Gives an administrator emergency access to a folder. */
async function emergency(folder: string, to: User): Promise<void> {
  const requests = `/api/v1/barriers/${folder}/emergency-access`;
  const accessRequest = await made(to, 'POST', requests, { reason: 'An audit' });
  await made(owner, 'POST', `${requests}/${accessRequest.id}/approve`);
}
const mailsAbout = async ({ email }: User) => (await mailsTo(chancery, email)).filter((mail) => /Nightingale/.test(JSON.stringify(mail)));

test('every operation on a task or workflow behind a barrier is 404 for excluded people and programs, and no list has it', async () => {
  const { id, barrier } = await room(inside);
  const given = await give(creator, id, outside);
  const flow = await started(creator, id, [step('first', inside)]);
  const [ofFlow] = await openTasks(flow);
  const client = await chancery.client(owner, ['tasks:read', 'tasks:write', 'workflows:read', 'workflows:write']);
  await barrier();
  for (const by of [creator, outside, admin, client]) {
    for (const task of [given.id, ofFlow.id])
      for (const [method, to, body] of [
        ['GET', '', undefined],
        ['GET', '/comments', undefined],
        ['POST', '/comments', { text: 'Hm' }],
        ['POST', '/complete', {}],
        ['POST', '/reassign', { userId: inside.id }],
      ] as const)
        assert.equal((await call(by, method, `${tasks}/${task}${to}`, body)).status, 404, `${method} task${to}`);
    for (const [method, to, body] of [
      ['GET', '', undefined],
      ['GET', '/access', undefined],
      ['GET', '/history', undefined],
      ['GET', '/comments', undefined],
      ['GET', '/diagram.svg', undefined],
      ['POST', '/comments', { text: 'Hm' }],
      ['PUT', '', { name: 'Mine' }],
      ['POST', '/pause', {}],
      ['POST', '/cancel', {}],
      ['DELETE', '', undefined],
    ] as const)
      assert.equal((await call(by, method, `${path}/${flow}${to}`, body)).status, 404, `${method} workflow${to}`);
    for (const list of [
      tasks,
      `${tasks}?workflowId=${flow}`,
      `${tasks}?documentId=${id}&sort=-updatedAt`,
      path,
      `${path}/document/${id}`,
      `${path}/active`,
    ]) {
      const { text } = await call(by, 'GET', list);
      assert.ok(![given.id, ofFlow.id, flow].some((one) => text.includes(one)), list);
    }
  }
  const { grants } = await made(inside, 'GET', `${path}/${flow}/access`);
  assert.ok(grants.every(({ userId }: { userId: string }) => [owner.id, inside.id].includes(userId)));
});

test('a task stays behind the barrier when its workflow is deleted', async () => {
  const { id, barrier } = await room(inside);
  const flow = await started(owner, id, [step('first', inside)]);
  await barrier();
  const [task] = await openTasks(flow);
  await made(inside, 'POST', `${tasks}/${task.id}/complete`, {});
  await made(owner, 'DELETE', `${path}/${flow}`);
  assert.equal((await call(admin, 'GET', `${tasks}/${task.id}`)).status, 404);
  assert.equal((await made(inside, 'GET', `${tasks}/${task.id}`)).title, 'Nightingale first');
});

test('emergency access allows reading tasks and workflows, also own ones, but no changes', async () => {
  const reader = await chancery.user(team, { role: 'admin' });
  const { id, folder, barrier } = await room(inside);
  const own = await draft(reader, id, [step('first', inside)]);
  const flow = await started(creator, id, [step('first', inside)]);
  const [task, anybodys] = [await give(reader, id, inside), await give(reader, id)];
  await barrier();
  await emergency(folder, reader);
  for (const one of [
    `${path}/${own.id}`,
    `${path}/${flow}`,
    `${path}/${flow}/history`,
    `${tasks}/${task.id}`,
    `${tasks}/${task.id}/comments`,
  ])
    assert.equal((await call(reader, 'GET', one)).status, 200, one);
  assert.ok((await made(reader, 'GET', `${tasks}?documentId=${id}`)).some((one: any) => one.id === task.id));
  for (const [method, to, body] of [
    ['PUT', `${path}/${own.id}`, { name: 'Skylark' }],
    ['POST', `${path}/${own.id}/start`, undefined],
    ['DELETE', `${path}/${own.id}`, undefined],
    ['POST', `${path}/${flow}/pause`, {}],
    ['POST', `${path}/${flow}/comments`, { text: 'Hm' }],
    ['POST', `${tasks}/${task.id}/comments`, { text: 'Hm' }],
    ['POST', `${tasks}/${task.id}/reassign`, { userId: owner.id }],
    ['POST', `${tasks}/${anybodys.id}/complete`, {}],
  ] as const) {
    const { status, body: problem } = await call(reader, method, to, body);
    assert.deepEqual([status, problem.code], [403, 'forbidden'], `${method} ${to}`);
  }
  assert.equal((await call(inside, 'POST', `${tasks}/${task.id}/reassign`, { userId: reader.id })).body.code, 'outside_barrier');
});

test('a new barrier unassigns open tasks of excluded assignees, ends their access, and mails the person who set it', async () => {
  const { id, barrier } = await room(inside);
  const [plain, kept] = [await give(owner, id, outside), await give(owner, id, inside)];
  const flow = await started(owner, id, [step('first', outside, { type: 'approval' })]);
  const [approval] = await openTasks(flow);
  assert.equal((await call(outside, 'GET', `/api/v1/smartdoc/documents/${id}`)).status, 200);
  await barrier();
  for (const task of [plain, approval]) {
    const now = await call(owner, 'GET', `${tasks}/${task.id}`);
    assert.deepEqual([now.body.assignedTo, now.headers.get('etag')?.slice(0, 3)], [undefined, '"2-']);
    const { rows } = await chancery.pool.query("SELECT data FROM audit_entry WHERE type = 'task.unassigned' AND target_id = $1", [task.id]);
    assert.deepEqual(
      rows.map(({ data }: any) => data.assignedFrom),
      [outside.id],
    );
  }
  assert.equal((await made(owner, 'GET', `${tasks}/${kept.id}`)).assignedTo, inside.id);
  assert.equal((await chancery.pool.query('SELECT FROM access_grant WHERE source_id = ANY ($1)', [[plain.id, approval.id]])).rowCount, 0);
  const mail = (await mailsTo(chancery, owner.email)).find(({ subject }) => /2 tasks behind your barrier have no assignee/.test(subject));
  for (const task of [plain, approval]) assert.ok(mail?.text.includes(`/app/tasks/${task.id}`));
  assert.ok(!JSON.stringify(await mailsTo(chancery, admin.email)).includes('Nightingale'));
});

test('a person who is removed from a barrier loses their tasks, and an excluded approver cannot decide', async () => {
  const { id, barrier } = await room(inside);
  await barrier(outside);
  const flow = await started(owner, id, [step('first', outside, { type: 'approval' })]);
  const [task] = await openTasks(flow);
  await barrier();
  assert.equal((await call(outside, 'POST', `${tasks}/${task.id}/complete`, { outcome: 'approved' })).status, 404);
  assert.equal((await openTasks(flow))[0].assignedTo, undefined);
  await made(owner, 'POST', `${tasks}/${task.id}/reassign`, { userId: inside.id });
  await made(inside, 'POST', `${tasks}/${task.id}/complete`, { outcome: 'approved' });
});

test('the assignment of an excluded person is 422 with their name: in a task, a reassignment and a workflow', async () => {
  const { id, barrier } = await room(inside);
  const early = await draft(owner, id, [step('first', outside)]);
  await barrier();
  const task = await give(owner, id, inside);
  const flow = await draft(owner, id, [step('first', inside)]);
  const { rows } = await chancery.pool.query("SELECT first_name || ' ' || last_name AS name FROM account WHERE id = $1", [outside.id]);
  const escalating = step('first', inside, { dueInDays: 1, config: { escalate: [{ afterDays: 1, to: outside.id }] } });
  for (const [method, to, body] of [
    ['POST', `${tasks}/`, { title: 'T', documentId: id, assignedTo: outside.id }],
    ['POST', `${tasks}/${task.id}/reassign`, { userId: outside.id }],
    ['POST', `${path}/`, { name: 'W', documentId: id, steps: [step('first', outside)] }],
    ['POST', `${path}/`, { name: 'W', documentId: id, steps: [step('first', inside)], assignedTo: outside.id }],
    ['POST', `${path}/`, { name: 'W', documentId: id, steps: [escalating] }],
    ['PUT', `${path}/${flow.id}`, { steps: [step('first', outside)] }],
    ['PUT', `${path}/${flow.id}`, { assignedTo: outside.id }],
    ['POST', `${path}/${early.id}/start`, undefined],
  ] as const) {
    const { status, body: problem } = await call(owner, method, to, body);
    assert.deepEqual([status, problem.code], [422, 'outside_barrier'], `${method} ${to}`);
    assert.ok(problem.detail.includes(rows[0].name), problem.detail);
  }
  await made(owner, 'PUT', `${path}/${early.id}`, { name: 'Only the name' });
});

test('a step with excluded assignees creates a task without an assignee', async () => {
  const { id, barrier } = await room(inside, admin);
  const steps = [
    step('first', inside),
    step('second', outside, { dependsOn: ['first'] }),
    { ...step('third', outside), assignees: [], dependsOn: ['first'] },
  ];
  const flow = await started(creator, id, steps);
  await barrier();
  const [first] = await openTasks(flow);
  await made(inside, 'POST', `${tasks}/${first.id}/complete`, {});
  const open = Object.fromEntries((await openTasks(flow)).map(({ stepId, assignedTo }) => [stepId, assignedTo]));
  assert.deepEqual(open, { second: undefined, third: owner.id }, 'the barrier includes the owner of the team but not the creator');
  assert.match((await mailsAbout(admin)).map(({ subject }) => subject).join(), /Tasks have no assignee/);
});

test('no mail about a task or workflow goes to an excluded person', async () => {
  const [assigner, recipient] = [await chancery.user(team), await chancery.user(team)];
  const admins = [await chancery.user(team, { role: 'admin' }), await chancery.user(team, { role: 'admin' })];
  // The excluded person is the first with the role.
  const [above, last] = admins.toSorted((one, other) => (one.id < other.id ? -1 : 1)) as [User, User];
  const { id, folder, barrier } = await room(inside, last);
  await made(owner, 'POST', `${folders}/${folder}/shares`, { userId: assigner.id, access: 'write' });
  const upwards = (to: string, reassign: boolean) => ({
    dueInDays: 1,
    config: { escalate: [{ afterDays: 1, to, reassign }] },
    dependsOn: ['first'],
  });
  await give(assigner, id, inside, { dueDate: '2026-01-01T00:00:00Z' });
  const flow = await started(owner, id, [
    step('first', inside),
    { id: 'tell', name: 'Nightingale tell', type: 'notification', assignees: [recipient.id, inside.id], dependsOn: ['first'] },
    step('person', inside, upwards(recipient.id, true)),
    step('role', inside, upwards('role:admin', true)),
    step('tell-role', inside, upwards('role:admin', false)),
  ]);
  await barrier();
  const first = (await openTasks(flow)).find(({ stepId }) => stepId === 'first');
  await made(inside, 'POST', `${tasks}/${first.id}/complete`, {});
  for (const days of [0, 3, 8]) assert.deepEqual(await runTimers(chancery, new Date(Date.now() + days * dayMs)), []);
  assert.deepEqual(Object.fromEntries((await openTasks(flow)).map(({ stepId, assignedTo }) => [stepId, assignedTo])), {
    person: inside.id,
    role: last.id,
    'tell-role': inside.id,
  });
  for (const who of [assigner, recipient, above]) assert.deepEqual(await mailsAbout(who), []);
  for (const who of [inside, last]) assert.notDeepEqual(await mailsAbout(who), []);
});
