import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { roundExpiry } from '#approvals';
import { asking } from '../../../test/asking.ts';
import { authorize, connectedAppRedirect, pkce, registerConnectedApp, tokenBy, updateConnectedApp } from '../../../test/connected-apps.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { isolationOf } from '../../../test/isolation.ts';
import { callTool, mcpToken, resourceOf } from '../../../test/mcp.ts';
import { listeners } from '../../listeners.ts';
import { doDueWork } from '../../platform/jobs/due-jobs.ts';

/* Approval rounds about tool calls over MCP, by the policy of an API client or of a connected app. */

let chancery: Chancery;
let team: TestTeam;
let owner: User;
let ada: User;
let ben: User;
let registered: string;
const { call, made } = asking(() => chancery);
const tasks = '/api/v1/tasks';
const rounds = '/api/v1/approvals';
const policies = '/api/v1/approval-policies';
const clients = '/api/v1/security/clients';
const connections = '/api/v1/security/auth/connected-apps';

before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off' } });
  team = await chancery.team();
  ({ owner } = team);
  [ada, ben] = await Promise.all([chancery.user(team, { role: 'admin' }), chancery.user(team, { role: 'admin' })]);
  registered = await registerConnectedApp(chancery);
});
after(() => chancery.stop());

const rows = async (text: string, values: unknown[] = []): Promise<any[]> => (await chancery.pool.query(text, values)).rows;
const title = () => `Asked ${randomUUIDv7()}`;
const named = (...people: User[]) => people.map(({ id }) => `user:${id}`);
const need = (count: number, from: string[]) => [{ id: 'only', need: [{ count, from }] }];
const policyOf = async (rules: object[], more: object = {}): Promise<string> =>
  (await made(owner, 'POST', `${policies}/`, { name: `policy-${randomUUIDv7()}`, rules, ...more })).name;
const twoOfThree = () => policyOf(need(2, named(owner, ada, ben)));
const oneOf = (...people: User[]) => policyOf(need(1, named(...people)));

type Caller = { id: string; access: string };
/** A client of the owner, whose calls a policy decides. */
async function clientWith(approvalPolicy: string | null, scopes = ['tasks:read', 'tasks:write']): Promise<Caller> {
  const client = await chancery.client(owner, scopes);
  await made(owner, 'PATCH', `${clients}/${client.id}`, { approvalPolicy });
  return { id: client.id, access: await mcpToken(chancery, client) };
}
async function appWith(person: User, approvalPolicy: string | null): Promise<Caller> {
  const { id, access } = await updateConnectedApp(chancery, person, registered);
  await made(person, 'PATCH', `${connections}/${id}`, { approvalPolicy });
  return { id, access };
}
const asks = async ({ access }: Caller, tool: string, input: object): Promise<any> => {
  const { value, answer } = await callTool(chancery, access, tool, input);
  assert.ok(value, answer.text);
  return value;
};
const create = (caller: Caller, name: string) => asks(caller, 'create_task', { title: name, description: 'Hidden \u202e' });
const comment = (caller: Caller, id: string, text = 'From the caller') => asks(caller, 'comment_on_task', { id, text });
const roundOf = (id: string): Promise<any> => made(owner, 'GET', `${rounds}/${id}`);
const voteOf = async (by: User, round: string): Promise<string> =>
  (await roundOf(round)).candidates.find((one: any) => one.userId === by.id)?.taskId;
const decide = (by: User, task: string, outcome = 'approved') => call(by, 'POST', `${tasks}/${task}/complete`, { outcome });
const vote = async (by: User, { approvalId }: { approvalId: string }, outcome?: string) =>
  decide(by, await voteOf(by, approvalId), outcome);
const approved = async (by: User, waiting: { approvalId: string }) => assert.equal((await vote(by, waiting)).status, 200);
const candidatesOf = async ({ approvalId }: { approvalId: string }): Promise<string[]> =>
  (await roundOf(approvalId)).candidates.map((one: any) => one.userId);
const titled = async (name: string): Promise<number> =>
  (await made(owner, 'GET', `${tasks}/?limit=500`)).filter((task: any) => task.title === name).length;
