import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { asking } from '../../../test/asking.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';

const agents = '/ws/api/agents';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let member: User;
const { call, made, status } = asking(() => chancery);

before(async () => {
  chancery = await startChancery({ role: 'api', settings: { TEAM_AGENTS: '40' } });
  team = await chancery.team();
  owner = team.owner;
  member = await chancery.user(team);
});
after(() => chancery.stop());

const agent = (members: object = {}): Promise<any> => made(owner, 'POST', `${agents}/`, { name: `Agent ${randomUUIDv7()}`, ...members });
const refused = async (by: User, method: string, path: string, body?: unknown) => {
  const answer = await call(by, method, path, body);
  return `${answer.status} ${answer.body?.code}`;
};

test('every team starts with the agent main, which only reads and cannot be deleted', async () => {
  const main = await made(owner, 'GET', `${agents}/main`);
  assert.deepEqual(main, {
    ...main,
    name: 'Main',
    isDefault: true,
    enabled: true,
    approval: 'mutating',
    scopes: ['folders:read', 'documents:read', 'workflows:read', 'tasks:read', 'interfaces:read', 'registries:read'],
    tools: { deny: [] },
    model: { fallbacks: [] },
  });
  assert.deepEqual(await made(owner, 'GET', `${agents}/${main.id}`), main);
  assert.equal(await refused(owner, 'DELETE', `${agents}/main`), '409 agent_is_default');
  const [version] = await made(owner, 'GET', `${agents}/main/versions`);
  assert.deepEqual([version.version, version.changedBy, version.agent.name], [1, undefined, 'Main']);
});

test('an agent can be created, changed in part and reverted; each version names its creator', async () => {
  const first = await agent({
    description: 'Reads',
    scopes: ['documents:read', 'tasks:write'],
    tools: { allow: ['search_documents'], deny: [] },
  });
  const changed = await made(owner, 'PATCH', `${agents}/${first.id}`, { limits: { maxSteps: 3 }, tools: { deny: ['create_task'] } });
  assert.deepEqual([changed.limits.maxSteps, changed.limits.timeoutSeconds], [3, 600]);
  assert.deepEqual(changed.tools, { allow: ['search_documents'], deny: ['create_task'] });
  const cleared = await made(owner, 'PATCH', `${agents}/${first.id}`, { description: null, tools: { allow: null } });
  assert.deepEqual([cleared.description, cleared.tools], [undefined, { deny: ['create_task'] }]);
  const back = await made(owner, 'POST', `${agents}/${first.id}/revert`, { version: 1 });
  assert.deepEqual({ ...back, updatedAt: first.updatedAt }, first);
  const versions = await made(owner, 'GET', `${agents}/${first.id}/versions`);
  assert.deepEqual(
    versions.map(({ version, changedBy }: any) => [version, changedBy]),
    [4, 3, 2, 1].map((version) => [version, owner.id]),
  );
  assert.equal(await refused(owner, 'POST', `${agents}/${first.id}/revert`, { version: 9 }), '404 not_found');
});

test('exactly one of fifty changes with the same version succeeds', async () => {
  const { id } = await agent();
  const headers = { 'if-match': (await call(owner, 'GET', `${agents}/${id}`)).headers.get('etag') ?? '' };
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, n) => status(owner, 'PATCH', `${agents}/${id}`, { description: `By ${n}` }, headers)),
  );
  assert.deepEqual(outcomes.toSorted(), [200, ...Array(49).fill(412)]);
  assert.equal((await made(owner, 'GET', `${agents}/${id}/versions`)).length, 2);
});

test('the newest hundred versions are stored', async () => {
  const { id } = await agent();
  await chancery.pool.query('UPDATE agent SET version = 150 WHERE id = $1', [id]);
  await made(owner, 'PATCH', `${agents}/${id}`, { description: 'The 151st' });
  const versions = await made(owner, 'GET', `${agents}/${id}/versions`);
  assert.deepEqual(
    versions.map(({ version }: any) => version),
    [151, 150],
  );
});

test('an agent cannot have scopes unavailable to agents, scopes beyond its folders, or missing folders', async () => {
  const folder = await chancery.folder(owner);
  assert.equal(await refused(owner, 'POST', `${agents}/`, { name: 'A', scopes: ['agents:write'] }), '422 scope_not_for_agents');
  assert.equal(await refused(owner, 'POST', `${agents}/`, { name: 'A', scopes: ['signatures:write'] }), '422 scope_not_for_agents');
  assert.equal(await refused(owner, 'POST', `${agents}/`, { name: 'A', scopes: ['nothing:read'] }), '422 unknown_scope');
  const confined = { name: 'A', folderIds: [folder.id] };
  assert.equal(await refused(owner, 'POST', `${agents}/`, { ...confined, scopes: ['audit:read'] }), '422 scope_not_confinable');
  assert.equal(await refused(owner, 'POST', `${agents}/`, { ...confined, folderIds: [randomUUIDv7()] }), '422 folder_not_found');
  const one = await agent(confined);
  for (const [given, expected] of [
    [{ scopes: ['agents:write'] }, '422 scope_not_for_agents'],
    [{ scopes: ['nothing:read'] }, '422 unknown_scope'],
    [{ folderIds: [randomUUIDv7()] }, '422 folder_not_found'],
  ] as const)
    assert.equal(await refused(owner, 'PATCH', `${agents}/${one.id}`, given), expected);
  assert.deepEqual(one.folderIds, [folder.id]);
  assert.equal(await refused(owner, 'PATCH', `${agents}/${one.id}`, { scopes: ['audit:read'] }), '422 scope_not_confinable');
  assert.deepEqual((await made(owner, 'PATCH', `${agents}/${one.id}`, { folderIds: [] })).folderIds, []);
  assert.ok(!('folderIds' in (await made(owner, 'PATCH', `${agents}/${one.id}`, { folderIds: null }))));
  await made(owner, 'DELETE', `/api/v1/smartdoc/folders/${folder.id}`);
  assert.equal(await refused(owner, 'POST', `${agents}/${one.id}/revert`, { version: 1 }), '422 folder_not_found');
});

