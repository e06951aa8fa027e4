import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { ignoreStreamErrors } from '../storage/ignore-stream-errors.ts';
import type { SandboxCommand } from './snapshot.ts';

/** What reading one file may take. `dataMb` holds where there is `prlimit`, as on Linux; elsewhere its memory is looked at now and then. */
export type Limits = { cpuSeconds: number; wallSeconds: number; dataMb: number; heapMb: number };

export const usualLimits: Limits = { cpuSeconds: 12, wallSeconds: 120, dataMb: 700, heapMb: 256 };

/** How a file is read: until nobody wants it any more, and within which limits. */
export type Within = { signal?: AbortSignal; limits?: Limits };

/** A file that was not read: `limit` it takes too much, `locked` it wants a password, `unreadable` it is broken. */
export class UnreadFile extends Error {
  readonly reason: 'limit' | 'locked' | 'unreadable';
  constructor(reason: UnreadFile['reason'], message: string) {
    super(message);
    this.name = 'UnreadFile';
    this.reason = reason;
  }
}

/** The program that limits a process, where the system has it. */
export const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path));

/**
 * Hands a file to a program in a process of its own that is made for it: it sees no other file, reaches no network, and
 * ends when it takes too long or too much, or answers with more than `mostBytes`. Resolves to what it answers. Rejects with
 * {@link UnreadFile}, and with another error where the process failed for a reason that may pass.
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
    // Also where nothing has begun: a file that nobody reads or closes ends the service when it is collected.
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
    // Of the processor it had less than it may: the machine is busy, and another try may find it otherwise.
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
 * The command that runs a program of ours confined: what it may open is what it is made of, no file of a team, no network and no other
 * process; and it takes no more than it may.
 */
export function confined(
  { node: started, mayRead }: SandboxCommand,
  argument: string,
  { cpuSeconds, dataMb, heapMb }: Limits = usualLimits,
): string[] {
  const node = [
    process.execPath,
    '--permission',
    ...mayRead.map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${heapMb}`,
    '--no-warnings',
    ...started,
    argument,
  ];
  return prlimit === undefined ? node : [prlimit, `--cpu=${cpuSeconds}`, `--data=${dataMb * 1024 * 1024}`, '--core=0', ...node];
}

function start([command = '', ...args]: string[]): ChildProcess {
  const child = spawn(command, args, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] });
  try {
    if (child.pid !== undefined) setPriority(child.pid, 10);
  } catch {
    // Where it may not, it has the same share as requests.
  }
  return child;
}

/** Hands the file over, behind what is to come before it. That its reader has ended before is found by its answer. */
export function fed({ stdin }: ChildProcess, file: Readable, before = ''): Promise<void> {
  return new Promise((resolve, reject) => {
    // What has broken off already says so no more.
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

/** What the process answers; undefined where that is longer than an answer may be. */
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
    if (said === undefined) throw new UnreadFile('limit', 'what was read of it is longer than was asked for');
    return said;
  }
  if (code === 1) throw new UnreadFile('unreadable', 'its reader failed on it');
  throw new UnreadFile('limit', `its reader was ended (${signal ?? code})`);
}

/** Whether a process holds more than it may, where the system tells. */
async function tooLarge({ pid }: ChildProcess, { dataMb }: Limits): Promise<boolean> {
  const pages = Number((await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')).split(' ')[1] ?? 0);
  return pages * 4_096 > dataMb * 1024 * 1024;
}
