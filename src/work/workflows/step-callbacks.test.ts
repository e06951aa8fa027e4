import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { asking } from '../../../test/asking.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { freePort } from '../../../test/spawned.ts';
import { runTimers } from '../../../test/timers.ts';
import { startEngine } from '../../../test/webhook-engine.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { signAnswer } from '@chancery/webhooks';

const workflows = '/api/v1/workflows';
const hourMs = 3_600_000;
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let member: User;
const { made, call, status } = asking(() => chancery);

before(async () => {
  chancery = await startChancery();
  team = await chancery.team();
  owner = team.owner;
  member = await chancery.user(team);
});
after(() => chancery.stop());

type Endpoint = { id: string; secret: string };
const endpointOf = (by: { token: string } = owner, url = 'https://receiver.example/hook'): Promise<Endpoint> =>
  made(by as User, 'POST', '/api/v1/webhooks/', { name: 'ERP', url, events: ['webhook.test'] });
const stepsFor = (endpointId: string, config: object = {}) => [
  { id: 'enter', type: 'webhook', config: { endpointId, waitForAnswer: true, outcomes: ['entered', 'refused'], ...config } },
  { id: 'file', type: 'task', assignees: [owner.id], config: { when: { field: 'enter', eq: 'entered' } } },
];
async function started(endpoint: Endpoint, config: object = {}): Promise<string> {
  const { id } = await made(owner, 'POST', `${workflows}/`, { name: 'Entry', documentId: 'DMS-1', steps: stepsFor(endpoint.id, config) });
  await made(owner, 'POST', `${workflows}/${id}/start`);
  return id;
}
const stepOf = async (id: string) => (await made(owner, 'GET', `${workflows}/${id}`)).steps[0];
/** Returns the last callback request to the endpoint. */
async function question(workflow: string): Promise<any> {
  const { rows } = await chancery.pool.query(
    "SELECT body FROM event WHERE type = 'workflow.step.callback_requested' AND convert_from(body, 'UTF8')::jsonb -> 'data' ->> 'workflowId' = $1 ORDER BY id DESC LIMIT 1",
    [workflow],
  );
  return JSON.parse(rows[0].body.toString()).data.data;
}
type CallbackQuestion = { answerTo: string; nonce: string };
const answer = ({ answerTo, nonce }: CallbackQuestion, secret: string, outcome = 'entered', seconds = Math.floor(Date.now() / 1_000)) => {
  const body = JSON.stringify({ outcome });
  return chancery.call('POST', answerTo, { headers: signAnswer(body, nonce, secret, seconds), body });
};
const failed = async (workflow: string): Promise<any> =>
  (await made(owner, 'GET', `/api/v1/tasks/?workflowId=${workflow}&status=open`)).find(({ type }: any) => type === 'failed_step');
const decide = async (workflow: string, outcome: string) =>
  status(owner, 'POST', `/api/v1/tasks/${(await failed(workflow)).id}/complete`, { outcome });

test('a step calls only its endpoint, and accepts exactly one correctly signed answer of many concurrent ones', async () => {
  const endpoint = await endpointOf();
  const other = await made(owner, 'POST', '/api/v1/webhooks/', {
    name: 'All',
    url: 'https://other.example/hook',
    events: ['*', 'workflow.*'],
  });
  const id = await started(endpoint);
  const callback = await question(id);
  assert.deepEqual([callback.endpointId, callback.outcomes, callback.documentId], [endpoint.id, ['entered', 'refused'], 'DMS-1']);
  const got = await chancery.pool.query("SELECT endpoint_id FROM webhook_delivery WHERE event_type = 'workflow.step.callback_requested'");
  assert.deepEqual(got.rows, [{ endpoint_id: endpoint.id }]);
  // A recovery does not send the event to another endpoint either.
  await made(owner, 'POST', `/api/v1/webhooks/${other.id}/recover`, { since: new Date(Date.now() - hourMs).toISOString() });
  const { rows } = await chancery.pool.query("SELECT FROM webhook_delivery WHERE event_type = 'workflow.step.callback_requested'");
  assert.equal(rows.length, 1);

  const now = Math.floor(Date.now() / 1_000);
  const refusals = [
    await answer(callback, other.secret),
    await answer(callback, endpoint.secret, 'entered', now - 302),
    await answer(callback, endpoint.secret, 'entered', now + 302),
    await answer({ ...callback, nonce: callback.nonce.replace(team.id, member.id) }, endpoint.secret),
    await answer({ ...callback, answerTo: callback.answerTo.replace(id, member.id) }, endpoint.secret),
    await answer({ ...callback, answerTo: callback.answerTo.replace('enter', 'file') }, endpoint.secret),
  ];
  assert.deepEqual(
    refusals.map(({ status: code, body }) => `${code} ${body.code}`),
    Array(6).fill('401 callback_signature_invalid'),
  );
  const altered = { headers: signAnswer('{"outcome":"refused"}', callback.nonce, endpoint.secret), body: '{"outcome":"entered"}' };
  assert.equal((await chancery.call('POST', callback.answerTo, altered)).status, 401);
  const odd = await answer(callback, endpoint.secret, 'approved');
  assert.deepEqual([odd.status, odd.body.code], [422, 'outcome_invalid']);
  // An answer with the nonce of another run is too late, even if its signature is valid.
  const late = await answer({ ...callback, nonce: `${team.id}.${'A'.repeat(43)}` }, endpoint.secret);
  assert.deepEqual([late.status, late.body.code], [409, 'step_not_active']);

  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => answer(callback, endpoint.secret, at % 2 === 0 ? 'entered' : 'refused')),
  );
  const taken = answers.filter((one) => one.status === 204);
  assert.equal(taken.length, 1);
  assert.deepEqual([...new Set(answers.filter((one) => one.status !== 204).map(({ body }) => body.code))], ['step_not_active']);
  const step = await stepOf(id);
  const first = answers.indexOf(taken[0] as (typeof answers)[0]) % 2 === 0 ? 'entered' : 'refused';
  assert.deepEqual([step.status, step.outcome], ['completed', first]);
  const { rows: said } = await chancery.pool.query(
    "SELECT data FROM audit_entry WHERE type = 'workflow.step.completed' AND target_id = $1 AND data ->> 'stepId' = 'enter'",
    [id],
  );
  assert.deepEqual(
    said.map(({ data }) => [data.outcome, data.answeredBy]),
    [[first, endpoint.id]],
  );
});

