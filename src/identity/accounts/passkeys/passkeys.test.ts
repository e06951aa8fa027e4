import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { decodeJwt } from 'jose';
import { type Authenticator, createAuthenticator, type Odd } from '../../../../test/authenticator.ts';
import { type TestResponse, type Chancery, startChancery } from '../../../../test/harness.ts';
import {
  authPath,
  challengeOf,
  cookieOf,
  enrolled,
  goodPassword,
  mailsTo,
  type Registered,
  registered,
  signIn,
} from '../../../../test/people.ts';
import { firstStaff, staffToken } from '../../../../test/staff.ts';
import { newPasskeyChallenge, readPasskeyChallenge } from './challenges.ts';

let chancery: Chancery;
/** Milliseconds added to the service’s clock. */
let ahead = 0;
before(async () => {
  chancery = await startChancery({
    role: 'api',
    settings: { ALTCHA: 'off', CORS_ORIGINS: 'http://app.localhost:3000,http://elsewhere.example', ...firstStaff },
    clock: () => new Date(Date.now() + ahead),
  });
});
after(() => chancery.stop());

const post = (path: string, body?: unknown, token?: string, headers: Record<string, string> = {}) =>
  chancery.call('POST', `${authPath}${path}`, {
    headers,
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token }),
  });
const ok = (answer: TestResponse): any => {
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
const is = (answer: TestResponse, status: number, code: string) =>
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.text);
const age = (id: string) =>
  chancery.pool.query(
    "UPDATE sign_in SET auth_time = now() - interval '16 minutes', second_factor_at = second_factor_at - interval '16 minutes' WHERE person_id = $1",
    [id],
  );
const actsOf = async (team: string, like: string): Promise<string[]> =>
  (await chancery.pool.query('SELECT type FROM audit_entry WHERE team_id = $1 AND type LIKE $2 ORDER BY id', [team, like])).rows.map(
    ({ type }) => type,
  );

async function addPasskey(person: Registered, authenticator: Authenticator, name = 'Key', odd: Odd = {}): Promise<TestResponse> {
  const options = ok(await post('/passkeys/options', undefined, person.token));
  return post('/passkeys', { name, response: authenticator.create(options, odd) }, person.token);
}

type PasskeyUser = Registered & { authenticator: Authenticator; passkey: any };
async function passkeyUser(kind: Parameters<typeof createAuthenticator>[0] = {}): Promise<PasskeyUser> {
  const person = await registered(chancery);
  const authenticator = createAuthenticator(kind);
  return { ...person, authenticator, passkey: ok(await addPasskey(person, authenticator)) };
}
const passkeyLogin = async (authenticator: Authenticator, odd: Odd = {}) =>
  post('/passkeys/login', { response: authenticator.get(ok(await post('/passkeys/login/options')), odd) });
async function completed(challengeId: string, authenticator: Authenticator, odd: Odd = {}): Promise<TestResponse> {
  const options = ok(await post('/verify-passkey/options', { challengeId }));
  return post('/verify-passkey', { challengeId, response: authenticator.get(options, odd) });
}

