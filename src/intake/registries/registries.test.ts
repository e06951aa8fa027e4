import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { asking } from '../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { isolationOf } from '../../../test/isolation.ts';
import { staffToken } from '../../../test/staff.ts';
import { purgeRegistries } from './jobs.ts';

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

const plain = [{ id: 'name', type: 'text', label: 'Name' }];
const registry = (by: User, members: object = {}): Promise<any> =>
  made(by, 'POST', `${registries}/`, { name: `Registry ${randomUUIDv7()}`, fields: plain, ...members });
const refusedAs = async (answering: ReturnType<typeof call>) => {
  const { status: code, body } = await answering;
  return `${code} ${body?.code}`;
};

test('a registry is created, read back, changed in part and listed', async () => {
  const answer = await call(owner, 'POST', `${registries}/`, { name: ' Parties ', description: 'All contract parties', fields: plain });
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers.get('location'), `${registries}/${answer.body.id}`);
  assert.deepEqual(answer.body, {
    ...answer.body,
    name: 'Parties',
    description: 'All contract parties',
    fields: plain,
    userId: owner.id,
    access: 'manage',
  });
  assert.deepEqual(await made(owner, 'GET', `${registries}/${answer.body.id}`), answer.body);
  const changed = await made(owner, 'PUT', `${registries}/${answer.body.id}`, { ...answer.body, name: 'Customers', description: null });
  assert.equal(changed.name, 'Customers');
  assert.ok(!('description' in changed));
  const listed = (await made(owner, 'GET', registries)).find(({ id }: any) => id === changed.id);
  assert.deepEqual(listed, changed);
  assert.equal(await status(owner, 'PUT', `${registries}/${changed.id}`, { name: 'Late' }, { 'if-match': '"1"' }), 412);
  assert.equal(await status(owner, 'PUT', `${registries}/${changed.id}`, { fields: [...plain, ...plain] }), 422);
});

test('invalid fields are rejected with pointer and reason', async () => {
  const wrong = async (fields: object[]): Promise<string[]> => {
    const answer = await call(owner, 'POST', `${registries}/`, { name: 'Wrong', fields });
    assert.deepEqual([answer.status, answer.body.code], [422, 'registry_fields_invalid'], answer.text);
    return answer.body.errors.map(({ pointer, rule }: any) => `${pointer} ${rule}`);
  };
  assert.deepEqual(await wrong([...plain, ...plain]), ['/fields/1/id unique']);
  assert.deepEqual(await wrong([{ id: 'createdAt', type: 'text', label: 'When' }]), ['/fields/0/id reserved']);
  assert.deepEqual(await wrong([{ id: 'a', type: 'select', label: 'A' }]), ['/fields/0/options required']);
  assert.deepEqual(await wrong([{ id: 'a', type: 'boolean', label: 'A', unique: true }]), ['/fields/0/unique unique']);
  assert.deepEqual(await wrong([{ id: 'a', type: 'text', label: 'A', validation: { pattern: '(?=a)' } }]), [
    '/fields/0/validation/pattern pattern',
  ]);
  const hidden = await registry(await chancery.user(team));
  const member = await chancery.user(team);
  const refers = (registryTypeId: string) => [{ id: 'a', type: 'registry', label: 'A', registryTypeId }];
  const named = await call(member, 'POST', `${registries}/`, { name: 'Refers', fields: refers(hidden.id) });
  const nothing = await call(member, 'POST', `${registries}/`, { name: 'Refers', fields: refers(randomUUIDv7()) });
  assert.deepEqual([named.status, named.body.errors], [422, nothing.body.errors], 'the same response as for a missing registry');
  for (const type of ['signature', 'file', 'heading', 'hidden', 'consent'])
    assert.equal(await status(owner, 'POST', `${registries}/`, { name: 'Wrong', fields: [{ id: 'a', type, label: 'A' }] }), 400, type);
});

