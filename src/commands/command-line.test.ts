import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { type CommandOutput, typedCommand } from '../../test/command-line.ts';
import { exhaustiveTest } from '../../test/tier.ts';

/** A data directory that stays empty: no command in this file may run. */
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-typed-'));
});
after(() => rm(folder, { recursive: true }));

const typed = (line: string, env: Record<string, string> = {}): Promise<CommandOutput> =>
  typedCommand(line === '' ? [] : line.split(' '), { DATA_DIR: folder, ...env });

const commands = ['serve', 'demo', 'keys', 'migrate', 'staff', 'doctor', 'team', 'webhooks', 'jobs', 'audit', 'openapi'];

test('--help at any position prints the usage and does not run the command', async () => {
  for (const name of commands) {
    for (const line of [`${name} --help`, `${name} -h`, `help ${name}`, `${name} something --help`]) {
      const { code, stdout, stderr } = await typed(line);
      assert.deepEqual({ line, code, stderr }, { line, code: 0, stderr: '' });
      assert.match(stdout, new RegExp(`^Usage:\\s+chancery ${name}`), line);
    }
  }
  const { stdout } = await typed('');
  for (const name of commands) assert.match(stdout, new RegExp(`^  ${name}\\b`, 'm'));
  assert.equal((await typed('--version')).stdout, `${manifest.version}\n`);
  assert.deepEqual(await readdir(folder), []);
});

test('wrong usage exits with 2, prints the reason and the usage, and does not run the command', async () => {
  const lines: [line: string, says: RegExp][] = [
    ['sever', /^chancery has no command sever\.$/],
    ['constructor', /^chancery has no command constructor\.$/],
    ['serve --port 1', /^Unknown option '--port'\.$/],
    ['serve extra', /^Unexpected argument 'extra'\. This command does not take positional arguments\.$/],
    ['serve --role', /^Option '--role <value>' argument missing\.$/],
    ['serve --role nobody', /^--role must be one of all, api, worker\.$/],
    ['migrate --dry-run', /^Unknown option '--dry-run'\.$/],
    ['migrate extra', /^Unexpected argument 'extra'/],
    ['openapi extra', /^Unexpected argument 'extra'/],
    ['keys', /^Specify an action: rotate, rotate-master, authority\.$/],
    ['keys constructor', /^Specify an action: rotate, /],
    ['keys rotate --purpose none', /^--purpose must be one of access, /],
    ['keys rotate --now --compromised', /^Use either --now or --compromised\.$/],
    ['keys rotate-master --now', /^keys rotate-master does not accept --now\.$/],
    ['keys authority --compromised', /^keys authority does not accept --compromised\.$/],
    ['keys rotate extra', /^Specify an action: rotate, /],
    ['staff', /^Specify an action: create, list, enable, disable, reset-totp, password-link\.$/],
    ['staff list extra', /^Specify an action: create, /],
    ['staff disable', /^Specify the account: --email <address>\.$/],
    ['staff create --email a@example.org', /^Specify the name of the person: --name <name>\.$/],
    ['doctor extra', /^Unexpected argument 'extra'/],
    ['team', /^Specify an action: create, or export <id>\.$/],
    ['team create extra --name A --owner a@example.org', /^Specify an action: create, /],
    ['team create --name A', /^Specify the owner: --owner <address>\.$/],
    ['team create --name A --owner a.example.org', /^`email` must be an e-mail address\.$/],
    ['team create --owner a@example.org', /^Specify a name of 1 to 200 characters: --name <name>\.$/],
    ['team create --name A --owner a@example.org --language xx', /^--language must be one of en, de, ar, ja\.$/],
    ['team export x --to y', /^Specify an action: create, /],
    ['webhooks', /^Specify an action: listen\.$/],
    ['webhooks listen --secret x', /^A secret begins with whsec_/],
    ['jobs', /^Specify an action: list or retry\.$/],
    ['jobs retry', /^Specify a job ID, --job or --all\.$/],
    ['audit', /^Specify an action: verify, export or key\.$/],
    ['audit key extra', /^Specify an action: verify, /],
    ['audit verify --file x', /^Specify the key of the journal: --key <key>\.$/],
    ['audit export', /^Specify the team: --team <id>\.$/],
  ];
  for (const [line, says] of lines) {
    const { code, stdout, stderr } = await typed(line);
    assert.deepEqual({ line, code, stdout }, { line, code: 2, stdout: '' });
    assert.match(stderr.split('\n')[0] ?? '', says, line);
    assert.match(stderr, /^Usage:/m, line);
  }
  assert.deepEqual(await readdir(folder), []);
});

test('an unreachable database is reported with the setting and without the password', async () => {
  const env = { DATABASE_URL: 'postgres://user:hunter2secret@127.0.0.1:1/x', MASTER_KEY: Buffer.alloc(32, 1).toString('base64') };
  for (const line of [
    'migrate',
    'staff list',
    'jobs list',
    'audit verify',
    'audit key',
    'keys rotate',
    'keys authority',
    'doctor --files',
  ]) {
    const { code, stdout, stderr } = await typed(line, env);
    assert.equal(code, 1, line);
    assert.match(stderr, /^DATABASE_URL cannot be used to connect\. Check host, user, password and database name\.$/m, line);
    assert.ok(!`${stdout}${stderr}`.includes('hunter2secret'), line);
  }
});

test('commands on existing data create no database and name the setting', async () => {
  for (const line of ['audit verify', 'audit key', 'jobs list', 'keys rotate', 'doctor --files']) {
    const { code, stderr } = await typed(line);
    assert.equal(code, 1, line);
    assert.match(stderr, /There is no database in \S+\. Set DATA_DIR to the folder of the service/, line);
    assert.doesNotMatch(stderr, /\n {4}at /, line);
  }
  assert.deepEqual(await readdir(folder), []);
});

test('a data directory that cannot be created is reported with the setting', async () => {
  const { code, stderr } = await typed('migrate', { DATA_DIR: '/proc/chancery' });
  assert.equal(code, 1);
  assert.match(stderr, /^The data directory \/proc\/chancery cannot be created .*\. Choose another with DATA_DIR\.$/m);
});

exhaustiveTest('a command whose reader has gone ends without a message, as with SIGPIPE', () => {
  const script = '"$0" packages/chancery/bin/chancery.js openapi | head -c 1; echo " ${PIPESTATUS[0]}"';
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script, process.execPath], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1' },
  });
  assert.deepEqual({ stdout, stderr }, { stdout: '{ 141\n', stderr: '' });
});

test('the program starts through a symbolic link, also with --preserve-symlinks-main', async (t) => {
  const links = await mkdtemp(join(tmpdir(), 'chancery-link-'));
  t.after(() => rm(links, { recursive: true }));
  const link = join(links, 'chancery');
  await symlink(resolve('packages/chancery/bin/chancery.js'), link);
  for (const flags of [[], ['--preserve-symlinks-main']]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, link, '--version'], { encoding: 'utf8', cwd: links });
    assert.deepEqual({ flags, status, stdout, stderr }, { flags, status: 0, stdout: `${manifest.version}\n`, stderr: '' });
  }
});
