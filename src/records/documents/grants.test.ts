import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { documentReadableBy, endGrantsOfTask, grantForTask, readableDocument } from '#documents';
import { type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';
import type { Actor, Scope } from '../../platform/scope.ts';

const documents = '/api/v1/smartdoc/documents';
let chancery: Chancery;
let team: TestTeam;
let owner: User;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
  owner = team.owner;
});

/** Runs work of another domain in a transaction of the team. */
function acting<T>(work: (scope: Scope) => Promise<T>, actor: Actor = { type: 'user', id: owner.id, role: 'owner' }): Promise<T> {
  return chancery.database.inTeam(team.id, (db) => work({ db, team: team.id, actor, now: new Date(), requestId: 'test', listeners: [] }));
}

/** A document that only its owner can see. */
async function hidden(by = owner): Promise<any> {
  const folder = await chancery.folder(by);
  const form = new FormData();
  form.set('title', 'Hidden');
  form.set('folderId', folder.id);
  form.set('file', new Blob(['text'], { type: 'text/plain' }), 'a.txt');
  const { body } = await chancery.call('POST', `${documents}/`, { token: by.token, body: form });
  return body;
}

const reads = async (user: User, id: string) => (await chancery.call('GET', `${documents}/${id}`, { token: user.token })).status === 200;
const writes = async (user: User, id: string) =>
  (await chancery.call('PUT', `${documents}/${id}`, { token: user.token, body: { description: 'x' } })).status === 200;
const journal = async (id: string) =>
  (
    await chancery.pool.query(
      "SELECT type, data FROM audit_entry WHERE target_id = $1 AND target_type = 'document' AND type LIKE 'access.%' ORDER BY id",
      [id],
    )
  ).rows.map(({ type, data }) => `${type} ${data.userId} ${data.reason}`);

test('the access by a task allows reading only, ends with the task, and is in the journal', async () => {
  const [assignee, beside] = [await chancery.user(team), await chancery.user(team)];
  const { id } = await hidden();
  const tasks = [randomUUIDv7(), randomUUIDv7()] as const;
  await acting(async (scope) => {
    await grantForTask(scope, { documentId: id, userId: assignee.id, taskId: tasks[0], grantorId: owner.id });
    await grantForTask(scope, { documentId: id, userId: beside.id, taskId: tasks[1], grantorId: owner.id });
    await grantForTask(scope, { documentId: id, userId: beside.id, taskId: tasks[1], grantorId: owner.id });
  });
  assert.deepEqual([await reads(assignee, id), await reads(beside, id), await writes(beside, id)], [true, true, false]);
  await acting(async (scope) => {
    await endGrantsOfTask(scope, [tasks[0]], assignee.id);
    await endGrantsOfTask(scope, [tasks[1]]);
  });
  assert.deepEqual([await reads(assignee, id), await reads(beside, id)], [false, false]);
  // Entries of one millisecond may have identifiers in either order.
  assert.deepEqual(
    (await journal(id)).toSorted(),
    [
      `access.granted ${assignee.id} task`,
      `access.granted ${beside.id} task`,
      `access.ended ${assignee.id} task`,
      `access.ended ${beside.id} task`,
    ].toSorted(),
  );
});

test('two tasks about one document give access until the second has ended too', async () => {
  const assignee = await chancery.user(team);
  const { id } = await hidden();
  const tasks = [randomUUIDv7(), randomUUIDv7()] as const;
  for (const taskId of tasks)
    await acting((scope) => grantForTask(scope, { documentId: id, userId: assignee.id, taskId, grantorId: owner.id }));
  await acting((scope) => endGrantsOfTask(scope, [tasks[0]]));
  assert.equal(await reads(assignee, id), true);
  await acting((scope) => endGrantsOfTask(scope, [tasks[1]]));
  assert.equal(await reads(assignee, id), false);
});

test('50 concurrent grants of one task create one row, and 50 ends one record', async () => {
  const assignee = await chancery.user(team);
  const { id } = await hidden();
  const taskId = randomUUIDv7();
  const at50 = Array.from({ length: 50 });
  await Promise.all(
    at50.map(() => acting((scope) => grantForTask(scope, { documentId: id, userId: assignee.id, taskId, grantorId: owner.id }))),
  );
  assert.equal((await journal(id)).length, 1);
  await Promise.all(at50.map(() => acting((scope) => endGrantsOfTask(scope, [taskId], assignee.id))));
  const { rows } = await chancery.pool.query('SELECT resource_type, source FROM access_grant WHERE resource_id IN ($1, $2)', [id, taskId]);
  assert.deepEqual(rows, [{ resource_type: 'task', source: 'record' }]);
  assert.equal((await journal(id)).length, 2);
});

test('a reference to a readable document is resolved, and all others are undefined', async () => {
  const member = await chancery.user(team);
  const asMember: Actor = { type: 'user', id: member.id, role: 'member' };
  const made = await hidden();
  assert.deepEqual(await acting((scope) => readableDocument(scope, made.id)), {
    id: made.id,
    title: 'Hidden',
    userId: owner.id,
    barred: false,
    matterId: null,
    version: 1,
    sha256: made.currentVersion.sha256,
    gives: 'write',
  });
  const binned = await hidden();
  await chancery.call('DELETE', `${documents}/${binned.id}`, { token: owner.token });
  const theirs = await chancery.document((await chancery.team()).owner);
  for (const id of [made.id, theirs.id, randomUUIDv7(), 'DMS-1'])
    assert.equal(await acting((scope) => readableDocument(scope, id), asMember), undefined);
  assert.equal(await acting((scope) => readableDocument(scope, binned.id)), undefined);
});

test('the access of another user is decided by their current role', async () => {
  const [member, leaver] = [await chancery.user(team), await chancery.user(team)];
  const client = await chancery.client(owner, ['documents:read']);
  const own = await hidden(leaver);
  const may = (who: string, id: string) => acting(async (scope) => (await documentReadableBy(scope, who, id)) !== undefined);
  assert.deepEqual([await may(leaver.id, own.id), await may(member.id, own.id), await may(client.id, own.id)], [true, false, true]);
  assert.equal(await may(randomUUIDv7(), own.id), false);
  assert.equal(await may('nobody', own.id), false);
  await chancery.call('PATCH', `/api/v1/security/clients/${client.id}`, { token: owner.token, body: { isActive: false } });
  assert.equal(await may(client.id, own.id), false);
  await chancery.pool.query("UPDATE account SET status = 'disabled' WHERE id = $1", [leaver.id]);
  assert.equal(await may(leaver.id, own.id), false);
});
