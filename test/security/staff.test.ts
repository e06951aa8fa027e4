import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { pino } from 'pino';
import { totpAt, totpStep } from '../../src/platform/crypto/totp.ts';
import { withStaffAdministration } from '../../src/commands/tools/staff.ts';
import { type TestResponse, type Chancery, sharedChancery } from '../harness.ts';
import { cookieOf, goodPassword, secretOf, withPreviousCode } from '../people.ts';
import { staffPath } from '../staff.ts';

let chancery: Chancery;
before(async () => {
  chancery = await sharedChancery();
});

const post = (path: string, body?: unknown, token?: string): Promise<TestResponse> =>
  chancery.call('POST', `${staffPath}${path}`, { ...(body === undefined ? {} : { body }), ...(token === undefined ? {} : { token }) });
const byOperator = <T>(work: Parameters<typeof withStaffAdministration<T>>[2]) =>
  withStaffAdministration(chancery.config, pino({ level: 'silent' }), work);
const atOnce = <T>(count: number, work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, n) => work(n)));
const passed = (answers: TestResponse[]) => answers.filter(({ status }) => status === 200).length;
const countOfCode = (answers: TestResponse[], code: string) => answers.filter(({ body }) => body.code === code).length;

let people = 0;
async function member() {
  const email = `staff${(people += 1)}@example.org`;
  await byOperator((administration) => administration.create({ email, name: 'Grace Hopper', password: goodPassword }));
  await chancery.pool.query('DELETE FROM throttle');
  const signed = await post('/login', { email, password: goodPassword });
  assert.equal(signed.status, 200, signed.text);
  const { accessToken: token, staff } = signed.body;
  return { email, id: staff.id as string, token: token as string, refreshToken: cookieOf(signed, 'staff_refresh_token') };
}
async function setUp(token: string) {
  const { body } = await post('/totp/setup-init', undefined, token);
  const secret = secretOf(body.totpUri);
  const code = (step = 0) => totpAt(secret, totpStep(new Date()) + step);
  return { setupId: body.setupId as string, backupCodes: body.backupCodes as string[], code };
}
async function enrolled() {
  const person = await member();
  const { setupId, ...factor } = await setUp(person.token);
  const confirm = (code: string) => post('/totp/setup-confirm', { code, setupId }, person.token);
  assert.equal((await withPreviousCode(factor.code, confirm)).status, 200);
  const challenge = async () => (await post('/login', { email: person.email, password: goodPassword })).body.challengeId as string;
  return { ...person, ...factor, challenge };
}
/** Returns six-digit codes that differ from the current codes of the app. */
const wrongCodes = (code: (step?: number) => string) => {
  const near = [-2, -1, 0, 1, 2].map(code);
  return (n: number) => (near.includes(String(n).padStart(6, '0')) ? '999999' : String(n).padStart(6, '0'));
};

test('a staff set-up can be confirmed once, only by its owner, and only the newest one', async () => {
  const [person, other] = [await member(), await member()];
  const older = await setUp(person.token);
  const newer = await setUp(person.token);
  const confirm = ({ setupId, code }: typeof older, token = person.token) => post('/totp/setup-confirm', { code: code(), setupId }, token);
  assert.equal((await confirm(older)).body.code, 'invalid_setup');
  assert.equal((await confirm(newer, other.token)).body.code, 'invalid_setup');
  assert.equal(passed(await atOnce(20, () => confirm(newer))), 1);
  assert.equal((await confirm(newer)).body.code, 'invalid_setup');
});

test('only five of fifty concurrent codes for a staff set-up are checked, and a later correct one is rejected', async () => {
  const { token } = await member();
  const { setupId, code } = await setUp(token);
  const wrong = wrongCodes(code);
  const answers = await atOnce(50, (n) => post('/totp/setup-confirm', { code: n === 45 ? code() : wrong(n), setupId }, token));
  assert.deepEqual([countOfCode(answers, 'invalid_code'), passed(answers)], [5, 0]);
  assert.equal((await post('/totp/setup-confirm', { code: code(), setupId }, token)).body.code, 'invalid_setup');
});

