import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Asker, asking, file } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';

/* Decisions of a member who leaves: they never go to an ineligible member, and two votes never become one. */

const path = '/api/v1/workflows';
let chancery: Chancery;

before(async () => {
  chancery = await sharedChancery();
});

const { call, made, documentOf } = asking(() => chancery);
async function started(by: Asker, steps: object[], more: object = {}): Promise<string> {
  const flow = await made(by, 'POST', `${path}/`, { name: 'W', documentId: 'DMS-1', steps, ...more });
  await made(by, 'POST', `${path}/${flow.id}/start`);
  return flow.id;
}
const approval = (...assignees: User[]) => ({ id: 'approve', type: 'approval', assignees: assignees.map(({ id }) => id) });
const openTasks = (by: Asker, flow: string): Promise<any[]> => made(by, 'GET', `/api/v1/tasks?workflowId=${flow}&status=open`);
const remove = (by: Asker, leaver: User, successor?: User) =>
  made(by, 'DELETE', `/api/v1/team/members/${leaver.id}${successor ? `?successorId=${successor.id}` : ''}`);
async function uploaded(by: Asker): Promise<string> {
  return (await made(by, 'POST', '/api/v1/smartdoc/documents/', file())).id;
}
const entries = async (target: string) =>
  (
    await chancery.pool.query("SELECT type, data FROM audit_entry WHERE target_id = $1 AND type LIKE 'task.%assigned' ORDER BY id", [
      target,
    ])
  ).rows;
/** A team with a member who leaves. Only its owner manages it. */
async function teamWithLeaver(): Promise<{ team: TestTeam; owner: User; leaver: User }> {
  const team = await chancery.team();
  return { team, owner: team.owner, leaver: await chancery.user(team) };
}

test('a decision goes to the successor, or to another team manager if the successor is its creator or uploader', async () => {
  const { team, owner, leaver } = await teamWithLeaver();
  const [admin, creator] = [await chancery.user(team, { role: 'admin' }), await chancery.user(team)];
  const document = await uploaded(owner);
  const flows = {
    byMember: await started(creator, [approval(leaver)]),
    byOwner: await started(owner, [approval(leaver)]),
    onOwners: await started(admin, [approval(leaver)], { documentId: document }),
    byClient: await started(await chancery.client(owner), [approval(leaver)]),
  };
  await made(owner, 'POST', '/api/v1/tasks', { title: 'T', assignedTo: leaver.id });
  await remove(owner, leaver);
  const assignees = await Promise.all(Object.values(flows).map(async (flow) => (await openTasks(owner, flow))[0].assignedTo));
  assert.deepEqual(assignees, [owner.id, admin.id, undefined, admin.id]);
  assert.equal((await made(owner, 'GET', '/api/v1/tasks?assignedTo=me&status=open')).length, 2, 'other tasks go to the successor');
});

test('a decision without an eligible successor has no assignee, sends a mail, and team managers can reassign it', async () => {
  const { team, owner, leaver } = await teamWithLeaver();
  const colleague = await chancery.user(team);
  const document = await uploaded(owner);
  const flow = await started(owner, [approval(leaver)], { documentId: document });
  await remove(owner, leaver);
  const [task] = await openTasks(owner, flow);
  assert.equal(task.assignedTo, undefined);
  for (const by of [owner, colleague])
    assert.ok([403, 404].includes((await call(by, 'POST', `/api/v1/tasks/${task.id}/complete`, { outcome: 'approved' })).status));
  const [entry] = await entries(task.id);
  assert.deepEqual(
    [entry.type, entry.data.assignedFrom, entry.data.changes],
    ['task.unassigned', leaver.id, { assignedTo: { from: leaver.id } }],
  );
  const { rows } = await chancery.pool.query(
    "SELECT recipient, text_body FROM mail_message WHERE subject = 'Tasks have no assignee' AND recipient = $1",
    [owner.email],
  );
  assert.equal(rows.length, 1);
  assert.match(rows[0].text_body, /W: approve/);
  assert.equal((await call(owner, 'POST', `/api/v1/tasks/${task.id}/reassign`, { userId: owner.id })).status, 403);
  await made(owner, 'POST', `/api/v1/tasks/${task.id}/reassign`, { userId: colleague.id });
  assert.equal((await call(colleague, 'GET', `/api/v1/smartdoc/documents/${document}`)).status, 200, 'with access to its document');
  await made(colleague, 'POST', `/api/v1/tasks/${task.id}/complete`, { outcome: 'approved' });
  assert.equal((await made(owner, 'GET', `${path}/${flow}`)).status, 'completed');
});

