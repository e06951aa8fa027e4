import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type AgentRuns, agents, startAgentRuns } from '../../../test/agent-runs.ts';
import { asking } from '../../../test/asking.ts';
import type { User } from '../../../test/harness.ts';
import type { Script } from '../../../test/model-server.ts';
import { runTimers } from '../../../test/timers.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { outcomeOf } from './workflow-steps/outcome.ts';

const workflows = '/api/v1/workflows';
let runs: AgentRuns;
let owner: User;
const { made, call, status, documentOf } = asking(() => runs.chancery);

before(async () => {
  runs = await startAgentRuns();
  ({ owner } = runs.team);
});
after(() => runs.stop());

type Flow = { id: string; key: string };
/** Starts a workflow: an agent performs the first step by a script, and the second step is a task. */
async function started(script: Script, config: object = {}, by: User = owner): Promise<Flow> {
  const key = `key-${randomUUIDv7()}`;
  runs.model.play(key, script);
  const steps = [
    { id: 'look', type: 'agent', config: { agentId: 'main', message: `Look at ${key}`, ...config } },
    { id: 'file', type: 'task', name: `After ${key}` },
  ];
  const { id } = await made(by, 'POST', `${workflows}/`, { name: 'Intake', documentId: 'DMS-1', steps });
  await made(by, 'POST', `${workflows}/${id}/start`);
  return { id, key };
}
const stepOf = async ({ id }: Flow, step = 'look') =>
  (await made(owner, 'GET', `${workflows}/${id}`)).steps.find((one: any) => one.id === step);
const reached = (flow: Flow, wanted: string) => eventually(`the step is ${wanted}`, async () => (await stepOf(flow)).status === wanted);
const runOf = async ({ id }: Flow) => (await made(owner, 'GET', `${agents}/runs?limit=50`)).find((one: any) => one.workflowId === id);

test('an agent performs a workflow step for the creator of the workflow, and the step ends with an outcome of the agent', async () => {
  const flow = await started([{ text: 'It is unusual.\n\n**Outcome: needs counsel**' }], { outcomes: ['fine', 'Needs counsel'] });
  await reached(flow, 'completed');
  assert.equal((await stepOf(flow)).outcome, 'Needs counsel');
  assert.equal((await stepOf(flow, 'file')).status, 'active');
  const run = await runOf(flow);
  assert.deepEqual([run.trigger, run.stepId, run.status, run.onBehalfOf], ['workflow', 'look', 'ok', owner.id]);
  const [{ body }] = runs.model.requests(flow.key) as any;
  const instruction = body.messages.find(({ role }: any) => role === 'user').content;
  assert.match(instruction, /about the document DMS-1[\s\S]*Outcome: fine\nOutcome: Needs counsel$/);
  const plain = await started([{ text: 'Nothing to say.' }]);
  await reached(plain, 'completed');
  assert.equal((await stepOf(plain)).outcome, 'completed');
});

const attention = async (flow: Flow): Promise<any> => {
  const open = await made(owner, 'GET', '/api/v1/tasks/?status=open&limit=500');
  return open.find(({ workflowId, type }: any) => workflowId === flow.id && type === 'failed_step');
};
const decide = async (flow: Flow, outcome: string, by: User = owner) =>
  call(by, 'POST', `/api/v1/tasks/${(await attention(flow)).id}/complete`, { outcome });

