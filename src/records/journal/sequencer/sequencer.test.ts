import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type Chancery, startChancery, type TestTeam } from '../../../../test/harness.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { countPasses } from '../../../../test/signals.ts';
import { keysOf, type SequencerNode, sequencerNode } from '../../../../test/sequencer.ts';
import { logVerifiers, parseCheckpoint } from '../tree/checkpoint.ts';
import { eraseOldAddresses, deleteSurplusCheckpoints } from './jobs.ts';
import type { SequencerOptions } from './sequencer.ts';
import { verifyJournal } from '../evidence/verify-jobs.ts';

let chancery: Chancery;
let team: TestTeam;
let open: SequencerNode[] = [];

before(async () => {
  chancery = await startChancery({ role: 'api' });
  team = await chancery.team();
});
after(() => chancery.stop());

async function sequencer(options: Partial<SequencerOptions> = {}): Promise<SequencerNode> {
  const node = await sequencerNode(chancery, options);
  open.push(node);
  return node;
}

const logged = () => open.map((node) => node.logged()).join('');

async function closeAll(): Promise<void> {
  await Promise.all(open.map((node) => node.stop()));
  open = [];
}

async function insert(count: number, of = team.id): Promise<void> {
  await chancery.pool.query(
    "INSERT INTO audit_entry (team_id, id, type, actor_type, at, ip) SELECT $1, gen_random_uuid(), 'test.burst', 'system', now(), '192.0.2.1' FROM generate_series(1, $2)",
    [of, count],
  );
}

async function one(text: string, values: unknown[] = []): Promise<any> {
  return (await chancery.pool.query(text, values)).rows[0];
}

const waiting = async () => Number((await one('SELECT count(*) AS n FROM audit_entry WHERE seq IS NULL')).n);

const untilIntegrated = () => eventually('entries are integrated', async () => (await waiting()) === 0);

/** All invariants of the tree, regardless of the sequencer. */
async function assertWhole(): Promise<void> {
  const keys = await keysOf(chancery);
  const verdict = await verifyJournal(chancery.database, (origin) => logVerifiers(keys.publicKeys('witness'), origin));
  assert.ok(verdict.ok, JSON.stringify(verdict));
  const { n, distinct, highest } = await one(
    'SELECT count(*)::int AS n, count(DISTINCT seq)::int AS distinct, coalesce(max(seq), -1)::int AS highest FROM audit_entry',
  );
  assert.deepEqual([distinct, highest], [n, n - 1], 'each entry has a place of its own, without a gap');
  assert.equal(verdict.size, n);
  const gaps = await one(
    'SELECT count(*)::int AS n FROM (SELECT team_id FROM audit_entry GROUP BY team_id HAVING max(number) <> count(*) OR min(number) <> 1) x',
  );
  assert.equal(gaps.n, 0, 'each team’s numbers have no gap');
}

test('an empty journal has a signed checkpoint of the empty tree', async () => {
  assert.equal((await chancery.call('GET', '/tlog/checkpoint')).status, 404);
  await (await sequencer()).start();
  const published = await eventually('a checkpoint', async () => (await one('SELECT published FROM audit_log')).published);
  assert.equal(parseCheckpoint(published)?.size, 0);
  assert.match(published, /\n47DEQpj8HBSa\+\/TImW\+5JCeuQeRkm5NMpJWZG3hSuFU=\n/);
  await closeAll();
});

test('an action becomes a leaf at once after a notification, and at the next poll without one', async () => {
  // A poll interval longer than the test.
  const notified = await sequencer({ pollMs: 600_000 });
  await notified.start();
  await eventually('a first look', async () => (await waiting()) === 0);
  await chancery.folder(team.owner);
  await untilIntegrated();
  await closeAll();
  await (await sequencer({ pollMs: 1_000 })).start();
  await insert(1);
  await untilIntegrated();
  await closeAll();
});

test('three concurrent sequencers against fifty writers: one tree with every entry once', async () => {
  const teams = await Promise.all(Array.from({ length: 5 }, () => chancery.team()));
  const [a, b, c] = await Promise.all([
    // A lease that expires at once, so that all of them work whenever they can.
    sequencer({ leaseSeconds: 0, batch: 3 }),
    sequencer({ leaseSeconds: 0, batch: 7 }),
    sequencer({ leaseSeconds: 0, batch: 256 }),
  ]);
  await Promise.all([a.start(), b.start(), c.start()]);
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => chancery.folder((teams[i % 5] ?? team).owner)));
    await Promise.all(teams.map(({ id }) => insert(20, id)));
  }
  await untilIntegrated();
  assert.doesNotMatch(logged(), /does not extend|no signature|do not make/);
  await closeAll();
  await assertWhole();
});

