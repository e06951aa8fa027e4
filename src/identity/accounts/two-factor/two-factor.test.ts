import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { decodeJwt } from 'jose';
import { type Chancery, sharedChancery } from '../../../../test/harness.ts';
import {
  authPath,
  challengeOf,
  cookieOf,
  type Enrolled,
  enrolled,
  goodPassword,
  mailsTo,
  registered,
  secretOf,
  signIn,
} from '../../../../test/people.ts';
import { totpAt, totpStep } from '../../../platform/crypto/totp.ts';

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

const post = (path: string, body?: unknown, token?: string) =>
  chancery.call('POST', `${authPath}${path}`, { ...(body === undefined ? {} : { body }), ...(token === undefined ? {} : { token }) });
const verify = (challengeId: string, code: string) => post('/verify-totp', { challengeId, code });
/** Makes all sign-ins of a user too old for sensitive operations. */
const age = (id: string) =>
  chancery.pool.query(
    "UPDATE sign_in SET auth_time = now() - interval '16 minutes', second_factor_at = second_factor_at - interval '16 minutes' WHERE person_id = $1",
    [id],
  );
/** Resets all counters, so that a test can continue. */
const forgetFailures = () => chancery.pool.query('DELETE FROM throttle');
const stepFree = (person: Enrolled) => chancery.pool.query('UPDATE two_factor SET last_step = 0 WHERE person_id = $1', [person.id]);

test('a setup shows ten backup codes and an address for the app, and changes nothing before a code is confirmed', async () => {
  const person = await registered(chancery);
  const { body } = await post('/2fa/enable-init', undefined, person.token);
  assert.equal(new Set(body.backupCodes).size, 10);
  assert.match(body.totpUri, /^otpauth:\/\/totp\/Chancery:person/);
  assert.ok((await signIn(chancery, person.email)).body.accessToken);
});

test('the code that confirmed the set-up cannot be used again; the next one can', async () => {
  const person = await registered(chancery);
  const { body } = await post('/2fa/enable-init', undefined, person.token);
  const code = totpAt(secretOf(body.totpUri), totpStep(new Date()));
  assert.equal((await post('/2fa/enable-confirm', { code, setupId: body.setupId }, person.token)).status, 200);
  const signedIn = await verify(await challengeOf(chancery, person.email), code);
  assert.deepEqual([signedIn.status, signedIn.body.code], [401, 'invalid_code']);
  assert.equal((await post('/reauthenticate', { code }, person.token)).body.code, 'invalid_code');
  const next = totpAt(secretOf(body.totpUri), totpStep(new Date()) + 1);
  assert.equal((await verify(await challengeOf(chancery, person.email), next)).status, 200);
});

test('a code of the app signs in once', async () => {
  const person = await enrolled(chancery);
  const code = person.code();
  const signed = await verify(await challengeOf(chancery, person.email), code);
  assert.equal(signed.status, 200, signed.text);
  assert.deepEqual(Object.keys(signed.body).toSorted(), ['accessToken', 'user']);
  assert.notEqual(cookieOf(signed, 'refresh_token'), '');
  const { acr, amr } = decodeJwt(signed.body.accessToken);
  assert.deepEqual([acr, amr], ['aal2', ['pwd', 'otp']]);
  const again = await verify(await challengeOf(chancery, person.email), code);
  assert.deepEqual([again.status, again.body.code], [401, 'invalid_code']);
});

