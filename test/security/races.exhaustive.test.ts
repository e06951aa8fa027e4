import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { StaffAdministration } from '#staff';
import { totpAt, totpStep } from '../../src/platform/crypto/totp.ts';
import { withStaffAdministration } from '../../src/commands/tools/staff.ts';
import { type TestResponse, type Chancery, startChancery, type TestTeam } from '../harness.ts';
import { type Forger, startForger } from '../identity-provider.ts';
import { authPath, cookieOf, goodPassword, mailsTo, registered, secretOf, signIn } from '../people.ts';
import { staffPath } from '../staff.ts';

const rounds = 4;
const otherPassword = 'AnotherGood1Horse';
let chancery: Chancery;
let forger: Forger;

before(async () => {
  [chancery, forger] = await Promise.all([
    startChancery({ role: 'api', settings: { ALTCHA: 'off', SSO_ALLOW_PRIVATE: 'true', STAFF_REQUIRE_TOTP: 'false' } }),
    startForger(),
  ]);
});
after(async () => {
  await chancery.stop();
  await forger.close();
});
beforeEach(() => chancery.pool.query('DELETE FROM throttle'));

const call = (method: string, path: string, token: string | undefined, body?: unknown) =>
  chancery.call(method, path, { ...(token === undefined ? {} : { token }), ...(body === undefined ? {} : { body }) });

async function done(answering: Promise<TestResponse>): Promise<any> {
  const answer = await answering;
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}

type Opened = { token: string; refreshToken: string };

/** Starts sign-ins while an action runs. Returns the sessions that sign-ins from before its end opened. */
async function whileSigningIn(
  login: () => Promise<TestResponse>,
  act: () => Promise<unknown>,
  cookie = 'refresh_token',
): Promise<Opened[]> {
  const begun: Promise<TestResponse>[] = [];
  let [over, waiting] = [false, 0];
  const beginning = (async () => {
    while (!over) {
      // Only a few at once, because more would wait for each other's hashes and delay the action.
      if (waiting < 4) {
        waiting += 1;
        begun.push(login().finally(() => (waiting -= 1)));
      }
      await sleep(4);
    }
  })();
  await sleep(8);
  await act().finally(() => (over = true));
  await beginning;
  const answers = await Promise.all(begun);
  assert.ok(answers.length > 1);
  return answers
    .filter(({ body }) => body?.accessToken !== undefined)
    .map((answer) => ({ token: answer.body.accessToken, refreshToken: cookieOf(answer, cookie) }));
}

async function assertDead(opened: readonly Opened[], why: string, prefix = authPath): Promise<void> {
  for (const { token, refreshToken } of opened) {
    assert.equal((await call('GET', `${prefix}/profile`, token)).status, 401, `an access token is accepted ${why}`);
    assert.equal((await call('POST', `${prefix}/refresh`, undefined, { refreshToken })).status, 401, `a refresh token is accepted ${why}`);
  }
}

/** Creates a member of a team with a password. */
async function member(team: TestTeam): Promise<{ id: string; email: string }> {
  const person = await registered(chancery);
  const { id, email } = await chancery.user(team);
  await chancery.pool.query('UPDATE person SET password_hash = (SELECT password_hash FROM person WHERE id = $2) WHERE id = $1', [
    id,
    person.id,
  ]);
  return { id, email };
}

async function resetTo(email: string, password: string): Promise<() => Promise<unknown>> {
  await done(call('POST', `${authPath}/request-password-reset`, undefined, { email }));
  const token = /token=([\w-]+)/.exec((await mailsTo(chancery, email))[0]?.text ?? '')?.[1];
  return () => done(call('POST', `${authPath}/reset-password`, undefined, { token, password }));
}

