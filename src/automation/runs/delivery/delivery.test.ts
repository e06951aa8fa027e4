import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type AgentRuns, agents, startAgentRuns } from '../../../../test/agent-runs.ts';
import { asking } from '../../../../test/asking.ts';
import type { User } from '../../../../test/harness.ts';
import { eventually, ok, type Receiver, startReceiver } from '../../../../test/webhook-receiver.ts';
import { listeners } from '../../../listeners.ts';
import { openDatabase } from '../../../platform/database/database.ts';
import type { EventListener } from '../../../platform/journal/listeners.ts';
import { deliveryJob } from './delivery-jobs.ts';

const jobs = `${agents}/cron`;
let runs: AgentRuns;
let receiver: Receiver;
let owner: User;
let admin: User;
const { made, call, status } = asking(() => runs.chancery);

before(async () => {
  receiver = await startReceiver();
  runs = await startAgentRuns({ settings: { WEBHOOKS_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_SCHEDULE: '20ms' } });
  ({ owner } = runs.team);
  admin = await runs.chancery.user(runs.team, { role: 'admin' });
});
after(async () => {
  await runs.stop();
  await receiver.close();
});

const endpoint = (path: string, events = ['webhook.test']): Promise<any> =>
  made(owner, 'POST', '/api/v1/webhooks/', { name: 'Desk', url: `${receiver.url}${path}`, events });
/** Creates a job; its model responds with `says` after `waits` resolves. */
async function job(delivery: object, { says = { text: 'Nothing stands out.' }, waits = Promise.resolve(), ...members }: any = {}) {
  const key = `key-${randomUUIDv7()}`;
  runs.model.play(key, async () => {
    await waits;
    return says;
  });
  const body = { name: `Look ${key}`, cron: '0 0 1 1 *', message: `Look at ${key}`, delivery, ...members };
  return { key, ...(await made(owner, 'POST', jobs, body)) };
}
const run = async ({ id }: { id: string }): Promise<string> => (await made(owner, 'POST', `${jobs}/${id}/run`)).runId;
/** Waits until a run has ended and its delivery has a final status. */
const delivered = (id: string): Promise<any> =>
  runs.ended(owner, id, ({ delivery, finishedAt }) => finishedAt !== undefined && delivery?.status !== 'pending');
const ofType = (path: string, type: string) => receiver.at(path).filter(({ event }) => event.type === type);
const opened = () => {
  let open = () => undefined as void;
  const waits = new Promise<void>((resolve) => (open = resolve));
  return { waits, open: () => open() };
};
const gone = async (id: string): Promise<string[]> => {
  const { events } = await made(owner, 'GET', `/api/v1/security/audit?targetId=${id}&type=agent.run.delivery_failed`);
  return events.map(({ data }: any) => data.error);
};

test('the endpoint of a job, and no other, gets a signed event for each ended run with identifiers and the result', async () => {
  const named = await endpoint('/named');
  await endpoint('/all', ['*']);
  const first = await job({ mode: 'webhook', endpointId: named.id.toUpperCase() });
  assert.deepEqual(first.delivery, { mode: 'webhook', endpointId: named.id });
  const done = await delivered(await run(first));
  const [delivery] = ofType('/named', 'agent.run.delivered');
  assert.ok(delivery && receiver.verifies(delivery, named.secret));
  assert.deepEqual(delivery.event.data, {
    agentRunId: done.id,
    teamId: runs.team.id,
    data: {
      endpointId: named.id,
      jobId: first.id,
      agentId: first.agentId,
      trigger: 'manual',
      status: 'ok',
      finishedAt: delivery.event.data.data.finishedAt,
    },
  });
  assert.deepEqual(done.delivery, { mode: 'webhook', status: 'delivered', endpointId: named.id, deliveryId: done.delivery.deliveryId });
  assert.equal((await made(owner, 'GET', `/api/v1/webhooks/${named.id}/deliveries/${done.delivery.deliveryId}`)).status, 'delivered');
  assert.deepEqual((await made(owner, 'GET', `${jobs}/${first.id}/runs`))[0].delivery, done.delivery);
  const failing = await job({ mode: 'webhook', endpointId: named.id }, { says: { status: 401 } });
  const failed = await delivered(await run(failing));
  const said = ofType('/named', 'agent.run.delivered').at(-1)?.event.data.data;
  assert.deepEqual([failed.status, said.status, said.reason], ['error', 'error', failed.error]);
  await eventually('the other deliveries', () => ofType('/all', 'agent.run.finished').length >= 2);
  assert.deepEqual(ofType('/all', 'agent.run.delivered'), []);
});

