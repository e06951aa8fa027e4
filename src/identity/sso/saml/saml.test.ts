import assert from 'node:assert/strict';
import { createPublicKey, randomUUID, verify, X509Certificate } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { decodeJwt } from 'jose';
import type { Request } from 'playwright-core';
import { startBrowser, startSite, withoutBrowser } from '../../../../test/browser.ts';
import { type DnsServer, startDnsServer } from '../../../../test/dns-server.ts';
import { type Chancery, startChancery, type TestResponse, type TestTeam, type User } from '../../../../test/harness.ts';
import { startJsonServer } from '../../../../test/json-server.ts';
import { authPath, cookieOf, mailsTo } from '../../../../test/people.ts';
import {
  metadataXml,
  newProviderKey,
  type ProviderKey,
  type ResponseParts,
  signedResponse,
  signXml,
  validParts,
} from '../../../../test/saml-provider.ts';
import { freePort } from '../../../../test/spawned.ts';

const manage = '/api/v1/team/sso';
const saml = `${authPath}/saml`;
let chancery: Chancery;
let dns: DnsServer;
let key: ProviderKey;
let otherKey: ProviderKey;
/** The metadata that the provider publishes, by path. */
const published = new Map<string, { status?: number; text: string }>();
let provider: Awaited<ReturnType<typeof startJsonServer>>;
let page: Awaited<ReturnType<typeof startSite>>;
let ahead = 0;
const texts = new Map<string, string[]>();
let numbers = 0;

before(async () => {
  dns = await startDnsServer();
  dns.answer = ({ name, type }) => ({
    addresses: type === 'A' ? ['127.0.0.1'] : type === 'AAAA' ? ['::1'] : [],
    texts: texts.get(name) ?? [],
  });
  [key, otherKey, page] = [await newProviderKey(), await newProviderKey(), await startSite()];
  provider = await startJsonServer((request, response) => {
    const { status = 200, text } = published.get(request.path) ?? { status: 404, text: '' };
    response.writeHead(status, { 'content-type': 'application/samlmetadata+xml' }).end(text);
  });
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
  await Promise.all([dns.close(), provider.close(), page.close()]);
});
beforeEach(() => {
  ahead = 0;
});

const is = (answer: TestResponse, status: number, code: string) =>
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.text);
const ok = (answer: TestResponse): any => {
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
};
const reasonsOf = async (team: string): Promise<string[]> =>
  (
    await chancery.pool.query(
      "SELECT data->>'reason' AS reason FROM audit_entry WHERE team_id = $1 AND type = 'sso.answer_refused' ORDER BY id",
      [team],
    )
  ).rows.map(({ reason }) => reason);

const entityOf = () => `https://idp${(numbers += 1)}.example/metadata`;
const described = (issuer: string, { certificate }: Pick<ProviderKey, 'certificate'> = key) => ({
  kind: 'saml',
  issuer,
  ssoUrl: 'https://idp.example/sso?tenant=1',
  certificates: [certificate],
});
const create = (by: User, body: object) => chancery.call('POST', manage, { token: by.token, body });

type World = TestTeam & { domain: string; connection: any };

/** Creates a team with a SAML connection and a verified domain. */
async function connected(members: Record<string, unknown> = {}, team?: TestTeam): Promise<World> {
  const own = team ?? (await chancery.team());
  const domain = `saml${(numbers += 1)}.example`;
  const made = ok(await create(own.owner, { ...described(entityOf()), domains: [domain], ...members }));
  for (const { record } of made.domains) texts.set(record.name, [record.value]);
  const connection = ok(await chancery.call('POST', `${manage}/${made.id}/verify-domains`, { token: own.owner.token }));
  return { ...own, domain, connection };
}
const change = (world: World, body: object) =>
  chancery.call('PATCH', `${manage}/${world.connection.id}`, { token: world.owner.token, body });

type Begun = { cookie: string; location: URL; request: string; xml: string };

