import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { settingsOf, typedCommand } from '../../../../test/command-line.ts';
import { type Chancery, startChancery, type TestTeam } from '../../../../test/harness.ts';
import { eventually } from '../../../../test/webhook-receiver.ts';
import { commitment, recordOf } from '../tree/leaf.ts';
import { verifierKey } from '../tree/note.ts';
import { readLogKeys, verifyExport } from './verify-export.ts';
import { verifyJournal } from './verify-jobs.ts';

let chancery: Chancery;
let team: TestTeam;
let folder: string;

before(async () => {
  chancery = await startChancery();
  team = await chancery.team();
  const other = await chancery.team();
  folder = await mkdtemp(join(tmpdir(), 'chancery-verify-'));
  await Promise.all(Array.from({ length: 20 }, () => chancery.folder(team.owner)));
  for (let batch = 0; batch < 4; batch += 1) {
    await insert(batch % 2 === 0 ? team.id : other.id, 150);
    await integrated();
  }
  // No key stops an attacker who may change tables.
  await chancery.pool.query('DROP INDEX audit_entry_by_seq; CREATE INDEX audit_entry_by_seq ON audit_entry (log_id, seq)');
});
after(async () => {
  await chancery.stop();
  await rm(folder, { recursive: true, force: true });
});

async function insert(of: string, count: number): Promise<void> {
  await chancery.pool.query(
    // Every third is of version 1, as before an upgrade.
    "INSERT INTO audit_entry (team_id, id, type, actor_type, at, ip, data, record_version) SELECT $1, gen_random_uuid(), 'test.burst', 'system', now(), '192.0.2.1', jsonb_build_object('n', n), CASE n % 3 WHEN 0 THEN 1 ELSE 2 END FROM generate_series(1, $2) n",
    [of, count],
  );
}

async function rows(text: string, values: unknown[] = []): Promise<any[]> {
  return (await chancery.pool.query(text, values)).rows;
}

const integrated = () =>
  eventually('entries are integrated', async () => (await rows('SELECT FROM audit_entry WHERE seq IS NULL LIMIT 1')).length === 0);

async function audit(...args: string[]): Promise<{ code: number; out: string }> {
  const { code, stdout, stderr } = await typedCommand(['audit', ...args], { ...settingsOf(chancery), DATA_DIR: folder });
  return { code, out: stdout + stderr };
}

/** The service’s own keys as published. */
async function serviceKeys() {
  return readLogKeys(JSON.stringify((await chancery.call('GET', '/.well-known/witness-jwks.json')).body));
}

const leaf = async (seq: number) => (await rows('SELECT * FROM audit_entry WHERE seq = $1', [seq]))[0];
const columns =
  'team_id, id, seq, type, actor_type, actor_id, target_type, target_id, at, ip, request_id, data, salt, ip_salt, ip_digest, number, record_version, log_id';

/** Verifies a database that was changed directly, and restores everything. */
async function verifyAfter(...attack: string[]): Promise<string> {
  await chancery.pool.query(
    'CREATE TABLE kept_entry AS TABLE audit_entry; CREATE TABLE kept_tile AS TABLE audit_tile; CREATE TABLE kept_checkpoint AS TABLE audit_checkpoint',
  );
  try {
    for (const statement of attack) await chancery.pool.query(statement);
    const verdict = await verifyJournal(chancery.database, await serviceKeys());
    assert.ok(!verdict.ok);
    return `${verdict.error.kind}: ${verdict.error.message}`;
  } finally {
    await chancery.pool.query(`TRUNCATE audit_entry, audit_tile, audit_checkpoint;
      INSERT INTO audit_entry (${columns}) SELECT ${columns} FROM kept_entry; INSERT INTO audit_tile TABLE kept_tile;
      INSERT INTO audit_checkpoint TABLE kept_checkpoint; DROP TABLE kept_entry, kept_tile, kept_checkpoint`);
  }
}

