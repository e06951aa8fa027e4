import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { untilSequenced, uploadDocument } from '../../test/backups.ts';
import { commandAsProcess, settingsOf, typedCommand } from '../../test/command-line.ts';
import { type Chancery, startChancery, type TestTeam } from '../../test/harness.ts';

let chancery: Chancery;
let team: TestTeam;
let other: TestTeam;
let folder: string;
let archive: string;
/** The folder with the entries of the archive. */
let entries: string;
let document: { id: string; key: string };
let client: { id: string; secret: string };

before(async () => {
  chancery = await startChancery({ withoutReading: true });
  [team, other] = [await chancery.team('Exported\n"quoted" \\ 契約'), await chancery.team('Hidden & Partners')];
  for (const { owner } of [team, other]) {
    await chancery.folder(owner, { name: owner === team.owner ? 'Exported folder' : 'Hidden folder' });
    await chancery.call('POST', '/api/v1/webhooks/', {
      token: owner.token,
      body: { name: 'Hook', url: 'https://hooks.example/a', events: ['folder.*'] },
    });
    await chancery.call('POST', '/api/v1/team/invitations', {
      token: owner.token,
      body: { email: `new.${owner.id}@example.org`, role: 'member' },
    });
  }
  document = await uploadDocument(chancery, team.owner, '%PDF-1.7 exported');
  await uploadDocument(chancery, other.owner, '%PDF-1.7 hidden');
  client = await chancery.client(team.owner);
  await untilSequenced(chancery);
  folder = await mkdtemp(join(tmpdir(), 'chancery-export-'));
  [archive, entries] = [join(folder, 'team.tar'), join(folder, 'entries')];
  const { code, stdout, stderr } = commandAsProcess(['team', 'export', team.id, '--to', archive], settingsOf(chancery));
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /team\.tar: \d+ tables with \d+ rows, 1 files\.\n$/);
  await mkdir(entries);
  execFileSync('tar', ['--extract', '--file', archive, '--directory', entries]);
});
after(async () => {
  await chancery.stop();
  await rm(folder, { recursive: true, force: true });
});

const text = (name: string) => readFile(join(entries, name), 'utf8');
const rowsOf = async (table: string) =>
  (await text(`tables/${table}.jsonl`))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const allText = async () => {
  const files = (await readdir(entries, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  return (await Promise.all(files.map((one) => readFile(join(one.parentPath, one.name), 'utf8')))).join('\n');
};

test('an export has all rows of the team, and none of another team', async () => {
  const { tables } = JSON.parse(await text('manifest.json'));
  assert.ok(tables.length > 130);
  const { rows: named } = await chancery.pool.query(
    "SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'team_id' WHERE relkind IN ('r', 'p') AND NOT relispartition",
  );
  const known = new Set(named.map(({ name }) => name));
  for (const { table, rows } of tables) {
    assert.ok(known.has(table), table);
    const own = await rowsOf(table);
    assert.equal(own.length, rows, table);
    assert.ok(
      own.every((row) => row.team_id === team.id),
      table,
    );
    if (table === 'audit_entry') continue;
    const { rows: counted } = await chancery.pool.query(`SELECT count(*)::int AS n FROM ${table} WHERE team_id = $1`, [team.id]);
    assert.equal(own.length, counted[0].n, table);
  }
  const all = await allText();
  for (const hidden of [other.id, other.owner.id, other.owner.email, 'Hidden', '%PDF-1.7 hidden']) assert.ok(!all.includes(hidden), hidden);
  assert.ok(all.includes(team.owner.email));
});

test('an export keeps text exactly', async () => {
  assert.deepEqual(
    (await rowsOf('team')).map(({ name }) => name),
    ['Exported\n"quoted" \\ 契約'],
  );
});

test('an export has no secrets, no hashes of tokens and no links with tokens', async () => {
  const [[endpoint], [secret], [invitation]] = [
    await rowsOf('webhook_endpoint'),
    await rowsOf('api_client_secret'),
    await rowsOf('invitation'),
  ];
  assert.deepEqual(
    ['secret', 'previous_secret', 'headers'].filter((name) => name in endpoint),
    [],
  );
  assert.ok(!('hash' in secret) && !('token_hash' in invitation));
  const { withoutTables } = JSON.parse(await text('manifest.json'));
  assert.deepEqual(withoutTables.map(({ table }: { table: string }) => table).toSorted(), [
    'event',
    'idempotent_response',
    'job',
    'mail_message',
  ]);
  const all = await allText();
  const { rows } = await chancery.pool.query(
    "SELECT encode(hash, 'hex') AS hash FROM api_client_secret UNION SELECT encode(token_hash, 'hex') FROM invitation UNION SELECT encode(secret, 'hex') FROM webhook_endpoint",
  );
  assert.ok(rows.length > 3 && rows.every(({ hash }) => !all.includes(hash)));
  assert.ok(!all.includes(client.secret) && !all.includes(chancery.masterKey));
});

test('an export has the stored files, and sha256sum verifies them', async () => {
  assert.equal(await text(`files/${document.key.slice(-2)}/${document.key.slice(-4, -2)}/${document.key}`), '%PDF-1.7 exported');
  const { tables, files, journal } = JSON.parse(await text('manifest.json'));
  const listed = [...tables, { file: files.list, sha256: files.sha256 }, journal].map(({ file, sha256 }) => `${sha256}  ${file}`);
  await writeFile(join(entries, 'all.sha256'), `${listed.join('\n')}\n${await text('files.sha256')}`);
  const output = execFileSync('sha256sum', ['--check', '--strict', 'all.sha256'], { cwd: entries, encoding: 'utf8' });
  assert.equal(output.trim().split('\n').length, tables.length + 3);
});

test('the journal of an export verifies without the service', async () => {
  const key = join(entries, 'journal-keys.txt');
  const { code, stdout } = await typedCommand(['audit', 'verify', '--file', join(entries, 'journal.jsonl'), '--key', key], {});
  assert.equal(code, 0, stdout);
  assert.match(stdout, new RegExp(`^✓ \\d+ entries of team ${team.id}, from number 1 on without a gap`));
});

test('the journal of the team records the export', async () => {
  const { rows } = await chancery.pool.query("SELECT actor_type FROM audit_entry WHERE team_id = $1 AND type LIKE 'audit.%export%'", [
    team.id,
  ]);
  assert.deepEqual(rows, [{ actor_type: 'system' }]);
});

test('an export does not replace a file', async () => {
  const { code, stderr } = await typedCommand(['team', 'export', team.id, '--to', archive], settingsOf(chancery));
  assert.equal(code, 2);
  assert.match(stderr, /team\.tar exists\. Specify a new file\./);
});

test('an export of an unknown team leaves no file', async () => {
  const { code, stderr } = await typedCommand(
    ['team', 'export', '00000000-0000-7000-8000-000000000000', '--to', join(folder, 'none.tar')],
    settingsOf(chancery),
  );
  assert.deepEqual([code, stderr], [1, 'There is no team 00000000-0000-7000-8000-000000000000.\n']);
  assert.deepEqual((await readdir(folder)).toSorted(), ['entries', 'team.tar']);
});