function begunBy(answer: TestResponse, location: URL): Begun {
  const xml = inflateRawSync(Buffer.from(location.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  const request = / ID="([^"]+)"/.exec(xml)?.[1] ?? '';
  return { cookie: `sso_state=${cookieOf(answer, 'sso_state')}`, location, request, xml };
}
async function begin(world: World, query: Record<string, string> = {}): Promise<Begun> {
  const answer = await chancery.call(
    'GET',
    `${authPath}/sso/start?${new URLSearchParams({ connectionId: world.connection.id, ...query }).toString()}`,
  );
  assert.equal(answer.status, 302, answer.text);
  return begunBy(answer, new URL(answer.headers.get('location') ?? ''));
}

const partsFor = ({ connection, domain }: World, request: string | null, given: Partial<ResponseParts> = {}): ResponseParts =>
  validParts({
    issuer: connection.issuer,
    audience: connection.clientId,
    recipient: connection.redirectUri,
    request,
    attributes: { email: `${given.name ?? 'ada'}@${domain}` },
    ...given,
  });
const answerFor = (world: World, request: string | null, given: Partial<ResponseParts> = {}, signedBy = key): string =>
  signedResponse(partsFor(world, request, given), { key: signedBy });

/** Sends a response as the form of the provider does: from another site, without cookies. */
const post = ({ connection }: World, xml: string, form: Record<string, string> = {}) =>
  chancery.call('POST', `${saml}/${connection.id}/acs`, {
    body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), ...form }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const finishAt = (answer: TestResponse): string => {
  assert.equal(answer.status, 303, answer.text);
  return answer.headers.get('location') ?? '';
};
const finish = (path: string, cookie: string) => chancery.call('GET', path, { headers: { cookie } });

/** Signs in through the provider. */
async function vouched(world: World, given: Partial<ResponseParts> = {}, query: Record<string, string> = {}): Promise<TestResponse> {
  const begun = await begin(world, query);
  return finish(finishAt(await post(world, answerFor(world, begun.request, given))), begun.cookie);
}
const fragmentOf = (answer: TestResponse) => {
  assert.equal(answer.status, 302, answer.text);
  return Object.fromEntries(new URLSearchParams(new URL(answer.headers.get('location') ?? '').hash.slice(1)));
};
async function sessionOf(answer: TestResponse): Promise<any> {
  assert.deepEqual(fragmentOf(answer), {});
  const { accessToken } = ok(
    await chancery.call('POST', `${authPath}/refresh`, { body: { refreshToken: cookieOf(answer, 'refresh_token') } }),
  );
  return { ...decodeJwt(accessToken), accessToken };
}

