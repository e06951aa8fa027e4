import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asking } from '../../../../../test/asking.ts';
import { type AuthorizationServer, startAuthorizationServer } from '../../../../../test/authorization-server.ts';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../../../test/harness.ts';
import { authPath, registered, signIn } from '../../../../../test/people.ts';
import { authorize } from '../../../../../test/connected-apps.ts';
import { type RemoteServer, startRemoteServer } from '../../../../../test/remote-server.ts';
import { freePort } from '../../../../../test/spawned.ts';
import { eventually } from '../../../../../test/webhook-receiver.ts';

const servers = '/ws/api/agents/mcp-servers';
const page = 'https://app.example.org';
let chancery: Chancery;
let team: TestTeam;
let owner: User;
let remote: RemoteServer;
let issuer: AuthorizationServer;
/** Overrides of the metadata that the remote server publishes for its sign-in. */
let said: object;
const { call, made, status } = asking(() => chancery);

before(async () => {
  const port = await freePort();
  const settings = { PORT: String(port), BASE_URL: `http://localhost:${port}`, CORS_ORIGINS: page, ALTCHA: 'off' };
  [remote, issuer, chancery] = await Promise.all([startRemoteServer(), startAuthorizationServer(), startChancery({ settings })]);
  team = await chancery.team();
  ({ owner } = team);
  remote.tools = [{ name: 'find', description: 'Finds.', answer: () => 'Found' }];
  remote.answer = (request, response) => {
    if (request.url === '/.well-known/oauth-protected-resource/mcp') {
      const metadata = { resource: remote.url, authorization_servers: [issuer.url], scopes_supported: ['all'], ...said };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
      return true;
    }
    if (issuer.access !== '' && request.headers.authorization === `Bearer ${issuer.access}`) return false;
    const challenge = `Bearer resource_metadata="${remote.origin}/.well-known/oauth-protected-resource/mcp", scope="find"`;
    response.writeHead(401, { 'www-authenticate': challenge }).end();
    return true;
  };
});
after(async () => {
  await chancery?.stop();
  await Promise.all([remote?.close(), issuer?.close()]);
});

let count = 0;
const added = async (members: object = {}): Promise<any> => {
  count += 1;
  said = {};
  Object.assign(issuer, { metadata: {}, instead: undefined, expiresIn: 3_600, renewed: 0 });
  if (count > 15) await chancery.pool.query('DELETE FROM agent_mcp_server');
  return made(owner, 'POST', servers, { slug: `s${count}`, name: 'Elsewhere', url: remote.url, ...members });
};
const begin = (id: string, body: object = {}, by = owner) => call(by, 'POST', `${servers}/${id}/sign-in`, body);
const finish = (id: string, body: object, by = owner) => call(by, 'POST', `${servers}/${id}/sign-in/finish`, body);
/** Creates a server with a completed sign-in. */
const signedIn = async (members: object = {}, set: Partial<AuthorizationServer> = {}): Promise<any> => {
  const { id } = await added(members);
  Object.assign(issuer, set);
  const { authorizationUrl } = (await begin(id)).body;
  const done = await finish(id, issuer.allow(authorizationUrl));
  assert.equal(done.status, 200, done.text);
  return done.body;
};
const checked = (id: string) => made(owner, 'POST', `${servers}/${id}/check`);
const events = async (type: string): Promise<any[]> => (await made(owner, 'GET', `/api/v1/security/audit?type=${type}&limit=100`)).events;
const refused = (answer: { status: number; body: any; text: string }) => `${answer.status} ${answer.body.code}`;

