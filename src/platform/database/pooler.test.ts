import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { typedCommand } from '../../../test/command-line.ts';
import { type Chancery, startChancery } from '../../../test/harness.ts';
import { type Pgbouncer, startPgbouncer, withoutPgbouncer } from '../../../test/pgbouncer.ts';
import { withAdmin } from '../../../test/postgres.ts';
import { openDatabase } from './database.ts';
import { sqlStatement } from './statement.ts';

/* Tests with PgBouncer in front of the database of a service. */

const skip = { skip: withoutPgbouncer };

let pooler: Pgbouncer | undefined;
let chancery: Chancery;
before(async () => {
  if (withoutPgbouncer) return;
  chancery = await startChancery({
    role: 'api',
    through: async (url) => {
      // A pooler rejects or drops startup options, and another server may have another time zone.
      const name = new URL(url).pathname.slice(1);
      await withAdmin(url, (client) => client.query(`ALTER DATABASE ${name} SET TimeZone = 'Europe/Berlin'`));
      pooler = await startPgbouncer(url, { pool_mode: 'session' });
      return pooler.url;
    },
  });
});
after(async () => {
  await (chancery as Chancery | undefined)?.stop();
  await pooler?.stop();
});

test('through session pooling the service writes and reads, with times in UTC', skip, async () => {
  const { owner } = await chancery.team();
  const folder = await chancery.folder(owner);
  assert.match(folder.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const { body, text } = await chancery.call('GET', `/api/v1/smartdoc/folders/${folder.id}`, { token: owner.token });
  assert.equal(body.createdAt, folder.createdAt, text);
});

test('through session pooling each connection has the limits of the service', skip, async () => {
  const database = openDatabase({ url: pooler?.url ?? '' }, { applicationName: 'pooled', maxConnections: 2, limits: { systemMs: 7_000 } });
  const settings = sqlStatement<object, { limit: string; seqscan: string; zone: string }>(
    "SELECT current_setting('statement_timeout') AS limit, current_setting('enable_seqscan') AS seqscan, current_setting('TimeZone') AS zone",
  );
  try {
    const client = await database.connect();
    const { rows } = await client.query(settings.text);
    client.release();
    assert.deepEqual(rows, [{ limit: '7s', seqscan: 'off', zone: 'UTC' }]);
    assert.equal((await database.publicReader.first(settings, {}))?.zone, 'UTC');
  } finally {
    await database.close();
  }
});

for (const [mode, settings] of [
  ['transaction', {}],
  ['transaction', { server_round_robin: '1', default_pool_size: '2', min_pool_size: '2' }],
  ['statement', {}],
] as const)
  test(`${mode} pooling ${JSON.stringify(settings)} is rejected at the start, with the setting to change`, skip, async () => {
    const other = await startPgbouncer(chancery.databaseUrl, { pool_mode: mode, ...settings });
    const env = { DATABASE_URL: other.url, MASTER_KEY: chancery.masterKey, NODE_ENV: 'test', DATA_DIR: chancery.config.DATA_DIR };
    try {
      const started = await typedCommand(['migrate'], env);
      assert.deepEqual([started.code, started.stdout], [1, '']);
      assert.match(started.stderr, /^DATABASE_URL connects through a pooler without session pooling.* pool_mode=session/);
      assert.match((await typedCommand(['doctor'], env)).stdout, /^✗ the database keeps sessions: DATABASE_URL connects through a pooler/m);
    } finally {
      await other.stop();
    }
  });

test('doctor accepts session pooling', skip, async () => {
  const { stdout } = await typedCommand(['doctor'], {
    DATABASE_URL: pooler?.url ?? '',
    MASTER_KEY: chancery.masterKey,
    NODE_ENV: 'test',
    DATA_DIR: chancery.config.DATA_DIR,
  });
  assert.match(stdout, /^✓ the database keeps sessions$/m);
});
