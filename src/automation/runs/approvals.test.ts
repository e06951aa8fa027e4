import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { servicePage } from '../../platform/mail/compose.ts';
import { endDocumentOf } from '#documents';
import { type AgentRuns, agents, calling, startAgentRuns } from '../../../test/agent-runs.ts';
import { asking, file } from '../../../test/asking.ts';
import type { User } from '../../../test/harness.ts';
import { publishForm } from '../../../test/published-forms.ts';
import { untilBlocked } from '../../../test/signals.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { claimRunSlots } from './run-job.ts';
import type { HostedService } from '../../../test/hosted-service.ts';

const tasks = '/api/v1/tasks';
let runs: AgentRuns;
let worker: HostedService;
let owner: User;
let member: User;
const { made, call, status, documentOf } = asking(() => runs.chancery);
const set = {
  scopes: ['folders:read', 'documents:read', 'tasks:read', 'tasks:write'],
  tools: { allow: ['create_task', 'comment_on_task', 'list_folders'] },
};

before(async () => {
  runs = await startAgentRuns({ role: 'api' });
  ({ owner } = runs.team);
  member = await runs.chancery.user(runs.team);
  worker = await runs.chancery.node('worker');
});
after(async () => {
  await worker.stop();
  await runs.stop();
});

const titled = async (title: string) =>
  (await made(owner, 'GET', `${tasks}/?limit=500`)).filter((task: any) => task.title === title).length;
const over = (by: User, id: string) => runs.ended(by, id, ({ finishedAt }) => finishedAt !== undefined);
/** Starts a run whose model calls these tools and then ends, and waits for its approval request. */
async function waiting(...calls: [name: string, input: unknown][]) {
  const { id: of } = await runs.agent(set);
  const run = await runs.result(calling(...calls), {}, { of });
  assert.equal(run.status, 'awaiting_approval', JSON.stringify(run));
  return { run: run.id as string, of: of as string, calls: await runs.callsOf(run.id) };
}
const answer = (by: User, task: string, outcome: string) => call(by, 'POST', `${tasks}/${task}/complete`, { outcome });
const codesOf = async (run: string) =>
  (await runs.callsOf(run)).map(({ status: how, result }: any) => [how, JSON.parse(result).error].join(' ').trim());

test('a call that changes data waits for the owner of the run, also over a restart, and is executed once after the approval', async () => {
  const title = `Call ${randomUUIDv7()}`;
  const { run, calls } = await waiting(
    ['list_folders', {}],
    ['create_task', { title, description: 'Line one\nLine two \u202egnorw\u200b' }],
  );
  assert.deepEqual(
    calls.map(({ status: how }: any) => how),
    ['done', 'awaiting_approval'],
  );
  const [, { taskId, callId }] = calls;
  const task = await made(owner, 'GET', `${tasks}/${taskId}`);
  assert.deepEqual(
    [task.type, task.status, task.assignedTo, task.outcomes, task.createdByType],
    ['tool_approval', 'open', owner.id, ['approved', 'denied'], 'agent'],
  );
  assert.match(task.title, /create_task/);
  assert.match(task.description, /Line one\\nLine two/);
  assert.ok(task.description.includes('\\u{202e}gnorw\\u{200b}'), task.description);
  assert.ok(!task.description.includes('\u202e'));
  const { rows: mails } = await runs.chancery.pool.query(
    "SELECT text_body FROM mail_message WHERE recipient = $1 AND subject LIKE '%task%'",
    [owner.email],
  );
  assert.ok(mails.length > 0, 'the assignee gets a mail');
  const link = servicePage(`/app/tasks/${taskId}`);
  assert.ok(
    mails.some(({ text_body: text }) => text.includes('create_task') && text.includes(link)),
    'with the tool and a link',
  );
  const { rows: places } = await runs.chancery.pool.query('SELECT in_flight FROM agent_run WHERE id = $1', [run]);
  assert.equal(places[0].in_flight, false, 'a waiting run has no slot');
  await worker.stop();
  worker = await runs.chancery.node('worker');
  assert.equal(await titled(title), 0);
  assert.equal((await runs.read(owner, run)).status, 'awaiting_approval');
  assert.equal((await answer(owner, taskId, 'approved')).status, 200);
  const done = await over(owner, run);
  assert.deepEqual([done.status, done.summary, done.interruptions], ['ok', 'Done.', []]);
  assert.equal(await titled(title), 1);
  const [, call2] = await runs.callsOf(run);
  assert.deepEqual([call2.status, call2.approvedBy], ['done', owner.id]);
  const { events } = await made(owner, 'GET', `/api/v1/security/audit?targetId=${run}`);
  assert.deepEqual(
    events
      .filter((one: any) => one.data.callId === callId)
      .map(({ type, data }: any) => [type, data.outcome ?? data.result ?? data.assignedTo])
      .toSorted(),
    [
      ['agent.approval.decided', 'approved'],
      ['agent.approval.requested', owner.id],
      ['agent.tool.called', 'ok'],
    ],
  );
  assert.equal((await answer(owner, taskId, 'denied')).status, 409);
});