describe('registering', () => {
  test('the first passkey turns two-factor on: backup codes are shown once, other sessions end, this one is raised, a mail is sent', async () => {
    const person = await registered(chancery);
    const other = ok(await signIn(chancery, person.email)).accessToken;
    const options = ok(await post('/passkeys/options', undefined, person.token));
    assert.equal(options.rp.id, 'localhost');
    assert.equal(Buffer.from(options.user.id, 'base64url').toString('hex'), person.id.replaceAll('-', ''));
    const made = await addPasskey(person, createAuthenticator(), 'Work laptop');
    assert.equal(made.status, 201, made.text);
    assert.equal(made.headers.get('location'), `${authPath}/passkeys/${made.body.id}`);
    assert.deepEqual([made.body.name, made.body.synced, new Set(made.body.backupCodes).size], ['Work laptop', false, 10]);
    assert.equal((await chancery.call('GET', `${authPath}/profile`, { token: other })).status, 401);
    const profile = await chancery.call('GET', `${authPath}/profile`, { token: person.token });
    assert.equal(profile.body.twoFactorEnabled, true);
    const refreshed = ok(await post('/refresh', { refreshToken: person.refreshToken }));
    assert.deepEqual([decodeJwt(refreshed.accessToken).acr, decodeJwt(refreshed.accessToken).amr], ['aal2', ['otp', 'hwk']]);
    assert.match((await mailsTo(chancery, person.email))[0]?.text ?? '', /“Work laptop”/);
    assert.deepEqual(await actsOf(person.team, 'passkey.%'), ['passkey.registered']);
    assert.deepEqual(await actsOf(person.team, 'twofactor.%'), ['twofactor.enabled']);
  });

  test('a second one shows no codes and ends no session; each is listed, read and renamed, without its key', async () => {
    const person = await passkeyUser({ synced: true });
    const again = ok(await addPasskey(person, createAuthenticator(), 'Spare'));
    assert.equal('backupCodes' in again, false);
    const { body } = await chancery.call('GET', `${authPath}/passkeys`, { token: person.token });
    assert.deepEqual(
      body.map(({ name, synced }: any) => [name, synced]),
      [
        ['Key', true],
        ['Spare', false],
      ],
    );
    const named = await chancery.call('PATCH', `${authPath}/passkeys/${again.id}`, { token: person.token, body: { name: ' Drawer ' } });
    assert.equal(named.body.name, 'Drawer');
    const read = await chancery.call('GET', `${authPath}/passkeys/${again.id}`, { token: person.token });
    assert.deepEqual(Object.keys(read.body).toSorted(), ['createdAt', 'id', 'name', 'synced']);
    const nameless = await chancery.call('PATCH', `${authPath}/passkeys/${again.id}`, { token: person.token, body: { name: ' ' } });
    is(nameless, 400, 'validation_failed');
  });

  test('registration needs a recent sign-in, with the second factor if one exists', async () => {
    const person = await passkeyUser();
    const single = ok(await completed(await challengeOf(chancery, person.email), person.authenticator)).accessToken;
    await age(person.id);
    is(await post('/passkeys/options', undefined, single), 401, 'reauthentication_required');
    const response = createAuthenticator().create({ challenge: 'x', rp: { id: 'localhost' }, user: { id: 'x' } });
    is(await post('/passkeys', { name: 'Key', response }, single), 401, 'reauthentication_required');
    const gone = await chancery.call('DELETE', `${authPath}/passkeys/${person.passkey.id}`, { token: single });
    is(gone, 401, 'reauthentication_required');
  });

  for (const [what, odd] of [
    ['from another page', { origin: 'http://localhost.evil.example' }],
    ['from a page of CORS_ORIGINS that is not within the RP ID', { origin: 'http://elsewhere.example' }],
    ['for another RP ID', { rpId: 'evil.example' }],
    ['of an assertion', { type: 'webauthn.get' }],
    ['without user presence', { present: false }],
    ['to an invented challenge', { challenge: Buffer.alloc(54, 1).toString('base64url') }],
    ['from a foreign frame', { crossOrigin: true }],
  ] as [string, Odd][]) {
    test(`a response ${what} is rejected, and nothing is stored`, async () => {
      const person = await registered(chancery);
      is(await addPasskey(person, createAuthenticator(), 'Key', odd), 400, 'invalid_passkey');
      assert.deepEqual((await chancery.call('GET', `${authPath}/passkeys`, { token: person.token })).body, []);
      assert.ok(ok(await signIn(chancery, person.email)).accessToken);
    });
  }

  test('a page of CORS_ORIGINS within the RP ID may register', async () => {
    const person = await registered(chancery);
    assert.equal((await addPasskey(person, createAuthenticator({ origin: 'http://app.localhost:3000' }))).status, 201);
  });

  test('options are valid once, for five minutes, only for a registration in the requesting session', async () => {
    const [person, stranger] = [await registered(chancery), await registered(chancery)];
    const options = ok(await post('/passkeys/options', undefined, person.token));
    const theirs = createAuthenticator();
    is(await post('/passkeys', { name: 'Key', response: theirs.create(options) }, stranger.token), 400, 'invalid_passkey');
    const login = ok(await post('/passkeys/login/options'));
    const crossed = theirs.create({ ...options, challenge: login.challenge });
    is(await post('/passkeys', { name: 'Key', response: crossed }, person.token), 400, 'invalid_passkey');
    ahead = 301_000;
    const late = await post('/passkeys', { name: 'Key', response: theirs.create(options) }, person.token);
    ahead = 0;
    is(late, 400, 'invalid_passkey');
    const response = theirs.create(options);
    const raced = await Promise.all(Array.from({ length: 50 }, () => post('/passkeys', { name: 'Key', response }, person.token)));
    assert.equal(raced.filter(({ status }) => status === 201).length, 1);
    is(await post('/passkeys', { name: 'Key', response: createAuthenticator().create(options) }, person.token), 400, 'invalid_passkey');
  });

  test('a passkey can be registered once by any user, and 50 concurrent registrations leave at most twenty', async () => {
    const [person, stranger] = [await passkeyUser(), await registered(chancery)];
    is(await addPasskey(stranger, person.authenticator), 409, 'passkey_registered');
    const tries = Array.from({ length: 50 }, async () => addPasskey(person, createAuthenticator()));
    for (const answer of await Promise.allSettled(tries))
      if (answer.status === 'fulfilled' && answer.value.status !== 201) is(answer.value, 409, 'passkey_limit');
    assert.equal((await chancery.call('GET', `${authPath}/passkeys`, { token: person.token })).body.length, 20);
    is(await post('/passkeys/options', undefined, person.token), 409, 'passkey_limit');
  });

  test('the same request with its Idempotency-Key gets the same passkey and codes again', async () => {
    const person = await registered(chancery);
    const options = ok(await post('/passkeys/options', undefined, person.token));
    const body = { name: 'Key', response: createAuthenticator().create(options) };
    const key = { 'idempotency-key': 'register-passkey-1' };
    const first = await post('/passkeys', body, person.token, key);
    const second = await post('/passkeys', body, person.token, key);
    assert.deepEqual([second.status, second.body], [201, first.body]);
  });
});

