/**
 * `npm run test:guards`: shows that `npm test` finds bugs. Each `test/guards/*.patch` plants one bug, and its header names the domain
 * and the test files that find it. The script applies one patch at a time in a temporary git worktree, runs those files there and
 * expects a failed test. Arguments select the patches whose file name contains one of them.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { linkModules } from './link-modules.ts';

type Guard = { name: string; patch: string; domain: string; bug: string; tests: string[] };
type GuardRun = { failedTest: string | undefined; passed: number; output: string };

const maxRunMs = 600_000;
const root = resolve(import.meta.dirname, '..');
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Reads the header of a patch: one `Name: value` a line, before the first `diff --git`. */
function readGuard(file: string): Guard {
  const patch = join(root, file);
  const [header = ''] = readFileSync(patch, 'utf8').split(/^diff --git /m);
  const value = (name: string) => {
    const found = new RegExp(`^${name}: (.+)$`, 'm').exec(header)?.[1]?.trim();
    if (!found) fail(`${file}: the header has no line "${name}: …". Add it above the first "diff --git".`);
    return found;
  };
  const tests = value('Tests').split(/,\s*/);
  const missing = tests.find((test) => !existsSync(join(root, test)));
  if (missing !== undefined) fail(`${file}: the test file ${missing} does not exist. Correct the line "Tests".`);
  return { name: basename(file, '.patch'), patch, domain: value('Domain'), bug: value('Bug'), tests };
}

/** Makes a worktree of HEAD with the tracked, uncommitted changes; untracked files are not part of it. */
function createWorktree(): { path: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'chancery-guards-'));
  const path = join(folder, 'chancery');
  git(root, 'worktree', 'add', '--quiet', '--detach', path, git(root, 'stash', 'create') || 'HEAD');
  linkModules(root, path);
  return {
    path,
    remove: () => {
      git(root, 'worktree', 'remove', '--force', path);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Explains each patch that does not apply. */
function stalePatches(guards: readonly Guard[], worktree: string): string[] {
  return guards.flatMap(({ name, patch }) => {
    try {
      git(worktree, 'apply', '--check', patch);
      return [];
    } catch (error) {
      return [
        `test/guards/${name}.patch does not apply. Refresh it (CONTRIBUTING.md says how).\n${(error as { stderr?: string }).stderr ?? ''}`,
      ];
    }
  });
}

/** The process group of the running tests. npm does not pass every signal on, so the whole group gets it. */
let runningGroup: number | undefined;
const stopTests = (signal: NodeJS.Signals) => runningGroup !== undefined && process.kill(-runningGroup, signal);
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    stopped = true;
    stopTests(signal);
  });

/** Runs `npm test` for some files, as a developer does: without the variables that this npm script inherits. */
async function runTests(worktree: string, files: readonly string[]): Promise<GuardRun> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$)/i.test(name)));
  const child = spawn('npm', ['test', '--', ...files], {
    cwd: worktree,
    env: { ...env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  runningGroup = child.pid;
  const tooLong = setTimeout(() => stopTests('SIGTERM'), maxRunMs);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((done, reject) => child.on('error', reject).on('close', done));
  clearTimeout(tooLong);
  runningGroup = undefined;
  const count = (what: string) => Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  const [, failures = ''] = output.split('✖ failing tests:');
  const names = [...failures.matchAll(/^✖ (.+) \([\d.]+ms\)$/gm)].map(([, name = '']) => name);
  // A file that cannot be loaded fails under its own name: no test of it has run.
  const failedTest = code === 0 || count('fail') === 0 ? undefined : names.find((name) => !/\.test\.m?[jt]s$/.test(name));
  return { failedTest, passed: count('pass'), output };
}

/** A bug counts as found when a test fails and another one passes: where all fail, the patch breaks the start of the service. */
const isFound = ({ failedTest, passed }: GuardRun) => failedTest !== undefined && passed > 0;

async function tryGuards(guards: readonly Guard[], worktree: string): Promise<Guard[]> {
  const widths = [
    Math.max(...guards.map(({ name }) => name.length)),
    Math.max(...guards.map(({ tests }) => tests.join(', ').length)),
    'seconds'.length,
    'found'.length,
  ];
  const print = (...cells: string[]) =>
    process.stdout.write(
      `${cells
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  print('bug', 'test files', 'seconds', 'found', 'first failing test');
  const missed: Guard[] = [];
  for (const guard of guards) {
    const began = performance.now();
    git(worktree, 'apply', guard.patch);
    const run = await runTests(worktree, guard.tests);
    git(worktree, 'reset', '--hard', '--quiet');
    git(worktree, 'clean', '-d', '--force', '--quiet', '--exclude=/node_modules');
    if (stopped) break;
    const seconds = ((performance.now() - began) / 1_000).toFixed(1).padStart('seconds'.length);
    print(guard.name, guard.tests.join(', '), seconds, isFound(run) ? 'yes' : 'no', run.failedTest ?? '-');
    if (isFound(run)) continue;
    missed.push(guard);
    process.stderr.write(`${run.output.slice(-4_000)}\n`);
  }
  return missed;
}

const wanted = process.argv.slice(2);
const guards = globSync('test/guards/*.patch', { cwd: root })
  .toSorted()
  .filter((file) => wanted.length === 0 || wanted.some((part) => basename(file).includes(part)))
  .map(readGuard);
if (guards.length === 0) fail(`No patch in test/guards has ${wanted.join(' or ')} in its name.`);

const worktree = createWorktree();
try {
  const stale = stalePatches(guards, worktree.path);
  const missed = stale.length > 0 ? [] : await tryGuards(guards, worktree.path);
  for (const text of stale) process.stderr.write(`${text}\n`);
  for (const { name, domain, bug } of missed)
    process.stderr.write(`${name} is not found: write a test of ${domain} that fails for this bug: ${bug}\n`);
  if (stopped || stale.length > 0 || missed.length > 0) process.exitCode = 1;
} finally {
  worktree.remove();
}
