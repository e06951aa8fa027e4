import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestResponse, type Chancery, startChancery, type User } from '../harness.ts';
import { authPath, cookieOf, goodPassword, mailsTo, registered } from '../people.ts';
import { eventually } from '../webhook-receiver.ts';

const team = '/api/v1/team';
let chancery: Chancery;
let second: string;
before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off', TRUSTED_PROXIES: '127.0.0.1' } });
  second = (await chancery.node('api')).address ?? '';
});
after(() => chancery.stop());

let people = 0;
const stolen = 'StrangersPassword1';
type Device = { from: string; agent: string; cookie?: string };
const victim: Device = { from: '203.0.113.7', agent: 'Firefox of hers' };
const attacker: Device = { from: '198.51.100.9', agent: 'curl' };
const post = (path: string, body: unknown, { from, agent, cookie }: Device = victim) =>
  chancery.call('POST', `${authPath}${path}`, {
    body,
    headers: { 'x-forwarded-for': from, 'user-agent': agent, ...(cookie === undefined ? {} : { cookie }) },
  });
const register = async (email: string, password: string, device: Device) => {
  const answer = await post('/register', { email, firstName: 'Ada', lastName: 'Lovelace', password }, device);
  assert.equal(answer.status, 201, answer.text);
  return `pending_registration=${cookieOf(answer, 'pending_registration')}`;
};
const codes = async (email: string) =>
  (await mailsTo(chancery, email)).toReversed().flatMap(({ subject }) => /\d{6}/.exec(subject)?.[0] ?? []);
const signsIn = async (email: string, password: string) => {
  await chancery.pool.query('DELETE FROM throttle');
  return (await post('/login', { email, password })).status === 200;
};

for (const order of ['before', 'a second after'] as const)
  for (const mail of ['first', 'second'] as const)
    for (const cookie of ['with', 'without'] as const)
      test(`after a registration by an attacker ${order} the owner’s, the code of the ${mail} mail ${cookie} cookie never activates the attacker’s password`, async () => {
        const email = `hijacked${(people += 1)}@example.org`;
        if (order === 'before') await register(email, stolen, attacker);
        const own = await register(email, goodPassword, victim);
        if (order !== 'before') await register(email, stolen, attacker);
        const code = (await codes(email))[mail === 'first' ? 0 : 1];
        const device = cookie === 'with' ? { ...victim, cookie: own } : victim;
        const verified = await post('/verify-email', { email, code }, device);
        assert.equal(verified.status, 200, `the owner is signed in: ${verified.text}`);
        assert.equal(await signsIn(email, stolen), false);
        assert.equal(await signsIn(email, goodPassword), cookie === 'with');
        if (cookie === 'with') return;
        const link = /token=([\w-]+)/.exec((await mailsTo(chancery, email))[0]?.text ?? '')?.[1];
        assert.equal((await post('/reset-password', { token: link, password: goodPassword })).status, 200);
        assert.equal(await signsIn(email, goodPassword), true);
        assert.equal(await signsIn(email, stolen), false);
      });

test('an attacker who registers an address thirty times after its owner neither blocks the owner nor gets access', async () => {
  const email = `flooded${(people += 1)}@example.org`;
  const own = await register(email, goodPassword, victim);
  const [code] = await codes(email);
  for (let n = 0; n < 30; n += 1) await register(email, stolen, attacker);
  const verified = await post('/verify-email', { email, code }, { ...victim, cookie: own });
  assert.equal(verified.status, 200, verified.text);
  assert.deepEqual([await signsIn(email, goodPassword), await signsIn(email, stolen)], [true, false]);
});

test('a mailed code with the owner’s cookie activates the owner’s password, even if only the attacker’s registrations were mailed', async () => {
  const email = `outnumbered${(people += 1)}@example.org`;
  for (let n = 0; n < 5; n += 1) await register(email, stolen, attacker);
  // The owner uses the network of the attacker, which has no mails left.
  const own = await register(email, goodPassword, { ...victim, from: attacker.from });
  for (let n = 0; n < 20; n += 1) await register(email, stolen, attacker);
  const code = (await codes(email)).at(-1);
  const verified = await post('/verify-email', { email, code }, { ...victim, cookie: own });
  assert.equal(verified.status, 200, verified.text);
  assert.deepEqual([await signsIn(email, goodPassword), await signsIn(email, stolen)], [true, false]);
});

