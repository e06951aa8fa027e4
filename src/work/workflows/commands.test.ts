import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { type TestResponse, type Chancery, sharedChancery, type User } from '../../../test/harness.ts';

/* Random operations on a workflow in random order: each response and state must match the table in docs/reference/workflow-definition.md. */

const path = '/api/v1/workflows';
let chancery: Chancery;
let creator: User;
let decider: User;
before(async () => {
  chancery = await sharedChancery();
  const team = await chancery.team();
  [creator, decider] = [team.owner, await chancery.user(team)];
});

type Status = 'draft' | 'active' | 'paused' | 'completed' | 'rejected' | 'cancelled';
/** The expected state: the status of the workflow, or `gone`, and the status of its two steps. */
type Model = { status: Status | 'gone'; steps: string[]; goesBack: boolean; returns: number };
type Real = { id: string };
type Command = fc.AsyncCommand<Model, Real>;

/** The table in the guide. A missing entry means 409. */
const table: Record<string, Partial<Record<Status, Status | 'gone'>>> = {
  start: { draft: 'active' },
  pause: { active: 'paused' },
  resume: { paused: 'active' },
  cancel: { draft: 'cancelled', active: 'cancelled', paused: 'cancelled' },
  delete: { draft: 'gone', completed: 'gone', rejected: 'gone', cancelled: 'gone' },
};
const changeable: Record<string, readonly string[]> = {
  name: ['draft', 'active', 'paused', 'completed', 'rejected', 'cancelled'],
  documentId: ['draft'],
  dueDate: ['draft', 'active', 'paused'],
  assignedTo: ['draft', 'active', 'paused'],
  steps: ['draft', 'active', 'paused'],
};

const call = (by: User, method: string, to: string, body?: unknown) =>
  chancery.call(method, to, { token: by.token, ...(body === undefined ? {} : { body }) });
const stepsFor = (goesBack: boolean) => [
  { id: 'write', type: 'task' },
  { id: 'decide', type: 'approval', assignedTo: decider.id, ...(goesBack ? { config: { onReject: 'write' } } : {}) },
];

/** Compares a response with the expected one, and then the whole workflow with the model. */
async function agree(model: Model, { id }: Real, answer: TestResponse, expected: number, code?: string): Promise<void> {
  assert.deepEqual([answer.status, answer.status < 400 ? undefined : answer.body.code], [expected, code], answer.text);
  const { status, body } = await call(creator, 'GET', `${path}/${id}`);
  if (model.status === 'gone') return assert.equal(status, 404);
  assert.deepEqual([body.status, body.steps.map((step: any) => step.status)], [model.status, model.steps]);
  const tasks = (await call(creator, 'GET', `/api/v1/tasks?workflowId=${id}&status=open`)).body;
  assert.equal(tasks.length, model.steps.includes('active') ? 1 : 0);
  if (tasks.length > 0) assert.equal(tasks[0].stepId, ['write', 'decide'][model.steps.indexOf('active')]);
}

function transition(operation: string): Command {
  return {
    check: () => true,
    toString: () => operation,
    async run(model, real) {
      const from = model.status;
      const next = from === 'gone' ? undefined : table[operation]?.[from];
      if (next !== undefined) model.status = next;
      if (next === 'active' && from === 'draft') model.steps = ['active', 'pending'];
      if (next === 'cancelled') model.steps = model.steps.map((step) => (step === 'completed' ? step : 'skipped'));
      const deletes = operation === 'delete';
      const answer = deletes
        ? await call(creator, 'DELETE', `${path}/${real.id}`)
        : await call(creator, 'POST', `${path}/${real.id}/${operation}`, operation === 'pause' || operation === 'cancel' ? {} : undefined);
      if (from === 'gone') return agree(model, real, answer, 404, 'not_found');
      return next === undefined ? agree(model, real, answer, 409, 'invalid_transition') : agree(model, real, answer, 200);
    },
  };
}

function change(member: string): Command {
  return {
    check: () => true,
    toString: () => `change ${member}`,
    async run(model, real) {
      const { goesBack } = model;
      const values: Record<string, unknown> = {
        name: 'Another',
        documentId: 'DMS-2',
        dueDate: '2040-01-01',
        assignedTo: creator.id,
        steps: stepsFor(goesBack),
      };
      const answer = await call(creator, 'PUT', `${path}/${real.id}`, { [member]: values[member] });
      if (model.status === 'gone') return agree(model, real, answer, 404, 'not_found');
      const allowed = changeable[member]?.includes(model.status) === true;
      return allowed ? agree(model, real, answer, 200) : agree(model, real, answer, 409, 'invalid_transition');
    },
  };
}

/** Ends the open task as its assignee. */
function complete(outcome: 'approved' | 'rejected' | 'changes_requested'): Command {
  return {
    check: ({ steps, status }) => status !== 'gone' && steps.includes('active'),
    toString: () => `complete, or decide: ${outcome}`,
    async run(model, real) {
      const writes = model.steps[0] === 'active';
      const [task] = (await call(creator, 'GET', `/api/v1/tasks?workflowId=${real.id}&status=open`)).body;
      const answer = await call(writes ? creator : decider, 'POST', `/api/v1/tasks/${task.id}/complete`, writes ? {} : { outcome });
      if (model.status === 'paused') return agree(model, real, answer, 409, 'workflow_paused');
      if (writes) model.steps = ['completed', 'active'];
      else if (outcome === 'approved') Object.assign(model, { status: 'completed', steps: ['completed', 'completed'] });
      else if (model.returns === 20 || (!model.goesBack && outcome === 'rejected'))
        Object.assign(model, { status: 'rejected', steps: ['completed', 'rejected'] });
      else Object.assign(model, { returns: model.returns + 1, steps: model.goesBack ? ['active', 'pending'] : ['completed', 'active'] });
      return agree(model, real, answer, 200);
    },
  };
}

const everything = [
  ...Object.keys(table).map((operation) => fc.constant(transition(operation))),
  ...Object.keys(changeable).map((member) => fc.constant(change(member))),
  // Weighted, so that most workflows advance.
  ...(['approved', 'approved', 'rejected', 'changes_requested'] as const).map((outcome) => fc.constant(complete(outcome))),
  ...['start', 'resume'].map((operation) => fc.constant(transition(operation))),
];

test('random operations in any order give the responses and states of the table', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.commands(everything, { maxCommands: 30, size: 'max' }), async (goesBack, commands) => {
      const made = await call(creator, 'POST', `${path}/`, { name: 'W', documentId: 'DMS-1', steps: stepsFor(goesBack) });
      assert.equal(made.status, 201, made.text);
      const model: Model = { status: 'draft', steps: ['pending', 'pending'], goesBack, returns: 0 };
      await fc.asyncModelRun(() => ({ model, real: { id: made.body.id } }), commands);
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

test('a workflow returns at most 20 times, to a named step or the decision itself; the next rejection ends it', async () => {
  for (const goesBack of [true, false]) {
    const { body } = await call(creator, 'POST', `${path}/`, { name: 'W', documentId: 'DMS-1', steps: stepsFor(goesBack) });
    const [model, real]: [Model, Real] = [{ status: 'draft', steps: ['pending', 'pending'], goesBack, returns: 0 }, { id: body.id }];
    await transition('start').run(model, real);
    const refuse = complete('changes_requested');
    for (let turns = 0; model.status === 'active' && turns < 100; turns += 1) await refuse.run(model, real);
    assert.deepEqual([model.status, model.returns], ['rejected', 20]);
  }
});