describe('connections', () => {
  test('are created from certificates, changed and read; their metadata name the certificates that sign requests', async () => {
    const { owner } = await chancery.team();
    const issuer = entityOf();
    const made = ok(await create(owner, { ...described(issuer), domains: ['Example.ORG'] }));
    const address = `${chancery.config.BASE_URL}${saml}/${made.id}`;
    assert.deepEqual(
      [made.kind, made.issuer, made.clientId, made.redirectUri, made.emailTrust],
      ['saml', issuer, `${address}/metadata`, `${address}/acs`, 'domain'],
    );
    const certificate = new X509Certificate(key.certificate);
    const shown = {
      sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
      expiresAt: new Date(certificate.validTo).toISOString(),
    };
    assert.deepEqual(made.saml, {
      ssoUrl: 'https://idp.example/sso?tenant=1',
      nameIdFormat: 'persistent',
      allowIdpInitiated: false,
      certificates: [shown],
    });
    const changed = ok(
      await chancery.call('PATCH', `${manage}/${made.id}`, {
        token: owner.token,
        body: { certificates: [key.certificate, otherKey.certificate], nameIdFormat: 'emailAddress' },
      }),
    );
    assert.deepEqual([changed.saml.certificates.length, changed.saml.nameIdFormat], [2, 'emailAddress']);
    const metadata = await chancery.call('GET', new URL(made.clientId).pathname);
    assert.equal(metadata.headers.get('content-type'), 'application/samlmetadata+xml; charset=utf-8');
    assert.match(metadata.text, /AuthnRequestsSigned="true" WantAssertionsSigned="true"/);
    assert.match(metadata.text, new RegExp(`Location="${made.redirectUri}"`));
    assert.equal(metadata.text.match(/<ds:X509Certificate>/g)?.length, 1);
    assert.equal((await chancery.call('DELETE', `${manage}/${made.id}`, { token: owner.token })).status, 204);
    is(await chancery.call('GET', new URL(made.clientId).pathname), 404, 'sso_not_configured');
  });

  test('get certificates and metadata from the owner only', async () => {
    const world = await connected();
    const admin = await chancery.user(world, { role: 'admin' });
    const path = `${manage}/${world.connection.id}`;
    for (const body of [
      { certificates: [otherKey.certificate] },
      { metadataXml: metadataXml(world.connection.issuer, { ssoUrl: 'https://idp.example/sso', certificates: [otherKey.certificate] }) },
    ])
      is(await chancery.call('PATCH', path, { token: admin.token, body }), 403, 'forbidden');
    const { saml: kept } = ok(await chancery.call('PATCH', path, { token: admin.token, body: { ssoUrl: 'https://idp.example/other' } }));
    assert.deepEqual([kept.ssoUrl, kept.certificates], ['https://idp.example/other', world.connection.saml.certificates]);
  });

  test('are created from metadata, or from their address', async () => {
    const { owner } = await chancery.team();
    const metadata = (issuer: string) =>
      metadataXml(issuer, { ssoUrl: 'https://idp.example/sso', certificates: [key.certificate, otherKey.certificate] });
    const [first, second] = [entityOf(), entityOf()];
    const pasted = ok(await create(owner, { kind: 'saml', metadataXml: `\uFEFF${metadata(first)}` }));
    published.set('/metadata', { text: metadata(second) });
    const fetched = ok(await create(owner, { kind: 'saml', metadataUrl: `${provider.url}/metadata` }));
    assert.deepEqual([pasted.issuer, fetched.issuer], [first, second]);
    assert.deepEqual([pasted.saml.certificates.length, fetched.saml.metadataUrl], [2, `${provider.url}/metadata`]);
    assert.ok(fetched.saml.metadataReadAt);
  });

  test('of both kinds reject members of the other kind, and need a complete description', async () => {
    const { owner } = await chancery.team();
    for (const body of [
      { kind: 'saml' },
      { kind: 'saml', issuer: entityOf(), ssoUrl: 'https://idp.example/sso' },
      { ...described(entityOf()), clientSecret: 'x' },
      { ...described(entityOf()), emailTrust: 'claim' },
      { ...described(entityOf()), metadataXml: '<x/>' },
      { ...described(entityOf()), ssoUrl: 'javascript:alert(1)' },
      { issuer: 'https://a.example', clientId: 'a', clientSecret: 'b', certificates: [key.certificate] },
      { issuer: 'https://a.example', clientId: 'a' },
    ])
      is(await create(owner, body), 400, 'validation_failed');
  });

  const unusable: [what: string, body: () => object | Promise<object>][] = [
    ['metadata with a DOCTYPE', () => ({ metadataXml: '<!DOCTYPE x><x/>' })],
    ['metadata of several providers', () => ({ metadataXml: '<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>' })],
    ['metadata without a certificate', () => ({ metadataXml: metadataXml('a', { ssoUrl: 'https://idp.example/', certificates: [] }) })],
    [
      'six certificates in metadata',
      async () => {
        const keys = await Promise.all(Array.from({ length: 6 }, () => newProviderKey()));
        return {
          metadataXml: metadataXml('a', { ssoUrl: 'https://idp.example/', certificates: keys.map(({ certificate }) => certificate) }),
        };
      },
    ],
    ['a text that is no certificate', () => ({ ...described('https://a.example'), certificates: ['no certificate'] })],
    [
      'a certificate with an RSA key of 1024 bits',
      async () => ({ ...described('https://a.example'), certificates: [(await newProviderKey(new Date(), 1024)).certificate] }),
    ],
    ['an address that cannot be reached', () => ({ metadataUrl: 'http://127.0.0.1:1/metadata' })],
    ['an address that responds with an error', () => ({ metadataUrl: `${provider.url}/missing` })],
  ];
  for (const [what, body] of unusable)
    test(`cannot be created from ${what}`, async () => {
      const { owner } = await chancery.team();
      is(await create(owner, { kind: 'saml', ...(await body()) }), 422, 'saml_metadata_invalid');
    });

  test('cannot have the issuer of another connection of the team, so that no provider speaks for the users of another', async () => {
    const { owner } = await chancery.team();
    const issuer = entityOf();
    ok(await create(owner, described(issuer)));
    is(await create(owner, described(issuer, otherKey)), 409, 'sso_issuer_taken');
    const oidc = { issuer, clientId: 'a', clientSecret: 'b' };
    is(await create(owner, oidc), 409, 'sso_issuer_taken');
    const stranger = await chancery.team();
    ok(await create(stranger.owner, oidc));
    is(await create(stranger.owner, described(issuer)), 409, 'sso_issuer_taken');
  });

  test('of fifty concurrent connections with one issuer, one is created', async () => {
    const { owner } = await chancery.team();
    const body = described(entityOf());
    const made = await Promise.all(Array.from({ length: 50 }, () => create(owner, body)));
    assert.equal(made.filter(({ status }) => status === 201).length, 1);
  });

  test('keep their entity ID, and report new certificates by mail and in the journal', async () => {
    const world = await connected();
    const metadata = (issuer: string) => metadataXml(issuer, { ssoUrl: 'https://idp.example/new', certificates: [otherKey.certificate] });
    is(await change(world, { metadataXml: metadata('https://other.example') }), 422, 'saml_metadata_invalid');
    const changed = ok(await change(world, { metadataXml: metadata(world.connection.issuer) }));
    assert.equal(changed.saml.ssoUrl, 'https://idp.example/new');
    assert.ok((await mailsTo(chancery, world.owner.email)).some(({ subject }) => /New certificates/.test(subject)));
    const { rows } = await chancery.pool.query("SELECT data FROM audit_entry WHERE team_id = $1 AND type = 'sso.certificates_changed'", [
      world.id,
    ]);
    assert.deepEqual(rows, [{ data: { by: 'administrator', fingerprints: [changed.saml.certificates[0].sha256] } }]);
  });
});

