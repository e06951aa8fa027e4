import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { mailsTo } from '../../../test/people.ts';
import { runTimers } from '../../../test/timers.ts';

const dayMs = 86_400_000;
let chancery: Chancery;
let team: TestTeam;
before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team();
});
after(() => chancery.stop());

const call = async (by: User, method: string, path: string, body?: unknown) => {
  const answer = await chancery.call(method, path, { token: by.token, ...(body === undefined ? {} : { body }) });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
};
const dueDate = '2020-01-01T00:00:00Z';
const give = (by: User, to: User, title: string) => call(by, 'POST', '/api/v1/tasks/', { title, assignedTo: to.id, dueDate });
const subjects = async (of: User) =>
  ((await mailsTo(chancery, of.email)) as { subject: string }[]).map(({ subject }) => subject).filter((subject) => /overdue/.test(subject));
/** Runs the timers twice on a later day. The second run finds nothing to do. */
async function onDay(day: number): Promise<void> {
  for (const minute of [0, 1]) assert.deepEqual(await runTimers(chancery, new Date(Date.now() + day * dayMs + minute * 60_000)), []);
}
const reminded = async (id: string) =>
  (
    await chancery.pool.query("SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'task.reminded' ORDER BY at, id", [id])
  ).rows.map(({ data }) => data.reminder);

test('an assignee of overdue tasks gets three reminders; the creator gets a mail with the second, team managers with the third', async () => {
  const [assigner, assignee, silent] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  await call(silent, 'PUT', '/api/v1/security/auth/profile/notifications', { taskAssigned: 'none' });
  const [one] = [
    await give(assigner, assignee, 'Read the lease'),
    await give(assigner, assignee, 'File it'),
    await give(assigner, silent, 'Quiet'),
  ];
  await onDay(0);
  assert.deepEqual([await subjects(assignee), await subjects(assigner), await subjects(silent)], [['2 of your tasks are overdue'], [], []]);
  await onDay(1);
  assert.equal((await subjects(assignee)).length, 1, 'no reminder on each day');
  await onDay(4);
  assert.deepEqual([(await subjects(assignee)).length, (await subjects(team.owner)).length], [2, 0]);
  assert.deepEqual((await subjects(assigner)).toSorted(), ['2 tasks are still overdue', 'A task is still overdue']);
  await onDay(9);
  assert.deepEqual([(await subjects(assignee)).length, (await subjects(team.owner)).length, (await subjects(assigner)).length], [3, 2, 2]);
  await onDay(60);
  assert.deepEqual([(await subjects(assignee)).length, await reminded(one.id)], [3, [1, 2, 3]]);
});

test('paused and completed tasks send no reminders, and after a downtime there is one mail', async () => {
  const [creator, assignee] = [await chancery.user(team), await chancery.user(team)];
  const steps = [{ id: 'a', type: 'task', assignedTo: assignee.id, dueInDays: 0 }];
  const { id } = await call(creator, 'POST', '/api/v1/workflows/', { name: 'W', documentId: 'DMS-1', steps });
  await call(creator, 'POST', `/api/v1/workflows/${id}/start`);
  await onDay(1);
  assert.equal((await subjects(assignee)).length, 1);
  await call(creator, 'POST', `/api/v1/workflows/${id}/pause`, {});
  const done = await give(creator, assignee, 'Done in time');
  await call(assignee, 'POST', `/api/v1/tasks/${done.id}/complete`, {});
  await onDay(10);
  assert.equal((await subjects(assignee)).length, 1, 'the workflow is paused');
  await call(creator, 'POST', `/api/v1/workflows/${id}/resume`);
  await onDay(30);
  assert.deepEqual(await subjects(assignee), ['Your task is overdue', 'Your task is overdue']);
  const history = await call(creator, 'GET', `/api/v1/workflows/${id}/history`);
  assert.equal(history.filter(({ type }: { type: string }) => type === 'task.reminded').length, 2);
});