test('the previous secret is valid during the overlap; a paused workflow accepts no answer, and its deadline moves', async () => {
  const endpoint = await endpointOf();
  const id = await started(endpoint, { timeoutHours: 2 });
  const callback = await question(id);
  const rotated = await made(owner, 'POST', `/api/v1/webhooks/${endpoint.id}/rotate-secret`, { overlapHours: 1 });
  await made(owner, 'POST', `${workflows}/${id}/pause`, {});
  const paused = await answer(callback, rotated.secret);
  assert.deepEqual([paused.status, paused.body.code], [409, 'workflow_paused']);
  assert.deepEqual(await runTimers(chancery, new Date(Date.now() + 3 * hourMs)), []);
  assert.equal((await stepOf(id)).status, 'active');
  await made(owner, 'POST', `${workflows}/${id}/resume`);
  assert.equal((await answer(callback, endpoint.secret)).status, 204);
  const again = await started(endpoint);
  await made(owner, 'POST', `/api/v1/webhooks/${endpoint.id}/rotate-secret`, { expirePreviousNow: true });
  assert.equal((await answer(await question(again), rotated.secret)).status, 401);
  await made(owner, 'POST', `${workflows}/${again}/cancel`, {});
});

test('a step fails after its deadline or the deletion of its endpoint; an administrator retries, skips or cancels', async () => {
  const endpoint = await endpointOf();
  const id = await started(endpoint, { timeoutHours: 2 });
  const before_ = await question(id);
  assert.deepEqual(await runTimers(chancery, new Date(Date.now() + 1.9 * hourMs)), []);
  assert.equal((await stepOf(id)).status, 'active');
  assert.deepEqual(await runTimers(chancery, new Date(Date.now() + 2.1 * hourMs)), []);
  assert.deepEqual([(await stepOf(id)).status, (await stepOf(id)).outcome], ['failed', 'timed_out']);
  assert.equal((await answer(before_, endpoint.secret)).status, 409);
  const task = await failed(id);
  assert.deepEqual([task.assignedTo, task.outcomes], [owner.id, ['retry', 'skip', 'cancel']]);
  assert.equal(await decide(id, 'retry'), 200);
  const callback = await question(id);
  assert.notEqual(callback.nonce, before_.nonce);
  assert.equal((await answer(before_, endpoint.secret)).status, 409);
  const paused = await started(endpoint);
  await made(owner, 'POST', `${workflows}/${paused}/pause`, {});
  assert.equal(await status(owner, 'DELETE', `/api/v1/webhooks/${endpoint.id}`), 204);
  await eventually('the step has failed', async () => (await stepOf(id)).outcome === 'endpoint_not_usable');
  assert.equal((await stepOf(paused)).status, 'active');
  await made(owner, 'POST', `${workflows}/${paused}/resume`);
  assert.equal((await stepOf(paused)).status, 'failed');
  assert.equal(await decide(paused, 'cancel'), 200);
  assert.equal((await made(owner, 'GET', `${workflows}/${paused}`)).status, 'cancelled');
  // The retry without an endpoint fails again. The condition of the next step sees that this one was skipped.
  assert.equal(await decide(id, 'retry'), 200);
  assert.equal((await stepOf(id)).status, 'failed');
  assert.equal(await decide(id, 'skip'), 200);
  assert.equal((await made(owner, 'GET', `${workflows}/${id}`)).status, 'completed');
});

