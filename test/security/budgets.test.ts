import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { withStaffAdministration } from '../../src/commands/tools/staff.ts';
import { type TestResponse, type Chancery, startChancery } from '../harness.ts';
import { authPath, challengeOf, cookieOf, enrolled, goodPassword, mailsTo, registered, secretOf } from '../people.ts';
import { totpAt, totpStep } from '../../src/platform/crypto/totp.ts';
import { firstStaff, staffPath } from '../staff.ts';

let chancery: Chancery;
before(async () => {
  chancery = await startChancery({ role: 'api', settings: { ALTCHA: 'off', TRUSTED_PROXIES: '127.0.0.1', ...firstStaff } });
});
after(() => chancery.stop());

let places = 0;
/** Returns a client address that no other test uses. */
const elsewhere = () => `203.0.${100 + Math.floor((places += 1) / 250)}.${1 + (places % 250)}`;
type From = { from?: string; cookie?: string; token?: string };
const send = (method: string, path: string, body: unknown, { from, cookie, token }: From = {}) =>
  chancery.call(method, path.startsWith('/api') ? path : `${authPath}${path}`, {
    body,
    ...(token === undefined ? {} : { token }),
    headers: { ...(from === undefined ? {} : { 'x-forwarded-for': from }), ...(cookie === undefined ? {} : { cookie }) },
  });
const post = (path: string, body: unknown, from?: From) => send('POST', path, body, from);
const wrong = 'WrongHorse9Battery';
const forgetFailures = () => chancery.pool.query('DELETE FROM throttle');
const subjects = async (email: string, like: RegExp) => (await mailsTo(chancery, email)).filter(({ subject }) => like.test(subject)).length;
const guessing = /Attempts to guess/;
/** The number of checked attempts. The others were rejected with 429 before the check. */
const looked = (answers: TestResponse[]) => answers.filter(({ status }) => status !== 429).length;
/** Sets counters of an hour or longer to `hits`, so that only a few attempts of the hour remain. */
const asIfTried = (hits: number) =>
  chancery.pool.query("UPDATE throttle SET hits = $1 WHERE hits < $1 AND expires_at > now() + interval '50 minutes'", [hits]);
const sixDigits = (n: number) => String(n).padStart(6, '0');

// Codes of a change of address.

const codeFor = async (email: string) => /\d{6}/.exec((await mailsTo(chancery, email))[0]?.subject ?? '')?.[0] ?? '';

test('an account has twenty guesses a day for codes of an address change, for any number of requests', async () => {
  const { token } = await registered(chancery);
  let tried = 0;
  for (let round = 0; round < 6; round += 1) {
    const email = `victim.${round}@example.org`;
    assert.equal((await send('PUT', '/profile', { email }, { token })).status, 200);
    for (let n = 0; n < 5; n += 1) {
      const answer = await post('/profile/confirm-email', { code: sixDigits(n) }, { token });
      if (answer.status === 400) tried += 1;
      else assert.deepEqual([answer.status, Number(answer.headers.get('retry-after')) > 3_600], [429, true]);
    }
  }
  assert.equal(tried, 20);
  const email = `own.${Date.now()}@example.org`;
  await send('PUT', '/profile', { email }, { token });
  assert.equal((await post('/profile/confirm-email', { code: await codeFor(email) }, { token })).status, 429, 'also for the correct code');
});

test('an address has fifty guesses a day for codes of a change, for any number of accounts', async () => {
  const email = `wanted.${Date.now()}@example.org`;
  const [one, other] = [await registered(chancery), await registered(chancery)];
  await send('PUT', '/profile', { email }, { token: one.token });
  await post('/profile/confirm-email', { code: 'x' }, { token: one.token });
  // Simulate guesses of other accounts, each below its own limit of twenty.
  await chancery.pool.query(
    "UPDATE throttle SET hits = 50, blocked_until = expires_at WHERE hits = 1 AND expires_at > now() + interval '23 hours' AND key IN (SELECT key FROM throttle ORDER BY since DESC LIMIT 2)",
  );
  await chancery.pool.query('DELETE FROM email_change');
  await send('PUT', '/profile', { email }, { token: other.token });
  assert.equal((await post('/profile/confirm-email', { code: await codeFor(email) }, { token: other.token })).status, 429);
  await forgetFailures();
});

test('a code that was not mailed does not confirm a change of address', async () => {
  const { token } = await registered(chancery);
  const email = `unmailed.${Date.now()}@example.org`;
  for (let n = 0; n < 6; n += 1) await send('PUT', '/profile', { email }, { token });
  assert.equal((await mailsTo(chancery, email)).length, 5);
  const taken = (await registered(chancery)).email;
  const own = await registered(chancery);
  await send('PUT', '/profile', { email: taken }, { token: own.token });
  const { rows } = await chancery.pool.query('SELECT code_hmac FROM email_change WHERE email = ANY ($1)', [[email, taken]]);
  assert.deepEqual(rows, [{ code_hmac: null }, { code_hmac: null }]);
  assert.equal((await post('/profile/confirm-email', { code: '' }, { token })).status, 400);
});

