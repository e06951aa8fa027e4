import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createChallenge as createV2, solveChallenge as solveV2 } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { solveChallenge } from 'altcha-lib/v1';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { type TestResponse, type Chancery, startChancery } from '../../../test/harness.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { exhaustiveTest } from '../../../test/tier.ts';

const prefix = '/api/v1/security/auth';
const password = 'CorrectHorse9Battery';
let chancery: Chancery;
let people = 0;

before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'on', REFRESH_RETRY_GRACE_SECONDS: '300' } });
});
after(() => chancery.stop());

const newEmail = () => `Ada.${(people += 1)}@Example.org`;
const post = (path: string, body?: unknown, options: { token?: string; headers?: Record<string, string> } = {}) =>
  chancery.call('POST', `${prefix}${path}`, { ...(body === undefined ? {} : { body }), ...options });

async function proof(action = 'register'): Promise<Record<string, unknown>> {
  const { body } = await chancery.call('GET', `${prefix}/altcha?action=${action}`);
  let number = 0;
  while (createHash('sha256').update(`${body.salt}${number}`).digest('hex') !== body.challenge) number += 1;
  return { algorithm: body.algorithm, challenge: body.challenge, number, salt: body.salt, signature: body.signature, took: 1 };
}
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64');

async function register(email: string, members: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<TestResponse> {
  return post(
    '/register',
    { altcha: encoded(await proof()), email, firstName: 'Ada', lastName: 'Lovelace', password, ...members },
    { headers },
  );
}
const mailsTo = async (email: string) =>
  (await chancery.call('GET', `/dev/mail.json?to=${encodeURIComponent(email)}`)).body as { subject: string; text: string }[];
const codeFor = async (email: string) =>
  /(\d{6})/.exec((await mailsTo(email.replace('Example.org', 'example.org')))[0]?.subject ?? '')?.[1] ?? '';
const cookieOf = (answer: TestResponse, name: string) =>
  new RegExp(`${name}=([^;]*)`).exec(answer.headers.getSetCookie().join('\n'))?.[1] ?? '';

async function person(): Promise<{ email: string; token: string; refreshToken: string; id: string; team: string }> {
  const email = newEmail();
  await register(email);
  const verified = await post('/verify-email', { email, code: await codeFor(email) });
  assert.equal(verified.status, 200, verified.text);
  return {
    email,
    token: verified.body.accessToken,
    refreshToken: cookieOf(verified, 'refresh_token'),
    id: verified.body.user.id,
    team: verified.body.user.teamId,
  };
}

test('a user registers, confirms the mailed code, and owns a new team', async () => {
  const email = newEmail();
  assert.equal((await register(email)).status, 201);
  const early = await post('/login', { email, password });
  assert.deepEqual([early.status, early.body.code], [403, 'email_not_verified']);
  const verified = await post('/verify-email', { email: email.toLowerCase(), code: await codeFor(email) });
  assert.equal(verified.status, 200);
  assert.deepEqual(Object.keys(verified.body).toSorted(), ['accessToken', 'user']);
  const profile = await chancery.call('GET', `${prefix}/profile`, { token: verified.body.accessToken });
  assert.deepEqual(
    [profile.body.role, profile.body.timezone, profile.body.twoFactorEnabled, profile.body.teamId],
    ['owner', 'UTC', false, verified.body.user.teamId],
  );
  assert.equal((await post('/login', { email, password })).status, 200);
});

test('an access token can be verified offline by the published keys, and contains no personal data', async () => {
  const { token } = await person();
  const { payload, protectedHeader } = await jwtVerify(token, createRemoteJWKSet(new URL(`${chancery.url}/.well-known/jwks.json`)), {
    issuer: chancery.config.BASE_URL,
    audience: 'user-api',
    typ: 'at+jwt',
  });
  assert.equal(protectedHeader.alg, 'ES256');
  assert.deepEqual(Object.keys(payload).toSorted(), [
    'acr',
    'amr',
    'aud',
    'auth_time',
    'client_id',
    'exp',
    'iat',
    'iss',
    'jti',
    'nbf',
    'role',
    'scope',
    'sid',
    'sub',
    'team',
  ]);
  assert.equal(payload.client_id, 'chancery');
  assert.doesNotMatch(JSON.stringify(payload), /example|"Ada|Number/i);
});

test('a registration does not reveal whether the address has an account', async () => {
  const { email } = await person();
  const [known, unknown, pending] = [await register(email), await register(newEmail()), await register(newEmail())];
  for (const answer of [known, pending]) {
    assert.deepEqual([answer.status, answer.text], [unknown.status, unknown.text]);
    assert.deepEqual([...answer.headers.keys()].toSorted(), [...unknown.headers.keys()].toSorted());
  }
  const [newest] = await mailsTo(email.replace('Example.org', 'example.org'));
  assert.match(newest?.subject ?? '', /already/);
});

test('a used proof of work is rejected in any spelling, also under concurrency', async () => {
  const solved = await proof();
  const email = newEmail();
  const send = (altcha: unknown) => post('/register', { altcha, email, firstName: 'A', lastName: 'B', password });
  const raced = await Promise.all(Array.from({ length: 50 }, () => send(encoded(solved))));
  assert.equal(raced.filter(({ status }) => status === 201).length, 1);
  const again: [unknown, string][] = [
    [encoded({ ...solved, extra: 1 }), 'altcha_already_used'],
    [solved, 'altcha_already_used'],
    [encoded(Object.fromEntries(Object.entries(solved).toReversed())), 'altcha_already_used'],
    [encoded({ ...solved, number: String(solved.number) }), 'altcha_invalid'],
    [encoded({ ...solved, number: [solved.number] }), 'altcha_invalid'],
    [encoded({ ...solved, salt: String(solved.salt).replace(/&$/, '') }), 'altcha_invalid'],
    [encoded({ ...solved, number: -1 }), 'altcha_invalid'],
    [encoded({ challenge: null, solution: null, test: true }), 'altcha_invalid'],
    ['', 'altcha_required'],
    ['!!!', 'altcha_invalid'],
    [encoded(await proof('reset')), 'altcha_invalid'],
  ];
  for (const [altcha, code] of again) assert.deepEqual((await send(altcha)).body.code, code, JSON.stringify(altcha));
});

exhaustiveTest('the public library solves the default challenge, and its solution is accepted', async () => {
  const { body } = await chancery.call('GET', `${prefix}/altcha`);
  const solved = await solveChallenge(body.challenge, body.salt, body.algorithm, body.maxnumber).promise;
  const altcha = encoded({ ...body, number: solved?.number, took: solved?.took });
  assert.equal((await post('/register', { altcha, email: newEmail(), firstName: 'A', lastName: 'B', password })).status, 201);
});

test('the newer kind of challenge is solved and accepted, and a foreign one is rejected', async () => {
  const { body: challenge } = await chancery.call('GET', `${prefix}/altcha?v=2`);
  const solution = await solveV2({ challenge, deriveKey });
  const altcha = encoded({ challenge, solution });
  assert.equal((await post('/register', { altcha, email: newEmail(), firstName: 'A', lastName: 'B', password })).status, 201);
  assert.equal(
    (await post('/register', { altcha, email: newEmail(), firstName: 'A', lastName: 'B', password })).body.code,
    'altcha_already_used',
  );
  const foreign = await createV2({
    algorithm: 'PBKDF2/SHA-256',
    cost: 5_000,
    counter: 3,
    deriveKey,
    hmacSignatureSecret: 'theirs',
    expiresAt: new Date(Date.now() + 60_000),
  });
  const solved = await solveV2({ challenge: foreign, deriveKey });
  assert.equal(
    (
      await post('/register', {
        altcha: encoded({ challenge: foreign, solution: solved }),
        email: newEmail(),
        firstName: 'A',
        lastName: 'B',
        password,
      })
    ).body.code,
    'altcha_invalid',
  );
});

for (const [member, value, rule] of [
  ['email', 'nobody', 'email'],
  ['email', 'a@b@c.org', 'email'],
  ['email', 'a b@c.org', 'email'],
  ['email', 'a@c.org\r\nBcc: x@y.org', 'email'],
  ['email', `${'a'.repeat(310)}@c.org`, 'email'],
  ['firstName', 'Ada\r\nBcc: x@y.org', 'name'],
  ['firstName', '  ', 'name'],
  ['password', 'short', 'min_length'],
  ['password', 'x1'.repeat(70), 'max_length'],
  ['password', 'password1', 'password_common'],
  ['password', 'aaaaaaaaaaaa', 'password_common'],
  ['password', 'Lovelace', 'password_contains_identity'],
] as const) {
  test(`a registration with ${member} ${JSON.stringify(value).slice(0, 30)} is rejected by the rule ${rule}`, async () => {
    const answer = await post('/register', {
      altcha: 'x',
      email: newEmail(),
      firstName: 'Ada',
      lastName: 'Lovelace',
      password,
      [member]: value,
    });
    assert.deepEqual(
      [answer.status, answer.body.code, answer.body.errors[0].pointer, answer.body.errors[0].rule],
      [400, 'validation_failed', `/${member}`, rule],
    );
  });
}

test('a look-alike of an address is another address', async () => {
  const { email } = await person();
  const kelvin = email.replace('Ada', 'Ad\u212a');
  assert.equal((await register(kelvin)).status, 400, 'the local part must be ASCII');
});

test('a code allows five guesses, after which the correct one is rejected too', async () => {
  const email = newEmail();
  await register(email);
  const code = await codeFor(email);
  for (let guess = 0; guess < 5; guess += 1)
    assert.equal(
      (await post('/verify-email', { email, code: code === '000000' ? '000001' : '000000' })).body.code,
      'invalid_or_expired_code',
    );
  assert.equal((await post('/verify-email', { email, code })).body.code, 'invalid_or_expired_code');
});

test('guessing codes of an address ends with 429, with or without a registration', async () => {
  for (const email of [newEmail(), newEmail()]) {
    if (email.includes('2')) await register(email);
    const answers = [];
    for (let guess = 0; guess < 21; guess += 1) answers.push((await post('/verify-email', { email, code: '123456' })).status);
    assert.deepEqual([answers[0], answers.at(-1)], [400, 429]);
  }
});

test('of 50 concurrent correct codes, one creates the account', async () => {
  const email = newEmail();
  await register(email);
  const code = await codeFor(email);
  const answers = await Promise.all(Array.from({ length: 50 }, () => post('/verify-email', { email, code })));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.ok(answers.every(({ status }) => status === 200 || status === 400 || status === 429));
});

test('a stranger who registers an address earlier or again gets no account and blocks no user', async () => {
  const email = newEmail();
  const stranger = { 'user-agent': 'stranger' };
  await register(email, { password: 'StrangersPassword1' }, stranger);
  const own = await register(email);
  const code = await codeFor(email);
  await register(email, { password: 'StrangersPassword2' }, stranger);
  const verified = await post(
    '/verify-email',
    { email, code },
    { headers: { cookie: `pending_registration=${cookieOf(own, 'pending_registration')}` } },
  );
  assert.equal(verified.status, 200);
  assert.equal((await post('/login', { email, password })).status, 200);
  for (const theirs of ['StrangersPassword1', 'StrangersPassword2'])
    assert.equal((await post('/login', { email, password: theirs })).status, 401);
});

test('without the device’s cookie a disputed address is confirmed without a password, and a link is mailed', async () => {
  const email = newEmail();
  await register(email, { password: 'StrangersPassword1' }, { 'user-agent': 'stranger' });
  await register(email);
  const verified = await post('/verify-email', { email, code: await codeFor(email) });
  assert.equal(verified.status, 200);
  for (const tried of ['StrangersPassword1', password]) assert.equal((await post('/login', { email, password: tried })).status, 401);
  const [mail] = await mailsTo(email.replace('Example.org', 'example.org'));
  const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
  assert.equal((await post('/reset-password', { token, password: 'AnotherGood1' })).status, 200);
  assert.equal((await post('/login', { email, password: 'AnotherGood1' })).status, 200);
});

test('resending has the same response for every address, and mails a new code at most once a minute', async () => {
  const email = newEmail();
  await register(email);
  const first = await codeFor(email);
  const [known, unknown] = [await post('/resend-verification', { email }), await post('/resend-verification', { email: newEmail() })];
  assert.deepEqual([known.status, known.text], [unknown.status, unknown.text]);
  await post('/resend-verification', { email });
  assert.equal((await mailsTo(email.replace('Example.org', 'example.org'))).length, 2, 'one of the registration, one of the resending');
  assert.equal(
    (await post('/verify-email', { email, code: first })).status,
    (await codeFor(email)) === first ? 200 : 400,
    'the old code is invalid',
  );
});

// Equal response times are measured in test/security/enumeration.
test('a wrong password and an unknown address get the same response', async () => {
  const { email } = await person();
  const known = await post('/login', { email, password: 'WrongHorse9Battery' });
  const unknown = await post('/login', { email: newEmail(), password: 'WrongHorse9Battery' });
  const withoutIds = (answer: TestResponse) => ({ ...answer.body, request_id: '', trace_id: '' });
  assert.deepEqual(withoutIds(known), withoutIds(unknown));
  assert.deepEqual([...known.headers.keys()].toSorted(), [...unknown.headers.keys()].toSorted());
});

test('failures are delayed, successes are not', async () => {
  const { email } = await person();
  const counted = async () => (await chancery.pool.query('SELECT coalesce(sum(hits), 0)::int AS n FROM throttle')).rows[0].n;
  const until = await counted();
  const good = await Promise.all(Array.from({ length: 12 }, () => post('/login', { email, password })));
  assert.deepEqual([...new Set(good.map(({ status }) => status))], [200]);
  assert.equal(await counted(), until, 'successes do not count for their network either');
  const bad = [];
  for (let guess = 0; guess < 7; guess += 1) bad.push(await post('/login', { email, password: 'wrong' }));
  assert.deepEqual([bad[0]?.status, bad.at(-1)?.status], [401, 429]);
  assert.ok(Number(bad.at(-1)?.headers.get('retry-after')) >= 1);
});

test('a correct password resets the counter of wrong ones', async () => {
  const { email } = await person();
  for (let round = 0; round < 3; round += 1) {
    for (let guess = 0; guess < 4; guess += 1) assert.equal((await post('/login', { email, password: 'wrong' })).status, 401, `${round}`);
    assert.equal((await post('/login', { email, password })).status, 200);
  }
});

test('a user disabled during the hashing of their password gets no session', async () => {
  const { email, id } = await person();
  const others = await person();
  const crowd = Array.from({ length: 30 }, () => post('/login', { email: others.email, password }));
  const late = post('/login', { email, password });
  await sleep(50);
  await chancery.pool.query("UPDATE account SET status = 'disabled' WHERE id = $1", [id]);
  const answer = await late;
  await Promise.all(crowd);
  assert.deepEqual([answer.status, answer.body.code], [403, 'account_disabled'], answer.text);
});

test('50 concurrent sign-ins of ten users each get a session of their user and a journal entry', async () => {
  const ten = await Promise.all(Array.from({ length: 10 }, person));
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      const who = ten[n % 10];
      return { who, answer: await post('/login', { email: who?.email, password }) };
    }),
  );
  const sessions = new Set<unknown>();
  for (const { who, answer } of answers) {
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([answer.body.user.id, answer.body.user.teamId], [who?.id, who?.team]);
    const claims = JSON.parse(Buffer.from(answer.body.accessToken.split('.')[1], 'base64url').toString());
    assert.deepEqual([claims.sub, claims.team], [who?.id, who?.team]);
    sessions.add(claims.sid);
    const { rows } = await chancery.pool.query(
      `SELECT s.account_id, e.actor_id, e.data FROM session s JOIN audit_entry e ON e.team_id = s.team_id AND e.target_id = s.id::text
       WHERE s.id = $1 AND e.type = 'login.succeeded'`,
      [claims.sid],
    );
    assert.deepEqual(rows, [{ account_id: who?.id, actor_id: who?.id, data: { amr: ['pwd'] } }]);
  }
  assert.equal(sessions.size, 50);
});

