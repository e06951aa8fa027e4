import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, buildSync } from 'esbuild';

/**
 * The process that puts a script together in one file, or makes a snapshot of it, which is made of one file: which script and where to by its
 * arguments.
 */
const [, , script = '', made = ''] = process.argv;
const entry = `
  import { startupSnapshot } from 'node:v8';
  import { answer } from './answer.ts';
  import { work } from ${JSON.stringify(script)};
  startupSnapshot.setDeserializeMainFunction(() => answer(work));
`;
const native = '@myriaddreamin/typst-ts-node-compiler';
/** In one file, what a script reads from beside it or its libraries is still found. */
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
