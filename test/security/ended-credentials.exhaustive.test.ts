import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestResponse, type CallOptions, type Chancery, startChancery, type User } from '../harness.ts';
import { eventually } from '../webhook-receiver.ts';
import { notificationMs } from '../signals.ts';
import { mailsTo } from '../people.ts';
import { callTool } from '../mcp.ts';
import { updateConnectedApp } from '../connected-apps.ts';
import { firstStaff } from '../staff.ts';
import { acts } from '../suites/acts.ts';
import { type ActWorld, openActWorld } from '../suites/acts/kit.ts';
import { exhaustive, isSampled } from '../tier.ts';

/** A recorded call of an action. */
type Call = { method: string; path: string; options: CallOptions };

let chancery: Chancery;
let world: ActWorld;
/** While set, calls are recorded instead of sent. */
let kept: Call[] | undefined;

before(async () => {
  chancery = await startChancery({ withoutReading: true, settings: { ALTCHA: 'off', WEBHOOK_RETRY_SCHEDULE: '1h', ...firstStaff } });
  const { owner } = await chancery.team();
  const call: Chancery['call'] = (method, path, options = {}) => {
    if (!kept) return chancery.call(method, path, options);
    kept.push({ method, path, options });
    return new Promise(() => undefined);
  };
  world = await openActWorld({ ...chancery, call }, owner);
  await eventually('a checkpoint', async () => (await chancery.call('GET', '/tlog/checkpoint')).status === 200);
});
after(() => chancery.stop());

/** Statements that end and restore a credential. Their parameter comes from the claims of its token. */
type End = { by: string; end: string; undo: string; of: (claims: any) => string };
const ends: Record<'person' | 'client' | 'staff', readonly [End, ...End[]]> = {
  person: [
    {
      by: 'its session is ended',
      end: "UPDATE sign_in SET revoked_at = now() WHERE id = $1 RETURNING pg_notify('revoked', id::text)",
      undo: 'UPDATE sign_in SET revoked_at = NULL WHERE id = $1',
      of: ({ sid }) => sid,
    },
    {
      by: 'its person is suspended',
      end: "UPDATE account SET status = 'disabled' WHERE id = $1 RETURNING pg_notify('revoked', '*')",
      undo: `WITH back AS (UPDATE account SET status = 'active' WHERE id = $1 RETURNING id, credential_epoch),
          later AS (UPDATE sign_in SET created_at = now() + interval '1 second' WHERE person_id = $1)
        UPDATE session SET epoch = back.credential_epoch FROM back WHERE account_id = back.id`,
      of: ({ sub }) => sub,
    },
    {
      by: 'its team is suspended',
      end: "UPDATE team SET status = 'suspended' WHERE team_id = $1",
      undo: "UPDATE team SET status = 'active' WHERE team_id = $1",
      of: ({ team }) => team,
    },
  ],
  client: [
    {
      by: 'its client is switched off',
      end: "UPDATE api_client SET is_active = false WHERE id = $1 RETURNING pg_notify('revoked', '*')",
      undo: 'UPDATE api_client SET is_active = true WHERE id = $1',
      of: ({ client_id }) => client_id,
    },
    {
      by: 'its secret is replaced',
      end: "UPDATE api_client_secret SET expires_at = now() WHERE id = $1 RETURNING pg_notify('revoked', id::text)",
      undo: 'UPDATE api_client_secret SET expires_at = NULL WHERE id = $1',
      of: ({ sid }) => sid,
    },
  ],
  staff: [
    {
      by: 'its session is ended',
      end: 'UPDATE staff_session SET revoked_at = now() WHERE id = $1',
      undo: 'UPDATE staff_session SET revoked_at = NULL WHERE id = $1',
      of: ({ sid }) => sid,
    },
    {
      by: 'its member of staff is disabled',
      end: 'UPDATE staff SET is_active = false WHERE id = $1',
      undo: `WITH back AS (UPDATE staff SET is_active = true WHERE id = $1 RETURNING id, credential_epoch)
        UPDATE staff_session SET epoch = back.credential_epoch FROM back WHERE staff_id = back.id`,
      of: ({ sub }) => sub,
    },
  ],
};

const claimsOf = (token: string): any => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

function kindOf(token: string): keyof typeof ends {
  const { aud, sub, client_id: client } = claimsOf(token);
  return aud === 'staff-api' ? 'staff' : client === sub ? 'client' : 'person';
}

