import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { knownScopes } from '#accounts';
import { asking } from '../../../test/asking.ts';
import { type Chancery, type TestClient as ApiClient, startChancery, type User } from '../../../test/harness.ts';
import { callTool, mcpToken, offered, resourceOf, sendMessage } from '../../../test/mcp.ts';
import { freePort } from '../../../test/spawned.ts';
import { eventually } from '../../../test/webhook-receiver.ts';

let chancery: Chancery;
let owner: User;
let all: ApiClient;
let token: string;
const { call, made } = asking(() => chancery);
const clients = '/api/v1/security/clients';

before(async () => {
  // Clients use the addresses that the service publishes.
  const port = await freePort();
  chancery = await startChancery({ role: 'api', settings: { PORT: String(port), BASE_URL: `http://localhost:${port}` } });
  ({ owner } = await chancery.team());
  all = await chancery.client(owner);
  token = await mcpToken(chancery, all);
});
after(() => chancery.stop());

const entries = async (actor: string): Promise<any[]> =>
  (
    await chancery.pool.query(
      "SELECT data, target_id, request_id FROM audit_entry WHERE type = 'mcp.tool_called' AND actor_type = 'client' AND actor_id = $1 ORDER BY id",
      [actor],
    )
  ).rows;
const challenge = (answer: { headers: Headers }) => answer.headers.get('www-authenticate') ?? '';
const allowChanges = (id: string) => made(owner, 'PATCH', `${clients}/${id}`, { mcpApproval: 'never' });

for (const mode of ['auto', 'legacy'] as const) {
  test(`the official client gets a token from the 401 response, lists the tools and calls them (${mode})`, async () => {
    const api = await chancery.client(owner, ['documents:read', 'tasks:read', 'audit:read']);
    const { id } = await chancery.document(owner, { title: `Agreement for ${mode}` });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const authProvider = new ClientCredentialsProvider({
      clientId: api.id,
      clientSecret: api.secret,
      expectedIssuer: chancery.config.BASE_URL,
    });
    await client.connect(new StreamableHTTPClientTransport(new URL(resourceOf(chancery)), { authProvider }));
    const { tools } = await client.listTools();
    // A client requests the scopes of the challenge, and gets those that it has.
    assert.deepEqual(
      tools.map(({ name }) => name),
      [
        'find_in_documents',
        'get_document',
        'get_task',
        'list_document_versions',
        'list_task_comments',
        'list_tasks',
        'read_document_text',
        'search_documents',
      ],
    );
    assert.ok(tools.every(({ annotations, inputSchema }) => annotations?.readOnlyHint && inputSchema.additionalProperties === false));
    const found: any = await client.callTool({ name: 'search_documents', arguments: { q: `for ${mode}` } });
    assert.deepEqual(
      found.structuredContent.items.map((one: any) => one.id),
      [id],
    );
    const missing: any = await client.callTool({ name: 'get_document', arguments: { id: randomUUIDv7() } });
    assert.deepEqual([missing.isError, missing.structuredContent.code], [true, 'not_found']);
    await assert.rejects(client.callTool({ name: 'drop_everything', arguments: {} }), /no tool/i);
    await client.close();
  });
}

test('a call without a valid token gets 401 with the metadata address and the scopes', async () => {
  const { body: metadata } = await chancery.call('GET', '/.well-known/oauth-protected-resource/mcp');
  assert.deepEqual([metadata.resource, metadata.authorization_servers], [resourceOf(chancery), [chancery.config.BASE_URL]]);
  assert.ok(metadata.scopes_supported.length > 6 && metadata.scopes_supported.every((scope: string) => knownScopes.includes(scope)));
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  for (const [why, shown] of [
    ['none', undefined],
    ['one that is none', 'not.a.token'],
    ['one for the operations', all.token],
    ['one of a person', owner.token],
  ] as const) {
    const answer = await sendMessage(chancery, shown, list);
    assert.deepEqual([answer.status, answer.body.code], [401, shown === undefined ? 'unauthenticated' : 'invalid_token'], why);
    assert.match(
      challenge(answer),
      /^Bearer realm="mcp", resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/mcp", scope="[^"]*documents:read/,
      why,
    );
    const [, scopes = ''] = /scope="([^"]*)"/.exec(challenge(answer)) ?? [];
    assert.ok(
      scopes.split(' ').every((scope) => metadata.scopes_supported.includes(scope)),
      scopes,
    );
  }
  assert.equal((await sendMessage(chancery, token, list)).status, 200);
});

