import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { asking } from '../../../test/asking.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { publishForm, type PublishedForm } from '../../../test/published-forms.ts';

const registries = '/api/v1/registries';
const interfaces = '/api/v1/interfaces';
let chancery: Chancery;
let team: TestTeam;
let creator: User;
const { call, made, status } = asking(() => chancery);

before(async () => {
  chancery = await startChancery({ role: 'api', settings: { FORM_SUBMITS_PER_ADDRESS: '0' } });
  team = await chancery.team();
  creator = await chancery.user(team);
});
after(() => chancery.stop());

const parties = [
  { id: 'name', type: 'text', label: 'Name', public: true, required: true },
  { id: 'city', type: 'text', label: 'City', public: true },
  { id: 'vat', type: 'text', label: 'VAT', unique: true },
];
const registryOf = async (by: User, fields: object[] = parties): Promise<string> =>
  (await made(by, 'POST', `${registries}/`, { name: `Parties ${randomUUIDv7()}`, fields })).id;
const add = async (by: User, registry: string, data: object): Promise<string> =>
  (await made(by, 'POST', `${registries}/${registry}/records`, { data })).id;
const recordsOf = (registry: string, query = ''): Promise<any[]> => made(team.owner, 'GET', `${registries}/${registry}/records${query}`);
const asks = (registryTypeId: string, more: object = {}) => ({ id: 'party', type: 'registry', label: 'Party', registryTypeId, ...more });
const text = (id: string) => ({ id, type: 'text', label: id });

type Form = PublishedForm & { apiToken: string };
const formOf = async (members: object, by: User = creator): Promise<Form> => (await publishForm(chancery, by, members)) as Form;
const publishAgain = async (by: User, id: string, revision: number) => call(by, 'POST', `${interfaces}/${id}/publish`, { revision });
const look = ({ publicToken }: Form, registry: string, query = '') =>
  chancery.call('GET', `${interfaces}/public/${publicToken}/registry/${registry}${query}`);
const names = async (form: Form, registry: string, query = '') => {
  const { status: code, body } = await look(form, registry, query);
  return code === 200 ? body.records.map(({ data }: any) => data.name) : code;
};
const submit = ({ publicToken }: Form, data: object) =>
  chancery.call('POST', `${interfaces}/public/${publicToken}/submit`, { body: { data } });
const bySubmission = async (id: string) =>
  (await chancery.pool.query('SELECT kind, status, result_id, code FROM submission_effect WHERE submission_id = $1', [id])).rows;
const binds = (id: string, more: object = {}) => ({ bindsRegistryTypeId: id, ...more });

test('a link gives access only to the public fields of the registries that the form shows', async () => {
  const [shown, other] = [await registryOf(creator), await registryOf(creator)];
  const acme = await add(creator, shown, { name: 'Acme', city: 'Aachen', vat: 'DE1' });
  await add(creator, shown, { name: 'Zeta', city: 'Zürich' });
  await add(creator, other, { name: 'Hidden' });
  const form = await formOf({ fields: [asks(shown), text('name')], config: binds(other) });
  const { body } = await look(form, shown.toUpperCase(), '?q=aach');
  assert.deepEqual(body, { records: [{ id: acme, data: { name: 'Acme', city: 'Aachen' } }] });
  assert.deepEqual(await names(form, shown), ['Acme', 'Zeta']);
  assert.deepEqual(await names(form, shown, '?q=DE1'), []);
  const stranger = await chancery.team();
  const theirs = await registryOf(stranger.owner);
  const missing = await look(form, randomUUIDv7());
  assert.equal(missing.status, 404);
  for (const id of [other, theirs, 'none', '%00', "'"]) {
    const answer = await look(form, id);
    const { request_id: _, instance: __, trace_id: ___, ...problem } = answer.body;
    const { request_id: _a, instance: _b, trace_id: _c, ...asMissing } = missing.body;
    assert.deepEqual([answer.status, problem], [404, asMissing], id);
  }
  await made(creator, 'PUT', `${registries}/${shown}`, { fields: parties.map((field) => ({ ...field, public: field.id === 'name' })) });
  assert.deepEqual(
    (await look(form, shown, '?q=acme')).body.records[0].data,
    { name: 'Acme' },
    'a field that is no longer public disappears at once',
  );
  await made(creator, 'PUT', `${registries}/${shown}`, { fields: parties.map((field) => ({ ...field, public: true })) });
  assert.ok(
    !JSON.stringify((await look(form, shown)).body).includes('DE1'),
    'a newly public field appears only after the next publication',
  );
  assert.equal(await status(creator, 'POST', `${interfaces}/${form.id}/close`), 200);
  assert.equal((await look(form, shown)).status, 410);
  assert.equal((await look({ ...form, publicToken: 'x'.repeat(64) }, shown)).body.code, 'interface_not_found');
  const full = await formOf({ fields: [asks(shown), text('name')], publicSettings: { maxSubmissions: 1 } });
  assert.equal((await submit(full, { name: 'Ada' })).status, 200);
  assert.equal((await look(full, shown)).body.code, 'interface_full');
});