describe('signing in by passkey alone', () => {
  test('counts as two factors, and records the last use', async () => {
    const person = await passkeyUser();
    const signed = await passkeyLogin(person.authenticator);
    assert.equal(signed.status, 200, signed.text);
    assert.deepEqual(Object.keys(signed.body).toSorted(), ['accessToken', 'user']);
    assert.notEqual(cookieOf(signed, 'refresh_token'), '');
    const { acr, amr, sub } = decodeJwt(signed.body.accessToken);
    assert.deepEqual([acr, amr, sub], ['aal2', ['hwk', 'user'], person.id]);
    const { body } = await chancery.call('GET', `${authPath}/passkeys`, { token: signed.body.accessToken });
    assert.match(body[0].lastUsedAt, /Z$/);
  });

  test('a key on several devices is marked as synced, and one without a counter signs in repeatedly', async () => {
    const person = await passkeyUser({ synced: true, counts: false });
    for (let n = 0; n < 3; n += 1) {
      const signed = await passkeyLogin(person.authenticator);
      assert.deepEqual(decodeJwt(ok(signed).accessToken).amr, ['swk', 'user']);
    }
  });

  test('options do not reveal accounts: they are the same for all and name no passkey', async () => {
    await passkeyUser();
    const { challenge, ...options } = ok(await post('/passkeys/login/options'));
    assert.deepEqual(options, { rpId: 'localhost', timeout: 300_000, userVerification: 'required' });
    assert.ok(Buffer.from(challenge, 'base64url').length >= 32);
  });

  for (const [what, odd] of [
    ['from another page', () => ({ origin: 'https://evil.example' })],
    ['for another RP ID', () => ({ rpId: 'evil.example' })],
    ['of a registration', () => ({ type: 'webauthn.create' })],
    ['without user verification', () => ({ verified: false })],
    ['without user presence', () => ({ present: false })],
    ['from a foreign frame', () => ({ crossOrigin: true })],
    ['by another key', () => ({ key: createAuthenticator().key })],
    ['that names another user', () => ({ userHandle: Buffer.alloc(16, 7).toString('base64url') })],
    ['to an invented challenge', () => ({ challenge: Buffer.alloc(54, 2).toString('base64url') })],
  ] as [string, () => Odd][]) {
    test(`a response ${what} is rejected like every wrong response`, async () => {
      const person = await passkeyUser();
      const answer = await passkeyLogin(person.authenticator, odd());
      is(answer, 401, 'invalid_passkey');
      assert.equal(answer.headers.getSetCookie().length, 0);
      const unknown = await passkeyLogin(createAuthenticator(), { userHandle: Buffer.alloc(16, 7).toString('base64url') });
      assert.deepEqual(
        [unknown.status, unknown.body.code, unknown.body.title, unknown.body.detail],
        [answer.status, answer.body.code, answer.body.title, answer.body.detail],
      );
      assert.deepEqual(await actsOf(person.team, 'login.failed'), ['login.failed']);
      assert.equal((await passkeyLogin(person.authenticator)).status, 200);
    });
  }

  test('an authenticator that does not name its user cannot sign in alone', async () => {
    const person = await passkeyUser({ bare: true });
    is(await passkeyLogin(person.authenticator), 401, 'invalid_passkey');
  });

  test('a response signs in once, also with 50 concurrent requests', async () => {
    for (const counts of [true, false]) {
      const person = await passkeyUser({ counts });
      const response = person.authenticator.get(ok(await post('/passkeys/login/options')));
      const raced = await Promise.all(Array.from({ length: 50 }, () => post('/passkeys/login', { response })));
      assert.equal(raced.filter(({ status }) => status === 200).length, 1);
      for (const { status } of raced) assert.ok([200, 401, 429].includes(status));
      await chancery.pool.query('DELETE FROM throttle');
      is(await post('/passkeys/login', { response }), 401, 'invalid_passkey');
    }
  });

  test('another spelling of a used challenge is not accepted', () => {
    const key = Buffer.alloc(32, 3);
    const now = new Date();
    const challenge = newPasskeyChallenge(key, 'login', '', now);
    assert.ok(readPasskeyChallenge(key, 'login', '', challenge, now));
    for (const other of [
      `${challenge}=`,
      ` ${challenge}`,
      challenge.replaceAll('-', '+').replaceAll('_', '/').concat('='),
      challenge.slice(0, -1),
    ])
      assert.equal(readPasskeyChallenge(key, 'login', '', other, now), undefined, other);
    assert.equal(readPasskeyChallenge(key, 'register', '', challenge, now), undefined);
    assert.equal(readPasskeyChallenge(key, 'login', 'x', challenge, now), undefined);
    assert.equal(readPasskeyChallenge(key, 'login', '', challenge, new Date(now.getTime() + 300_000)), undefined);
  });

  test('options are valid for five minutes', async () => {
    const person = await passkeyUser();
    const options = ok(await post('/passkeys/login/options'));
    ahead = 301_000;
    const late = await post('/passkeys/login', { response: person.authenticator.get(options) });
    ahead = 0;
    is(late, 401, 'invalid_passkey');
  });

  test('a counter that does not increase is rejected and journalled; with a wrong signature it is not journalled', async () => {
    const person = await passkeyUser();
    assert.equal((await passkeyLogin(person.authenticator, { count: 40 })).status, 200);
    for (const count of [40, 39, 0]) is(await passkeyLogin(person.authenticator, { count }), 401, 'invalid_passkey');
    assert.equal((await actsOf(person.team, 'passkey.counter_regressed')).length, 3);
    is(await passkeyLogin(person.authenticator, { count: 1, key: createAuthenticator().key }), 401, 'invalid_passkey');
    assert.equal((await actsOf(person.team, 'passkey.counter_regressed')).length, 3);
    await chancery.pool.query('DELETE FROM throttle');
    assert.equal((await passkeyLogin(person.authenticator, { count: 41 })).status, 200);
  });

  test('a deleted passkey cannot sign in; a suspended user learns of the suspension only after a correct response', async () => {
    const person = await passkeyUser();
    await chancery.pool.query("UPDATE account SET status = 'disabled' WHERE id = $1", [person.id]);
    is(await passkeyLogin(person.authenticator), 403, 'account_disabled');
    is(await passkeyLogin(person.authenticator, { key: createAuthenticator().key }), 401, 'invalid_passkey');
    await chancery.pool.query("UPDATE account SET status = 'active' WHERE id = $1", [person.id]);
    const again = await passkeyLogin(person.authenticator);
    const path = `${authPath}/passkeys/${person.passkey.id}`;
    assert.equal((await chancery.call('DELETE', path, { token: again.body.accessToken })).status, 204);
    is(await passkeyLogin(person.authenticator), 401, 'invalid_passkey');
  });

  test('a passkey of a suspended team cannot sign in', async () => {
    const person = await passkeyUser();
    await chancery.pool.query("UPDATE team SET status = 'suspended' WHERE team_id = $1", [person.team]);
    is(await passkeyLogin(person.authenticator), 403, 'account_disabled');
  });

  test('wrong responses of one passkey are delayed increasingly', async () => {
    const person = await passkeyUser();
    const wrong = { key: createAuthenticator().key };
    for (let n = 0; n < 5; n += 1) is(await passkeyLogin(person.authenticator, wrong), 401, 'invalid_passkey');
    const answer = await passkeyLogin(person.authenticator, wrong);
    is(answer, 429, 'rate_limited');
    assert.ok(Number(answer.headers.get('retry-after')) >= 1);
    await chancery.pool.query('DELETE FROM throttle');
  });
});

