import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { withoutBrowser } from './browser.ts';
import { picturesOfConsole } from './console-pictures.ts';
import { pictureOfDemo } from './demo-pages.ts';
import { blocksOf, checkoutIn, promisedBy, typed } from './guide.ts';
import { freePort } from './spawned.ts';
import { eventually } from './webhook-receiver.ts';

const guide = readFileSync('docs/guides/sign-users-in.md', 'utf8');
const teamGuide = readFileSync('docs/guides/manage-teams.md', 'utf8');
const missing = ['bash', 'curl'].filter((command) => spawnSync(command, ['--version']).status !== 0);
const skip = missing.length > 0 && `this machine has no ${missing.join(' and no ')}`;

let folder: string;
let port: number;
let said = '';
let stop = async () => {};
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chancery-guide-'));
  // The database runs as another user if the tests run as root.
  chmodSync(folder, 0o755);
  if (skip) return;
  port = await freePort();
  await startDemo();
});
after(async () => {
  await stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the demo as documented, with the port and the folder of the test. */
async function startDemo(): Promise<void> {
  const demo = spawn(process.execPath, ['packages/chancery/bin/chancery.js', 'demo'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_NO_WARNINGS: '1', PORT: String(port), DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stop = async () => {
    if (demo.exitCode !== null) return;
    demo.kill('SIGTERM');
    await once(demo, 'exit');
  };
  demo.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await eventually('the demo serves or has ended', () => said.includes('Stop with') || demo.exitCode !== null);
  assert.match(said, /Stop with/, said);
}

/** Keeps the host, because the service knows itself by one of the two. */
const onOurPort = (script: string) => script.replaceAll(/(localhost|127\.0\.0\.1):8080/g, `$1:${port}`);

const run = (script: string, cwd: string) => typed(script, { cwd, scratch: folder, port });

// Before the guides, which add work and remove documents.
test(
  'the tour of the console has a picture of each screen, and SCREENSHOTS=docs/images renews it',
  { skip: skip || withoutBrowser },
  async () => {
    const named = [
      ...readFileSync('docs/tutorials/tour-of-the-console.md', 'utf8').matchAll(/!\[[^\]]{20,}\]\(\.\.\/images\/console-(\w+)\.png\)/g),
    ];
    const pictures = await picturesOfConsole(`http://127.0.0.1:${port}`);
    assert.deepEqual(
      named.map(([, name]) => name),
      [...pictures.keys()],
    );
    for (const [name, picture] of pictures) {
      const file = `docs/images/console-${name}.png`;
      if (process.env.SCREENSHOTS !== undefined) writeFileSync(join(process.env.SCREENSHOTS, basename(file)), picture);
      assert.deepEqual(sizeOf(readFileSync(file)), sizeOf(picture));
      assert.ok(readFileSync(file).length <= 200_000);
    }
  },
);

test('the first five minutes of the README work as documented, and each webhook of them is verified', { skip }, async () => {
  const readme = readFileSync('README.md', 'utf8');
  const [, script = ''] = /## The first five minutes[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  const saidBefore = said.length;
  // Prints the variables for the test.
  const { answered, complaints, exit } = await run(`${onOurPort(script)}\necho; echo "$DOCUMENT $WORKFLOW $TASK"`, '.');
  assert.deepEqual(exit, [0, null], complaints);
  const [, document, workflow, task] = /^([\w-]{36}) ([\w-]{36}) ([\w-]{36})$/m.exec(answered) ?? [];
  const [started = '', completed = '', journal = ''] = answered.split(/(?<=\})(?=\{"(?:id|events)":)/);
  assert.deepEqual([JSON.parse(started).id, JSON.parse(started).documentId, JSON.parse(started).status], [workflow, document, 'active']);
  assert.deepEqual([JSON.parse(completed).id, JSON.parse(completed).status], [task, 'completed']);
  const { events } = JSON.parse(journal.split('\n')[0] ?? '');
  assert.ok(events.some(({ type, target }: any) => type === 'task.completed' && target.id === task));
  await eventually('the receiver verified the events', () => /task\.completed .*signature verified/.test(said.slice(saidBefore)));
  assert.doesNotMatch(said, /NOT VERIFIED/);
});

for (const [name, text, blockCount] of [
  ['sign-users-in', guide, 11],
  ['manage-teams', teamGuide, 6],
] as const)
  test(`each line of the guide ${name} prints its documented output`, { skip }, async () => {
    const project = checkoutIn(join(folder, `project-${name}`));
    const blocks = blocksOf(text, 'sh run');
    assert.equal(blocks.length, blockCount);
    const script = onOurPort(blocks.join('\n')).replaceAll('DATA_DIR=./data/demo', `DATA_DIR=${join(folder, 'data')}`);
    const { answered, complaints, exit } = await run(script, project);
    assert.deepEqual(answered.trimEnd().split('\n'), promisedBy(script), complaints);
    assert.deepEqual(exit, [0, null], complaints);
  });

test('the commands of the guides succeed with the token of the README', { skip }, async () => {
  const [, readme = ''] = /## The first five minutes[\s\S]*?```sh\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const [signIn = ''] = /[\s\S]*?TOKEN=[\s\S]*?\n(?=\n)/.exec(readme) ?? [];
  for (const name of [
    'guides/run-workflows',
    'guides/manage-tasks',
    'guides/share-documents',
    'guides/connect-api-clients',
    'guides/use-registries',
    'guides/take-bookings',
    'guides/build-forms',
    'guides/set-up-agents',
    'guides/connect-mcp',
    'guides/generate-documents',
    'guides/collect-signatures',
    'guides/handle-webhooks',
    'guides/build-a-console',
    'guides/prove-records',
  ]) {
    const blocks = blocksOf(readFileSync(`docs/${name}.md`, 'utf8'), 'sh');
    const place = checkoutIn(join(folder, name.replace('/', '-')));
    const script = onOurPort(`${signIn}\n${blocks.join('\n')}`).replaceAll('DATA_DIR=./data/demo', `DATA_DIR=${join(folder, 'data')}`);
    const { answered, complaints, exit } = await run(script, place);
    assert.deepEqual(exit, [0, null], complaints);
    assert.match(
      answered,
      /"status":"(?:active|draft|preparing|queued|running|ok)"|"outcome":"completed"|"success":true|"tools"|"grants"|"clientSecret"|webhook\.test|✓|event: ready[^]*The parties agree/,
    );
    assert.doesNotMatch(answered, /"request_id"/, 'no request returns a problem');
  }
});

test(
  'the README has a picture of the pages of the demo, and SCREENSHOTS=docs/images renews it',
  { skip: skip || withoutBrowser },
  async () => {
    const file = 'docs/images/demo-pages.png';
    assert.ok(readFileSync('README.md', 'utf8').includes(`(${file})`));
    const printed = (name: string) => new RegExp(`^  ${name} +(http\\S+)$`, 'm').exec(said)?.[1] ?? '';
    const picture = await pictureOfDemo({ origin: `http://127.0.0.1:${port}`, form: printed('Form'), signing: printed('Signing page') });
    if (process.env.SCREENSHOTS !== undefined) writeFileSync(join(process.env.SCREENSHOTS, basename(file)), picture);
    assert.deepEqual(sizeOf(readFileSync(file)), sizeOf(picture));
    assert.ok(readFileSync(file).length <= 200_000);
  },
);

const sizeOf = (png: Buffer) => [png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)];

test('each error code that a page names after a status exists', () => {
  const known = new Set<string>();
  for (const file of globSync('src/**/*.ts')) {
    const [, ...declared] = readFileSync(file, 'utf8').split('defineProblems({');
    for (const [, code = ''] of declared.join('').matchAll(/^ {2}(\w+): \{$/gm)) known.add(code);
  }
  const named = globSync('docs/{guides,concepts,tutorials,reference}/*.md').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b[45]\d\d((?:,? `[a-z]+(?:_[a-z]+)*`)+)/g)].flatMap(([, codes = '']) =>
      [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => code),
    ),
  );
  assert.ok(named.length > 100);
  assert.deepEqual(
    named.filter((code) => !known.has(code)),
    [],
  );
});

test('each file that the security verification names as evidence exists', () => {
  const table = readFileSync('docs/internals/security-verification.md', 'utf8');
  const named = [...table.matchAll(/`((?:test\/)?[a-z]+\/[\w./-]+\.ts)`/g)].map(([, file = '']) => file);
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.filter((file) => !existsSync(file.startsWith('test/') ? file : join('src', file))),
    [],
  );
});