test('only the owner of a registry or an administrator can bind it, checked on save and on publication', async () => {
  const [editor, admin] = [await chancery.user(team), await chancery.user(team, { role: 'admin' })];
  const registry = await registryOf(creator);
  await made(creator, 'POST', `${registries}/${registry}/access`, { userId: editor.id, access: 'write' });
  const form = { title: 'Mine', type: 'form', fields: [asks(registry)] };
  const refused = await call(editor, 'POST', `${interfaces}/`, form);
  assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
  const unseen = await call(editor, 'POST', `${interfaces}/`, { ...form, fields: [asks(await registryOf(creator))] });
  assert.deepEqual([unseen.status, unseen.body.code], [422, 'registry_not_found']);
  const draft = await made(creator, 'POST', `${interfaces}/`, form);
  await made(creator, 'POST', `${interfaces}/${draft.id}/shares`, { userId: editor.id, rights: ['edit', 'submissions'] });
  assert.equal((await publishAgain(editor, draft.id, 1)).status, 403, 'no authorized member has published it');
  const blind = await chancery.user(team);
  await made(creator, 'POST', `${interfaces}/${draft.id}/shares`, { userId: blind.id, rights: ['edit', 'submissions'] });
  assert.equal((await publishAgain(blind, draft.id, 1)).body.code, 'registry_not_found', 'nor can a member who does not see the registry');
  assert.equal((await publishAgain(creator, draft.id, 1)).status, 200);
  for (const [changes, code] of [
    [{ fields: [asks(registry, { label: 'Whom is it about?' }), text('note')] }, 200],
    [{ config: binds(registry) }, 403],
    [{ fields: [asks(await registryOf(creator))] }, 422],
    [{ config: { requireAltcha: false } }, 200],
  ] as const)
    assert.equal(await status(editor, 'PUT', `${interfaces}/${draft.id}`, changes), code, JSON.stringify(changes));
  const again = await publishAgain(editor, draft.id, 3);
  assert.equal(again.status, 200, again.text);
  const { rows } = await chancery.pool.query('SELECT bindings FROM interface_version WHERE interface_id = $1 ORDER BY number', [draft.id]);
  const [{ boundAt }] = rows[0].bindings;
  const binding = { registryId: registry, boundBy: creator.id, boundAt, shown: ['name', 'city'], written: null };
  assert.deepEqual(rows, [{ bindings: [binding] }, { bindings: [binding] }], 'unchanged bindings keep the rights of the first publisher');
  await made(admin, 'PUT', `${interfaces}/${draft.id}`, { config: binds(registry, { bindsRegistryFields: { name: 'note' } }) });
  assert.equal(await status(editor, 'PUT', `${interfaces}/${draft.id}`, { config: { bindsRegistryPending: true } }), 403);
  assert.equal(
    await status(editor, 'PUT', `${interfaces}/${draft.id}`, { config: { bindsRegistryFields: { name: 'note', city: 'note' } } }),
    403,
  );
  assert.equal((await publishAgain(editor, draft.id, 4)).status, 403);
  assert.equal((await publishAgain(admin, draft.id, 4)).status, 200);
  const client = await chancery.client(team.owner, ['interfaces:write', 'interfaces:read', 'registries:read', 'registries:write']);
  assert.equal(
    (await chancery.call('POST', `${interfaces}/`, { token: client.token, body: form })).status,
    403,
    'no program gives a registry away',
  );
});

