import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { publishForm, type PublishedForm } from '../../../test/published-forms.ts';
import { startOf } from './conditions.ts';
import { stepErrors } from './step-config.ts';
import { allDone, readySteps, type StepStatus } from './steps.ts';

const path = '/api/v1/workflows';
let chancery: Chancery;
let team: TestTeam;
let creator: User;
let clerk: User;
let form: PublishedForm;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  [creator, clerk] = [await chancery.user(team), await chancery.user(team)];
  form = await publishForm(chancery, creator, {
    title: 'Facts',
    fields: [
      { id: 'amount', type: 'integer', label: 'Amount' },
      { id: 'kind', type: 'select', label: 'Kind', options: [{ id: 'nda' }, { id: 'supply' }] },
    ],
  });
});

const call = (by: User, method: string, to: string, body?: unknown) =>
  chancery.call(method, to, { token: by.token, ...(body === undefined ? {} : { body }) });
const task = (id: string, when?: object, more: object = {}) => ({
  id,
  type: 'task',
  config: { ...(when ? { when } : {}), outcomes: ['yes', 'no'] },
  ...more,
});
const fill = () => ({ id: 'facts', type: 'form', assignedTo: clerk.id, config: { interfaceId: form.id } });

async function draft(steps: object[], by = creator): Promise<any> {
  const made = await call(by, 'POST', `${path}/`, { name: 'W', documentId: 'DMS-1', steps });
  assert.equal(made.status, 201, made.text);
  return made.body;
}
async function started(steps: object[]): Promise<any> {
  const { id } = await draft(steps);
  return (await call(creator, 'POST', `${path}/${id}/start`)).body;
}
const states = async (id: string) =>
  Object.fromEntries((await call(creator, 'GET', `${path}/${id}`)).body.steps.map(({ id: step, status }: any) => [step, status]));
async function complete(id: string, step: string, outcome: string): Promise<void> {
  const { steps } = (await call(creator, 'GET', `${path}/${id}`)).body;
  const taskId = steps.find((one: any) => one.id === step).taskIds.at(-1);
  const done = await call(creator, 'POST', `/api/v1/tasks/${taskId}/complete`, { outcome });
  assert.equal(done.status, 200, done.text);
}

test('a step begins if its condition on earlier outcomes holds, and is otherwise skipped while its dependents continue', async () => {
  const { id } = await started([
    task('ask'),
    task('if-yes', { field: 'ask', eq: 'yes' }),
    task('if-no', { field: 'ask', eq: 'no' }),
    task('neither', {
      not: {
        any: [
          { field: 'if-no', in: ['yes', 'no'] },
          { field: 'if-yes', ne: 'skipped' },
        ],
      },
    }),
  ]);
  await complete(id, 'ask', 'no');
  assert.deepEqual(await states(id), { ask: 'completed', 'if-yes': 'skipped', 'if-no': 'active', neither: 'pending' });
  await complete(id, 'if-no', 'yes');
  const { body } = await call(creator, 'GET', `${path}/${id}`);
  assert.deepEqual([body.status, body.steps[3].status, body.steps[3].taskIds], ['completed', 'skipped', []]);
  const { body: history } = await call(creator, 'GET', `${path}/${id}/history`);
  assert.deepEqual(
    history.filter(({ outcome }: any) => outcome === 'skipped').map(({ stepId }: any) => stepId),
    ['neither', 'if-yes'],
  );
});

async function submitFacts(flow: any, data: object): Promise<void> {
  const link = await call(clerk, 'POST', '/api/v1/interfaces/task-links', { taskId: flow.steps[0].taskIds[0] });
  const sent = await chancery.call('POST', `/api/v1/interfaces/public/${link.body.token}/submit`, { body: { data } });
  assert.equal(sent.status, 200, sent.text);
}

async function answered(steps: object[], data: object): Promise<string> {
  const flow = await started(steps);
  await submitFacts(flow, data);
  return flow.id;
}

