import { insertMember, insertSessions } from '../test/memberships.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { createAccessTokens } from '#accounts';
import { clientLookup } from '#clients';
import { openKeyRing } from '#keys';
import type { AuditWorld } from './audit.ts';
import { loadMasterKey } from '../src/platform/crypto/master-key.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { startEmbeddedServer } from '../src/platform/database/embedded.ts';
import { migrate } from '../src/platform/database/migrate.ts';

/** Two servers on one durable PostgreSQL. Each has a separate database with the same rows. */
export type World = {
  oursUrl: string;
  floorUrl: string;
  token: string;
  /** An access token of another person with a session in the database. */
  issue(person: { team: string; user: string; session: string; role: 'owner' | 'member' }): Promise<string>;
  /** The process of the service. */
  pid: number;
  child: ChildProcess;
  masterKey: string;
  team: string;
  user: string;
  folders: string[];
  /** Superuser connections to the databases of the service and of the floor. */
  ours: pg.Pool;
  floor: pg.Pool;
  /** A third database for measurements without a server. */
  audit: AuditWorld;
  stop(): Promise<void>;
};

const listedFolders = 1_000;

/** Returns a free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

async function until(url: string): Promise<void> {
  for (let waited = 0; waited < 2_400; waited += 1) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return;
    await sleep(25);
  }
  throw new Error(`${url} does not answer`);
}

/** Creates the same rows on both sides: a team, its owner, a session and 1 000 folders. */
async function fill(pool: pg.Pool, team: string, user: string, session: string, folders: readonly string[]): Promise<void> {
  await pool.query("INSERT INTO team (team_id, name) VALUES ($1, 'Bench')", [team]);
  await insertMember(pool, { team, id: user, email: 'b@example.org', role: 'owner' });
  await insertSessions(pool, team, user, [session]);
  await pool.query(
    "INSERT INTO folder (team_id, id, user_id, name, name_key) SELECT $1, id, $2, 'Folder ' || n, 'folder ' || n FROM unnest($3::uuid[]) WITH ORDINALITY AS f(id, n)",
    [team, user, folders],
  );
  await pool.query('VACUUM ANALYZE');
}

/** Settings without team limits, for the maximum load of one team. */
export const unlimited = {
  RATE_LIMIT_PER_MINUTE: '0',
  TEAM_WRITES_PER_SECOND: '1000000',
  TEAM_DELIVERIES_PER_HOUR: '1000000000',
  FORM_SUBMITS_PER_MINUTE: '0',
  FORM_SUBMITS_PER_ADDRESS: '0',
};

/** Starts both servers and waits for them. `through` is another database address for the service. The service first loads `preload`. */
export async function prepareWorld(
  settings: Record<string, string> = unlimited,
  through: (databaseUrl: string) => Promise<string> = async (databaseUrl) => databaseUrl,
  preload?: string,
): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'chancery-bench-'));
  // As root, the database runs as another user, which needs access to this folder.
  await chmod(dataDir, 0o755);
  const server = await startEmbeddedServer({ dataDir, log: pino({ level: 'error' }) });
  const url = (name: string) => `postgres://chancery@localhost/${name}?host=${encodeURIComponent(server.connection.host)}`;
  const admin = new pg.Client({ connectionString: url('postgres') });
  await admin.connect();
  for (const name of ['ours', 'floor', 'audit']) {
    await admin.query(`CREATE DATABASE ${name}`);
    await migrate({ url: url(name) });
  }
  await admin.end();
  const pools = [new pg.Pool({ connectionString: url('ours'), max: 2 }), new pg.Pool({ connectionString: url('floor'), max: 2 })] as const;
  const [team, user, session] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
  const folders = Array.from({ length: listedFolders }, () => randomUUIDv7());
  for (const pool of pools) await fill(pool, team, user, session, folders);

  const masterKey = randomBytes(32).toString('hex');
  const database = openDatabase({ url: url('ours') }, { applicationName: 'bench', maxConnections: 2 });
  const keys = await openKeyRing(database, await loadMasterKey({ configured: masterKey, dataDir, generate: 'never' }), {
    accessAlgorithm: 'ES256',
  });
  const [oursPort, floorPort] = [await freePort(), await freePort()];
  const oursUrl = `http://127.0.0.1:${oursPort}`;
  const tokens = createAccessTokens({
    database,
    keys,
    issuer: oursUrl,
    receivesRevocations: () => false,
    liveClient: clientLookup(database),
  });
  const issue: World['issue'] = (person) =>
    tokens.issue({
      accountId: person.user,
      team: person.team,
      role: person.role,
      sessionId: person.session,
      authTime: new Date(),
      amr: ['pwd'],
      acr: 'aal1',
    });
  const token = await issue({ team, user, session, role: 'owner' });

  const start = (args: string[], env: Record<string, string>): ChildProcess =>
    spawn(process.execPath, args, {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_NO_WARNINGS: '1', ...env },
    });
  const profile = process.env.BENCH_PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`] : [];
  const loaded = preload === undefined ? [] : ['--import', pathToFileURL(preload).href];
  const ours = start([...profile, ...loaded, 'packages/chancery/bin/chancery.js', 'serve'], {
    PORT: String(oursPort),
    DATABASE_URL: await through(url('ours')),
    DATA_DIR: dataDir,
    MASTER_KEY: masterKey,
    LOG_LEVEL: 'error',
    ...settings,
  });
  const children = [
    ours,
    start(['bench/floor.ts'], {
      PORT: String(floorPort),
      DATABASE_URL: url('floor'),
      BENCH_TOKEN: token,
      BENCH_TEAM: team,
      BENCH_USER: user,
    }),
  ];
  const auditDatabase = openDatabase({ url: url('audit') }, { applicationName: 'bench-audit', maxConnections: 4 });
  const auditPool = new pg.Pool({ connectionString: url('audit'), max: 2 });
  const auditKeys = await openKeyRing(auditDatabase, await loadMasterKey({ configured: masterKey, dataDir, generate: 'never' }), {
    accessAlgorithm: 'ES256',
  });
  const floorUrl = `http://127.0.0.1:${floorPort}`;
  await Promise.all([until(`${oursUrl}/readyz`), until(floorUrl)]);
  return {
    oursUrl,
    floorUrl,
    token,
    issue,
    pid: ours.pid ?? 0,
    child: ours,
    masterKey,
    team,
    user,
    folders,
    ours: pools[0],
    floor: pools[1],
    audit: { database: auditDatabase, pool: auditPool, keys: auditKeys, team },
    async stop() {
      await database.close();
      await auditDatabase.close();
      await auditPool.end();
      await Promise.all(
        children.map((child) => {
          const ended = new Promise((resolve) => child.once('exit', resolve));
          child.kill('SIGTERM');
          return ended;
        }),
      );
      await Promise.all(pools.map((pool) => pool.end()));
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
