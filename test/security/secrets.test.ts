import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, testPool } from '../postgres.ts';
import { type Spawned, spawnService } from '../spawned.ts';
import { eventually } from '../webhook-receiver.ts';

const auth = '/api/v1/security/auth';
const masterKey = randomBytes(32).toString('base64');
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
let dataDir: string;
let service: Spawned;
/** The secrets that must not occur, with a description of each. */
const secrets = new Map<string, string>();

before(async () => {
  database = await createTestDatabase();
  pool = testPool(database.url, 2);
  dataDir = await mkdtemp(join(tmpdir(), 'chancery-secrets-'));
  service = await spawnService({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    MASTER_KEY: masterKey,
    LOG_LEVEL: 'trace',
    WEBHOOK_RETRY_SCHEDULE: '50ms',
  });
  await liveThroughEverything();
});
after(async () => {
  await service.stop();
  await pool.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

type Sent = { status: number; body: any; cookies: string[] };
async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Sent> {
  const form = body instanceof FormData || body instanceof URLSearchParams;
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { ...(body === undefined || form ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const cookies = response.headers.getSetCookie().map((line) => line.slice(line.indexOf('=') + 1, line.indexOf(';')));
  for (const [index, cookie] of cookies.entries())
    if (cookie.length > 15) secrets.set(`cookie ${index} of ${path} ${secrets.size}`, cookie);
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text, cookies };
}

/** Records a secret for the search and returns it. */
function secret(what: string, value: string | undefined): string {
  assert.ok(value, what);
  secrets.set(what, value);
  return value;
}

async function mailed(email: string, pattern: RegExp): Promise<string> {
  return eventually(`a mail to ${email}`, async () => {
    const mails: any[] = (await (await fetch(`${service.url}/dev/mail.json?to=${email}`)).json()) as any[];
    return mails.map(({ subject, text }) => pattern.exec(`${subject}\n${text}`)?.[0]).find(Boolean);
  });
}

/** Registers, signs in and out with correct and wrong secrets, uploads, adds webhooks, and interrupts the database. */
async function liveThroughEverything(): Promise<void> {
  const email = 'secret.keeper@example.org';
  const password = secret('the first password', 'First-Passw0rd-of-hers');
  await send('POST', `${auth}/register`, { email, password, firstName: 'Ada', lastName: 'Keeper' });
  const code = await mailed(email, /\b\d{6}\b/);
  secret('the code in its sentence', `${code} is your`);
  await send('POST', `${auth}/verify-email`, { email, code: secret('a wrong code', '918273').slice(0, 6) });
  const verified = await send('POST', `${auth}/verify-email`, { email, code });
  assert.equal(verified.status, 200);
  secret('the access token of the confirmation', verified.body.accessToken);

  assert.equal(
    (await send('POST', `${auth}/login`, { email, password: secret('a wrong password', 'Wrong-Passw0rd-of-hers') })).status,
    401,
  );
  assert.equal(
    (
      await send('POST', `${auth}/login`, {
        email,
        password: secret('a password of another type', 'Typed-Passw0rd'),
        extra: { password: secret('a nested password', 'Nested-Passw0rd') },
      })
    ).status,
    401,
  );
  assert.equal((await send('POST', `${auth}/login?password=${secret('a password in the query', 'Query-Passw0rd')}`, {})).status, 400);
  assert.equal(
    (await send('POST', `${auth}/login`, `{"password": "${secret('a password in broken JSON', 'Broken-Passw0rd')}`)).status,
    400,
  );
  const signedIn = await send('POST', `${auth}/login`, { email, password });
  assert.equal(signedIn.status, 200, JSON.stringify(signedIn.body));
  const token = secret('an access token', signedIn.body.accessToken);
  const bearer = { authorization: `Bearer ${token}` };
  const refresh = signedIn.cookies.find((cookie) => cookie.length > 30) ?? '';

  const refreshed = await send('POST', `${auth}/refresh`, { refreshToken: refresh });
  assert.equal(refreshed.status, 200, JSON.stringify(refreshed.body));
  secret('a refresh token', refreshed.body.refreshToken);
  secret('a refreshed access token', refreshed.body.accessToken);
  await send('POST', `${auth}/refresh`, undefined, { cookie: `refresh_token=${refreshed.body.refreshToken}` });
  await send('POST', `${auth}/refresh`, {
    refreshToken: secret('an invalid refresh token', `rt_${randomBytes(32).toString('base64url')}`),
  });
  await send('GET', `${auth}/profile`, undefined, { authorization: `Bearer ${secret('a forged token', `${token.slice(0, -6)}abcdef`)}` });
  await send('GET', `${auth}/profile`, undefined, {
    authorization: `Basic ${secret('basic credentials', Buffer.from('a:basic-passw0rd').toString('base64'))}`,
  });

  const form = new FormData();
  form.set('title', 'Uploaded');
  form.set('file', new Blob([secret('what a document says', 'privileged and confidential: the merger')]), 'a.txt');
  assert.equal((await send('POST', '/api/v1/smartdoc/documents/', form, bearer)).status, 201);
  const receiver = createServer((_request, response) => response.writeHead(500).end()).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
  const address = receiver.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hook`;
  const key = { 'idempotency-key': 'hook-1' };
  const hook = await send('POST', '/api/v1/webhooks/', { name: 'W', url, events: ['*'] }, { ...bearer, ...key });
  secret('a webhook secret', hook.body.secret);
  secret('a rotated webhook secret', (await send('POST', `/api/v1/webhooks/${hook.body.id}/rotate-secret`, undefined, bearer)).body.secret);
  await send('POST', '/api/v1/smartdoc/folders/', { name: 'Announced' }, bearer);
  await eventually('a delivery has failed', async () => (await pool.query('SELECT FROM webhook_delivery WHERE attempts > 0')).rowCount);

  // A connected app of the person, and a change that it requests.
  const redirect = 'http://localhost:33418/callback';
  const clientId = (await send('POST', '/oauth/register', { redirect_uris: [redirect] })).body.client_id;
  const verifier = secret('a code verifier', randomBytes(32).toString('base64url'));
  const resource = `${service.url}/mcp`;
  const wanted = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: (await send('GET', '/.well-known/oauth-protected-resource/mcp')).body.resource ?? resource,
    scope: 'tasks:write',
    state: secret('the state of an app', randomBytes(24).toString('base64url')),
  });
  const page = String((await send('GET', `/oauth/authorize?${wanted.toString()}`)).body);
  const { consent } = JSON.parse(/<script[^>]*id="settings"[^>]*>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '{}');
  const request = secret('a signed request of an app', consent.request);
  const allowed = await send('POST', `${auth}/connected-apps`, { request, changes: true }, bearer);
  const code_ = secret('a code of an app', new URL(allowed.body.redirectTo).searchParams.get('code') ?? undefined);
  const form_ = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    code: code_,
    code_verifier: verifier,
    redirect_uri: redirect,
    resource: wanted.get('resource') ?? '',
  });
  const given = await send('POST', '/oauth/token', form_);
  assert.equal(given.status, 200, JSON.stringify(given.body));
  const appToken = secret('an access token of an app', given.body.access_token);
  const kept = secret('a refresh token of an app', given.body.refresh_token);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'create_task', arguments: { title: 'Asked' } } };
  const accepted = { accept: 'application/json, text/event-stream' };
  const waits = await send('POST', '/mcp', call, { ...accepted, authorization: `Bearer ${appToken}` });
  assert.equal(waits.body.result?.structuredContent?.status, 'approval_required', JSON.stringify(waits.body));
  assert.equal((await send('POST', '/oauth/revoke', new URLSearchParams({ client_id: clientId, token: kept }))).status, 200);

  const next = secret('the second password', 'Second-Passw0rd-of-hers');
  const changed = await send('PUT', `${auth}/change-password`, { currentPassword: password, newPassword: next }, bearer);
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  secret('the access token of the change', changed.body.accessToken);
  await send('POST', `${auth}/request-password-reset`, { email });
  const link = secret('a reset token', (await mailed(email, /token=[\w-]{20,}/)).slice('token='.length));
  await send('POST', `${auth}/reset-password`, {
    token: secret('an invalid reset token', randomBytes(32).toString('base64url')),
    password: 'Other-Passw0rd',
  });
  const third = secret('the third password', 'Third-Passw0rd-of-hers');
  assert.equal((await send('POST', `${auth}/reset-password`, { token: link, password: third })).status, 200);

  // Database errors contain the parameters of the statement. Cause them during sign-ins.
  const rows = await Promise.all(
    Array.from({ length: 30 }, async (_, n) => {
      if (n % 3 === 0)
        await pool.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'chancery-%' AND datname = current_database()",
        );
      return send('POST', `${auth}/login`, { email, password: third });
    }),
  );
  assert.ok(rows.some(({ status }) => status === 503) || /"level":"(error|warn)"/.test(service.output()), 'an error was logged');
  for (const { body } of rows) if (body.accessToken) secrets.set(`an access token ${secrets.size}`, body.accessToken);
  const last = await eventually('the service signs in again', async () => {
    const answer = await send('POST', `${auth}/login`, { email, password: third });
    return answer.status === 200 ? answer : undefined;
  });
  await send('POST', `${auth}/logout`, {}, { authorization: `Bearer ${secret('the last access token', last.body.accessToken)}` });
  receiver.close();
  receiver.closeAllConnections();
}

test('at log level trace, the output contains no password, code, token, key or content', () => {
  const output = service.output();
  assert.ok(output.length > 2_000 && /"level":"trace"/.test(output) && output.includes('"msg":"request"'), 'the output contains log lines');
  assert.ok(secrets.size > 25);
  for (const [what, value] of secrets)
    assert.ok(
      !output.includes(value),
      `${what} is in the output: …${output.slice(Math.max(0, output.indexOf(value) - 300), output.indexOf(value))}…`,
    );
  assert.ok(!output.includes(masterKey));
  assert.ok(!output.includes('secret.keeper@example.org'), 'the output does not contain the address of the owner');
});

test('no table except the development mailbox contains a secret in plain text', async () => {
  const { rows: tables } = await pool.query(
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  assert.ok(tables.some(({ name }) => name === 'audit_entry'));
  for (const { name } of tables) {
    // Mails are stored only in development, without a mail server.
    if (name === 'mail_message') continue;
    const { rows } = await pool.query(`SELECT coalesce(string_agg(t::text, E'\\n'), '') AS text FROM ${name} t`);
    const text: string = rows[0].text;
    for (const [what, value] of [...secrets, ['the master key', masterKey] as const]) {
      // The text of a document is stored unencrypted, so that a search can show the matches.
      if (name === 'document_passage' && what === 'what a document says') continue;
      // Binary columns are hexadecimal in the text.
      assert.ok(!text.includes(value) && !text.includes(Buffer.from(value).toString('hex')), `${what} is in ${name}`);
    }
  }
  const { rows } = await pool.query(
    "SELECT count(*)::int AS n FROM audit_entry WHERE type LIKE '%password%' OR type LIKE '%login%' OR type LIKE '%session%'",
  );
  assert.ok(rows[0].n >= 3, 'the journal contains the actions');
});