/** Changes the state of a task. */
const change = (id: string, to: User) => made(owner, 'POST', `${tasks}/${id}/reassign`, { userId: to.id });
const expire = async (round: string) => {
  await rows("UPDATE approval_round SET expires_at = now() - interval '1 second' WHERE id = $1", [round]);
};
const expiryJob = () => doDueWork({ database: chancery.database, listeners, isolation: isolationOf(chancery) }, roundExpiry, new Date());
const openVotes = async (round: string): Promise<number> =>
  (await rows("SELECT id FROM task WHERE approval_round_id = $1 AND status = 'open'", [round])).length;
const entriesOf = async (round: string, type: string): Promise<any[]> =>
  rows("SELECT data FROM audit_entry WHERE type = $2 AND (target_id = $1 OR data ->> 'roundId' = $1)", [round, type]);

test('fifty equal calls of a client begin one round, which waits for two votes, and the call is executed once', async () => {
  const policy = await twoOfThree();
  const client = await clientWith(policy);
  const name = title();
  const fifty = () => Promise.all(Array.from({ length: 50 }, () => create(client, name)));
  const [first, ...others] = await fifty();
  assert.deepEqual([first.status, first.approvalStatus, first.taskId, first.url], ['approval_required', 'open', undefined, undefined]);
  assert.ok(others.every((one) => one.approvalId === first.approvalId && one.status === first.status));
  const round = await roundOf(first.approvalId);
  assert.deepEqual([round.subject.type, round.policy.name, round.rule, round.status], ['tool_call', policy, 'only', 'open']);
  assert.match(round.argsSha256, /^[0-9a-f]{64}$/);
  await approved(ada, first);
  assert.deepEqual([(await create(client, name)).approvalId, await titled(name)], [first.approvalId, 0], 'one vote is not enough');
  await approved(ben, first);
  const states = (await fifty()).map((one) => (one.title === name ? 'made' : one.status));
  assert.deepEqual([states.filter((one) => one === 'made').length, new Set(states).size, await titled(name)], [1, 2, 1], states.join(' '));
  const late = await vote(owner, first);
  assert.deepEqual([late.status, late.body.code], [409, 'round_over']);
  const again = await create(client, name);
  assert.deepEqual([again.status, again.approvalStatus, again.result.title], ['already_done', 'approved', name]);
  for (const type of ['mcp.approval_requested', 'mcp.approval_decided', 'approval.decided'])
    assert.equal((await entriesOf(first.approvalId, type)).length, 1, type);
});

test('candidates see the call in the inbox, and read the arguments in the task until the decision', async () => {
  const client = await clientWith(await twoOfThree());
  const name = title();
  const waiting = await create(client, name);
  const [item, ...more] = (await made(ben, 'GET', '/api/v1/inbox?kind=approval&limit=100')).items.filter(
    (one: any) => one.roundId === waiting.approvalId,
  );
  assert.deepEqual([more, item.type, /create_task/.test(item.title)], [[], 'tool_approval', true]);
  const { description } = await made(ben, 'GET', `${tasks}/${item.id}`);
  assert.ok(description.includes(`"title": "${name}"`) && description.includes('\\u{202e}'), description);
  assert.equal((await made(ada, 'GET', `${tasks}/${item.id}`)).description, undefined, 'only its candidate reads a vote');
  assert.equal((await vote(ben, waiting, 'denied')).status, 200);
  const [left] = await rows('SELECT count(description)::int AS texts FROM task WHERE approval_round_id = $1', [waiting.approvalId]);
  assert.equal(left.texts, 0);
  const answer = await create(client, name);
  assert.deepEqual([answer.status, answer.approvalStatus, await titled(name)], ['denied', 'rejected', 0]);
});

