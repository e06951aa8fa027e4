import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { directoriesPath, type DirectoryWorld, enterprise, withDirectory } from '../../../test/directories.ts';
import { type Chancery, sharedChancery, type TestResponse } from '../../../test/harness.ts';
import { mailsTo } from '../../../test/people.ts';
import { eventually } from '../../../test/webhook-receiver.ts';

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery('all');
});

const ok = (answer: TestResponse): any => {
  assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
  return answer.body;
};
const one = ({ directory }: DirectoryWorld) => `${directoriesPath}/${directory.id}`;
const usersOf = async (world: DirectoryWorld): Promise<any[]> =>
  ok(await chancery.call('GET', `${one(world)}/users`, { token: world.owner.token }));
const setActive = (world: DirectoryWorld, user: { id: string }, active: boolean) =>
  world.scim('PATCH', `/Users/${user.id}`, { Operations: [{ op: 'replace', path: 'active', value: active }] });
const activeMembers = async (world: DirectoryWorld): Promise<number> =>
  (
    await chancery.pool.query("SELECT count(*)::int AS n FROM account WHERE team_id = $1 AND role <> 'owner' AND status = 'active'", [
      world.id,
    ])
  ).rows[0].n;
const subjectsTo = async (email: string) => (await mailsTo(chancery, email)).map(({ subject }) => subject);

/** Makes a periodic job due, as if it had last started two days ago. */
async function runDue(name: string): Promise<void> {
  await eventually(`${name} is scheduled`, async () => {
    const { rowCount } = await chancery.pool.query("UPDATE job_schedule SET begun_at = begun_at - interval '2 days' WHERE name = $1", [
      name,
    ]);
    return rowCount === 1;
  });
}

/** Waits until a periodic job that was due has ended. */
const ran = (name: string) =>
  eventually(`${name} has run`, async () => {
    const { rows } = await chancery.pool.query(
      `SELECT (SELECT begun_at > now() - interval '1 hour' FROM job_schedule WHERE name = $1)
         AND NOT EXISTS (SELECT FROM job WHERE name = $1 AND state <> 'done') AS ended`,
      [name],
    );
    return rows[0].ended;
  });

test('a deleted user is removed after the delay, and the manager receives their work', async () => {
  const world = await withDirectory(chancery, { successor: 'manager', removalDelayDays: 7 });
  const manager = await world.provision();
  const user = await world.provision({ [enterprise]: { manager: { value: manager.id } } });
  const guest = await world.provision();
  const ofGuest = await world.provision({ [enterprise]: { manager: { value: guest.id } } });
  const kept = await world.provision();
  const listed = await usersOf(world);
  const accountOf = (who: { id: string }) => listed.find(({ id }) => id === who.id).userId;
  await chancery.pool.query(
    `INSERT INTO folder (team_id, id, name, name_key, user_id, created_by, created_by_type, created_at, updated_at)
     SELECT team_id, gen_random_uuid(), 'Work', 'work', $2, $2, 'user', now(), now() FROM team WHERE team_id = $1`,
    [world.id, accountOf(user)],
  );
  await chancery.pool.query(
    `INSERT INTO folder (team_id, id, name, name_key, user_id, created_by, created_by_type, created_at, updated_at)
     SELECT team_id, gen_random_uuid(), 'Others', 'others', $2, $2, 'user', now(), now() FROM team WHERE team_id = $1`,
    [world.id, accountOf(ofGuest)],
  );
  await chancery.pool.query(
    "UPDATE account SET role = 'guest', ends_at = now() + interval '30 days', sponsor_id = $3 WHERE team_id = $1 AND id = $2",
    [world.id, accountOf(guest), world.owner.id],
  );
  for (const { id } of [user, ofGuest, kept]) assert.equal((await world.scim('DELETE', `/Users/${id}`)).status, 204);
  await chancery.pool.query("UPDATE scim_user SET deleted_at = deleted_at - interval '8 days' WHERE id = ANY ($1)", [
    [user.id, ofGuest.id],
  ]);
  await runDue('directory-removal');
  await eventually('the user is removed', async () => (await usersOf(world)).length === 3);
  assert.deepEqual((await usersOf(world)).map(({ id }) => id).toSorted(), [manager.id, guest.id, kept.id].toSorted());
  assert.equal((await chancery.call('GET', `/api/v1/team/members/${accountOf(user)}`, { token: world.owner.token })).status, 404);
  assert.equal(ok(await chancery.call('GET', `/api/v1/team/members/${accountOf(kept)}`, { token: world.owner.token })).isActive, false);
  const { rows } = await chancery.pool.query("SELECT name, user_id FROM folder WHERE team_id = $1 AND name IN ('Work', 'Others')", [
    world.id,
  ]);
  assert.deepEqual(
    new Map(rows.map((row) => [row.name, row.user_id])),
    new Map([
      ['Work', accountOf(manager)],
      ['Others', world.owner.id],
    ]),
    'the manager, and the owner instead of a guest',
  );
});

