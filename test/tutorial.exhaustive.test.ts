import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { openApi } from '@chancery/client';
import { refreshTokenOf, session } from '../examples/nda-desk/credentials.ts';
import { blocksOf, checkoutIn, promisedBy, typed } from './guide.ts';
import { freePort } from './spawned.ts';
import { eventually } from './webhook-receiver.ts';

const tutorial = readFileSync('docs/tutorials/first-workflow.md', 'utf8');
const missing = ['bash', 'curl', 'unzip'].filter((command) => spawnSync(command, ['--version']).status !== 0);
const skip = missing.length > 0 && `this machine has no ${missing.join(' and no ')}`;

let folder: string;
let port: number;
let url: string;
let service: ChildProcess;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chancery-tutorial-'));
  // The database runs as another user if the tests run as root.
  chmodSync(folder, 0o755);
  port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [build, start = ''] = scripts.start.split(' && ');
  assert.equal(build, 'node scripts/build.ts');
  service = spawn(process.execPath, start.split(' ').slice(1), {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_NO_WARNINGS: '1',
      LOG_LEVEL: 'error',
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ready = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually('the service serves or has ended', async () => service.exitCode !== null || (await ready()));
  assert.equal(service.exitCode, null);
});
after(async () => {
  if (service.exitCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Runs an example program to its end and returns its output. */
async function run(executable: string, cwd: string, more: Record<string, string> = {}): Promise<string> {
  mkdirSync(cwd);
  const env = { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', BASE_URL: url, ...more };
  return (await promisify(execFile)(process.execPath, [resolve(executable)], { cwd, env })).stdout;
}

async function verifiesOffline(place: string): Promise<void> {
  const verify = [
    'packages/chancery/bin/chancery.js',
    'audit',
    'verify',
    '--file',
    join(place, 'journal.ndjson'),
    '--key',
    join(place, 'journal-keys.json'),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, verify, { env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1' } });
  assert.match(stdout, /from number 1 on without a gap/);
}

const casts = /\bas (?:unknown|never|any|string|number|[A-Z]\w*)\b|: any\b|@ts-|[\w)\]]!\./;

test('the tutorial works line by line as documented and ends with a verified journal', { skip }, async () => {
  assert.deepEqual(blocksOf(tutorial, 'sh start'), ['npm ci\nnpm start\n']);
  const place = checkoutIn(join(folder, 'checkout'));
  const receiverPort = await freePort();
  const onOurPorts = (text: string) => text.replaceAll(':8080', `:${port}`).replaceAll('8787', String(receiverPort));
  const [receiver = ''] = blocksOf(tutorial, 'ts receiver.ts');
  writeFileSync(join(place, 'receiver.ts'), onOurPorts(receiver));
  const blocks = blocksOf(tutorial, 'sh run');
  assert.ok(blocks.length >= 14, 'the tutorial has its code blocks');
  const script = onOurPorts(blocks.join('\n'));
  const { answered, complaints, exit } = await typed(script, { cwd: place, scratch: folder, port });
  assert.deepEqual(answered.trimEnd().split('\n'), promisedBy(script), complaints);
  assert.deepEqual(exit, [0, null], complaints);
  await verifiesOffline(place);
});

test('the tutorial of the vendor desk works line by line as documented, as does its program', { skip }, async () => {
  const vendorDesk = readFileSync('docs/tutorials/vendor-desk.md', 'utf8');
  assert.deepEqual(blocksOf(vendorDesk, 'sh start'), ['npm ci\nnpm start\n']);
  const receiverPort = await freePort();
  const script = blocksOf(vendorDesk, 'sh run').join('\n').replaceAll(':8080', `:${port}`).replaceAll('8787', String(receiverPort));
  const { answered, complaints, exit } = await typed(script, { cwd: checkoutIn(join(folder, 'vendor-desk')), scratch: folder, port });
  assert.deepEqual(answered.trimEnd().split('\n'), promisedBy(script), complaints);
  assert.deepEqual(exit, [0, null], complaints);

  assert.doesNotMatch(readFileSync('examples/vendor-desk/desk.ts', 'utf8'), casts);
  const said = await run('examples/vendor-desk/desk.ts', join(folder, 'vendor-program'));
  assert.match(said, /Bitte unterzeichnen[\s\S]*\{"name":"Acme GmbH","decision":"approved"\}\nevidence\.zip\n/);
});

test('the tutorial as code, with the generated client and without a cast, ends with a verified journal', async () => {
  assert.doesNotMatch(readFileSync('examples/nda-desk/desk.ts', 'utf8'), casts);
  const place = join(folder, 'desk');
  const said = await run('examples/nda-desk/desk.ts', place);
  assert.match(said, /with a second factor\n[\s\S]*Approve the NDA: approved\n[\s\S]*rotated the secret[\s\S]*2 documents, page by page/);
  await verifiesOffline(place);
});

test('the client of another public generator compiles and makes the same calls without a cast', async () => {
  const place = join(folder, 'other');
  mkdirSync(join(place, 'node_modules/@chancery'), { recursive: true });
  symlinkSync(resolve('packages/webhooks'), join(place, 'node_modules/@chancery/webhooks'));
  symlinkSync(resolve('node_modules/@types'), join(place, 'node_modules/@types'));
  for (const file of ['test/fixtures/other-client/desk.ts', 'examples/nda-desk/receiver.ts', 'examples/nda-desk/totp.ts'])
    cpSync(file, join(place, file.split('/').at(-1) ?? ''));
  writeFileSync(join(place, 'package.json'), '{"type": "module"}');
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ include: ['desk.ts'], compilerOptions }));
  writeFileSync(join(place, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text());
  const started = promisify(execFile);
  await started(process.execPath, ['packages/client/generate-other.ts', join(place, 'openapi.json'), join(place, 'api')]);
  assert.doesNotMatch(readFileSync(join(place, 'desk.ts'), 'utf8'), casts);
  await started('node_modules/.bin/tsc', ['--project', place]);
  const said = await run(join(place, 'desk.ts'), join(place, 'out'), { CONTRACT: resolve('demo/contract.pdf') });
  assert.match(said, /Approve the NDA: approved\n[\s\S]*exported the journal/);
  await verifiesOffline(join(place, 'out'));
});

/** As strict as the settings of users, without the options that the files of the generator do not support. */
const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'esnext',
  lib: ['esnext', 'dom', 'dom.iterable'],
  module: 'nodenext',
  noEmit: true,
  allowImportingTsExtensions: true,
  // Only a release of the package has types.
  paths: { '@chancery/webhooks': [resolve('packages/webhooks/index.ts')] },
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  types: ['node'],
};

test('a client whose access token expired refreshes it once and repeats the request with its body', async () => {
  const open = openApi(url);
  const [email, password] = [`renew.${Date.now()}@example.org`, 'CorrectHorse9Battery'];
  await open.POST('/api/v1/security/auth/register', { body: { email, password, firstName: 'Ada', lastName: 'Grace' } });
  const { data: mails = [] } = await open.GET('/dev/mail.json', { params: { query: { to: email } } });
  const code = /\d{6}/.exec(mails[0]?.subject ?? '')?.[0] ?? '';
  const { response } = await open.POST('/api/v1/security/auth/verify-email', { body: { email, code } });
  const person = openApi(url, session(url, { accessToken: 'an expired token', refreshToken: refreshTokenOf(response) }));
  const title = (n: number) => ({ body: { title: `Contract ${n}` } });
  // Sends several at once, because the refresh token can be used only once.
  const made = await Promise.all(Array.from({ length: 10 }, (_, n) => person.POST('/api/v1/smartdoc/documents/', title(n))));
  assert.deepEqual(
    made.map(({ data }) => data?.title),
    made.map((_, n) => `Contract ${n}`),
  );
  const { data: documents = [] } = await person.GET('/api/v1/smartdoc/documents/');
  assert.equal(documents.length, 10);
});