test('an unchanged journal verifies, by the service’s keys or by a separately stored one', async () => {
  const { code, out } = await audit('verify');
  assert.equal(code, 0, out);
  const [{ n }] = await rows('SELECT count(*) AS n FROM audit_entry');
  assert.match(out, new RegExp(`✓ ${n} entries make the tree that localhost:8080/tlog signed`));
  const { body } = await chancery.call('GET', '/.well-known/witness-jwks.json');
  const file = join(folder, 'keys.json');
  await writeFile(file, JSON.stringify(body));
  const other = verifierKey('localhost:8080/tlog', 1, Buffer.alloc(32, 1));
  const [byFile, wrong] = await Promise.all([audit('verify', '--key', file), audit('verify', '--key', other)]);
  assert.equal(byFile.code, 0, byFile.out);
  assert.equal(wrong.code, 1);
  assert.match(wrong.out, /✗ checkpoint: .* no valid signature of a trusted key/);
});

test('a changed row is reported, for every column', async () => {
  const { id } = await leaf(123);
  for (const change of [
    "type = 'document.deleted'",
    "actor_type = 'staff'",
    'actor_id = gen_random_uuid()',
    "target_type = 'folder', target_id = 'x'",
    "at = at - interval '1 microsecond'",
    "ip = '192.0.2.2'",
    'ip = NULL',
    "request_id = 'x'",
    `data = '{"n": 7000}'`,
    'data = data || \'{"more": null}\'',
    'salt = gen_random_uuid()',
    'number = number + 1000000',
    'id = gen_random_uuid()',
  ]) {
    const out = await verifyAfter(`UPDATE audit_entry SET ${change} WHERE seq = 123`);
    assert.match(out, /^changed: .* at leaf 123 was changed/, change);
    if (!change.startsWith('id')) assert.ok(out.includes(id), change);
  }
});

test('the first of several changed rows is reported', async () => {
  assert.match(await verifyAfter("UPDATE audit_entry SET type = 'x' WHERE seq IN (400, 7, 512)"), /at leaf 7 was changed/);
});

test('a removed row is reported by its position and neighbors', async () => {
  const [previous, next] = [await leaf(299), await leaf(301)];
  const out = await verifyAfter('DELETE FROM audit_entry WHERE seq = 300');
  assert.match(out, /^removed: leaf 300/);
  assert.ok(out.includes(previous.id) && out.includes(next.id));
  const [{ last }] = await rows('SELECT max(seq) AS last FROM audit_entry');
  assert.match(await verifyAfter(`DELETE FROM audit_entry WHERE seq = ${last}`), new RegExp(`removed: leaf ${last}`));
  assert.match(await verifyAfter('DELETE FROM audit_entry'), /removed: leaf 0/);
});

test('an inserted row is reported for any leaf index', async () => {
  const insertAt = (seq: string, id: string) =>
    `INSERT INTO audit_entry (${columns}) SELECT team_id, '${id}', ${seq}, 'forged', actor_type, actor_id, target_type, target_id, at, ip, request_id, data, salt, ip_salt, ip_digest, 900000, record_version, log_id FROM audit_entry WHERE seq = 50`;
  for (const id of ['00000000-0000-4000-8000-000000000001', 'ffffffff-ffff-4fff-bfff-ffffffffffff']) {
    const out = await verifyAfter(insertAt('50', id));
    assert.match(out, new RegExp(`^inserted: the row ${id} .* was inserted at leaf 50`));
    const beyond = await verifyAfter(insertAt('100000', id));
    assert.match(beyond, new RegExp(`^inserted: the row ${id} .* has leaf index 100000`));
    assert.match(await verifyAfter(insertAt('-5', id)), /^inserted: .* leaf index -5/);
  }
});

test('rows that exchanged positions are reported with their original position', async () => {
  const { id } = await leaf(10);
  const out = await verifyAfter('UPDATE audit_entry SET seq = 310 - seq WHERE seq IN (10, 300)');
  assert.match(out, /^reordered: .* has leaf index 10 but is leaf 300/);
  assert.ok(!out.includes(id));
});

