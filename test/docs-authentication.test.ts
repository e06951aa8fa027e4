import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { freePort } from './spawned.ts';

const guide = readFileSync('docs/authentication.md', 'utf8');
const missing = ['bash', 'curl'].filter((command) => spawnSync(command, ['--version']).status !== 0);
const skip = missing.length > 0 && `this machine has no ${missing.join(' and no ')}`;

let folder: string;
let stop = async () => {};
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'chancery-guide-'));
  // Open to the user that root runs the database as.
  chmodSync(folder, 0o755);
});
after(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the demo, as the guide asks its reader to, on a port and a folder of the test's own. */
async function startDemo(port: number): Promise<void> {
  const demo = spawn(process.execPath, ['src/main.ts', 'demo'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_NO_WARNINGS: '1', PORT: String(port), DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stop = async () => {
    if (demo.exitCode !== null) return;
    demo.kill('SIGTERM');
    await once(demo, 'exit');
  };
  let said = '';
  for await (const chunk of demo.stdout.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    if (said.includes('Stop with')) break;
  }
  assert.match(said, /Stop with/, said);
  demo.stdout.resume();
}

test('the guide to signing in works as it is written, line by line', { skip }, async () => {
  const port = await freePort();
  await startDemo(port);
  const place = join(folder, 'project');
  mkdirSync(place);
  for (const part of ['package.json', 'node_modules', 'src', 'lib', 'migrations']) symlinkSync(resolve(part), join(place, part));

  const blocks = [...guide.matchAll(/^```sh run\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  assert.ok(blocks.length > 8, 'the guide has its blocks');
  const script = blocks
    .join('\n')
    .replaceAll(/(?:localhost|127\.0\.0\.1):8080/g, `127.0.0.1:${port}`)
    .replaceAll('DATA_DIR=./data/demo', `DATA_DIR=${join(folder, 'data')}`);
  const shell = spawn('bash', ['-euo', 'pipefail'], {
    cwd: place,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: process.env.HOME,
      NODE_NO_WARNINGS: '1',
      TMPDIR: folder,
      PORT: String(port),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  shell.stdin.end(script);
  const exit = once(shell, 'exit');
  const [said, complaints] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  const promised = [...script.matchAll(/# → (.*)$/gm)].map(([, line]) => line);
  assert.deepEqual(said.trimEnd().split('\n'), promised, complaints);
  assert.deepEqual(await exit, [0, null], complaints);
});

test('each error code that the guides name is one that there is', () => {
  const known = new Set<string>();
  for (const file of globSync('src/**/problems.ts')) {
    for (const [, code = ''] of readFileSync(file, 'utf8').matchAll(/^ {2}(\w+): \{$/gm)) known.add(code);
  }
  const others = new Set(['min_length', 'max_length', 'password_common', 'password_contains_identity', 'error_description', 'request_id']);
  const tables = [
    guide.slice(guide.indexOf('## Errors, by operation'), guide.indexOf('## OWASP')),
    readFileSync('docs/errors-and-conventions.md', 'utf8').split('| status |')[1] ?? '',
  ];
  for (const table of tables) {
    const named = [...table.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, code = '']) => code).filter((code) => !others.has(code));
    assert.ok(named.length > 15);
    assert.deepEqual(
      named.filter((code) => !known.has(code)),
      [],
    );
  }
});

test('each file that the guide names as evidence is there', () => {
  const table = guide.slice(guide.indexOf('## OWASP'));
  const named = [...table.matchAll(/`((?:test\/)?[a-z]+\/[\w./-]+\.ts)`/g)].map(([, file = '']) => file);
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.filter((file) => !existsSync(file.startsWith('test/') ? file : join('src', file))),
    [],
  );
});
