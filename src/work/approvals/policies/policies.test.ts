import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';

let chancery: Chancery;
let team: TestTeam;
let owner: User;
let admin: User;
let member: User;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
  [admin, member] = [await chancery.user(team, { role: 'admin' }), await chancery.user(team)];
});

const policies = '/api/v1/approval-policies';
const call = (by: User, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  chancery.call(method, path, { token: by.token, headers, ...(body === undefined ? {} : { body }) });
async function made(by: User, method: string, path: string, body?: unknown): Promise<any> {
  const answer = await call(by, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}
const last = { id: 'else', need: [{ count: 1, from: ['role:admin', 'role:owner'] }] };
const large = {
  id: 'large',
  when: { field: 'facts/amount', gt: { amount: '50000', currency: 'EUR' } },
  need: [{ count: 1, from: ['role:owner'] }],
};
const newName = () => `policy-${randomUUIDv7()}`;
const newPolicy = (body: object = {}): Promise<any> =>
  made(owner, 'POST', `${policies}/`, { name: newName(), rules: [large, last], ...body });
const entriesOf = async (name: string) =>
  (await chancery.pool.query('SELECT type, data FROM audit_entry WHERE team_id = $1 AND target_id = $2 ORDER BY type', [team.id, name]))
    .rows;

test('a policy has defaults, an ETag and its first version', async () => {
  const name = newName();
  const answer = await call(admin, 'POST', `${policies}/`, { name, rules: [large, last] });
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get('location'), `${policies}/${name}`);
  assert.match(answer.headers.get('etag') ?? '', /^"1-/);
  const { exclude, onMissing, onRejection, version, createdBy } = answer.body;
  assert.deepEqual(
    { exclude, onMissing, onRejection, version, createdBy },
    { exclude: ['creator', 'uploader', 'submitter'], onMissing: 'refuse', onRejection: 'first', version: 1, createdBy: admin.id },
  );
  assert.deepEqual(await made(member, 'GET', `${policies}/${name}`), answer.body);
});

test('each change is a version; equal rules are no change', async () => {
  const { name } = await newPolicy();
  const changed = await made(owner, 'PUT', `${policies}/${name}`, { rules: [last], onRejection: 'quorum' });
  assert.equal(changed.version, 2);
  assert.equal((await made(admin, 'PUT', `${policies}/${name}`, { rules: [last], onRejection: 'quorum' })).version, 2);
  const versions = await made(member, 'GET', `${policies}/${name}/versions`);
  assert.deepEqual(
    versions.map((one: any) => [one.version, one.rules.length, one.onRejection]),
    [
      [2, 1, 'quorum'],
      [1, 2, 'first'],
    ],
  );
  assert.notEqual(versions[0].sha256, versions[1].sha256);
  assert.equal(versions[0].sha256, changed.sha256);
  assert.deepEqual(
    (await made(member, 'GET', `${policies}/${name}/versions?limit=1`)).map((one: any) => one.version),
    [2],
  );
});

test('a change with an old ETag is rejected', async () => {
  const { name } = await newPolicy();
  await made(owner, 'PUT', `${policies}/${name}`, { rules: [last] });
  const change = { rules: [last], onRejection: 'quorum' };
  assert.equal((await call(owner, 'PUT', `${policies}/${name}`, change, { 'if-match': '"1"' })).status, 412);
  assert.equal((await call(owner, 'DELETE', `${policies}/${name}`, undefined, { 'if-match': '"1"' })).status, 412);
  assert.equal((await call(owner, 'DELETE', `${policies}/${name}`, undefined, { 'if-match': '"2"' })).status, 204);
});

test('of two changes with the same ETag one is a version', async () => {
  const { name } = await newPolicy();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      call(at % 2 ? owner : admin, 'PUT', `${policies}/${name}`, { rules: [last], expiresInHours: at + 1 }, { 'if-match': '"1"' }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 7 }, () => 412)]);
  assert.equal((await made(owner, 'GET', `${policies}/${name}/versions`)).length, 2);
});

test('a deleted policy is gone, and a later policy of its name continues the versions', async () => {
  const { name } = await newPolicy();
  await made(owner, 'PUT', `${policies}/${name}`, { rules: [last] });
  assert.equal((await call(owner, 'DELETE', `${policies}/${name}`)).status, 204);
  assert.equal((await call(owner, 'GET', `${policies}/${name}`)).body.code, 'approval_policy_not_found');
  const again = await made(owner, 'POST', `${policies}/`, { name, rules: [last] });
  assert.equal(again.version, 3);
  assert.deepEqual(
    (await made(owner, 'GET', `${policies}/${name}/versions`)).map((one: any) => one.version),
    [3, 2, 1],
  );
});

