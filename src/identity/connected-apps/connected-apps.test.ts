import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { decodeJwt } from 'jose';
import { insertSessions } from '../../../test/memberships.ts';
import { asking } from '../../../test/asking.ts';
import { type Chancery, startChancery, type User } from '../../../test/harness.ts';
import { startJsonServer } from '../../../test/json-server.ts';
import { callTool, offered, resourceOf, sendMessage } from '../../../test/mcp.ts';
import { mailsTo } from '../../../test/people.ts';
import {
  authorizedApp,
  authorize,
  authorizePath,
  type AuthorizeQuery,
  connectedApp,
  pkce,
  registerConnectedApp,
  connectedAppRedirect,
  tokenBy,
} from '../../../test/connected-apps.ts';
import { freePort } from '../../../test/spawned.ts';
import { keptFor, parseClientDocument as described } from './documents.ts';
import { dropUnused } from './jobs.ts';
import { answerAt, isNamed, mayBeNamed } from './redirects.ts';

let chancery: Chancery;
let owner: User;
const { call, made } = asking(() => chancery);
const base = '/api/v1/security/auth/connected-apps';
const redirectUri = connectedAppRedirect;
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

before(async () => {
  const port = await freePort();
  chancery = await startChancery({ role: 'api', settings: { PORT: String(port), BASE_URL: `http://localhost:${port}`, ALTCHA: 'off' } });
  ({ owner } = await chancery.team());
});
after(() => chancery.stop());

const registerApp = (uris?: string[]) => registerConnectedApp(chancery, uris);
const pair = pkce;
const authorizing = (client: string, challenge: string, more?: AuthorizeQuery) => authorize(chancery, client, challenge, more);
const allowed = (by: User, client: string, more?: AuthorizeQuery) => authorizedApp(chancery, by, client, more);
const connected = (by: User, client?: string, more?: AuthorizeQuery) => connectedApp(chancery, by, client, more);
const token = (form: Record<string, string>) => tokenBy(chancery, form);
const renewed = (client: string, refresh: string) =>
  token({ grant_type: 'refresh_token', client_id: client, refresh_token: refresh, resource: resourceOf(chancery) });
const opens = async (access: string) => (await sendMessage(chancery, access, list)).status;

for (const document of [true, false]) {
  test(`the official client discovers the page, is allowed by a user, and reads with the user’s rights (${document ? 'a document' : 'registered'})`, async () => {
    const own = await startJsonServer(({ path, headers }) => ({
      client_id: `http://${headers.host}${path}`,
      client_name: 'Described',
      redirect_uris: [redirectUri],
    }));
    try {
      // The package itself accepts only https documents.
      let saved: any = document ? { client_id: `${own.url}/program.json` } : undefined;
      let kept: any;
      let verifier = '';
      let opened: URL | undefined;
      const authProvider: any = {
        redirectUrl: redirectUri,
        clientMetadata: {
          client_name: 'Official',
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        },
        clientInformation: () => saved,
        saveClientInformation: (value: any) => void (saved = value),
        tokens: () => kept,
        saveTokens: (value: any) => void (kept = value),
        redirectToAuthorization: (url: URL) => void (opened = url),
        saveCodeVerifier: (value: string) => void (verifier = value),
        codeVerifier: () => verifier,
        state: () => 'of the client',
      };
      const { id } = await chancery.document(owner, { title: `Agreement for ${document ? 'a described app' : 'a registered app'}` });
      const transport = () => new StreamableHTTPClientTransport(new URL(resourceOf(chancery)), { authProvider });
      const first = transport();
      await assert.rejects(new Client({ name: 'test', version: '1' }).connect(first), UnauthorizedError);
      assert.ok(opened);
      const query = Object.fromEntries(opened.searchParams);
      const { consentSettings, text } = await authorizing(query.client_id ?? '', query.code_challenge ?? '', query);
      assert.ok(consentSettings, text);
      const { redirectTo } = await made(owner, 'POST', base, { request: consentSettings.request });
      const answered = new URL(redirectTo).searchParams;
      assert.deepEqual([answered.get('state'), answered.get('iss')], ['of the client', chancery.config.BASE_URL]);
      await first.finishAuth(answered);
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(transport());
      const found: any = await client.callTool({
        name: 'search_documents',
        arguments: { q: document ? 'described app' : 'registered app' },
      });
      assert.deepEqual(
        found.structuredContent.items.map((one: any) => one.id),
        [id],
      );
      await client.close();
      assert.equal(own.requests.length, document ? 1 : 0, 'a document is cached');
    } finally {
      await own.close();
    }
  });
}