test('an MCP token does not work for the API, also after the MCP server has accepted it', async () => {
  for (const { method, path, access } of chancery.description.operations) {
    if (access !== 'user' || method !== 'GET') continue;
    const answer = await chancery.call(method, path.replaceAll(/\{[^}]+\}/g, '01999999-0000-7000-8000-000000000000'), { token });
    assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_token'], path);
  }
  assert.equal((await chancery.call('GET', '/api/v1/tasks/', { token: all.token })).status, 200);
  assert.equal((await sendMessage(chancery, all.token, {})).status, 401);
});

test('a token is for the requested resource; a client requests its own resource and can revoke its token', async () => {
  const ask = (members: Record<string, string>) =>
    chancery.call('POST', '/oauth/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: all.id, client_secret: all.secret, ...members }).toString(),
    });
  const { BASE_URL } = chancery.config;
  const own = await ask({ resource: BASE_URL });
  assert.equal((await chancery.call('GET', '/api/v1/tasks/', { token: own.body.access_token })).status, 200);
  for (const resource of ['https://elsewhere.example/mcp', `${BASE_URL}/mcp/`, `${BASE_URL}/MCP`, `${BASE_URL}/mcp?x`, 'mcp']) {
    const { status, body } = await ask({ resource });
    assert.deepEqual([status, body.error], [400, 'invalid_target'], resource);
  }
  // MCP clients request all scopes that the server lists; the token leaves out unknown ones.
  const some = await ask({ resource: resourceOf(chancery), scope: 'tasks:read nothing:read' });
  assert.equal(some.body.scope, 'tasks:read');
  assert.equal((await ask({ resource: resourceOf(chancery), scope: 'nothing:read' })).body.error, 'invalid_scope');
  const form = (path: string) =>
    chancery.call('POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: all.id, client_secret: all.secret, token: some.body.access_token }).toString(),
    });
  const known = (await form('/oauth/introspect')).body;
  assert.deepEqual([known.active, known.aud, known.scope], [true, resourceOf(chancery), 'tasks:read']);
  assert.equal((await callTool(chancery, some.body.access_token, 'list_tasks', {})).code, 'ok');
  assert.equal((await form('/oauth/revoke')).status, 200);
  assert.equal((await callTool(chancery, some.body.access_token, 'list_tasks', {})).answer.status, 401);
});

test('a call without the scope gets 403 with its name, and the tool is not listed', async () => {
  const reader = await chancery.client(owner, ['tasks:read', 'tasks:write']);
  const own = await mcpToken(chancery, reader);
  const { code, answer } = await callTool(chancery, own, 'search_documents', { q: 'Agreement' });
  assert.deepEqual([answer.status, code], [403, 'insufficient_scope']);
  assert.match(challenge(answer), /error="insufficient_scope"/);
  assert.match(challenge(answer), /scope="documents:read"/);
  assert.match(challenge(answer), /resource_metadata=/);
  assert.deepEqual(
    (await offered(chancery, own)).map(({ name }) => name),
    ['comment_on_task', 'create_task', 'get_task', 'list_task_comments', 'list_tasks'],
  );
  const narrow = await mcpToken(chancery, all, { scope: 'tasks:read' });
  assert.equal((await callTool(chancery, narrow, 'search_documents', {})).code, 'insufficient_scope');
  assert.deepEqual(
    (await entries(reader.id)).map(({ data }) => [data.tool, data.result]),
    [['search_documents', 'insufficient_scope']],
  );
});

const titled = async (title: string): Promise<any[]> =>
  (await made(owner, 'GET', '/api/v1/tasks/?limit=500')).filter((task: any) => task.title === title);
