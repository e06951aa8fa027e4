import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestResponse, type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { runTimers } from '../../../test/timers.ts';

const path = '/api/v1/workflows';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let member: User;

before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team();
  owner = team.owner;
  member = await chancery.user(team);
});
after(() => chancery.stop());

const at50 = Array.from({ length: 50 });
const post = (to: string, body?: unknown, by = owner) =>
  chancery.call('POST', to, { token: by.token, ...(body === undefined ? {} : { body }) });
const get = (from: string, by = owner) => chancery.call('GET', from, { token: by.token });
const read = async (id: string) => (await get(`${path}/${id}`)).body;
const tasksOf = async (id: string) =>
  (await get(`/api/v1/tasks?workflowId=${id}`)).body as { id: string; status: string; stepId: string; assignedTo: string }[];
const openTask = async (id: string) => (await tasksOf(id)).find(({ status }) => status === 'open')?.id ?? '';

async function make(steps: object[], more: object = {}): Promise<string> {
  const answer = await post(`${path}/`, { name: 'W', documentId: 'DMS-1', steps, ...more });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.id;
}
async function started(steps: object[], more: object = {}): Promise<string> {
  const id = await make(steps, more);
  const answer = await post(`${path}/${id}/start`);
  assert.equal(answer.status, 200, answer.text);
  return id;
}
const states = (body: { steps: { id: string; status: string }[] }) => Object.fromEntries(body.steps.map(({ id, status }) => [id, status]));

test('the review-and-signature template runs from draft to completed, one task after another', async () => {
  const document = await chancery.document(owner);
  const made = await post(`${path}/templates/contract-review-and-signature`, { documentId: document.id });
  assert.deepEqual(
    [made.status, made.body.status, made.body.type, made.body.documentLinked],
    [201, 'draft', 'contract-review-and-signature', true],
  );
  const { id } = made.body;
  assert.equal((await post(`${path}/${id}/start`)).body.status, 'active');
  for (const step of ['review', 'approval', 'signature', 'file']) {
    const [open, ...others] = (await tasksOf(id)).filter(({ status }) => status === 'open');
    assert.deepEqual([open?.stepId, others.length], [step, 0]);
    const [operation, outcome] =
      step === 'signature' ? ['signature', 'signed_elsewhere'] : ['complete', step === 'file' ? 'completed' : 'approved'];
    assert.equal((await post(`/api/v1/tasks/${open?.id}/${operation}`, { outcome })).status, 200);
  }
  const done = await read(id);
  assert.equal(done.status, 'completed');
  assert.ok(
    done.steps.every(
      (step: { status: string; taskIds: string[]; completedAt: string }) =>
        step.status === 'completed' && step.taskIds.length === 1 && step.completedAt,
    ),
  );
});

test('all eight built-in templates are listed, and each starts', async () => {
  const { body } = await get(`${path}/templates/available`);
  assert.equal(body.length, 8);
  for (const { name } of body) {
    const made = await post(`${path}/templates/${name}`, { documentId: 'EXT-9' });
    assert.equal(made.status, 201);
    assert.equal((await post(`${path}/${made.body.id}/start`)).status, 200);
  }
  assert.deepEqual((await post(`${path}/templates/nothing`, { documentId: 'x' })).body.code, 'template_not_found');
});

