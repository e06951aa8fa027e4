import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type User } from '../../../../test/harness.ts';
import { authPath, goodPassword, mailsTo, registered, signIn } from '../../../../test/people.ts';

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

const call = (method: string, path: string, token: string, body?: unknown) =>
  chancery.call(method, `${authPath}${path}`, { token, ...(body === undefined ? {} : { body }) });
const transfer = (from: { token: string }, newOwnerId: string) => call('POST', '/transfer-ownership', from.token, { newOwnerId });
const roleOf = async (user: { token: string }) => (await call('GET', '/profile', user.token)).body.role;
const owners = async (team: string) =>
  (await chancery.pool.query("SELECT id FROM account WHERE team_id = $1 AND role = 'owner' AND deleted_at IS NULL", [team])).rows;
const entries = async (team: string, type: string) =>
  (await chancery.pool.query('SELECT target_id, data FROM audit_entry WHERE team_id = $1 AND type = $2', [team, type])).rows;

test('a transfer makes one member the owner and the other an administrator, from the next request on', async () => {
  const { id, owner } = await chancery.team();
  const member = await chancery.user(id, { role: 'viewer' });
  assert.equal(await roleOf(member), 'viewer');
  assert.equal((await transfer(owner, member.id)).status, 200);
  assert.deepEqual([await roleOf(owner), await roleOf(member)], ['admin', 'owner']);
  assert.equal((await chancery.call('GET', '/api/v1/security/audit', { token: member.token })).status, 200, 'with the scopes of an owner');
  assert.equal((await entries(id, 'team.ownership_transferred')).length, 1);
  assert.match((await mailsTo(chancery, member.email))[0]?.subject ?? '', /own your team/);
});

test('only the owner can transfer a team, and only to another active member', async () => {
  const { id, owner } = await chancery.team();
  const other = await chancery.team();
  const member = await chancery.user(id);
  const gone = await chancery.user(id);
  await chancery.pool.query("UPDATE account SET status = 'disabled' WHERE id = $1", [gone.id]);
  const refused: [{ token: string }, string, number, string][] = [
    [member, owner.id, 403, 'not_team_owner'],
    [owner, owner.id, 409, 'already_owner'],
    [owner, other.owner.id, 404, 'member_not_found'],
    [owner, randomUUIDv7(), 404, 'member_not_found'],
    [owner, gone.id, 404, 'member_not_found'],
    [owner, 'nobody', 400, 'validation_failed'],
  ];
  for (const [from, to, status, code] of refused) {
    const answer = await transfer(from, to);
    assert.deepEqual([answer.status, answer.body.code], [status, code]);
  }
  assert.deepEqual(await owners(id), [{ id: owner.id }]);
});

test('of 50 concurrent transfers one succeeds, and the team always has exactly one owner', async () => {
  const { id, owner } = await chancery.team();
  const members: User[] = [];
  for (let n = 0; n < 10; n += 1) members.push(await chancery.user(id));
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => transfer(owner, members[n % 10]?.id ?? '')));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 200)) assert.equal(answer.body.code, 'not_team_owner');
  assert.equal((await owners(id)).length, 1);
});

test('an owner with members cannot delete their account; the team of a sole owner is closed with it', async () => {
  const person = await registered(chancery);
  const member = await chancery.user(person.team);
  const rejected = await call('DELETE', '/profile', person.token);
  assert.deepEqual([rejected.status, rejected.body.code], [409, 'team_owner_must_transfer']);
  assert.equal((await call('DELETE', '/profile', member.token)).status, 200);
  assert.equal((await call('DELETE', '/profile', person.token)).status, 200);
  const { rows } = await chancery.pool.query('SELECT status FROM team WHERE team_id = $1', [person.team]);
  assert.equal(rows[0].status, 'closed');
  assert.equal((await entries(person.team, 'member.removed')).length, 1);
});