const decide = (task: string, outcome: string, by = owner) => call(by, 'POST', `/api/v1/tasks/${task}/complete`, { outcome });

test('a client without access to documents gets no target in its approval request, as for an unknown identifier', async () => {
  const api = await chancery.client(owner, ['tasks:read', 'tasks:write']);
  const may = await mcpToken(chancery, api);
  const { id } = await chancery.document(owner, { title: 'Nightingale' });
  for (const documentId of [id, randomUUIDv7()]) {
    const reply = await callTool(chancery, may, 'create_task', { title: 'Read', documentId });
    assert.deepEqual([reply.code, reply.value.status], ['ok', 'approval_required']);
    assert.ok(!JSON.stringify(await made(owner, 'GET', `/api/v1/tasks/${reply.value.taskId}`)).includes('Nightingale'));
  }
});

test('an administrator can allow changes of a client without approval, immediately and until it is revoked', async () => {
  const writer = await chancery.client(owner, ['tasks:read', 'tasks:write']);
  const own = await mcpToken(chancery, writer);
  const create = async (title: string) => (await callTool(chancery, own, 'create_task', { title })).value;
  assert.equal((await create('Too early')).status, 'approval_required');
  assert.ok((await offered(chancery, own)).map(({ name }) => name).includes('create_task'));
  const { mcpApproval } = await made(owner, 'GET', `${clients}/${writer.id}`);
  assert.equal(mcpApproval, 'mutating');
  assert.equal(
    (await call(writer, 'PATCH', `${clients}/${writer.id}`, { mcpApproval: 'never' })).status,
    403,
    'a client cannot allow this for itself',
  );
  await allowChanges(writer.id);
  const task = await create('By a client');
  const read = await made(owner, 'GET', `/api/v1/tasks/${task.id}`);
  assert.deepEqual([read.title, read.createdBy, read.createdByType], ['By a client', writer.id, 'client']);
  await made(owner, 'PATCH', `${clients}/${writer.id}`, { mcpApproval: 'mutating' });
  assert.equal((await create('Too late')).status, 'approval_required');
  assert.deepEqual([await titled('Too early'), await titled('Too late')], [[], []]);
  assert.deepEqual(
    (await entries(writer.id)).map(({ data }) => data.result),
    ['approval_required', 'ok', 'approval_required'],
  );
});

test('a change by a client waits for approval, is requested once for fifty calls, and is executed once after the approval', async () => {
  const writer = await chancery.client(owner, ['tasks:read', 'tasks:write']);
  const own = await mcpToken(chancery, writer);
  const title = `Asked ${randomUUIDv7()}`;
  const create = async () => (await callTool(chancery, own, 'create_task', { title, description: 'Hidden \u202e' })).value;
  const fifty = () => Promise.all(Array.from({ length: 50 }, create));
  const first = await fifty();
  const [{ taskId, approvalId, url }] = first;
  assert.ok(first.every((one) => one.status === 'approval_required' && one.approvalId === approvalId));
  const task = await made(owner, 'GET', `/api/v1/tasks/${taskId}`);
  assert.deepEqual(
    [task.type, task.assignedTo, task.outcomes, task.createdBy, task.createdByType, url],
    ['tool_approval', owner.id, ['approved', 'denied'], writer.id, 'client', `${chancery.config.BASE_URL}/app/tasks/${taskId}`],
  );
  assert.ok(task.description.includes(title) && task.description.includes('\\u{202e}'), task.description);
  const admin = await chancery.user(owner.team, { role: 'admin' });
  assert.equal((await made(admin, 'GET', `/api/v1/tasks/${taskId}`)).description, undefined, 'only the assignee reads the description');
  assert.equal((await decide(taskId, 'approved', admin)).status, 403, 'only the assignee decides');
  const [withOwn] = await Promise.all([decide(taskId, 'approved'), decide(taskId, 'approved')]);
  assert.ok([200, 409].includes(withOwn.status));
  assert.equal(
    (await made(owner, 'GET', `/api/v1/tasks/${taskId}`)).description,
    undefined,
    'the description is deleted after the decision',
  );
  const states = (await fifty()).map((one) => (one.title === title ? 'made' : one.status)).toSorted();
  assert.deepEqual([states.filter((one) => one === 'made').length, new Set(states).size], [1, 2], states.join(' '));
  const again = await create();
  const ids = (await titled(title)).map(({ id }) => id);
  assert.deepEqual([again.status, ids], ['already_done', [again.result.id]]);
  const journal = await chancery.pool.query("SELECT type FROM audit_entry WHERE target_id = $1 AND type LIKE 'mcp.approval%' ORDER BY id", [
    writer.id,
  ]);
  assert.deepEqual(
    journal.rows.map(({ type }) => type),
    ['mcp.approval_requested', 'mcp.approval_decided'],
  );
});

