import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import pg from 'pg';
import { type Chancery, startChancery, type TestTeam, type User } from '../../../../test/harness.ts';
import { sequencerNode, type SequencerNode } from '../../../../test/sequencer.ts';
import { eventually, ok, type Receiver, startReceiver } from '../../../../test/webhook-receiver.ts';
import { eraseOldAddresses } from './jobs.ts';
import { exhaustiveTest } from '../../../../test/tier.ts';

const hooks = '/api/v1/webhooks/';
const journal = '/api/v1/security/audit';

let chancery: Chancery;
/** The same without a worker: each test runs its own sequencers. */
let idle: Chancery;
let receiver: Receiver;

before(async () => {
  [chancery, idle, receiver] = await Promise.all([startChancery(), startChancery({ role: 'api' }), startReceiver()]);
});
after(async () => {
  await Promise.all([chancery.stop(), idle.stop()]);
  await receiver.close();
});

type Endpoint = { id: string; secret: string; place: string };

async function endpoint(by: User, place: string, events: string[], of = chancery): Promise<Endpoint> {
  const body = { name: place, url: `${receiver.url}/${place}`, events };
  const made = await of.call('POST', hooks, { token: by.token, body });
  assert.equal(made.status, 201, made.text);
  assert.equal(made.headers.get('warning'), null, 'the names are in the catalogue');
  return { id: made.body.id, secret: made.body.secret, place };
}

const entriesAt = (place: string) => receiver.at(`/${place}`).map(({ event }) => event.data.data);
const numbersAt = (place: string): number[] => [...new Set<number>(entriesAt(place).map(({ number }) => number))].toSorted((a, b) => a - b);

async function entriesOf(by: User, of = chancery): Promise<any[]> {
  return (await of.call('GET', `${journal}?limit=200`, { token: by.token })).body.events;
}

/** Waits until all present entries of a team are in the tree. */
async function integrated(team: string, of = chancery): Promise<void> {
  const text = 'SELECT count(*)::int AS n FROM audit_entry WHERE seq IS NULL AND team_id = $1';
  await eventually('all is integrated', async () => (await of.pool.query(text, [team])).rows[0].n === 0);
}

/** Waits until nothing is queued for the active endpoints of a team. */
async function sent(team: string): Promise<void> {
  const text = 'SELECT FROM webhook_queue q JOIN webhook_endpoint e ON e.id = q.endpoint_id WHERE q.team_id = $1 AND e.is_active';
  await eventually('all is sent', async () => (await chancery.pool.query(text, [team])).rowCount === 0);
}

async function rows(text: string, values: unknown[], of = idle): Promise<any[]> {
  return (await of.pool.query(text, values)).rows;
}

test('an entry arrives signed, is what reading the journal shows, and names the leaf that its proof is of', async () => {
  const { owner } = await chancery.team();
  const { secret } = await endpoint(owner, 'siem', ['audit.*']);
  const folder = await chancery.folder(owner, { name: 'Ünïcode “Ordner”' });
  await chancery.call('GET', `${journal}/export`, { token: owner.token, unchecked: true });
  const shown = await entriesOf(owner);
  assert.deepEqual(
    shown.map(({ type }) => type),
    ['audit.exported', 'folder.created', 'webhook.endpoint.created'],
  );
  await eventually('all three', () => receiver.at('/siem').length >= 3);
  const got = receiver.at('/siem');
  assert.ok(got.every((delivery) => receiver.verifies(delivery, secret)));
  assert.ok(got.every(({ headers }) => headers['x-service-event-type'] === 'audit.entry.recorded'));
  for (const { event } of got) {
    const { number, index, leafHash, ...entry } = event.data.data;
    const expected = shown.find(({ id }) => id === entry.id);
    assert.deepEqual(entry, expected);
    assert.deepEqual([event.id, event.teamId, event.timestamp], [`evt_${entry.id.replaceAll('-', '')}`, owner.team, entry.at]);
    assert.deepEqual([event.data.entryId, event.data.teamId], [entry.id, owner.team]);
    const proof = await eventually('a proof', async () => {
      const answer = await chancery.call('GET', `${journal}/${entry.id}/proof`, { token: owner.token });
      return answer.status === 200 && answer.body;
    });
    assert.deepEqual([number, index, leafHash], [proof.record.number, proof.index, proof.leafHash]);
  }
  assert.deepEqual(numbersAt('siem'), [1, 2, 3]);
  assert.equal(entriesAt('siem').find(({ type }) => type === 'folder.created').target.id, folder.id);
  assert.ok(!JSON.stringify(got.map(({ event }) => event)).includes('null'));
});

