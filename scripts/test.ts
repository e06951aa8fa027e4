/**
 * `npm test`: starts one PostgreSQL for the run and gives it to the test files, which clone a migrated template each. A few
 * processes take the files from one queue (`test-worker.ts`).
 * Paths after `--` run only the files that contain them.
 */
import { spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { programAt } from '../src/bundle.ts';
import { startTestServer } from '../test/postgres.ts';

/** Twice the cores of the smallest machine that this is meant for: some tests wait while others work. */
const processes = 4;

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).filter(
  (file) => wanted.length === 0 || wanted.some((part) => file.includes(part)),
);
if (files.length === 0) {
  process.stderr.write(`no test file contains ${wanted.join(' or ')}\n`);
  process.exit(1);
}

/** Files that take long and mostly wait, longest first: begun early, each beside one that works. */
const waiting = [
  'access/walk.test',
  'enumeration.test',
  'embedded.test',
  'faults/service.test',
  'worker-kill.test',
  'pages.test',
  'engine.test',
  'tutorial.test',
  'keys.test',
  'staff.test',
  'docs.test',
  'evidence/verify.test',
  'ended-credentials.test',
  'passkeys.test',
  'views.test',
  'lost-connections.test',
  'master-key.test',
  'stream.test',
  'typesetter.test',
  'form-view.test',
  'receivers.test',
  'worker-pause.test',
  'sequencer.test',
  'deadlocks.test',
  'passkeys.browser',
];
/** Each once: a file may have several of these in its name. */
const wait = [...new Set(waiting.flatMap((part) => files.filter((file) => file.includes(part))))];
/** Those of test/ first: most of src/ is short, so that at the end all processes are done at about the same time. */
const work = files
  .filter((file) => !wait.includes(file))
  .toSorted((a, b) => Number(b.startsWith('test/')) - Number(a.startsWith('test/')) || (a < b ? -1 : 1));
const inTurn = work.flatMap((file, at) => [...wait.slice(at, at + 1), file]).concat(wait.slice(work.length));

const folder = mkdtempSync(join(tmpdir(), 'chancery-test-run-'));
const queue = join(folder, 'queue');
mkdirSync(queue);
for (const [at, file] of inTurn.entries()) writeFileSync(join(queue, `${String(at).padStart(4, '0')} ${encodeURIComponent(file)}`), '');
const workers = Array.from({ length: Math.min(files.length, processes) }, (_, at) => join(folder, `worker-${at + 1}.test.mjs`));
for (const worker of workers) writeFileSync(worker, `import ${JSON.stringify(join(import.meta.dirname, 'test-worker.ts'))};\n`);

/**
 * Most of what a test makes is garbage at its end. With little room for what is young, it is often looked through and much of it
 * moved to what is old, which takes a tenth of the processor's time.
 */
const roomForYoung = ['--min-semi-space-size=16', '--max-semi-space-size=64'];

// Made before tests start the program, which would make it each for themselves.
const [server] = await Promise.all([startTestServer({ logDays: true }), programAt(process.cwd(), 'src/commands/command-line.ts')]);
const child = spawn(
  process.execPath,
  [...roomForYoung, '--test', `--test-concurrency=${workers.length}`, '--test-reporter=spec', '--test-force-exit', ...flags, ...workers],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      CHANCERY_TEST_SERVER: server.url,
      CHANCERY_TEST_QUEUE: queue,
      NODE_NO_WARNINGS: '1',
      // What is done together is begun from the last, so that what needs an order shows (platform/database/together.ts).
      CHANCERY_LAST_FIRST: '1',
      // For the processes that tests start: all of them load much the same modules.
      NODE_COMPILE_CACHE: join(tmpdir(), `chancery-test-modules-${process.getuid?.() ?? 0}`),
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
const code = await new Promise<number>((resolve) => child.on('exit', (exit) => resolve(exit ?? 1)));
await server.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(code);
