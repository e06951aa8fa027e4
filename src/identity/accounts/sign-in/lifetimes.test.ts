import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { lifetimeSettings } from '../../../platform/lifetimes.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { type Chancery, startChancery, type User } from '../../../../test/harness.ts';

const auth = '/api/v1/security/auth';
const short = {
  ACCESS_TOKEN_SECONDS: '6',
  SESSION_IDLE_SECONDS: '20',
  SESSION_SECONDS: '40',
  SIGN_IN_CHALLENGE_SECONDS: '7',
  MAILED_CODE_SECONDS: '8',
  RESET_LINK_SECONDS: '9',
  INVITATION_SECONDS: '12',
};

let chancery: Chancery;
let owner: User;
before(async () => {
  chancery = await startChancery({ settings: short });
  owner = (await chancery.team()).owner;
});
after(() => chancery.stop());

/** Registers a user and returns their tokens and the mail with the code. */
async function registered(): Promise<{ access: string; cookie: string; email: string; maxAge: number }> {
  const email = `p${Math.random().toString(36).slice(2)}@example.org`;
  const body = { email, password: 'CorrectHorse9Battery', firstName: 'Ada', lastName: 'Grace' };
  const begun = await chancery.call('POST', `${auth}/register`, { body });
  assert.match(begun.body.message, /Enter it within 8 seconds\.$/);
  const mail = await newestMail(email);
  assert.match(mail, /It is valid for 8 seconds\./);
  const code = /\d{6}/.exec(mail)?.[0];
  const answer = await chancery.call('POST', `${auth}/verify-email`, { body: { email, code } });
  assert.equal(answer.status, 200, answer.text);
  const [, cookie = '', maxAge] = /refresh_token=([^;]+);.*Max-Age=(\d+)/i.exec(answer.headers.get('set-cookie') ?? '') ?? [];
  return { access: answer.body.accessToken, cookie, email, maxAge: Number(maxAge) };
}

const newestMail = async (to: string) => (await chancery.call('GET', `/dev/mail.json?to=${to}`, { unchecked: true })).body[0].text;
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const refresh = (refreshToken: string) => chancery.call('POST', `${auth}/refresh`, { body: { refreshToken } });
/** Moves a user’s sessions into the past by seconds of the database’s clock. */
const age = (email: string, column: 'last_used_at' | 'expires_at', seconds: number) =>
  chancery.pool.query(
    `UPDATE sign_in SET ${column} = ${column} - make_interval(secs => $2) WHERE person_id = (SELECT id FROM person WHERE email = $1)`,
    [email, seconds],
  );
const secondsLeft = async (table: string): Promise<number> => {
  const { rows } = await chancery.pool.query(`SELECT extract(epoch FROM max(expires_at) - now())::float8 AS seconds FROM ${table}`);
  return rows[0].seconds;
};

test('an access token expires as configured, and its refresh token gets the next one', async () => {
  const { access, cookie, maxAge } = await registered();
  const { iat, exp } = claimsOf(access);
  assert.equal(exp - iat, 6);
  assert.equal(maxAge, 20);
  const profile = (token: string) => chancery.call('GET', `${auth}/profile`, { token });
  assert.equal((await profile(access)).status, 200);
  await eventually('the access token has ended', async () => (await profile(access)).status === 401);
  const renewed = await refresh(cookie);
  assert.equal(renewed.status, 200, renewed.text);
  assert.equal((await profile(renewed.body.accessToken)).status, 200);
});

test('a client gets the lifetime of its token, and the token expires then', async () => {
  const { id, secret } = await chancery.client(owner);
  const answer = await chancery.call('POST', '/oauth/token', {
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  assert.equal(answer.body.expires_in, 6);
  const { iat, exp } = claimsOf(answer.body.access_token);
  assert.equal(exp - iat, 6);
});

test('a session without refresh ends after the idle time, and a refreshed one after its full lifetime', async () => {
  const { cookie, email } = await registered();
  // Far from both limits, because the machine may be slow between two statements.
  await age(email, 'last_used_at', 5);
  const first = await refresh(cookie);
  assert.equal(first.status, 200, first.text);
  await age(email, 'last_used_at', 21);
  assert.equal((await refresh(first.body.refreshToken)).status, 401);
  const other = await registered();
  const { rows } = await chancery.pool.query(
    'SELECT extract(epoch FROM expires_at - created_at)::int AS lasts FROM sign_in WHERE person_id = (SELECT id FROM person WHERE email = $1)',
    [other.email],
  );
  assert.deepEqual(rows, [{ lasts: 40 }]);
  await age(other.email, 'expires_at', 41);
  assert.equal((await refresh(other.cookie)).status, 401);
});

test('a pending second factor has the stated lifetime, and links and codes are valid as long as their mails state', async () => {
  const { access, email } = await registered();
  const setup = await chancery.call('POST', `${auth}/2fa/enable-init`, { token: access });
  assert.equal(setup.status, 200, setup.text);
  await chancery.pool.query('UPDATE person SET two_factor_enabled = true WHERE email = $1', [email]);
  const challenged = await chancery.call('POST', `${auth}/login`, { body: { email, password: 'CorrectHorse9Battery' } });
  assert.equal(challenged.body.expiresIn, 7);
  assert.ok((await secondsLeft('sign_in_challenge')) <= 7);

  await chancery.call('POST', `${auth}/request-password-reset`, { body: { email } });
  assert.match(await newestMail(email), /within 9 seconds/);
  assert.ok((await secondsLeft('password_reset')) <= 9);

  const invited = await chancery.call('POST', '/api/v1/team/invitations', {
    token: owner.token,
    body: { email: `new.${email}`, role: 'member' },
  });
  assert.equal(invited.status, 201, invited.text);
  assert.match(await newestMail(`new.${email}`), /within 12 seconds/);
});

test('the default lifetimes equal those of the documentation', () => {
  const usual = Object.fromEntries(Object.entries(lifetimeSettings).map(([name, { fallback }]) => [name, Number(fallback)]));
  assert.deepEqual(usual, {
    ACCESS_TOKEN_SECONDS: 900,
    SESSION_IDLE_SECONDS: 30 * 86_400,
    SESSION_SECONDS: 90 * 86_400,
    SIGN_IN_CHALLENGE_SECONDS: 300,
    MAILED_CODE_SECONDS: 600,
    RESET_LINK_SECONDS: 1_800,
    INVITATION_SECONDS: 259_200,
  });
});
