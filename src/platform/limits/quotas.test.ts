import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../test/harness.ts';
import { firstStaff, staffToken } from '../../../test/staff.ts';
import { eventually, startReceiver } from '../../../test/webhook-receiver.ts';

let chancery: Chancery;
let staff: string;
before(async () => {
  chancery = await startChancery({ settings: { ...firstStaff, TEAM_TEMPLATES: '4' } });
  staff = await staffToken(chancery);
});
after(() => chancery.stop());

const at50 = Array.from({ length: 50 }, (_, n) => n);
const documents = '/api/v1/smartdoc/documents/';
const quotasOf = (team: TestTeam) => `/api/v1/staff/teams/${team.id}/quotas`;
const grant = async (team: TestTeam, quotas: Record<string, number | null>) => {
  const answer = await chancery.call('PUT', quotasOf(team), { token: staff, body: { quotas, reason: 'agreed with them' } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.quotas;
};
const use = async (by: User, quota: string) => {
  const answer = await chancery.call('GET', '/api/v1/team/usage', { token: by.token });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.quotas.find(({ name }: { name: string }) => name === quota);
};
const create = (by: User, n: number | string) => chancery.call('POST', documents, { token: by.token, body: { title: `Document ${n}` } });
const upload = (by: User, size: number) => {
  const form = new FormData();
  form.set('title', 'File');
  form.set('file', new Blob(['x'.repeat(size)], { type: 'text/plain' }), 'a.txt');
  return chancery.call('POST', documents, { token: by.token, body: form });
};
const exceededEvents = async (team: TestTeam) =>
  (await chancery.pool.query("SELECT body FROM event WHERE team_id = $1 AND type = 'quota.exceeded' ORDER BY id", [team.id])).rows.map(
    ({ body }) => JSON.parse(body.toString()).data.data,
  );

test('50 concurrent requests do not exceed the limit, each error has a next step, and the team is notified once', async () => {
  const [team, other] = [await chancery.team(), await chancery.team()];
  await grant(team, { documents: 7 });
  const answers = await Promise.all(at50.map((n) => create(team.owner, n)));
  const refused = answers.filter(({ status }) => status === 409);
  assert.equal(answers.filter(({ status }) => status === 201).length, 7);
  assert.equal(refused.length, 43);
  for (const { body } of refused) {
    assert.equal(body.code, 'quota_exceeded');
    assert.deepEqual(body.quota, { name: 'documents', used: 7, limit: 7 });
  }
  assert.deepEqual(await use(team.owner, 'documents'), {
    name: 'documents',
    description: 'documents, including those in the bin',
    used: 7,
    limit: 7,
    unit: 'documents',
  });
  const { rows } = await chancery.pool.query('SELECT count(*)::int AS n FROM document WHERE team_id = $1', [team.id]);
  assert.equal(rows[0].n, 7);
  await eventually('the event', async () => (await exceededEvents(team)).length > 0);
  assert.equal((await create(team.owner, 'more')).status, 409);
  assert.deepEqual(await exceededEvents(team), [{ name: 'documents', used: 7, limit: 7 }]);
  assert.match(
    (await chancery.call('GET', '/metrics', { unchecked: true })).text,
    /chancery_quota_exceeded_total\{quota="documents"\} \d+/,
  );
  assert.equal((await create(other.owner, 'theirs')).status, 201);
  await grant(team, { documents: 8 });
  assert.equal((await create(team.owner, 'raised')).status, 201);
});

test('the count is exact far below the limit and across it', async () => {
  const team = await chancery.team();
  await grant(team, { documents: 2_600 });
  // Below 2 600 - 260 counts run concurrently; above it one after the other.
  await chancery.pool.query(
    "INSERT INTO document (team_id, id, user_id, title) SELECT $1, gen_random_uuid(), $2, 'D' FROM generate_series(1, 2320)",
    [team.id, team.owner.id],
  );
  const answers = await Promise.all(at50.map((n) => create(team.owner, n)));
  assert.ok(answers.every(({ status }) => status === 201));
  assert.equal((await use(team.owner, 'documents')).used, 2_370);
  await chancery.pool.query('DELETE FROM document WHERE team_id = $1', [team.id]);
  assert.equal((await use(team.owner, 'documents')).used, 0);
});

test('the rows of one transaction are counted once: without rolled back savepoints, by team, also before the commit', async () => {
  const [team, other] = [await chancery.team(), await chancery.team()];
  await grant(team, { documents: 20 });
  const insert = (of: TestTeam, count: number) =>
    client.query(
      "INSERT INTO document (team_id, id, user_id, title) SELECT $1, gen_random_uuid(), $2, 'D' FROM generate_series(1, $3::int)",
      [of.id, of.owner.id, count],
    );
  const writes = async () =>
    (await client.query("SELECT (n_tup_ins + n_tup_upd)::int AS n FROM pg_stat_xact_user_tables WHERE relname = 'team_usage'")).rows[0]
      .n as number;
  const client = await chancery.pool.connect();
  try {
    await client.query('BEGIN');
    await insert(team, 3);
    await client.query('SAVEPOINT before');
    await insert(team, 90);
    await client.query('ROLLBACK TO before');
    await insert(other, 2);
    await insert(team, 4);
    await client.query('COMMIT');
    assert.deepEqual([(await use(team.owner, 'documents')).used, (await use(other.owner, 'documents')).used], [7, 2]);

    await client.query('BEGIN');
    const begun = await writes();
    await insert(team, 6);
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    assert.equal((await writes()) - begun, 1, 'one write for six rows');
    await insert(team, 2);
    await client.query('COMMIT');
    assert.equal((await use(team.owner, 'documents')).used, 15);

    await client.query('BEGIN');
    await insert(team, 6);
    await assert.rejects(client.query('COMMIT'), /quota exceeded/);
    await insert(team, 5);
    assert.equal((await use(team.owner, 'documents')).used, 20, 'rejected rows are not counted');
  } finally {
    client.release(true);
  }
});

test('rejected requests leave nothing behind, and purged data are not counted', async () => {
  const team = await chancery.team();
  await grant(team, { storage: 1_000 });
  const files = async () =>
    (await chancery.pool.query('SELECT count(*)::int AS n FROM document_version WHERE team_id = $1', [team.id])).rows[0].n;
  const first = await upload(team.owner, 600);
  assert.equal(first.status, 201, first.text);
  const over = await upload(team.owner, 600);
  assert.deepEqual([over.status, over.body.quota], [409, { name: 'storage', used: 600, limit: 1_000 }]);
  assert.equal(await files(), 1);
  assert.equal((await upload(team.owner, 400)).status, 201);
  assert.equal((await use(team.owner, 'storage')).used, 1_000);
  assert.equal((await chancery.call('DELETE', `${documents}${first.body.id}`, { token: team.owner.token })).status < 300, true);
  assert.equal((await upload(team.owner, 1)).status, 409, 'the bin counts');
  await chancery.pool.query('DELETE FROM document WHERE id = $1', [first.body.id]);
  assert.equal((await use(team.owner, 'storage')).used, 400);
  assert.equal((await upload(team.owner, 600)).status, 201);
});

test('workflows and templates count, and deleting a template frees quota', async () => {
  const team = await chancery.team();
  await grant(team, { workflows: 3 });
  const workflow = (n: number) =>
    chancery.call('POST', '/api/v1/workflows/', {
      token: team.owner.token,
      body: { name: `W ${n}`, documentId: 'DMS-1', steps: [{ id: 'a', type: 'task' }] },
    });
  const made = await Promise.all(at50.slice(0, 10).map(workflow));
  assert.equal(made.filter(({ status }) => status === 201).length, 3);
  const template = (n: number) =>
    chancery.call('POST', '/api/v1/workflows/templates', {
      token: team.owner.token,
      body: { name: `own-${n}`, description: 'Own', steps: [{ id: 'a', type: 'task' }] },
    });
  const templates = await Promise.all(at50.slice(0, 10).map(template));
  assert.equal(templates.filter(({ status }) => status === 201).length, 4, 'the limit of the settings');
  const kept = templates.find(({ status }) => status === 201)?.body.name;
  assert.ok((await chancery.call('DELETE', `/api/v1/workflows/templates/${kept}`, { token: team.owner.token })).status < 300);
  assert.equal((await template(99)).status, 201);
});

test('staff read and change quotas of a team, with a reason in its journal; null restores the default', async () => {
  const team = await chancery.team();
  const first = await chancery.call('GET', quotasOf(team), { token: staff });
  assert.equal(first.status, 200, first.text);
  assert.equal(first.body.teamId, team.id);
  const of = (quotas: any[], quota: string) => quotas.find(({ name }) => name === quota).limit;
  assert.equal(of(first.body.quotas, 'templates'), 4);
  const changed = await grant(team, { templates: 40, storage: 5 });
  assert.deepEqual([of(changed, 'templates'), of(changed, 'storage')], [40, 5]);
  assert.equal(of(await grant(team, { templates: null }), 'templates'), 4);
  const { rows } = await chancery.pool.query(
    "SELECT actor_type, data FROM audit_entry WHERE team_id = $1 AND type = 'team.quotas_changed' ORDER BY id",
    [team.id],
  );
  assert.deepEqual(rows, [
    { actor_type: 'staff', data: { quotas: { templates: 40, storage: 5 }, reason: 'agreed with them' } },
    { actor_type: 'staff', data: { quotas: { templates: 'default' }, reason: 'agreed with them' } },
  ]);
  for (const body of [
    { quotas: {}, reason: 'none' },
    { quotas: { unknown: 1 }, reason: 'none' },
    { quotas: { storage: -1 }, reason: 'none' },
  ])
    assert.equal((await chancery.call('PUT', quotasOf(team), { token: staff, body })).status, 400);
});

test('deliveries above the hourly budget are delayed, none is dropped, and the journal records every action', async () => {
  const team = await chancery.team();
  const receiver = await startReceiver();
  try {
    // One per minute at an even rate, bursts of five.
    await grant(team, { deliveries: 60 });
    for (const path of ['/a', '/b']) {
      const made = await chancery.call('POST', '/api/v1/webhooks/', {
        token: team.owner.token,
        body: { name: path, url: `${receiver.url}${path}`, events: ['folder.created'] },
      });
      assert.equal(made.status, 201, made.text);
    }
    const count = async (sql: string) => Number((await chancery.pool.query(sql, [team.id])).rows[0].n);
    for (let n = 0; n < 3; n += 1) await chancery.folder(team.owner, { name: `Folder ${n}` });
    const ahead =
      "SELECT count(*) AS n FROM team_budget WHERE team_id = $1 AND name = 'deliveries' AND free_at > now() + interval '350 seconds'";
    await eventually('the count of six deliveries', async () => (await count(ahead)) === 1);
    for (let n = 3; n < 7; n += 1) await chancery.folder(team.owner, { name: `Folder ${n}` });
    assert.equal(await count('SELECT count(*) AS n FROM webhook_delivery WHERE team_id = $1'), 14);
    assert.equal(await count("SELECT count(*) AS n FROM webhook_queue WHERE team_id = $1 AND next_at > now() + interval '30 seconds'"), 8);
    assert.equal(await count("SELECT count(*) AS n FROM audit_entry WHERE team_id = $1 AND type = 'folder.created'"), 7);
    await eventually('the first six', () => receiver.received.length >= 6);
    const used = await use(team.owner, 'deliveries');
    assert.ok(used.used >= 6 && Date.parse(used.resetsAt) > Date.now() + 300_000);
    await eventually('the event', async () => (await exceededEvents(team)).some(({ name }) => name === 'deliveries'));
    // They become due.
    await chancery.pool.query('UPDATE webhook_queue SET next_at = now() WHERE team_id = $1', [team.id]);
    await eventually('all of them', () => receiver.received.length >= 14);
  } finally {
    await receiver.close();
  }
});

test('events of one large change, such as the start of a workflow, are delayed above the budget too', async () => {
  const team = await chancery.team();
  await grant(team, { deliveries: 120 });
  const made = await chancery.call('POST', '/api/v1/webhooks/', {
    token: team.owner.token,
    body: { name: 'Steps', url: 'http://127.0.0.1:9/', events: ['workflow.*'] },
  });
  assert.equal(made.status, 201, made.text);
  const steps = Array.from({ length: 20 }, (_, n) => ({ id: `s${n}`, type: 'webhook' }));
  const { body, text } = await chancery.call('POST', '/api/v1/workflows/', {
    token: team.owner.token,
    body: { name: 'Fan', documentId: 'DMS-1', steps },
  });
  assert.ok(body.id, text);
  assert.equal((await chancery.call('POST', `/api/v1/workflows/${body.id}/start`, { token: team.owner.token })).status, 200);
  const { rows } = await chancery.pool.query(
    "SELECT count(*)::int AS all, count(*) FILTER (WHERE q.next_at > now() + interval '20 seconds')::int AS off FROM webhook_delivery d LEFT JOIN webhook_queue q ON q.team_id = d.team_id AND q.endpoint_id = d.endpoint_id AND q.delivery_id = d.id WHERE d.team_id = $1",
    [team.id],
  );
  assert.ok(rows[0].all > 20 && rows[0].off >= rows[0].all - 14, JSON.stringify(rows[0]));
});

test('a new version of the service finds the usage of each team', async () => {
  const { rows } = await chancery.pool.query(
    `SELECT count(*)::int AS wrong FROM (
       SELECT team_id, count(*) AS n FROM document GROUP BY team_id) d
     FULL JOIN (SELECT team_id, sum(used) AS n FROM team_usage WHERE name = 'documents' GROUP BY team_id) u USING (team_id)
     WHERE coalesce(d.n, 0) <> coalesce(u.n, 0)`,
  );
  assert.equal(rows[0].wrong, 0);
});