test('the same applies to pending steps, steps without assignees and restarted steps', async () => {
  const { team, owner, leaver } = await teamWithLeaver();
  const colleague = await chancery.user(team);
  const first = { id: 'first', type: 'task', assignees: [colleague.id] };
  const named = await started(owner, [first, approval(leaver), { id: 'file', type: 'task', assignees: [leaver.id] }]);
  const unnamed = await started(owner, [first, { ...approval(), config: { onReject: 'first' } }], { assignedTo: leaver.id });
  await remove(owner, leaver);
  for (const flow of [named, unnamed]) {
    const [task] = await openTasks(owner, flow);
    await made(colleague, 'POST', `/api/v1/tasks/${task.id}/complete`, {});
    const [decision] = await openTasks(owner, flow);
    assert.deepEqual([decision.type, decision.assignedTo], ['approval', undefined]);
    assert.deepEqual(
      (await entries(decision.id)).map(({ type }) => type),
      ['task.unassigned'],
    );
  }
  assert.deepEqual((await made(owner, 'GET', `${path}/${named}`)).steps[2].assignees, [owner.id]);
  const [decision] = await openTasks(owner, unnamed);
  await made(owner, 'POST', `/api/v1/tasks/${decision.id}/reassign`, { userId: colleague.id });
  await made(colleague, 'POST', `/api/v1/tasks/${decision.id}/complete`, { outcome: 'rejected' });
  await made(colleague, 'POST', `/api/v1/tasks/${(await openTasks(owner, unnamed))[0].id}/complete`, {});
  assert.equal((await openTasks(owner, unnamed))[0].assignedTo, undefined);
});

test('a decision of two persons keeps two persons: no member gets a second vote', async () => {
  const { team, owner, leaver } = await teamWithLeaver();
  const [admin, creator] = [await chancery.user(team, { role: 'admin' }), await chancery.user(team)];
  const first = { id: 'first', type: 'task', assignees: [creator.id] };
  const open = await started(creator, [approval(leaver, admin)]);
  const later = await started(creator, [first, approval(leaver, admin)]);
  const none = await started(creator, [approval(leaver, admin, owner)]);
  await remove(owner, leaver, admin);
  const assigneesOf = async (flow: string) => (await openTasks(owner, flow)).map(({ assignedTo }) => assignedTo ?? 'nobody').toSorted();
  assert.deepEqual(await assigneesOf(open), [admin.id, owner.id].toSorted());
  assert.deepEqual(await assigneesOf(none), [admin.id, owner.id, 'nobody'].toSorted());
  const step = (await made(creator, 'GET', `${path}/${later}`)).steps[1];
  assert.deepEqual(step.assignees.toSorted(), [admin.id, owner.id].toSorted());
});

test('tasks behind a barrier go to no excluded member, and have no assignee without a member inside', async () => {
  const { team, owner, leaver } = await teamWithLeaver();
  const [creator, admin] = [await chancery.user(team), await chancery.user(team, { role: 'admin' })];
  const { id, folder } = await documentOf(creator);
  await made(creator, 'PUT', `/api/v1/smartdoc/folders/${folder}/barrier`, { userIds: [leaver.id, admin.id] });
  const flow = await started(creator, [approval(leaver)], { documentId: id });
  await remove(owner, leaver);
  assert.equal((await openTasks(creator, flow))[0].assignedTo, admin.id, 'not to the owner, who is the successor');
  await remove(owner, admin);
  assert.equal((await openTasks(creator, flow))[0].assignedTo, undefined, 'it has no assignee');
  // The same applies to other tasks, and to later steps of the workflow.
  const [last, inside] = [await chancery.user(team), await chancery.user(team)];
  await made(creator, 'PUT', `/api/v1/smartdoc/folders/${folder}/barrier`, { userIds: [last.id, inside.id] });
  const steps = [
    { id: 'now', type: 'task', assignees: [last.id] },
    { id: 'later', type: 'task' },
  ];
  const plain = await started(creator, steps, { documentId: id, assignedTo: last.id });
  const goesOn = await started(creator, [{ id: 'now', type: 'task', assignees: [inside.id] }, steps[1] as object], { documentId: id });
  await remove(owner, last);
  await remove(owner, creator);
  const [assigned] = await openTasks(inside, goesOn);
  await made(inside, 'POST', `/api/v1/tasks/${assigned.id}/complete`, {});
  const unassigned = async (of: string) =>
    (await chancery.pool.query("SELECT step_id FROM task WHERE workflow_id = $1 AND status = 'open' AND assigned_to IS NULL", [of])).rows;
  assert.deepEqual(await unassigned(goesOn), [{ step_id: 'later' }], 'a step without assignees');
  assert.deepEqual(await unassigned(plain), [{ step_id: 'now' }]);
  const { rows } = await chancery.pool.query('SELECT assigned_to FROM workflow WHERE id = $1', [plain]);
  assert.deepEqual(rows, [{ assigned_to: null }]);
});

