import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type TestResponse, type Chancery, sharedChancery, type TestTeam, type User } from '../harness.ts';
import { authPath, enrolled, goodPassword, mailsTo, registered } from '../people.ts';
import { staffToken } from '../staff.ts';

const clients = '/api/v1/security/clients';
let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

const call = (by: User | { token: string }, method: string, path: string, body?: unknown) =>
  chancery.call(method, path, { token: by.token, ...(body === undefined ? {} : { body }) });
const age = (id: string) =>
  chancery.pool.query(
    "UPDATE sign_in SET auth_time = now() - interval '16 minutes', second_factor_at = second_factor_at - interval '16 minutes' WHERE person_id = $1",
    [id],
  );

// Creating credentials and granting rights.

const connection = { issuer: 'https://login.example', clientId: 'c', clientSecret: 's', trustMfa: true };

type Gift = { what: string; method: string; path: (made: TeamSetup) => string; body?: unknown; ok: number };
type TeamSetup = { client: string; connection: string; viewer: string; suspended: string; invitation: string };
const member = (id: string) => `/api/v1/team/members/${id}`;
const gifts: Gift[] = [
  { what: 'a client', method: 'POST', path: () => `${clients}/`, body: { name: 'C', scopes: ['tasks:read'] }, ok: 201 },
  {
    what: 'a scope',
    method: 'PATCH',
    path: ({ client }) => `${clients}/${client}`,
    body: { scopes: ['tasks:read', 'team:write'] },
    ok: 200,
  },
  { what: 'a longer life', method: 'PATCH', path: ({ client }) => `${clients}/${client}`, body: { expiresAt: null }, ok: 200 },
  { what: 'a secret', method: 'POST', path: ({ client }) => `${clients}/${client}/rotate-secret`, body: {}, ok: 200 },
  { what: 'custody', method: 'POST', path: ({ client }) => `${clients}/${client}/take-over`, body: {}, ok: 200 },
  { what: 'a provider', method: 'POST', path: () => '/api/v1/team/sso', body: connection, ok: 201 },
  {
    what: 'trust in a provider',
    method: 'PATCH',
    path: (made) => `/api/v1/team/sso/${made.connection}`,
    body: { trustMfa: true },
    ok: 200,
  },
  { what: 'a domain', method: 'PATCH', path: (made) => `/api/v1/team/sso/${made.connection}`, body: { domains: ['a.example'] }, ok: 200 },
  { what: 'a higher role', method: 'PATCH', path: ({ viewer }) => member(viewer), body: { role: 'member' }, ok: 200 },
  { what: 'administration', method: 'PATCH', path: ({ viewer }) => member(viewer), body: { role: 'admin' }, ok: 200 },
  { what: 'a reactivated administrator', method: 'PATCH', path: (made) => member(made.suspended), body: { isActive: true }, ok: 200 },
  {
    what: 'an invitation of an administrator',
    method: 'POST',
    path: () => '/api/v1/team/invitations',
    body: { email: 'new.admin@example.org', role: 'admin' },
    ok: 201,
  },
  { what: 'a resent invitation', method: 'POST', path: ({ invitation }) => `/api/v1/team/invitations/${invitation}/resend`, ok: 200 },
  { what: 'decisions by one person', method: 'PATCH', path: () => '/api/v1/team', body: { fourEyes: false }, ok: 200 },
  { what: 'less custody', method: 'PATCH', path: () => '/api/v1/team', body: { clientsAwaitTakeover: false }, ok: 200 },
];
/** Operations that revoke something or grant nothing need no recent sign-in. */
const takings: Gift[] = [
  {
    what: 'fewer scopes',
    method: 'PATCH',
    path: ({ client }) => `${clients}/${client}`,
    body: { scopes: ['tasks:read'], isActive: false },
    ok: 200,
  },
  {
    what: 'a disabled provider',
    method: 'PATCH',
    path: (made) => `/api/v1/team/sso/${made.connection}`,
    body: { isActive: false, trustMfa: false },
    ok: 200,
  },
  { what: 'a lower role', method: 'PATCH', path: ({ suspended }) => member(suspended), body: { role: 'viewer' }, ok: 200 },
  {
    what: 'a member invited',
    method: 'POST',
    path: () => '/api/v1/team/invitations',
    body: { email: 'new.member@example.org', role: 'member' },
    ok: 201,
  },
  { what: 'a client deleted', method: 'DELETE', path: ({ client }) => `${clients}/${client}`, ok: 204 },
];