const zero = "decode(repeat('00', 32), 'hex')";

test('changed tiles are distinguished from changed rows', async () => {
  for (const level of [-1, 0])
    assert.match(
      await verifyAfter(`UPDATE audit_tile SET hashes = overlay(hashes PLACING ${zero} FROM 33) WHERE level = ${level} AND n = 1`),
      /^tree: the tiles at leaf 257 were changed; the row .* is as signed/,
    );
  assert.match(
    await verifyAfter(`UPDATE audit_tile SET hashes = overlay(hashes PLACING ${zero} FROM 33) WHERE level = 1`),
    /^tree: tile 0 of level 1/,
  );
  assert.match(await verifyAfter('DELETE FROM audit_tile WHERE level = 1'), /^tree: tile 0 of level 1/);
});

test('a journal rewritten with matching tiles is detected by the signatures, between two checkpoints', async () => {
  const [{ sizes }] = await rows('SELECT array_agg(size ORDER BY size) AS sizes FROM audit_checkpoint');
  const [from, to] = [sizes.findLast((size: number) => size <= 300), sizes.find((size: number) => size > 300)];
  // The forger recomputes the row and the lowest level, as a person who knows the format would.
  const { id } = await leaf(300);
  await chancery.pool.query('CREATE TABLE forged (commitment bytea)');
  const [row] = await rows(
    `SELECT *, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS exact_at, host(ip) AS ip FROM audit_entry WHERE seq = 300`,
  );
  const forged = commitment(recordOf({ ...row, type: 'forged' }, Number(row.number)).record);
  await chancery.pool.query('INSERT INTO forged VALUES ($1)', [forged]);
  const out = await verifyAfter(
    `UPDATE audit_entry SET type = 'forged' WHERE id = '${id}'`,
    'UPDATE audit_tile SET hashes = overlay(hashes PLACING (SELECT commitment FROM forged) FROM (300 - 256) * 32 + 1) WHERE level = -1 AND n = 1',
    "UPDATE audit_tile SET hashes = overlay(hashes PLACING (SELECT sha256('\\x00'::bytea || commitment) FROM forged) FROM (300 - 256) * 32 + 1) WHERE level = 0 AND n = 1",
  );
  assert.match(out, new RegExp(`^tree: .* leaves from ${from} up to ${to} were rewritten`));
  await chancery.pool.query('DROP TABLE forged');
});

test('a checkpoint without a signature of a trusted key is rejected', async () => {
  assert.match(
    await verifyAfter(
      "UPDATE audit_checkpoint SET note = replace(note, 'localhost', 'elsewhere') WHERE size = (SELECT min(size) FROM audit_checkpoint WHERE size > 0)",
    ),
    /^checkpoint: .* no valid signature/,
  );
});

/** The export over HTTP, line by line. */
async function exported(query = ''): Promise<string[]> {
  const answer = await chancery.call('GET', `/api/v1/security/audit/export${query}`, { token: team.owner.token });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/x-ndjson/);
  return answer.text.trimEnd().split('\n');
}

const verifyLines = async (lines: string[]) => verifyExport(Readable.from(lines), { keys: await serviceKeys(), witnesses: [] });

const edit = (line: string, change: (value: any) => void): string => {
  const value = JSON.parse(line);
  change(value);
  return JSON.stringify(value);
};

