import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { runTimers } from '../../../test/timers.ts';

const path = '/api/v1/workflows';
let chancery: Chancery;
let team: TestTeam;
let owner: User;

before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team();
  owner = team.owner;
  // Every insert of a task with this name fails, to simulate a bug in the workflow of one team.
  await chancery.pool.query(`
    CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poison'; END $$;
    CREATE TRIGGER refuse_poison BEFORE INSERT ON task FOR EACH ROW WHEN (NEW.title = 'Poison') EXECUTE FUNCTION refuse_poison()`);
});
after(() => chancery.stop());

const post = (to: string, body?: unknown, by = owner) =>
  chancery.call('POST', to, { token: by.token, ...(body === undefined ? {} : { body }) });
const read = async (id: string, by = owner) => (await chancery.call('GET', `${path}/${id}`, { token: by.token })).body;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

async function started(steps: object[], by = owner, more: object = {}): Promise<string> {
  const made = await post(`${path}/`, { name: 'W', documentId: 'DMS-1', steps, ...more }, by);
  assert.equal(made.status, 201, made.text);
  assert.equal((await post(`${path}/${made.body.id}/start`, undefined, by)).status, 200);
  return made.body.id;
}
const waiting = (then: string, by = owner) =>
  started(
    [
      { id: 'wait', type: 'wait', config: { minutes: 1 } },
      { id: 'then', type: 'task', name: then },
    ],
    by,
  );
const entries = async (id: string, type: string) =>
  (await chancery.pool.query('SELECT data FROM audit_entry WHERE target_id = $1 AND type = $2', [id, type])).rows.map(({ data }) => data);

test('a failing wait is retried with growing delays and discarded and recorded after ten failures; all others continue', async () => {
  const neighbour = (await chancery.team()).owner;
  const poisoned = await waiting('Poison');
  const after1 = await waiting('Fine');
  const theirs = await waiting('Fine', neighbour);
  assert.deepEqual(await runTimers(chancery, inMinutes(2)), ['workflow-wait']);
  assert.deepEqual(
    [(await read(after1)).steps[0].status, (await read(theirs, neighbour)).steps[0].status, (await read(poisoned)).steps[0].status],
    ['completed', 'completed', 'active'],
  );
  assert.deepEqual(await runTimers(chancery, inMinutes(3)), [], 'not before its delay has passed');
  const failed: string[] = [];
  const pauseIsOver = () => chancery.pool.query('UPDATE job_failure SET next_at = now()');
  for (let turn = 0; turn < 9; turn += 1) {
    await pauseIsOver();
    failed.push(...(await runTimers(chancery, inMinutes(4))));
  }
  assert.equal(failed.length, 9);
  assert.deepEqual(await entries(poisoned, 'workflow.timer_failed'), [{ job: 'workflow-wait', failures: 10 }]);

  // The bug is fixed: the next attempt succeeds.
  await chancery.pool.query('ALTER TABLE task DISABLE TRIGGER refuse_poison');
  await pauseIsOver();
  assert.deepEqual(await runTimers(chancery, inMinutes(5)), []);
  await chancery.pool.query('ALTER TABLE task ENABLE TRIGGER refuse_poison');
  assert.equal((await read(poisoned)).steps[1].status, 'active');
});

test('many teams with paused overdue workflows do not delay other teams', async () => {
  await chancery.pool.query(`
    WITH made AS (INSERT INTO team (team_id, name) SELECT gen_random_uuid(), 'Paused' FROM generate_series(1, 600) RETURNING team_id)
    INSERT INTO workflow (team_id, id, name, document_id, created_by, owner_id, status, paused_at, due_at)
    SELECT team_id, gen_random_uuid(), 'Paused', 'X', team_id, team_id, 'paused', now(), '1999-01-01' FROM made`);
  const id = await started([{ id: 'a', type: 'task' }], owner, { dueDate: '2020-01-01' });
  await runTimers(chancery, new Date());
  assert.equal((await entries(id, 'workflow.overdue')).length, 1);
});

