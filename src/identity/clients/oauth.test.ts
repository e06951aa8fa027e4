import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { type Chancery, type TestClient, sharedChancery, type User } from '../../../test/harness.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { notificationMs } from '../../../test/signals.ts';

let chancery: Chancery;
let owner: User;
let client: TestClient;

before(async () => {
  chancery = await sharedChancery();
  ({ owner } = await chancery.team());
  client = await chancery.client(owner, ['tasks:read', 'tasks:write', 'webhooks:read', 'webhooks:write']);
});

const basic = (id = client.id, secret = client.secret) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const post = (path: string, form: Record<string, string> | string, headers: Record<string, string> = {}) =>
  chancery.call('POST', path, {
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
const grant = { grant_type: 'client_credentials' };
const token = (form: Record<string, string> | string = grant, authorization: string | undefined = basic()) =>
  post('/oauth/token', form, authorization === undefined ? {} : { authorization });
const inBody = (id = client.id, secret = client.secret) => ({ client_id: id, client_secret: secret });
const refused = (answer: { status: number; body: any }, status: number, error: string, why: string) => {
  assert.deepEqual([answer.status, answer.body.error], [status, error], why);
  assert.deepEqual(Object.keys(answer.body), ['error', 'error_description'], why);
  assert.match(answer.body.error_description, /^[ !#-[\]-~]+$/, 'only characters that RFC 6749 allows');
};

test('a client gets a token by HTTP Basic or in the body, with the members and headers of RFC 6749 §5.1', async () => {
  for (const answer of [await token(), await post('/oauth/token', { ...grant, ...inBody() })]) {
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    assert.deepEqual([answer.headers.get('cache-control'), answer.headers.get('pragma')], ['no-store', 'no-cache']);
    const { access_token: accessToken, ...rest } = answer.body;
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 900, scope: 'tasks:read tasks:write webhooks:read webhooks:write' });
    assert.equal((await chancery.call('GET', '/api/v1/tasks/', { token: accessToken })).status, 200);
  }
});

test('the token is a signed at+jwt (RFC 9068) whose subject is the client, with team and scope and without a role', async () => {
  const { access_token: accessToken } = (await token()).body;
  const { payload, protectedHeader } = await jwtVerify(accessToken, createRemoteJWKSet(new URL(`${chancery.url}/.well-known/jwks.json`)), {
    issuer: chancery.config.BASE_URL,
    audience: 'user-api',
    typ: 'at+jwt',
  });
  assert.equal(protectedHeader.alg, 'ES256');
  assert.deepEqual(Object.keys(payload).toSorted(), ['aud', 'client_id', 'exp', 'iat', 'iss', 'jti', 'nbf', 'scope', 'sid', 'sub', 'team']);
  assert.deepEqual([payload.sub, payload.client_id, payload.team], [client.id, client.id, owner.team]);
  assert.equal((payload.exp ?? 0) - (payload.iat ?? 0), 900);
});

test('a token has the requested scopes and no others', async () => {
  const { body } = await token({ ...grant, scope: 'webhooks:read tasks:read' });
  assert.equal(body.scope, 'tasks:read webhooks:read');
  const answer = await chancery.call('POST', '/api/v1/tasks/', { token: body.access_token, body: { title: 'Beyond' } });
  assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient_scope']);
  assert.match(answer.headers.get('www-authenticate') ?? '', /error="insufficient_scope", scope="tasks:write"/);
});

test('an unknown scope or one that the client lacks is invalid_scope', async () => {
  for (const scope of ['audit:read', 'tasks:read audit:read', 'tasks:read  tasks:write', 'tasks:"read"', 'ünicode', '*'])
    refused(await token({ ...grant, scope }), 400, 'invalid_scope', scope);
  assert.equal((await token({ ...grant, scope: '' })).status, 200, 'an empty parameter counts as omitted (RFC 6749 §3.2)');
});

test('a request that is not well-formed is invalid_request', async () => {
  refused(await token({}), 400, 'invalid_request', 'no grant_type');
  refused(await token('grant_type=client_credentials&grant_type=client_credentials'), 400, 'invalid_request', 'a repeated parameter');
  refused(await token({ ...grant, ...inBody() }), 400, 'invalid_request', 'two kinds of authentication');
  refused(await token({ ...grant, client_id: owner.id }), 400, 'invalid_request', 'two clients');
  assert.equal((await token({ ...grant, client_id: client.id })).status, 200, 'repeating the same client is allowed');
  refused(
    await post(`/oauth/token?client_id=${client.id}&client_secret=${client.secret}`, grant),
    400,
    'invalid_request',
    'credentials in the address',
  );
  const json = await chancery.call('POST', '/oauth/token', { body: { ...grant, ...inBody() } });
  refused(json, 400, 'invalid_request', 'JSON');
  const large = await token({ ...grant, padding: 'x'.repeat(20_000) });
  refused(large, 413, 'invalid_request', 'too large');
});

test('another grant is unsupported_grant_type', async () => {
  for (const grantType of ['password', 'implicit', 'CLIENT_CREDENTIALS'])
    refused(await token({ grant_type: grantType }), 400, 'unsupported_grant_type', grantType);
});

test('all failed authentications are invalid_client, a 401 with a challenge', async () => {
  const other = await chancery.client(owner, ['tasks:read']);
  const attempts: [string, string | undefined, Record<string, string>][] = [
    ['nothing', undefined, {}],
    ['no secret', undefined, { client_id: client.id }],
    ['no client', undefined, { client_secret: client.secret }],
    ['a wrong secret', basic(client.id, `${client.secret}x`), {}],
    ['an empty secret', basic(client.id, ''), {}],
    ['the secret of another', basic(client.id, other.secret), {}],
    ['an unknown client', basic('01999999-0000-7000-8000-000000000000'), {}],
    ['a client identifier with a wrong format', basic("x' OR 1=1 --"), {}],
    ['a NUL', basic('\0'), {}],
    ['a bearer token', `Bearer ${client.token}`, {}],
    ['no base64', 'Basic %%%', {}],
    ['no colon', `Basic ${Buffer.from(client.id).toString('base64')}`, {}],
    ['a broken escape', basic(`%E0%A4%A`), {}],
    ['a person', basic(owner.id, owner.token), {}],
  ];
  const texts = new Set<string>();
  for (const [why, authorization, form] of attempts) {
    const answer = await post('/oauth/token', { ...grant, ...form }, authorization === undefined ? {} : { authorization });
    refused(answer, 401, 'invalid_client', why);
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic realm=/, why);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    if (/wrong|another|unknown|no identifier/.test(why)) texts.add(answer.text);
  }
  assert.equal(texts.size, 1, 'the response does not distinguish an unknown client from a wrong secret');
});

test('the parts of HTTP Basic are read as form-encoded (RFC 6749 §2.3.1)', async () => {
  const encoded = `${client.id.replaceAll('-', '%2D')}:${client.secret.replace('_', '%5F')}`;
  assert.equal((await token(grant, `basic ${Buffer.from(encoded).toString('base64')}`)).status, 200);
});

test('failures are throttled by client and address; a correct secret is never delayed or counted', async () => {
  const target = await chancery.client(owner, ['tasks:read']);
  const wrong = () => token(grant, basic(target.id, 'chs_wrong'));
  const answers = [];
  for (let index = 0; index < 14; index += 1) answers.push(await wrong());
  const throttled = answers.filter(({ status }) => status === 429);
  assert.ok(throttled.length > 0 && answers.slice(0, 9).every(({ status }) => status === 401));
  for (const answer of throttled) {
    refused(answer, 429, 'temporarily_unavailable', 'throttled');
    assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
  }
  const rights = await Promise.all(
    Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? token(grant, basic(target.id, target.secret)) : wrong())),
  );
  assert.ok(rights.filter((_, index) => index % 2 === 0).every(({ status }) => status === 200));
  assert.equal((await token()).status, 200, 'other clients are not delayed');
});