test('turning it on ends every other session, raises this one, and mails the user', async () => {
  const person = await registered(chancery);
  const other = (await signIn(chancery, person.email)).body.accessToken;
  const { body } = await post('/2fa/enable-init', undefined, person.token);
  const code = totpAt(secretOf(body.totpUri), totpStep(new Date()));
  assert.equal((await post('/2fa/enable-confirm', { code, setupId: body.setupId }, person.token)).status, 200);
  assert.equal((await chancery.call('GET', `${authPath}/profile`, { token: other })).status, 401);
  const profile = await chancery.call('GET', `${authPath}/profile`, { token: person.token });
  assert.deepEqual([profile.status, profile.body.twoFactorEnabled], [200, true]);
  assert.match((await mailsTo(chancery, person.email))[0]?.subject ?? '', /Two-factor authentication is on/);
  const refreshed = await post('/refresh', { refreshToken: person.refreshToken });
  assert.equal(decodeJwt(refreshed.body.accessToken).acr, 'aal2');
});

test('a correct password of a user with a second factor returns a challenge without token, cookie or user data', async () => {
  const person = await enrolled(chancery);
  const answer = await signIn(chancery, person.email);
  assert.deepEqual(Object.keys(answer.body).toSorted(), ['challengeId', 'expiresIn', 'methods', 'twoFactorRequired']);
  assert.equal(answer.headers.getSetCookie().length, 0);
  assert.ok(answer.body.challengeId.length >= 22);
});

test('a set-up is replaced by a newer one, confirmed once under concurrency, and invalid after five wrong codes', async () => {
  const person = await registered(chancery);
  const first = (await post('/2fa/enable-init', undefined, person.token)).body;
  const second = (await post('/2fa/enable-init', undefined, person.token)).body;
  const codeOf = (setup: { totpUri: string }) => totpAt(secretOf(setup.totpUri), totpStep(new Date()));
  const old = await post('/2fa/enable-confirm', { code: codeOf(first), setupId: first.setupId }, person.token);
  assert.deepEqual([old.status, old.body.code], [400, 'invalid_setup']);
  for (let n = 0; n < 5; n += 1) {
    const wrong = await post('/2fa/enable-confirm', { code: 'abcdef', setupId: second.setupId }, person.token);
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'invalid_code']);
  }
  const late = await post('/2fa/enable-confirm', { code: codeOf(second), setupId: second.setupId }, person.token);
  assert.equal(late.body.code, 'invalid_setup');
  const third = (await post('/2fa/enable-init', undefined, person.token)).body;
  const stranger = await registered(chancery);
  const theirs = await post('/2fa/enable-confirm', { code: codeOf(third), setupId: third.setupId }, stranger.token);
  assert.equal(theirs.body.code, 'invalid_setup');
  const colleague = await chancery.user(person.team);
  const colleagues = await post('/2fa/enable-confirm', { code: codeOf(third), setupId: third.setupId }, colleague.token);
  assert.equal(colleagues.body.code, 'invalid_setup');
  const raced = await Promise.all(
    Array.from({ length: 5 }, () => post('/2fa/enable-confirm', { code: codeOf(third), setupId: third.setupId }, person.token)),
  );
  assert.equal(raced.filter(({ status }) => status === 200).length, 1);
  assert.equal((await post('/2fa/enable-init', undefined, person.token)).body.code, 'two_factor_already_enabled');
});

test('one code signs in once, also with 50 concurrent sign-ins', async () => {
  const person = await enrolled(chancery);
  const challengeId = await challengeOf(chancery, person.email);
  const code = person.code();
  const raced = await Promise.all(Array.from({ length: 50 }, () => verify(challengeId, code)));
  assert.equal(raced.filter(({ status }) => status === 200).length, 1);
  for (const { status, body } of raced.filter((answer) => answer.status !== 200))
    assert.ok(['invalid_challenge', 'invalid_code'].includes(body.code), `${status} ${body.code}`);
});

test('one code reauthenticates once, also with concurrent requests of one session', async () => {
  const person = await enrolled(chancery);
  const code = person.code();
  const raced = await Promise.all(Array.from({ length: 10 }, () => post('/reauthenticate', { code }, person.token)));
  assert.equal(raced.filter(({ status }) => status === 200).length, 1);
  await forgetFailures();
});