test('the model gets a denial and an expiry as results; every outcome other than a clear approval is a denial', async () => {
  const title = `Call ${randomUUIDv7()}`;
  const denied = await waiting(['create_task', { title }]);
  const [{ taskId }] = denied.calls;
  for (const outcome of ['yes', 'completed', 'Approved', undefined])
    assert.equal((await call(owner, 'POST', `${tasks}/${taskId}/complete`, { outcome })).status, 422);
  assert.equal((await answer(owner, taskId, 'denied')).status, 200);
  assert.equal((await over(owner, denied.run)).status, 'ok');
  assert.deepEqual(await codesOf(denied.run), ['refused denied']);
  assert.match(runs.modelRequests(denied.run)[1]?.body.messages.at(-1).content, /A person denied this call/);

  const late = await waiting(['create_task', { title }]);
  const [{ taskId: lateTask }] = late.calls;
  await runs.chancery.pool.query('UPDATE agent_run_call SET expires_at = now() WHERE task_id = $1', [lateTask]);
  assert.equal((await answer(owner, lateTask, 'approved')).status, 409, 'a decision after the expiry is rejected');
  await runs.chancery.pool.query("UPDATE job SET due_at = now() WHERE name = 'agent-approval-expiry' AND data ->> 'task' = $1", [lateTask]);
  assert.equal((await over(owner, late.run)).status, 'ok');
  assert.deepEqual(await codesOf(late.run), ['refused expired']);
  assert.equal((await made(owner, 'GET', `${tasks}/${lateTask}`)).status, 'cancelled');
  assert.equal(await titled(title), 0);
});

test('the task shows the call until its decision, denial, expiry or withdrawal, and only the tool afterwards; the transcript keeps the rest', async () => {
  const title = `Call ${randomUUIDv7()}`;
  const asks = async () => {
    const { run, calls } = await waiting(['create_task', { title }]);
    return { run, task: calls[0].taskId as string };
  };
  const texts = async (task: string) => {
    const { rows } = await runs.chancery.pool.query('SELECT description FROM task WHERE id = $1', [task]);
    return [(await made(owner, 'GET', `${tasks}/${task}`)).description ?? null, rows[0].description];
  };
  const [approved, denied, late, cancelled] = [await asks(), await asks(), await asks(), await asks()];
  for (const { task } of [approved, denied, late, cancelled]) for (const text of await texts(task)) assert.ok(text.includes(title), text);
  for (const [{ task }, outcome] of [
    [approved, 'approved'],
    [denied, 'denied'],
  ] as const) {
    const answered = await answer(owner, task, outcome);
    assert.deepEqual([answered.status, answered.body.description], [200, undefined]);
    assert.match(answered.body.title, /create_task/);
  }
  await runs.chancery.pool.query("UPDATE job SET due_at = now() WHERE name = 'agent-approval-expiry' AND data ->> 'task' = $1", [
    late.task,
  ]);
  assert.equal(await status(owner, 'POST', `${agents}/runs/${cancelled.run}/cancel`), 202);
  for (const { run, task } of [approved, denied, late, cancelled]) {
    await over(owner, run);
    assert.deepEqual(await texts(task), [null, null]);
    assert.equal((await runs.callsOf(run))[0].arguments.title, title);
  }
});

