import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type TestResponse, type Chancery, sharedChancery } from '../harness.ts';
import { authPath, challengeOf, cookieOf, enrolled, goodPassword, mailsTo, registered, signIn } from '../people.ts';
import { firstStaff, staffPath } from '../staff.ts';

const profile = `${authPath}/profile`;
let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

type Options = { token?: string; headers?: Record<string, string> };
const post = (path: string, body?: unknown, options: Options = {}) =>
  chancery.call('POST', path.startsWith('/api') ? path : `${authPath}${path}`, { ...(body === undefined ? {} : { body }), ...options });
const opens = async (token: string) => (await chancery.call('GET', profile, { token })).status === 200;
const forgetFailures = () => chancery.pool.query('DELETE FROM throttle');

// Second-factor codes.

test('an authenticator code works once in its 30 seconds, across all sessions and purposes', async () => {
  const person = await enrolled(chancery);
  const code = person.code();
  const signed = await post('/verify-totp', { challengeId: await challengeOf(chancery, person.email), code });
  assert.equal(signed.status, 200, signed.text);
  for (const token of [person.token, signed.body.accessToken])
    for (const [path, body] of [
      ['/reauthenticate', { code }],
      ['/2fa/disable', { code }],
    ] as const)
      assert.equal((await post(path, body, { token })).body.code, 'invalid_code', path);
  const next = person.code(1);
  const raced = await Promise.all(
    Array.from({ length: 5 }, (_, n) =>
      post('/reauthenticate', { code: next }, { token: n % 2 === 0 ? person.token : signed.body.accessToken }),
    ),
  );
  assert.equal(raced.filter(({ status }) => status === 200).length, 1, 'one of many concurrent sessions can use it');
});

test('only one of several concurrent sign-ins and reauthentications can use a backup code', async () => {
  const person = await enrolled(chancery);
  const [code = ''] = person.backupCodes;
  const challengeId = await challengeOf(chancery, person.email);
  const raced = await Promise.all([
    ...Array.from({ length: 3 }, () => post('/verify-totp', { challengeId, code })),
    ...Array.from({ length: 3 }, () => post('/reauthenticate', { code }, { token: person.token })),
  ]);
  assert.equal(raced.filter(({ status }) => status === 200).length, 1);
});

test('neither a refresh nor a password change renews an old two-factor sign-in', async () => {
  const person = await enrolled(chancery);
  await chancery.pool.query(
    "UPDATE sign_in SET auth_time = now() - interval '16 minutes', second_factor_at = second_factor_at - interval '16 minutes' WHERE person_id = $1",
    [person.id],
  );
  const old = decodeJwt((await post('/refresh', { refreshToken: person.refreshToken })).body.accessToken);
  assert.ok(Number(old.auth_time) < Date.now() / 1000 - 900);
  const changed = await chancery.call('PUT', `${authPath}/change-password`, {
    token: person.token,
    body: { currentPassword: goodPassword, newPassword: `${goodPassword}!` },
  });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(decodeJwt(changed.body.accessToken).auth_time, old.auth_time);
  for (const token of [
    changed.body.accessToken,
    (await post('/refresh', { refreshToken: cookieOf(changed, 'refresh_token') })).body.accessToken,
  ]) {
    const answer = await post('/2fa/regenerate-codes', undefined, { token });
    assert.deepEqual([answer.status, answer.body.code], [401, 'reauthentication_required']);
  }
});

test('a refresh does not renew an old staff sign-in', async () => {
  const signed = await post(`${staffPath}/login`, { email: firstStaff.STAFF_BOOTSTRAP_EMAIL, password: goodPassword });
  await chancery.pool.query(
    "UPDATE staff_session SET auth_time = now() - interval '16 minutes', second_factor_at = second_factor_at - interval '16 minutes'",
  );
  const { body } = await post(`${staffPath}/refresh`, { refreshToken: cookieOf(signed, 'staff_refresh_token') });
  const answer = await post(`${staffPath}/totp/setup-init`, undefined, { token: body.accessToken });
  assert.deepEqual([answer.status, answer.body.code], [401, 'reauthentication_required']);
});

