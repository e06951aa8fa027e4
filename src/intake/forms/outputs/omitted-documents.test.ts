import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { askingOutputs, stepStatuses } from '../../../../test/form-outputs.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { smallTemplate } from '../../../../test/operations/small-template.ts';

/* Documents that a condition omits. The steps of the workflow do without them. */

const workflows = '/api/v1/workflows';
let chancery: Chancery;
let team: TestTeam;
let creator: User;
let templateId: string;

before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  creator = await chancery.user(team);
  templateId = (await ok('POST', '/api/v1/document-templates/', smallTemplate('NDA'))).id;
});

const { call, ok, templateOf, ...forms } = askingOutputs(
  () => chancery,
  () => creator,
);

const mutual = (field: string) => ({ when: { field, eq: 'mutual' } });
const document = (id: string, members: object = {}) => ({
  id,
  make: 'document',
  templateId,
  values: { name: { from: 'company' } },
  ...members,
});
const signers = [{ email: 'ada@acme.example', name: 'Ada Acme' }];
const sign = (documents: string[]) => ({ id: 'sign', type: 'signature', config: { documents, signers } });
const rules = () => [{ id: 'all', need: [{ count: 1, from: [`user:${team.owner.id}`] }] }];
const round = (id: string, documents: string[]) => ({ id, type: 'approval', config: { documents, approval: { rules: rules() } } });

const started = async (steps: object[], documents: { id: string }[], answers: object) =>
  forms.started(await templateOf(...steps), answers, { documents });
const titles = async ({ steps }: any) => {
  const { documents } = await ok('GET', `/api/v1/signatures/${steps.find(({ id }: any) => id === 'sign').requestId}`);
  return documents.map(({ documentId }: any) => documentId);
};
const outputs = () => [document('nda'), document('annex', mutual('kind'))];

test('a step about several documents does without one that a condition of the form omitted', async () => {
  const all = await started([sign(['nda', 'annex'])], outputs(), { kind: 'mutual' });
  assert.deepEqual(
    await titles(all),
    all.documents.map(({ documentId }: any) => documentId),
  );
  const one = await started([sign(['annex', 'nda'])], outputs(), { kind: 'oneway' });
  assert.deepEqual([one.documents.length, await titles(one)], [1, [one.documentId]]);
});

test('a step about omitted documents only is skipped, and a round is about the others', async () => {
  const task = { id: 'read', type: 'task', assignees: [creator.id], config: { document: 'annex' } };
  const flow = await started([task, round('annexes', ['annex']), round('both', ['annex', 'nda'])], outputs(), { kind: 'oneway' });
  assert.deepEqual(stepStatuses(flow), { read: 'skipped', annexes: 'skipped', both: 'active' });
  const [board] = await ok('GET', `/api/v1/approvals?workflowId=${flow.id}`, undefined, team.owner);
  assert.deepEqual(
    board.documents.map(({ id }: any) => id),
    [flow.documentId],
  );
});

test('later changes of the steps may name an omitted document, but no other', async () => {
  const wait = { id: 'wait', type: 'task', assignees: [creator.id] };
  const { id } = await started([wait, sign(['nda', 'annex'])], outputs(), { kind: 'oneway' });
  const put = (documents: string[]) => call('PUT', `${workflows}/${id}`, { steps: [wait, sign(documents)] });
  assert.equal((await put(['annex', 'nda'])).status, 200);
  const wrong = await put(['anex', 'nda']);
  assert.deepEqual([wrong.status, wrong.body.errors[0].reason], [422, 'does not name a document of the workflow: did you mean `annex`?']);
});

test('a step does without the document of a step that its condition skipped', async () => {
  const annex = (config: object) => ({
    id: 'annex',
    type: 'document',
    config: { templateId, values: { name: { value: 'Acme' } }, ...config },
  });
  const steps = [annex(mutual('submission/kind')), sign(['nda', 'annex'])];
  const flow = await started(steps, [document('nda')], { kind: 'oneway' });
  assert.deepEqual([stepStatuses(flow), await titles(flow)], [{ annex: 'skipped', sign: 'active' }, [flow.documentId]]);
});

test('without any document, the workflow of a form has the submission, and its signature step is skipped', async () => {
  const flow = await started([sign(['annex'])], [document('annex', mutual('kind'))], { kind: 'oneway' });
  assert.deepEqual([flow.status, stepStatuses(flow)], ['completed', { sign: 'skipped' }]);
});