test('entries go to the endpoints of their own team that name them or their family, and `*` brings none', async () => {
  const [one, other] = await Promise.all([chancery.team(), chancery.team()]);
  const all = await endpoint(one.owner, 'all', ['*', 'webhook.*', 'folder.*']);
  await endpoint(one.owner, 'type', ['audit.entry.recorded']);
  await endpoint(one.owner, 'family', ['audit.entry.*', 'task.*']);
  await endpoint(other.owner, 'other', ['audit.*']);
  await Promise.all([chancery.folder(one.owner), chancery.folder(other.owner)]);
  // The folder’s is the fourth entry of the one team, after three registrations, and the second of the other.
  const arrived = (place: string, number: number) => eventually(`${number} at ${place}`, () => numbersAt(place).includes(number));
  await Promise.all([arrived('type', 4), arrived('family', 4), arrived('other', 2)]);
  await eventually('the folder at `*`', () => receiver.at('/all').length === 1);
  const recovered = await chancery.call('POST', `${hooks}${all.id}/recover`, {
    token: one.owner.token,
    body: { since: new Date(Date.now() - 60_000).toISOString() },
  });
  assert.deepEqual(recovered.body, { failed: 0, missed: 0 }, '`*` brings none afterwards either');
  await Promise.all([arrived('type', 5), arrived('family', 5)]);
  assert.deepEqual(
    receiver.at('/all').map(({ event }) => event.type),
    ['folder.created'],
  );
  for (const place of ['type', 'family']) assert.ok(entriesAt(place).every(({ teamId }) => teamId === one.id));
  assert.ok(entriesAt('other').every(({ teamId }) => teamId === other.id));
});

test('a team without such an endpoint has no event of its entries', async () => {
  const { owner, id } = await chancery.team();
  await endpoint(owner, 'quiet', ['*']);
  const gone = await endpoint(owner, 'gone', ['audit.*']);
  await chancery.call('DELETE', `${hooks}${gone.id}`, { token: owner.token });
  await integrated(id);
  await chancery.pool.query("DELETE FROM event WHERE team_id = $1 AND type = 'audit.entry.recorded'", [id]);
  await chancery.folder(owner);
  await integrated(id);
  const left = await rows('SELECT type FROM event WHERE team_id = $1', [id], chancery);
  assert.deepEqual(left.map(({ type }) => type).toSorted(), ['folder.created', 'webhook.endpoint.deleted']);
});

test('an endpoint gets entries recorded after its registration', async () => {
  const { owner, id } = await chancery.team();
  for (let made = 0; made < 3; made += 1) await chancery.folder(owner);
  await integrated(id);
  await endpoint(owner, 'later', ['audit.*']);
  await chancery.folder(owner);
  await eventually('two entries', () => numbersAt('later').length === 2);
  await integrated(id);
  await sent(id);
  assert.deepEqual(numbersAt('later'), [4, 5]);
  assert.deepEqual(new Set(entriesAt('later').map(({ type }) => type)), new Set(['webhook.endpoint.created', 'folder.created']));
});

