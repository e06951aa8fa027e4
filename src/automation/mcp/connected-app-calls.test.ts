import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { asking } from '../../../test/asking.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { isolationOf } from '../../../test/isolation.ts';
import { callTool, offered } from '../../../test/mcp.ts';
import { mailsTo } from '../../../test/people.ts';
import { authorize, updateConnectedApp, connectedApp, pkce, registerConnectedApp } from '../../../test/connected-apps.ts';
import { endApprovalsOfEnded } from './approval-jobs.ts';

/* What programs that act for a person ask to change. */

let chancery: Chancery;
let team: TestTeam;
let owner: User;
const { call, made } = asking(() => chancery);
const connections = '/api/v1/security/auth/connected-apps';
const tasks = '/api/v1/tasks';

before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off' } });
  team = await chancery.team();
  ({ owner } = team);
});
after(() => chancery.stop());

const decide = (by: User, task: string, outcome: string) => call(by, 'POST', `${tasks}/${task}/complete`, { outcome });
const titled = async (title: string): Promise<any[]> =>
  (await made(owner, 'GET', `${tasks}/?limit=500`)).filter((task: any) => task.title === title);
const rows = async (text: string, values: unknown[] = []): Promise<any[]> => (await chancery.pool.query(text, values)).rows;
const title = () => `Asked ${randomUUIDv7()}`;
const sweep = () => endApprovalsOfEnded({ database: chancery.database, listeners: [], clock: () => new Date() }, isolationOf(chancery));
const creates = (access: string, name: string) => async () =>
  (await callTool(chancery, access, 'create_task', { title: name, description: 'Hidden \u202e' })).value;

test('an app needs the consent of its person for changes, and gets only the scopes to read without it', async () => {
  const client = await registerConnectedApp(chancery);
  const { consentSettings } = await authorize(chancery, client, pkce().challenge, { scope: 'documents:read tasks:write team:write' });
  const shown = await made(owner, 'POST', `${connections}/preview`, { request: consentSettings.request });
  assert.deepEqual([shown.scopes, shown.changes], [['documents:read', 'tasks:read'], ['tasks:write']]);
  const wanted = { scope: 'documents:read tasks:write' };
  const without = await connectedApp(chancery, owner, client, wanted);
  assert.equal(without.scope, 'documents:read tasks:read');
  assert.ok(!(await offered(chancery, without.access)).some(({ name }) => name === 'create_task'));
  const refused = await callTool(chancery, without.access, 'create_task', { title: 'x' });
  assert.deepEqual([refused.answer.status, refused.code], [403, 'insufficient_scope']);
  const changing = await connectedApp(chancery, owner, client, wanted, true);
  assert.equal(changing.scope, 'documents:read tasks:read tasks:write');
  assert.ok((await offered(chancery, changing.access)).some(({ name }) => name === 'create_task'));
  // A viewer cannot allow changes, and a member who became a viewer cannot execute them.
  const viewer = await chancery.user(team, { role: 'viewer' });
  assert.deepEqual((await made(viewer, 'POST', `${connections}/preview`, { request: consentSettings.request })).changes, []);
  assert.equal((await connectedApp(chancery, viewer, client, wanted, true)).scope, 'documents:read tasks:read');
  const member = await chancery.user(team);
  const { access } = await connectedApp(chancery, member, client, wanted, true);
  await chancery.pool.query("UPDATE account SET role = 'viewer' WHERE id = $1", [member.id]);
  assert.equal((await callTool(chancery, access, 'create_task', { title: 'x' })).code, 'connected_app_read_only');
});