describe('as the second factor', () => {
  test('a user with only passkeys gets the challenge after the password, and completes it with one', async () => {
    const person = await passkeyUser();
    const begun = await signIn(chancery, person.email);
    assert.deepEqual([begun.body.twoFactorRequired, begun.body.methods], [true, ['backup_code', 'webauthn']]);
    assert.equal(begun.headers.getSetCookie().length, 0);
    const { challengeId } = begun.body;
    const options = ok(await post('/verify-passkey/options', { challengeId }));
    assert.deepEqual(options.allowCredentials, [{ id: person.authenticator.id, type: 'public-key', transports: ['internal'] }]);
    const signed = await post('/verify-passkey', { challengeId, response: person.authenticator.get(options, { verified: false }) });
    assert.deepEqual(Object.keys(ok(signed)).toSorted(), ['accessToken', 'user']);
    assert.notEqual(cookieOf(signed, 'refresh_token'), '');
    const { acr, amr } = decodeJwt(signed.body.accessToken);
    assert.deepEqual([acr, amr], ['aal2', ['pwd', 'hwk']]);
  });

  test('methods lists the user’s factors, and each completes the sign-in', async () => {
    const person = await enrolled(chancery);
    assert.deepEqual((await signIn(chancery, person.email)).body.methods, ['totp', 'backup_code']);
    is(await post('/verify-passkey/options', { challengeId: await challengeOf(chancery, person.email) }), 409, 'no_passkeys');
    const authenticator = createAuthenticator();
    ok(await addPasskey(person, authenticator));
    assert.deepEqual((await signIn(chancery, person.email)).body.methods, ['totp', 'backup_code', 'webauthn']);
    const codes = [person.code(), person.backupCodes[0]];
    for (const code of codes)
      assert.equal((await post('/verify-totp', { challengeId: await challengeOf(chancery, person.email), code })).status, 200);
    assert.equal((await completed(await challengeOf(chancery, person.email), authenticator)).status, 200);
  });

  test('the backup codes of a first passkey sign in, and are renewed like those of an app', async () => {
    const person = await passkeyUser();
    const [code] = person.passkey.backupCodes;
    const signed = await post('/verify-totp', { challengeId: await challengeOf(chancery, person.email), code });
    assert.deepEqual(decodeJwt(ok(signed).accessToken).amr, ['pwd', 'rc']);
    const renewed = ok(await post('/2fa/regenerate-codes', undefined, signed.body.accessToken));
    assert.equal(renewed.backupCodes.length, 10);
  });

  test('neither another user’s passkey nor a response to another challenge completes the sign-in', async () => {
    const [person, stranger] = [await passkeyUser(), await passkeyUser()];
    const challengeId = await challengeOf(chancery, person.email);
    is(await completed(challengeId, stranger.authenticator), 401, 'invalid_passkey');
    const login = person.authenticator.get(ok(await post('/passkeys/login/options')));
    is(await post('/verify-passkey', { challengeId, response: login }), 401, 'invalid_passkey');
    const theirs = await challengeOf(chancery, stranger.email);
    const elsewhere = ok(await post('/verify-passkey/options', { challengeId: theirs }));
    is(await post('/verify-passkey', { challengeId, response: person.authenticator.get(elsewhere) }), 401, 'invalid_passkey');
    assert.equal((await completed(challengeId, person.authenticator)).status, 200);
    assert.equal((await actsOf(person.team, 'challenge.failed')).length, 3);
  });

  test('a second-factor response does not sign in alone', async () => {
    const person = await passkeyUser();
    const options = ok(await post('/verify-passkey/options', { challengeId: await challengeOf(chancery, person.email) }));
    is(await post('/passkeys/login', { response: person.authenticator.get(options) }), 401, 'invalid_passkey');
  });

  test('a challenge allows five tries and one success, also under concurrency', async () => {
    const person = await passkeyUser();
    const challengeId = await challengeOf(chancery, person.email);
    const options = ok(await post('/verify-passkey/options', { challengeId }));
    const response = person.authenticator.get(options);
    const raced = await Promise.all(Array.from({ length: 50 }, () => post('/verify-passkey', { challengeId, response })));
    assert.equal(raced.filter(({ status }) => status === 200).length, 1);
    is(await post('/verify-passkey/options', { challengeId }), 401, 'invalid_challenge');
    await chancery.pool.query('DELETE FROM throttle');
    const second = await challengeOf(chancery, person.email);
    const wrong = { key: createAuthenticator().key };
    for (let n = 0; n < 5; n += 1) is(await completed(second, person.authenticator, wrong), 401, 'invalid_passkey');
    is(await completed(second, person.authenticator), 401, 'invalid_challenge');
  });

  test('a passkey deleted during the sign-in does not complete it', async () => {
    const person = await passkeyUser();
    ok(await addPasskey(person, createAuthenticator(), 'Spare'));
    const challengeId = await challengeOf(chancery, person.email);
    const response = person.authenticator.get(ok(await post('/verify-passkey/options', { challengeId })));
    assert.equal((await chancery.call('DELETE', `${authPath}/passkeys/${person.passkey.id}`, { token: person.token })).status, 204);
    is(await post('/verify-passkey', { challengeId, response }), 401, 'invalid_passkey');
  });
});