async function things({ owner, id }: TestTeam): Promise<TeamSetup> {
  const idOf = async (answer: Promise<TestResponse>): Promise<string> => (await answer).body.id;
  const [viewer, admin] = [await chancery.user(id, { role: 'viewer' }), await chancery.user(id, { role: 'admin' })];
  assert.equal((await call(owner, 'PATCH', member(admin.id), { isActive: false })).status, 200);
  const invitation = await idOf(call(owner, 'POST', '/api/v1/team/invitations', { email: `waiting.${id}@example.org`, role: 'admin' }));
  await chancery.pool.query("UPDATE invitation SET sent_at = sent_at - interval '2 minutes' WHERE id = $1", [invitation]);
  return {
    client: await idOf(call(owner, 'POST', `${clients}/`, { name: 'C', scopes: ['tasks:read'], expiresAt: '2099-01-01T00:00:00.000Z' })),
    connection: await idOf(call(owner, 'POST', '/api/v1/team/sso', { ...connection, trustMfa: false })),
    viewer: viewer.id,
    suspended: admin.id,
    invitation,
  };
}

test('creating credentials and granting rights need a recent sign-in; revoking them does not', async () => {
  const team = await chancery.team();
  const { owner } = team;
  const world = await things(team);
  const send = ({ method, path, body }: Gift) => call(owner, method, path(world), body);
  await age(owner.id);
  for (const gift of gifts) {
    const answer = await send(gift);
    assert.deepEqual([answer.status, answer.body.code], [401, 'reauthentication_required'], gift.what);
    assert.match(answer.headers.get('www-authenticate') ?? '', /insufficient_user_authentication/, gift.what);
  }
  await chancery.pool.query('UPDATE sign_in SET auth_time = now() WHERE person_id = $1', [owner.id]);
  for (const gift of gifts) assert.equal((await send(gift)).status, gift.ok, gift.what);
  await age(owner.id);
  for (const taking of takings) assert.equal((await send(taking)).status, taking.ok, taking.what);
});

test('for a user with a second factor, the password alone does not renew the sign-in of an old session', async () => {
  const person = await enrolled(chancery);
  await age(person.id);
  const proven = await call(person, 'POST', `${authPath}/reauthenticate`, { password: goodPassword });
  assert.equal(proven.status, 200);
  const make = () => call({ token: proven.body.accessToken }, 'POST', `${clients}/`, { name: 'C', scopes: ['tasks:read'] });
  assert.equal((await make()).body.code, 'reauthentication_required');
  assert.equal((await call(person, 'POST', `${authPath}/reauthenticate`, { code: person.code() })).status, 200);
  assert.equal((await make()).status, 201);
});

test('staff need a recent sign-in to disable the second factor of a user', async () => {
  const person = await enrolled(chancery);
  const token = await staffToken(chancery);
  await chancery.pool.query("UPDATE staff_session SET auth_time = now() - interval '16 minutes'");
  const disable = () => call({ token }, 'POST', `/api/v1/staff/users/${person.id}/disable-2fa`, { reason: 'lost phone' });
  assert.equal((await disable()).body.code, 'reauthentication_required');
  assert.equal((await call({ token }, 'POST', `${authPath}/staff/reauthenticate`, { password: goodPassword })).status, 200);
  assert.equal((await disable()).status, 200);
});

// Resources that outlive their creator.

const subjects = async (email: string) => (await mailsTo(chancery, email)).map(({ subject }) => subject);
const reads = (token: string) => call({ token }, 'GET', '/api/v1/tasks/').then(({ status }) => status);
const tokenOf = (id: string, secret: string) =>
  chancery.call('POST', '/oauth/token', {
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });

/** Creates a team with a registered owner, and an administrator with a client with write scopes and a client with read scopes. */
async function clientTeam() {
  const owner = await registered(chancery);
  const admin = await chancery.user(owner.team, { role: 'admin' });
  const writes = await chancery.client(admin, ['tasks:read', 'tasks:write', 'team:write']);
  const onlyReads = await chancery.client(admin, ['tasks:read']);
  return { owner, admin, writes, onlyReads };
}
type World = Awaited<ReturnType<typeof clientTeam>>;

