import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeJwt } from 'jose';
import { pino } from 'pino';
import { commandAsProcess, settingsOf, typedCommand } from '../../../test/command-line.ts';
import { type TestResponse, type Chancery, startChancery } from '../../../test/harness.ts';
import {
  authPath,
  challengeOf,
  cookieOf,
  enrolled,
  goodPassword,
  mailsTo,
  registered,
  secretOf,
  signIn,
  withPreviousCode,
} from '../../../test/people.ts';
import { firstStaff, staffPath, staffToken } from '../../../test/staff.ts';
import { totpAt, totpStep } from '../../platform/crypto/totp.ts';
import { withStaffAdministration } from '../../commands/tools/staff.ts';

let chancery: Chancery;
/** A second service on the same database, with a mandatory second factor for staff. */
let strict: { url: string };
before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off', ...firstStaff } });
  const node = await chancery.node('api', { STAFF_REQUIRE_TOTP: 'true' });
  strict = { url: node.address ?? '' };
});
after(() => chancery.stop());

const staff = (method: string, path: string, token?: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse> =>
  chancery.call(method, path.startsWith('/api') ? path : `${staffPath}${path}`, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers }),
  });
const login = (email: string, password = goodPassword) => staff('POST', '/login', undefined, { email, password });
const entries = async (type: string) =>
  (
    await chancery.pool.query('SELECT team_id, actor_type, actor_id, target_id, data FROM audit_entry WHERE type = $1 ORDER BY id DESC', [
      type,
    ])
  ).rows;

const command = (args: string[], input = '') => typedCommand(['staff', ...args], settingsOf(chancery), input);

let people = 0;
async function member(): Promise<{ email: string; id: string; token: string; refreshToken: string }> {
  people += 1;
  const email = `staff${people}@example.org`;
  await withStaffAdministration(chancery.config, pino({ level: 'silent' }), (administration) =>
    administration.create({ email, name: 'Grace Hopper', password: goodPassword }),
  );
  const signed = await login(email);
  assert.equal(signed.status, 200, signed.text);
  return { email, id: signed.body.staff.id, token: signed.body.accessToken, refreshToken: cookieOf(signed, 'staff_refresh_token') };
}

async function withTotp(person: { token: string }): Promise<{ secret: Buffer; backupCodes: string[]; code(step?: number): string }> {
  const begun = await staff('POST', '/totp/setup-init', person.token);
  assert.equal(begun.status, 200, begun.text);
  const secret = secretOf(begun.body.totpUri);
  const code = (step = 0) => totpAt(secret, totpStep(new Date()) + step);
  const { setupId } = begun.body;
  const confirmed = await withPreviousCode(code, (previous) =>
    staff('POST', '/totp/setup-confirm', person.token, { code: previous, setupId }),
  );
  assert.deepEqual([confirmed.status, confirmed.body], [200, { ok: true }], confirmed.text);
  return { secret, backupCodes: begun.body.backupCodes, code };
}

test('the first account is created from the settings if none exists, and its token has another audience', async () => {
  const signed = await login(firstStaff.STAFF_BOOTSTRAP_EMAIL);
  assert.deepEqual(Object.keys(signed.body.staff).toSorted(), [
    'createdAt',
    'email',
    'id',
    'isActive',
    'lastLoginAt',
    'name',
    'totpEnabled',
  ]);
  const claims = decodeJwt(signed.body.accessToken);
  assert.equal(claims.aud, 'staff-api');
  assert.ok((claims.exp ?? 0) - (claims.iat ?? 0) <= 600);
  assert.match(signed.headers.getSetCookie().join(), /staff_refresh_token=.*HttpOnly; SameSite=Strict/);
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM staff WHERE email = $1', [firstStaff.STAFF_BOOTSTRAP_EMAIL]);
  assert.equal(rows[0].n, 1, 'two nodes created one account');
});

