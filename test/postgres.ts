import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedServer } from '../src/platform/database/embedded.ts';
import { migrate } from '../src/platform/database/migrate.ts';

const template = 'chancery_template';

/** The server that the tests make their databases on: `TEST_DATABASE_URL`, or an embedded one of their own. */
export type TestServer = { url: string; stop(): Promise<void> };

/** A file system in memory where there is one with room: the run makes and drops some 150 databases. */
async function roomInMemory(): Promise<string> {
  const free = await statfs('/dev/shm').then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free > 4e9 ? '/dev/shm' : tmpdir();
}

/**
 * Starts it, with the database that tests clone. By `logDays` that has the days of the webhook log already, as the first start of a
 * service makes them: each of the others would take a fifth of its time with the database for that.
 */
export async function startTestServer({ logDays = false } = {}): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    await makeTemplate(given, logDays);
    return { url: given, stop: () => dropTemplate(given) };
  }
  const dataDir = await mkdtemp(join(await roomInMemory(), 'chancery-test-'));
  // Open to the user that root runs the server as, so that the cluster stays in it.
  await chmod(dataDir, 0o755);
  const log = pino({ level: 'error' });
  // What tests write is thrown away: nothing has to survive a power cut, and no database lives long enough to be tidied.
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
      // For the statements of a deadlock: see below.
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

/** The same server's URL with another database. */
export function onDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** Works on a connection of its own, as the user of the URL. */
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

/** What the log of an embedded server says of the deadlocks of a database: who waited for whom, and the statements. */
async function loggedOf(client: pg.Client, name: string): Promise<string> {
  const { rows } = await client
    .query<{ log: string }>("SELECT pg_read_file(current_setting('data_directory') || '/../postgres.log') AS log")
    .catch(() => ({ rows: [] }));
  const [, ...found] = (rows[0]?.log ?? '').split(`${name} ERROR:  deadlock detected\n`);
  return found.map((after) => after.split(/\n(?!\t)/, 4).join('\n')).join('\n\n');
}

/** Fails where transactions of a database waited for one another in a circle. Ends its connections: only then is all of it counted. */
async function refuseDeadlocks(client: pg.Client, name: string): Promise<void> {
  await client.query('SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1', [name]);
  const { rows } = await client.query<{ deadlocks: string }>('SELECT deadlocks FROM pg_stat_database WHERE datname = $1', [name]);
  const deadlocks = Number(rows[0]?.deadlocks ?? 0);
  if (deadlocks > 0) throw new Error(`${deadlocks} deadlocks (docs/internals/locks.md): ${await loggedOf(client, name)}`);
}

/**
 * A migrated, empty database of one's own, on the server that the test run started. Dropping it fails where transactions waited
 * for one another in a circle, whatever was tested: docs/internals/locks.md says in which order locks are taken.
 */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env.CHANCERY_TEST_SERVER;
  if (!server) throw new Error('run tests by `npm test`, or one file by `npm test -- path`: it starts the database they need');
  const name = `t_${randomBytes(8).toString('hex')}`;
  for (let attempt = 0; ; attempt += 1) {
    try {
      // Copied as files: through the log, which is better for a server with other work, takes three times as long.
      await withAdmin(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`));
      break;
    } catch (error) {
      // Another file clones the template at this moment.
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
