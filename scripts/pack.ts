/** `npm run pack -- FOLDER` builds all packages for a release, and writes their archives and bills of materials to a folder. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, globSync, mkdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { bills } from './release/files.ts';

const root = join(import.meta.dirname, '..');
const [, , given = '.tmp/packages'] = process.argv;
if (given.startsWith('-')) {
  process.stderr.write('Usage: npm run pack -- FOLDER\n');
  process.exit(2);
}
const folder = resolve(given);
execFileSync(process.execPath, ['scripts/build.ts', '--release'], { cwd: root, stdio: 'inherit' });
// Archives keep the modes of files, which depend on the umask of the machine.
for (const file of globSync('packages/*/**', { cwd: root, exclude: ['packages/*/node_modules'] })) {
  const entry = statSync(join(root, file));
  if (entry.isFile()) chmodSync(join(root, file), (entry.mode & 0o100) === 0 ? 0o644 : 0o755);
}
mkdirSync(folder, { recursive: true });
// The console is part of the server package, and no package of its own.
const published = globSync('packages/*/package.json', { cwd: root }).map((manifest) => `--workspace=${dirname(manifest)}`);
execFileSync('npm', ['pack', ...published, '--pack-destination', folder, '--loglevel', 'error'], { cwd: root, stdio: 'inherit' });
for (const bill of Object.values(bills)) copyFileSync(join(root, bill), join(folder, basename(bill)));
