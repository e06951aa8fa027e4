import assert from 'node:assert/strict';
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { startReceiver } from '../src/commands/demo/receiver-process.ts';
import { runMainScenario } from '../src/commands/demo/main-job.ts';
import { startEmbeddedServer } from '../src/platform/database/embedded.ts';
import { withAdmin } from './postgres.ts';
import { freePort } from './spawned.ts';
import { eventually } from './webhook-receiver.ts';

const missing = ['buildah', 'mmdebstrap', 'unshare', 'npm'].filter((command) => spawnSync(command, ['--version']).status !== 0);
const sources = '/etc/apt/sources.list.d/debian.sources';
const skip =
  missing.length > 0
    ? `this machine has no ${missing.join(' and no ')}`
    : process.getuid?.() !== 0 || spawnSync('unshare', ['--mount', 'true']).status !== 0
      ? 'only root can mount the image, outside of most containers'
      : spawnSync('npm', ['view', 'pino', 'version'], { timeout: 60_000 }).status !== 0 || !existsSync(sources)
        ? 'this machine reaches no package registry'
        : false;

const base = `localhost/chancery-node:${process.versions.node}-trixie`;
const image = 'localhost/chancery:test';
const certificates = '/etc/ssl/certs/ca-certificates.crt';

/** The configuration of an image, as a container engine uses it. */
type ImageConfig = {
  User: string;
  Env: string[];
  WorkingDir: string;
  Entrypoint: string[];
  Healthcheck: { Test: string[] };
  Volumes: object;
};

/** Makes a base like the official image of Node.js from Debian packages and this Node.js, because not every machine reaches an image registry. */
async function makeBase(folder: string): Promise<void> {
  if (spawnSync('buildah', ['inspect', '--type', 'image', base]).status === 0) return;
  const trixie = join(folder, 'trixie.sources');
  writeFileSync(trixie, readFileSync(sources, 'utf8').replaceAll('bookworm', 'trixie'));
  const npm = join(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()), '../..');
  const addNode = `mkdir -p "$1/usr/local/lib/node_modules" "$1/usr/local/etc"
    cp ${process.execPath} "$1/usr/local/bin/node"
    cp -a ${npm} "$1/usr/local/lib/node_modules/npm"
    ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"
    cp ${certificates} "$1${certificates}"
    echo cafile=${certificates} > "$1/usr/local/etc/npmrc"`;
  const packages = '--include=ca-certificates,libatomic1';
  await promisify(execFile)('mmdebstrap', [
    '--quiet',
    '--variant=minbase',
    packages,
    `--customize-hook=${addNode}`,
    'trixie',
    join(folder, 'base.tar'),
    trixie,
  ]);
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  writeFileSync(join(folder, 'Dockerfile'), `FROM scratch\nADD base.tar /\nENV PATH=${path}\n`);
  await build(['--tag', base, folder]);
  rmSync(join(folder, 'base.tar'));
}

const build = (args: string[]) =>
  promisify(execFile)('buildah', ['bud', '--isolation', 'chroot', '--format', 'docker', '--layers=false', ...args], {
    maxBuffer: 64 * 1024 * 1024,
  });

/**
 * Runs a program as a container engine with a read-only root does: the root of the image, its volumes, secrets in files, no capabilities. It stays in
 * the network of this machine.
 */
const enter = `
  mount --bind "$IMAGE" "$AT"
  mount -o remount,bind,ro "$AT"
  for volume in tmp var/lib/chancery; do mount --bind "$VOLUMES/$volume" "$AT/$volume"; done
  mount -t proc proc "$AT/proc"
  mount --rbind /dev "$AT/dev"
  mount -t tmpfs -o mode=755 tmpfs "$AT/run"
  mkdir "$AT/run/secrets" "$AT/run/postgresql"
  mount --bind "$SECRETS" "$AT/run/secrets"
  mount --bind "$SOCKETS" "$AT/run/postgresql"
  exec chroot "$AT" setpriv --reuid "\${OWNER%:*}" --regid "\${OWNER#*:}" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all env -i "$@"`;