test('a text of a field can have a text for each language, and unknown languages are rejected', async () => {
  for (const other of [{ toString: 5 }, { '': { a: 1 } }, { '\u{1d518}': 1e300 }, { 'en\n': 'Name' }]) {
    const fields = [{ id: 'name', type: 'text', label: { en: 'Name', ...other } }];
    assert.equal(await status(owner, 'POST', `${registries}/`, { name: 'Wrong', fields }), 400, JSON.stringify(other));
    const form = { title: { en: 'Title', ...other }, type: 'form', fields: [{ id: 'name', type: 'text', label: 'Name' }] };
    assert.equal(await status(owner, 'POST', '/api/v1/interfaces/', form), 400, JSON.stringify(other));
  }
  const config = { bindsRegistryTypeId: (await registry(owner)).id, bindsRegistryFields: { '1 x': { a: 1 } } };
  const bound = { title: 'Title', type: 'form', fields: [{ id: 'name', type: 'text', label: 'Name' }], config };
  assert.equal(await status(owner, 'POST', '/api/v1/interfaces/', bound), 400, 'a record field with an unknown language is rejected');
});

test('with records a field keeps its type, and a removed field cannot be added again', async () => {
  const { id } = await registry(owner, { fields: [...plain, { id: 'age', type: 'integer', label: 'Age' }] });
  const change = (fields: object[]) => call(owner, 'PUT', `${registries}/${id}`, { fields });
  assert.equal((await change([...plain, { id: 'age', type: 'text', label: 'Age' }])).status, 200, 'the registry has no records yet');
  const record = await made(owner, 'POST', `${registries}/${id}/records`, { data: { name: 'Ada', age: '36' } });
  assert.equal(await refusedAs(change([...plain, { id: 'age', type: 'integer', label: 'Age' }])), '409 registry_field_type_immutable');
  const lists = { id: 'ref', type: 'registry', label: 'Ref', registryTypeId: id };
  assert.equal((await change([...plain, { id: 'age', type: 'text', label: 'Age' }, lists])).status, 200);
  assert.equal(
    await refusedAs(change([...plain, { ...lists, validation: { maxItems: 3 } }])),
    '409 registry_field_type_immutable',
    'a list is not a single value',
  );
  assert.equal((await change(plain)).status, 200);
  const path = `${registries}/${id}/records/${record.id}`;
  assert.deepEqual((await made(owner, 'GET', path)).data, { name: 'Ada' });
  assert.deepEqual((await made(owner, 'GET', `${registries}/${id}/records`))[0].data, { name: 'Ada' });
  assert.equal(await refusedAs(change([...plain, { id: 'age', type: 'text', label: 'Age' }])), '409 registry_field_type_immutable');
  const { body } = await call(owner, 'PATCH', path, { data: { name: 'Grace' } });
  assert.deepEqual(body.data, { name: 'Grace' });
  const { rows } = await chancery.pool.query(
    "SELECT data->'fields' AS fields FROM audit_entry WHERE target_id = $1 AND type = 'registry.updated' ORDER BY id",
    [id],
  );
  assert.deepEqual(rows.at(-1).fields, { added: [], removed: ['age', 'ref'], changed: [] });
});