test('only team managers, and programs with their own endpoint, can name an endpoint in a step', async () => {
  const endpoint = await endpointOf();
  const client = await chancery.client(owner, ['webhooks:read', 'webhooks:write', 'workflows:read', 'workflows:write']);
  const own = await endpointOf(client);
  const make = (by: { token: string }, id: string, config: object = {}) =>
    call(by as User, 'POST', `${workflows}/`, { name: 'W', documentId: 'DMS-1', steps: stepsFor(id, config) });
  const refused = async (by: { token: string }, id: string) => {
    const { status: code, body } = await make(by, id);
    return [code, body.code, body.errors?.[0]?.reason];
  };
  const none = [422, 'workflow_steps_invalid', 'does not name an active endpoint that you may use'];
  for (const [by, id] of [
    [member, endpoint.id],
    [client, endpoint.id],
    [owner, member.id],
  ] as const)
    assert.deepEqual(await refused(by, id), none);
  const ofClient = await make(client, own.id);
  assert.equal(ofClient.status, 201);
  assert.equal((await make(owner, own.id)).status, 201);
  // No user can add an endpoint to a workflow whose creator may not use it.
  const mine = await made(member, 'POST', `${workflows}/`, { name: 'W', documentId: 'DMS-1', steps: [{ id: 'a', type: 'task' }] });
  const given = await call(owner, 'PUT', `${workflows}/${mine.id}`, { steps: stepsFor(endpoint.id) });
  assert.deepEqual([given.status, given.body.code], [422, 'workflow_steps_invalid']);
  const templates = { name: 'with-erp', description: 'E', steps: stepsFor(endpoint.id) };
  assert.equal(await status(member, 'POST', `${workflows}/templates`, templates), 422);
  await made(owner, 'POST', `${workflows}/templates`, templates);
  assert.equal(await status(member, 'POST', `${workflows}/templates/with-erp`, { documentId: 'DMS-1' }), 422);
  // If the creator loses the right before the step begins, the step fails.
  const admin = await chancery.user(team, { role: 'admin' });
  const { id } = await made(admin, 'POST', `${workflows}/`, { name: 'W', documentId: 'DMS-1', steps: stepsFor(endpoint.id) });
  await made(owner, 'PATCH', `/api/v1/team/members/${admin.id}`, { role: 'member' });
  await made(owner, 'POST', `${workflows}/${id}/start`);
  assert.deepEqual([(await stepOf(id)).status, (await failed(id)).assignedTo], ['failed', owner.id]);

  for (const [config, reason] of [
    [{ endpointId: undefined }, /must be the id of a webhook endpoint/],
    [{ waitForAnswer: false }, /belongs to a step with/],
    [{ outcomes: ['approved'] }, /cannot decide on a document/],
    [{ outcomes: [] }, /fewer than 1/],
    [{ timeoutHours: 721 }, /720/],
    [{ url: 'https://elsewhere.example' }, /not known/],
  ] as const)
    assert.match((await make(owner, endpoint.id, config)).body.errors[0].reason, reason);
});

test('the receiver in the guide completes a step', async () => {
  const port = await freePort();
  const endpoint = await endpointOf(owner, `http://127.0.0.1:${port}/`);
  const env = { PATH: process.env.PATH, WEBHOOK_SECRET: endpoint.secret, CHANCERY_URL: chancery.url, PORT: String(port) };
  const receiver = spawn(process.execPath, ['examples/answer-a-step/receiver.js'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const engine = await startEngine(chancery, { timeoutMs: 5_000, leaseSeconds: 30, schedule: [200, 500, 1_000, 1_000, 1_000, 1_000] });
  try {
    const id = await started(endpoint);
    await eventually('the step is completed', async () => (await stepOf(id)).status === 'completed');
    assert.equal((await stepOf(id)).outcome, 'entered');
  } finally {
    const gone = once(receiver, 'exit');
    receiver.kill();
    await Promise.all([engine.stop(), gone]);
  }
});

test('the receiver in the guide rejects forged deliveries and continues', async () => {
  const port = await freePort();
  const { secret } = await endpointOf(owner, `http://127.0.0.1:${port}/`);
  const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secret, CHANCERY_URL: chancery.url, PORT: String(port) };
  const receiver = spawn(process.execPath, ['examples/answer-a-step/receiver.js'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const forge = () =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).then(
      (response) => response.status,
      () => undefined,
    );
  try {
    await eventually('the receiver rejects a delivery', async () => (await forge()) === 401);
    assert.equal(await forge(), 401);
  } finally {
    const gone = once(receiver, 'exit');
    receiver.kill();
    await gone;
  }
});
