/**
 * `npm test`: starts one PostgreSQL for the run and gives it to the test files, which clone a migrated template each.
 * Paths after `--` run only the files that contain them.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { startTestServer } from '../test/postgres.ts';

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).filter(
  (file) => wanted.length === 0 || wanted.some((part) => file.includes(part)),
);
if (files.length === 0) {
  process.stderr.write(`no test file contains ${wanted.join(' or ')}\n`);
  process.exit(1);
}

/** Files that mostly wait, longest first: begun first, they wait while the others work. */
const waiting = [
  'enumeration.test',
  'embedded.test',
  'pages.test',
  'worker-kill.test',
  'worker-pause.test',
  'faults/service.test',
  'docs.test',
  'passkeys.test',
  'engine.test',
  'keys.test',
  'staff.test',
  'passkeys.browser',
];
function rank(file: string): number {
  const at = waiting.findIndex((part) => file.includes(part));
  return at === -1 ? waiting.length : at;
}

const server = await startTestServer();
const child = spawn(
  process.execPath,
  [
    '--test',
    '--test-concurrency=4',
    '--test-reporter=spec',
    '--test-timeout=180000',
    '--test-force-exit',
    ...flags,
    ...files.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b)),
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      CHANCERY_TEST_SERVER: server.url,
      NODE_NO_WARNINGS: '1',
      // Each file is a process of its own, and all of them load much the same modules.
      NODE_COMPILE_CACHE: join(tmpdir(), `chancery-test-modules-${process.getuid?.() ?? 0}`),
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
const code = await new Promise<number>((resolve) => child.on('exit', (exit) => resolve(exit ?? 1)));
await server.stop();
process.exit(code);