const query = async (text: string, values: unknown[] = []) => (await chancery.pool.query(text, values)).rows;
/** Counts the journal entries of requests. Background work and agent runs add entries later. */
const entries = async () => Number((await query("SELECT count(*) AS n FROM audit_entry WHERE actor_type NOT IN ('system', 'agent')"))[0].n);

const operationOf = (name: string) => chancery.description.operations.find(({ method, path }) => `${method} ${path}` === name);
/** An operation with an optional credential. */
const optional = 'POST /api/v1/team/invitations/accept';

/** Prepares an action and returns its call, or undefined if the action needs no credential. */
async function callOf(name: string, prepare: () => Promise<() => Promise<TestResponse>>): Promise<Call | undefined> {
  if (['public', 'link'].includes(operationOf(name)?.access ?? '') && name !== optional) return undefined;
  const act = await prepare();
  kept = [];
  void act();
  // An action can read a resource before its call.
  for (let turns = 0; kept.length === 0 && turns < 100; turns += 1) await sleep(1);
  const [call] = kept;
  kept = undefined;
  return call?.options.token === undefined ? undefined : call;
}

/** A condition on a connection: it waits for a lock, or polls for the lock of a credential (`lock_credential_shared`). */
const waitsForAnother = "datname = current_database() AND (wait_event_type = 'Lock' OR wait_event = 'PgSleep')";

/** Ends the credential during the call: after its check and before the commit of the action. */
async function callWhileEnding(call: Call, { end, of }: End): Promise<TestResponse> {
  const ending = await chancery.pool.connect();
  try {
    await ending.query('BEGIN');
    await ending.query(end, [of(claimsOf(call.options.token ?? ''))]);
    let answered = false;
    const answer = chancery.call(call.method, call.path, call.options).finally(() => (answered = true));
    const waits = async () => (await query(`SELECT FROM pg_stat_activity WHERE ${waitsForAnother}`)).length > 0;
    while (!answered && !(await waits())) await sleep(10);
    await ending.query('COMMIT');
    return await answer;
  } finally {
    ending.release();
  }
}