test('only the assignee reads the description of an approval task, not others who see the task', async () => {
  const title = `Call ${randomUUIDv7()}`;
  const { run, calls } = await waiting(['create_task', { title }]);
  const [{ taskId }] = calls;
  const admin = await runs.chancery.user(runs.team, { role: 'admin' });
  const apiClient = await runs.chancery.client(owner, ['tasks:read']);
  const readBy = async (by: { token: string }) => {
    const task = await made(by, 'GET', `${tasks}/${taskId}`);
    assert.match(task.title, /create_task/);
    const list = JSON.stringify(await made(by, 'GET', `${tasks}/?limit=500`));
    assert.ok(list.includes(taskId));
    return [task.description?.includes(title) ?? false, list.includes(title)];
  };
  assert.deepEqual(
    [await readBy(owner), await readBy(admin), await readBy(apiClient)],
    [
      [true, true],
      [false, false],
      [false, false],
    ],
  );
  const looks = await runs.result(calling(['get_task', { id: taskId }]), {}, { by: admin });
  const [read] = (await runs.transcript(admin, looks.id)).steps.flatMap((step: any) => step.calls);
  assert.ok(read.result.includes(taskId) && !read.result.includes(title), 'an agent of another member cannot read it either');
  await made(owner, 'POST', `${tasks}/${taskId}/reassign`, { userId: admin.id });
  assert.deepEqual(
    [await readBy(owner), await readBy(admin)],
    [
      [false, false],
      [true, true],
    ],
  );
  assert.equal((await answer(admin, taskId, 'denied')).status, 200);
  await over(owner, run);
});

test('a run that ends during a decision waits for it, and holds no lock that the decision needs', async () => {
  const { run, calls } = await waiting(['create_task', { title: `Call ${randomUUIDv7()}` }]);
  const [{ taskId }] = calls;
  const answering = await runs.chancery.pool.connect();
  try {
    const { rows } = await answering.query('SELECT pg_backend_pid() AS pid');
    await answering.query('BEGIN');
    await answering.query('SELECT FROM task WHERE id = $1 FOR NO KEY UPDATE', [taskId]);
    assert.equal(await status(owner, 'POST', `${agents}/runs/${run}/cancel`), 202);
    const waits = 'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND $1 = ANY (pg_blocking_pids(pid))';
    await eventually('the end waits for the task', async () => (await runs.chancery.pool.query(waits, [rows[0].pid])).rowCount);
    await answering.query('SELECT FROM agent_run WHERE id = $1 FOR UPDATE NOWAIT', [run]);
    await answering.query('COMMIT');
  } finally {
    await answering.query('ROLLBACK');
    answering.release();
  }
  assert.equal((await over(owner, run)).status, 'cancelled');
  assert.equal((await made(owner, 'GET', `${tasks}/${taskId}`)).status, 'cancelled');
});

test('of fifty concurrent decisions, approvals and denials, one counts', async () => {
  const title = `Call ${randomUUIDv7()}`;
  const { run, calls } = await waiting(['create_task', { title }]);
  const [{ taskId }] = calls;
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => answer(owner, taskId, n % 2 === 0 ? 'approved' : 'denied')));
  const won = answers.filter((one) => one.status === 200);
  assert.equal(won.length, 1);
  assert.deepEqual([...new Set(answers.map((one) => one.status))].toSorted(), [200, 409]);
  assert.equal((await over(owner, run)).status, 'ok');
  const approved = won[0]?.body.outcome === 'approved';
  assert.equal(await titled(title), approved ? 1 : 0);
  assert.deepEqual(await codesOf(run), [approved ? 'done' : 'refused denied']);
});

test('an approved call is executed only with the same arguments, an unchanged target and an approver who still has the rights', async () => {
  const target = await made(owner, 'POST', `${tasks}/`, { title: 'Target' });
  const comments = async () => (await made(owner, 'GET', `${tasks}/${target.id}/comments`)).length;
  const asks = async () => waiting(['comment_on_task', { id: target.id, text: 'From the agent' }]);
  const changed = await asks();
  const shown = (await made(owner, 'GET', `${tasks}/${changed.calls[0].taskId}`)).description;
  assert.match(shown, /task “Target”/);
  await runs.chancery.pool.query(`UPDATE agent_run_call SET arguments = arguments || '{"text": "Other"}' WHERE run_id = $1`, [changed.run]);
  assert.equal((await answer(owner, changed.calls[0].taskId, 'approved')).status, 200);
  await over(owner, changed.run);
  assert.deepEqual(await codesOf(changed.run), ['refused approval_stale']);

  const passed = await asks();
  const [{ taskId }] = passed.calls;
  assert.equal(await status(member, 'POST', `${tasks}/${taskId}/complete`, { outcome: 'approved' }), 404);
  const admin = await runs.chancery.user(runs.team, { role: 'admin' });
  assert.equal((await answer(admin, taskId, 'approved')).status, 403, 'only the assignee decides');
  const client = await runs.chancery.client(owner);
  assert.equal(
    (await runs.chancery.call('POST', `${tasks}/${taskId}/complete`, { token: client.token, body: { outcome: 'approved' } })).status,
    403,
  );
  await made(owner, 'POST', `${tasks}/${taskId}/reassign`, { userId: member.id });
  assert.equal((await answer(member, taskId, 'approved')).status, 200);
  await over(owner, passed.run);
  assert.deepEqual(await codesOf(passed.run), ['refused approval_stale'], 'the new assignee cannot read the target');

  const moved = await asks();
  await made(owner, 'POST', `${tasks}/${target.id}/complete`, {});
  assert.equal((await answer(owner, moved.calls[0].taskId, 'approved')).status, 200);
  await over(owner, moved.run);
  assert.deepEqual(await codesOf(moved.run), ['refused approval_stale']);
  assert.equal(await comments(), 0);
});