test('only five of fifty concurrent codes for a staff challenge are checked; ten wrong codes across challenges lock the factor', async () => {
  const person = await enrolled();
  const wrong = wrongCodes(person.code);
  for (const last of [45, 49]) {
    const challengeId = await person.challenge();
    const answers = await atOnce(50, (n) => post('/verify-totp', { challengeId, code: n === last ? person.code() : wrong(n) }));
    assert.deepEqual([countOfCode(answers, 'invalid_code'), passed(answers)], [5, 0]);
  }
  const locked = await post('/verify-totp', { challengeId: await person.challenge(), code: person.code() });
  assert.deepEqual([locked.status, Number(locked.headers.get('retry-after')) > 60], [429, true]);
});

test('a staff backup code works once in a race, and not for another staff member', async () => {
  const [one, other] = [await enrolled(), await enrolled()];
  const [code = ''] = one.backupCodes;
  assert.equal((await post('/verify-totp', { challengeId: await other.challenge(), code })).body.code, 'invalid_code');
  assert.equal((await post('/verify-totp', { challengeId: await other.challenge(), code: one.code() })).body.code, 'invalid_code');
  const challengeId = await one.challenge();
  const raced = await Promise.all([
    ...Array.from({ length: 3 }, () => post('/verify-totp', { challengeId, code })),
    ...Array.from({ length: 3 }, () => post('/reauthenticate', { code }, one.token)),
  ]);
  assert.equal(passed(raced), 1);
  const again = await post('/verify-totp', { challengeId: await one.challenge(), code });
  assert.equal(again.body.code, 'invalid_code');
});

test('an authenticator code of staff works once across all sessions and purposes', async () => {
  const person = await enrolled();
  const code = person.code(1);
  const signed = await post('/verify-totp', { challengeId: await person.challenge(), code });
  assert.equal(signed.status, 200, signed.text);
  for (const token of [person.token, signed.body.accessToken])
    assert.equal((await post('/reauthenticate', { code }, token)).body.code, 'invalid_code');
});

test('a staff password link works once, only the newest one, not for a disabled account, and ends earlier sessions', async () => {
  const person = await enrolled();
  const link = async () =>
    /token=([\w-]+)/.exec((await byOperator((administration) => administration.passwordLink(person.email))) ?? '')?.[1] ?? '';
  const set = (token: string, password: string) => post('/set-password', { token, password });
  const [older, newer] = [await link(), await link()];
  assert.equal((await set(older, 'AnotherGood1Horse')).body.code, 'invalid_or_expired_token');
  await byOperator((administration) => administration.setActive(person.email, false));
  assert.equal((await set(newer, 'AnotherGood1Horse')).body.code, 'invalid_or_expired_token');
  await byOperator((administration) => administration.setActive(person.email, true));
  assert.equal((await set(newer, 'AnotherGood1Horse')).body.code, 'invalid_or_expired_token', 'the ended link stays ended');
  const newest = await link();
  const challengeId = await person.challenge();
  const signed = await post('/verify-totp', { challengeId: await person.challenge(), code: person.code(1) });
  assert.equal(signed.status, 200, signed.text);
  const waiting = await person.challenge();
  const raced = await atOnce(20, (n) => set(newest, `AnotherGood${n}Horse`));
  assert.equal(raced.filter(({ status }) => status === 204).length, 1);
  assert.equal((await chancery.call('GET', `${staffPath}/profile`, { token: signed.body.accessToken })).status, 401);
  const renewed = await post('/refresh', { refreshToken: cookieOf(signed, 'staff_refresh_token') });
  assert.equal(renewed.body.error, 'invalid_refresh_token');
  for (const late of [challengeId, waiting])
    assert.equal((await post('/verify-totp', { challengeId: late, code: person.backupCodes[0] })).body.code, 'invalid_challenge');
  const won = raced.findIndex(({ status }) => status === 204);
  const next = await post('/login', { email: person.email, password: `AnotherGood${won}Horse` });
  assert.equal(next.body.twoFactorRequired, true, 'the second factor stays on');
  const expired = await link();
  await chancery.pool.query("UPDATE staff_password_link SET expires_at = now() - interval '1 second' WHERE staff_id = $1", [person.id]);
  assert.equal((await set(expired, 'YetAnotherGood1')).body.code, 'invalid_or_expired_token');
});
