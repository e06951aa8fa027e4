import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { TestResponse } from '../../../../test/harness.ts';
import { type Forger, startForger } from '../../../../test/identity-provider.ts';
import { authPath } from '../../../../test/people.ts';
import {
  connectedTeam,
  oidcConnection,
  signInAtForger,
  type SsoService,
  type SsoSession,
  type SsoTeam,
  ssoSession,
  startForSso,
} from '../../../../test/single-sign-on.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
let service: SsoService;
let forger: Forger;
let other: Forger;
before(async () => {
  [service, forger, other] = [await startForSso(), await startForger(), await startForger()];
});
after(async () => {
  await service.stop();
  await Promise.all([forger.close(), other.close()]);
});
beforeEach(() => {
  Object.assign(forger, { claims: {}, metadata: {} });
});

const connected = () => connectedTeam(service, oidcConnection(forger));
const signedIn = async (world: SsoTeam, claims: Record<string, unknown>): Promise<SsoSession> =>
  ssoSession(service, await signInAtForger(service, world, forger, { email: `${String(claims.sub)}@${world.domain}`, ...claims }));

type Claims = Record<string, unknown>;
/** Claims of a logout token. `undefined` removes one. */
const claimsFor = (given: Claims = {}): Claims => {
  const now = Math.floor(Date.now() / 1_000);
  return { iss: forger.issuer, aud: 'chancery', iat: now, exp: now + 120, jti: randomUUID(), events: { [logoutEvent]: {} }, ...given };
};
const send = ({ connection }: SsoTeam, token: string): Promise<TestResponse> =>
  service.chancery.call('POST', `${authPath}/sso/${connection.id}/backchannel-logout`, {
    body: new URLSearchParams({ logout_token: token }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const logOut = async (world: SsoTeam, given: Claims): Promise<TestResponse> =>
  send(world, await forger.sign(claimsFor(given), 'logout+jwt'));

const isSignedIn = async ({ accessToken }: SsoSession): Promise<boolean> => {
  const { status } = await service.chancery.call('GET', `${authPath}/profile`, { token: accessToken });
  return status === 200;
};
/** Errors have the format of RFC 6749. */
const rejected = (answer: TestResponse) => assert.deepEqual([answer.status, answer.body?.error], [400, 'invalid_request'], answer.text);
const is = (answer: TestResponse, status: number, code: string) =>
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.text);

test('a logout by `sid` ends that session only, and its refresh token', async () => {
  const world = await connected();
  const [first, second] = [await signedIn(world, { sub: 'ada', sid: 'one' }), await signedIn(world, { sub: 'ada', sid: 'two' })];
  const answer = await logOut(world, { sid: 'one' });
  assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store']);
  assert.deepEqual([await isSignedIn(first), await isSignedIn(second)], [false, true]);
  const renewed = await service.chancery.call('POST', `${authPath}/refresh`, { body: { refreshToken: first.refreshToken } });
  is(renewed, 403, 'team_closed');
  const { rows } = await service.chancery.pool.query(
    "SELECT target_id, data FROM audit_entry WHERE team_id = $1 AND type = 'logout.at_provider'",
    [world.id],
  );
  assert.deepEqual(rows, [{ target_id: first.sub, data: { connectionId: world.connection.id } }]);
});

test('a logout by `sub` ends all sessions of the user through the connection, and no others', async () => {
  const world = await connected();
  const [first, second] = [await signedIn(world, { sub: 'ada', sid: 'one' }), await signedIn(world, { sub: 'ada' })];
  const grace = await signedIn(world, { sub: 'grace' });
  assert.equal((await logOut(world, { sub: 'ada' })).status, 200);
  assert.deepEqual(await Promise.all([first, second, grace].map(isSignedIn)), [false, false, true]);
});

test('a logout with both ends the session only if it is of that user', async () => {
  const world = await connected();
  const [ada, grace] = [await signedIn(world, { sub: 'ada', sid: 'one' }), await signedIn(world, { sub: 'grace', sid: 'two' })];
  assert.equal((await logOut(world, { sub: 'ada', sid: 'two' })).status, 200);
  assert.deepEqual([await isSignedIn(ada), await isSignedIn(grace)], [true, true]);
  assert.equal((await logOut(world, { sub: 'ada', sid: 'one' })).status, 200);
  assert.equal(await isSignedIn(ada), false);
});

test('a logout of an unknown user or session is accepted and ends nothing', async () => {
  const world = await connected();
  const ada = await signedIn(world, { sub: 'ada', sid: 'one' });
  for (const given of [{ sub: 'unknown' }, { sid: 'unknown' }]) assert.equal((await logOut(world, given)).status, 200);
  assert.equal(await isSignedIn(ada), true);
});

test('a logout ends a sign-in that waits for the second factor', async () => {
  const world = await connected();
  const { sub } = await signedIn(world, { sub: 'ada', sid: 'one' });
  await service.chancery.pool.query('UPDATE person SET two_factor_enabled = true WHERE id = $1', [sub]);
  await signInAtForger(service, world, forger, { sub: 'ada', sid: 'three', email: `ada@${world.domain}` });
  const waiting = async () =>
    (await service.chancery.pool.query('SELECT idp_session FROM sign_in_challenge WHERE person_id = $1', [sub])).rows;
  assert.deepEqual(await waiting(), [{ idp_session: 'three' }]);
  assert.equal((await logOut(world, { sid: 'other' })).status, 200);
  assert.equal((await waiting()).length, 1);
  assert.equal((await logOut(world, { sid: 'three' })).status, 200);
  assert.deepEqual(await waiting(), []);
});

test('a logout at one connection ends no session of another, with the same provider and `sid`', async () => {
  const [world, stranger] = [await connected(), await connected()];
  const [mine, theirs] = [await signedIn(world, { sub: 'ada', sid: 'one' }), await signedIn(stranger, { sub: 'ada', sid: 'one' })];
  assert.equal((await logOut(world, { sub: 'ada', sid: 'one' })).status, 200);
  assert.deepEqual([await isSignedIn(mine), await isSignedIn(theirs)], [false, true]);
});

test('an inactive connection still ends sessions; an unknown one is rejected', async () => {
  const world = await connected();
  const ada = await signedIn(world, { sub: 'ada', sid: 'one' });
  await service.chancery.call('PATCH', `/api/v1/team/sso/${world.connection.id}`, { token: world.owner.token, body: { isActive: false } });
  assert.equal((await logOut(world, { sid: 'one' })).status, 200);
  assert.equal(await isSignedIn(ada), false);
  for (const id of ['x', randomUUID()]) rejected(await logOut({ ...world, connection: { id } }, { sid: 'one' }));
});

test('a text that is no token is rejected without a request to the provider', async () => {
  const gone = await startForger();
  const world = await connectedTeam(service, oidcConnection(gone));
  await gone.close();
  for (const text of ['0', 'a.b.c']) rejected(await send(world, text));
  const answer = await send(world, await gone.sign(claimsFor({ iss: gone.issuer, sub: 'ada' }), 'logout+jwt'));
  assert.deepEqual([answer.status, answer.body.error], [502, 'server_error'], answer.text);
});

test('a logout token works once, also with 50 concurrent requests', async () => {
  const world = await connected();
  await signedIn(world, { sub: 'ada', sid: 'one' });
  const token = await forger.sign(claimsFor({ sid: 'one' }), 'logout+jwt');
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(world, token)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 200)) rejected(answer);
});

