import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type TestResponse, type Chancery, sharedChancery, type User } from '../../../test/harness.ts';

const path = '/api/v1/workflows';
let chancery: Chancery;
let owner: User;
let member: User;
let other: User;

before(async () => {
  chancery = await sharedChancery();
  const team = await chancery.team();
  owner = team.owner;
  member = await chancery.user(team);
  other = await chancery.user(team);
});

const rounds = Array.from({ length: 12 });
const at50 = Array.from({ length: 50 });
const post = (to: string, body?: unknown, headers: Record<string, string> = {}, by = owner) =>
  chancery.call('POST', to, { token: by.token, headers, ...(body === undefined ? {} : { body }) });
const put = (id: string, body: object, headers: Record<string, string> = {}) =>
  chancery.call('PUT', `${path}/${id}`, { token: owner.token, body, headers });
const read = (id: string) => chancery.call('GET', `${path}/${id}`, { token: owner.token });
const tasksOf = async (id: string): Promise<any[]> =>
  (await chancery.call('GET', `/api/v1/tasks?workflowId=${id}`, { token: owner.token })).body;
const statuses = (answers: TestResponse[]) => answers.map(({ status }) => status).toSorted();

async function draft(steps: object[] = [{ id: 'a', type: 'task' }]): Promise<string> {
  const made = await post(`${path}/`, { name: 'W', documentId: 'DMS-1', steps });
  assert.equal(made.status, 201, made.text);
  return made.body.id;
}
async function started(steps?: object[]): Promise<string> {
  const id = await draft(steps);
  assert.equal((await post(`${path}/${id}/start`)).status, 200);
  return id;
}

/** Checks that an active workflow can continue: a task is open and ready steps have begun. A finished workflow has nothing open. */
async function legal(id: string): Promise<void> {
  const { body } = await read(id);
  const open = (await tasksOf(id)).filter(({ status }) => status === 'open');
  const done = new Set(body.steps.filter(({ status }: any) => ['completed', 'skipped'].includes(status)).map((step: any) => step.id));
  const ready = body.steps.filter((step: any) => step.status === 'pending' && step.dependsOn.every((one: string) => done.has(one)));
  const shown = JSON.stringify([body.status, body.steps.map((step: any) => [step.id, step.status, step.dependsOn]), open.length]);
  if (body.status === 'active') {
    assert.ok(open.length > 0, `the workflow cannot finish: ${shown}`);
    assert.deepEqual(ready, [], `a ready step has not begun: ${shown}`);
    for (const task of open) assert.equal(body.steps.find((step: any) => step.id === task.stepId)?.status, 'active', shown);
  } else {
    assert.deepEqual(open, [], shown);
    if (body.status === 'completed')
      assert.ok(
        body.steps.every((step: any) => step.status === 'completed'),
        shown,
      );
  }
}

test('of 50 concurrent changes with one If-Match exactly one succeeds', async () => {
  for (const _ of rounds.slice(0, 4)) {
    const id = await draft();
    const etag = (await read(id)).headers.get('etag') ?? '';
    const steps = [{ id: 'b', type: 'task', assignedTo: member.id }];
    const answers = await Promise.all(
      at50.map((_one, at) => put(id, { name: `Name ${at}`, dueDate: '2030-01-01', steps }, { 'if-match': etag })),
    );
    assert.deepEqual(statuses(answers), [200, ...Array.from({ length: 49 }, () => 412)]);
  }
});

test('a change of steps during the completion of a task leaves a workflow that can continue', async () => {
  for (const _ of rounds) {
    const id = await started([
      { id: 'a', type: 'task' },
      { id: 'b', type: 'task' },
    ]);
    const [task] = await tasksOf(id);
    const [changed, completed] = await Promise.all([
      put(id, {
        steps: [
          { id: 'a', type: 'task' },
          { id: 'c', type: 'task' },
          { id: 'd', type: 'task' },
        ],
      }),
      post(`/api/v1/tasks/${task.id}/complete`),
    ]);
    assert.equal(completed.status, 200);
    // If the completion is first, `b` has begun and must stay, and the change gets an error.
    assert.ok([200, 422].includes(changed.status), changed.text);
    await legal(id);
  }
});