test('`null` removes the outputs and the mapping of a draft', async () => {
  const registry = await registryOf(creator);
  const bound = binds(registry, { bindsRegistryFields: { name: 'note' } });
  const draft = await made(creator, 'POST', `${interfaces}/`, { title: 'Bound', type: 'form', fields: [text('note')], config: bound });
  const { config } = await made(creator, 'PUT', `${interfaces}/${draft.id}`, { config: { then: null, bindsRegistryFields: null } });
  assert.deepEqual([config.then, config.bindsRegistryFields], [undefined, undefined]);
});

test('an API client binds its form to a registry that its owner shared with it, until the share ends', async () => {
  const registry = await registryOf(creator);
  const client = await chancery.client(team.owner, ['interfaces:write', 'interfaces:read', 'registries:read', 'registries:write']);
  const form = { title: 'Desk', type: 'form', fields: [text('name')], config: binds(registry) };
  const create = () => chancery.call('POST', `${interfaces}/`, { token: client.token, body: form });
  assert.equal((await create()).status, 403);
  const shares = `/api/v1/registries/${registry}/access`;
  for (const [body, code] of [
    [{ clientId: client.id, access: 'write' }, 'validation_failed'],
    [{ userId: (await chancery.user(team)).id, access: 'bind' }, 'validation_failed'],
    [{ clientId: randomUUIDv7(), access: 'bind' }, 'client_not_found'],
  ] as const)
    assert.equal((await call(creator, 'POST', shares, body)).body.code, code, JSON.stringify(body));
  const share = await made(creator, 'POST', shares, { clientId: client.id, access: 'bind' });
  assert.deepEqual([share.clientId, share.access], [client.id, 'bind']);
  const created = await create();
  assert.equal(created.status, 201, created.text);
  const published = await chancery.call('POST', `${interfaces}/${created.body.id}/publish`, { token: client.token, body: { revision: 1 } });
  assert.equal(published.status, 200, published.text);
  const submitted = async () =>
    chancery.call('POST', `${interfaces}/api/${published.body.apiToken}/submit`, { body: { data: { name: 'Acme' } } });
  assert.ok((await submitted()).body.bindingRecordId);
  const narrow = await chancery.client(team.owner, ['interfaces:write', 'interfaces:read', 'registries:read']);
  await made(creator, 'POST', shares, { clientId: narrow.id, access: 'bind' });
  assert.equal((await chancery.call('POST', `${interfaces}/`, { token: narrow.token, body: form })).status, 403, 'it may not write');
  assert.equal(await status(creator, 'DELETE', `${shares}/${share.id}`), 204);
  const [record, ...others] = await recordsOf(registry);
  assert.equal((await submitted()).body.bindingRecordId, undefined, 'the form makes no record after the share ends');
  assert.deepEqual([record.data, others], [{ name: 'Acme' }, []]);
  assert.equal((await create()).status, 403);
});

test('a definition that does not fit its registry is rejected on publication, with the position', async () => {
  const registry = await registryOf(creator);
  const refused = async (members: object) => {
    const { id } = await made(creator, 'POST', `${interfaces}/`, { title: 'Mine', type: 'form', ...members });
    const { status: code, body } = await publishAgain(creator, id, 1);
    return code === 200 ? 'published' : `${body.code} ${body.errors?.[0]?.pointer}`;
  };
  const fields = [text('name'), text('who'), { id: 'born', type: 'file', label: 'File' }];
  assert.equal(await refused({ fields, config: binds(registry) }), 'published');
  assert.equal(await refused({ fields, config: binds(registry, { bindsRegistryFields: { name: 'who' } }) }), 'published');
  const at = (place: string) => `interface_invalid /config/${place}`;
  for (const [bindsRegistryFields, place] of [
    [{ name: 'nobody' }, 'bindsRegistryFields/name'],
    [{ name: 'who', colour: 'who' }, 'bindsRegistryFields/colour'],
    [{ name: 'born' }, 'bindsRegistryFields/name'],
    [{ city: 'who' }, 'bindsRegistryTypeId'],
  ] as const)
    assert.equal(
      await refused({ fields, config: binds(registry, { bindsRegistryFields }) }),
      at(place),
      JSON.stringify(bindsRegistryFields),
    );
  assert.equal(await refused({ fields: [text('who')], config: binds(registry) }), at('bindsRegistryTypeId'));
  assert.equal(await refused({ type: 'registry', fields }), at('bindsRegistryTypeId'));
  const many = await call(creator, 'POST', `${interfaces}/`, {
    title: 'Many',
    type: 'form',
    fields: Array.from({ length: 11 }, (_, n) => asks(randomUUIDv7(), { id: `f${n}` })),
  });
  assert.deepEqual([many.status, many.body.code], [422, 'interface_invalid']);
});

