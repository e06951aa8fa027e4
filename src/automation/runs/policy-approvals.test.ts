import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type AgentRuns, agents, calling, startAgentRuns } from '../../../test/agent-runs.ts';
import { asking } from '../../../test/asking.ts';
import type { User } from '../../../test/harness.ts';
import { isolationOf } from '../../../test/isolation.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { roundExpiry } from '#approvals';
import { listeners } from '../../listeners.ts';
import { doDueWork } from '../../platform/jobs/due-jobs.ts';

const tasks = '/api/v1/tasks';
const policies = '/api/v1/approval-policies';
let runs: AgentRuns;
let owner: User;
let [ada, ben]: User[] = [];
const { made, call, status } = asking(() => runs.chancery);

before(async () => {
  runs = await startAgentRuns();
  ({ owner } = runs.team);
  [ada, ben] = [await runs.chancery.user(runs.team, { role: 'admin' }), await runs.chancery.user(runs.team, { role: 'admin' })];
});
after(() => runs.stop());

const two = () => ({ count: 2, from: [`user:${owner.id}`, `user:${ada?.id}`, `user:${ben?.id}`] });
const newPolicy = async (body: object = {}): Promise<string> =>
  (await made(owner, 'POST', `${policies}/`, { name: `policy-${randomUUIDv7()}`, rules: [{ id: 'two', need: [two()] }], ...body })).name;
const agentWith = (approvalPolicy: string, members: object = {}): Promise<{ id: string }> =>
  runs.agent({
    scopes: ['tasks:read', 'tasks:write'],
    tools: { allow: ['create_task'] },
    approvalPolicy,
    ...members,
  });
/** Runs an agent with this policy until its call waits or the run ends. */
async function requestBy(policy: string, { title = `Call ${randomUUIDv7()}`, ...members }: { title?: string; fourEyes?: boolean } = {}) {
  const { id: of } = await agentWith(policy, members);
  const run = await runs.result(calling(['create_task', { title }]), {}, { of });
  const [one] = await runs.callsOf(run.id);
  return { run: run.id as string, title, call: one, status: run.status, agent: of };
}
const roundOf = (id: string): Promise<any> => made(owner, 'GET', `/api/v1/approvals/${id}`);
const votesOf = async (roundId: string): Promise<Map<string, string>> =>
  new Map((await roundOf(roundId)).candidates.map((one: any) => [one.userId, one.taskId]));
async function vote(by: User | undefined, roundId: string, outcome: string) {
  const task = (await votesOf(roundId)).get(by?.id ?? '');
  return call(by!, 'POST', `${tasks}/${task}/complete`, { outcome });
}
const over = (id: string) => runs.ended(owner, id, ({ finishedAt }) => finishedAt !== undefined);
const titled = async (title: string) =>
  (await made(owner, 'GET', `${tasks}/?limit=500`)).filter((task: any) => task.title === title).length;
const resultOf = async (run: string) => {
  const [{ status: how, result }] = await runs.callsOf(run);
  return [how, JSON.parse(result).error];
};

test('a call waits for the votes of a policy, and runs once after the last needed one', async () => {
  const policy = await newPolicy();
  const waiting = await requestBy(policy);
  assert.deepEqual([waiting.status, waiting.call.status, waiting.call.taskId], ['awaiting_approval', 'awaiting_approval', undefined]);
  const { roundId } = waiting.call;
  const round = await roundOf(roundId);
  assert.deepEqual([round.subject.type, round.policy.name, round.policy.version, round.rule], ['tool_call', policy, 1, 'two']);
  assert.match(round.argsSha256, /^[0-9a-f]{64}$/);
  assert.ok(Date.parse(round.expiresAt) - Date.parse(round.createdAt) <= 25 * 3_600_000, 'a round without expiry ends after a day');
  assert.equal((await vote(owner, roundId, 'approved')).status, 200);
  assert.equal(await titled(waiting.title), 0, 'one vote is not enough');
  assert.equal((await vote(ada, roundId, 'approved')).status, 200);
  assert.equal((await over(waiting.run)).status, 'ok');
  assert.equal(await titled(waiting.title), 1);
  const [done] = await runs.callsOf(waiting.run);
  assert.deepEqual([done.status, done.approvedBy, done.roundId], ['done', ada?.id, roundId]);
  const late = await vote(ben, roundId, 'approved');
  assert.deepEqual([late.status, late.body.code], [409, 'round_over']);
});