test('a registry belongs to its creator until it is shared with a person or the team, for reading or writing', async () => {
  const [creator, colleague, other] = [await chancery.user(team), await chancery.user(team), await chancery.user(team)];
  const viewer = await chancery.user(team, { role: 'viewer' });
  const { id } = await registry(creator);
  const path = `${registries}/${id}`;
  const sees = async (by: User) => [
    (await call(by, 'GET', path)).body.access,
    (await made(by, 'GET', registries)).some((one: any) => one.id === id),
  ];
  assert.deepEqual(await sees(colleague), [undefined, false]);
  const grant = await made(creator, 'POST', `${path}/access`, { userId: colleague.id, access: 'read' });
  assert.deepEqual(await sees(colleague), ['read', true]);
  assert.equal(await status(colleague, 'POST', `${path}/records`, { data: { name: 'x' } }), 403);
  const again = await made(creator, 'POST', `${path}/access`, { userId: colleague.id, access: 'write' });
  assert.equal(again.id, grant.id, 'a second share changes the first');
  assert.equal(await status(colleague, 'POST', `${path}/records`, { data: { name: 'x' } }), 201);
  assert.equal(await status(colleague, 'PUT', path, { name: 'Theirs' }), 403);
  assert.equal(await status(colleague, 'GET', `${path}/access`), 403);
  assert.deepEqual(await sees(other), [undefined, false]);
  const whole = await made(creator, 'POST', `${path}/access`, { team: true, access: 'write' });
  assert.deepEqual(await sees(other), ['write', true]);
  assert.deepEqual(await sees(viewer), ['read', true], 'a viewer can only read');
  const { grants } = await made(creator, 'GET', `${path}/access`);
  assert.deepEqual(
    grants.map(({ userId, team: all, access, reason }: any) => [userId ?? all, access, reason]),
    [
      [creator.id, 'write', 'owner'],
      [colleague.id, 'write', 'share'],
      [true, 'write', 'share'],
      [owner.id, 'write', 'role'],
    ],
  );
  assert.equal(await status(creator, 'DELETE', `${path}/access/${whole.id}`), 204);
  assert.deepEqual(await sees(other), [undefined, false]);
  assert.equal(
    await refusedAs(call(creator, 'POST', `${path}/access`, { userId: creator.id, access: 'read' })),
    '409 self_share_not_allowed',
  );
  assert.equal(
    await refusedAs(call(creator, 'POST', `${path}/access`, { userId: randomUUIDv7(), access: 'read' })),
    '404 member_not_found',
  );
  assert.equal(await status(creator, 'POST', `${path}/access`, { access: 'read' }), 400);
  const { rows } = await chancery.pool.query(
    "SELECT type FROM audit_entry WHERE target_id = $1 AND type LIKE 'registry.%shared' ORDER BY id",
    [id],
  );
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['registry.shared', 'registry.shared', 'registry.shared', 'registry.unshared'],
  );
});

test('a registry of a departed member goes to the successor, and their shares end', async () => {
  const [leaver, creator] = [await chancery.user(team), await chancery.user(team)];
  const own = await registry(leaver);
  const shared = await registry(creator);
  await made(creator, 'POST', `${registries}/${shared.id}/access`, { userId: leaver.id, access: 'read' });
  await made(leaver, 'POST', `${registries}/${own.id}/access`, { userId: creator.id, access: 'read' });
  assert.equal(await status(owner, 'DELETE', `/api/v1/team/members/${leaver.id}?successorId=${creator.id}`), 204);
  const found = await made(creator, 'GET', `${registries}/${own.id}`);
  assert.deepEqual([found.userId, found.access], [creator.id, 'manage']);
  const { grants } = await made(creator, 'GET', `${registries}/${own.id}/access`);
  assert.deepEqual(
    grants.filter(({ reason }: any) => reason === 'share'),
    [],
  );
  const { rows } = await chancery.pool.query('SELECT 1 FROM access_grant WHERE user_id = $1', [leaver.id]);
  assert.equal(rows.length, 0);
});