test('a submission creates a record, at once or for approval, and the API response has its id', async () => {
  const registry = await registryOf(creator);
  const form = await formOf({ type: 'registry', fields: [text('name'), text('vat'), text('note')], config: binds(registry) });
  const answer = await chancery.call('POST', `${interfaces}/api/${form.apiToken}/submit`, {
    body: { data: { name: 'Acme', vat: 'A', note: 'x' } },
  });
  assert.equal(answer.status, 200, answer.text);
  const [record, ...none] = await recordsOf(registry);
  assert.deepEqual([none, record.id, record.data], [[], answer.body.bindingRecordId, { name: 'Acme', vat: 'A' }]);
  assert.deepEqual([record.createdByType, record.submissionId], ['visitor', answer.body.submissionId]);
  assert.deepEqual(await names(form, registry), ['Acme'], 'a registry form shows existing records');
  const plain = await submit(form, { name: 'Zeta' });
  assert.deepEqual(
    Object.keys(plain.body).toSorted(),
    ['hasSession', 'message', 'submissionId', 'success'],
    'the public is told nothing of it',
  );
  const waiting = await formOf({
    fields: [text('who')],
    config: binds(registry, { bindsRegistryFields: { name: 'who' }, bindsRegistryPending: true }),
  });
  assert.equal((await submit(waiting, { who: 'Later' })).status, 200);
  assert.deepEqual(await names(form, registry), ['Acme', 'Zeta']);
  const [pending] = await recordsOf(registry, '?status=pending');
  assert.deepEqual(pending.data, { name: 'Later' });
  await made(creator, 'POST', `${registries}/${registry}/records/${pending.id}/approve`);
  assert.deepEqual(await names(form, registry), ['Acme', 'Later', 'Zeta']);
});

test('if the record is rejected, the submission is stored as failed', async () => {
  const registry = await registryOf(creator);
  const form = await formOf({ fields: [text('name'), text('vat')], config: binds(registry) });
  const answers = await Promise.all(Array.from({ length: 8 }, () => submit(form, { name: 'Acme', vat: 'once' })));
  assert.deepEqual([...new Set(answers.map(({ status: code }) => code))], [200], answers[0]?.text ?? '');
  const effects = (await Promise.all(answers.map(({ body }) => bySubmission(body.submissionId)))).flat();
  assert.deepEqual(effects.filter(({ status: is }) => is === 'done').length, 1);
  assert.deepEqual(
    [...new Set(effects.filter(({ status: is }) => is !== 'done').map((one) => `${one.kind} ${one.status} ${one.code}`))],
    ['record failed registry_value_taken'],
  );
  assert.equal((await recordsOf(registry)).length, 1);
  const without = await submit(form, { vat: 'other' });
  assert.deepEqual([without.status, (await bySubmission(without.body.submissionId))[0].code], [200, 'registry_record_invalid']);
  const { rows } = await chancery.pool.query("SELECT data FROM audit_entry WHERE target_id = $1 AND type = 'submission.failed'", [
    without.body.submissionId,
  ]);
  assert.deepEqual(rows, [{ data: { interfaceId: form.id, kind: 'record', code: 'registry_record_invalid' } }]);
});

