import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { askingOutputs, errorsOf, formsPath, outputFields } from '../../../../test/form-outputs.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { smallTemplate } from '../../../../test/operations/small-template.ts';

let chancery: Chancery;
let team: TestTeam;
let creator: User;

before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  creator = await chancery.user(team);
});

const { call, ok, create, publish, published, submitted, read, settled } = askingOutputs(
  () => chancery,
  () => creator,
);

const schema = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', maxLength: 80 }, note: { type: 'string', maxLength: 20 } },
  additionalProperties: false,
  examples: [{ name: 'Acme' }],
};
const newTemplate = async (): Promise<string> => (await ok('POST', '/api/v1/document-templates/', { ...smallTemplate(), schema })).id;
let shared: Promise<string> | undefined;
/** Returns a template that several tests use, because each new one is rendered once. */
const template = (): Promise<string> => (shared ??= newTemplate());
let names = 0;
async function workflowTemplate(): Promise<string> {
  names += 1;
  const name = `supplier-${team.id.slice(-8)}-${names}`;
  await ok(
    'POST',
    '/api/v1/workflows/templates',
    {
      name,
      description: 'A review',
      parameters: [{ name: 'party', type: 'text', required: true }],
      steps: [{ id: 'review', type: 'task', name: 'Review {{party}}', config: { document: 'nda' }, assignees: [creator.id] }],
    },
    team.owner,
  );
  return name;
}
const document = (templateId: string, members: object = {}) => ({
  id: 'nda',
  make: 'document',
  templateId,
  title: { text: 'NDA {{company}}' },
  values: { name: { from: 'company' } },
  ...members,
});

test('a submission creates a document and a workflow with its answers, once each and in order', async () => {
  const [templateId, name] = [await template(), await workflowTemplate()];
  const flow = { id: 'flow', make: 'workflow', template: name, documents: ['nda'], parameters: { party: { from: 'company' } } };
  const form = await published([document(templateId), flow]);
  const id = await submitted(form);
  const { status, outputs } = await settled(form, id);
  assert.deepEqual(
    [status, ...outputs.map((one: any) => [one.id, one.make, one.status, one.attempts])],
    ['received', ['nda', 'document', 'done', 1], ['flow', 'workflow', 'done', 1]],
  );
  const [nda, workflow] = outputs.map(({ resultId }: any) => resultId);
  assert.equal((await ok('GET', `/api/v1/smartdoc/documents/${nda}`)).title, 'NDA Acme {{kind}}');
  const made = await ok('GET', `/api/v1/workflows/${workflow}`);
  assert.deepEqual(
    [made.documents, made.steps[0].name, made.status],
    [[{ name: 'nda', documentId: nda }], 'Review Acme {{kind}}', 'active'],
  );
});

test('titles of documents and workflows take answers, without their slashes', async () => {
  const flow = {
    id: 'flow',
    make: 'workflow',
    template: await workflowTemplate(),
    documents: ['nda'],
    parameters: { party: { from: 'company' } },
    title: { text: 'Vendor {{company}} {{note}}' },
  };
  const form = await published([document(await template()), flow]);
  const nameFor = async (data: object) => {
    const { outputs } = await settled(
      form,
      await submitted(form, data),
      (found) => found[1].status === 'done' || found[0].status === 'failed',
    );
    assert.equal(outputs[1].status, 'done', outputs[0].detail);
    const { name, documentId } = await ok('GET', `/api/v1/workflows/${outputs[1].resultId}`);
    return [name, (await ok('GET', `/api/v1/smartdoc/documents/${documentId}`)).title];
  };
  assert.deepEqual(await nameFor({ company: 'Acme A/S', note: 'Oslo' }), ['Vendor Acme A-S Oslo', 'NDA Acme A-S']);
  assert.match((await nameFor({ company: 'Acme A/S' }))[0], /^Intake, \d{4}-/, 'without an answer');
});

test('an output whose condition does not hold is skipped', async () => {
  const form = await published([document(await template(), { when: { field: 'kind', eq: 'oneway' } })]);
  const { outputs } = await settled(form, await submitted(form));
  assert.deepEqual(outputs, [{ id: 'nda', make: 'document', status: 'skipped', attempts: 1 }]);
});

