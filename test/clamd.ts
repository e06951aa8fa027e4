import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

/** The path of clamd: CLAMD_PATH or an installation path of the system. */
const clamdPath = [
  process.env.CLAMD_PATH,
  ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'clamd')),
  '/usr/sbin/clamd',
].find((path) => path !== undefined && existsSync(path));

/** Why the virus scanner tests are skipped, or false if they run. */
export const withoutClamd: string | false = clamdPath === undefined && 'clamd not found: install clamav-daemon (Debian), or set CLAMD_PATH';

/** Content that the scanner of {@link startClamd} detects, and the name of its signature. */
export const virus = { bytes: 'X5O-chancery-test-virus-0451', signature: 'Chancery.Test.UNOFFICIAL' };

export type Clamd = { socket: string; stop(): Promise<void> };

/** Starts a separate clamd with one signature, which is in no public database. */
export async function startClamd(settings: Record<string, string> = {}): Promise<Clamd> {
  const folder = await mkdtemp(join(tmpdir(), 'chancery-clamd-'));
  const socket = settings.LocalSocket ?? join(folder, 'clamd.sock');
  await writeFile(join(folder, 'test.ndb'), `Chancery.Test:0:*:${Buffer.from(virus.bytes).toString('hex')}\n`);
  const config = {
    DatabaseDirectory: folder,
    LocalSocket: socket,
    Foreground: 'yes',
    ...(process.getuid?.() === 0 ? { User: 'root' } : {}),
    ...settings,
  };
  const file = join(folder, 'clamd.conf');
  await writeFile(
    file,
    Object.entries(config)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''),
  );
  const child = spawn(clamdPath ?? 'clamd', ['--config-file', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const exited = once(child, 'exit').then(() => {
    throw new Error(`clamd ended: ${complaints}`);
  });
  exited.catch(() => undefined);
  await Promise.race([exited, listens(socket)]);
  return { socket, stop: () => stop(child, [folder, socket]) };
}

async function listens(socket: string): Promise<void> {
  for (;;) {
    const reached = await new Promise<boolean>((resolve) => {
      const client = connect(socket, () => resolve(true)).on('error', () => resolve(false));
      client.on('close', () => client.destroy()).unref();
      setTimeout(() => client.destroy(), 1_000).unref();
    });
    if (reached) return;
    await wait(20);
  }
}

async function stop(child: ChildProcess, files: string[]): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await Promise.all(files.map((file) => rm(file, { recursive: true, force: true })));
}