test('many deactivations within an hour are done, and mailed once with a link that restores all of them', async () => {
  const world = await withDirectory(chancery);
  const admin = await chancery.user(world, { role: 'admin' });
  const users: { id: string }[] = [];
  for (let n = 0; n < 14; n += 1) users.push(await world.provision());
  for (const user of users.slice(0, 12)) ok(await setActive(world, user, false));
  // Deactivated by the directory long after the surge.
  const late = await world.provision();
  ok(await setActive(world, late, false));
  await chancery.pool.query("UPDATE scim_user SET deactivated_at = now() + interval '2 hours' WHERE id = $1", [late.id]);
  const removed = (await usersOf(world)).find(({ id }) => id === users[0]?.id).userId;
  assert.equal((await chancery.call('DELETE', `/api/v1/team/members/${removed}`, { token: world.owner.token })).status, 204);
  assert.equal(await activeMembers(world), 3, 'deactivation never waits');
  for (const { email } of [world.owner, admin])
    assert.deepEqual(
      (await subjectsTo(email)).filter((subject) => subject.includes('within an hour')),
      ['11 users were deactivated within an hour'],
    );
  const link = /restore-users#token=([\w-]+)/.exec((await mailsTo(chancery, admin.email))[0]?.text ?? '')?.[1];
  const restore = () => chancery.call('POST', `${directoriesPath}/restore`, { body: { token: link } });
  assert.equal((await restore()).status, 204);
  await eventually('all are restored', async () => (await activeMembers(world)) === 14);
  assert.equal((await restore()).body.code, 'invalid_restore_link', 'the link works once');
  const listed = await usersOf(world);
  assert.equal(listed.find(({ id }) => id === users[0]?.id).status, 'withdrawn', 'whom an administrator removed stays removed');
  assert.equal(ok(await world.scim('GET', '/Users?filter=active%20eq%20false')).totalResults, 2);
  assert.equal(listed.find(({ id }) => id === late.id).active, false);
});

test('few deactivations are not mailed', async () => {
  const world = await withDirectory(chancery);
  const users = [await world.provision(), await world.provision()];
  for (const user of users) ok(await setActive(world, user, false));
  assert.deepEqual(await subjectsTo(world.owner.email), []);
  assert.equal((await chancery.call('POST', `${one(world)}/restore`, { token: world.owner.token })).status, 404);
});

test('a directory that is deleted without `keep` suspends its users, but not the owner', async () => {
  const world = await withDirectory(chancery);
  await world.provision();
  await world.provision();
  const manual = await chancery.user(world);
  await world.scim('POST', '/Users', { userName: world.owner.email });
  const [conflict] = ok(await chancery.call('GET', `${one(world)}/users?status=conflict`, { token: world.owner.token }));
  ok(
    await chancery.call('POST', `${one(world)}/links`, {
      token: world.owner.token,
      body: { userId: world.owner.id, scimUserId: conflict.id },
    }),
  );
  assert.equal((await chancery.call('DELETE', one(world), { token: world.owner.token })).status, 204);
  assert.equal((await chancery.call('GET', one(world), { token: world.owner.token })).status, 404);
  const left = async () => (await chancery.pool.query('SELECT FROM directory WHERE team_id = $1', [world.id])).rowCount;
  await eventually('the directory is deleted', async () => (await left()) === 0);
  const { rows } = await chancery.pool.query("SELECT id FROM account WHERE team_id = $1 AND status = 'active'", [world.id]);
  assert.deepEqual(rows.map(({ id }) => id).toSorted(), [world.owner.id, manual.id].toSorted());
  assert.equal((await chancery.pool.query('SELECT FROM scim_user WHERE team_id = $1', [world.id])).rowCount, 0);
});

test('the managers are reminded once 30 days and once 7 days before a token ends', async () => {
  const world = await withDirectory(chancery);
  const reminders = async () => (await subjectsTo(world.owner.email)).filter((subject) => subject.includes('token expires'));
  const endIn = (days: number) =>
    chancery.pool.query('UPDATE directory_token SET expires_at = now() + make_interval(days => $2) WHERE team_id = $1', [world.id, days]);
  for (const [days, expected] of [
    [29, 1],
    [28, 1],
    [6, 2],
  ] as const) {
    await endIn(days);
    await runDue('directory-token-reminder');
    await ran('directory-token-reminder');
    assert.equal((await reminders()).length, expected);
  }
});