test('a code of an older step than the last used one is rejected; one step early or late is accepted', async () => {
  const person = await enrolled(chancery);
  assert.equal((await verify(await challengeOf(chancery, person.email), person.code(1))).status, 200);
  assert.equal((await verify(await challengeOf(chancery, person.email), person.code(0))).body.code, 'invalid_code');
  await stepFree(person);
  assert.equal((await verify(await challengeOf(chancery, person.email), person.code(-1))).status, 200);
  await stepFree(person);
  for (const away of [-3, 3])
    assert.equal((await verify(await challengeOf(chancery, person.email), person.code(away))).body.code, 'invalid_code');
});

test('codes are six ASCII digits: spaces are accepted, other digits and lengths are not', async () => {
  const person = await enrolled(chancery);
  const code = person.code();
  const fullWidth = Array.from(code, (digit) => String.fromCodePoint((digit.codePointAt(0) ?? 0) + 0xfee0)).join('');
  const challengeId = await challengeOf(chancery, person.email);
  for (const wrong of [fullWidth, `${code}0`, code.slice(1), `+${code.slice(1)}`])
    assert.equal((await verify(challengeId, wrong)).status, 401, wrong);
  assert.equal((await verify(challengeId, code.replace(/^(...)/, '$1 '))).status, 200);
  const typed = await chancery.call('POST', `${authPath}/verify-totp`, { body: { challengeId, code: Number(code) } });
  assert.equal(typed.status, 400);
});

test('a challenge ends after five wrong codes, and another of the same user replaces it', async () => {
  const person = await enrolled(chancery);
  const challengeId = await challengeOf(chancery, person.email);
  for (let n = 0; n < 5; n += 1) assert.equal((await verify(challengeId, '000000')).body.code, 'invalid_code');
  assert.equal((await verify(challengeId, person.code())).body.code, 'invalid_challenge');
  const [older, newer] = [await challengeOf(chancery, person.email), await challengeOf(chancery, person.email)];
  assert.equal((await verify(older, person.code())).body.code, 'invalid_challenge');
  assert.equal((await verify(newer, person.code())).status, 200);
  assert.equal((await verify(newer, person.code(1))).body.code, 'invalid_challenge');
});

test('ten wrong codes over all challenges block the second factor for a time, and a password does not reset them', async () => {
  const person = await enrolled(chancery);
  for (let round = 0; round < 2; round += 1) {
    const challengeId = await challengeOf(chancery, person.email);
    for (let n = 0; n < 5; n += 1) await verify(challengeId, '000000');
  }
  const locked = await verify(await challengeOf(chancery, person.email), person.code());
  assert.equal(locked.status, 429);
  assert.ok(Number(locked.headers.get('retry-after')) > 800);
  await forgetFailures();
  assert.equal((await verify(await challengeOf(chancery, person.email), person.code())).status, 200);
});

test('concurrent guesses cannot exceed the budget', async () => {
  const person = await enrolled(chancery);
  const guesses = await Promise.all(
    Array.from({ length: 50 }, (_, n) => post('/reauthenticate', { code: String(n).padStart(6, '0') }, person.token)),
  );
  assert.ok(guesses.filter(({ body }) => body.code === 'invalid_code').length <= 10);
  assert.ok(guesses.some(({ status }) => status === 429));
  await forgetFailures();
});

test('a backup code signs in once, in any spelling, is counted down by mail, and works once under concurrency', async () => {
  const person = await enrolled(chancery);
  const [code = '', other = ''] = person.backupCodes;
  const signed = await verify(await challengeOf(chancery, person.email), code.toUpperCase().replaceAll('-', ' '));
  assert.equal(signed.status, 200, signed.text);
  assert.deepEqual(decodeJwt(signed.body.accessToken).amr, ['pwd', 'rc']);
  assert.match((await mailsTo(chancery, person.email)).map(({ text }) => text).join(), /9 remain/);
  assert.equal((await verify(await challengeOf(chancery, person.email), code)).body.code, 'invalid_code');
  const raced = await Promise.all(Array.from({ length: 10 }, () => post('/reauthenticate', { code: other }, person.token)));
  assert.equal(raced.filter(({ status }) => status === 200).length, 1);
  await forgetFailures();
});

