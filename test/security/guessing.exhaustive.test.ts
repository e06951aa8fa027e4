import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestResponse, type Chancery, startChancery } from '../harness.ts';
import { authPath, challengeOf, cookieOf, enrolled, goodPassword, mailsTo, registered, secretOf } from '../people.ts';
import { eventually } from '../webhook-receiver.ts';
import { totpAt, totpStep } from '../../src/platform/crypto/totp.ts';
import { firstStaff, staffPath } from '../staff.ts';

let chancery: Chancery;
before(async () => {
  // A trusted proxy on this machine sends the client address, so that a test can use many addresses.
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off', TRUSTED_PROXIES: '127.0.0.1', ...firstStaff } });
  // Open the connections in advance, so that they do not decide the races.
  await atOnce(20, (n) => post('/login', { email: `first${n}@example.org`, password: wrong }, { from: elsewhere() }));
});
after(() => chancery.stop());

let places = 0;
/** Returns a client address that no other test uses. */
const elsewhere = () => `198.51.${100 + Math.floor((places += 1) / 250)}.${1 + (places % 250)}`;
type From = { from?: string; cookie?: string; token?: string };
const post = (path: string, body: unknown, { from, cookie, token }: From = {}) =>
  chancery.call('POST', path.startsWith('/api') ? path : `${authPath}${path}`, {
    body,
    ...(token === undefined ? {} : { token }),
    headers: { ...(from === undefined ? {} : { 'x-forwarded-for': from }), ...(cookie === undefined ? {} : { cookie }) },
  });
const wrong = 'WrongHorse9Battery';
const atOnce = <T>(count: number, work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, n) => work(n)));
/** The number of checked attempts. The others were rejected with 429 before the check. */
const looked = (answers: TestResponse[]) => answers.filter(({ status }) => status !== 429).length;
const sixDigits = (n: number) => String(n).padStart(6, '0');
/** Generates codes for fifty attempts. The correct one is at position `place`. */
const codesWith = (right: string, place: number) => (n: number) => (n === place ? right : sixDigits(n + (n === Number(right) ? 100 : 0)));

/**
 * Sends fifty concurrent wrong guesses with one remaining attempt: one is checked. Then sends the correct one, which is rejected too.
 * The stored row has eleven failures and an expired block. The next block lasts longer than any of these tests.
 */
async function raced(guess: (password: string) => Promise<TestResponse>): Promise<void> {
  await chancery.pool.query('DELETE FROM throttle');
  await guess(wrong);
  await chancery.pool.query("UPDATE throttle SET hits = 11 WHERE expires_at < now() + interval '16 minutes'");
  const answers = await atOnce(50, (n) => guess(`${wrong}${n}`));
  assert.equal(looked(answers), 1, answers.map(({ status }) => status).join(' '));
  assert.equal((await guess(goodPassword)).status, 429);
}

test('only the remaining attempts of fifty concurrent passwords are checked, and a later correct one gets the same response', async () => {
  const { email } = await registered(chancery);
  const from = elsewhere();
  await raced((password) => post('/login', { email, password }, { from }));
  assert.equal(
    (await post('/login', { email, password: goodPassword }, { from: elsewhere() })).status,
    200,
    'other addresses are not delayed',
  );
});

/** Finds connections that wait for this connection, because other tests use the same server. */
const waitsForUs = 'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))';

test('a correct password waits while a wrong one is counted, and is then rejected', async () => {
  const { email, token } = await registered(chancery);
  const staff = await post(
    `${staffPath}/login`,
    { email: firstStaff.STAFF_BOOTSTRAP_EMAIL, password: goodPassword },
    { from: elsewhere() },
  );
  const doors: ((password: string, from: string) => Promise<TestResponse>)[] = [
    (given, from) => post('/login', { email, password: given }, { from }),
    (given, from) => post('/reauthenticate', { password: given }, { token, from }),
    (given, from) => post(`${staffPath}/login`, { email: firstStaff.STAFF_BOOTSTRAP_EMAIL, password: given }, { from }),
    (given, from) => post(`${staffPath}/reauthenticate`, { password: given }, { token: staff.body.accessToken, from }),
  ];
  for (const [door, guess] of doors.entries()) {
    const from = elsewhere();
    await chancery.pool.query('DELETE FROM throttle');
    await guess(wrong, from);
    await chancery.pool.query("UPDATE throttle SET hits = 11 WHERE expires_at < now() + interval '16 minutes'");
    const slow = await chancery.pool.connect();
    try {
      await slow.query('BEGIN; SELECT FROM throttle FOR UPDATE');
      const early = guess(wrong, from);
      await eventually('a count waits', async () => (await slow.query(waitsForUs)).rowCount);
      const late = guess(goodPassword, from);
      await Promise.race([late, sleep(500)]);
      await slow.query('COMMIT');
      assert.deepEqual([(await early).status === 429, (await late).status], [false, 429], `door ${door}`);
    } finally {
      slow.release();
    }
  }
});

