import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const folder = join(import.meta.dirname, '../node_modules/.cache/chancery-test');
const keptMs = 86_400_000;

/** Libraries of hundreds of modules each; all others are loaded from where they are installed. */
const takenIn = new Set(['typebox', 'kysely', 'jose', 'yaml', 'csv-parse', 'csv-stringify', 'altcha-lib']);

const sources: Plugin = {
  name: 'sources',
  setup(made) {
    made.onResolve({ filter: /^[^.#/]/ }, ({ path, kind }) => {
      const [library = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
      return kind === 'entry-point' || takenIn.has(library) ? undefined : { path, external: true };
    });
    // What a module reads from beside it is still found.
    made.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    }));
  },
};

/**
 * Bundles a program into a few files, of which a start loads two or three: from its source it loads 2 700, which takes four
 * times as long. Returns the path of the one to run. Their names tell what is in them, so that several may be made at once.
 */
export async function bundleProgram(program: string): Promise<string> {
  const { outputFiles, metafile } = await build({
    entryPoints: [program],
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
    logLevel: 'error',
    metafile: true,
    write: false,
    plugins: [sources],
  });
  await mkdir(folder, { recursive: true });
  for (const { path, contents } of outputFiles) {
    if (existsSync(path)) {
      await utimes(path, new Date(), new Date());
      continue;
    }
    const draft = `${path}.${randomUUID()}`;
    await writeFile(draft, contents);
    await rename(draft, path);
  }
  await removeOld(new Set(outputFiles.map(({ path }) => basename(path))));
  const [main = ''] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === program) ?? [];
  return join(folder, basename(main));
}

/** Removes bundles that no run has begun with for a day, such as those of earlier sources. */
async function removeOld(made: ReadonlySet<string>): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => !made.has(one))) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (mtimeMs < Date.now() - keptMs) await rm(path, { force: true });
  }
}