test('an approval is valid for the unchanged call, for an approver who still may approve, and in time; a denial is final', async () => {
  const writer = await chancery.client(owner, ['tasks:read', 'tasks:write']);
  const own = await mcpToken(chancery, writer);
  const { id: about } = await made(owner, 'POST', '/api/v1/tasks/', { title: 'Talked about' });
  const comment = async (text: string) => (await callTool(chancery, own, 'comment_on_task', { id: about, text })).value;
  const denied = await comment('No');
  await decide(denied.taskId, 'denied');
  assert.deepEqual([(await comment('No')).status, (await comment('No, again')).status], ['denied', 'approval_required']);
  const other = await made(owner, 'POST', '/api/v1/tasks/', { title: 'Over soon' });
  const late_ = async () => (await callTool(chancery, own, 'comment_on_task', { id: other.id, text: 'Stale' })).value;
  const stale = await late_();
  await decide(stale.taskId, 'approved');
  await made(owner, 'POST', `/api/v1/tasks/${other.id}/complete`, {});
  const again = await late_();
  assert.deepEqual([again.status, again.approvalId === stale.approvalId], ['approval_required', false]);
  const late = await comment('Late');
  await chancery.pool.query("UPDATE approval_round SET expires_at = now() - interval '1 second' WHERE id = $1", [late.approvalId]);
  assert.deepEqual(
    [(await decide(late.taskId, 'approved')).body.code, (await comment('Late')).status],
    ['round_over', 'approval_required'],
  );
  const admin = await chancery.user(owner.team, { role: 'admin' });
  const theirs = await chancery.client(admin, ['tasks:read', 'tasks:write']);
  const token_ = await mcpToken(chancery, theirs);
  const theirComment = async () => (await callTool(chancery, token_, 'comment_on_task', { id: about, text: 'By another' })).value;
  const reply = await theirComment();
  assert.equal((await made(admin, 'GET', `/api/v1/tasks/${reply.taskId}`)).assignedTo, admin.id);
  assert.deepEqual(await made(owner, 'GET', `/api/v1/tasks/${about}/comments`), []);
  const missing = await callTool(chancery, own, 'comment_on_task', { id: randomUUIDv7(), text: 'Nowhere' });
  assert.equal(missing.code, 'not_found', 'a missing target creates no approval task');
  for (let n = 0; ; n += 1) {
    const { code, value } = await callTool(chancery, own, 'create_task', { title: `Many ${n}` });
    if (code === 'ok') assert.ok(value.status === 'approval_required' && n < 20);
    else {
      assert.equal(code, 'approval_limit');
      break;
    }
  }
});

