import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Answered, Reading } from './messages.ts';

export type { Reading } from './messages.ts';

/** What reading one file may take. `dataMb` holds where there is `prlimit`, as on Linux; elsewhere its memory is looked at now and then. */
export type Limits = { cpuSeconds: number; wallSeconds: number; dataMb: number; heapMb: number };

const usualLimits: Limits = { cpuSeconds: 12, wallSeconds: 120, dataMb: 700, heapMb: 256 };

/** A file whose text was not read: `limit` it takes too much, `locked` it wants a password, `unreadable` it is broken. */
export class UnreadText extends Error {
  readonly reason: 'limit' | 'locked' | 'unreadable';
  constructor(reason: UnreadText['reason'], message: string) {
    super(message);
    this.name = 'UnreadText';
    this.reason = reason;
  }
}

const from = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const modules = from('../../../node_modules');
/** All that it may open: what it is made of. No file of a team, no network, no other process. */
const readable = [from('.'), from('../../../package.json'), modules];
const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path));
/** Bytes that an answer may have: a character takes six at most as JSON. */
const answerBytes = (characters: number) => characters * 6 + 1_000;

/**
 * Takes the text of a file of the kind, as many characters as are wanted, in a process of its own that is made for it: it sees no
 * other file, reaches no network, and ends when it takes too long or too much. Rejects with {@link UnreadText}, and with another
 * error where the process failed for a reason that may pass.
 */
export async function readText(
  file: Readable,
  asked: Reading,
  { signal, limits = usualLimits }: { signal?: AbortSignal; limits?: Limits } = {},
): Promise<string> {
  signal?.throwIfAborted();
  const child = start(asked, limits);
  let late = false;
  const stop = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, limits.wallSeconds * 1_000);
  const watch = setInterval(() => void tooLarge(child, limits).then((is) => is && stop()), 50);
  try {
    const [said, ended] = await Promise.all([saidBy(child, answerBytes(asked.characters)), endOf(child), fed(child, file)]);
    signal?.throwIfAborted();
    // Of the processor it had less than it may: the machine is busy, and another try may find it otherwise.
    if (late) throw new Error(`a file was not read within ${limits.wallSeconds} s`);
    return textOf(said, ended);
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal?.removeEventListener('abort', stop);
    stop();
  }
}

/** The command that runs a script of ours confined: with what it may open, and what it may take. */
export function confined(
  script: string,
  argument: string,
  { cpuSeconds, dataMb, heapMb }: Limits = usualLimits,
  mayRead = readable,
): string[] {
  const node = [
    process.execPath,
    '--permission',
    ...mayRead.map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${heapMb}`,
    '--no-warnings',
    script,
    argument,
  ];
  return prlimit === undefined ? node : [prlimit, `--cpu=${cpuSeconds}`, `--data=${dataMb * 1024 * 1024}`, '--core=0', ...node];
}

function start(asked: Reading, limits: Limits): ChildProcess {
  const [command = '', ...args] = confined(from('read-file.ts'), JSON.stringify(asked), limits);
  const child = spawn(command, args, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] });
  try {
    if (child.pid !== undefined) setPriority(child.pid, 10);
  } catch {
    // Where it may not, it has the same share as requests.
  }
  return child;
}

/** Hands the file over. That its reader has ended before is found by its answer. */
function fed({ stdin }: ChildProcess, file: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    file.once('error', reject);
    stdin?.once('error', () => stdin.destroy());
    stdin?.once('close', () => {
      file.destroy();
      resolve();
    });
    if (stdin) file.pipe(stdin);
  });
}

/** What the process answers; nothing where that is longer than an answer may be. */
function saidBy({ stdout }: ChildProcess, most: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) stdout.destroy();
      else chunks.push(chunk);
    });
    stdout?.once('close', () => resolve(size > most ? '' : Buffer.concat(chunks).toString()));
  });
}

type End = { code: number | null; signal: NodeJS.Signals | null };

function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

function textOf(said: string, { code, signal }: End): string {
  if (code === 0) {
    if (said === '') throw new UnreadText('limit', 'its text is longer than was asked for');
    const answered = JSON.parse(said) as Answered;
    if ('text' in answered) return answered.text;
    throw new UnreadText(answered.none, `the file is ${answered.none}`);
  }
  if (code === 1) throw new UnreadText('unreadable', 'its reader failed on it');
  throw new UnreadText('limit', `its reader was ended (${signal ?? code})`);
}

/** Whether a process holds more than it may, where the system tells. */
async function tooLarge({ pid }: ChildProcess, { dataMb }: Limits): Promise<boolean> {
  const pages = Number((await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')).split(' ')[1] ?? 0);
  return pages * 4_096 > dataMb * 1024 * 1024;
}
