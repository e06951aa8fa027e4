import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type Asker, asking, file } from '../../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { callTool, mcpToken } from '../../../../test/mcp.ts';
import { mailsTo } from '../../../../test/people.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';

const path = '/api/v1/tasks/delegations';
const workflows = '/api/v1/workflows';
const dayMs = 86_400_000;
let chancery: Chancery;

before(async () => {
  chancery = await sharedChancery('all');
});

const { call, made, status } = asking(() => chancery);
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const away = (by: Asker, who: User | 'me', to: User, more: object = {}) =>
  made(by, 'PUT', `${path}/${who === 'me' ? who : who.id}`, { toUserId: to.id, until: inDays(10), ...more });
async function started(by: Asker, steps: object[], documentId = 'DMS-1'): Promise<any> {
  const { id } = await made(by, 'POST', `${workflows}/`, { name: 'W', documentId, steps });
  return made(by, 'POST', `${workflows}/${id}/start`);
}
const tasksOf = async (by: Asker, flow: { id: string }): Promise<any[]> => made(by, 'GET', `/api/v1/tasks?workflowId=${flow.id}`);
const assignees = async (by: Asker, flow: { id: string }) => (await tasksOf(by, flow)).map(({ assignedTo }) => assignedTo).toSorted();
const approval = (...people: User[]) => ({ id: 'approval', type: 'approval', assignees: people.map(({ id }) => id) });
const entriesOf = async (target: string, type: string) =>
  (await chancery.pool.query('SELECT data, actor_id FROM audit_entry WHERE target_id = $1 AND type = $2 ORDER BY id', [target, type])).rows;

type World = { team: TestTeam; owner: User; anna: User; ben: User; carl: User };
async function world(): Promise<World> {
  const team = await chancery.team();
  const [anna, ben, carl] = [
    await chancery.user(team, { firstName: 'Anna' }),
    await chancery.user(team, { firstName: 'Ben' }),
    await chancery.user(team, { firstName: 'Carl' }),
  ];
  return { team, owner: team.owner, anna, ben, carl };
}

test('new tasks of an absent member go to the delegate, and approvals name both in every response, event and journal entry', async () => {
  const { owner, anna, ben, carl } = await world();
  const set = await away(anna, 'me', ben, { kinds: ['approval', 'task'] });
  assert.deepEqual([set.userId, set.toUserId, set.givenBy, set.openTasks], [anna.id, ben.id, anna.id, false]);
  const [{ data }] = await entriesOf(anna.id, 'task.delegation_set');
  assert.match(`${data.name} / ${data.toName}`, /^Anna .* \/ Ben /);
  await eventually('Ben gets a mail', async () =>
    (await mailsTo(chancery, ben.email)).some(({ subject }) => /You are the delegate of Anna/.test(subject)),
  );
  const document = await made(owner, 'POST', '/api/v1/smartdoc/documents/', file());
  const flow = await started(owner, [approval(anna), { id: 'look', type: 'review', dependsOn: [], assignees: [anna.id] }], document.id);
  const task = (await tasksOf(owner, flow)).find(({ type }) => type === 'approval');
  assert.deepEqual([task.assignedTo, task.onBehalfOf, task.delegatedFrom], [ben.id, anna.id, anna.id]);
  assert.equal(
    (await tasksOf(owner, flow)).find(({ type }) => type === 'review').assignedTo,
    anna.id,
    'only the given kinds are delegated',
  );
  // The absent member sees the task, and the delegate can read its document.
  assert.equal((await made(anna, 'GET', `/api/v1/tasks/${task.id}`)).onBehalfOf, anna.id);
  await made(ben, 'GET', `/api/v1/smartdoc/documents/${document.id}`);
  assert.equal(await status(carl, 'GET', `/api/v1/tasks/${task.id}`), 404);
  await made(ben, 'POST', `/api/v1/tasks/${task.id}/complete`, { outcome: 'approved' });
  const history = await made(owner, 'GET', `${workflows}/${flow.id}/history`);
  const ended = history.find(({ type, stepId }: any) => type === 'workflow.step.completed' && stepId === 'approval');
  assert.deepEqual([ended.completedBy, ended.onBehalfOf], [ben.id, anna.id]);
  const [{ data: said }] = await entriesOf(task.id, 'task.completed');
  assert.deepEqual([said.completedBy, said.onBehalfOf, said.documentVersion], [ben.id, anna.id, 1]);
  // A task from a person is delegated too. A task that the delegate created is not.
  assert.equal((await made(owner, 'POST', '/api/v1/tasks/', { title: 'T', assignedTo: anna.id })).assignedTo, ben.id);
  assert.equal((await made(ben, 'POST', '/api/v1/tasks/', { title: 'T', assignedTo: anna.id })).assignedTo, anna.id);
});