test('a token of an app works only at the MCP server, within the allowed scopes and the user’s current role', async () => {
  const team = await chancery.team();
  const admin = await chancery.user(team, { role: 'admin' });
  const { access, refresh, client, scope } = await connected(admin, undefined, {
    scope: 'documents:read audit:read folders:write profile:read',
  });
  assert.equal(scope, 'documents:read audit:read');
  const claims: any = decodeJwt(access);
  assert.deepEqual([claims.sub, claims.client_id, claims.aud, claims.scope], [admin.id, client, resourceOf(chancery), scope]);
  assert.equal(await opens(access), 200);
  for (const path of ['/api/v1/smartdoc/documents/', base, '/api/v1/security/auth/sessions'])
    assert.deepEqual([(await chancery.call('GET', path, { token: access })).status, await opens(admin.token)], [401, 401], path);
  // A refresh token of an app renews only its connection, and a user’s refresh token renews no connection.
  assert.equal((await chancery.call('POST', '/api/v1/security/auth/refresh', { body: { refreshToken: refresh } })).status, 401);
  const names = (await offered(chancery, access)).map(({ name }: any) => name);
  assert.ok(names.includes('search_documents') && !names.includes('create_document') && !names.includes('list_tasks'), names.join(' '));
  assert.equal((await callTool(chancery, access, 'list_tasks', {})).code, 'insufficient_scope');
  const found = await callTool(chancery, access, 'search_documents', {});
  assert.equal(found.code, 'ok');
  const { rows } = await chancery.pool.query(
    "SELECT target_id, data FROM audit_entry WHERE type = 'mcp.tool_called' AND actor_id = $1 AND actor_type = 'user'",
    [admin.id],
  );
  assert.deepEqual(rows.map(({ target_id: of, data }) => [of, data.tool, data.result]).toSorted(), [
    [claims.sid, 'list_tasks', 'insufficient_scope'],
    [claims.sid, 'search_documents', 'ok'],
  ]);
  // A role change applies at once: a member cannot read the journal.
  await chancery.pool.query("UPDATE account SET role = 'member' WHERE id = $1", [admin.id]);
  const next = await renewed(client, refresh);
  assert.deepEqual([next.status, next.body.scope], [200, 'documents:read']);
});

test('a code gives one token, also to fifty concurrent requests; a second use ends the connection', async () => {
  const client = await registerApp();
  const { form, id } = await allowed(owner, client);
  const answers = await Promise.all(Array.from({ length: 50 }, () => token(form)));
  const good = answers.filter(({ status }) => status === 200);
  assert.equal(good.length, 1);
  assert.ok(answers.every(({ status, body }) => status === 200 || (status === 400 && body.error === 'invalid_grant')));
  assert.equal(await opens(good[0]?.body.access_token), 401, 'the second use ended the connection');
  assert.equal((await renewed(client, good[0]?.body.refresh_token)).body.error, 'invalid_grant');
  assert.ok(!(await made(owner, 'GET', base)).some((one: any) => one.id === id));
});

test('a code works only for its app, address, verifier and resource, for a minute', async () => {
  const client = await registerApp();
  const other = await registerApp();
  const { form } = await allowed(owner, client);
  for (const [wrong, code] of [
    [{ client_id: other }, 'invalid_grant'],
    [{ client_id: randomUUIDv7() }, 'invalid_client'],
    [{ redirect_uri: 'http://localhost:33419/callback' }, 'invalid_grant'],
    [{ code_verifier: pair().verifier }, 'invalid_grant'],
    [{ code_verifier: '' }, 'invalid_request'],
    [{ resource: chancery.config.BASE_URL }, 'invalid_target'],
    [{ client_secret: 'x' }, 'invalid_request'],
    [{ code: 'unknown' }, 'invalid_grant'],
  ] as const)
    assert.equal((await token({ ...form, ...wrong } as any)).body.error, code, JSON.stringify(wrong));
  assert.equal((await token(form)).status, 200, 'none of these requests used the code');
  const late = await allowed(owner, client);
  await chancery.pool.query("UPDATE sign_in SET expires_at = now() - interval '1 second' WHERE id = $1", [late.id]);
  assert.equal((await token(late.form)).body.error, 'invalid_grant');
});