test('of 50 concurrent starts one succeeds, 49 get the reason, and there is one task', async () => {
  const id = await make([{ id: 'a', type: 'task' }]);
  const answers = await Promise.all(at50.map(() => post(`${path}/${id}/start`)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const refused = answers.filter(({ status }) => status === 409);
  assert.equal(refused.length, 49);
  assert.equal(refused[0]?.body.code, 'invalid_transition');
  assert.equal((await tasksOf(id)).length, 1);
});

test('of 50 concurrent completions of one task one succeeds', async () => {
  const id = await started([
    { id: 'a', type: 'task' },
    { id: 'b', type: 'task' },
  ]);
  const task = await openTask(id);
  const answers = await Promise.all(at50.map(() => post(`/api/v1/tasks/${task}/complete`)));
  assert.deepEqual(
    [answers.filter(({ status }) => status === 200).length, answers.filter(({ body }) => body.code === 'task_not_open').length],
    [1, 49],
  );
  assert.deepEqual(states(await read(id)), { a: 'completed', b: 'active' });
});

test('a step with mode all ends with its last assignee, also with concurrent completions', async () => {
  const people = await Promise.all(at50.slice(0, 10).map(() => chancery.user(team)));
  const id = await started([
    { id: 'a', type: 'acknowledge', assignees: people.map((person) => person.id), mode: 'all' },
    { id: 'b', type: 'task' },
  ]);
  const tasks = await tasksOf(id);
  assert.equal(tasks.length, 10);
  const answers = await Promise.all(
    tasks.map((task) =>
      post(
        `/api/v1/tasks/${task.id}/complete`,
        undefined,
        people.find(({ id: person }) => person === task.assignedTo),
      ),
    ),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  assert.deepEqual(states(await read(id)), { a: 'completed', b: 'active' });
  assert.equal((await tasksOf(id)).filter(({ stepId }) => stepId === 'b').length, 1, 'the next step began once');
});

test('a step with mode any ends with its first assignee, and the other tasks are cancelled', async () => {
  const id = await started([{ id: 'a', type: 'task', assignees: [owner.id, member.id], mode: 'any' }]);
  const own = (await tasksOf(id)).find(({ assignedTo }) => assignedTo === owner.id)?.id;
  await post(`/api/v1/tasks/${own}/complete`);
  assert.deepEqual((await tasksOf(id)).map(({ status }) => status).toSorted(), ['cancelled', 'completed']);
  assert.equal((await read(id)).status, 'completed');
});

test('steps that depend on others run as a graph', async () => {
  const id = await started([
    { id: 'end', type: 'task', dependsOn: ['left', 'right'] },
    { id: 'left', type: 'task', dependsOn: ['first'] },
    { id: 'right', type: 'task', dependsOn: ['first'] },
    { id: 'first', type: 'task', dependsOn: [] },
  ]);
  const finish = async (step: string) =>
    post(`/api/v1/tasks/${(await tasksOf(id)).find(({ stepId, status }) => stepId === step && status === 'open')?.id}/complete`);
  assert.deepEqual(states(await read(id)), { end: 'pending', left: 'pending', right: 'pending', first: 'active' });
  await finish('first');
  assert.deepEqual(states(await read(id)), { end: 'pending', left: 'active', right: 'active', first: 'completed' });
  await Promise.all([finish('left'), finish('right')]);
  assert.deepEqual(states(await read(id)), { end: 'active', left: 'completed', right: 'completed', first: 'completed' });
});

for (const [steps, why] of [
  [
    [
      { id: 'a', type: 'task' },
      { id: 'a', type: 'task' },
    ],
    'two steps with one id',
  ],
  [[{ id: 'a', type: 'task', dependsOn: ['b'] }], 'an unknown step'],
  [
    [
      { id: 'a', type: 'task', dependsOn: ['b'] },
      { id: 'b', type: 'task', dependsOn: ['a'] },
    ],
    'a cycle',
  ],
  [[{ id: 'a', type: 'review', config: { onReject: 'zzz' } }], 'an unknown step to go back to'],
] as const) {
  test(`steps with ${why} are rejected`, async () => {
    const answer = await post(`${path}/`, { name: 'W', documentId: 'x', steps });
    assert.deepEqual([answer.status, answer.body.code], [422, 'workflow_steps_invalid']);
  });
}

test('a rejected review ends the workflow, unless the step names a step to go back to', async () => {
  const ends = await started([
    { id: 'a', type: 'review' },
    { id: 'b', type: 'task' },
  ]);
  await post(`/api/v1/tasks/${await openTask(ends)}/complete`, { outcome: 'rejected' });
  const ended = await read(ends);
  assert.deepEqual([ended.status, states(ended)], ['rejected', { a: 'rejected', b: 'skipped' }]);

  const back = await started([
    { id: 'draft', type: 'task' },
    { id: 'check', type: 'approval', config: { onReject: 'draft' } },
  ]);
  await post(`/api/v1/tasks/${await openTask(back)}/complete`);
  await post(`/api/v1/tasks/${await openTask(back)}/complete`, { outcome: 'rejected' });
  assert.deepEqual(states(await read(back)), { draft: 'active', check: 'pending' });
  await post(`/api/v1/tasks/${await openTask(back)}/complete`);
  await post(`/api/v1/tasks/${await openTask(back)}/complete`, { outcome: 'approved' });
  assert.equal((await read(back)).status, 'completed');
});

test('the tasks of a paused workflow stay and cannot be completed; resuming moves the due dates', async () => {
  const id = await started([{ id: 'a', type: 'task', dueInDays: 1 }]);
  const task = await openTask(id);
  const due = (await get(`/api/v1/tasks/${task}`)).body.dueDate;
  assert.equal((await post(`${path}/${id}/pause`, { reason: 'holiday' })).status, 200);
  assert.deepEqual([(await read(id)).status, (await read(id)).reason], ['paused', 'holiday']);
  const refused = await post(`/api/v1/tasks/${task}/complete`);
  assert.deepEqual([refused.status, refused.body.code], [409, 'workflow_paused']);
  assert.equal((await get(`/api/v1/tasks/${task}`)).body.status, 'open');
  assert.equal((await post(`${path}/${id}/resume`)).status, 200);
  assert.ok((await get(`/api/v1/tasks/${task}`)).body.dueDate > due);
  assert.equal((await post(`/api/v1/tasks/${task}/complete`)).status, 200);
});

test('every operation is rejected in every state that does not allow it, with the name of the state', async () => {
  const make2 = () => make([{ id: 'a', type: 'task' }]);
  const reach: Record<string, () => Promise<string>> = {
    draft: make2,
    active: async () => started([{ id: 'a', type: 'task' }]),
    paused: async () => {
      const id = await started([{ id: 'a', type: 'task' }]);
      await post(`${path}/${id}/pause`);
      return id;
    },
    cancelled: async () => {
      const id = await make2();
      await post(`${path}/${id}/cancel`);
      return id;
    },
    completed: async () => {
      const id = await started([{ id: 'a', type: 'task' }]);
      await post(`/api/v1/tasks/${await openTask(id)}/complete`);
      return id;
    },
  };
  const allowed: Record<string, string[]> = {
    draft: ['start', 'cancel', 'delete'],
    active: ['pause', 'cancel'],
    paused: ['resume', 'cancel'],
    cancelled: ['delete'],
    completed: ['delete'],
  };
  for (const [state, to] of Object.entries(reach)) {
    for (const operation of ['start', 'pause', 'resume', 'cancel', 'delete']) {
      const id = await to();
      const answer: TestResponse =
        operation === 'delete'
          ? await chancery.call('DELETE', `${path}/${id}`, { token: owner.token })
          : await post(`${path}/${id}/${operation}`);
      const fine = allowed[state]?.includes(operation);
      assert.equal(answer.status, fine ? 200 : 409, `${operation} in ${state}: ${answer.text}`);
      if (!fine) assert.equal(answer.body.code, 'invalid_transition');
    }
  }
});

test('cancelling cancels the open tasks and skips unfinished steps', async () => {
  const id = await started([
    { id: 'a', type: 'task' },
    { id: 'b', type: 'task' },
  ]);
  await post(`${path}/${id}/cancel`, { reason: 'no need' });
  assert.deepEqual([(await read(id)).status, states(await read(id))], ['cancelled', { a: 'skipped', b: 'skipped' }]);
  assert.deepEqual(
    (await tasksOf(id)).map(({ status }) => status),
    ['cancelled'],
  );
});

test('with a concurrent cancel and completion, both responses are correct and nothing stays open', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await started([{ id: 'a', type: 'task' }]);
    const task = await openTask(id);
    const [cancelled, completed] = await Promise.all([post(`${path}/${id}/cancel`), post(`/api/v1/tasks/${task}/complete`)]);
    const { status } = await read(id);
    assert.equal(status, completed.status === 200 ? 'completed' : 'cancelled');
    assert.equal(cancelled.status === 200, status === 'cancelled');
    assert.ok((await tasksOf(id)).every((one) => one.status !== 'open'));
  }
});

test('an assignee must be an active member, in steps, workflows and tasks alike', async () => {
  const stranger = (await chancery.team()).owner.id;
  for (const body of [
    { name: 'W', documentId: 'x', steps: [{ id: 'a', type: 'task', assignedTo: stranger }] },
    { name: 'W', documentId: 'x', assignedTo: stranger, steps: [{ id: 'a', type: 'task' }] },
    { name: 'W', documentId: 'x', assignedTo: 'nobody', steps: [{ id: 'a', type: 'task' }] },
  ]) {
    assert.equal((await post(`${path}/`, body)).body.code, 'assignee_not_found');
  }
  const id = await started([{ id: 'a', type: 'task' }]);
  assert.equal((await post(`/api/v1/tasks/${await openTask(id)}/reassign`, { userId: stranger })).body.code, 'assignee_not_found');
  assert.equal((await post(`/api/v1/tasks/${await openTask(id)}/reassign`, { userId: member.id })).body.assignedTo, member.id);
});

test('the assignee of a step can read its document in the folder of another user', async () => {
  const folder = await chancery.folder(owner);
  const document = await chancery.document(owner, { folderId: folder.id });
  assert.equal((await get(`/api/v1/smartdoc/documents/${document.id}`, member)).status, 404);
  await started([{ id: 'a', type: 'review', assignedTo: member.id }], { documentId: document.id });
  assert.equal((await get(`/api/v1/smartdoc/documents/${document.id}`, member)).status, 200);
});

test('another team’s document is an external reference, like any identifier of another system', async () => {
  const theirs = await chancery.document((await chancery.team()).owner);
  for (const documentId of [theirs.id, 'DMS-4711']) {
    const { body } = await post(`${path}/`, { name: 'W', documentId, steps: [{ id: 'a', type: 'task' }] });
    assert.deepEqual([body.documentId, body.documentLinked], [documentId, false]);
    assert.equal((await get(`${path}/document/${documentId}`)).body.length, 1);
  }
});

test('a wait ends automatically at its time, not before, and not during a pause', async () => {
  const id = await started([
    { id: 'pause', type: 'wait', config: { hours: 2 } },
    { id: 'then', type: 'task' },
  ]);
  const later = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  await runTimers(chancery, later(1));
  assert.deepEqual(states(await read(id)), { pause: 'active', then: 'pending' });
  await post(`${path}/${id}/pause`);
  await runTimers(chancery, later(3));
  assert.deepEqual(states(await read(id)), { pause: 'active', then: 'pending' });
  await post(`${path}/${id}/resume`);
  await Promise.all(at50.slice(0, 5).map(() => runTimers(chancery, later(3))));
  assert.deepEqual(states(await read(id)), { pause: 'completed', then: 'active' });
  assert.equal((await tasksOf(id)).length, 1, 'five concurrent timers began the next step once');
});

test('overdue workflows are listed, and announced once even with concurrent timers', async () => {
  const id = await started([{ id: 'a', type: 'task', dueInDays: 0 }], { dueDate: '2020-01-01' });
  assert.ok((await get(`${path}/overdue`)).body.some((one: { id: string }) => one.id === id));
  await Promise.all(at50.slice(0, 5).map(() => runTimers(chancery, new Date(Date.now() + 1000))));
  const { rows } = await chancery.pool.query(
    "SELECT type, count(*)::int AS n FROM audit_entry WHERE team_id = $1 AND type IN ('workflow.overdue', 'task.overdue') AND (target_id = $2 OR target_id IN (SELECT id::text FROM task WHERE workflow_id = $3)) GROUP BY type ORDER BY type",
    [team.id, id, id],
  );
  assert.deepEqual(rows, [
    { type: 'task.overdue', n: 1 },
    { type: 'workflow.overdue', n: 1 },
  ]);
});

test('a date means the end of that day in the time zone of the team', async () => {
  const zoned = await chancery.team();
  const { token } = zoned.owner;
  assert.equal((await chancery.call('PATCH', '/api/v1/team', { token, body: { timezone: 'America/Fort_Wayne' } })).status, 200);
  const { body } = await post(
    `${path}/`,
    { name: 'W', documentId: 'x', steps: [{ id: 'a', type: 'task' }], dueDate: '2026-03-08' },
    zoned.owner,
  );
  assert.equal(body.dueDate, '2026-03-09T03:59:59.999Z');
  assert.equal(
    (await post(`${path}/`, { name: 'W', documentId: 'x', steps: [{ id: 'a', type: 'task' }], dueDate: 'tomorrow' })).status,
    400,
  );
});

test('PUT changes all of a draft, the pending steps of an active workflow, and only the name of a finished one', async () => {
  const put = (id: string, body: object) => chancery.call('PUT', `${path}/${id}`, { token: owner.token, body });
  const draft = await make([{ id: 'a', type: 'task' }]);
  const changed = await put(draft, {
    name: 'New',
    steps: [
      { id: 'x', type: 'review' },
      { id: 'y', type: 'task' },
    ],
    dueDate: '2030-01-01T00:00:00Z',
    assignedTo: member.id,
  });
  assert.deepEqual(
    [changed.body.name, changed.body.steps.map(({ id }: { id: string }) => id), changed.body.assignedTo],
    ['New', ['x', 'y'], member.id],
  );
  await post(`${path}/${draft}/start`);
  assert.equal((await put(draft, { steps: [{ id: 'z', type: 'task' }] })).body.code, 'workflow_steps_invalid');
  assert.deepEqual(
    (
      await put(draft, {
        steps: [
          { id: 'x', type: 'review' },
          { id: 'z', type: 'task' },
        ],
      })
    ).body.steps.map(({ id, status }: { id: string; status: string }) => [id, status]),
    [
      ['x', 'active'],
      ['z', 'pending'],
    ],
  );
  assert.equal((await put(draft, { documentId: 'other' })).status, 409);
  await post(`${path}/${draft}/cancel`);
  assert.equal((await put(draft, { dueDate: null })).status, 409);
  assert.equal((await put(draft, { name: 'Closed' })).body.name, 'Closed');
});

test('of 50 concurrent new templates with room for one, one is created', async () => {
  const { owner: one } = await chancery.team();
  const add = (name: string) =>
    chancery.call('POST', `${path}/templates`, { token: one.token, body: { name, description: 'x', steps: [{ id: 'a', type: 'task' }] } });
  await chancery.pool.query(
    `INSERT INTO workflow_template (team_id, name, description, steps, created_by_type, created_at, updated_at)
     SELECT team_id, 'there-' || n, 'x', '[]', 'system', now(), now() FROM account, generate_series(1, 199) n WHERE id = $1`,
    [one.id],
  );
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => add(`more-${n}`)));
  const refused = answers.filter(({ status }) => status !== 201);
  assert.equal(refused.length, 49);
  for (const { status, body } of refused) assert.deepEqual([status, body.code], [409, 'template_limit']);
});