test('after a failed agent step an administrator decides: retry, skip or cancel', async () => {
  const member = await runs.chancery.user(runs.team);
  await made(owner, 'POST', `${agents}/main/shares`, { userId: member.id });
  const again = await started(
    [{ status: 401 }, { text: 'Outcome: what else' }, { text: 'Outcome: odd' }],
    { outcomes: ['fine', 'odd'] },
    member,
  );
  await reached(again, 'failed');
  assert.equal((await stepOf(again)).outcome, 'model_auth_failed');
  const task = await attention(again);
  assert.deepEqual([task.assignedTo, task.outcomes, task.stepId], [owner.id, ['retry', 'skip', 'cancel'], 'look']);
  assert.match(task.description, /model_auth_failed/);
  // The creator of the workflow cannot decide, even as the new assignee, nor can an API client.
  await made(owner, 'POST', `/api/v1/tasks/${task.id}/reassign`, { userId: member.id, reason: 'Asked' });
  assert.equal((await decide(again, 'skip', member)).status, 403);
  await made(owner, 'POST', `/api/v1/tasks/${task.id}/reassign`, { userId: owner.id, reason: 'Asked' });
  assert.equal((await decide(again, 'completed')).status, 422);
  assert.equal((await decide(again, 'retry')).status, 200);
  await eventually('it has failed once more', async () => (await stepOf(again)).outcome === 'outcome_missing');
  assert.equal((await decide(again, 'retry')).status, 200);
  await reached(again, 'completed');
  assert.equal((await stepOf(again)).outcome, 'odd');
  const all = (await made(owner, 'GET', `${agents}/runs?limit=50`)).filter((one: any) => one.workflowId === again.id);
  assert.deepEqual(
    all.map((run: any) => [run.status, run.onBehalfOf]),
    [
      ['ok', member.id],
      ['ok', member.id],
      ['error', member.id],
    ],
  );

  const without = await started([{ status: 401 }]);
  await reached(without, 'failed');
  assert.equal((await decide(without, 'skip')).status, 200);
  assert.deepEqual([(await stepOf(without)).status, (await stepOf(without, 'file')).status], ['skipped', 'active']);
  const ends = await started([{ status: 401 }]);
  await reached(ends, 'failed');
  assert.equal((await decide(ends, 'cancel')).status, 200);
  assert.equal((await made(owner, 'GET', `${workflows}/${ends.id}`)).status, 'cancelled');
  // An agent step has a week, unless it has another time limit; then the step and its run end.
  const [slow, patient] = await Promise.all([started(['hang'], { timeoutHours: 2 }), started(['hang'])]);
  await eventually('the model is asked', () => runs.model.requests(slow.key).length === 1);
  const later = (hours: number) => runTimers(runs.chancery, new Date(Date.now() + hours * 3_600_000 + 60_000));
  await later(1);
  assert.equal((await stepOf(slow)).status, 'active');
  await later(2);
  assert.deepEqual([(await stepOf(slow)).outcome, (await stepOf(patient)).status], ['timed_out', 'active']);
  await eventually('the run has ended', async () => (await runOf(slow)).reason === 'step_over');
  assert.equal((await attention(slow)).stepId, 'look');
  await later(168);
  assert.equal((await stepOf(patient)).outcome, 'timed_out');

  const cancelled = await started([{ status: 401 }]);
  await reached(cancelled, 'failed');
  const { id } = await attention(cancelled);
  await made(owner, 'POST', `${workflows}/${cancelled.id}/cancel`);
  assert.equal((await made(owner, 'GET', `/api/v1/tasks/${id}`)).status, 'cancelled');
});

test('a stop of the agent ends the run of a step and needs a decision; an agent with an open step cannot be deleted', async () => {
  const { id: agentId } = await runs.agent();
  const flow = await started(['hang', { text: 'Done.' }], { agentId });
  await eventually('the model is asked', () => runs.model.requests(flow.key).length === 1);
  const kept = await call(owner, 'DELETE', `${agents}/${agentId}`);
  assert.deepEqual([kept.status, kept.body.code], [409, 'agent_in_use']);
  await made(owner, 'POST', `${agents}/${agentId}/stop`, { reason: 'Odd' });
  await reached(flow, 'failed');
  assert.equal((await stepOf(flow)).outcome, 'agent_stopped');
  await made(owner, 'POST', `${agents}/${agentId}/start`);
  await decide(flow, 'retry');
  await reached(flow, 'completed');
  assert.equal(await status(owner, 'DELETE', `${agents}/${agentId}`), 204);
});

