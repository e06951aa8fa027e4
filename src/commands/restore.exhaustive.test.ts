import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { gunzipSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { restoreTarget, uploadDocument } from '../../test/backups.ts';
import { settingsOf, typedCommand } from '../../test/command-line.ts';
import { type Chancery, startChancery, type TestTeam } from '../../test/harness.ts';
import { type HostedService, startHosted } from '../../test/hosted-service.ts';
import { withAdmin } from '../../test/postgres.ts';
import { startSmtpReceiver } from '../../test/smtp-receiver.ts';
import { eventually, startReceiver } from '../../test/webhook-receiver.ts';
import { migrate } from '../platform/database/migrate.ts';
import { migrationFiles } from '../platform/database/migrations.ts';
import { Isolation } from '../platform/jobs/isolated-jobs.ts';
import { createDiskStorage } from '../platform/storage/disk.ts';
import { retryingRemovals } from '../platform/storage/removal-jobs.ts';
import { countJobFailures, createMetrics } from '../platform/telemetry/metrics.ts';
import { purgeDocuments } from '../records/documents/jobs.ts';

let chancery: Chancery;
let team: TestTeam;
let folder: string;
before(async () => {
  chancery = await startChancery({ withoutReading: true });
  team = await chancery.team('Tab\there, \\backslash, \\N and\nline');
  folder = await mkdtemp(join(tmpdir(), 'chancery-restores-'));
});
after(async () => {
  await chancery.stop();
  await rm(folder, { recursive: true, force: true });
});

const placeOf = (dataDir: string, key: string) => join(dataDir, 'files', key.slice(-2), key.slice(-4, -2), key);

/** Uploads, deletes and purges documents until `stop`, which returns the numbers of uploaded documents and of purged files. */
function writeDocuments(): { stop(): Promise<{ uploaded: number; purged: number }> } {
  let isStopping = false;
  const done = { uploaded: 0, purged: 0 };
  const writer = async () => {
    while (!isStopping) {
      const { id } = await uploadDocument(chancery, team.owner, `%PDF-1.7 ${done.uploaded}`);
      done.uploaded += 1;
      if (done.uploaded % 2 === 0) await chancery.call('DELETE', `/api/v1/smartdoc/documents/${id}`, { token: team.owner.token });
    }
  };
  const purger = async () => {
    const { database } = chancery;
    const storage = retryingRemovals(await createDiskStorage({ folder: join(chancery.config.DATA_DIR, 'files') }), database);
    const counting = { ...storage, remove: async (key: string) => storage.remove(key).then(() => void (done.purged += 1)) };
    const isolation = new Isolation({ database, log: pino({ level: 'silent' }), metrics: countJobFailures(createMetrics()) });
    while (!isStopping) await purgeDocuments({ database, storage: counting, isolation }, new Date(Date.now() + 40 * 86_400_000));
  };
  const work = Promise.all([writer(), writer(), writer(), purger()]);
  return {
    async stop() {
      isStopping = true;
      await work;
      return done;
    },
  };
}

test('a backup under load restores to a valid journal and readable files', async (t) => {
  const own = join(folder, 'load');
  const load = writeDocuments();
  for (const _ of [1, 2, 3]) assert.deepEqual((await typedCommand(['backup', own], settingsOf(chancery))).stderr, '');
  const { uploaded, purged } = await load.stop();
  assert.ok(uploaded > 5 && purged > 0, `${uploaded} uploaded, ${purged} purged`);
  const target = await restoreTarget(chancery);
  t.after(() => target.drop());
  const restored = await typedCommand(['restore', own], target.settings);
  assert.deepEqual([restored.code, restored.stderr], [0, '']);
  const verified = await typedCommand(['audit', 'verify'], target.settings);
  assert.match(verified.stdout, /^✓ \d+ entries make the tree/);
  const { rows } = await withAdmin(target.databaseUrl, (client) =>
    client
      .query(
        'SET ROLE chancery_owner; ALTER TABLE document_version NO FORCE ROW LEVEL SECURITY; SELECT storage_key, sha256 FROM document_version',
      )
      .then((all: any) => all.at(-1)),
  );
  assert.ok(rows.length > 0);
  for (const { storage_key: key, sha256 } of rows)
    assert.equal(
      createHash('sha256')
        .update(await readFile(placeOf(target.dataDir, key)))
        .digest('hex'),
      sha256,
    );
});

/** Describes constraints, triggers and row security of all tables. */
const schemaText = `SELECT string_agg(line, E'\\n' ORDER BY line) AS text FROM (
  SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT concat_ws(' ', tgrelid::regclass, tgname, tgenabled) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT concat_ws(' ', oid::regclass, relrowsecurity, relforcerowsecurity) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
) AS s (line) WHERE line !~ '_\\d{8}' AND line !~ ' drop_job '`;

test('a restored database has the rows and the schema of its source', async (t) => {
  const target = await restoreTarget(chancery);
  t.after(() => target.drop());
  const own = join(folder, 'same');
  await chancery.document(team.owner, { title: 'Grüße, 契約 "quoted" \\. \u{1F4DC}' });
  await typedCommand(['backup', own], settingsOf(chancery));
  await typedCommand(['restore', own], target.settings);
  const schemaOf = (url: string) =>
    withAdmin(url, async (client) => (await client.query<{ text: string }>(schemaText)).rows[0]?.text.split('\n'));
  assert.deepEqual(await schemaOf(target.databaseUrl), await schemaOf(chancery.databaseUrl));
  // The rows of a backup of the copy are those of the backup.
  const copy = join(folder, 'same again');
  const superuser = new URL(target.databaseUrl);
  superuser.username = new URL(chancery.databaseUrl).username;
  assert.equal((await typedCommand(['backup', copy], { ...target.settings, DATABASE_URL: superuser.href })).code, 0);
  const [first, second] = await Promise.all([own, copy].map(async (one) => JSON.parse(await readFile(join(one, 'manifest.json'), 'utf8'))));
  const rowsOf = async (backup: string, { file }: { file: string }) =>
    gunzipSync(await readFile(join(backup, file)))
      .toString()
      .split('\n')
      .toSorted();
  let rows = 0;
  for (const [at, part] of first.database.entries()) {
    rows += part.rows;
    const restored = await rowsOf(copy, second.database[at]);
    assert.deepEqual(
      restored.filter((line) => !line.startsWith('restored\t')),
      await rowsOf(own, part),
      part.table,
    );
  }
  assert.ok(rows > 50);
});

test('a restored installation sends no email and no webhook until it is released', async (t) => {
  const smtp = await startSmtpReceiver();
  const receiver = await startReceiver();
  const source = await startChancery({ role: 'api', settings: { SMTP_URL: smtp.url } });
  const target = await restoreTarget(source);
  const nodes: HostedService[] = [];
  t.after(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await target.drop();
    await source.stop();
    await smtp.close();
    await receiver.close();
  });
  const { owner } = await source.team();
  const endpoint = await source.call('POST', '/api/v1/webhooks/', {
    token: owner.token,
    body: { name: 'Hook', url: `${receiver.url}/hook`, events: ['folder.created'] },
  });
  assert.equal(endpoint.status, 201, endpoint.text);
  const invited = await source.call('POST', '/api/v1/team/invitations', {
    token: owner.token,
    body: { email: 'new@example.org', role: 'member' },
  });
  assert.equal(invited.status, 201, invited.text);
  await source.folder(owner);
  const own = join(folder, 'released');
  assert.equal((await typedCommand(['backup', own], settingsOf(source))).code, 0);
  assert.equal((await typedCommand(['restore', own], target.settings)).code, 0);
  const settings = { ...target.settings, PORT: '0', SMTP_URL: smtp.url, LOG_LEVEL: 'silent' };
  for (const role of ['all', 'worker'] as const) nodes.push(await startHosted({ settings, role, describe: false }));
  const [all, worker] = await Promise.all(
    nodes.map(async ({ address }) => {
      const response = await fetch(`${address}/readyz`);
      return { status: response.status, body: (await response.json()) as any };
    }),
  );
  assert.deepEqual([all?.status, all?.body.status, worker?.status], [200, 'degraded', 503]);
  assert.match(
    all?.body.reason,
    /^Background work waits since the restore at \S+\. Check the data, then run `chancery restore --release`\.$/,
  );
  assert.match(worker?.body.detail, /^Background work waits since the restore/);
  assert.deepEqual([smtp.received.length, receiver.received.length], [0, 0]);
  const { stdout } = await typedCommand(['restore', '--release'], target.settings);
  assert.equal(stdout, 'Background work starts within 5 seconds.\n');
  await eventually('the email and the webhook', async () => smtp.received.length === 1 && receiver.received.length === 1);
  await eventually('both nodes are ready', async () =>
    (await Promise.all(nodes.map(({ address }) => fetch(`${address}/readyz`)))).every(({ status }) => status === 200),
  );
  assert.deepEqual(smtp.received[0]?.to, ['new@example.org']);
});