test('an export verifies without the database, and has only the team’s entries', async () => {
  const lines = await exported();
  const verdict = await verifyLines(lines);
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.deepEqual([verdict.entries, verdict.teamId, verdict.addressesErased], [lines.length - 2, team.id, 0]);
  const { size } = (await chancery.call('GET', '/api/v1/security/audit/checkpoint', { token: team.owner.token })).body;
  const [{ n }] = await rows('SELECT count(*) AS n FROM audit_entry WHERE team_id = $1 AND seq < $2', [team.id, size]);
  assert.ok(lines.length - 2 >= 320 && lines.length - 2 <= Number(n));
  for (const line of lines.slice(1, -1)) assert.equal(JSON.parse(line).record.teamId, team.id);
  await integrated();
  const rest = await exported('?after=100');
  assert.equal(JSON.parse(rest[1] ?? '').record.number, 101);
  assert.ok((await verifyLines(rest)).ok);
  const [entry] = (await chancery.call('GET', '/api/v1/security/audit?type=audit.exported&limit=1', { token: team.owner.token })).body
    .events;
  assert.deepEqual([entry.actor, entry.data], [{ type: 'user', id: team.owner.id }, { after: 100 }]);
});

test('a body that is left out of an export keeps the proof of its entry', async () => {
  const lines = await exported();
  const first = edit(lines[1] ?? '', (value) => {
    delete value.body;
    delete value.address;
  });
  const verdict = await verifyLines(lines.with(1, first));
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.equal(verdict.bodiesLeftOut, 1);
  assert.doesNotMatch(first, new RegExp(`${team.owner.id}|"data"|"name"`));
});

test('an export in the format of before still verifies', async () => {
  const lines = (await readFile('test/fixtures/journal/export-1.ndjson', 'utf8')).trimEnd().split('\n');
  const trusted = { keys: readLogKeys(JSON.parse(lines[0] ?? '').verifierKeys.join('\n')), witnesses: [] };
  const verify = (changed: string[]) => verifyExport(Readable.from(changed), trusted);
  const verdict = await verify(lines);
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.deepEqual([verdict.entries, verdict.size, verdict.bodiesLeftOut], [3, 3, 0]);
  const changed = edit(lines[2] ?? '', ({ record }) => (record.data.name = 'x'));
  assert.deepEqual(await verify(lines.with(2, changed)).then(({ ok }) => ok), false);
});

test('the command exports the same lines', async () => {
  const file = join(folder, 'own.ndjson');
  assert.equal((await audit('export', '--team', team.id, '--out', file)).code, 0);
  const key = (await audit('key')).out.trim();
  const { code, out } = await audit('verify', '--file', file, '--key', key);
  assert.equal(code, 0, out);
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('folder.created', 'folder.deleted'));
  const forged = await audit('verify', '--file', file, '--key', key);
  assert.equal(forged.code, 1);
  assert.match(forged.out, /✗ line \d+: .* it was changed/);
  const piped = await audit('export', '--team', team.id, '--after', '300');
  assert.equal(JSON.parse(piped.out.split('\n')[1] ?? '').record.number, 301);
});

test('one file verifies an export with Node.js alone, in an empty folder without settings', async () => {
  const alone = await mkdtemp(join(tmpdir(), 'chancery-alone-'));
  try {
    await copyFile('packages/verify/dist/cli.js', join(alone, 'verify-export.mjs'));
    const text = (await exported()).join('\n');
    await writeFile(join(alone, 'export.ndjson'), `${text}\n`);
    await writeFile(join(alone, 'forged.ndjson'), `${text.replace('folder.created', 'folder.deleted')}\n`);
    await writeFile(join(alone, 'keys.json'), JSON.stringify((await chancery.call('GET', '/.well-known/witness-jwks.json')).body));
    const verify = (...args: string[]) =>
      spawnSync(process.execPath, ['verify-export.mjs', ...args], { cwd: alone, env: {}, encoding: 'utf8' });
    const whole = verify('export.ndjson', '--key', 'keys.json');
    assert.deepEqual([whole.status, whole.stderr], [0, '']);
    assert.match(whole.stdout, new RegExp(`^✓ \\d+ entries of team ${team.id}, from number 1 on`));
    const forged = verify('forged.ndjson', '--key', 'keys.json');
    assert.equal(forged.status, 1);
    assert.match(forged.stdout, /^✗ line \d+: .* it was changed$/m);
    assert.equal(verify('export.ndjson').status, 2);
    const help = verify('--help');
    assert.deepEqual([help.status, help.stderr], [0, '']);
    assert.match(help.stdout, /^Usage: /);
    assert.match(verify('--nothing').stderr, /^Unknown option '--nothing'/);
  } finally {
    await rm(alone, { recursive: true, force: true });
  }
});