test('staff tokens work for no user operation, and user tokens for no staff operation', async () => {
  const person = await registered(chancery);
  const token = await staffToken(chancery);
  for (const operation of chancery.description.operations) {
    const path = operation.path.replaceAll(/\{[^}]+\}/g, '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f11');
    const given = operation.access === 'user' ? token : operation.access === 'staff' ? person.token : undefined;
    if (given === undefined) continue;
    const answer = await chancery.call(operation.method, path, { token: given, unchecked: true });
    assert.deepEqual([answer.status, answer.body?.code], [401, 'invalid_token'], `${operation.method} ${path}`);
  }
  assert.equal((await login(person.email)).body.code, 'invalid_credentials');
  assert.equal((await signIn(chancery, firstStaff.STAFF_BOOTSTRAP_EMAIL)).body.code, 'invalid_credentials');
});

test('the command line creates, lists, disables and enables accounts, and never prints a password', async () => {
  const person = await member();
  assert.match(
    commandAsProcess(['staff', 'list'], settingsOf(chancery)).stdout,
    new RegExp(`${person.email}\\tGrace Hopper\\tactive\\tno totp`),
  );
  const typed = await command(['create', '--email', 'typed@example.org', '--name', 'Typed', '--password-stdin'], `${goodPassword}\n`);
  assert.equal(typed.code, 0, typed.stderr);
  assert.equal((await login('typed@example.org')).status, 200);
  assert.equal((await command(['create', '--email', person.email, '--name', 'Again'])).code, 1);
  assert.equal((await command(['create', '--email', 'x@example.org'])).code, 2);
  assert.equal((await command(['disable', '--email', 'nobody@example.org'])).code, 1);
  assert.equal((await command(['disable', '--email', person.email])).code, 0);
  assert.equal((await staff('GET', '/profile', person.token)).status, 401, 'at once');
  assert.equal((await login(person.email)).body.code, 'staff_inactive');
  assert.equal((await login(person.email, 'wrong-password')).body.code, 'invalid_credentials');
  assert.equal((await command(['enable', '--email', person.email])).code, 0);
  assert.equal((await login(person.email)).status, 200);
  const weak = await command(['create', '--email', 'weak@example.org', '--name', 'Weak', '--password-stdin'], 'password1\n');
  assert.equal(weak.code, 1);
  assert.doesNotMatch(weak.stderr, /password1/);
});

test('an account without a password gets a link that sets one, once, and a weak password leaves the link valid', async () => {
  const made = await command(['create', '--email', 'linked@example.org', '--name', 'Linked']);
  const token = /token=([\w-]+)/.exec(made.stdout)?.[1];
  assert.ok(token, made.stdout);
  assert.equal((await login('linked@example.org', '')).body.code, 'invalid_credentials');
  assert.equal((await staff('POST', '/set-password', undefined, { token, password: 'short' })).status, 400);
  const raced = await Promise.all(
    Array.from({ length: 10 }, () => staff('POST', '/set-password', undefined, { token, password: goodPassword })),
  );
  assert.equal(raced.filter(({ status }) => status === 204).length, 1);
  assert.equal((await login('linked@example.org')).status, 200);
  const again = /token=([\w-]+)/.exec((await command(['password-link', '--email', 'linked@example.org'])).stdout)?.[1];
  assert.equal((await staff('POST', '/set-password', undefined, { token: again, password: `${goodPassword}2` })).status, 204);
  assert.equal((await login('linked@example.org', `${goodPassword}2`)).status, 200);
});

test('with the second factor on, the password gives a challenge, and a code signs in once, also under concurrency', async () => {
  const person = await member();
  const { code } = await withTotp(person);
  const { body } = await login(person.email);
  assert.deepEqual(Object.keys(body).toSorted(), ['challengeId', 'expiresIn', 'methods', 'twoFactorRequired']);
  const tried = code();
  const raced = await Promise.all(
    Array.from({ length: 20 }, () => staff('POST', '/verify-totp', undefined, { challengeId: body.challengeId, code: tried })),
  );
  assert.equal(raced.filter(({ status }) => status === 200).length, 1);
  const again = await login(person.email);
  const replayed = await staff('POST', '/verify-totp', undefined, { challengeId: again.body.challengeId, code: tried });
  assert.deepEqual([replayed.status, replayed.body.code], [401, 'invalid_code']);
});

