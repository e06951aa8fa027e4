import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { settingsOf, typedCommand } from '../../../../test/command-line.ts';
import { type Chancery, startChancery, type TestTeam } from '../../../../test/harness.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { deleteSurplusCheckpoints } from '../sequencer/index.ts';

/* The note of the last `audit verify`, and stored data that belongs to no tree. Only the database knows the rest. */

let chancery: Chancery;
let worker: Awaited<ReturnType<Chancery['node']>>;
let team: TestTeam;
let note: string;

const tables = ['audit_entry', 'audit_tile', 'audit_checkpoint', 'audit_log'];
const query = async (text: string, values: unknown[] = []): Promise<any[]> => (await chancery.pool.query(text, values)).rows;

async function grow(count: number): Promise<void> {
  await query(
    "INSERT INTO audit_entry (team_id, id, type, actor_type, at, data) SELECT $1, gen_random_uuid(), 'test.burst', 'system', now(), jsonb_build_object('n', n) FROM generate_series(1, $2) n",
    [team.id, count],
  );
  await eventually('entries are integrated', async () => (await query('SELECT FROM audit_entry WHERE seq IS NULL LIMIT 1')).length === 0);
}

async function keep(name: string): Promise<void> {
  for (const table of tables) await query(`DROP TABLE IF EXISTS ${name}_${table}; CREATE TABLE ${name}_${table} AS TABLE ${table}`);
}

async function putBack(name: string): Promise<void> {
  for (const table of tables) await query(`TRUNCATE ${table}; INSERT INTO ${table} TABLE ${name}_${table}`);
}

async function verify(): Promise<{ code: number; said: string }> {
  const { code, stdout, stderr } = await typedCommand(['audit', 'verify'], settingsOf(chancery));
  return { code, said: stdout + stderr };
}

/** Verifies after statements that change the database directly, and reverts the changes. */
async function saidAfter(...statements: string[]): Promise<string> {
  for (const statement of statements) await query(statement);
  const { code, said } = await verify();
  await putBack('present');
  assert.equal(code, 1, said);
  return said;
}

before(async () => {
  chancery = await startChancery({ role: 'api' });
  worker = await chancery.node('worker');
  team = await chancery.team();
  note = join(chancery.config.DATA_DIR, 'files', 'audit-checkpoints.json');
  await grow(300);
  await keep('older');
  for (let batch = 0; batch < 5; batch += 1) await grow(60);
  await worker.stop();
  // Two of an hour two days ago, one of yesterday, the others of an hour ago.
  await query(`UPDATE audit_checkpoint c SET signed_at = date_trunc('hour', now()) - CASE WHEN o.at <= 2 THEN interval '50 hours'
      WHEN o.at = 3 THEN interval '30 hours' ELSE interval '1 hour' END
    FROM (SELECT size, row_number() OVER (ORDER BY size) AS at FROM audit_checkpoint) o WHERE o.size = c.size`);
  await keep('present');
});
after(() => chancery.stop());

test('an unchanged journal verifies, and each run compares with the previous one', async () => {
  const first = await verify();
  assert.equal(first.code, 0, first.said);
  assert.match(first.said, /No earlier verification left a note in the file storage/);
  const second = await verify();
  assert.equal(second.code, 0, second.said);
  const [{ size }] = await query('SELECT size FROM audit_log');
  assert.match(second.said, new RegExp(`The tree extends the one of ${size} entries that the last verification noted`));
});

test('a journal reset to an older state is reported, also after it has grown past the known size', async () => {
  const [{ size }] = await query('SELECT size FROM audit_log');
  await putBack('older');
  const [{ size: older }] = await query('SELECT size FROM audit_log');
  const shrunk = await verify();
  assert.equal(shrunk.code, 1, shrunk.said);
  assert.match(
    shrunk.said,
    new RegExp(`✗ rolled_back: an earlier verification found a signed checkpoint at ${size} entries .*, but the tree now has ${older}`),
  );
  assert.match(shrunk.said, /If you restored the database from a backup, remove the note audit-checkpoints\.json from the file storage/);
  worker = await chancery.node('worker');
  await grow(400);
  await worker.stop();
  const forked = await verify();
  assert.equal(forked.code, 1, forked.said);
  assert.match(forked.said, new RegExp(`✗ rolled_back: .* at ${size} entries .*, now with another root`));
  // As the message instructs after a restore.
  const kept = await readFile(note);
  await rm(note);
  assert.equal((await verify()).code, 0);
  await writeFile(note, kept);
  await putBack('present');
});

