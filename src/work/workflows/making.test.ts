import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type Asker, asking, file } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { smallTemplate } from '../../../test/operations/small-template.ts';
import { type PublishedForm, publishForm } from '../../../test/published-forms.ts';
import { eventually } from '../../../test/webhook-receiver.ts';

/* Steps that make a document from a template, or a record. */

const path = '/api/v1/workflows';
const tasks = '/api/v1/tasks';
const docs = '/api/v1/smartdoc/documents';
const folders = '/api/v1/smartdoc/folders';
const registries = '/api/v1/registries';
let chancery: Chancery;
let team: TestTeam;
let creator: User;
let clerk: User;
let admin: User;
let form: PublishedForm;
let template: string;
let registry: string;

before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  [creator, clerk, admin] = [await chancery.user(team), await chancery.user(team), await chancery.user(team, { role: 'admin' })];
  form = await publishForm(chancery, creator, { title: 'Supplier', fields, config: { requireAltcha: true } });
  template = (await made(creator, 'POST', '/api/v1/document-templates/', smallTemplate())).id;
  registry = await registryOf(creator);
});

const { call, made, folderBy, status: statusOf } = asking(() => chancery);
const fields = [
  { id: 'company', type: 'text', label: 'Company', required: true },
  { id: 'mail', type: 'email', label: 'Mail' },
];
const registryOf = async (by: Asker): Promise<string> =>
  (
    await made(by, 'POST', `${registries}/`, {
      name: `Parties ${randomUUIDv7()}`,
      fields: [
        { id: 'name', type: 'text', label: 'Name', required: true },
        { id: 'vat', type: 'text', label: 'VAT', unique: true },
        { id: 'verdict', type: 'text', label: 'Verdict' },
      ],
    })
  ).id;
const intake = () => ({ id: 'intake', type: 'form', assignedTo: clerk.id, config: { interfaceId: form.id } });
const nda = (config: object = {}, more: object = {}) => ({
  id: 'nda',
  type: 'document',
  config: { templateId: template, values: { name: { from: 'intake/company' } }, ...config },
  ...more,
});
const row = (config: object = {}, more: object = {}) => ({
  id: 'row',
  type: 'record',
  config: { registryId: registry, fields: { name: { value: 'Acme' } }, ...config },
  ...more,
});
const create = (steps: object[], more: object = {}, by: Asker = creator) =>
  call(by, 'POST', `${path}/`, { name: 'Supplier', documentId: 'DMS-1', steps, ...more });
async function started(steps: object[], more: object = {}, by: Asker = creator): Promise<any> {
  const flow = await create(steps, more, by);
  assert.equal(flow.status, 201, flow.text);
  return made(by, 'POST', `${path}/${flow.body.id}/start`);
}
async function fill(flow: any, data: object): Promise<void> {
  const { body: link } = await call(clerk, 'POST', '/api/v1/interfaces/task-links', { taskId: flow.steps[0].taskIds[0] });
  const sent = await chancery.call('POST', `/api/v1/interfaces/public/${link.token}/submit`, { body: { data } });
  assert.equal(sent.status, 200, sent.text);
}
const ended = (id: string, step: string): Promise<any> =>
  eventually(`the end of ${step}`, async () => {
    const flow = await made(team.owner, 'GET', `${path}/${id}`);
    const found = flow.steps.find((one: any) => one.id === step);
    return ['pending', 'active'].includes(found.status) ? undefined : { ...flow, step: found };
  });

test('a document is made from answers once, and later steps use it under its name', async () => {
  const review = { id: 'judge', type: 'review', assignees: [clerk.id], config: { document: 'nda' } };
  const title = { title: { text: 'NDA {{intake/company}}' } };
  const flow = await started([intake(), nda(title), review]);
  await fill(flow, { company: 'Acme {{intake/mail}}' });
  const { step, documents, id } = await ended(flow.id, 'nda');
  assert.equal(step.status, 'completed', step.outcome);
  assert.deepEqual(documents, [
    { name: 'document', documentId: 'DMS-1' },
    { name: 'nda', documentId: step.outcome },
  ]);
  const document = await made(creator, 'GET', `${docs}/${step.outcome}`);
  assert.deepEqual([document.title, document.status], ['NDA Acme {{intake-mail}}', 'in_review'], 'braces in an answer are text');
  assert.equal((await made(creator, 'GET', `${docs}/${step.outcome}/template`)).templateId, template);
  const [task] = await made(clerk, 'GET', `${tasks}?workflowId=${id}&status=open`);
  assert.equal(task.documentId, step.outcome);
  assert.equal(await statusOf(clerk, 'GET', `${docs}/${step.outcome}`), 200);
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM document WHERE team_id = $1 AND title LIKE $2', [
    team.id,
    'NDA Acme%',
  ]);
  assert.equal(rows[0].n, 1);
});