describe('reauthentication', () => {
  test('a passkey makes an old session recent and raises its level, and the response works once in that session', async () => {
    const person = await passkeyUser();
    await age(person.id);
    is(await post('/passkeys/options', undefined, person.token), 401, 'reauthentication_required');
    const options = ok(await post('/reauthenticate/options', undefined, person.token));
    assert.equal(options.allowCredentials.length, 1);
    const passkey = person.authenticator.get(options);
    const other = ok(await completed(await challengeOf(chancery, person.email), person.authenticator)).accessToken;
    is(await post('/reauthenticate', { passkey }, other), 400, 'invalid_passkey');
    const fresh = person.authenticator.get(options);
    const raised = ok(await post('/reauthenticate', { passkey: fresh }, person.token)).accessToken;
    assert.equal(decodeJwt(raised).acr, 'aal2');
    is(await post('/reauthenticate', { passkey: fresh }, person.token), 400, 'invalid_passkey');
    assert.equal((await post('/passkeys/options', undefined, raised)).status, 200);
    const stranger = await passkeyUser();
    const theirs = stranger.authenticator.get(ok(await post('/reauthenticate/options', undefined, raised)));
    is(await post('/reauthenticate', { passkey: theirs }, raised), 400, 'invalid_passkey');
  });

  test('a user without passkeys gets an error', async () => {
    const person = await registered(chancery);
    is(await post('/reauthenticate/options', undefined, person.token), 409, 'no_passkeys');
  });

  test('a passkey in the request turns the app off, and two-factor stays on with it', async () => {
    const person = await enrolled(chancery);
    const authenticator = createAuthenticator();
    ok(await addPasskey(person, authenticator));
    await age(person.id);
    const passkey = authenticator.get(ok(await post('/reauthenticate/options', undefined, person.token)));
    const off = await post('/2fa/disable', { passkey }, person.token);
    assert.match(ok(off).message, /passkeys stay/);
    assert.deepEqual((await signIn(chancery, person.email)).body.methods, ['backup_code', 'webauthn']);
    assert.match((await mailsTo(chancery, person.email))[0]?.subject ?? '', /authenticator app was turned off/);
  });
});