test('no task goes to an ineligible delegate: creator, uploader, other decider of the step or viewer; delegation is one hop', async () => {
  const { team, owner, anna, ben, carl } = await world();
  await away(anna, 'me', ben);
  assert.deepEqual(await assignees(owner, await started(ben, [approval(anna)])), [anna.id], 'the creator');
  const uploaded = await made(ben, 'POST', '/api/v1/smartdoc/documents/', file());
  await made(ben, 'POST', `/api/v1/smartdoc/documents/${uploaded.id}/access`, { userId: owner.id, access: 'write' });
  const flow = await started(owner, [approval(anna)], uploaded.id);
  assert.deepEqual(await assignees(owner, flow), [anna.id], 'the uploader of the version');
  assert.deepEqual(await assignees(owner, await started(owner, [approval(anna, ben)])), [anna.id, ben.id].toSorted(), 'a co-assignee');
  // Two absent members have the same delegate, who gets only one of the two tasks.
  await away(carl, 'me', ben);
  const both = await started(owner, [approval(anna, carl)]);
  const tasks = await tasksOf(owner, both);
  assert.deepEqual(tasks.filter(({ assignedTo }) => assignedTo === ben.id).length, 1);
  assert.ok(tasks.some(({ assignedTo }) => assignedTo === anna.id || assignedTo === carl.id));
  // The delegate is absent too and still gets the tasks.
  const dora = await chancery.user(team);
  await away(ben, 'me', dora);
  assert.deepEqual(await assignees(owner, await started(owner, [approval(anna)])), [ben.id]);
  const viewer = await chancery.user(team, { role: 'viewer' });
  await away(dora, 'me', viewer);
  assert.deepEqual(await assignees(owner, await started(owner, [approval(dora)])), [dora.id], 'a viewer makes no decisions');
});

test('a delegation begins and ends at its times, and moves open tasks on request, also during concurrent completions', async () => {
  const { owner, anna, ben } = await world();
  const flows = await Promise.all(Array.from({ length: 6 }, () => started(owner, [approval(anna)])));
  const [own] = [await started(ben, [approval(anna)])];
  const later = await away(anna, 'me', ben, { from: inDays(1), until: inDays(3), openTasks: true });
  assert.ok(Date.parse(later.from) > Date.now());
  assert.deepEqual(await assignees(owner, await started(owner, [approval(anna)])), [anna.id], 'not yet');
  // Concurrent completions: each task ends once, by Anna or by Ben.
  const answers = await Promise.all([
    away(anna, 'me', ben, { openTasks: true }),
    ...flows.slice(0, 3).map(async (flow) => {
      const [task] = await tasksOf(owner, flow);
      return call(anna, 'POST', `/api/v1/tasks/${task.id}/complete`, { outcome: 'approved' });
    }),
  ]);
  assert.ok(answers.slice(1).every(({ status: code }: any) => [200, 403].includes(code)));
  await eventually('the open tasks are assigned to Ben', async () =>
    (await Promise.all(flows.map((flow) => tasksOf(owner, flow))))
      .flat()
      .every(({ status: state, assignedTo }) => state === 'completed' || assignedTo === ben.id),
  );
  assert.deepEqual(await assignees(owner, own), [anna.id], 'the workflow that Ben created stays with Anna');
  // Anna takes one task back.
  const [last] = await tasksOf(owner, flows[5]);
  assert.equal((await made(anna, 'POST', `/api/v1/tasks/${last.id}/reassign`, { userId: anna.id })).onBehalfOf, undefined);
  await away(anna, 'me', ben, { until: inDays(1.5 / 86_400) });
  await eventually('the delegation ends automatically', async () =>
    (await entriesOf(anna.id, 'task.delegation_ended')).some(({ data }) => data.reason === 'over'),
  );
  assert.deepEqual(await assignees(owner, await started(owner, [approval(anna)])), [anna.id]);
  assert.equal(await status(anna, 'GET', `${path}/me`), 404);
});

