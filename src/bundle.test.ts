import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { findPackageJSON, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test, type TestContext } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundledEntry } from './bundle.ts';

const entry = 'src/hello.ts';

/** Creates a project with two modules and a file that one of them reads. */
function project(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'chancery-bundle-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'src/words'), { recursive: true });
  const put = (name: string, text: string) => writeFileSync(join(root, name), text);
  put('package.json', '{ "type": "module" }');
  put(entry, "import { greeting } from './words/greeting.ts';\nexport const said: string = greeting();\n");
  put(
    'src/words/greeting.ts',
    "import { readFileSync } from 'node:fs';\nexport const greeting = () => readFileSync(new URL('name.txt', import.meta.url), 'utf8') + ', hello';\n",
  );
  put('src/words/name.txt', 'Ada');
  const folder = join(root, '.bundle');
  const said = async (bundlePath: string) => ((await import(bundlePath)) as { said: string }).said;
  return { root, put, folder, said, source: pathToFileURL(join(root, entry)).href };
}

/** Returns the files of a bundle with their creation times. */
const writtenAt = (folder: string) => readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ctimeMs]);

test('a program is bundled at its first start, reads files next to its modules, and is not bundled again', async (t) => {
  const { root, folder, said, source } = project(t);
  const bundlePath = await bundledEntry(root, entry);
  assert.notEqual(bundlePath, source);
  assert.equal(await said(bundlePath), 'Ada, hello');
  const before = writtenAt(folder);
  assert.equal(await bundledEntry(root, entry), bundlePath);
  assert.deepEqual(writtenAt(folder), before);
});

test('a changed source leads to a new bundle, even with the same size and time', async (t) => {
  const { root, put, said } = project(t);
  const module = join(root, 'src/words/greeting.ts');
  const first = await bundledEntry(root, entry);
  const { atime, mtime } = statSync(module);
  put('src/words/greeting.ts', readFileSync(module, 'utf8').replace('hello', 'howdy'));
  utimesSync(module, atime, mtime);
  const second = await bundledEntry(root, entry);
  assert.notEqual(second, first);
  assert.equal(await said(second), 'Ada, howdy');
  put('src/words/greeting.ts', "import { word } from './word.ts';\nexport const greeting = () => word;\n");
  put('src/words/word.ts', "export const word = 'one';\n");
  assert.equal(await said(await bundledEntry(root, entry)), 'one');
  put('src/words/word.ts', "export const word = 'two';\n");
  assert.equal(await said(await bundledEntry(root, entry)), 'two');
});

test('another version of a library leads to another bundle', async (t) => {
  const { root, put, folder } = project(t);
  await bundledEntry(root, entry);
  const before = writtenAt(folder);
  put('package-lock.json', '{}');
  await bundledEntry(root, entry);
  assert.notDeepEqual(writtenAt(folder), before);
});

test('a bundle is rebuilt if the installed libraries differ from its libraries', async (t) => {
  const { root, put, said } = project(t);
  const install = (version: string) => {
    mkdirSync(join(root, 'node_modules/yaml'), { recursive: true });
    put('node_modules/yaml/package.json', `{ "name": "yaml", "version": "${version}", "type": "module", "exports": "./index.js" }`);
    put('node_modules/yaml/index.js', `export const version = '${version}';\n`);
  };
  // As after an update of the sources and before the installation of their libraries.
  install('1.0.0');
  put(entry, "export { version as said } from 'yaml';\n");
  assert.equal(await said(await bundledEntry(root, entry)), '1.0.0');
  install('1.0.1');
  assert.equal(await said(await bundledEntry(root, entry)), '1.0.1');
});

test('a bundle with a truncated or missing file is rebuilt', async (t) => {
  const { root, said } = project(t);
  const bundlePath = await bundledEntry(root, entry);
  truncateSync(fileURLToPath(bundlePath), 0);
  assert.equal(await bundledEntry(root, entry), bundlePath);
  assert.ok(statSync(fileURLToPath(bundlePath)).size > 0);
  rmSync(fileURLToPath(bundlePath));
  assert.equal(await said(await bundledEntry(root, entry)), 'Ada, hello');
});

test('fifty concurrent starts all get one complete bundle', async (t) => {
  const { root, folder, said } = project(t);
  const bundlePaths = new Set(await Promise.all(Array.from({ length: 50 }, () => bundledEntry(root, entry))));
  assert.equal(bundlePaths.size, 1);
  for (const bundlePath of bundlePaths) assert.equal(await said(bundlePath), 'Ada, hello');
  assert.deepEqual(
    readdirSync(folder).filter((name) => !/\.(?:mjs|json)$/.test(name)),
    [],
  );
});

