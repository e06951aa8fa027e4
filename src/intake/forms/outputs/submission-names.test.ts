import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { askingOutputs, errorsOf, stepStatuses, workflowOutput } from '../../../../test/form-outputs.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';

/* The names `submission/…` in the steps of workflows that a form starts. */

const workflows = '/api/v1/workflows';
let chancery: Chancery;
let team: TestTeam;
let creator: User;

before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  creator = await chancery.user(team);
});

const { call, ok, create, publish, submitted, settled, templateOf, ...forms } = askingOutputs(
  () => chancery,
  () => creator,
);

const fields = [
  { id: 'company', type: 'text', label: 'Company', required: true, validation: { maxLength: 80 } },
  { id: 'kind', type: 'radio', label: 'Kind', required: true, options: [{ id: 'mutual', label: 'Both sides' }, { id: 'oneway' }] },
  { id: 'amount', type: 'money', label: 'Amount', options: [{ id: 'EUR' }, { id: 'GBP' }] },
];
const euros = (amount: string, currency = 'EUR') => ({ amount, currency });
const large = { field: 'submission/amount', gt: euros('50000') };

const task = (id: string, config: object = {}) => ({ id, type: 'task', dependsOn: [], assignees: [creator.id], config });
const started = (template: string, answers?: object) => forms.started(template, answers, { fields });

test('conditions of steps read the form that started the workflow, its parts and its language', async () => {
  const template = await templateOf(
    task('board', { when: large }),
    task('pounds', { when: { field: 'submission/amount/currency', eq: 'GBP' } }),
    task('mutual', {
      when: {
        all: [
          { field: 'submission/kind', eq: 'mutual' },
          { field: 'submission/locale', eq: 'en' },
        ],
      },
    }),
  );
  assert.deepEqual(stepStatuses(await started(template, { amount: euros('60000') })), {
    board: 'active',
    pounds: 'skipped',
    mutual: 'active',
  });
  assert.deepEqual(stepStatuses(await started(template, { amount: euros('49000', 'GBP'), kind: 'oneway' })), {
    board: 'skipped',
    pounds: 'active',
    mutual: 'skipped',
  });
});

test('an answer that is missing, or in another currency, takes effect by onMissing', async () => {
  const template = await templateOf(
    task('failing', { when: large, onMissing: 'fail' }),
    task('skipping', { when: large, onMissing: 'skip' }),
    task('beginning', { when: large, onMissing: 'begin' }),
  );
  const expected = { failing: 'failed', skipping: 'skipped', beginning: 'active' };
  assert.deepEqual(stepStatuses(await started(template)), expected);
  assert.deepEqual(stepStatuses(await started(template, { amount: euros('90000', 'GBP') })), expected);
});

test('without a form, names of the submission are missing answers', async () => {
  const template = await templateOf(
    task('failing', { when: large, onMissing: 'fail' }),
    task('skipping', { when: large, onMissing: 'skip' }),
    task('beginning', { when: large, onMissing: 'begin' }),
  );
  const { id } = await ok('POST', `${workflows}/templates/${template}`, { documentId: 'DMS-1' });
  const begun = await ok('POST', `${workflows}/${id}/start`);
  assert.deepEqual(stepStatuses(begun), { failing: 'failed', skipping: 'skipped', beginning: 'active' });
  assert.equal(begun.steps[0].outcome, 'condition_input_missing');
  const listed = await ok('GET', `/api/v1/tasks?workflowId=${id}`, undefined, team.owner);
  const about = listed.find(({ type }: any) => type === 'failed_condition');
  assert.match(about.description, /submission\/amount/);
});

test('a record of a step takes answers, parts, labels and texts of the submission', async () => {
  const registry = await ok('POST', '/api/v1/registries/', {
    name: `Vendors ${randomUUIDv7()}`,
    fields: ['name', 'currency', 'kind', 'text', 'source'].map((id) => ({ id, type: 'text', label: id })),
  });
  const template = await templateOf({
    id: 'row',
    type: 'record',
    config: {
      registryId: registry.id,
      fields: {
        name: { from: 'submission/company' },
        currency: { from: 'submission/amount/currency' },
        kind: { label: 'submission/kind' },
        text: { text: '{{submission/company}}: {{submission/amount}}' },
        source: { first: [{ when: large, then: { from: 'submission/id' } }] },
      },
    },
  });
  const made = await started(template, { company: 'Acme {{mail}}', amount: euros('60000') });
  const { documentId } = await eventually('the end of the step', async () => {
    const found = await ok('GET', `${workflows}/${made.id}`);
    return found.status === 'completed' ? found : undefined;
  });
  const [record] = await ok('GET', `/api/v1/registries/${registry.id}/records/`);
  assert.deepEqual(record.data, {
    name: 'Acme {{mail}}',
    currency: 'EUR',
    kind: 'Both sides',
    text: 'Acme {{mail}}: 60000 EUR',
    source: documentId,
  });
});

test('the rule of an approval policy is chosen by an answer of the form', async () => {
  const need = [{ count: 1, from: [`user:${team.owner.id}`] }];
  const policy = `large-${randomUUIDv7()}`;
  const rules = [
    { id: 'large', when: large, need },
    { id: 'else', need },
  ];
  await ok('POST', '/api/v1/approval-policies/', { name: policy, rules, exclude: [] }, team.owner);
  const template = await templateOf({ id: 'board', type: 'approval', config: { approval: { policy } } });
  const rule = async (amount: object) => {
    const { id } = await started(template, { amount });
    return (await ok('GET', `/api/v1/approvals?workflowId=${id}`, undefined, team.owner))[0].rule;
  };
  assert.deepEqual([await rule(euros('60000')), await rule(euros('50000'))], ['large', 'else']);
  await ok(
    'PUT',
    `/api/v1/approval-policies/${policy}`,
    { rules: [{ ...rules[0], when: { field: 'submission/sum', gt: euros('1') } }, rules[1]] },
    team.owner,
  );
  const form = await create([workflowOutput(template)], {}, { fields });
  const refused = await publish(form.body.id);
  assert.deepEqual(errorsOf(refused), [422, '/config/then/0/template']);
  assert.match(refused.body.errors[0].reason, /^\/steps\/0\/config\/approval\/rules\/0\/when\/field of the template .*submission\/sum/);
});