// Passwords.

const cookieOfSession = (refreshToken: string) => `refresh_token=${refreshToken}`;

test('guesses from a known device are limited to a hundred an hour too, and the owner gets one mail', async () => {
  const { email, refreshToken } = await registered(chancery);
  const cookie = cookieOfSession(refreshToken);
  const guess = (n: number) => post('/login', { email, password: `${wrong}${n}` }, { from: elsewhere(), cookie });
  await forgetFailures();
  await guess(0);
  await asIfTried(97);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => guess(n + 1)));
  assert.equal(looked(answers), 3);
  assert.equal(await subjects(email, guessing), 1);
  assert.equal(
    (await post('/login', { email, password: goodPassword }, { from: elsewhere() })).status,
    200,
    'other devices are counted separately',
  );
  await forgetFailures();
});

test('a user who is blocked by guesses of others resets the password and signs in with it on that browser', async () => {
  const { email, token } = await registered(chancery);
  await post('/logout', {}, { token });
  await forgetFailures();
  const from = elsewhere();
  await post('/login', { email, password: wrong }, { from: elsewhere() });
  const shutOut = () => asIfTried(99).then(() => post('/login', { email, password: wrong }, { from: elsewhere() }));
  await shutOut();
  assert.equal((await post('/login', { email, password: goodPassword }, { from })).status, 429);
  await post('/request-password-reset', { email }, { from });
  const link = /token=([\w-]+)/.exec((await mailsTo(chancery, email))[0]?.text ?? '')?.[1];
  const reset = await post('/reset-password', { token: link, password: `${goodPassword}2` }, { from });
  assert.equal(reset.status, 200, reset.text);
  await post('/login', { email, password: wrong }, { from: elsewhere() });
  await shutOut();
  assert.equal((await post('/login', { email, password: `${goodPassword}2` }, { from })).status, 429, 'without the cookie of the reset');
  const cookie = `device_pass=${cookieOf(reset, 'device_pass')}`;
  assert.equal((await post('/login', { email, password: `${goodPassword}2` }, { from, cookie })).status, 200);
  const other = await registered(chancery);
  await post('/login', { email: other.email, password: wrong }, { from: elsewhere() });
  await asIfTried(99);
  await post('/login', { email: other.email, password: wrong }, { from: elsewhere() });
  assert.equal(
    (await post('/login', { email: other.email, password: goodPassword }, { from, cookie })).status,
    429,
    'the cookie of the reset is valid for one person only',
  );
  await forgetFailures();
});

test('password guesses with a stolen access token are limited to twenty an hour from all sources, and the user gets a mail', async () => {
  const { email, token } = await registered(chancery);
  await forgetFailures();
  const doors = [
    (password: string) => post('/reauthenticate', { password }, { token, from: elsewhere() }),
    (password: string) =>
      send('PUT', '/change-password', { currentPassword: password, newPassword: `${goodPassword}3` }, { token, from: elsewhere() }),
  ];
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => doors[n % 2]?.(`${wrong}${n}`) as Promise<TestResponse>));
  assert.equal(looked(answers), 20);
  assert.equal(await subjects(email, guessing), 1);
  for (const door of doors) assert.equal((await door(goodPassword)).status, 429);
  const renewed = await post('/login', { email, password: goodPassword }, { from: elsewhere() });
  assert.equal(renewed.status, 200, 'a new sign-in is not limited');
  assert.equal((await post('/2fa/enable-init', undefined, { token: renewed.body.accessToken })).status, 200);
});

// Staff.

const byOperator = <T>(work: Parameters<typeof withStaffAdministration<T>>[2]) =>
  withStaffAdministration(chancery.config, pino({ level: 'silent' }), work);