// Other values in place of an access token.

test('refresh tokens, reset tokens, invitation tokens, challenges and client secrets are rejected as bearer tokens', async () => {
  const person = await enrolled(chancery);
  const { owner } = await chancery.team();
  await post('/request-password-reset', { email: person.email });
  const reset = /token=([\w-]+)/.exec((await mailsTo(chancery, person.email))[0]?.text ?? '')?.[1] ?? '';
  await chancery.call('POST', '/api/v1/team/invitations', { token: owner.token, body: { email: 'bearer@example.org', role: 'admin' } });
  const invitation = /token=([\w-]+)/.exec((await mailsTo(chancery, 'bearer@example.org'))[0]?.text ?? '')?.[1] ?? '';
  const { secret } = await chancery.client(owner, ['tasks:read']);
  for (const [what, token] of Object.entries({
    refresh: person.refreshToken,
    reset,
    invitation,
    challenge: await challengeOf(chancery, person.email),
    secret,
    backup: person.backupCodes[0] ?? '',
    session: owner.sessionId,
  })) {
    assert.ok(token.length > 5, what);
    const answer = await chancery.call('GET', profile, { token });
    assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_token'], what);
  }
  for (const refreshToken of [owner.token, reset, secret])
    assert.ok([400, 401].includes((await post('/refresh', { refreshToken })).status), 'the other values are rejected as refresh tokens');
});