test('an export with any edit does not verify, and the line is reported', async () => {
  const lines = await exported();
  const replaced = (at: number, change: (value: any) => void) => lines.map((line, i) => (i === at ? edit(line, change) : line));
  const cases: [string, string[], RegExp][] = [
    ['changed', replaced(5, ({ record }) => (record.type = 'x')), /line 6: entry .* it was changed/],
    ['added member', replaced(5, ({ record }) => (record.extra = 1)), /line 6: .* it was changed/],
    ['body', replaced(5, ({ body }) => (body.data.name = 'x')), /line 6: the body of entry/],
    ['hidden in the body', replaced(5, ({ body }) => (body.extra = 1)), /line 6: the body of entry/],
    ['unknown tree', replaced(5, (value) => (value.log = 2)), /line 6: .* in a tree that the first line does not name/],
    ['address', replaced(5, ({ address }) => (address.ip = '192.0.2.99')), /line 6: the address of entry/],
    ['removed', lines.filter((_, i) => i !== 7), /line 8: after number 6 comes entry .*number 8/],
    ['reordered', lines.toSpliced(3, 2, lines[4] ?? '', lines[3] ?? ''), /line 4: after number 2/],
    ['doubled', lines.toSpliced(3, 0, lines[3] ?? ''), /line 5: after number 3/],
    ['cut short', lines.slice(0, -1), /cut short/],
    ['count', replaced(lines.length - 1, (value) => (value.entries -= 1)), /the end line states/],
    ['more', [...lines, '{}'], /lines after its end/],
    ['index', replaced(5, (value) => (value.index += 1)), /line 6: .* is not leaf/],
    ['path', replaced(5, ({ inclusionPath }) => inclusionPath.pop()), /line 6: .* is not leaf/],
    ['team', replaced(0, (value) => (value.teamId = 'x')), /line 2: .* another team/],
    ['head number', replaced(0, (value) => (value.after = 1)), /line 2: after number 1/],
    [
      'checkpoint size',
      replaced(0, ({ logs: [tree] }) => (tree.checkpoint = tree.checkpoint.replace(/\n(\d+)\n/, '\n1$1\n'))),
      /line 1: the checkpoint .* no valid signature/,
    ],
    ['no JSON', lines.toSpliced(2, 1, 'x'), /line 3: the line is not JSON/],
    ['no entry', lines.toSpliced(2, 1, '{}'), /line 3: the line is not an entry/],
    ['other format', lines.slice(1), /line 1: the file is not an export/],
    ['empty', [], /empty/],
    ['blank', [''], /line 1/],
  ];
  for (const [what, changed, message] of cases) {
    const verdict = await verifyLines(changed);
    assert.ok(!verdict.ok, what);
    assert.match(verdict.error, message, what);
  }
});

test('the command prints its usage, and names files that it cannot read', async () => {
  await Promise.all(
    [[], ['verify', '--file', 'x'], ['export', '--team', 'x', '--after', 'y']].map(async (args) => {
      const { code, out } = await audit(...args);
      assert.equal(code, 2, args.join(' '));
      assert.match(out, /Usage:/);
    }),
  );
  assert.match((await audit('verify', '--file', '/nowhere/export', '--key', '{"kty":"RSA"}')).out, /Ed25519/);
  const { body } = await chancery.call('GET', '/.well-known/witness-jwks.json');
  const missing = await audit('verify', '--file', '/nowhere/export', '--key', JSON.stringify(body));
  assert.equal(missing.code, 1);
  assert.match(missing.out, /nowhere/);
});