test('a call that waited for locks is executed only if the need for approval and the approver are unchanged', async () => {
  const admin = await chancery.user(owner.team, { role: 'admin' });
  const [free, watched] = [
    await chancery.client(owner, ['tasks:read', 'tasks:write']),
    await chancery.client(owner, ['tasks:read', 'tasks:write']),
  ];
  /** Calls a tool that waits for a lock, performs `act` during the wait, and returns the result of the call. */
  const calledWhile = async (client: ApiClient, title: string, act: () => Promise<unknown>) => {
    const own = await mcpToken(chancery, client);
    const lock = await chancery.pool.connect();
    let calling: ReturnType<typeof callTool>;
    try {
      await lock.query('BEGIN');
      await lock.query('LOCK TABLE task IN SHARE MODE');
      calling = callTool(chancery, own, 'create_task', { title });
      await eventually('the call waits for the lock', async () => {
        const { rows } = await lock.query('SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))');
        return rows.length > 0;
      });
      await act();
    } finally {
      await lock.query('ROLLBACK');
      lock.release();
    }
    return [(await calling).value.status, (await titled(title)).length];
  };
  await allowChanges(free.id);
  const title = `Free ${randomUUIDv7()}`;
  const end = () => made(owner, 'PATCH', `${clients}/${free.id}`, { mcpApproval: 'mutating' });
  assert.deepEqual(await calledWhile(free, title, end), ['approval_required', 0]);
  const about = `Watched ${randomUUIDv7()}`;
  const { value: reply } = await callTool(chancery, await mcpToken(chancery, watched), 'create_task', { title: about });
  await made(owner, 'POST', `/api/v1/approvals/${reply.approvalId}/replace`, { userId: owner.id, by: admin.id, reason: 'Away' });
  assert.equal((await decide(reply.taskId, 'approved', admin)).status, 200);
  const lower = () => made(owner, 'PATCH', `/api/v1/team/members/${admin.id}`, { role: 'member' });
  assert.deepEqual(await calledWhile(watched, about, lower), ['approval_required', 0]);
});

test('fifty concurrent calls with one key execute a change once', async () => {
  const writer = await chancery.client(owner, ['tasks:write']);
  await allowChanges(writer.id);
  const own = await mcpToken(chancery, writer);
  const key = { 'idempotency-key': randomUUIDv7() };
  const create = () => callTool(chancery, own, 'create_task', { title: 'Once' }, key);
  const outcomes = await Promise.all(Array.from({ length: 50 }, create));
  assert.ok(outcomes.every(({ code }) => code === 'ok' || code === 'idempotency_in_progress'));
  assert.ok((await create()).code === 'ok');
  const { rows } = await chancery.pool.query("SELECT id FROM task WHERE title = 'Once'");
  assert.equal(rows.length, 1);
});

test('a call repeated with its key gets the same response for any message id, and a different call with this key is rejected', async () => {
  const writer = await chancery.client(owner, ['tasks:write']);
  await allowChanges(writer.id);
  const own = await mcpToken(chancery, writer);
  const key = { 'idempotency-key': randomUUIDv7() };
  const create = async (id: unknown, title: string) => {
    const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'create_task', arguments: { title, description: 'x' } } };
    return (await sendMessage(chancery, own, message, key)).body;
  };
  const [first, again] = [await create(1, 'Once more'), await create('two', 'Once more')];
  assert.equal(typeof first.result.structuredContent.id, 'string');
  assert.deepEqual([again.id, again.result], ['two', first.result]);
  assert.equal((await create(3, 'Another')).result.structuredContent.code, 'idempotency_key_reused');
  const { rows } = await chancery.pool.query("SELECT id FROM task WHERE title IN ('Once more', 'Another')");
  assert.equal(rows.length, 1);
});

test('allowing changes without approval needs a recent sign-in; revoking that does not', async () => {
  const writer = await chancery.client(owner, ['tasks:read', 'tasks:write']);
  const late = await chancery.user(owner.team, { role: 'admin' });
  await chancery.pool.query("UPDATE sign_in SET auth_time = now() - interval '1 hour' WHERE id = $1", [late.sessionId]);
  const set = async (mcpApproval: string) => (await call(late, 'PATCH', `${clients}/${writer.id}`, { mcpApproval })).body;
  assert.equal((await set('never')).code, 'reauthentication_required');
  await allowChanges(writer.id);
  assert.equal((await set('mutating')).mcpApproval, 'mutating');
});