describe('a concurrent password sign-in opens no session that outlives', () => {
  test('a reset of the password', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { email } = await registered(chancery);
      const opened = await whileSigningIn(() => signIn(chancery, email), await resetTo(email, otherPassword));
      await assertDead(opened, 'after a reset');
      await chancery.pool.query('DELETE FROM throttle');
    }
  });

  test('a change of the password', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { email, token } = await registered(chancery);
      const body = { currentPassword: goodPassword, newPassword: otherPassword };
      const opened = await whileSigningIn(
        () => signIn(chancery, email),
        () => done(call('PUT', `${authPath}/change-password`, token, body)),
      );
      await assertDead(opened, 'after a change of the password');
      await chancery.pool.query('DELETE FROM throttle');
    }
  });

  test('the activation of a second factor', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { email, token } = await registered(chancery);
      const { setupId, totpUri } = await done(call('POST', `${authPath}/2fa/enable-init`, token));
      const body = { setupId, code: totpAt(secretOf(totpUri), totpStep(new Date())) };
      const opened = await whileSigningIn(
        () => signIn(chancery, email),
        () => done(call('POST', `${authPath}/2fa/enable-confirm`, token, body)),
      );
      await assertDead(opened, 'although two-factor authentication is on');
      assert.equal((await call('GET', `${authPath}/profile`, token)).status, 200, 'the session that enabled the factor continues');
    }
  });

  test('a suspension, after it is lifted', async () => {
    const team = await chancery.team();
    for (let round = 0; round < rounds; round += 1) {
      const { id, email } = await member(team);
      const set = (isActive: boolean) => done(call('PATCH', `/api/v1/team/members/${id}`, team.owner.token, { isActive }));
      const opened = await whileSigningIn(
        () => signIn(chancery, email),
        () => set(false),
      );
      await set(true);
      await assertDead(opened, 'after a suspension');
    }
  });

  test('a removal, after the person rejoins', async () => {
    const team = await chancery.team();
    for (let round = 0; round < rounds; round += 1) {
      const { id, email } = await member(team);
      const opened = await whileSigningIn(
        () => signIn(chancery, email),
        () => call('DELETE', `/api/v1/team/members/${id}`, team.owner.token),
      );
      const ofTheTeam = opened.filter(
        ({ token }) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).team === team.id,
      );
      const home = await done(signIn(chancery, email));
      await done(call('POST', '/api/v1/team/invitations', team.owner.token, { email, role: 'member' }));
      const token = /token=([\w-]+)/.exec((await mailsTo(chancery, email))[0]?.text ?? '')?.[1];
      await done(call('POST', '/api/v1/team/invitations/accept', home.accessToken, { token }));
      await assertDead(ofTheTeam, 'after a removal');
    }
  });
});

test('the rehash of a password at a sign-in never overwrites a newer password', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { id, email } = await registered(chancery);
    // Simulate a hash from before pepper keys had names: it matches, and the sign-in rehashes the password.
    await chancery.pool.query("UPDATE person SET password_hash = regexp_replace(password_hash, ',keyid=[^$,]+', '') WHERE id = $1", [id]);
    const opened = await whileSigningIn(() => signIn(chancery, email), await resetTo(email, otherPassword));
    await chancery.pool.query('DELETE FROM throttle');
    assert.equal((await signIn(chancery, email)).status, 401, 'the old password is rejected');
    assert.equal((await signIn(chancery, email, otherPassword)).status, 200, 'the new password is accepted');
    await assertDead(opened, 'after a reset');
  }
});

test('a reset link that was requested for an old address ends with the change of the address', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { email, token } = await registered(chancery);
    const address = `moved.${email}`;
    await done(call('PUT', `${authPath}/profile`, token, { email: address }));
    const code = /\d{6}/.exec((await mailsTo(chancery, address))[0]?.text ?? '')?.[0];
    await Promise.all([
      done(call('POST', `${authPath}/profile/confirm-email`, token, { code })),
      ...Array.from({ length: 5 }, () => call('POST', `${authPath}/request-password-reset`, undefined, { email })),
    ]);
    const links = (await mailsTo(chancery, email)).flatMap(({ text }) => /token=([\w-]+)/.exec(text)?.[1] ?? []);
    for (const link of links) {
      const answer = await call('POST', `${authPath}/reset-password`, undefined, { token: link, password: otherPassword });
      assert.equal(answer.body.code, 'invalid_or_expired_token');
    }
    assert.equal((await call('GET', `${authPath}/profile`, token)).body.email, address, 'a change of address ends no session');
  }
});

