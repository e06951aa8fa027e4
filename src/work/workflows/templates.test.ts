import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { cpuTimeOf } from '../../../test/cpu-time.ts';
import { asking } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { fill } from './template-parameters.ts';

const path = '/api/v1/workflows';
const templates = `${path}/templates`;
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let author: User;
before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
  author = await chancery.user(team);
});

const { call, made } = asking(() => chancery);
const parameters = [
  { name: 'party', type: 'text', required: true, description: 'The other side' },
  { name: 'reviewer', type: 'user', required: true },
  { name: 'second', type: 'user' },
  { name: 'days', type: 'number', default: 3 },
  { name: 'limit', type: 'number', default: 50_000 },
  { name: 'until', type: 'date' },
];
const steps = [
  { id: 'review', type: 'review', name: 'Review of {{party}}', assignees: ['{{reviewer}}', '{{second}}'], dueInDays: '{{days}}' },
  {
    id: 'board',
    type: 'task',
    name: 'Board',
    description: 'Of {{ party }}, by {{until}}, above {{limit}}',
    config: { outcomes: ['yes', 'no'], when: { field: 'review', eq: 'approved' }, dueInWorkingDays: '{{days}}' },
  },
];
const add = (name: string, more: object = {}) => made(owner, 'POST', templates, { name, description: 'D', steps, parameters, ...more });
const make = (name: string, values: object | undefined, more: object = {}) =>
  call(owner, 'POST', `${templates}/${name}`, { documentId: 'DMS-1', ...(values === undefined ? {} : { parameters: values }), ...more });

test('a workflow from a template has the typed values of its parameters and the version of the template', async () => {
  const template = await add('deal');
  assert.deepEqual([template.version, template.parameters.length], [1, 6]);
  const { status, body } = await make('deal', { party: 'Acme & {{reviewer}}', reviewer: author.id, until: '2027-01-31' });
  assert.equal(status, 201, JSON.stringify(body));
  const [review, board] = body.steps;
  assert.deepEqual(
    [body.templateVersion, review.name, review.assignees, review.dueInDays],
    [1, 'Review of Acme & {{reviewer}}', [author.id], 3],
    'parameters in values are not replaced, and omitted values are left out',
  );
  assert.equal(board.description, 'Of Acme & {{reviewer}}, by 2027-01-31, above 50000');
  assert.equal(board.config.dueInWorkingDays, 3);
  const listed = (await made(owner, 'GET', `${path}?documentId=DMS-1`)).find(({ id }: any) => id === body.id);
  assert.deepEqual(listed, body);
  await made(owner, 'PUT', `${templates}/deal`, {
    parameters: parameters.map((one) => (one.name === 'days' ? { ...one, default: 9 } : one)),
  });
  const next = await make('deal', { party: 'B', reviewer: author.id, second: owner.id, days: 5 });
  assert.deepEqual([next.body.templateVersion, next.body.steps[0].dueInDays, next.body.steps[0].assignees], [2, 5, [author.id, owner.id]]);
  assert.equal((await make('deal', { party: 'B', reviewer: author.id })).body.steps[0].dueInDays, 9);
  const versions = await made(owner, 'GET', `${templates}/deal/versions`);
  assert.deepEqual(
    versions.map(({ version, createdBy, parameters: given }: any) => [
      version,
      createdBy,
      given.find(({ name }: any) => name === 'days').default,
    ]),
    [
      [2, owner.id, 9],
      [1, owner.id, 3],
    ],
  );
  const first = await call(owner, 'GET', `${templates}/deal/versions?limit=1`);
  const rest = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  assert.deepEqual(
    (await made(owner, 'GET', new URL(rest, chancery.url).pathname + new URL(rest, chancery.url).search)).map((one: any) => one.version),
    [1],
  );
  assert.deepEqual(await made(owner, 'GET', `${templates}/nda-approval/versions`), []);
  assert.equal((await call(owner, 'GET', `${templates}/none-such/versions`)).body.code, 'template_not_found');
  assert.equal((await make('nda-approval', undefined)).body.templateVersion, undefined);
});

test('a signer can be a parameter, and must have a valid address when a workflow is created', async () => {
  const fields = ['name', 'email', 'house'].map((name) => ({ name, type: 'text', required: true }));
  const signers = [
    { name: '{{name}}', email: '{{email}}' },
    { name: 'The board', email: 'board@{{house}}' },
  ];
  await add('signed', { parameters: fields, steps: [{ id: 'sign', type: 'signature', config: { signers, inTurn: true } }] });
  const values = { name: 'Ada', email: 'ada@acme.example', house: 'acme.example' };
  const { body } = await make('signed', values);
  assert.deepEqual(body.steps[0].config.signers, [
    { name: 'Ada', email: 'ada@acme.example' },
    { name: 'The board', email: 'board@acme.example' },
  ]);
  const refused = await make('signed', { ...values, email: 'Ada' });
  assert.deepEqual([refused.body.code, refused.body.errors[0].pointer], ['workflow_steps_invalid', '/steps/0/config/signers/0/email']);
});

