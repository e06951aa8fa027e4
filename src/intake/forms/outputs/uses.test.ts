import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { askingOutputs, formsPath } from '../../../../test/form-outputs.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { smallTemplate } from '../../../../test/operations/small-template.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';

const templates = '/api/v1/document-templates';
const flows = '/api/v1/workflows/templates';
let chancery: Chancery;
let team: TestTeam;
let creator: User;

before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  creator = await chancery.user(team);
});

const { call, ok, published } = askingOutputs(
  () => chancery,
  () => creator,
);
const owner = () => team.owner;
const newFlow = async (): Promise<string> => {
  const name = `uses-${randomUUIDv7().slice(-8)}`;
  await ok('POST', flows, { name, description: 'A review', steps: [{ id: 'a', type: 'task', assignees: [creator.id] }] }, owner());
  return name;
};
const sharedTemplate = async (): Promise<string> => {
  const { id } = await ok('POST', `${templates}/`, smallTemplate(), owner());
  await ok('POST', `${templates}/${id}/access`, { userId: creator.id, access: 'read' }, owner());
  return id;
};
/** Returns the mails about templates to the creator of the forms, with this name in their text. */
const mails = async (name: string) =>
  (
    await chancery.pool.query("SELECT subject FROM mail_message WHERE recipient = $1 AND text_body LIKE '%' || $2 || '%' ORDER BY id", [
      creator.email,
      name,
    ])
  ).rows.map(({ subject }) => subject);
const mailed = (name: string, count = 1) =>
  eventually('the owner of the form is mailed', async () => {
    const found = await mails(name);
    return found.length >= count ? found : undefined;
  });

test('a workflow template that a published form names is deleted only with `force`, and its owner is mailed', async () => {
  const name = await newFlow();
  const form = await published([{ id: 'flow', make: 'workflow', template: name }]);
  const refused = await call('DELETE', `${flows}/${name}`, undefined, owner());
  assert.deepEqual([refused.status, refused.body.code, refused.body.forms], [409, 'template_in_use', [{ id: form.id, title: 'Intake' }]]);
  assert.equal((await call('DELETE', `${flows}/${name}?force=true`, undefined, owner())).status, 204);
  assert.deepEqual(await mailed(name), ['Template deleted: Intake']);
});

test('a document template that a published form names is deleted only with `force`', async () => {
  const id = await sharedTemplate();
  const form = await published([{ id: 'nda', make: 'document', templateId: id, values: { name: { from: 'company' } } }]);
  const refused = await call('DELETE', `${templates}/${id}`, undefined, owner());
  assert.deepEqual([refused.status, refused.body.code, refused.body.forms[0].id], [409, 'template_in_use', form.id]);
  assert.equal((await call('DELETE', `${templates}/${id}?force=true`, undefined, owner())).status, 204);
});

test('a template of a closed form or a draft can be deleted', async () => {
  const name = await newFlow();
  const form = await published([{ id: 'flow', make: 'workflow', template: name }]);
  await ok('POST', `${formsPath}/${form.id}/close`);
  assert.equal((await call('DELETE', `${flows}/${name}`, undefined, owner())).status, 204);
});

test('forms with the older setting name their template too', async () => {
  const name = await newFlow();
  await published([], { startsTemplate: name });
  assert.equal((await call('DELETE', `${flows}/${name}`, undefined, owner())).body.code, 'template_in_use');
});

test('each change of the steps of a template mails the owner of the form once, and a new description does not', async () => {
  const name = await newFlow();
  await published([{ id: 'flow', make: 'workflow', template: name }]);
  const change = (body: object) => ok('PUT', `${flows}/${name}`, body, owner());
  await change({ description: 'Another' });
  await change({ steps: [{ id: 'a', type: 'task', name: 'First', assignees: [creator.id] }] });
  assert.deepEqual(await mailed(name), ['Template changed: Intake']);
  await change({ steps: [{ id: 'a', type: 'task', name: 'Second', assignees: [creator.id] }] });
  assert.deepEqual(await mailed(name, 2), ['Template changed: Intake', 'Template changed: Intake']);
});

test('a member without access to the form sees no title of it', async () => {
  const author = await chancery.user(team);
  const name = `uses-${randomUUIDv7().slice(-8)}`;
  await ok('POST', flows, { name, description: 'A review', steps: [{ id: 'a', type: 'task' }] }, author);
  await published([{ id: 'flow', make: 'workflow', template: name }]);
  const { body } = await call('DELETE', `${flows}/${name}`, undefined, author);
  assert.deepEqual([body.code, body.forms], ['template_in_use', []]);
});

const workflowOf = (template: string, members: object = {}) => ({ id: 'flow', make: 'workflow', template, ...members });
const submissionStep = (field: string) => ({ id: 'a', type: 'task', assignees: [creator.id], config: { when: { field, eq: 'mutual' } } });

test('a change that takes effect at once is refused with the forms that do not fit it', async () => {
  const name = await newFlow();
  const form = await published([workflowOf(name)]);
  const change = (body: object, query = '') => call('PUT', `${flows}/${name}${query}`, body, owner());
  assert.equal((await change({ steps: [submissionStep('submission/kind')] })).status, 200);
  const refused = await change({ steps: [submissionStep('submission/sort')] });
  assert.deepEqual([refused.status, refused.body.code], [409, 'template_in_use']);
  const [{ reasons, ...one }] = refused.body.forms;
  assert.deepEqual([one, reasons.length], [{ id: form.id, title: 'Intake' }, 1]);
  assert.match(reasons[0], /^\/config\/then\/0\/template \/steps\/0\/config\/when\/field of the template .*submission\/sort/);
  assert.deepEqual((await ok('GET', `${flows}/${name}`)).steps[0].config.when.field, 'submission/kind', 'nothing changed');
  const needed = { name: 'party', type: 'text', required: true };
  assert.match((await change({ parameters: [needed] })).body.forms[0].reasons[0], /parameters\/party is required by the workflow template/);
  assert.equal((await change({ parameters: [needed] }, '?force=true')).status, 200);
  assert.equal((await mailed(name, 2)).length, 2);
});

test('a change of startsTemplate is checked too, and a change that takes no effect is not', async () => {
  const old = await newFlow();
  await published([], { startsTemplate: old });
  const needed = [{ name: 'party', type: 'text', required: true }];
  const refused = await call('PUT', `${flows}/${old}`, { parameters: needed }, owner());
  assert.deepEqual([refused.status, refused.body.code], [409, 'template_in_use']);
  const author = await chancery.user(team);
  const name = `uses-${randomUUIDv7().slice(-8)}`;
  await ok('POST', flows, { name, description: 'A review', steps: [{ id: 'a', type: 'task', assignees: [creator.id] }] }, author);
  await published([workflowOf(name)]);
  assert.equal((await call('PUT', `${flows}/${name}`, { parameters: needed }, author)).status, 200, 'the form waits for its publication');
  assert.deepEqual(await mailed(name), ['Template changed: Intake']);
});

test('a template may be sent back as it was read, and keeps its name', async () => {
  const name = await newFlow();
  const read = await ok('GET', `${flows}/${name}`, undefined, owner());
  assert.equal((await call('PUT', `${flows}/${name}`, { ...read, description: 'Again' }, owner())).status, 200);
  const renamed = await call('PUT', `${flows}/${name}`, { name: 'other' }, owner());
  assert.deepEqual([renamed.status, renamed.body.errors[0].pointer], [400, '/name']);
});
