import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { askingOutputs, formsPath } from '../../../../test/form-outputs.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { smallTemplate } from '../../../../test/operations/small-template.ts';

let chancery: Chancery;
let team: TestTeam;
let creator: User;
let templateId: string;
let registryId: string;
let flow: string;

const { call, ok, create } = askingOutputs(
  () => chancery,
  () => creator,
);
const signer = (email: string) => ({ name: 'A', email });

before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  creator = await chancery.user(team);
  const schema = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', maxLength: 20 } },
    additionalProperties: false,
    examples: [{ name: 'Acme' }],
  };
  templateId = (await ok('POST', '/api/v1/document-templates/', { ...smallTemplate(), schema })).id;
  const fields = [
    { id: 'name', type: 'text', label: 'Name', required: true },
    { id: 'code', type: 'text', label: 'Code', unique: true },
  ];
  registryId = (await ok('POST', '/api/v1/registries/', { name: `Parties ${randomUUIDv7()}`, fields })).id;
  flow = `trial-${randomUUIDv7().slice(-8)}`;
  await ok(
    'POST',
    '/api/v1/workflows/templates',
    {
      name: flow,
      description: 'A review',
      parameters: [
        { name: 'party', type: 'text', required: true },
        { name: 'since', type: 'date' },
        { name: 'mail', type: 'text' },
      ],
      steps: [
        { id: 'review', type: 'task', name: 'Review {{party}}', assignees: [creator.id] },
        { id: 'sign', type: 'signature', name: 'Sign', config: { signers: [signer('a@b.example'), signer('{{mail}}')] } },
      ],
    },
    team.owner,
  );
});

const nda = (members: object = {}) => ({ id: 'nda', make: 'document', templateId, values: { name: { from: 'company' } }, ...members });
const row = (members: object = {}) => ({ id: 'row', make: 'record', registryId, fields: { name: { from: 'company' } }, ...members });
const starts = (members: object = {}) => ({
  id: 'flow',
  make: 'workflow',
  template: flow,
  parameters: { party: { from: 'company' }, mail: { value: 'm@b.example' } },
  ...members,
});
const check = async (then: object[], body: object = {}) => {
  const draft = await create(then);
  assert.equal(draft.status, 201, draft.text);
  return call('POST', `${formsPath}/${draft.body.id}/check`, body);
};
const answers = (data: object = {}) => ({ data: { company: 'Acme', kind: 'mutual', ...data } });
const places = ({ problems }: any) => problems.map(({ pointer, severity }: any) => [pointer, severity]);

test('a check without answers returns what publication would reject, and warnings', async () => {
  const { status, body, text } = await check([
    nda(),
    starts({ parameters: {} }),
    row({ fields: { name: { from: 'company' }, code: { value: 7 } } }),
  ]);
  assert.equal(status, 200, text);
  assert.deepEqual(
    body.outputs.map((one: any) => [one.id, one.ok, ...places(one)]),
    [
      ['nda', true, ['/config/then/0/values/name', 'warning']],
      ['flow', false, ['/config/then/1/parameters/party', 'error']],
      ['row', false, ['/config/then/2/fields/code', 'error']],
    ],
  );
});

test('a check with answers returns the values of each output', async () => {
  const { body } = await check([nda(), starts(), row()], answers());
  assert.deepEqual(body.outputs, [
    { id: 'nda', make: 'document', ok: true, problems: [], values: { name: 'Acme' } },
    { id: 'flow', make: 'workflow', ok: true, problems: [], values: { party: 'Acme', mail: 'm@b.example' } },
    { id: 'row', make: 'record', ok: true, problems: [], values: { name: 'Acme' } },
  ]);
});

test('a check with answers returns the errors of the values at their places', async () => {
  await ok('POST', `/api/v1/registries/${registryId}/records`, { data: { name: 'First', code: 'one' } });
  const { body } = await check(
    [
      nda(),
      starts({ parameters: { party: { from: 'company' }, since: { from: 'note' } } }),
      row({ fields: { name: { from: 'company' }, code: { text: 'one' } } }),
    ],
    answers({ company: 'x'.repeat(21), note: 'soon' }),
  );
  assert.deepEqual(
    body.outputs.map((one: any) => [one.ok, ...places(one)]),
    [
      [false, ['/config/then/0/values/name', 'error']],
      [false, ['/config/then/1/parameters/since', 'error']],
      [false, ['/config/then/2/fields/code', 'error']],
    ],
  );
});

test('a check rejects answers without a field and names the nearest one', async () => {
  const { status, body } = await check([nda()], answers({ compny: 'Acme' }));
  assert.deepEqual(
    [status, body.code, body.errors.map(({ pointer, reason }: any) => [pointer, reason])],
    [422, 'submission_invalid', [['/data/compny', 'is unknown; did you mean `company`?']]],
  );
});