test('an administrator signs in at a server in the browser, and agents call it with the resulting tokens', async () => {
  const { id, slug } = await added();
  assert.equal((await checked(id)).failure, 'sign_in_needed');
  assert.equal(await status(await chancery.user(team), 'POST', `${servers}/${id}/sign-in`, {}), 403);
  const begun = await begin(id, { returnTo: `${page}/agents` });
  assert.equal(begun.status, 200, begun.text);
  const { authorizationUrl, ...rest } = begun.body;
  const redirectUri = `${chancery.config.BASE_URL}/oauth/mcp-callback`;
  assert.deepEqual({ ...rest, expiresAt: '' }, { issuer: issuer.url, scope: 'find', redirectUri, expiresAt: '' });
  const sent = Object.fromEntries(new URL(authorizationUrl).searchParams);
  // This authorization server supports registration but no metadata documents.
  assert.deepEqual(
    { ...sent, state: '', code_challenge: '' },
    {
      response_type: 'code',
      client_id: 'registered',
      code_challenge: '',
      code_challenge_method: 'S256',
      redirect_uri: redirectUri,
      state: '',
      scope: 'find',
      resource: remote.url,
    },
  );
  // The browser returns: the response is passed to the `returnTo` page, and nothing else happens.
  const answer = issuer.allow(authorizationUrl);
  const back = await chancery.call('GET', `/oauth/mcp-callback?${new URLSearchParams(answer).toString()}`, { unchecked: true });
  const location = new URL(back.headers.get('location') ?? '');
  assert.deepEqual([back.status, `${location.origin}${location.pathname}${location.search}`], [303, `${page}/agents`]);
  assert.deepEqual(Object.fromEntries(new URLSearchParams(location.hash.slice(1))), answer);
  const { text } = await finish(id, answer);
  const server = await made(owner, 'GET', `${servers}/${id}`);
  assert.deepEqual([server.signIn.issuer, server.signIn.by, server.credential.header], [issuer.url, owner.id, 'Authorization']);
  assert.deepEqual(
    (await checked(id)).tools.map(({ callName }: any) => callName),
    [`${slug}__find`],
  );
  // No response, journal entry or log contains the credential, and the database stores it encrypted.
  const journal = [...(await events('agent.mcp_server_sign_in_begun')), ...(await events('agent.mcp_server_signed_in'))];
  assert.equal(journal.filter(({ target }) => target.id === id).length, 2);
  const { rows } = await chancery.pool.query(
    'SELECT credential::text, (SELECT count(*)::int FROM agent_mcp_sign_in) AS begun FROM agent_mcp_server WHERE id = $1',
    [id],
  );
  assert.deepEqual(rows[0].begun, 0);
  const hidden = Buffer.from(rows[0].credential.slice(2), 'hex').toString('latin1');
  for (const secret of [issuer.access, issuer.refresh, answer.code ?? '?'])
    for (const place of [text, JSON.stringify(journal), hidden]) assert.ok(!place.includes(secret));
  // Without a `returnTo` page the response is displayed as text.
  const shown = await begin(id);
  const again = issuer.allow(shown.body.authorizationUrl);
  const look = (query: Record<string, string>) =>
    chancery.call('GET', `/oauth/mcp-callback?${new URLSearchParams(query).toString()}`, { unchecked: true });
  const { text: html, status: ok } = await look({ ...again, error: '<script>alert(1)</script>' });
  assert.deepEqual([ok, html.includes(again.code ?? '?'), html.includes('<script>alert')], [200, true, false]);
  assert.deepEqual([(await look({ ...again, state: 'other' })).status, (await look({})).status], [400, 400]);
  assert.equal(refused(await begin(id, { returnTo: 'https://elsewhere.example/' })), '400 mcp_sign_in_callback_invalid');
  // The client metadata document for authorization servers.
  const document = await chancery.call('GET', '/oauth/mcp-client', { unchecked: true });
  assert.deepEqual([document.body.client_id, document.body.redirect_uris], [`${chancery.config.BASE_URL}/oauth/mcp-client`, [redirectUri]]);
  issuer.metadata = { client_id_metadata_document_supported: true };
  const named = new URL((await begin(id)).body.authorizationUrl).searchParams.get('client_id');
  assert.equal(named, document.body.client_id);
});