test('a failed output is retried once by concurrent callers, and an output that needs it goes on', async () => {
  const [templateId, name] = [await template(), await workflowTemplate()];
  const flow = { id: 'flow', make: 'workflow', template: name, documents: ['nda'], parameters: { party: { from: 'company' } } };
  const folder = await chancery.folder(creator, { name: 'Answers' });
  const form = await published([document(templateId), flow], { folderId: folder.id });
  await ok('DELETE', `/api/v1/smartdoc/folders/${folder.id}`);
  const id = await submitted(form);
  const failed = await settled(form, id, ([one]) => one.status === 'failed');
  assert.deepEqual([failed.status, failed.outputs[0].code, failed.outputs[1].status], ['failed', 'parent_not_found', 'waiting']);
  await ok('POST', `/api/v1/smartdoc/folders/${folder.id}/restore`);
  const retries = await Promise.all(Array.from({ length: 10 }, () => call('POST', `${formsPath}/${form.id}/submissions/${id}/retry`)));
  assert.ok(retries.some(({ status }) => status === 200));
  const done = await settled(form, id);
  assert.deepEqual([done.status, ...done.outputs.map((one: any) => one.status)], ['received', 'done', 'done']);
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS made FROM document_from_template WHERE source_id = $1', [id]);
  assert.deepEqual(rows, [{ made: 1 }]);
});

test('a value that the template rejects fails the output, and the submission is stored', async () => {
  const form = await published([document(await template(), { values: { name: { from: 'company' }, note: { from: 'note' } } })]);
  const { status, outputs } = await settled(form, await submitted(form, { note: 'x'.repeat(21) }));
  assert.deepEqual([status, outputs[0].code], ['failed', 'document_data_invalid']);
  assert.match(outputs[0].detail, /\/data\/note/);
});

test('a later version of the document template is not used before the form is published again', async () => {
  const templateId = await newTemplate();
  const form = await published([document(templateId)]);
  await ok('PUT', `/api/v1/document-templates/${templateId}`, {
    schema: { ...schema, required: ['name', 'note'], examples: [{ name: 'A', note: 'n' }] },
  });
  const { outputs } = await settled(form, await submitted(form));
  assert.equal(outputs[0].status, 'done');
});

test('names of a draft are checked when it is saved', async () => {
  const templateId = await template();
  assert.deepEqual(errorsOf(await create([document(templateId, { values: { name: { from: 'compony' } } })])), [
    422,
    '/config/then/0/values/name/from',
  ]);
  assert.deepEqual(errorsOf(await create([document(templateId, { vals: {} })])), [422, '/config/then/0/vals']);
  assert.deepEqual(errorsOf(await create([document(templateId, { template: 'x' })])), [422, '/config/then/0/template']);
  assert.deepEqual(errorsOf(await create([document(templateId, { needs: ['flow'] })])), [422, '/config/then/0/needs/0']);
  assert.deepEqual(errorsOf(await create([document(templateId)], { createsDocument: true })), [422, '/config/createsDocument']);
  const { body } = await create([document(templateId)]);
  const removed = await call('PUT', `${formsPath}/${body.id}`, { fields: outputFields.slice(1) });
  assert.deepEqual(errorsOf(removed), [422, '/config/then/0/title/text', '/config/then/0/values/name/from']);
});

test('publication rejects places that nothing fits, and warns about values that can be invalid', async () => {
  const templateId = await template();
  const at = async (values: object, members: object = {}) => publish((await create([document(templateId, { values })])).body.id, members);
  assert.deepEqual(errorsOf(await at({ naem: { from: 'company' } })), [422, '/config/then/0/values/name', '/config/then/0/values/naem']);
  assert.deepEqual(errorsOf(await at({ name: { from: 'note' } })), [422, '/config/then/0/values/name']);
  assert.deepEqual(errorsOf(await at({ name: { value: 7 } })), [422, '/config/then/0/values/name']);
  const loose = { name: { from: 'company' }, note: { from: 'note' } };
  const warned = await at(loose);
  assert.deepEqual(
    [warned.status, warned.body.warnings?.map((one: any) => [one.pointer, one.rule, one.example])],
    [200, [['/config/then/0/values/note', 'misfit', `"${'x'.repeat(21)}"`]]],
  );
  assert.deepEqual(errorsOf(await at(loose, { strict: true })), [422, '/config/then/0/values/note']);
  assert.deepEqual((await at({ name: { from: 'company' } }, { strict: true })).body.warnings, undefined);
});

test('an erased submission loses the documents of its outputs', async () => {
  const form = await published([document(await template())]);
  const id = await submitted(form);
  const { outputs } = await settled(form, id);
  await ok('DELETE', `${formsPath}/${form.id}/submissions/${id}`);
  assert.equal((await call('GET', `/api/v1/smartdoc/documents/${outputs[0].resultId}`)).status, 404);
  assert.equal((await read(form, id)).outputs, undefined);
});

test('a form with a template of another member needs access to it', async () => {
  const foreign = (await ok('POST', '/api/v1/document-templates/', { ...smallTemplate(), schema }, team.owner)).id;
  const { body } = await create([document(foreign)]);
  assert.deepEqual(errorsOf(await publish(body.id)), [422, '/config/then/0/templateId']);
});