test('a step added during the completion of the last task is either executed or rejected', async () => {
  for (const _ of rounds) {
    const id = await started();
    const [task] = await tasksOf(id);
    const [changed] = await Promise.all([
      put(id, {
        steps: [
          { id: 'a', type: 'task' },
          { id: 'b', type: 'task' },
        ],
      }),
      post(`/api/v1/tasks/${task.id}/complete`),
    ]);
    const { body } = await read(id);
    assert.deepEqual([changed.status, body.status], changed.status === 200 ? [200, 'active'] : [409, 'completed']);
    await legal(id);
  }
});

test('if steps change during the start, the changed steps begin', async () => {
  for (const _ of rounds) {
    const id = await draft();
    const [changed, begun] = await Promise.all([
      put(id, {
        steps: [
          { id: 'x', type: 'task' },
          { id: 'y', type: 'task', dependsOn: [] },
        ],
      }),
      post(`${path}/${id}/start`),
    ]);
    assert.equal(begun.status, 200);
    assert.ok([200, 422].includes(changed.status), changed.text);
    await legal(id);
  }
});

test('a change that makes a step ready begins it', async () => {
  const id = await started();
  const { body } = await put(id, {
    steps: [
      { id: 'a', type: 'task' },
      { id: 'b', type: 'task', dependsOn: [] },
    ],
  });
  assert.deepEqual(
    body.steps.map(({ status }: any) => status),
    ['active', 'active'],
  );
  assert.equal((await tasksOf(id)).length, 2);
});

test('steps added to a paused workflow begin when it resumes', async () => {
  const id = await started();
  await post(`${path}/${id}/pause`, {});
  const steps = [
    { id: 'a', type: 'task' },
    { id: 'b', type: 'task', dependsOn: [] },
  ];
  assert.equal((await put(id, { steps })).body.steps[1].status, 'pending');
  await post(`${path}/${id}/resume`);
  await legal(id);
});

test('a completion or second reassignment based on an old state of the task is rejected', async () => {
  for (const _ of rounds) {
    const made = await post('/api/v1/tasks', { title: 'T', assignedTo: owner.id });
    const headers = { 'if-match': made.headers.get('etag') ?? '' };
    const at = `/api/v1/tasks/${made.body.id}`;
    const answers = await Promise.all([
      post(`${at}/reassign`, { userId: member.id }, headers),
      post(`${at}/complete`, { outcome: 'completed' }, headers),
      post(`${at}/reassign`, { userId: other.id }, headers),
    ]);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(({ text }) => text).join());
  }
});

test('a member who leaves while workflows are created and started keeps no task and no step', async () => {
  for (const _ of rounds.slice(0, 6)) {
    const leaver = await chancery.user(owner.team);
    const steps = [{ id: 'a', type: 'task', assignedTo: leaver.id }];
    const ids = await Promise.all([draft(steps), draft(steps), draft(steps)]);
    const [removed] = await Promise.all([
      chancery.call('DELETE', `/api/v1/team/members/${leaver.id}`, { token: owner.token }),
      ...ids.map((id) => post(`${path}/${id}/start`)),
      post(`${path}/`, { name: 'Late', documentId: 'X', steps }),
      post('/api/v1/tasks', { title: 'Late', assignedTo: leaver.id }),
    ]);
    assert.equal(removed?.status, 204, removed?.text);
    const { rows } = await chancery.pool.query(
      `SELECT 'task' AS what FROM task WHERE assigned_to = $1 AND status = 'open'
       UNION ALL SELECT 'step' FROM workflow_step WHERE $1 = ANY (assignees)`,
      [leaver.id],
    );
    assert.deepEqual(rows, []);
  }
});

