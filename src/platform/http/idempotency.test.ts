import assert from 'node:assert/strict';
import { createHash, createHmac, randomUUIDv7 } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { type TestResponse, type Chancery, sharedChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { goodPassword, registered, signIn } from '../../../test/people.ts';
import { spawnService } from '../../../test/spawned.ts';
import { eventually } from '../../../test/webhook-receiver.ts';
import { loadMasterKey } from '../crypto/master-key.ts';
import { namesSecret } from './idempotency.ts';
import { deleteExpiredResponses } from './jobs.ts';

const folders = '/api/v1/smartdoc/folders';
const at50 = Array.from({ length: 50 });
let chancery: Chancery;
let team: TestTeam;
let owner: User;
before(async () => {
  chancery = await sharedChancery('all');
  team = await chancery.team();
  owner = team.owner;
});

const newKey = () => randomUUIDv7();
const create = (key: string, body: object, by = owner, url?: string) =>
  url === undefined
    ? chancery.call('POST', `${folders}/`, { token: by.token, body, headers: { 'idempotency-key': key } })
    : fetch(`${url}${folders}/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
      }).then(async (response) => ({ status: response.status, headers: response.headers, body: (await response.json()) as any, text: '' }));
const foldersNamed = async (name: string): Promise<number> =>
  (await chancery.pool.query('SELECT count(*)::int AS n FROM folder WHERE name = $1', [name])).rows[0].n;
const journalled = async (id: string): Promise<number> =>
  (await chancery.pool.query('SELECT count(*)::int AS n FROM audit_entry WHERE target_id = $1', [id])).rows[0].n;

describe('the same key and body', () => {
  test('gets the same response with its headers, marked as a replay, without a second change', async () => {
    const key = newKey();
    const [first, second, third] = [
      await create(key, { name: 'Replayed' }),
      await create(key, { name: 'Replayed' }),
      await create(key, { name: 'Replayed' }),
    ];
    assert.equal(first.headers.get('idempotency-replayed'), null);
    for (const replay of [second, third]) {
      assert.deepEqual([replay.status, replay.body], [201, first.body]);
      for (const name of ['etag', 'location']) assert.equal(replay.headers.get(name), first.headers.get(name), name);
      assert.equal(replay.headers.get('idempotency-replayed'), 'true');
    }
    assert.deepEqual([await foldersNamed('Replayed'), await journalled(first.body.id)], [1, 1]);
  });

  test('sent 50 times at once creates one resource; the other requests must wait', async () => {
    const key = newKey();
    const answers = await Promise.all(at50.map(() => create(key, { name: 'Fifty' })));
    const made = answers.filter(({ status }) => status === 201);
    assert.ok(made.length >= 1);
    assert.equal(new Set(made.map(({ body }) => body.id)).size, 1);
    assert.equal(made.filter(({ headers }) => headers.get('idempotency-replayed') === null).length, 1);
    for (const { status, body } of answers) if (status !== 201) assert.deepEqual([status, body.code], [409, 'idempotency_in_progress']);
    assert.deepEqual([await foldersNamed('Fifty'), await journalled(made[0]?.body.id)], [1, 1]);
    assert.equal((await create(key, { name: 'Fifty' })).headers.get('idempotency-replayed'), 'true');
  });

  test('is replayed to 50 concurrent requests, and only responses are marked as replays', async () => {
    const key = newKey();
    const all = [await create(key, { name: 'Again' }), ...(await Promise.all(at50.map(() => create(key, { name: 'Again' }))))];
    assert.deepEqual([new Set(all.map(({ status }) => status)), new Set(all.map(({ body }) => body.id)).size], [new Set([201]), 1]);
    const first = newKey();
    for (const { status, headers } of await Promise.all(at50.map(() => create(first, { name: 'At first' }))))
      assert.ok(status === 201 || headers.get('idempotency-replayed') === null, String(status));
  });

  test('replays a secret that is shown once, which is stored encrypted', async () => {
    const headers = { 'idempotency-key': newKey() };
    const send = () =>
      chancery.call('POST', '/api/v1/webhooks/', {
        token: owner.token,
        headers,
        body: { name: 'W', url: 'https://receiver.example/', events: ['*'] },
      });
    const [first, second] = [await send(), await send()];
    assert.match(first.body.secret, /^whsec_/);
    assert.equal(second.body.secret, first.body.secret);
    const { rows } = await chancery.pool.query('SELECT response FROM idempotent_response WHERE key LIKE $1', [
      `%${headers['idempotency-key']}`,
    ]);
    assert.ok(!rows[0].response.includes(first.body.secret) && !rows[0].response.includes('whsec_'));
  });

  test('of another member or team is another request', async () => {
    const key = newKey();
    const [other, stranger] = [await chancery.user(team), (await chancery.team()).owner];
    const ids = [];
    for (const by of [owner, other, stranger]) ids.push((await create(key, { name: 'Not shared' }, by)).body.id);
    assert.equal(new Set(ids).size, 3);
  });

  test('is a new request after 24 hours', async () => {
    const key = newKey();
    const first = await create(key, { name: 'Yesterday' });
    await chancery.pool.query("UPDATE idempotent_response SET created_at = now() - interval '24 hours 1 second' WHERE key = $1", [key]);
    const second = await create(key, { name: 'Today' });
    assert.deepEqual([second.status, second.headers.get('idempotency-replayed')], [201, null]);
    assert.notEqual(second.body.id, first.body.id);
    assert.equal((await create(key, { name: 'Today' })).body.id, second.body.id);
  });
});

test('the stored form of a request is a keyed hash without passwords', async () => {
  const { token } = await registered(chancery);
  const key = newKey();
  const body = { password: goodPassword };
  const path = '/api/v1/security/auth/reauthenticate';
  const answer = await chancery.call('POST', path, { token, body, headers: { 'idempotency-key': key } });
  assert.equal(answer.status, 200, answer.text);
  const { rows } = await chancery.pool.query('SELECT * FROM idempotent_response WHERE key LIKE $1', [`%${key}`]);
  assert.equal(rows.length, 1);
  const plain = (text: string) => createHash('sha256').update(text).digest('hex');
  const texts = [JSON.stringify(body), '{}', 'null'].flatMap((text) => [text, `POST ${path}\n${text}`]);
  const kept = rows[0].fingerprint.toString('hex');
  assert.ok(!texts.map(plain).includes(kept), 'access to the database alone gives no hash that can be tested');
  const own = await loadMasterKey({ configured: chancery.masterKey, dataDir: '', generate: 'never' });
  const keyed = (text: string) => createHmac('sha256', own.lasting('idempotent-requests')).update(`POST ${path}\n${text}`).digest('hex');
  assert.notEqual(kept, keyed(JSON.stringify(body)));
  assert.equal(kept, keyed('{}'), 'even with the master key, nothing of the password is known');
});

test('a response with a secret is replayed only to its session; others to the user', async () => {
  const email = (await registered(chancery)).email;
  const [one, other] = [await signIn(chancery, email), await signIn(chancery, email)];
  const send = (answer: TestResponse, path: string, body: object, key: string) =>
    chancery.call('POST', path, { token: answer.body.accessToken, body, headers: { 'idempotency-key': key } });
  const endpoint = { name: 'W', url: 'https://receiver.example/', events: ['*'] };
  const [secretKey, plainKey] = [newKey(), newKey()];
  const webhooks = '/api/v1/webhooks/';
  const first = await send(one, webhooks, endpoint, secretKey);
  assert.equal((await send(one, webhooks, endpoint, secretKey)).body.secret, first.body.secret);
  const elsewhere = await send(other, webhooks, endpoint, secretKey);
  assert.deepEqual([elsewhere.status, elsewhere.headers.get('idempotency-replayed')], [201, null]);
  assert.notEqual(elsewhere.body.secret, first.body.secret);
  const folder = await send(one, `${folders}/`, { name: 'Plain' }, plainKey);
  assert.equal((await send(other, `${folders}/`, { name: 'Plain' }, plainKey)).body.id, folder.body.id);
});

test('every response whose schema names a secret is bound to the session', () => {
  const named = chancery.description.operations.filter(
    ({ method, access, responses }) =>
      method === 'POST' && access === 'user' && /"(secret|clientSecret|backupCodes|accessToken|totpUri)":/.test(JSON.stringify(responses)),
  );
  assert.ok(named.length >= 7, `${named.length}`);
  for (const { responses, path } of named) assert.ok(namesSecret(responses), path);
});

test('the job deletes everything older than 24 hours, and nothing else', async () => {
  const key = newKey();
  const kept = await create(key, { name: 'Kept a day' });
  await chancery.pool.query(
    `INSERT INTO idempotent_response (team_id, actor_id, key, fingerprint, response, created_at)
     SELECT $1, $2, 'old ' || n, '', '', now() - interval '24 hours 1 second' FROM generate_series(1, 250) n`,
    [owner.team, owner.id],
  );
  await deleteExpiredResponses(chancery.database, 100);
  const { rows } = await chancery.pool.query(
    "SELECT count(*)::int AS n FROM idempotent_response WHERE created_at < now() - interval '1 day'",
  );
  assert.equal(rows[0].n, 0);
  assert.equal((await create(key, { name: 'Kept a day' })).body.id, kept.body.id);
});

test('another body or URL under a used key gets 422 and changes nothing', async () => {
  const key = newKey();
  const first = await create(key, { name: 'Used' });
  for (const answer of [
    await create(key, { name: 'Other body' }),
    await create(key, {
      name: 'Used',
      color: 'red',
    }),
    await chancery.call('POST', `${folders}/${first.body.id}/shares`, {
      token: owner.token,
      headers: { 'idempotency-key': key },
      body: { userId: owner.id, access: 'read' },
    }),
  ])
    assert.deepEqual([answer.status, answer.body.code], [422, 'idempotency_key_reused']);
  assert.equal(await foldersNamed('Other body'), 0);
});

test('a rejected request does not use up its key', async () => {
  const key = newKey();
  await chancery.folder(owner, { name: 'In the way' });
  assert.equal((await create(key, { name: 'in the way' })).status, 409);
  assert.equal((await create(key, { name: '' })).status, 400);
  assert.equal((await create(key, { name: 'Corrected' })).status, 201);
});

test('a key has 1 to 255 characters, and other methods than POST ignore it', async () => {
  for (const key of ['', 'x'.repeat(256)]) {
    const answer = await create(key, { name: 'Odd key' });
    if (answer.status !== 201) assert.deepEqual([answer.status, answer.body.code], [400, 'validation_failed']);
    else assert.equal(key, '', 'an empty header is no key');
  }
  const made = await chancery.folder(owner);
  const headers = { 'idempotency-key': newKey() };
  for (const color of ['red', 'blue'])
    assert.equal((await chancery.call('PUT', `${folders}/${made.id}`, { token: owner.token, headers, body: { color } })).body.color, color);
});

/** Locks a folder, so that a request to create a folder in it waits. */
async function hold(id: string): Promise<{ pid(): Promise<number>; release(): Promise<void> }> {
  const client = await chancery.pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM folder WHERE id = $1 FOR UPDATE', [id]);
  return {
    pid: () =>
      eventually(
        'a request waits for the folder',
        async () =>
          (await chancery.pool.query("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"))
            .rows[0]?.pid as number,
      ),
    async release() {
      await client.query('ROLLBACK');
      client.release();
    },
  };
}

test('a second request gets 409 while the first is in flight, and afterwards its response', async () => {
  const parent = await chancery.folder(owner);
  const lock = await hold(parent.id);
  const key = newKey();
  const body = { name: 'Slow', parentId: parent.id };
  const first = create(key, body);
  await lock.pid();
  const second = await create(key, body);
  assert.deepEqual([second.status, second.body.code], [409, 'idempotency_in_progress']);
  await lock.release();
  assert.equal((await first).status, 201);
  assert.deepEqual((await create(key, body)).body, (await first).body);
});

test('if the first request lost its database connection, nothing was changed, and the second executes it', async () => {
  const parent = await chancery.folder(owner);
  const lock = await hold(parent.id);
  const key = newKey();
  const body = { name: 'Cut off', parentId: parent.id };
  const first = create(key, body);
  await chancery.pool.query('SELECT pg_terminate_backend($1)', [await lock.pid()]);
  assert.equal((await first).status, 503);
  await lock.release();
  const second = await create(key, body);
  assert.deepEqual([second.status, second.headers.get('idempotency-replayed')], [201, null]);
  assert.equal(await foldersNamed('Cut off'), 1);
});

test(
  'a process killed during a request changed nothing, and one killed after it changed once; the next start continues',
  { timeout: 600_000 },
  async () => {
    const settings = {
      DATABASE_URL: chancery.databaseUrl,
      MASTER_KEY: chancery.masterKey,
      DATA_DIR: chancery.config.DATA_DIR,
      BASE_URL: chancery.config.BASE_URL,
    };
    const parent = await chancery.folder(owner);
    const [cut, done] = [newKey(), newKey()];
    const body = { name: 'Killed', parentId: parent.id };
    const first = await spawnService(settings, ['--role', 'api']);
    const answered = await create(done, { name: 'Answered' }, owner, first.url);
    assert.equal(answered.status, 201);
    const lock = await hold(parent.id);
    const lost = create(cut, body, owner, first.url).catch((error: Error) => error);
    await lock.pid();
    await first.kill();
    assert.ok((await lost) instanceof Error);
    await lock.release();
    const next = await spawnService(settings, ['--role', 'api']);
    const again = await eventually('the transaction of the dead request has ended', async () => {
      const answer = await create(cut, body, owner, next.url);
      return answer.status === 409 && answer.body.code === 'idempotency_in_progress' ? undefined : answer;
    });
    assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [201, null]);
    assert.deepEqual([await foldersNamed('Killed'), await journalled(again.body.id)], [1, 1]);
    const replay = await create(done, { name: 'Answered' }, owner, next.url);
    assert.deepEqual([replay.status, replay.body, replay.headers.get('idempotency-replayed')], [201, answered.body, 'true']);
    assert.equal(await next.stop(), 0);
  },
);
