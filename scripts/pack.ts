/** `npm run pack -- FOLDER` builds all packages for a release, and writes their archives and bills of materials to a folder. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { bills } from './release/files.ts';

const root = join(import.meta.dirname, '..');
const [, , given = '.tmp/packages'] = process.argv;
const folder = resolve(given);
execFileSync(process.execPath, ['scripts/build.ts', '--release'], { cwd: root, stdio: 'inherit' });
mkdirSync(folder, { recursive: true });
execFileSync('npm', ['pack', '--workspaces', '--pack-destination', folder, '--loglevel', 'error'], { cwd: root, stdio: 'inherit' });
for (const bill of Object.values(bills)) copyFileSync(join(root, bill), join(folder, basename(bill)));