test('missing, unknown and mistyped values are rejected by name', async () => {
  await add('strict');
  const good = { party: 'Acme', reviewer: author.id };
  for (const [values, name] of [
    [undefined, 'party'],
    [{ party: 'Acme' }, 'reviewer'],
    [{ ...good, days: '3' }, 'days'],
    [{ ...good, reviewer: 'me' }, 'reviewer'],
    [{ ...good, until: '2027-02-30' }, 'until'],
    [{ ...good, other: 1 }, 'other'],
  ] as const) {
    const { body } = await make('strict', values);
    assert.deepEqual([body.code, body.errors.map((error: any) => error.name).includes(name)], ['template_parameters_invalid', true], name);
  }
  assert.equal((await make('strict', { ...good, reviewer: team.id })).body.code, 'assignee_not_found');
  assert.equal((await make('strict', { ...good, days: 1.5 })).body.code, 'workflow_steps_invalid');
});

test('the names in a template are checked when it is stored', async () => {
  const refused = async (body: object) => {
    const answer = await call(owner, 'POST', templates, { name: 'odd', description: 'D', parameters, ...body });
    assert.deepEqual([answer.status, answer.body.code], [422, 'workflow_steps_invalid'], answer.text);
    return answer.body.errors[0].pointer;
  };
  const one = (members: object) => ({ steps: [{ id: 'a', type: 'task', ...members }] });
  for (const [body, pointer] of [
    [one({ name: '{{who}}' }), '/steps/0/name'],
    [one({ id: '{{party}}' }), '/steps/0/id'],
    [one({ type: '{{party}}' }), '/steps/0/type'],
    [one({ assignees: ['{{party}}'] }), '/steps/0/assignees/0'],
    [one({ assignees: ['role:{{reviewer}}'] }), '/steps/0/assignees/0'],
    [one({ dueInDays: '{{party}}' }), '/steps/0/dueInDays'],
    [one({ dueInDays: '3' }), '/steps/0/dueInDays'],
    [one({ config: { deep: [{ x: '{{no}}' }] } }), '/steps/0/config/deep/0/x'],
    [{ ...one({}), parameters: [{ name: 'n', type: 'number', default: 'x' }] }, '/parameters/0/default'],
    [{ ...one({}), parameters: [parameters[0], parameters[0]] }, '/parameters/0/name'],
  ] as const)
    assert.equal(await refused(body), pointer);
  await add('kept');
  const change = await call(owner, 'PUT', `${templates}/kept`, { parameters: [] });
  assert.equal(change.body.code, 'workflow_steps_invalid', 'the remaining steps use removed parameters');
  // Names of members that every object inherits are not parameters.
  assert.deepEqual(fill([{ id: 'a', type: 'task', name: '{{constructor}}x' }], new Map()), [{ id: 'a', type: 'task', name: 'x' }]);
  // A long text takes no longer to parse, and a repeated value cannot exceed the limit of a workflow.
  const spaces = `{{${' '.repeat(200_000)}!`;
  const used = await cpuTimeOf(() =>
    assert.deepEqual(fill([{ id: 'a', type: 'task', name: spaces }], new Map()), [{ id: 'a', type: 'task', name: spaces }]),
  );
  assert.ok(used < 10_000, `${used} ms`);
  const again = [{ id: 'a', type: 'task', name: '{{a}}'.repeat(200) }];
  assert.throws(() => fill(again, new Map([['a', 'x'.repeat(2_000)]])), { code: 'workflow_steps_invalid' });
});

test('the last 100 versions are stored, one for each change, also with concurrent changes', async () => {
  await add('busy', { steps: [{ id: 'a', type: 'task' }], parameters: [] });
  for (let round = 0; round < 3; round += 1)
    await Promise.all(Array.from({ length: 35 }, (_, at) => made(owner, 'PUT', `${templates}/busy`, { description: `D ${at}` })));
  const versions = (await made(owner, 'GET', `${templates}/busy/versions`)).map(({ version }: any) => version);
  assert.deepEqual(
    versions,
    Array.from({ length: 100 }, (_, at) => 106 - at),
  );
  await made(owner, 'DELETE', `${templates}/busy`);
  assert.equal((await chancery.pool.query("SELECT FROM workflow_template_version WHERE name = 'busy'")).rows.length, 0);
});