test('a name is used once', async () => {
  const { name } = await newPolicy();
  const twice = await call(owner, 'POST', `${policies}/`, { name, rules: [last] });
  assert.deepEqual([twice.status, twice.body.code], [409, 'approval_policy_exists']);
});

test('policies are listed by name, in pages', async () => {
  const other = await chancery.team();
  for (const name of ['b', 'c', 'a']) await made(other.owner, 'POST', `${policies}/`, { name, rules: [last] });
  const first = await call(other.owner, 'GET', `${policies}/?limit=2`);
  assert.deepEqual(
    first.body.map((one: any) => one.name),
    ['a', 'b'],
  );
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await call(other.owner, 'GET', next.replace(/^https?:\/\/[^/]+/, ''));
  assert.deepEqual(
    second.body.map((one: any) => one.name),
    ['c'],
  );
});

test('invalid rules are named with pointers', async () => {
  const rules = [{ ...large, need: [{ count: 1, from: ['rolle:owner'] }] }, large];
  const answer = await call(owner, 'POST', `${policies}/`, { name: newName(), rules });
  assert.deepEqual([answer.status, answer.body.code], [422, 'approval_policy_invalid']);
  assert.deepEqual(
    answer.body.errors.map((one: any) => one.pointer),
    ['/rules/0/need/0/from/0', '/rules/1/id', '/rules/1/when'],
  );
});

test('an unknown member is an error, with the nearest name', async () => {
  const answer = await call(owner, 'POST', `${policies}/`, {
    name: newName(),
    rules: [{ ...last, proof: 'passkey' }],
    onRejecton: 'first',
  });
  assert.equal(answer.status, 400);
  assert.match(answer.text, /onRejection/);
  assert.deepEqual(answer.body.errors.map((one: any) => one.pointer).toSorted(), ['/onRejecton', '/rules/0/proof']);
});

test('the journal has the exclusions and the changed members', async () => {
  const { name } = await newPolicy({ exclude: [] });
  await made(owner, 'PUT', `${policies}/${name}`, { rules: [last], exclude: ['uploader'] });
  const entries = await entriesOf(name);
  assert.deepEqual(
    entries.map((one: any) => [one.type, one.data.version, one.data.exclude]),
    [
      ['approval_policy.created', 1, []],
      ['approval_policy.updated', 2, ['uploader']],
    ],
  );
  const { changes } = entries.find((one: any) => one.type === 'approval_policy.updated').data;
  assert.deepEqual(changes.exclude, { from: [], to: ['uploader'] });
  assert.deepEqual(Object.keys(changes).toSorted(), ['exclude', 'rules']);
});

test('a policy that a template or an unfinished workflow names is not deleted', async () => {
  const { name } = await newPolicy();
  const steps = (extra = {}) => [{ id: 'board', type: 'approval', config: { approval: { policy: name }, ...extra } }];
  const put = async (kind: string, id: string) => {
    const sql =
      kind === 'template'
        ? `INSERT INTO workflow_template (team_id, name, description, steps) VALUES ($1, $2, '', $3)`
        : `UPDATE workflow_step SET config = $3::jsonb->0->'config' WHERE team_id = $1 AND workflow_id = $2`;
    await chancery.pool.query(sql, [team.id, id, JSON.stringify(steps())]);
  };
  const { id } = await made(member, 'POST', '/api/v1/workflows/', {
    name: 'W',
    documentId: 'DMS-1',
    steps: [{ id: 'board', type: 'approval' }],
  });
  await put('workflow', id);
  const template = `own-${randomUUIDv7()}`;
  await put('template', template);
  const answer = await call(owner, 'DELETE', `${policies}/${name}`);
  assert.deepEqual([answer.status, answer.body.code], [409, 'policy_in_use']);
  assert.deepEqual(answer.body.places, [
    { kind: 'template', id: template, step: 'board' },
    { kind: 'workflow', id, step: 'board' },
  ]);
  await chancery.pool.query('DELETE FROM workflow_template WHERE team_id = $1 AND name = $2', [team.id, template]);
  await made(member, 'POST', `/api/v1/workflows/${id}/cancel`, {});
  assert.equal((await call(owner, 'DELETE', `${policies}/${name}`)).status, 204);
});