test('a member with emergency access gets no task automatically: as successor, as delegate or by a role', async () => {
  const { team, owner, leaver } = await teamWithLeaver();
  const [creator, absent] = [await chancery.user(team), await chancery.user(team)];
  const [reads, inside] = [await chancery.user(team, { role: 'admin' }), await chancery.user(team, { role: 'admin' })];
  const { id, folder } = await documentOf(creator);
  const barrier = `/api/v1/smartdoc/folders/${folder}/barrier`;
  await made(creator, 'PUT', barrier, { userIds: [leaver.id, absent.id, inside.id] });
  const request = await made(reads, 'POST', `/api/v1/barriers/${folder}/emergency-access`, { reason: 'An audit' });
  await made(creator, 'POST', `/api/v1/barriers/${folder}/emergency-access/${request.id}/approve`);
  await made(reads, 'GET', `/api/v1/smartdoc/documents/${id}`);
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await made(absent, 'PUT', '/api/v1/tasks/delegations/me', { toUserId: reads.id, until });
  const steps = [
    { id: 'left', type: 'task', assignees: [leaver.id] },
    { id: 'away', type: 'task', assignees: [absent.id], dependsOn: [] },
    { id: 'role', type: 'task', assignees: ['role:admin'], dependsOn: [] },
  ];
  const flow = await started(creator, steps, { documentId: id });
  await remove(owner, leaver, reads);
  const given = (await openTasks(inside, flow)).map(({ stepId, assignedTo }) => [stepId, assignedTo]);
  assert.deepEqual(Object.fromEntries(given), { left: inside.id, away: absent.id, role: inside.id });
});

test('tasks stay inside a barrier that excludes the creator of the workflow: no excluded delegate, successor or assignee gets them', async () => {
  const { team, owner, leaver } = await teamWithLeaver();
  const [creator, admin] = [await chancery.user(team), await chancery.user(team, { role: 'admin' })];
  const [successor, late] = [await chancery.user(team), await chancery.user(team)];
  const { id, folder } = await documentOf(owner);
  const shares = `/api/v1/smartdoc/folders/${folder}/shares`;
  await made(owner, 'POST', shares, { userId: creator.id, access: 'write' });
  for (const user of [leaver, late]) await made(owner, 'POST', shares, { userId: user.id, access: 'read' });
  const plain = (name: string, ...assignees: User[]) => ({ id: name, name, type: 'task', assignees: assignees.map((one) => one.id) });
  const later = { dependsOn: ['first'] };
  const steps = [plain('first', leaver), { ...plain('second', leaver), ...later }, { ...plain('free'), ...later }];
  const flow = await started(creator, steps, { documentId: id, assignedTo: successor.id });
  const barrier = `/api/v1/smartdoc/folders/${folder}/barrier`;
  await made(owner, 'PUT', barrier, { userIds: [leaver.id, late.id] });
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await made(leaver, 'PUT', '/api/v1/tasks/delegations/me', { toUserId: successor.id, until });
  const [first] = await openTasks(leaver, flow);
  await made(leaver, 'POST', `/api/v1/tasks/${first.id}/complete`, {});
  const given = async () => Object.fromEntries((await openTasks(owner, flow)).map(({ stepId, assignedTo }) => [stepId, assignedTo]));
  assert.deepEqual(
    await given(),
    { second: leaver.id, free: owner.id },
    'to no excluded member: delegate, assignee of the workflow, creator',
  );
  assert.ok(!JSON.stringify(await made(successor, 'GET', '/api/v1/tasks')).includes('second'));
  // Emergency access does not make an excluded member eligible either.
  const request = await made(admin, 'POST', `/api/v1/barriers/${folder}/emergency-access`, { reason: 'An audit' });
  await made(owner, 'POST', `/api/v1/barriers/${folder}/emergency-access/${request.id}/approve`);
  const second = (await openTasks(owner, flow)).find(({ stepId }) => stepId === 'second');
  const passed = await call(admin, 'POST', `/api/v1/tasks/${second.id}/reassign`, { userId: successor.id });
  assert.equal(passed.status, 403);
  await remove(owner, leaver, admin);
  assert.equal((await given()).second, owner.id, 'not to the successor, who has emergency access, but to the owner');
});