test('a cookie without a registration of the address activates no password, even if all registrations have the same source', async () => {
  const email = `cookieless${(people += 1)}@example.org`;
  await register(email, stolen, attacker);
  const other = await register(`another${(people += 1)}@example.org`, goodPassword, victim);
  const [code] = await codes(email);
  const verified = await post('/verify-email', { email, code }, { ...victim, cookie: other });
  assert.equal(verified.status, 200, verified.text);
  assert.deepEqual([await signsIn(email, goodPassword), await signsIn(email, stolen)], [false, false]);
  assert.match((await mailsTo(chancery, email))[0]?.text ?? '', /set a new password/);
});

test('an open registration sets no password after its address has an account', async () => {
  const email = `late${(people += 1)}@example.org`;
  const theirs = await register(email, stolen, attacker);
  const own = await register(email, goodPassword, victim);
  const [, code] = await codes(email);
  assert.equal((await post('/verify-email', { email, code }, { ...victim, cookie: own })).status, 200);
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM registration WHERE email_key = $1', [email]);
  assert.equal(rows[0].n, 0, 'no open registration remains');
  const [older] = await codes(email);
  assert.equal((await post('/verify-email', { email, code: older }, { ...attacker, cookie: theirs })).body.code, 'invalid_or_expired_code');
  await register(email, stolen, attacker);
  assert.equal(await signsIn(email, stolen), false);
});

const opens = (url: string, token: string, path = `${authPath}/profile`) =>
  fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);

test('the deletion of an account ends its tokens on all devices, refresh tokens and links, also on another node', async () => {
  const person = await registered(chancery);
  const other = await post('/login', { email: person.email, password: goodPassword });
  await chancery.pool.query('DELETE FROM throttle');
  await post('/request-password-reset', { email: person.email });
  const link = /token=([\w-]+)/.exec((await mailsTo(chancery, person.email))[0]?.text ?? '')?.[1];
  for (const url of [chancery.url, second]) assert.equal(await opens(url, other.body.accessToken), 200);
  assert.equal((await chancery.call('DELETE', `${authPath}/profile`, { token: person.token })).status, 200);
  for (const token of [person.token, other.body.accessToken]) {
    assert.equal(await opens(chancery.url, token), 401);
    await eventually('the other node is notified', async () => (await opens(second, token)) === 401);
  }
  for (const refreshToken of [person.refreshToken, cookieOf(other, 'refresh_token')])
    assert.equal((await post('/refresh', { refreshToken })).body.error, 'invalid_refresh_token');
  const reset = await post('/reset-password', { token: link, password: 'AnotherGood1Horse' });
  assert.deepEqual([reset.status, reset.body.code], [400, 'invalid_or_expired_token']);
  assert.equal(await signsIn(person.email, goodPassword), false);
  // The address is free. A new registration creates another user.
  const own = await register(person.email, goodPassword, victim);
  const again = await post('/verify-email', { email: person.email, code: (await codes(person.email)).at(-1) }, { ...victim, cookie: own });
  assert.notEqual(again.body.user.id, person.id);
  assert.equal(await opens(chancery.url, person.token), 401);
});

test('a lowered role applies to the next request, also on another node, and a refresh does not restore the old role', async () => {
  const { owner } = await chancery.team();
  const admin = await chancery.user(owner.team, { role: 'admin' });
  const path = '/api/v1/security/audit?limit=1';
  for (const url of [chancery.url, second]) assert.equal(await opens(url, admin.token, path), 200);
  const lowered = await chancery.call('PATCH', `${team}/members/${admin.id}`, { token: owner.token, body: { role: 'member' } });
  assert.equal(lowered.status, 200);
  assert.equal(await opens(chancery.url, admin.token, path), 403);
  await eventually('the other node is notified', async () => (await opens(second, admin.token, path)) === 403);
  const raise = await chancery.call('PATCH', `${team}/members/${admin.id}`, { token: admin.token, body: { role: 'admin' } });
  assert.equal(raise.status, 403);
});