test('a failed delivery is retried and then recorded in the run, whose result stays; so is a delivery to a deleted endpoint', async () => {
  receiver.answer = (response, { path }) => (path === '/away' ? void response.writeHead(503).end() : ok(response));
  const away = await endpoint('/away');
  const first = await job({ mode: 'webhook', endpointId: away.id });
  const done = await delivered(await run(first));
  assert.equal(done.status, 'ok');
  assert.deepEqual([done.delivery.status, done.delivery.error], ['failed', 'http_status']);
  assert.equal(receiver.at('/away').length, 2);
  assert.deepEqual((await made(owner, 'GET', `${jobs}/${first.id}`)).state.lastStatus, 'ok');

  const { waits, open } = opened();
  const slow = await job({ mode: 'webhook', endpointId: away.id }, { waits });
  const begun = await run(slow);
  await eventually('the request to the model', () => runs.model.requests(slow.key).length === 1);
  assert.equal(await status(owner, 'DELETE', `/api/v1/webhooks/${away.id}`), 204);
  open();
  assert.deepEqual((await delivered(begun)).delivery, {
    mode: 'webhook',
    status: 'failed',
    endpointId: away.id,
    error: 'endpoint_not_usable',
  });
  assert.deepEqual(await gone(begun), ['endpoint_not_usable']);
});

test('a task is delivered for a job with a name that must be cut at characters of two code units', async () => {
  const done = await delivered(await run(await job({ mode: 'task' }, { name: `${'a'.repeat(222)}${'😀'.repeat(20)}` })));
  assert.equal(done.delivery.status, 'delivered');
});

test('a person gets a task with a link to the run; a change of the job applies only to later runs', async () => {
  const { waits, open } = opened();
  const first = await job({ mode: 'task', assignedTo: admin.id }, { waits, says: { text: 'The secret sentence.' } });
  assert.deepEqual(first.delivery, { mode: 'task', assignedTo: admin.id });
  const begun = await run(first);
  await eventually('the request to the model', () => runs.model.requests(first.key).length === 1);
  assert.equal((await made(owner, 'GET', `${agents}/runs/${begun}`)).delivery, undefined);
  const changed = await made(owner, 'PATCH', `${jobs}/${first.id}`, { delivery: { mode: 'task' }, deleteAfterRun: true });
  assert.deepEqual([changed.delivery, changed.onBehalfOf], [{ mode: 'task' }, owner.id]);
  open();
  const done = await delivered(begun);
  const task = await made(admin, 'GET', `/api/v1/tasks/${done.delivery.taskId}`);
  assert.deepEqual(done.delivery, { mode: 'task', status: 'delivered', taskId: task.id });
  assert.deepEqual([task.type, task.assignedTo, task.outcomes, task.createdByType], ['agent_result', admin.id, ['acknowledged'], 'agent']);
  assert.ok(task.title.includes(first.name), 'the job was deleted before the delivery');
  assert.ok(task.description.includes(`/ws/api/agents/runs/${begun}\n`) && !task.description.includes('secret'));
  assert.equal((await made(admin, 'GET', `${agents}/runs/${begun}`)).summary, 'The secret sentence.');
  assert.equal(await status(owner, 'POST', `/api/v1/tasks/${task.id}/complete`), 403);
  assert.equal((await made(admin, 'POST', `/api/v1/tasks/${task.id}/complete`)).outcome, 'acknowledged');

  const again = await job({ mode: 'task' });
  const second = await delivered(await run(again));
  assert.equal((await made(owner, 'GET', `/api/v1/tasks/${second.delivery.taskId}`)).assignedTo, owner.id, 'the person of the job');
});