test('a viewer as successor gets only tasks that viewers complete; the rest goes to team managers', async () => {
  const { team, owner, leaver } = await teamWithLeaver();
  const [viewer, creator] = [await chancery.user(team, { role: 'viewer' }), await chancery.user(team)];
  const steps = ['task', 'form', 'approval'].map((type) => ({ id: type, type, assignees: [leaver.id], dependsOn: [] }));
  const flow = await started(creator, steps);
  await remove(owner, leaver, viewer);
  const tasks = await openTasks(owner, flow);
  assert.deepEqual(tasks.map(({ type, assignedTo }) => [type, assignedTo]).toSorted(), [
    ['approval', owner.id],
    ['form', owner.id],
    ['task', viewer.id],
  ]);
});

test('a reassignment gives no member a second vote in a decision', async () => {
  const team = await chancery.team();
  const { owner } = team;
  const [creator, a, b, c] = (await Promise.all(Array.from({ length: 4 }, () => chancery.user(team)))) as [User, User, User, User];
  const passed = async (by: Asker, task: { id: string }, to: User) =>
    (await call(by, 'POST', `/api/v1/tasks/${task.id}/reassign`, { userId: to.id })).status;
  for (const [type, end] of [
    ['approval', ['complete', 'approved']],
    ['review', ['complete', 'approved']],
    ['signature', ['signature', 'signed_elsewhere']],
  ] as const) {
    const flow = await started(creator, [{ ...approval(a, b), type }]);
    const tasks = await openTasks(owner, flow);
    const of = (who: User) => tasks.find(({ assignedTo }) => assignedTo === who.id);
    for (const by of [a, owner]) assert.equal(await passed(by, of(a), b), 403);
    const several = await made(a, 'POST', '/api/v1/tasks/reassign', { items: [{ id: of(a).id, userId: b.id }] });
    assert.equal(several.results[0].status, 403);
    const [how, outcome] = end;
    await made(b, 'POST', `/api/v1/tasks/${of(b).id}/${how}`, { outcome });
    assert.equal(await passed(a, of(a), b), 403, 'after b decided');
    assert.equal(await passed(a, of(a), c), 200);
    assert.equal((await made(creator, 'GET', `${path}/${flow}`)).status, 'active');
    await made(c, 'POST', `/api/v1/tasks/${of(a).id}/${how}`, { outcome });
    assert.equal((await made(creator, 'GET', `${path}/${flow}`)).status, 'completed');
  }
  // Other tasks can go to any member, and so can a decision that was requested again.
  const plain = await openTasks(owner, await started(creator, [{ ...approval(a, b), type: 'task' }]));
  assert.equal(await passed(owner, plain[0], plain[1].assignedTo === a.id ? a : b), 200);
  const again = await started(creator, [{ ...approval(a, b), mode: 'any' }]);
  const task = (await openTasks(owner, again)).find(({ assignedTo }) => assignedTo === a.id);
  await made(a, 'POST', `/api/v1/tasks/${task.id}/complete`, { outcome: 'changes_requested' });
  const next = (await openTasks(owner, again)).find(({ assignedTo }) => assignedTo === b.id);
  assert.deepEqual([await passed(b, next, a), await passed(b, next, c)], [403, 200]);
});

test('of two concurrent reassignments of votes to one person, one succeeds', async () => {
  const team = await chancery.team();
  const [creator, a, b, c] = (await Promise.all(Array.from({ length: 4 }, () => chancery.user(team)))) as [User, User, User, User];
  const flow = await started(creator, [approval(a, b)]);
  const tasks = await openTasks(team.owner, flow);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => call(team.owner, 'POST', `/api/v1/tasks/${tasks[n % 2].id}/reassign`, { userId: c.id })),
  );
  for (const { status, text } of answers) assert.ok([200, 403].includes(status), text);
  assert.equal((await openTasks(team.owner, flow)).filter(({ assignedTo }) => assignedTo === c.id).length, 1);
});