test('both members and team managers see a delegation; it has limits, and ends when revoked or when a member leaves', async () => {
  const { team, owner, anna, ben, carl } = await world();
  await away(owner, anna, ben);
  assert.deepEqual(
    (await made(ben, 'GET', path)).map(({ userId }: any) => userId),
    [anna.id],
  );
  assert.deepEqual([await status(carl, 'GET', `${path}/${anna.id}`), await made(carl, 'GET', path)], [404, []]);
  assert.equal(await status(ben, 'PUT', `${path}/${carl.id}`, { toUserId: ben.id, until: inDays(1) }), 403);
  assert.equal(await status(ben, 'DELETE', `${path}/${anna.id}`), 403);
  await chancery.pool.query("UPDATE person SET timezone = 'Asia/Tokyo' WHERE id = $1", [anna.id]);
  await away(owner, anna, ben);
  const times = / from \w+ \d+, \d{4} at \d\d:\d\d [AP]M GMT\+9 to \w+ \d+, \d{4} at \d\d:\d\d [AP]M GMT\+9\./;
  await eventually('Anna gets a mail with times in her time zone', async () =>
    (await mailsTo(chancery, anna.email)).some(({ subject, text }) => /is your delegate/.test(subject) && times.test(text)),
  );
  for (const [body, name] of [
    [{ toUserId: anna.id, until: inDays(1) }, 'toUserId'],
    [{ toUserId: ben.id, until: inDays(91) }, 'until'],
    [{ toUserId: ben.id, until: inDays(-1) }, 'until'],
    [{ toUserId: ben.id, from: inDays(366), until: inDays(367) }, 'from'],
  ] as const)
    assert.equal((await call(anna, 'PUT', `${path}/me`, body)).body.errors[0].name, name);
  assert.equal((await call(anna, 'PUT', `${path}/me`, { toUserId: team.id, until: inDays(1) })).body.code, 'assignee_not_found');
  assert.equal(await status(anna, 'DELETE', `${path}/me`), 204);
  assert.deepEqual(await assignees(owner, await started(owner, [approval(anna)])), [anna.id]);
  await away(anna, 'me', ben);
  await away(carl, 'me', anna);
  await made(owner, 'PATCH', `/api/v1/team/members/${ben.id}`, { isActive: false });
  assert.deepEqual(
    (await made(owner, 'GET', path)).map(({ userId }: any) => userId),
    [carl.id],
  );
  await away(anna, 'me', carl);
  await made(owner, 'DELETE', `/api/v1/team/members/${anna.id}`);
  assert.deepEqual(await made(owner, 'GET', path), []);
  const reasons = (await entriesOf(anna.id, 'task.delegation_ended')).map(({ data }) => data.reason);
  assert.deepEqual(reasons, ['revoked', 'suspended', 'removed']);

  // The delegations that an administrator set for others end with that role. Their own delegation stays.
  const others = [await chancery.user(team, { role: 'admin' }), await chancery.user(team, { role: 'admin' })];
  for (const admin of others) {
    await away(admin, owner, admin === others[0] ? admin : carl);
    await away(admin, 'me', carl);
    if (admin === others[0]) await made(owner, 'PATCH', `/api/v1/team/members/${admin.id}`, { role: 'member' });
    else await made(owner, 'PATCH', `/api/v1/team/members/${admin.id}`, { isActive: false });
    assert.deepEqual(await assignees(carl, await started(carl, [approval(owner)])), [owner.id]);
  }
  const lost = (await entriesOf(owner.id, 'task.delegation_ended')).map(({ data }) => data.reason);
  assert.deepEqual(lost, ['right_lost', 'right_lost']);
  assert.deepEqual(
    (await made(owner, 'GET', path)).map(({ userId }: any) => userId),
    [others[0]?.id],
  );
});

test('the absent member gets a mail about the end of the delegation, unless they ended it or it expired', async () => {
  const { team, owner, anna, ben, carl } = await world();
  const admin = await chancery.user(team, { role: 'admin', firstName: 'Admin' });
  const endMails = async (who: User) =>
    (await mailsTo(chancery, who.email)).filter(({ subject }) => subject.endsWith(' is no longer your delegate'));
  const receivesEndMails = (who: User, times: number) => eventually(`${times} mails`, async () => (await endMails(who)).length === times);
  await away(admin, anna, ben);
  await made(owner, 'PATCH', `/api/v1/team/members/${admin.id}`, { role: 'member' });
  await receivesEndMails(anna, 1);
  await away(anna, 'me', ben);
  await made(owner, 'DELETE', `${path}/${anna.id}`);
  await receivesEndMails(anna, 2);
  await away(anna, 'me', ben);
  await away(anna, 'me', carl);
  await made(anna, 'DELETE', `${path}/me`);
  await away(anna, 'me', ben);
  await made(owner, 'DELETE', `/api/v1/team/members/${ben.id}`);
  await receivesEndMails(anna, 3);
  assert.deepEqual(await endMails(ben), [], 'the delegate gets a different mail');
});

