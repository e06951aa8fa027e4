import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { publishForm, type PublishedForm } from '../../../../test/published-forms.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';

const path = '/api/v1/interfaces';
let chancery: Chancery;
let team: TestTeam;
let creator: User;
let clerk: User;
let other: User;
let form: PublishedForm;

before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  [creator, clerk, other] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  form = await publishForm(chancery, creator, { title: 'Supplier facts', fields, config: { requireAltcha: true, createsDocument: true } });
});

const fields = [{ id: 'name', type: 'text', label: 'Name', required: true }];
const post = (at: string, body: unknown, by = creator) => chancery.call('POST', at, { token: by.token, body });
const submit = (token: string, data: object = { name: 'Ada' }, headers: Record<string, string> = {}) =>
  chancery.call('POST', `${path}/public/${token}/submit`, { body: { data }, headers });
const linkOf = (taskId: string, by = clerk) => post(`${path}/task-links`, { taskId }, by);
const codes = (answers: { status: number; body: any }[]) =>
  Object.entries(Object.groupBy(answers, ({ status, body }) => `${status} ${body.code ?? ''}`.trim()))
    .map(([code, of]) => `${of?.length} × ${code}`)
    .toSorted();
const submissions = async () => (await chancery.call('GET', `${path}/${form.id}/submissions`, { token: creator.token })).body;
const readWorkflow = async (id: string) => (await chancery.call('GET', `/api/v1/workflows/${id}`, { token: creator.token })).body;

async function started(steps: object[], documentId = 'DMS-1') {
  const made = await post('/api/v1/workflows/', { name: 'Onboard', documentId, steps });
  assert.equal(made.status, 201, made.text);
  const begun = await post(`/api/v1/workflows/${made.body.id}/start`, undefined);
  assert.equal(begun.status, 200, begun.text);
  return { id: made.body.id as string, taskId: begun.body.steps[0].taskIds[0] as string };
}
const fill = (more: object = {}) => ({ id: 'fill', type: 'form', assignedTo: clerk.id, config: { interfaceId: form.id }, ...more });

test('one submission through the link of the assignee is the outcome of the form step, even if others have the public link', async () => {
  const { id, taskId } = await started([fill(), { id: 'then', type: 'task', assignedTo: creator.id }]);
  const { rows: mails } = await eventually('the mail with the link', async () => {
    const found = await chancery.pool.query('SELECT subject, text_body FROM mail_message WHERE recipient = $1 AND text_body LIKE $2', [
      clerk.email,
      '%/f/%',
    ]);
    return found.rows.length > 0 ? found : undefined;
  });
  assert.equal(mails[0].subject, 'Please fill in: Supplier facts');
  const { body: link } = await linkOf(taskId);
  assert.match(mails[0].text_body, new RegExp(link.url), 'the same link as in the mail');
  assert.deepEqual((await linkOf(taskId)).body, link);
  assert.deepEqual([(await linkOf(taskId, creator)).status, (await linkOf(taskId, other)).status], [403, 404]);
  const page = await fetch(`${chancery.url}/f/${link.token}`);
  assert.equal(page.status, 200);
  const shown = await chancery.call('GET', `${path}/public/${link.token}`);
  assert.deepEqual([shown.body.id, shown.body.config.requireAltcha], [form.id, false]);
  assert.equal((await chancery.call('GET', `${path}/api/${link.token}`)).status, 404, 'the link does not work for programs');

  const byHand = await post(`/api/v1/tasks/${taskId}/complete`, { outcome: 'submitted' }, clerk);
  assert.deepEqual([byHand.status, byHand.body.code], [422, 'outcome_invalid'], 'nothing else completes the task');
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => submit(link.token, { name: `N${n}` })));
  assert.deepEqual(codes(answers), ['1 × 200', '49 × 410 interface_closed']);
  const kept = (await submissions()).filter((one: any) => one.taskId === taskId);
  assert.equal(kept.length, 1);
  const { body: task } = await chancery.call('GET', `/api/v1/tasks/${taskId}`, { token: creator.token });
  assert.deepEqual([task.status, task.outcome, task.completedBy], ['completed', 'submitted', clerk.id]);
  assert.deepEqual(
    (await readWorkflow(id)).steps.map((step: any) => [step.status, step.outcome]),
    [
      ['completed', 'submitted'],
      ['active', undefined],
    ],
  );
  const { rows } = await chancery.pool.query(
    "SELECT type, actor_type, data->>'taskId' AS task FROM audit_entry WHERE (type = 'task.completed' AND target_id = $1) OR (type = 'submission.received' AND target_id = $2) ORDER BY type",
    [taskId, kept[0].id],
  );
  assert.deepEqual(rows, [
    { type: 'submission.received', actor_type: 'visitor', task: taskId },
    { type: 'task.completed', actor_type: 'visitor', task: null },
  ]);
  // The sender can read the results, as with any form. The link accepts nothing more.
  const session = answers.find(({ status }) => status === 200)?.headers.get('x-submission-session') ?? '';
  const status = await chancery.call('GET', `${path}/public/${link.token}/submission/status`, {
    headers: { 'x-submission-session': session },
  });
  assert.equal(status.status, 200);
  assert.equal((await chancery.call('GET', `${path}/public/${link.token}`)).body.code, 'interface_closed');
  assert.equal((await linkOf(taskId)).body.code, 'task_has_no_form');
});

