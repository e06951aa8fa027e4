import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Asker, asking } from '../../../test/asking.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { mailsTo } from '../../../test/people.ts';
import { runTimers } from '../../../test/timers.ts';

const path = '/api/v1/workflows';
const dayMs = 86_400_000;
let chancery: Chancery;
before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off' } });
});
after(() => chancery.stop());

const { call, made } = asking(() => chancery);
async function started(by: Asker, config: object, more: object = {}): Promise<{ id: string; task: string }> {
  const steps = [{ id: 'one', type: 'approval', dueInDays: 1, config, ...more }];
  const { id } = await made(by, 'POST', `${path}/`, { name: 'W', documentId: 'DMS-1', steps });
  const flow = await made(by, 'POST', `${path}/${id}/start`);
  return { id, task: flow.steps[0].taskIds[0] };
}
/** Runs the timers twice after so many days. The second run finds nothing to do. */
async function after_(days: number): Promise<void> {
  for (const minute of [0, 1]) assert.deepEqual(await runTimers(chancery, new Date(Date.now() + days * dayMs + minute * 60_000)), []);
}
const levels = async (task: string) =>
  (
    await chancery.pool.query("SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'task.escalated' ORDER BY at, id", [task])
  ).rows.map(({ data }) => [data.level, data.to, data.assignedTo]);
const stillOverdue = async (who: User) =>
  (await mailsTo(chancery, who.email)).filter(({ subject }) => /still overdue/.test(subject)).length;
const assigneeOf = async (by: Asker, { task }: { task: string }) => (await made(by, 'GET', `/api/v1/tasks/${task}`)).assignedTo;

test('an overdue task notifies the targets of its step, or is reassigned to them, level by level', async () => {
  const team = await chancery.team();
  const { owner } = team;
  const [assignee, supervisor, admin] = [
    await chancery.user(team),
    await chancery.user(team),
    await chancery.user(team, { role: 'admin' }),
  ];
  const flow = await started(
    owner,
    {
      escalate: [
        { afterDays: 5, to: 'role:admin', reassign: true },
        { afterDays: 2, to: supervisor.id },
      ],
    },
    { assignees: [assignee.id] },
  );
  await after_(2.9);
  assert.deepEqual(await levels(flow.task), []);
  await after_(3.1);
  assert.deepEqual(await levels(flow.task), [[1, supervisor.id, undefined]]);
  assert.deepEqual(
    [await stillOverdue(supervisor), await assigneeOf(owner, flow)],
    [1, assignee.id],
    'the target gets a mail, and the assignee stays',
  );
  await after_(6.1);
  assert.deepEqual((await levels(flow.task)).slice(1), [[2, 'role:admin', admin.id]]);
  assert.equal(await assigneeOf(owner, flow), admin.id);
  assert.ok((await mailsTo(chancery, assignee.email)).some(({ subject }) => /Task reassigned/.test(subject)));
  await after_(60);
  assert.equal((await levels(flow.task)).length, 2);
  const history = await made(owner, 'GET', `${path}/${flow.id}/history`);
  const given = history.find(({ type, assignedTo }: any) => type === 'task.assigned' && assignedTo === admin.id);
  assert.deepEqual([given.assignedFrom, given.actorType], [assignee.id, 'system']);
  await made(admin, 'POST', `/api/v1/tasks/${flow.task}/complete`, { outcome: 'approved' });
});

test('after a downtime one level runs; a pause moves the levels; no decision goes to an ineligible target', async () => {
  const team = await chancery.team();
  const { owner } = team;
  const assignee = await chancery.user(team);
  const both = [
    { afterDays: 1, to: 'role:owner' },
    { afterWorkingDays: 3, to: 'role:admin', reassign: true },
  ];
  const missed = await started(owner, { escalate: both }, { assignees: [assignee.id] });
  await after_(30);
  // Without an administrator, the team managers get a mail and the assignee stays.
  assert.deepEqual(await levels(missed.task), [[2, 'role:admin', undefined]]);
  assert.deepEqual([await assigneeOf(owner, missed), (await stillOverdue(owner)) > 0], [assignee.id, true]);
  const own = await started(owner, { escalate: [{ afterDays: 1, to: 'role:owner', reassign: true }] }, { assignees: [assignee.id] });
  const paused = await started(owner, { escalate: [{ afterDays: 1, to: 'role:owner' }] }, { assignees: [assignee.id] });
  await made(owner, 'POST', `${path}/${paused.id}/pause`, {});
  await after_(10);
  assert.deepEqual(await levels(own.task), [[1, 'role:owner', undefined]], 'the creator may not decide');
  assert.deepEqual(await levels(paused.task), []);
  await chancery.pool.query("UPDATE workflow SET paused_at = paused_at - interval '9 days' WHERE id = $1", [paused.id]);
  await made(owner, 'POST', `${path}/${paused.id}/resume`);
  await after_(10);
  assert.deepEqual(await levels(paused.task), [], 'the level moved by the length of the pause');
  await after_(11.1);
  assert.equal((await levels(paused.task)).length, 1);
});

