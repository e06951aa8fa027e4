import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { asking } from '../../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';

const registries = '/api/v1/registries';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
const { call, made, status } = asking(() => chancery);

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
});

const partyFields = [
  { id: 'name', type: 'text', label: 'Name', required: true, public: true },
  { id: 'vat', type: 'text', label: 'VAT number', unique: true },
  { id: 'country', type: 'country', label: 'Country' },
  { id: 'employees', type: 'integer', label: 'Employees' },
  { id: 'volume', type: 'money', label: 'Volume' },
  { id: 'since', type: 'date', label: 'Since' },
  { id: 'seen', type: 'datetime', label: 'Last seen' },
  { id: 'tags', type: 'multiselect', label: 'Tags', options: [{ id: 'supplier' }, { id: 'customer' }, { id: 'rival' }] },
  { id: 'active', type: 'boolean', label: 'Active' },
  { id: 'notes', type: 'textarea', label: 'Notes' },
];

async function registryOf(by: User, fields: object[] = partyFields): Promise<{ id: string; records: string }> {
  const { id } = await made(by, 'POST', `${registries}/`, { name: `Parties ${randomUUIDv7()}`, fields });
  return { id, records: `${registries}/${id}/records` };
}
const add = (by: User, records: string, data: object): Promise<any> => made(by, 'POST', records, { data });
const names = async (records: string, query = '', by: User = owner) =>
  (await made(by, 'GET', `${records}${query}`)).map(({ data }: any) => data.name);

test('a record is created with normalized values, read back, and changed in part and completely', async () => {
  const { records } = await registryOf(owner);
  const answer = await call(owner, 'POST', records, {
    data: { name: '  Acme Robotics ', employees: 12, volume: { amount: '10.50', currency: 'EUR' }, tags: ['supplier'] },
  });
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers.get('location'), `${records}/${answer.body.id}`);
  const { id } = answer.body;
  assert.deepEqual(answer.body.data, {
    name: 'Acme Robotics',
    employees: 12,
    volume: { amount: '10.50', currency: 'EUR' },
    tags: ['supplier'],
  });
  assert.deepEqual((await made(owner, 'GET', `${records}/${id}`)).data, answer.body.data);
  const patched = await made(owner, 'PATCH', `${records}/${id}`, { data: { employees: 13, tags: null } });
  assert.deepEqual(patched.data, { name: 'Acme Robotics', employees: 13, volume: { amount: '10.50', currency: 'EUR' } });
  assert.equal(patched.version, 2);
  const replaced = await made(owner, 'PUT', `${records}/${id}`, { ...patched, data: { name: 'Acme' } });
  assert.deepEqual(replaced.data, { name: 'Acme' });
  const same = await made(owner, 'PUT', `${records}/${id}`, { data: { name: 'Acme' } });
  assert.equal(same.version, 3, 'a request without a change creates no version');
});

test('invalid values are rejected with pointer and reason, and nothing is stored', async () => {
  const { records } = await registryOf(owner);
  const answer = await call(owner, 'POST', records, { data: { employees: 'many', colour: 'red', nmae: null, tags: ['enemy'] } });
  assert.deepEqual([answer.status, answer.body.code], [422, 'registry_record_invalid']);
  assert.deepEqual(answer.body.errors.map(({ pointer, rule }: any) => `${pointer} ${rule}`).toSorted(), [
    '/data/colour unknown',
    '/data/employees integer',
    '/data/name required',
    '/data/nmae unknown',
    '/data/tags/0 option',
  ]);
  const reasonOf = (reply: { body: any }) => reply.body.errors.find(({ name }: any) => name === 'nmae')?.reason;
  assert.equal(reasonOf(answer), 'is unknown; did you mean `name`?');
  const { id } = await made(owner, 'POST', records, { data: { name: 'Acme' } });
  const patched = await call(owner, 'PATCH', `${records}/${id}`, { data: { employees: 3, nmae: null } });
  assert.deepEqual([patched.status, reasonOf(patched)], [422, 'is unknown; did you mean `name`?']);
  const large = await call(owner, 'POST', records, { data: { name: 'x', notes: 'é'.repeat(9_999) } });
  assert.equal(large.status, 201);
  assert.equal((await made(owner, 'GET', records)).length, 2);
});

