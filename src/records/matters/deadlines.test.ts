import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { asking } from '../../../test/asking.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { isolationOf } from '../../../test/isolation.ts';
import { listeners } from '../../listeners.ts';
import { doDueWork } from '../../platform/jobs/due-jobs.ts';
import { dueDeadlines } from './deadlines.ts';

const matters = '/api/v1/matters';
let chancery: Chancery;
let team: TestTeam;
let lawyer: User;
let colleague: User;

before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team();
  [lawyer, colleague] = [await chancery.user(team), await chancery.user(team)];
  await chancery.pool.query("UPDATE team SET time_zone = 'Europe/Berlin' WHERE team_id = $1", [team.id]);
  // Good Friday and Easter Monday of 2027.
  await done(team.owner, 'PUT', '/api/v1/team/working-time', {
    days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    opens: '09:00',
    closes: '17:00',
    free: ['2027-03-26', '2027-03-29'],
  });
});
after(() => chancery.stop());

const { call: ask, made: done } = asking(() => chancery);
const matter = () => done(lawyer, 'POST', `${matters}/`, { name: `Matter ${randomUUIDv7()}` });
const deadline = (id: string, more: object = {}) =>
  done(lawyer, 'POST', `${matters}/${id}/deadlines`, { title: 'Statement of defence', dueDate: '2027-03-31', remindDays: 3, ...more });
/** Runs the job on two nodes at a time. */
const passAt = (time: string) =>
  Promise.all(
    [1, 2].map(() => doDueWork({ database: chancery.database, listeners, isolation: isolationOf(chancery) }, dueDeadlines, new Date(time))),
  );
const tasksOf = (id: string) => done(lawyer, 'GET', `/api/v1/tasks/?matterId=${id}`);

test('one task is created the given working days of the team before the deadline', async () => {
  const { id } = await matter();
  const { id: deadlineId, dueDate } = await deadline(id, { assigneeId: colleague.id });
  assert.equal(dueDate, '2027-03-31T21:59:59.999Z');
  // Three working days before Wednesday: Tuesday, Thursday, Wednesday. It begins at midnight in Berlin.
  await passAt('2027-03-23T22:59:59Z');
  assert.deepEqual(await tasksOf(id), []);
  await passAt('2027-03-23T23:00:00Z');
  const [task, ...others] = await tasksOf(id);
  assert.deepEqual(others, []);
  assert.deepEqual([task.title, task.assignedTo, task.dueDate, task.matterId], ['Statement of defence', colleague.id, dueDate, id]);
  assert.equal((await done(lawyer, 'GET', `${matters}/${id}/deadlines/${deadlineId}`)).taskId, task.id);
  await passAt('2027-03-25T12:00:00Z');
  assert.equal((await tasksOf(id)).length, 1);
});

test('without an assignee, the responsible person gets the task, and an event says so', async () => {
  const { id } = await matter();
  const { id: deadlineId } = await deadline(id);
  await passAt('2027-03-24T12:00:00Z');
  const [task] = await tasksOf(id);
  assert.equal(task.assignedTo, lawyer.id);
  const { rows } = await chancery.pool.query("SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'matter.deadline_due'", [id]);
  assert.deepEqual(
    rows.map(({ data }) => [data.deadlineId, data.taskId]),
    [[deadlineId, task.id]],
  );
});

test('a new date makes a new task, and other changes do not', async () => {
  const { id } = await matter();
  const { id: deadlineId } = await deadline(id);
  const path = `${matters}/${id}/deadlines/${deadlineId}`;
  await passAt('2027-03-24T12:00:00Z');
  await done(lawyer, 'PATCH', path, { title: 'Defence' });
  await passAt('2027-03-24T13:00:00Z');
  assert.equal((await tasksOf(id)).length, 1);
  await done(lawyer, 'PATCH', path, { dueDate: '2027-04-30' });
  await passAt('2027-04-27T12:00:00Z');
  assert.equal((await tasksOf(id)).length, 2);
});

test('a closed matter gets no tasks until it is reopened', async () => {
  const { id } = await matter();
  await deadline(id);
  await done(lawyer, 'POST', `${matters}/${id}/close`);
  await passAt('2027-03-24T12:00:00Z');
  assert.deepEqual(await tasksOf(id), []);
  assert.equal(
    (await ask(lawyer, 'POST', `${matters}/${id}/deadlines`, { title: 'More', dueDate: '2027-05-01' })).body.code,
    'matter_closed',
  );
  await done(lawyer, 'POST', `${matters}/${id}/reopen`);
  await passAt('2027-03-24T13:00:00Z');
  assert.equal((await tasksOf(id)).length, 1);
});

test('behind a barrier, the responsible person gets the task of an excluded assignee', async () => {
  const { id } = await matter();
  await deadline(id, { assigneeId: colleague.id });
  await done(lawyer, 'PUT', `${matters}/${id}/barrier`, { userIds: [] });
  await passAt('2027-03-24T12:00:00Z');
  const [task] = await tasksOf(id);
  assert.equal(task.assignedTo, lawyer.id);
  assert.equal((await ask(colleague, 'GET', `/api/v1/tasks/${task.id}`)).status, 404);
});

test('if a barrier excludes the responsible person too, the task has no assignee, and an event says so', async () => {
  const { id } = await matter();
  await deadline(id, { title: 'Appeal', assigneeId: colleague.id });
  await done(team.owner, 'PUT', `${matters}/${id}/barrier`, { userIds: [team.owner.id] });
  await passAt('2027-03-24T12:00:00Z');
  const [task, ...others] = await done(team.owner, 'GET', `/api/v1/tasks/?matterId=${id}`);
  assert.deepEqual([task.title, task.assignedTo, others], ['Appeal', undefined, []]);
  const { rows } = await chancery.pool.query("SELECT FROM audit_entry WHERE target_id = $1 AND type = 'task.unassigned'", [task.id]);
  assert.equal(rows.length, 1);
});