test('a cancelled or stopped run ends while it waits, its tasks are withdrawn, and later decisions are rejected', async () => {
  const title = `Call ${randomUUIDv7()}`;
  const cancelled = await waiting(['create_task', { title }]);
  assert.equal(await status(member, 'POST', `${agents}/runs/${cancelled.run}/cancel`), 404);
  assert.equal(await status(owner, 'POST', `${agents}/runs/${cancelled.run}/cancel`), 202);
  const stopped = await waiting(['create_task', { title }]);
  await made(owner, 'POST', `${agents}/${stopped.of}/stop`, { reason: 'Odd' });
  for (const [{ run, calls }, reason] of [
    [cancelled, 'cancelled'],
    [stopped, 'agent_stopped'],
  ] as const) {
    const ended = await over(owner, run);
    assert.deepEqual([ended.status, ended.reason], ['cancelled', reason]);
    assert.equal((await made(owner, 'GET', `${tasks}/${calls[0].taskId}`)).status, 'cancelled');
    assert.equal((await answer(owner, calls[0].taskId, 'approved')).status, 409);
    assert.deepEqual(await codesOf(run), ['refused run_over']);
  }
  assert.equal(await titled(title), 0);
  const again = await call(owner, 'POST', `${agents}/runs/${cancelled.run}/cancel`);
  assert.deepEqual([again.status, again.body.status], [202, 'cancelled']);
});

const ways: [name: string, reason: string, end: (of: { agent: string; share: string; person: User }) => Promise<unknown>][] = [
  ['their share of the agent', 'agent_not_usable', ({ agent, share }) => made(owner, 'DELETE', `${agents}/${agent}/shares/${share}`)],
  ['their role', 'owner_inactive', ({ person }) => made(owner, 'PATCH', `/api/v1/team/members/${person.id}`, { role: 'viewer' })],
  ['their access', 'owner_inactive', ({ person }) => made(owner, 'PATCH', `/api/v1/team/members/${person.id}`, { isActive: false })],
];
for (const [name, reason, end] of ways)
  test(`runs of a person who lost ${name} end, whether they wait for a decision or for their model, and do nothing more`, async () => {
    const title = `Call ${randomUUIDv7()}`;
    const person = await runs.chancery.user(runs.team);
    const { id: agent } = await runs.agent(set);
    const { id: share } = await made(owner, 'POST', `${agents}/${agent}/shares`, { userId: person.id });
    const waits = await runs.begun(calling(['create_task', { title }]), {}, { by: person, of: agent });
    await runs.ended(person, waits);
    const [{ taskId }] = await runs.callsOf(waits);
    const answering = Promise.withResolvers<void>();
    const slow = async (_request: unknown, n: number) => {
      if (n > 0) return { text: 'Done.' };
      await answering.promise;
      return calling(['list_folders', {}])[0] ?? 'hang';
    };
    const works = await runs.begun(slow, {}, { by: person, of: agent });
    await eventually('the request to the model', async () => runs.modelRequests(works).length === 1);
    const another = await runs.begun(slow, {}, { of: agent });
    await end({ agent, share, person });
    for (const run of [waits, works]) {
      const ended = await over(owner, run);
      assert.deepEqual([ended.status, ended.reason], ['cancelled', reason]);
    }
    answering.resolve();
    assert.equal((await over(owner, another)).status, 'ok', 'a run of another person with access continues');
    assert.equal((await made(owner, 'GET', `${tasks}/${taskId}`)).status, 'cancelled');
    assert.deepEqual([await titled(title), runs.modelRequests(works).length, await codesOf(works)], [0, 1, []]);
  });

