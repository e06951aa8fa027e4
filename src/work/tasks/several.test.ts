import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';

let chancery: Chancery;
let team: TestTeam;
let owner: User;
let assignee: User;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
  assignee = await chancery.user(team);
});

const path = '/api/v1/tasks';
const call = (by: User, method: string, at: string, body?: unknown, headers: Record<string, string> = {}) =>
  chancery.call(method, at, { token: by.token, headers, ...(body === undefined ? {} : { body }) });
const task = async (assignedTo: string, by = owner): Promise<string> => {
  const answer = await call(by, 'POST', `${path}/`, { title: `Task ${randomUUIDv7()}`, assignedTo });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.id;
};
const tasks = (count: number, assignedTo = assignee.id) => Promise.all(Array.from({ length: count }, () => task(assignedTo)));

/** A task of a step with several tasks. */
async function stepTasks(type: string, count: number): Promise<string[]> {
  const assignees = [assignee.id, ...(await Promise.all(Array.from({ length: count - 1 }, () => chancery.user(team)))).map(({ id }) => id)];
  const steps = [{ id: 'a', type, mode: 'all', assignees }];
  const { body } = await call(owner, 'POST', '/api/v1/workflows/', { name: 'Many', documentId: 'DMS-1', steps });
  const started = await call(owner, 'POST', `/api/v1/workflows/${body.id}/start`);
  assert.equal(started.status, 200, started.text);
  return started.body.steps[0].taskIds;
}

const outcomes = ({ body }: { body: any }) =>
  body.results.map(({ status, task: shown, problem }: any) => `${status} ${shown?.status ?? problem?.code}`);
const entries = async (target: string) =>
  (await call(owner, 'GET', `/api/v1/security/audit?targetId=${target}`)).body.events.map(({ type }: any) => type);

test('each task is completed by its own rules: a failed one does not affect the others, and each completed one is in the journal', async () => {
  const [done, others, approval, again] = [
    await task(assignee.id),
    await task(owner.id),
    (await stepTasks('approval', 2))[0] ?? '',
    await task(assignee.id),
  ];
  const hidden = await task(owner.id);
  await call(assignee, 'POST', `${path}/${again}/complete`, {});
  const stranger = await chancery.user(team);
  const answer = await call(assignee, 'POST', `${path}/complete`, {
    items: [
      { id: done, comment: 'Read twice' },
      { id: hidden },
      { id: approval },
      { id: again },
      { id: randomUUIDv7() },
      { id: done.toUpperCase().replace(/.$/, (last) => (last === '0' ? '1' : '0')) },
    ],
  });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(outcomes(answer), [
    '200 completed',
    '404 not_found',
    '422 outcome_invalid',
    '409 task_not_open',
    '404 not_found',
    '404 not_found',
  ]);
  const [first, second] = answer.body.results;
  assert.deepEqual(first.task, (await call(assignee, 'GET', `${path}/${done}`)).body);
  assert.equal(first.task.comment, 'Read twice');
  assert.equal(second.problem.instance, `${path}/${hidden}/complete`);
  assert.equal(second.problem.request_id, answer.headers.get('x-request-id'));
  assert.deepEqual(await entries(done), ['task.completed', 'task.created']);
  for (const untouched of [hidden, others, approval]) assert.ok(!(await entries(untouched)).includes('task.completed'));
  // Other users who see the task are rejected, as in the operation for one task.
  assert.deepEqual(outcomes(await call(owner, 'POST', `${path}/complete`, { items: [{ id: approval, outcome: 'approved' }] })), [
    '403 forbidden',
  ]);
  assert.deepEqual(outcomes(await call(stranger, 'POST', `${path}/complete`, { items: [{ id: approval, outcome: 'approved' }] })), [
    '404 not_found',
  ]);
  assert.deepEqual(outcomes(await call(assignee, 'POST', `${path}/complete`, { items: [{ id: approval, outcome: 'approved' }] })), [
    '200 completed',
  ]);
});

test('several tasks are reassigned to several people, each by its own rules', async () => {
  const [one, two, approval] = [await task(assignee.id), await task(assignee.id), (await stepTasks('approval', 2))[0] ?? ''];
  const viewer = await chancery.user(team, { role: 'viewer' });
  const next = await chancery.user(team);
  const answer = await call(owner, 'POST', `${path}/reassign`, {
    items: [
      { id: one, userId: next.id, reason: 'On leave' },
      { id: two, userId: randomUUIDv7() },
      { id: approval, userId: viewer.id },
    ],
  });
  assert.deepEqual(outcomes(answer), ['200 open', '422 assignee_not_found', '422 assignee_is_viewer']);
  assert.equal(answer.body.results[0].task.assignedTo, next.id);
  assert.equal((await call(owner, 'GET', `${path}/${two}`)).body.assignedTo, assignee.id);
  assert.deepEqual(await entries(one), ['task.assigned', 'task.created']);
});