test('a value that was valid when written stays when other values change, and is checked when all are replaced', async () => {
  const { id: registry, records } = await registryOf(owner);
  const { id } = await add(owner, records, { name: 'Acme' });
  await made(owner, 'PUT', `${registries}/${registry}`, {
    fields: partyFields.map((field) => (field.id === 'country' ? { ...field, required: true } : field)),
  });
  assert.equal((await made(owner, 'PATCH', `${records}/${id}`, { data: { employees: 3 } })).data.employees, 3);
  assert.equal(await status(owner, 'PUT', `${records}/${id}`, { data: { name: 'Acme', employees: 3 } }), 422);
  assert.equal(await status(owner, 'PATCH', `${records}/${id}`, { data: { name: null } }), 422);
});

test('a unique value belongs to one record without regard to case, until it changes or the record is in the bin', async () => {
  const { id: registry, records } = await registryOf(owner);
  const first = await add(owner, records, { name: 'Acme', vat: 'DE1' });
  const taken = await call(owner, 'POST', records, { data: { name: 'Other', vat: 'de1' } });
  assert.deepEqual([taken.status, taken.body.code], [409, 'registry_value_taken']);
  const second = await add(owner, records, { name: 'Other', vat: 'DÉ1' });
  assert.equal(await status(owner, 'PATCH', `${records}/${second.id}`, { data: { vat: 'DE1' } }), 409);
  assert.equal(await status(owner, 'PUT', `${records}/${second.id}`, { data: { name: 'Other', vat: 'DE1' } }), 409);
  assert.equal(await status(owner, 'DELETE', `${records}/${first.id}`), 204);
  await made(owner, 'PATCH', `${records}/${second.id}`, { data: { vat: 'DE1' } });
  assert.equal(await status(owner, 'POST', `${records}/${first.id}/restore`), 409, 'another record has the value now');
  await made(owner, 'PATCH', `${records}/${second.id}`, { data: { vat: 'DE2' } });
  await made(owner, 'POST', `${records}/${first.id}/restore`);
  const back = await made(owner, 'GET', `${records}/${second.id}/history`);
  const withIt = back.find(({ data }: any) => data.vat === 'DE1').version;
  assert.equal(await status(owner, 'POST', `${records}/${second.id}/revert`, { version: withIt }), 409);
  const plain = partyFields.map((field) => ({ ...field, unique: false }));
  await made(owner, 'PUT', `${registries}/${registry}`, { fields: plain });
  await add(owner, records, { name: 'Third', vat: 'de1' });
  const repeated = await call(owner, 'PUT', `${registries}/${registry}`, { fields: partyFields });
  assert.deepEqual([repeated.status, repeated.body.code], [409, 'registry_values_repeated']);
});

test('a unique value with many combining marks belongs to one record and is found in both normal forms', async () => {
  const { records } = await registryOf(owner);
  const vat = `DE${'\u0301\u0327'.repeat(20)}`;
  const { data, id } = await add(owner, records, { name: 'Marked', vat });
  for (const given of [vat, data.vat]) {
    const taken = await call(owner, 'POST', records, { data: { name: 'Other', vat: given } });
    assert.deepEqual([taken.status, taken.body.code], [409, 'registry_value_taken']);
    assert.deepEqual(await names(records, `?${new URLSearchParams({ filter: `vat:eq:${given}` }).toString()}`), ['Marked']);
  }
  assert.deepEqual((await made(owner, 'PUT', `${records}/${id}`, { data })).data, data);
});

test('of 50 concurrent records with the same unique value one is created and 49 get an error', async () => {
  const { records } = await registryOf(owner);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => call(owner, 'POST', records, { data: { name: `N${n}`, vat: 'RACED' } })),
  );
  assert.deepEqual(
    Object.entries(Object.groupBy(answers, ({ status: code }) => String(code))).map(([code, all]) => [code, all?.length]),
    [
      ['201', 1],
      ['409', 49],
    ],
  );
  assert.deepEqual((await made(owner, 'GET', records)).length, 1);
});