test('of two batches from the same tree one is rolled back completely', async () => {
  // Another process acquires the lease between read and write, as after a suspension.
  await insert(5);
  await chancery.pool.query(
    `CREATE FUNCTION steal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.lease_owner = gen_random_uuid(); RETURN NEW; END $$`,
  );
  await chancery.pool.query('CREATE TRIGGER steal BEFORE UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION steal()');
  const size = (await one('SELECT size FROM audit_log')).size;
  const passes = countPasses();
  const slow = await sequencer({ onPass: passes.onPass });
  await slow.start();
  await eventually('it notices', () => /another process/.test(slow.logged()));
  await passes.more();
  assert.equal((await one('SELECT size FROM audit_log')).size, size);
  assert.equal(await waiting(), 5);
  await chancery.pool.query('DROP TRIGGER steal ON audit_log; DROP FUNCTION steal(); UPDATE audit_log SET lease_owner = NULL');
  await untilIntegrated();
  await closeAll();
  await assertWhole();
});

test('an entry that was committed late, after younger ones, is not skipped', async () => {
  await (await sequencer()).start();
  const late = new pg.Client({ connectionString: chancery.databaseUrl });
  await late.connect();
  const id = randomUUIDv7();
  await late.query('BEGIN');
  await late.query("INSERT INTO audit_entry (team_id, id, type, actor_type, at) VALUES ($1, $2, 'test.late', 'system', now())", [
    team.id,
    id,
  ]);
  for (let made = 0; made < 5; made += 1) await chancery.folder(team.owner);
  await untilIntegrated();
  await late.query('COMMIT');
  await late.end();
  await untilIntegrated();
  assert.equal((await one('SELECT seq = (SELECT max(seq) FROM audit_entry) AS last FROM audit_entry WHERE id = $1', [id])).last, true);
  await closeAll();
  await assertWhole();
});

test('a dead sequencer leaves its lease to expire, a stopped one releases it', async () => {
  await (await sequencer({ leaseSeconds: 600 })).start();
  await insert(1);
  await untilIntegrated();
  await closeAll();
  assert.equal((await one('SELECT lease_owner FROM audit_log')).lease_owner, null);
  await chancery.pool.query("UPDATE audit_log SET lease_owner = gen_random_uuid(), lease_until = now() + interval '1 hour'");
  const passes = countPasses();
  await (await sequencer({ onPass: passes.onPass })).start();
  await insert(3);
  await passes.more();
  assert.equal(await waiting(), 3, 'the lease is respected');
  await chancery.pool.query('UPDATE audit_log SET lease_until = now()');
  await untilIntegrated();
  await closeAll();
});

test('waiting entries are added before a worker stops', async () => {
  const passes = countPasses();
  const stopping = await sequencer({ pollMs: 600_000, batch: 10, onPass: passes.onPass });
  await stopping.start();
  await passes.more(1);
  await insert(95);
  await closeAll();
  assert.equal(await waiting(), 0);
  await assertWhole();
});

/** Starts a sequencer on a database that `attack` changed, and returns its log; no checkpoint may be signed. */
async function refusal(attack: string[], repair: string[]): Promise<string> {
  const { size } = await one('SELECT size FROM audit_log');
  for (const statement of attack) await chancery.pool.query(statement);
  await insert(1);
  const passes = countPasses();
  const node = await sequencer({ onPass: passes.onPass });
  await node.start();
  await passes.more(1);
  await closeAll();
  const now = await one('SELECT count(*)::int AS n FROM audit_checkpoint WHERE size > $1', [size]);
  assert.equal(now.n, 0, 'nothing more was signed');
  for (const statement of repair) await chancery.pool.query(statement);
  return node.logged();
}

test('a tree with changed tiles or a changed checkpoint is not extended', async () => {
  await insert(300);
  await (await sequencer()).start();
  await untilIntegrated();
  await closeAll();
  await chancery.pool.query('CREATE TABLE kept_tile AS TABLE audit_tile; CREATE TABLE kept_log AS TABLE audit_log');
  const tiles = ['DELETE FROM audit_tile', 'INSERT INTO audit_tile TABLE kept_tile'];
  const log = ['UPDATE audit_log l SET (size, checkpoint) = (SELECT size, checkpoint FROM kept_log)'];
  const flip =
    "UPDATE audit_tile SET hashes = overlay(hashes PLACING decode(repeat('00', 32), 'hex') FROM 1) WHERE level = 0 AND n = (SELECT max(n) FROM audit_tile WHERE level = 0)";
  assert.match(await refusal([flip], tiles), /do not give the root/);
  assert.match(await refusal(['DELETE FROM audit_tile WHERE level = 1'], tiles), /do not give the root/);
  assert.match(
    await refusal(['UPDATE audit_log SET size = size - 1, published_size = 0'], log),
    /does not have the size of the audit tree/,
  );
  assert.match(
    await refusal(
      ["UPDATE audit_log SET checkpoint = regexp_replace(checkpoint, ' [A-Za-z0-9+/=]+\\n$', ' ' || repeat('A', 91) || E'=\\n')"],
      log,
    ),
    /no signature/,
  );
  await chancery.pool.query('DROP TABLE kept_tile, kept_log');
  await (await sequencer()).start();
  await untilIntegrated();
  await closeAll();
  await assertWhole();
});