test('an answer that the template rejects fails the step; a retry makes the document again, and a skip continues without', async () => {
  const short = smallTemplate('Short');
  const properties = { name: { type: 'string', maxLength: 5 } };
  const { id: templateId } = await made(creator, 'POST', '/api/v1/document-templates/', {
    ...short,
    schema: { ...short.schema, properties },
  });
  const flow = await started([
    intake(),
    nda({ templateId }),
    { id: 'then', type: 'task', assignees: [clerk.id], config: { document: 'nda' } },
  ]);
  await fill(flow, { company: 'Harbour' });
  const { step } = await ended(flow.id, 'nda');
  assert.deepEqual([step.status, step.outcome], ['failed', 'document_data_invalid']);
  const failed = async () => (await made(admin, 'GET', `${tasks}?workflowId=${flow.id}&status=open`)) as any[];
  const [task] = await failed();
  assert.equal(task.type, 'failed_step');
  assert.equal(await statusOf(team.owner, 'POST', `${tasks}/${task.id}/complete`, { outcome: 'skip' }), 200);
  const after = await made(creator, 'GET', `${path}/${flow.id}`);
  assert.deepEqual(
    after.steps.slice(1).map(({ status, outcome }: any) => [status, outcome]),
    [
      ['skipped', 'skipped'],
      ['failed', 'document_missing'],
    ],
  );
});

test('a rejected workflow makes the document again, and the new one takes its name', async () => {
  const judge = { id: 'judge', type: 'approval', assignees: [clerk.id], config: { document: 'nda', onReject: 'nda' } };
  const flow = await started([nda({ values: { name: { value: 'Acme' } } }), judge]);
  const first = (await ended(flow.id, 'nda')).step.outcome;
  const [task] = await made(clerk, 'GET', `${tasks}?workflowId=${flow.id}&status=open`);
  await made(clerk, 'POST', `${tasks}/${task.id}/complete`, { outcome: 'rejected' });
  const again = await ended(flow.id, 'nda');
  assert.notEqual(again.step.outcome, first);
  assert.deepEqual(again.documents[1], { name: 'nda', documentId: again.step.outcome });
  assert.deepEqual(
    [(await made(creator, 'GET', `${docs}/${first}`)).status, (await made(creator, 'GET', `${docs}/${again.step.outcome}`)).status],
    ['draft', 'in_review'],
  );
});

test('a record is created or changed by a unique field, and names its workflow', async () => {
  const values = (vat: string) => ({ name: { from: 'intake/company' }, vat: { value: vat }, verdict: { from: 'judge' } });
  const judge = { id: 'judge', type: 'approval', assignees: [clerk.id] };
  const run = async (company: string) => {
    const flow = await started([intake(), judge, row({ fields: values('DE1'), update: 'vat' })]);
    await fill(flow, { company });
    const [task] = await made(clerk, 'GET', `${tasks}?workflowId=${flow.id}&status=open`);
    await made(clerk, 'POST', `${tasks}/${task.id}/complete`, { outcome: 'approved' });
    return ended(flow.id, 'row');
  };
  const [one, two] = [await run('Acme'), await run('Acme GmbH')];
  assert.deepEqual([one.step.status, two.step.outcome], ['completed', one.step.outcome]);
  const record = await made(creator, 'GET', `${registries}/${registry}/records/${one.step.outcome}`);
  assert.deepEqual([record.data, record.version, record.workflowId], [{ name: 'Acme GmbH', vat: 'DE1', verdict: 'approved' }, 2, two.id]);
  assert.equal(two.status, 'completed');

  const waiting = await started([row({ fields: { name: { value: 'Waiting' } }, pending: true })]);
  const { step } = await ended(waiting.id, 'row');
  assert.equal((await made(creator, 'GET', `${registries}/${registry}/records/${step.outcome}`)).status, 'pending');
  const taken = await started([row({ fields: { name: { value: 'Twice' }, vat: { value: 'DE1' } } })]);
  assert.equal((await ended(taken.id, 'row')).step.outcome, 'registry_value_taken');
});