test('after a hundred wrong guesses of others, a staff member can still sign in on a known browser', async () => {
  const email = firstStaff.STAFF_BOOTSTRAP_EMAIL;
  const login = (password: string, from: From = {}) => post(`${staffPath}/login`, { email, password }, { from: elsewhere(), ...from });
  await forgetFailures();
  const first = await login(goodPassword);
  const cookie = `staff_device=${cookieOf(first, 'staff_device')}`;
  assert.equal((await post(`${staffPath}/logout`, undefined, { token: first.body.accessToken })).status, 200);
  await login(wrong);
  await asIfTried(99);
  assert.deepEqual([(await login(wrong)).status, (await login(wrong)).status], [401, 429]);
  assert.equal(await subjects(email, guessing), 1);
  assert.equal((await login(goodPassword)).status, 429, 'from elsewhere');
  assert.equal((await login(goodPassword, { cookie: `${cookie.slice(0, -4)}AAAA` })).status, 429, 'with a forged device cookie');
  assert.equal((await login(goodPassword, { cookie })).status, 200, 'on the known browser');
  await login(wrong, { cookie });
  await asIfTried(99);
  assert.deepEqual(
    [(await login(wrong, { cookie })).status, (await login(goodPassword, { cookie })).status],
    [401, 429],
    'the known browser has a limit too',
  );
  const link = /token=([\w-]+)/.exec((await byOperator((administration) => administration.passwordLink(email))) ?? '')?.[1];
  const set = await post(`${staffPath}/set-password`, { token: link, password: goodPassword });
  assert.equal((await login(goodPassword, { cookie })).status, 429, 'a device cookie ends with its password');
  await forgetFailures();
  await login(wrong);
  await asIfTried(99);
  await login(wrong);
  assert.equal(
    (await login(goodPassword, { cookie: `staff_device=${cookieOf(set, 'staff_device')}` })).status,
    200,
    'setting a password by link creates a device cookie',
  );
  await forgetFailures();
});

test('password guesses with a stolen staff token are limited to twenty an hour from all sources, and the staff member gets a mail', async () => {
  const email = firstStaff.STAFF_BOOTSTRAP_EMAIL;
  await forgetFailures();
  const subjectsSent = await subjects(email, guessing);
  const { body } = await post(`${staffPath}/login`, { email, password: goodPassword }, { from: elsewhere() });
  const guess = (password: string) => post(`${staffPath}/reauthenticate`, { password }, { token: body.accessToken, from: elsewhere() });
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => guess(`${wrong}${n}`)));
  assert.equal(looked(answers), 20);
  assert.equal((await guess(goodPassword)).status, 429);
  assert.equal(await subjects(email, guessing), subjectsSent + 1);
  await forgetFailures();
});

// Codes of the second factor.

/** Resets the limits of 15 minutes, but not the count of consecutive wrong codes. */
const anotherQuarter = () => chancery.pool.query("DELETE FROM throttle WHERE expires_at < now() + interval '1 day'");
const wrongCode = (right: string) => (right === '000000' ? '111111' : '000000');

for (const where of ['sign-in', 'proof', 'switching off'] as const)
  test(`a hundred consecutive wrong codes lock the app, with mails to the owner at ten and at a hundred: ${where}`, async () => {
    const person = await enrolled(chancery);
    await forgetFailures();
    const guess = async (code: string) =>
      where === 'sign-in'
        ? post('/verify-totp', { challengeId: await challengeOf(chancery, person.email), code })
        : post(where === 'proof' ? '/reauthenticate' : '/2fa/disable', { code }, { token: person.token });
    for (let n = 0; n < 10; n += 1) assert.equal((await guess(wrongCode(person.code()))).body.code, 'invalid_code');
    assert.equal(await subjects(person.email, guessing), 1);
    assert.equal((await guess(person.code())).status, 429);
    await anotherQuarter();
    await chancery.pool.query("UPDATE throttle SET hits = 98 WHERE hits = 10 AND expires_at > now() + interval '300 days'");
    for (let n = 0; n < 2; n += 1) assert.equal((await guess(wrongCode(person.code()))).body.code, 'invalid_code');
    await anotherQuarter();
    for (const code of [wrongCode(person.code()), person.code()]) {
      const answer = await guess(code);
      assert.deepEqual([answer.status, answer.body.code], [403, 'second_factor_locked']);
    }
    assert.equal(await subjects(person.email, guessing), 2);
    assert.equal((await guess(person.backupCodes[0] ?? '')).status, 200, 'a backup code still works');
    if (where !== 'proof') return;
    assert.equal((await guess(person.code())).status, 200, 'a success resets the count');
  });

