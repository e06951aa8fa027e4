import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { restoreTarget, untilSequenced, uploadDocument } from '../../test/backups.ts';
import { type CommandOutput, commandAsProcess, settingsOf, typedCommand } from '../../test/command-line.ts';
import { type Chancery, startChancery, type TestTeam } from '../../test/harness.ts';
import { ordinaryUser } from '../../test/ordinary-user.ts';
import { withAdmin } from '../../test/postgres.ts';

let chancery: Chancery;
let team: TestTeam;
/** The folder of the tests, and a backup in it that no test changes. */
let folder: string;
let intact: string;
let document: { id: string; key: string };

before(async () => {
  chancery = await startChancery({ withoutReading: true });
  team = await chancery.team('Tab\there, \\backslash and\nline');
  document = await uploadDocument(chancery, team.owner, '%PDF-1.7 a contract');
  folder = await mkdtemp(join(tmpdir(), 'chancery-backup-'));
  intact = join(folder, 'intact');
  await untilSequenced(chancery);
  const { code, stderr } = commandAsProcess(['backup', intact], settingsOf(chancery));
  assert.deepEqual([code, stderr], [0, '']);
});
after(async () => {
  await chancery.stop();
  await rm(folder, { recursive: true, force: true });
});

const manifestOf = async (backup: string) => JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8'));
const placeOf = (backup: string, key: string) => join(backup, 'files', key.slice(-2), key.slice(-4, -2), key);

/** Copies the backup, changes the copy, and checks it. */
async function checkChanged(
  t: TestContext,
  change: (backup: string) => Promise<unknown>,
  more: Record<string, string> = {},
): Promise<CommandOutput> {
  const copy = await mkdtemp(join(folder, 'changed-'));
  t.after(() => rm(copy, { recursive: true, force: true }));
  await cp(intact, copy, { recursive: true });
  await change(copy);
  return typedCommand(['restore', copy, '--check'], {
    ...settingsOf(chancery),
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    ...more,
  });
}

/** Changes the manifest of a backup. */
const inManifest = (change: (manifest: any) => void) => async (backup: string) => {
  const manifest = await manifestOf(backup);
  change(manifest);
  await writeFile(join(backup, 'manifest.json'), JSON.stringify(manifest));
};

/** Returns the file of a table in a backup. */
const partOf = async (backup: string, table: string) => (await manifestOf(backup)).database.find((part: any) => part.table === table);

test('a check of an intact backup needs no database', async (t) => {
  const { code, stdout } = await checkChanged(t, async () => undefined);
  assert.equal(code, 0);
  assert.match(stdout, /^✓ The backup of \S+ by version \S+ is intact: \d+ tables, 1 files\.$/m);
});

test('a backup has neither the master key nor another file with it', async () => {
  const names = await readdir(intact, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(names.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name))));
  assert.ok(texts.length > 180);
  assert.ok(texts.every((text) => !text.includes(chancery.masterKey) && !text.includes(Buffer.from(chancery.masterKey, 'base64'))));
});

test('sha256sum can verify the stored files of a backup with their list', async () => {
  const { files } = await manifestOf(intact);
  const expected = createHash('sha256').update('%PDF-1.7 a contract').digest('hex');
  assert.equal(await readFile(join(intact, files.list), 'utf8'), `${expected}  ${placeOf('', document.key)}\n`);
});

test('a second backup copies only new files, keeps one state, and removes files without a row', async () => {
  const own = join(folder, 'second');
  await cp(intact, own, { recursive: true, preserveTimestamps: true });
  const earlier = await stat(placeOf(own, document.key));
  const unnamed = placeOf(own, '00000000-0000-7000-8000-00000000abcd');
  await cp(placeOf(own, document.key), unnamed, { recursive: true });
  const added = await uploadDocument(chancery, team.owner, '%PDF-1.7 another');
  const { code, stdout } = await typedCommand(['backup', own], settingsOf(chancery));
  assert.equal(code, 0);
  assert.match(stdout, /; 2 files, 1 of them new; 1 old files removed\.$/m);
  const later = await stat(placeOf(own, document.key));
  assert.deepEqual([later.ino, later.mtimeMs], [earlier.ino, earlier.mtimeMs]);
  assert.equal(await readFile(placeOf(own, added.key), 'utf8'), '%PDF-1.7 another');
  assert.equal((await readdir(own)).filter((name) => name.startsWith('database-')).length, 1);
  assert.equal((await typedCommand(['restore', own, '--check'], settingsOf(chancery))).code, 0);
});

