import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, sharedChancery, type TestResponse, type TestTeam } from '../../../../test/harness.ts';
import {
  authPath as auth,
  broughtIn,
  cookieOf,
  enrolled,
  goodPassword,
  type Registered,
  registered,
  signIn,
} from '../../../../test/people.ts';

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

const refusal = ({ status, body }: TestResponse) => [status, body?.code];
const profile = (token: string) => chancery.call('GET', `${auth}/profile`, { token });
const teamsOf = async (token: string) =>
  (await chancery.call('GET', `${auth}/teams`, { token })).body as { id: string; current: boolean }[];
const switchTo = (token: string, teamId: string) => chancery.call('POST', `${auth}/switch-team`, { token, body: { teamId } });
const refresh = (refreshToken: string, teamId?: string) =>
  chancery.call('POST', `${auth}/refresh`, { body: { refreshToken, ...(teamId === undefined ? {} : { teamId }) } });
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const actsIn = async (team: string, type: string) =>
  (await chancery.pool.query('SELECT actor_id, ip FROM audit_entry WHERE team_id = $1 AND type = $2 ORDER BY id', [team, type])).rows;

type InTwoTeams = { person: Registered; own: string; team: TestTeam; there: string };

/** A person with a folder in a team of their own, who is also a member of another team. */
async function inTwoTeams(): Promise<InTwoTeams> {
  const person = await registered(chancery);
  const folder = await chancery.call('POST', '/api/v1/smartdoc/folders', { token: person.token, body: { name: 'Own work' } });
  assert.equal(folder.status, 201, folder.text);
  const team = await chancery.team();
  const there = await broughtIn(chancery, team.owner, person);
  return { person, own: person.team, team, there };
}

test('one sign-in works in two teams, each with its own token', async () => {
  const { person, own, team, there } = await inTwoTeams();
  assert.deepEqual(
    (await teamsOf(person.token)).map(({ id, current }) => [id, current]),
    [
      [own, true],
      [team.id, false],
    ],
  );
  const here = await switchTo(there, own);
  assert.equal(here.status, 200, here.text);
  for (const [token, id, role] of [
    [person.token, own, 'owner'],
    [here.body.accessToken, own, 'owner'],
    [there, team.id, 'member'],
  ]) {
    const me = (await profile(token ?? '')).body;
    assert.deepEqual([me.id, me.teamId, me.role], [person.id, id, role]);
  }
  assert.equal(claimsOf(here.body.accessToken).sid, claimsOf(there).sid);
  assert.equal((await actsIn(own, 'session.team_switched')).length, 1);
});

test('the next sign-in opens the team of the last switch, and `teamId` another one', async () => {
  const { person, own, team, there } = await inTwoTeams();
  assert.equal((await signIn(chancery, person.email)).body.user.teamId, team.id);
  await switchTo(there, own);
  assert.equal((await signIn(chancery, person.email)).body.user.teamId, own);
  const body = { email: person.email, password: goodPassword, teamId: team.id };
  assert.equal((await chancery.call('POST', `${auth}/login`, { body })).body.user.teamId, team.id);
});

test('a team of which the caller is no member is not found', async () => {
  const { person } = await inTwoTeams();
  const stranger = await chancery.team();
  assert.deepEqual(refusal(await switchTo(person.token, stranger.id)), [404, 'not_found']);
  assert.deepEqual(refusal(await refresh(person.refreshToken, stranger.id)), [403, 'team_closed']);
  const body = { email: person.email, password: goodPassword, teamId: stranger.id };
  assert.ok((await chancery.call('POST', `${auth}/login`, { body })).status >= 400);
});

test('one refresh token renews the tokens of both teams, and each successor keeps its team', async () => {
  const { person, own, team } = await inTwoTeams();
  const first = await refresh(person.refreshToken, team.id);
  assert.equal(first.status, 200, first.text);
  assert.equal(claimsOf(first.body.accessToken).team, team.id);
  const second = await refresh(first.body.refreshToken);
  assert.equal(claimsOf(second.body.accessToken).team, team.id);
  const third = await refresh(second.body.refreshToken, own);
  assert.equal(claimsOf(third.body.accessToken).team, own);
});