test('refresh tokens rotate: two concurrent requests get the same successor, and a reused old token ends the connection', async () => {
  const { client, refresh, access } = await connected(owner);
  const both = await Promise.all([renewed(client, refresh), renewed(client, refresh)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  );
  assert.equal(both[0]?.body.refresh_token, both[1]?.body.refresh_token);
  assert.notEqual(both[0]?.body.refresh_token, refresh);
  assert.equal((await renewed(await registerApp(), refresh)).body.error, 'invalid_grant');
  assert.equal(await opens(access), 200, 'the request of another app ends nothing');
  await chancery.pool.query(
    "UPDATE sign_in SET rotations = ARRAY(SELECT r - interval '1 hour' FROM unnest(rotations) AS r) WHERE id = $1",
    [(decodeJwt(access) as any).sid],
  );
  assert.equal((await renewed(client, refresh)).body.error, 'invalid_grant');
  assert.equal(await opens(access), 401);
  assert.equal((await renewed(client, both[0]?.body.refresh_token)).body.error, 'invalid_grant');
});

test('a connection ends when its user’s sessions end, and only its user can disconnect it', async () => {
  const team = await chancery.team();
  const ends: Record<string, (person: User, id: string) => Promise<unknown>> = {
    'by the person': (person, id) => made(person, 'DELETE', `${base}/${id}`),
    removal: (person) => made(team.owner, 'DELETE', `/api/v1/team/members/${person.id}`),
    'what raises the epoch, such as a new password': (person) =>
      chancery.pool.query("UPDATE person SET email_key = email_key || 'x' WHERE id = $1", [person.id]),
    suspension: (person) => chancery.pool.query("UPDATE account SET status = 'disabled' WHERE id = $1", [person.id]),
  };
  for (const [why, end] of Object.entries(ends)) {
    const person = await chancery.user(team);
    const { access, client, refresh, id } = await connected(person);
    const waits = await allowed(person, client);
    assert.deepEqual(
      (await made(person, 'GET', base)).map((one: any) => [one.id, one.name, one.host, one.clientId]),
      [[id, 'Assistant', 'localhost:33418', client]],
    );
    assert.deepEqual(
      (await made(person, 'GET', '/api/v1/security/auth/sessions')).map((one: any) => one.id),
      [person.sessionId],
    );
    assert.equal(await call(team.owner, 'DELETE', `${base}/${id}`).then(({ status }) => status), 404);
    assert.equal(await opens(access), 200);
    await end(person, id);
    // The database was changed directly, so the node is not notified and may accept a cached token for a minute.
    if (why !== 'by the person') assert.equal((await renewed(client, refresh)).body.error, 'invalid_grant', why);
    else assert.equal(await opens(access), 401);
    if (why !== 'by the person') assert.equal((await token(waits.form)).body.error, 'invalid_grant', `${why}, a code`);
    else assert.equal((await renewed(client, refresh)).body.error, 'invalid_grant');
  }
  const mails = await mailsTo(chancery, owner.email);
  assert.ok(mails.some(({ subject, text }) => /app can now act/.test(subject) && text.includes('Assistant')));
});

test('the user decides each time after a recent sign-in, and only about the shown request', async () => {
  const { challenge } = pair();
  const { consentSettings, headers, text } = await authorizing(await registerApp(), challenge);
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'.*form-action 'none'; frame-ancestors 'none'/);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.match(text, /Assistant/);
  const [body = '', mac] = String(consentSettings.request).split('.');
  const forged = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), redirectUri: 'https://evil.example/' };
  for (const request of ['x', body, `${body}.`, `${Buffer.from(JSON.stringify(forged)).toString('base64url')}.${mac}`])
    for (const path of [base, `${base}/preview`])
      assert.equal((await call(owner, 'POST', path, { request })).body.code, 'authorization_request_expired', request);
  const shown = await made(owner, 'POST', `${base}/preview`, { request: consentSettings.request });
  assert.deepEqual([shown.name, shown.host, shown.email], ['Assistant', 'localhost:33418', owner.email]);
  const late = await chancery.user(owner.team);
  await chancery.pool.query("UPDATE sign_in SET auth_time = now() - interval '1 hour' WHERE id = $1", [late.sessionId]);
  for (const path of [base, `${base}/preview`])
    assert.equal((await call(late, 'POST', path, { request: consentSettings.request })).body.code, 'reauthentication_required');
  assert.equal((await chancery.call('POST', base, { body: { request: consentSettings.request } })).status, 401);
  const viewer = await chancery.user(owner.team, { role: 'viewer' });
  const journal = await authorizing(await registerApp(), challenge, { scope: 'audit:read' });
  for (const path of [base, `${base}/preview`])
    assert.equal((await call(viewer, 'POST', path, { request: journal.consentSettings.request })).body.code, 'no_scopes_requested');
  // The limit is fifty.
  const ids = Array.from({ length: 50 }, () => randomUUIDv7());
  await insertSessions(chancery.pool, viewer.team, viewer.id, ids, { app_id: "'x'", app_scopes: "'{}'" });
  assert.equal((await call(viewer, 'POST', base, { request: consentSettings.request })).body.code, 'connected_app_limit');
});