test('the journal records each of fifty concurrent calls with its target and a hash of its arguments, without their content', async () => {
  const own = await chancery.client(owner, ['documents:read']);
  const reply = await mcpToken(chancery, own);
  const { id } = await chancery.document(owner, { title: 'Counted' });
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      n % 2 === 0
        ? callTool(chancery, reply, 'get_document', { id })
        : callTool(chancery, reply, 'search_documents', { q: `secret ${n}`, limit: 1 }),
    ),
  );
  assert.ok(outcomes.every(({ code }) => code === 'ok'));
  const recorded = await entries(own.id);
  assert.equal(recorded.length, 50);
  assert.equal(new Set(recorded.map(({ request_id: request }) => request)).size, 50);
  const named = recorded.filter(({ data }) => data.tool === 'get_document');
  assert.ok(named.length === 25 && named.every(({ data, target_id: target }) => data.thing === id && target === own.id));
  assert.equal(new Set(named.map(({ data }) => data.argsHash)).size, 1);
  assert.equal(new Set(recorded.map(({ data }) => data.argsHash)).size, 26);
  assert.ok(recorded.every(({ data }) => /^[0-9a-f]{64}$/.test(data.argsHash)));
  assert.doesNotMatch(JSON.stringify(recorded), /secret/);
});

test('a rejected call gets a problem as its result, and the journal records the code', async () => {
  const own = await chancery.client(owner, ['documents:read', 'tasks:read']);
  const reply = await mcpToken(chancery, own);
  const codes: string[] = [];
  for (const [name, args] of [
    ['search_documents', { limit: 0 }],
    ['search_documents', { title: 'x' }],
    ['search_documents', []],
    ['get_document', { id: 'x' }],
    ['list_tasks', { assignedTo: 'me' }],
    ['drop_everything', {}],
    ['<script>', {}],
  ] as const)
    codes.push((await callTool(chancery, reply, name, args)).code);
  assert.deepEqual(codes, [
    'validation_failed',
    'validation_failed',
    'protocol -32602',
    'not_found',
    'person_required',
    'protocol -32602',
    'protocol -32602',
  ]);
  const { value } = await callTool(chancery, reply, 'search_documents', { limit: 0 });
  assert.deepEqual([value.status, value.errors[0].pointer, value.instance], [400, '/limit', '/mcp']);
  const recorded = await entries(own.id);
  assert.deepEqual(
    recorded.map(({ data }) => data.result),
    [...codes.slice(0, 2), ...codes.slice(3, 5), 'unknown_tool', 'unknown_tool', 'validation_failed'],
  );
  assert.deepEqual(
    recorded.filter(({ data }) => data.result === 'unknown_tool').map(({ data }) => data.tool),
    ['drop_everything', 'unknown'],
  );
});

test('a call that the journal cannot record gets no result and has no effect', async () => {
  const writer = await chancery.client(owner, ['documents:read', 'tasks:write']);
  await allowChanges(writer.id);
  const own = await mcpToken(chancery, writer);
  const { id } = await chancery.document(owner, { title: 'Not to be seen' });
  await chancery.pool.query("ALTER TABLE audit_entry ADD CONSTRAINT full_journal CHECK (type <> 'mcp.tool_called') NOT VALID");
  try {
    const read = await callTool(chancery, own, 'get_document', { id });
    assert.deepEqual([read.code, read.answer.text.includes('Not to be seen')], ['internal_error', false]);
    assert.equal((await callTool(chancery, own, 'create_task', { title: 'Not to be made' })).code, 'internal_error');
  } finally {
    await chancery.pool.query('ALTER TABLE audit_entry DROP CONSTRAINT full_journal');
  }
  assert.equal((await callTool(chancery, own, 'get_document', { id })).code, 'ok');
  const titles = (await made(owner, 'GET', '/api/v1/tasks/')).map(({ title }: any) => title);
  assert.ok(!titles.includes('Not to be made'));
});