test('a condition on form answers uses the submission for the task of that step', async () => {
  for (const [amount, expected] of [
    [60_000, 'active'],
    [50_000, 'skipped'],
    [undefined, 'skipped'],
  ] as const) {
    const steps = [fill(), task('board', { field: 'facts/amount', gt: 50_000 }), task('last')];
    const id = await answered(steps, { kind: 'nda', ...(amount === undefined ? {} : { amount }) });
    assert.equal((await states(id)).board, expected, `${amount}`);
  }
});

const board = (when: object, config: object = {}) => ({
  id: 'board',
  type: 'approval',
  assignees: [clerk.id],
  config: { when, ...config },
});
const above = { field: 'facts/amount', gt: 50_000 };
const stepOf = async (id: string, step: string) =>
  (await call(creator, 'GET', `${path}/${id}`)).body.steps.find((one: any) => one.id === step);

test('a decision without the answer for its condition fails, and an administrator begins it, skips it or cancels the workflow', async () => {
  for (const [outcome, status, step] of [
    ['begin', 'active', 'active'],
    ['skip', 'completed', 'skipped'],
    ['cancel', 'cancelled', 'rejected'],
  ] as const) {
    const id = await answered([fill(), board(above)], { kind: 'nda' });
    const failed = await stepOf(id, 'board');
    assert.deepEqual([failed.status, failed.outcome, failed.config.onMissing], ['failed', 'condition_input_missing', 'fail']);
    const { body: open } = await call(team.owner, 'GET', `/api/v1/tasks/?workflowId=${id}&status=open`);
    assert.deepEqual(
      open.map(({ type, assignedTo }: any) => [type, assignedTo]),
      [['failed_condition', team.owner.id]],
    );
    assert.match(open[0].description, /facts\/amount/);
    const done = await call(team.owner, 'POST', `/api/v1/tasks/${open[0].id}/complete`, { outcome });
    assert.equal(done.status, 200, done.text);
    const { body } = await call(creator, 'GET', `${path}/${id}`);
    assert.deepEqual([body.status, body.steps[1].status], [status, step]);
  }
});

test('`onMissing` decides about a step without an answer; a condition that another answer decides needs none', async () => {
  const state = async (step: object, data: object = { kind: 'nda' }) =>
    (await stepOf(await answered([fill(), step], data), 'board')).status;
  assert.equal(await state(board(above, { onMissing: 'begin' })), 'active');
  assert.equal(await state(board(above, { onMissing: 'skip' })), 'skipped');
  assert.equal(await state({ ...board(above), type: 'task' }), 'skipped');
  assert.equal(await state({ ...board({ not: above }), type: 'task' }), 'skipped');
  assert.equal(await state(board({ any: [above, { field: 'facts/kind', eq: 'nda' }] })), 'active');
  assert.equal(await state(board({ all: [above, { field: 'facts/kind', eq: 'supply' }] })), 'skipped');
  assert.equal(await state(board({ any: [above, { field: 'facts/amount', empty: true }] })), 'active');
  for (const [config, pointer] of [
    [{ when: above, onMissing: 'perhaps' }, '/steps/1/config/onMissing'],
    [{ onMissing: 'skip' }, '/steps/1/config/onMissing'],
  ] as const) {
    const { status, body } = await call(creator, 'POST', `${path}/`, {
      name: 'W',
      documentId: 'DMS-1',
      steps: [fill(), { ...board(above), config }],
    });
    assert.deepEqual([status, body.errors[0].pointer], [422, pointer]);
  }
});