test('an unregistered address gets no redirect, and a registered one gets every other error', async () => {
  const { challenge } = pair();
  const client = await registerApp([redirectUri, 'https://app.example/in?kept=1']);
  for (const [members, why] of [
    [{ client_id: randomUUIDv7() }, 'unknown app'],
    [{ client_id: 'https://127.0.0.1:1/none.json' }, 'missing document'],
    [{ redirect_uri: 'https://evil.example/' }, 'another address'],
    [{ redirect_uri: 'https://app.example/in' }, 'without its query'],
    [{ redirect_uri: 'http://localhost:33418/callback/../x' }, 'another path'],
    [{ redirect_uri: undefined }, 'no address'],
  ] as const) {
    const answer = await authorizing(client, challenge, members);
    assert.deepEqual([answer.status, answer.location], [400, null], why);
  }
  for (const [members, error] of [
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ resource: undefined }, 'invalid_target'],
    [{ resource: chancery.config.BASE_URL }, 'invalid_target'],
    [{ prompt: 'none' }, 'login_required'],
    [{ scope: 'documents:write' }, 'invalid_scope'],
    [{ request: 'x' }, 'request_not_supported'],
    [{ state: 'x'.repeat(1_001) }, 'invalid_request'],
  ] as const) {
    const { status, location } = await authorizing(client, challenge, { redirect_uri: 'https://app.example/in?kept=1', ...members });
    const redirect = new URL(location ?? '');
    assert.deepEqual(
      [status, redirect.origin + redirect.pathname, redirect.searchParams.get('kept')],
      [303, 'https://app.example/in', '1'],
      error,
    );
    assert.deepEqual([redirect.searchParams.get('error'), redirect.searchParams.get('iss')], [error, chancery.config.BASE_URL], error);
  }
  // On the user’s own machine an app may use any free port.
  const other = await authorizing(client, challenge, { redirect_uri: 'http://localhost:50000/callback' });
  assert.equal(other.status, 200);
  for (const [body, error] of [
    [{ redirect_uris: ['http://app.example/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [redirectUri], grant_types: ['implicit'] }, 'invalid_client_metadata'],
    [{ redirect_uris: redirectUri }, 'invalid_request'],
    [{ redirect_uris: [redirectUri], client_name: 'x'.repeat(20_000) }, 'invalid_request'],
  ] as const)
    assert.equal((await chancery.call('POST', '/oauth/register', { body })).body.error, error);
});

test('registration stores usable addresses, creates a public client, and ignores other members', async () => {
  const editor = 'cursor://anysphere.cursor-mcp/oauth/callback';
  const body = {
    client_name: 'Cursor',
    redirect_uris: [editor, 'com.example.app:/callback', 'javascript:alert(1)', 'http://app.example/', redirectUri],
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    response_types: ['code'],
  };
  const { status, body: said, text } = await chancery.call('POST', '/oauth/register', { body });
  await chancery.pool.query('DELETE FROM throttle');
  assert.equal(status, 201, text);
  assert.deepEqual(said.redirect_uris, [editor, 'com.example.app:/callback', redirectUri]);
  assert.deepEqual([said.token_endpoint_auth_method, 'client_secret' in said], ['none', false]);
  const { access, id } = await connected(owner, said.client_id, { redirect_uri: editor });
  assert.equal(await opens(access), 200);
  const shown = (await made(owner, 'GET', base)).find((one: any) => one.id === id);
  assert.equal(shown.host, 'cursor:', 'the host of an app is its scheme');
  const { form, redirectTo } = await allowed(owner, said.client_id, { redirect_uri: 'com.example.app:/callback' });
  assert.match(redirectTo.href, /^com\.example\.app:\/callback\?code=/);
  assert.equal((await token(form)).status, 200);
});

test('schemes of browsers and operating systems are rejected', () => {
  for (const uri of [
    'cursor://x/callback',
    'com.example.app:/callback',
    'vscode-insiders://publisher.extension/cb',
    'io.github.x-y:/a?b=c',
  ])
    assert.ok(mayBeNamed(uri), uri);
  for (const uri of [
    'javascript:alert(1)',
    'javascript://x/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://app.example/',
    'ms-msdt:/id',
    'ms-settings://x',
    'search-ms:query=x',
    'intent://x#Intent;end',
    'view-source://app.example/',
    'http://app.example/',
    'cursor:callback',
    'com.example.app:callback',
    'CURSOR://x',
    'cursor://user@x/',
    'cursor://x/#f',
  ])
    assert.ok(!mayBeNamed(uri), uri);
});

test('a resource may be repeated, and two resources are rejected (RFC 8707)', async () => {
  const client = await registerApp();
  const query = authorizePath(chancery, client, pair().challenge);
  const again = await chancery.call('GET', `${query}&resource=${encodeURIComponent(resourceOf(chancery))}`, { unchecked: true });
  assert.equal(again.status, 200, again.text);
  const two = await chancery.call('GET', `${query}&resource=${encodeURIComponent(chancery.config.BASE_URL)}`, { unchecked: true });
  assert.equal(new URL(two.headers.get('location') ?? '').searchParams.get('error'), 'invalid_target');
  const twice = await chancery.call('GET', `${query}&scope=x&scope=y`, { unchecked: true });
  assert.equal(new URL(twice.headers.get('location') ?? '').searchParams.get('error'), 'invalid_request');
  const { form } = await allowed(owner, client);
  const send = (resource: string) =>
    chancery.call('POST', '/oauth/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `${new URLSearchParams(form).toString()}&resource=${encodeURIComponent(resource)}`,
    });
  assert.equal((await send(chancery.config.BASE_URL)).body.error, 'invalid_target');
  assert.equal((await send(resourceOf(chancery))).status, 200);
});

