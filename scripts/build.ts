/**
 * `npm run build` writes the programs of the packages:
 * - `packages/server/dist`: the service and its commands, and one file for each thread and process of its own. Beside them are the files that they
 *   read, with the paths of this project;
 * - `packages/server/dist/console`: the console for browsers, if its sources changed (`scripts/console.ts`);
 * - `packages/{client,otel,verify,webhooks}/dist`: libraries with their types.
 * Libraries in the `dependencies` of `packages/server` stay outside: native code, WebAssembly, data and fonts. So does `@chancery/otel`, which is optional.
 * The others are bundled.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, posix, relative } from 'node:path';
import process from 'node:process';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { buildConsole } from './console.ts';
import { renderDocs } from './docs-pages.ts';
import { writeReleaseFiles } from './release/files.ts';

const root = join(import.meta.dirname, '..');
const server = join(root, 'packages/server');
const dist = join(server, 'dist');
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
    dependencies?: Record<string, string>;
    peerDependencies?: Record<string, string>;
  };
const libraries = ['client', 'otel', 'webhooks', 'verify'];
/** A release has types, licences and bills of materials, and no parts of earlier builds. */
const isRelease = process.argv.includes('--release');
const { dependencies = {}, peerDependencies } = manifestOf(server);
const outside = { ...dependencies, ...peerDependencies };
for (const [name, version] of Object.entries(dependencies))
  if (manifestOf(root).dependencies?.[name] !== version)
    throw new Error(`package.json and packages/server/package.json have different versions of ${name}`);
const libraryOf = (path: string) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? '';

/** Modules read files relative to their source path, which the built files keep below `dist`. `sourceUrl` is in the banner of each output. */
const sources: Plugin = {
  name: 'sources',
  setup(building) {
    building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes('/node_modules/')) return undefined;
      const name = JSON.stringify(posix.normalize(relative(root, path)));
      return { loader: 'ts', contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', `sourceUrl(${name})`) };
    });
  },
};

const externals: Plugin = {
  name: 'externals',
  setup(building) {
    building.onResolve({ filter: /^[^.#/]/ }, ({ path, kind }) =>
      kind !== 'entry-point' && libraryOf(path) in outside && !isBuiltin(path) ? { path, external: true } : undefined,
    );
  },
};

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node26',
  legalComments: 'none',
  logLevel: 'error',
  metafile: true,
  write: false,
} as const satisfies BuildOptions;

/** Lets CommonJS libraries load modules of Node.js, and modules find their files. */
const moduleBanner = (up: string) =>
  [
    "import { createRequire as requireFrom } from 'node:module';",
    'const require = requireFrom(import.meta.url);',
    `const sourceUrl = (name) => new URL(${JSON.stringify(up)} + name, import.meta.url).href;`,
  ].join(' ');
const scriptBanner = (up: string) =>
  [
    "const ownUrl = require('node:url').pathToFileURL(__filename).href;",
    `const sourceUrl = (name) => new URL(${JSON.stringify(up)} + name, ownUrl).href;`,
  ].join(' ');
const upFrom = (file: string) => '../'.repeat(file.split('/').length - 1) || './';

/** The programs that the sources name: `new URL('NAME.ts', import.meta.url)`. */
function separateEntries(): string[] {
  const named = globSync('src/**/*.ts', { cwd: root, exclude: (name) => name.endsWith('.test.ts') }).flatMap((file) =>
    Array.from(readFileSync(join(root, file), 'utf8').matchAll(/new URL\('([^']+\.ts)', import\.meta\.url\)/g), ([, name = '']) =>
      posix.join(posix.dirname(file), name),
    ),
  );
  return [...new Set(named)].toSorted();
}

/** True if the program runs in a sandbox: it exports `work` (`platform/reading/answer.ts`). */
const isSandboxed = (entry: string) => /^export (?:async )?(?:function|const) work\b/m.test(readFileSync(join(root, entry), 'utf8'));

/** The files of a build by path, and its inputs. */
type Built = { files: Map<string, Uint8Array>; inputs: string[] };

async function built(options: BuildOptions): Promise<Built> {
  const { outputFiles = [], metafile } = await build({ ...common, ...options });
  return { files: new Map(outputFiles.map(({ path, contents }) => [path, contents])), inputs: Object.keys(metafile?.inputs ?? {}) };
}

/** Builds a program of its own into one file, by default in `dist`. */
async function oneFile(entry: string, outfile?: string): Promise<Built> {
  const sandboxed = isSandboxed(entry);
  const file = entry.replace(/\.ts$/, sandboxed ? '.cjs' : '.mjs');
  const out = { outfile: outfile ?? join(dist, file), banner: { js: (sandboxed ? scriptBanner : moduleBanner)(upFrom(file)) } };
  if (!sandboxed) return built({ ...out, entryPoints: [entry], format: 'esm', plugins: [sources, externals] });
  const contents = `
    import { startupSnapshot } from 'node:v8';
    import { answer } from './src/platform/reading/answer.ts';
    import { work } from ${JSON.stringify(`./${entry}`)};
    startupSnapshot.setDeserializeMainFunction(() => answer(work));
  `;
  const define = { 'import.meta.url': 'ownUrl' };
  // A smaller source makes a smaller snapshot, which starts faster.
  const smaller = { minifyWhitespace: true, minifySyntax: true };
  const options = { format: 'cjs', define, supported: { 'dynamic-import': false }, plugins: [sources] } satisfies BuildOptions;
  return built({ ...out, ...options, ...smaller, stdin: { contents, loader: 'ts', resolveDir: root } });
}

/** Builds a program of a test into a file. */
export async function buildEntry(entry: string, outfile: string): Promise<void> {
  write((await oneFile(entry, outfile)).files);
}

/** Builds the service and its commands. */
const main = (): Promise<Built> =>
  built({
    entryPoints: { main: 'src/commands/command-line.ts' },
    splitting: true,
    format: 'esm',
    outdir: dist,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'part-[hash]',
    banner: { js: moduleBanner('./') },
    plugins: [sources, externals],
  });

/** Reads what modules read: all files of the sources without code of their own, migrations, the contract of the demo, and the documentation. */
function readByModules(): Built {
  const inputs = globSync('{src,migrations,lib,demo,docs}/**/*.*', { cwd: root }).filter((file) => !/\.ts$|^docs\/.*\.md$/.test(file));
  const manifest = JSON.stringify({ type: 'module', version: manifestOf(server).version });
  const files = inputs.map((file) => [join(dist, file), readFileSync(join(root, file))] as const);
  const pages = [join(dist, 'docs/pages.json'), Buffer.from(JSON.stringify(renderDocs()))] as const;
  return { files: new Map([...files, pages, [join(dist, 'package.json'), Buffer.from(`${manifest}\n`)]]), inputs };
}

/** Writes files. Equal files stay as they are, and others change at once, because a service may run from them. */
function write(files: ReadonlyMap<string, Uint8Array>): void {
  for (const [path, contents] of files) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, contents);
    renameSync(`${path}.${process.pid}`, path);
  }
}

