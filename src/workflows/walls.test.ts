import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Asker, asking } from '../../test/asking.ts';
import { type Chancery, startChancery, type Team, type User } from '../../test/harness.ts';
import { mailsTo } from '../../test/people.ts';
import { runTimers } from '../../test/timers.ts';

/* What a wall around the document of a workflow keeps, also where the workflow or its tasks do not name the document any more. */

const path = '/api/v1/workflows';
const tasks = '/api/v1/tasks';
const folders = '/api/v1/smartdoc/folders';
const dayMs = 86_400_000;
let chancery: Chancery;
let team: Team;
let owner: User;
let maker: User;
let inside: User;
let outside: User;
let admin: User;

before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off' } });
  team = await chancery.team();
  owner = team.owner;
  [maker, inside, outside] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  admin = await chancery.user(team, { role: 'admin' });
});
after(() => chancery.stop());

const { call, made, documentOf } = asking(() => chancery);

/** A document of the owner's that the maker may put into workflows, until there is a wall, in which only some are. */
async function room(...within: User[]) {
  const { id, folder } = await documentOf(owner);
  for (const user of [maker, inside]) await made(owner, 'POST', `${folders}/${folder}/shares`, { userId: user.id, access: 'write' });
  const wall = () => made(owner, 'PUT', `${folders}/${folder}/wall`, { userIds: within.map((one) => one.id) });
  return { id, folder, wall };
}
async function started(by: Asker, documentId: string, steps: object[]): Promise<string> {
  const flow = await made(by, 'POST', `${path}/`, { name: 'Nightingale', documentId, steps });
  await made(by, 'POST', `${path}/${flow.id}/start`);
  return flow.id;
}
const openTasks = (flow: string): Promise<any[]> => made(owner, 'GET', `${tasks}?workflowId=${flow}&status=open`);
const step = (id: string, assignee: User, more: object = {}) => ({
  id,
  name: `Nightingale ${id}`,
  type: 'task',
  assignees: [assignee.id],
  ...more,
});

/** A workflow whose maker came to be outside of the wall: the task of its second step names no document, which its maker may not open any more. */
async function unnamed(second: object): Promise<{ flow: string; task: any }> {
  const { id, wall } = await room(inside);
  const flow = await started(maker, id, [step('first', inside), { dependsOn: ['first'], ...second }]);
  await wall();
  const [first] = await openTasks(flow);
  await made(inside, 'POST', `${tasks}/${first.id}/complete`, {});
  const [task] = await openTasks(flow);
  return { flow, task };
}

test('what a task says stays behind the wall also when its workflow is deleted', async () => {
  const told = async ({ id }: { id: string }) => {
    const one = await call(admin, 'GET', `${tasks}/${id}`);
    const comments = await call(admin, 'GET', `${tasks}/${id}/comments`);
    const listed = (await made(admin, 'GET', `${tasks}?sort=-updatedAt`)).find((other: any) => other.id === id);
    return [/Nightingale/.test(one.text + JSON.stringify(listed)), one.body.withheld, listed.withheld, comments.status];
  };
  const nothing = [false, true, true, 403];
  const deleted = await unnamed(step('second', inside, { description: 'Nightingale' }));
  await made(inside, 'POST', `${tasks}/${deleted.task.id}/comments`, { text: 'Nightingale' });
  assert.deepEqual(await told(deleted.task), nothing);
  await made(inside, 'POST', `${tasks}/${deleted.task.id}/complete`, { comment: 'Nightingale' });
  await made(maker, 'DELETE', `${path}/${deleted.flow}`);
  assert.deepEqual(await told(deleted.task), nothing);
  assert.equal((await made(inside, 'GET', `${tasks}/${deleted.task.id}`)).title, 'Nightingale second');
});

test('who is outside of the wall around what a task is about does not decide on it, whether it names the document or not', async () => {
  const approval = { id: 'judge', type: 'approval', assignees: [outside.id] };
  const { id, wall } = await room(inside);
  const named = await started(maker, id, [approval]);
  await wall();
  for (const task of [(await openTasks(named))[0], (await unnamed(approval)).task]) {
    assert.equal(task.assignedTo, outside.id);
    const { status, body } = await call(outside, 'POST', `${tasks}/${task.id}/complete`, { outcome: 'approved' });
    assert.deepEqual([status, body.code], [403, 'forbidden']);
    await made(outside, 'POST', `${tasks}/${task.id}/reassign`, { userId: inside.id });
    await made(inside, 'POST', `${tasks}/${task.id}/complete`, { outcome: 'approved' });
  }
});