test('of fifty concurrent refreshes for two teams each gets a token for its team', async () => {
  const { person, own, team } = await inTwoTeams();
  const wanted = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? own : team.id));
  const answers = await Promise.all(wanted.map((id) => refresh(person.refreshToken, id)));
  assert.deepEqual(
    answers.map(({ body }) => claimsOf(body.accessToken).team),
    wanted,
  );
  const last = await refresh(answers[0]?.body.refreshToken);
  assert.equal(last.status, 200, last.text);
});

test('a member who is removed from one team goes on in the other', async () => {
  const { person, own, team, there } = await inTwoTeams();
  const signed = await signIn(chancery, person.email);
  assert.equal(signed.body.user.teamId, team.id);
  const removed = await chancery.call('DELETE', `/api/v1/team/members/${person.id}`, { token: team.owner.token });
  assert.equal(removed.status, 204, removed.text);
  assert.equal((await profile(there)).status, 401);
  assert.equal((await profile(person.token)).status, 200);
  const token = cookieOf(signed, 'refresh_token');
  assert.deepEqual(refusal(await refresh(token)), [403, 'team_closed']);
  const renewed = await refresh(token, own);
  assert.equal(renewed.status, 200, renewed.text);
  assert.deepEqual(
    (await teamsOf(person.token)).map(({ id }) => id),
    [own],
  );
  assert.equal((await signIn(chancery, person.email)).body.user.teamId, own);
});

test('a member who is suspended in one team goes on in the other, and signs in again after the reactivation', async () => {
  const { person, own, team, there } = await inTwoTeams();
  const set = (isActive: boolean) =>
    chancery.call('PATCH', `/api/v1/team/members/${person.id}`, { token: team.owner.token, body: { isActive } });
  assert.equal((await set(false)).status, 200);
  assert.equal((await profile(there)).status, 401);
  assert.deepEqual(refusal(await switchTo(person.token, team.id)), [403, 'account_disabled']);
  const meanwhile = await signIn(chancery, person.email);
  assert.equal(meanwhile.body.user.teamId, own);
  assert.equal((await set(true)).status, 200);
  assert.equal((await profile(there)).status, 401, 'the old session stays ended');
  for (const token of [person.token, meanwhile.body.accessToken])
    assert.deepEqual(refusal(await switchTo(token, team.id)), [403, 'team_closed'], 'a sign-in from before the reactivation');
  assert.deepEqual(refusal(await refresh(person.refreshToken, team.id)), [403, 'team_closed']);
  const signed = await signIn(chancery, person.email);
  assert.equal((await switchTo(signed.body.accessToken, team.id)).status, 200);
  assert.equal((await profile(person.token)).status, 200, 'the own team stays open');
});

test('a second factor opens the team that `teamId` names, and a team of others stays closed', async () => {
  const person = await enrolled(chancery);
  const own = person.team;
  const { token } = person;
  await chancery.call('POST', '/api/v1/smartdoc/folders', { token, body: { name: 'Own work' } });
  const team = await chancery.team();
  const invitation = { token: team.owner.token, body: { email: person.email, role: 'member' } };
  const { id: invitationId } = (await chancery.call('POST', '/api/v1/team/invitations', invitation)).body;
  assert.equal((await chancery.call('POST', '/api/v1/team/invitations/accept', { token, body: { invitationId } })).status, 200);
  const verify = async (teamId: string | undefined, code: string) => {
    const { challengeId } = (await signIn(chancery, person.email)).body;
    return chancery.call('POST', `${auth}/verify-totp`, { body: { challengeId, code, ...(teamId === undefined ? {} : { teamId }) } });
  };
  const [one = '', two = '', three = ''] = person.backupCodes;
  assert.equal((await verify(undefined, one)).body.user.teamId, team.id, 'the team of the last sign-in');
  assert.equal((await verify(own, two)).body.user.teamId, own);
  const stranger = await chancery.team();
  const closed = await verify(stranger.id, three);
  assert.deepEqual(refusal(closed), [403, 'team_closed']);
  assert.equal((await verify(own, three)).status, 200, 'the code of the closed team stays unused');
  const { rows } = await chancery.pool.query('SELECT FROM audit_entry WHERE team_id = $1 AND actor_id = $2', [stranger.id, person.id]);
  assert.equal(rows.length, 0);
});

