import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { askingOutputs, errorsOf, formsPath, outputFields } from '../../../../test/form-outputs.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { smallTemplate } from '../../../../test/operations/small-template.ts';

/* The signers of document templates, which signature steps name as `signsAs`. */

let chancery: Chancery;
let team: TestTeam;
let creator: User;
let nda: string;
let terms: string;
let plain: string;

const field = (signer: string) =>
  `#metadata((signer: "${signer}", kind: "signature", page: 1, x: 50, y: 50, width: 120, height: 30)) <signature-field>`;
const sourceOf = (...signers: string[]) =>
  ['#set document(title: "Small")', '#json(bytes(sys.inputs.data)).name', ...signers.map(field)].join('\n');

before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  creator = await chancery.user(team);
  const made = await ok('POST', '/api/v1/document-templates/', {
    ...smallTemplate('NDA'),
    source: sourceOf('disclosing', 'receiving'),
  });
  assert.deepEqual(made.signers, ['disclosing', 'receiving']);
  nda = made.id;
  terms = (await ok('POST', '/api/v1/document-templates/', { ...smallTemplate('Terms'), source: sourceOf('vendor', 'disclosing') })).id;
  plain = (await ok('POST', '/api/v1/document-templates/', smallTemplate('Annex'))).id;
});

const { call, ok, create, publish, submitted, settled } = askingOutputs(
  () => chancery,
  () => creator,
);

/** Creates a form with an NDA, an annex and a workflow with the signers. */
async function draft(
  signers: object[],
  config: object = { documents: ['nda', 'annex'] },
  { annex = plain, when }: { annex?: string; when?: object } = {},
): Promise<string> {
  const name = `sign-${randomUUIDv7()}`;
  const step = { id: 'sign', type: 'signature', config: { signers, ...config } };
  await ok('POST', '/api/v1/workflows/templates', { name, description: 'Signed', steps: [step] });
  const document = (id: string, of: string) => ({ id, make: 'document', templateId: of, values: { name: { from: 'company' } } });
  const flow = { id: 'flow', make: 'workflow', template: name, documents: ['nda', 'annex'] };
  const made = await create(
    [document('nda', nda), { ...document('annex', annex), ...(when && { when }) }, flow],
    {},
    { fields: outputFields },
  );
  assert.equal(made.status, 201, made.text);
  return made.body.id;
}
const signer = (signsAs: string | string[], name = 'ada') => ({ email: `${name}@acme.example`, name, signsAs });

test('lists and single templates have the signers of the fields in their example', async () => {
  const listed = await ok('GET', '/api/v1/document-templates/');
  const signers = Object.fromEntries(listed.map((one: any) => [one.id, one.signers]));
  assert.deepEqual([signers[nda], signers[plain]], [['disclosing', 'receiving'], []]);
  const changed = await ok('PUT', `/api/v1/document-templates/${nda}`, { name: 'NDA' });
  assert.deepEqual(changed.signers, ['disclosing', 'receiving']);
  assert.deepEqual((await ok('GET', `/api/v1/document-templates/${nda}/versions/1`)).signers, ['disclosing', 'receiving']);
});

test('a wrong signsAs prevents the publication, with the nearest name, and the check shows it', async () => {
  const id = await draft([signer('recieving'), signer('disclosing', 'bob')]);
  const refused = await publish(id);
  assert.deepEqual(errorsOf(refused), [422, '/config/then/2/template']);
  assert.equal(
    refused.body.errors[0].reason,
    '/steps/0/config/signers/0/signsAs of the template does not name a signer of the documents of the step: recieving: use one of disclosing, receiving; did you mean `receiving`?',
  );
  const { outputs } = await ok('POST', `${formsPath}/${id}/check`, {});
  assert.deepEqual(
    outputs[2].problems.map(({ reason }: any) => reason),
    refused.body.errors.map(({ reason }: any) => reason),
  );
});

test('signsAs needs a document with signature fields, and one signer for each name', async () => {
  const plainOnly = await publish(await draft([signer('receiving')], { document: 'annex' }));
  assert.match(plainOnly.body.errors[0].reason, /the templates of its documents have no signature fields/);
  const twice = await publish(await draft([signer('receiving'), signer('receiving', 'bob')]));
  assert.match(twice.body.errors[0].reason, /^\/steps\/0\/config\/signers\/1\/signsAs .*is also used by another signer$/);
  assert.equal((await publish(await draft([signer('receiving'), signer('disclosing', 'bob')]))).status, 200);
});

