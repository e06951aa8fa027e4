import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { asking } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { fillGroup } from '../../../test/large-group.ts';
import { publishForm } from '../../../test/published-forms.ts';

const workflows = '/api/v1/workflows';
const policies = '/api/v1/approval-policies';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let creator: User;
let [ada, ben]: User[] = [];
const { call, made } = asking(() => chancery);

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
  [creator, ada, ben] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
});

const large = () => ({
  id: 'large',
  when: { field: 'triage', eq: 'large' },
  need: [
    { count: 1, from: [`user:${ada?.id}`] },
    { count: 1, from: [`user:${ben?.id}`] },
  ],
});
const small = () => ({ id: 'small', need: [{ count: 1, from: [`user:${ada?.id}`] }] });
const newPolicy = async (body: object = {}): Promise<string> =>
  (await made(owner, 'POST', `${policies}/`, { name: `policy-${randomUUIDv7()}`, rules: [large(), small()], ...body })).name;
const triage = (more: object = {}) => ({ id: 'triage', type: 'task', config: { outcomes: ['large', 'small'], ...more } });
const board = (approval: object) => ({ id: 'board', type: 'approval', config: { approval } });
const create = (steps: object[]) => call(creator, 'POST', `${workflows}/`, { name: 'W', documentId: 'DMS-1', steps });

/** Starts a workflow, completes its first step with an outcome, and returns the workflow. */
async function decided(policy: string, outcome: string): Promise<any> {
  const { body } = await create([triage(), board({ policy })]);
  const { steps } = await made(creator, 'POST', `${workflows}/${body.id}/start`, {});
  await made(creator, 'POST', `/api/v1/tasks/${steps[0].taskIds[0]}/complete`, { outcome });
  return made(creator, 'GET', `${workflows}/${body.id}`);
}
const openRound = async ({ id }: { id: string }): Promise<any> =>
  (await made(owner, 'GET', `/api/v1/approvals?workflowId=${id}&status=open`))[0];
async function vote(by: User | undefined, round: any, outcome = 'approved') {
  const { taskId } = round.candidates.find((one: any) => one.userId === by?.id);
  return made(by!, 'POST', `/api/v1/tasks/${taskId}/complete`, { outcome });
}

test('the policy of a step chooses its rule by the outcome of an earlier step', async () => {
  const policy = await newPolicy();
  const flow = await decided(policy, 'large');
  const round = await openRound(flow);
  assert.deepEqual([round.policy.name, round.policy.version, round.rule, round.candidates.length], [policy, 1, 'large', 2]);
  await vote(ada, round);
  assert.equal((await made(creator, 'GET', `${workflows}/${flow.id}`)).status, 'active');
  await vote(ben, round);
  assert.equal((await made(creator, 'GET', `${workflows}/${flow.id}`)).status, 'completed');
  assert.equal((await openRound(await decided(policy, 'small'))).rule, 'small');
});

test('a changed policy does not change an open round; a restart uses the new version', async () => {
  const policy = await newPolicy();
  const flow = await decided(policy, 'large');
  const round = await openRound(flow);
  await made(owner, 'PUT', `${policies}/${policy}`, { rules: [small()] });
  assert.deepEqual(await openRound(flow), round);
  await made(owner, 'POST', `/api/v1/approvals/${round.id}/restart`, {});
  const next = await openRound(flow);
  assert.deepEqual([next.policy.version, next.rule, next.supersedes], [2, 'small', round.id]);
});

test('a step names an existing policy', async () => {
  const answer = await create([triage(), board({ policy: 'unknown' })]);
  assert.deepEqual([answer.status, answer.body.code], [422, 'workflow_steps_invalid']);
  assert.deepEqual(
    answer.body.errors.map((one: any) => one.pointer),
    ['/steps/1/config/approval/policy'],
  );
  const { name: policy } = await made(owner, 'POST', '/api/v1/approval-policies/', {
    name: `known-${randomUUIDv7()}`,
    rules: (await groupRules()).rules,
  });
  const steps = [board({ policy: policy.replace('known', 'knwon') })];
  const template = await call(creator, 'POST', `${workflows}/templates`, { name: `own-${randomUUIDv7()}`, description: 'Own', steps });
  assert.equal(template.body.code, 'workflow_steps_invalid');
  assert.ok(template.body.detail.endsWith(`; did you mean \`${policy}\`?`), template.body.detail);
});