test('the amount in the arguments chooses the rule, with places for groups and roles', async () => {
  const group = (await made(owner, 'POST', '/api/v1/groups/', { name: title() })).id;
  for (const { id: userId } of [ada, ben]) await made(owner, 'POST', `/api/v1/groups/${group}/members`, { userId });
  const large = { field: 'arguments/data/fee', gt: { amount: '50000', currency: 'EUR' } };
  const policy = await policyOf([
    {
      id: 'large',
      when: large,
      need: [
        { count: 2, from: [`group:${group}`] },
        { count: 1, from: ['role:owner'] },
      ],
    },
    { id: 'else', need: [{ count: 1, from: [`group:${group}`] }] },
  ]);
  const client = await clientWith(policy, ['registries:read', 'registries:write']);
  const fields = [
    {
      id: 'fee',
      type: 'money',
      label: 'Fee',
      options: [
        { id: 'EUR', label: 'EUR' },
        { id: 'USD', label: 'USD' },
      ],
    },
  ];
  const { id: registryId } = await made(owner, 'POST', '/api/v1/registries/', { name: title(), fields });
  const add = (fee?: object) => asks(client, 'create_registry_record', { registryId, data: fee ? { fee } : {} });
  const big = await add({ amount: '60000', currency: 'EUR' });
  const round = await roundOf(big.approvalId);
  assert.deepEqual([round.rule, round.need.map(({ count }: any) => count)], ['large', [2, 1]]);
  for (const by of [ada, ben]) await approved(by, big);
  assert.equal((await add({ amount: '60000', currency: 'EUR' })).status, 'approval_required', 'the owner has not voted');
  await approved(owner, big);
  assert.equal((await add({ amount: '60000', currency: 'EUR' })).data.fee.amount, '60000');
  const small = await add({ amount: '50', currency: 'EUR' });
  assert.deepEqual([(await roundOf(small.approvalId)).rule, small.approvalId === big.approvalId], ['else', false]);
  for (const other of [{ amount: '60000', currency: 'USD' }, undefined])
    assert.equal((await add(other)).code, 'policy_input_missing', 'another currency and no amount choose no rule');
});

test('the person of an app is no candidate of the policy, and cannot vote or be named instead', async () => {
  const person = await chancery.user(team, { role: 'admin' });
  const waiting = await create(await appWith(person, await policyOf(need(1, named(person, ada)), { exclude: [] })), title());
  assert.deepEqual(await candidatesOf(waiting), [ada.id]);
  assert.deepEqual((await roundOf(waiting.approvalId)).exclude, ['requester']);
  const replace = (userId: User, by: User) =>
    call(owner, 'POST', `${rounds}/${waiting.approvalId}/replace`, { userId: userId.id, by: by.id, reason: 'Away' });
  assert.equal((await replace(ada, person)).body.code, 'excluded_from_round');
  assert.equal((await replace(ada, ben)).status, 200);
  assert.equal((await made(person, 'GET', `${rounds}/${waiting.approvalId}`)).status, 'open', 'the requester sees the round');
  const alone = await appWith(person, await oneOf(person));
  assert.equal((await create(alone, title())).code, 'no_approver');
});

test('a person who connects an app can name the policy for its calls', async () => {
  const { verifier, challenge } = pkce();
  const { consentSettings } = await authorize(chancery, registered, challenge, { scope: 'tasks:read tasks:write' });
  const body = { request: consentSettings.request, changes: true };
  const unknown = await call(owner, 'POST', connections, { ...body, approvalPolicy: 'nowhere' });
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'approval_policy_not_found']);
  const approvalPolicy = await oneOf(owner, ada);
  const { id, redirectTo } = await made(owner, 'POST', connections, { ...body, approvalPolicy });
  const code = new URL(redirectTo).searchParams.get('code') ?? '';
  const token = await tokenBy(chancery, {
    grant_type: 'authorization_code',
    client_id: registered,
    code,
    code_verifier: verifier,
    redirect_uri: connectedAppRedirect,
    resource: resourceOf(chancery),
  });
  assert.equal(token.status, 200, token.text);
  const shown = (await made(owner, 'GET', connections)).find((one: any) => one.id === id);
  assert.equal(shown.approvalPolicy, approvalPolicy);
  const name = title();
  const waiting = await create({ id, access: token.body.access_token }, name);
  assert.deepEqual([waiting.status, await candidatesOf(waiting)], ['approval_required', [ada.id]]);
  await approved(ada, waiting);
  assert.equal((await create({ id, access: token.body.access_token }, name)).title, name);
});

test('`exclude` keeps the member responsible for a client from its calls', async () => {
  const policy = await policyOf(need(1, named(owner, ada)), { exclude: ['requester'] });
  assert.deepEqual(await candidatesOf(await create(await clientWith(policy), title())), [ada.id]);
});