test('a member of the same team, its owner and an outsider can neither see nor end the sessions of a user', async () => {
  const person = await registered(chancery);
  const { body } = await chancery.call('GET', `${authPath}/sessions`, { token: person.token });
  const colleague = await chancery.user(person.team, { role: 'admin' });
  const stranger = await registered(chancery);
  for (const token of [colleague.token, stranger.token]) {
    const listed = await chancery.call('GET', `${authPath}/sessions`, { token });
    assert.ok(!listed.body.some(({ id }: { id: string }) => id === body[0].id));
    assert.equal((await chancery.call('DELETE', `${authPath}/sessions/${body[0].id}`, { token })).status, 404);
    const out = await chancery.call('POST', `${authPath}/logout`, { token, body: { refreshToken: person.refreshToken } });
    assert.equal(out.status, 200, 'the refresh token of another user is ignored');
  }
  assert.equal(await opens(chancery.url, person.token), 200);
  assert.equal((await post('/refresh', { refreshToken: person.refreshToken })).status, 200);
});

const extra = (mine: User, other: User) => ({
  role: 'owner',
  id: other.id,
  userId: other.id,
  teamId: other.team,
  team_id: other.team,
  ownerId: mine.id,
  status: 'active',
  isActive: true,
  isStaff: true,
  emailVerified: true,
  email_key: 'root@example.org',
  passwordHash: 'x',
  scope: 'everything',
  twoFactorEnabled: false,
  version: 99,
  createdAt: '2000-01-01T00:00:00.000Z',
});
const rowOf = async (table: string, id: string) => {
  const { rows } = await chancery.pool.query(
    `SELECT to_jsonb(t) - 'updated_at' - 'version' AS row FROM ${table} t WHERE ${table === 'team' ? 'team_id' : 'id'} = $1`,
    [id],
  );
  return rows[0]?.row;
};

test('unknown body members change nothing: at registration, confirmation and sign-in', async () => {
  const [mine, other] = [(await chancery.team()).owner, (await chancery.team()).owner];
  const email = `assigned${(people += 1)}@example.org`;
  const more = extra(mine, other);
  const { status } = await post('/register', { ...more, email, firstName: 'Ada', lastName: 'Lovelace', password: goodPassword });
  assert.equal(status, 201);
  assert.equal((await post('/login', { ...more, email, password: goodPassword })).body.code, 'email_not_verified');
  const verified = await post('/verify-email', { ...more, email, code: (await codes(email))[0] });
  assert.equal(verified.status, 200, verified.text);
  const { id, teamId } = verified.body.user;
  assert.ok(id !== other.id && ![mine.team, other.team].includes(teamId));
  const elsewhere = await post('/login', { ...more, email, password: goodPassword });
  assert.deepEqual([elsewhere.status, elsewhere.body.code], [403, 'team_closed'], '`teamId` opens only an own team');
  const { teamId: _otherTeam, ...unknown } = more;
  const signed = await post('/login', { ...unknown, email, password: goodPassword });
  assert.deepEqual([signed.body.user.id, signed.body.user.teamId], [id, teamId]);
  const { rows } = await chancery.pool.query(
    'SELECT role, status, version::int, created_at > now() - interval $$1 hour$$ AS new FROM account WHERE id = $1',
    [id],
  );
  assert.deepEqual(rows[0], { role: 'owner', status: 'active', version: rows[0].version, new: true });
  assert.equal((await rowOf('account', other.id)).email_key, other.email);
});

