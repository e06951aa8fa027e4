import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';

const path = '/api/v1/tasks';
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

const call = (by: User, method: string, at: string, body?: unknown, headers: Record<string, string> = {}) =>
  chancery.call(method, `${path}${at}`, { token: by.token, headers, ...(body === undefined ? {} : { body }) });
const task = async (members: Record<string, unknown> = {}) => {
  const answer = await call(owner, 'POST', '/', { title: 'Look', assignedTo: assignee.id, ...members });
  assert.equal(answer.status, 201, answer.text);
  return answer;
};
const entriesOf = async (id: string) => {
  const { rows } = await chancery.pool.query('SELECT type, data FROM audit_entry WHERE target_id = $1 ORDER BY id', [id]);
  return rows as { type: string; data: any }[];
};

test('only assignee and creator can read a new task at its Location', async () => {
  const { body, headers } = await task({ title: '  Read the NDA ', description: 'Both copies', dueDate: '2031-05-01T12:00:00+02:00' });
  assert.deepEqual(
    [body.title, body.description, body.type, body.status, body.outcomes, body.createdBy, body.dueDate],
    ['Read the NDA', 'Both copies', 'task', 'open', ['completed'], owner.id, '2031-05-01T10:00:00.000Z'],
  );
  assert.equal(headers.get('location'), `${path}/${body.id}`);
  const read = await call(assignee, 'GET', `/${body.id}`);
  assert.deepEqual([read.body, read.headers.get('etag')], [body, headers.get('etag')]);
  assert.equal((await call(await chancery.user(team), 'GET', `/${body.id}`)).status, 404);
  assert.deepEqual(
    (await entriesOf(body.id)).map(({ type, data }) => [type, data.assignedTo]),
    [['task.created', assignee.id]],
  );
});

test('each filter returns exactly the matching tasks', async () => {
  const { owner: assigner } = await chancery.team();
  const helper = await chancery.user(assigner.team);
  const give = async (members: Record<string, unknown>) =>
    (await call(assigner, 'POST', '/', { title: 'Filtered', ...members })).body as { id: string; updatedAt: string };
  const mine = await give({ assignedTo: assigner.id, documentId: 'DMS-1' });
  const late = await give({ assignedTo: helper.id, dueDate: '2020-01-01T00:00:00Z' });
  const done = await give({ assignedTo: helper.id });
  const given = (await call(helper, 'POST', '/', { title: 'Filtered', assignedTo: helper.id, dueDate: '2020-01-01' })).body as {
    id: string;
  };
  const completed = await call(helper, 'POST', `/${done.id}/complete`, {});
  const found: [string, { id: string }[]][] = [
    ['status=completed', [done]],
    ['status=open', [mine, late, given]],
    ['status=open&status=completed', [mine, late, done, given]],
    [`assignedTo=${helper.id}`, [late, done, given]],
    ['assignedTo=me', [mine]],
    ['assignedTo=nobody', []],
    [`createdBy=${helper.id}`, [given]],
    ['createdBy=me', [mine, late, done]],
    ['createdBy=nobody', []],
    ['documentId=DMS-1', [mine]],
    ['overdue=true', [late, given]],
    ['overdue=false', [mine, done]],
    [`updatedSince=${encodeURIComponent(completed.body.updatedAt)}`, [done]],
    ['workflowId=0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f', []],
  ];
  for (const [query, wanted] of found) {
    const { body } = await call(assigner, 'GET', `/?${query}`);
    assert.deepEqual(
      body.map(({ id }: any) => id),
      wanted.map(({ id }) => id),
      query,
    );
  }
});