/** Returns rules that name a group without members. */
async function groupRules() {
  const { id } = await made(owner, 'POST', '/api/v1/groups/', { name: `Group ${randomUUIDv7()}` });
  return { group: id as string, rules: [{ id: 'all', need: [{ count: 1, from: [`group:${id}`] }] }] };
}

test('a step whose rules name more than 50 members is rejected when a workflow or template is saved', async () => {
  const { group, rules } = await groupRules();
  const policy = await newPolicy({ rules });
  const { id } = (await create([triage()])).body;
  await fillGroup(chancery, team, group);
  for (const [approval, pointer] of [
    [{ rules }, '/steps/1/config/approval/rules/0/need'],
    [{ policy }, '/steps/1/config/approval/policy'],
  ] as const) {
    const steps = [triage(), board(approval)];
    for (const answer of [
      await create(steps),
      await call(creator, 'PUT', `${workflows}/${id}`, { steps }),
      await call(creator, 'POST', `${workflows}/templates`, { name: `own-${randomUUIDv7()}`, description: 'Own', steps }),
    ])
      assert.deepEqual(
        [answer.status, answer.body.code, answer.body.errors?.map((one: any) => one.pointer)],
        [422, 'too_many_candidates', [pointer]],
        answer.text,
      );
  }
});

test('a step whose rules name more than 50 members when it begins fails', async () => {
  const { group, rules } = await groupRules();
  const { body } = await create([triage(), board({ rules })]);
  const { steps } = await made(creator, 'POST', `${workflows}/${body.id}/start`, {});
  await fillGroup(chancery, team, group);
  await made(creator, 'POST', `/api/v1/tasks/${steps[0].taskIds[0]}/complete`, { outcome: 'large' });
  const [, failed] = (await made(creator, 'GET', `${workflows}/${body.id}`)).steps;
  assert.deepEqual([failed.status, failed.outcome], ['failed', 'too_many_candidates']);
});

test('a change of later steps keeps a completed step whose policy was deleted', async () => {
  const policy = await newPolicy({ rules: [small()] });
  const { body } = await create([board({ policy }), triage()]);
  await made(creator, 'POST', `${workflows}/${body.id}/start`, {});
  await vote(ada, await openRound(body));
  assert.equal((await call(owner, 'DELETE', `${policies}/${policy}`)).status, 204);
  const { steps } = await made(creator, 'GET', `${workflows}/${body.id}`);
  const given = steps.map(({ id, type, config }: any) => ({ id, type, config }));
  await made(creator, 'PUT', `${workflows}/${body.id}`, { steps: [...given, { id: 'more', type: 'task' }] });
});

test('a step has a policy or rules', async () => {
  const policy = await newPolicy();
  const pointersOf = async (approval: object) =>
    (await create([board(approval)])).body.errors.map((one: any) => one.pointer.replace('/steps/0/config/', ''));
  assert.deepEqual(await pointersOf({ policy, rules: [small()], onRejection: 'first' }), ['approval/rules', 'approval/onRejection']);
  assert.deepEqual(await pointersOf({ onRejection: 'first' }), ['approval']);
  assert.deepEqual(await pointersOf({ polcy: policy }), ['approval/polcy']);
});

test('a step whose policy needs a missing answer fails', async () => {
  const policy = await newPolicy({
    rules: [{ ...large(), when: { field: 'facts/amount', gt: { amount: '5', currency: 'EUR' } } }, small()],
  });
  const flow = await decided(policy, 'large');
  assert.equal(flow.steps[1].status, 'failed');
  const { rows } = await chancery.pool.query('SELECT data FROM audit_entry WHERE team_id = $1 AND target_id = $2', [team.id, flow.id]);
  assert.match(JSON.stringify(rows), /policy_input_missing/);
});

