import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { decodeJwt } from 'jose';
import { eventually } from '../../../test/webhook-receiver.ts';
import { createAuthenticator } from '../../../test/authenticator.ts';
import { startBrowser, startSite, withoutBrowser } from '../../../test/browser.ts';
import { type DnsServer, startDnsServer } from '../../../test/dns-server.ts';
import { type TestResponse, type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { type Forger, type IdentityProvider, startForger, startIdentityProvider } from '../../../test/identity-provider.ts';
import { startJsonServer } from '../../../test/json-server.ts';
import { authPath, cookieOf, goodPassword, mailsTo, registered, signIn } from '../../../test/people.ts';
import { freePort } from '../../../test/spawned.ts';

const sso = '/api/v1/team/sso';
let chancery: Chancery;
let dns: DnsServer;
let provider: IdentityProvider;
let forger: Forger;
let other: Forger;
let page: Awaited<ReturnType<typeof startSite>>;
let ahead = 0;
/** The TXT records of the DNS, by name. */
const texts = new Map<string, string[]>();
let numbers = 0;

before(async () => {
  dns = await startDnsServer();
  dns.answer = ({ name, type }) => ({
    // Every name resolves to the local machine.
    addresses: type === 'A' ? ['127.0.0.1'] : type === 'AAAA' ? ['::1'] : [],
    texts: texts.get(name) ?? [],
  });
  [provider, forger, other, page] = [await startIdentityProvider(), await startForger(), await startForger(), await startSite()];
  const port = await freePort();
  chancery = await startChancery({
    role: 'api',
    settings: {
      ALTCHA: 'off',
      PORT: String(port),
      BASE_URL: `http://localhost:${port}`,
      CORS_ORIGINS: page.origin,
      SSO_DNS_SERVERS: dns.address,
    },
    clock: () => new Date(Date.now() + ahead),
  });
});
after(async () => {
  await chancery.stop();
  await Promise.all([dns.close(), provider.close(), forger.close(), other.close(), page.close()]);
});
beforeEach(() => {
  ahead = 0;
  Object.assign(forger, { claims: {}, forge: false, metadata: {}, key: {}, alter: (token: string) => token, exchanged: [] });
});

const is = (answer: TestResponse, status: number, code: string) =>
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.text);
const ok = (answer: TestResponse): any => {
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
const actsOf = async (team: string, type: string) =>
  (await chancery.pool.query('SELECT type, data FROM audit_entry WHERE team_id = $1 AND type = $2 ORDER BY id', [team, type])).rows;

type World = TestTeam & { domain: string; connection: any };

/** Creates a team with a connection to a provider and a verified domain. */
async function connected(issuer: string, members: Record<string, unknown> = {}): Promise<World> {
  const team = await chancery.team();
  const domain = `team${(numbers += 1)}.example`;
  const body = { issuer, clientId: 'chancery', clientSecret: 'a secret of the client', domains: [domain], ...members };
  const made = ok(await chancery.call('POST', sso, { token: team.owner.token, body }));
  for (const { record } of made.domains) texts.set(record.name, [record.value]);
  const connection = ok(await chancery.call('POST', `${sso}/${made.id}/verify-domains`, { token: team.owner.token }));
  return { ...team, domain, connection };
}

type Begun = { cookie: string; location: URL; callback: string; state: string; nonce: string };

async function begin(query: Record<string, string>): Promise<Begun> {
  const answer = await chancery.call('GET', `${authPath}/sso/start?${new URLSearchParams(query).toString()}`);
  assert.equal(answer.status, 302, answer.text);
  return begunBy(answer, new URL(answer.headers.get('location') ?? ''));
}

/** Starts the linking of a signed-in member’s account. */
async function beginLink({ connection }: World, { token }: { token: string }): Promise<Begun> {
  const answer = await chancery.call('POST', `${authPath}/sso/link`, { token, body: { connectionId: connection.id } });
  return begunBy(answer, new URL(ok(answer).location));
}

/** Returns the fragment after linking a member’s account with an identity of the forger. */
async function linked(world: World, member: { token: string }, claims: Record<string, unknown>): Promise<Record<string, string>> {
  const begun = await beginLink(world, member);
  forger.claims = { nonce: begun.nonce, ...claims };
  const answer = await back(begun, { code: 'code', state: begun.state });
  assert.equal(cookieOf(answer, 'refresh_token'), '', 'the session continues, and no other begins');
  return fragmentOf(answer);
}

function begunBy(answer: TestResponse, location: URL): Begun {
  const at = (name: string) => location.searchParams.get(name) ?? '';
  return {
    cookie: `sso_state=${cookieOf(answer, 'sso_state')}`,
    location,
    callback: new URL(at('redirect_uri')).pathname,
    state: at('state'),
    nonce: at('nonce'),
  };
}
const back = (begun: Begun, query: Record<string, string>, cookie = begun.cookie) =>
  chancery.call('GET', `${begun.callback}?${new URLSearchParams(query).toString()}`, { headers: { cookie } });

/** Signs in at the forger with the given claims. */
async function vouched(world: World, claims: Record<string, unknown>, query: Record<string, string> = {}): Promise<TestResponse> {
  const begun = await begin({ connectionId: world.connection.id, ...query });
  forger.claims = { nonce: begun.nonce, ...claims };
  return back(begun, { code: 'code', state: begun.state });
}
const fragmentOf = (answer: TestResponse) => {
  assert.equal(answer.status, 302, answer.text);
  return Object.fromEntries(new URLSearchParams(new URL(answer.headers.get('location') ?? '').hash.slice(1)));
};
/** Returns the claims of the access token for the refresh cookie of a response. */
async function sessionOf(answer: TestResponse): Promise<any> {
  assert.deepEqual(fragmentOf(answer), {});
  const refreshToken = cookieOf(answer, 'refresh_token');
  assert.notEqual(refreshToken, '');
  const { accessToken } = ok(await chancery.call('POST', `${authPath}/refresh`, { body: { refreshToken } }));
  return { ...decodeJwt(accessToken), accessToken };
}
function refusedWith(answer: TestResponse, code: string): void {
  assert.equal(fragmentOf(answer).error, code);
  assert.equal(cookieOf(answer, 'refresh_token'), '');
}
async function memberOf(world: World, role: User['role'] = 'member'): Promise<User> {
  const member = await chancery.user(world, { role });
  const email = `${member.id.slice(-8)}@${world.domain}`;
  // A changed address begins a new credential epoch. The session moves to it, as the operation does.
  await chancery.pool.query(
    `WITH moved AS (UPDATE person SET email = $2, email_key = $2 WHERE id = $1 RETURNING credential_epoch)
     UPDATE sign_in SET epoch = moved.credential_epoch FROM moved WHERE person_id = $1`,
    [member.id, email],
  );
  return { ...member, email };
}

describe('connections', () => {
  test('can be created, listed, read, changed under If-Match and deleted, and never show the secret', async () => {
    const { owner } = await chancery.team();
    const body = { issuer: forger.issuer, clientId: 'chancery', clientSecret: 'hunter2secret', domains: ['Example.ORG', 'bücher.example'] };
    const made = await chancery.call('POST', sso, { token: owner.token, body });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.headers.get('location'), `${sso}/${made.body.id}`);
    assert.equal(made.body.redirectUri, `${chancery.config.BASE_URL}${authPath}/sso/callback/${made.body.id}`);
    assert.deepEqual(
      made.body.domains.map(({ name, verified }: any) => [name, verified]),
      [
        ['example.org', false],
        ['xn--bcher-kva.example', false],
      ],
    );
    const etag = made.headers.get('etag') ?? '';
    const patch = (members: unknown, headers = {}) =>
      chancery.call('PATCH', `${sso}/${made.body.id}`, { token: owner.token, body: members, headers });
    const changed = await patch({ defaultRole: 'viewer', clientSecret: 'hunter3secret', domains: ['example.org'] }, { 'if-match': etag });
    assert.deepEqual([ok(changed).defaultRole, changed.body.domains.length], ['viewer', 1]);
    assert.deepEqual(changed.body.domains[0].record, made.body.domains[0].record);
    assert.equal((await patch({ isActive: false }, { 'if-match': etag })).status, 412);
    is(await patch({ issuer: 'https://elsewhere.example' }), 400, 'validation_failed');
    const listed = await chancery.call('GET', sso, { token: owner.token });
    assert.deepEqual(listed.body, [changed.body]);
    for (const { text } of [made, changed, listed]) assert.doesNotMatch(text, /hunter/);
    const { rows } = await chancery.pool.query('SELECT client_secret::text AS secret FROM sso_connection WHERE id = $1', [made.body.id]);
    assert.ok(!rows[0].secret.includes(Buffer.from('hunter3secret').toString('hex')));
    assert.equal((await chancery.call('DELETE', `${sso}/${made.body.id}`, { token: owner.token })).status, 204);
    is(await chancery.call('GET', `${sso}/${made.body.id}`, { token: owner.token }), 404, 'not_found');
  });

  test('members without team:write can neither read nor change them', async () => {
    const team = await chancery.team();
    const { token } = await chancery.user(team, { role: 'member' });
    is(
      await chancery.call('POST', sso, { token, body: { issuer: 'https://a.example', clientId: 'a', clientSecret: 'b' } }),
      403,
      'insufficient_scope',
    );
  });

  for (const [issuer, rule] of [
    ['login.example.com', 'url'],
    ['ftp://login.example.com', 'https'],
    ['https://user:pass@login.example.com', 'credentials'],
    ['https://login.example.com/#x', 'fragment'],
    ['https://login.example.com/?x=1', 'query'],
    ['http://169.254.169.254/', 'public_address'],
  ]) {
    test(`an issuer such as ${issuer} is rejected`, async () => {
      const { owner } = await chancery.team();
      const answer = await chancery.call('POST', sso, { token: owner.token, body: { issuer, clientId: 'a', clientSecret: 'b' } });
      is(answer, 400, 'validation_failed');
      assert.equal(answer.body.errors[0].rule, rule);
    });
  }

  test('the administrator role as default and an invalid domain are rejected', async () => {
    const { owner } = await chancery.team();
    const body = { issuer: forger.issuer, clientId: 'a', clientSecret: 'b' };
    for (const odd of [
      { defaultRole: 'admin' },
      { defaultRole: 'owner' },
      { domains: ['localhost'] },
      { domains: ['a b.example'] },
      { domains: ['@x.example'] },
    ])
      is(await chancery.call('POST', sso, { token: owner.token, body: { ...body, ...odd } }), 400, 'validation_failed');
  });

  test('fifty concurrent creations leave ten', async () => {
    const { owner } = await chancery.team();
    const body = { issuer: forger.issuer, clientId: 'a', clientSecret: 'b' };
    const made = await Promise.all(Array.from({ length: 50 }, () => chancery.call('POST', sso, { token: owner.token, body })));
    assert.equal(made.filter(({ status }) => status === 201).length, 10);
    for (const answer of made.filter(({ status }) => status !== 201)) is(answer, 409, 'sso_connection_limit');
  });

  test('a domain is verified by its DNS proof for one connection, and a closed team does not block it', async () => {
    const first = await connected(forger.issuer);
    assert.equal(first.connection.domains[0].verified, true);
    const { owner } = await chancery.team();
    const body = { issuer: other.issuer, clientId: 'a', clientSecret: 'b', domains: [first.domain] };
    const second = ok(await chancery.call('POST', sso, { token: owner.token, body }));
    const verify = () => chancery.call('POST', `${sso}/${second.id}/verify-domains`, { token: owner.token });
    assert.equal(ok(await verify()).domains[0].verified, false);
    const [{ record }] = second.domains;
    texts.set(record.name, ['v=spf1 -all', record.value]);
    is(await verify(), 409, 'domain_taken');
    await chancery.pool.query("UPDATE team SET status = 'closed' WHERE team_id = $1", [first.id]);
    assert.equal(ok(await verify()).domains[0].verified, true);
    assert.equal((await actsOf(owner.team, 'sso.domain_verified')).length, 1);
  });
});