test('repeated and concurrent changes of a delegation leave exactly two jobs, for its start and its end', async () => {
  const { team, anna, ben, carl } = await world();
  for (let n = 0; n < 5; n += 1) await away(anna, 'me', n % 2 === 0 ? ben : carl, { from: inDays(100 + n), until: inDays(120) });
  await made(anna, 'DELETE', `${path}/me`);
  await Promise.all(Array.from({ length: 20 }, (_, n) => away(anna, 'me', ben, { from: inDays(200), until: inDays(220 + n) })));
  const { until } = await made(anna, 'GET', `${path}/me`);
  const { rows } = await chancery.pool.query(
    "SELECT name, due_at FROM job WHERE team_id = $1 AND name LIKE 'task-delegation-%' ORDER BY name",
    [team.id],
  );
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['task-delegation-begin', 'task-delegation-end'],
  );
  assert.equal(rows[1].due_at.toISOString(), until, 'the last end applies');
});

test('a delegate who leaves while tasks are delegated to them keeps none', async () => {
  const { owner, anna, ben } = await world();
  await away(anna, 'me', ben);
  const [, ...flows] = await Promise.all([
    made(owner, 'DELETE', `/api/v1/team/members/${ben.id}`),
    ...Array.from({ length: 20 }, () => started(owner, [approval(anna)])),
  ]);
  const open = (await Promise.all(flows.map((flow) => tasksOf(owner, flow)))).flat();
  assert.equal(open.length, 20);
  assert.deepEqual(
    open.filter(({ assignedTo }) => assignedTo === ben.id),
    [],
  );
});

test('open tasks about a document behind a barrier do not go to an excluded delegate, even if the task names no document', async () => {
  const { owner, anna, ben, carl } = await world();
  const { id, folder } = await asking(() => chancery).documentOf(owner);
  await made(owner, 'POST', `/api/v1/smartdoc/folders/${folder}/shares`, { userId: carl.id, access: 'write' });
  const one = (name: string, more: object = {}) => ({ id: name, type: 'task', assignees: [anna.id], ...more });
  // A barrier excludes the creator before the second step begins, and its task does not name a document.
  const flow = await started(carl, [one('first'), one('second', { dependsOn: ['first'] })], id);
  await made(owner, 'PUT', `/api/v1/smartdoc/folders/${folder}/barrier`, { userIds: [anna.id] });
  await made(anna, 'POST', `/api/v1/tasks/${flow.steps[0].taskIds[0]}/complete`, {});
  const given = async (members: object) =>
    (await made(owner, 'POST', '/api/v1/tasks/', { title: 'T', assignedTo: anna.id, ...members })).id;
  const named = await given({ documentId: id });
  const plain = await given({});
  const unnamed = (await tasksOf(owner, flow)).find(({ stepId }) => stepId === 'second').id;
  await away(anna, 'me', ben, { openTasks: true });
  const assigneeOf = async (task: string) => (await made(owner, 'GET', `/api/v1/tasks/${task}`)).assignedTo;
  await eventually('a task without a barrier goes to the delegate', async () => (await assigneeOf(plain)) === ben.id);
  assert.deepEqual([await assigneeOf(named), await assigneeOf(unnamed)], [anna.id, anna.id]);
});

test('an open vote about a tool call stays with its candidate when a delegation begins, unlike another open task', async () => {
  const { owner, anna, ben, carl } = await world();
  const need = [{ count: 2, from: [`user:${anna.id}`, `user:${carl.id}`] }];
  const { name } = await made(owner, 'POST', '/api/v1/approval-policies/', {
    name: `policy-${randomUUIDv7()}`,
    rules: [{ id: 'two', need }],
  });
  const client = await chancery.client(owner, ['tasks:read', 'tasks:write']);
  await made(owner, 'PATCH', `/api/v1/security/clients/${client.id}`, { approvalPolicy: name });
  const requested = await callTool(chancery, await mcpToken(chancery, client), 'create_task', { title: 'From the client' });
  const { candidates } = await made(owner, 'GET', `/api/v1/approvals/${requested.value.approvalId}`);
  const vote = candidates.find(({ userId }: any) => userId === anna.id).taskId;
  const other = await made(owner, 'POST', '/api/v1/tasks/', { title: 'Later', assignedTo: anna.id });
  await away(anna, 'me', ben, { openTasks: true });
  const assigneeOf = async (id: string) => (await made(anna, 'GET', `/api/v1/tasks/${id}`)).assignedTo;
  await eventually('the later task goes to the delegate', async () => (await assigneeOf(other.id)) === ben.id);
  assert.equal(await assigneeOf(vote), anna.id);
});
