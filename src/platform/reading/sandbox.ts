import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { ignoreStreamErrors } from '../storage/ignore-stream-errors.ts';
import type { SandboxCommand } from './snapshot.ts';

/** The limits for reading one file. `dataMb` is enforced by `prlimit` if available, for example on Linux; otherwise memory is polled. */
export type Limits = { cpuSeconds: number; wallSeconds: number; dataMb: number; heapMb: number };

export const usualLimits: Limits = { cpuSeconds: 12, wallSeconds: 120, dataMb: 700, heapMb: 256 };

/** The abort signal and the limits for reading a file. */
export type Within = { signal?: AbortSignal; limits?: Limits };

/** Thrown if a file was not read. `limit`: it exceeds a limit; `locked`: it needs a password; `unreadable`: it is broken. */
export class UnreadFile extends Error {
  readonly reason: 'limit' | 'locked' | 'unreadable';
  constructor(reason: UnreadFile['reason'], message: string) {
    super(message);
    this.name = 'UnreadFile';
    this.reason = reason;
  }
}

/** The system program that limits the resources of a process, if it is installed. */
export const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path));

/**
 * Passes a file to a program in a sandboxed process without access to other files or the network. The process is killed if it exceeds
 * a limit or returns more than `maxOutputBytes`. Returns the output of the program. Throws
 * {@link UnreadFile}, or another error if a retry can succeed.
 */
export async function askConfined(
  sandboxCommand: SandboxCommand | Promise<SandboxCommand>,
  request: unknown,
  { file, maxOutputBytes }: { file: Readable; maxOutputBytes: number },
  { signal, limits = usualLimits }: Within = {},
): Promise<Buffer> {
  ignoreStreamErrors(file);
  try {
    const command = confined(await sandboxCommand, JSON.stringify(request), limits);
    signal?.throwIfAborted();
    return await answerBy(command, { file, maxOutputBytes }, { signal, limits });
  } finally {
    // Also if nothing started: a stream that is never read or closed ends the service when it is garbage-collected.
    file.destroy();
  }
}

async function answerBy(
  command: string[],
  { file, maxOutputBytes }: { file: Readable; maxOutputBytes: number },
  { signal, limits }: { signal: AbortSignal | undefined; limits: Limits },
): Promise<Buffer> {
  const child = start(command);
  let late = false;
  const stop = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, limits.wallSeconds * 1_000);
  const watch = setInterval(() => void tooLarge(child, limits).then((is) => is && stop()), 50);
  try {
    const [said, ended] = await Promise.all([saidBy(child, maxOutputBytes), endOf(child), fed(child, file)]);
    signal?.throwIfAborted();
    // The process did not use up its CPU time, so the machine is busy, and a retry can succeed.
    if (late) throw new Error(`a file was not read within ${limits.wallSeconds} s`);
    return answerOf(said, ended);
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal?.removeEventListener('abort', stop);
    stop();
  }
}

/**
 * Returns the command for a sandboxed program. It can read only its own code, no file of a team, and has no network and no child
 * processes; its resources are limited.
 */
export function confined(
  { node: started }: SandboxCommand,
  argument: string,
  { cpuSeconds, dataMb, heapMb }: Limits = usualLimits,
): string[] {
  const node = [process.execPath, '--permission', `--max-old-space-size=${heapMb}`, '--no-warnings', ...started, argument];
  return prlimit === undefined ? node : [prlimit, `--cpu=${cpuSeconds}`, `--data=${dataMb * 1024 * 1024}`, '--core=0', ...node];
}

function start([command = '', ...args]: string[]): ChildProcess {
  const child = spawn(command, args, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] });
  try {
    if (child.pid !== undefined) setPriority(child.pid, 10);
  } catch {
    // Without the permission, it has the same priority as requests.
  }
  return child;
}

/** Streams the file to standard input, after `before`. If the process ends early, its exit code shows the cause. */
export function fed({ stdin }: ChildProcess, file: Readable, before = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    // An earlier error of the stream is not emitted again.
    if (file.destroyed) reject(file.errored ?? new Error('a file was closed before it was read'));
    file.once('error', reject);
    stdin?.once('error', () => stdin.destroy());
    stdin?.once('close', () => {
      file.destroy();
      resolve();
    });
    stdin?.write(before);
    if (stdin) file.pipe(stdin);
  });
}

/** Returns the output of the process; undefined if it exceeds the maximum. */
function saidBy({ stdout }: ChildProcess, most: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) stdout.destroy();
      else chunks.push(chunk);
    });
    stdout?.once('close', () => resolve(size > most ? undefined : Buffer.concat(chunks)));
  });
}

type End = { code: number | null; signal: NodeJS.Signals | null };

function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

function answerOf(said: Buffer | undefined, { code, signal }: End): Buffer {
  if (code === 0) {
    if (said === undefined) throw new UnreadFile('limit', 'the output is longer than the limit');
    return said;
  }
  if (code === 1) throw new UnreadFile('unreadable', 'the reader failed on the file');
  throw new UnreadFile('limit', `the reader was killed (${signal ?? code})`);
}

/** Returns whether a process exceeds its memory limit. False if the system does not provide the usage. */
async function tooLarge({ pid }: ChildProcess, { dataMb }: Limits): Promise<boolean> {
  const pages = Number((await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')).split(' ')[1] ?? 0);
  return pages * 4_096 > dataMb * 1024 * 1024;
}