test('a disabled endpoint gets no entries, and recovery sends the missed ones', async () => {
  const { owner, id } = await chancery.team();
  const since = new Date().toISOString();
  const hook = await endpoint(owner, 'paused', ['audit.*']);
  await eventually('its own registration', () => numbersAt('paused').length === 1);
  const turn = (isActive: boolean) => chancery.call('PATCH', `${hooks}${hook.id}`, { token: owner.token, body: { isActive } });
  await turn(false);
  for (let made = 0; made < 3; made += 1) await chancery.folder(owner);
  await integrated(id);
  await sent(id);
  assert.deepEqual(numbersAt('paused'), [1]);
  await turn(true);
  await eventually('the gap shows', () => numbersAt('paused').includes(6));
  assert.deepEqual(numbersAt('paused'), [1, 6]);
  const { body } = await chancery.call('POST', `${hooks}${hook.id}/recover`, { token: owner.token, body: { since } });
  assert.deepEqual(body, { failed: 0, missed: 4 });
  await eventually('all of it', () => numbersAt('paused').length === 7);
  assert.deepEqual(numbersAt('paused'), [1, 2, 3, 4, 5, 6, 7]);
  assert.equal(receiver.at('/paused').length, 7, 'each once');
});

test('an endpoint that responds 410 is disabled, and does not get the entry about that, so there is no loop', async () => {
  const { owner, id } = await chancery.team();
  receiver.answer = (response, { path }) => void (path === '/dead' ? response.writeHead(410).end() : ok(response));
  const dead = await endpoint(owner, 'dead', ['audit.*']);
  await endpoint(owner, 'witness', ['audit.*']);
  await eventually('the entry about it', () => entriesAt('witness').some(({ type }) => type === 'webhook.endpoint.disabled'));
  await integrated(id);
  await sent(id);
  // Effects of the deliveries are in the journal too.
  await integrated(id);
  receiver.answer = ok;
  const types = (await entriesOf(owner)).map(({ type }) => type);
  assert.equal(types.filter((type) => type === 'webhook.endpoint.disabled').length, 1);
  assert.equal(types.length, 3, 'two registrations and one that was switched off');
  assert.ok(!entriesAt('dead').some(({ type }) => type === 'webhook.endpoint.disabled'));
  const [{ n }] = await rows('SELECT count(*)::int AS n FROM webhook_delivery WHERE endpoint_id = $1', [dead.id], chancery);
  assert.ok(n <= 2);
});

test('a receiver that fails gets the entry again under the same id, and each attempt is in the log', async () => {
  const { owner } = await chancery.team();
  let tries = 0;
  receiver.answer = (response, { path }) => {
    if (path !== '/flaky-siem') return ok(response);
    tries += 1;
    response.writeHead(tries < 3 ? 503 : 200).end();
  };
  const { id, secret } = await endpoint(owner, 'flaky-siem', ['audit.*']);
  const delivery = await eventually('delivered', async () => {
    const log = await chancery.call('GET', `${hooks}${id}/deliveries?status=delivered`, { token: owner.token });
    return log.body[0];
  });
  receiver.answer = ok;
  assert.equal(delivery.attempts, 3);
  assert.deepEqual(delivery.payload, receiver.at('/flaky-siem')[0]?.event);
  assert.equal(new Set(receiver.at('/flaky-siem').map(({ event }) => event.id)).size, 1);
  assert.ok(receiver.at('/flaky-siem').every((got) => receiver.verifies(got, secret)));
  const { body } = await chancery.call('GET', `${hooks}${id}/deliveries/${delivery.id}/attempts`, { token: owner.token });
  assert.deepEqual(
    body.map((one: any) => one.responseStatus),
    [503, 503, 200],
  );
});