describe('a request', () => {
  test('is signed, names the connection, and is stored only as a hash', async () => {
    const world = await connected();
    const { location, request, xml } = await begin(world, { prompt: 'login' });
    assert.equal(location.origin + location.pathname, 'https://idp.example/sso');
    assert.equal(location.searchParams.get('tenant'), '1');
    const metadata = (await chancery.call('GET', `${saml}/${world.connection.id}/metadata`)).text;
    const [, base64 = ''] = /<ds:X509Certificate>([^<]+)</.exec(metadata) ?? [];
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
    assert.equal(certificate.publicKey.asymmetricKeyDetails?.modulusLength, 3072);
    const [, content = '', signature = ''] = /[?&](SAMLRequest=.*)&Signature=(.*)$/.exec(location.search) ?? [];
    const isSigned = (bytes: string) =>
      verify(
        'sha256',
        Buffer.from(bytes),
        createPublicKey(certificate.publicKey.export({ type: 'spki', format: 'pem' })),
        Buffer.from(decodeURIComponent(signature), 'base64'),
      );
    assert.deepEqual([isSigned(content), isSigned(`${content}x`)], [true, false]);
    assert.match(request, /^_[0-9a-f]{40}$/);
    for (const part of [
      `AssertionConsumerServiceURL="${world.connection.redirectUri}"`,
      `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${world.connection.clientId}</saml:Issuer>`,
      'ForceAuthn="true"',
      'nameid-format:persistent',
    ])
      assert.ok(xml.includes(part), xml);
    const { rows } = await chancery.pool.query('SELECT * FROM saml_request WHERE connection_id = $1', [world.connection.id]);
    assert.equal(rows.length, 1);
    assert.ok(!JSON.stringify(rows).includes(request));
  });
});

