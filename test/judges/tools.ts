import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { installed, without } from './pinned.ts';

const run = promisify(execFile);
const libraries = ['verapdf', 'dss'];

/** Why tests with veraPDF and DSS are skipped, or false if they run. */
export const withoutJavaJudges = without(...libraries);

/** Runs a program in a folder and returns the lines of its output. */
export async function linesOf(command: string, args: readonly string[], cwd = process.cwd()): Promise<string[]> {
  const options = { maxBuffer: 64 * 1024 * 1024, timeout: 3_600_000, cwd };
  return (await run(command, args, options)).stdout.trimEnd().split('\n');
}

/** Runs a Java program of this folder and returns its lines. A compiler that optimizes little needs less time for a short program. */
export function askJava(program: string, args: readonly string[]): Promise<string[]> {
  const options = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', join(installed(...libraries), '*')];
  return linesOf('java', [...options, join(import.meta.dirname, program), ...args]);
}

/** Runs a Python program of this folder with a package that `.ci/run` installs, and returns its lines. */
export const askPython = (package_: string, program: string, args: readonly string[]): Promise<string[]> =>
  linesOf(join(installed(package_), 'bin', 'python'), [join(import.meta.dirname, program), ...args]);

/** Writes files to a folder for the time of `work`, which gets their paths. */
export async function withFiles<Result>(files: readonly Uint8Array[], work: (paths: string[]) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'chancery-judged-'));
  try {
    const paths = files.map((_, at) => join(folder, `${String(at).padStart(3, '0')}.pdf`));
    await Promise.all(files.map((file, at) => writeFile(paths[at] ?? '', file)));
    return await work(paths);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
