import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { asking } from '../../../test/asking.ts';
import { errorsOf } from '../../../test/form-outputs.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { pdfDocument } from '../../../test/signatures.ts';

/* Corrections of failed steps. */

const path = '/api/v1/workflows';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let member: User;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
  member = await chancery.user(team);
});

const { call, made } = asking(() => chancery);
const signer = (more: object = {}) => ({ email: 'ada@acme.example', name: 'Ada Acme', ...more });

/** Starts a workflow whose signature step fails, because its document has no signature fields for `signsAs`. */
async function failedFlow(): Promise<any> {
  const { id: documentId } = await pdfDocument(chancery, owner);
  const steps = [
    { id: 'first', type: 'task', dependsOn: [], assignees: [member.id], config: { outcomes: ['yes', 'no'] } },
    { id: 'sign', type: 'signature', dependsOn: [], config: { signers: [signer({ signsAs: 'receiving' })] } },
  ];
  const { id } = await made(owner, 'POST', `${path}/`, { name: 'Contract', documentId, steps });
  const flow = await made(owner, 'POST', `${path}/${id}/start`);
  assert.deepEqual([flow.steps[1].status, flow.steps[1].outcome], ['failed', 'signer_invalid']);
  return flow;
}
const put = (flow: any, steps: object[], by: User = owner) => call(by, 'PUT', `${path}/${flow.id}`, { steps });
async function decide(flow: any, type: string, outcome: string): Promise<any> {
  const tasks = await made(owner, 'GET', `/api/v1/tasks?workflowId=${flow.id}&status=open`);
  await made(owner, 'POST', `/api/v1/tasks/${tasks.find((one: any) => one.type === type).id}/complete`, { outcome });
  return made(owner, 'GET', `${path}/${flow.id}`);
}

test('the settings of a failed step are replaced, and its retry uses them', async () => {
  const flow = await failedFlow();
  const [first, sign] = flow.steps;
  const changed = await put(flow, [first, { ...sign, config: { signers: [signer()] } }]);
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual([changed.body.steps[1].status, changed.body.steps[1].config.signers], ['failed', [signer()]]);
  const again = await decide(flow, 'failed_signature', 'retry');
  assert.deepEqual([again.steps[1].status, again.steps[1].detail], ['active', undefined]);
  assert.ok(again.steps[1].requestId);
  const { rows } = await chancery.pool.query(
    "SELECT data -> 'correctedSteps' AS corrected FROM audit_entry WHERE team_id = $1 AND type = 'workflow.updated' AND target_id = $2",
    [team.id, flow.id],
  );
  assert.deepEqual(rows, [{ corrected: ['sign'] }]);
});

test('a correction is checked like a new step', async () => {
  const flow = await failedFlow();
  const [first, sign] = flow.steps;
  const invalid = await put(flow, [first, { ...sign, config: { signers: [{ email: 'ada@acme.example' }] } }]);
  assert.deepEqual(errorsOf(invalid), [422, '/steps/1/config/signers/0/name']);
  const unnamed = await put(flow, [first, { ...sign, config: { signers: [signer()], document: 'annex' } }]);
  assert.deepEqual(errorsOf(unnamed), [422, '/steps/1/config/document']);
  assert.ok([403, 404].includes((await put(flow, flow.steps, member)).status));
});

test('other steps that have begun, and the type of a failed one, cannot change', async () => {
  const flow = await failedFlow();
  const [first, sign] = flow.steps;
  const active = await put(flow, [{ ...first, config: { outcomes: ['yes'] } }, sign]);
  assert.deepEqual([active.status, active.body.code], [409, 'invalid_transition']);
  assert.match(active.body.detail, /“first” is in progress: its `config` can no longer be changed/);
  const other = await put(flow, [first, { ...sign, type: 'task', config: {} }]);
  assert.deepEqual([other.status, other.body.code], [409, 'invalid_transition']);
  assert.match(other.body.detail, /“sign” is failed: its `type` can no longer be changed.*`retry`/);
  assert.equal((await put(flow, flow.steps)).status, 200, 'the steps as they are');
});

test('a failed condition is corrected and evaluated again', async () => {
  const when = (field: string) => ({ when: { field, eq: 'yes' }, onMissing: 'fail' });
  const steps = [
    { id: 'ask', type: 'task', dependsOn: [], assignees: [owner.id], config: { outcomes: ['yes', 'no'] } },
    { id: 'board', type: 'task', dependsOn: ['ask'], assignees: [member.id], config: when('submission/board') },
  ];
  const { id } = await made(owner, 'POST', `${path}/`, { name: 'Board', documentId: 'DMS-1', steps });
  const begun = await made(owner, 'POST', `${path}/${id}/start`);
  await made(owner, 'POST', `/api/v1/tasks/${begun.steps[0].taskIds[0]}/complete`, { outcome: 'yes' });
  const flow = await made(owner, 'GET', `${path}/${id}`);
  assert.equal(flow.steps[1].outcome, 'condition_input_missing');
  assert.equal((await put(flow, [flow.steps[0], { ...flow.steps[1], config: when('ask') }])).status, 200);
  assert.equal((await decide(flow, 'failed_condition', 'retry')).steps[1].status, 'active');
});

test('a failed step keeps its state and reason when its workflow is cancelled, and its task ends', async () => {
  const flow = await failedFlow();
  await made(owner, 'POST', `${path}/${flow.id}/cancel`);
  const { steps } = await made(owner, 'GET', `${path}/${flow.id}`);
  assert.deepEqual(
    steps.map(({ status, outcome }: any) => [status, outcome]),
    [
      ['skipped', undefined],
      ['failed', 'signer_invalid'],
    ],
  );
  const tasks = await made(owner, 'GET', `/api/v1/tasks?workflowId=${flow.id}`);
  assert.deepEqual(
    tasks.map(({ status }: any) => status),
    ['cancelled', 'cancelled'],
  );
});