test('the journal is never sent to an endpoint, or shown in a log, of a caller who may not read it', async () => {
  const { owner } = await chancery.team();
  const { id: clientId, token } = await chancery.client(owner, ['webhooks:read', 'webhooks:write']);
  const body = { name: 'Sly', url: `${receiver.url}/sly`, events: ['task.created'] };
  for (const name of ['audit.*', 'audit.entry.*', 'audit.entry.recorded']) {
    const refused = await chancery.call('POST', hooks, { token, body: { ...body, events: ['task.*', name] } });
    assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope'], name);
    assert.match(String(refused.headers.get('www-authenticate')), /scope="audit:read"/);
  }
  const own = (await chancery.call('POST', hooks, { token, body: { ...body, events: ['*'] } })).body;
  assert.equal((await chancery.call('PATCH', `${hooks}${own.id}`, { token, body: { events: ['audit.*'] } })).status, 403);

  const siem = await endpoint(owner, 'guarded', ['audit.*']);
  assert.equal((await chancery.call('GET', `${hooks}${siem.id}`, { token })).status, 404, 'another’s is not there for a client');
  await eventually('an entry', () => numbersAt('guarded').length > 0);
  // An endpoint that it registered while it had the scope.
  await chancery.pool.query('UPDATE webhook_endpoint SET client_id = $1 WHERE id = $2', [clientId, siem.id]);
  const patch = async (change: object, by = token) =>
    (await chancery.call('PATCH', `${hooks}${siem.id}`, { token: by, body: change })).status;
  assert.equal(await patch({ url: `${receiver.url}/sly` }), 403);
  assert.equal(await patch({ url: `${receiver.url}/sly`, events: ['task.*'] }), 403);
  assert.equal(await patch({ name: 'Renamed' }), 200);
  assert.equal(await patch({ events: ['task.*'] }, owner.token), 200);
  assert.equal(await patch({ url: `${receiver.url}/sly` }), 403, 'what it got before could be sent again');
  assert.equal(await patch({ url: `${receiver.url}/guarded` }, owner.token), 200);

  const member = await chancery.user(owner.team);
  const logs = `${hooks}${siem.id}/deliveries`;
  const first = async (by: string) => (await chancery.call('GET', logs, { token: by })).body[0];
  const newest = async () => {
    const delivery = await first(owner.token);
    return delivery.status === 'delivered' && delivery;
  };
  const { id, payload } = await eventually('all is delivered', newest);
  assert.equal(payload.type, 'audit.entry.recorded');
  assert.deepEqual((await first(token)).payload, {});
  assert.deepEqual((await chancery.call('GET', `${logs}/${id}`, { token })).body.payload, {});
  assert.equal((await chancery.call('GET', logs, { token: member.token })).status, 403);
  await chancery.pool.query("UPDATE webhook_delivery SET status = 'failed' WHERE id = $1", [id]);
  const again = await chancery.call('POST', `${logs}/${id}/retry`, { token });
  assert.deepEqual([again.status, again.body.code], [409, 'webhook_event_closed']);
  assert.equal(receiver.at('/sly').length, 0);
});

test('the catalogue says of the event that it takes a scope, and the example of the documentation fits it', async () => {
  const { owner } = await chancery.team();
  const { body } = await chancery.call('GET', `${hooks}event-types`, { token: owner.token });
  const described = body.find(({ type }: any) => type === 'audit.entry.recorded');
  assert.equal(described.scope, 'audit:read');
  assert.equal(body.filter(({ requiresExplicitSubscription }: any) => requiresExplicitSubscription).length, 1);
  const text = await readFile('docs/guides/prove-records.md', 'utf8');
  const written = JSON.parse(/```json siem\n([\s\S]*?)```/.exec(text)?.[1] ?? '');
  assert.deepEqual(written.data, described.example.data);
  assert.equal(written.id, `evt_${written.data.data.id.replaceAll('-', '')}`);
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  assert.ok(ajv.validate(described.schema, written), ajv.errorsText());
});

// The following tests cover errors between read and commit.

const insertEntries = (team: TestTeam, count: number, ip = '192.0.2.1') =>
  idle.pool.query(
    `INSERT INTO audit_entry (team_id, id, type, actor_type, actor_id, at, ip, data)
     SELECT $1, uuidv7_like($4::uuid), 'test.burst', 'user', $2, now(), $5, jsonb_build_object('at', 'x', 'ip', 'y"at":"z","ip":"w', 'n', n) FROM generate_series(1, $3) n`,
    [team.id, team.owner.id, count, '01910000-0000-7000-8000-000000000000', ip],
  );