test('a backup of an older version is restored with its schema, and then migrated', async (t) => {
  const [older, target, newer] = [await restoreTarget(chancery), await restoreTarget(chancery), await restoreTarget(chancery)];
  t.after(() => Promise.all([older, target, newer].map((one) => one.drop())));
  const names = (await migrationFiles()).map(({ name }) => name);
  const last = names.at(-1);
  await migrate({ url: older.databaseUrl }, { only: new Set(names.slice(0, -1)) });
  const own = join(folder, 'older');
  const superuser = new URL(older.databaseUrl);
  superuser.username = new URL(chancery.databaseUrl).username;
  await withAdmin(superuser.href, (client) => client.query("INSERT INTO team (team_id, name) VALUES (gen_random_uuid(), 'Older team')"));
  assert.equal((await typedCommand(['backup', own], { ...older.settings, DATABASE_URL: superuser.href })).code, 0);
  assert.equal((await typedCommand(['restore', own], target.settings)).code, 0);
  assert.equal((await typedCommand(['migrate'], target.settings)).stdout, `Applied: ${last}\n`);
  await migrate({ url: newer.databaseUrl });
  const refused = await typedCommand(['restore', own], newer.settings);
  assert.equal(
    refused.stderr,
    `The database has the migration ${last}, which the backup lacks. Restore into a database without a schema.\n`,
  );
});