test('fifty concurrent passwords do not disclose the correct one of an unconfirmed, disabled or staff account', async () => {
  const unconfirmed = (await pending()).email;
  const disabled = (await registered(chancery)).email;
  await chancery.pool.query("UPDATE account SET status = 'disabled' WHERE email_key = $1", [disabled]);
  for (const email of [unconfirmed, disabled]) {
    const from = elsewhere();
    await raced((password) => post('/login', { email, password }, { from }));
  }
  const from = elsewhere();
  await chancery.pool.query('UPDATE staff SET is_active = false');
  await raced((password) => post(`${staffPath}/login`, { email: firstStaff.STAFF_BOOTSTRAP_EMAIL, password }, { from }));
  await chancery.pool.query('UPDATE staff SET is_active = true');
});

test('fifty concurrent passwords for an unknown address get the same responses', async () => {
  const from = elsewhere();
  const answers = await atOnce(50, (n) => post('/login', { email: 'nobody.at.all@example.org', password: `${wrong}${n}` }, { from }));
  assert.ok(looked(answers) <= 10, `${looked(answers)} were checked`);
});

test('guesses from all addresses are limited to a hundred an hour, and the owner can still sign in on a known device', async () => {
  const { email, refreshToken, team, token } = await registered(chancery);
  const guess = (n: number) => post('/login', { email, password: `${wrong}${n}` }, { from: elsewhere() });
  await chancery.pool.query('DELETE FROM throttle');
  await guess(0);
  // Simulate earlier guesses.
  const { rowCount } = await chancery.pool.query("UPDATE throttle SET hits = 96 WHERE expires_at > now() + interval '50 minutes'");
  assert.equal(rowCount, 1);
  const answers = await atOnce(16, guess);
  assert.ok(looked(answers) <= 4, `${looked(answers)} were checked`);
  assert.equal(
    (await post('/login', { email, password: goodPassword }, { from: elsewhere() })).status,
    429,
    'an unknown device with the correct password',
  );
  const known = await post('/login', { email, password: goodPassword }, { from: elsewhere(), cookie: `refresh_token=${refreshToken}` });
  assert.equal(known.status, 200, 'a known device');
  const forged = `${refreshToken.slice(0, -3)}abc`;
  assert.equal(
    (await post('/login', { email, password: goodPassword }, { from: elsewhere(), cookie: `refresh_token=${forged}` })).status,
    429,
    'a forged device cookie',
  );
  const theirs = (await registered(chancery)).refreshToken;
  assert.equal(
    (await post('/login', { email, password: goodPassword }, { from: elsewhere(), cookie: `refresh_token=${theirs}` })).status,
    429,
    'the device of another user',
  );
  const colleague = await chancery.user(team, { role: 'member' });
  await chancery.pool.query('UPDATE person SET password_hash = (SELECT password_hash FROM person WHERE email_key = $2) WHERE id = $1', [
    colleague.id,
    email,
  ]);
  const next = await post('/login', { email: colleague.email, password: goodPassword }, { from: elsewhere() });
  assert.equal(
    (
      await post(
        '/login',
        { email, password: goodPassword },
        { from: elsewhere(), cookie: `refresh_token=${cookieOf(next, 'refresh_token')}` },
      )
    ).status,
    429,
    'the device of a colleague',
  );
  const out = await post('/logout', {}, { token });
  assert.equal(out.status, 200);
  assert.equal(
    (await post('/login', { email, password: goodPassword }, { from: elsewhere(), cookie: `refresh_token=${refreshToken}` })).status,
    429,
    'after a sign-out the device cookie is invalid, because another person can have it',
  );
});