test('a rejected secret is in the journal of the team, without the secret', async () => {
  const target = await chancery.client(owner, ['tasks:read']);
  await token(grant, basic(target.id, 'chs_guessed'));
  const { rows } = await chancery.pool.query(
    "SELECT team_id, actor_type, data FROM audit_entry WHERE type = 'client.refused' AND target_id = $1",
    [target.id],
  );
  assert.deepEqual(rows, [{ team_id: owner.team, actor_type: 'system', data: {} }]);
});

test('fifty concurrent tokens all work, with one journal entry and one lastUsedAt', async () => {
  const busy = await chancery.client(owner, ['tasks:read']);
  const answers = await Promise.all(Array.from({ length: 50 }, () => token(grant, basic(busy.id, busy.secret))));
  assert.ok(answers.every(({ status }) => status === 200));
  assert.equal(new Set(answers.map(({ body }) => decodeJwt(body.access_token).jti)).size, 50);
  const { rows } = await chancery.pool.query(
    "SELECT actor_type, actor_id FROM audit_entry WHERE type = 'client.token_issued' AND target_id = $1",
    [busy.id],
  );
  assert.deepEqual(rows, [{ actor_type: 'client', actor_id: busy.id }]);
  const { lastUsedAt } = (await chancery.call('GET', `/api/v1/security/clients/${busy.id}`, { token: owner.token })).body;
  assert.ok(Math.abs(Date.parse(lastUsedAt) - Date.now()) < 60_000);
});

