import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { createSubmittedRecord, eraseSubmittedRecords, publicRecords, recordsNamed, requireBindable } from '#registries';
import { asking } from '../../../../test/asking.ts';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import type { Actor, Scope } from '../../../platform/scope.ts';

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

const fields = [
  { id: 'name', type: 'text', label: 'Name', public: true, required: true },
  { id: 'city', type: 'text', label: 'City', public: true },
  { id: 'vat', type: 'text', label: 'VAT', unique: true },
  { id: 'notes', type: 'textarea', label: 'Notes' },
];
const registryOf = async (by: User): Promise<string> =>
  (await made(by, 'POST', `${registries}/`, { name: `Parties ${randomUUIDv7()}`, fields })).id;
const add = (by: User, registry: string, data: object): Promise<any> => made(by, 'POST', `${registries}/${registry}/records`, { data });

/** Runs work in a separate transaction, as the forms domain does. */
const inTeam = <T>(work: (scope: Scope) => Promise<T>, actor: Actor = { type: 'system' }): Promise<T> =>
  chancery.database.inTeam(team.id, (db) => work({ db, team: team.id, actor, now: new Date(), requestId: 'test', listeners: [] }));
const person = ({ id, role }: User): Actor => ({ type: 'user', id, role });
const reader = () => ({ db: chancery.database.reader(team.id), team: team.id });
const now = () => new Date().toISOString();
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: { code: string }) => error.code,
  );

const submitted = (registryId: string, boundBy: string, data: object, pending = false) => {
  const submissionId = randomUUIDv7();
  return inTeam(async (scope) => ({
    submissionId,
    id: await createSubmittedRecord(scope, {
      registryId,
      boundBy,
      boundAt: now(),
      submissionId,
      data: data as Record<string, unknown>,
      pending,
    }),
  }));
};

test('only the owner of a registry or an administrator can bind a form to it', async () => {
  const [creator, writer, admin] = [await chancery.user(team), await chancery.user(team), await chancery.user(team, { role: 'admin' })];
  const id = await registryOf(creator);
  await made(creator, 'POST', `${registries}/${id}/access`, { userId: writer.id, access: 'write' });
  const bind = (by: User, registry = id) => codeOf(inTeam((scope) => requireBindable(scope, registry), person(by)));
  assert.equal(await bind(creator), 'none');
  assert.equal(await bind(admin), 'none');
  assert.equal(await bind(writer), 'forbidden');
  assert.equal(await bind(await chancery.user(team)), 'registry_not_found');
  assert.equal(await bind(creator, randomUUIDv7()), 'registry_not_found');
  assert.equal(await bind(creator, 'none'), 'registry_not_found');
});

test('a lookup returns at most 50 records with the public fields of the form, searched and sorted by these fields', async () => {
  const id = await registryOf(owner);
  for (let n = 0; n < 55; n += 1)
    await add(owner, id, { name: `Party ${String(n).padStart(2, '0')}`, vat: `V${n}`, notes: n === 7 ? 'poor payer' : 'fine' });
  await add(owner, id, { name: 'Zeta', city: 'Zürich', vat: 'secret-1' });
  await add(owner, id, { name: 'Alpha', city: 'Aachen' });
  const look = (q?: string, shown = ['name', 'vat', 'city']) =>
    publicRecords(reader(), { registryId: id, boundBy: owner.id, boundAt: now(), fields: shown, ...(q === undefined ? {} : { q }) });
  const all = (await look()) ?? [];
  assert.equal(all.length, 50);
  assert.deepEqual(all[0], { id: all[0]?.id, data: { name: 'Alpha', city: 'Aachen' } });
  assert.ok(
    all.every(({ data }) => !('vat' in data) && !('notes' in data)),
    'private fields are not returned, even if the form requests them',
  );
  assert.deepEqual(
    (await look('zuri'))?.map(({ data }) => data.name),
    ['Zeta'],
  );
  for (const hidden of ['poor', 'payer', 'secret', 'V7', 'fine']) assert.deepEqual(await look(hidden), [], hidden);
  assert.deepEqual(await look('zuri', ['name']), [], 'fields that the form does not show are not searched');
  assert.deepEqual(await look(undefined, ['vat']), []);
  await made(owner, 'PUT', `${registries}/${id}`, { fields: fields.map((field) => ({ ...field, public: field.id === 'name' })) });
  assert.deepEqual(await look('zuri'), [], 'a field that is no longer public disappears at once');
  const [first] = (await look('alpha')) ?? [];
  assert.deepEqual(first?.data, { name: 'Alpha' });
});

test('a lookup ends when the member who bound the form loses the right', async () => {
  const [creator, admin] = [await chancery.user(team), await chancery.user(team, { role: 'admin' })];
  const id = await registryOf(creator);
  await add(creator, id, { name: 'Acme' });
  const boundAt = now();
  const seen = async (boundBy: User) =>
    (await publicRecords(reader(), { registryId: id, boundBy: boundBy.id, boundAt, fields: ['name'] }))?.length;
  assert.deepEqual([await seen(creator), await seen(admin)], [1, 1]);
  await made(owner, 'PATCH', `/api/v1/team/members/${admin.id}`, { role: 'member' });
  assert.equal(await seen(admin), undefined);
  await made(owner, 'PATCH', `/api/v1/team/members/${admin.id}`, { role: 'admin' });
  assert.equal(await seen(admin), 1);
  await chancery.pool.query("UPDATE account SET created_at = now() + interval '1 second' WHERE id = $1", [admin.id]);
  assert.equal(await seen(admin), undefined, 'a binding ends when its member leaves, even if the member joins again');
  assert.equal(await status(owner, 'DELETE', `/api/v1/team/members/${creator.id}?successorId=${owner.id}`), 204);
  assert.equal(await seen(creator), undefined);
  assert.equal(await seen(owner), 1);
  assert.equal(await status(owner, 'DELETE', `${registries}/${id}`), 204);
  assert.equal(await seen(owner), undefined);
  assert.equal(await codeOf(submitted(id, owner.id, { name: 'Late' })), 'registry_binding_ended');
});

