import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/** The process that makes a snapshot of a script: which one and where to by its arguments. A snapshot is made of one file, so it is put together first. */
const [, , script = '', snapshot = ''] = process.argv;
const entry = `
  import { startupSnapshot } from 'node:v8';
  import { answer } from './answer.ts';
  import { work } from ${JSON.stringify(script)};
  startupSnapshot.setDeserializeMainFunction(() => answer(work));
`;
const draft = `${snapshot}.${process.pid}`;
try {
  const { outputFiles } = buildSync({
    stdin: { contents: entry, loader: 'ts', resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: `node${process.versions.node}`,
    logLevel: 'error',
    write: false,
    legalComments: 'none',
  });
  writeFileSync(`${draft}.cjs`, outputFiles[0]?.contents ?? '', { mode: 0o600 });
  execFileSync(process.execPath, ['--snapshot-blob', draft, '--build-snapshot', `${draft}.cjs`], {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  renameSync(draft, snapshot);
} finally {
  rmSync(draft, { force: true });
  rmSync(`${draft}.cjs`, { force: true });
}
