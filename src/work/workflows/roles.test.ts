import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Asker, asking, file } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type User } from '../../../test/harness.ts';

const path = '/api/v1/workflows';
let chancery: Chancery;

before(async () => {
  chancery = await sharedChancery();
});

const { call, made } = asking(() => chancery);
const create = (by: Asker, steps: object[], documentId = 'DMS-1') => made(by, 'POST', `${path}/`, { name: 'W', documentId, steps });
async function started(by: Asker, steps: object[], documentId?: string): Promise<any> {
  const { id } = await create(by, steps, documentId);
  return made(by, 'POST', `${path}/${id}/start`);
}
const ofRole = (type: string, role: string, more: object = {}) => ({ id: type, type, assignees: [`role:${role}`], ...more });
const openTasks = (by: Asker, id: string): Promise<any[]> => made(by, 'GET', `/api/v1/tasks?workflowId=${id}&status=open`);
const assigneesOf = async (by: Asker, id: string) => (await openTasks(by, id)).map(({ assignedTo }) => assignedTo).toSorted();
const idsOf = (...people: User[]) => people.map(({ id }) => id).toSorted();

test('a role becomes a list of assignees when its step begins', async () => {
  const team = await chancery.team();
  const { owner } = team;
  const [one, two] = [await chancery.user(team, { role: 'admin' }), await chancery.user(team, { role: 'admin' })];
  const first = { id: 'first', type: 'task' };
  const flow = await started(owner, [first, ofRole('approval', 'admin', { mode: 'any' })]);
  assert.deepEqual(flow.steps[1].assignees, ['role:admin']);
  const late = await chancery.user(team, { role: 'admin' });
  await made(owner, 'POST', `/api/v1/tasks/${flow.steps[0].taskIds[0]}/complete`, {});
  assert.deepEqual(
    await assigneesOf(owner, flow.id),
    idsOf(one, two, late),
    'a member who joined before the start of the step is included',
  );
  const { steps } = await made(owner, 'GET', `${path}/${flow.id}`);
  const listed = (await made(owner, 'GET', path)).find(({ id }: { id: string }) => id === flow.id);
  assert.deepEqual([steps[1].assignees.toSorted(), listed.steps[1].assignees.toSorted()], [idsOf(one, two, late), idsOf(one, two, late)]);

  const theirs = (await openTasks(owner, flow.id)).find(({ assignedTo }) => assignedTo === two.id);
  await made(two, 'POST', `/api/v1/tasks/${theirs.id}/complete`, { outcome: 'approved' });
  assert.equal((await made(owner, 'GET', `${path}/${flow.id}`)).status, 'completed', 'one assignee was enough');
});

test('no decision goes to the creator or uploader, in person or by a program, but a task does', async () => {
  const team = await chancery.team();
  const { owner } = team;
  const [creator, uploader, third] = [
    await chancery.user(team, { role: 'admin' }),
    await chancery.user(team, { role: 'admin' }),
    await chancery.user(team, { role: 'admin' }),
  ];
  const { id: document } = await made(uploader, 'POST', '/api/v1/smartdoc/documents/', file());
  const decided = await started(creator, [ofRole('approval', 'admin')], document);
  assert.deepEqual(await assigneesOf(owner, decided.id), idsOf(third));
  const done = await started(creator, [ofRole('task', 'admin')], document);
  assert.deepEqual(await assigneesOf(owner, done.id), idsOf(creator, uploader, third));
  const byClient = await started(await chancery.client(creator), [ofRole('review', 'admin')], document);
  assert.deepEqual(await assigneesOf(owner, byClient.id), idsOf(third));
});

test('a workflow needs an eligible member for each decision to start; if none is left later, the task has no assignee', async () => {
  const team = await chancery.team();
  const { owner } = team;
  const admin = await chancery.user(team, { role: 'admin' });
  const { id } = await create(admin, [ofRole('approval', 'admin')]);
  const refused = await call(admin, 'POST', `${path}/${id}/start`);
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.errors[0].pointer],
    [422, 'no_eligible_assignee', '/steps/0/assignees'],
  );
  const other = await chancery.user(team, { role: 'admin' });
  const flow = await started(admin, [{ id: 'first', type: 'task' }, ofRole('approval', 'admin'), ofRole('task', 'viewer')]);
  await made(owner, 'DELETE', `/api/v1/team/members/${other.id}`);
  await made(admin, 'POST', `/api/v1/tasks/${flow.steps[0].taskIds[0]}/complete`, {});
  const [waiting] = await openTasks(owner, flow.id);
  assert.equal(waiting.assignedTo, undefined);
  const { rows } = await chancery.pool.query("SELECT FROM audit_entry WHERE type = 'task.unassigned' AND target_id = $1", [waiting.id]);
  assert.equal(rows.length, 1);
  await made(owner, 'POST', `/api/v1/tasks/${waiting.id}/reassign`, { userId: owner.id, reason: 'Nobody else' });
  await made(owner, 'POST', `/api/v1/tasks/${waiting.id}/complete`, { outcome: 'approved' });
  assert.deepEqual(await assigneesOf(owner, flow.id), idsOf(admin), 'other tasks go to the default assignee');
});

test('an unknown or ineligible role is rejected with its pointer', async () => {
  const { owner } = await chancery.team();
  const refused = async (step: object) => {
    const { status, body } = await call(owner, 'POST', `${path}/`, { name: 'W', documentId: 'X', steps: [step] });
    return [status, body.errors?.[0].pointer, body.errors?.[0].rule];
  };
  assert.deepEqual(await refused(ofRole('task', 'boss')), [422, '/steps/0/assignees/0', 'role']);
  assert.deepEqual(await refused(ofRole('approval', 'viewer')), [422, '/steps/0/assignees/0', 'role']);
  assert.deepEqual(await refused({ id: 'wait', type: 'wait', config: { days: 1 }, assignedTo: 'role:admin' }), [
    422,
    '/steps/0/assignedTo',
    'role',
  ]);
});

test('a member who leaves while steps of their role begin keeps no task and no step', async () => {
  const team = await chancery.team();
  const { owner } = team;
  for (let round = 0; round < 6; round += 1) {
    const leaver = await chancery.user(team, { role: 'admin' });
    const flows = await Promise.all([1, 2, 3, 4].map(() => create(owner, [ofRole('task', 'admin')])));
    const waiting = await Promise.all([1, 2].map(() => started(owner, [{ id: 'first', type: 'task' }, ofRole('task', 'admin')])));
    const [removed, ...acts] = await Promise.all([
      call(owner, 'DELETE', `/api/v1/team/members/${leaver.id}`),
      ...flows.map(({ id }) => call(owner, 'POST', `${path}/${id}/start`)),
      ...waiting.map(({ steps }) => call(owner, 'POST', `/api/v1/tasks/${steps[0].taskIds[0]}/complete`, {})),
      ...[1, 2].map(async () => {
        const late = await create(owner, [ofRole('task', 'admin')]);
        return call(owner, 'POST', `${path}/${late.id}/start`);
      }),
    ]);
    assert.equal(removed?.status, 204, removed?.text);
    assert.deepEqual([...new Set(acts.map(({ status }) => status))], [200], acts.map(({ text }) => text).join());
    const { rows } = await chancery.pool.query(
      `SELECT 'task' AS what FROM task WHERE assigned_to = $1 AND status = 'open'
       UNION ALL SELECT 'step' FROM workflow_step WHERE $1 = ANY (assignees)`,
      [leaver.id],
    );
    assert.deepEqual(rows, []);
  }
});