test('a response works once, within the time limit, in the session that started the sign-in, and from the expected server', async () => {
  const { id } = await added();
  const other = await added();
  const answerTo = async (by = owner) => issuer.allow((await begin(id, {}, by)).body.authorizationUrl);
  const first = await answerTo();
  // Another administrator, another session of the same person, and another server of the team.
  const admin = await chancery.user(team, { role: 'admin' });
  assert.equal(refused(await finish(id, first, admin)), '400 mcp_sign_in_invalid');
  assert.equal(refused(await finish(other.id, first)), '400 mcp_sign_in_invalid');
  const person = { ...owner, ...(await registered(chancery)) };
  const theirs = await made(person, 'POST', servers, { slug: 'theirs', name: 'Elsewhere', url: remote.url });
  const begun = await begin(theirs.id, {}, person);
  const elsewhere = { ...person, token: (await signIn(chancery, person.email)).body.accessToken };
  const answer = issuer.allow(begun.body.authorizationUrl);
  assert.equal(refused(await finish(theirs.id, answer, elsewhere)), '400 mcp_sign_in_invalid');
  assert.equal((await finish(theirs.id, answer, person)).status, 200);
  const answers = await Promise.all(Array.from({ length: 50 }, () => finish(id, first)));
  assert.deepEqual(answers.map(({ status: how }) => how).toSorted(), [200, ...Array.from({ length: 49 }, () => 400)]);
  assert.equal(refused(await finish(id, first)), '400 mcp_sign_in_invalid');
  // A new sign-in replaces an earlier one.
  const [old, newer] = [await answerTo(), await answerTo()];
  assert.deepEqual([refused(await finish(id, old)), (await finish(id, newer)).status], ['400 mcp_sign_in_invalid', 200]);
  const late = await answerTo();
  await chancery.pool.query("UPDATE agent_mcp_sign_in SET expires_at = now() - interval '1 second'");
  assert.equal(refused(await finish(id, late)), '400 mcp_sign_in_invalid');
  const { iss: _, ...nameless } = await answerTo();
  assert.equal(refused(await finish(id, nameless)), '422 mcp_sign_in_refused');
  assert.equal(refused(await finish(id, { ...(await answerTo()), iss: 'https://other.example' })), '422 mcp_sign_in_refused');
  const requestsBefore = issuer.requests.length;
  const { code: __, ...denied } = await answerTo();
  assert.equal(refused(await finish(id, { ...denied, error: 'access_denied' })), '422 mcp_sign_in_refused');
  assert.ok(issuer.requests.slice(requestsBefore).every(({ path }) => path !== '/token'));
  assert.equal(refused(await finish(id, { ...(await answerTo()), code: 'guessed' })), '422 mcp_sign_in_refused');
  const { code: ___, ...empty } = await answerTo();
  assert.equal(refused(await finish(id, empty)), '400 validation_failed');
  // A change of the address ends the sign-in.
  const moved = await answerTo();
  await made(owner, 'PATCH', `${servers}/${id}`, { url: `${remote.origin}/other` });
  assert.equal(refused(await finish(id, moved)), '422 mcp_sign_in_refused');
  assert.equal((await made(owner, 'GET', `${servers}/${id}`)).signIn, undefined);
});

