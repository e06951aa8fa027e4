import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';

const path = '/api/v1/workflows';
let chancery: Chancery;
let team: TestTeam;
let [creator, counsel, stranger]: User[] = [];

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  [creator, counsel, stranger] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
});

const call = (by: User | undefined, method: string, to: string, body?: unknown) =>
  chancery.call(method, to, { token: by?.token ?? '', ...(body === undefined ? {} : { body }) });

async function made(by: User | undefined, to: string, body?: unknown): Promise<any> {
  const answer = await call(by, 'POST', to, body);
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}

async function begun(): Promise<{ id: string; task: string }> {
  const { id } = await made(creator, `${path}/`, {
    name: 'W',
    documentId: 'DMS-1',
    steps: [{ id: 'judge', type: 'review', assignees: [counsel?.id] }],
  });
  const { steps } = await made(creator, `${path}/${id}/start`);
  return { id, task: steps[0].taskIds[0] };
}

test('users who see a workflow can read its actions and actors in order, page by page', async () => {
  const { id, task } = await begun();
  const other = await begun();
  await made(creator, `${path}/${id}/pause`, { reason: 'Waiting for counsel' });
  await made(creator, `${path}/${id}/resume`);
  await made(counsel, `${path}/${id}/comments`, { text: 'Clause 4 is wide.', stepId: 'judge' });
  await made(counsel, `/api/v1/tasks/${task}/comments`, { text: 'A word about my own task' });
  await made(team.owner, `/api/v1/tasks/${task}/reassign`, { userId: stranger?.id, reason: 'On leave' });
  await made(stranger, `/api/v1/tasks/${task}/complete`, { outcome: 'approved', comment: 'Good' });

  const whole = await call(creator, 'GET', `${path}/${id}/history`);
  assert.equal(whole.status, 200, whole.text);
  const entries = whole.body.toReversed().map(({ type, actorId }: any) => [type, actorId]);
  assert.deepEqual(entries.map(([type]: [string]) => type).toSorted(), [
    'task.assigned',
    'task.commented',
    'task.completed',
    'task.created',
    'workflow.commented',
    'workflow.completed',
    'workflow.created',
    'workflow.paused',
    'workflow.resumed',
    'workflow.started',
    'workflow.step.activated',
    'workflow.step.completed',
  ]);
  const acts = entries.map(([type]: [string]) => type).filter((type: string) => /created|paused|resumed|commented|assigned/.test(type));
  assert.deepEqual(acts, [
    'workflow.created',
    'task.created',
    'workflow.paused',
    'workflow.resumed',
    'workflow.commented',
    'task.commented',
    'task.assigned',
  ]);
  const one = (type: string) => whole.body.find((entry: any) => entry.type === type);
  const { id: _id, at: _at, ...ended } = one('task.completed');
  assert.deepEqual(ended, {
    type: 'task.completed',
    actorType: 'user',
    actorId: stranger?.id,
    stepId: 'judge',
    taskId: task,
    status: { from: 'open', to: 'completed' },
    outcome: 'approved',
    assignedTo: stranger?.id,
    completedBy: stranger?.id,
    completedByType: 'user',
    onBehalfOf: counsel?.id,
  });
  assert.deepEqual(
    [one('workflow.paused').reason, one('workflow.commented').text, one('workflow.commented').stepId],
    ['Waiting for counsel', 'Clause 4 is wide.', 'judge'],
  );
  assert.ok(!/my own task|Good|On leave/.test(whole.text), 'comments on a task stay with the task');
  assert.ok(!whole.text.includes(other.id) && !whole.text.includes(other.task), 'no entry of another workflow');

  const paged: unknown[] = [];
  for (let next: string | undefined = `${path}/${id}/history?limit=5`; next !== undefined;) {
    const page = await call(creator, 'GET', next);
    assert.ok(page.body.length <= 5);
    paged.push(...page.body);
    next = /<[^>]*?(\/api[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  assert.deepEqual(paged, whole.body);
});

test('users who see a workflow can read its comments; an unknown step is rejected; comments are deleted with the workflow', async () => {
  const { id } = await begun();
  assert.equal((await call(stranger, 'POST', `${path}/${id}/comments`, { text: 'Hidden' })).status, 404);
  const refused = await call(counsel, 'POST', `${path}/${id}/comments`, { text: 'T', stepId: 'other' });
  assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/stepId']);
  await made(counsel, `${path}/${id}/comments`, { text: 'On the step', stepId: 'judge' });
  const said = await made(creator, `${path}/${id}/comments`, { text: 'On the whole' });
  const listed = await call(counsel, 'GET', `${path}/${id}/comments`);
  assert.deepEqual(
    listed.body.map(({ text, stepId, createdBy }: any) => [text, stepId, createdBy]),
    [
      ['On the step', 'judge', counsel?.id],
      ['On the whole', undefined, creator?.id],
    ],
  );
  assert.deepEqual(listed.body[1], said);
  await made(creator, `${path}/${id}/cancel`, {});
  assert.equal((await call(creator, 'DELETE', `${path}/${id}`)).status, 200);
  const { rows } = await chancery.pool.query('SELECT FROM workflow_comment WHERE workflow_id = $1', [id]);
  assert.equal(rows.length, 0);
});

test('a comment during the deletion of its workflow is stored before it, or rejected', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await made(creator, `${path}/`, { name: 'W', documentId: 'DMS-1', steps: [{ id: 'a', type: 'task' }] });
    const [gone, ...said] = await Promise.all([
      call(creator, 'DELETE', `${path}/${id}`),
      ...[1, 2, 3, 4].map(() => call(creator, 'POST', `${path}/${id}/comments`, { text: 'T' })),
    ]);
    assert.equal(gone?.status, 200, gone?.text);
    assert.ok(
      said.every(({ status }) => status === 201 || status === 404),
      said.map(({ text }) => text).join(),
    );
  }
});