async function resets({ email }: { email: string }): Promise<void> {
  await chancery.call('POST', `${authPath}/request-password-reset`, { body: { email } });
  const token = /token=([\w-]+)/.exec((await mailsTo(chancery, email))[0]?.text ?? '')?.[1];
  const answer = await chancery.call('POST', `${authPath}/reset-password`, { body: { token, password: `${goodPassword}!` } });
  assert.equal(answer.status, 200, answer.text);
}

const losses: [string, (world: World) => Promise<unknown>][] = [
  ['was removed', ({ owner, admin }) => call(owner, 'DELETE', member(admin.id))],
  ['was suspended', ({ owner, admin }) => call(owner, 'PATCH', member(admin.id), { isActive: false })],
  ['was made a member', ({ owner, admin }) => call(owner, 'PATCH', member(admin.id), { role: 'member' })],
  ['has left', ({ admin }) => call(admin, 'POST', '/api/v1/team/leave')],
  ['deleted their account', ({ admin }) => call(admin, 'DELETE', `${authPath}/profile`)],
  ['set a new password by mail', ({ admin }) => resets(admin)],
];
for (const [what, lose] of losses)
  test(`the creator ${what}: clients with write scopes are suspended, the owner is notified and can take them over`, async () => {
    const world = await clientTeam();
    const { owner, admin, writes, onlyReads } = world;
    assert.deepEqual([await reads(writes.token), await reads(onlyReads.token)], [200, 200]);
    await lose(world);
    assert.deepEqual([await reads(writes.token), await reads(onlyReads.token)], [401, 200]);
    assert.equal((await tokenOf(writes.id, writes.secret)).body.error, 'invalid_client');
    assert.match((await subjects(owner.email)).join('\n'), /API clients wait for you/);
    const { body: listed } = await call(owner, 'GET', `${clients}/`);
    const shown = listed.find(({ id }: { id: string }) => id === writes.id);
    assert.deepEqual([shown.createdBy, shown.responsibleId, shown.isActive], [admin.id, admin.id, false]);
    assert.ok(Date.parse(shown.suspendedPendingTakeoverAt) > 0 && Date.parse(shown.lastUsedAt) > 0);
    for (const [method, rest, body] of [
      ['PATCH', '', { isActive: true }],
      ['POST', '/rotate-secret', {}],
    ] as const)
      assert.equal((await call(owner, method, `${clients}/${writes.id}${rest}`, body)).body.code, 'takeover_required');
    const taken = await call(owner, 'POST', `${clients}/${writes.id}/take-over`);
    assert.equal(taken.status, 200, taken.text);
    assert.deepEqual([taken.body.createdBy, taken.body.responsibleId, taken.body.isActive], [admin.id, owner.id, true]);
    assert.ok(!('suspendedPendingTakeoverAt' in taken.body));
    assert.equal((await tokenOf(writes.id, writes.secret)).status, 401, 'the old secret is invalid');
    assert.equal((await tokenOf(writes.id, taken.body.clientSecret)).status, 200);
    const kept = await call(owner, 'POST', `${clients}/${onlyReads.id}/take-over`, { keepSecret: true });
    assert.deepEqual([kept.status, kept.body.responsibleId, 'clientSecret' in kept.body], [200, owner.id, false]);
    assert.equal(await reads(onlyReads.token), 200);
  });

test('disabling a second factor by staff suspends clients until their creator takes them over; a password change does not', async () => {
  const person = await enrolled(chancery);
  const client = await chancery.client(person as unknown as User, ['tasks:read', 'tasks:write']);
  const changed = await call(person, 'PUT', `${authPath}/change-password`, {
    currentPassword: goodPassword,
    newPassword: `${goodPassword}!`,
  });
  assert.deepEqual([changed.status, await reads(client.token)], [200, 200]);
  const staff = await staffToken(chancery);
  const disabled = await call({ token: staff }, 'POST', `/api/v1/staff/users/${person.id}/disable-2fa`, { reason: 'lost phone' });
  assert.equal(disabled.status, 200, disabled.text);
  assert.equal(await reads(client.token), 401);
  assert.match((await subjects(person.email)).join('\n'), /API clients wait for you/);
  const token = (await chancery.call('POST', `${authPath}/login`, { body: { email: person.email, password: `${goodPassword}!` } })).body
    .accessToken;
  const taken = await call({ token }, 'POST', `${clients}/${client.id}/take-over`, { keepSecret: true });
  assert.equal(taken.status, 200, taken.text);
  assert.equal(await reads(client.token), 200);
});

