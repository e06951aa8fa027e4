import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Asker, asking } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { outToSign, pdfDocument, signatures } from '../../../test/signatures.ts';
import { listeners } from '../../listeners.ts';
import { record } from '../../platform/journal/record.ts';
import { move } from '../signatures/requests/request-transitions.ts';
import { signatureCompleted } from '../signatures/requests/events.ts';

const path = '/api/v1/workflows';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let marcus: User;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
  marcus = await chancery.user(team, { firstName: 'Marcus' });
});

const { call, made, status } = asking(() => chancery);
const signers = [
  { email: 'ada@acme.example', name: 'Ada Acme' },
  { email: 'grace@acme.example', name: 'Grace Acme' },
];
const yes = (name: string) => ({ consent: true, name });
const stepsFor = (config: object, more: object = {}) => [
  { id: 'write', type: 'task', assignees: [marcus.id] },
  { id: 'sign', type: 'signature', config: { signers, inTurn: true, ...config }, ...more },
  { id: 'file', type: 'task', assignees: [marcus.id] },
];
type Flow = { id: string; document: string };
async function started(config: object = {}, by: Asker = owner, documentId?: string, more: object = {}): Promise<Flow> {
  const document = documentId ?? (await pdfDocument(chancery, by)).id;
  const { id } = await made(by, 'POST', `${path}/`, { name: 'Contract', documentId: document, steps: stepsFor(config, more) });
  const flow = await made(by, 'POST', `${path}/${id}/start`);
  await made(marcus, 'POST', `/api/v1/tasks/${flow.steps[0].taskIds[0]}/complete`, {});
  return { id, document };
}
const read = (flow: Flow) => made(owner, 'GET', `${path}/${flow.id}`);
const stepOf = async (flow: Flow, id = 'sign') => (await read(flow)).steps.find((step: any) => step.id === id);
const requestOf = async (flow: Flow) => made(owner, 'GET', `${signatures}/${(await stepOf(flow)).requestId}`);
const sign = (token: string, name = 'Ada Acme') => chancery.call('POST', `${signatures}/public/${token}/sign`, { body: yes(name) });
const decline = (token: string) => chancery.call('POST', `${signatures}/public/${token}/decline`, { body: { reason: 'Not so' } });
const failed = async (flow: Flow): Promise<any> =>
  (await made(owner, 'GET', `/api/v1/tasks?workflowId=${flow.id}&status=open`)).find(({ type }: any) => type === 'failed_signature');

/** Completes a request that all have signed, like the sealing job. */
async function sealed(id: string): Promise<void> {
  await chancery.database.inTeam(team.id, async (db) => {
    const scope = { db, team: team.id, actor: { type: 'system' as const }, now: new Date(), requestId: 'seal', listeners };
    const { rows } = await chancery.pool.query(
      `SELECT r.*, d.document_id, d.document_version FROM signature_request r JOIN signature_request_document d ON d.request_id = r.id
       WHERE r.id = $1 AND d.place = 0`,
      [id],
    );
    assert.ok(await move(scope, { id }, 'complete'));
    const { title, document_id: documentId, document_version: documentVersion, workflow_id: workflowId, step_id: stepId } = rows[0];
    const document = { documentId, documentVersion, sealedVersion: 2, sealedSha256: 'a'.repeat(64) };
    const said = { title, ...document, documents: [document], workflowId, stepId };
    await record(scope, signatureCompleted, id, said, false);
  });
}

test('a signature step requests signatures in turn, waits for them, and continues after the seal', async () => {
  const flow = await started({ message: 'Please', requireCode: false, expiresInDays: 10 });
  const request = await requestOf(flow);
  assert.deepEqual(
    [request.status, request.workflowId, request.stepId, request.documentId, request.message],
    ['preparing', flow.id, 'sign', flow.document, 'Please'],
  );
  assert.deepEqual(
    request.signers.map(({ email, order }: any) => [email, order]),
    [
      ['ada@acme.example', 1],
      ['grace@acme.example', 2],
    ],
  );
  assert.equal((await stepOf(flow)).status, 'active');
  const [ada = ''] = await outToSign(chancery, request.id);
  assert.equal((await sign(ada)).status, 200);
  assert.equal((await stepOf(flow)).status, 'active', 'one of two has signed');
  await chancery.pool.query("UPDATE signature_request SET status = 'sealing' WHERE id = $1", [request.id]);
  // Sealed during the pause of the workflow, which continues at its resume.
  await made(owner, 'POST', `${path}/${flow.id}/pause`, {});
  await sealed(request.id);
  assert.equal((await stepOf(flow)).status, 'active');
  await made(owner, 'POST', `${path}/${flow.id}/resume`);
  const { steps } = await read(flow);
  assert.deepEqual(
    steps.map((step: any) => [step.status, step.outcome]),
    [
      ['completed', 'completed'],
      ['completed', 'signed'],
      ['active', undefined],
    ],
  );
});