describe('beginning', () => {
  test('sends the browser to the provider with state, nonce and PKCE, and a cookie for the response', async () => {
    const world = await connected(forger.issuer);
    const answer = await chancery.call('GET', `${authPath}/sso/start?email=ada@${world.domain}`);
    assert.equal(answer.status, 302);
    const location = new URL(answer.headers.get('location') ?? '');
    assert.equal(location.origin + location.pathname, `${forger.issuer}/authorize`);
    const sent = Object.fromEntries(location.searchParams);
    assert.deepEqual(
      [sent.response_type, sent.client_id, sent.code_challenge_method, sent.login_hint, sent.redirect_uri],
      ['code', 'chancery', 'S256', `ada@${world.domain}`, world.connection.redirectUri],
    );
    for (const secret of [sent.state, sent.nonce, sent.code_challenge]) assert.ok((secret ?? '').length >= 43);
    const cookie = answer.headers.getSetCookie().join();
    assert.match(cookie, /^sso_state=.*Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.ok(!cookie.includes(sent.state ?? ''));
  });

  test('an address without a verified domain, an unknown and an inactive connection cannot start a sign-in', async () => {
    const world = await connected(forger.issuer);
    const start = (query: string) => chancery.call('GET', `${authPath}/sso/start${query}`);
    for (const query of [
      '',
      '?email=ada@nowhere.example',
      '?email=ada',
      '?connectionId=x',
      '?connectionId=01999999-0000-7000-8000-000000000000',
    ])
      is(await start(query), 404, 'sso_not_configured');
    await chancery.call('PATCH', `${sso}/${world.connection.id}`, { token: world.owner.token, body: { isActive: false } });
    is(await start(`?email=ada@${world.domain}`), 404, 'sso_not_configured');
    is(await start(`?connectionId=${world.connection.id}`), 404, 'sso_not_configured');
  });

  test('a connection without a verified domain sends no browser to its provider', async () => {
    const team = await chancery.team();
    const body = { issuer: forger.issuer, clientId: 'chancery', clientSecret: 'x', domains: [`team${(numbers += 1)}.example`] };
    const connection = ok(await chancery.call('POST', sso, { token: team.owner.token, body }));
    const start = () => chancery.call('GET', `${authPath}/sso/start?connectionId=${connection.id}`);
    is(await start(), 404, 'sso_not_configured');
    ok(await chancery.call('PATCH', `${sso}/${connection.id}`, { token: team.owner.token, body: { domains: [] } }));
    is(await start(), 404, 'sso_not_configured');
    ok(await chancery.call('PATCH', `${sso}/${connection.id}`, { token: team.owner.token, body: { domains: body.domains } }));
    const [{ record }] = ok(await chancery.call('GET', `${sso}/${connection.id}`, { token: team.owner.token })).domains;
    texts.set(record.name, [record.value]);
    ok(await chancery.call('POST', `${sso}/${connection.id}/verify-domains`, { token: team.owner.token }));
    assert.equal((await start()).status, 302);
  });

  test('the browser returns only to the service and to CORS_ORIGINS', async () => {
    const world = await connected(forger.issuer);
    for (const returnTo of [
      'https://evil.example',
      '//evil.example/x',
      `${page.origin}.evil.example`,
      'javascript:alert(1)',
      'data:text/html,x',
      `http://x@${new URL(page.origin).host}/`,
      '/\\evil.example',
    ])
      is(
        await chancery.call(
          'GET',
          `${authPath}/sso/start?${new URLSearchParams({ connectionId: world.connection.id, returnTo }).toString()}`,
        ),
        400,
        'sso_callback_invalid',
      );
    for (const returnTo of ['/after', `${page.origin}/after?x=1`]) await begin({ connectionId: world.connection.id, returnTo });
  });

  test('a browser from a foreign page must confirm the sign-in; a browser from an own page need not', async () => {
    const world = await connected(forger.issuer);
    const query = `?connectionId=${world.connection.id}&returnTo=%2Fafter`;
    const start = (headers: Record<string, string>) => chancery.call('GET', `${authPath}/sso/start${query}`, { headers });
    const sent = { 'sec-fetch-site': 'cross-site' };
    for (const headers of [
      sent,
      { ...sent, referer: 'https://evil.example/' },
      { ...sent, referer: 'no address' },
      // Another site of the same domain, such as blog.example.org beside chancery.example.org.
      { 'sec-fetch-site': 'same-site' },
      // A form of a team, which can link to any address.
      { 'sec-fetch-site': 'same-origin' },
    ]) {
      const answer = await start(headers);
      assert.deepEqual([answer.status, answer.headers.get('location')], [302, `${authPath}/sso/continue${query}`]);
      assert.equal(answer.headers.get('set-cookie'), null, 'no sign-in has started');
    }
    const asking = await chancery.call('GET', `${authPath}/sso/continue${query}`, { headers: { 'accept-language': 'de' } });
    assert.match(asking.text, /Weiter zur Anmeldung/);
    assert.ok(asking.text.includes(`href="${authPath}/sso/start${query.replace('&', '&amp;')}"`), asking.text);
    assert.match(asking.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.equal(asking.headers.get('referrer-policy'), 'same-origin', 'its link sends its origin');
    for (const headers of [
      {},
      { 'sec-fetch-site': 'same-origin', referer: `${chancery.config.BASE_URL}${authPath}/sso/continue${query}` },
      { 'sec-fetch-site': 'none' },
      { ...sent, referer: `${page.origin}/in` },
    ]) {
      const answer = await start(headers);
      assert.equal(new URL(answer.headers.get('location') ?? '').origin, forger.issuer, JSON.stringify(headers));
    }
  });

  test('an unreachable provider or one with another issuer is 502, without internal details', async () => {
    const dead = await connected('http://localhost:9');
    const answer = await chancery.call('GET', `${authPath}/sso/start?connectionId=${dead.connection.id}`);
    is(answer, 502, 'sso_provider_unavailable');
    assert.doesNotMatch(answer.text, /ECONNREFUSED|127\.0\.0\.1/);
    const body = { connectionId: dead.connection.id };
    is(await chancery.call('POST', `${authPath}/sso/link`, { token: dead.owner.token, body }), 502, 'sso_provider_unavailable');
    other.metadata = { issuer: forger.issuer };
    const liar = await connected(other.issuer);
    is(await chancery.call('GET', `${authPath}/sso/start?connectionId=${liar.connection.id}`), 502, 'sso_provider_unavailable');
    other.metadata = {};
  });

  test('without private addresses, a name that resolves to one is not reached', async () => {
    const node = await chancery.node('api', { SSO_ALLOW_PRIVATE: 'false', PORT: '0' });
    const { port } = new URL(forger.issuer);
    const { owner } = await chancery.team();
    const { connections } = forger;
    for (const issuer of [`https://inside.example:${port}`, `https://inside.example`]) {
      const made = await fetch(`${node.address}${sso}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ issuer, clientId: 'a', clientSecret: 'b', domains: [`inside${(numbers += 1)}.example`] }),
      });
      const { id } = (await made.json()) as any;
      assert.equal(made.status, 201);
      await chancery.pool.query('UPDATE sso_domain SET verified_at = now() WHERE connection_id = $1', [id]);
      const started = await fetch(`${node.address}${authPath}/sso/start?connectionId=${id}`, { redirect: 'manual' });
      assert.equal(started.status, 502);
      assert.equal(forger.connections, connections);
    }
    const plain = await fetch(`${node.address}${sso}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ issuer: forger.issuer, clientId: 'a', clientSecret: 'b' }),
    });
    assert.equal(plain.status, 400);
  });
});

