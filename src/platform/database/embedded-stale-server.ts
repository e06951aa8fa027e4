import { execFile } from 'node:child_process';
import { readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedServerError } from './embedded-error.ts';
import { processIdentity } from './embedded-lock.ts';

const timeoutMs = 60_000;

/** The arguments of a living process; undefined when there is none of that number, or it cannot be seen. */
async function commandLine(pid: number): Promise<string[] | undefined> {
  if (process.platform === 'linux') {
    // Readable by everybody, other than what else is known of a process. Empty for one that has ended and was not asked for its code.
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined))?.split('\0');
  }
  if ((await processIdentity(pid)) === undefined) return undefined;
  const listed = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => undefined);
  return listed?.stdout.trim().split(' ');
}

/** True when the process is a server on this cluster. Numbers of processes are given again, in a container at each start. */
async function servesCluster(pid: number, cluster: string): Promise<boolean> {
  const [executable = '', ...rest] = (await commandLine(pid)) ?? [];
  if (!executable.includes('postgres')) return false;
  const named = rest[rest.indexOf('-D') + 1];
  if (named === undefined) return false;
  // By way of a link it is the same one. Where `ps` tells the words, a folder with a space in its name is cut.
  const [its, ours] = await Promise.all([named, cluster].map((path) => realpath(path).catch(() => path)));
  return its === ours || (process.platform !== 'linux' && cluster.startsWith(`${named} `));
}

/** The number in the first line of a lock file of PostgreSQL; 0 when there is none, as after a power cut. */
async function lockOwnerOf(file: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const pid = Number(text.split('\n', 1)[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : 0;
}

/**
 * Waits for a server on the cluster that is starting or stopping. When there is none, both files that PostgreSQL takes for
 * the sign of one are removed, in the cluster and beside the socket: after a power cut or a kill they name a process that
 * is gone, or whatever has its number now, and PostgreSQL would not start while that lives.
 */
export async function settleFormerServer(
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
        `A database server (process ${lockOwner}) holds ${cluster} and does not answer: end that process and start again.`,
      );
    await sleep(50);
  }
}