test('a team with many due items does not delay other teams', async () => {
  const crowd = await chancery.team();
  await chancery.pool.query(
    `WITH w AS (INSERT INTO workflow (team_id, id, name, document_id, created_by, owner_id, status, due_at)
       SELECT $1, gen_random_uuid(), 'Crowd', 'X', $2, $2, 'active', '1999-01-01' FROM generate_series(1, 120)) SELECT`,
    [crowd.id, crowd.owner.id],
  );
  const id = await started([{ id: 'a', type: 'task' }], owner, { dueDate: '2021-01-01' });
  await runTimers(chancery, new Date());
  const { rows } = await chancery.pool.query(
    `SELECT (SELECT count(*) FROM audit_entry WHERE type = 'workflow.overdue' AND team_id = $1 AND id < e.id)::int AS before
     FROM audit_entry e WHERE e.type = 'workflow.overdue' AND e.target_id = $2`,
    [crowd.id, id],
  );
  assert.ok(rows[0].before <= 25, `after ${rows[0].before} of the large team`);
  const { rows: all } = await chancery.pool.query(
    "SELECT count(*)::int AS n FROM audit_entry WHERE type = 'workflow.overdue' AND team_id = $1",
    [crowd.id],
  );
  assert.deepEqual(all, [{ n: 120 }], 'one pass announces all of them');
});

test('a paused workflow and its tasks are not overdue; a due date set during the pause does not move', async () => {
  const id = await started([{ id: 'a', type: 'task', dueInDays: 0 }], owner, { dueDate: '2020-01-01' });
  const overdue = async (list: string) =>
    (await chancery.call('GET', list, { token: owner.token })).body.some((one: any) => one.id === id || one.workflowId === id);
  assert.deepEqual([await overdue(`${path}/overdue`), await overdue('/api/v1/tasks?overdue=true')], [true, true]);
  await post(`${path}/${id}/pause`, {});
  assert.deepEqual(
    [await overdue(`${path}/overdue`), await overdue(`${path}/?overdue=true`), await overdue('/api/v1/tasks?overdue=true')],
    [false, false, false],
  );
  assert.equal(await overdue(`${path}/?overdue=false`), true);
  const dueDate = '2030-06-01T12:00:00.000Z';
  assert.equal((await chancery.call('PUT', `${path}/${id}`, { token: owner.token, body: { dueDate } })).body.dueDate, dueDate);
  await post(`${path}/${id}/resume`);
  assert.equal((await read(id)).dueDate, dueDate);
});

test('a workflow and its tasks without a due date have none after a pause', async () => {
  const id = await started([{ id: 'a', type: 'task' }]);
  await post(`${path}/${id}/pause`, {});
  await post(`${path}/${id}/resume`);
  assert.equal((await read(id)).dueDate, undefined);
  const [task] = (await chancery.call('GET', `/api/v1/tasks?workflowId=${id}`, { token: owner.token })).body;
  assert.deepEqual([task.status, task.dueDate], ['open', undefined]);
});

test('a due date at the end of the year 9999 stays valid', async () => {
  const id = await started([{ id: 'a', type: 'task' }], owner, { dueDate: '9999-12-31T23:59:59.999Z' });
  await post(`${path}/${id}/pause`, {});
  await chancery.pool.query("UPDATE workflow SET paused_at = paused_at - interval '1 year' WHERE id = $1", [id]);
  await post(`${path}/${id}/resume`);
  const { dueDate } = await read(id);
  assert.equal(dueDate, '9999-12-31T23:59:59.999Z');
  assert.equal((await chancery.call('PUT', `${path}/${id}`, { token: owner.token, body: { dueDate } })).status, 200);
});