test('a member can use an agent by an own, group or team share until the share ends or the member leaves', async () => {
  const { id } = await agent();
  const seen = async (by: User) => (await made(by, 'GET', `${agents}/`)).some((one: any) => one.id === id);
  assert.deepEqual([await seen(member), await status(member, 'GET', `${agents}/${id}`)], [false, 404]);
  const mine = await made(owner, 'POST', `${agents}/${id}/shares`, { userId: member.id });
  assert.deepEqual([await seen(member), await status(member, 'GET', `${agents}/${id}`)], [true, 200]);
  assert.equal((await made(owner, 'POST', `${agents}/${id}/shares`, { userId: member.id })).id, mine.id);
  await made(owner, 'POST', `${agents}/${id}/shares`, { team: true });
  assert.equal(await status(owner, 'DELETE', `${agents}/${id}/shares/${mine.id}`), 204);
  const leaver = await chancery.user(team);
  assert.deepEqual([await seen(member), await seen(leaver)], [true, true]);
  await made(owner, 'POST', `${agents}/${id}/shares`, { userId: leaver.id });
  await made(owner, 'DELETE', `/api/v1/team/members/${leaver.id}`, { successorId: owner.id });
  assert.deepEqual(
    (await made(owner, 'GET', `${agents}/${id}/shares`)).map(({ userId, team: all }: any) => userId ?? all),
    [true],
  );
  assert.equal(await refused(owner, 'POST', `${agents}/${id}/shares`, { userId: leaver.id }), '404 member_not_found');
  assert.equal(await refused(owner, 'POST', `${agents}/${id}/shares`, {}), '400 validation_failed');
});

test('a stop applies to one agent or all agents until they are started, and names its actor and reason', async () => {
  const { id } = await agent();
  assert.equal(await refused(owner, 'POST', `${agents}/${id}/start`), '409 agent_not_stopped');
  assert.equal(await refused(owner, 'POST', `${agents}/start`), '409 agent_not_stopped');
  const stopped = await made(owner, 'POST', `${agents}/${id}/stop`, { reason: 'Odd' });
  assert.deepEqual(stopped.stopped, { ...stopped.stopped, by: owner.id, reason: 'Odd', everyAgent: false });
  assert.deepEqual((await made(owner, 'POST', `${agents}/${id}/stop`, { reason: 'Again' })).stopped, stopped.stopped);
  const all = await made(owner, 'POST', `${agents}/stop`, { reason: 'All' });
  assert.deepEqual(all, { stopped: true, at: all.at, by: owner.id, reason: 'All' });
  assert.deepEqual(await made(member, 'GET', `${agents}/stop`), all);
  assert.equal((await made(owner, 'GET', `${agents}/main`)).stopped.everyAgent, true);
  assert.deepEqual(await made(owner, 'POST', `${agents}/start`), { stopped: false });
  assert.ok(!('stopped' in (await made(owner, 'GET', `${agents}/main`))));
  assert.equal((await made(owner, 'GET', `${agents}/${id}`)).stopped.reason, 'Odd');
  assert.ok(!('stopped' in (await made(owner, 'POST', `${agents}/${id}/start`))));
});

test('a concurrent stop and change both take effect', async () => {
  const { id } = await agent();
  await Promise.all([
    made(owner, 'POST', `${agents}/${id}/stop`, { reason: 'Odd' }),
    made(owner, 'PATCH', `${agents}/${id}`, { description: 'Both' }),
  ]);
  const both = await made(owner, 'GET', `${agents}/${id}`);
  assert.deepEqual([both.description, both.stopped?.by], ['Both', owner.id]);
});

test('deleting an agent deletes its versions and shares', async () => {
  const { id } = await agent();
  await made(owner, 'POST', `${agents}/${id}/shares`, { team: true });
  assert.equal(await status(owner, 'DELETE', `${agents}/${id}`), 204);
  assert.equal(await status(owner, 'DELETE', `${agents}/${id}`), 404);
  const { rows } = await chancery.pool.query(
    'SELECT (SELECT count(*) FROM agent_version WHERE agent_id = $1)::int AS versions, (SELECT count(*) FROM access_grant WHERE resource_id = $1)::int AS shares',
    [id],
  );
  assert.deepEqual(rows, [{ versions: 0, shares: 0 }]);
});

test('the quota limits the number of agents of a team', async () => {
  const { owner: other } = await chancery.team();
  const outcomes = await Promise.all(Array.from({ length: 50 }, (_, n) => status(other, 'POST', `${agents}/`, { name: `A${n}` })));
  assert.equal(outcomes.filter((one) => one === 201).length, 39);
  assert.equal(await refused(other, 'POST', `${agents}/`, { name: 'One more' }), '409 quota_exceeded');
});