test('a denial ends the round, and the call is not executed', async () => {
  const waiting = await requestBy(await newPolicy());
  assert.equal((await vote(ben, waiting.call.roundId, 'denied')).status, 200);
  await over(waiting.run);
  assert.deepEqual(await resultOf(waiting.run), ['refused', 'denied']);
  assert.equal((await roundOf(waiting.call.roundId)).status, 'rejected');
});

test('a call whose round expires is not executed', async () => {
  const waiting = await requestBy(await newPolicy());
  const { roundId } = waiting.call;
  await runs.chancery.pool.query("UPDATE approval_round SET expires_at = now() - interval '1 second' WHERE id = $1", [roundId]);
  const { database } = runs.chancery;
  await doDueWork({ database, listeners, isolation: isolationOf(runs.chancery) }, roundExpiry, new Date());
  assert.equal((await over(waiting.run)).status, 'ok');
  assert.deepEqual(await resultOf(waiting.run), ['refused', 'expired']);
  assert.equal((await roundOf(roundId)).status, 'expired');
});

test('of two last votes at once, one decides', async () => {
  const waiting = await requestBy(await newPolicy());
  const { roundId } = waiting.call;
  await vote(owner, roundId, 'approved');
  const votes = await votesOf(roundId);
  const answers = await Promise.all(
    [ada!, ben!].map((by) => call(by, 'POST', `${tasks}/${votes.get(by.id)}/complete`, { outcome: 'approved' })),
  );
  assert.deepEqual(answers.map((one) => one.status).toSorted(), [200, 409]);
  assert.equal((await over(waiting.run)).status, 'ok');
  assert.equal(await titled(waiting.title), 1);
});

test('a cancelled run voids its round', async () => {
  const waiting = await requestBy(await newPolicy());
  assert.equal(await status(owner, 'POST', `${agents}/runs/${waiting.run}/cancel`), 202);
  assert.equal((await over(waiting.run)).status, 'cancelled');
  const round = await roundOf(waiting.call.roundId);
  assert.deepEqual([round.status, round.reason], ['voided', 'run_ended']);
  assert.deepEqual([(await vote(ada, waiting.call.roundId, 'approved')).status], [409]);
});

/** Approves a waiting call whose request has changed, and returns the round that the call asks instead. */
async function nextRoundOf({ run, call: { roundId } }: { run: string; call: any }): Promise<any> {
  for (const by of [owner, ada]) assert.equal((await vote(by, roundId, 'approved')).status, 200);
  const again = await eventually('the call asks again', async () => {
    const [one] = await runs.callsOf(run);
    return one.status === 'awaiting_approval' && one.roundId !== roundId ? one : undefined;
  });
  const [previous, now] = [await roundOf(roundId), await roundOf(again.roundId)];
  assert.deepEqual([previous.status, previous.reason, previous.votes.length], ['voided', 'call_changed', 2]);
  assert.deepEqual([now.status, now.supersedes, now.votes, again.approvedBy], ['open', roundId, [], undefined]);
  assert.notEqual(now.argsSha256, previous.argsSha256);
  return now;
}

test('a call whose arguments changed asks again, with no votes, and runs as approved then', async () => {
  const waiting = await requestBy(await newPolicy());
  const other = `Other ${randomUUIDv7()}`;
  await runs.chancery.pool.query('UPDATE agent_run_call SET arguments = arguments || $2::jsonb WHERE run_id = $1', [
    waiting.run,
    JSON.stringify({ title: other }),
  ]);
  const round = await nextRoundOf(waiting);
  assert.equal(await titled(other), 0);
  const task = (await votesOf(round.id)).get(ben?.id ?? '');
  assert.match((await made(ben!, 'GET', `${tasks}/${task}`)).description, new RegExp(other));
  for (const by of [ada, ben]) assert.equal((await vote(by, round.id, 'approved')).status, 200);
  assert.equal((await over(waiting.run)).status, 'ok');
  assert.deepEqual([await titled(other), await titled(waiting.title)], [1, 0]);
});

test('a call whose target changed asks again, and the denial then ends it', async () => {
  const target = await made(owner, 'POST', `${tasks}/`, { title: 'Target' });
  const { id: of } = await agentWith(await newPolicy(), { tools: { allow: ['comment_on_task'] } });
  const run = await runs.result(calling(['comment_on_task', { id: target.id, text: 'From the agent' }]), {}, { of });
  const [waiting] = await runs.callsOf(run.id);
  await made(owner, 'POST', `${tasks}/${target.id}/complete`, {});
  const round = await nextRoundOf({ run: run.id, call: waiting });
  await vote(ben, round.id, 'denied');
  await over(run.id);
  assert.deepEqual(await resultOf(run.id), ['refused', 'denied']);
  assert.deepEqual(await made(owner, 'GET', `${tasks}/${target.id}/comments`), []);
});

