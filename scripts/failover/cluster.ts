import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import pg from 'pg';
import { parse, stringify } from 'yaml';
import { eventually } from '../../test/webhook-receiver.ts';

const machines = ['db1', 'db2', 'app1'] as const;
const nodes = ['db1', 'db2'] as const;
type Machine = (typeof machines)[number];
export type NodeName = (typeof nodes)[number];
/** How Chancery reaches the primary: PgBouncer and HAProxy, HAProxy, or both nodes in `DATABASE_URL`. */
export const routes = ['pgbouncer', 'haproxy', 'hosts'] as const;
export type Route = (typeof routes)[number];
export type Timing = { ttl: number; loop_wait: number; retry_timeout: number };
type ServerUser = { uid: number; gid: number };
type ClusterMember = { name: string; role: string };

const packages = { etcd: 'etcd-server', patroni: 'patroni', patronictl: 'patroni', haproxy: 'haproxy', pgbouncer: 'pgbouncer' };
type Executable = keyof typeof packages;
const pathOf = (program: Executable): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].map((folder) => join(folder, program)).find((path) => existsSync(path));

/** Returns the folder with the programs of the newest PostgreSQL server. */
async function serverFolder(): Promise<string | undefined> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => []);
  return versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => `/usr/lib/postgresql/${version}/bin`)
    .find((folder) => existsSync(join(folder, 'pg_rewind')));
}

/** Returns the Debian packages that are not installed. */
export async function missingPackages(): Promise<string[]> {
  const missing = Object.entries(packages).filter(([program]) => !pathOf(program as Executable));
  return [...new Set([...missing.map(([, name]) => name), ...((await serverFolder()) ? [] : ['postgresql'])])];
}

/** Returns the user of the processes, because PostgreSQL and PgBouncer do not run as root. */
async function serverUser(): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+)/m.exec(await readFile('/etc/passwd', 'utf8')) ?? [];
  if (uid === undefined) throw new Error('The user postgres does not exist. Install the Debian package postgresql.');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Returns the processes and all their descendants. */
async function processTrees(roots: readonly number[]): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const entry of await readdir('/proc')) {
    const line = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '') : '';
    const parent = Number(/\) \S (\d+)/.exec(line)?.[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const found = new Set(roots);
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child);
  return [...found];
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      // The process has already ended.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