describe('signed-in users', () => {
  test('an address alone signs in to no account: its owner links it while signed in, gets a mail, and can then sign in', async () => {
    const world = await connected(forger.issuer);
    const member = await memberOf(world);
    const claims = { sub: 'ada', email: member.email, email_verified: true };
    refusedWith(await vouched(world, claims), 'sso_link_required');
    assert.deepEqual(await actsOf(world.id, 'identity.linked'), []);
    assert.deepEqual(await linked(world, member, claims), { linked: 'true' });
    assert.deepEqual(await linked(world, member, claims), { linked: 'true' }, 'a repetition changes nothing');
    const first = await vouched(world, claims, { returnTo: `${page.origin}/in?x=1#old` });
    assert.equal(first.headers.get('location'), `${page.origin}/in?x=1`);
    const session = await sessionOf(first);
    assert.deepEqual([session.sub, session.team, session.amr, session.acr], [member.id, world.id, ['fed'], 'aal1']);
    const subjects = (await mailsTo(chancery, member.email)).map(({ subject }) => subject).join();
    assert.match(subjects, /linked with your organisation/);
    assert.deepEqual((await actsOf(world.id, 'identity.linked'))[0]?.data, { connectionId: world.connection.id });
    const second = await sessionOf(await vouched(world, { sub: 'ada', email: 'changed@elsewhere.example', email_verified: false }));
    assert.equal(second.sub, member.id);
    assert.equal((await actsOf(world.id, 'identity.linked')).length, 1);
    assert.ok(forger.exchanged.every((body) => (body.get('code_verifier') ?? '').length >= 43));
  });

  test('linking needs a recent sign-in, a connection of the own team, and a provider that confirms the address', async () => {
    const [world, stranger] = [await connected(forger.issuer), await connected(forger.issuer)];
    const [member, colleague] = [await memberOf(world), await memberOf(world)];
    const link = (token: string, connectionId: string, more = {}) =>
      chancery.call('POST', `${authPath}/sso/link`, { token, body: { connectionId, ...more } });
    is(await link(member.token, stranger.connection.id), 404, 'sso_not_configured');
    is(await link(member.token, world.connection.id, { returnTo: 'https://evil.example/' }), 400, 'sso_callback_invalid');
    for (const [email, code] of [
      [colleague.email, 'sso_identity_conflict'],
      [`new@${world.domain}`, 'sso_identity_conflict'],
      ['ada@elsewhere.example', 'sso_user_not_found'],
      [undefined, 'sso_email_unverified'],
    ] as const)
      assert.equal((await linked(world, member, { sub: 'ada', email, email_verified: true })).error, code, email ?? 'none');
    const begun = await beginLink(world, member);
    await chancery.pool.query("UPDATE sign_in SET auth_time = now() - interval '16 minutes' WHERE id = $1", [member.sessionId]);
    is(await link(member.token, world.connection.id), 401, 'reauthentication_required');
    forger.claims = { nonce: begun.nonce, sub: 'ada', email: member.email, email_verified: true };
    refusedWith(await back(begun, { code: 'code', state: begun.state }), 'reauthentication_required');
    assert.equal((await chancery.pool.query('SELECT FROM federated_identity WHERE team_id = $1', [world.id])).rowCount, 0);
  });

  test('unlinking a member needs a recent sign-in', async () => {
    const world = await connected(forger.issuer);
    await chancery.pool.query("UPDATE sign_in SET auth_time = now() - interval '16 minutes' WHERE id = $1", [world.owner.sessionId]);
    const { id } = await memberOf(world);
    const answer = await chancery.call('DELETE', `${sso}/${world.connection.id}/identities/${id}`, { token: world.owner.token });
    is(answer, 401, 'reauthentication_required');
  });

  for (const enforce of [false, true])
    test(`another subject with the address of an account never signs in to it${enforce ? ', although the provider is mandatory' : ''}, until it is unlinked`, async () => {
      const world = await connected(forger.issuer, { enforce });
      const email = `ada@${world.domain}`;
      const claims = (sub: string) => ({ sub, email, email_verified: true });
      const answer = await vouched(world, claims('first'));
      const { sub: account, accessToken } = await sessionOf(answer);
      refusedWith(await vouched(world, claims('second')), 'sso_identity_conflict');
      const [entry] = (
        await chancery.pool.query("SELECT target_id, data FROM audit_entry WHERE team_id = $1 AND type = 'identity.conflict'", [world.id])
      ).rows;
      assert.deepEqual(entry, { target_id: account, data: { connectionId: world.connection.id } });
      assert.equal((await linked(world, { token: accessToken }, claims('second'))).error, 'sso_identity_conflict');
      assert.equal((await sessionOf(await vouched(world, claims('first')))).sub, account);
      const unlink = (token: string) => chancery.call('DELETE', `${sso}/${world.connection.id}/identities/${account}`, { token });
      assert.equal((await unlink(world.owner.token)).status, 204);
      is(await unlink(world.owner.token), 404, 'not_found');
      assert.equal((await chancery.call('GET', `${authPath}/profile`, { token: accessToken })).status, 401);
      const next = await vouched(world, claims('second'));
      if (enforce) assert.equal((await sessionOf(next)).sub, account);
      else refusedWith(next, 'sso_link_required');
    });

  const rejectedMails = async (email: string) =>
    (await mailsTo(chancery, email)).filter(({ subject }) => /A sign-in with your address was rejected|wurde abgelehnt/.test(subject));

  test('a mail reports a rejected identity to the account of its address, once a day for each identity, in the language of the user', async () => {
    const world = await connected(forger.issuer);
    const email = `ada@${world.domain}`;
    const claims = (sub: string) => ({ sub, email, email_verified: true });
    const { sub: account, accessToken } = await sessionOf(await vouched(world, claims('first')));
    for (let attempt = 0; attempt < 2; attempt += 1) refusedWith(await vouched(world, claims('second')), 'sso_identity_conflict');
    const [mail, ...more] = await rejectedMails(email);
    assert.deepEqual(more, []);
    assert.ok(mail?.text.includes(new URL(forger.issuer).host));
    assert.equal((await actsOf(world.id, 'identity.conflict')).length, 2);
    await chancery.pool.query("UPDATE person SET locale = 'de' WHERE id = $1", [account]);
    refusedWith(await vouched(world, claims('third')), 'sso_identity_conflict');
    assert.equal((await rejectedMails(email)).filter(({ subject }) => /wurde abgelehnt/.test(subject)).length, 1);
    // A colleague whose provider claims this address is not linked to it either.
    const colleague = await memberOf(world);
    assert.equal((await linked(world, colleague, claims('fourth'))).error, 'sso_identity_conflict');
    assert.equal((await rejectedMails(email)).length, 3);
    assert.equal((await linked(world, { token: accessToken }, claims('first'))).linked, 'true');
    assert.equal((await rejectedMails(email)).length, 3);
  });

  test('an identity of another issuer is reported to a linked account by mail, and not to an account without a link', async () => {
    const world = await connected(forger.issuer);
    const { token } = world.owner;
    const email = `ada@${world.domain}`;
    await sessionOf(await vouched(world, { sub: 'first', email, email_verified: true }));
    const { email: unlinked } = await memberOf(world);
    ok(await chancery.call('PATCH', `${sso}/${world.connection.id}`, { token, body: { domains: [] } }));
    const body = { issuer: other.issuer, clientId: 'chancery', clientSecret: 'x', domains: [world.domain] };
    const second = ok(await chancery.call('POST', sso, { token, body }));
    for (const { record } of second.domains) texts.set(record.name, [record.value]);
    ok(await chancery.call('POST', `${sso}/${second.id}/verify-domains`, { token }));
    const attempt = async (address: string) => {
      const begun = await begin({ connectionId: second.id });
      other.claims = { nonce: begun.nonce, sub: address, email: address, email_verified: true };
      refusedWith(await back(begun, { code: 'code', state: begun.state }), 'sso_link_required');
    };
    await attempt(email);
    await attempt(unlinked);
    assert.deepEqual(
      [(await rejectedMails(email)).length, (await rejectedMails(unlinked)).length, await actsOf(world.id, 'identity.conflict')],
      [1, 0, [{ type: 'identity.conflict', data: { connectionId: second.id } }]],
    );
  });

  test('a user lists and removes their identities after a recent sign-in, but not the last sign-in method', async () => {
    const world = await connected(forger.issuer);
    const identities = (token: string) => chancery.call('GET', `${authPath}/identities`, { token });
    const remove = (token: string, id: string) => chancery.call('DELETE', `${authPath}/identities/${id}`, { token });
    const claims = { sub: 'grace', email: `grace@${world.domain}`, email_verified: true };
    const { accessToken: only } = await sessionOf(await vouched(world, claims));
    const [own] = ok(await identities(only));
    const { id, createdAt, lastUsedAt, ...shown } = own;
    assert.deepEqual(shown, { connectionId: world.connection.id, issuer: forger.issuer, subject: 'grace', email: claims.email });
    assert.ok(createdAt <= lastUsedAt);
    is(await remove(only, id), 409, 'last_sign_in_method');
    assert.equal(ok(await identities(only)).length, 1);
    const stranger = await registered(chancery);
    assert.deepEqual(ok(await identities(stranger.token)), []);
    is(await remove(stranger.token, id), 404, 'not_found');
    const { accessToken: second } = await sessionOf(await vouched(world, claims));
    await chancery.pool.query("UPDATE person SET password_hash = 'x' WHERE email_key = $1", [claims.email]);
    const aged = (minutes: number) =>
      chancery.pool.query(
        'UPDATE sign_in SET auth_time = now() - make_interval(mins => $2) WHERE id IN (SELECT id FROM session WHERE team_id = $1)',
        [world.id, minutes],
      );
    await aged(16);
    is(await remove(only, id), 401, 'reauthentication_required');
    await aged(0);
    assert.equal((await remove(only, id)).status, 204);
    assert.deepEqual(ok(await identities(only)), []);
    assert.equal((await identities(second)).status, 401, 'other sessions have ended');
    refusedWith(await vouched(world, claims), 'sso_link_required');
    assert.equal((await actsOf(world.id, 'identity.unlinked')).length, 1);
    assert.ok((await mailsTo(chancery, claims.email)).some(({ subject }) => /identity was removed/.test(subject)));
  });

  test('an administrator lists and removes the identities of a member, after a recent sign-in; other teams and members cannot', async () => {
    const world = await connected(forger.issuer);
    const claims = { sub: 'lin', email: `lin@${world.domain}`, email_verified: true };
    const { sub: member, accessToken: session } = await sessionOf(await vouched(world, claims));
    const path = `/api/v1/team/members/${member}/identities`;
    const list = (token: string) => chancery.call('GET', path, { token });
    const [one, ...more] = ok(await list(world.owner.token));
    assert.deepEqual([one.subject, one.issuer, one.email, more], ['lin', forger.issuer, claims.email, []]);
    const remove = (token: string) => chancery.call('DELETE', `${path}/${one.id}`, { token });
    const stranger = await registered(chancery);
    is(await list(stranger.token), 404, 'not_found');
    is(await remove(stranger.token), 404, 'not_found');
    const colleague = await memberOf(world);
    is(await list(colleague.token), 403, 'forbidden');
    is(await remove(colleague.token), 403, 'insufficient_scope');
    const aged = (minutes: number) =>
      chancery.pool.query('UPDATE sign_in SET auth_time = now() - make_interval(mins => $2) WHERE id = $1', [
        world.owner.sessionId,
        minutes,
      ]);
    await aged(16);
    is(await remove(world.owner.token), 401, 'reauthentication_required');
    await aged(0);
    assert.equal((await remove(world.owner.token)).status, 204);
    is(await remove(world.owner.token), 404, 'not_found');
    assert.deepEqual(ok(await list(world.owner.token)), []);
    assert.equal((await chancery.call('GET', `${authPath}/profile`, { token: session })).status, 401, 'the sessions have ended');
    assert.deepEqual(await actsOf(world.id, 'identity.unlinked'), [
      { type: 'identity.unlinked', data: { connectionId: world.connection.id } },
    ]);
    assert.ok((await mailsTo(chancery, claims.email)).some(({ text }) => text.includes('An administrator of your team removed')));
  });

  test('a rejected identity is reported to the owner and the administrators by mail, once a day for each identity', async () => {
    const world = await connected(forger.issuer);
    const email = `kim@${world.domain}`;
    const claims = (sub: string) => ({ sub, email, email_verified: true });
    await sessionOf(await vouched(world, claims('first')));
    const { email: colleague } = await memberOf(world);
    const reports = async (to: string) =>
      (await mailsTo(chancery, to)).filter(
        ({ subject, text }) => subject === 'A sign-in with the address of a member was rejected' && text.includes(email),
      );
    for (let attempt = 0; attempt < 2; attempt += 1) refusedWith(await vouched(world, claims('second')), 'sso_identity_conflict');
    assert.deepEqual(
      [(await reports(world.owner.email)).length, (await reports(colleague)).length, (await reports(email)).length],
      [1, 0, 0],
    );
  });

  test('of fifty concurrent subjects with one new address, one gets the account, and the others get a conflict', async () => {
    const world = await connected(forger.issuer);
    await chancery.pool.query('DELETE FROM throttle');
    const begun = await Promise.all(Array.from({ length: 50 }, () => begin({ connectionId: world.connection.id })));
    for (const { state, nonce } of begun)
      forger.byCode.set(state, { nonce, sub: state, email: `new@${world.domain}`, email_verified: true });
    const answers = await Promise.all(begun.map((one) => back(one, { code: one.state, state: one.state })));
    const codes = answers.map((answer) => fragmentOf(answer).error);
    assert.equal(codes.filter((code) => code === undefined).length, 1);
    assert.ok(
      codes.every((code) => code === undefined || code === 'sso_identity_conflict' || code === 'rate_limited'),
      codes.join(),
    );
    const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM federated_identity WHERE team_id = $1', [world.id]);
    assert.deepEqual(rows, [{ n: 1 }]);
    await chancery.pool.query('DELETE FROM throttle');
  });

  test('with a mandatory provider, a first sign-in links a member by address, but not an administrator or the owner', async () => {
    const world = await connected(forger.issuer, { enforce: true });
    const member = await memberOf(world);
    assert.equal((await sessionOf(await vouched(world, { sub: 'm', email: member.email, email_verified: true }))).sub, member.id);
    for (const role of ['admin', 'owner'] as const) {
      const { id } = await memberOf(world, 'admin');
      await chancery.pool.query('UPDATE account SET role = $2 WHERE id = $1', [role === 'owner' ? world.owner.id : id, role]);
      const email = `${role}@${world.domain}`;
      await chancery.pool.query('UPDATE person SET email = $2, email_key = $2 WHERE id = $1', [
        role === 'owner' ? world.owner.id : id,
        email,
      ]);
      refusedWith(await vouched(world, { sub: role, email, email_verified: true }), 'sso_link_required');
    }
  });

  test('a new user with an address of the domain joins with the role of the connection and without a password', async () => {
    const world = await connected(forger.issuer, { defaultRole: 'viewer' });
    const email = `Grace.Hopper@${world.domain}`;
    const session = await sessionOf(
      await vouched(world, { sub: 'grace', email, email_verified: true, given_name: 'Grace', family_name: 'http://evil.example' }),
    );
    assert.deepEqual([session.team, session.role], [world.id, 'viewer']);
    const profile = ok(await chancery.call('GET', `${authPath}/profile`, { token: session.accessToken }));
    assert.deepEqual([profile.email, profile.firstName, profile.lastName, profile.role], [email, 'Grace', '–', 'viewer']);
    assert.deepEqual((await actsOf(world.id, 'member.joined'))[0]?.data, { role: 'viewer' });
    is(await signIn(chancery, email), 401, 'invalid_credentials');
  });

  test('a connection with `jit: false` creates no account, links members as before, and requires an invitation until it is `true`', async () => {
    const world = await connected(forger.issuer, { enforce: true, jit: false });
    assert.equal(world.connection.jit, false);
    const claims = { sub: 'new', email: `new@${world.domain}`, email_verified: true };
    const rejected = await vouched(world, claims);
    refusedWith(rejected, 'sso_user_not_found');
    assert.match(fragmentOf(rejected).error_description ?? '', /Ask an administrator of the team to invite you/);
    assert.equal((await chancery.pool.query('SELECT FROM account WHERE email_key = $1', [claims.email])).rowCount, 0);
    const member = await memberOf(world);
    assert.equal((await sessionOf(await vouched(world, { ...claims, sub: 'm', email: member.email }))).sub, member.id);
    const change = (jit: boolean) => chancery.call('PATCH', `${sso}/${world.connection.id}`, { token: world.owner.token, body: { jit } });
    assert.equal(ok(await change(true)).jit, true);
    await sessionOf(await vouched(world, claims));
    await chancery.pool.query("UPDATE sign_in SET auth_time = now() - interval '16 minutes' WHERE id = $1", [world.owner.sessionId]);
    assert.equal(ok(await change(false)).jit, false);
    is(await change(true), 401, 'reauthentication_required');
  });

  test('fifty concurrent sign-ins of one new subject all use the one created account', async () => {
    const world = await connected(forger.issuer);
    const begun = await Promise.all(Array.from({ length: 50 }, () => begin({ connectionId: world.connection.id })));
    const claims = { sub: 'new', email: `new@${world.domain}`, email_verified: true };
    for (const { state, nonce } of begun) forger.byCode.set(state, { ...claims, nonce });
    const answers = await Promise.all(begun.map((one) => back(one, { code: one.state, state: one.state })));
    const sessions = await Promise.all(answers.map(sessionOf));
    assert.equal(new Set(sessions.map(({ sub }) => sub)).size, 1);
    assert.equal((await chancery.pool.query('SELECT FROM account WHERE team_id = $1', [world.id])).rowCount, 2);
    assert.equal((await actsOf(world.id, 'member.joined')).length, 1);
  });

  test('without an address verified by the provider no user is linked or joins', async () => {
    const world = await connected(forger.issuer);
    const { email } = await memberOf(world);
    for (const claims of [
      { email, email_verified: false },
      { email },
      { email_verified: true },
      { email: 5, email_verified: true },
      { email: 'x', email_verified: true },
    ])
      refusedWith(await vouched(world, { sub: 'somebody', ...claims }), 'sso_email_unverified');
    forger.metadata = { userinfo_endpoint: `${forger.issuer}/userinfo` };
    const ssoTeam = await connected(forger.issuer);
    const { email: theirs } = await memberOf(ssoTeam);
    forger.userinfo = { sub: 'somebody', email: theirs };
    refusedWith(await vouched(ssoTeam, { sub: 'somebody', email_verified: true }), 'sso_email_unverified');
    forger.userinfo = { sub: 'somebody', email: `new@${ssoTeam.domain}`, email_verified: true };
    await sessionOf(await vouched(ssoTeam, { sub: 'somebody' }));
  });

  const names = { given_name: 'Grace', family_name: 'Hopper', name: 'Grace Hopper' };
  /** ID tokens of these providers, without their common claims. */
  const tokensOf: Record<string, (email: string) => Record<string, unknown>> = {
    'Entra ID with the optional claim xms_edov': (email) => ({ ...entra(email), xms_edov: true }),
    'Entra ID with xms_edov as a text': (email) => ({ ...entra(email), xms_edov: '1' }),
    'Entra ID with xms_edov as a number': (email) => ({ ...entra(email), xms_edov: 1 }),
    Okta: (email) => ({
      ver: 1,
      amr: ['pwd'],
      idp: '00o1n8sbwArJ7OQRw406',
      email,
      email_verified: true,
      preferred_username: email,
      ...names,
    }),
    Google: (email) => ({
      azp: 'chancery',
      hd: email.split('@')[1],
      email,
      email_verified: true,
      picture: 'https://g.example/p',
      ...names,
    }),
    Keycloak: (email) => ({
      typ: 'ID',
      azp: 'chancery',
      acr: '1',
      sid: 'f2d1',
      email_verified: true,
      preferred_username: 'grace',
      email,
      ...names,
    }),
    'a provider that sends it as text': (email) => ({ email, email_verified: 'true' }),
  };
  function entra(email: string) {
    const [tid, oid] = ['9122040d-6c67-4c5b-b112-36a304b66dad', '690222be-ff1a-4d56-abd1-7e4f7d38e474'];
    return { ver: '2.0', tid, oid, acct: 0, rh: '0.AR', uti: 'u', email, preferred_username: email, ...names };
  }
  for (const [name, claims] of Object.entries(tokensOf))
    test(`a new user joins by the claims of ${name}`, async () => {
      const world = await connected(forger.issuer);
      const email = `grace@${world.domain}`;
      const { accessToken } = await sessionOf(await vouched(world, { sub: 'grace', ...claims(email) }));
      assert.equal(ok(await chancery.call('GET', `${authPath}/profile`, { token: accessToken })).email, email);
    });

  test('a new user joins by the userinfo of Okta, because its ID token omits the address', async () => {
    forger.metadata = { userinfo_endpoint: `${forger.issuer}/userinfo` };
    const world = await connected(forger.issuer);
    const email = `grace@${world.domain}`;
    forger.userinfo = { sub: 'grace', email, email_verified: true, zoneinfo: 'America/Los_Angeles', ...names };
    await sessionOf(await vouched(world, { sub: 'grace', ver: 1, amr: ['pwd'] }));
  });

  test('claims of Entra ID without xms_edov are trusted only if the connection trusts its domains', async () => {
    const [careful, trusting] = [await connected(forger.issuer), await connected(forger.issuer, { emailTrust: 'domain' })];
    assert.deepEqual([careful.connection.emailTrust, trusting.connection.emailTrust], ['claim', 'domain']);
    const claims = ({ domain }: World) => ({ sub: 'grace', ...entra(`grace@${domain}`) });
    refusedWith(await vouched(careful, claims(careful)), 'sso_email_unverified');
    refusedWith(await vouched(trusting, { ...claims(trusting), email: 'grace@elsewhere.example' }), 'sso_user_not_found');
    await sessionOf(await vouched(trusting, claims(trusting)));
    ok(await chancery.call('PATCH', `${sso}/${careful.connection.id}`, { token: careful.owner.token, body: { emailTrust: 'domain' } }));
    await sessionOf(await vouched(careful, claims(careful)));
  });

  test('an address that the provider denies is never trusted, nor is the address of a guest of the tenant', async () => {
    const world = await connected(forger.issuer, { emailTrust: 'domain' });
    for (const denied of [
      { email_verified: false },
      { email_verified: 'false' },
      { xms_edov: false },
      { xms_edov: '0' },
      { xms_edov: 0 },
      { email_verified: true, xms_edov: false },
      { xms_edov: true, acct: 1 },
      { acct: '1' },
    ])
      refusedWith(await vouched(world, { sub: 'grace', ...entra(`grace@${world.domain}`), ...denied }), 'sso_email_unverified');
    forger.metadata = { userinfo_endpoint: `${forger.issuer}/userinfo` };
    const trusting = await connected(forger.issuer, { emailTrust: 'domain' });
    forger.userinfo = { sub: 'grace', email: `grace@${trusting.domain}` };
    refusedWith(await vouched(trusting, { sub: 'grace', xms_edov: false }), 'sso_email_unverified');
  });

  test('a connection with Entra ID names one tenant, and trusts its domains unless it says otherwise', async () => {
    const { owner } = await chancery.team();
    const make = (tenant: string, more = {}) => {
      const issuer = `https://login.microsoftonline.com/${tenant}/v2.0`;
      return chancery.call('POST', sso, { token: owner.token, body: { issuer, clientId: 'a', clientSecret: 'b', ...more } });
    };
    for (const tenant of ['common', 'organizations', 'consumers', '{tenantid}', 'Common']) {
      const answer = await make(tenant);
      is(answer, 400, 'validation_failed');
      assert.equal(answer.body.errors[0].rule, 'single_tenant', tenant);
    }
    assert.equal(ok(await make('9122040d-6c67-4c5b-b112-36a304b66dad')).emailTrust, 'domain');
    assert.equal(ok(await make('9122040d-6c67-4c5b-b112-36a304b66dad', { emailTrust: 'claim' })).emailTrust, 'claim');
  });

  test('an address of a domain that the team has not verified can neither link nor join', async () => {
    const world = await connected(forger.issuer);
    const stranger = await registered(chancery);
    for (const email of [stranger.email, world.owner.email, `x@sub.${world.domain}`, `x@evil${world.domain}`])
      refusedWith(await vouched(world, { sub: 'evil', email, email_verified: true }), 'sso_user_not_found');
    await chancery.call('PATCH', `${sso}/${world.connection.id}`, {
      token: world.owner.token,
      body: { domains: [world.domain, 'unverified.example'] },
    });
    refusedWith(await vouched(world, { sub: 'evil', email: 'x@unverified.example', email_verified: true }), 'sso_user_not_found');
  });

  test('a person of another team joins with an address of a verified domain, and the sign-in opens no other team', async () => {
    const world = await connected(forger.issuer);
    const elsewhere = await chancery.team();
    const person = await memberOf({ ...world, ...elsewhere, domain: world.domain, connection: world.connection });
    const joined = await sessionOf(await vouched(world, { sub: 'ada', email: person.email, email_verified: true }));
    assert.deepEqual([joined.team, joined.sub], [world.id, person.id]);
    const by = (path: string, body?: object) => chancery.call('POST', `${authPath}/${path}`, { token: joined.accessToken, body });
    is(await by('switch-team', { teamId: elsewhere.id }), 401, 'reauthentication_required');
    is(await by('passkeys/options'), 401, 'reauthentication_required');
    is(await by('2fa/enable-init'), 401, 'reauthentication_required');
    is(await by('teams', { name: 'Mine' }), 401, 'reauthentication_required');
    await provesThemselves(joined);
    assert.equal((await by('switch-team', { teamId: elsewhere.id })).status, 200);
  });

  test('the same subject at another team’s provider is another user', async () => {
    const [one, two] = [await connected(forger.issuer), await connected(forger.issuer)];
    const first = await sessionOf(await vouched(one, { sub: 'same', email: `a@${one.domain}`, email_verified: true }));
    refusedWith(await vouched(two, { sub: 'same', email: `a@${one.domain}`, email_verified: true }), 'sso_user_not_found');
    const second = await sessionOf(await vouched(two, { sub: 'same', email: `a@${two.domain}`, email_verified: true }));
    assert.notEqual(first.sub, second.sub);
    assert.deepEqual([first.team, second.team], [one.id, two.id]);
  });

  test('a suspended member cannot sign in, and a former member gets no access to their old account', async () => {
    const world = await connected(forger.issuer);
    const claims = { sub: 'ada', email: `ada@${world.domain}`, email_verified: true };
    const { sub } = await sessionOf(await vouched(world, claims));
    await chancery.pool.query("UPDATE account SET status = 'disabled' WHERE id = $1", [sub]);
    refusedWith(await vouched(world, claims), 'account_disabled');
    await chancery.pool.query("UPDATE account SET status = 'active' WHERE id = $1", [sub]);
    ok(await chancery.call('DELETE', `/api/v1/team/members/${sub}`, { token: world.owner.token }));
    refusedWith(await vouched(world, claims), 'sso_user_not_found');
  });

  test('a removed member can return only by an invitation, not by the provider, even without an account', async () => {
    const world = await connected(forger.issuer);
    const claims = { sub: 'ada', email: `ada@${world.domain}`, email_verified: true };
    const { sub } = await sessionOf(await vouched(world, claims));
    ok(await chancery.call('DELETE', `/api/v1/team/members/${sub}`, { token: world.owner.token }));
    // As if they had deleted themselves.
    await chancery.pool.query("UPDATE account SET deleted_at = now(), status = 'deleted', email = '', email_key = '' WHERE id = $1", [sub]);
    await chancery.pool.query("UPDATE person SET deleted_at = now(), email = '', email_key = '' WHERE id = $1", [sub]);
    refusedWith(await vouched(world, claims), 'sso_user_not_found');
    const invited = { token: world.owner.token, body: { email: claims.email, role: 'member' } };
    assert.equal((await chancery.call('POST', '/api/v1/team/invitations', invited)).status, 201);
    const [mail] = await mailsTo(chancery, claims.email);
    const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
    const body = { token, firstName: 'Ada', lastName: 'Lovelace', password: goodPassword };
    ok(await chancery.call('POST', '/api/v1/team/invitations/accept', { body }));
    refusedWith(await vouched(world, claims), 'sso_link_required');
    const { accessToken } = ok(await signIn(chancery, claims.email));
    assert.deepEqual(await linked(world, { token: accessToken }, claims), { linked: 'true' });
    const again = await sessionOf(await vouched(world, claims));
    assert.deepEqual([again.team, again.sub === sub], [world.id, false]);
  });

  test('the provider’s time of the sign-in decides whether it is recent; `prompt=login` requests a new one', async () => {
    const world = await connected(forger.issuer);
    const claims = { sub: 'ada', email: `ada@${world.domain}`, email_verified: true };
    const old = await sessionOf(await vouched(world, { ...claims, auth_time: Math.floor(Date.now() / 1_000) - 3_600 }));
    const unlink = async (token: string) => {
      const [own] = (await chancery.call('GET', `${authPath}/identities`, { token })).body;
      return chancery.call('DELETE', `${authPath}/identities/${own.id}`, { token });
    };
    is(await unlink(old.accessToken), 401, 'reauthentication_required');
    const begun = await begin({ connectionId: world.connection.id, prompt: 'login' });
    assert.deepEqual([begun.location.searchParams.get('prompt'), begun.location.searchParams.get('max_age')], ['login', '0']);
    const fresh = await sessionOf(await vouched(world, { ...claims, auth_time: Math.floor(Date.now() / 1_000) }, { prompt: 'login' }));
    is(await unlink(fresh.accessToken), 409, 'last_sign_in_method');
  });
});