test('a deleted account is signed out everywhere, erased, and its address is free again', async () => {
  const person = await registered(chancery);
  const second = (await signIn(chancery, person.email)).body.accessToken;
  assert.equal((await call('GET', '/profile', second)).status, 200);
  assert.equal((await call('DELETE', '/profile', person.token)).status, 200);
  for (const token of [person.token, second]) assert.equal((await call('GET', '/profile', token)).status, 401);
  const refreshed = await chancery.call('POST', `${authPath}/refresh`, { body: { refreshToken: person.refreshToken } });
  assert.equal(refreshed.status, 401);
  assert.equal((await signIn(chancery, person.email)).body.code, 'invalid_credentials');
  const { rows } = await chancery.pool.query(
    `SELECT (SELECT a::text FROM account a WHERE id = $1) || coalesce((SELECT string_agg(s::text, ' ') FROM sign_in s WHERE person_id = $1), '') AS text`,
    [person.id],
  );
  assert.doesNotMatch(rows[0].text, /Ada|Lovelace|example|argon2|127\.0\.0\.1/);
  const journal = await chancery.pool.query('SELECT count(*)::int AS n FROM audit_entry WHERE actor_id = $1 AND ip IS NOT NULL', [
    person.id,
  ]);
  assert.equal(journal.rows[0].n, 0, 'the journal contains no address of the user');
  assert.match(rows[0].text, new RegExp(person.id), 'the identifier stays, for the journal');
  const body = { email: person.email, firstName: 'Ada', lastName: 'Lovelace', password: goodPassword };
  assert.equal((await chancery.call('POST', `${authPath}/register`, { body })).status, 201);
  const code = /\d{6}/.exec((await mailsTo(chancery, person.email))[0]?.subject ?? '')?.[0];
  const again = await chancery.call('POST', `${authPath}/verify-email`, { body: { email: person.email, code } });
  assert.notEqual(again.body.user.id, person.id);
});

test('a concurrent deletion and transfer never leave a team without an owner', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, owner } = await chancery.team();
    const member = await chancery.user(id);
    const [left, given] = await Promise.all([call('DELETE', '/profile', member.token), transfer(owner, member.id)]);
    assert.ok(left.status !== 200 || given.status !== 200, 'not both');
    assert.equal((await owners(id)).length, 1);
  }
});

test('a new address applies after the confirmation of its code, and the old address is notified', async () => {
  const person = await registered(chancery);
  const email = `new.${person.email}`;
  const changed = await call('PUT', '/profile', person.token, { email });
  assert.deepEqual([changed.status, changed.body.email], [200, person.email]);
  assert.match((await mailsTo(chancery, person.email))[0]?.subject ?? '', /about to change/);
  assert.ok((await signIn(chancery, person.email)).body.accessToken, 'the old address signs in until then');
  const code = /\d{6}/.exec((await mailsTo(chancery, email))[0]?.subject ?? '')?.[0] ?? '';
  for (const wrong of ['000000', 'x'])
    assert.equal((await call('POST', '/profile/confirm-email', person.token, { code: wrong })).body.code, 'invalid_or_expired_code');
  assert.equal((await call('POST', '/profile/confirm-email', person.token, { code })).status, 200);
  assert.equal((await signIn(chancery, person.email)).status, 401);
  assert.ok((await signIn(chancery, email)).body.accessToken);
  assert.match((await mailsTo(chancery, person.email))[0]?.subject ?? '', /was changed/);
  assert.equal((await call('POST', '/profile/confirm-email', person.token, { code })).body.code, 'invalid_or_expired_code');
});

test('an address with an account gets the same response and cannot be used', async () => {
  const [person, other] = [await registered(chancery), await registered(chancery)];
  const [taken, free] = [
    await call('PUT', '/profile', person.token, { email: other.email }),
    await call('PUT', '/profile', person.token, { email: `free.${person.email}` }),
  ];
  assert.deepEqual([taken.status, taken.body.message], [free.status, free.body.message]);
  assert.match((await mailsTo(chancery, other.email))[0]?.subject ?? '', /already have an account/);
  await call('PUT', '/profile', person.token, { email: `raced.${person.email}` });
  await chancery.pool.query('UPDATE person SET email_key = $2 WHERE id = $1', [other.id, `raced.${person.email}`]);
  const code = /\d{6}/.exec((await mailsTo(chancery, `raced.${person.email}`))[0]?.subject ?? '')?.[0] ?? '';
  assert.equal((await call('POST', '/profile/confirm-email', person.token, { code })).body.code, 'invalid_or_expired_code');
});

test('five wrong codes end a change of address', async () => {
  const person = await registered(chancery);
  const email = `new.${person.email}`;
  await call('PUT', '/profile', person.token, { email });
  const code = /\d{6}/.exec((await mailsTo(chancery, email))[0]?.subject ?? '')?.[0] ?? '';
  await Promise.all(Array.from({ length: 20 }, () => call('POST', '/profile/confirm-email', person.token, { code: 'x00000' })));
  assert.equal((await call('POST', '/profile/confirm-email', person.token, { code })).status, 400);
});