test('of 50 concurrent changes with the same version one succeeds and 49 get 412', async () => {
  const { records } = await registryOf(owner);
  const { id } = await add(owner, records, { name: 'Raced' });
  const tag = (await call(owner, 'GET', `${records}/${id}`)).headers.get('etag') ?? '';
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => call(owner, 'PATCH', `${records}/${id}`, { data: { employees: n } }, { 'if-match': tag })),
  );
  const passed = answers.filter(({ status: code }) => code === 200);
  assert.equal(passed.length, 1);
  assert.equal(answers.filter(({ status: code }) => code === 412).length, 49);
  assert.deepEqual((await made(owner, 'GET', `${records}/${id}`)).data, passed[0]?.body.data);
});

test('records that swap unique values concurrently never have the same value, and no value is lost', async () => {
  const { records } = await registryOf(owner);
  const [a, b] = [await add(owner, records, { name: 'A', vat: 'one' }), await add(owner, records, { name: 'B', vat: 'two' })];
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      call(owner, 'PATCH', `${records}/${n % 2 ? a.id : b.id}`, { data: { vat: ['one', 'two', 'three'][n % 3] } }),
    ),
  );
  const [left, right] = [
    (await made(owner, 'GET', `${records}/${a.id}`)).data.vat,
    (await made(owner, 'GET', `${records}/${b.id}`)).data.vat,
  ];
  assert.notEqual(left, right);
  const { rows } = await chancery.pool.query('SELECT key FROM registry_unique_value WHERE record_id = ANY ($1) ORDER BY key', [
    [a.id, b.id],
  ]);
  assert.deepEqual(
    rows.map(({ key }) => key),
    [left, right].toSorted(),
  );
});

test('lists support the filters of each field type, several filters and words', async () => {
  const { records } = await registryOf(owner);
  const all = [
    {
      name: 'Acme Robotics',
      vat: 'DE-1',
      country: 'DE',
      employees: 12,
      volume: { amount: '100', currency: 'EUR' },
      since: '2020-05-01',
      tags: ['supplier'],
      active: true,
      seen: '2026-03-01T10:00:00+01:00',
    },
    {
      name: 'Zoë Müller',
      vat: 'DE-2',
      country: 'DE',
      employees: -3,
      volume: { amount: '99.99', currency: 'EUR' },
      since: '2021-01-31',
      tags: ['supplier', 'customer'],
      notes: 'Prefers to sign on paper',
    },
    {
      name: '法律事務所',
      vat: 'JP-1',
      country: 'JP',
      employees: 0,
      volume: { amount: '5000', currency: 'JPY' },
      active: false,
      seen: '2026-03-02T00:00:00Z',
    },
    { name: 'acme holdings', employees: 120, since: '2020-06-30' },
  ];
  for (const data of all) await add(owner, records, data);
  const found = (...filters: string[]) => names(records, `?${filters.map((filter) => `filter=${encodeURIComponent(filter)}`).join('&')}`);
  const q = (words: string) => names(records, `?q=${encodeURIComponent(words)}`);
  const [acme, zoe, law, holdings] = all.map(({ name }) => name);
  assert.deepEqual(await found('name:eq:ACME ROBOTICS'), [acme]);
  assert.deepEqual(await found('name:prefix:acme'), [acme, holdings]);
  assert.deepEqual(await found('name:prefix:zoe mu'), [zoe], 'prefixes ignore accents');
  assert.deepEqual(await found('name:eq:Zoe Müller'), [], 'whole values do not ignore accents');
  assert.deepEqual(await found('vat:in:de-1|JP-1'), [acme, law]);
  assert.deepEqual(await found('employees:gt:-3'), [acme, law, holdings]);
  assert.deepEqual(await found('employees:gte:-3', 'employees:lt:12'), [zoe, law]);
  assert.deepEqual(await found('employees:lte:0'), [zoe, law]);
  assert.deepEqual(await found('volume:gte:100 EUR'), [acme]);
  assert.deepEqual(await found('volume:lt:100 EUR'), [zoe]);
  assert.deepEqual(await found('since:gte:2020-06'), [zoe, holdings]);
  assert.deepEqual(await found('since:eq:2020'), [acme, holdings]);
  assert.deepEqual(await found('since:lte:2020-05-01'), [acme]);
  assert.deepEqual(await found('since:empty'), [law]);
  assert.deepEqual(await found('since:filled', 'country:empty'), [holdings]);
  assert.deepEqual(await found('seen:eq:2026-03-01T09:00:00Z'), [acme]);
  assert.deepEqual(await found('seen:gt:2026-03-01'), [law]);
  assert.deepEqual(await found('tags:eq:supplier'), [acme, zoe]);
  assert.deepEqual(await found('tags:eq:supplier', 'tags:eq:customer'), [zoe]);
  assert.deepEqual(await found('active:eq:false'), [law]);
  assert.deepEqual(await found('country:eq:DE', 'employees:gt:0', 'name:prefix:a'), [acme]);
  assert.deepEqual(await found('notes:filled'), [zoe]);
  assert.deepEqual(await q('acm'), [acme, holdings]);
  assert.deepEqual(await q('robo acme'), [acme]);
  assert.deepEqual(await q('muller pap'), [zoe]);
  assert.deepEqual(await q('事務'), [law]);
  assert.deepEqual(await q('法'), [law]);
  assert.deepEqual(await q('事法'), []);
  assert.deepEqual(await q('!'), []);
  assert.deepEqual(await names(records, '?q=acme&filter=country:eq:DE'), [acme]);
  assert.deepEqual(await names(records, '?sort=employees'), [zoe, law, acme, holdings]);
  assert.deepEqual(await names(records, '?sort=-since'), [zoe, holdings, acme, law], 'records without a value come last in both orders');
  assert.deepEqual(await names(records, '?sort=since&filter=employees:gte:-10'), [acme, holdings, zoe, law]);
  assert.deepEqual(await names(records, '?sort=name'), [holdings, acme, zoe, law]);
  for (const bad of [
    'name',
    'name:near:x',
    'colour:eq:red',
    'employees:eq:many',
    'volume:gt:100',
    'notes:eq:x',
    'active:eq:yes',
    'name:eq',
  ])
    assert.equal(await status(owner, 'GET', `${records}?filter=${encodeURIComponent(bad)}`), 400, bad);
  for (const bad of ['notes', 'tags', 'colour', '']) assert.equal(await status(owner, 'GET', `${records}?sort=${bad}`), 400, bad);
});