/** Sends headers and one byte of the body, ends the credential, and sends the rest. */
async function callInTwo({ method, path, options }: Call, { end, of }: End): Promise<number> {
  const { body = {}, token = '', headers } = options;
  const sent = new Response(body instanceof FormData || typeof body === 'string' ? body : JSON.stringify(body));
  const type = body instanceof FormData ? sent.headers.get('content-type') : 'application/json';
  const bytes = Buffer.from(await sent.arrayBuffer());
  const socket = connect(Number(new URL(chancery.url).port));
  const more = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: ${type}\r\ncontent-length: ${bytes.length}\r\n${more.join('')}connection: close\r\n\r\n`,
  );
  socket.write(bytes.subarray(0, 1));
  // A later request gets its response, so the earlier headers have been read.
  await chancery.call('GET', '/api/v1/security/auth/profile', { token: world.member.token });
  await chancery.call('GET', '/api/v1/security/auth/staff/profile', { token: world.staffToken });
  await query(end, [of(claimsOf(token))]);
  socket.write(bytes.subarray(1));
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
}

/** A read completes if its credential ends after the check. These operations read a body. */
const reads = new Set(['POST /api/v1/registries/{typeId}/records/import/preview']);

test('an action is rejected without a change if its credential ends between headers and body or between check and transaction', async () => {
  const wrong: string[] = [];
  const walked = { person: 0, client: 0, staff: 0, inTwo: 0 };
  const client = await chancery.client(world.owner);
  for (const [at, [name, { prepare }]] of Object.entries(acts).entries()) {
    if (!isSampled(name, 0.1)) continue;
    // The response of an external server is valid for one attempt, even if that is rejected.
    const once = name.endsWith('/sign-in/finish');
    const prepared = () => callOf(name, () => prepare(world));
    const call = await prepared();
    if (!call) continue;
    // A GET has no body to wait for.
    if (!name.startsWith('GET ')) {
      const one = once ? ((await prepared()) ?? call) : call;
      const kind = kindOf(one.options.token ?? '');
      const end = ends[kind][at % ends[kind].length] ?? ends[kind][0];
      const known = await entries();
      const status = await callInTwo(one, end);
      await query(end.undo, [end.of(claimsOf(one.options.token ?? ''))]);
      walked.inTwo += 1;
      if (status !== 401 && !(reads.has(name) && status === 200))
        wrong.push(`${name} by ${kind} in two parts, while ${end.by}, returned ${status}`);
      if ((await entries()) !== known) wrong.push(`${name} by ${kind} in two parts wrote into the journal`);
    }
    const operation = operationOf(name);
    const asClient = kindOf(call.options.token ?? '') === 'person' && operation?.access === 'user' && !operation.personal;
    const calls = [call, ...(asClient ? [{ ...call, options: { ...call.options, token: client.token } }] : [])];
    for (const one of reads.has(name) ? [] : calls) {
      const kind = kindOf(one.options.token ?? '');
      const end = ends[kind][at % ends[kind].length] ?? ends[kind][0];
      const known = await entries();
      const answer = await callWhileEnding(one, end);
      await query(end.undo, [end.of(claimsOf(one.options.token ?? ''))]);
      walked[kind] += 1;
      if (answer.status !== 401) wrong.push(`${name} by ${kind}, while ${end.by}, returned ${answer.status}: ${answer.text.slice(0, 200)}`);
      if ((await entries()) !== known) wrong.push(`${name} by ${kind} wrote into the journal`);
    }
    if (once) continue;
    // The ended credential was the only reason: with a valid one the same call succeeds.
    const answer = await chancery.call(call.method, call.path, call.options);
    if (answer.status >= 300) wrong.push(`${name} returned ${answer.status} with the restored credential: ${answer.text.slice(0, 200)}`);
  }
  assert.deepEqual(wrong, []);
  if (exhaustive) assert.ok(walked.person > 60 && walked.client > 25 && walked.staff > 8 && walked.inTwo > 70, JSON.stringify(walked));
});

test('if the end of a credential takes longer than an action waits, the error names the end instead of another reason', async () => {
  const { owner } = world;
  const client = await chancery.client(owner);
  const document = await chancery.document(owner);
  const call = { token: client.token, body: { userId: owner.id, access: 'read' } };
  const share = () => chancery.call('POST', `/api/v1/smartdoc/documents/${document.id}/access`, call);
  assert.equal((await share()).status, 403, 'a client cannot share');
  const ending = await chancery.pool.connect();
  try {
    await ending.query('BEGIN');
    await ending.query('UPDATE api_client SET is_active = false WHERE id = $1', [client.id]);
    let answered = false;
    const answer = share().finally(() => (answered = true));
    const waited = new Set<string>();
    // The action times out after a while and retries.
    while (!answered && waited.size < 2) {
      const [one] = await query(`SELECT xact_start::text AS since FROM pg_stat_activity WHERE ${waitsForAnother}`);
      if (one) waited.add(one.since);
      await sleep(2);
    }
    await ending.query('COMMIT');
    assert.equal((await answer).status, 401);
  } finally {
    ending.release();
  }
});

test('an action yields to a transaction that ends its credential and waits for its rows, before a deadlock is detected', async () => {
  const { owner } = world;
  const client = await chancery.client(owner);
  const [ending, acting] = [await chancery.pool.connect(), await chancery.pool.connect()];
  const itsRow = 'SELECT FROM team WHERE team_id = $1 FOR UPDATE';
  try {
    for (const one of [ending, acting]) await one.query('BEGIN');
    await acting.query(itsRow, [owner.team]);
    // PostgreSQL checks for a deadlock while the action still polls for the credential.
    await ending.query("SET LOCAL deadlock_timeout = '200ms'");
    await ending.query('UPDATE api_client SET is_active = false WHERE id = $1', [client.id]);
    const ended = ending.query(itsRow, [owner.team]);
    const act = acting.query('SELECT check_client_credential($1, $2, $2, $2, NULL, NULL)', [owner.team, client.id]);
    await assert.rejects(act, { code: '55P03' });
    await acting.query('ROLLBACK');
    await ended;
    await ending.query('ROLLBACK');
  } finally {
    for (const one of [ending, acting]) one.release();
  }
});

test('an action of an administrator is rejected if the role is lowered during the action', async () => {
  const admin = await chancery.user(world.owner.team, { role: 'admin' });
  const call = {
    method: 'POST',
    path: '/api/v1/security/clients/',
    options: { token: admin.token, body: { name: 'Late', scopes: ['tasks:read'] } },
  };
  const known = await entries();
  const lowering: End = {
    by: 'its role is lowered',
    end: "UPDATE account SET role = 'viewer' WHERE id = $1",
    undo: '',
    of: ({ sub }) => sub,
  };
  assert.deepEqual([(await callWhileEnding(call, lowering)).body.code, await entries()], ['forbidden', known]);
});

test('an action of a client is rejected if a scope is removed during the action', async () => {
  const { token } = await chancery.client(world.owner, ['folders:read', 'folders:write']);
  const call = { method: 'POST', path: '/api/v1/smartdoc/folders/', options: { token, body: { name: 'Late' } } };
  const known = await entries();
  const lowering: End = {
    by: 'a scope is removed',
    end: "UPDATE api_client SET scopes = '{folders:read}' WHERE id = $1",
    undo: '',
    of: ({ client_id }) => client_id,
  };
  assert.deepEqual([(await callWhileEnding(call, lowering)).body.code, await entries()], ['forbidden', known]);
});

test('an approved action of a connected app is rejected if its authorization ends, and its reads end on all nodes', async () => {
  const { owner, id: team } = await chancery.team();
  const person = await chancery.user(team);
  const callStatus = (title: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'create_task', arguments: { title } },
  });
  for (const end of ends.person) {
    const { access } = await updateConnectedApp(chancery, person);
    const title = `While ${end.by}`;
    const { taskId } = (await callTool(chancery, access, 'create_task', { title })).value;
    const answer = { token: person.token, body: { outcome: 'approved' } };
    assert.equal((await chancery.call('POST', `/api/v1/tasks/${taskId}/complete`, answer)).status, 200);
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    const call = {
      method: 'POST',
      path: '/mcp',
      options: { token: access, unchecked: true, headers, body: JSON.stringify(callStatus(title)) },
    };
    assert.equal((await callWhileEnding(call, end)).status, 401, end.by);
    assert.deepEqual(await query('SELECT id FROM task WHERE title = $1', [title]), [], end.by);
    await query(end.undo, [end.of(claimsOf(access))]);
    await query("SELECT pg_notify('revoked', '*')");
  }
  // Actions of people take effect on this node immediately, and on another node after its notification.
  const other = await chancery.node('api');
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const opens = async (url: string, token: string) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    return (await fetch(`${url}/mcp`, { method: 'POST', headers, body: list })).status;
  };
  const auth = '/api/v1/security/auth';
  const by: Record<string, (of: User, connection: string) => Promise<TestResponse>> = {
    'their app is disconnected': (of, connection) => chancery.call('DELETE', `${auth}/connected-apps/${connection}`, { token: of.token }),
    'they are suspended': (of) =>
      chancery.call('PATCH', `/api/v1/team/members/${of.id}`, { token: owner.token, body: { isActive: false } }),
    'they are removed': (of) => chancery.call('DELETE', `/api/v1/team/members/${of.id}`, { token: owner.token }),
    'their account is deleted': (of) => chancery.call('DELETE', `${auth}/profile`, { token: of.token }),
  };
  for (const [why, end] of Object.entries(by)) {
    const of = await chancery.user(team);
    const { access, id } = await updateConnectedApp(chancery, of);
    assert.deepEqual([await opens(chancery.url, access), await opens(other.address ?? '', access)], [200, 200], why);
    const ended = await end(of, id);
    assert.ok(ended.status < 300, `${why}: ${ended.text}`);
    assert.equal(await opens(chancery.url, access), 401, why);
    await eventually(`${why}, on another node`, async () => (await opens(other.address ?? '', access)) === 401, notificationMs);
  }
});

test('a user who is signed out during the acceptance of an invitation joins no team', async () => {
  const guest = (await chancery.team()).owner;
  await world.made('POST', '/api/v1/team/invitations', { email: guest.email, role: 'member' });
  const [mail] = await mailsTo(chancery, guest.email);
  const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
  const call = { method: 'POST', path: '/api/v1/team/invitations/accept', options: { token: guest.token, body: { token } } };
  assert.equal((await callWhileEnding(call, ends.person[0])).status, 401);
  assert.deepEqual(await query('SELECT team_id FROM account WHERE id = $1', [guest.id]), [{ team_id: guest.team }]);
});

test('client tokens of a closed team end on all nodes', async () => {
  const { owner } = await chancery.team();
  const { token } = await chancery.client(owner, ['tasks:read']);
  const other = await chancery.node('api');
  const callStatus = async (url: string) => (await fetch(`${url}/api/v1/tasks/`, { headers: { authorization: `Bearer ${token}` } })).status;
  assert.deepEqual([await callStatus(chancery.url), await callStatus(other.address ?? '')], [200, 200]);
  assert.equal((await chancery.call('DELETE', '/api/v1/security/auth/profile', { token: owner.token })).status, 200);
  assert.equal(await callStatus(chancery.url), 401);
  await eventually('the other node is notified', async () => (await callStatus(other.address ?? '')) === 401, notificationMs);
});

test('the deletion of a connection ends many sessions with one lock, and actions in flight are rejected', async () => {
  const { owner, id: team } = await chancery.team();
  const body = { issuer: 'https://login.example', clientId: 'x', clientSecret: 'x' };
  const connection = (await chancery.call('POST', '/api/v1/team/sso', { token: owner.token, body })).body.id;
  const people = await Promise.all(Array.from({ length: 5 }, () => chancery.user(team)));
  const ids = people.map(({ sessionId }) => sessionId);
  await query('UPDATE session SET connection_id = $2 WHERE id = ANY ($1)', [ids, connection]);
  const lockingClient = await chancery.pool.connect();
  try {
    await lockingClient.query('BEGIN');
    await lockingClient.query('SELECT lock_team_credentials($1)', [team]);
    await lockingClient.query('UPDATE session SET revoked_at = now() WHERE id = ANY ($1)', [ids]);
    const { rows } = await lockingClient.query(
      "SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()",
    );
    assert.deepEqual(rows, [{ n: 1 }]);
    await lockingClient.query('ROLLBACK');
  } finally {
    lockingClient.release();
  }
  const { token = '' } = people[0] ?? {};
  const end: End = {
    by: 'with its connection',
    end: 'SELECT lock_team_credentials(team_id) FROM session WHERE id = $1',
    undo: '',
    of: ({ sid }) => sid,
  };
  const call = { method: 'PUT', path: '/api/v1/security/auth/profile', options: { token, body: { firstName: 'Late' } } };
  assert.equal((await callWhileEnding(call, end)).status, 200, 'a call in flight waits, and continues if its session did not end');
  assert.equal((await chancery.call('DELETE', `/api/v1/team/sso/${connection}`, { token: owner.token })).status, 204);
  for (const person of people) assert.equal((await chancery.call('GET', '/api/v1/tasks/', { token: person.token })).status, 401);
});

/** Starts a journal export, reads its start, runs `end` and reads the rest. Returns whether the export is complete. */
async function exportedWhile(token: string, end: () => Promise<TestResponse>): Promise<{ begun: boolean; whole: boolean }> {
  const socket = connect(Number(new URL(chancery.url).port));
  socket.write(
    `GET /api/v1/security/audit/export HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`,
  );
  let text = '';
  let ended = false;
  for await (const chunk of socket) {
    text += String(chunk);
    // Read no more before `end` is done.
    if (!ended && text.includes('"format"')) assert.ok((await end()).status < 300);
    ended ||= text.includes('"format"');
  }
  return { begun: text.startsWith('HTTP/1.1 200'), whole: text.includes('"end":true') };
}

test('a journal export ends when its reader loses access', async () => {
  const { owner, id } = await chancery.team();
  // More data than the buffers of an unread connection can hold.
  await query(
    `INSERT INTO audit_entry (team_id, id, type, actor_type, at, data)
     SELECT $1, gen_random_uuid(), 'test.burst', 'system', now(), jsonb_build_object('text', repeat('x', 4000)) FROM generate_series(1, 6000)`,
    [id],
  );
  const integrated = async () =>
    (await query('SELECT FROM audit_entry WHERE team_id = $1 AND seq IS NULL LIMIT 1', [id])).length === 0 &&
    (await query('SELECT FROM audit_log WHERE published_size > (SELECT max(seq) FROM audit_entry WHERE team_id = $1)', [id])).length > 0;
  await eventually('the entries are integrated', integrated);
  const change = (path: string, body: object) => chancery.call('PATCH', path, { token: owner.token, body });
  const [admin, suspended] = [await chancery.user(id, { role: 'admin' }), await chancery.user(id, { role: 'admin' })];
  const client = await chancery.client(owner, ['audit:read']);
  assert.deepEqual(
    await Promise.all([
      exportedWhile(owner.token, () => chancery.call('GET', '/api/v1/team', { token: owner.token })),
      exportedWhile(admin.token, () => change(`/api/v1/team/members/${admin.id}`, { role: 'member' })),
      exportedWhile(suspended.token, () => change(`/api/v1/team/members/${suspended.id}`, { isActive: false })),
      exportedWhile(client.token, () => change(`/api/v1/security/clients/${client.id}`, { isActive: false })),
    ]),
    [
      { begun: true, whole: true },
      { begun: true, whole: false },
      { begun: true, whole: false },
      { begun: true, whole: false },
    ],
  );
});