test('the code that confirmed the set-up cannot sign in; the next one can', async () => {
  const person = await member();
  const begun = await staff('POST', '/totp/setup-init', person.token);
  const codeAt = (step: number) => totpAt(secretOf(begun.body.totpUri), totpStep(new Date()) + step);
  const code = codeAt(0);
  assert.equal((await staff('POST', '/totp/setup-confirm', person.token, { code, setupId: begun.body.setupId })).status, 200);
  const { challengeId } = (await login(person.email)).body;
  assert.equal((await staff('POST', '/verify-totp', undefined, { challengeId, code })).body.code, 'invalid_code');
  assert.equal((await staff('POST', '/verify-totp', undefined, { challengeId, code: codeAt(1) })).status, 200);
});

test('challenges of users and of staff are not interchangeable; a backup code works once', async () => {
  const person = await member();
  const { backupCodes, code } = await withTotp(person);
  const user = await enrolled(chancery);
  const theirs = await challengeOf(chancery, user.email);
  assert.equal((await staff('POST', '/verify-totp', undefined, { challengeId: theirs, code: user.code() })).body.code, 'invalid_challenge');
  const { challengeId } = (await login(person.email)).body;
  const crossed = await chancery.call('POST', `${authPath}/verify-totp`, { body: { challengeId, code: code() } });
  assert.equal(crossed.body.code, 'invalid_challenge');
  assert.equal((await staff('POST', '/verify-totp', undefined, { challengeId, code: backupCodes[0] })).status, 200);
  const next = (await login(person.email)).body.challengeId;
  assert.equal((await staff('POST', '/verify-totp', undefined, { challengeId: next, code: backupCodes[0] })).body.code, 'invalid_code');
});

test('changes to the second factor need a recent sign-in with two factors', async () => {
  const person = await member();
  const { code } = await withTotp(person);
  await chancery.pool.query(
    "UPDATE staff_session SET auth_time = now() - interval '16 minutes', second_factor_at = second_factor_at - interval '16 minutes' WHERE staff_id = $1",
    [person.id],
  );
  for (const path of ['/totp/regenerate-backup', '/totp/disable']) {
    const answer = await staff('POST', path, person.token);
    assert.deepEqual([answer.status, answer.body.code], [401, 'reauthentication_required'], path);
  }
  assert.equal(
    (await staff('POST', '/reauthenticate', person.token, { password: 'wrong-password' })).body.code,
    'invalid_current_password',
  );
  assert.equal((await staff('POST', '/reauthenticate', person.token, { password: goodPassword })).status, 200);
  for (const [path, body] of [
    ['/totp/regenerate-backup', undefined],
    ['/totp/disable', { password: goodPassword }],
  ] as const)
    assert.equal(
      (await staff('POST', path, person.token, body)).body.code,
      'reauthentication_required',
      'a password does not prove the second factor',
    );
  const raced = await Promise.all(Array.from({ length: 10 }, () => staff('POST', '/reauthenticate', person.token, { code: code() })));
  const [again, ...more] = raced.filter(({ status }) => status === 200);
  assert.deepEqual(more, [], 'a code works once');
  assert.ok(again);
  const { body } = await staff('POST', '/totp/regenerate-backup', again.body.accessToken);
  assert.equal(body.backupCodes.length, 10);
  assert.deepEqual((await staff('POST', '/totp/disable', person.token)).body, { ok: true });
  assert.equal((await staff('POST', '/totp/disable', person.token)).body.code, 'two_factor_not_enabled');
});