test('a step restarted by a rejection goes to the successor of a removed member', async () => {
  const leaver = await chancery.user(owner.team);
  const id = await started([
    { id: 'a', type: 'task', assignedTo: leaver.id },
    { id: 'b', type: 'review', config: { onReject: 'a' } },
  ]);
  const [first] = await tasksOf(id);
  assert.equal((await post(`/api/v1/tasks/${first.id}/complete`, { outcome: 'completed' }, {}, leaver)).status, 200);
  await chancery.call('DELETE', `/api/v1/team/members/${leaver.id}`, { token: owner.token });
  const review = (await tasksOf(id)).find(({ status }) => status === 'open');
  assert.equal((await post(`/api/v1/tasks/${review.id}/complete`, { outcome: 'rejected' })).status, 200);
  assert.equal((await tasksOf(id)).find(({ status }) => status === 'open').assignedTo, owner.id);
});

test('with a concurrent completion and pause, the task is completed before the pause or stays open', async () => {
  for (const _ of rounds) {
    const id = await started([
      { id: 'a', type: 'task' },
      { id: 'b', type: 'task' },
    ]);
    const [task] = await tasksOf(id);
    const [done, paused] = await Promise.all([post(`/api/v1/tasks/${task.id}/complete`), post(`${path}/${id}/pause`, {})]);
    assert.equal(paused.status, 200, paused.text);
    assert.ok(done.status === 200 || done.body.code === 'workflow_paused', done.text);
    const { body } = await read(id);
    const began = done.status === 200 ? ['completed', 'active'] : ['active', 'pending'];
    assert.deepEqual([body.status, ...body.steps.map(({ status }: any) => status)], ['paused', ...began]);
    assert.equal((await post(`${path}/${id}/resume`)).status, 200);
    await legal(id);
    const open = (await tasksOf(id)).filter(({ status }) => status === 'open');
    assert.deepEqual(
      open.map(({ stepId }) => stepId),
      [done.status === 200 ? 'b' : 'a'],
    );
  }
});

test('of a concurrent cancellation and last completion one ends the workflow, and nothing stays open', async () => {
  for (const _ of rounds) {
    const id = await started();
    const [task] = await tasksOf(id);
    const [done, cancelled] = await Promise.all([post(`/api/v1/tasks/${task.id}/complete`), post(`${path}/${id}/cancel`, {})]);
    assert.deepEqual(statuses([done, cancelled]), [200, 409], `${done.text} ${cancelled.text}`);
    assert.equal((await read(id)).body.status, done.status === 200 ? 'completed' : 'cancelled');
    await legal(id);
  }
});

test('a template change during the creation of workflows gives each the old or the new steps, and changes no existing workflow', async () => {
  const templates = `${path}/templates`;
  const steps = (name: string) => ['a', 'b'].map((id) => ({ id, type: 'task', name: `${name} ${id}` }));
  assert.equal((await post(templates, { name: 'changing', description: 'D', steps: steps('Before') })).status, 201);
  const running = await post(`${templates}/changing`, { documentId: 'DMS-1' });
  assert.equal((await post(`${path}/${running.body.id}/start`)).status, 200);
  const [changed, ...made] = await Promise.all([
    chancery.call('PUT', `${templates}/changing`, { token: owner.token, body: { steps: steps('After') } }),
    ...at50.map(() => post(`${templates}/changing`, { documentId: 'DMS-1' })),
  ]);
  assert.equal(changed?.status, 200, changed?.text);
  const named = (answer: TestResponse) => answer.body.steps.map(({ name }: any) => name).join();
  for (const one of made) assert.ok(['Before a,Before b', 'After a,After b'].includes(named(one)), one.text);
  const [first] = await tasksOf(running.body.id);
  assert.equal((await post(`/api/v1/tasks/${first.id}/complete`)).status, 200);
  assert.equal(named(await read(running.body.id)), 'Before a,Before b');
  assert.ok((await tasksOf(running.body.id)).some(({ title, status }) => title === 'Before b' && status === 'open'));
});