test('a step with several documents requests one signature for all, in the language of the step', async () => {
  const documents = await Promise.all(
    ['nda', 'annex', 'other'].map(async (name) => ({ name, documentId: (await pdfDocument(chancery, owner, { title: name })).id })),
  );
  const config = { signers: [{ ...signers[0], locale: 'ja' }, signers[1]], documents: ['nda', 'annex'], locale: 'de' };
  const steps = [{ id: 'sign', type: 'signature', config }];
  const drafted = (more: object) => call(owner, 'POST', `${path}/`, { name: 'W', documents, steps, ...more });
  const named = await drafted({ steps: [{ ...steps[0], config: { ...config, documents: ['nda', 'anex'] } }] });
  assert.deepEqual([named.status, named.body.errors[0].pointer], [422, '/steps/0/config/documents/1'], named.text);
  const french = await drafted({ steps: [{ ...steps[0], config: { ...config, signers: [{ ...signers[0], locale: 'fr' }] } }] });
  assert.deepEqual(
    [french.status, french.body.errors[0].pointer, french.body.errors[0].reason],
    [422, '/steps/0/config/signers/0/locale', 'has no texts: use en, de, ar, ja, also with a region such as de-AT'],
    french.text,
  );
  const both = await drafted({ steps: [{ ...steps[0], config: { ...config, document: 'other' } }] });
  assert.deepEqual([both.status, both.body.code], [422, 'workflow_steps_invalid'], both.text);
  const { id } = (await drafted({})).body;
  await made(owner, 'POST', `${path}/${id}/start`);
  const request = await requestOf({ id, document: '' });
  assert.deepEqual(
    request.documents.map(({ title }: any) => title),
    ['nda', 'annex'],
  );
  assert.deepEqual(
    request.signers.map(({ locale }: any) => locale),
    ['ja', 'de'],
  );
});

test('a stored step keeps a language without texts, and its request is in English', async () => {
  const document = await pdfDocument(chancery, owner);
  const config = { signers: [signers[0]], locale: 'de' };
  const steps = [{ id: 'sign', type: 'signature', config }];
  const { id } = await made(owner, 'POST', `${path}/`, { name: 'W', documentId: document.id, steps });
  await chancery.pool.query(`UPDATE workflow_step SET config = config || '{"locale": "fr"}' WHERE workflow_id = $1`, [id]);
  const kept = { name: 'W', steps: [{ ...steps[0], config: { ...config, locale: 'fr' } }] };
  const put = await call(owner, 'PUT', `${path}/${id}`, kept);
  assert.deepEqual([put.status, put.body.steps?.[0].config.locale], [200, 'fr'], put.text);
  await made(owner, 'POST', `${path}/${id}/start`);
  assert.equal((await requestOf({ id, document: document.id })).signers[0].locale, 'en');
});

test('its assignees are signers by their addresses, and cannot sign while the workflow is paused', async () => {
  const document = await pdfDocument(chancery, owner);
  const steps = [{ id: 'sign', type: 'signature', assignees: [marcus.id], config: { request: true } }];
  const { id } = await made(owner, 'POST', `${path}/`, { name: 'W', documentId: document.id, steps });
  await made(owner, 'POST', `${path}/${id}/start`);
  const flow = { id, document: document.id };
  const request = await requestOf(flow);
  assert.deepEqual([request.signers[0].email, request.signers[0].member], [marcus.email, true]);
  const [token = ''] = await outToSign(chancery, request.id);
  await made(owner, 'POST', `${path}/${id}/pause`, {});
  const signing = () => chancery.call('POST', `${signatures}/public/${token}/sign`, { token: marcus.token, body: yes('Marcus') });
  assert.equal((await signing()).body.code, 'request_paused');
  await made(owner, 'POST', `${path}/${id}/resume`);
  assert.equal((await signing()).status, 200);
  await sealed(request.id);
  assert.equal((await read(flow)).status, 'completed');
});