test('a submission by another link completes no task; the link ends with the task, on reassignment, and while the workflow is paused', async () => {
  const { id, taskId } = await started([fill()]);
  const api = (await chancery.call('GET', `${path}/${form.id}/links`, { token: creator.token })).body.apiToken;
  assert.equal((await chancery.call('POST', `${path}/api/${api}/submit`, { body: { data: { name: 'Eve' } } })).status, 200);
  assert.equal((await readWorkflow(id)).steps[0].status, 'active');
  const { body: first } = await linkOf(taskId);
  assert.equal((await post(`/api/v1/workflows/${id}/pause`, {})).status, 200);
  const kept = (await submissions()).length;
  assert.equal((await submit(first.token)).body.code, 'interface_closed');
  assert.equal((await submissions()).length, kept, 'nothing is stored');
  await post(`/api/v1/workflows/${id}/resume`, undefined);
  assert.equal((await post(`/api/v1/tasks/${taskId}/reassign`, { userId: other.id }, clerk)).status, 200);
  assert.equal((await submit(first.token)).body.code, 'interface_closed');
  assert.equal((await fetch(`${chancery.url}/f/${first.token}`)).status, 410);
  const { body: second } = await linkOf(taskId, other);
  assert.notEqual(second.token, first.token);
  const [sent, ended] = await Promise.all([submit(second.token), post(`/api/v1/workflows/${id}/cancel`, {})]);
  assert.ok(sent.status === 200 || sent.body.code === 'interface_closed', sent.text);
  assert.ok(ended.status === 200 || ended.body.code === 'invalid_transition', ended.text);
  assert.equal((await submit(second.token)).body.code, 'interface_closed');
});

test('only an editor of a form can use it in a workflow; without that right, or after the form is closed, there is no link', async () => {
  const body = { name: 'W', documentId: 'DMS-2', steps: [{ id: 'a', type: 'task' }, fill()] };
  const refused = await post('/api/v1/workflows/', body, other);
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.errors?.[0]?.pointer],
    [422, 'workflow_steps_invalid', '/steps/1/config/interfaceId'],
  );
  const odd = await post('/api/v1/workflows/', { ...body, steps: [fill({ config: { interfaceId: 'F-1' } })] });
  assert.deepEqual([odd.status, odd.body.errors?.[0]?.pointer], [422, '/steps/0/config/interfaceId']);
  const share = await post(`${path}/${form.id}/shares`, { userId: other.id, rights: ['edit'] });
  const made = await post('/api/v1/workflows/', { name: 'W', documentId: 'DMS-2', steps: [fill()] }, other);
  const begun = await post(`/api/v1/workflows/${made.body.id}/start`, undefined, other);
  const [taskId] = begun.body.steps[0].taskIds;
  assert.equal((await linkOf(taskId)).status, 200);
  assert.equal((await chancery.call('DELETE', `${path}/${form.id}/shares/${share.body.id}`, { token: creator.token })).status, 204);
  assert.equal((await linkOf(taskId)).body.code, 'form_not_available');
  const plain = await started([{ id: 'fill', type: 'form', assignedTo: clerk.id }]);
  assert.equal((await linkOf(plain.taskId)).body.code, 'task_has_no_form', 'a step without a form is completed by hand');
  assert.equal((await post(`/api/v1/tasks/${plain.taskId}/complete`, undefined, clerk)).body.outcome, 'submitted');
});