test('refresh tokens of staff rotate, give concurrent requests one successor, end the session at a replay, and do not work for users', async () => {
  const person = await member();
  const refresh = (token: string) => staff('POST', '/refresh', undefined, { refreshToken: token });
  const raced = await Promise.all(Array.from({ length: 50 }, () => refresh(person.refreshToken)));
  assert.deepEqual([...new Set(raced.map(({ status }) => status))], [200]);
  assert.equal(new Set(raced.map(({ body }) => body.refreshToken)).size, 1);
  assert.equal(
    (await chancery.call('POST', `${authPath}/refresh`, { body: { refreshToken: person.refreshToken } })).body.error,
    'invalid_refresh_token',
  );
  const newest = raced[0]?.body.refreshToken;
  const viaCookie = await staff('POST', '/refresh', undefined, {}, { cookie: `staff_refresh_token=${newest}` });
  assert.equal(viaCookie.status, 200, viaCookie.text);
  const foreign = await staff(
    'POST',
    '/refresh',
    undefined,
    {},
    { cookie: `staff_refresh_token=${newest}`, origin: 'https://evil.example' },
  );
  assert.equal(foreign.body.error, 'cross_origin_refused');
  await chancery.pool.query("UPDATE staff_session SET rotations = '{}' WHERE staff_id = $1", [person.id]);
  assert.equal((await refresh(person.refreshToken)).body.error, 'refresh_token_reused');
  assert.equal((await staff('GET', '/profile', person.token)).status, 401);
});

test('signing out invalidates the token and the refresh token', async () => {
  const person = await member();
  assert.deepEqual((await staff('POST', '/logout', person.token)).body, { ok: true });
  assert.equal((await staff('GET', '/profile', person.token)).status, 401);
  assert.equal((await staff('POST', '/refresh', undefined, { refreshToken: person.refreshToken })).status, 401);
});

test('if a second factor is mandatory, only its set-up works without it, and it cannot be turned off', async () => {
  const person = await member();
  const ask = async (method: string, path: string) => {
    const answer = await fetch(`${strict.url}${path}`, { method, headers: { authorization: `Bearer ${person.token}` } });
    return { status: answer.status, body: (await answer.json()) as { code?: string } };
  };
  assert.equal((await ask('GET', `${staffPath}/profile`)).status, 200);
  assert.equal((await ask('GET', '/api/v1/staff/teams')).body.code, 'totp_setup_required');
  await withTotp(person);
  assert.equal((await ask('GET', '/api/v1/staff/teams')).status, 200);
  assert.equal((await ask('POST', `${staffPath}/totp/disable`)).body.code, 'totp_mandatory');
  assert.equal((await command(['reset-totp', '--email', person.email])).code, 0);
  assert.equal((await ask('GET', `${staffPath}/profile`)).status, 401);
});

test('suspending a team blocks its members at once, restoring lets them in, and its journal records both with the reason', async () => {
  const person = await registered(chancery);
  const token = await staffToken(chancery);
  const profile = () => chancery.call('GET', `${authPath}/profile`, { token: person.token });
  assert.equal((await profile()).status, 200);
  const path = `/api/v1/staff/teams/${person.team}`;
  const suspended = await staff('POST', `${path}/suspend`, token, { reason: 'unpaid invoice' });
  assert.deepEqual([suspended.status, suspended.body.status], [200, 'suspended']);
  assert.equal((await profile()).status, 401);
  assert.equal((await signIn(chancery, person.email)).body.code, 'account_disabled');
  assert.equal((await staff('POST', `${path}/suspend`, token, { reason: 'again' })).body.code, 'team_not_active');
  assert.equal((await staff('POST', `${path}/restore`, token, { reason: 'paid' })).body.status, 'active');
  assert.equal((await profile()).status, 200);
  const [entry] = await entries('team.suspended');
  assert.deepEqual([entry.team_id, entry.actor_type, entry.data], [person.team, 'staff', { reason: 'unpaid invoice' }]);
});

