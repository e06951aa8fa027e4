import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';

/**
 * The process that bundles a script into one file, or creates a startup snapshot of such a bundle. The arguments are the script and the output file.
 */
const [, , script = '', made = ''] = process.argv;
const entry = `
  import { startupSnapshot } from 'node:v8';
  import { answer } from './answer.ts';
  import { work } from ${JSON.stringify(script)};
  startupSnapshot.setDeserializeMainFunction(() => answer(work));
`;
const native = '@myriaddreamin/typst-ts-node-compiler';
/** Makes paths relative to the script work in the bundle. */
const define = { 'import.meta.url': JSON.stringify(pathToFileURL(script).href) };
const draft = `${made}.${process.pid}`;

function bundled(options: BuildOptions): Uint8Array {
  const { outputFiles } = buildSync({
    bundle: true,
    platform: 'node',
    target: `node${process.versions.node}`,
    logLevel: 'error',
    write: false,
    legalComments: 'none',
    // A smaller source makes a smaller snapshot, which starts faster.
    minifyWhitespace: true,
    minifySyntax: true,
    ...options,
  });
  return outputFiles?.[0]?.contents ?? new Uint8Array();
}

function bundle(): void {
  const path = fileURLToPath(import.meta.resolve(native));
  writeFileSync(draft, bundled({ entryPoints: [script], format: 'esm', define, alias: { [native]: path }, external: [path] }), {
    mode: 0o600,
  });
}

function snapshot(): void {
  const stdin = { contents: entry, loader: 'ts', resolveDir: fileURLToPath(new URL('.', import.meta.url)) } as const;
  writeFileSync(`${draft}.cjs`, bundled({ stdin, format: 'cjs', define, supported: { 'dynamic-import': false } }), { mode: 0o600 });
  const args = ['--snapshot-blob', draft, '--build-snapshot', `${draft}.cjs`];
  execFileSync(process.execPath, args, { env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
}

try {
  if (made.endsWith('.blob')) snapshot();
  else bundle();
  renameSync(draft, made);
} finally {
  rmSync(draft, { force: true });
  rmSync(`${draft}.cjs`, { force: true });
}