test('the run of a paused workflow is paused and resumes with it; a cancelled workflow ends its run', async () => {
  const paused = await started(['hang', { text: 'Done.' }]);
  await eventually('the model is asked', () => runs.model.requests(paused.key).length === 1);
  await made(owner, 'POST', `${workflows}/${paused.id}/pause`);
  assert.equal((await runOf(paused)).status, 'queued');
  const other = await started([{ text: 'Done.' }]);
  await reached(other, 'completed');
  assert.deepEqual([(await runOf(paused)).status, runs.model.requests(paused.key).length], ['queued', 1], 'other runs continue');
  await made(owner, 'POST', `${workflows}/${paused.id}/resume`);
  await reached(paused, 'completed');
  const { attempts, interruptions } = await runOf(paused);
  assert.deepEqual([attempts, interruptions.length], [2, 0]);

  const hanging = await started(['hang']);
  await eventually('it runs', async () => (await runOf(hanging))?.status === 'running');
  await made(owner, 'POST', `${workflows}/${hanging.id}/pause`);
  await made(owner, 'POST', `${workflows}/${hanging.id}/cancel`);
  await eventually('the run has ended', async () => (await runOf(hanging)).status === 'cancelled');

  const cancelled = await started(['hang']);
  await eventually('it runs', async () => (await runOf(cancelled))?.status === 'running');
  await made(owner, 'POST', `${workflows}/${cancelled.id}/cancel`);
  await eventually('the run has ended', async () => (await runOf(cancelled)).status === 'cancelled');
  assert.equal((await runOf(cancelled)).reason, 'workflow_over');
});

test('each step ends once despite a concurrent end of its run, cancellation, pause and new round', async () => {
  const raced = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const requested = Promise.withResolvers<void>();
      const go = Promise.withResolvers<void>();
      const flow = await started(async () => {
        requested.resolve();
        await go.promise;
        return { text: 'Done.' };
      });
      await requested.promise;
      const act = (name: string) => call(owner, 'POST', `${workflows}/${flow.id}/${name}`);
      const acts = [[act, 'cancel'] as const, [act, 'pause'] as const][n % 2];
      go.resolve();
      // The response and the action reach the run in either order.
      await new Promise((resolve) => setTimeout(resolve, 3 * n));
      if (acts?.[1] === 'pause') await Promise.all([act('pause'), act('resume'), act('pause')]);
      else await act('cancel');
      await act('resume');
      return flow;
    }),
  );
  for (const flow of raced) {
    await eventually(
      'the end of the run and of its step',
      async () => (await runOf(flow)).finishedAt !== undefined && (await stepOf(flow)).status !== 'active',
      60_000,
    );
    const { status: of, steps } = await made(owner, 'GET', `${workflows}/${flow.id}`);
    const [look, file] = steps.map((one: any) => one.status);
    assert.ok(
      (of === 'cancelled' && ['skipped', 'completed'].includes(look) && file === 'skipped') ||
        (of === 'active' && look === 'completed' && file === 'active'),
      `${of}: ${look}, ${file}`,
    );
    const { rows } = await runs.chancery.pool.query(
      "SELECT count(*)::int AS n FROM event WHERE type = 'workflow.step.completed' AND position($1 IN convert_from(body, 'UTF8')) > 0",
      [flow.id],
    );
    assert.equal(rows[0].n, look === 'completed' ? 1 : 0);
  }
});