test('a waiting run that read content before its erasure ends, and its model no longer gets that content', async () => {
  const form = await publishForm(runs.chancery, owner, { fields: [{ id: 'name', type: 'text', label: 'Name' }] });
  const submit = async () =>
    (await runs.chancery.call('POST', `/api/v1/interfaces/public/${form.publicToken}/submit`, { body: { data: { name: 'Ada Lovelace' } } }))
      .body.submissionId as string;
  const reads = {
    scopes: ['interfaces:read', 'documents:read', 'tasks:read', 'tasks:write'],
    tools: { allow: ['list_submissions', 'search_documents', 'find_in_documents', 'read_document_text', 'create_task'] },
  };
  const title = `Call ${randomUUIDv7()}`;
  const { id: of } = await runs.agent(reads);
  const waits = async (...first: [name: string, input: unknown][]) =>
    (await runs.result(calling(...first, ['create_task', { title }]), {}, { of })).id as string;
  const taskOf = async (run: string) => (await runs.callsOf(run)).at(-1).taskId as string;
  const requestsWithContent = (run: string) =>
    runs.modelRequests(run).filter(({ body }) => JSON.stringify(body).includes('Lovelace')).length;
  const cancelled = async (run: string) => {
    const { status: how, reason } = await over(owner, run);
    return [how, reason];
  };

  const submission = await submit();
  const list: [string, object] = ['list_submissions', { interfaceId: form.id, status: ['received', 'erased'] }];
  const asker = await waits(list);
  const answering = Promise.withResolvers<void>();
  const works = await runs.begun(
    async (_request, n) => {
      if (n === 1) await answering.promise;
      return n < 3 ? { text: 'I look.', calls: [{ name: list[0], input: list[1] }] } : { text: 'Done.' };
    },
    {},
    { of },
  );
  await eventually('the request to the model', () => requestsWithContent(works) === 1);
  const matter = { id: randomUUIDv7(), title: 'Named by those who wrote it', status: 'open' };
  await made(owner, 'POST', '/api/v1/smartdoc/documents/', { title: 'Agreement', metadata: { matter, matters: [matter] } });
  const other = await waits(['search_documents', {}]);
  // The runs are found by their recorded subjects, and not by the results of their calls.
  await runs.chancery.pool.query('UPDATE agent_run_call SET result = \'{"items":[]}\' WHERE run_id = $1 AND tool = $2', [asker, list[0]]);
  const question = await taskOf(asker);
  assert.equal(await status(owner, 'DELETE', `/api/v1/interfaces/${form.id}/submissions/${submission}`), 204);
  const gone = ['cancelled', 'content_erased'];
  assert.deepEqual([await cancelled(asker), await cancelled(works)], [gone, gone]);
  answering.resolve();
  assert.equal((await made(owner, 'GET', `${tasks}/${question}`)).status, 'cancelled');
  assert.deepEqual([await runs.callsOf(asker), await runs.callsOf(works)], [[], []]);
  assert.equal((await runs.read(owner, other)).status, 'awaiting_approval', 'a run that read none of it still waits');

  // A run that read the list after the erasure continues.
  const later = await waits(list);
  assert.equal((await answer(owner, await taskOf(later), 'approved')).status, 200);
  assert.equal((await over(owner, later)).status, 'ok');
  assert.deepEqual([requestsWithContent(asker), requestsWithContent(works), requestsWithContent(later)], [0, 1, 0]);

  // The same applies to a document created from erased content or deleted permanently; no event announces that.
  const word = `Lovelace${randomUUIDv7().slice(-12)}`;
  const { id } = await made(owner, 'POST', '/api/v1/smartdoc/documents/', file({ title: word }));
  await made(owner, 'PUT', `/api/v1/smartdoc/documents/${id}`, { title: `${word} \\ "and", ]`, labels: ['a "]" b', 'c'] });
  await eventually(
    'the document is found',
    async () => (await made(owner, 'GET', `/api/v1/smartdoc/documents/search?q=${word}`)).length === 1,
  );
  const looked = [
    await waits(['read_document_text', { id }]),
    await waits(['find_in_documents', { q: word }]),
    await waits(['search_documents', { q: word }]),
  ];
  const questions = await Promise.all([...looked, other].map(taskOf));
  await runs.chancery.database.inTeam(runs.team.id, (db) =>
    endDocumentOf({ db, team: runs.team.id, actor: { type: 'system' }, now: new Date(), requestId: 'erase', listeners: [] }, id),
  );
  for (const task of questions) assert.equal((await answer(owner, task, 'approved')).status, 200);
  for (const run of looked)
    assert.deepEqual([await cancelled(run), runs.modelRequests(run).length, await runs.callsOf(run)], [gone, 1, []]);
  assert.equal((await over(owner, other)).status, 'ok');
  assert.equal(await titled(title), 2, 'only the two remaining runs create their task');
});