test('a signer has a name for each document, and the names of two signers can be reversed', async () => {
  const signers = [signer(['receiving', 'vendor']), signer(['disclosing', 'disclosing'], 'bob')];
  const form = (await publish(await draft(signers, undefined, { annex: terms }))).body;
  assert.equal(form.warnings, undefined);
  const { outputs } = await settled(form, await submitted(form));
  const { steps } = await ok('GET', `/api/v1/workflows/${outputs[2].resultId}`);
  const request = await ok('GET', `/api/v1/signatures/${steps[0].requestId}`);
  const nameOf = Object.fromEntries(request.signers.map(({ id, name }: any) => [id, name]));
  assert.deepEqual(
    request.fields.map(({ signerId, document }: any) => [nameOf[signerId], document]),
    [
      ['ada', 0],
      ['ada', 1],
      ['bob', 0],
      ['bob', 1],
    ],
  );
});

test('a list of names has one for each document of the step, each in its template', async () => {
  const step = { id: 'sign', type: 'signature', config: { documents: ['nda', 'annex'], signers: [signer(['receiving'])] } };
  const short = await call('POST', '/api/v1/workflows/templates', { name: `sign-${randomUUIDv7()}`, description: 'Signed', steps: [step] });
  assert.deepEqual(errorsOf(short), [422, '/steps/0/config/signers/0/signsAs']);
  const refused = await publish(await draft([signer(['receiving', 'vendr'])], undefined, { annex: terms }));
  assert.equal(
    refused.body.errors[0].reason,
    '/steps/0/config/signers/0/signsAs/1 of the template does not name a signer of the documents of the step: vendr: use one of vendor, disclosing; did you mean `vendor`?',
  );
});

test('without a document that a condition omits, its names are omitted too, and a single name must be in another document', async () => {
  const optional = { annex: terms, when: { field: 'kind', eq: 'oneway' } };
  const single = await publish(await draft([signer('receiving'), signer('vendor', 'bob')], undefined, optional));
  assert.match(single.body.errors[0].reason, /signers\/1\/signsAs .*only of documents that a condition can omit: vendor/);
  const form = (await publish(await draft([signer(['receiving', 'vendor']), signer(['', 'disclosing'], 'bob')], undefined, optional))).body;
  const { outputs } = await settled(form, await submitted(form, { kind: 'mutual' }));
  const { steps } = await ok('GET', `/api/v1/workflows/${outputs[2].resultId}`);
  assert.deepEqual([steps[0].status, outputs[1].status], ['active', 'skipped']);
  const { fields } = await ok('GET', `/api/v1/signatures/${steps[0].requestId}`);
  assert.equal(fields.length, 1);
});

test('publication warns about signature fields that no signer signs', async () => {
  const id = await draft([signer('receiving')], undefined, { annex: terms });
  const reason = (document: string, names: string) =>
    `/steps/0/config/signers of the template leave signature fields of the document “${document}” empty: no signer signs as ${names}`;
  const { body } = await publish(id);
  assert.deepEqual(
    body.warnings.map((one: any) => [one.pointer, one.reason]),
    [
      ['/config/then/2/template', reason('nda', 'disclosing')],
      ['/config/then/2/template', reason('annex', 'vendor, disclosing')],
    ],
  );
  assert.equal((await publish(id, { strict: true })).status, 422);
});

test('a rejected signature request says its reason in the step, the task and the trace', async () => {
  const form = (await publish(await draft([signer('receiving'), signer('disclosing', 'bob')]))).body;
  // A template can place its fields by the values. Here another source takes the place of such values.
  await chancery.pool.query("UPDATE document_template_version SET source = replace(source, 'receiving', 'vendor') WHERE template_id = $1", [
    nda,
  ]);
  const submission = await submitted(form);
  const { outputs } = await settled(form, submission);
  const reason = /\/signers\/0\/signsAs must be a signer of its template: disclosing, vendor/;
  const { steps } = await ok('GET', `/api/v1/workflows/${outputs[2].resultId}`);
  assert.equal(steps[0].outcome, 'signer_invalid');
  assert.match(steps[0].detail, reason);
  const { items } = await ok('GET', `${formsPath}/${form.id}/submissions/${submission}/trace`);
  assert.match(items[2].result.steps[0].detail, reason);
  const tasks = await ok('GET', `/api/v1/tasks?workflowId=${outputs[2].resultId}`, undefined, team.owner);
  assert.match(tasks.find(({ type }: any) => type === 'failed_signature').description, reason);
});