test('registrations are limited in all and by address, and unused ones are deleted', async () => {
  const body = { redirect_uris: [redirectUri] };
  await chancery.pool.query('DELETE FROM throttle');
  const many = await Promise.all(Array.from({ length: 40 }, () => chancery.call('POST', '/oauth/register', { body })));
  assert.deepEqual([...new Set(many.map(({ status }) => status))].toSorted(), [201, 429]);
  assert.ok(many.filter(({ status }) => status === 201).length <= 30);
  await chancery.pool.query('DELETE FROM throttle');
  await chancery.pool.query(
    "INSERT INTO connected_app (id, name, redirect_uris, created_at) SELECT gen_random_uuid(), 'x', '{x}', now() - interval '2 days' FROM generate_series(1, 20000)",
  );
  assert.equal((await chancery.call('POST', '/oauth/register', { body })).body.error, 'temporarily_unavailable');
  const used = (await connectedApp(chancery, owner, await existing())).client;
  await dropUnused(chancery.database);
  const { rows } = await chancery.pool.query(
    "SELECT count(*)::int AS left, bool_or(id = $1) AS used FROM connected_app WHERE name = 'x' OR id = $1",
    [used],
  );
  assert.deepEqual(rows, [{ left: 19_001, used: true }]);

  /** An old registration from before the limit was reached. */
  async function existing(): Promise<string> {
    const id = many.find(({ status }) => status === 201)?.body.client_id;
    await chancery.pool.query("UPDATE connected_app SET created_at = now() - interval '3 days' WHERE id = $1", [id]);
    return id;
  }
});