test('a condition on an amount compares its currency: an amount in another currency fails the decision', async () => {
  const priced = await publishForm(chancery, creator, {
    title: 'Price',
    fields: [{ id: 'price', type: 'money', label: 'Price', options: [{ id: 'EUR' }, { id: 'JPY' }, { id: 'GBP' }] }],
  });
  const facts = { ...fill(), config: { interfaceId: priced.id } };
  const limit = { field: 'facts/price', gt: { amount: '50000', currency: 'EUR' } };
  const state = async (amount: string, currency: string) =>
    (await stepOf(await answered([facts, board(limit)], { price: { amount, currency } }), 'board')).status;
  assert.deepEqual(
    [await state('60000', 'EUR'), await state('50000', 'EUR'), await state('60000', 'JPY'), await state('49000', 'GBP')],
    ['active', 'skipped', 'failed', 'failed'],
  );
  const refused = async (gt: unknown) => {
    const steps = [facts, board({ field: 'facts/price', gt })];
    const { status, body } = await call(creator, 'POST', `${path}/`, { name: 'W', documentId: 'DMS-1', steps });
    return [status, body.code, body.errors?.[0].pointer, body.errors?.[0].rule];
  };
  assert.deepEqual(await refused(50_000), [422, 'workflow_steps_invalid', '/steps/1/config/when/gt', 'currency']);
  assert.deepEqual(await refused({ amount: '1', currency: 'USD' }), [422, 'workflow_steps_invalid', '/steps/1/config/when/gt', 'type']);
});

/** Stores conditions in their old form, from before `onMissing`. */
const asOld = (table: string, where: string, values: unknown[]) =>
  chancery.pool.query(
    `UPDATE ${table} SET ${table === 'workflow_step' ? "config = config - 'onMissing'" : "steps = steps #- '{1,config,onMissing}'"} WHERE ${where}`,
    values,
  );

test('a stored old condition keeps its behaviour, also after an unchanged PUT and from a stored template', async () => {
  const steps = [fill(), board(above)];
  const { id } = await draft(steps);
  await asOld('workflow_step', 'workflow_id = $1', [id]);
  const read = (await call(creator, 'GET', `${path}/${id}`)).body;
  assert.equal(read.steps[1].config.onMissing, undefined);
  const put = async (changed: any[]) =>
    (
      await call(creator, 'PUT', `${path}/${id}`, {
        steps: changed.map(({ id: step, type, assignees, dependsOn, config }) => ({ id: step, type, assignees, dependsOn, config })),
      })
    ).body.steps[1].config;
  assert.deepEqual(await put(read.steps), { when: above });
  assert.deepEqual(await put([read.steps[0], { ...read.steps[1], config: { when: { field: 'facts/amount', gt: 4 } } }]), {
    when: { field: 'facts/amount', gt: 4 },
    onMissing: 'fail',
  });

  const name = 'old-board';
  const saved = await call(creator, 'POST', `${path}/templates`, { name, description: 'D', steps });
  assert.deepEqual([saved.status, saved.body.steps[1].config.onMissing], [201, 'fail']);
  await asOld('workflow_template', 'name = $1', [name]);
  const renamed = await call(creator, 'PUT', `${path}/templates/${name}`, {
    description: 'E',
    steps: (await call(creator, 'GET', `${path}/templates/${name}`)).body.steps,
  });
  assert.deepEqual([renamed.status, renamed.body.steps[1].config.onMissing], [200, undefined]);
  const made = await call(creator, 'POST', `${path}/templates/${name}`, { documentId: 'DMS-1' });
  const flow = (await call(creator, 'POST', `${path}/${made.body.id}/start`)).body;
  await submitFacts(flow, { kind: 'nda' });
  assert.equal((await stepOf(flow.id, 'board')).status, 'skipped');
});

