import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { directoriesPath, type DirectoryWorld, withDirectory } from '../../../test/directories.ts';
import { type Chancery, sharedChancery, type TestResponse } from '../../../test/harness.ts';
import { mailsTo, registered } from '../../../test/people.ts';

const concurrent = 50;
let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

const ok = (answer: TestResponse): any => {
  assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
  return answer.body;
};
const statuses = (answers: readonly TestResponse[]): Map<number, number> =>
  new Map([...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => [status, all.length]));
const atOnce = (work: (n: number) => Promise<TestResponse>, count = concurrent) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));
const setActive = (world: DirectoryWorld, user: { id: string }, active: boolean) =>
  world.scim('PATCH', `/Users/${user.id}`, { Operations: [{ op: 'replace', path: 'active', value: active }] });
const usersOf = async (world: DirectoryWorld) =>
  ok(await chancery.call('GET', `${directoriesPath}/${world.directory.id}/users`, { token: world.owner.token }));

test('of 50 creations of one user at once, one succeeds and the others are 409', async () => {
  const world = await withDirectory(chancery);
  const userName = `once@${world.domain}`;
  const answers = await atOnce(() => world.scim('POST', '/Users', { userName, externalId: 'oid' }));
  assert.deepEqual(
    statuses(answers),
    new Map([...statuses(answers).keys()].map((status) => [status, status === 201 ? 1 : concurrent - 1])),
  );
  assert.deepEqual([...statuses(answers).keys()].toSorted(), [201, 409]);
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM person WHERE email_key = $1', [userName]);
  assert.equal(rows[0].n, 1);
});

test('50 users that are created, deactivated and activated at once end as the last request of each says', async () => {
  const world = await withDirectory(chancery);
  const answers = await atOnce((n) => world.scim('POST', '/Users', { userName: `many${n}@${world.domain}` }));
  assert.deepEqual(statuses(answers), new Map([[201, concurrent]]));
  await Promise.all(
    answers.map(async ({ body }, n) => {
      ok(await setActive(world, body, false));
      if (n % 2 === 0) ok(await setActive(world, body, true));
    }),
  );
  const { rows } = await chancery.pool.query(
    "SELECT status, count(*)::int AS n FROM account WHERE team_id = $1 AND role = 'member' GROUP BY 1",
    [world.id],
  );
  assert.deepEqual(
    new Map(rows.map(({ status, n }) => [status, n])),
    new Map([
      ['active', concurrent / 2],
      ['disabled', concurrent / 2],
    ]),
  );
});

test('an ownership transfer and the deactivation of the new owner do not leave a suspended owner', async () => {
  const world = await withDirectory(chancery);
  for (let round = 0; round < 5; round += 1) {
    const user = await world.provision();
    const userId = (await usersOf(world)).find(({ id }: any) => id === user.id).userId;
    const [transferred, deactivated] = await Promise.all([
      chancery.call('POST', '/api/v1/security/auth/transfer-ownership', { token: world.owner.token, body: { newOwnerId: userId } }),
      setActive(world, user, false),
    ]);
    const { rows } = await chancery.pool.query("SELECT id, status FROM account WHERE team_id = $1 AND role = 'owner'", [world.id]);
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['active'],
      `${transferred.status} ${deactivated.status}`,
    );
    if (rows[0].id === world.owner.id) assert.deepEqual([transferred.status, deactivated.status], [404, 200]);
    else {
      assert.deepEqual([transferred.status, deactivated.status], [200, 403]);
      await chancery.pool.query("UPDATE account SET role = 'admin' WHERE team_id = $1 AND id = $2", [world.id, userId]);
      await chancery.pool.query("UPDATE account SET role = 'owner' WHERE team_id = $1 AND id = $2", [world.id, world.owner.id]);
    }
  }
});