/** As if the person had entered a password of their own on the device that is signed in. */
async function provesThemselves({ sub }: { sub: string }): Promise<void> {
  await chancery.pool.query('UPDATE sign_in SET own_proof_at = now() WHERE person_id = $1', [sub]);
}

async function withPasskey(world: World, sub: string) {
  const claims = { sub, email: `${sub}@${world.domain}`, email_verified: true };
  const session = await sessionOf(await vouched(world, claims));
  await provesThemselves(session);
  const { accessToken } = session;
  const authenticator = createAuthenticator({ origin: chancery.config.BASE_URL });
  const options = ok(await chancery.call('POST', `${authPath}/passkeys/options`, { token: accessToken }));
  ok(
    await chancery.call('POST', `${authPath}/passkeys`, {
      token: accessToken,
      body: { name: 'Key', response: authenticator.create(options) },
    }),
  );
  return { claims, authenticator };
}

describe('the second factor', () => {
  test('is still required here: the fragment has a challenge, which completes the sign-in', async () => {
    const world = await connected(forger.issuer);
    const { claims, authenticator } = await withPasskey(world, 'ada');
    // Claims of an untrusted provider about its second factor are ignored.
    const answer = await vouched(world, { ...claims, amr: ['pwd', 'mfa'], acr: 'aal2' });
    const { challengeId = '', methods, expiresIn } = fragmentOf(answer);
    assert.deepEqual([methods, expiresIn, cookieOf(answer, 'refresh_token')], ['backup_code,webauthn', '300', '']);
    const options = ok(await chancery.call('POST', `${authPath}/verify-passkey/options`, { body: { challengeId } }));
    const done = ok(
      await chancery.call('POST', `${authPath}/verify-passkey`, { body: { challengeId, response: authenticator.get(options) } }),
    );
    assert.deepEqual([decodeJwt(done.accessToken).amr, decodeJwt(done.accessToken).acr], [['fed', 'hwk'], 'aal2']);
  });

  test('is not required again if the team trusts the provider and the provider reports one', async () => {
    const world = await connected(forger.issuer, { trustMfa: true });
    const { claims } = await withPasskey(world, 'ada');
    assert.ok(fragmentOf(await vouched(world, { ...claims, amr: ['pwd'] })).challengeId);
    assert.ok(fragmentOf(await vouched(world, { ...claims, acr: 'urn:anything' })).challengeId);
    for (const said of [{ amr: ['pwd', 'mfa'] }, { acr: 'http://schemas.openid.net/pape/policies/2007/06/multi-factor' }]) {
      const session = await sessionOf(await vouched(world, { ...claims, ...said }));
      assert.deepEqual([session.amr, session.acr], [['fed', 'mfa'], 'aal2']);
    }
  });

  test('of a provider and the password are no own proof of a person with a second factor', async () => {
    const world = await connected(forger.issuer, { trustMfa: true });
    const member = await memberOf(world);
    const { id } = await registered(chancery);
    await chancery.pool.query('UPDATE person SET password_hash = (SELECT password_hash FROM person WHERE id = $2) WHERE id = $1', [
      member.id,
      id,
    ]);
    const claims = { sub: 'ada', email: member.email, email_verified: true };
    assert.deepEqual(await linked(world, member, claims), { linked: 'true' });
    const authenticator = createAuthenticator({ origin: chancery.config.BASE_URL });
    const call = (token: string, path: string, body: object = {}) => chancery.call('POST', `${authPath}/${path}`, { token, body });
    const options = ok(await call(member.token, 'passkeys/options'));
    ok(await call(member.token, 'passkeys', { name: 'Key', response: authenticator.create(options) }));
    const { accessToken } = await sessionOf(await vouched(world, { ...claims, amr: ['pwd', 'mfa'] }));
    const { accessToken: known } = ok(await call(accessToken, 'reauthenticate', { password: goodPassword }));
    is(await call(known, 'passkeys/options'), 401, 'reauthentication_required');
    const passkey = authenticator.get(ok(await call(known, 'reauthenticate/options')));
    const { accessToken: proven } = ok(await call(known, 'reauthenticate', { passkey }));
    ok(await call(proven, 'passkeys/options'));
  });

  test('of a provider counts for the rules of a team only in sessions through that provider', async () => {
    const world = await connected(forger.issuer, { trustMfa: true });
    await chancery.pool.query('INSERT INTO team_policy (team_id, second_factor, version, updated_at) VALUES ($1, true, 1, now())', [
      world.id,
    ]);
    const claims = { sub: 'ada', email: `ada@${world.domain}`, email_verified: true, amr: ['mfa'] };
    const { accessToken, sub } = await sessionOf(await vouched(world, claims));
    const folders = () => chancery.call('GET', '/api/v1/smartdoc/folders', { token: accessToken });
    ok(await folders());
    await chancery.pool.query('UPDATE session SET connection_id = NULL WHERE account_id = $1', [sub]);
    const { accessToken: later } = await sessionOf(await vouched(world, claims));
    await chancery.pool.query('UPDATE session SET connection_id = NULL WHERE account_id = $1', [sub]);
    is(await chancery.call('GET', '/api/v1/smartdoc/folders', { token: later }), 403, 'second_factor_required');
  });
});