test('a declined or voided request rejects the step; going back, cancelling and ending the workflow void the request', async () => {
  const ends = await started();
  const [token = ''] = await outToSign(chancery, (await requestOf(ends)).id);
  assert.equal((await decline(token)).status, 200);
  assert.deepEqual([(await read(ends)).status, (await stepOf(ends)).outcome], ['rejected', 'declined']);

  const back = await started({ onReject: 'write' });
  const first = (await requestOf(back)).id;
  await made(owner, 'POST', `${signatures}/${first}/void`, { reason: 'The price changed' });
  const { steps } = await read(back);
  assert.deepEqual(
    steps.map((step: any) => [step.status, step.requestId]),
    [
      ['active', undefined],
      ['pending', undefined],
      ['pending', undefined],
    ],
  );
  await made(marcus, 'POST', `/api/v1/tasks/${steps[0].taskIds.at(-1)}/complete`, {});
  const second = await requestOf(back);
  assert.notEqual(second.id, first);
  await made(owner, 'POST', `${path}/${back.id}/cancel`, { reason: 'Done elsewhere' });
  const taken = await made(owner, 'GET', `${signatures}/${second.id}`);
  assert.deepEqual([taken.status, taken.endReason, (await read(back)).status], ['voided', 'Done elsewhere', 'cancelled']);

  // A parallel step is rejected and leads back to a step before the request.
  const document = await pdfDocument(chancery, owner);
  const beside = [
    { id: 'write', type: 'task', assignees: [marcus.id], dependsOn: [] },
    { id: 'sign', type: 'signature', dependsOn: ['write'], config: { signers } },
    { id: 'look', type: 'review', dependsOn: ['write'], assignees: [marcus.id], config: { onReject: 'write' } },
  ];
  const { id } = await made(owner, 'POST', `${path}/`, { name: 'W', documentId: document.id, steps: beside });
  const flow = { id, document: document.id };
  const [write] = (await made(owner, 'POST', `${path}/${id}/start`)).steps;
  await made(marcus, 'POST', `/api/v1/tasks/${write.taskIds[0]}/complete`, {});
  const live = (await requestOf(flow)).id;
  const look = (await stepOf(flow, 'look')).taskIds[0];
  await made(marcus, 'POST', `/api/v1/tasks/${look}/complete`, { outcome: 'rejected' });
  assert.equal((await made(owner, 'GET', `${signatures}/${live}`)).status, 'voided');
  assert.deepEqual([(await stepOf(flow)).status, (await stepOf(flow, 'write')).status], ['pending', 'active']);
});

test('a request that cannot be created fails the step; an administrator can retry it, but not skip a signature', async () => {
  const document = await pdfDocument(chancery, owner);
  const other = await made(owner, 'POST', `${signatures}/`, { documentId: document.id, signers: [signers[0]] });
  const flow = await started({}, owner, document.id);
  assert.deepEqual([(await stepOf(flow)).status, (await stepOf(flow)).outcome], ['failed', 'signature_pending']);
  const task = await failed(flow);
  assert.deepEqual([task.assignedTo, task.outcomes], [owner.id, ['retry', 'cancel']]);
  assert.equal(await status(owner, 'POST', `/api/v1/tasks/${task.id}/complete`, { outcome: 'skip' }), 422);
  await made(owner, 'POST', `${signatures}/${other.id}/void`, { reason: 'Asked by the workflow' });
  await made(owner, 'POST', `/api/v1/tasks/${task.id}/complete`, { outcome: 'retry' });
  assert.equal((await stepOf(flow)).status, 'active');
  // A document of another system, and one that the linking user cannot send to external signers.
  const elsewhere = await started({}, owner, 'DMS-1');
  assert.equal((await stepOf(elsewhere)).outcome, 'document_not_signable');
  const shared = await pdfDocument(chancery, owner);
  await made(owner, 'POST', `/api/v1/smartdoc/documents/${shared.id}/access`, { userId: marcus.id, access: 'write' });
  const byMarcus = await started({}, marcus, shared.id);
  assert.equal((await stepOf(byMarcus)).outcome, 'external_signing_denied');
  assert.equal((await failed(byMarcus)).assignedTo, owner.id);
  const refused = async (config: object, more: object = {}) =>
    (await call(owner, 'POST', `${path}/`, { name: 'W', documentId: 'DMS-1', steps: stepsFor(config, more) })).body.errors?.[0];
  for (const [config, at] of [
    [{ signers: [] }, 'signers'],
    [{ signers: [{ email: 'ada', name: 'Ada' }] }, 'signers/0/email'],
    [{ signers: [{ ...signers[0], role: 'witness' }] }, 'signers/0/role'],
    [{ signers: [{ email: 'ada@acme', name: 'Ada' }] }, 'signers/0/email'],
    [{ signers: [signers[0], { email: 'g@acme.example', name: 'grace.example' }] }, 'signers/1/name'],
    [{ signers: [signers[0], { ...signers[0], email: 'ADA@acme.example' }] }, 'signers/1/email'],
    [{ signers: [{ ...signers[0], role: 'copy' }] }, 'signers/0/role'],
    [{ request: true }, 'request'],
    [{ expiresInDays: 366 }, 'expiresInDays'],
    [{ signers: undefined }, 'inTurn'],
  ] as const)
    assert.equal((await refused(config)).pointer, `/steps/1/config/${at}`);
  assert.equal((await refused({}, { assignees: [marcus.id] })).pointer, '/steps/1/config/signers');
});