test('a person without access to the run gets no task, a cancelled run delivers nothing, and each result is delivered once', async () => {
  const lowered = await runs.chancery.user(runs.team, { role: 'admin' });
  const { waits, open } = opened();
  const first = await job({ mode: 'task', assignedTo: lowered.id }, { waits });
  const begun = await run(first);
  await eventually('the request to the model', () => runs.model.requests(first.key).length === 1);
  await made(owner, 'PATCH', `/api/v1/team/members/${lowered.id}`, { role: 'member' });
  open();
  assert.deepEqual((await delivered(begun)).delivery, { mode: 'task', status: 'failed', error: 'person_not_usable' });
  assert.deepEqual(await gone(begun), ['person_not_usable']);

  const hangs = await job({ mode: 'task' }, { says: 'hang' });
  const ended = await run(hangs);
  await made(owner, 'POST', `${agents}/runs/${ended}/cancel`);
  assert.equal((await delivered(ended)).delivery, undefined);

  const once = await delivered(await run(await job({ mode: 'task' })));
  await runs.chancery.pool.query("UPDATE agent_run SET delivery_status = 'pending', delivery_id = NULL WHERE id = $1", [once.id]);
  // Two nodes have both read the run and created their task before either marks the delivery.
  const [here, both] = [new Set<string>(), Promise.withResolvers<void>()];
  const meet: EventListener = async (_, { targetId }) => {
    if (here.add(targetId).size === 2) both.resolve();
    await both.promise;
  };
  const deps = { listeners: [...listeners, meet], clock: () => new Date(), baseUrl: 'http://desk.example' };
  const other = openDatabase({ url: runs.chancery.databaseUrl }, { applicationName: 'chancery-test', maxConnections: 2 });
  const attempt = { id: randomUUIDv7(), team: runs.team.id, attempt: 1, signal: new AbortController().signal };
  const name = `Once ${randomUUIDv7()}`;
  const nodes = [runs.chancery.database, other].map((database) => deliveryJob.run({ ...deps, database }, { run: once.id, name }, attempt));
  const came = await Promise.allSettled(nodes);
  await other.close();
  assert.deepEqual(came.map(({ status: how }) => how).toSorted(), ['fulfilled', 'rejected']);
  const { rows } = await runs.chancery.pool.query('SELECT id FROM task WHERE title LIKE $1', [`%${name}`]);
  assert.deepEqual(
    rows.map(({ id }) => id),
    [(await delivered(once.id)).delivery.taskId],
  );
});

test('the endpoint of a job must be usable by its editor, and the person must manage the team; hidden resources count as missing', async () => {
  const other = await runs.chancery.team();
  const { id: foreign } = await made(other.owner, 'POST', '/api/v1/webhooks/', { name: 'D', url: `${receiver.url}/f`, events: ['*'] });
  const [off, deleted] = [await endpoint('/off'), await endpoint('/deleted')];
  await made(owner, 'PATCH', `/api/v1/webhooks/${off.id}`, { isActive: false });
  await status(owner, 'DELETE', `/api/v1/webhooks/${deleted.id}`);
  const member = await runs.chancery.user(runs.team);
  const { id } = await job({ mode: 'none' });
  const refusal = async (delivery: object) => {
    const body = { delivery };
    const [patched, created] = [
      await call(owner, 'PATCH', `${jobs}/${id}`, body),
      await call(owner, 'POST', jobs, { name: 'J', cron: '0 0 1 1 *', message: 'Look', ...body }),
    ];
    for (const { status: refused, body: problem } of [patched, created])
      assert.deepEqual([refused, problem.code], [422, 'delivery_invalid'], JSON.stringify(delivery));
    assert.equal(patched.body.detail, created.body.detail);
    return patched.body.detail;
  };
  const of = async (member_: string, ids: string[], mode: string) =>
    new Set(await Promise.all(ids.map((one) => refusal({ mode, [member_]: one }))));
  const endpoints = await of('endpointId', [foreign, off.id, deleted.id, randomUUIDv7(), 'x', owner.id], 'webhook');
  assert.equal(endpoints.size, 1);
  const people = await of('assignedTo', [other.owner.id, member.id, randomUUIDv7(), 'x'], 'task');
  assert.equal(people.size, 1);
  for (const odd of [{ mode: 'webhook' }, { mode: 'task', endpointId: off.id }, { mode: 'none', assignedTo: owner.id }]) await refusal(odd);
  assert.equal(await status(owner, 'PATCH', `${jobs}/${id}`, { delivery: { mode: 'mail' } }), 400);
});