test('a wait of an older version with a time out of range causes no error', async () => {
  const id = await waiting('Fine');
  const other = await waiting('Fine');
  await chancery.pool.query(
    `UPDATE workflow_step SET config = '{"until": "0000-01-01T00:00:00Z"}', position = 2 WHERE workflow_id = $1 AND id = 'wait'`,
    [id],
  );
  await chancery.pool.query("UPDATE workflow_step SET wake_at = '0044-03-15 BC' WHERE workflow_id = $1 AND id = 'wait'", [id]);
  assert.deepEqual(await runTimers(chancery, inMinutes(2)), []);
  assert.equal((await read(other)).steps[0].status, 'completed');
  assert.equal((await read(id)).status, 'active');
});

test('a workflow of an API client starts only if each step has an assignee', async () => {
  const client = await chancery.client(owner);
  const as = (method: string, to: string, body?: unknown) =>
    chancery.call(method, to, { token: client.token, ...(body === undefined ? {} : { body }) });
  const steps = [
    { id: 'wait', type: 'wait', config: { minutes: 1 } },
    { id: 'then', type: 'task' },
  ];
  const { body } = await as('POST', `${path}/`, { name: 'W', documentId: 'X', steps });
  const refused = await as('POST', `${path}/${body.id}/start`);
  assert.deepEqual([refused.status, refused.body.code, refused.body.errors[0].pointer], [422, 'assignee_required', '/steps/1/assignees']);
  assert.equal((await as('PUT', `${path}/${body.id}`, { assignedTo: owner.id })).status, 200);
  assert.equal((await as('POST', `${path}/${body.id}/start`)).status, 200);
  assert.equal((await as('PUT', `${path}/${body.id}`, { assignedTo: null })).body.code, 'assignee_required');
  assert.deepEqual(await runTimers(chancery, inMinutes(2)), []);
  assert.equal((await chancery.call('GET', `/api/v1/tasks?workflowId=${body.id}`, { token: owner.token })).body[0].assignedTo, owner.id);
});

test('an older workflow of a client continues with the owner', async () => {
  const id = await waiting('Fine');
  await chancery.pool.query("UPDATE workflow SET created_by = $2, created_by_type = 'client' WHERE id = $1", [id, randomUUIDv7()]);
  assert.deepEqual(await runTimers(chancery, inMinutes(2)), []);
  assert.equal((await chancery.call('GET', `/api/v1/tasks?workflowId=${id}`, { token: owner.token })).body[0].assignedTo, owner.id);
});

test('the timers of a suspended team stop until it is restored; those of a closed team stop permanently', async () => {
  const { owner: theirs, id } = await chancery.team();
  const wait = await waiting('Later', theirs);
  const due = { title: 'Due', assignedTo: theirs.id, dueDate: '2020-01-01' };
  const task = (await post('/api/v1/tasks/', due, theirs)).body.id;
  const flow = await started([{ id: 'a', type: 'task' }], theirs, { dueDate: '2020-01-01' });
  const assigner = await chancery.user(id);
  const daily = { taskAssigned: 'daily' };
  assert.equal(
    (await chancery.call('PUT', '/api/v1/security/auth/profile/notifications', { token: theirs.token, body: daily })).status,
    200,
  );
  await post('/api/v1/tasks/', { title: 'Daily mail task', assignedTo: theirs.id }, assigner);
  const done = async () => [
    (await chancery.pool.query("SELECT status FROM workflow_step WHERE workflow_id = $1 AND id = 'wait'", [wait])).rows[0].status,
    (await entries(task, 'task.overdue')).length,
    (await entries(flow, 'workflow.overdue')).length,
    Number((await chancery.pool.query('SELECT count(*) AS n FROM task_digest WHERE team_id = $1', [id])).rows[0].n),
  ];
  const setTeamStatus = (status: string) => chancery.pool.query('UPDATE team SET status = $2 WHERE team_id = $1', [id, status]);
  for (const status of ['suspended', 'closed']) {
    await setTeamStatus(status);
    assert.deepEqual(await runTimers(chancery, inMinutes(2_000)), []);
    assert.deepEqual(await done(), ['active', 0, 0, 1], status);
  }
  await setTeamStatus('active');
  assert.deepEqual(await runTimers(chancery, inMinutes(2_000)), []);
  assert.deepEqual(await done(), ['completed', 1, 1, 0]);
});