test('a refresh returns new tokens in body and cookie, and the cookie alone is sufficient', async () => {
  const { refreshToken } = await person();
  const byBody = await post('/refresh', { refreshToken });
  assert.deepEqual(Object.keys(byBody.body).toSorted(), ['accessToken', 'refreshToken']);
  const cookie = byBody.headers.getSetCookie().find((line) => line.startsWith('refresh_token='));
  assert.match(cookie ?? '', /HttpOnly/);
  assert.match(cookie ?? '', /SameSite=Strict/);
  const byCookie = await post('/refresh', undefined, { headers: { cookie: `refresh_token=${byBody.body.refreshToken}` } });
  assert.equal(byCookie.status, 200);
});

test('50 concurrent refreshes with one token get the same successor, and the session continues', async () => {
  const { refreshToken } = await person();
  const answers = await Promise.all(Array.from({ length: 50 }, () => post('/refresh', { refreshToken })));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  const successors = new Set(answers.map(({ body }) => body.refreshToken));
  assert.equal(successors.size, 1);
  assert.equal((await post('/refresh', { refreshToken: [...successors][0] })).status, 200);
  const superseded = await post('/refresh', { refreshToken });
  assert.deepEqual([superseded.status, superseded.body.error], [401, 'refresh_token_superseded']);
});

