import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { type CommandOutput, typedCommand } from '../../test/command-line.ts';

/** A folder that stays empty: none of what is typed here is to be carried out. */
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chancery-typed-'));
});
after(() => rm(folder, { recursive: true }));

const typed = (line: string, env: Record<string, string> = {}): Promise<CommandOutput> =>
  typedCommand(line === '' ? [] : line.split(' '), { DATA_DIR: folder, ...env });

const commands = ['serve', 'demo', 'keys', 'migrate', 'staff', 'doctor', 'webhooks', 'jobs', 'audit', 'openapi'];

test('a command that is asked how it is called says so, wherever that is asked, and does nothing', async () => {
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

test('what makes no sense ends with 2, a sentence that says why and how the command is called, and is not carried out', async () => {
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
    ['keys', /^Say what to do with the keys: rotate, rotate-master, authority\.$/],
    ['keys constructor', /^Say what to do with the keys/],
    ['keys rotate --purpose none', /^--purpose must be one of access, /],
    ['keys rotate --now --compromised', /^Give either --now or --compromised\.$/],
    ['keys rotate-master --now', /^keys rotate-master takes no --now\.$/],
    ['keys authority --compromised', /^keys authority takes no --compromised\.$/],
    ['keys rotate extra', /^Say what to do with the keys/],
    ['staff', /^Say what to do: create, list, enable, disable, reset-totp, password-link\.$/],
    ['staff list extra', /^Say what to do: create, /],
    ['staff disable', /^Say whose account it is: --email <address>\.$/],
    ['staff create --email a@example.org', /^Say what they are called: --name <name>\.$/],
    ['doctor extra', /^Unexpected argument 'extra'/],
    ['webhooks', /^Say what to do: webhooks listen\.$/],
    ['webhooks listen --secret x', /^A secret begins with whsec_/],
    ['jobs', /^Say what to do with the jobs: list or retry\.$/],
    ['jobs retry', /^Say which: the id of a job, --job or --all\.$/],
    ['audit', /^Say what to do with the journal: verify, export or key\.$/],
    ['audit key extra', /^Say what to do with the journal/],
    ['audit verify --file x', /^Say which key to verify the export with: --key <key>\.$/],
    ['audit export', /^Say whose journal: --team <id>\.$/],
  ];
  for (const [line, says] of lines) {
    const { code, stdout, stderr } = await typed(line);
    assert.deepEqual({ line, code, stdout }, { line, code: 2, stdout: '' });
    assert.match(stderr.split('\n')[0] ?? '', says, line);
    assert.match(stderr, /^Usage:/m, line);
  }
  assert.deepEqual(await readdir(folder), []);
});

test('a command whose database does not answer names the setting, and shows nothing of the password', async () => {
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
    assert.match(
      stderr,
      /^DATABASE_URL leads to a database that does not let this service in: check host, user, password and name\.$/m,
      line,
    );
    assert.ok(!`${stdout}${stderr}`.includes('hunter2secret'), line);
  }
});

test('a command about what is there makes no database where there is none, and names the setting', async () => {
  for (const line of ['audit verify', 'audit key', 'jobs list', 'keys rotate', 'doctor --files']) {
    const { code, stderr } = await typed(line);
    assert.equal(code, 1, line);
    assert.match(stderr, /There is no database in \S+ yet: set DATA_DIR to the folder of the service/, line);
    assert.doesNotMatch(stderr, /\n {4}at /, line);
  }
  assert.deepEqual(await readdir(folder), []);
});

test('a data directory that cannot be made ends with a sentence', async () => {
  const { code, stderr } = await typed('migrate', { DATA_DIR: '/proc/chancery' });
  assert.equal(code, 1);
  assert.match(stderr, /^The data directory \/proc\/chancery cannot be made .*: choose another with DATA_DIR\.$/m);
});

test('the program is found by a link to it, also where Node.js keeps to the link', async (t) => {
  const links = await mkdtemp(join(tmpdir(), 'chancery-link-'));
  t.after(() => rm(links, { recursive: true }));
  const link = join(links, 'chancery');
  await symlink(resolve('bin/chancery.js'), link);
  for (const flags of [[], ['--preserve-symlinks-main']]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, link, '--version'], { encoding: 'utf8', cwd: links });
    assert.deepEqual({ flags, status, stdout, stderr }, { flags, status: 0, stdout: `${manifest.version}\n`, stderr: '' });
  }
});
