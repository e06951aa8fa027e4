/** The questions of the language check to Git. An answer is `undefined` or empty where there is no repository or no history. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit } from './commits.ts';

const maxOutput = 256 * 1024 * 1024;

function git(root: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer: maxOutput });
  return status === 0 ? stdout.trim() : undefined;
}

const rows = (output: string | undefined): string[] => (output ?? '').split('\n').filter((row) => row !== '');

/** Whether `root` is the top folder of a repository, and not only inside one. */
const isRepository = (root: string): boolean => git(root, 'rev-parse', '--show-prefix') === '';

/** The tracked files; without a repository every file except for installed packages. */
export function filesOf(root: string): string[] {
  const tracked = isRepository(root) ? git(root, '-c', 'core.quotePath=off', 'ls-files') : undefined;
  const files =
    tracked === undefined ? globSync('**/*.*', { cwd: root, exclude: (name) => /(^|\/)(node_modules|\.\w+)$/.test(name) }) : rows(tracked);
  return files.filter((file) => existsSync(join(root, file))).toSorted();
}

export interface NewCommits {
  commits: Commit[];
  /** Whether these are all commits since the check was introduced. */
  complete: boolean;
}

/** The commits after the one that added `introducedWith`. `undefined` where there is no such commit. */
export function commitsSince(root: string, introducedWith: string): NewCommits | undefined {
  if (!isRepository(root)) return undefined;
  const [introduction] = rows(git(root, 'log', '--diff-filter=A', '--format=%H', '--', introducedWith)).toReversed();
  if (introduction === undefined) return undefined;
  const log = rows(git(root, 'log', '--no-merges', '--format=%h%x09%s', `${introduction}..HEAD`));
  const commits = log.map((row) => {
    const [hash = '', ...subject] = row.split('\t');
    return { hash, subject: subject.join('\t') };
  });
  return { commits, complete: git(root, 'rev-parse', '--is-shallow-repository') === 'false' };
}

/** The commit that a change starts from: where the branch left the main one, or the last commit on the main one itself. */
function changeBase(root: string): string | undefined {
  const head = git(root, 'rev-parse', 'HEAD');
  const bases = ['origin/HEAD', 'origin/main', 'main'].map((branch) => git(root, 'merge-base', 'HEAD', branch));
  const base = bases.find((found) => found !== undefined);
  if (base !== head) return base;
  const hasChanges = git(root, 'status', '--porcelain', '--untracked-files=no') !== '';
  return hasChanges ? head : (git(root, 'rev-parse', '--verify', '--quiet', 'HEAD~1') ?? head);
}

/** The changed lines of each changed file, as pairs of first and last line. */
export function changedLines(root: string): Map<string, [first: number, last: number][]> {
  const base = isRepository(root) ? changeBase(root) : undefined;
  const changed = new Map<string, [number, number][]>();
  if (base === undefined) return changed;
  let file = '';
  for (const row of rows(
    git(root, '-c', 'core.quotePath=off', 'diff', '--unified=0', '--no-color', '--no-ext-diff', '--src-prefix=a/', '--dst-prefix=b/', base),
  )) {
    if (row.startsWith('+++ ')) file = row.slice('+++ b/'.length);
    const [, start, count] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(row) ?? [];
    if (start === undefined || count === '0') continue;
    const lines = changed.get(file) ?? [];
    changed.set(file, [...lines, [Number(start), Number(start) + Number(count ?? 1) - 1]]);
  }
  return changed;
}