describe('removing passkeys', () => {
  test('removing the last second factor turns two-factor off with its backup codes; with another one it stays on', async () => {
    const person = await passkeyUser();
    const spare = ok(await addPasskey(person, createAuthenticator(), 'Spare'));
    const gone = (id: string) => chancery.call('DELETE', `${authPath}/passkeys/${id}`, { token: person.token });
    assert.equal((await gone(spare.id)).status, 204);
    assert.equal((await signIn(chancery, person.email)).body.twoFactorRequired, true);
    assert.equal((await gone(person.passkey.id)).status, 204);
    assert.ok(ok(await signIn(chancery, person.email)).accessToken);
    const left = await chancery.pool.query('SELECT FROM backup_code WHERE person_id = $1', [person.id]);
    assert.equal(left.rowCount, 0);
    is(await gone(person.passkey.id), 404, 'not_found');
    assert.match((await mailsTo(chancery, person.email))[0]?.text ?? '', /last second factor/);
    assert.deepEqual(await actsOf(person.team, 'passkey.removed'), ['passkey.removed', 'passkey.removed']);
  });

  test('concurrent removals of app and passkey remove both and turn two-factor off', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await enrolled(chancery);
      const passkey = ok(await addPasskey(person, createAuthenticator()));
      await Promise.all([
        ...Array.from({ length: 5 }, () => post('/2fa/disable', undefined, person.token)),
        ...Array.from({ length: 5 }, () => chancery.call('DELETE', `${authPath}/passkeys/${passkey.id}`, { token: person.token })),
      ]);
      assert.ok(ok(await signIn(chancery, person.email)).accessToken, 'the password is sufficient');
    }
  });

  test('staff remove the passkeys together with a user’s second factor', async () => {
    const person = await passkeyUser();
    const token = await staffToken(chancery);
    const done = await chancery.call('POST', `/api/v1/staff/users/${person.id}/disable-2fa`, { token, body: { reason: 'Lost both keys' } });
    assert.ok(done.status < 300, done.text);
    is(await passkeyLogin(person.authenticator), 401, 'invalid_passkey');
    assert.ok(ok(await signIn(chancery, person.email)).accessToken);
  });

  test('a deleted account has no passkey left', async () => {
    const person = await passkeyUser();
    assert.equal((await chancery.call('DELETE', `${authPath}/profile`, { token: person.token })).status, 200);
    assert.equal((await chancery.pool.query('SELECT FROM passkey WHERE person_id = $1', [person.id])).rowCount, 0);
    is(await passkeyLogin(person.authenticator), 401, 'invalid_passkey');
  });

  test('a passkey moves with its user to another team', async () => {
    const { owner, id: team } = await chancery.team();
    const person = await passkeyUser();
    await chancery.pool.query("UPDATE account SET role = 'member' WHERE id = $1", [person.id]);
    for (const table of ['sign_in', 'backup_code', 'sign_in_challenge'])
      await chancery.pool.query(`DELETE FROM ${table} WHERE person_id = $1`, [person.id]);
    const moved = await chancery.call('POST', '/api/v1/team/invitations', {
      token: owner.token,
      body: { email: person.email, role: 'member' },
    });
    assert.equal(moved.status, 201, moved.text);
    const signed = ok(await passkeyLogin(person.authenticator));
    await chancery.pool.query("UPDATE account SET role = 'owner' WHERE id = $1", [person.id]);
    const link = /token=([\w-]+)/.exec((await mailsTo(chancery, person.email))[0]?.text ?? '')?.[1];
    const joined = await chancery.call('POST', '/api/v1/team/invitations/accept', { token: signed.accessToken, body: { token: link } });
    assert.ok(joined.status < 300, joined.text);
    const again = ok(await passkeyLogin(person.authenticator));
    assert.equal(again.user.teamId, team);
  });

  test('another member of the team cannot see or change a user’s passkeys', async () => {
    const person = await passkeyUser();
    const mate = await chancery.user(person.team, { role: 'admin' });
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { name: 'Mine' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await chancery.call(method, `${authPath}/passkeys/${person.passkey.id}`, {
        token: mate.token,
        ...(body ? { body } : {}),
      });
      is(answer, 404, 'not_found');
    }
    assert.deepEqual((await chancery.call('GET', `${authPath}/passkeys`, { token: mate.token })).body, []);
  });
});

test('a new password does not change the passkeys', async () => {
  const person = await passkeyUser();
  await post('/request-password-reset', { email: person.email });
  const token = /token=([\w-]+)/.exec((await mailsTo(chancery, person.email))[0]?.text ?? '')?.[1];
  ok(await post('/reset-password', { token, password: `${goodPassword}2` }));
  assert.equal((await passkeyLogin(person.authenticator)).status, 200);
  assert.equal((await signIn(chancery, person.email, `${goodPassword}2`)).body.twoFactorRequired, true);
});
