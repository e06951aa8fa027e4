/** `npm run pack -- FOLDER` builds all packages for a release, and writes their archives to a folder. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';

const root = join(import.meta.dirname, '..');
const [, , given = '.tmp/packages'] = process.argv;
const folder = resolve(given);
execFileSync(process.execPath, ['scripts/build.ts', '--release'], { cwd: root, stdio: 'inherit' });
mkdirSync(folder, { recursive: true });
execFileSync('npm', ['pack', '--workspaces', '--pack-destination', folder, '--loglevel', 'error'], { cwd: root, stdio: 'inherit' });