describe('the image of deploy/Dockerfile', { skip, timeout: 600_000 }, () => {
  let folder: string;
  let container: string;
  let root: string;
  let config: ImageConfig;
  let database: Awaited<ReturnType<typeof startEmbeddedServer>>;
  const ended: (() => Promise<unknown>)[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'chancery-image-'));
    chmodSync(folder, 0o755);
    for (const name of ['at', 'context', 'secrets', 'volumes/var/lib', 'base']) mkdirSync(join(folder, name), { recursive: true });
    await makeBase(join(folder, 'base'));
    cpSync('deploy', join(folder, 'context'), { recursive: true });
    execFileSync(process.execPath, ['scripts/pack.ts', join(folder, 'context')]);
    await build(['--build-arg', `NODE_IMAGE=${base}`, '--tag', image, join(folder, 'context')]);
    container = execFileSync('buildah', ['from', image], { encoding: 'utf8' }).trim();
    root = execFileSync('buildah', ['mount', container], { encoding: 'utf8' }).trim();
    config = JSON.parse(execFileSync('buildah', ['inspect', '--type', 'image', image], { encoding: 'utf8' })).Docker.config;
    // A new volume has the content, the owner and the mode of its folder in the image.
    execFileSync('cp', ['-a', join(root, 'tmp'), join(folder, 'volumes/tmp')]);
    execFileSync('cp', ['-a', join(root, 'var/lib/chancery'), join(folder, 'volumes/var/lib/chancery')]);
    database = await startEmbeddedServer({ dataDir: join(folder, 'database'), log: pino({ level: 'error' }), settings: { fsync: 'off' } });
    const { host, user } = database.connection;
    chmodSync(host, 0o755);
    await withAdmin(`postgres://${user}@localhost/postgres?host=${encodeURIComponent(host)}`, async (client) => {
      await client.query('CREATE ROLE service LOGIN CREATEROLE');
      await client.query('CREATE DATABASE service OWNER service');
    });
    writeFileSync(join(folder, 'secrets/master-key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
    writeFileSync(join(folder, 'secrets/database-url'), 'postgres://service@localhost/service?host=/run/postgresql\n');
  });
  after(async () => {
    for (const end of ended) await end();
    await database?.stop();
    if (container) spawnSync('buildah', ['rm', container]);
    spawnSync('buildah', ['rmi', image]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a program in the image with its environment and secrets in files. */
  function start(command: string[], settings: Record<string, string> = {}): { child: ChildProcess; output(): string } {
    const own = {
      MASTER_KEY_FILE: '/run/secrets/master-key',
      DATABASE_URL_FILE: '/run/secrets/database-url',
      BASE_URL: 'https://chancery.example',
      ...settings,
    };
    const variables = [...config.Env, ...Object.entries(own).map(([name, value]) => `${name}=${value}`)];
    const child = spawn('unshare', ['--mount', 'sh', '-ec', enter, 'sh', `--chdir=${config.WorkingDir}`, ...variables, ...command], {
      env: {
        PATH: process.env.PATH,
        IMAGE: root,
        AT: join(folder, 'at'),
        VOLUMES: join(folder, 'volumes'),
        SECRETS: join(folder, 'secrets'),
        SOCKETS: database.connection.host,
        OWNER: config.User,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return { child, output: () => output };
  }

  async function run(command: string[], settings: Record<string, string> = {}): Promise<{ code: number; output: string }> {
    const { child, output } = start(command, settings);
    const [code] = await once(child, 'close');
    return { code, output: output() };
  }

  /** Starts the service and waits until its health check succeeds. */
  async function serve(settings: Record<string, string>) {
    const [, ...check] = config.Healthcheck.Test;
    const running = start([...config.Entrypoint, 'serve'], settings);
    const stop = async () => {
      if (running.child.exitCode === null) {
        running.child.kill('SIGTERM');
        await once(running.child, 'exit');
      }
      return running.child.exitCode;
    };
    ended.push(stop);
    await eventually(
      'the service is healthy or has ended',
      async () => running.child.exitCode !== null || (await run(check, settings)).code === 0,
    );
    assert.equal(running.child.exitCode, null, running.output());
    return { stop, output: running.output };
  }

  test('runs as an ordinary user, who can write only to its volumes', async () => {
    assert.equal(config.User, '10001:10001');
    assert.deepEqual(Object.keys(config.Volumes).toSorted(), ['/tmp', '/var/lib/chancery']);
    const found = await run(['sh', '-c', 'find / -xdev ! -type l "(" -user 10001 -o -perm -0002 ")" -print 2>/dev/null']);
    assert.deepEqual(found.output.trim().split('\n').toSorted(), ['/tmp', '/var/lib/chancery', '/var/tmp']);
    const written = await run(['sh', '-c', 'touch /tmp/a /var/lib/chancery/a && echo volumes; touch /var/tmp/a']);
    assert.match(written.output, /^volumes\ntouch: .*Read-only file system\n$/);
  });

  test('migrates and serves in production with secrets in files, is healthy, and stops at SIGTERM', async () => {
    const port = String(await freePort());
    const migrated = await run([...config.Entrypoint, 'migrate']);
    assert.equal(migrated.code, 0, migrated.output);
    const { stop } = await serve({ PORT: port, HEALTH_PORT: port });
    assert.deepEqual(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json(), { status: 'ok' });
    assert.equal(await stop(), 0);
    const [, ...check] = config.Healthcheck.Test;
    assert.equal((await run(check, { PORT: port, HEALTH_PORT: port })).code, 1);
  });

  test('has the fonts of all languages', async () => {
    const { output } = await run([...config.Entrypoint, 'doctor']);
    assert.match(output, /✓ the fonts of all languages are installed/);
    assert.match(output, /✓ the data directory is writable/);
  });

  test('plays the demo: documents are read, made and sealed without a writable root', async () => {
    const port = String(await freePort());
    const receiver = await startReceiver();
    ended.push(async () => receiver.stop());
    const { stop } = await serve({
      NODE_ENV: 'development',
      PORT: port,
      BASE_URL: `http://127.0.0.1:${port}`,
      AGENT_MODEL_PROTOCOL: 'simulated',
    });
    const said: string[] = [];
    const isDone = await runMainScenario(`http://127.0.0.1:${port}`, receiver, (text) => said.push(text));
    assert.ok(isDone, said.join('\n'));
    assert.match(said.join('\n'), /✓ seal verified/);
    assert.equal(await stop(), 0);
  });
});