test('the journal records the actions of a client with the client as actor', async () => {
  const made = await chancery.call('POST', '/api/v1/tasks/', { token: client.token, body: { title: 'By an API client' } });
  assert.equal(made.status, 201);
  const audit = await chancery.call('GET', '/api/v1/security/audit?type=task.created', { token: owner.token });
  const entry = audit.body.events.find((one: { target: { id: string } }) => one.target.id === made.body.id);
  assert.deepEqual(entry.actor, { type: 'client', id: client.id });
});

test('assignedTo=me is rejected for a client, which can name a user instead', async () => {
  const worker = await chancery.client(owner, ['tasks:read', 'workflows:read']);
  for (const list of ['/api/v1/tasks/', '/api/v1/workflows/']) {
    const answer = await chancery.call('GET', `${list}?assignedTo=me`, { token: worker.token });
    assert.deepEqual([answer.status, answer.body.code], [403, 'person_required'], list);
    assert.equal((await chancery.call('GET', `${list}?assignedTo=${owner.id}`, { token: worker.token })).status, 200);
  }
});

test('a client with profile scopes cannot use a profile or its password', async () => {
  const curious = await chancery.client(owner, ['profile:read', 'profile:write']);
  for (const [method, path] of [
    ['GET', '/profile'],
    ['PUT', '/profile'],
    ['PUT', '/change-password'],
    ['POST', '/logout'],
    ['GET', '/sessions'],
  ]) {
    const answer = await chancery.call(method ?? '', `/api/v1/security/auth${path}`, {
      token: curious.token,
      ...(method === 'GET' ? {} : { body: {} }),
    });
    assert.deepEqual([answer.status, answer.body.code], [403, 'person_required'], `${method} ${path}`);
  }
});

test('a webhook endpoint has the clientId of the client that created it, and none if a user created it', async () => {
  const make = (by: string, members: object = {}) =>
    chancery.call('POST', '/api/v1/webhooks/', {
      token: by,
      body: { name: 'Hook', url: 'https://receiver.example/hook', events: ['task.created'], ...members },
    });
  const made = await make(client.token, { clientId: owner.id });
  assert.deepEqual([made.status, made.body.clientId], [201, client.id], 'the body cannot set another value');
  assert.equal((await chancery.call('GET', `/api/v1/webhooks/${made.body.id}`, { token: owner.token })).body.clientId, client.id);
  const byPerson = await make(owner.token, { clientId: client.id });
  assert.ok(!('clientId' in byPerson.body));
});

test('a revoked token is invalid at once; the client’s other tokens stay valid', async () => {
  const [first, second] = [(await token()).body.access_token, (await token()).body.access_token];
  const reads = async (one: string) => (await chancery.call('GET', '/api/v1/tasks/', { token: one })).status;
  assert.equal(await reads(first), 200);
  const answer = await post('/oauth/revoke', { token: first, token_type_hint: 'access_token' }, { authorization: basic() });
  assert.deepEqual([answer.status, answer.body], [200, {}]);
  assert.deepEqual([await reads(first), await reads(second)], [401, 200]);
  assert.equal((await post('/oauth/revoke', { token: first, ...inBody() })).status, 200, 'a repetition is no error (RFC 7009 §2.2)');
});

test('revoking an invalid token succeeds, and revoking the token of another client fails', async () => {
  const other = await chancery.client(owner, ['tasks:read']);
  assert.equal((await post('/oauth/revoke', { token: 'nothing', ...inBody() })).status, 200);
  for (const foreign of [other.token, owner.token]) {
    refused(await post('/oauth/revoke', { token: foreign, ...inBody() }), 400, 'invalid_grant', 'another’s token');
    assert.equal((await chancery.call('GET', '/api/v1/tasks/', { token: foreign })).status, 200);
  }
  refused(await post('/oauth/revoke', inBody()), 400, 'invalid_request', 'no token');
  refused(await post('/oauth/revoke', { token: other.token }), 401, 'invalid_client', 'nobody');
});