test('an unknown name in a condition is rejected with its pointer, and so is a form with unreadable answers', async () => {
  const refused = async (steps: object[], by = creator) => {
    const { status, body } = await call(by, 'POST', `${path}/`, { name: 'W', documentId: 'DMS-1', steps });
    return [status, body.code, body.errors?.[0].pointer, body.errors?.[0].rule];
  };
  const at = (place: string) => [422, 'workflow_steps_invalid', `/steps/1/config/when${place}`];
  const last = (when: object) => [fill(), task('last', when)];
  assert.deepEqual(await refused([task('a'), task('b', { field: 'c', eq: 'yes' })]), [...at('/field'), 'reference']);
  assert.deepEqual(await refused([task('a'), task('b', { field: 'b', eq: 'yes' })]), [...at('/field'), 'reference']);
  assert.deepEqual(await refused([task('a'), task('b', { all: [{ field: 'a', eq: 'perhaps' }] })]), [...at('/all/0/eq'), 'type']);
  assert.deepEqual(await refused([task('a'), task('b', { field: 'a/amount', gt: 1 })]), [...at('/field'), 'reference']);
  assert.deepEqual(await refused(last({ field: 'facts/other', gt: 1 })), [...at('/field'), 'reference']);
  assert.deepEqual(await refused(last({ field: 'facts/kind', eq: 'lease' })), [...at('/eq'), 'type']);

  // The editor may edit the form and assign it, but cannot read its submissions.
  const editor = await chancery.user(team);
  const shared = await call(creator, 'POST', `/api/v1/interfaces/${form.id}/shares`, { userId: editor.id, rights: ['edit'] });
  assert.equal(shared.status, 201, shared.text);
  const when = { field: 'facts/amount', gt: 1 };
  assert.deepEqual(await refused([fill(), task('last')], editor), [201, undefined, undefined, undefined]);
  assert.deepEqual(await refused(last(when), editor), [...at('/field'), 'reference']);

  // A change of steps is checked with the rights of the creator of the workflow. A change of the name is not checked.
  const { id } = await draft(last(when));
  const change = async (body: object) => (await call(creator, 'PUT', `${path}/${id}`, body)).status;
  assert.equal(await change({ steps: last({ field: 'facts/other', empty: true }) }), 422);
  assert.deepEqual([await change({ name: 'Other' }), await change({ steps: last(when) })], [200, 200]);
});

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const leaf = (earlier: string[]): fc.Arbitrary<object> =>
  fc.record({ field: fc.constantFrom(...earlier), eq: fc.constantFrom('yes', 'no', 'skipped') });
/** Steps in a row, each with a condition on some of the previous steps, or none. */
const conditioned = fc.tuple(
  ...ids.map((id, index) => {
    if (index === 0) return fc.constant(task(id));
    const one = leaf(ids.slice(0, index));
    const when = fc.oneof(one, fc.record({ not: one }), fc.record({ any: fc.array(one, { minLength: 1, maxLength: 3 }) }));
    return fc.option(when, { nil: undefined }).map((condition) => task(id, condition));
  }),
);

test('with random conditions and outcomes, each step ends once, and is skipped exactly if its condition does not hold', () => {
  fc.assert(
    fc.property(conditioned, fc.array(fc.constantFrom('yes', 'no'), { minLength: 6, maxLength: 6 }), (steps, outcomes) => {
      assert.deepEqual(stepErrors(steps), []);
      const rows = steps.map(({ id, type, config }, index) => ({
        id,
        type,
        config,
        depends_on: ids.slice(Math.max(0, index - 1), index),
        status: 'pending' as StepStatus,
        outcome: null as string | null,
      }));
      const find = (id: string) => rows.find((row) => row.id === id);
      for (let [step] = readySteps(rows); step; [step] = readySteps(rows)) {
        const met = startOf(step, (id) => find(id)?.outcome ?? undefined) === 'begin';
        Object.assign(
          step,
          met ? { status: 'completed', outcome: outcomes[rows.indexOf(step)] } : { status: 'skipped', outcome: 'skipped' },
        );
      }
      assert.ok(allDone(rows));
      // A second implementation, from the first outcome to the last.
      const known: Record<string, string> = {};
      const says = (when: any): boolean => {
        if (when === undefined) return true;
        if (when.not) return !says(when.not);
        return when.any ? when.any.some(says) : known[when.field] === when.eq;
      };
      for (const [index, { id, config }] of steps.entries())
        known[id] = says((config as { when?: unknown }).when) ? (outcomes[index] ?? '') : 'skipped';
      assert.deepEqual(Object.fromEntries(rows.map(({ id, outcome }) => [id, outcome])), known);
    }),
  );
});
