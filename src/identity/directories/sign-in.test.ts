import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeJwt } from 'jose';
import { directoriesPath, type DirectoryWorld, withDirectory } from '../../../test/directories.ts';
import { type DnsServer, startDnsServer } from '../../../test/dns-server.ts';
import { type Chancery, startChancery, type TestResponse } from '../../../test/harness.ts';
import { type Forger, startForger } from '../../../test/identity-provider.ts';
import { authPath, cookieOf } from '../../../test/people.ts';
import { freePort } from '../../../test/spawned.ts';

let chancery: Chancery;
let dns: DnsServer;
let forger: Forger;

before(async () => {
  dns = await startDnsServer();
  dns.answer = ({ type }) => ({ addresses: type === 'A' ? ['127.0.0.1'] : type === 'AAAA' ? ['::1'] : [], texts: [] });
  forger = await startForger();
  const port = await freePort();
  chancery = await startChancery({
    role: 'api',
    settings: { ALTCHA: 'off', PORT: String(port), BASE_URL: `http://localhost:${port}`, SSO_DNS_SERVERS: dns.address },
  });
});
after(async () => {
  await chancery.stop();
  await Promise.all([dns.close(), forger.close()]);
});

const ok = (answer: TestResponse): any => {
  assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
  return answer.body;
};

type World = DirectoryWorld & { connection: string };

/** A team with a directory whose provider signs its users in. */
async function connected(kind: string, jit = true): Promise<World> {
  const world = await withDirectory(chancery, { kind });
  const { token } = world.owner;
  const domain = `sso-${world.domain}`;
  const body = { issuer: forger.issuer, clientId: 'chancery', clientSecret: 'a secret of the client', domains: [domain], jit };
  const { id: connection } = ok(await chancery.call('POST', '/api/v1/team/sso', { token, body }));
  await chancery.pool.query('UPDATE sso_domain SET verified_at = now(), checked_at = now() WHERE team_id = $1', [world.id]);
  ok(await chancery.call('PATCH', `${directoriesPath}/${world.directory.id}`, { token, body: { connectionId: connection } }));
  return { ...world, domain, connection };
}

/** Signs in at the provider with claims. Returns the account, or the code of the error. */
async function signedIn(world: World, claims: Record<string, unknown>): Promise<{ account?: string; error?: string; token?: string }> {
  const begun = await chancery.call('GET', `${authPath}/sso/start?connectionId=${world.connection}`);
  const location = new URL(begun.headers.get('location') ?? '');
  const at = (name: string) => location.searchParams.get(name) ?? '';
  forger.claims = { nonce: at('nonce'), ...claims };
  const path = `${new URL(at('redirect_uri')).pathname}?${new URLSearchParams({ code: 'code', state: at('state') }).toString()}`;
  const back = await chancery.call('GET', path, { headers: { cookie: `sso_state=${cookieOf(begun, 'sso_state')}` } });
  assert.equal(back.status, 302, back.text);
  const error = new URLSearchParams(new URL(back.headers.get('location') ?? '').hash.slice(1)).get('error');
  if (error !== null) return { error };
  const refreshToken = cookieOf(back, 'refresh_token');
  const { accessToken } = ok(await chancery.call('POST', `${authPath}/refresh`, { body: { refreshToken } }));
  const { sub } = decodeJwt(accessToken);
  return { token: accessToken, ...(sub === undefined ? {} : { account: sub }) };
}
const accountOf = async (world: World, user: { id: string }): Promise<string> =>
  ok(await chancery.call('GET', `${directoriesPath}/${world.directory.id}/users`, { token: world.owner.token })).find(
    ({ id }: any) => id === user.id,
  ).userId;
const setActive = (world: World, user: { id: string }, active: boolean) =>
  world.scim('PATCH', `/Users/${user.id}`, { Operations: [{ op: 'replace', path: 'active', value: active }] });