test('names, templates, registries and fields are checked when a workflow is created', async () => {
  const theirs = (await made(clerk, 'POST', '/api/v1/document-templates/', smallTemplate())).id;
  const wrong: [object[], string, RegExp][] = [
    [[intake(), nda({ values: { name: { from: 'intak/company' } } })], '/steps/1/config/values/name/from', /does not name an answer/],
    [
      [intake(), nda({ values: { name: { from: 'intake/compny' } } })],
      '/steps/1/config/values/name/from',
      /does not name a part of `intake`/,
    ],
    [[intake(), nda({}, { dependsOn: [] })], '/steps/1/config/values/name/from', /does not name an answer/],
    [[nda({ templateId: theirs, values: {} })], '/steps/0/config/templateId', /does not name a document template that you may use/],
    [[nda({ values: {}, tilte: {} })], '/steps/0/config/tilte', /did you mean `title`/],
    [[nda({ values: {}, name: 'document' })], '/steps/0/config/name', /is the name of another document/],
    [[nda({ values: {} }, { id: 'a b' })], '/steps/0/config/name', /not a valid name of a document/],
    [
      [{ id: 'a', type: 'task', config: { document: 'ndaa' } }, nda({ values: {} })],
      '/steps/0/config/document',
      /does not name a document of the workflow/,
    ],
    [[nda({ values: {} }), { id: 'a', type: 'task', config: { document: 'ndaa' } }], '/steps/1/config/document', /did you mean `nda`/],
    [[row({ registryId: randomUUIDv7() })], '/steps/0/config/registryId', /does not name a registry/],
    [[row({ fields: { name: { value: 'x' }, nmae: { value: 'x' } } })], '/steps/0/config/fields/nmae', /did you mean `name`/],
    [[row({ update: 'name' })], '/steps/0/config/update', /unique field/],
    [[{ id: 'row', type: 'record', config: { registryId: registry } }], '/steps/0/config/fields', /is required/],
    [[row({}, { assignees: ['role:admin'] })], '/steps/0/assignees/0', /has no tasks/],
  ];
  for (const [steps, pointer, reason] of wrong) {
    const { status, body: problem } = await create(steps);
    assert.deepEqual([status, problem.errors?.[0]?.pointer], [422, pointer], JSON.stringify(problem));
    assert.match(problem.errors[0].reason, reason, pointer);
  }
});

test('values that the template or the registry never accepts are rejected when a workflow is created or changed', async () => {
  const name = (source: object) => nda({ values: { name: source } });
  const wrong: [object[], string, RegExp][] = [
    [[name({ value: 7 })], '/steps/0/config/values/name', /never fits the template: .*for example 7/],
    [[nda({ values: {} })], '/steps/0/config/values/name', /is required by the template, and the mapping has no value/],
    [[intake(), name({ from: 'intake/mail' })], '/steps/1/config/values/name', /is required by the template, and can have no value/],
    [[row({ fields: { name: { value: 7 } } })], '/steps/0/config/fields/name', /never fits the registry/],
    [[row({ fields: { vat: { value: 'DE2' } } })], '/steps/0/config/fields/name', /is required by the registry/],
  ];
  const draft = (await create([row()])).body;
  for (const [steps, pointer, reason] of wrong)
    for (const answer of [await create(steps), await call(creator, 'PUT', `${path}/${draft.id}`, { steps })]) {
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.pointer], [422, pointer], answer.text);
      assert.match(answer.body.errors[0].reason, reason);
    }
  const given = { first: [{ when: { field: 'intake/mail', empty: false }, then: { from: 'intake/mail' } }], else: { value: 'None' } };
  for (const steps of [
    [intake(), name({ from: 'intake/company' })],
    [intake(), name(given)],
    [intake(), nda({ values: { name: { from: 'intake/mail' } }, when: { field: 'intake/mail', empty: false } })],
    [row({ fields: { vat: { value: 'DE2' } }, update: 'vat' })],
  ])
    assert.equal((await create(steps)).status, 201, JSON.stringify(steps));
});

test('steps of these types without the required members stay tasks', async () => {
  const flow = await started([{ id: 'document', type: 'document', assignees: [clerk.id] }]);
  assert.equal(flow.steps[0].taskIds.length, 1);
  const old = await create([{ id: 'record', type: 'record', assignees: [clerk.id], config: { outcomes: ['done'] } }]);
  assert.equal(old.status, 201, old.text);
});

