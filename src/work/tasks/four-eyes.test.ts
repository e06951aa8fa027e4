import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';

let chancery: Chancery;
let team: TestTeam;
let owner: User;
let creator: User;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
  creator = await chancery.user(team);
});

const call = (by: User, method: string, path: string, body?: unknown) =>
  chancery.call(method, path, { token: by.token, ...(body === undefined ? {} : { body }) });
async function made(by: User, method: string, path: string, body?: unknown): Promise<any> {
  const answer = await call(by, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}
const setFourEyes = (fourEyes: boolean) => made(owner, 'PATCH', '/api/v1/team', { fourEyes });

/** Starts a workflow of the creator, and returns the task of its only step. */
async function taskOf(type: string, assignee: User): Promise<{ id: string }> {
  const { id } = await made(creator, 'POST', '/api/v1/workflows/', {
    name: 'Decision',
    documentId: 'DMS-1',
    steps: [{ id: 'step', type, assignees: [assignee.id] }],
  });
  const { steps } = await made(creator, 'POST', `/api/v1/workflows/${id}/start`, {});
  return { id: steps[0].taskIds[0] };
}
const complete = (by: User, { id }: { id: string }, outcome: string) => call(by, 'POST', `/api/v1/tasks/${id}/complete`, { outcome });

test('without four eyes, the creator of a workflow approves if a step names them', async () => {
  await setFourEyes(false);
  assert.equal((await complete(creator, await taskOf('approval', creator), 'approved')).status, 200);
});

for (const type of ['approval', 'review'])
  test(`with four eyes, the creator of a workflow completes no ${type}, even if a step names them`, async () => {
    await setFourEyes(true);
    const task = await taskOf(type, creator);
    const answer = await complete(creator, task, 'approved');
    assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden']);
    await made(owner, 'POST', `/api/v1/tasks/${task.id}/reassign`, { userId: owner.id });
    assert.equal((await complete(owner, task, 'approved')).status, 200);
  });

test('with four eyes, the creator completes tasks that are no decision', async () => {
  await setFourEyes(true);
  assert.equal((await complete(creator, await taskOf('acknowledgement', creator), 'acknowledged')).status, 200);
});

test('four eyes apply to a decision that was asked before', async () => {
  await setFourEyes(false);
  const task = await taskOf('approval', creator);
  await setFourEyes(true);
  assert.equal((await complete(creator, task, 'approved')).status, 403);
});