test('the embedded database is backed up and restored', async (t) => {
  const [source, target] = [await mkdtemp(join(tmpdir(), 'chancery-source-')), await mkdtemp(join(tmpdir(), 'chancery-target-'))];
  t.after(() => Promise.all([source, target].map((one) => rm(one, { recursive: true, force: true }))));
  const settings = { NODE_ENV: 'test', LOG_LEVEL: 'silent', PATH: process.env.PATH ?? '' };
  const none = await typedCommand(['backup', join(folder, 'none')], { ...settings, DATA_DIR: source });
  assert.match(none.stderr, /^There is no database in /);
  await typedCommand(['migrate'], { ...settings, DATA_DIR: source });
  const created = await typedCommand(['staff', 'create', '--email', 'staff@example.org', '--name', 'Sam Staff'], {
    ...settings,
    DATA_DIR: source,
  });
  assert.equal(created.code, 0, created.stderr);
  const own = join(folder, 'embedded');
  const backedUp = await typedCommand(['backup', own], { ...settings, DATA_DIR: source });
  assert.deepEqual([backedUp.code, backedUp.stderr], [0, '']);
  const withoutKey = await typedCommand(['restore', own], { ...settings, DATA_DIR: target });
  assert.match(withoutKey.stderr, /^MASTER_KEY is not set/);
  await copyFile(join(source, 'master.key'), join(target, 'master.key'));
  assert.equal((await typedCommand(['restore', own], { ...settings, DATA_DIR: target })).code, 0);
  assert.match((await typedCommand(['staff', 'list'], { ...settings, DATA_DIR: target })).stdout, /staff@example\.org/);
});
