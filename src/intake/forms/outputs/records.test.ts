import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { askingOutputs, errorsOf, formsPath } from '../../../../test/form-outputs.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';

const registries = '/api/v1/registries';
let chancery: Chancery;
let team: TestTeam;
let creator: User;

before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  creator = await chancery.user(team);
});

const { call, ok, create, publish, published, submitted, settled } = askingOutputs(
  () => chancery,
  () => creator,
);

const asOwner = askingOutputs(
  () => chancery,
  () => team.owner,
);

const parties = [
  { id: 'name', type: 'text', label: 'Name', required: true, validation: { maxLength: 80 } },
  { id: 'kind', type: 'select', label: 'Kind', options: [{ id: 'mutual' }, { id: 'oneway' }] },
  { id: 'code', type: 'text', label: 'Code', unique: true, validation: { maxLength: 20 } },
];
const registryOf = async (fields: object[] = parties, by = creator): Promise<string> =>
  (await ok('POST', `${registries}/`, { name: `Parties ${randomUUIDv7()}`, fields }, by)).id;
const row = (registryId: string, members: object = {}) => ({
  id: 'row',
  make: 'record',
  registryId,
  fields: { name: { from: 'company' }, kind: { from: 'kind' } },
  ...members,
});
const recordsOf = (registry: string, query = ''): Promise<any[]> =>
  ok('GET', `${registries}/${registry}/records${query}`, undefined, team.owner);

test('a submission creates a record with its answers', async () => {
  const registry = await registryOf();
  const form = await published([row(registry)]);
  const id = await submitted(form);
  const { status, outputs } = await settled(form, id);
  const [record] = await recordsOf(registry);
  assert.deepEqual([status, outputs], ['received', [{ id: 'row', make: 'record', status: 'done', resultId: record.id, attempts: 1 }]]);
  assert.deepEqual([record.data, record.status, record.submissionId], [{ name: 'Acme {{kind}}', kind: 'mutual' }, 'active', id]);
});

test('a record with `pending` waits for approval', async () => {
  const registry = await registryOf();
  const form = await published([row(registry, { pending: true })]);
  const { outputs } = await settled(form, await submitted(form));
  assert.deepEqual(await recordsOf(registry), []);
  assert.deepEqual(
    (await recordsOf(registry, '?status=pending')).map(({ id }) => id),
    [outputs[0].resultId],
  );
});

test('a record with a condition is skipped, and a record that needs it is created', async () => {
  const registry = await registryOf();
  const form = await published([row(registry, { when: { field: 'kind', eq: 'oneway' } }), row(registry, { id: 'next', needs: ['row'] })]);
  const { outputs } = await settled(form, await submitted(form));
  assert.deepEqual(
    outputs.map((one: any) => one.status),
    ['skipped', 'done'],
  );
});

test('concurrent retries of a failed record create it once', async () => {
  const registry = await registryOf();
  const form = await published([row(registry, { fields: { name: { from: 'company' }, code: { text: 'one' } } })]);
  const taken = await ok('POST', `${registries}/${registry}/records`, { data: { name: 'First', code: 'one' } });
  const id = await submitted(form);
  const failed = await settled(form, id);
  assert.deepEqual([failed.status, failed.outputs[0].code], ['failed', 'registry_value_taken']);
  await ok('DELETE', `${registries}/${registry}/records/${taken.id}`);
  const retries = await Promise.all(Array.from({ length: 50 }, () => call('POST', `${formsPath}/${form.id}/submissions/${id}/retry`)));
  assert.ok(retries.some(({ status }) => status === 200));
  assert.equal((await settled(form, id)).outputs[0].status, 'done');
  assert.equal((await recordsOf(registry)).length, 1);
});