test('a publication and a check refuse names and comparisons that the form does not have', async () => {
  const template = await templateOf(
    task('board', { when: { field: 'submission/amuont', gt: euros('50000') } }),
    task('kind', { when: { field: 'submission/kind', eq: 'both' } }),
    task('bare', { when: { field: 'submission/amount', gt: 50_000 } }),
  );
  const form = await create([workflowOutput(template)], {}, { fields });
  const refused = await publish(form.body.id);
  assert.deepEqual(errorsOf(refused), [422, ...Array.from({ length: 3 }, () => '/config/then/0/template')]);
  const reasons = refused.body.errors.map(({ reason }: any) => reason);
  assert.match(reasons[0], /^\/steps\/0\/config\/when\/field of the template .*; did you mean `submission\/amount`\?/);
  assert.match(reasons[1], /^\/steps\/1\/config\/when\/eq .*cannot be an answer/);
  assert.match(reasons[2], /^\/steps\/2\/config\/when\/gt .*must include the currency/);
  const { outputs } = await ok('POST', `/api/v1/interfaces/${form.body.id}/check`, {});
  assert.deepEqual(
    outputs[0].problems.map(({ reason }: any) => reason),
    reasons,
  );
  const old = await call('POST', '/api/v1/interfaces/', { title: 'Old', type: 'form', fields, config: { startsTemplate: template } });
  assert.deepEqual(errorsOf(await publish(old.body.id)), [422, ...Array.from({ length: 3 }, () => '/config/startsTemplate')]);
});

test('a form with startsTemplate passes its answers too', async () => {
  const template = await templateOf(task('board', { when: large }));
  const form = await ok('POST', '/api/v1/interfaces/', { title: 'Old', type: 'form', fields, config: { startsTemplate: template } });
  const { publicToken } = (await publish(form.id)).body;
  const id = await submitted({ id: form.id, publicToken }, { amount: euros('60000') });
  const { items } = await ok('GET', `/api/v1/interfaces/${form.id}/submissions/${id}/trace`);
  const made = await ok('GET', `${workflows}/${items.find(({ make }: any) => make === 'workflow').result.id}`);
  assert.deepEqual(stepStatuses(made), { board: 'active' });
});

test('a change of a workflow names only fields of the form that started it', async () => {
  const { id, steps } = await started(await templateOf(task('first')), { amount: euros('1') });
  const later = (field: string) => ({ ...task('later', { when: { field, eq: 'mutual' } }), dependsOn: ['first'] });
  const change = (field: string) => call('PUT', `${workflows}/${id}`, { steps: [...steps, later(field)] });
  assert.deepEqual(errorsOf(await change('submission/kynd')), [422, '/steps/1/config/when/field']);
  assert.equal((await change('submission/kind')).status, 200);
});

test('a caller who may no longer read the submission cannot name its answers in changed steps', async () => {
  const template = await templateOf(task('wait'));
  const made = await create([workflowOutput(template)], {}, { fields, user: team.owner });
  const share = await ok(
    'POST',
    `/api/v1/interfaces/${made.body.id}/shares`,
    { userId: creator.id, rights: ['edit', 'submissions'] },
    team.owner,
  );
  const form = (await publish(made.body.id)).body;
  // The effects use the rights of the member who publishes: the creator of the workflow.
  const submission = await submitted(form, { company: 'Secret Ltd.' });
  const { outputs } = await settled(form, submission);
  const at = `${workflows}/${outputs[0].resultId}`;
  const { id: registryId } = await ok('POST', '/api/v1/registries/', {
    name: `Own ${randomUUIDv7()}`,
    fields: [{ id: 'name', type: 'text', label: 'Name' }],
  });
  const { steps } = await ok('GET', at);
  const row = (fieldsOf: object) => ({ id: 'row', type: 'record', dependsOn: [], config: { registryId, fields: fieldsOf } });
  const put = (step: object) => call('PUT', at, { steps: [{ ...steps[0], taskIds: undefined }, step] });
  const named = { name: { from: 'submission/company' } };
  const conditional = {
    ...row({ name: { value: 'x' } }),
    config: { registryId, fields: { name: { value: 'x' } }, when: { field: 'submission/company', eq: 'Secret Ltd.' } },
  };
  await ok('DELETE', `/api/v1/interfaces/${form.id}/shares/${share.id}`, undefined, team.owner);
  for (const step of [row(named), row({ name: { text: '{{submission/company}}' } }), conditional]) {
    const refused = await put(step);
    assert.deepEqual([refused.status, refused.body.code], [422, 'workflow_steps_invalid'], refused.text);
    assert.ok(!refused.text.includes('Secret Ltd'), 'the error has no answer');
  }
  assert.deepEqual(await ok('GET', `/api/v1/registries/${registryId}/records/`), []);
  await ok('POST', `/api/v1/interfaces/${form.id}/shares`, { userId: creator.id, rights: ['edit', 'submissions'] }, team.owner);
  assert.equal((await put(row(named))).status, 200);
});
