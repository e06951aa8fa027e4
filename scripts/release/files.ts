import { copyFileSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledFolders, dependenciesOf, installedFolders, readLibraries, readLock } from './libraries.ts';
import { notices } from './notices.ts';
import { sbom } from './sbom.ts';

/** The bills of materials of a release, by their files. */
export const bills = { bundled: 'packages/server/bundled.cdx.json', installed: 'packages/chancery/installed.cdx.json' };

/** Writes what only a release has: the licence of each package, the notices of bundled libraries, and the bills of materials. */
export function writeReleaseFiles(root: string, inputs: readonly string[]): void {
  const lock = readLock(root);
  const bundled = bundledFolders(inputs);
  writeFileSync(join(root, 'packages/server/THIRD-PARTY-NOTICES.txt'), notices(readLibraries(root, bundled)));
  writeFileSync(
    join(root, bills.bundled),
    sbom(lock, { of: 'packages/server', direct: [...dependenciesOf(lock, ''), ...dependenciesOf(lock, 'console')], folders: bundled }),
  );
  const whole = 'packages/chancery';
  const installed = { of: whole, direct: dependenciesOf(lock, whole), folders: installedFolders(lock, whole) };
  writeFileSync(join(root, bills.installed), sbom(lock, installed));
  for (const manifest of globSync('packages/*/package.json', { cwd: root }))
    copyFileSync(join(root, 'LICENSE'), join(root, manifest, '../LICENSE'));
}