test('a call is not executed if one of its approvers lost the right', async () => {
  const cy = await runs.chancery.user(runs.team, { role: 'admin' });
  const policy = await newPolicy({ rules: [{ id: 'two', need: [{ count: 2, from: [`user:${cy.id}`, `user:${ada?.id}`] }] }] });
  const waiting = await requestBy(policy);
  await vote(cy, waiting.call.roundId, 'approved');
  await made(owner, 'PATCH', `/api/v1/team/members/${cy.id}`, { isActive: false });
  assert.equal((await vote(ada, waiting.call.roundId, 'approved')).status, 200);
  await over(waiting.run);
  assert.deepEqual(await resultOf(waiting.run), ['refused', 'approval_stale']);
});

test('four eyes of the agent exclude the requester of the run', async () => {
  const waiting = await requestBy(await newPolicy(), { fourEyes: true });
  const { exclude, candidates } = await roundOf(waiting.call.roundId);
  assert.ok(exclude.includes('requester'));
  assert.deepEqual(candidates.map((one: any) => one.userId).toSorted(), [ada?.id, ben?.id].toSorted());
});

test('a policy that excludes the requester leaves no approver, and the run goes on', async () => {
  const policy = await newPolicy({ rules: [{ id: 'own', need: [{ count: 1, from: [`user:${owner.id}`] }] }], exclude: ['requester'] });
  const ended = await requestBy(policy);
  assert.equal(ended.status, 'ok');
  assert.deepEqual(await resultOf(ended.run), ['refused', 'no_approver']);
});

test('conditions choose the rule by the tool and its arguments', async () => {
  const one = { id: 'one', need: [{ count: 1, from: [`user:${ben?.id}`] }] };
  const policy = await newPolicy({
    rules: [{ id: 'named', when: { field: 'arguments/title', eq: 'Board' }, need: [two()] }, one],
  });
  assert.equal((await roundOf((await requestBy(policy, { title: 'Board' })).call.roundId)).rule, 'named');
  assert.equal((await roundOf((await requestBy(policy)).call.roundId)).rule, 'one');
  const missing = await newPolicy({ rules: [{ id: 'large', when: { field: 'arguments/amount', gt: 5 }, need: [two()] }, one] });
  assert.deepEqual(await resultOf((await requestBy(missing)).run), ['refused', 'policy_input_missing']);
});

test('an administrator restarts a round, and the run asks again by the current policy', async () => {
  const policy = await newPolicy();
  const waiting = await requestBy(policy);
  await made(owner, 'PUT', `${policies}/${policy}`, { rules: [{ id: 'one', need: [{ count: 1, from: [`user:${ben?.id}`] }] }] });
  await made(owner, 'POST', `/api/v1/approvals/${waiting.call.roundId}/restart`, {});
  await runs.ended(owner, waiting.run, ({ status: now }) => now === 'awaiting_approval');
  const [again] = await runs.callsOf(waiting.run);
  assert.notEqual(again.roundId, waiting.call.roundId);
  const round = await roundOf(again.roundId);
  assert.deepEqual([round.policy.version, round.rule, round.supersedes], [2, 'one', waiting.call.roundId]);
  assert.equal((await vote(ben, again.roundId, 'approved')).status, 200);
  assert.equal((await over(waiting.run)).status, 'ok');
});

test('an agent names an existing policy, which is then in use, and a version restores it', async () => {
  const unknown = await call(owner, 'POST', `${agents}/`, { name: 'Agent', approvalPolicy: 'unknown' });
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'approval_policy_not_found']);
  const policy = await newPolicy();
  const { id } = await agentWith(policy);
  const inUse = await call(owner, 'DELETE', `${policies}/${policy}`);
  assert.deepEqual([inUse.body.code, inUse.body.places], ['policy_in_use', [{ kind: 'agent', id }]]);
  assert.equal((await made(owner, 'PATCH', `${agents}/${id}`, { approvalPolicy: null })).approvalPolicy, undefined);
  assert.equal((await made(owner, 'POST', `${agents}/${id}/revert`, { version: 1 })).approvalPolicy, policy);
});