test('a team can disable the suspension of clients; its owner is still notified', async () => {
  const { owner, admin, writes } = await clientTeam();
  assert.equal((await call(owner, 'GET', '/api/v1/team')).body.clientsAwaitTakeover, true, 'clients are suspended by default');
  const set = await call(owner, 'PATCH', '/api/v1/team', { clientsAwaitTakeover: false });
  assert.deepEqual([set.status, set.body.clientsAwaitTakeover], [200, false]);
  assert.equal((await call(owner, 'DELETE', member(admin.id))).status, 204);
  assert.equal(await reads(writes.token), 200);
  assert.match((await subjects(owner.email)).join('\n'), /Check what Ada Number\d+ created/);
});

test('a concurrent takeover of a client and removal of its creator leave the client active with a responsible person', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { owner, admin, writes } = await clientTeam();
    const [taken, removed] = await Promise.all([
      call(owner, 'POST', `${clients}/${writes.id}/take-over`, { keepSecret: true }),
      call(owner, 'DELETE', member(admin.id)),
    ]);
    assert.deepEqual([taken.status, removed.status], [200, 204]);
    const { body } = await call(owner, 'GET', `${clients}/${writes.id}`);
    assert.deepEqual([body.responsibleId, body.isActive, 'suspendedPendingTakeoverAt' in body], [owner.id, true, false]);
  }
});

test('a connection shows its creator and its last use', async () => {
  const { owner, admin } = await clientTeam();
  const linked = await call(admin, 'POST', '/api/v1/team/sso', connection);
  assert.deepEqual([linked.status, linked.body.createdBy, 'lastUsedAt' in linked.body], [201, admin.id, false]);
  await chancery.pool.query(
    `INSERT INTO federated_identity (team_id, id, issuer, subject, account_id, connection_id, created_at, last_used_at)
     VALUES ($1, gen_random_uuid(), 'https://login.example', 'x', $2, $3, now(), '2026-01-02T03:04:05.678Z')`,
    [owner.team, admin.id, linked.body.id],
  );
  assert.equal((await call(owner, 'GET', `/api/v1/team/sso/${linked.body.id}`)).body.lastUsedAt, '2026-01-02T03:04:05.678Z');
});

for (const [what, lose] of losses.filter(([one]) => /removed|made/.test(one)))
  test(`the creator ${what}: one mail to the owner lists clients, connections, endpoints and invitations; the invitations end`, async () => {
    const world = await clientTeam();
    const { owner, admin } = world;
    const [invited, joined] = [`accomplice.${admin.id}@example.org`, `member.${admin.id}@example.org`];
    const invite = async (email: string, role: string) => (await call(admin, 'POST', '/api/v1/team/invitations', { email, role })).body.id;
    const [accomplice, colleague] = [await invite(invited, 'admin'), await invite(joined, 'member')];
    assert.equal((await call(admin, 'POST', '/api/v1/team/sso', connection)).status, 201);
    const hook = { name: 'Books elsewhere', url: 'https://receiver.example/hook', events: ['*'] };
    assert.equal((await call(admin, 'POST', '/api/v1/webhooks/', hook)).status, 201);
    const link = /token=([\w-]+)/.exec((await mailsTo(chancery, invited))[0]?.text ?? '')?.[1];
    await lose(world);
    const noticeMails = (await mailsTo(chancery, owner.email)).filter(({ subject }) => /API clients wait/.test(subject));
    assert.equal(noticeMails.length, 1);
    for (const named of ['Test client', 'https://login.example', 'Books elsewhere', invited])
      assert.ok(noticeMails[0]?.text.includes(named), named);
    const names = { firstName: 'A', lastName: 'B', password: goodPassword };
    const accepted = await chancery.call('POST', '/api/v1/team/invitations/accept', { body: { token: link, ...names } });
    assert.equal(accepted.body.code, 'invalid_invitation');
    const stateOf = async (id: string) => (await call(owner, 'GET', `/api/v1/team/invitations/${id}`)).body.status;
    assert.deepEqual([await stateOf(accomplice), await stateOf(colleague)], ['revoked', 'revoked']);
  });