test('with `fourEyes` another person is asked, and the owner of the run cannot approve in any way', async () => {
  const title = `Call ${randomUUIDv7()}`;
  const team = await runs.chancery.team();
  const [asker, admin] = [team.owner, await runs.chancery.user(team, { role: 'admin' })];
  await made(asker, 'PUT', `${agents}/settings`, { enabled: true });
  const { id: of } = await made(asker, 'POST', `${agents}/`, { name: 'Watched', ...set, fourEyes: true });
  const callsOfRun = async (run: string) => (await runs.transcript(asker, run)).steps.flatMap(({ calls }: any) => calls);
  const codes = async (run: string) => (await callsOfRun(run)).map(({ result }: any) => JSON.parse(result).error);
  const begin = async () => {
    const { id } = await runs.result(calling(['create_task', { title }]), {}, { of, by: asker });
    return { id, taskId: (await callsOfRun(id))[0].taskId };
  };
  const count = async () => (await made(asker, 'GET', `${tasks}/?limit=500`)).filter((task: any) => task.title === title).length;
  const { id: run, taskId } = await begin();
  assert.equal((await made(admin, 'GET', `${tasks}/${taskId}`)).assignedTo, admin.id);
  assert.ok((await status(admin, 'POST', `${tasks}/${taskId}/reassign`, { userId: asker.id })) < 300);
  const own = await answer(asker, taskId, 'approved');
  assert.deepEqual([own.status, own.body.code], [403, 'own_request']);
  assert.equal((await made(asker, 'GET', `${tasks}/${taskId}`)).status, 'open');
  assert.ok((await status(asker, 'POST', `${tasks}/${taskId}/reassign`, { userId: admin.id })) < 300);
  assert.equal((await answer(admin, taskId, 'approved')).status, 200);
  assert.equal((await over(asker, run)).status, 'ok');
  assert.equal(await count(), 1);
  // The owner of the run approved before the agent got `fourEyes`, and the call was not executed yet.
  const late = await begin();
  await runs.chancery.pool.query("UPDATE agent_run_call SET status = 'ready', decided_by = $2, decided_at = now() WHERE run_id = $1", [
    late.id,
    asker.id,
  ]);
  await runs.chancery.pool.query("UPDATE agent_run SET status = 'queued' WHERE id = $1", [late.id]);
  await runs.chancery.database.inTeam(team.id, (db) => claimRunSlots(db, [team.id], 20));
  assert.equal((await over(asker, late.id)).status, 'ok');
  assert.deepEqual(await codes(late.id), ['approval_stale']);
  assert.equal(await count(), 1);
  await runs.chancery.pool.query("UPDATE account SET role = 'member' WHERE id = $1", [admin.id]);
  const alone = await runs.result(calling(['create_task', { title }]), {}, { of, by: asker });
  assert.equal(alone.status, 'ok');
  assert.deepEqual(await codes(alone.id), ['no_approver']);
});

test('at most twenty calls of a run wait, and a call that is too long to review is rejected', async () => {
  const many = Array.from({ length: 22 }, (_, n): [string, unknown] => ['create_task', { title: `Call ${n}` }]);
  const { run, calls } = await waiting(...many);
  assert.equal(calls.filter(({ status: how }: any) => how === 'awaiting_approval').length, 20);
  assert.equal(JSON.parse(calls[20].result).error, 'approval_limit');
  assert.equal(await status(owner, 'POST', `${agents}/runs/${run}/cancel`), 202);
  await over(owner, run);
  const fields = [{ id: 'note', type: 'text', label: 'Note' }];
  const { id: registryId } = await made(owner, 'POST', '/api/v1/registries/', { name: 'Notes', fields });
  const { id: of } = await runs.agent({ scopes: ['registries:read', 'registries:write'], tools: { allow: ['create_registry_record'] } });
  const long = { registryId, data: { note: 'x'.repeat(33_000) } };
  const { id } = await runs.result(calling(['create_registry_record', long]), {}, { of });
  assert.deepEqual(await codesOf(id), ['refused arguments_too_long']);
});