describe('a concurrent staff sign-in opens no session that outlives', () => {
  /** Runs a few rounds, each with a new staff member. The command line manages them, as an operator does. */
  const each = (round: (administer: StaffAdministration, email: string, login: () => Promise<TestResponse>) => Promise<void>) =>
    withStaffAdministration(chancery.config, pino({ level: 'silent' }), async (administer) => {
      for (let n = 0; n < rounds; n += 1) {
        const email = `staff.${randomBytes(4).toString('hex')}@example.org`;
        await administer.create({ email, name: 'Grace', password: goodPassword });
        await round(administer, email, () => call('POST', `${staffPath}/login`, undefined, { email, password: goodPassword }));
        await chancery.pool.query('DELETE FROM throttle');
      }
    });

  test('a deactivation, after the staff member is enabled again', () =>
    each(async (administer, email, login) => {
      const opened = await whileSigningIn(login, () => administer.setActive(email, false), 'staff_refresh_token');
      await administer.setActive(email, true);
      await assertDead(opened, 'after staff were disabled', staffPath);
    }));

  test('a new password', () =>
    each(async (administer, email, login) => {
      const token = /token=([\w-]+)/.exec((await administer.passwordLink(email)) ?? '')?.[1];
      const set = () => done(call('POST', `${staffPath}/set-password`, undefined, { token, password: otherPassword }));
      await assertDead(await whileSigningIn(login, set, 'staff_refresh_token'), 'after staff set a new password', staffPath);
    }));
});