test('a check names a damaged stored file', async (t) => {
  const { code, stderr } = await checkChanged(t, (backup) => appendFile(placeOf(backup, document.key), '!'));
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`^✗ files/\\S+/${document.key} is damaged: its SHA-256 is [0-9a-f]{64}, and`, 'm'));
});

test('a check names a missing stored file', async (t) => {
  const { code, stderr } = await checkChanged(t, (backup) => rm(placeOf(backup, document.key)));
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`^✗ files/\\S+/${document.key} is missing$`, 'm'));
});

test('a check names a row whose file the backup does not list', async (t) => {
  const { code, stderr } = await checkChanged(t, async (backup) => {
    await rm(placeOf(backup, document.key));
    const { files } = await manifestOf(backup);
    await writeFile(join(backup, files.list), '');
    await inManifest((manifest) => (manifest.files.sha256 = createHash('sha256').digest('hex')))(backup);
  });
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`${document.key} is missing: document_version of document_id ${document.id}, .* names it`));
});

test('a check names a damaged and a missing table', async (t) => {
  const { code, stderr } = await checkChanged(t, async (backup) => {
    await appendFile(join(backup, (await partOf(backup, 'team')).file), '!');
    await rm(join(backup, (await partOf(backup, 'document')).file));
  });
  assert.equal(code, 1);
  assert.match(stderr, /^✗ database-\w+\/team\.copy\.gz is damaged/m);
  assert.match(stderr, /^✗ database-\w+\/document\.copy\.gz is missing$/m);
});

test('a check names the wrong and the right master key', async (t) => {
  const { code, stderr } = await checkChanged(t, async () => undefined, { MASTER_KEY: randomBytes(32).toString('base64') });
  assert.equal(code, 1);
  const [needed] = (await manifestOf(intact)).masterKeys;
  assert.match(
    stderr,
    new RegExp(`^✗ the backup needs the master key ${needed.replaceAll('-', '.')}, and MASTER_KEY is the key \\S{22}\\.`, 'm'),
  );
});

test('a check decrypts a value even if the manifest names no master key', async (t) => {
  const { code, stderr } = await checkChanged(
    t,
    inManifest((manifest) => (manifest.masterKeys = [])),
    {
      MASTER_KEY: randomBytes(32).toString('base64'),
    },
  );
  assert.equal(code, 1);
  assert.match(stderr, /^✗ the master key \S{22} does not decrypt \w+\.\w+: /m);
});

test('a check compares the journal with its checkpoint', async (t) => {
  const other = (await chancery.pool.query('SELECT note FROM audit_checkpoint ORDER BY size LIMIT 1')).rows[0].note;
  const [, size] = other.split('\n');
  const changed = other.replace(`\n${size}\n`, `\n${Number(size) + 1}\n`);
  const { code, stderr } = await checkChanged(
    t,
    inManifest((manifest) => (manifest.checkpoint = changed)),
  );
  assert.equal(code, 1);
  assert.match(stderr, /^✗ the journal in database-\w+\/audit_entry\.copy\.gz does not match its checkpoint: its root differs/m);
});

test('a check names a migration of a newer version, and one that differs', async (t) => {
  const { code, stderr } = await checkChanged(
    t,
    inManifest((manifest) => {
      manifest.schema.push({ name: '9999_future.sql', sha256: '0'.repeat(64) });
      manifest.schema[0].sha256 = '0'.repeat(64);
    }),
  );
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^✗ the backup has the migration 9999_future\.sql, which this version does not know\. Install version \S+ or later$/m,
  );
  assert.match(
    stderr,
    /^✗ the migration 0010_tenant-isolation\.sql of the backup differs from the one of this version\. Install version /m,
  );
});

test('a folder without a complete backup is named', async () => {
  const { code, stderr } = await typedCommand(['restore', folder, '--check'], settingsOf(chancery));
  assert.deepEqual([code, stderr], [1, `${folder} has no complete backup: manifest.json is missing.\n`]);
});

test('a damaged manifest is named', async (t) => {
  const { code, stderr } = await checkChanged(t, (backup) => writeFile(join(backup, 'manifest.json'), '{"format":'));
  assert.equal(code, 1);
  assert.match(stderr, /manifest\.json is damaged, or a newer version of Chancery wrote it\.$/m);
});

