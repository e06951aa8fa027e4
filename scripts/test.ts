/**
 * `npm test` runs the tests on one PostgreSQL server. Each service gets a clone of a migrated template database. Worker processes claim
 * the files from one queue (`test-worker.ts`).
 *
 *     npm test [-- PATH…] [--seed=N]    files with PATH in their path; by default all but *.exhaustive.test.ts
 *
 *     npm run test:all [-- PATH…]       all files, with complete walks and properties at full size
 *
 *     npm run test:all -- --rest        only the tests that `npm test` skips
 *
 * Other options that begin with `--` are passed to the test runner of Node.js.
 */
import { spawn, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { startTestServer } from '../test/postgres.ts';
import { buildAll } from './build.ts';

/** More workers than the two cores of the smallest supported machine: some tests wait while others compute. */
const processes = 5;

const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const own = (name: string) => options.find((option) => option === name || option.startsWith(`${name}=`));
const runnerOptions = options.filter((option) => !['--all', '--rest', '--seed'].includes(option.split('=')[0] ?? ''));
const tier = own('--all') || own('--rest') ? 'all' : 'sample';

const isExhaustive = (file: string) => /\.exhaustive\.test\.ts$|^test\/(chaos|faults)\//.test(file);
const usesTier = (file: string) => /\/(?:tier|browser)\.ts'/.test(readFileSync(file, 'utf8'));

function isWanted(file: string): boolean {
  if (paths.length > 0 && !paths.some((part) => file.includes(part))) return false;
  if (own('--rest')) return isExhaustive(file) || usesTier(file);
  return tier === 'all' || paths.length > 0 || !isExhaustive(file);
}

/** The largest files first, so that all workers finish at about the same time. */
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'console/test/**/*.test.ts'])
  .filter(isWanted)
  .toSorted((a, b) => statSync(b).size - statSync(a).size);
if (files.length === 0) {
  process.stderr.write(`no test file contains ${paths.join(' or ')}\n`);
  process.exit(1);
}

const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim() ?? '';

/** The domains with changes since this branch began, and other folders of `src/`. On the main branch: since the previous commit. */
function touchedFolders(): string[] {
  const head = git('rev-parse', 'HEAD');
  if (head === '') return [];
  const begin = git('merge-base', 'HEAD', 'origin/HEAD');
  const base = begin === '' || begin === head ? 'HEAD~1' : begin;
  const names = `${git('diff', '--name-only', base)}\n${git('ls-files', '--others', '--exclude-standard')}`;
  return [
    ...new Set(
      Array.from(names.matchAll(/^src\/(?:(?:automation|identity|intake|records|work)\/)?([^/\n]+)\//gm), ([, folder = '']) => folder),
    ),
  ];
}

const seed = own('--seed')?.split('=')[1] ?? String(Number.parseInt(git('rev-parse', 'HEAD').slice(0, 7) || '0', 16));
const touched = touchedFolders();
process.stdout.write(
  tier === 'all' ? 'all tests\n' : `a sample of the walks: --seed=${seed}, and all rows of ${touched.join(', ') || 'no changed folder'}\n`,
);

const folder = mkdtempSync(join(tmpdir(), 'chancery-test-run-'));
const queue = join(folder, 'queue');
mkdirSync(queue);
for (const [at, file] of files.entries()) writeFileSync(join(queue, `${String(at).padStart(4, '0')} ${encodeURIComponent(file)}`), '');
const workers = Array.from({ length: Math.min(files.length, processes) }, (_, at) => join(folder, `worker-${at + 1}.test.mjs`));
for (const worker of workers) writeFileSync(worker, `import ${JSON.stringify(join(import.meta.dirname, 'test-worker.ts'))};\n`);

/** Tests allocate many short-lived objects. With less space for new objects, V8 copies for a tenth of the run's time. */
const spaceForNew = ['--min-semi-space-size=16', '--max-semi-space-size=64'];

const [server] = await Promise.all([startTestServer({ logDays: true }), buildAll()]);
const child = spawn(
  process.execPath,
  [
    ...spaceForNew,
    '--test',
    `--test-concurrency=${workers.length}`,
    '--test-reporter=spec',
    '--test-force-exit',
    ...runnerOptions,
    ...workers,
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      CHANCERY_TEST_SERVER: server.url,
      CHANCERY_TEST_QUEUE: queue,
      CHANCERY_TEST_TIER: tier,
      CHANCERY_TEST_SEED: seed,
      CHANCERY_TEST_TOUCHED: touched.join(','),
      NODE_NO_WARNINGS: '1',
      // Processes started by tests load mostly the same modules.
      NODE_COMPILE_CACHE: join(tmpdir(), `chancery-test-modules-${process.getuid?.() ?? 0}`),
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
const code = await new Promise<number>((resolve) => child.on('exit', (exit) => resolve(exit ?? 1)));
await server.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(code);