test('a team creates, changes and deletes its templates; the built-in ones stay', async () => {
  const steps = [{ id: 'a', type: 'task' }];
  assert.equal((await post(`${path}/templates`, { name: 'own-one', description: 'd', steps })).status, 201);
  assert.equal((await post(`${path}/templates`, { name: 'own-one', description: 'd', steps })).body.code, 'template_exists');
  assert.equal((await post(`${path}/templates`, { name: 'dpia', description: 'd', steps })).body.code, 'template_exists');
  const made = await post(`${path}/templates/own-one`, { documentId: 'x' });
  assert.equal(made.body.type, 'own-one');
  assert.equal(
    (
      await chancery.call('PUT', `${path}/templates/own-one`, {
        token: owner.token,
        body: { steps: [...steps, { id: 'b', type: 'task' }] },
      })
    ).status,
    200,
  );
  assert.equal((await read(made.body.id)).steps.length, 1, 'a workflow keeps its copy of the steps');
  assert.equal((await chancery.call('DELETE', `${path}/templates/own-one`, { token: owner.token })).status, 204);
  assert.equal((await chancery.call('DELETE', `${path}/templates/dpia`, { token: owner.token })).status, 404);
});

test('a notification step sends each assignee a mail in their language and needs no action', async () => {
  const [english, german, gone] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  await chancery.pool.query("UPDATE person SET locale = 'de' WHERE id = $1", [german.id]);
  const assignees = [english.id, german.id, gone.id];
  const id = await make([{ id: 'tell', type: 'notification', name: 'Announce', description: 'Read it.', assignees, quorum: 'all' }], {
    name: 'Policy',
  });
  await chancery.pool.query("UPDATE account SET status = 'disabled' WHERE id = $1", [gone.id]);
  assert.equal((await post(`${path}/${id}/start`)).body.status, 'completed');
  const mailTexts = async ({ email }: User) =>
    (await chancery.pool.query('SELECT text_body FROM mail_message WHERE recipient = $1', [email])).rows.map(
      (row) => row.text_body.split('\n\nTeam: ')[0],
    );
  const page = `https://service.invalid/app/workflows/${id}`;
  assert.deepEqual(await mailTexts(english), [
    `The workflow “Policy” has reached the step “Announce”.\n\nRead it.\n\nOpen the workflow: ${page}`,
  ]);
  assert.deepEqual(await mailTexts(german), [
    `Der Workflow „Policy“ ist beim Schritt „Announce“ angekommen.\n\nRead it.\n\nWorkflow öffnen: ${page}`,
  ]);
  assert.deepEqual(await mailTexts(gone), []);
});