test('one of all concurrent callers renews expired tokens, and a denied renewal deletes them', async () => {
  const { id } = await signedIn({}, { expiresIn: 20 });
  issuer.expiresIn = 3_600;
  const all = await Promise.all(Array.from({ length: 20 }, () => checked(id)));
  assert.deepEqual([issuer.renewed, all.filter(({ failure }) => failure !== undefined).length], [1, 0]);
  // The server invalidates the token early.
  issuer.access = 'another';
  assert.deepEqual([(await checked(id)).failure, issuer.renewed], [undefined, 2]);
  // A concurrent change of the name keeps the renewed tokens.
  issuer.access = 'another';
  await Promise.all([
    checked(id),
    ...Array.from({ length: 10 }, (_, n) => made(owner, 'PATCH', `${servers}/${id}`, { name: `Name ${n}` })),
  ]);
  assert.deepEqual([(await checked(id)).failure, issuer.renewed], [undefined, 3]);
  // An unavailable authorization server does not end the sign-in.
  issuer.access = 'another';
  issuer.instead = (_, response) => {
    response.statusCode = 503;
    return {};
  };
  assert.equal((await checked(id)).failure, 'bad_answer');
  issuer.instead = undefined;
  assert.deepEqual([(await checked(id)).failure, issuer.renewed], [undefined, 4]);
  // After a crashed node another node renews the tokens when the lease has expired.
  issuer.access = 'another';
  await chancery.pool.query(
    "UPDATE agent_mcp_server SET token_turn = $1, token_turn_until = now() + interval '0.5 seconds' WHERE id = $1",
    [id],
  );
  assert.deepEqual([(await checked(id)).failure, issuer.renewed], [undefined, 5]);
  issuer.access = 'another';
  issuer.refresh = 'another';
  const ended = await checked(id);
  assert.deepEqual([ended.failure, ended.signIn, ended.credential], ['sign_in_needed', undefined, undefined]);
  const emitted = await events('agent.mcp_server.sign_in_needed');
  assert.deepEqual(
    emitted.map(({ target, data, actor }) => [target.id, data.slug, actor.type]),
    [[id, ended.slug, 'system']],
  );
  assert.equal((await finish(id, issuer.allow((await begin(id)).body.authorizationUrl))).status, 200);
  assert.equal((await made(owner, 'PATCH', `${servers}/${id}`, { credential: null })).signIn, undefined);
});

test('a sign-in ends when its member loses the right; the tokens are revoked and the team is notified', async () => {
  const revocation = { revocation_endpoint: `${issuer.url}/revoke` };
  const ends = {
    left: (by: User) => made(owner, 'DELETE', `/api/v1/team/members/${by.id}`),
    suspended: (by: User) => made(owner, 'PATCH', `/api/v1/team/members/${by.id}`, { isActive: false }),
    demoted: (by: User) => made(owner, 'PATCH', `/api/v1/team/members/${by.id}`, { role: 'member' }),
  };
  const revoked = () =>
    issuer.requests.filter(({ path }) => path === '/revoke').map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  for (const [how, end] of Object.entries(ends)) {
    const admin = await chancery.user(team, { role: 'admin' });
    const { id, slug } = await added();
    issuer.metadata = revocation;
    issuer.instead = (received) => (received.path === '/revoke' ? {} : undefined);
    assert.equal((await finish(id, issuer.allow((await begin(id, {}, admin)).body.authorizationUrl), admin)).status, 200);
    const had = [issuer.refresh, issuer.access];
    await end(admin);
    const server = await made(owner, 'GET', `${servers}/${id}`);
    assert.deepEqual([server.signIn, server.credential, server.failure], [undefined, undefined, 'sign_in_needed'], how);
    const [event] = await events('agent.mcp_server.sign_in_needed');
    assert.deepEqual([event.target.id, event.data.slug], [id, slug], how);
    const given = await eventually('the tokens are revoked', async () =>
      revoked().some(({ token }) => token === had[1]) ? revoked() : undefined,
    );
    assert.deepEqual(
      given.slice(-2).map(({ token, client_id: client }) => [token, client]),
      had.map((token) => [token, 'registered']),
      how,
    );
  }
  // The same when the credential is removed, the address changes or the server is deleted. Without a revocation address no request is sent.
  const { id } = await signedIn({}, { metadata: revocation });
  issuer.instead = (received) => (received.path === '/revoke' ? {} : undefined);
  const last = issuer.access;
  await made(owner, 'DELETE', `${servers}/${id}`);
  await eventually('the last tokens are revoked', async () => revoked().some(({ token }) => token === last) || undefined);
  const { rows } = await chancery.pool.query(
    "SELECT count(*)::int AS n FROM job WHERE name = 'agent-sign-in-ended' AND data::text LIKE '%' || $1 || '%'",
    [last],
  );
  assert.equal(rows[0].n, 0);
});