describe('a sign-in', () => {
  test('of a new user with an address of the domain joins the team, and later signs in the same user', async () => {
    const world = await connected({ defaultRole: 'viewer' });
    const attributes = { mail: `ada@${world.domain}`, givenName: 'Ada', sn: 'Lovelace' };
    const session = await sessionOf(await vouched(world, { attributes }));
    assert.deepEqual([session.team, session.role, session.amr, session.acr], [world.id, 'viewer', ['fed'], 'aal1']);
    const profile = ok(await chancery.call('GET', `${authPath}/profile`, { token: session.accessToken }));
    assert.deepEqual([profile.email, profile.firstName, profile.lastName], [attributes.mail, 'Ada', 'Lovelace']);
    const again = await sessionOf(await vouched(world, { attributes: { mail: `other@${world.domain}` } }));
    assert.equal(again.sub, session.sub);
  });

  test('returns to the page with the time of the authentication', async () => {
    const world = await connected();
    const hourAgo = Date.now() - 3_600_000;
    const begun = await begin(world, { returnTo: '/after' });
    const xml = answerFor(world, begun.request).replace(/AuthnInstant="[^"]+"/, `AuthnInstant="${new Date(hourAgo).toISOString()}"`);
    const unsigned = xml.replace(/<Signature[\s\S]*<\/Signature>/, '');
    const answer = await finish(finishAt(await post(world, signXml(unsigned, 'Assertion', { key }))), begun.cookie);
    assert.equal(answer.headers.get('location'), `${chancery.config.BASE_URL}/after`);
    const session = await sessionOf(answer);
    assert.equal(session.auth_time, Math.floor(hourAgo / 1_000));
  });

  for (const [what, given] of [
    ['the context of REFEDS', { context: 'https://refeds.org/profile/mfa' }],
    ['the context of Entra ID', { context: 'http://schemas.microsoft.com/claims/multipleauthn' }],
  ] as const)
    test(`with a second factor by ${what} is aal2 only if the team trusts it`, async () => {
      const world = await connected();
      assert.equal((await sessionOf(await vouched(world, given))).acr, 'aal1');
      ok(await change(world, { trustMfa: true }));
      assert.equal((await sessionOf(await vouched(world, given))).acr, 'aal2');
    });

  test('ends at the time that the provider sets', async () => {
    const world = await connected();
    const session = await sessionOf(await vouched(world, { sessionUntil: 600 }));
    const { rows } = await chancery.pool.query("SELECT expires_at < now() + interval '601 seconds' AS early FROM sign_in WHERE id = $1", [
      session.sid,
    ]);
    assert.deepEqual(rows, [{ early: true }]);
  });

  test('with an address of a domain that the team has not verified joins no team', async () => {
    const world = await connected();
    assert.equal(fragmentOf(await vouched(world, { attributes: { email: 'ada@elsewhere.example' } })).error, 'sso_user_not_found');
  });

  test('without an address, or with two, joins no team', async () => {
    const world = await connected();
    for (const email of [[], [`ada@${world.domain}`, `eve@${world.domain}`]])
      assert.equal(fragmentOf(await vouched(world, { attributes: { email } })).error, 'sso_email_unverified');
  });

  test('of a deactivated member is rejected', async () => {
    const world = await connected();
    const { sub } = await sessionOf(await vouched(world));
    await chancery.pool.query("UPDATE account SET status = 'disabled' WHERE id = $1", [sub]);
    assert.equal(fragmentOf(await vouched(world)).error, 'account_disabled');
  });

  test('by address as the NameID needs that choice', async () => {
    const world = await connected();
    const given = (name: string) => ({ format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress', name, attributes: {} });
    const email = `grace@${world.domain}`;
    const begun = await begin(world);
    is(await post(world, answerFor(world, begun.request, given(email))), 403, 'sso_response_invalid');
    ok(await change(world, { nameIdFormat: 'emailAddress' }));
    const session = await sessionOf(await vouched(world, given(email)));
    assert.equal(ok(await chancery.call('GET', `${authPath}/profile`, { token: session.accessToken })).email, email);
  });

  test('links the account of a signed-in member', async () => {
    const world = await connected();
    const member = await chancery.user(world);
    const email = `${member.id.slice(-8)}@${world.domain}`;
    await chancery.pool.query(
      `WITH moved AS (UPDATE person SET email = $2, email_key = $2 WHERE id = $1 RETURNING credential_epoch)
       UPDATE sign_in SET epoch = moved.credential_epoch FROM moved WHERE person_id = $1`,
      [member.id, email],
    );
    const answer = await chancery.call('POST', `${authPath}/sso/link`, {
      token: member.token,
      body: { connectionId: world.connection.id },
    });
    const begun = begunBy(answer, new URL(ok(answer).location));
    assert.match(begun.xml, /ForceAuthn="true"/);
    const linked = await finish(finishAt(await post(world, answerFor(world, begun.request, { attributes: { email } }))), begun.cookie);
    assert.deepEqual(fragmentOf(linked), { linked: 'true' });
    assert.equal((await sessionOf(await vouched(world, { attributes: {} }))).sub, member.id);
    const mails = await mailsTo(chancery, email);
    assert.ok(mails.some(({ text }) => text.includes(new URL(world.connection.issuer).host)));
  });
});

describe('a response', () => {
  test('is accepted once, also of 50 concurrent ones, and its handle works once', async () => {
    const world = await connected();
    const begun = await begin(world);
    const xml = answerFor(world, begun.request);
    const posted = await Promise.all(Array.from({ length: 50 }, () => post(world, xml)));
    const [accepted, ...others] = posted.filter(({ status }) => status === 303);
    assert.equal(others.length, 0);
    assert.ok(accepted);
    const finished = await Promise.all(Array.from({ length: 50 }, () => finish(finishAt(accepted), begun.cookie)));
    assert.equal(finished.filter((answer) => cookieOf(answer, 'refresh_token') !== '').length, 1);
    assert.equal(finished.filter(({ body }) => body?.code === 'sso_state_invalid').length, 49);
  });

  test('with the same assertion for two requests is accepted once', async () => {
    const world = await connected();
    const [first, second] = [await begin(world), await begin(world)];
    const id = `_${randomUUID()}`;
    finishAt(await post(world, answerFor(world, first.request, { id })));
    is(await post(world, answerFor(world, second.request, { id })), 403, 'sso_response_invalid');
    assert.deepEqual(await reasonsOf(world.id), ['used_assertion']);
  });

  test('in another browser is rejected, and signs in no user', async () => {
    const world = await connected();
    const [mine, theirs] = [await begin(world), await begin(world)];
    for (const cookie of [theirs.cookie, '', 'sso_state=x']) {
      const begun = await begin(world);
      const path = finishAt(await post(world, answerFor(world, begun.request)));
      const answer = await finish(path, cookie);
      is(answer, 400, 'sso_state_invalid');
      assert.equal(cookieOf(answer, 'refresh_token'), '');
    }
    await sessionOf(await finish(finishAt(await post(world, answerFor(world, mine.request))), mine.cookie));
  });

  test('after ten minutes finds neither its request nor its browser', async () => {
    const world = await connected();
    const begun = await begin(world);
    const path = finishAt(await post(world, answerFor(world, begun.request)));
    ahead = 601_000;
    is(await finish(path, begun.cookie), 400, 'sso_state_invalid');
    ahead = 0;
    const late = await begin(world);
    await chancery.pool.query("UPDATE saml_request SET expires_at = now() - interval '1 second'");
    is(await post(world, answerFor(world, late.request)), 403, 'sso_response_invalid');
    assert.deepEqual(await reasonsOf(world.id), ['no_open_request']);
  });

  test('for one connection is rejected at another, of the same or another team', async () => {
    const world = await connected();
    const sibling = await connected({}, world);
    const stranger = await connected();
    for (const other of [sibling, stranger]) {
      const begun = await begin(world);
      is(await post(other, answerFor(world, begun.request)), 403, 'sso_response_invalid');
      // Another provider answers the request of this one.
      is(await post(other, answerFor(other, begun.request)), 403, 'sso_response_invalid');
      // The handle of one connection at the address of another.
      const path = finishAt(await post(world, answerFor(world, begun.request)));
      is(await finish(path.replace(world.connection.id, other.connection.id), begun.cookie), 400, 'sso_state_invalid');
    }
  });

  test('with a certificate that was removed is rejected, and with one of two is accepted', async () => {
    const world = await connected();
    ok(await change(world, { certificates: [key.certificate, otherKey.certificate] }));
    for (const by of [key, otherKey]) {
      const begun = await begin(world);
      finishAt(await post(world, answerFor(world, begun.request, {}, by)));
    }
    ok(await change(world, { certificates: [otherKey.certificate] }));
    const begun = await begin(world);
    is(await post(world, answerFor(world, begun.request)), 403, 'sso_response_invalid');
    assert.deepEqual(await reasonsOf(world.id), ['signature']);
  });

  test('that was not requested is rejected, or starts a sign-in of this service if the connection allows it', async () => {
    const world = await connected();
    is(await post(world, answerFor(world, null)), 403, 'sso_response_invalid');
    assert.deepEqual(await reasonsOf(world.id), ['unsolicited']);
    ok(await change(world, { allowIdpInitiated: true }));
    const answer = await post(world, answerFor(world, null), { RelayState: 'https://evil.example' });
    assert.equal(finishAt(answer), `${authPath}/sso/start?connectionId=${world.connection.id}`);
    assert.deepEqual(answer.headers.getSetCookie(), []);
    is(await post(world, answerFor(world, null, {}, otherKey)), 403, 'sso_response_invalid');
  });

  for (const [what, body, reason] of [
    ['no base64', 'SAMLResponse=%00', 'base64'],
    ['no XML', `SAMLResponse=${Buffer.from('text').toString('base64')}`, 'malformed'],
    ['no UTF-8', `SAMLResponse=${encodeURIComponent(Buffer.from([0x3c, 0xff]).toString('base64'))}`, 'malformed'],
  ] as const)
    test(`that is ${what} is rejected with the reason in the journal`, async () => {
      const world = await connected();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      is(await chancery.call('POST', `${saml}/${world.connection.id}/acs`, { body, headers }), 403, 'sso_response_invalid');
      assert.deepEqual(await reasonsOf(world.id), [reason]);
    });

  test('with a repeated parameter, or of another type, is rejected', async () => {
    const world = await connected();
    const send = (type: string, body: string) =>
      chancery.call('POST', `${saml}/${world.connection.id}/acs`, { body, headers: { 'content-type': type } });
    is(await send('application/x-www-form-urlencoded', 'SAMLResponse=YQ&SAMLResponse=YQ'), 400, 'bad_request');
    is(await send('application/json', '{"SAMLResponse": "YQ"}'), 415, 'unsupported_media_type');
  });

  test('without an active connection or a verified domain is 404', async () => {
    const world = await connected();
    const begun = await begin(world);
    const xml = answerFor(world, begun.request);
    const path = finishAt(await post(world, answerFor(world, (await begin(world)).request)));
    ok(await change(world, { isActive: false }));
    is(await post(world, xml), 404, 'sso_not_configured');
    is(await finish(path, begun.cookie), 400, 'sso_state_invalid');
    ok(await change(world, { isActive: true, domains: [] }));
    is(await post(world, xml), 404, 'sso_not_configured');
    is(
      await chancery.call('POST', `${saml}/x/acs`, {
        body: 'SAMLResponse=YQ',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
      404,
      'sso_not_configured',
    );
  });

  test('that was accepted signs no user in if the connection is deactivated before the browser returns', async () => {
    const world = await connected();
    const begun = await begin(world);
    const path = finishAt(await post(world, answerFor(world, begun.request)));
    ok(await change(world, { isActive: false }));
    assert.equal(fragmentOf(await finish(path, begun.cookie)).error, 'sso_not_configured');
  });

  test('after 30 rejections an address waits, and other connections do not', async () => {
    const [world, neighbour] = [await connected(), await connected()];
    for (let n = 0; n < 30; n += 1) is(await post(world, 'x'), 403, 'sso_response_invalid');
    const begun = await begin(world);
    is(await post(world, answerFor(world, begun.request)), 429, 'rate_limited');
    assert.equal((await reasonsOf(world.id)).length, 30);
    await sessionOf(await vouched(neighbour));
  });
});

test(
  'in Chromium, the form of the provider carries no cookie, and the browser completes the sign-in at the next address',
  { skip: withoutBrowser },
  async () => {
    const idp = await startJsonServer(({ path }, response) => {
      // The browser also requests an icon.
      if (!path.includes('SAMLRequest')) {
        response.writeHead(404).end();
        return;
      }
      const begun = begunBy({ headers: new Headers() } as TestResponse, new URL(path, idp.url));
      const value = Buffer.from(answerFor(world, begun.request)).toString('base64');
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(
        `<form method="post" action="${world.connection.redirectUri}"><input name="SAMLResponse" value="${value}"><button>Continue</button></form>`,
      );
    });
    const browser = await startBrowser();
    // Another site than the service, which is on localhost.
    const world = await connected({ ssoUrl: `${idp.url}/sso` });
    try {
      const context = await browser.newContext();
      const tab = await context.newPage();
      const requests: Request[] = [];
      tab.on('request', (request) => void requests.push(request));
      const returnTo = `${page.origin}/home`;
      await tab.goto(
        `${chancery.config.BASE_URL}${authPath}/sso/start?${new URLSearchParams({ connectionId: world.connection.id, returnTo }).toString()}`,
      );
      await tab.click('button');
      await tab.waitForURL(returnTo);
      const sent = requests.filter((request) => new URL(request.url()).pathname.startsWith(saml));
      const headers = await Promise.all(sent.map((request) => request.allHeaders()));
      assert.deepEqual(
        sent.map((request, index) => [
          request.method(),
          /[^/]+$/.exec(new URL(request.url()).pathname)?.[0],
          'cookie' in (headers[index] ?? {}),
        ]),
        [
          ['POST', 'acs', false],
          ['GET', 'finish', true],
        ],
      );
      const renewed = await tab.evaluate(async (url) => {
        const response = await fetch(url, { method: 'POST', credentials: 'include' });
        return { status: response.status, body: (await response.json()) as any };
      }, `${chancery.config.BASE_URL}${authPath}/refresh`);
      assert.equal(renewed.status, 200, JSON.stringify(renewed.body));
      assert.equal(decodeJwt(renewed.body.accessToken).team, world.id);
    } finally {
      await browser.close();
      await idp.close();
    }
  },
);