for (const [kind, claims] of [
  ['entra', { sub: 'pairwise', oid: 'object-1' }],
  ['okta', { sub: 'object-1' }],
] as const)
  test(`a sign-in through the provider of ${kind} finds the user by the external identifier, without an address`, async () => {
    const world = await connected(kind, false);
    const user = await world.provision({ userName: `by-id@${world.domain}`, externalId: 'object-1' });
    const { account } = await signedIn(world, claims);
    assert.equal(account, await accountOf(world, user));
    assert.equal(
      (await signedIn(world, { ...claims, sub: 'another subject', oid: 'object-1' })).error,
      kind === 'entra' ? 'sso_identity_conflict' : 'sso_email_unverified',
    );
  });

test('a sign-in finds the user by the claim that the connection names, also without Entra ID', async () => {
  const world = await connected('okta', false);
  const body = { subjectClaim: 'employee' };
  ok(await chancery.call('PATCH', `/api/v1/team/sso/${world.connection}`, { token: world.owner.token, body }));
  const user = await world.provision({ userName: `by-claim@${world.domain}`, externalId: 'employee-1' });
  assert.equal((await signedIn(world, { sub: 'employee-1', employee: 'employee-2' })).error, 'sso_email_unverified');
  assert.equal((await signedIn(world, { sub: 'pairwise', employee: 'employee-1' })).account, await accountOf(world, user));
});

test('a sign-in of a deactivated user is 403, and its access token ends at the next request', async () => {
  const world = await connected('okta');
  const claims = { sub: 'object-2', email: `off@${world.domain}`, email_verified: true };
  const user = await world.provision({ userName: claims.email, externalId: 'object-2' });
  const { token = '' } = await signedIn(world, claims);
  const profile = () => chancery.call('GET', `${authPath}/profile`, { token });
  assert.equal((await profile()).status, 200);
  ok(await setActive(world, user, false));
  assert.equal((await profile()).status, 401);
  assert.equal((await signedIn(world, claims)).error, 'account_disabled');
  ok(await setActive(world, user, true));
  assert.ok((await signedIn(world, claims)).account);
});

test('a first sign-in and the creation over SCIM at once make one person and one membership', async () => {
  const world = await connected('okta');
  for (let round = 0; round < 10; round += 1) {
    const claims = { sub: `race-${round}`, email: `race${round}@${world.domain}`, email_verified: true };
    const [signed, created] = await Promise.all([
      signedIn(world, claims),
      world.scim('POST', '/Users', { userName: claims.email, externalId: claims.sub }),
    ]);
    assert.equal(created.status, 201, created.text);
    assert.equal(
      await accountOf(world, created.body),
      signed.account ?? (await signedIn(world, claims)).account,
      signed.error ?? 'signed in',
    );
    const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM account WHERE team_id = $1 AND email_key = $2', [
      world.id,
      claims.email,
    ]);
    assert.equal(rows[0].n, 1);
  }
});

for (const role of ['owner', 'admin'] as const)
  test(`the ${role} is not linked by the external identifier of a directory, but links the account themselves`, async () => {
    const world = await connected('okta');
    const manager = role === 'owner' ? world.owner : await chancery.user(world, { role });
    const email = `${role}@${world.domain}`;
    await chancery.pool.query('UPDATE account SET email = $2, email_key = $2 WHERE id = $1', [manager.id, email]);
    const created = await world.scim('POST', '/Users', { userName: email, externalId: 'taken over' });
    const linked = role === 'admin';
    assert.deepEqual([created.status, created.body.scimType], linked ? [201, undefined] : [409, 'uniqueness']);
    const users = ok(await chancery.call('GET', `${directoriesPath}/${world.directory.id}/users`, { token: world.owner.token }));
    assert.deepEqual(
      users.map((user: any) => [user.status, user.userId]),
      [[linked ? 'linked' : 'conflict', linked ? manager.id : undefined]],
    );
    if (!linked) {
      const body = { userId: manager.id, scimUserId: users[0].id };
      ok(await chancery.call('POST', `${directoriesPath}/${world.directory.id}/links`, { token: world.owner.token, body }));
    }
    assert.equal((await signedIn(world, { sub: 'taken over' })).error, 'sso_link_required');
  });