test('a list has each visible task once, in every order, page by page and with every filter', async () => {
  const { owner: assigner } = await chancery.team();
  const helper = await chancery.user(assigner.team);
  const give = async (by: User, to: User, dueDate?: string) =>
    (await call(by, 'POST', '/', { title: 'Sorted', assignedTo: to.id, ...(dueDate === undefined ? {} : { dueDate }) })).body.id as string;
  await give(assigner, assigner, '2032-01-01T00:00:00Z');
  const done = await give(assigner, helper, '2030-01-01T00:00:00Z');
  await give(assigner, helper, '2031-01-01T00:00:00Z');
  await give(helper, assigner);
  // One person is assignee, creator and participant.
  const all = await give(helper, helper);
  await give(helper, helper, '2029-01-01T00:00:00Z');
  for (const id of [done, all]) assert.equal((await call(helper, 'POST', `/${id}/complete`, {})).status, 200);
  const read = async (by: User, query: string): Promise<any[]> => {
    const seen: any[] = [];
    for (let next: string | undefined = `/?${query}`; next !== undefined;) {
      const answer = await call(by, 'GET', next);
      assert.equal(answer.status, 200, answer.text);
      seen.push(...answer.body);
      next = /<[^>]*?\/api\/v1\/tasks([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    return seen;
  };
  const lists: [User, string, number][] = [
    [assigner, '', 6],
    [helper, '', 5],
    [assigner, 'status=open', 4],
    [helper, 'status=open&status=completed', 5],
    [helper, 'status=completed', 2],
    [helper, 'assignedTo=me', 4],
    [assigner, `updatedSince=${encodeURIComponent((await call(assigner, 'GET', `/${done}`)).body.updatedAt)}`, 2],
  ];
  const keys: Record<string, (one: any) => string> = {
    createdAt: ({ id }) => id,
    updatedAt: (one) => one.updatedAt,
    dueDate: (one) => one.dueDate ?? '9',
  };
  for (const [by, query, many] of lists)
    for (const [sort, key] of Object.entries(keys)) {
      const up = await read(by, `${query}&sort=${sort}&limit=2`);
      const down = await read(by, `${query}&sort=-${sort}&limit=2`);
      assert.equal(new Set(up.map(({ id }) => id)).size, many, `${query} by ${sort}`);
      assert.deepEqual(up.map(key), up.map(key).toSorted(), `${query} by ${sort}`);
      assert.deepEqual(
        down.map(({ id }) => id),
        up.map(({ id }) => id).toReversed(),
        `${query} by -${sort}`,
      );
    }
});

test('of 50 concurrent completions of a task one succeeds, and its outcome and comment are stored', async () => {
  const { body } = await task();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => call(assignee, 'POST', `/${body.id}/complete`, { comment: `Try ${n}` })),
  );
  const done = answers.filter(({ status }) => status === 200);
  assert.equal(done.length, 1, JSON.stringify(answers.map(({ status }) => status)));
  assert.ok(answers.every((answer) => answer.status === 200 || answer.body.code === 'task_not_open'));
  const read = await call(owner, 'GET', `/${body.id}`);
  assert.deepEqual(
    [read.body.status, read.body.outcome, read.body.comment, read.body.completedBy],
    ['completed', 'completed', done[0]?.body.comment, assignee.id],
  );
  const ended = (await entriesOf(body.id)).filter(({ type }) => type === 'task.completed');
  assert.deepEqual(
    ended.map(({ data }) => data.changes),
    [{ status: { from: 'open', to: 'completed' } }],
  );
});

test('an unknown outcome is rejected with the possible ones, and so is If-Match with an old version', async () => {
  const { body, headers } = await task();
  const wrong = await call(assignee, 'POST', `/${body.id}/complete`, { outcome: 'approved' });
  assert.deepEqual([wrong.status, wrong.body.code, wrong.body.errors[0].reason], [422, 'outcome_invalid', 'must be one of completed']);
  const etag = headers.get('etag') ?? '';
  assert.equal((await call(owner, 'POST', `/${body.id}/reassign`, { userId: owner.id }, { 'if-match': etag })).status, 200);
  const late = await call(owner, 'POST', `/${body.id}/complete`, {}, { 'if-match': etag });
  assert.deepEqual([late.status, late.body.code], [412, 'precondition_failed']);
  assert.equal((await call(owner, 'GET', `/${body.id}`)).body.status, 'open');
});

test('a reassigned task keeps its creator, and the previous assignee can neither see nor complete it', async () => {
  const { body } = await task();
  const next = await chancery.user(team);
  const passed = await call(assignee, 'POST', `/${body.id}/reassign`, { userId: next.id, reason: 'On leave' });
  assert.deepEqual([passed.status, passed.body.assignedTo, passed.body.delegatedFrom], [200, next.id, assignee.id]);
  assert.equal((await call(assignee, 'GET', `/${body.id}`)).status, 404);
  assert.equal((await call(assignee, 'POST', `/${body.id}/complete`, {})).status, 404);
  assert.equal((await call(owner, 'GET', `/${body.id}`)).status, 200);
  assert.equal((await call(next, 'POST', `/${body.id}/complete`, {})).status, 200);
  const entry = (await entriesOf(body.id)).find(({ type }) => type === 'task.assigned');
  assert.deepEqual(
    [entry?.data.assignedFrom, entry?.data.reason, entry?.data.changes],
    [assignee.id, 'On leave', { assignedTo: { from: assignee.id, to: next.id } }],
  );
});

test('all users who see a task can read its comments, oldest first and page by page', async () => {
  const { body } = await task();
  const texts = ['One', 'Two', 'Three'];
  for (const text of texts) assert.equal((await call(assignee, 'POST', `/${body.id}/comments`, { text })).status, 201);
  const shown = ({ body: comments }: { body: any }) => comments.map(({ text }: any) => text);
  const first = await call(owner, 'GET', `/${body.id}/comments?limit=2`);
  const next = /<[^>]*(\?[^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
  const second = await call(owner, 'GET', `/${body.id}/comments${next}`);
  assert.deepEqual([shown(first), shown(second), second.headers.get('link')], [texts.slice(0, 2), texts.slice(2), null]);
  assert.equal((await call(await chancery.user(team), 'GET', `/${body.id}/comments`)).status, 404);
});