/** Removes what earlier builds left. A service that still runs from one may load further parts, so that these stay for a day. */
function removeOld(files: ReadonlyMap<string, Uint8Array>): void {
  for (const path of globSync('**/*.*', { cwd: dist }).map((name) => join(dist, name))) {
    const isUsed =
      files.has(path) || (!isRelease && basename(path).startsWith('part-') && statSync(path).mtimeMs > Date.now() - 86_400_000);
    if (!isUsed && statSync(path).isFile()) rmSync(path, { force: true });
  }
}

/** Builds `packages/server`. Returns the files of the project and of libraries that went into it. */
async function buildServer(): Promise<string[]> {
  const all = [
    readByModules(),
    buildConsole(join(dist, 'console')),
    ...(await Promise.all([main(), ...separateEntries().map((entry) => oneFile(entry))])),
  ];
  const files = new Map(all.flatMap((one) => [...one.files]));
  write(files);
  removeOld(files);
  return [...new Set(all.flatMap(({ inputs }) => inputs))];
}

/** Builds the libraries. Each needs nothing of the rest. */
async function buildLibraries(): Promise<void> {
  const library = (entry: string, outfile: string) =>
    built({ format: 'esm', target: 'node20', packages: 'external', entryPoints: [entry], outfile: join(root, outfile) });
  const all = await Promise.all([
    ...libraries.map((name) => library(`packages/${name}/index.ts`, `packages/${name}/dist/index.js`)),
    library('packages/verify/cli.ts', 'packages/verify/dist/cli.js'),
  ]);
  write(new Map(all.flatMap(({ files }) => [...files])));
  write(new Map([[join(root, 'packages/verify/dist/pack.mjs'), readFileSync(join(root, 'src/records/evidence/pack/verify.mjs'))]]));
}

/** Writes the types of the libraries, for their users. Inside the project, the sources are the types. */
function writeTypes(): void {
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'packages/tsconfig.json'], { cwd: root, stdio: 'inherit' });
  const files = libraries.map((name) => {
    const types = readFileSync(join(root, `.tmp/types/packages/${name}/index.d.ts`), 'utf8');
    return [join(root, `packages/${name}/dist/index.d.ts`), Buffer.from(types.replaceAll("'./api.ts'", "'./api.js'"))] as const;
  });
  write(new Map([...files, [join(root, 'packages/client/dist/api.d.ts'), readFileSync(join(root, 'packages/client/api.ts'))]]));
}

/** Builds all packages, without types. Returns the files that went into the service. */
export async function buildAll(): Promise<string[]> {
  const [inputs] = await Promise.all([buildServer(), buildLibraries()]);
  return inputs;
}

if (import.meta.main) {
  const inputs = await buildAll();
  if (isRelease) {
    writeTypes();
    writeReleaseFiles(root, inputs);
  }
  process.exit();
}