test('from outside of a wall an administrator pauses a workflow, has it go on and cancels it, and hears no word of it by that', async () => {
  const { id, wall } = await room(inside);
  const flow = await started(maker, id, [step('first', inside)]);
  await wall();
  for (const [act, status] of [
    ['pause', 'paused'],
    ['resume', 'active'],
    ['cancel', 'cancelled'],
  ]) {
    const { status: code, text } = await call(
      admin,
      'POST',
      `${path}/${flow}/${act}`,
      act === 'resume' ? undefined : { reason: 'Conflict' },
    );
    assert.ok(code < 300 && !text.includes('Nightingale'), `${act}: ${code}`);
    assert.equal((await made(admin, 'GET', `${path}/${flow}`)).status, status);
  }
  assert.equal((await made(inside, 'GET', `${path}/${flow}`)).name, 'Nightingale');
});

test('who made a workflow goes on with it while they read its document through broken glass, and so does whoever has a task with what it says', async () => {
  const { id, folder, wall } = await room(inside);
  const glass = await chancery.user(team, { role: 'admin' });
  const own = await made(glass, 'POST', `${path}/`, { name: 'Nightingale', documentId: id, steps: [step('first', inside)] });
  const flow = await started(maker, id, [step('first', glass)]);
  await wall();
  const openings = `${folders}/${folder}/wall/openings`;
  const asked = await made(glass, 'POST', openings, { reason: 'An audit' });
  await made(owner, 'POST', `${openings}/${asked.id}/consent`);
  await made(glass, 'PUT', `${path}/${own.id}`, { name: 'Skylark' });
  await made(glass, 'POST', `${path}/${own.id}/comments`, { text: 'Hm' });
  assert.equal((await call(glass, 'DELETE', `${path}/${own.id}`)).status, 200);
  await made(glass, 'POST', `${path}/${flow}/comments`, { text: 'Hm' });
  const [task] = await openTasks(flow);
  await made(glass, 'POST', `${tasks}/${task.id}/comments`, { text: 'Hm' });
  assert.equal(
    (await call(glass, 'PUT', `${path}/${flow}`, { name: 'Skylark' })).status,
    403,
    'what others made is changed by those inside',
  );
  await made(glass, 'POST', `${tasks}/${task.id}/complete`, {});
});

test('what stays overdue goes upwards past those outside of the wall, who are told no word of it, to the first inside', async () => {
  const beyond = await chancery.user(team);
  // The escalation asks the members of a role in the order of their ids. Two ids of one millisecond are in any order.
  const admins = [await chancery.user(team, { role: 'admin' }), await chancery.user(team, { role: 'admin' })];
  const [bystander, last] = admins.toSorted((a, b) => (a.id < b.id ? -1 : 1)) as [User, User];
  const upwards = (to: string) => ({ dueInDays: 1, config: { escalate: [{ afterDays: 1, to, reassign: true }] } });
  const late = (id: string, to: string) => ({ ...step(id, inside, upwards(to)), dependsOn: ['first'] });
  const { id, wall } = await room(inside, last);
  const steps = [step('first', inside), late('person', beyond.id), late('role', 'role:admin'), late('owner', 'role:owner')];
  const [named, unnamedFlow] = [await started(owner, id, steps), await started(maker, id, steps)];
  await wall();
  for (const flow of [named, unnamedFlow]) {
    const [first] = await openTasks(flow);
    await made(inside, 'POST', `${tasks}/${first.id}/complete`, {});
  }
  assert.deepEqual(await runTimers(chancery, new Date(Date.now() + 3 * dayMs)), []);
  for (const flow of [named, unnamedFlow])
    assert.deepEqual(Object.fromEntries((await openTasks(flow)).map(({ stepId, assignedTo }) => [stepId, assignedTo])), {
      person: inside.id,
      role: last.id,
      owner: owner.id,
    });
  for (const who of [beyond, bystander]) {
    const mails = await mailsTo(chancery, who.email);
    assert.ok(!JSON.stringify(mails).includes('Nightingale'));
    for (const flow of [named, unnamedFlow])
      assert.ok(!JSON.stringify(await made(who, 'GET', `${tasks}?workflowId=${flow}`)).includes('Nightingale'));
  }
  assert.ok((await mailsTo(chancery, beyond.email)).some(({ subject }) => /still overdue/.test(subject)));
});