test('a change waits for its person only, is requested once for fifty calls, is decided once, and is executed once', async () => {
  const person = await chancery.user(team);
  const { access, id } = await updateConnectedApp(chancery, person);
  const name = title();
  const create = creates(access, name);
  const fifty = () => Promise.all(Array.from({ length: 50 }, create));
  const first = await fifty();
  const [{ taskId, approvalId }] = first;
  assert.ok(first.every((one) => one.status === 'approval_required' && one.approvalId === approvalId));
  const task = await made(person, 'GET', `${tasks}/${taskId}`);
  assert.deepEqual(
    [task.type, task.assignedTo, task.outcomes, task.createdBy, task.createdByType],
    ['tool_approval', person.id, ['approved', 'denied'], person.id, 'user'],
  );
  assert.ok(task.description.includes(name) && task.description.includes('\\u{202e}') && task.description.includes('Assistant'));
  assert.ok((await mailsTo(chancery, person.email)).some(({ text }) => text.includes(taskId)));
  // Other members can neither read the description nor decide.
  assert.equal((await made(owner, 'GET', `${tasks}/${taskId}`)).description, undefined);
  assert.ok(!JSON.stringify(await made(owner, 'GET', `${tasks}/?limit=500`)).includes(name));
  assert.ok(JSON.stringify(await made(person, 'GET', `${tasks}/?limit=500`)).includes(name));
  for (const by of [owner, person]) assert.equal((await call(by, 'POST', `${tasks}/${taskId}/reassign`, { userId: owner.id })).status, 403);
  assert.equal((await decide(owner, taskId, 'approved')).status, 403);
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => decide(person, taskId, n % 2 === 0 ? 'approved' : 'denied')));
  const taken = answers.filter(({ status }) => status === 200);
  assert.equal(taken.length, 1);
  assert.ok(answers.every(({ status, body }) => status === 200 || body.code === 'task_not_open'));
  assert.equal((await made(person, 'GET', `${tasks}/${taskId}`)).description, undefined, 'the description is deleted after the decision');
  const yes = taken[0]?.body.outcome === 'approved';
  const states = (await fifty()).map((one) => (one.title === name ? 'made' : one.status));
  const found = await titled(name);
  if (yes) {
    assert.deepEqual([states.filter((one) => one === 'made').length, new Set(states).size, found.length], [1, 2, 1], states.join(' '));
    assert.deepEqual([found[0].createdBy, found[0].createdByType], [person.id, 'user']);
    assert.deepEqual([(await create()).result.id], [found[0].id]);
  } else assert.deepEqual([new Set(states), found], [new Set(['denied']), []]);
  const journal = await rows(
    "SELECT type, actor_type, actor_id FROM audit_entry WHERE target_id = $1 AND type LIKE 'mcp.approval%' ORDER BY id",
    [id],
  );
  assert.deepEqual(
    journal.map(({ type, actor_type: kind, actor_id: by }) => [type, kind, by]),
    ['mcp.approval_requested', 'mcp.approval_decided'].map((type) => [type, 'user', person.id]),
  );
});

test('an approval is valid for its connection, for the unchanged call, and for the rights of the person at the execution', async () => {
  const person = await chancery.user(team);
  const { access, client } = await updateConnectedApp(chancery, person);
  const about = await made(person, 'POST', `${tasks}/`, { title: 'Talked about', assignedTo: owner.id });
  const comment = async (text: string, by = access) => await callTool(chancery, by, 'comment_on_task', { id: about.id, text });
  const reply = await comment('Yes');
  await decide(person, reply.value.taskId, 'approved');
  const other = await updateConnectedApp(chancery, person, client);
  assert.equal((await comment('Yes', other.access)).value.status, 'approval_required', 'another connection needs its own approval');
  await made(owner, 'POST', `${tasks}/${about.id}/complete`, {});
  const again = await comment('Yes');
  assert.deepEqual([again.value.status, again.value.approvalId === reply.value.approvalId], ['approval_required', false]);
  await decide(person, again.value.taskId, 'approved');
  assert.equal((await comment('Yes')).value.text, 'Yes');
  // A call that the person may no longer read or make is not executed, despite an earlier approval.
  const folder = await made(owner, 'POST', '/api/v1/smartdoc/folders/', { name: title() });
  const form = new FormData();
  form.set('file', new Blob(['text'], { type: 'text/plain' }), 'a.txt');
  form.set('title', 'Shared');
  form.set('folderId', folder.id);
  const document = await made(owner, 'POST', '/api/v1/smartdoc/documents/', form);
  const share = await made(owner, 'POST', `/api/v1/smartdoc/folders/${folder.id}/shares`, { userId: person.id, access: 'read' });
  const name = title();
  const give = async () => await callTool(chancery, access, 'create_task', { title: name, documentId: document.id });
  const allowed = await give();
  await decide(person, allowed.value.taskId, 'approved');
  await made(owner, 'DELETE', `/api/v1/smartdoc/folders/${folder.id}/shares/${share.id}`);
  assert.equal((await give()).code, 'not_found');
  await made(owner, 'PATCH', `/api/v1/team/members/${person.id}`, { role: 'viewer' });
  assert.equal((await give()).code, 'connected_app_read_only');
  assert.deepEqual(await titled(name), []);
  // At most twenty calls of one person wait, over all apps.
  const busy = await chancery.user(team);
  const [one, two] = [await updateConnectedApp(chancery, busy, client), await updateConnectedApp(chancery, busy, client)];
  const many = await Promise.all(
    Array.from({ length: 30 }, (_, n) => callTool(chancery, n % 2 === 0 ? one.access : two.access, 'create_task', { title: `Many ${n}` })),
  );
  assert.deepEqual(
    [many.filter(({ code }) => code === 'ok').length, many.filter(({ code }) => code === 'approval_limit').length],
    [20, 10],
  );
});