test('the history has the changed values, actor and time, and each version can be restored', async () => {
  const { id: registry, records } = await registryOf(owner);
  const member = await chancery.user(team);
  await made(owner, 'POST', `${registries}/${registry}/access`, { userId: member.id, access: 'write' });
  const { id } = await add(owner, records, { name: 'Acme', employees: 1 });
  await made(member, 'PATCH', `${records}/${id}`, { data: { employees: 2, country: 'DE' } });
  await made(owner, 'DELETE', `${records}/${id}`);
  await made(member, 'POST', `${records}/${id}/restore`);
  const history = await made(member, 'GET', `${records}/${id}/history`);
  assert.deepEqual(
    history.map(({ version, act, changedBy, changes }: any) => ({ version, act, changedBy, changes })),
    [
      { version: 4, act: 'restored', changedBy: member.id, changes: {} },
      { version: 3, act: 'deleted', changedBy: owner.id, changes: {} },
      { version: 2, act: 'updated', changedBy: member.id, changes: { employees: { from: 1, to: 2 }, country: { to: 'DE' } } },
      { version: 1, act: 'created', changedBy: owner.id, changes: { name: { to: 'Acme' }, employees: { to: 1 } } },
    ],
  );
  const seen: number[] = [];
  let next: string | undefined = `${records}/${id}/history?limit=1`;
  while (next !== undefined) {
    const page = await call(owner, 'GET', next);
    seen.push(...page.body.map(({ version }: any) => version));
    next = /<[^>]*?(\/api[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  assert.deepEqual(seen, [4, 3, 2, 1]);
  const again = await made(owner, 'POST', `${records}/${id}/revert`, { version: 1 });
  assert.deepEqual([again.data, again.version], [{ name: 'Acme', employees: 1 }, 5]);
  assert.equal((await made(owner, 'GET', `${records}/${id}/history`))[0].act, 'reverted');
  assert.equal(await status(owner, 'POST', `${records}/${id}/revert`, { version: 9 }), 404);
  await made(owner, 'PUT', `${registries}/${registry}`, {
    fields: [...partyFields, { id: 'city', type: 'text', label: 'City', required: true }],
  });
  assert.equal(await status(owner, 'POST', `${records}/${id}/revert`, { version: 2 }), 422, 'the current fields validate restored values');
  // The keys are those of the current values.
  assert.deepEqual(await names(records, '?filter=country:eq:DE'), []);
  assert.deepEqual(await names(records, '?filter=employees:eq:1'), ['Acme']);
});

test('records in the bin are not listed, and readers get 404', async () => {
  const { id: registry, records } = await registryOf(owner);
  const reader = await chancery.user(team);
  await made(owner, 'POST', `${registries}/${registry}/access`, { userId: reader.id, access: 'read' });
  const { id } = await add(owner, records, { name: 'Gone', country: 'DE' });
  assert.deepEqual(await names(records, '', reader), ['Gone']);
  assert.equal(await status(owner, 'DELETE', `${records}/${id}`), 204);
  for (const query of ['', '?sort=name', '?filter=country:eq:DE', '?q=gone', '?filter=since:empty'])
    assert.deepEqual(await names(records, query), [], query);
  assert.deepEqual(await names(records, '?status=deleted'), ['Gone']);
  assert.equal(await status(reader, 'GET', `${records}/${id}`), 404);
  assert.equal(await status(reader, 'GET', `${records}?status=deleted`), 403);
  assert.equal(await status(owner, 'PATCH', `${records}/${id}`, { data: { name: 'Back' } }), 404);
  assert.equal(await status(owner, 'GET', `${records}?status=deleted&q=gone`), 400);
});

test('a record can refer to records of another registry that the writer can read', async () => {
  const parties = await registryOf(owner);
  const party = await add(owner, parties.records, { name: 'Acme' });
  const contracts = await registryOf(owner, [
    { id: 'title', type: 'text', label: 'Title' },
    { id: 'party', type: 'registry', label: 'Party', registryTypeId: parties.id },
  ]);
  const member = await chancery.user(team);
  await made(owner, 'POST', `${registries}/${contracts.id}/access`, { userId: member.id, access: 'write' });
  const named = (by: User, id: string) => call(by, 'POST', contracts.records, { data: { title: 'NDA', party: id } });
  assert.equal((await named(owner, party.id)).status, 201);
  const [hidden, nothing] = [await named(member, party.id), await named(member, randomUUIDv7())];
  assert.deepEqual([hidden.status, hidden.body.errors], [422, nothing.body.errors], 'the same response as for a missing record');
  assert.equal(await status(owner, 'DELETE', `${parties.records}/${party.id}`), 204);
  assert.equal((await named(owner, party.id)).status, 422);
  const [kept] = await made(owner, 'GET', `${contracts.records}?filter=party:eq:${party.id}`);
  assert.equal((await made(member, 'PATCH', `${contracts.records}/${kept.id}`, { data: { title: 'Old NDA' } })).data.party, party.id);
});

test('reads by role alone add one journal entry an hour, which the owner can see', async () => {
  const member = await chancery.user(team);
  const admin = await chancery.user(team, { role: 'admin' });
  const { id: registry, records } = await registryOf(member);
  const { id } = await add(member, records, { name: 'Private' });
  for (let time = 0; time < 3; time += 1) assert.deepEqual(await names(records, '', admin), ['Private']);
  await made(admin, 'PATCH', `${records}/${id}`, { data: { employees: 1 } });
  const { privilegedAccess } = await made(member, 'GET', `${registries}/${registry}/access`);
  assert.deepEqual(
    privilegedAccess.map(({ type, userId }: any) => [type, userId]),
    [['registry.records_read', admin.id]],
  );
  const { rows } = await chancery.pool.query("SELECT data FROM audit_entry WHERE type = 'registry.record.updated' AND target_id = $1", [
    id,
  ]);
  assert.deepEqual(rows, [{ data: { registryId: registry, version: 2, fields: ['employees'], via: 'role' } }]);
});

test('events name the changed fields and never contain values', async () => {
  const { records } = await registryOf(owner);
  const secret = `secret ${randomUUIDv7()}`;
  const { id } = await add(owner, records, { name: secret });
  await made(owner, 'PATCH', `${records}/${id}`, { data: { notes: secret } });
  const { rows } = await chancery.pool.query('SELECT 1 FROM event WHERE convert_from(body, $1) LIKE $2', ['UTF8', `%${secret}%`]);
  assert.equal(rows.length, 0);
  const { rows: entries } = await chancery.pool.query('SELECT 1 FROM audit_entry WHERE data::text LIKE $1', [`%${secret}%`]);
  assert.equal(entries.length, 0);
});