/** A team that subscribes to entries, with its queue. Nothing is sent, because no worker runs. */
async function streaming(place: string) {
  const team = await idle.team();
  const hook = await endpoint(team.owner, place, ['audit.*'], idle);
  const state = async () => {
    const [counts] = await rows(
      `SELECT (SELECT count(*)::int FROM audit_entry WHERE team_id = $1 AND seq IS NOT NULL) AS leaves,
         (SELECT count(*)::int FROM event WHERE team_id = $1 AND type = 'audit.entry.recorded') AS events,
         (SELECT count(*)::int FROM webhook_delivery WHERE team_id = $1) AS deliveries,
         (SELECT count(DISTINCT event_id)::int FROM webhook_delivery WHERE team_id = $1) AS distinct,
         (SELECT count(*)::int FROM webhook_queue WHERE team_id = $1) AS queued`,
      [team.id],
    );
    return Object.values(counts) as number[];
  };
  return { team, hook, state };
}

async function running(count = 1, options = {}): Promise<{ nodes: SequencerNode[]; logged(): string; stop(): Promise<void> }> {
  const nodes = await Promise.all(Array.from({ length: count }, () => sequencerNode(idle, options)));
  await Promise.all(nodes.map((node) => node.start()));
  return {
    nodes,
    logged: () => nodes.map((node) => node.logged()).join(''),
    stop: async () => void (await Promise.all(nodes.map((node) => node.stop()))),
  };
}

test('an entry that cannot be queued is not added to the tree, and later both succeed', async () => {
  const { team, state } = await streaming('refusing');
  await insertEntries(team, 20);
  await idle.pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the disk is full'; END $$;
     CREATE TRIGGER refuse AFTER INSERT ON webhook_queue FOR EACH STATEMENT EXECUTE FUNCTION refuse()`,
  );
  const sequencers = await running();
  await eventually('a complaint', () => sequencers.logged().includes('the disk is full'));
  assert.deepEqual(await state(), [0, 0, 0, 0, 0]);
  await idle.pool.query('DROP TRIGGER refuse ON webhook_queue; DROP FUNCTION refuse()');
  await integrated(team.id, idle);
  await sequencers.stop();
  assert.deepEqual(await state(), [21, 21, 21, 21, 21]);
});

test('entries of a team that cannot be queued delay no other team, and are added later', async () => {
  const [odd, other] = [await streaming('odd'), await streaming('other')];
  await insertEntries(odd.team, 20);
  await insertEntries(other.team, 20);
  await idle.pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'an odd row'; END $$;
     CREATE TRIGGER refuse AFTER INSERT ON webhook_queue FOR EACH ROW WHEN (NEW.team_id = '${odd.team.id}') EXECUTE FUNCTION refuse()`,
  );
  const sequencers = await running();
  await integrated(other.team.id, idle);
  await insertEntries(other.team, 10);
  await integrated(other.team.id, idle);
  assert.deepEqual(await odd.state(), [0, 0, 0, 0, 0]);
  assert.match(sequencers.logged(), /of a team could not be added to the tree; other teams continue/);
  await idle.pool.query('DROP TRIGGER refuse ON webhook_queue; DROP FUNCTION refuse()');
  await eventually('the odd one too', async () => (await odd.state())[0] === 21);
  await sequencers.stop();
  assert.deepEqual(await odd.state(), [21, 21, 21, 21, 21]);
  assert.deepEqual(await other.state(), [31, 31, 31, 31, 31]);
});