test('without a policy, only the person of an app approves its calls, and is not replaced', async () => {
  const person = await chancery.user(team);
  const app = await appWith(person, null);
  const name = title();
  const waiting = await create(app, name);
  assert.deepEqual([await candidatesOf(waiting), (await roundOf(waiting.approvalId)).policy.name], [[person.id], undefined]);
  const body = { userId: person.id, by: ada.id, reason: 'Away' };
  assert.equal((await call(owner, 'POST', `${rounds}/${waiting.approvalId}/replace`, body)).status, 403);
  await made(person, 'PUT', `${tasks}/delegations/me`, { toUserId: ada.id, until: new Date(Date.now() + 86_400_000).toISOString() });
  const other = await create(app, title());
  assert.equal((await made(person, 'GET', `${tasks}/${other.taskId}`)).assignedTo, person.id, 'a question to the person has no delegate');
  await approved(person, waiting);
  assert.equal((await create(app, name)).title, name);
});

test('a delegate votes for an absent candidate, if the delegate has the rights for the call', async () => {
  const away = await chancery.user(team);
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const delegateTo = (to: User) => made(away, 'PUT', `${tasks}/delegations/me`, { toUserId: to.id, until });
  const client = await clientWith(await policyOf(need(2, named(away, ada))));
  const about = await made(owner, 'POST', `${tasks}/`, { title: title(), assignedTo: away.id });
  // A member without access to the target does not read the call.
  const stranger = await chancery.user(team);
  await delegateTo(stranger);
  const hidden = await comment(client, about.id, 'Not for all');
  assert.equal((await made(away, 'GET', `${tasks}/${await voteOf(away, hidden.approvalId)}`)).assignedTo, away.id);
  // A candidate votes once, also as a delegate.
  await delegateTo(ada);
  const twice = await comment(client, about.id, 'One vote each');
  assert.equal((await made(away, 'GET', `${tasks}/${await voteOf(away, twice.approvalId)}`)).assignedTo, away.id);
  await delegateTo(ben);
  const waiting = await comment(client, about.id);
  await approved(ada, waiting);
  assert.equal((await decide(ben, await voteOf(away, waiting.approvalId))).status, 200);
  const { votes } = await roundOf(waiting.approvalId);
  assert.ok(votes.some((one: any) => one.votedBy === ben.id && one.onBehalfOf === away.id));
  assert.equal((await comment(client, about.id)).text, 'From the caller');
});

test('a change of the target voids an open and an approved round; votes are not carried over', async () => {
  const client = await clientWith(await twoOfThree());
  const target = await made(owner, 'POST', `${tasks}/`, { title: title() });
  const first = await comment(client, target.id);
  await approved(ada, first);
  await change(target.id, ben);
  const second = await comment(client, target.id);
  const [previous, now] = [await roundOf(first.approvalId), await roundOf(second.approvalId)];
  assert.deepEqual([previous.status, previous.reason, now.supersedes, now.votes], ['voided', 'call_changed', first.approvalId, []]);
  assert.notEqual(now.argsSha256, previous.argsSha256);
  assert.equal(await openVotes(first.approvalId), 0);
  for (const by of [ada, ben]) await approved(by, second);
  await made(ben, 'POST', `${tasks}/${target.id}/complete`, {});
  const third = await comment(client, target.id);
  assert.deepEqual([third.status, (await roundOf(second.approvalId)).reason], ['approval_required', 'call_changed']);
  assert.deepEqual(await made(owner, 'GET', `${tasks}/${target.id}/comments`), []);
});

test('other arguments are another call with its own round', async () => {
  const client = await clientWith(await oneOf(ada));
  const target = await made(owner, 'POST', `${tasks}/`, { title: title() });
  const [yes, no] = [await comment(client, target.id, 'Yes'), await comment(client, target.id, 'No')];
  await approved(ada, yes);
  assert.deepEqual([(await comment(client, target.id, 'No')).approvalId, (await roundOf(no.approvalId)).status], [no.approvalId, 'open']);
  assert.equal((await comment(client, target.id, 'Yes')).text, 'Yes');
});