test('staff find users, unlock them, end their sessions and turn off a lost second factor, each with a reason in the journal', async () => {
  const person = await enrolled(chancery);
  const token = await staffToken(chancery);
  const found = await staff('GET', `/api/v1/staff/users?q=${encodeURIComponent(person.email.toUpperCase())}`, token);
  assert.deepEqual(
    found.body.map(({ id }: { id: string }) => id),
    [person.id],
  );
  const path = `/api/v1/staff/users/${person.id}`;
  const { challengeId } = (await signIn(chancery, person.email)).body;
  for (let n = 0; n < 5; n += 1) await chancery.call('POST', `${authPath}/verify-totp`, { body: { challengeId, code: '000000' } });
  const second = (await signIn(chancery, person.email)).body.challengeId;
  for (let n = 0; n < 5; n += 1) await chancery.call('POST', `${authPath}/verify-totp`, { body: { challengeId: second, code: '000000' } });
  const third = (await signIn(chancery, person.email)).body.challengeId;
  const right = () => chancery.call('POST', `${authPath}/verify-totp`, { body: { challengeId: third, code: person.code() } });
  assert.equal((await right()).status, 429);
  assert.equal((await staff('POST', `${path}/unlock`, token, { reason: 'asked by phone' })).status, 200);
  assert.equal((await right()).status, 200);
  assert.equal((await staff('POST', `${path}/disable-2fa`, token, {})).status, 400, 'the reason is required');
  assert.equal(
    (await staff('POST', `${path}/disable-2fa`, token, { reason: 'lost phone, identity checked' })).body.twoFactorEnabled,
    false,
  );
  assert.equal((await chancery.call('GET', `${authPath}/profile`, { token: person.token })).status, 401);
  assert.match((await mailsTo(chancery, person.email))[0]?.subject ?? '', /Two-factor authentication is off/);
  const again = (await signIn(chancery, person.email)).body.accessToken;
  assert.equal((await staff('POST', `${path}/revoke-sessions`, token, { reason: 'stolen laptop' })).status, 200);
  assert.equal((await chancery.call('GET', `${authPath}/profile`, { token: again })).status, 401);
  for (const type of ['user.unlocked', 'twofactor.disabled', 'session.all_revoked']) {
    const [entry] = await entries(type);
    assert.deepEqual([entry.team_id, entry.actor_type, entry.target_id], [person.team, 'staff', person.id], type);
  }
});

test('lists of teams and users have pages and contain each item once', async () => {
  for (let n = 0; n < 3; n += 1) await chancery.team(`Paged ${n}`);
  const token = await staffToken(chancery);
  const seen: string[] = [];
  let path: string | undefined = '/api/v1/staff/teams?limit=2&q=Paged';
  while (path !== undefined) {
    const page = await staff('GET', path, token);
    seen.push(...page.body.map(({ name }: { name: string }) => name));
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    path = next === undefined ? undefined : next.replace(/^https?:\/\/[^/]+/, '');
  }
  assert.deepEqual(seen.toSorted(), ['Paged 0', 'Paged 1', 'Paged 2']);
});

test('the journal of the service records staff and their sign-ins, and no team can read it', async () => {
  const token = await staffToken(chancery);
  await login(firstStaff.STAFF_BOOTSTRAP_EMAIL, 'wrong-password');
  const { body } = await staff('GET', '/api/v1/staff/audit?limit=50', token);
  const types = body.events.map(({ type }: { type: string }) => type);
  for (const type of ['staff.login.failed', 'staff.login.succeeded', 'staff.created']) assert.ok(types.includes(type), type);
  const { owner } = await chancery.team();
  const theirs = await chancery.call('GET', '/api/v1/security/audit', { token: owner.token });
  assert.ok(theirs.body.events.every(({ type }: { type: string }) => !type.startsWith('staff.')));
});