test('a submission creates an active record, or a pending one that reserves nothing until its approval', async () => {
  const id = await registryOf(owner);
  const records = `${registries}/${id}/records`;
  const direct = await submitted(id, owner.id, { name: 'Direct', vat: 'A' });
  assert.deepEqual((await made(owner, 'GET', `${records}/${direct.id}`)).createdByType, 'visitor');
  assert.equal(await codeOf(submitted(id, owner.id, { name: 'Same', vat: 'a' })), 'registry_value_taken');
  assert.equal(await codeOf(submitted(id, owner.id, { vat: 'B' })), 'registry_record_invalid');
  const waiting = await submitted(id, owner.id, { name: 'Waiting', vat: 'A' }, true);
  const seen = async (query = '') => (await made(owner, 'GET', `${records}${query}`)).map(({ data }: any) => data.name);
  assert.deepEqual(await seen(), ['Direct']);
  assert.deepEqual(await seen('?status=pending&q=wait'), ['Waiting']);
  const reads = await chancery.user(team);
  await made(owner, 'POST', `${registries}/${id}/access`, { userId: reads.id, access: 'read' });
  assert.equal(await status(reads, 'GET', `${records}/${waiting.id}`), 404);
  assert.equal(
    (
      await inTeam((scope) =>
        recordsNamed(
          scope,
          [{ registryId: id, boundBy: owner.id, boundAt: now(), fields: ['name'] }],
          [{ registryTypeId: id, recordId: waiting.id }],
        ),
      )
    ).size,
    0,
  );
  const approve = () => call(owner, 'POST', `${records}/${waiting.id}/approve`);
  assert.deepEqual([(await approve()).status, (await approve()).body.code], [409, 'registry_value_taken']);
  await made(owner, 'PATCH', `${records}/${waiting.id}`, { data: { vat: 'B' } });
  assert.equal((await approve()).body.status, 'active');
  assert.equal((await approve()).body.code, 'registry_record_not_pending');
  assert.equal((await call(owner, 'POST', `${records}/${waiting.id}/decline`)).body.code, 'registry_record_not_pending');
  assert.deepEqual(await seen('?sort=name'), ['Direct', 'Waiting']);
  const declined = await submitted(id, owner.id, { name: 'Declined' }, true);
  assert.equal((await made(owner, 'POST', `${records}/${declined.id}/decline`)).status, 'deleted');
  assert.equal((await made(owner, 'POST', `${records}/${declined.id}/restore`)).status, 'pending', 'the record waits for approval again');
});

test('erasing submissions erases their records with history and keys', async () => {
  const id = await registryOf(owner);
  const records = `${registries}/${id}/records`;
  const [gone, kept] = [await submitted(id, owner.id, { name: 'Gone', vat: 'G' }), await submitted(id, owner.id, { name: 'Kept' })];
  await made(owner, 'PATCH', `${records}/${gone.id}`, { data: { city: 'Bonn' } });
  assert.deepEqual(await inTeam((scope) => eraseSubmittedRecords(scope, [gone.submissionId, randomUUIDv7()])), [gone.id]);
  assert.equal(await status(owner, 'GET', `${records}/${gone.id}`), 404);
  for (const table of ['registry_record_version', 'registry_value', 'registry_unique_value'])
    assert.equal((await chancery.pool.query(`SELECT 1 FROM ${table} WHERE record_id = $1`, [gone.id])).rowCount, 0, table);
  assert.equal(await status(owner, 'GET', `${records}/${kept.id}`), 200);
  await add(owner, id, { name: 'Again', vat: 'g' });
});

test('records that a submission refers to are returned while they exist', async () => {
  const id = await registryOf(owner);
  const [there, binned] = [await add(owner, id, { name: 'There', vat: 'T' }), await add(owner, id, { name: 'Binned' })];
  assert.equal(await status(owner, 'DELETE', `${registries}/${id}/records/${binned.id}`), 204);
  const named = [there.id, binned.id, randomUUIDv7(), 'none'].map((recordId) => ({ registryTypeId: id, recordId }));
  const showing = { registryId: id, boundBy: owner.id, boundAt: now(), fields: ['name', 'notes'] };
  const found = await inTeam((scope) => recordsNamed(scope, [showing], named));
  assert.deepEqual([...found.values()], [{ id: there.id, registryId: id, data: { name: 'There' } }]);
  for (const other of [{ registryId: randomUUIDv7() }, { boundBy: (await chancery.user(team)).id }, { fields: ['notes'] }])
    assert.equal((await inTeam((scope) => recordsNamed(scope, [{ ...showing, ...other }], named))).size, 0, JSON.stringify(other));
});
