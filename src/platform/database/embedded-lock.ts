import { randomUUID } from 'node:crypto';
import { link, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedServerError, hasCode } from './embedded-error.ts';

/** Maximum wait for the lock, in milliseconds. The holder starts or stops a server, which takes seconds. */
const timeoutMs = 60_000;

/** Returns a text that distinguishes a process from a later process with the same PID. */
export async function processIdentity(pid: number): Promise<string | undefined> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!hasCode(error, 'EPERM')) return undefined;
  }
  // Field 22 is the start time. The name in parentheses before it can contain spaces.
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return `${pid} ${line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
}

/** Acquires the lock. Creating a hard link fails if the lock file exists. */
async function taken(temporary: string, file: string): Promise<boolean> {
  try {
    await link(temporary, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function isDead(lockOwner: string): Promise<boolean> {
  const [pid = '', startedAt = ''] = lockOwner.split(' ');
  // A lock file always has content. An empty one is left from a power failure.
  return !(Number(pid) > 0) || (await processIdentity(Number(pid))) !== `${pid} ${startedAt}`;
}

/**
 * Removes the lock of a dead process; returns false if the holder is alive. Only a process that holds a second lock removes it, and only if it still
 * belongs to the dead process. This never removes a new lock of another process.
 */
async function removeAbandonedLock(file: string, lockOwner: string, mine: string): Promise<boolean> {
  if (!(await isDead(lockOwner))) return false;
  const removal = `${file}.removal`;
  if (!(await taken(mine, removal))) {
    // The second lock is held for two file system calls, unless its holder was killed between them.
    const other = await readFile(removal, 'utf8').catch(() => undefined);
    if (other !== undefined && (await isDead(other))) await rm(removal, { force: true });
    await sleep(10);
    return true;
  }
  try {
    if ((await readFile(file, 'utf8').catch(() => undefined)) === lockOwner) await rm(file, { force: true });
  } finally {
    await rm(removal, { force: true });
  }
  return true;
}

/** Runs `work` while no other process starts or stops the server of this data directory. Takes over the lock of a dead process. */
export async function underLock<T>(home: string, work: () => Promise<T>): Promise<T> {
  const file = join(home, 'postgres.lock');
  const mine = `${await processIdentity(process.pid)} ${randomUUID()}`;
  const temporary = `${file}.${randomUUID()}`;
  const deadline = Date.now() + timeoutMs;
  await writeFile(temporary, mine).catch(async (error: unknown) => {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw new EmbeddedServerError(
      hasCode(error, 'ENOSPC')
        ? `The disk of ${home} is full. Free some space.`
        : `The folder ${home} is not writable. Check its owner, or choose another folder with DATA_DIR.`,
    );
  });
  try {
    while (!(await taken(temporary, file))) {
      const lockOwner = await readFile(file, 'utf8').catch(() => undefined);
      if (lockOwner === undefined) continue;
      const [pid = ''] = lockOwner.split(' ');
      if (Date.now() > deadline)
        throw new EmbeddedServerError(`Another process (${pid}) has been starting the database of ${home} for a minute. End it, or wait.`);
      if (!(await removeAbandonedLock(file, lockOwner, temporary))) await sleep(40);
    }
  } finally {
    await rm(temporary, { force: true });
  }
  try {
    return await work();
  } finally {
    if ((await readFile(file, 'utf8').catch(() => '')) === mine) await unlink(file);
  }
}