test('a step uses the current rights of the creator, and a client needs the scope', async () => {
  const lent = (await made(admin, 'POST', '/api/v1/document-templates/', smallTemplate())).id;
  const share = await made(admin, 'POST', `/api/v1/document-templates/${lent}/access`, { userId: creator.id, access: 'read' });
  const flow = await started([
    { id: 'first', type: 'task', assignees: [clerk.id] },
    nda({ templateId: lent, values: { name: { value: 'Acme' } } }),
  ]);
  await made(admin, 'DELETE', `/api/v1/document-templates/${lent}/access/${share.id}`);
  await made(clerk, 'POST', `${tasks}/${flow.steps[0].taskIds[0]}/complete`);
  assert.equal((await ended(flow.id, 'nda')).step.outcome, 'not_found');

  const client = await chancery.client(team.owner, ['workflows:write', 'workflows:read']);
  for (const step of [nda({ values: {} }), row()]) {
    const refused = await create([step], {}, client);
    assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope']);
  }
});

test('a document made for a workflow behind a barrier stays inside the barrier', async () => {
  const folder = await folderBy(creator);
  const inside = (await made(creator, 'POST', `${docs}/`, { title: 'Secret', folderId: folder.id })).id;
  await made(creator, 'PUT', `${folders}/${folder.id}/barrier`, { userIds: [creator.id] });
  const values = { name: { value: 'Acme' } };
  const outside = await started([nda({ values })], { documentId: inside });
  const { rows } = await eventually('the failure', async () => {
    const found = await chancery.pool.query("SELECT outcome FROM workflow_step WHERE workflow_id = $1 AND status = 'failed'", [outside.id]);
    return found.rows.length > 0 ? found : undefined;
  });
  assert.equal(rows[0].outcome, 'document_outside_barrier');
  const kept = await started([nda({ values, folderId: folder.id })], { documentId: inside });
  const flow = await eventually('the document', async () => {
    const found = await made(creator, 'GET', `${path}/${kept.id}`);
    return found.status === 'completed' ? found : undefined;
  });
  assert.equal(await statusOf(team.owner, 'GET', `${docs}/${flow.steps[0].outcome}`), 404);
  assert.equal(await statusOf(team.owner, 'GET', `${path}/${kept.id}`), 404);
});

test('a round is about the documents that earlier steps make, and not about later ones', async () => {
  const judge = (id: string) => ({
    id,
    type: 'approval',
    config: { approval: { rules: [{ id: 'one', need: [{ count: 1, from: [`user:${clerk.id}`] }] }], exclude: [] } },
  });
  const document = (await made(creator, 'POST', `${docs}/`, file())).id;
  const values = { name: { value: 'Acme' } };
  const flow = await started([judge('before'), nda({ values }), judge('after')], { documentId: document });
  const roundOf = async (step: string) =>
    (await made(team.owner, 'GET', `/api/v1/approvals?workflowId=${flow.id}`)).find(({ subject }: any) => subject.stepId === step);
  const approve = async (step: string) => {
    const [{ taskId }] = (await roundOf(step)).candidates;
    await made(clerk, 'POST', `${tasks}/${taskId}/complete`, { outcome: 'approved' });
  };
  await approve('before');
  const { step } = await ended(flow.id, 'nda');
  const idsOf = async (of: string) => (await roundOf(of)).documents.map(({ id }: any) => id);
  assert.deepEqual([await idsOf('before'), await idsOf('after')], [[document], [document, step.outcome]]);
  await made(creator, 'POST', `${docs}/${step.outcome}/versions`, file());
  const { steps } = await made(creator, 'GET', `${path}/${flow.id}`);
  assert.deepEqual(
    steps.map(({ status }: any) => status),
    ['completed', 'completed', 'active'],
  );
  const [{ status, reason }] = await made(team.owner, 'GET', `/api/v1/approvals?workflowId=${flow.id}&status=voided`);
  assert.deepEqual([status, reason], ['voided', 'document_changed']);
});

test('a pause keeps a step from making something until the workflow resumes', async () => {
  const flow = await started([{ id: 'first', type: 'task', assignees: [clerk.id] }, row({ fields: { name: { value: 'Paused' } } })]);
  await made(clerk, 'POST', `${tasks}/${flow.steps[0].taskIds[0]}/complete`);
  await call(creator, 'POST', `${path}/${flow.id}/pause`, {});
  const paused = await made(creator, 'GET', `${path}/${flow.id}`);
  if (paused.status === 'paused') await made(creator, 'POST', `${path}/${flow.id}/resume`);
  assert.equal((await ended(flow.id, 'row')).status, 'completed');
  const found = await made(creator, 'GET', `${registries}/${registry}/records?q=Paused`);
  assert.equal(found.filter(({ data }: any) => data.name === 'Paused').length, 1);
});