describe('a logout token is rejected', () => {
  const now = () => Math.floor(Date.now() / 1_000);
  for (const [what, given] of [
    ['of another issuer', () => ({ iss: other.issuer })],
    ['for another client', () => ({ aud: 'another' })],
    ['older than two minutes', () => ({ iat: now() - 200, exp: now() + 100 })],
    ['that has expired', () => ({ iat: now() - 100, exp: now() - 70 })],
    ['without a time', () => ({ iat: undefined })],
    ['without an identifier', () => ({ jti: undefined })],
    ['without the event', () => ({ events: { 'https://other.example': {} } })],
    ['with an event that is no object', () => ({ events: { [logoutEvent]: true } })],
    ['with a nonce, as an ID token has', () => ({ nonce: 'x' })],
    ['without a user and a session', () => ({ sid: undefined })],
    ['with a session that is no text', () => ({ sid: 7 })],
  ] as [string, () => Claims][])
    test(what, async () => {
      const world = await connected();
      const ada = await signedIn(world, { sub: 'ada', sid: 'one' });
      rejected(await logOut(world, { sid: 'one', ...given() }));
      assert.equal(await isSignedIn(ada), true);
      const { rows } = await service.chancery.pool.query(
        "SELECT data FROM audit_entry WHERE team_id = $1 AND type = 'sso.answer_refused'",
        [world.id],
      );
      assert.equal(rows.length, 1);
    });

  test('signed with a key of another provider, or not signed', async () => {
    const world = await connected();
    const ada = await signedIn(world, { sub: 'ada', sid: 'one' });
    rejected(await send(world, await other.sign(claimsFor({ sid: 'one' }), 'logout+jwt')));
    const [, payload] = (await forger.sign(claimsFor({ sid: 'one' }), 'logout+jwt')).split('.');
    rejected(await send(world, `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`));
    rejected(await send(world, 'no token'));
    assert.equal(await isSignedIn(ada), true);
  });

  test('and after 30 rejections an address waits', async () => {
    const world = await connected();
    for (let n = 0; n < 30; n += 1) rejected(await send(world, 'no token'));
    assert.equal((await logOut(world, { sid: 'one' })).status, 429);
  });
});
