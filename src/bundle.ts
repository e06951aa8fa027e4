import { createHash, type Hash, randomUUID } from 'node:crypto';
import { closeSync, constants, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { basename, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BuildOptions, BuildResult, Plugin } from 'esbuild';

/**
 * Bundles the program into a few JavaScript files and caches them in the project. A start from the source loads 2 700 modules and strips the types
 * from
 * half of them, which takes most of the startup time.
 */

/** A cached bundle: its source files, its stamp, and its files with their sizes in bytes. The first file is the entry point. */
type Manifest = { sources: string[]; stamp: string; files: [name: string, bytes: number][] };

const keptMs = 7 * 86_400_000;

/** Packages inside the bundle: this project, and libraries with hundreds of modules each. All other libraries load from node_modules. */
const takenIn = new Set(['chancery', 'typebox', 'kysely', 'jose', 'yaml', 'csv-parse', 'csv-stringify', 'altcha-lib']);

/**
 * Further files that a bundle depends on: this file and the installed libraries. The installed versions can differ from package.json, for example
 * between `git pull` and `npm install`.
 */
const beside = (root: string) => [
  relative(root, fileURLToPath(import.meta.url)),
  ...['package.json', 'package-lock.json', ...[...takenIn].map((name) => `node_modules/${name}/package.json`)].filter((name) =>
    existsSync(join(root, name)),
  ),
];

/**
 * Returns the URL to import a program: its bundle, which is built if none matches the current sources. Returns the URL of the source if no bundle
 * can be built, for example in a read-only folder. `entry` is relative to the project folder `root`.
 */
export async function bundledEntry(root: string, entry: string): Promise<string> {
  const source = pathToFileURL(join(root, entry)).href;
  if (process.env.CHANCERY_BUNDLE === 'off') return source;
  // Not in node_modules, because an installation replaces that folder while a running service may still load parts of its bundle.
  const folder = join(root, '.bundle');
  const found = bundleIn(folder, root, entry);
  if (found !== undefined) return found;
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    await make(folder, root, entry);
  } catch {
    return source;
  }
  // If a source changed during the build, no matching bundle exists.
  return bundleIn(folder, root, entry) ?? source;
}

/** Returns the bundle that matches the current sources, if it is complete. */
function bundleIn(folder: string, root: string, entry: string): string | undefined {
  try {
    const { sources, stamp, files } = JSON.parse(readFileSync(join(folder, manifestOf(root, entry)), 'utf8')) as Manifest;
    const isWhole = files.every(([name, bytes]) => statSync(join(folder, name)).size === bytes);
    if (!isWhole || stampOf([...sources, ...beside(root)], readerOf(root)) !== stamp) return undefined;
    return pathToFileURL(join(folder, files[0]?.[0] ?? '')).href;
  } catch {
    return undefined;
  }
}

/** Returns the name of the manifest. It depends on the project path, because a bundle contains absolute paths. */
const manifestOf = (root: string, entry: string) =>
  `${basename(entry, '.ts')}-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.json`;

/** Returns a hash of the sources, the libraries and the Node.js version. `add` hashes the content of a file. */
function stampOf(names: readonly string[], add: (name: string, sum: Hash) => void): string {
  const sum = createHash('sha256').update([process.version, platform(), arch()].join());
  for (const name of names) {
    add(name, sum);
    sum.update(`\0${name}\0`);
  }
  return sum.digest('hex');
}

/**
 * Returns a function that hashes project files with one shared buffer, because a start hashes about a thousand files. Throws if a file is missing.
 */
function readerOf(root: string): (name: string, sum: Hash) => void {
  const room = Buffer.allocUnsafe(1024 * 1024);
  return (name, sum) => {
    const file = openSync(join(root, name), 'r');
    try {
      for (let read = readSync(file, room); read > 0; read = readSync(file, room)) sum.update(room.subarray(0, read));
    } finally {
      closeSync(file);
    }
  };
}

/** Bundles the modules of the project and of some libraries, and stores the content of the project files in `kept`. */
function sourcesInto(kept: Map<string, Buffer>): Plugin {
  return {
    name: 'sources',
    setup(made) {
      made.onResolve({ filter: /^[^.#/]/ }, ({ path, kind }) => {
        const [library = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
        return kind === 'entry-point' || takenIn.has(library) ? undefined : { path, external: true };
      });
      made.onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
        if (path.includes('/node_modules/')) return undefined;
        const contents = await readFile(path);
        kept.set(path, contents);
        // Modules read files relative to their source path.
        return {
          loader: path.endsWith('.ts') ? 'ts' : 'js',
          contents: contents.toString().replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
        };
      });
    },
  };
}