test('a template of workflows fills parameters into values, and leaves the names in texts to the run', async () => {
  await made(creator, 'POST', `${path}/templates`, {
    name: 'with-record',
    description: 'x',
    parameters: [{ name: 'party', type: 'text' }],
    steps: [{ id: 'judge', type: 'approval' }, row({ fields: { name: { value: '{{party}}' }, verdict: { text: 'was {{judge}}' } } })],
  });
  const flow = await made(creator, 'POST', `${path}/templates/with-record`, {
    documentId: 'DMS-1',
    parameters: { party: 'Acme {{judge}}' },
    assignees: { judge: [clerk.id] },
  });
  const { steps } = await made(creator, 'POST', `${path}/${flow.id}/start`);
  await made(clerk, 'POST', `${tasks}/${steps[0].taskIds[0]}/complete`, { outcome: 'approved' });
  const { step } = await ended(flow.id, 'row');
  const { data } = await made(creator, 'GET', `${registries}/${registry}/records/${step.outcome}`);
  assert.deepEqual(data, { name: 'Acme {{judge}}', verdict: 'was approved' });
});

test('a saved template is compared with its targets, as a workflow is', async () => {
  const save = (config: object, more: object = {}) =>
    call(creator, 'POST', `${path}/templates`, {
      name: `desk-${randomUUIDv7()}`,
      description: 'x',
      parameters: [{ name: 'party', type: 'text' }],
      steps: [{ id: 'judge', type: 'approval' }, row(config, more)],
    });
  const errors = async (answer: ReturnType<typeof save>) => {
    const { body } = await answer;
    return [body.code, ...(body.errors ?? []).map(({ pointer, reason }: any) => `${pointer} ${reason}`)];
  };
  const fieldsOf = (more: object) => ({ fields: { name: { value: '{{party}}' }, ...more } });
  assert.deepEqual(await errors(save(fieldsOf({ verdct: { from: 'judge' } }))), [
    'workflow_steps_invalid',
    '/steps/1/config/fields/verdct is not a place of the registry; did you mean `verdict`?',
  ]);
  assert.deepEqual(await errors(save(fieldsOf({ verdict: { value: true } }))), [
    'workflow_steps_invalid',
    '/steps/1/config/fields/verdict never fits the registry: is not a valid value, for example true',
  ]);
  assert.deepEqual(await errors(save({ fields: { verdict: { from: 'judge' } } })), [
    'workflow_steps_invalid',
    '/steps/1/config/fields/name is required by the registry, and the mapping has no value for it',
  ]);
  assert.match((await errors(save({ ...fieldsOf({}), update: 'name' })))[1], /\/config\/update must name a unique field of the registry/);
  assert.match(
    (await errors(save({ registryId: randomUUIDv7() })))[1],
    /registryId does not name a registry whose records you may change$/,
  );
  const open = {
    name: { from: 'submission/company' },
    vat: { value: '{{party}}' },
    verdict: { first: [{ when: { field: 'judge', eq: 'approved' }, then: { value: 'yes, {{party}}' } }] },
  };
  assert.equal((await save({ fields: open, update: 'vat' })).status, 201);
});

test('a change of a template checks its changed steps only', async () => {
  const own = await registryOf(creator);
  const name = `desk-${randomUUIDv7()}`;
  const steps = [{ id: 'judge', type: 'approval' }, row({ registryId: own })];
  await made(creator, 'POST', `${path}/templates`, { name, description: 'x', steps });
  await made(creator, 'DELETE', `${registries}/${own}`);
  const put = (members: object) => statusOf(creator, 'PUT', `${path}/templates/${name}`, members);
  assert.deepEqual([await put({ description: 'y' }), await put({ steps: [{ ...steps[0], name: 'Judge' }, steps[1]] })], [200, 200]);
  assert.equal(await put({ steps: [steps[0], row({ registryId: own, pending: true })] }), 422);
});

test('a saved template needs different signers, apart from parameters', async () => {
  const save = (...emails: string[]) =>
    call(creator, 'POST', `${path}/templates`, {
      name: `sign-${randomUUIDv7()}`,
      description: 'x',
      parameters: ['one', 'two'].map((name) => ({ name, type: 'text' })),
      steps: [{ id: 'sign', type: 'signature', config: { signers: emails.map((email) => ({ email, name: 'Ada' })) } }],
    });
  assert.equal((await save('{{one}}', '{{two}}', 'a@acme.example')).status, 201);
  const twice = await save('a@acme.example', 'A@acme.example');
  assert.deepEqual([twice.status, twice.body.errors[0].pointer], [422, '/steps/0/config/signers/1/email']);
});