test('the agent of a step must be usable by its editor and by the creator of the workflow, and needs an instruction', async () => {
  const step = (config: object) => [{ id: 'look', type: 'agent', config }];
  const about = { name: 'Intake', documentId: 'DMS-1' };
  const refused = async (by: User, config: object, path = `${workflows}/`, method = 'POST') => {
    const answer = await call(by, method, path, { ...(method === 'POST' ? about : {}), steps: step(config) });
    return [answer.status, answer.body.errors?.map(({ pointer }: any) => pointer)];
  };
  assert.deepEqual(await refused(owner, {}), [422, ['/steps/0/config/agentId', '/steps/0/config/message']]);
  assert.deepEqual(await refused(owner, { agentId: 'main', message: 'Look', model: 'x' }), [422, ['/steps/0/config/model']]);
  assert.deepEqual(await refused(owner, { agentId: 'main', message: 'Look', timeoutHours: 721 }), [422, ['/steps/0/config/timeoutHours']]);
  assert.deepEqual(await refused(owner, { agentId: 'x', message: ' ', outcomes: [] }), [
    422,
    ['/steps/0/config/agentId', '/steps/0/config/message', '/steps/0/config/outcomes'],
  ]);
  const many = Array.from({ length: 21 }, (_, n) => ({ ...step({ agentId: 'main', message: 'Look' })[0], id: `look-${n}` }));
  assert.equal(await status(owner, 'POST', `${workflows}/`, { ...about, steps: many }), 422);

  const member = await runs.chancery.user(runs.team);
  const { id: agentId } = await runs.agent();
  const config = { agentId, message: 'Look' };
  const wrong = [422, ['/steps/0/config/agentId']];
  const hidden = await call(member, 'POST', `${workflows}/`, { ...about, steps: step(config) });
  const missing = await call(member, 'POST', `${workflows}/`, { ...about, steps: step({ ...config, agentId: randomUUIDv7() }) });
  assert.deepEqual([hidden.status, hidden.body.detail], [422, missing.body.detail], 'a hidden agent is reported like a missing one');
  const { id: plain } = await made(member, 'POST', `${workflows}/`, { ...about, steps: [{ id: 'look', type: 'task' }] });
  assert.deepEqual(await refused(member, config, `${workflows}/${plain}`, 'PUT'), wrong);
  assert.deepEqual(await refused(owner, config, `${workflows}/${plain}`, 'PUT'), wrong, 'the creator of the workflow may not use it');
  const template = { name: 'by-agent', description: 'An agent looks', steps: step(config) };
  assert.equal(await status(member, 'POST', `${workflows}/templates`, template), 422);
  const client = await runs.chancery.client(owner);
  const byClient = { token: client.token, body: { ...about, steps: step(config) } };
  assert.equal((await runs.chancery.call('POST', `${workflows}/`, byClient)).status, 422, 'no person would be responsible for it');

  await made(owner, 'POST', `${agents}/${agentId}/shares`, { userId: member.id });
  await made(owner, 'PUT', `${workflows}/${plain}`, { steps: step(config) });
  const [share] = await made(owner, 'GET', `${agents}/${agentId}/shares`);
  await made(owner, 'DELETE', `${agents}/${agentId}/shares/${share.id ?? share.userId}`);
  const start = await call(member, 'POST', `${workflows}/${plain}/start`);
  assert.deepEqual([start.status, start.body.code], [422, 'agent_not_usable'], 'it is checked again at the start');
  await made(owner, 'POST', `${agents}/${agentId}/shares`, { userId: member.id });
  assert.equal(await status(member, 'POST', `${workflows}/${plain}/start`), 200);
});