test('of fifty switches that race with a suspension none is valid afterwards', async () => {
  const { person, team } = await inTwoTeams();
  const [suspended, ...answers] = await Promise.all([
    chancery.call('PATCH', `/api/v1/team/members/${person.id}`, { token: team.owner.token, body: { isActive: false } }),
    ...Array.from({ length: 50 }, () => switchTo(person.token, team.id)),
  ]);
  assert.equal(suspended?.status, 200, suspended?.text);
  for (const { status, body } of answers) {
    assert.ok([200, 403].includes(status), String(status));
    if (status === 200) assert.equal((await profile(body.accessToken)).status, 401);
    else assert.equal(body.code, 'account_disabled');
  }
});

test('a new password ends all other sign-ins in both teams, and both journals name it, the other one without the address', async () => {
  const { person, own, team, there } = await inTwoTeams();
  const second = await signIn(chancery, person.email);
  const changed = await chancery.call('PUT', `${auth}/change-password`, {
    token: person.token,
    body: { currentPassword: goodPassword, newPassword: 'AnotherHorse9Battery' },
  });
  assert.equal(changed.status, 200, changed.text);
  for (const token of [person.token, there, second.body.accessToken]) assert.equal((await profile(token)).status, 401);
  assert.equal((await switchTo(changed.body.accessToken, team.id)).status, 200);
  const [inOwn, inOther] = [await actsIn(own, 'password.changed'), await actsIn(team.id, 'password.changed')];
  assert.deepEqual(
    [inOwn, inOther].map((acts) => acts.map(({ actor_id, ip }) => [actor_id, ip !== null])),
    [[[person.id, true]], [[person.id, false]]],
  );
});

test('changes of the profile reach both teams', async () => {
  const { person, team } = await inTwoTeams();
  const put = await chancery.call('PUT', `${auth}/profile`, { token: person.token, body: { firstName: 'Augusta' } });
  assert.equal(put.status, 200, put.text);
  const seen = await chancery.call('GET', `/api/v1/team/members/${person.id}`, { token: team.owner.token });
  assert.equal(seen.body.firstName, 'Augusta');
});

test('an owner of several teams deletes themselves only after each team with members is transferred', async () => {
  const { person, own, team, there } = await inTwoTeams();
  const made = await chancery.call('POST', `${auth}/teams`, { token: person.token, body: { name: 'Second' } });
  assert.equal(made.status, 201, made.text);
  const colleague = await chancery.user(made.body.id);
  const remove = () => chancery.call('DELETE', `${auth}/profile`, { token: person.token });
  const refused = await remove();
  assert.deepEqual(refusal(refused), [409, 'team_owner_must_transfer']);
  assert.deepEqual(refused.body.teams, [{ id: made.body.id, name: 'Second' }]);
  const second = await switchTo(person.token, made.body.id);
  const transferred = await chancery.call('POST', `${auth}/transfer-ownership`, {
    token: second.body.accessToken,
    body: { newOwnerId: colleague.id },
  });
  assert.equal(transferred.status, 200, transferred.text);
  assert.equal((await remove()).status, 200);
  for (const token of [person.token, there, second.body.accessToken]) assert.equal((await profile(token)).status, 401);
  const { rows } = await chancery.pool.query('SELECT email, first_name, deleted_at IS NOT NULL AS gone FROM account WHERE id = $1', [
    person.id,
  ]);
  assert.deepEqual(
    rows,
    Array.from({ length: 3 }, () => ({ email: '', first_name: '', gone: true })),
  );
  const status = async (id: string) => (await chancery.pool.query('SELECT status FROM team WHERE team_id = $1', [id])).rows[0].status;
  assert.deepEqual([await status(own), await status(team.id), await status(made.body.id)], ['closed', 'active', 'active']);
  assert.equal((await signIn(chancery, person.email)).status, 401);
});