test('introspection shows the rights of the client’s own token, and that others are not active', async () => {
  const issued = (await token({ ...grant, scope: 'tasks:read' })).body;
  const ask = (about: string) => post('/oauth/introspect', { token: about }, { authorization: basic() });
  const { exp, iat, jti } = decodeJwt(issued.access_token);
  assert.deepEqual((await ask(issued.access_token)).body, {
    active: true,
    scope: 'tasks:read',
    client_id: client.id,
    token_type: 'Bearer',
    exp,
    iat,
    sub: client.id,
    aud: 'user-api',
    iss: chancery.config.BASE_URL,
    jti,
  });
  await post('/oauth/revoke', { token: issued.access_token, ...inBody() });
  const other = await chancery.client((await chancery.team()).owner, ['tasks:read']);
  for (const foreign of [issued.access_token, other.token, owner.token, 'nothing'])
    assert.deepEqual((await ask(foreign)).body, { active: false });
});

test('the metadata has the token endpoint and its methods (RFC 8414), and the accepted issuers (RFC 9728)', async () => {
  const issuer = chancery.config.BASE_URL;
  const server = (await chancery.call('GET', '/.well-known/oauth-authorization-server')).body;
  assert.equal(server.issuer, issuer);
  const authorize = await chancery.call('GET', new URL(server.authorization_endpoint).pathname, { unchecked: true });
  assert.equal(authorize.status, 400, 'a page with an error about the missing request');
  assert.deepEqual(server.grant_types_supported, ['authorization_code', 'refresh_token', 'client_credentials']);
  assert.deepEqual([server.response_types_supported, server.code_challenge_methods_supported], [['code'], ['S256']]);
  assert.deepEqual(server.token_endpoint_auth_methods_supported, ['client_secret_basic', 'client_secret_post', 'none']);
  assert.ok(server.scopes_supported.includes('tasks:read') && !server.scopes_supported.includes('profile:read'));
  for (const member of ['token_endpoint', 'revocation_endpoint', 'introspection_endpoint', 'jwks_uri']) {
    const { pathname } = new URL(server[member]);
    assert.ok(server[member].startsWith(`${issuer}/`));
    assert.ok(
      chancery.description.operations.some(({ path }) => path === pathname),
      `${member} exists`,
    );
  }
  const resource = (await chancery.call('GET', '/.well-known/oauth-protected-resource')).body;
  assert.deepEqual([resource.resource, resource.authorization_servers, resource.bearer_methods_supported], [issuer, [issuer], ['header']]);
});

test('a suspended team’s clients get no token, and their tokens end', async () => {
  const suspended = await chancery.team();
  const theirs = await chancery.client(suspended.owner, ['tasks:read']);
  await chancery.pool.query("UPDATE team SET status = 'suspended' WHERE team_id = $1", [suspended.id]);
  await chancery.pool.query("SELECT pg_notify('revoked', '*')");
  refused(await token(grant, basic(theirs.id, theirs.secret)), 401, 'invalid_client', 'suspended');
  await eventually('the token ends', async () => (await chancery.call('GET', '/api/v1/tasks/', { token: theirs.token })).status === 401);
});

test('deletion, deactivation and a new secret apply on a second node after its notification, although it has cached the token', async () => {
  const node = await chancery.node('api');
  const there = async (one: TestClient) =>
    (await fetch(`${node.address}/api/v1/tasks/`, { headers: { authorization: `Bearer ${one.token}` } })).status;
  const path = (one: TestClient) => `/api/v1/security/clients/${one.id}`;
  const ends: [string, (one: TestClient) => Promise<unknown>][] = [
    ['deletion', (one) => chancery.call('DELETE', path(one), { token: owner.token })],
    ['deactivation', (one) => chancery.call('PATCH', path(one), { token: owner.token, body: { isActive: false } })],
    ['new secret', (one) => chancery.call('POST', `${path(one)}/rotate-secret`, { token: owner.token, body: { overlapHours: 0 } })],
    ['revocation', (one) => post('/oauth/revoke', { token: one.token }, { authorization: basic(one.id, one.secret) })],
  ];
  for (const [why, end] of ends) {
    const one = await chancery.client(owner, ['tasks:read']);
    assert.deepEqual([await there(one), await there(one)], [200, 200]);
    await end(one);
    await eventually(why, async () => (await there(one)) === 401, notificationMs);
  }
});
