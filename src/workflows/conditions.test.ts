import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { type Chancery, sharedChancery, type Team, type User } from '../../test/harness.ts';
import { publishForm, type PublishedForm } from '../../test/published-forms.ts';
import { isMet } from './conditions.ts';
import { stepFaults } from './step-config.ts';
import { allDone, readySteps, type StepStatus } from './steps.ts';

const path = '/api/v1/workflows';
let chancery: Chancery;
let team: Team;
let maker: User;
let clerk: User;
let form: PublishedForm;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  [maker, clerk] = [await chancery.user(team), await chancery.user(team)];
  form = await publishForm(chancery, maker, {
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

async function draft(steps: object[], by = maker): Promise<any> {
  const made = await call(by, 'POST', `${path}/`, { name: 'W', documentId: 'DMS-1', steps });
  assert.equal(made.status, 201, made.text);
  return made.body;
}
async function started(steps: object[]): Promise<any> {
  const { id } = await draft(steps);
  return (await call(maker, 'POST', `${path}/${id}/start`)).body;
}
const states = async (id: string) =>
  Object.fromEntries((await call(maker, 'GET', `${path}/${id}`)).body.steps.map(({ id: step, status }: any) => [step, status]));
async function complete(id: string, step: string, outcome: string): Promise<void> {
  const { steps } = (await call(maker, 'GET', `${path}/${id}`)).body;
  const taskId = steps.find((one: any) => one.id === step).taskIds.at(-1);
  const done = await call(maker, 'POST', `/api/v1/tasks/${taskId}/complete`, { outcome });
  assert.equal(done.status, 200, done.text);
}

test('a step begins where its condition holds for how earlier steps ended, and is skipped otherwise, with what follows going on', async () => {
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
  const { body } = await call(maker, 'GET', `${path}/${id}`);
  assert.deepEqual([body.status, body.steps[3].status, body.steps[3].taskIds], ['completed', 'skipped', []]);
  const { body: history } = await call(maker, 'GET', `${path}/${id}/history`);
  assert.deepEqual(
    history.filter(({ outcome }: any) => outcome === 'skipped').map(({ stepId }: any) => stepId),
    ['neither', 'if-yes'],
  );
});

test('a condition over the answers of a form goes by what was submitted for the task of its step', async () => {
  for (const [amount, expected] of [
    [60_000, 'active'],
    [50_000, 'skipped'],
    [undefined, 'skipped'],
  ] as const) {
    const flow = await started([fill(), task('board', { field: 'facts/amount', gt: 50_000 }), task('last')]);
    const link = await call(clerk, 'POST', '/api/v1/interfaces/task-links', { taskId: flow.steps[0].taskIds[0] });
    const data = { kind: 'nda', ...(amount === undefined ? {} : { amount }) };
    const sent = await chancery.call('POST', `/api/v1/interfaces/public/${link.body.token}/submit`, { body: { data } });
    assert.equal(sent.status, 200, sent.text);
    assert.equal((await states(flow.id)).board, expected, `${amount}`);
  }
});

test('what a condition names that is not there is refused with its place, as is what its answers may not be read for', async () => {
  const refused = async (steps: object[], by = maker) => {
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

  // The other one may edit the form and so give it, but not read what is submitted.
  const editor = await chancery.user(team);
  const shared = await call(maker, 'POST', `/api/v1/interfaces/${form.id}/shares`, { userId: editor.id, rights: ['edit'] });
  assert.equal(shared.status, 201, shared.text);
  const when = { field: 'facts/amount', gt: 1 };
  assert.deepEqual(await refused([fill(), task('last')], editor), [201, undefined, undefined, undefined]);
  assert.deepEqual(await refused(last(when), editor), [...at('/field'), 'reference']);

  // A change of the steps is looked at as they were when the workflow was made; one of the name is not.
  const { id } = await draft(last(when));
  const change = async (body: object) => (await call(maker, 'PUT', `${path}/${id}`, body)).status;
  assert.equal(await change({ steps: last({ field: 'facts/other', empty: true }) }), 422);
  assert.deepEqual([await change({ name: 'Other' }), await change({ steps: last(when) })], [200, 200]);
});

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const leaf = (earlier: string[]): fc.Arbitrary<object> =>
  fc.record({ field: fc.constantFrom(...earlier), eq: fc.constantFrom('yes', 'no', 'skipped') });
/** Steps in a row, each with a condition over some of those before it, or none. */
const conditioned = fc.tuple(
  ...ids.map((id, index) => {
    if (index === 0) return fc.constant(task(id));
    const one = leaf(ids.slice(0, index));
    const when = fc.oneof(one, fc.record({ not: one }), fc.record({ any: fc.array(one, { minLength: 1, maxLength: 3 }) }));
    return fc.option(when, { nil: undefined }).map((condition) => task(id, condition));
  }),
);

test('whatever the conditions and the outcomes, each step ends once, skipped exactly where its condition does not hold for those before it', () => {
  fc.assert(
    fc.property(conditioned, fc.array(fc.constantFrom('yes', 'no'), { minLength: 6, maxLength: 6 }), (steps, outcomes) => {
      assert.deepEqual(stepFaults(steps), []);
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
        const met = isMet(step, find, new Map());
        Object.assign(
          step,
          met ? { status: 'completed', outcome: outcomes[rows.indexOf(step)] } : { status: 'skipped', outcome: 'skipped' },
        );
      }
      assert.ok(allDone(rows));
      // The same by hand: outcomes from the first to the last.
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