test('one client address that tries a password for many accounts is blocked after two hundred', async () => {
  const from = elsewhere();
  const spray = (n: number) => post('/login', { email: `sprayed${n}@example.org`, password: wrong }, { from });
  await chancery.pool.query('DELETE FROM throttle');
  const first = await spray(0);
  assert.equal(first.status, 401);
  // Simulate earlier guesses.
  await chancery.pool.query('UPDATE throttle SET hits = 199 WHERE hits = 1 AND expires_at < now() + interval $$11 minutes$$');
  const answers = await atOnce(40, (n) => spray(n + 1));
  assert.ok(looked(answers) <= 2, `${looked(answers)} were checked`);
});

test('X-Forwarded-For from an untrusted address gives no further attempts', async () => {
  const node = await chancery.node('api', { TRUSTED_PROXIES: '' });
  const { email } = await registered(chancery);
  const statuses = [];
  for (let n = 0; n < 7; n += 1) {
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': elsewhere(),
      forwarded: `for=${elsewhere()}`,
      'x-real-ip': elsewhere(),
    };
    const answer = await fetch(`${node.address}${authPath}/login`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ email, password: wrong }),
    });
    statuses.push(answer.status);
  }
  assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
  await node.stop();
});

test('only the remaining attempts of fifty concurrent password guesses with a stolen access token are checked', async () => {
  const from = elsewhere();
  const stolen = await registered(chancery);
  await raced((password) => post('/reauthenticate', { password }, { token: stolen.token, from }));
  const change = await chancery.call('PUT', `${authPath}/change-password`, {
    token: stolen.token,
    headers: { 'x-forwarded-for': from },
    body: { currentPassword: goodPassword, newPassword: `${goodPassword}!` },
  });
  assert.equal(change.status, 429, 'a password change uses the same limit');
  assert.equal(
    (await post('/login', { email: stolen.email, password: goodPassword }, { from })).status,
    429,
    'a sign-in uses the same limit',
  );
});

test('only the remaining attempts of fifty concurrent staff sign-ins are checked', async () => {
  const from = elsewhere();
  await raced((password) => post(`${staffPath}/login`, { email: firstStaff.STAFF_BOOTSTRAP_EMAIL, password }, { from }));
});

test('only the remaining attempts of fifty concurrent guesses with a stolen staff token are checked', async () => {
  await chancery.pool.query('DELETE FROM throttle');
  const from = elsewhere();
  const { body } = await post(`${staffPath}/login`, { email: firstStaff.STAFF_BOOTSTRAP_EMAIL, password: goodPassword }, { from });
  await raced((password) => post(`${staffPath}/reauthenticate`, { password }, { token: body.accessToken, from }));
});