test('new backup codes end the old ones', async () => {
  const person = await enrolled(chancery);
  const { body } = await post('/2fa/regenerate-codes', undefined, person.token);
  assert.equal(body.backupCodes.length, 10);
  assert.equal((await verify(await challengeOf(chancery, person.email), person.backupCodes[3] ?? '')).body.code, 'invalid_code');
  assert.equal((await verify(await challengeOf(chancery, person.email), body.backupCodes[3])).status, 200);
});

test('a backup code or challenge of one user does not work for another', async () => {
  const [one, two] = [await enrolled(chancery), await enrolled(chancery)];
  assert.equal((await verify(await challengeOf(chancery, one.email), two.backupCodes[0] ?? '')).body.code, 'invalid_code');
  assert.equal((await verify(await challengeOf(chancery, one.email), two.code())).body.code, 'invalid_code');
});

test('a challenge ends with a change of the password, and after five minutes', async () => {
  const person = await enrolled(chancery);
  const older = await challengeOf(chancery, person.email);
  const changed = await chancery.call('PUT', `${authPath}/change-password`, {
    token: person.token,
    body: { currentPassword: goodPassword, newPassword: `${goodPassword}!` },
  });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(decodeJwt(changed.body.accessToken).acr, 'aal2');
  assert.equal((await verify(older, person.code())).body.code, 'invalid_challenge');
  const { challengeId } = (await signIn(chancery, person.email, `${goodPassword}!`)).body;
  await chancery.pool.query("UPDATE sign_in_challenge SET expires_at = now() - interval '1 second' WHERE person_id = $1", [person.id]);
  assert.equal((await verify(challengeId, person.code())).body.code, 'invalid_challenge');
});

test('a reset of the password by mail leaves the second factor on', async () => {
  const person = await enrolled(chancery);
  await post('/request-password-reset', { email: person.email });
  const token = /token=([\w-]+)/.exec((await mailsTo(chancery, person.email))[0]?.text ?? '')?.[1];
  assert.equal((await post('/reset-password', { token, password: `${goodPassword}?` })).status, 200);
  assert.equal((await signIn(chancery, person.email, `${goodPassword}?`)).body.twoFactorRequired, true);
});

test('sensitive operations need a recent sign-in, with the second factor if one exists', async () => {
  const person = await enrolled(chancery);
  await age(person.id);
  for (const [method, path, body] of [
    ['POST', '/2fa/disable', undefined],
    ['POST', '/2fa/regenerate-codes', undefined],
    ['POST', '/transfer-ownership', { newOwnerId: person.id }],
    ['DELETE', '/profile', undefined],
    ['PUT', '/profile', { email: 'new@example.org' }],
  ] as const) {
    const answer = await chancery.call(method, `${authPath}${path}`, { token: person.token, ...(body ? { body } : {}) });
    assert.deepEqual([answer.status, answer.body.code], [401, 'reauthentication_required'], path);
    assert.match(
      answer.headers.get('www-authenticate') ?? '',
      /error="insufficient_user_authentication", max_age="900", acr_values="aal2"/,
    );
  }
  const refreshed = await post('/refresh', { refreshToken: person.refreshToken });
  assert.equal((await post('/2fa/regenerate-codes', undefined, refreshed.body.accessToken)).status, 401, 'refreshing is no sign-in');
  assert.equal((await post('/reauthenticate', { password: 'wrong-password' }, person.token)).body.code, 'invalid_current_password');
  assert.equal((await post('/reauthenticate', {}, person.token)).status, 400);
  const again = await post('/reauthenticate', { password: goodPassword }, person.token);
  assert.equal(again.status, 200, again.text);
  assert.equal(decodeJwt(again.body.accessToken).acr, 'aal2', 'the session keeps its level');
  for (const token of [person.token, again.body.accessToken]) {
    const refused = await post('/2fa/regenerate-codes', undefined, token);
    assert.deepEqual(
      [refused.status, refused.body.code],
      [401, 'reauthentication_required'],
      'a password does not prove the second factor',
    );
  }
  assert.equal((await post('/2fa/disable', { password: goodPassword }, person.token)).body.code, 'reauthentication_required');
  assert.equal((await post('/reauthenticate', { code: person.code() }, person.token)).status, 200);
  assert.equal((await post('/2fa/regenerate-codes', undefined, person.token)).status, 200, 'the session is recent for any of its tokens');
});