test('filters select from the list', async () => {
  const fresh = (await chancery.team()).owner;
  const a = (await post(`${path}/`, { name: 'A', documentId: 'x', steps: [{ id: 'a', type: 'task' }], assignedTo: fresh.id }, fresh)).body
    .id;
  await post(`${path}/`, { name: 'B', documentId: 'y', steps: [{ id: 'a', type: 'task' }] }, fresh);
  await post(`${path}/${a}/start`, undefined, fresh);
  const names = async (query: string) => (await get(`${path}/${query}`, fresh)).body.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names('?status=active'), ['A']);
  assert.deepEqual(await names('?status=active&status=draft'), ['A', 'B']);
  assert.deepEqual(await names('?assignedTo=me'), ['A']);
  assert.deepEqual(await names('?documentId=y'), ['B']);
  assert.deepEqual(await names('active'), ['A']);
  assert.equal((await get(`${path}/?status=nonsense`, fresh)).status, 400);
});

test('task.created has the form in the contract', async () => {
  const id = await started([{ id: 'a', type: 'review', name: 'Look at it' }]);
  const task = await openTask(id);
  const { rows } = await chancery.pool.query(
    "SELECT body FROM event WHERE team_id = $1 AND type = 'task.created' ORDER BY id DESC LIMIT 1",
    [team.id],
  );
  const { data } = JSON.parse(rows[0].body.toString());
  assert.deepEqual([data.taskId, data.teamId, data.data.title], [task, team.id, 'Look at it']);
});