test('a restore into a used database changes nothing', async () => {
  const { code, stderr } = await typedCommand(['restore', intact], settingsOf(chancery));
  assert.deepEqual([code, stderr], [1, 'The database is not empty: it has rows of a service. Restore into an empty database.\n']);
});

test('a restore into a storage with files changes nothing', async (t) => {
  const target = await restoreTarget(chancery);
  t.after(() => target.drop());
  const { code, stderr } = await typedCommand(['restore', intact], { ...target.settings, DATA_DIR: chancery.config.DATA_DIR });
  assert.equal(code, 1);
  assert.match(stderr, /^The file storage is not empty: it has the file \S{36}\. Restore into an empty folder or bucket\.$/m);
});

test('a restore into a database of another program names its table', async (t) => {
  const target = await restoreTarget(chancery);
  t.after(() => target.drop());
  await withAdmin(target.databaseUrl, (client) => client.query('CREATE TABLE wiki_page (id int)'));
  const { code, stderr } = await typedCommand(['restore', intact], target.settings);
  assert.deepEqual([code, stderr], [1, 'The database is not empty: it has the table wiki_page. Restore into an empty database.\n']);
});

test('a backup needs a role that bypasses row security, and BACKUP_DATABASE_URL names it', async (t) => {
  const ordinary = await ordinaryUser(chancery.pool, chancery.databaseUrl);
  t.after(() => ordinary.drop());
  const own = join(folder, 'ordinary');
  const refused = await typedCommand(['backup', own], { ...settingsOf(chancery), DATABASE_URL: ordinary.url });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^A backup needs a database role that reads all rows\. As a superuser run CREATE ROLE /);
  assert.ok(!(await readdir(own)).includes('manifest.json'));
  const name = new URL(ordinary.url).username;
  await chancery.pool.query(`CREATE ROLE ${name}_b LOGIN BYPASSRLS; GRANT pg_read_all_data TO ${name}_b`);
  t.after(() => chancery.pool.query(`DROP ROLE ${name}_b`));
  const url = new URL(ordinary.url);
  url.username = `${name}_b`;
  const settings = { ...settingsOf(chancery), DATABASE_URL: ordinary.url, BACKUP_DATABASE_URL: url.href };
  assert.equal((await typedCommand(['backup', own], settings)).code, 0);
  assert.equal((await manifestOf(own)).database.find((part: any) => part.table === 'document_version').rows > 0, true);
});

test('a backup into the folder of another installation changes nothing', async (t) => {
  const copy = await mkdtemp(join(folder, 'other-'));
  t.after(() => rm(copy, { recursive: true, force: true }));
  await cp(intact, copy, { recursive: true });
  await inManifest((manifest) => (manifest.installation = '00000000-0000-7000-8000-000000000000'))(copy);
  const names = await readdir(copy);
  const { code, stderr } = await typedCommand(['backup', copy], settingsOf(chancery));
  assert.equal(code, 1);
  assert.match(stderr, / has a backup of another installation\. Choose another folder\.$/m);
  assert.deepEqual(await readdir(copy), names);
});

test('a backup names files that the storage does not have, and a restore accepts them', async (t) => {
  const { key } = await uploadDocument(chancery, team.owner, '%PDF-1.7 lost');
  await rm(placeOf(chancery.config.DATA_DIR, key));
  t.after(() => writeFile(placeOf(chancery.config.DATA_DIR, key), '%PDF-1.7 lost'));
  const own = join(folder, 'lacking');
  const { code, stderr } = await typedCommand(['backup', own], settingsOf(chancery));
  assert.deepEqual([code, stderr], [1, `✗ the storage does not have the file ${key}\n`]);
  const checked = await typedCommand(['restore', own, '--check'], settingsOf(chancery));
  assert.equal(checked.code, 1);
  assert.match(checked.stderr, new RegExp(`${key} is missing: document_version of `));
  const restored = await typedCommand(['restore', own], settingsOf(chancery));
  assert.match(restored.stderr, new RegExp(`^! the backup does not have the file ${key}\nThe database is not empty`));
});

test('a second backup at the same time is rejected', async (t) => {
  const client = await chancery.pool.connect();
  t.after(() => client.release(true));
  await client.query('SELECT pg_advisory_lock(1129270597, 2)');
  const { code, stderr } = await typedCommand(['backup', join(folder, 'twice')], settingsOf(chancery));
  assert.deepEqual([code, stderr], [1, 'Another backup of this database is running.\n']);
});