test('concurrent cancel, pause, decline and signature leave the workflow and its request consistent', async () => {
  for (let round = 0; round < 4; round += 1) {
    const flow = await started({ onReject: 'write' });
    const { id } = await requestOf(flow);
    const [token = ''] = await outToSign(chancery, id);
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, () => sign(token)),
      decline(token),
      call(owner, 'POST', `${path}/${flow.id}/pause`, {}),
      call(owner, 'POST', `${path}/${flow.id}/cancel`, {}),
      call(owner, 'POST', `${signatures}/${id}/void`, { reason: 'R' }),
    ]);
    for (const answer of answers) assert.ok(answer.status < 500, answer.text);
    assert.equal((await read(flow)).status, 'cancelled');
    const request = await made(owner, 'GET', `${signatures}/${id}`);
    assert.ok(['voided', 'declined'].includes(request.status), request.status);
  }
});

test('a user without the right to request signatures cannot do so by a step that uses the rights of the linking user', async () => {
  const own = await pdfDocument(chancery, marcus);
  const { id } = await made(marcus, 'POST', `${path}/`, { name: 'Contract', documentId: own.id, steps: [stepsFor({})[0]] });
  const secret = await pdfDocument(chancery, owner, { title: 'Not for Marcus' });
  await made(owner, 'PUT', `${path}/${id}`, { documentId: secret.id });
  const change = (by: Asker, config: object = {}) => call(by, 'PUT', `${path}/${id}`, { steps: stepsFor(config) });
  const refused = await change(marcus);
  assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden'], refused.text);
  assert.equal((await change(owner)).status, 200);
  assert.equal((await change(marcus)).status, 200, 'an unchanged step');
  const other = await change(marcus, { signers: [{ email: 'other@acme.example', name: 'Other' }], inTurn: false });
  assert.equal(other.status, 403);
  await made(owner, 'POST', `/api/v1/smartdoc/documents/${secret.id}/access`, { userId: marcus.id, access: 'write' });
  assert.equal((await change(marcus, { message: 'Now' })).status, 403, 'write access does not allow external signers');
});

test('a program without the scope cannot request signatures: by a new step, an earlier step or a later signer', async () => {
  const scopes = ['documents:read', 'documents:write', 'workflows:read', 'workflows:write', 'signatures:read'];
  const without = await chancery.client(owner, scopes);
  const document = await pdfDocument(chancery, owner);
  const refused = async (answer: ReturnType<typeof call>) => {
    const { status: code, body } = await answer;
    assert.deepEqual([code, body.code], [403, 'insufficient_scope']);
  };
  const steps = stepsFor({});
  await refused(call(without, 'POST', `${path}/`, { name: 'Contract', documentId: document.id, steps }));
  const plain = await made(without, 'POST', `${path}/`, { name: 'Contract', documentId: document.id, steps: [steps[0]] });
  await refused(call(without, 'PUT', `${path}/${plain.id}`, { steps }));
  await made(without, 'PUT', `${path}/${plain.id}`, { steps: [steps[0], steps[2]] });

  const lose = ({ id }: { id: string }) => made(owner, 'PATCH', `/api/v1/security/clients/${id}`, { scopes });
  const client = await chancery.client(owner, [...scopes, 'signatures:write']);
  const flow = await made(client, 'POST', `${path}/`, { name: 'Contract', documentId: document.id, steps });
  const { steps: begun } = await made(client, 'POST', `${path}/${flow.id}/start`);
  const signatureRequest = await made(client, 'POST', `${signatures}/`, { documentId: (await pdfDocument(chancery, owner)).id, signers });
  const [token = ''] = await outToSign(chancery, signatureRequest.id);
  await lose(client);
  await made(marcus, 'POST', `/api/v1/tasks/${begun[0].taskIds[0]}/complete`, {});
  const step = await stepOf({ id: flow.id, document: document.id });
  assert.deepEqual([step.status, step.requestId], ['failed', undefined]);
  const { status: code, body } = await sign(token);
  assert.deepEqual([code, body.code], [409, 'request_suspended']);
});