test('a signer whose address is that of another signer is an error', async () => {
  const then = [starts({ parameters: { party: { from: 'company' }, mail: { from: 'note' } } })];
  const [twice] = (await check(then, answers({ note: 'A@b.example' }))).body.outputs;
  assert.deepEqual(
    [twice.ok, twice.problems[0].rule, twice.problems[0].reason],
    [false, 'unique', '/steps/1/config/signers/1/email of the template is the address of another signer of the step'],
  );
  const [once] = (await check(then, answers({ note: 'c@b.example' }))).body.outputs;
  assert.equal(once.ok, true);
});

test('a check says that the condition of an output does not hold', async () => {
  const { body } = await check([nda({ when: { field: 'kind', eq: 'oneway' } })], answers());
  assert.deepEqual(body.outputs, [{ id: 'nda', make: 'document', ok: true, isSkipped: true, problems: [] }]);
});

test('invalid answers are rejected as in a submission', async () => {
  const { status, body } = await check([nda()], { data: { company: 'Acme', kind: 'other' } });
  assert.deepEqual([status, body.code, body.errors[0].pointer], [422, 'submission_invalid', '/data/kind']);
});

test('a template or registry of another member is an error of its output', async () => {
  const foreign = (
    await ok('POST', '/api/v1/registries/', { name: 'Foreign', fields: [{ id: 'name', type: 'text', label: 'Name' }] }, team.owner)
  ).id;
  const draft = await create([row({ registryId: foreign })], {}, { user: team.owner });
  await ok('POST', `${formsPath}/${draft.body.id}/shares`, { userId: creator.id, rights: ['edit'] }, team.owner);
  const { body } = await call('POST', `${formsPath}/${draft.body.id}/check`, answers());
  assert.deepEqual(
    body.outputs[0].problems.map((one: any) => [one.pointer, one.rule]),
    [['/config/then/0', 'registry_not_found']],
  );
});

test('a workflow template that does not exist is an error with the nearest name', async () => {
  const { body } = await create([{ id: 'flow', make: 'workflow', template: flow.replace('trial', 'tryal') }]);
  const { outputs } = await ok('POST', `${formsPath}/${body.id}/check`, {});
  assert.deepEqual(
    outputs[0].problems.map(({ pointer, reason }: any) => [pointer, reason]),
    [['/config/then/0/template', `is not a workflow template; did you mean \`${flow}\`?`]],
  );
});

test('a client without several scopes of the outputs sees all of them in the error', async () => {
  const client = await chancery.client(team.owner, ['interfaces:read', 'interfaces:write']);
  const refused = await create([nda(), { id: 'flow', make: 'workflow', template: flow }], {}, { user: client as unknown as User });
  assert.match(refused.body.detail, /needs the scope `documents:write` and `workflows:write`/);
});

test('a check stores nothing', async () => {
  const draft = await create([nda(), starts(), row()]);
  const state = async () => {
    const { rows } = await chancery.pool.query(
      `SELECT (SELECT count(*) FROM document WHERE team_id = $1) AS documents, (SELECT count(*) FROM workflow WHERE team_id = $1) AS workflows,
         (SELECT count(*) FROM registry_record WHERE team_id = $1) AS records, (SELECT count(*) FROM submission WHERE team_id = $1) AS submissions`,
      [team.id],
    );
    return rows[0];
  };
  const earlier = await state();
  await ok('POST', `${formsPath}/${draft.body.id}/check`, answers());
  assert.deepEqual(await state(), earlier);
});

test('publication returns each error that a check shows, and a strict one each warning too', async () => {
  const { body: draft } = await create([
    nda({ templateId: randomUUIDv7() }),
    starts({ parameters: { party: { from: 'company' }, parti: { from: 'company' } } }),
    row({ fields: { name: { from: 'company' }, code: { value: 7 } } }),
    nda({ id: 'long' }),
  ]);
  const { outputs } = (await call('POST', `${formsPath}/${draft.id}/check`, {})).body;
  const shown = (severities: string[]) =>
    outputs.flatMap(({ problems }: any) => problems.filter((one: any) => severities.includes(one.severity)).map((one: any) => one.pointer));
  const publish = (members: object) => call('POST', `${formsPath}/${draft.id}/publish`, { revision: 1, ...members });
  const pointers = ({ body: { errors } }: any) => errors.map(({ pointer }: any) => pointer);
  assert.deepEqual(pointers(await publish({})), shown(['error']));
  assert.deepEqual(shown(['error']), ['/config/then/0/templateId', '/config/then/1/parameters/parti', '/config/then/2/fields/code']);
  assert.deepEqual(pointers(await publish({ strict: true })).toSorted(), shown(['error', 'warning']).toSorted());
  assert.ok(shown(['warning']).includes('/config/then/3/values/name'));
});