test('a round expires by the time of its policy, and the next call begins another one, also before the job', async () => {
  const client = await clientWith(await policyOf(need(1, named(ada)), { expiresInHours: 72 }));
  const name = title();
  const first = await create(client, name);
  assert.ok(Math.abs(Date.parse(first.expiresAt) - Date.now() - 72 * 3_600_000) < 600_000);
  await expire(first.approvalId);
  assert.equal((await vote(ada, first)).body.code, 'round_over');
  await expiryJob();
  const second = await create(client, name);
  await expire(second.approvalId);
  const third = await create(client, name);
  for (const [round, next] of [
    [first, second],
    [second, third],
  ]) {
    assert.deepEqual(
      [(await roundOf(round.approvalId)).status, (await roundOf(next.approvalId)).supersedes],
      ['expired', round.approvalId],
    );
    const [entry, ...more] = await entriesOf(round.approvalId, 'mcp.approval_decided');
    assert.deepEqual([entry.data.outcome, more, await openVotes(round.approvalId)], ['expired', [], 0]);
  }
  assert.equal(await titled(name), 0);
});

test('a changed policy leaves the open round, and a restart makes the next call ask by the new version', async () => {
  const policy = await oneOf(ada);
  const client = await clientWith(policy);
  const name = title();
  const waiting = await create(client, name);
  await made(owner, 'PUT', `${policies}/${policy}`, { rules: need(1, named(ben)) });
  assert.equal((await create(client, name)).approvalId, waiting.approvalId);
  assert.deepEqual(await candidatesOf(waiting), [ada.id]);
  await made(owner, 'POST', `${rounds}/${waiting.approvalId}/restart`, {});
  const next = await create(client, name);
  const round = await roundOf(next.approvalId);
  assert.deepEqual([round.policy.version, round.supersedes, await candidatesOf(next)], [2, waiting.approvalId, [ben.id]]);
});

test('another policy voids the open rounds of its client or app, once, and calls ask by it', async () => {
  const [one, other] = [await oneOf(ada), await oneOf(ben)];
  const person = await chancery.user(team, { role: 'admin' });
  const changes = {
    client: { caller: await clientWith(one), set: (id: string, body: object) => made(owner, 'PATCH', `${clients}/${id}`, body) },
    app: { caller: await appWith(person, one), set: (id: string, body: object) => made(person, 'PATCH', `${connections}/${id}`, body) },
  };
  for (const [kind, { caller, set }] of Object.entries(changes)) {
    const [name, sure] = [title(), title()];
    const [waiting, decided] = [await create(caller, name), await create(caller, sure)];
    await approved(ada, decided);
    await set(caller.id, { approvalPolicy: one });
    assert.equal((await roundOf(waiting.approvalId)).status, 'open', `${kind}: the same policy changes nothing`);
    for (let n = 0; n < 2; n += 1) assert.equal((await set(caller.id, { approvalPolicy: other })).approvalPolicy, other);
    const { status, reason } = await roundOf(waiting.approvalId);
    assert.deepEqual([status, reason, await openVotes(waiting.approvalId)], ['voided', 'policy_changed', 0], kind);
    assert.equal((await entriesOf(waiting.approvalId, 'approval.voided')).length, 1, kind);
    for (const text of [name, sure]) {
      const next = await create(caller, text);
      assert.deepEqual([next.status, await candidatesOf(next)], ['approval_required', [ben.id]], kind);
    }
    assert.equal((await set(caller.id, { approvalPolicy: null })).approvalPolicy, undefined);
  }
  const { caller: client } = changes.client;
  const open = await create(client, title());
  await made(owner, 'PATCH', `${clients}/${client.id}`, { mcpApproval: 'never' });
  assert.equal((await roundOf(open.approvalId)).reason, 'policy_changed');
});