test('a person is a member of fifty teams at most, and owns twenty', async () => {
  const { person } = await inTwoTeams();
  const add = (count: number, role: string) =>
    chancery.pool.query(
      `WITH t AS (INSERT INTO team (team_id, name) SELECT gen_random_uuid(), 'T' FROM generate_series(1, $2) RETURNING team_id)
       INSERT INTO account (team_id, id, email, email_key, first_name, last_name, role) SELECT team_id, $1, '', '', 'A', 'L', $3 FROM t`,
      [person.id, count, role],
    );
  const create = () => chancery.call('POST', `${auth}/teams`, { token: person.token, body: { name: 'More' } });
  await add(18, 'owner');
  assert.equal((await create()).status, 201);
  assert.deepEqual(refusal(await create()), [409, 'team_limit']);
  await add(29, 'member');
  const { owner } = await chancery.team();
  const invited = await chancery.call('POST', '/api/v1/team/invitations', {
    token: owner.token,
    body: { email: person.email, role: 'member' },
  });
  const waiting = await chancery.call('POST', '/api/v1/team/invitations/accept', {
    token: person.token,
    body: { invitationId: invited.body.id },
  });
  assert.deepEqual(refusal(waiting), [409, 'team_limit']);
});

test('of fifty concurrent new teams of a person who owns eighteen, two are created', async () => {
  const person = await registered(chancery);
  await chancery.pool.query(
    `WITH t AS (INSERT INTO team (team_id, name) SELECT gen_random_uuid(), 'T' FROM generate_series(1, 17) RETURNING team_id)
     INSERT INTO account (team_id, id, email, email_key, first_name, last_name, role) SELECT team_id, $1, '', '', 'A', 'L', 'owner' FROM t`,
    [person.id],
  );
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => chancery.call('POST', `${auth}/teams`, { token: person.token, body: { name: 'More' } })),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 2);
  for (const { status, body } of answers) assert.ok(status === 201 || body.code === 'team_limit', String(status));
});

test('a request reads the tables of its own person only', async () => {
  const [one, other] = [await registered(chancery), await registered(chancery)];
  const tables = [
    'person',
    'sign_in',
    'password_reset',
    'email_change',
    'two_factor',
    'two_factor_setup',
    'backup_code',
    'sign_in_challenge',
    'passkey',
  ];
  const client = await chancery.pool.connect();
  const seen = async (table: string) => {
    const column = table === 'person' ? 'id' : 'person_id';
    return new Set((await client.query(`SELECT ${column} AS id FROM ${table}`)).rows.map(({ id }) => id));
  };
  try {
    await chancery.call('POST', `${auth}/request-password-reset`, { body: { email: other.email } });
    await client.query("BEGIN; SELECT set_config('role', 'chancery_app', true)");
    await client.query("SELECT set_config('app.team_id', $1, true)", [one.team]);
    for (const table of tables) assert.deepEqual(await seen(table), new Set(), `${table} without a person`);
    await client.query("SELECT set_config('app.person_id', $1, true)", [one.id]);
    for (const table of tables) assert.ok((await seen(table)).isSubsetOf(new Set([one.id])), table);
    assert.deepEqual(await seen('person'), new Set([one.id]));
    const written = await client.query("UPDATE person SET last_name = 'Z' WHERE id = $1", [other.id]);
    assert.equal(written.rowCount, 0);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