test('a worker that dies before its commit loses nothing and duplicates nothing', async () => {
  const { team, state } = await streaming('dying');
  await insertEntries(team, 20);
  const blocker = new pg.Client({ connectionString: idle.databaseUrl });
  await blocker.connect();
  await blocker.query('BEGIN; LOCK TABLE webhook_queue IN EXCLUSIVE MODE');
  const sequencers = await running(2, { leaseSeconds: 0 });
  const blocked =
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'sequencer-test' AND query LIKE '%INTO webhook_delivery%' AND wait_event_type = 'Lock'";
  const pid = await eventually('a worker in the middle of it', async () => (await rows(blocked, []))[0]?.pid);
  await idle.pool.query('SELECT pg_terminate_backend($1)', [pid]);
  await blocker.query('COMMIT');
  await blocker.end();
  await integrated(team.id, idle);
  await sequencers.stop();
  assert.match(sequencers.logged(), /could not be added|terminat/);
  assert.deepEqual(await state(), [21, 21, 21, 21, 21]);
});

test('three sequencers that race queue each entry once for each endpoint', async () => {
  const teams = await Promise.all(['race-a', 'race-b', 'race-c'].map(streaming));
  for (const { team, hook } of teams) await endpoint(team.owner, `${hook.place}-second`, ['audit.*'], idle);
  const sequencers = await Promise.all([3, 7, 256].map((batch) => running(1, { leaseSeconds: 0, batch })));
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => idle.folder((teams[i % 3] ?? teams[0])?.team.owner as User)));
    await Promise.all(teams.map(({ team }) => insertEntries(team, 30)));
  }
  await Promise.all(teams.map(({ team }) => integrated(team.id, idle)));
  await Promise.all(sequencers.map((one) => one.stop()));
  for (const { team, state } of teams) {
    const [leaves, events, deliveries, distinct, queued] = await state();
    assert.ok(leaves && leaves > 200);
    assert.deepEqual([events, distinct], [leaves, leaves]);
    assert.deepEqual([deliveries, queued], [2 * leaves, 2 * leaves]);
    const bodies = await rows("SELECT body FROM event WHERE team_id = $1 AND type = 'audit.entry.recorded'", [team.id]);
    const numbers = bodies.map(({ body }) => JSON.parse(body).data.data.number).toSorted((a, b) => a - b);
    assert.deepEqual(
      numbers,
      Array.from({ length: leaves }, (_, i) => i + 1),
    );
  }
});

test('an existing event is neither written nor queued again, and delays nothing', async () => {
  const { team, state } = await streaming('again');
  await insertEntries(team, 3);
  await idle.pool.query(
    `INSERT INTO event (team_id, id, type, body, created_at)
     SELECT team_id, 'evt_' || replace(id::text, '-', ''), 'test.there', '{}', now() FROM audit_entry WHERE team_id = $1 AND type = 'test.burst' LIMIT 1`,
    [team.id],
  );
  const sequencers = await running();
  await integrated(team.id, idle);
  await sequencers.stop();
  assert.deepEqual(await state(), [4, 3, 3, 3, 3]);
});

const addresses = async (team: TestTeam): Promise<unknown[]> => {
  const found = await rows("SELECT body FROM event WHERE team_id = $1 AND type = 'audit.entry.recorded' ORDER BY id", [team.id]);
  return found.map(({ body }) => JSON.parse(body).data.data).filter(({ type }) => type === 'test.burst');
};

test('an address that is erased in the journal is erased from waiting deliveries, and nothing else is', async () => {
  const [one, other] = [await streaming('erased'), await streaming('kept')];
  await Promise.all([insertEntries(one.team, 2), insertEntries(other.team, 2, '2001:db8::1')]);
  const sequencers = await running();
  await Promise.all([integrated(one.team.id, idle), integrated(other.team.id, idle)]);
  await sequencers.stop();
  const full = await addresses(one.team);
  assert.deepEqual(
    [...full, ...(await addresses(other.team))].map(({ ip }: any) => ip),
    ['192.0.2.1', '192.0.2.1', '2001:db8::1', '2001:db8::1'],
  );
  await idle.database.inTeam(one.team.id, (tx) =>
    tx.query({ compile: () => ({ sql: 'SELECT erase_addresses($1)', parameters: [one.team.owner.id] }) } as never),
  );
  const without = full.map(({ ip: _ip, ...rest }: any) => rest);
  assert.deepEqual(await addresses(one.team), without);
  assert.deepEqual(new Set((await addresses(other.team)).map(({ ip }: any) => ip)), new Set(['2001:db8::1']), 'another team’s stay');
  await eraseOldAddresses(idle.database, new Date(Date.now() + 60_000), 0);
  assert.ok((await addresses(other.team)).every((entry: any) => !('ip' in entry) && entry.data.ip === 'y"at":"z","ip":"w'));
  assert.deepEqual(await addresses(one.team), without);
});