test('a result of more than 1 MiB is rejected', async () => {
  const own = await mcpToken(chancery, await chancery.client(owner, ['registries:read']));
  const fields = [{ id: 'text', type: 'textarea', label: 'Text' }];
  const { id: registryId } = await made(owner, 'POST', '/api/v1/registries/', { name: 'Large', fields });
  const data = { text: '€'.repeat(9_000) };
  for (let n = 0; n < 40; n += 1) await made(owner, 'POST', `/api/v1/registries/${registryId}/records`, { data });
  assert.equal((await callTool(chancery, own, 'search_registry_records', { registryId, limit: 40 })).code, 'result_too_large');
  assert.equal((await callTool(chancery, own, 'search_registry_records', { registryId, limit: 20 })).code, 'ok');
});

test('requests from pages of other sites are rejected for every host name', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const status = async (headers: Record<string, string>) => {
    const { status: answered, body } = await sendMessage(chancery, token, list, headers);
    return answered === 200 ? 'ok' : body.code;
  };
  assert.equal(await status({ origin: 'https://evil.example' }), 'site_not_allowed');
  assert.equal(await status({ origin: 'null' }), 'site_not_allowed');
  assert.equal(await status({ origin: 'http://localhost.evil.example' }), 'site_not_allowed');
  assert.equal(await status({ origin: 'http://localhost:6274' }), 'ok', 'a tool on this machine is accepted');
  assert.equal(await status({ host: 'evil.example' }), 'site_not_allowed');
  assert.equal(await status({ host: 'localhost.evil.example:80' }), 'site_not_allowed');
  assert.equal(await status({ origin: chancery.config.BASE_URL }), 'ok');
  assert.equal(await status({ host: '127.0.0.1:9' }), 'ok');
});

test('a parameter with a default is not required, and null counts as absent', async () => {
  const tools = await offered(chancery, token);
  for (const { name, inputSchema } of tools)
    for (const required of inputSchema.required ?? []) assert.ok(!('default' in inputSchema.properties[required]), `${name} ${required}`);
  assert.ok(tools.some(({ inputSchema }) => 'default' in (inputSchema.properties.limit ?? {})));
  for (const args of [{}, { q: null, limit: null, cursor: null }])
    assert.equal((await callTool(chancery, token, 'search_documents', args)).code, 'ok');
  assert.equal(
    (await callTool(chancery, token, 'get_task', { id: null })).code,
    'validation_failed',
    'a required parameter cannot be null',
  );
});

test('responses name the supported revisions: `initialize` falls back to the newest, and an error lists all', async () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2023-01-01', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  };
  const begun = await sendMessage(chancery, token, initialize);
  assert.equal(begun.body.result.protocolVersion, '2025-11-25', begun.text);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const refused = await sendMessage(chancery, token, list, { 'mcp-protocol-version': '2023-01-01' });
  assert.equal(refused.status, 400, refused.text);
  assert.match(refused.text, /2025-11-25/);
});

test('a message that does not follow the protocol is rejected without an internal error', async () => {
  const message = (members: object) => ({ jsonrpc: '2.0', id: 1, ...members });
  for (const [sent, status] of [
    ['{', 400],
    ['[]', 400],
    [`{"a":"${'x'.repeat(300_000)}"}`, 413],
    [{}, 400],
    [message({ method: 'nothing/there' }), 200],
    [message({ method: 'tools/call' }), 200],
    [message({ method: 'tools/call', params: { name: 7 } }), 200],
    [message({ method: 'tools/call', params: { name: 'get_task', arguments: 'x' } }), 200],
    [message({ method: 'subscriptions/listen', params: {} }), 200],
    [{ jsonrpc: '2.0', method: 'notifications/initialized' }, 202],
  ] as const) {
    const answer = await sendMessage(chancery, token, sent);
    assert.equal(answer.status, status, `${JSON.stringify(sent).slice(0, 80)}: ${answer.text}`);
    if (status === 200) assert.equal(typeof answer.body.error.code, 'number', answer.text);
  }
  assert.equal((await sendMessage(chancery, token, message({ method: 'tools/list' }), { 'content-type': 'text/plain' })).status, 415);
  const { status, headers } = await chancery.call('GET', '/mcp', { token, unchecked: true });
  assert.equal(status, 405);
  assert.match(headers.get('allow') ?? '', /^POST\b/);
});