test('a barrier that excludes the creator of a workflow ends the form link of its task', async () => {
  const { body: folder } = await post('/api/v1/smartdoc/folders/', { name: 'Suppliers' });
  const behind = await publishForm(chancery, creator, { title: 'Facts', fields, config: { folderId: folder.id } });
  await post(`${path}/${behind.id}/shares`, { userId: other.id, rights: ['edit'] });
  const steps = [fill({ config: { interfaceId: behind.id } })];
  const made = await post('/api/v1/workflows/', { name: 'W', documentId: 'DMS-2', steps }, other);
  const begun = await post(`/api/v1/workflows/${made.body.id}/start`, undefined, other);
  const [taskId] = begun.body.steps[0].taskIds;
  assert.equal((await linkOf(taskId)).status, 200);
  const barrier = { token: creator.token, body: { userIds: [] } };
  assert.equal((await chancery.call('PUT', `/api/v1/smartdoc/folders/${folder.id}/barrier`, barrier)).status, 200);
  assert.equal((await linkOf(taskId)).body.code, 'form_not_available');
  const refused = await post('/api/v1/workflows/', { name: 'W', documentId: 'DMS-2', steps }, other);
  assert.equal(refused.body.code, 'workflow_steps_invalid');
});

test('a client needs interfaces:write to use a form in a workflow, and interfaces:read for conditions on its answers', async () => {
  const name = 'workflow_steps_invalid';
  const withScopes = async (...scopes: string[]) => chancery.client(team.owner, ['workflows:write', 'workflows:read', ...scopes]);
  const when = { id: 'then', type: 'task', config: { when: { field: 'fill/name', eq: 'Ada' } } };
  const outcome = async ({ token }: { token: string }, interfaceId: string, more: object[] = []) => {
    const steps = [fill({ config: { interfaceId } }), ...more];
    const made = await chancery.call('POST', '/api/v1/workflows/', { token, body: { name: 'W', documentId: 'DMS-3', steps } });
    return { id: made.body.id, said: [made.status, made.body.code, made.body.errors?.[0].pointer] };
  };
  const none = '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f12';
  for (const scopes of [[], ['interfaces:read']]) {
    const client = await withScopes(...scopes);
    const { said } = await outcome(client, form.id);
    assert.deepEqual(said, [422, name, '/steps/0/config/interfaceId']);
    assert.deepEqual(said, (await outcome(client, none)).said);
  }
  const writes = await withScopes('interfaces:write');
  assert.deepEqual((await outcome(writes, form.id, [when])).said, [422, name, '/steps/1/config/when/field']);
  const both = await withScopes('interfaces:write', 'interfaces:read');
  assert.equal((await outcome(both, form.id, [when])).said[0], 201);
  const { id } = await outcome(both, form.id);
  const begun = await chancery.call('POST', `/api/v1/workflows/${id}/start`, { token: both.token });
  const [taskId] = begun.body.steps[0].taskIds;
  assert.equal((await linkOf(taskId)).status, 200);
  const body = { scopes: ['workflows:write', 'workflows:read'] };
  assert.equal((await chancery.call('PATCH', `/api/v1/security/clients/${both.id}`, { token: team.owner.token, body })).status, 200);
  assert.equal((await linkOf(taskId)).body.code, 'form_not_available');
});

test('a workflow can use conditions on answers while its creator can read them, also checked at its start', async () => {
  const share = (rights: string[]) => post(`${path}/${form.id}/shares`, { userId: other.id, rights });
  await share(['edit', 'submissions']);
  const steps = [fill(), { id: 'then', type: 'task', config: { when: { field: 'fill/name', eq: 'Ada' } } }];
  const draft = async () => (await post('/api/v1/workflows/', { name: 'W', documentId: 'DMS-4', steps }, other)).body.id;
  const [early, late] = [await draft(), await draft()];
  const start = (id: string) => post(`/api/v1/workflows/${id}/start`, undefined, other);
  assert.equal((await start(early)).status, 200);
  await share(['edit']);
  const refused = await start(late);
  assert.deepEqual([refused.status, refused.body.errors?.[0]?.pointer], [422, '/steps/1/config/when/field']);
});