test('unknown body members change nothing: in the profile, the team, its members and invitations', async () => {
  const [mine, other] = [(await chancery.team()).owner, (await chancery.team()).owner];
  const viewer = await chancery.user(mine.team, { role: 'viewer' });
  const rows = async () =>
    Promise.all([
      rowOf('account', viewer.id),
      rowOf('account', mine.id),
      rowOf('account', other.id),
      rowOf('team', mine.team),
      rowOf('team', other.team),
    ]);
  const kept_ = await rows();
  const more = extra(viewer, other);
  const put = await chancery.call('PUT', `${authPath}/profile`, { token: viewer.token, body: { ...more, firstName: 'Ada' } });
  assert.deepEqual([put.status, put.body.code], [422, 'field_read_only'], 'rejected instead of ignored');
  const { id: _id, teamId: _team, role: _role, twoFactorEnabled: _factor, ...unnamed } = more;
  const passed = await chancery.call('PUT', `${authPath}/profile`, { token: viewer.token, body: { ...unnamed, firstName: 'Ada' } });
  assert.equal(passed.status, 200, passed.text);
  /** Operations outside the published contract reject unknown members and change nothing. */
  const refused = async (method: string, path: string, body: object, token?: string) => {
    const answer = await chancery.call(method, path, { body, ...(token === undefined ? {} : { token }) });
    assert.deepEqual([answer.status, answer.body.errors?.[0]?.rule], [400, 'unknown'], `${method} ${path}: ${answer.text}`);
  };
  await refused('PATCH', team, { ...extra(mine, other), name: 'Renamed & Partners' }, mine.token);
  await refused('PATCH', `${team}/members/${viewer.id}`, { ...extra(mine, other), role: 'admin' }, mine.token);
  assert.deepEqual(await rows(), kept_);
  for (const role of ['owner', 'staff', 'OWNER', ['admin'], { role: 'admin' }, null, true]) {
    const raised = await chancery.call('PATCH', `${team}/members/${viewer.id}`, { token: mine.token, body: { role } });
    assert.equal(raised.status, 400, JSON.stringify(role));
    const invited = await chancery.call('POST', `${team}/invitations`, { token: mine.token, body: { email: 'x@example.org', role } });
    assert.equal(invited.status, 400, JSON.stringify(role));
  }
  const guestBody = { email: 'guest.of.mine@example.org', role: 'viewer' };
  await refused('POST', `${team}/invitations`, { ...extra(mine, other), ...guestBody, createdBy: other.id }, mine.token);
  const invited = await chancery.call('POST', `${team}/invitations`, { token: mine.token, body: guestBody });
  assert.deepEqual([invited.status, invited.body.role, invited.body.createdBy], [201, 'viewer', mine.id]);
  const token = /token=([\w-]+)/.exec((await mailsTo(chancery, 'guest.of.mine@example.org'))[0]?.text ?? '')?.[1];
  const person = { token, firstName: 'A', lastName: 'B', password: goodPassword };
  await refused('POST', `${team}/invitations/accept`, { ...extra(mine, other), email: 'somebody.else@example.org', ...person });
  const accepted = await chancery.call('POST', `${team}/invitations/accept`, { body: person });
  assert.equal(accepted.status, 201, accepted.text);
  const guest = await rowOf('account', accepted.body.user.id);
  assert.deepEqual([guest.role, guest.team_id, guest.email_key], ['viewer', mine.team, 'guest.of.mine@example.org']);
});

