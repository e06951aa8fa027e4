import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { askingOutputs, formsPath } from '../../../../test/form-outputs.ts';
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

const { call, ok, create } = askingOutputs(
  () => chancery,
  () => creator,
);
const picture = (id: string, { token }: User = creator, headers: Record<string, string> = {}) =>
  chancery.call('GET', `${formsPath}/${id}/chain.svg`, { token, headers });
const labelsOf = (svg: string) => Array.from(svg.matchAll(/role="graphics-symbol" aria-label="([^"]*)"/g), ([, label]) => label);

async function vendorDesk(): Promise<string> {
  const templateId = (await ok('POST', '/api/v1/document-templates/', { ...smallTemplate(), name: 'NDA <text><script>' })).id;
  const fields = [{ id: 'name', type: 'text', label: 'Name', required: true }];
  const registryId = (await ok('POST', '/api/v1/registries/', { name: 'Vendors', fields })).id;
  const hook = await ok('POST', '/api/v1/webhooks/', { name: 'ERP', url: 'https://erp.example/hook', events: ['*'] }, team.owner);
  const template = `chain-${randomUUIDv7().slice(-8)}`;
  const signers = [
    { name: 'A', email: 'a@b.example' },
    { name: 'B', email: 'b@b.example' },
  ];
  const steps = [
    { id: 'review', type: 'approval', name: 'Review', assignees: [creator.id], config: { document: 'nda' } },
    { id: 'sign', type: 'signature', name: 'Sign', config: { signers, document: 'nda' } },
    { id: 'tell', type: 'webhook', name: 'Tell the ERP', config: { waitForAnswer: true, endpointId: hook.id } },
  ];
  await ok('POST', '/api/v1/workflows/templates', { name: template, description: 'A review', steps }, team.owner);
  const { body } = await create([
    { id: 'nda', make: 'document', templateId, values: { name: { from: 'company' } } },
    { id: 'flow', make: 'workflow', template, documents: ['nda'] },
    {
      id: 'row',
      make: 'record',
      registryId,
      fields: { name: { from: 'company' } },
      pending: true,
      needs: ['flow'],
      when: { field: 'kind', eq: 'mutual' },
    },
  ]);
  return body.id;
}

test('the chain of a form has its outputs, the steps of workflows, envelopes and webhooks', async () => {
  const id = await vendorDesk();
  const { status, headers, text } = await picture(id);
  assert.equal(status, 200, text);
  assert.deepEqual(
    [headers.get('content-type'), headers.get('content-security-policy')],
    ['image/svg+xml; charset=utf-8', "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
  );
  const [form, nda, flow, ...rest] = labelsOf(text);
  assert.deepEqual([form, nda], ['Intake: form · draft', 'NDA &lt;text&gt;&lt;script&gt;: document']);
  assert.match(flow ?? '', /^chain-.*: workflow$/);
  assert.deepEqual(rest, [
    'Review: approval',
    'Sign: signature',
    '2 signers: envelope',
    'Tell the ERP: webhook',
    'Vendors: record · to approve; if kind = mutual',
  ]);
  assert.equal([...text.matchAll(/marker-end/g)].length, 7);
  assert.match(text, /<desc>Intake \(form · draft\)\. .*Tell the ERP \(webhook\), after 2 signers\./);
  assert.ok(!text.includes('<script'));
  const again = await picture(id, creator, { 'if-none-match': headers.get('etag') ?? '' });
  assert.equal(again.status, 304);
});

test('the chain of a form with older settings has their effects', async () => {
  const { body } = await create([], { createsDocument: true, startsTemplate: 'contract-review-and-signature' });
  const [, document, workflow, ...steps] = labelsOf((await picture(body.id)).text);
  assert.deepEqual([document, workflow, steps.length > 0], ['Answers: document', 'contract-review-and-signature: workflow', true]);
});

test('the chain of a form has no names of templates and registries that the caller cannot read', async () => {
  const id = await vendorDesk();
  const editor = await chancery.user(team);
  await ok('POST', `${formsPath}/${id}/shares`, { userId: editor.id, rights: ['edit'] });
  const labels = labelsOf((await picture(id, editor)).text);
  assert.deepEqual([labels[1], labels.at(-1)], ['nda: document', 'row: record · to approve; if kind = mutual']);
  assert.equal((await call('GET', `${formsPath}/${id}/chain.svg`, undefined, await chancery.user(team))).status, 404);
});

test('the chain names the endpoints that its caller may see, and shows the conditions of steps', async () => {
  const labels = labelsOf((await picture(await vendorDesk(), team.owner)).text);
  assert.ok(labels.includes('Tell the ERP: webhook · ERP'));
  assert.ok(labels.includes('ERP: workflow.completed'));
  const template = `chain-${randomUUIDv7().slice(-8)}`;
  const when = { all: [{ field: 'submission/kind', ne: 'oneway' }, { not: { field: 'submission/note', empty: true } }] };
  const steps = [{ id: 'board', type: 'task', config: { when } }];
  await ok('POST', '/api/v1/workflows/templates', { name: template, description: 'A review', steps }, team.owner);
  const { body } = await create([{ id: 'flow', make: 'workflow', template }]);
  const svg = (await picture(body.id)).text;
  assert.ok(labelsOf(svg).includes('board: task; if submission/kind ≠ oneway and not (submission/note has no answer)'));
  assert.match(svg, /task · if submission\/kind/);
});