async function pending(): Promise<{ email: string; code: string; cookie: string }> {
  const email = `pending${(places += 1)}@example.org`;
  const answer = await post('/register', { email, firstName: 'Ada', lastName: 'Lovelace', password: goodPassword }, { from: elsewhere() });
  const code = /\d{6}/.exec((await mailsTo(chancery, email))[0]?.subject ?? '')?.[0] ?? '';
  return { email, code, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

test('only five of fifty concurrent email codes are checked, and a later correct one is rejected', async () => {
  const { email, code } = await pending();
  await post('/verify-email', { email, code: 'wrong' }, { from: elsewhere() });
  // Disable the limit of the address, which is not the subject of this test.
  await chancery.pool.query('UPDATE throttle SET hits = -100');
  const given = codesWith(code, 49);
  const answers = await atOnce(50, (n) => post('/verify-email', { email, code: given(n) }, { from: elsewhere() }));
  assert.deepEqual(answers.filter(({ status }) => status === 200).length, 0);
  const { rows } = await chancery.pool.query('SELECT tries FROM registration WHERE email_key = $1', [email]);
  assert.equal(rows.length, 1, 'no sign-in succeeded');
});

test('many registrations of an address create no valid codes beyond the mailed ones', async () => {
  const { email } = await pending();
  for (let n = 0; n < 11; n += 1)
    await post('/register', { email, firstName: 'Mal', lastName: 'Lory', password: wrong }, { from: elsewhere() });
  const { rows } = await chancery.pool.query(
    'SELECT count(code_hmac)::int AS codes, count(*)::int AS attempts FROM registration WHERE email_key = $1',
    [email],
  );
  assert.deepEqual(rows[0], { codes: (await mailsTo(chancery, email)).length, attempts: 12 });
});

test('a guess is compared only with the five newest codes, so that more codes do not make guessing easier', async () => {
  const { email, code } = await pending();
  for (let n = 0; n < 5; n += 1)
    await post('/register', { email, firstName: 'Mal', lastName: 'Lory', password: wrong }, { from: elsewhere() });
  assert.equal((await post('/verify-email', { email, code }, { from: elsewhere() })).body.code, 'invalid_or_expired_code');
});

test('guesses from other devices use up the attempts of an address, but not those of the device that registered', async () => {
  const { email, cookie } = await pending();
  for (let n = 0; n < 25; n += 1) await post('/verify-email', { email, code: sixDigits(n) }, { from: elsewhere() });
  assert.equal((await post('/verify-email', { email, code: '999999' }, { from: elsewhere() })).status, 429);
  await post('/resend-verification', { email }, { from: elsewhere() });
  const code = /\d{6}/.exec((await mailsTo(chancery, email))[0]?.subject ?? '')?.[0];
  const foreign = (await pending()).cookie;
  assert.equal(
    (await post('/verify-email', { email, code }, { from: elsewhere(), cookie: foreign })).status,
    429,
    'a device of another address',
  );
  const own = await post('/verify-email', { email, code }, { from: elsewhere(), cookie });
  assert.equal(own.status, 200, own.text);
});

test('only five of fifty concurrent authenticator codes for one challenge are checked, and a later correct one is rejected', async () => {
  const person = await enrolled(chancery);
  const challengeId = await challengeOf(chancery, person.email);
  const given = codesWith(person.code(), 49);
  const answers = await atOnce(50, (n) => post('/verify-totp', { challengeId, code: given(n) }, { from: elsewhere() }));
  assert.equal(answers.filter(({ body }) => body.code === 'invalid_code').length, 5);
  assert.equal(answers.filter(({ status }) => status === 200).length, 0);
});

test('only five of fifty concurrent backup codes are checked, and the real backup codes stay valid', async () => {
  const person = await enrolled(chancery);
  const challengeId = await challengeOf(chancery, person.email);
  const [right = ''] = person.backupCodes;
  const others = Array.from('23456789').filter((digit) => digit !== right[0]);
  const like = (n: number) => `${others[n % others.length]}${right.slice(1)}`;
  const answers = await atOnce(50, (n) => post('/verify-totp', { challengeId, code: n === 49 ? right : like(n) }, { from: elsewhere() }));
  assert.equal(answers.filter(({ status }) => status === 200).length, 0);
  assert.equal(answers.filter(({ body }) => body.code === 'invalid_code').length, 5);
  const again = await challengeOf(chancery, person.email);
  assert.equal((await post('/verify-totp', { challengeId: again, code: right })).status, 200);
});

test('fifty made-up challenges are rejected and use up no attempts', async () => {
  const person = await enrolled(chancery);
  const challengeId = await challengeOf(chancery, person.email);
  const code = person.code();
  const near = (n: number) => `${challengeId.slice(0, -2)}${n}`;
  for (const made of ['', 'x', challengeId.slice(0, -1), challengeId.toUpperCase(), ...Array.from({ length: 46 }, (_, n) => near(n + 10))])
    if (made !== challengeId) assert.equal((await post('/verify-totp', { challengeId: made, code })).body.code, 'invalid_challenge', made);
  assert.equal((await post('/verify-totp', { challengeId, code })).status, 200);
});

test('only five of fifty concurrent codes for a set-up are checked', async () => {
  const { token } = await registered(chancery);
  const { body } = await chancery.call('POST', `${authPath}/2fa/enable-init`, { token });
  const given = codesWith(totpAt(secretOf(body.totpUri), totpStep(new Date())), 45);
  const answers = await atOnce(50, (n) => post('/2fa/enable-confirm', { code: given(n), setupId: body.setupId }, { token }));
  assert.equal(answers.filter(({ body: problem }) => problem.code === 'invalid_code').length, 5);
  assert.equal(answers.filter(({ status }) => status === 200).length, 0);
});

test('only five of fifty concurrent codes for a change of address are checked', async () => {
  const { token } = await registered(chancery);
  const email = `moved${(places += 1)}@example.org`;
  await chancery.call('PUT', `${authPath}/profile`, { token, body: { email } });
  const given = codesWith(/\d{6}/.exec((await mailsTo(chancery, email))[0]?.subject ?? '')?.[0] ?? '', 45);
  const answers = await atOnce(50, (n) => post('/profile/confirm-email', { code: given(n) }, { token }));
  assert.equal(answers.filter(({ status }) => status === 200).length, 0);
});
