import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { freePort } from './spawned.ts';

const pgbouncerPath = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find((path) => existsSync(path));

/** Why tests with PgBouncer are skipped, or false if they run. */
export const withoutPgbouncer: string | false = pgbouncerPath === undefined && 'pgbouncer not found: install pgbouncer (Debian)';

export type Pgbouncer = { url: string; stop(): Promise<void> };

/** Starts a PgBouncer in front of the database of `url`, with the default settings of its package and `settings`. */
export async function startPgbouncer(url: string, settings: Record<string, string>): Promise<Pgbouncer> {
  const to = new URL(url);
  const host = to.searchParams.get('host') ?? to.hostname;
  const user = decodeURIComponent(to.username);
  const folder = await mkdtemp(join(tmpdir(), 'chancery-pgbouncer-'));
  const port = await freePort();
  const password = to.password && ` password=${decodeURIComponent(to.password)}`;
  await writeFile(join(folder, 'users'), `"${user}" ""\n`);
  const config = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(folder, 'users'),
    max_client_conn: '200',
    default_pool_size: '60',
    ...settings,
  };
  const lines = Object.entries(config).map(([name, value]) => `${name} = ${value}\n`);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, `[databases]\n* = host=${host} port=${to.port || '5432'} user=${user}${password}\n[pgbouncer]\n${lines.join('')}`);
  // PgBouncer does not run as root. The user of the database server may enter the folder of its socket.
  const { uid, gid } = await stat(host.startsWith('/') ? host : folder);
  const as = process.getuid?.() === 0 ? { uid: uid || 65_534, gid: gid || 65_534 } : {};
  if (as.uid !== undefined) for (const path of [folder, file, join(folder, 'users')]) await chown(path, as.uid, as.gid);
  const child = spawn(pgbouncerPath ?? 'pgbouncer', [file], { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/', ...as });
  await started(child);
  return {
    url: `postgres://${to.username}@127.0.0.1:${port}${to.pathname}`,
    async stop() {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when PgBouncer reports that it is ready. */
async function started(child: ChildProcess): Promise<void> {
  let log = '';
  for await (const chunk of child.stderr ?? []) {
    log += String(chunk);
    if (log.includes('process up:')) break;
  }
  if (!log.includes('process up:')) throw new Error(`pgbouncer ended: ${log}`);
}