test('an agent changes nothing behind a barrier and requests no approval for it, regardless of its owner', async () => {
  const { id, folder } = await documentOf(owner);
  const task = await made(owner, 'POST', `${tasks}/`, { title: 'Nightingale', documentId: id });
  await made(owner, 'PUT', `/api/v1/smartdoc/folders/${folder}/barrier`, { userIds: [owner.id] });
  for (const approval of ['mutating', 'never']) {
    const { id: of } = await runs.agent({ ...set, approval });
    const run = await runs.result(
      calling(['comment_on_task', { id: task.id, text: 'x' }], ['create_task', { title: 'y', documentId: id }]),
      {},
      { of },
    );
    assert.equal(run.status, 'ok');
    assert.deepEqual(await codesOf(run.id), ['done not_found', 'done not_found']);
  }
  assert.deepEqual(await made(owner, 'GET', `${tasks}/${task.id}/comments`), []);
  const open = await made(owner, 'GET', `${tasks}/?status=open&limit=500`);
  assert.ok(!open.some(({ description = '' }: any) => description.includes('Nightingale')));
});

type StreamEvent = { id: number; type: string; data: any };
/** Follows the stream of a run after an event, until an event of a type, and returns the events. */
async function follow(by: User, run: string, until: string, known?: number, onEvent?: (type: string) => void): Promise<StreamEvent[]> {
  const gone = new AbortController();
  const answered = await fetch(`${runs.chancery.url}${agents}/runs/${run}/events`, {
    headers: {
      authorization: `Bearer ${by.token}`,
      accept: 'text/event-stream',
      ...(known === undefined ? {} : { 'last-event-id': String(known) }),
    },
    signal: AbortSignal.any([gone.signal, AbortSignal.timeout(120_000)]),
  });
  assert.deepEqual([answered.status, answered.headers.get('content-type')], [200, 'text/event-stream; charset=utf-8']);
  const streamed: StreamEvent[] = [];
  let text = '';
  for await (const chunk of answered.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const members = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
      if (members.event === undefined) continue;
      if (members.event === 'step.text') continue;
      streamed.push({ id: Number(members.id), type: members.event, data: JSON.parse(members.data ?? '') });
      onEvent?.(members.event);
      // The last event is followed by the end of the stream.
      if (members.event !== until || until === 'run.finished') continue;
      gone.abort();
      return streamed;
    }
  }
  return streamed;
}

test('a stream sends events as they happen, and continues after a disconnection without repeated or missing events', async () => {
  const { id: of } = await runs.agent(set);
  const run = await runs.begun(calling(['list_folders', {}], ['create_task', { title: `Call ${randomUUIDv7()}` }]), {}, { of });
  const first = await follow(owner, run, 'run.waiting');
  const taskId = first.find(({ type }) => type === 'call.waiting')?.data.taskId;
  const rest = follow(owner, run, 'run.finished', first.at(-1)?.id);
  assert.equal((await answer(owner, taskId, 'approved')).status, 200);
  const streamed = [...first, ...(await rest)];
  assert.deepEqual(
    streamed.map(({ type }) => type),
    [
      'run.started',
      'step.finished',
      'call.finished',
      'call.waiting',
      'run.waiting',
      'call.decided',
      'run.started',
      'call.finished',
      'step.finished',
      'run.finished',
    ],
  );
  assert.deepEqual(
    streamed.map(({ id }) => id),
    streamed.map((_, n) => n + 1),
  );
  assert.deepEqual([streamed[1]?.data.text, streamed.at(-2)?.data.text, streamed.at(-1)?.data.status], ['I look.', 'Done.', 'ok']);
  assert.deepEqual(await follow(owner, run, 'run.finished', streamed.at(-1)?.id), [], 'a run that has ended has no more events');

  await made(owner, 'POST', `${agents}/${of}/shares`, { userId: member.id });
  assert.equal(await status(member, 'GET', `${agents}/runs/${run}/events`), 404);
  const admin = await runs.chancery.user(runs.team, { role: 'admin' });
  const whole = await call(admin, 'GET', `${agents}/runs/${run}/events`);
  assert.equal(whole.text.match(/^event: /gm)?.length, streamed.length);
  const { events } = await made(owner, 'GET', '/api/v1/security/audit?type=agent.run.read');
  assert.deepEqual([events[0].actor.id, events[0].target.id, events[0].data.via], [admin.id, run, 'role']);
});

