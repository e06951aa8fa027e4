import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Gives a copy of the project the installed libraries, and its own packages. */
export function linkModules(project: string, copy: string): void {
  const link = (from: string, to: string) => symlinkSync(from, join(copy, 'node_modules', to));
  mkdirSync(join(copy, 'node_modules/@chancery'), { recursive: true });
  for (const name of readdirSync(join(project, 'node_modules')))
    if (!['@chancery', 'chancery'].includes(name)) link(join(project, 'node_modules', name), name);
  for (const name of readdirSync(join(copy, 'packages')))
    if (!name.includes('.')) link(join(copy, 'packages', name), name === 'chancery' ? name : `@chancery/${name}`);
}