test('a replay after the grace period ends the session with its newest tokens', async () => {
  const { refreshToken } = await person();
  const next = (await post('/refresh', { refreshToken })).body;
  await chancery.pool.query("UPDATE sign_in SET rotations = ARRAY[now() - interval '301 seconds'] WHERE cardinality(rotations) = 1");
  const replay = await post('/refresh', { refreshToken });
  assert.deepEqual(
    [replay.status, replay.body.error, replay.headers.get('content-type')?.split(';')[0]],
    [401, 'refresh_token_reused', 'application/json'],
  );
  assert.equal((await post('/refresh', { refreshToken: next.refreshToken })).body.error, 'invalid_refresh_token');
  assert.equal((await chancery.call('GET', `${prefix}/profile`, { token: next.accessToken })).status, 401);
});

test('after the clock is set back, the grace of an old refresh token is not extended, and the session continues', async () => {
  const { refreshToken } = await person();
  const next = (await post('/refresh', { refreshToken })).body;
  await chancery.pool.query("UPDATE sign_in SET rotations = ARRAY[now() + interval '1 day'] WHERE cardinality(rotations) = 1");
  const replay = await post('/refresh', { refreshToken });
  assert.deepEqual([replay.status, replay.body.error], [401, 'refresh_token_superseded']);
  assert.equal((await post('/refresh', { refreshToken: next.refreshToken })).status, 200);
});