test('the discovery follows the metadata of the servers and rejects private addresses', async () => {
  const { id } = await added();
  const away = await startAuthorizationServer();
  try {
    const unavailable = async (what: string, set: () => void) => {
      said = {};
      Object.assign(issuer, { metadata: {}, instead: undefined });
      set();
      assert.equal(refused(await begin(id)), '422 mcp_sign_in_unavailable', what);
    };
    await unavailable('metadata of another server', () => (said = { resource: 'https://other.example/mcp' }));
    await unavailable('a private address', () => (said = { authorization_servers: ['http://169.254.169.254/'] }));
    await unavailable('without PKCE', () => (issuer.metadata = { code_challenge_methods_supported: ['plain'] }));
    await unavailable('no PKCE metadata', () => (issuer.metadata = { code_challenge_methods_supported: undefined }));
    await unavailable('another issuer', () => (issuer.metadata = { issuer: 'https://other.example' }));
    await unavailable('no registration', () => (issuer.metadata = { registration_endpoint: undefined }));
    await unavailable('a private token address', () => (issuer.metadata = { token_endpoint: 'http://169.254.169.254/token' }));
    await unavailable('a script', () => (issuer.metadata = { authorization_endpoint: 'javascript:alert(1)' }));
    await unavailable('redirects', () => {
      issuer.instead = (_, response) => {
        response.writeHead(307, { location: `${away.url}/.well-known/oauth-authorization-server` }).end();
        return 'sent';
      };
    });
    await unavailable('too large', () => {
      issuer.instead = () => 'x'.repeat(1_200_000);
    });
    assert.deepEqual(away.requests, []);
    issuer.instead = (received, response) => {
      if (received.path !== '/register') return undefined;
      response.statusCode = 403;
      return { error: 'access_denied' };
    };
    issuer.metadata = {};
    assert.equal(refused(await begin(id)), '422 mcp_sign_in_unavailable');
    // Registered manually, with a secret.
    issuer.metadata = { registration_endpoint: undefined, token_endpoint_auth_methods_supported: ['client_secret_post'] };
    const byHand = await begin(id, { clientId: 'ours', clientSecret: 'hush', scope: 'find more' });
    assert.equal(new URL(byHand.body.authorizationUrl).searchParams.get('scope'), 'find more');
    assert.equal((await finish(id, issuer.allow(byHand.body.authorizationUrl))).status, 200);
    assert.equal(new URLSearchParams(issuer.requests.at(-1)?.body).get('client_secret'), 'hush');
  } finally {
    await away.close();
  }
  const other = await signedIn();
  const journal = JSON.stringify(await events('agent.mcp_server_signed_in'));
  assert.ok(journal.includes(other.id) && !journal.includes('hush'));
});

test('the MCP server of this service can be used as an external server of another team', async () => {
  const url = `${chancery.config.BASE_URL}/mcp`;
  const { owner: person } = await chancery.team();
  const { id, slug } = await added({ url });
  const { body } = await begin(id);
  const query = Object.fromEntries(new URL(body.authorizationUrl).searchParams);
  const { consentSettings } = await authorize(chancery, query.client_id ?? '', query.code_challenge ?? '', query);
  const allowed = await chancery.call('POST', `${authPath}/connected-apps`, {
    token: person.token,
    body: { request: consentSettings.request },
  });
  const answer = Object.fromEntries(new URL(allowed.body.redirectTo).searchParams);
  const done = await finish(id, answer);
  assert.equal(done.status, 200, done.text);
  const { tools, failure } = await checked(id);
  assert.deepEqual([failure, tools.some(({ callName }: any) => callName === `${slug}__search_documents`)], [undefined, true]);
});