for (const [what, lose] of losses)
  test(`the creator ${what}: invitations of members by the creator and by suspended clients cannot be accepted`, async () => {
    const world = await clientTeam();
    const { owner, admin, writes } = world;
    const reset = /password/.test(what);
    const links: Record<string, string> = {};
    for (const [name, by] of Object.entries({ person: admin, client: writes, colleague: owner })) {
      const email = `${name}.of.${admin.id}@example.org`;
      const invited = await call(by, 'POST', '/api/v1/team/invitations', { email, role: 'member' });
      assert.equal(invited.status, 201, invited.text);
      links[name] = /token=([\w-]+)/.exec((await mailsTo(chancery, email))[0]?.text ?? '')?.[1] ?? '';
    }
    await lose(world);
    const accept = async (name: string) => {
      const body = { token: links[name], firstName: 'A', lastName: 'B', password: goodPassword };
      return (await chancery.call('POST', '/api/v1/team/invitations/accept', { body })).status;
    };
    assert.deepEqual([await accept('client'), await accept('colleague')], [400, 201]);
    assert.equal(await accept('person'), reset ? 201 : 400, 'a user with a new password can still invite');
    const { rows } = await chancery.pool.query("SELECT 1 FROM audit_entry WHERE team_id = $1 AND type = 'invitation.revoked'", [
      owner.team,
    ]);
    assert.equal(rows.length, reset ? 1 : 2);
  });

for (const [what, end] of [
  ['is disabled', (by: { token: string }, id: string) => call(by, 'PATCH', `${clients}/${id}`, { isActive: false })],
  ['loses the scope to invite', (by: { token: string }, id: string) => call(by, 'PATCH', `${clients}/${id}`, { scopes: ['tasks:read'] })],
  ['is deleted', (by: { token: string }, id: string) => call(by, 'DELETE', `${clients}/${id}`)],
] as const)
  test(`invitations of a client end when it ${what}`, async () => {
    const { owner, writes } = await clientTeam();
    const { body: made } = await call(writes, 'POST', '/api/v1/team/invitations', { email: `x.${writes.id}@example.org`, role: 'member' });
    const state = async () => (await call(owner, 'GET', `/api/v1/team/invitations/${made.id}`)).body.status;
    assert.equal((await call(owner, 'PATCH', `${clients}/${writes.id}`, { name: 'Renamed' })).status, 200);
    assert.equal(await state(), 'pending');
    assert.ok((await end(owner, writes.id)).status < 300);
    assert.equal(await state(), 'revoked');
  });

test('only the session that received a response with a secret gets it again by Idempotency-Key', async () => {
  const person = await enrolled(chancery);
  const second = await chancery.call('POST', `${authPath}/login`, { body: { email: person.email, password: goodPassword } });
  const other = await chancery.call('POST', `${authPath}/verify-totp`, {
    body: { challengeId: second.body.challengeId, code: person.code(1) },
  });
  assert.equal(other.status, 200, other.text);
  const post = (token: string, path: string, body: unknown) =>
    chancery.call('POST', path, { token, headers: { 'idempotency-key': `once at ${path}` }, ...(body === undefined ? {} : { body }) });
  for (const [path, body, secret] of [
    [`${authPath}/2fa/regenerate-codes`, undefined, 'backupCodes'],
    [`${clients}/`, { name: 'C', scopes: ['tasks:read'] }, 'clientSecret'],
  ] as const) {
    const first = await post(person.token, path, body);
    const again = await post(person.token, path, body);
    assert.deepEqual([again.headers.get('idempotency-replayed'), again.body[secret]], ['true', first.body[secret]], path);
    const theirs = await post(other.body.accessToken, path, body);
    assert.notDeepEqual(theirs.body[secret], first.body[secret], path);
    assert.equal(theirs.headers.get('idempotency-replayed'), null, path);
  }
});