describe('a slow sign-in through a provider is denied', () => {
  const sso = '/api/v1/team/sso';
  let numbers = 0;
  let world: TestTeam & { connection: string; domain: string };
  before(async () => {
    const team = await chancery.team();
    const domain = `slow${(numbers += 1)}.example`;
    const body = { issuer: forger.issuer, clientId: 'chancery', clientSecret: 'x', domains: [domain, `kept-${domain}`], trustMfa: true };
    const { id } = await done(call('POST', sso, team.owner.token, body));
    await chancery.pool.query('UPDATE sso_domain SET verified_at = now() WHERE connection_id = $1', [id]);
    world = { ...team, connection: id, domain };
  });

  /** Completes a sign-in and runs `meanwhile` during the request at the provider. */
  async function through(claims: Record<string, unknown>, meanwhile: () => Promise<unknown>): Promise<TestResponse> {
    const begun = await chancery.call('GET', `${authPath}/sso/start?connectionId=${world.connection}`);
    const location = new URL(begun.headers.get('location') ?? '');
    const at = (name: string) => location.searchParams.get(name) ?? '';
    forger.claims = { nonce: at('nonce'), ...claims };
    forger.meanwhile = meanwhile;
    const query = new URLSearchParams({ code: 'code', state: at('state') }).toString();
    return chancery
      .call('GET', `${new URL(at('redirect_uri')).pathname}?${query}`, { headers: { cookie: `sso_state=${cookieOf(begun, 'sso_state')}` } })
      .finally(() => (forger.meanwhile = async () => undefined));
  }
  const change = (members: object) => done(call('PATCH', `${sso}/${world.connection}`, world.owner.token, members));
  const outcome = (answer: TestResponse) => [
    new URLSearchParams(new URL(answer.headers.get('location') ?? '').hash.slice(1)).get('error'),
    cookieOf(answer, 'refresh_token'),
  ];
  const claims = () => ({ sub: `s${(numbers += 1)}`, email: `p${numbers}@${world.domain}`, email_verified: true });

  test('if its connection was disabled during the sign-in', async () => {
    const known = claims();
    assert.notEqual(outcome(await through(known, async () => undefined))[1], '');
    assert.deepEqual(outcome(await through(known, () => change({ isActive: false }))), ['sso_not_configured', '']);
    await change({ isActive: true });
  });

  test('if its connection no longer has the domain of the new user', async () => {
    const kept = `kept-${world.domain}`;
    assert.deepEqual(outcome(await through(claims(), () => change({ domains: [kept] }))), ['sso_user_not_found', '']);
    assert.deepEqual(outcome(await through(claims(), () => change({ domains: [] }))), ['sso_not_configured', '']);
    await change({ domains: [world.domain] });
    await chancery.pool.query('UPDATE sso_domain SET verified_at = now() WHERE connection_id = $1', [world.connection]);
  });

  test('as a two-factor sign-in, if the team no longer trusts the second factor of the provider', async () => {
    const strong = { ...claims(), amr: ['mfa'] };
    const answer = await through(strong, () => change({ trustMfa: false }));
    const { accessToken } = await done(call('POST', `${authPath}/refresh`, undefined, { refreshToken: cookieOf(answer, 'refresh_token') }));
    assert.equal(JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url').toString()).acr, 'aal1');
  });

  test('if its connection was deleted during the sign-in', async () => {
    const deletion = () => call('DELETE', `${sso}/${world.connection}`, world.owner.token);
    assert.deepEqual(outcome(await through(claims(), deletion)), ['sso_not_configured', '']);
  });
});

describe('if a team enforces its provider, no password opens a session', () => {
  const sso = '/api/v1/team/sso';
  async function enforcing(): Promise<TestTeam & { domain: string; enforce: (on: boolean) => Promise<unknown> }> {
    const team = await chancery.team();
    const domain = `enforced${randomBytes(4).toString('hex')}.example`;
    const body = { issuer: forger.issuer, clientId: 'chancery', clientSecret: 'x', domains: [domain] };
    const { id } = await done(call('POST', sso, team.owner.token, body));
    await chancery.pool.query('UPDATE sso_domain SET verified_at = now() WHERE connection_id = $1', [id]);
    return { ...team, domain, enforce: (on) => done(call('PATCH', `${sso}/${id}`, team.owner.token, { enforce: on })) };
  }
  async function invitation(team: TestTeam, email: string): Promise<string | undefined> {
    await done(call('POST', '/api/v1/team/invitations', team.owner.token, { email, role: 'member' }));
    return /token=([\w-]+)/.exec((await mailsTo(chancery, email))[0]?.text ?? '')?.[1];
  }
  const accept = (body: object, token?: string) => call('POST', '/api/v1/team/invitations/accept', token, body);
  const person = { firstName: 'Ada', lastName: 'Late', password: goodPassword };

  test('by a password change', async () => {
    const team = await enforcing();
    const email = `ada@${team.domain}`;
    const { accessToken } = await done(accept({ token: await invitation(team, email), ...person }));
    await team.enforce(true);
    const body = { currentPassword: goodPassword, newPassword: otherPassword };
    const answer = await call('PUT', `${authPath}/change-password`, accessToken, body);
    assert.deepEqual([answer.body.code, cookieOf(answer, 'refresh_token')], ['sso_required', '']);
  });

  test('by accepting an invitation with a password', async () => {
    const team = await enforcing();
    const email = `eve@${team.domain}`;
    const token = await invitation(team, email);
    await team.enforce(true);
    const answer = await accept({ token, ...person });
    assert.deepEqual([answer.body.code, cookieOf(answer, 'refresh_token')], ['sso_required', '']);
    assert.equal((await signIn(chancery, email)).status, 401, 'no account was created');
  });

  test('by joining with a session of another team; the new member signs in through the provider', async () => {
    const team = await enforcing();
    const guest = (await chancery.team()).owner;
    const email = `guest@${team.domain}`;
    await chancery.pool.query(
      `WITH moved AS (UPDATE person SET email = $2, email_key = $2 WHERE id = $1 RETURNING credential_epoch)
       UPDATE sign_in SET epoch = moved.credential_epoch FROM moved WHERE person_id = $1`,
      [guest.id, email],
    );
    const token = await invitation(team, email);
    await team.enforce(true);
    const answer = await accept({ token }, guest.token);
    assert.deepEqual([answer.body.code, cookieOf(answer, 'refresh_token')], ['sso_required', '']);
    assert.equal((await call('GET', `${authPath}/profile`, guest.token)).status, 401);
    const { rows } = await chancery.pool.query('SELECT team_id FROM account WHERE id = $1 AND deleted_at IS NULL', [guest.id]);
    assert.deepEqual(rows, [{ team_id: team.id }]);
  });
});
