import { execFile } from 'node:child_process';
import { readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedServerError } from './embedded-error.ts';
import { processIdentity } from './embedded-lock.ts';

const timeoutMs = 60_000;

/** Returns the arguments of a running process; undefined if there is none with this PID, or it is not visible. */
async function commandLine(pid: number): Promise<string[] | undefined> {
  if (process.platform === 'linux') {
    // Every user can read this file. It is empty for a zombie process.
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined))?.split('\0');
  }
  if ((await processIdentity(pid)) === undefined) return undefined;
  const listed = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => undefined);
  return listed?.stdout.trim().split(' ');
}

/** Returns whether the process is a server of this cluster. This check is necessary because PIDs are reused, in a container even at each start. */
async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  const [executable = '', ...rest] = (await commandLine(pid)) ?? [];
  if (!executable.includes('postgres')) return false;
  const named = rest[rest.indexOf('-D') + 1];
  if (named === undefined) return false;
  // Symbolic links to the same folder match. `ps` separates arguments with spaces, so it cuts a folder name at its first space.
  const [its, ours] = await Promise.all([named, cluster].map((path) => realpath(path).catch(() => path)));
  return its === ours || (process.platform !== 'linux' && cluster.startsWith(`${named} `));
}

/** Returns the PID in the first line of a PostgreSQL lock file; 0 if there is none, for example after a power failure. */
async function lockOwnerOf(file: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const pid = Number(text.split('\n', 1)[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : 0;
}

/**
 * Waits for a server of the cluster that is starting or stopping. If there is none, removes the two lock files of PostgreSQL, in the cluster and
 * beside the socket. After a power failure or a kill, these files contain a PID that is unused or belongs to another process. PostgreSQL does not
 * start while a process with that PID exists.
 */
export async function stopFormerServer(
  { cluster, sockets }: { cluster: string; sockets: string },
  answers: () => Promise<boolean>,
): Promise<'running' | 'none'> {
  const files = [join(cluster, 'postmaster.pid'), join(sockets, '.s.PGSQL.5432.lock')];
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    if (await answers()) return 'running';
    let lockOwner = 0;
    for (const pid of await Promise.all(files.map(lockOwnerOf))) if (pid > 0 && (await servesCluster(pid, cluster))) lockOwner = pid;
    if (lockOwner === 0) {
      for (const file of files) await rm(file, { force: true });
      return 'none';
    }
    if (Date.now() > deadline)
      throw new EmbeddedServerError(
        `A database server (process ${lockOwner}) uses ${cluster} and does not respond. End that process and start again.`,
      );
    await sleep(50);
  }
}