describe('deleting a connection', () => {
  const remove = ({ owner, connection }: World) => chancery.call('DELETE', `${sso}/${connection.id}`, { token: owner.token });
  const profileOf = async (token: string) => (await chancery.call('GET', `${authPath}/profile`, { token })).status;

  test('ends the sessions that began through it on every node, including pending second factors, and no others', async () => {
    const world = await connected(forger.issuer);
    const member = await memberOf(world);
    const claims = { sub: 'ada', email: member.email, email_verified: true };
    assert.deepEqual(await linked(world, member, claims), { linked: 'true' });
    const answer = await vouched(world, claims);
    const through = await sessionOf(answer);
    const neighbour = await connected(forger.issuer);
    const elsewhere = await sessionOf(await vouched(neighbour, { sub: 'eve', email: `eve@${neighbour.domain}`, email_verified: true }));
    const node = await chancery.node('api', { PORT: '0' });
    const atNode = (token: string) =>
      fetch(`${node.address}${authPath}/profile`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);
    assert.deepEqual([await profileOf(through.accessToken), await atNode(through.accessToken)], [200, 200]);
    const { claims: waiting, authenticator } = await withPasskey(world, 'grace');
    const { challengeId = '' } = fragmentOf(await vouched(world, waiting));
    const options = ok(await chancery.call('POST', `${authPath}/verify-passkey/options`, { body: { challengeId } }));
    assert.equal((await remove(world)).status, 204);
    assert.equal(await profileOf(through.accessToken), 401);
    await eventually('the other node is notified', async () => (await atNode(through.accessToken)) === 401);
    is(
      await chancery.call('POST', `${authPath}/refresh`, { body: { refreshToken: cookieOf(answer, 'refresh_token') } }),
      403,
      'team_closed',
    );
    const late = { challengeId, response: authenticator.get(options) };
    is(await chancery.call('POST', `${authPath}/verify-passkey`, { body: late }), 401, 'invalid_challenge');
    assert.deepEqual([await profileOf(member.token), await profileOf(elsewhere.accessToken)], [200, 200], 'sessions of other sign-ins');
  });

  test('leaves no session of concurrent sign-ins, with or without a second factor', async () => {
    const world = await connected(forger.issuer);
    const { claims, authenticator } = await withPasskey(world, 'grace');
    const { challengeId = '' } = fragmentOf(await vouched(world, claims));
    const options = ok(await chancery.call('POST', `${authPath}/verify-passkey/options`, { body: { challengeId } }));
    const begun = await begin({ connectionId: world.connection.id });
    forger.claims = { nonce: begun.nonce, sub: 'ada', email: `ada@${world.domain}`, email_verified: true };
    const [removed] = await Promise.all([
      remove(world),
      back(begun, { code: 'code', state: begun.state }),
      chancery.call('POST', `${authPath}/verify-passkey`, { body: { challengeId, response: authenticator.get(options) } }),
    ]);
    assert.equal(removed.status, 204);
    const { rows } = await chancery.pool.query(
      "SELECT i.id FROM session s JOIN sign_in i ON i.id = s.id WHERE s.team_id = $1 AND 'fed' = ANY (i.amr) AND s.revoked_at IS NULL",
      [world.id],
    );
    assert.deepEqual(rows, []);
  });
});