test('an address that is erased while its entry is being added is not sent', async () => {
  const { team } = await streaming('meanwhile');
  await insertEntries(team, 5);
  const eraser = new pg.Client({ connectionString: idle.databaseUrl });
  await eraser.connect();
  // Erased but not committed: the sequencer has read the address before it reaches the row.
  await eraser.query('BEGIN');
  await eraser.query("SELECT set_config('role', 'chancery_app', true), set_config('app.team_id', $1, true)", [team.id]);
  await eraser.query('SELECT erase_addresses($1)', [team.owner.id]);
  const sequencers = await running();
  const blocked = "SELECT pid FROM pg_stat_activity WHERE application_name = 'sequencer-test' AND wait_event_type = 'Lock'";
  await eventually('the sequencer waits', async () => (await rows(blocked, []))[0]);
  await eraser.query('COMMIT');
  await integrated(team.id, idle);
  assert.ok((await addresses(team)).every((entry: any) => !('ip' in entry)));
  assert.equal((await addresses(team)).length, 5);

  // The reverse: the sequencer has locked the rows, and the eraser waits for it.
  await insertEntries(team, 5);
  await sequencers.stop();
  await insertEntries(team, 5);
  const blocker = new pg.Client({ connectionString: idle.databaseUrl });
  await blocker.connect();
  await blocker.query('BEGIN; LOCK TABLE webhook_queue IN EXCLUSIVE MODE');
  const second = await running();
  await eventually('the sequencer waits', async () => (await rows(blocked, []))[0]);
  const erasing = idle.database.inTeam(team.id, (tx) =>
    tx.query({ compile: () => ({ sql: 'SELECT erase_addresses($1)', parameters: [team.owner.id] }) } as never),
  );
  let isErased = false;
  void erasing.then(() => (isErased = true));
  // The sequencer releases its locks after two seconds, so on a slow machine the eraser may have been faster.
  await eventually(
    'the eraser waits',
    async () =>
      isErased ||
      (await rows("SELECT pid FROM pg_stat_activity WHERE application_name = 'chancery-test' AND wait_event_type = 'Lock'", []))[0],
  );
  await blocker.query('COMMIT');
  await erasing;
  await integrated(team.id, idle);
  await second.stop();
  await Promise.all([blocker.end(), eraser.end()]);
  assert.equal((await addresses(team)).length, 15);
  assert.ok((await addresses(team)).every((entry: any) => !('ip' in entry)));
});

exhaustiveTest('five thousand entries arrive all, and their numbers have no gap', async () => {
  const { owner, id } = await chancery.team();
  const { secret } = await endpoint(owner, 'many', ['audit.*']);
  await chancery.pool.query(
    `INSERT INTO audit_entry (team_id, id, type, actor_type, at, ip, data)
     SELECT $1, uuidv7_like($2::uuid), 'test.burst', 'system', now(), '192.0.2.1', jsonb_build_object('n', n) FROM generate_series(1, 5000) n`,
    [id, '01910000-0000-7000-8000-000000000000'],
  );
  await eventually('all of them', () => receiver.at('/many').length >= 5_001);
  assert.deepEqual(
    numbersAt('many'),
    Array.from({ length: 5_001 }, (_, i) => i + 1),
  );
  const sampled = receiver.at('/many').filter((_, i) => i % 100 === 0);
  assert.ok(sampled.every((delivery) => receiver.verifies(delivery, secret)));
});