test('a step with a misspelt member is rejected; another unknown member is ignored with a Warning', async () => {
  const answerTo = (step: object) => post(`${path}/`, { name: 'W', documentId: 'DMS-1', steps: [{ id: 'a', type: 'task', ...step }] });
  for (const [name, nearest] of [
    ['asignees', 'assignees'],
    ['dependOn', 'dependsOn'],
    ['Config', 'config'],
  ] as const) {
    const { status, body } = await answerTo({ [name]: [] });
    assert.deepEqual(
      [status, body.code, body.errors[0].pointer, body.errors[0].rule],
      [422, 'workflow_steps_invalid', `/steps/0/${name}`, 'unknown'],
    );
    assert.match(body.errors[0].reason, new RegExp(`\`${nearest}\``));
  }
  const { status, headers } = await answerTo({ colour: 'red' });
  assert.equal(status, 201);
  assert.match(headers.get('warning') ?? '', /steps\/0\/colour/);
});

test('a PUT accepts the workflow of a GET, also with stored settings that are now unknown', async () => {
  const steps = [{ id: 'a', type: 'task', config: { 'x-note': 'free' } }];
  const id = await make(steps);
  await chancery.pool.query(`UPDATE workflow_step SET config = config || '{"quorum": 2}' WHERE workflow_id = $1`, [id]);
  const shown = await read(id);
  const put = (body: unknown) => chancery.call('PUT', `${path}/${id}`, { token: owner.token, body });
  const kept = await put(shown);
  assert.equal(kept.status, 200, kept.text);
  assert.deepEqual(kept.body.steps, shown.steps);
  assert.match(kept.headers.get('warning') ?? '', /\/steps\/0\/config\/quorum/);
  const changed = await put({ steps: [{ ...shown.steps[0], config: { quorum: 3 } }] });
  assert.deepEqual([changed.status, changed.body.errors?.[0].pointer], [422, '/steps/0/config/quorum']);
});