/** Reads from the API of Patroni or etcd. Returns nothing if the status is not 200. */
async function read(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    const text = await response.text();
    return response.ok ? text : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The cluster of `deploy/high-availability` on one machine, with one etcd. Each machine of its files is an address of the loopback interface, so that
 * the ports stay the same.
 */
export class Cluster {
  readonly #folder: string;
  readonly #bin: string;
  readonly #as: ServerUser | undefined;
  readonly #addresses: Record<Machine, string>;
  readonly #children = new Map<string, ChildProcess>();
  readonly #passwords = new Map<string, string>();
  #isStopped = false;

  private constructor(folder: string, bin: string, as: ServerUser | undefined) {
    [this.#folder, this.#bin, this.#as] = [folder, bin, as];
    const [a = 0, b = 0] = randomBytes(2);
    const network = `127.${1 + (a % 254)}.${b}`;
    this.#addresses = { db1: `${network}.1`, db2: `${network}.2`, app1: `${network}.3` };
  }

  static async create(): Promise<Cluster> {
    const bin = await serverFolder();
    if (bin === undefined) throw new Error('PostgreSQL is not installed.');
    const folder = await mkdtemp(join(tmpdir(), 'chancery-ha-'));
    const as = await serverUser();
    if (as) await chown(folder, as.uid, as.gid);
    return new Cluster(folder, bin, as);
  }

  /** Starts etcd, both nodes, HAProxy and PgBouncer, and creates the database of Chancery. */
  async start(timing: Timing): Promise<void> {
    await this.#startEtcd();
    for (const node of nodes) {
      await this.#writePatroniFile(node, timing);
      await this.startNode(node);
      await this.#untilHealthy(node, `http://${this.#addresses[node]}:8008/health`);
    }
    await this.untilSynchronous();
    const password = this.#password('chancery');
    await this.query(`CREATE ROLE chancery LOGIN CREATEROLE PASSWORD '${password}'`);
    await this.query('CREATE DATABASE chancery OWNER chancery');
    await this.#run('haproxy', 'haproxy', ['-f', await this.#write('haproxy.cfg', await this.#example('haproxy.cfg', 'app1'))]);
    await this.#write('userlist.txt', `"chancery" "${password}"\n`);
    const pooler = (await this.#example('pgbouncer.ini', 'app1')).replaceAll('/etc/pgbouncer/', `${this.#folder}/`);
    await this.#run('pgbouncer', 'pgbouncer', [await this.#write('pgbouncer.ini', pooler)]);
    await eventually('PgBouncer connects to the primary', () =>
      this.#query(this.databaseUrl('pgbouncer'), 'SELECT 1').then(
        () => true,
        () => false,
      ),
    );
  }

  async #untilHealthy(name: string, url: string): Promise<void> {
    await eventually(`${name} is healthy`, async () => {
      if (this.#children.get(name)?.exitCode !== null) throw new Error(await readFile(join(this.#folder, `${name}.log`), 'utf8'));
      return (await read(url)) !== undefined;
    });
  }

  #password(name: string): string {
    const password = this.#passwords.get(name) ?? randomBytes(16).toString('hex');
    this.#passwords.set(name, password);
    return password;
  }

  /** Reads a file of `deploy/high-availability`, with loopback addresses and random passwords. */
  async #example(file: string, machine: Machine): Promise<string> {
    const text = await readFile(`deploy/high-availability/${file}`, 'utf8');
    return text
      .replaceAll(/^ {2}(user|group) .*\n/gm, '')
      .replaceAll(/0\.0\.0\.0|127\.0\.0\.1/g, this.#addresses[machine])
      .replaceAll(/\b(db1|db2|app1):(?=\d)/g, (_, name: Machine) => `${this.#addresses[name]}:`)
      .replaceAll(/change-me-\w+/g, (name) => this.#password(name));
  }

  async #write(file: string, text: string): Promise<string> {
    const path = join(this.#folder, file);
    await writeFile(path, text, { mode: 0o600 });
    if (this.#as) await chown(path, this.#as.uid, this.#as.gid);
    return path;
  }

  /** Starts a process, which writes to `<name>.log`. It ends only with `stop`, not with the terminal. */
  async #run(name: string, program: Executable, args: readonly string[], env: Record<string, string> = {}): Promise<void> {
    if (this.#isStopped) throw new Error('The cluster is stopped.');
    const log = join(this.#folder, `${name}.log`);
    if (!existsSync(log)) await this.#write(`${name}.log`, '');
    const command = ['-c', 'log=$1; shift; exec "$@" >>"$log" 2>&1', 'sh', log, pathOf(program) ?? program, ...args];
    const child = spawn('/bin/sh', command, {
      cwd: '/',
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...env },
      stdio: 'ignore',
      detached: true,
      ...this.#as,
    });
    this.#children.set(name, child);
  }

  async #startEtcd(): Promise<void> {
    const lines = (await this.#example('etcd.env', 'db1')).matchAll(/^(ETCD_\w+)=(.*)$/gm);
    const env = Object.fromEntries(Array.from(lines, ([, name = '', value = '']) => [name, value]));
    env.ETCD_INITIAL_CLUSTER = (env.ETCD_INITIAL_CLUSTER ?? '').split(',', 1)[0] ?? '';
    env.ETCD_DATA_DIR = join(this.#folder, 'etcd');
    await this.#run('etcd', 'etcd', [], env);
    await this.#untilHealthy('etcd', `http://${this.#addresses.db1}:2379/health`);
  }

  async #writePatroniFile(node: NodeName, timing: Timing): Promise<void> {
    const file = parse(await this.#example('patroni.yml', node));
    const { postgresql } = file;
    const home = join(this.#folder, node);
    await mkdir(home);
    if (this.#as) await chown(home, this.#as.uid, this.#as.gid);
    file.name = node;
    for (const part of [file.restapi, postgresql])
      part.connect_address = part.connect_address.replace(this.#addresses.db1, this.#addresses[node]);
    file.etcd.hosts = file.etcd.hosts.slice(0, 1);
    // This machine has no watchdog, and one etcd.
    file.watchdog.mode = 'off';
    Object.assign(file.bootstrap.dcs, timing);
    postgresql.bin_dir = this.#bin;
    postgresql.data_dir = join(home, 'data');
    postgresql.pgpass = join(home, 'pgpass');
    postgresql.parameters.unix_socket_directories = home;
    postgresql.pg_hba = postgresql.pg_hba.map((line: string) => line.replace('peer', 'scram-sha-256'));
    await this.#write(`${node}.yml`, stringify(file, { version: '1.1' }));
  }

  startNode(node: NodeName): Promise<void> {
    return this.#run(node, 'patroni', [join(this.#folder, `${node}.yml`)]);
  }

  /** Returns the processes of a node: Patroni and PostgreSQL. */
  async #processesOf(node: NodeName): Promise<number[]> {
    const patroni = this.#children.get(node)?.pid;
    const file = await readFile(join(this.#folder, node, 'data/postmaster.pid'), 'utf8').catch(() => '');
    return processTrees([patroni, Number(file.split('\n', 1)[0])].filter((pid) => pid !== undefined && pid > 0) as number[]);
  }

  async kill(node: NodeName): Promise<void> {
    signal(await this.#processesOf(node), 'SIGKILL');
  }

  /** Stops all processes of a node but keeps its connections open, like a hanging machine. Returns a function that continues them. */
  async freeze(node: NodeName): Promise<() => void> {
    const pids = await this.#processesOf(node);
    signal(pids, 'SIGSTOP');
    return () => signal(pids, 'SIGCONT');
  }

  /** Moves the primary role to the other node. */
  async switchOver(): Promise<void> {
    const from = await this.primary();
    const to = nodes.find((node) => node !== from);
    const args = ['-c', join(this.#folder, 'db1.yml'), 'switchover', 'chancery', '--primary', from, '--candidate', to ?? '', '--force'];
    const env = { PATH: process.env.PATH, LANG: 'C.UTF-8' };
    await promisify(execFile)(pathOf('patronictl') ?? 'patronictl', args, { cwd: '/', env, ...this.#as });
  }

  /** Returns whether Patroni reports the node as the primary, as HAProxy asks it. */
  async isPrimary(node: NodeName): Promise<boolean> {
    return (await read(`http://${this.#addresses[node]}:8008/primary`)) !== undefined;
  }

  async primary(): Promise<NodeName> {
    for (const node of nodes) if (await this.isPrimary(node)) return node;
    throw new Error('The cluster has no primary.');
  }

  /** Waits until the other node is a synchronous standby. */
  async untilSynchronous(): Promise<void> {
    await eventually('the standby is synchronous', async () => {
      const node = await this.primary().catch(() => undefined);
      const cluster = node && (await read(`http://${this.#addresses[node]}:8008/cluster`));
      const members: ClusterMember[] = cluster ? JSON.parse(cluster).members : [];
      if (!members.some(({ role }) => role === 'sync_standby')) return false;
      const standbys = await this.query("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'").catch(() => []);
      return standbys.length === 1;
    });
  }

  /** Returns how often `pg_rewind` has run on a node. */
  async rewinds(node: NodeName): Promise<number> {
    return (await readFile(join(this.#folder, `${node}.log`), 'utf8')).split('running pg_rewind').length - 1;
  }

  databaseUrl(route: Route): string {
    const { db1, db2, app1 } = this.#addresses;
    const places = { pgbouncer: `${app1}:6432`, haproxy: `${app1}:5000`, hosts: `${db1}:5432,${db2}:5432` };
    return `postgres://chancery:${this.#password('chancery')}@${places[route]}/chancery`;
  }

  /** Runs a statement on the primary as the superuser. */
  async query<T extends object>(statement: string, values: unknown[] = [], database = 'postgres'): Promise<T[]> {
    const address = this.#addresses[await this.primary()];
    return this.#query<T>(`postgres://postgres:${this.#password('change-me-superuser')}@${address}:5432/${database}`, statement, values);
  }

  async #query<T extends object>(url: string, statement: string, values: unknown[] = []): Promise<T[]> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<T>(statement, values)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Ends all processes and removes the files. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const node of nodes) await this.kill(node);
    for (const child of this.#children.values()) if (child.pid !== undefined) signal(await processTrees([child.pid]), 'SIGKILL');
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 20 });
  }
}
