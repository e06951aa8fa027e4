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

/** A project of two modules and a file that one of them reads. */
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

/** The files of a bundle, as long as none is made anew. */
const writtenAt = (folder: string) => readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ctimeMs]);

test('a program is put together at its first start, reads what is beside its modules, and is not made again', async (t) => {
  const { root, folder, said, source } = project(t);
  const bundlePath = await bundledEntry(root, entry);
  assert.notEqual(bundlePath, source);
  assert.equal(await said(bundlePath), 'Ada, hello');
  const before = writtenAt(folder);
  assert.equal(await bundledEntry(root, entry), bundlePath);
  assert.deepEqual(writtenAt(folder), before);
});

test('a source that was changed is never run as it was, also where its size and time are the same', async (t) => {
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

test('another set of libraries makes another bundle', async (t) => {
  const { root, put, folder } = project(t);
  await bundledEntry(root, entry);
  const before = writtenAt(folder);
  put('package-lock.json', '{}');
  await bundledEntry(root, entry);
  assert.notDeepEqual(writtenAt(folder), before);
});

test('a bundle that was made with other libraries than those that are installed by now is made again', async (t) => {
  const { root, put, said } = project(t);
  const install = (version: string) => {
    mkdirSync(join(root, 'node_modules/yaml'), { recursive: true });
    put('node_modules/yaml/package.json', `{ "name": "yaml", "version": "${version}", "type": "module", "exports": "./index.js" }`);
    put('node_modules/yaml/index.js', `export const version = '${version}';\n`);
  };
  // As after new sources were taken, and before their libraries are put in.
  install('1.0.0');
  put(entry, "export { version as said } from 'yaml';\n");
  assert.equal(await said(await bundledEntry(root, entry)), '1.0.0');
  install('1.0.1');
  assert.equal(await said(await bundledEntry(root, entry)), '1.0.1');
});

test('a bundle of which a file was cut short or is gone is made again', async (t) => {
  const { root, said } = project(t);
  const bundlePath = await bundledEntry(root, entry);
  truncateSync(fileURLToPath(bundlePath), 0);
  assert.equal(await bundledEntry(root, entry), bundlePath);
  assert.ok(statSync(fileURLToPath(bundlePath)).size > 0);
  rmSync(fileURLToPath(bundlePath));
  assert.equal(await said(await bundledEntry(root, entry)), 'Ada, hello');
});

test('fifty that start at once all get one bundle that is whole', async (t) => {
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

test('what an earlier bundle is made of stays for a week after it was replaced, for a service that runs on', async (t) => {
  const { root, put, folder } = project(t);
  const first = fileURLToPath(await bundledEntry(root, entry));
  // It was made when the service was started, which was long ago.
  age(folder);
  put(entry, "export const said = 'other';\n");
  await bundledEntry(root, entry);
  assert.ok(statSync(first).isFile());
  utimesSync(first, weekAgo, weekAgo);
  put(entry, "export const said = 'third';\n");
  const last = fileURLToPath(await bundledEntry(root, entry));
  assert.throws(() => statSync(first), { code: 'ENOENT' });
  // One that is in use is kept however old it is.
  utimesSync(last, weekAgo, weekAgo);
  await bundledEntry(root, entry);
  assert.ok(statSync(last).isFile());
  assert.ok(readdirSync(folder).length > 0);
});

test('what a copy of the project brings of where it was goes in two weeks, and what else is in the folder stays', async (t) => {
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

test('a start that finds no room leaves no half of a file behind', (t) => {
  const { root, put, folder, source } = project(t);
  put(entry, `export const said = '${'word '.repeat(1000)}';\n`);
  const bundlePath = `import { bundledEntry } from ${JSON.stringify(new URL('bundle.ts', import.meta.url).href)};
    console.log(await bundledEntry(${JSON.stringify(root)}, ${JSON.stringify(entry)}));`;
  const bounded = `ulimit -f 1; trap '' XFSZ; exec "$0" --input-type=module --eval "$1"`;
  const { stdout } = spawnSync('sh', ['-c', bounded, process.execPath, bundlePath], { encoding: 'utf8' });
  assert.equal(stdout.trim(), source);
  assert.deepEqual(readdirSync(folder), []);
});

test('where nothing can be kept, where a source has a fault, and where it is asked for, the source is run', async (t) => {
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

test('everything that the bundle of the service imports is found from where it is', async () => {
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
  assert.ok(seen.size > 20, 'each command and the service are files of their own');
});