test('a step has at most two levels, each with a delay and a target that is a member', async () => {
  const { owner } = await chancery.team();
  const refused = async (config: object, more: object = {}) => {
    const steps = [{ id: 'one', type: 'task', dueInDays: 1, config, ...more }];
    return (await call(owner, 'POST', `${path}/`, { name: 'W', documentId: 'DMS-1', steps })).body;
  };
  const one = { afterDays: 1, to: 'role:admin' };
  for (const [escalate, at] of [
    [[], '/escalate'],
    [[one, one, one], '/escalate'],
    [[{ to: 'role:admin' }], '/escalate/0'],
    [[{ ...one, afterWorkingDays: 1 }], '/escalate/0'],
    [[one, { ...one, afterDays: 366 }], '/escalate/1/afterDays'],
    [[{ ...one, to: 'role:member' }], '/escalate/0/to'],
    [[{ ...one, reassign: 'yes' }], '/escalate/0/reassign'],
    [[{ ...one, by: 'mail' }], '/escalate/0/by'],
  ] as const)
    assert.equal((await refused({ escalate })).errors[0].pointer, `/steps/0/config${at}`);
  assert.equal((await refused({ escalate: [one] }, { dueInDays: undefined })).code, 'workflow_steps_invalid');
  assert.equal((await refused({ escalate: [{ ...one, to: owner.team }] })).code, 'assignee_not_found');
});

test('a task ends once if it is escalated and completed while its new assignee leaves, who does not keep it', async () => {
  const team: TestTeam = await chancery.team();
  const { owner } = team;
  const [assignee, admin] = [await chancery.user(team), await chancery.user(team, { role: 'admin' })];
  const flows = await Promise.all(
    Array.from({ length: 12 }, () =>
      started(owner, { escalate: [{ afterDays: 1, to: admin.id, reassign: true }] }, { assignees: [assignee.id] }),
    ),
  );
  const [failures, , ...ended] = await Promise.all([
    runTimers(chancery, new Date(Date.now() + 3 * dayMs)),
    made(owner, 'DELETE', `/api/v1/team/members/${admin.id}`),
    ...flows.slice(0, 6).map(({ task }) => call(assignee, 'POST', `/api/v1/tasks/${task}/complete`, { outcome: 'approved' })),
  ]);
  assert.deepEqual(failures, []);
  assert.ok(ended.every(({ status }) => [200, 403, 404].includes(status)));
  const { rows } = await chancery.pool.query("SELECT id FROM task WHERE team_id = $1 AND status = 'open' AND assigned_to = $2", [
    team.id,
    admin.id,
  ]);
  assert.deepEqual(rows, []);
});

test('a task that no member of its group claimed in time goes to the target of the escalation', async () => {
  const team = await chancery.team();
  const [member, admin] = [await chancery.user(team), await chancery.user(team, { role: 'admin' })];
  const { id: group } = await made(team.owner, 'POST', '/api/v1/groups/', { name: 'Desk' });
  await made(team.owner, 'POST', `/api/v1/groups/${group}/members`, { userId: member.id });
  const config = { escalate: [{ afterDays: 2, to: admin.id, reassign: true }] };
  const flow = await started(team.owner, config, { groups: [group], mode: 'any' });
  await after_(3.1);
  assert.deepEqual(await levels(flow.task), [[1, admin.id, admin.id]]);
  const task = await made(admin, 'GET', `/api/v1/tasks/${flow.task}`);
  assert.deepEqual([task.assignedTo, task.assignedGroupId], [admin.id, undefined]);
  assert.equal((await call(member, 'POST', `/api/v1/tasks/${flow.task}/claim`)).status, 404);
});