test('a session with one factor cannot turn off the second with the password alone', async () => {
  const person = await enrolled(chancery);
  await chancery.pool.query("UPDATE sign_in SET acr = 'aal1', amr = '{pwd}', second_factor_at = NULL WHERE person_id = $1", [person.id]);
  assert.equal((await post('/2fa/disable', { password: goodPassword }, person.token)).body.code, 'reauthentication_required');
  assert.equal((await post('/2fa/disable', { code: '000000' }, person.token)).body.code, 'invalid_code');
  assert.equal((await post('/2fa/disable', { code: person.code() }, person.token)).status, 200);
  assert.ok((await signIn(chancery, person.email)).body.accessToken);
  assert.equal((await post('/2fa/disable', undefined, person.token)).body.code, 'two_factor_not_enabled');
  assert.equal((await post('/2fa/regenerate-codes', undefined, person.token)).body.code, 'two_factor_not_enabled');
});

test('secrets are stored encrypted, and codes hashed', async () => {
  const person = await enrolled(chancery);
  const { rows } = await chancery.pool.query(
    "SELECT encode(secret, 'hex') AS secret, (SELECT string_agg(hash, ' ') FROM backup_code b WHERE b.person_id = f.person_id) AS hashes FROM two_factor f WHERE person_id = $1",
    [person.id],
  );
  assert.ok(!rows[0].secret.includes(person.secret.toString('hex')));
  assert.equal(rows[0].hashes.split(' ').filter((hash: string) => hash.startsWith('$argon2id$')).length, 10);
});

test('a user gets a mail about a sign-in from an unknown device', async () => {
  const person = await registered(chancery, { 'user-agent': 'known' });
  const withDevice = (agent: string) =>
    chancery.call('POST', `${authPath}/login`, { body: { email: person.email, password: goodPassword }, headers: { 'user-agent': agent } });
  const deviceMails = async () => (await mailsTo(chancery, person.email)).filter(({ subject }) => /new device/.test(subject));
  await withDevice('known');
  assert.equal((await deviceMails()).length, 0);
  await chancery.pool.query("UPDATE person SET timezone = 'Asia/Tokyo' WHERE email = $1", [person.email]);
  await withDevice('stranger');
  await withDevice('stranger');
  const mails = await deviceMails();
  assert.equal(mails.length, 1);
  assert.match(mails[0]?.text ?? '', /, at \w+ \d+, \d{4} at \d\d:\d\d [AP]M GMT\+9: stranger/, 'in the time zone of the user');
});

test('mails are in the language that the user requested', async () => {
  const person = await registered(chancery, { 'accept-language': 'fr;q=0.9, de-AT;q=0.8, en;q=0.1' });
  assert.match((await mailsTo(chancery, person.email))[0]?.text ?? '', /Ihr Bestätigungscode/);
  await chancery.call('PUT', `${authPath}/profile`, { token: person.token, body: { locale: 'en' } });
  await post('/request-password-reset', { email: person.email });
  assert.match((await mailsTo(chancery, person.email))[0]?.subject ?? '', /Set a new password/);
});