test('an answer can only name a record that the form shows, and keeps a copy of it', async () => {
  const [registry, other] = [await registryOf(creator), await registryOf(creator)];
  const [acme, binned, elsewhere] = [
    await add(creator, registry, { name: 'Acme', vat: 'secret' }),
    await add(creator, registry, { name: 'Gone' }),
    await add(creator, other, { name: 'Elsewhere' }),
  ];
  assert.equal(await status(creator, 'DELETE', `${registries}/${registry}/records/${binned}`), 204);
  const waiting = await formOf({ fields: [text('name')], config: binds(registry, { bindsRegistryPending: true }) });
  assert.equal((await submit(waiting, { name: 'Waits' })).status, 200);
  const [{ id: pending }] = await recordsOf(registry, '?status=pending');
  const form = await formOf({ fields: [asks(registry, { validation: { maxItems: 3 } }), text('note')] });
  const { status: code, body, text: said } = await submit(form, { party: [acme.toUpperCase()] });
  assert.equal(code, 200, said);
  await made(creator, 'PATCH', `${registries}/${registry}/records/${acme}`, { data: { name: 'Renamed' } });
  const { rows } = await chancery.pool.query('SELECT records FROM submission WHERE id = $1', [body.submissionId]);
  assert.deepEqual(rows, [{ records: { [acme]: { registryTypeId: registry, data: { name: 'Acme' } } } }]);
  for (const id of [binned, pending, elsewhere, randomUUIDv7()]) {
    const answer = await submit(form, { party: [acme, id] });
    assert.deepEqual([answer.status, answer.body.code, answer.body.errors?.[0]?.pointer], [422, 'submission_invalid', '/data/party'], id);
  }
  const [private_] = [await registryOf(creator, [{ id: 'name', type: 'text', label: 'Name' }])];
  const kept = await add(creator, private_, { name: 'Nobody is shown this' });
  const blind = await formOf({ fields: [asks(private_)] });
  assert.deepEqual((await look(blind, private_)).body, { records: [] });
  assert.equal((await submit(blind, { party: kept })).status, 422, 'the response does not disclose whether the record exists');
});

test('a binding ends with the rights of its creator until the form is published again', async () => {
  const [leaver, successor] = [await chancery.user(team), await chancery.user(team)];
  const registry = await registryOf(leaver);
  const acme = await add(leaver, registry, { name: 'Acme' });
  const form = await formOf({ fields: [asks(registry), text('name')], config: binds(registry) }, leaver);
  assert.equal((await submit(form, { name: 'Before', party: acme })).status, 200);
  assert.equal(await status(team.owner, 'DELETE', `/api/v1/team/members/${leaver.id}?successorId=${successor.id}`), 204);
  assert.equal((await look(form, registry)).status, 404);
  assert.equal((await submit(form, { party: acme })).status, 422);
  const late = await submit(form, { name: 'Late' });
  assert.deepEqual([late.status, (await bySubmission(late.body.submissionId))[0].code], [200, 'registry_binding_ended']);
  await made(successor, 'PUT', `${interfaces}/${form.id}`, { title: 'Mine now' });
  assert.equal((await publishAgain(successor, form.id, 2)).status, 200);
  assert.deepEqual(await names(form, registry), ['Acme', 'Before']);
  const again = await submit(form, { name: 'After', party: acme });
  assert.equal((await bySubmission(again.body.submissionId))[0].status, 'done');
});

test('a registry field that a published form uses cannot be removed', async () => {
  const registry = await registryOf(creator);
  const form = await formOf({ fields: [text('vat'), text('name')], config: binds(registry) });
  const change = (fields: object[]) => call(creator, 'PUT', `${registries}/${registry}`, { fields });
  const without = await change(parties.filter(({ id }) => id !== 'vat'));
  assert.deepEqual([without.status, without.body.code], [409, 'registry_field_in_use']);
  assert.equal((await change(parties.filter(({ id }) => id !== 'city'))).status, 200, 'no form uses this field');
  const deleted = await call(creator, 'DELETE', `${registries}/${registry}`);
  assert.deepEqual([deleted.status, deleted.body.code], [409, 'registry_in_use']);
  await made(creator, 'POST', `${interfaces}/${form.id}/close`);
  assert.equal(await status(creator, 'DELETE', `${registries}/${registry}`), 204);
});