test('a request accepts at most 100 tasks, no duplicates and no malformed identifiers', async () => {
  const id = await task(assignee.id);
  const refused = async (items: unknown) => {
    const { status, body } = await call(assignee, 'POST', `${path}/complete`, { items });
    return [status, body.errors?.[0]?.pointer];
  };
  assert.deepEqual(await refused([]), [400, '/items']);
  assert.deepEqual(await refused(Array.from({ length: 101 }, () => ({ id: randomUUIDv7() }))), [400, '/items']);
  assert.deepEqual(await refused([{ id }, { id: id.toUpperCase() }]), [400, '/items/1/id']);
  assert.deepEqual(await refused([{ id: 'x\0' }]), [400, '/items/0/id']);
  assert.deepEqual(await refused([{ id, outcom: 'completed' }]), [400, '/items/0/outcom']);
  assert.equal((await call(assignee, 'GET', `${path}/${id}`)).body.status, 'open');
  const all = await tasks(100);
  const answer = await call(assignee, 'POST', `${path}/complete`, { items: all.map((one) => ({ id: one })) });
  assert.deepEqual(new Set(outcomes(answer)), new Set(['200 completed']));
});

test('a repetition with the same key returns completed tasks again, retries failed ones, and does nothing twice', async () => {
  const [done, approval] = [await task(assignee.id), (await stepTasks('approval', 2))[0] ?? ''];
  const key = { 'idempotency-key': randomUUIDv7() };
  const items = [{ id: done }, { id: approval, outcome: 'approved', documentVersion: 7 }];
  const send = (body: unknown = { items }) => call(assignee, 'POST', `${path}/complete`, body, key);
  const first = await send();
  assert.deepEqual(outcomes(first), ['200 completed', '409 document_changed']);
  const second = await send();
  assert.deepEqual(outcomes(second), ['200 completed', '409 document_changed']);
  assert.deepEqual(second.body.results[0], first.body.results[0]);
  assert.equal(second.headers.get('idempotency-replayed'), null, 'one of the tasks was retried');
  const other = await send({ items: [{ id: done }, { id: approval, outcome: 'approved' }] });
  assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
  assert.deepEqual(await entries(done), ['task.completed', 'task.created']);
  // The same key in the operation for one task is another request.
  assert.equal(
    (await call(assignee, 'POST', `${path}/${approval}/complete`, { outcome: 'approved' }, key)).body.code,
    'idempotency_key_reused',
  );
});

test('50 concurrent requests with one key complete each task once and get the same response', async () => {
  const ids = await tasks(5);
  const key = { 'idempotency-key': randomUUIDv7() };
  const send = () => call(assignee, 'POST', `${path}/complete`, { items: ids.map((id) => ({ id })) }, key);
  const answers = await Promise.all(Array.from({ length: 50 }, send));
  for (const { status, text } of answers) assert.ok(status === 200 || status === 409, text);
  const last = await send();
  assert.equal(last.headers.get('idempotency-replayed'), 'true');
  for (const { status, text } of answers) if (status === 200) assert.equal(text, last.text);
  for (const id of ids) assert.deepEqual(await entries(id), ['task.completed', 'task.created']);
});

test('concurrent requests with the same tasks in different orders cause no deadlock and complete each task once', async () => {
  const ids = [...(await stepTasks('task', 3)), ...(await stepTasks('task', 3)), ...(await tasks(4))];
  const next = await Promise.all(Array.from({ length: 4 }, () => chancery.user(team)));
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => {
      const order = ids.toSorted(
        (a, b) => (a.codePointAt(n % 36) ?? 0) * (n % 2 === 0 ? 1 : -1) - (b.codePointAt(n % 36) ?? 0) * (n % 2 === 0 ? 1 : -1),
      );
      return call(owner, 'POST', `${path}/reassign`, { items: order.map((id) => ({ id, userId: next[n % 4]?.id })) });
    }),
  );
  for (const answer of answers) {
    assert.equal(answer.status, 200, answer.text);
    for (const outcome of outcomes(answer)) assert.equal(outcome, '200 open', answer.text);
  }
});
