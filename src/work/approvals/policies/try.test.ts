import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { fillGroup } from '../../../../test/large-group.ts';

let chancery: Chancery;
let team: TestTeam;
let owner: User;
let [ada, ben, cy]: User[] = [];
let finance: string;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
  [ada, ben, cy] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  finance = await groupOf(ada, ben);
});

const policies = '/api/v1/approval-policies';
async function call(by: User, method: string, path: string, body?: unknown) {
  return chancery.call(method, path, { token: by.token, ...(body === undefined ? {} : { body }) });
}
async function made(by: User, method: string, path: string, body?: unknown): Promise<any> {
  const answer = await call(by, method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}
async function groupOf(...members: (User | undefined)[]): Promise<string> {
  const { id } = await made(owner, 'POST', '/api/v1/groups/', { name: `Group ${randomUUIDv7()}` });
  for (const one of members) await made(owner, 'POST', `/api/v1/groups/${id}/members`, { userId: one?.id });
  return id;
}
const euros = (amount: string) => ({ amount, currency: 'EUR' });
const large = () => ({
  id: 'large',
  when: { field: 'facts/amount', gt: euros('50000') },
  need: [
    { count: 2, from: [`group:${finance}`] },
    { count: 1, from: [`user:${cy?.id}`, `user:${ada?.id}`] },
  ],
});
const last = { id: 'else', need: [{ count: 1, from: ['role:owner'] }] };
const create = (body: object = {}): Promise<any> =>
  made(owner, 'POST', `${policies}/`, { name: `policy-${randomUUIDv7()}`, rules: [large(), last], ...body });
const attempt = async (body: object, policy: object = {}): Promise<any> =>
  made(ada!, 'POST', `${policies}/${(await create(policy)).name}/try`, body);
const needs = (...pairs: [User | undefined, number[]][]) =>
  pairs.map(([user, of]) => ({ userId: user?.id, needs: of })).toSorted((a, b) => (a.userId! < b.userId! ? -1 : 1));

test('a trial shows the rule, its candidates and its places', async () => {
  const result = await attempt({ answers: { 'facts/amount': euros('60000') } });
  assert.deepEqual(
    [result.rule, result.missing, result.canBeFilled, result.places.map((one: any) => one.empty), result.warnings],
    ['large', [], true, [0, 0], []],
  );
  assert.deepEqual(result.candidates, needs([ada, [0, 1]], [ben, [0]], [cy, [1]]));
  assert.equal((await attempt({ answers: { 'facts/amount': euros('50000') } })).rule, 'else');
});

test('a trial names the answers that are missing', async () => {
  assert.deepEqual(await attempt({}), {
    missing: ['facts/amount'],
    candidates: [],
    excluded: [],
    places: [],
    canBeFilled: false,
    warnings: [],
  });
  const chosen = await attempt({ answers: { 'facts/amount': euros('1').amount } }, { onMissing: 'else' });
  assert.equal(chosen.rule, 'else');
  const other = await attempt({ answers: { 'facts/amount': { amount: '60000', currency: 'JPY' } } }, { onMissing: 'large' });
  assert.deepEqual([other.rule, other.missing], ['large', ['facts/amount']]);
});

test('a trial says which answers have no effect', async () => {
  const { missing, warnings } = await attempt({ answers: { 'facts/amount': { amount: '60000', currency: 'JPY' }, 'facts/amont': 1 } });
  assert.deepEqual(
    [missing, warnings.map(({ pointer, rule }: any) => [pointer, rule])],
    [
      ['facts/amount'],
      [
        ['/answers/facts~1amount', 'comparison'],
        ['/answers/facts~1amont', 'reference'],
      ],
    ],
  );
  assert.match(warnings[1].reason, /did you mean `facts\/amount`\?$/);
  assert.match(warnings[0].reason, /An amount compares with `{"amount", "currency"}` in the same currency$/);
});

test('excluded people leave places empty', async () => {
  const answers = { 'facts/amount': euros('60000') };
  const result = await attempt({ answers, creatorId: ada?.id, submitterId: cy?.id });
  assert.deepEqual(
    result.excluded.toSorted((a: any, b: any) => (a.reason < b.reason ? -1 : 1)),
    [
      { userId: ada?.id, reason: 'creator' },
      { userId: cy?.id, reason: 'submitter' },
    ],
  );
  assert.deepEqual(result.candidates, needs([ben, [0]]));
  assert.deepEqual([result.canBeFilled, result.places.map((one: any) => one.empty)], [false, [1, 1]]);
  assert.equal((await attempt({ answers, creatorId: ada?.id }, { exclude: [] })).canBeFilled, true);
  assert.deepEqual((await attempt({ answers, requesterId: ada?.id })).excluded, [], 'the default does not name the requester');
  assert.equal((await attempt({ answers, requesterId: ada?.id }, { exclude: ['requester'] })).canBeFilled, false);
});

test('the uploader of the document is excluded', async () => {
  const form = new FormData();
  form.set('title', 'Contract');
  form.set('file', new Blob(['one'], { type: 'text/plain' }), 'a.txt');
  const { id } = (await chancery.call('POST', '/api/v1/smartdoc/documents/', { token: ada!.token, body: form })).body;
  const answers = { 'facts/amount': euros('60000') };
  assert.deepEqual((await attempt({ answers, documentId: id })).excluded, [{ userId: ada?.id, reason: 'uploader' }]);
  const { name } = await create();
  assert.equal((await call(ben!, 'POST', `${policies}/${name}/try`, { answers, documentId: id })).status, 404);
});

test('with four eyes of the team, the creator is excluded despite an empty `exclude`', async () => {
  const other = await chancery.team();
  const { name } = await made(other.owner, 'POST', `${policies}/`, { name: 'open', rules: [last], exclude: [] });
  const canBeFilled = async () => (await made(other.owner, 'POST', `${policies}/${name}/try`, { creatorId: other.owner.id })).canBeFilled;
  assert.equal(await canBeFilled(), true);
  await made(other.owner, 'PATCH', '/api/v1/team', { fourEyes: true });
  assert.equal(await canBeFilled(), false);
});

test('a parameter names a person', async () => {
  const rules = [{ id: 'else', need: [{ count: 1, from: ['parameter:buyer'] }] }];
  assert.deepEqual((await attempt({ parameters: { buyer: ben?.id } }, { rules })).candidates, needs([ben, [0]]));
  const without = await attempt({}, { rules });
  assert.deepEqual([without.canBeFilled, without.warnings], [false, []]);
  const [misspelt] = (await attempt({ parameters: { byer: ben?.id } }, { rules })).warnings;
  assert.deepEqual(misspelt, {
    pointer: '/parameters/byer',
    reason: 'is not in any rule of the policy; did you mean `buyer`?',
    rule: 'reference',
  });
});

test('other rules can be tried, and nothing is stored', async () => {
  const policy = await create();
  const path = `${policies}/${policy.name}`;
  assert.equal((await made(ada!, 'POST', `${path}/try`, { rules: { rules: [last] } })).rule, 'else');
  const invalid = await call(ada!, 'POST', `${path}/try`, { rules: { rules: [large()] } });
  assert.deepEqual([invalid.status, invalid.body.code], [422, 'approval_policy_invalid']);
  assert.equal((await made(owner, 'GET', path)).version, 1);
});

test('save and trial warn of rules that never apply and of places that cannot be filled', async () => {
  const empty = await groupOf();
  const rules = [
    large(),
    { ...large(), id: 'larger', when: { field: 'facts/amount', gt: euros('90000') } },
    { id: 'else', need: [{ count: 1, from: [`group:${empty}`] }] },
  ];
  const wanted = [
    ['/rules/1', 'never'],
    ['/rules/2/need/0', 'unfilled'],
  ];
  const pairs = (body: any) => body.warnings.map((one: any) => [one.pointer, one.rule]);
  const saved = await create({ rules });
  assert.deepEqual(pairs(saved), wanted);
  assert.equal((await made(owner, 'GET', `${policies}/${saved.name}`)).warnings, undefined);
  assert.deepEqual(pairs(await made(ada!, 'POST', `${policies}/${saved.name}/try`, {})), wanted);
});

test('a rule with more than 50 members is not saved', async () => {
  const id = await groupOf();
  await fillGroup(chancery, team, id);
  const rules = [{ id: 'else', need: [{ count: 1, from: [`group:${id}`] }] }];
  const answer = await call(owner, 'POST', `${policies}/`, { name: 'too-many', rules });
  assert.deepEqual([answer.status, answer.body.code, answer.body.errors[0].pointer], [422, 'too_many_candidates', '/rules/0/need']);
  assert.equal((await call(owner, 'GET', `${policies}/too-many`)).status, 404);
});

test('a policy names existing groups and members only, and a group that it names is in use', async () => {
  const unknown = randomUUIDv7();
  const codes = await Promise.all(
    [`group:${unknown}`, `user:${unknown}`].map(async (from) => {
      const rules = [{ id: 'else', need: [{ count: 1, from: [from] }] }];
      return (await call(owner, 'POST', `${policies}/`, { name: `policy-${randomUUIDv7()}`, rules })).body.code;
    }),
  );
  assert.deepEqual(codes, ['group_not_found', 'assignee_not_found']);
  await create();
  const deleted = await call(owner, 'DELETE', `/api/v1/groups/${finance}`);
  assert.deepEqual([deleted.status, deleted.body.code], [409, 'group_in_use']);
  assert.ok(deleted.body.uses.policies > 0);
});