describe('changing a connection', () => {
  for (const [how, body] of [
    ['it is deactivated', { isActive: false }],
    ['it loses its domains', { domains: [] }],
  ] as const)
    test(`so that ${how} stops sign-ins, including those that wait for a second factor`, async () => {
      const world = await connected(forger.issuer);
      const { claims, authenticator } = await withPasskey(world, 'grace');
      const { challengeId = '' } = fragmentOf(await vouched(world, claims));
      const options = ok(await chancery.call('POST', `${authPath}/verify-passkey/options`, { body: { challengeId } }));
      ok(await chancery.call('PATCH', `${sso}/${world.connection.id}`, { token: world.owner.token, body }));
      const late = { challengeId, response: authenticator.get(options) };
      is(await chancery.call('POST', `${authPath}/verify-passkey`, { body: late }), 401, 'invalid_challenge');
    });
});

test('a connection that loses its domains during the request to its provider signs no user in', async () => {
  const world = await connected(forger.issuer);
  const claims = { sub: 'ada', email: `ada@${world.domain}`, email_verified: true };
  await sessionOf(await vouched(world, claims));
  forger.meanwhile = async () =>
    ok(await chancery.call('PATCH', `${sso}/${world.connection.id}`, { token: world.owner.token, body: { domains: [] } }));
  const answer = await vouched(world, claims).finally(() => (forger.meanwhile = async () => undefined));
  refusedWith(answer, 'sso_not_configured');
});

