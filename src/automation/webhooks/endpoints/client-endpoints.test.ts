import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Chancery, type TestClient, sharedChancery, type TestTeam } from '../../../../test/harness.ts';

const hooks = '/api/v1/webhooks';
const writing = ['webhooks:read', 'webhooks:write'];
let chancery: Chancery;
let team: TestTeam;

before(async () => {
  chancery = await sharedChancery();
  team = await chancery.team();
});

const send = (by: { token: string }, method: string, path: string, body?: unknown) =>
  chancery.call(method, path, { token: by.token, ...(body === undefined ? {} : { body }) });
const endpoint = (by: { token: string }, events: string[]) =>
  send(by, 'POST', `${hooks}/`, { name: 'Of a program', url: 'https://receiver.example/hook', events });
async function made(by: { token: string }, events: string[]): Promise<string> {
  const answer = await endpoint(by, events);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.id;
}
const change = async (client: TestClient, members: object) => {
  const answer = await send(team.owner, 'PATCH', `/api/v1/security/clients/${client.id}`, members);
  assert.equal(answer.status, 200, answer.text);
};
/** A token with only some of a client’s scopes. */
async function narrowed(client: TestClient, scopes: string[]): Promise<{ token: string }> {
  const { body } = await send(team.owner, 'GET', `/api/v1/security/clients/${client.id}`);
  const answer = await chancery.call('POST', '/oauth/token', {
    headers: {
      authorization: `Basic ${Buffer.from(`${body.clientId}:${client.secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: `grant_type=client_credentials&scope=${encodeURIComponent(scopes.join(' '))}`,
  });
  assert.equal(answer.status, 200, answer.text);
  return { token: answer.body.access_token };
}
/** One event of each area; returns which of them an endpoint got. */
async function gets(id: string): Promise<string[]> {
  const { rows: before_ } = await chancery.pool.query('SELECT id FROM webhook_delivery WHERE endpoint_id = $1', [id]);
  await chancery.folder(team.owner);
  await chancery.document(team.owner);
  const task = await send(team.owner, 'POST', '/api/v1/tasks/', { title: 'A task' });
  assert.equal(task.status, 201);
  const steps = [{ id: 'a', type: 'task' }];
  assert.equal((await send(team.owner, 'POST', '/api/v1/workflows/', { name: 'A workflow', documentId: 'DMS-1', steps })).status, 201);
  const { rows } = await chancery.pool.query(
    'SELECT event_type FROM webhook_delivery WHERE endpoint_id = $1 AND id <> ALL($2::uuid[]) ORDER BY event_type',
    [id, before_.map((row) => row.id)],
  );
  return rows.map((row) => row.event_type);
}
const everything = ['document.created', 'folder.created', 'task.created', 'workflow.created'];

test('an API client’s subscription requires the scope to read the resource, which the error names; `*` includes only readable events', async () => {
  const client = await chancery.client(team.owner, [...writing, 'tasks:read']);
  for (const [name, scope] of [
    ['document.created', 'documents:read'],
    ['document.*', 'documents:read'],
    ['folder.created', 'folders:read'],
    ['workflow.step.*', 'workflows:read'],
    ['member.joined', 'team:read'],
    ['audit.*', 'audit:read'],
  ] as const) {
    const refused = await endpoint(client, ['task.created', name]);
    assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope'], name);
    assert.match(String(refused.headers.get('www-authenticate')), new RegExp(`scope="${scope}"`));
  }
  await made(client, ['task.*', 'webhook.*', 'some.day']);
  const all = await made(client, ['*']);
  assert.equal((await send(client, 'PATCH', `${hooks}/${all}`, { events: ['document.*'] })).status, 403);
  assert.deepEqual(await gets(all), ['task.created']);
});

test('an API client’s endpoint gets events of the client’s scopes at that time, and nothing while it is disabled', async () => {
  const reading = ['documents:read', 'folders:read', 'tasks:read', 'workflows:read'];
  const client = await chancery.client(team.owner, [...writing, ...reading]);
  const own = await made(client, ['*']);
  const named = await made(client, everything);
  const teamEndpoint = await made(team.owner, ['*']);
  for (const [members, expected] of [
    [{}, everything],
    [{ scopes: [...writing, 'tasks:read'] }, ['task.created']],
    [{ scopes: [...writing, ...reading] }, everything],
    [{ isActive: false }, []],
    [{ isActive: true }, everything],
    [{ scopes: reading }, everything],
  ] as const) {
    await change(client, { name: 'Changed', ...members });
    assert.deepEqual(await gets(own), expected, JSON.stringify(members));
    assert.deepEqual(await gets(named), expected);
    assert.deepEqual(await gets(teamEndpoint), everything);
  }
  await chancery.pool.query("UPDATE api_client SET expires_at = now() - interval '1 second' WHERE id = $1", [client.id]);
  assert.deepEqual(await gets(own), []);
  await chancery.pool.query('UPDATE api_client SET expires_at = NULL, folder_ids = ARRAY[$2::uuid] WHERE id = $1', [client.id, client.id]);
  assert.deepEqual(await gets(own), [], 'a client that is confined to folders gets no events');
  await send(team.owner, 'DELETE', `/api/v1/security/clients/${client.id}`);
  assert.deepEqual(await gets(own), []);
});

test('a token with fewer scopes cannot point an endpoint to events beyond them, and cannot read them in its log', async () => {
  const client = await chancery.client(team.owner, [...writing, 'documents:read', 'tasks:read']);
  const narrow = await narrowed(client, [...writing, 'tasks:read']);
  const own = await made(narrow, ['*']);
  assert.deepEqual(await gets(own), ['task.created']);
  const wide = await made(client, ['*']);
  assert.deepEqual(await gets(wide), ['document.created', 'task.created']);
  const read = async (by: { token: string }) => {
    const { body } = await send(by, 'GET', `${hooks}/${wide}/deliveries`);
    const single = await Promise.all(body.map(async ({ id }: any) => (await send(by, 'GET', `${hooks}/${wide}/deliveries/${id}`)).body));
    assert.deepEqual(single, body);
    return Object.fromEntries(body.map(({ eventType, payload }: any) => [eventType, Object.keys(payload).length > 0]));
  };
  assert.deepEqual(await read(client), { 'document.created': true, 'task.created': true });
  assert.deepEqual(await read(narrow), { 'document.created': false, 'task.created': true });
  const elsewhere = { url: 'https://elsewhere.example/hook' };
  assert.equal((await send(narrow, 'PATCH', `${hooks}/${wide}`, elsewhere)).status, 403, 'its log can be sent again');
  assert.deepEqual(await gets(wide), ['document.created', 'task.created']);
  assert.equal((await send(narrow, 'PATCH', `${hooks}/${wide}`, { events: ['*'] })).status, 200);
  assert.deepEqual(await gets(wide), ['task.created'], 'by the last actor who set its URL');
  assert.equal((await send(team.owner, 'PATCH', `${hooks}/${wide}`, { events: ['*'] })).status, 200);
  assert.deepEqual(await gets(wide), ['document.created', 'task.created']);
});

test('nothing that an API client may no longer read is sent again or recovered', async () => {
  const client = await chancery.client(team.owner, [...writing, 'documents:read', 'tasks:read']);
  const own = await made(client, ['*']);
  const { body: before_ } = await send(team.owner, 'GET', `${hooks}/${own}`);
  assert.equal((await gets(own)).length, 2);
  await chancery.pool.query('DELETE FROM webhook_queue WHERE endpoint_id = $1', [own]);
  await chancery.pool.query("UPDATE webhook_delivery SET status = 'failed' WHERE endpoint_id = $1", [own]);
  await change(client, { scopes: [...writing, 'tasks:read'] });
  assert.deepEqual(await gets(own), ['task.created']);
  const { body: log } = await send(team.owner, 'GET', `${hooks}/${own}/deliveries?status=failed`);
  for (const { id, eventType } of log) {
    const again = await send(team.owner, 'POST', `${hooks}/${own}/deliveries/${id}/retry`);
    assert.deepEqual(
      [again.status, again.body.code],
      eventType === 'task.created' ? [200, undefined] : [409, 'webhook_event_closed'],
      eventType,
    );
  }
  await chancery.pool.query('DELETE FROM webhook_queue WHERE endpoint_id = $1', [own]);
  await chancery.pool.query("UPDATE webhook_delivery SET status = 'failed' WHERE endpoint_id = $1", [own]);
  const recovered = await send(team.owner, 'POST', `${hooks}/${own}/recover`, { since: before_.createdAt });
  assert.deepEqual(recovered.body, { failed: 2, missed: 0 });
  await change(client, { scopes: [...writing, 'documents:read', 'tasks:read'] });
  assert.deepEqual((await send(team.owner, 'POST', `${hooks}/${own}/recover`, { since: before_.createdAt })).body, {
    failed: 1,
    missed: 1,
  });
  const tried = await send(client, 'POST', `${hooks}/${own}/test`);
  assert.deepEqual([tried.status, tried.body.payload.type], [201, 'webhook.test']);
});

test('deleting an API client deletes the endpoints that it registered, and cancels their waiting deliveries', async () => {
  const client = await chancery.client(team.owner, [...writing, 'tasks:read']);
  const own = await made(client, ['*']);
  const teamEndpoint = await made(team.owner, ['task.*']);
  assert.deepEqual([await gets(own), await gets(teamEndpoint)], [['task.created'], ['task.created']]);
  const waiting = async (id: string) =>
    (await chancery.pool.query('SELECT FROM webhook_queue WHERE team_id = $1 AND endpoint_id = $2', [team.id, id])).rowCount ?? 0;
  assert.ok((await waiting(own)) > 0);
  assert.equal((await send(team.owner, 'DELETE', `/api/v1/security/clients/${client.id}`)).status, 204);
  assert.equal(await waiting(own), 0);
  const { rows } = await chancery.pool.query('SELECT DISTINCT status FROM webhook_delivery WHERE endpoint_id = $1', [own]);
  assert.deepEqual(rows, [{ status: 'cancelled' }]);
  assert.equal((await send(team.owner, 'GET', `${hooks}/${own}`)).status, 404);
  const { rows: entries } = await chancery.pool.query('SELECT type FROM audit_entry WHERE target_id = $1 ORDER BY id', [own]);
  assert.deepEqual(
    entries.map(({ type }) => type),
    ['webhook.endpoint.created', 'webhook.endpoint.deleted'],
  );
  assert.ok((await waiting(teamEndpoint)) > 0, 'those of the team stay');
});

test('deleting a client while it registers and changes endpoints leaves no endpoint', async () => {
  const client = await chancery.client(team.owner, [...writing, 'tasks:read']);
  const own = await made(client, ['*']);
  const [deleted, ...others] = await Promise.all([
    send(team.owner, 'DELETE', `/api/v1/security/clients/${client.id}`),
    ...Array.from({ length: 25 }, () => endpoint(client, ['*'])),
    ...Array.from({ length: 25 }, (_, at) => send(client, 'PATCH', `${hooks}/${own}`, { name: `Name ${at}` })),
  ]);
  assert.equal(deleted?.status, 204, deleted?.text);
  for (const { status, text } of others) assert.ok([200, 201, 401, 404, 409].includes(status), text);
  const left = await chancery.pool.query('SELECT FROM webhook_endpoint WHERE client_id = $1 AND deleted_at IS NULL', [client.id]);
  assert.equal(left.rowCount, 0);
});