test('missing signed checkpoints are reported: of an old hour, of the last day, and the newest', async () => {
  const nth = (at: number) =>
    `DELETE FROM audit_checkpoint WHERE size = (SELECT size FROM audit_checkpoint ORDER BY size OFFSET ${at} LIMIT 1)`;
  const [{ n }] = await query("SELECT count(*)::int AS n FROM audit_checkpoint WHERE signed_at > now() - interval '1 day'");
  assert.match(await saidAfter(nth(2)), /✗ checkpoint: signed checkpoints are missing: .* of 3 hours, but those of 2 hours are stored/);
  assert.match(
    await saidAfter(nth(3)),
    new RegExp(`✗ checkpoint: signed checkpoints are missing: for the hour from .* found ${n}, but ${n - 1} are stored`),
  );
  const newest = 'DELETE FROM audit_checkpoint WHERE size = (SELECT size FROM audit_log)';
  assert.match(await saidAfter(newest), /✗ checkpoint: the newest signed checkpoint, at \d+ entries, is missing/);
});

test('checkpoints that the service deletes after a day are not reported as missing', async () => {
  await deleteSurplusCheckpoints(chancery.database, new Date());
  const [{ n }] = await query('SELECT count(*)::int AS n FROM audit_checkpoint');
  const [{ n: all }] = await query('SELECT count(*)::int AS n FROM present_audit_checkpoint');
  assert.equal(n, all - 1);
  const { code, said } = await verify();
  assert.equal(code, 0, said);
  await putBack('present');
});

test('extra tiles are reported, and so is a full tile with more after it', async () => {
  const tile = (level: number, n: number) =>
    `INSERT INTO audit_tile SELECT ${level}, ${n}, hashes FROM audit_tile WHERE level = 0 AND n = 0`;
  const [{ size }] = await query('SELECT size FROM audit_log');
  const tiles = Math.ceil(size / 256);
  assert.match(
    await saidAfter(tile(0, tiles)),
    new RegExp(`✗ tree: extra tiles that no tree of ${size} entries has: tile ${tiles} of level 0\n`),
  );
  assert.match(await saidAfter(tile(-1, 9_007_199_254_740), tile(3, 0)), /: tile 9007199254740 of level -1, tile 0 of level 3\n/);
  assert.match(
    await saidAfter(...Array.from({ length: 12 }, (_, at) => tile(2, at))),
    /tile 0 of level 2, .*, tile 9 of level 2 and 2 more\n/,
  );
  const [{ rule }] = await query("SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint WHERE conname = 'audit_tile_hashes_check'");
  await query('ALTER TABLE audit_tile DROP CONSTRAINT audit_tile_hashes_check');
  assert.match(
    await saidAfter("UPDATE audit_tile SET hashes = hashes || sha256('x') WHERE level = 0 AND n = 0"),
    /✗ tree: tile 0 of level 0 does not match the rows/,
  );
  await query(`ALTER TABLE audit_tile ADD CONSTRAINT audit_tile_hashes_check ${rule}`);
});

test('an unreadable note is an error and stays unchanged', async () => {
  const kept = await readFile(note);
  for (const broken of ['', '{}', '{"checkpoint":"x","hours":1,"recent":[]}']) {
    await writeFile(note, broken);
    const { code, said } = await verify();
    assert.deepEqual([code, await readFile(note, 'utf8')], [1, broken]);
    assert.match(said, /✗ checkpoint: the note audit-checkpoints\.json in the file storage cannot be read/);
  }
  await writeFile(note, kept);
});
