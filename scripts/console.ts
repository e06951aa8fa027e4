/**
 * Builds the console with Vite into `.tmp/console`, with each file also compressed. `scripts/build.ts` runs it as a process if a source changed,
 * because the bundler takes two seconds and changes NODE_ENV. A manifest lists the sources by their hash, and the libraries for the notices.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { brotliCompressSync, constants } from 'node:zlib';

const root = join(import.meta.dirname, '..');
const folder = join(root, '.tmp/console');
const manifest = join(folder, 'manifest.json');

/** A script of the build. Browsers load its `imports` and `styles` with it, and its `dynamicImports` later. */
export type ConsoleChunk = { fileName: string; isEntry: boolean; imports: string[]; dynamicImports: string[]; styles: string[] };
/** `hash` is of the sources; `files` are relative to the folder of the build, `inputs` to the project. */
type ConsoleBuild = { hash: string; files: string[]; inputs: string[]; chunks: ConsoleChunk[] };

/** Returns a hash of everything that the build reads. */
function hashOfSources(): string {
  const sources = globSync(
    [
      'console/{index.html,vite.config.ts,tsconfig.json,package.json}',
      'console/src/**/*.*',
      'packages/client/index.ts',
      'src/platform/design/tokens.css',
      'src/work/signatures/requests/signer-drafts.ts',
      'src/identity/teams/invitation-drafts.ts',
      'src/intake/forms/branding/colours.ts',
    ],
    { cwd: root, exclude: (name) => name.endsWith('.test.ts') },
  );
  const hash = createHash('sha256');
  for (const file of [...sources, 'package-lock.json', 'scripts/console.ts'].toSorted())
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Returns the last build. */
export function builtConsole(): ConsoleBuild | undefined {
  return existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as ConsoleBuild) : undefined;
}

/** Builds the console unless its sources are unchanged. Returns its files by their path in the package, and its inputs. */
export function buildConsole(target: string): { files: Map<string, Uint8Array>; inputs: string[] } {
  if (builtConsole()?.hash !== hashOfSources())
    execFileSync(process.execPath, [import.meta.filename], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, NODE_ENV: 'production' },
    });
  const { files = [], inputs = [] } = builtConsole() ?? {};
  return { files: new Map(files.map((file) => [join(target, file), readFileSync(join(folder, 'files', file))])), inputs };
}

/** Files of these kinds are stored compressed only. */
const compressible = /^assets\/.*\.(?:js|mjs|css|svg|json|wasm|ttf)$/;

async function main(): Promise<void> {
  // Without it, an interrupted build is repeated.
  rmSync(manifest, { force: true });
  const hash = hashOfSources();
  const { build } = await import('vite');
  // The name of a file has a hash of its contents, so an earlier compressed form of the same name is still right.
  const earlier = new Map(
    globSync('assets/*.br', { cwd: join(folder, 'files') }).map((name) => [name, readFileSync(join(folder, 'files', name))]),
  );
  // The modes of `console/vite.config.ts`. The first one empties the folder.
  const results = [];
  for (const mode of ['production', 'pdf-frame', 'pdf-renderer'])
    results.push(await build({ configFile: join(root, 'console/vite.config.ts'), logLevel: 'warn', mode }));
  const output = results.flat().flatMap((one) => ('output' in one ? one.output : []));
  const modules = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
  // The pages of the renderer load nothing of the console.
  const [application = []] = results.map((one) => [one].flat().flatMap((part) => ('output' in part ? part.output : [])));
  const scripts = application.flatMap((one) => (one.type === 'chunk' ? [one] : []));
  const chunks = scripts.map(({ fileName, isEntry, imports, dynamicImports, viteMetadata }) => ({
    fileName,
    isEntry,
    imports,
    dynamicImports,
    styles: [...(viteMetadata?.importedCss ?? [])],
  }));
  for (const { fileName } of output.filter((one) => compressible.test(one.fileName))) {
    const path = join(folder, 'files', fileName);
    const bytes = readFileSync(path);
    const brotli = () => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
    writeFileSync(`${path}.br`, earlier.get(`${fileName}.br`) ?? brotli());
    rmSync(path);
  }
  const files = globSync('**/*.*', { cwd: join(folder, 'files') });
  const inputs = [...new Set(modules.map((one) => relative(root, one.replace(/^\0|\?.*$/g, ''))))];
  mkdirSync(folder, { recursive: true });
  writeFileSync(manifest, JSON.stringify({ hash, files, inputs, chunks } satisfies ConsoleBuild));
}

if (import.meta.main) await main();