test('a user who accepts the invitation while the directory adds them to groups is in all of them', async () => {
  const world = await withDirectory(chancery);
  const person = await registered(chancery);
  const user = await world.provision({ userName: person.email });
  const groups = await Promise.all(Array.from({ length: 10 }, (_, n) => world.group(`Group ${n}`)));
  const link = /token=([\w-]+)/.exec((await mailsTo(chancery, person.email))[0]?.text ?? '')?.[1];
  const add = { Operations: [{ op: 'add', path: 'members', value: [{ value: user.id }] }] };
  await Promise.all([
    ...groups.map(async ({ id }) => assert.equal((await world.scim('PATCH', `/Groups/${id}`, add)).status, 204)),
    chancery.call('POST', '/api/v1/team/invitations/accept', { token: person.token, body: { token: link } }).then(ok),
  ]);
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM access_group_member WHERE team_id = $1 AND user_id = $2', [
    world.id,
    person.id,
  ]);
  assert.equal(rows[0].n, groups.length);
});

test('50 changes of one group at once are all done, each with its own version', async () => {
  const world = await withDirectory(chancery);
  const users = await Promise.all(Array.from({ length: concurrent }, () => world.provision()));
  const group = await world.group('Crowded');
  const answers = await atOnce((n) =>
    world.scim('PATCH', `/Groups/${group.id}?attributes=displayName`, {
      Operations: [{ op: 'add', path: 'members', value: [{ value: users[n].id }] }],
    }),
  );
  assert.deepEqual(statuses(answers), new Map([[200, concurrent]]));
  assert.equal(new Set(answers.map(({ headers }) => headers.get('etag'))).size, concurrent);
  assert.equal(ok(await world.scim('GET', `/Groups/${group.id}`)).members.length, concurrent);
});

test('a PATCH adds 1 000 members to a group of 19 000, and no group gets more than 20 000', async (t) => {
  const world = await withDirectory(chancery);
  const group = await world.group('Large');
  // Only the rows that the request could read are made here.
  await chancery.pool.query(
    `WITH numbered AS (SELECT n, gen_random_uuid() AS id FROM generate_series(1, 20000) n),
       people AS (INSERT INTO person (id, email, email_key, first_name, last_name) SELECT id, n || '@' || $3, n || '@' || $3, 'A', 'B' FROM numbered),
       members AS (INSERT INTO account (team_id, id, email, email_key, first_name, last_name, role)
         SELECT $1, id, n || '@' || $3, n || '@' || $3, 'A', 'B', 'member' FROM numbered)
     INSERT INTO scim_user (team_id, id, directory_id, account_id, status, user_name, user_name_key, attributes, active, created_at, updated_at)
     SELECT $1, id, $2, id, 'linked', n || '@' || $3, n || '@' || $3, '{}', true, now(), now() FROM numbered`,
    [world.id, world.directory.id, world.domain],
  );
  await chancery.pool.query(
    `WITH chosen AS (SELECT id FROM scim_user WHERE team_id = $1 AND directory_id = $2 ORDER BY id LIMIT 19000),
       listed AS (INSERT INTO directory_group_member (team_id, group_id, user_id) SELECT $1, $3, id FROM chosen)
     INSERT INTO access_group_member (team_id, group_id, user_id, added_by, added_at) SELECT $1, $3, id, $2, now() FROM chosen`,
    [world.id, world.directory.id, group.id],
  );
  const { rows } = await chancery.pool.query('SELECT id FROM scim_user WHERE team_id = $1 ORDER BY id OFFSET 19000', [world.id]);
  const begun = performance.now();
  const answer = await world.scim('PATCH', `/Groups/${group.id}`, {
    Operations: [{ op: 'add', path: 'members', value: rows.map(({ id }) => ({ value: id })) }],
  });
  const ms = Math.round(performance.now() - begun);
  assert.equal(answer.status, 204, answer.text);
  t.diagnostic(`1 000 members were added to 19 000 in ${ms} ms`);
  const counted = await chancery.pool.query('SELECT count(*)::int AS n FROM access_group_member WHERE team_id = $1', [world.id]);
  assert.equal(counted.rows[0].n, 20_000);
  const one = randomUUIDv7();
  await chancery.pool.query(
    `INSERT INTO scim_user (team_id, id, directory_id, status, user_name, user_name_key, attributes, active, created_at, updated_at)
     VALUES ($1, $3, $2, 'pending', 'last', 'last', '{}', true, now(), now())`,
    [world.id, world.directory.id, one],
  );
  const beyond = await world.scim('PATCH', `/Groups/${group.id}`, {
    Operations: [{ op: 'add', path: 'members', value: [{ value: one }] }],
  });
  assert.deepEqual([beyond.status, beyond.body.scimType], [400, 'tooMany']);
});