test('the rounds of a deleted client and of a disconnected app are voided, and their votes end', async () => {
  const policy = await oneOf(ada);
  const person = await chancery.user(team);
  const ends: [Caller, (id: string) => Promise<unknown>][] = [
    [await clientWith(policy), (id) => made(owner, 'DELETE', `${clients}/${id}`)],
    [await appWith(person, policy), (id) => made(person, 'DELETE', `${connections}/${id}`)],
  ];
  for (const [caller, end] of ends) {
    const [waiting, decided] = [await create(caller, title()), await create(caller, title())];
    await approved(ada, decided);
    await end(caller.id);
    const { status, reason } = await roundOf(waiting.approvalId);
    assert.deepEqual([status, reason, await openVotes(waiting.approvalId)], ['voided', 'caller_ended', 0]);
    assert.equal((await entriesOf(waiting.approvalId, 'approval.voided')).length, 1);
    assert.deepEqual([(await vote(ada, waiting)).body.code, (await roundOf(decided.approvalId)).status], ['round_over', 'approved']);
  }
});

test('a policy that a client or an app names cannot be deleted until they end or name another one', async () => {
  const policy = await oneOf(ada);
  const person = await chancery.user(team);
  const [client, app] = [await clientWith(policy), await appWith(person, policy)];
  const remove = async () => (await call(owner, 'DELETE', `${policies}/${policy}`)).body;
  const refused = await remove();
  assert.deepEqual(
    [refused.code, refused.places],
    [
      'policy_in_use',
      [
        { kind: 'client', id: client.id },
        { kind: 'connected_app', id: app.id },
      ],
    ],
  );
  await made(owner, 'PATCH', `${clients}/${client.id}`, { approvalPolicy: null });
  await made(person, 'DELETE', `${connections}/${app.id}`);
  assert.equal((await remove())?.code, undefined);
  for (const [by, path] of [
    [owner, `${clients}/${client.id}`],
    [person, `${connections}/${(await appWith(person, null)).id}`],
  ] as const)
    assert.equal((await call(by, 'PATCH', path, { approvalPolicy: policy })).body.code, 'approval_policy_not_found');
});

test('another policy needs a recent sign-in, and the app of another person is not found', async () => {
  const late = await chancery.user(team, { role: 'admin' });
  const policy = await oneOf(ada);
  const client = await chancery.client(owner, ['tasks:read']);
  const app = await appWith(late, null);
  await rows("UPDATE sign_in SET auth_time = now() - interval '1 hour' WHERE id = $1", [late.sessionId]);
  const set = async (path: string, approvalPolicy: string | null) =>
    (await call(late, 'PATCH', path, { approvalPolicy })).body.code ?? 'changed';
  assert.equal(await set(`${clients}/${client.id}`, policy), 'changed', 'a policy instead of one person gives no right');
  assert.equal(await set(`${clients}/${client.id}`, null), 'reauthentication_required');
  assert.equal(await set(`${connections}/${app.id}`, policy), 'reauthentication_required');
  assert.equal((await call(owner, 'PATCH', `${connections}/${app.id}`, { approvalPolicy: policy })).body.code, 'not_found');
});

test('an approved call asks again if one of its approvers lost the right', async () => {
  const cy = await chancery.user(team);
  const client = await clientWith(await policyOf(need(2, named(cy, ada))));
  const name = title();
  const waiting = await create(client, name);
  for (const by of [cy, ada]) await approved(by, waiting);
  await made(owner, 'PATCH', `/api/v1/team/members/${cy.id}`, { role: 'viewer' });
  const again = await callTool(chancery, client.access, 'create_task', { title: name, description: 'Hidden \u202e' });
  assert.deepEqual([again.code, await titled(name)], ['no_approver', 0], 'too few members are left');
  await made(owner, 'PATCH', `/api/v1/team/members/${cy.id}`, { role: 'member' });
  await rows("UPDATE account SET role = 'viewer' WHERE id = $1", [ada.id]);
  try {
    assert.equal((await create(client, name)).code, 'no_approver');
  } finally {
    await rows("UPDATE account SET role = 'admin' WHERE id = $1", [ada.id]);
  }
  assert.equal((await create(client, name)).title, name, 'the approval is valid while its approvers have the right');
});