test('the URL of a key in a token is not fetched', async () => {
  let requestCount = 0;
  const listener = createServer((_request, response) => {
    requestCount += 1;
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/keys`;
  const { owner } = await chancery.team();
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: randomUUIDv7(), alg: 'ES256' };
  const claims = decodeJwt(owner.token);
  const { kid } = JSON.parse(Buffer.from(owner.token.split('.')[0] ?? '', 'base64url').toString());
  for (const extra of [
    { jku: url },
    { x5u: url },
    { jku: url, kid: jwk.kid },
    { jwk },
    { jwk, kid: jwk.kid },
    { x5c: [url] },
    { kid: url },
    { crit: ['exp'] },
  ]) {
    const header = { alg: 'ES256', typ: 'at+jwt', kid, ...extra };
    const token = await new SignJWT(claims)
      .setProtectedHeader(header)
      .sign(privateKey, { crit: { exp: true } })
      .catch(() => `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${owner.token.split('.').slice(1).join('.')}`);
    assert.equal((await chancery.call('GET', profile, { token })).status, 401, JSON.stringify(extra).slice(0, 20));
  }
  assert.equal(requestCount, 0);
  listener.close();
  listener.closeAllConnections();
});

/** Sends a request with unchanged headers and returns the status. */
function raw(path: string, headers: [string, string][]): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(chancery.url);
    httpRequest({ hostname, port, path, headers: ['host', 'localhost', ...headers.flat()] as never }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

test('a request with two Authorization headers is rejected, because a proxy and the service could use different ones', async () => {
  const [mine, other] = [(await chancery.team()).owner, (await chancery.team()).owner];
  assert.equal(await raw(profile, [['authorization', `Bearer ${mine.token}`]]), 200);
  for (const [first, next] of [
    [mine.token, other.token],
    [mine.token, 'x'],
    ['x', mine.token],
    [mine.token, mine.token],
  ])
    assert.equal(
      await raw(profile, [
        ['authorization', `Bearer ${first}`],
        ['Authorization', `Bearer ${next}`],
      ]),
      401,
    );
});

test('a token in the query, a form or a cookie is ignored', async () => {
  const { owner } = await chancery.team();
  for (const name of ['access_token', 'token', 'authorization', 'bearer']) {
    assert.equal((await chancery.call('GET', `${profile}?${name}=${owner.token}`)).status, 401, name);
    assert.equal((await chancery.call('GET', profile, { headers: { cookie: `${name}=${owner.token}` } })).status, 401, name);
  }
  assert.equal((await post('/logout', { access_token: owner.token, token: owner.token })).status, 401);
  assert.ok(await opens(owner.token));
});

// Cookies.

const flagsOf = (answer: Response | TestResponse, name: string) => {
  const line = answer.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`));
  return (line ?? '')
    .split('; ')
    .slice(1)
    .map((flag) => flag.replace(/^(Max-Age|Expires)=.*/, '$1'))
    .toSorted();
};

test('cookies are HttpOnly and SameSite; over https they are bound to the host and Secure', async () => {
  const plain = await registered(chancery);
  const signed = await signIn(chancery, plain.email);
  assert.deepEqual(flagsOf(signed, 'refresh_token'), ['HttpOnly', 'Max-Age', 'Path=/', 'SameSite=Strict']);
  const node = await chancery.node('api', { BASE_URL: 'https://chancery.example' });
  const send = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${node.address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const login = await send(`${authPath}/login`, { email: plain.email, password: goodPassword });
  const strict = ['HttpOnly', 'Max-Age', 'Path=/', 'SameSite=Strict', 'Secure'];
  assert.deepEqual(flagsOf(login, '__Host-refresh_token'), strict);
  assert.equal(login.headers.getSetCookie().length, 1, 'not also under the name without prefix');
  const staff = await send(`${staffPath}/login`, { email: firstStaff.STAFF_BOOTSTRAP_EMAIL, password: goodPassword });
  assert.deepEqual(flagsOf(staff, '__Host-staff_refresh_token'), strict);
  assert.deepEqual(flagsOf(staff, '__Host-staff_device'), strict);
  const names = { firstName: 'Ada', lastName: 'Lovelace', password: goodPassword };
  const begun = await send(`${authPath}/register`, { ...names, email: 'over.https@example.org' });
  assert.deepEqual(flagsOf(begun, '__Host-pending_registration'), strict);
  assert.equal(begun.headers.getSetCookie().length, 1, 'a cookie without prefix, which another host could set, is ignored');
  const value = /__Host-refresh_token=([^;]*)/.exec(login.headers.getSetCookie().join())?.[1];
  const planted = await send(`${authPath}/refresh`, {}, { cookie: `refresh_token=${value}` });
  assert.equal(planted.status, 401, 'a cookie that another host or plain http could set is ignored');
  assert.equal((await send(`${authPath}/refresh`, {}, { cookie: `__Host-refresh_token=${value}` })).status, 200);
  await node.stop();
});

test('a page of another site cannot refresh with the cookie, with any headers', async () => {
  const { refreshToken } = await registered(chancery);
  const cookie = `refresh_token=${refreshToken}`;
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:8080.evil.example' },
    { origin: 'https://localhost:8080' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site', referer: 'http://localhost:8080/' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ] as Record<string, string>[])
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const answer = await chancery.call('POST', `${authPath}/refresh`, {
        body: '{}',
        headers: { ...headers, cookie, 'content-type': type },
      });
      assert.deepEqual([answer.status, answer.body.error], [403, 'cross_origin_refused'], JSON.stringify(headers));
      assert.equal(answer.headers.getSetCookie().length, 0);
      assert.equal(answer.headers.get('access-control-allow-origin'), null);
    }
  assert.equal(
    (await post('/refresh', {}, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })).status,
    200,
    'the session is unchanged',
  );
});

// Links that set a password.

const linkOf = async (email: string) => {
  await forgetFailures();
  await post('/request-password-reset', { email });
  return /token=([\w-]+)/.exec((await mailsTo(chancery, email))[0]?.text ?? '')?.[1] ?? '';
};

test('a reset link ends after its use, after a newer link and after another password change', async () => {
  const person = await registered(chancery);
  const reset = (token: string, password: string) => post('/reset-password', { token, password });
  const [older, newer] = [await linkOf(person.email), await linkOf(person.email)];
  assert.equal((await reset(older, 'AnotherGood1Horse')).body.code, 'invalid_or_expired_token');
  assert.equal((await reset(newer, 'AnotherGood1Horse')).status, 200);
  assert.equal((await reset(newer, 'YetAnotherGood1Horse')).body.code, 'invalid_or_expired_token', 'twice');
  const third = await linkOf(person.email);
  const { accessToken } = (await signIn(chancery, person.email, 'AnotherGood1Horse')).body;
  const changed = await chancery.call('PUT', `${authPath}/change-password`, {
    token: accessToken,
    body: { currentPassword: 'AnotherGood1Horse', newPassword: goodPassword },
  });
  assert.equal(changed.status, 200, changed.text);
  assert.equal((await reset(third, 'AnotherGood1Horse')).body.code, 'invalid_or_expired_token');
  assert.equal((await signIn(chancery, person.email)).status, 200);
});

test('a GET of a reset link, as by mail scanners, does not use it up', async () => {
  const { email } = await registered(chancery);
  const token = await linkOf(email);
  for (const path of [`${authPath}/reset-password?token=${token}`, `/reset-password?token=${token}`, `${authPath}/reset-password`])
    for (const method of ['GET', 'HEAD', 'OPTIONS']) await chancery.call(method, path, { unchecked: true });
  assert.equal((await post('/reset-password', { token, password: 'AnotherGood1Horse' })).status, 200);
});

test('fifty concurrent uses of one reset link set one password', async () => {
  const { email } = await registered(chancery);
  const token = await linkOf(email);
  const raced = await Promise.all(
    Array.from({ length: 50 }, (_, n) => post('/reset-password', { token, password: `AnotherGood${n}Horse` })),
  );
  const won = raced.flatMap(({ status }, n) => (status === 200 ? [n] : []));
  assert.equal(won.length, 1);
  assert.equal((await signIn(chancery, email, `AnotherGood${won[0]}Horse`)).status, 200);
});

// Allowed passwords.

const setPassword = async (email: string, password: string) => post('/reset-password', { token: await linkOf(email), password });

test('passwords with any characters work unchanged: composed or not, with NUL, with spaces at the ends', async () => {
  const { email } = await registered(chancery);
  const works = async (password: string) => {
    await forgetFailures();
    return (await signIn(chancery, email, password)).status === 200;
  };
  const composed = 'Zoë-Müller-Ångström';
  assert.equal((await setPassword(email, composed.normalize('NFC'))).status, 200);
  assert.deepEqual(
    [await works(composed.normalize('NFD')), await works(composed.normalize('NFC')), await works('Zoe-Muller-Angstrom')],
    [true, true, false],
  );
  assert.equal((await setPassword(email, 'before\0behind-it')).status, 200);
  assert.deepEqual([await works('before\0behind-it'), await works('before'), await works('before\0behind-at')], [true, false, false]);
  assert.equal((await setPassword(email, '  spaces around  ')).status, 200);
  assert.deepEqual([await works('  spaces around  '), await works('spaces around'), await works(' spaces around ')], [true, false, false]);
  const longest = '🔑b'.repeat(64);
  assert.equal((await setPassword(email, longest)).status, 200);
  assert.deepEqual([await works(longest), await works(longest.slice(0, -1)), await works('🔑b'.repeat(63))], [true, false, false]);
});

test('setting a password of 129 code points is rejected; a sign-in with 256 characters is only a wrong password', async () => {
  const { email, token } = await registered(chancery);
  for (const password of ['🔑b'.repeat(64) + 'c', 'x1'.repeat(128)]) {
    const refused = [
      await setPassword(email, password),
      await post('/register', { email: 'too.long@example.org', firstName: 'Ada', lastName: 'Lovelace', password }),
      await chancery.call('PUT', `${authPath}/change-password`, { token, body: { currentPassword: goodPassword, newPassword: password } }),
    ];
    for (const answer of refused) assert.deepEqual([answer.status, answer.body.errors?.[0]?.rule], [400, 'max_length']);
    assert.equal((await signIn(chancery, email, password)).body.code, 'invalid_credentials');
  }
  await forgetFailures();
  assert.equal((await signIn(chancery, email)).status, 200);
});