test('a registry in the bin is not listed or writable, is restored completely, and is deleted after 30 days', async () => {
  const { id } = await registry(owner);
  const path = `${registries}/${id}`;
  const record = await made(owner, 'POST', `${path}/records`, { data: { name: 'Kept' } });
  await made(owner, 'PATCH', `${path}/records/${record.id}`, { data: { name: 'Kept still' } });
  const binned = await made(owner, 'POST', `${path}/records`, { data: { name: 'Binned' } });
  assert.equal(await status(owner, 'DELETE', `${path}/records/${binned.id}`), 204);
  assert.equal(await status(owner, 'DELETE', path), 204);
  assert.equal(await status(owner, 'GET', path), 404);
  assert.equal(await status(owner, 'GET', `${path}/records`), 404);
  assert.equal(await status(owner, 'POST', `${path}/records`, { data: { name: 'Late' } }), 404);
  assert.ok((await made(owner, 'GET', `${registries}/bin`)).some((one: any) => one.id === id && one.deletedAt));
  assert.equal(await status(await chancery.user(team), 'POST', `${path}/restore`), 404);
  await made(owner, 'POST', `${path}/restore`);
  assert.deepEqual(
    (await made(owner, 'GET', `${path}/records`)).map(({ data }: any) => data.name),
    ['Kept still'],
  );
  const purge = (days: number) =>
    purgeRegistries({ database: chancery.database, isolation: isolationOf(chancery) }, new Date(Date.now() + days * 86_400_000));
  const left = async () =>
    (
      await chancery.pool.query(
        `SELECT (SELECT count(*)::int FROM registry WHERE id = $1) AS registries, (SELECT count(*)::int FROM registry_record WHERE registry_id = $1) AS records,
           (SELECT count(*)::int FROM registry_record_version WHERE registry_id = $1) AS versions, (SELECT count(*)::int FROM registry_value WHERE registry_id = $1) AS values`,
        [id],
      )
    ).rows[0];
  await purge(29);
  assert.deepEqual(await left(), { registries: 1, records: 2, versions: 2, values: 3 });
  await purge(31);
  assert.deepEqual(await left(), { registries: 1, records: 1, versions: 1, values: 3 }, 'the record in the bin is deleted');
  assert.equal(await status(owner, 'DELETE', path), 204);
  await purge(31);
  assert.deepEqual(await left(), { registries: 0, records: 0, versions: 0, values: 0 });
});

test('records created while their registry moves to the bin are either in it or rejected', async () => {
  const { id } = await registry(owner);
  const path = `${registries}/${id}`;
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      n === 20 ? call(owner, 'DELETE', path) : call(owner, 'POST', `${path}/records`, { data: { name: `N${n}` } }),
    ),
  );
  const made201 = answers.filter(({ status: code }) => code === 201).length;
  assert.ok(answers.every(({ status: code }) => [201, 204, 404].includes(code)));
  await made(owner, 'POST', `${path}/restore`);
  assert.equal((await made(owner, 'GET', `${path}/records`)).length, made201);
});

test('registries, records and their history count against the quotas of the team', async () => {
  const few = await chancery.team();
  const staff = await staffToken(chancery);
  const { id } = await registry(few.owner);
  const quotas = (given: Record<string, number | null>) =>
    made({ token: staff }, 'PUT', `/api/v1/staff/teams/${few.id}/quotas`, { quotas: given, reason: 'tried' });
  const records = `${registries}/${id}/records`;
  const record = await made(few.owner, 'POST', records, { data: { name: 'One' } });
  await quotas({ registries: 1, registryRecords: 1, registryVersions: 0 });
  const exceeded = async (answering: ReturnType<typeof call>) => {
    const { status: code, body } = await answering;
    return [code, body.quota?.name];
  };
  assert.deepEqual(await exceeded(call(few.owner, 'POST', `${registries}/`, { name: 'Two', fields: plain })), [409, 'registries']);
  assert.deepEqual(await exceeded(call(few.owner, 'POST', records, { data: { name: 'Two' } })), [409, 'registryRecords']);
  const file = { 'content-type': 'text/csv' };
  assert.deepEqual(await exceeded(call(few.owner, 'POST', `${records}/import`, 'name\nTwo\n', file)), [409, 'registryRecords']);
  const one = `${records}/${record.id}`;
  assert.deepEqual(await exceeded(call(few.owner, 'PATCH', one, { data: { name: 'Two' } })), [409, 'registryVersions']);
  assert.deepEqual(await exceeded(call(few.owner, 'PUT', one, { data: { name: 'Two' } })), [409, 'registryVersions']);
  assert.deepEqual(await exceeded(call(few.owner, 'DELETE', one)), [409, 'registryVersions']);
});