test('an erased submission cancels the workflow of its outputs and keeps an approved record without its link', async () => {
  const [templateId, name] = [await template(), await workflowTemplate()];
  const parties = [{ id: 'name', type: 'text', label: 'Name', required: true }];
  const registryId = (await ok('POST', '/api/v1/registries/', { name: 'Erased', fields: parties })).id;
  const row = { make: 'record', registryId, fields: { name: { from: 'company' } }, pending: true };
  const flow = { id: 'flow', make: 'workflow', template: name, documents: ['nda'], parameters: { party: { from: 'company' } } };
  const form = await published([document(templateId), flow, { id: 'kept', ...row }, { id: 'gone', ...row }]);
  const id = await submitted(form);
  const { outputs } = await settled(form, id);
  const [nda, workflow, kept, gone] = outputs.map(({ resultId }: any) => resultId);
  await ok('POST', `/api/v1/registries/${registryId}/records/${kept}/approve`);
  await ok('DELETE', `${formsPath}/${form.id}/submissions/${id}`);
  assert.equal((await call('GET', `/api/v1/smartdoc/documents/${nda}`)).status, 404);
  const ended = await ok('GET', `/api/v1/workflows/${workflow}`);
  assert.deepEqual([ended.status, ended.reason], ['cancelled', 'content_erased']);
  const record = await ok('GET', `/api/v1/registries/${registryId}/records/${kept}`);
  assert.deepEqual([record.data, record.submissionId], [{ name: 'Acme {{kind}}' }, undefined]);
  assert.equal((await call('GET', `/api/v1/registries/${registryId}/records/${gone}`)).status, 404);
});

test('the workflow of an output has the language of the submission', async () => {
  const [templateId, name] = [await template(), await workflowTemplate()];
  const flow = { id: 'flow', make: 'workflow', template: name, documents: ['nda'], parameters: { party: { from: 'company' } } };
  const made = await create([document(templateId), flow]);
  await ok('PUT', `${formsPath}/${made.body.id}`, { publicSettings: { locale: 'en', locales: ['en', 'de'] } });
  const form = await ok('POST', `${formsPath}/${made.body.id}/publish`, { revision: 2 });
  const { outputs } = await settled(form, await submitted(form, {}, { locale: 'de' }));
  const { rows } = await chancery.pool.query('SELECT locale FROM workflow WHERE id = $1', [outputs[1].resultId]);
  assert.deepEqual(rows, [{ locale: 'de' }]);
});

test('an answer to a question that is hidden counts as absent', async () => {
  const fields = [...outputFields, { id: 'more', type: 'text', label: 'More', visibleIf: { field: 'kind', eq: 'oneway' } }];
  const parties = [
    { id: 'name', type: 'text', label: 'Name' },
    { id: 'more', type: 'text', label: 'More' },
  ];
  const registryId = (await ok('POST', '/api/v1/registries/', { name: 'Hidden', fields: parties })).id;
  const mapping = { name: { from: 'company' }, more: { from: 'more' } };
  const form = await published([{ id: 'row', make: 'record', registryId, fields: mapping }], {}, { fields });
  const { outputs } = await settled(form, await submitted(form, { more: 'x' }));
  const { data } = await ok('GET', `/api/v1/registries/${registryId}/records/${outputs[0].resultId}`);
  assert.deepEqual(data, { name: 'Acme {{kind}}' });
});

test('a label has the language of the submission, else the default', async () => {
  const options = [{ id: 'a', label: { en: 'First', de: 'Erste', ja: '一番目' } }];
  const fields = [...outputFields, { id: 'which', type: 'select', label: { en: 'Which', de: 'Welche' }, options }];
  const registryId = (await ok('POST', '/api/v1/registries/', { name: 'Labels', fields: [{ id: 'which', type: 'text', label: 'Which' }] }))
    .id;
  const then = [{ id: 'row', make: 'record', registryId, fields: { which: { label: 'which' } } }];
  const made = await call('POST', `${formsPath}/`, {
    title: { en: 'Intake', de: 'Aufnahme' },
    type: 'form',
    fields,
    config: { then },
    publicSettings: { locale: 'en', locales: ['en', 'de'] },
  });
  assert.equal(made.status, 201, made.text);
  const form = (await publish(made.body.id)).body;
  const inLanguage = async (locale: string) => {
    const { outputs } = await settled(form, await submitted(form, { which: 'a' }, { locale }));
    return (await ok('GET', `/api/v1/registries/${registryId}/records/${outputs[0].resultId}`)).data.which;
  };
  assert.deepEqual([await inLanguage('de'), await inLanguage('en')], ['Erste', 'First']);
});