test('all invalid refresh tokens get the same error, and a foreign page cannot use the cookie', async () => {
  const { refreshToken } = await person();
  for (const token of ['', 'x', 'rt_', `${refreshToken}x`, refreshToken.slice(0, -2), refreshToken.toUpperCase(), undefined]) {
    const answer = await post('/refresh', { refreshToken: token });
    assert.deepEqual([answer.status, answer.body.error], [401, 'invalid_refresh_token'], String(token));
  }
  const foreign = await post('/refresh', {}, { headers: { cookie: `refresh_token=${refreshToken}`, origin: 'https://evil.example' } });
  assert.equal(foreign.status, 403);
  const own = await post('/refresh', {}, { headers: { cookie: `refresh_token=${refreshToken}`, origin: 'http://localhost:8080' } });
  assert.equal(own.status, 200);
});

test('after logout the access token and the refresh token are invalid at once, also on another node', async () => {
  const node = await chancery.node('api');
  const { token, refreshToken } = await person();
  const onNode = () => fetch(`${node.address}${prefix}/profile`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal((await onNode()).status, 200);
  assert.equal((await chancery.call('GET', `${prefix}/profile`, { token })).status, 200);
  assert.equal((await post('/logout', undefined, { token })).status, 200);
  assert.equal((await chancery.call('GET', `${prefix}/profile`, { token })).status, 401);
  assert.equal((await post('/refresh', { refreshToken })).status, 401);
  await eventually('invalid on another node', async () => (await onNode()).status === 401);
  await node.stop();
});

test('a password change ends all other sessions and returns new tokens', async () => {
  const { email, token } = await person();
  const other = (await post('/login', { email, password })).body.accessToken;
  const wrong = await chancery.call('PUT', `${prefix}/change-password`, {
    token,
    body: { currentPassword: 'nope', newPassword: 'AnotherGood1' },
  });
  assert.deepEqual([wrong.status, wrong.body.code], [403, 'invalid_current_password']);
  const changed = await chancery.call('PUT', `${prefix}/change-password`, {
    token,
    body: { currentPassword: password, newPassword: 'AnotherGood1' },
  });
  assert.equal(changed.status, 200);
  for (const dead of [token, other]) assert.equal((await chancery.call('GET', `${prefix}/profile`, { token: dead })).status, 401);
  assert.equal((await chancery.call('GET', `${prefix}/profile`, { token: changed.body.accessToken })).status, 200);
  assert.equal((await post('/login', { email, password })).status, 401);
});

test('a reset link works once, stays valid after a rejected password, and ends all sessions', async () => {
  const { email, token } = await person();
  const unknown = await post('/request-password-reset', { altcha: encoded(await proof('reset')), email: newEmail() });
  const known = await post('/request-password-reset', { altcha: encoded(await proof('reset')), email });
  assert.deepEqual([known.status, known.text], [unknown.status, unknown.text]);
  const [mail] = await mailsTo(email.replace('Example.org', 'example.org'));
  const link = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
  assert.equal((await post('/reset-password', { token: link, password: 'short' })).body.errors[0].rule, 'min_length');
  const raced = await Promise.all(Array.from({ length: 10 }, () => post('/reset-password', { token: link, password: 'AnotherGood1' })));
  assert.equal(raced.filter(({ status }) => status === 200).length, 1);
  assert.equal((await chancery.call('GET', `${prefix}/profile`, { token })).status, 401);
  assert.equal((await post('/login', { email, password: 'AnotherGood1' })).status, 200);
});

test('PUT profile changes writable members and rejects changes of read-only ones', async () => {
  const { token } = await person();
  const put = (body: object) => chancery.call('PUT', `${prefix}/profile`, { token, body });
  const changed = await put({ firstName: 'Grace', timezone: 'Europe/Vienna', onboardingCompletedAt: true });
  assert.deepEqual(Object.keys(changed.body).toSorted(), ['email', 'firstName', 'id', 'lastName', 'message']);
  const { body: profile } = await chancery.call('GET', `${prefix}/profile`, { token });
  assert.deepEqual([profile.firstName, profile.timezone], ['Grace', 'Europe/Vienna']);
  assert.equal((await put(profile)).status, 200, 'a read profile can be sent back');
  assert.equal((await put({ timezone: 'Mars/Base' })).body.code, 'invalid_timezone');
  for (const timezone of ['Europe/Kyiv', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Asia/Ho_Chi_Minh']) {
    assert.equal((await put({ timezone })).status, 200, timezone);
    assert.equal((await chancery.call('GET', `${prefix}/profile`, { token })).body.timezone, timezone);
  }
  for (const members of [{ role: 'admin' }, { teamId: 'x' }, { twoFactorEnabled: true }, { id: 'x' }]) {
    assert.deepEqual([(await put(members)).status, (await put(members)).body.code], [422, 'field_read_only']);
  }
  await put({ firstName: 'Ada', passwordHash: 'x', status: 'disabled' });
  assert.equal((await chancery.call('GET', `${prefix}/profile`, { token })).status, 200);
});

test('a user can list and end their own sessions, but not those of others', async () => {
  const [mine, theirs] = [await person(), await person()];
  const second = (await post('/login', { email: mine.email, password })).body.accessToken;
  const { body: list } = await chancery.call('GET', `${prefix}/sessions`, { token: mine.token });
  assert.deepEqual(list.map(({ current }: { current: boolean }) => current).toSorted(), [false, true]);
  const other = list.find(({ current }: { current: boolean }) => !current);
  assert.equal((await chancery.call('DELETE', `${prefix}/sessions/${other.id}`, { token: theirs.token })).status, 404);
  assert.equal((await chancery.call('DELETE', `${prefix}/sessions/${other.id}`, { token: mine.token })).status, 204);
  assert.equal((await chancery.call('GET', `${prefix}/profile`, { token: second })).status, 401);
});