test('redirects go only to registered addresses, apart from the port on the user’s own machine', () => {
  const part = fc.string({ unit: fc.constantFrom('a', '/', '\\', '@', ':', '#', '?', '.', '[', ']', '1', '%', ' ') });
  fc.assert(
    fc.property(
      fc.constantFrom('https://app.example', 'http://localhost:1', 'http://127.0.0.1', 'http://evil.example', 'javascript:'),
      part,
      part,
      (origin, named, requested) => {
        const [one, other] = [`${origin}${named}`, `${origin}${requested}`];
        if (isNamed([one], other)) {
          const [a, b] = [new URL(one), new URL(other)];
          assert.equal(a.hostname, b.hostname);
          assert.ok(one === other || (a.protocol === 'http:' && a.pathname === b.pathname && a.search === b.search));
          assert.equal(new URL(answerAt(other, { code: 'x' })).hostname, b.hostname);
        }
        if (mayBeNamed(one))
          assert.ok(/^https:$/.test(new URL(one).protocol) || ['localhost', '127.0.0.1', '[::1]'].includes(new URL(one).hostname));
      },
    ),
  );
});

test('an app can revoke its connection with each of its tokens, also fifty times at once, and others stay', async () => {
  const [client, other] = [await registerApp(), await registerApp()];
  const revoke = (form: Record<string, string>) =>
    chancery.call('POST', '/oauth/revoke', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
  const mine = await connected(owner, client);
  for (const shown of [mine.refresh, mine.access, 'nothing', owner.token]) {
    const answer = await revoke({ client_id: other, token: shown });
    assert.deepEqual([answer.status, answer.body], [200, {}]);
  }
  assert.deepEqual([await opens(mine.access), (await call(owner, 'GET', base)).status], [200, 200], 'other connections stay');
  const [two, three] = [await connected(owner, client), await connected(owner, client)];
  await renewed(client, two.refresh);
  for (const [session, shown, which] of [
    [mine, mine.refresh, 'a refresh token'],
    [two, two.refresh, 'an old refresh token'],
    [three, three.access, 'an access token'],
  ] as const) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => revoke({ client_id: client, token: shown, token_type_hint: 'access_token' })),
    );
    assert.ok(
      answers.every(({ status }) => status === 200),
      which,
    );
    assert.deepEqual([await opens(session.access), (await renewed(client, session.refresh)).body.error], [401, 'invalid_grant'], which);
    const ended = await chancery.pool.query("SELECT actor_id FROM audit_entry WHERE type = 'session.revoked' AND target_id = $1", [
      session.id,
    ]);
    assert.deepEqual(ended.rows, [{ actor_id: owner.id }], which);
  }
  assert.equal((await revoke({ client_id: client })).body.error, 'invalid_request');
  for (const [form, why] of [
    [{ client_id: randomUUIDv7(), token: 'x' }, 'nobody'],
    [{ client_id: client, client_secret: 'x', token: 'x' }, 'a secret that it does not have'],
    [{ token: 'x' }, 'no name'],
  ] as const)
    assert.equal((await revoke(form)).body.error, 'invalid_client', why);
  const { body } = await chancery.call('GET', '/.well-known/oauth-authorization-server');
  assert.ok(body.revocation_endpoint_auth_methods_supported.includes('none'));
});

test('a document names its app and is cached as long as its server says; a resource in capitals is recognized', async () => {
  const address = 'https://app.example/program.json';
  const document = { client_id: address, client_name: 'Described', redirect_uris: [redirectUri] };
  assert.equal(described(address, JSON.stringify(document))?.name, 'Described');
  for (const wrong of [
    { client_name: undefined },
    { client_name: '\u202e' },
    { client_id: `${address}?` },
    { redirect_uris: [] },
    { client_secret: 'x' },
  ])
    assert.equal(described(address, JSON.stringify({ ...document, ...wrong })), undefined, JSON.stringify(wrong));
  assert.deepEqual(
    [null, 'max-age=60', 'public, MAX-AGE=86400', 'no-store', 'no-cache, max-age=60', 'max-age=0'].map(keptFor),
    [300_000, 60_000, 300_000, 0, 0, 0],
  );
  const client = await registerApp();
  const { origin } = new URL(chancery.config.BASE_URL);
  for (const [resource, status] of [
    [`${origin.toUpperCase()}/mcp`, 200],
    [`${origin}/MCP`, 303],
    [`${origin}/mcp/`, 303],
    [`${origin}/mcp#x`, 303],
    [`${origin}.evil.example/mcp`, 303],
  ] as const)
    assert.equal((await authorizing(client, pair().challenge, { resource })).status, status, resource);
});