/** Creates an agent that the member may use. */
async function sharedAgent(): Promise<string> {
  const { id } = await runs.agent();
  await made(owner, 'POST', `${agents}/${id}/shares`, { userId: member.id });
  return id;
}

test('followers see the cancellation of a run with a slow model; a person can have at most ten streams', async () => {
  const run = await runs.begun(['hang']);
  await runs.ended(owner, run, () => runs.modelRequests(run).length > 0);
  const following = Array.from({ length: 10 }, () => follow(owner, run, 'run.finished'));
  await eventually('ten are counted', async () => (await status(owner, 'GET', `${agents}/runs/${run}/events`)) === 429);
  // A rejected follower has read nothing, and the journal records no access.
  const another = await runs.result([{ text: 'Done.' }], {}, { by: member, of: await sharedAgent() });
  assert.equal(await status(owner, 'GET', `${agents}/runs/${another.id}/events`), 429);
  const { events } = await made(owner, 'GET', `/api/v1/security/audit?type=agent.run.read&targetId=${another.id}`);
  assert.deepEqual(events, []);
  assert.equal(await status(owner, 'POST', `${agents}/runs/${run}/cancel`), 202);
  const ends = await Promise.all(following);
  for (const streamed of ends) assert.deepEqual([streamed.at(-1)?.type, streamed.at(-1)?.data.status], ['run.finished', 'cancelled']);
});

test('events that were read before the reader lost access are not sent afterwards', async () => {
  const { id, folder } = await documentOf(owner);
  await made(owner, 'POST', `/api/v1/smartdoc/folders/${folder}/shares`, { userId: member.id, access: 'read' });
  const { id: of } = await runs.agent({ scopes: ['documents:read'] });
  await made(owner, 'POST', `${agents}/${of}/shares`, { userId: member.id });
  const run = await runs.result(calling(['get_document', { id }]), {}, { by: member, of });
  assert.equal((await follow(member, run.id, 'run.finished')).at(-1)?.type, 'run.finished');
  const lock = await runs.chancery.pool.connect();
  try {
    await lock.query('BEGIN; LOCK TABLE agent_run_event IN ACCESS EXCLUSIVE MODE');
    const streamed = follow(member, run.id, 'run.finished');
    await untilBlocked(lock);
    await made(owner, 'PUT', `/api/v1/smartdoc/folders/${folder}/barrier`, { userIds: [owner.id] });
    await lock.query('COMMIT');
    assert.deepEqual(await streamed, []);
  } finally {
    await lock.query('ROLLBACK');
    lock.release();
  }
});

test('the stream of a run ends when a barrier excludes its follower', async () => {
  const { id, folder } = await documentOf(owner);
  await made(owner, 'POST', `/api/v1/smartdoc/folders/${folder}/shares`, { userId: member.id, access: 'read' });
  const { id: of } = await runs.agent({ scopes: ['documents:read'] });
  await made(owner, 'POST', `${agents}/${of}/shares`, { userId: member.id });
  const read = Promise.withResolvers<void>();
  const script = [
    { text: 'I look.', calls: [{ name: 'get_document', input: { id } }] },
    { text: 'About Nightingale.', waits: () => read.promise },
  ];
  const run = await runs.begun(script, {}, { by: member, of });
  const looked = Promise.withResolvers<void>();
  const whole = follow(member, run, 'run.finished', undefined, (type) => type === 'call.finished' && looked.resolve());
  await looked.promise;
  await made(owner, 'PUT', `/api/v1/smartdoc/folders/${folder}/barrier`, { userIds: [owner.id] });
  read.resolve();
  const streamed = await whole;
  assert.ok(!JSON.stringify(streamed).includes('Nightingale') && streamed.at(-1)?.type !== 'run.finished', JSON.stringify(streamed));
  assert.equal(await status(member, 'GET', `${agents}/runs/${run}/events`), 404);
});