test('a tree that was rolled back to an earlier signed one is not extended by a process that saw the later one', async () => {
  const passes = countPasses();
  const running = await sequencer({ onPass: passes.onPass });
  await running.start();
  await insert(10);
  await untilIntegrated();
  await chancery.pool.query('CREATE TABLE kept_tile AS TABLE audit_tile; CREATE TABLE kept_log AS TABLE audit_log');
  await insert(10);
  await untilIntegrated();
  const { size } = await one('SELECT size FROM audit_log');
  // Everything is rolled back, including signatures: the database itself is consistent.
  await chancery.pool.query(`
    DELETE FROM audit_entry WHERE seq >= (SELECT size FROM kept_log);
    DELETE FROM audit_checkpoint WHERE size > (SELECT size FROM kept_log);
    DELETE FROM audit_tile; INSERT INTO audit_tile TABLE kept_tile;
    UPDATE audit_log l SET (size, checkpoint, published_size, published) = (SELECT size, checkpoint, published_size, published FROM kept_log)`);
  await insert(3);
  await eventually('the alarm', () => running.logged().includes(`does not extend the tree of ${size}`));
  await passes.more();
  assert.equal(await waiting(), 3);
  await closeAll();
  await chancery.pool.query('DROP TABLE kept_tile, kept_log');
  await (await sequencer()).start();
  await untilIntegrated();
  await closeAll();
});

test('requests cannot set positions, change entries, or replace an address by a digest', async () => {
  const asApp = async (text: string) => {
    const client = await chancery.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query("SELECT set_config('role', 'chancery_app', true), set_config('app.team_id', $1, true)", [team.id]);
      await client.query(text);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  };
  const values = `'${team.id}', gen_random_uuid(), 'x', 'system', now()`;
  await asApp(`INSERT INTO audit_entry (team_id, id, type, actor_type, at) VALUES (${values})`);
  for (const forbidden of [
    `INSERT INTO audit_entry (team_id, id, type, actor_type, at, seq, number) VALUES (${values}, 0, 1)`,
    `INSERT INTO audit_entry (team_id, id, type, actor_type, at, ip_salt, ip_digest) VALUES (${values}, NULL, '\\x00')`,
    'UPDATE audit_entry SET seq = NULL, number = NULL',
    "UPDATE audit_entry SET type = 'y'",
    'DELETE FROM audit_entry',
    "UPDATE audit_tile SET hashes = '\\x00'",
    'DELETE FROM audit_tile',
    'UPDATE audit_log SET size = 0',
    'SELECT checkpoint FROM audit_log',
    'SELECT * FROM audit_checkpoint',
  ])
    await assert.rejects(asApp(forbidden), /permission denied|row-level security/, forbidden);
});

test('addresses can be erased by person or by age, and the tree stays as signed', async () => {
  const { owner } = await chancery.team();
  const other = await chancery.user(owner.team, { role: 'admin' });
  await Promise.all([chancery.folder(owner), chancery.folder(owner), chancery.folder(other)]);
  await (await sequencer()).start();
  await untilIntegrated();
  await chancery.folder(owner);
  await chancery.database.inTeam(owner.team, async (tx) => {
    const [row] = await tx.query<{ n: number }>({
      compile: () => ({ sql: 'SELECT erase_addresses($1)::int AS n', parameters: [owner.id] }),
    } as never);
    assert.equal(row?.n, 3);
  });
  await untilIntegrated();
  const { n } = await one('SELECT count(*)::int AS n FROM audit_entry WHERE team_id = $1 AND ip IS NOT NULL', [owner.team]);
  assert.equal(n, 1, 'another person’s stay');
  await assertWhole();
  const { events } = (await chancery.call('GET', '/api/v1/security/audit', { token: owner.token })).body;
  assert.equal(events.filter((entry: any) => 'ip' in entry).length, 1);
  const { body } = await chancery.call(
    'GET',
    `/api/v1/security/audit/${events.findLast((entry: any) => entry.actor.id === owner.id).id}/proof`,
    { token: owner.token },
  );
  assert.ok(body.body.ip && !('address' in body), 'the digest is proved, the address is erased');

  const erased = await eraseOldAddresses(chancery.database, new Date(Date.now() + 60_000), 0);
  assert.ok(erased > 500);
  assert.equal(
    (await one('SELECT count(*)::int AS n FROM audit_entry WHERE ip IS NOT NULL OR (ip_digest IS NOT NULL AND ip_salt IS NOT NULL)')).n,
    0,
  );
  await closeAll();
  await assertWhole();
});

test('old checkpoints are reduced to the last of each hour, and the rest still match', async () => {
  const { n: kept } = await one('SELECT count(*)::int AS n FROM audit_checkpoint');
  assert.ok(kept > 5);
  await chancery.pool.query(
    "UPDATE audit_checkpoint SET signed_at = timestamptz '2026-01-01 10:30+00' - (CASE WHEN size < 100 THEN interval '1 hour' ELSE interval '0' END)",
  );
  await deleteSurplusCheckpoints(chancery.database, new Date('2026-01-02T12:00:00Z'));
  const { n, highest } = await one('SELECT count(*)::int AS n, max(size) AS highest FROM audit_checkpoint');
  assert.equal(n, 2);
  assert.equal(highest, (await one('SELECT size FROM audit_log')).size);
  await assertWhole();
});