test('unknown body members change nothing: in resources of a team', async () => {
  const [mine, other] = [(await chancery.team()).owner, (await chancery.team()).owner];
  const foreign = { ...extra(mine, other), createdBy: other.id, created_by: other.id, clientId: other.id, documentsCount: 7 };
  const document = await chancery.document(mine);
  const made: [string, string, Record<string, unknown>, string][] = [
    ['folder', '/api/v1/smartdoc/folders/', { name: 'F' }, 'PUT'],
    ['document', '/api/v1/smartdoc/documents/', { title: 'D' }, 'PUT'],
    ['workflow', '/api/v1/workflows/', { name: 'W', documentId: document.id, steps: [{ id: 'a', type: 'task' }] }, 'PUT'],
    ['webhook_endpoint', '/api/v1/webhooks/', { name: 'H', url: 'https://receiver.example/hook', events: ['*'] }, 'PATCH'],
    ['api_client', '/api/v1/security/clients/', { name: 'C', scopes: ['tasks:read'] }, 'PATCH'],
  ];
  const owners = (row: Record<string, unknown>) =>
    ['team_id', 'id', 'user_id', 'created_by', 'client_id', 'created_at', 'status'].map((column) => [column, row[column]]);
  for (const [table, path, body, method] of made) {
    const { status: _status, isActive: _active, ...more } = foreign;
    const send = async (how: string, at: string) => {
      const full = await chancery.call(how, at, { token: mine.token, body: { ...more, ...body } });
      // Operations outside the published contract reject unknown members.
      return full.body?.errors?.[0]?.rule === 'unknown' ? chancery.call(how, at, { token: mine.token, body }) : full;
    };
    const answer = await send('POST', path);
    assert.equal(answer.status, 201, `${table}: ${answer.text}`);
    const { id } = answer.body;
    const row = await rowOf(table, id);
    assert.deepEqual([row.team_id, id !== other.id], [mine.team, true], table);
    for (const by of ['user_id', 'created_by']) if (by in row) assert.equal(row[by], mine.id, `${table}.${by}`);
    if (table === 'webhook_endpoint') assert.ok(!('clientId' in answer.body), 'an endpoint of a person has no clientId');
    assert.ok(Date.parse(row.created_at) > Date.now() - 600_000, table);
    const changed = await send(method, `${path}${id}`);
    assert.equal(changed.status, 200, `${table}: ${changed.text}`);
    assert.deepEqual(owners(await rowOf(table, id)), owners(row), table);
    assert.equal(await rowOf(table, other.id), undefined);
  }
  const client = await chancery.client(mine, ['webhooks:write']);
  const hook = await chancery.call('POST', '/api/v1/webhooks/', {
    token: client.token,
    body: { ...foreign, name: 'H2', url: 'https://receiver.example/hook', events: ['*'], isActive: true },
  });
  assert.deepEqual([hook.status, hook.body.clientId, hook.body.teamId], [201, client.id, mine.team], hook.text);
});

test('each operation with a body rejects an object instead of a text, and members of the object prototype', async () => {
  const { owner } = await chancery.team();
  const send = (method: string, path: string, body: string): Promise<TestResponse> =>
    chancery.call(method, path, { token: owner.token, body, headers: { 'content-type': 'application/json' }, unchecked: true });
  let looked = 0;
  for (const { method, path, access, hasBody, form } of chancery.description.operations) {
    if (!hasBody || form || access === 'staff') continue;
    const at = path.replaceAll(/\{[^}]+\}/g, owner.id);
    for (const poisoned of [
      '{"__proto__":{"role":"owner"}}',
      '{"a":{"\\u005f_proto__":{"role":"owner"}}}',
      '{"constructor":{"prototype":{"role":"owner"}}}',
    ]) {
      const answer = await send(method, at, poisoned);
      // Errors of this operation have the format of RFC 7591.
      const said = path === '/oauth/register' ? [answer.body?.error, 'invalid_request'] : [answer.body?.code, 'malformed_json'];
      assert.deepEqual([answer.status, said[0]], [400, said[1]], `${method} ${path} ${poisoned}`);
    }
    looked += 1;
  }
  assert.ok(looked > 25, `${looked}`);
  assert.equal(({} as { role?: string }).role, undefined);
  for (const nested of [{ $ne: '' }, ['x'], { toString: 'x' }, 7, true, null]) {
    for (const [path, body] of [
      ['/login', { email: nested, password: goodPassword }],
      ['/login', { email: owner.email, password: nested }],
      ['/reset-password', { token: nested, password: goodPassword }],
      ['/verify-totp', { challengeId: nested, code: '000000' }],
      ['/verify-email', { email: owner.email, code: nested }],
    ] as const)
      assert.equal((await post(path, body)).status, 400, `${path} ${JSON.stringify(nested)}`);
  }
});