test('the open approvals of an app end with its connection, and with every other end of its person’s sessions', async () => {
  const client = await registerConnectedApp(chancery);
  const ends: Record<string, (person: User, id: string) => Promise<unknown>> = {
    'by the person': (person, id) => made(person, 'DELETE', `${connections}/${id}`),
    'a new password': async (person) => {
      await chancery.pool.query('UPDATE account SET credential_epoch = credential_epoch + 1 WHERE id = $1', [person.id]);
      // The person has signed in again.
      await chancery.pool.query('UPDATE session s SET epoch = a.credential_epoch FROM account a WHERE s.id = $1 AND a.id = s.account_id', [
        person.sessionId,
      ]);
    },
    'its time': (_person, id) => chancery.pool.query("UPDATE sign_in SET expires_at = now() - interval '1 second' WHERE id = $1", [id]),
    removal: (person) => made(owner, 'DELETE', `/api/v1/team/members/${person.id}`),
  };
  for (const [why, end] of Object.entries(ends)) {
    const person = await chancery.user(team);
    const { access, id } = await updateConnectedApp(chancery, person, client);
    const create = async (name: string) => (await callTool(chancery, access, 'create_task', { title: name })).value.taskId;
    const [yes, open] = [title(), title()];
    const [approved, waiting] = [await create(yes), await create(open)];
    await decide(person, approved, 'approved');
    await end(person, id);
    if (why !== 'removal') {
      const late = await decide(person, waiting, 'approved');
      assert.deepEqual([late.status, late.body.code], [409, why === 'by the person' ? 'round_over' : 'task_not_open'], why);
      if (why !== 'by the person') assert.equal((await made(person, 'GET', `${tasks}/${waiting}`)).status, 'open');
    }
    await sweep();
    const [task] = await rows('SELECT status, assigned_to FROM task WHERE id = $1', [waiting]);
    assert.deepEqual([task.status, task.assigned_to], ['cancelled', person.id], why);
    assert.deepEqual(await rows('SELECT DISTINCT status FROM mcp_approval WHERE connection_id = $1', [id]), [{ status: 'ended' }], why);
    await callTool(chancery, access, 'create_task', { title: yes });
    assert.deepEqual(await titled(yes), [], why);
  }
});

test('after a concurrent approval, call and disconnection no approval stays open, and no call is executed after the end', async () => {
  const person = await chancery.user(team);
  const client = await registerConnectedApp(chancery);
  for (let round = 0; round < 5; round += 1) {
    const { access, id } = await updateConnectedApp(chancery, person, client);
    const names = [title(), title(), title()];
    const reply: string[] = [];
    for (const name of names) reply.push((await creates(access, name)()).taskId);
    const [first = '', ...others] = reply;
    await decide(person, first, 'approved');
    const [calls] = await Promise.all([
      Promise.all(names.map((name) => callTool(chancery, access, 'create_task', { title: name, description: 'Hidden \u202e' }))),
      Promise.all(others.map((task) => decide(person, task, 'approved'))),
      made(person, 'DELETE', `${connections}/${id}`),
    ]);
    for (const [at, name] of names.entries()) {
      const done = calls[at]?.value?.title === name;
      assert.equal((await titled(name)).length, done ? 1 : 0, `round ${round}, call ${at} got ${calls[at]?.answer.text}`);
    }
    const left = await rows("SELECT status FROM mcp_approval WHERE connection_id = $1 AND status IN ('waiting', 'approved')", [id]);
    const open = await rows("SELECT id FROM task WHERE id = ANY ($1) AND status = 'open'", [reply]);
    assert.deepEqual([left, open], [[], []], `round ${round}`);
    assert.equal((await callTool(chancery, access, 'create_task', { title: names[0] })).answer.status, 401);
  }
});