test('staff unlock a user with locked codes; an operator resets the factor of a staff member', async () => {
  const person = await enrolled(chancery);
  await forgetFailures();
  const stop = async (guess: () => Promise<TestResponse>) => {
    await guess();
    await chancery.pool.query("UPDATE throttle SET hits = 99 WHERE expires_at > now() + interval '300 days'");
    await guess();
    await anotherQuarter();
  };
  const guess = (code: string) => post('/reauthenticate', { code }, { token: person.token });
  await stop(() => guess(wrongCode(person.code())));
  assert.equal((await guess(person.code())).body.code, 'second_factor_locked');
  const email = 'stopped@example.org';
  await byOperator((administration) => administration.create({ email, name: 'Grace Hopper', password: goodPassword }));
  const staff = (await post(`${staffPath}/login`, { email, password: goodPassword })).body.accessToken;
  const unlocked = await post(`/api/v1/staff/users/${person.id}/unlock`, { reason: 'proved who they are' }, { token: staff });
  assert.equal(unlocked.status, 200, unlocked.text);
  assert.equal((await guess(person.code())).status, 200);

  const setUp = async () => {
    const { body } = await post(`${staffPath}/totp/setup-init`, undefined, { token: staff });
    const code = () => totpAt(secretOf(body.totpUri), totpStep(new Date()));
    assert.equal((await post(`${staffPath}/totp/setup-confirm`, { code: code(), setupId: body.setupId }, { token: staff })).status, 200);
    return code;
  };
  const code = await setUp();
  const prove = (given: string) => post(`${staffPath}/reauthenticate`, { code: given }, { token: staff });
  for (let n = 0; n < 10; n += 1) await prove(wrongCode(code()));
  assert.equal(await subjects(email, guessing), 1);
  await anotherQuarter();
  await stop(() => prove(wrongCode(code())));
  assert.equal((await prove(code())).body.code, 'second_factor_locked');
  assert.equal(await subjects(email, guessing), 2);
  assert.equal(await byOperator((administration) => administration.resetTotp(email)), true);
  const { rows } = await chancery.pool.query("SELECT FROM throttle WHERE expires_at > now() + interval '300 days'");
  assert.equal(rows.length, 0, 'a new factor starts without a count');
});

// Mails.

test('registrations of an address by others do not use up its mails for resets and new codes', async () => {
  const { email } = await registered(chancery);
  const from = elsewhere();
  for (let n = 0; n < 8; n += 1) await post('/register', { email, firstName: 'Mal', lastName: 'Lory', password: wrong }, { from });
  const had = await subjects(email, /Set a new password/);
  await post('/request-password-reset', { email }, { from });
  assert.equal(await subjects(email, /Set a new password/), had + 1);
});

test('the owner of an address gets a requested mail after any number of requests of others', async () => {
  const { email, refreshToken } = await registered(chancery);
  const resets = () => subjects(email, /Set a new password/);
  const ask = (from: string, cookie?: string) => post('/request-password-reset', { email }, { from, ...(cookie ? { cookie } : {}) });
  const strangers = Array.from({ length: 4 }, elsewhere);
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(strangers.map((from) => ask(from)));
    // Simulate minutes between the requests, and an hour after every fifth.
    await chancery.pool.query("DELETE FROM throttle WHERE expires_at < now() + interval '2 hours'");
  }
  assert.equal(await resets(), 20, 'all unknown sources share the limit of a day');
  await ask(strangers[0] ?? '');
  assert.equal(await resets(), 20);
  await ask(elsewhere());
  assert.equal(await resets(), 21, 'the first request of another source is sent');
  await chancery.pool.query("UPDATE throttle SET hits = 60 WHERE hits > 20 AND expires_at > now() + interval '2 hours'");
  await ask(elsewhere());
  assert.equal(await resets(), 21, 'another source is limited too');
  await ask(strangers[0] ?? '', cookieOfSession(refreshToken));
  assert.equal(await resets(), 22, 'a known device of the owner has a separate limit');
  const { refreshToken: theirs } = await registered(chancery);
  await ask(strangers[0] ?? '', cookieOfSession(theirs));
  assert.equal(await resets(), 22, 'no other device can use this limit');
});

test('the device that registered gets a new code after any number of requests of others', async () => {
  const email = `asked.${Date.now()}@example.org`;
  const from = elsewhere();
  const begun = await post('/register', { email, firstName: 'Ada', lastName: 'Lovelace', password: goodPassword }, { from });
  const cookie = `pending_registration=${cookieOf(begun, 'pending_registration')}`;
  const sent = async () => (await mailsTo(chancery, email)).length;
  await post('/resend-verification', { email }, { from });
  assert.equal(await sent(), 2);
  await post('/resend-verification', { email }, { from });
  assert.equal(await sent(), 2, 'one a minute for one source');
  await post('/resend-verification', { email }, { from, cookie });
  assert.equal(await sent(), 3);
});

// Time.

test('the response to a wrong password takes at least 50 ms, for users and staff', async () => {
  const known = (await registered(chancery)).email;
  for (const [path, email] of [
    ['/login', known],
    [`${staffPath}/login`, firstStaff.STAFF_BOOTSTRAP_EMAIL],
  ] as const)
    for (const recipient of [email, 'nobody.here@example.org'])
      for (let n = 0; n < 3; n += 1) {
        await forgetFailures();
        const started = performance.now();
        assert.equal((await post(path, { email: recipient, password: wrong })).status, 401);
        // A timer can fire 1 ms early.
        assert.ok(performance.now() - started >= 49, `${path} ${recipient}`);
      }
});