test('of a deletion of a policy and new steps that name it, one succeeds', async () => {
  for (let round = 0; round < 5; round += 1) {
    const policy = await newPolicy();
    const [deleted, ...others] = await Promise.all([
      call(owner, 'DELETE', `${policies}/${policy}`),
      ...Array.from({ length: 4 }, () => create([triage(), board({ policy })])),
    ]);
    const created = others.filter(({ status }) => status === 201).length;
    assert.equal(deleted?.status === 204, created === 0, `${deleted?.status} beside ${created} workflows`);
    assert.ok(others.every(({ status }) => status === 201 || status === 422));
  }
});

/** Starts a workflow whose member `ada` answers a form before the decision. Returns the workflow, the form and the submission. */
async function answered(approval: object, amount: string) {
  const form = await publishForm(chancery, creator, {
    title: 'Facts',
    fields: [{ id: 'amount', type: 'money', label: 'Amount' }],
  });
  const { body } = await create([
    { id: 'facts', type: 'form', assignees: [ada?.id], config: { interfaceId: form.id } },
    { id: 'board', type: 'approval', config: { approval } },
  ]);
  const { steps } = await made(creator, 'POST', `${workflows}/${body.id}/start`, {});
  const link = await made(ada!, 'POST', '/api/v1/interfaces/task-links', { taskId: steps[0].taskIds[0] });
  const data = { amount: { amount, currency: 'EUR' } };
  const sent = await chancery.call('POST', `/api/v1/interfaces/public/${link.token}/submit`, { body: { data } });
  assert.equal(sent.status, 200, sent.text);
  return { id: body.id as string, form: form.id, submission: sent.body.submissionId as string };
}

test('a member who answered a form of the workflow is excluded as its submitter', async () => {
  const rules = [{ id: 'else', need: [{ count: 1, from: [ada, ben, creator].map((one) => `user:${one?.id}`) }] }];
  const people = async (exclude: string[]) =>
    (await openRound(await answered({ rules, exclude }, '5'))).candidates.map(({ userId }: any) => userId).toSorted();
  assert.deepEqual(await people(['submitter']), [ben?.id, creator.id].toSorted());
  assert.deepEqual(await people([]), [ada?.id, ben?.id, creator.id].toSorted());
});

test('a visitor without an account excludes no member', async () => {
  const rules = [{ id: 'else', need: [{ count: 1, from: [ada, ben, creator].map((one) => `user:${one?.id}`) }] }];
  const name = `own-${randomUUIDv7()}`;
  await made(creator, 'POST', `${workflows}/templates`, { name, description: 'Own', steps: [board({ rules, exclude: ['submitter'] })] });
  const form = await publishForm(chancery, creator, {
    fields: [{ id: 'name', type: 'text', label: 'Name' }],
    config: { createsDocument: true, startsTemplate: name },
  });
  const sent = await chancery.call('POST', `/api/v1/interfaces/public/${form.publicToken}/submit`, { body: { data: { name: 'Ada' } } });
  assert.equal(sent.status, 200, sent.text);
  const { effects } = await made(creator, 'GET', `/api/v1/interfaces/${form.id}/submissions/${sent.body.submissionId}`);
  const { resultId: id } = effects.find(({ kind }: any) => kind === 'workflow');
  assert.deepEqual(
    (await openRound({ id })).candidates.map(({ userId }: any) => userId).toSorted(),
    [ada?.id, ben?.id, creator.id].toSorted(),
  );
});

test('erased answers leave the open round, and a restart without them is rejected', async () => {
  const policy = await newPolicy({
    rules: [{ ...large(), when: { field: 'facts/amount', gt: { amount: '50', currency: 'EUR' } } }, small()],
    exclude: [],
  });
  const { id, form, submission } = await answered({ policy }, '60');
  const round = await openRound({ id });
  assert.equal(round.rule, 'large');
  await made(creator, 'DELETE', `/api/v1/interfaces/${form}/submissions/${submission}`);
  const restart = await call(owner, 'POST', `/api/v1/approvals/${round.id}/restart`, {});
  assert.deepEqual([restart.status, restart.body.code], [422, 'policy_input_missing']);
  assert.deepEqual(await openRound({ id }), round);
  for (const by of [ada, ben]) await vote(by, round);
  assert.equal((await made(creator, 'GET', `${workflows}/${id}`)).status, 'completed');
});