type Building = BuildOptions & { metafile: true; write: false };
let building = 0;

/** Runs esbuild and stops its process afterwards; otherwise its process would keep 25 MB of memory. */
async function built(options: Building): Promise<BuildResult<Building>> {
  const { build, stop } = await import('esbuild');
  building += 1;
  try {
    return await build(options);
  } finally {
    building -= 1;
    if (building === 0) await stop();
  }
}

async function make(folder: string, root: string, entry: string): Promise<void> {
  const read = new Map<string, Buffer>();
  const { outputFiles, metafile } = await built({
    absWorkingDir: root,
    entryPoints: [entry],
    entryNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: `node${process.versions.node}`,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    // Lets CommonJS libraries load Node.js modules.
    banner: { js: "import * as __module from 'node:module'; const require = __module.createRequire(import.meta.url);" },
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
    write: false,
    plugins: [sourcesInto(read)],
  });
  const sources = [...read.keys()].map((path) => relative(root, path));
  const add = readerOf(root);
  // Hashes the content that the build read, because a file may have changed since.
  const stamp = stampOf([...sources, ...beside(root)], (name, sum) => {
    const contents = read.get(join(root, name));
    if (contents) sum.update(contents);
    else add(name, sum);
  });
  const main = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry)?.[0] ?? '';
  const isMain = (path: string) => relative(root, path) === main;
  const files = outputFiles.toSorted((a, b) => Number(isMain(b.path)) - Number(isMain(a.path)));
  await Promise.all(
    files.map(async ({ path, contents }) => {
      // File names contain a hash of the content, so a concurrent start may write the same file.
      if (existsSync(path) && statSync(path).size === contents.length) await utimes(path, new Date(), new Date());
      else await write(path, contents);
    }),
  );
  const manifest: Manifest = { sources, stamp, files: files.map(({ path, contents }) => [basename(path), contents.length]) };
  const name = manifestOf(root, entry);
  await beginWeek(folder, name);
  await write(join(folder, name), JSON.stringify(manifest));
  await removeOld(folder, name);
}

/** Writes a file to a temporary name, syncs it and renames it, so that a power failure leaves no partial file. */
async function write(path: string, contents: Uint8Array | string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, 'wx');
    try {
      await file.writeFile(contents);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    // Without this, each start on a full disk would leave another file.
    await rm(draft, { force: true });
    throw error;
  }
}

/** Returns the files of a manifest, or an empty list if the manifest is invalid. */
async function namedBy(folder: string, name: string): Promise<string[]> {
  try {
    const { files } = JSON.parse(await readFile(join(folder, name), 'utf8')) as Manifest;
    return files.map(([file]) => file);
  } catch {
    return [];
  }
}

/** Keeps the files of a manifest for another week, because a running service may still load some of them. */
async function beginWeek(folder: string, manifest: string): Promise<void> {
  const now = new Date();
  for (const file of await namedBy(folder, manifest)) await utimes(join(folder, file), now, now).catch(() => undefined);
}

/** True for files that this module creates, including partial ones. The folder can be a link to a folder with other files. */
const isMade = (name: string) => /-(?:[0-9A-Z]{8}\.mjs|[0-9a-f]{16}\.json)(?:\.[0-9a-f-]{36})?$/.test(name);

/**
 * Removes files that no manifest has referenced for a week. Manifests of other project paths expire too: a copy of the project contains the
 * manifests of its original path, with their files.
 */
async function removeOld(folder: string, own: string): Promise<void> {
  const names = (await readdir(folder)).filter(isMade);
  const manifests = names.filter((name) => name.endsWith('.json'));
  const named = new Set([own, ...(await Promise.all(manifests.map((name) => namedBy(folder, name)))).flat()]);
  for (const name of names.filter((one) => !named.has(one))) {
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs > Date.now() - keptMs) continue;
    if (manifests.includes(name)) await beginWeek(folder, name);
    await rm(join(folder, name), { force: true });
  }
}