describe('responses that are forged, outdated or from another browser', () => {
  const claims = (world: World) => ({ sub: 'ada', email: `ada@${world.domain}`, email_verified: true });
  const now = () => Math.floor(Date.now() / 1_000);

  for (const [what, odd] of [
    ['with another nonce', () => ({ nonce: 'another' })],
    ['without a nonce', () => ({ nonce: undefined })],
    ['for another client', () => ({ aud: 'another' })],
    ['for several clients with another authorised party', () => ({ aud: ['chancery', 'another'], azp: 'another' })],
    ['of another issuer', () => ({ iss: other.issuer })],
    ['for only this client, issued to another', () => ({ aud: 'chancery', azp: 'another' })],
    ['for a list of only this client, issued to another', () => ({ aud: ['chancery'], azp: 'another' })],
    ['that has expired', () => ({ iat: now() - 700, exp: now() - 600 })],
    ['without a subject', () => ({ sub: undefined })],
  ] as [string, () => Record<string, unknown>][]) {
    test(`an ID token ${what} is rejected, and the journal has the reason`, async () => {
      const world = await connected(forger.issuer);
      refusedWith(await vouched(world, { ...claims(world), ...odd() }), 'sso_response_invalid');
      const [entry] = await actsOf(world.id, 'sso.answer_refused');
      assert.match(entry?.data.reason, /^OAUTH_|^ERR_AUTHORIZED_PARTY$/);
    });
  }

  for (const [what, make] of [
    ['signed with a key that the issuer does not publish', () => ({ forge: true })],
    ['with claims changed after signing', () => ({ alter: changed })],
    ['without a signature', () => ({ alter: unsigned })],
  ] as [string, () => Partial<Forger>][]) {
    test(`an ID token ${what} is rejected`, async () => {
      const world = await connected(forger.issuer);
      Object.assign(forger, make());
      refusedWith(await vouched(world, claims(world)), 'sso_response_invalid');
    });
  }
  function changed(token: string): string {
    const [head, body = '', signature] = token.split('.');
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString());
    return [head, Buffer.from(JSON.stringify({ ...payload, sub: 'somebody else' })).toString('base64url'), signature].join('.');
  }
  function unsigned(token: string): string {
    const [, body] = token.split('.');
    return [Buffer.from('{"alg":"none"}').toString('base64url'), body, ''].join('.');
  }

  test('a newly rotated key of the provider works at once; keys are fetched at most six times a minute', async () => {
    const world = await connected(forger.issuer);
    await sessionOf(await vouched(world, claims(world)));
    const fetchedOnce = forger.keyFetches;
    await sessionOf(await vouched(world, claims(world)));
    assert.equal(forger.keyFetches, fetchedOnce, 'a known key is not fetched again');
    for (let n = 0; n < 5; n += 1) {
      await forger.rotate();
      await sessionOf(await vouched(world, claims(world)));
    }
    assert.equal(forger.keyFetches, fetchedOnce + 5);
    await forger.rotate();
    for (let n = 0; n < 3; n += 1) refusedWith(await vouched(world, claims(world)), 'sso_provider_unavailable');
    assert.equal(forger.keyFetches, fetchedOnce + 5);
  });

  test('a response signs in once, also with 50 concurrent requests', async () => {
    const world = await connected(forger.issuer);
    const begun = await begin({ connectionId: world.connection.id });
    forger.claims = { nonce: begun.nonce, ...claims(world) };
    const answers = await Promise.all(Array.from({ length: 50 }, () => back(begun, { code: 'code', state: begun.state })));
    assert.equal(answers.filter((answer) => cookieOf(answer, 'refresh_token') !== '').length, 1);
    assert.equal(forger.exchanged.length, 1);
    is(await back(begun, { code: 'code', state: begun.state }), 400, 'sso_state_invalid');
  });

  test('a response in another browser, with another state or cookie, or after ten minutes is rejected', async () => {
    const world = await connected(forger.issuer);
    const [mine, theirs] = [await begin({ connectionId: world.connection.id }), await begin({ connectionId: world.connection.id })];
    forger.claims = { nonce: mine.nonce, ...claims(world) };
    const answer = { code: 'code', state: mine.state };
    is(await back(mine, answer, ''), 400, 'sso_state_invalid');
    is(await back(mine, answer, theirs.cookie), 400, 'sso_state_invalid');
    is(await back(mine, { code: 'code', state: theirs.state }), 400, 'sso_state_invalid');
    is(await back(mine, { code: 'code' }), 400, 'sso_state_invalid');
    is(await back(mine, answer, mine.cookie.slice(0, -4)), 400, 'sso_state_invalid');
    ahead = 601_000;
    is(await back(mine, answer), 400, 'sso_state_invalid');
    ahead = 0;
    assert.equal(forger.exchanged.length, 0, 'no code was exchanged for any of them');
    await sessionOf(await back(mine, answer));
  });

  test('a response for one connection is rejected at the address of another, of the same or another team', async () => {
    const exchanged = other.exchanged.length;
    const [world, stranger] = [await connected(forger.issuer), await connected(other.issuer)];
    const begun = await begin({ connectionId: world.connection.id });
    const elsewhere = { ...begun, callback: `${authPath}/sso/callback/${stranger.connection.id}` };
    is(await back(elsewhere, { code: 'code', state: begun.state }), 400, 'sso_state_invalid');
    assert.equal(other.exchanged.length, exchanged);
  });

  test('rejected responses of strangers cause a limited number of journal entries and requests to the provider', async () => {
    const world = await connected(forger.issuer);
    let last: TestResponse | undefined;
    for (let n = 0; n < 35; n += 1) {
      const begun = await begin({ connectionId: world.connection.id });
      last = await back(begun, { code: 'guessed', state: begun.state });
    }
    assert.ok(last);
    refusedWith(last, 'rate_limited');
    assert.equal(forger.exchanged.length, 30);
    assert.equal((await actsOf(world.id, 'sso.answer_refused')).length, 30);
    const neighbour = await connected(forger.issuer);
    await sessionOf(await vouched(neighbour, claims(neighbour)));
  });

  test('an empty, too long or invalid subject identifies no user', async () => {
    const world = await connected(forger.issuer);
    for (const sub of ['', 'x'.repeat(256), 'x'.repeat(9_000), 'a\0b', 'a\ud800'])
      refusedWith(await vouched(world, { ...claims(world), sub }), 'sso_response_invalid');
    assert.deepEqual(
      (await actsOf(world.id, 'sso.answer_refused')).map(({ data }) => data.reason),
      Array(5).fill('ERR_SUBJECT'),
    );
    await sessionOf(await vouched(world, { ...claims(world), sub: 'x'.repeat(255) }));
  });

  test('an unreadable key rejects its tokens and is not reported as an error of this service', async () => {
    for (const key of [{ e: undefined }, { d: 'AQAB' }, { key_ops: 7 }]) {
      const world = await connected(forger.issuer);
      forger.key = key;
      refusedWith(await vouched(world, claims(world)), 'sso_response_invalid');
      const [entry] = await actsOf(world.id, 'sso.answer_refused');
      assert.match(entry?.data.reason, /^ERR_(?:UNREADABLE|JWKS_NO_MATCHING_KEY)$/);
    }
  });

  test('a provider without a working token endpoint or sign-in page counts as unavailable', async () => {
    const ends = { token_endpoint: 'http://127.0.0.1:1/token', authorization_endpoint: 'javascript:alert(1)' };
    for (const [member, end] of Object.entries(ends)) {
      forger.metadata = { [member]: end };
      const world = await connected(forger.issuer);
      const start = `${authPath}/sso/start?connectionId=${world.connection.id}`;
      if (member === 'authorization_endpoint') is(await chancery.call('GET', start), 502, 'sso_provider_unavailable');
      else refusedWith(await vouched(world, claims(world)), 'sso_provider_unavailable');
      assert.deepEqual(await actsOf(world.id, 'sso.answer_refused'), []);
    }
  });

  test('a failure of the provider does not count against users of one network', async () => {
    const broken = await startJsonServer((_request, response) => void response.writeHead(503).end('{}'));
    try {
      for (const member of ['token_endpoint', 'jwks_uri']) {
        forger.metadata = { [member]: `${broken.url}/x` };
        const world = await connected(forger.issuer);
        for (let n = 0; n < 35; n += 1) refusedWith(await vouched(world, claims(world)), 'sso_provider_unavailable');
        assert.deepEqual(await actsOf(world.id, 'sso.answer_refused'), []);
      }
    } finally {
      await broken.close();
    }
  });

  test('a response of another issuer is rejected before its code is sent (mix-up)', async () => {
    const world = await connected(forger.issuer);
    const begun = await begin({ connectionId: world.connection.id });
    forger.claims = { nonce: begun.nonce, ...claims(world) };
    refusedWith(await back(begun, { code: 'code', state: begun.state, iss: other.issuer }), 'sso_response_invalid');
    assert.equal(forger.exchanged.length, 0);
  });

  test('neither a rejection by the provider nor an inactive connection signs a user in', async () => {
    const world = await connected(forger.issuer);
    const denied = await begin({ connectionId: world.connection.id });
    refusedWith(await back(denied, { error: 'access_denied', state: denied.state }), 'sso_denied');
    const begun = await begin({ connectionId: world.connection.id });
    forger.claims = { nonce: begun.nonce, ...claims(world) };
    ok(await chancery.call('PATCH', `${sso}/${world.connection.id}`, { token: world.owner.token, body: { isActive: false } }));
    refusedWith(await back(begun, { code: 'code', state: begun.state }), 'sso_not_configured');
  });
});