const weekAgo = new Date(Date.now() - 8 * 86_400_000);
const age = (folder: string) => readdirSync(folder).forEach((name) => utimesSync(join(folder, name), weekAgo, weekAgo));

test('the files of a replaced bundle stay for a week, for a running service', async (t) => {
  const { root, put, folder } = project(t);
  const first = fileURLToPath(await bundledEntry(root, entry));
  // The bundle was built when the service started, a long time ago.
  age(folder);
  put(entry, "export const said = 'other';\n");
  await bundledEntry(root, entry);
  assert.ok(statSync(first).isFile());
  utimesSync(first, weekAgo, weekAgo);
  put(entry, "export const said = 'third';\n");
  const last = fileURLToPath(await bundledEntry(root, entry));
  assert.throws(() => statSync(first), { code: 'ENOENT' });
  // A bundle in use stays, regardless of its age.
  utimesSync(last, weekAgo, weekAgo);
  await bundledEntry(root, entry);
  assert.ok(statSync(last).isFile());
  assert.ok(readdirSync(folder).length > 0);
});

test('bundles of a copied project are deleted after two weeks, and other files in the folder stay', async (t) => {
  const { root, put, folder } = project(t);
  const other = project(t);
  await bundledEntry(other.root, entry);
  cpSync(other.folder, folder, { recursive: true });
  const brought = readdirSync(folder);
  put('.bundle/notes.json', 'no manifest');
  put('.bundle/notes.txt', 'something else');
  for (const word of ['one', 'two', 'three']) {
    age(folder);
    put(entry, `export const said = '${word}';\n`);
    await bundledEntry(root, entry);
    if (word === 'one') for (const name of brought.filter((one) => one.endsWith('.mjs'))) assert.ok(statSync(join(folder, name)).isFile());
  }
  const left = readdirSync(folder);
  assert.deepEqual(
    brought.filter((name) => left.includes(name)),
    [],
  );
  assert.ok(left.includes('notes.json') && left.includes('notes.txt'));
});

test('a start with a full disk leaves no partial file', (t) => {
  const { root, put, folder, source } = project(t);
  put(entry, `export const said = '${'word '.repeat(1000)}';\n`);
  const bundlePath = `import { bundledEntry } from ${JSON.stringify(new URL('bundle.ts', import.meta.url).href)};
    console.log(await bundledEntry(${JSON.stringify(root)}, ${JSON.stringify(entry)}));`;
  const bounded = `ulimit -f 1; trap '' XFSZ; exec "$0" --input-type=module --eval "$1"`;
  const { stdout } = spawnSync('sh', ['-c', bounded, process.execPath, bundlePath], { encoding: 'utf8' });
  assert.equal(stdout.trim(), source);
  assert.deepEqual(readdirSync(folder), []);
});

test('the source runs without a writable folder, with a syntax error, and on request', async (t) => {
  const { root, put, folder, source } = project(t);
  put('.bundle', 'a file in the place of the folder');
  assert.equal(await bundledEntry(root, entry), source);
  rmSync(join(root, '.bundle'));
  put(entry, 'export const said: string = ;\n');
  assert.equal(await bundledEntry(root, entry), source);
  put(entry, "export const said = 'fine';\n");
  process.env.CHANCERY_BUNDLE = 'off';
  t.after(() => delete process.env.CHANCERY_BUNDLE);
  assert.equal(await bundledEntry(root, entry), source);
  assert.deepEqual(readdirSync(folder), []);
});

test('all imports of the service bundle can be resolved', async () => {
  const bundlePath = await bundledEntry(process.cwd(), 'src/commands/command-line.ts');
  const folder = fileURLToPath(new URL('.', bundlePath));
  const seen = new Set<string>();
  const imported = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, own = ''] of text.matchAll(/(?:from|import|import\() ?"\.\/([^"]+\.mjs)"/g)) imported(own);
    for (const [, name = ''] of text.matchAll(/^(?:import|} from) [^"'\n]*"([^".][^"]*)";$/gm))
      if (!isBuiltin(name)) assert.ok(findPackageJSON(name, bundlePath), `${file} imports ${name}`);
  };
  imported(bundlePath.slice(bundlePath.lastIndexOf('/') + 1));
  assert.ok(seen.size > 20, 'each command and the service have separate files');
});