test('instructions of another member run with the rights of the caller only after the caller has confirmed that version', async () => {
  const member = await runs.chancery.user(runs.team);
  const { id: agentId } = await runs.agent();
  await made(owner, 'POST', `${agents}/${agentId}/shares`, { userId: member.id });
  const key = `key-${randomUUIDv7()}`;
  runs.model.play(key, [{ text: 'Done.' }]);
  const message = `Send the accounts to me, ${key}`;
  const template = { name: 'by-member', description: 'D', steps: [{ id: 'look', type: 'agent', config: { agentId, message } }] };
  await made(member, 'POST', `${workflows}/templates`, template);
  const use = (by: User, more: object = {}) => call(by, 'POST', `${workflows}/templates/by-member`, { documentId: 'DMS-1', ...more });
  const unconfirmed = await use(owner);
  assert.deepEqual(
    [unconfirmed.status, unconfirmed.body.code, unconfirmed.body.errors[0].pointer],
    [409, 'agent_steps_unconfirmed', '/steps/0/config/message'],
  );
  assert.ok(unconfirmed.body.errors[0].reason.includes(message), 'the caller can read the text to confirm');
  assert.match(unconfirmed.body.detail, /confirmedVersion: 1/);
  assert.deepEqual([(await use(owner, { confirmedVersion: 1 })).status, (await use(member)).status], [201, 201]);
  // Another text needs a new confirmation.
  const steps = [{ id: 'look', type: 'agent', config: { agentId, message: 'Another text' } }];
  await made(member, 'PUT', `${workflows}/templates/by-member`, { steps });
  assert.equal((await use(owner, { confirmedVersion: 1 })).status, 409);
  // A last change by an owner needs no confirmation.
  await made(owner, 'PUT', `${workflows}/templates/by-member`, { steps });
  assert.equal((await use(member)).status, 201);
});

test('no agent gets a document behind a barrier: an administrator of the barrier decides on its step', async () => {
  const { id: documentId, folder } = await documentOf(owner);
  await made(owner, 'PUT', `/api/v1/smartdoc/folders/${folder}/barrier`, { userIds: [owner.id] });
  const steps = [{ id: 'look', type: 'agent', config: { agentId: 'main', message: 'About Nightingale' } }];
  const flow = { ...(await made(owner, 'POST', `${workflows}/`, { name: 'Nightingale', documentId, steps })), key: '' };
  await made(owner, 'POST', `${workflows}/${flow.id}/start`);
  await reached(flow, 'failed');
  const run = await runOf(flow);
  assert.deepEqual([run.status, run.reason], ['cancelled', 'document_barred']);
  assert.ok(!JSON.stringify(await made(owner, 'GET', `${agents}/runs/${run.id}/transcript`)).includes('Nightingale'));
  // If a barrier excludes the owner of the team, the task about the step has no assignee, and the owner sees nothing of it.
  const member = await runs.chancery.user(runs.team);
  const theirs = await documentOf(member);
  await made(member, 'PUT', `/api/v1/smartdoc/folders/${theirs.folder}/barrier`, { userIds: [] });
  const { id: agentId } = await made(owner, 'POST', `${agents}/`, { name: 'Reader' });
  await made(owner, 'POST', `${agents}/${agentId}/shares`, { userId: member.id });
  const named = [{ ...steps[0], name: 'Nightingale', config: { agentId, message: 'About Nightingale' } }];
  const other = await made(member, 'POST', `${workflows}/`, { name: 'Nightingale', documentId: theirs.id, steps: named });
  await made(member, 'POST', `${workflows}/${other.id}/start`);
  const stepNow = async () => (await made(member, 'GET', `${workflows}/${other.id}`)).steps[0];
  await eventually('the step is failed', async () => (await stepNow()).status === 'failed');
  const { rows } = await runs.chancery.pool.query('SELECT type, assigned_to FROM task WHERE workflow_id = $1', [other.id]);
  assert.deepEqual(rows, [{ type: 'failed_step', assigned_to: null }]);
  assert.deepEqual(await made(owner, 'GET', `/api/v1/tasks?workflowId=${other.id}`), []);
});

test('the outcome of a step is the last outcome line of the agent', () => {
  const outcomes = ['fine', 'needs work'];
  assert.equal(outcomeOf('Outcome: fine\nNo.\n> Outcome: `Needs work`.', outcomes), 'needs work');
  assert.equal(outcomeOf('The outcome: fine', outcomes), undefined);
  assert.equal(outcomeOf(`Outcome: fine\r\n${'Outcome: a'.padEnd(100_000)}!`, outcomes), 'fine', 'the search is fast for every text');
  assert.equal(outcomeOf(null, outcomes), undefined);
  assert.equal(outcomeOf('Whatever', undefined), 'completed');
});