describe('an enforced connection', () => {
  test('prevents sign-ins of members by password or passkey, except for the owner and other domains', async () => {
    const owner = await registered(chancery);
    const domain = `team${(numbers += 1)}.example`;
    const body = { issuer: forger.issuer, clientId: 'chancery', clientSecret: 'x', domains: [domain], enforce: true };
    const connection = ok(await chancery.call('POST', sso, { token: owner.token, body }));
    texts.set(connection.domains[0].record.name, [connection.domains[0].record.value]);
    const team = { id: owner.team, owner: await chancery.user(owner.team, { role: 'admin' }) };
    const world = { ...team, domain, connection };
    const member = await memberOf(world);
    const { rows } = await chancery.pool.query('SELECT password_hash FROM person WHERE id = $1', [owner.id]);
    await chancery.pool.query('UPDATE person SET password_hash = $2 WHERE id = $1', [member.id, rows[0].password_hash]);
    assert.equal((await signIn(chancery, member.email)).status, 200, 'before the domain is verified');
    ok(await chancery.call('POST', `${sso}/${connection.id}/verify-domains`, { token: owner.token }));
    is(await signIn(chancery, member.email), 403, 'sso_required');
    is(await signIn(chancery, member.email, `${goodPassword}x`), 401, 'invalid_credentials');
    await chancery.pool.query('UPDATE person SET email = $2, email_key = $2 WHERE id = $1', [owner.id, `owner@${domain}`]);
    assert.equal((await signIn(chancery, `owner@${domain}`)).status, 200);
    const elsewhere = await chancery.call('POST', `${authPath}/login`, {
      body: { email: `owner@${domain}`, password: goodPassword },
      headers: { 'user-agent': 'a new device' },
    });
    assert.equal(elsewhere.status, 200, 'a mail reports the new device, too');
    await sessionOf(await vouched(world, { sub: 'member', email: member.email, email_verified: true }));
    await chancery.pool.query("UPDATE person SET email = 'm@other.example', email_key = 'm@other.example' WHERE id = $1", [member.id]);
    is(await signIn(chancery, 'm@other.example'), 403, 'sso_required');
  });

  test('cannot be evaded by changing the address until an administrator releases it', async () => {
    const world = await connected(forger.issuer, { enforce: true });
    const member = await sessionOf(await vouched(world, { sub: 'ada', email: `ada@${world.domain}`, email_verified: true }));
    await provesThemselves(member);
    const change = (token: string, email: string) => chancery.call('PUT', `${authPath}/profile`, { token, body: { email } });
    const away = `ada${numbers}@elsewhere.example`;
    is(await change(member.accessToken, away), 403, 'address_managed_by_team');
    assert.deepEqual(await mailsTo(chancery, away), [], 'no mail was sent');
    // A change requested before the provider became mandatory cannot be confirmed afterwards either.
    const release = (by: User, addressReleased: boolean) =>
      chancery.call('PATCH', `/api/v1/team/members/${member.sub}`, { token: by.token, body: { addressReleased } });
    assert.equal((await release(await chancery.user(world.id), true)).status, 403);
    const admin = await chancery.user(world.id, { role: 'admin' });
    assert.equal((await release(admin, true)).status, 200);
    assert.equal((await change(member.accessToken, away)).status, 200);
    assert.equal((await release(admin, false)).status, 200);
    const code = /(\d{6})/.exec((await mailsTo(chancery, away))[0]?.subject ?? '')?.[1] ?? '';
    const confirm = () => chancery.call('POST', `${authPath}/profile/confirm-email`, { token: member.accessToken, body: { code } });
    is(await confirm(), 403, 'address_managed_by_team');
    assert.equal((await release(admin, true)).status, 200);
    assert.equal((await confirm()).status, 200);
    assert.deepEqual(
      (await actsOf(world.id, 'member.address_released')).length + (await actsOf(world.id, 'member.address_bound')).length,
      3,
    );
    // The owner is exempt, because a failing provider must not lock the team out.
    assert.equal((await change(world.owner.token, `owner${numbers}@elsewhere.example`)).status, 200);
  });

  test('also rejects a passkey', async () => {
    const world = await connected(forger.issuer, { enforce: true });
    const session = await sessionOf(await vouched(world, { sub: 'ada', email: `ada@${world.domain}`, email_verified: true }));
    await provesThemselves(session);
    const { accessToken } = session;
    const authenticator = createAuthenticator({ origin: chancery.config.BASE_URL });
    const options = ok(await chancery.call('POST', `${authPath}/passkeys/options`, { token: accessToken }));
    ok(
      await chancery.call('POST', `${authPath}/passkeys`, {
        token: accessToken,
        body: { name: 'Key', response: authenticator.create(options) },
      }),
    );
    const login = ok(await chancery.call('POST', `${authPath}/passkeys/login/options`));
    is(await chancery.call('POST', `${authPath}/passkeys/login`, { body: { response: authenticator.get(login) } }), 403, 'sso_required');
  });
});

test(
  'in Chromium, with a provider of a public library: sign-in, return, and the session by its cookie',
  { skip: withoutBrowser },
  async () => {
    const world = await connected(provider.issuer);
    provider.register({ clientId: 'chancery', clientSecret: 'a secret of the client', redirectUri: world.connection.redirectUri });
    const email = `grace@${world.domain}`;
    provider.people.set('grace', { email, email_verified: true, given_name: 'Grace', family_name: 'Hopper' });
    const browser = await startBrowser();
    try {
      const context = await browser.newContext();
      // The provider’s page loads a font from the internet.
      await context.route(/googleapis/, (route) => route.abort());
      const tab = await context.newPage();
      const signInThrough = async () => {
        const returnTo = `${page.origin}/home`;
        await tab.goto(`${chancery.config.BASE_URL}${authPath}/sso/start?${new URLSearchParams({ email, returnTo }).toString()}`);
      };
      await signInThrough();
      await tab.fill('input[name=login]', 'grace');
      await tab.fill('input[name=password]', 'anything');
      await tab.click('button[type=submit]');
      await tab.click('button[type=submit]');
      await tab.waitForURL(`${page.origin}/home`);
      const renew = () =>
        tab.evaluate(async (url) => {
          const response = await fetch(url, { method: 'POST', credentials: 'include' });
          return { status: response.status, body: (await response.json()) as any };
        }, `${chancery.config.BASE_URL}${authPath}/refresh`);
      const session = await renew();
      assert.equal(session.status, 200, JSON.stringify(session.body));
      const profile = ok(await chancery.call('GET', `${authPath}/profile`, { token: session.body.accessToken }));
      assert.deepEqual([profile.email, profile.firstName, profile.teamId], [email, 'Grace', world.id]);
      // The browser is still signed in at the provider, so it returns without input.
      await signInThrough();
      await tab.waitForURL(`${page.origin}/home`);
      assert.equal(decodeJwt((await renew()).body.accessToken).sub, profile.id);
      const cookies = await context.cookies(chancery.config.BASE_URL);
      assert.equal(
        cookies.find(({ name }) => name === 'sso_state'),
        undefined,
      );
      assert.equal(cookies.find(({ name }) => name === 'refresh_token')?.sameSite, 'Strict');
    } finally {
      await browser.close();
    }
  },
);