test('after a concurrent last vote, change of the target, call and expiry a round has one end, and only an approved call is executed', async () => {
  const client = await clientWith(await policyOf(need(2, named(owner, ada))));
  for (let n = 0; n < 10; n += 1) {
    const target = await made(owner, 'POST', `${tasks}/`, { title: title() });
    const waiting = await comment(client, target.id);
    const [last] = [await voteOf(ada, waiting.approvalId), await approved(owner, waiting)];
    const [voted, first, second] = await Promise.all([
      decide(ada, last),
      comment(client, target.id),
      n % 2 === 0 ? change(target.id, ben).then(() => comment(client, target.id)) : comment(client, target.id),
      n % 3 === 0 ? expire(waiting.approvalId).then(expiryJob) : undefined,
    ]);
    const round = await roundOf(waiting.approvalId);
    const about = `round ${n}: ${round.status} ${voted.status} ${JSON.stringify([first, second])}`;
    const written = (await made(owner, 'GET', `${tasks}/${target.id}/comments`)).length;
    assert.equal([first, second].filter((one) => one.text === 'From the caller').length, written, about);
    assert.ok(written <= 1 && (written === 0 || (voted.status === 200 && round.status === 'approved')), about);
    assert.ok(n % 2 === 1 || second.text === undefined, `the call about the changed target: ${about}`);
    assert.ok(voted.status === 200 ? ['approved', 'voided'].includes(round.status) : voted.body.code === 'round_over', about);
    const ended = [
      ...(await entriesOf(waiting.approvalId, 'approval.decided')),
      ...(await entriesOf(waiting.approvalId, 'approval.voided')),
    ];
    assert.ok(ended.length === (round.status === 'open' ? 0 : voted.status === 200 && round.status === 'voided' ? 2 : 1), about);
    assert.ok(round.status === 'open' || (await openVotes(waiting.approvalId)) === 0, about);
    const open = await rows("SELECT id FROM approval_round WHERE status = 'open' AND subject_id LIKE $1", [
      `${client.id} comment_on_task %`,
    ]);
    const waits = await rows("SELECT round_id FROM mcp_approval WHERE client_id = $1 AND status = 'waiting'", [client.id]);
    assert.deepEqual(waits.map((one) => one.round_id).toSorted(), open.map((one) => one.id).toSorted(), about);
  }
});

/** Repeats the approval of the last call of a client as the version before stores it: with a task and without a round. Returns the task. */
async function legacyApproval(client: string): Promise<string> {
  const task = randomUUIDv7();
  const copied = (table: string, changes: string, where: string) =>
    rows(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object('round_id', NULL, ${changes}))).* FROM ${table} t WHERE ${where}`,
      [task, client],
    );
  const last = '(SELECT max(id::text)::uuid FROM mcp_approval WHERE client_id = $2)';
  await copied('task', "'id', $1::uuid, 'approval_round_id', NULL", `id = (SELECT task_id FROM mcp_approval WHERE id = ${last})`);
  await copied('mcp_approval', `'id', '${randomUUIDv7()}', 'task_id', $1::uuid`, `id = ${last}`);
  return task;
}

test('an approval of the version before, without a round, is decided by its task and executed once', async () => {
  const client = await clientWith(null);
  const name = title();
  await create(client, name);
  const task = await legacyApproval(client.id);
  assert.equal((await create(client, name)).taskId, task);
  assert.equal((await decide(owner, task)).status, 200);
  assert.deepEqual([(await create(client, name)).title, (await create(client, name)).status], [name, 'already_done']);
});

test('the version before cannot ask one person about a call of a client with a policy', async () => {
  const client = await clientWith(null);
  await create(client, title());
  await made(owner, 'PATCH', `${clients}/${client.id}`, { approvalPolicy: await oneOf(ada) });
  await assert.rejects(legacyApproval(client.id), { code: '53400' });
});

test('a round that the version before decided counts, also without its state in the approval', async () => {
  const client = await clientWith(await oneOf(ada));
  const [yes, no] = [title(), title()];
  for (const [name, outcome] of [
    [yes, 'approved'],
    [no, 'denied'],
  ] as const) {
    const waiting = await create(client, name);
    await vote(ada, waiting, outcome);
    // The listeners of that version do not know the round.
    await rows("UPDATE mcp_approval SET status = 'waiting', decided_by = NULL, ended_at = NULL WHERE round_id = $1", [waiting.approvalId]);
  }
  assert.deepEqual([(await create(client, yes)).title, (await create(client, yes)).status], [yes, 'already_done']);
  assert.equal((await create(client, no)).status, 'denied');
});
