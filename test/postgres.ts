import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedServer } from '../src/platform/database/embedded.ts';
import { migrate } from '../src/platform/database/migrate.ts';

const template = 'chancery_template';

/** The server with the test databases: `TEST_DATABASE_URL`, or an embedded server. */
export type TestServer = { url: string; stop(): Promise<void> };

/** Returns a memory file system with enough space, if there is one: a test run creates and drops some 150 databases. */
async function roomInMemory(): Promise<string> {
  const free = await statfs('/dev/shm').then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free > 4e9 ? '/dev/shm' : tmpdir();
}

/**
 * Starts the server with the template database. With `logDays` the template has the day partitions of the webhook log, which the first start of a
 * service otherwise creates. That takes a fifth of its database time.
 */
export async function startTestServer({ logDays = false } = {}): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    await makeTemplate(given, logDays);
    return { url: given, stop: () => dropTemplate(given) };
  }
  const dataDir = await mkdtemp(join(await roomInMemory(), 'chancery-test-'));
  // The database server runs as another user if the tests run as root, so the folder must be readable.
  await chmod(dataDir, 0o755);
  const log = pino({ level: 'error' });
  // Test data need no durability, and no database lives long enough to need autovacuum.
  const server = await startEmbeddedServer({
    dataDir,
    log,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      autovacuum: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_wal_size: '512MB',
      max_connections: '300',
      // The log needs the statements of deadlocks. See `loggedOf`.
      log_min_messages: 'error',
      log_line_prefix: '%d ',
    },
  });
  const url = `postgres://${server.connection.user}@localhost/postgres?host=${encodeURIComponent(server.connection.host)}`;
  await makeTemplate(url, logDays);
  return {
    url,
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the URL of another database on the same server. */
export function onDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** Opens a pool of a test. Without the listener, the drop of a database with FORCE can raise an error in a pool that has just ended. */
export function testPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max });
  pool.on('error', () => undefined);
  return pool;
}

/** Runs work on a separate connection as the user of the URL. */
export async function withAdmin<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function dropTemplate(url: string): Promise<void> {
  await withAdmin(url, (client) => client.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`));
}

async function makeTemplate(url: string, logDays: boolean): Promise<void> {
  await dropTemplate(url);
  await withAdmin(url, (client) => client.query(`CREATE DATABASE ${template}`));
  await migrate({ url: onDatabase(url, template) });
  if (!logDays) return;
  await withAdmin(onDatabase(url, template), (client) =>
    client.query("SELECT make_webhook_log_day((now() AT TIME ZONE 'UTC')::date + ahead) FROM generate_series(0, 3) AS ahead"),
  );
}

/** Returns the deadlocks of a database from the log of an embedded server: the processes that waited and their statements. */
async function loggedOf(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client
    .query<{ log: string }>("SELECT pg_read_file(current_setting('data_directory') || '/../postgres.log') AS log")
    .catch(() => ({ rows: [] }));
  const [, ...found] = (rows[0]?.log ?? '').split(`${name} ERROR:  deadlock detected\n`);
  return found.map((after) => after.split(/\n(?!\t)/, 4).join('\n')).join('\n\n');
}

/** Throws if transactions of a database had a deadlock. Ends its connections first, because only then are all deadlocks counted. */
async function refuseDeadlocks(client: pg.Client, name: string): Promise<void> {
  await client.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [name]);
  const { rows } = await client.query<{ deadlocks: string }>('SELECT deadlocks FROM pg_stat_database WHERE datname = $1', [name]);
  const deadlocks = Number(rows[0]?.deadlocks ?? 0);
  if (deadlocks > 0) throw new Error(`${deadlocks} deadlocks (docs/internals/locks.md): ${await loggedOf(client, name)}`);
}

/**
 * Creates a migrated, empty database on the server of the test run. Dropping it fails if any transactions had a deadlock. docs/internals/locks.md has
 * the lock order.
 */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env.CHANCERY_TEST_SERVER;
  if (!server) throw new Error('run tests with `npm test`, or one file with `npm test -- path`: it starts the database server');
  const name = `t_${randomBytes(8).toString('hex')}`;
  for (let attempt = 0; ; attempt += 1) {
    try {
      // A file copy takes a third of the time of a copy through the write-ahead log, which is better for a server with other load.
      await withAdmin(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`));
      break;
    } catch (error) {
      // Another test file is cloning the template.
      if (attempt > 50 || !(error instanceof pg.DatabaseError && error.code === '55006')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return {
    url: onDatabase(server, name),
    drop: async () => {
      await withAdmin(server, async (client) => {
        try {
          await refuseDeadlocks(client, name);
        } finally {
          await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
        }
      });
    },
  };
}