test('publication compares the sources with the fields of the registry', async () => {
  const registry = await registryOf([...parties, { id: 'since', type: 'date', label: 'Since' }]);
  const at = async (fields: object, members: object = {}) => publish((await create([row(registry, { fields })])).body.id, members);
  const place = '/config/then/0/fields';
  assert.deepEqual(errorsOf(await at({ nmae: { from: 'company' } })), [422, `${place}/name`, `${place}/nmae`]);
  assert.deepEqual(errorsOf(await at({ name: { from: 'note' } })), [422, `${place}/name`]);
  assert.deepEqual(errorsOf(await at({ name: { from: 'company' }, kind: { value: 'other' } })), [422, `${place}/kind`]);
  assert.deepEqual(errorsOf(await at({ name: { from: 'company' }, since: { value: 7 } })), [422, `${place}/since`]);
  const loose = { name: { from: 'company' }, code: { from: 'company' }, since: { from: 'note' } };
  const { status, body } = await at(loose);
  assert.deepEqual(
    [status, body.warnings.map((one: any) => [one.pointer, one.rule, one.example])],
    [
      200,
      [
        [`${place}/code`, 'misfit', `"${'x'.repeat(21)}"`],
        [`${place}/since`, 'misfit', '"x"'],
      ],
    ],
  );
  assert.deepEqual(errorsOf(await at(loose, { strict: true })), [422, `${place}/code`, `${place}/since`]);
  assert.equal((await at({ name: { from: 'company' }, kind: { from: 'kind' } }, { strict: true })).body.warnings, undefined);
});

test('a record output cannot be combined with a binding of the form', async () => {
  const registry = await registryOf();
  assert.deepEqual(errorsOf(await create([row(registry)], { bindsRegistryTypeId: registry })), [422, '/config/bindsRegistryTypeId']);
  assert.deepEqual(errorsOf(await create([row(registry)], { bindsRegistryPending: true })), [422, '/config/bindsRegistryPending']);
  assert.deepEqual(errorsOf(await create([{ id: 'row', make: 'record', fields: {} }])), [422, '/config/then/0/registryId']);
  assert.deepEqual(errorsOf(await create([row(registry, { fields: { name: { from: 'compny' } } })])), [
    422,
    '/config/then/0/fields/name/from',
  ]);
});

test('only a member who can bind the registry can save an output that fills it in', async () => {
  const registry = await registryOf(parties, team.owner);
  assert.deepEqual(errorsOf(await create([row(registry)])).concat((await create([row(registry)])).body.code), [422, 'registry_not_found']);
  await ok('POST', `${registries}/${registry}/access`, { userId: creator.id, access: 'write' }, team.owner);
  assert.equal((await create([row(registry)])).status, 403);
  const draft = await create([row(registry)], {}, { user: team.owner });
  await ok('POST', `${formsPath}/${draft.body.id}/shares`, { userId: creator.id, rights: ['edit', 'submissions'] }, team.owner);
  assert.equal((await publish(draft.body.id)).status, 403);
  assert.equal((await publish(draft.body.id, {}, team.owner)).status, 200);
});

test('a record output fails after its publisher lost the right to bind the registry', async () => {
  const admin = await chancery.user(team, { role: 'admin' });
  const registry = await registryOf();
  const form = await published([row(registry)], {}, { user: admin });
  await ok('PATCH', `/api/v1/team/members/${admin.id}`, { role: 'member' }, team.owner);
  const { outputs } = await asOwner.settled(form, await submitted(form));
  assert.equal(outputs[0].code, 'registry_binding_ended');
});

test('an API client with a share of the registry publishes a record output', async () => {
  const registry = await registryOf();
  const client = await chancery.client(team.owner, ['interfaces:read', 'interfaces:write', 'registries:read', 'registries:write']);
  const user = { ...creator, token: client.token };
  assert.equal((await create([row(registry)], {}, { user })).status, 403);
  await ok('POST', `${registries}/${registry}/access`, { clientId: client.id, access: 'bind' });
  const form = await published([row(registry)], {}, { user });
  await asOwner.settled(form, await submitted(form));
  assert.equal((await recordsOf(registry)).length, 1);
});

test('a registry keeps the fields that a published output fills in', async () => {
  const registry = await registryOf();
  const form = await published([row(registry)]);
  const removed = await call('PUT', `${registries}/${registry}`, { fields: parties.filter(({ id }) => id !== 'kind') });
  assert.deepEqual([removed.status, removed.body.code], [409, 'registry_field_in_use']);
  assert.equal((await call('PUT', `${registries}/${registry}`, { fields: parties.filter(({ id }) => id !== 'code') })).status, 200);
  assert.equal((await call('DELETE', `${registries}/${registry}`)).body.code, 'registry_in_use');
  await ok('POST', `${formsPath}/${form.id}/close`);
  assert.equal((await call('DELETE', `${registries}/${registry}`)).status, 204);
});
