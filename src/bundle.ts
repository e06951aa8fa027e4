import { createHash, type Hash, randomUUID } from 'node:crypto';
import { closeSync, constants, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { basename, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { BuildOptions, BuildResult, Plugin } from 'esbuild';

/**
 * The program as a few files of JavaScript, kept beside the sources. A start from the source loads 2 700 modules and takes the types
 * out of half of them, which is most of its time.
 */

/** What is kept of a bundle: what it was made of, and its files with their sizes in bytes. The first of these is the one to load. */
type Manifest = { sources: string[]; stamp: string; files: [name: string, bytes: number][] };

const keptMs = 7 * 86_400_000;

/** This project by its name, and libraries of hundreds of modules each; all others are loaded from where they are installed. */
const takenIn = new Set(['chancery', 'typebox', 'kysely', 'jose', 'yaml', 'csv-parse', 'csv-stringify', 'altcha-lib']);

/**
 * What else a bundle is made by: the libraries there are, and this file. What is installed may be others than those that are asked for, as
 * between taking new sources and putting in their libraries.
 */
const beside = (root: string) => [
  relative(root, fileURLToPath(import.meta.url)),
  ...['package.json', 'package-lock.json', ...[...takenIn].map((name) => `node_modules/${name}/package.json`)].filter((name) =>
    existsSync(join(root, name)),
  ),
];

/**
 * The address to import a program by: of its bundle, which is made where there is none of exactly these sources, or of the source itself
 * where none can be made, as in a folder that this user may not write to. `entry` is relative to `root`, the folder of the project.
 */
export async function bundledEntry(root: string, entry: string): Promise<string> {
  const source = pathToFileURL(join(root, entry)).href;
  if (process.env.CHANCERY_BUNDLE === 'off') return source;
  // Not among the libraries, which are put in anew while a service runs on that may yet load a part of itself.
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
  // None is found where a source was written over while it was made.
  return bundleIn(folder, root, entry) ?? source;
}

/** The bundle that was made of exactly what the sources are now, if it is whole. */
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

/** One for each place of the project: a bundle tells where it reads from. */
const manifestOf = (root: string, entry: string) =>
  `${basename(entry, '.ts')}-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.json`;

/** Tells apart what is made of other sources, of other libraries or for another Node.js; `add` gives what is in a file. */
function stampOf(names: readonly string[], add: (name: string, sum: Hash) => void): string {
  const sum = createHash('sha256').update([process.version, platform(), arch()].join());
  for (const name of names) {
    add(name, sum);
    sum.update(`\0${name}\0`);
  }
  return sum.digest('hex');
}

/** Reads what is in files of the project, all into the same memory: a start does so with a thousand. Throws where one is missing. */
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

/** Takes in the modules of the project and of some libraries, and keeps what it read of the former by their paths. */
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
        // What a module reads from beside it is still found.
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

/** As esbuild does it, whose process of 25 MB would be kept as long as this one. */
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
    // For what libraries of the older kind of module load of Node.js.
    banner: { js: "import * as __module from 'node:module'; const require = __module.createRequire(import.meta.url);" },
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
    write: false,
    plugins: [sourcesInto(read)],
  });
  const sources = [...read.keys()].map((path) => relative(root, path));
  const add = readerOf(root);
  // Of what was read, which may have been written over since.
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
      // Their names tell what is in them: another start may be making the same.
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

/** Puts a file in its place when it is whole and on the disk, so that a power cut leaves no half of it. */
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
    // On a full disk each start would leave another.
    await rm(draft, { force: true });
    throw error;
  }
}

/** The files that a manifest names: none where it is not whole, or is no manifest. */
async function namedBy(folder: string, name: string): Promise<string[]> {
  try {
    const { files } = JSON.parse(await readFile(join(folder, name), 'utf8')) as Manifest;
    return files.map(([file]) => file);
  } catch {
    return [];
  }
}

/** Lets what a manifest names stay for a week from now, however old it is: a service that was started by it may run on, and load parts of it. */
async function beginWeek(folder: string, manifest: string): Promise<void> {
  const now = new Date();
  for (const file of await namedBy(folder, manifest)) await utimes(join(folder, file), now, now).catch(() => undefined);
}

/** What is made here, also half of it: the folder may be a link to one with other things in it. */
const isMade = (name: string) => /-(?:[0-9A-Z]{8}\.mjs|[0-9a-f]{16}\.json)(?:\.[0-9a-f-]{36})?$/.test(name);

/**
 * Removes what was made and is named by no manifest for a week. Manifests of other places are old after a week, too: a copy of the project brings
 * those of where it was, with their files.
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
