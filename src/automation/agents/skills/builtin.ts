import { readdir, readFile } from 'node:fs/promises';
import { type Bundle, bundleOf } from './bundle.ts';

const folder = new URL('./builtin/', import.meta.url);
let loaded: Promise<ReadonlyMap<string, Bundle>> | undefined;

/** The built-in skills by name, from the folders in `builtin`. They are loaded once, at the first call. */
export function builtins(): Promise<ReadonlyMap<string, Bundle>> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<ReadonlyMap<string, Bundle>> {
  const found = new Map<string, Bundle>();
  for (const name of (await readdir(folder)).toSorted()) {
    const paths = await readdir(new URL(`${name}/`, folder));
    const files = await Promise.all(paths.map(async (path) => ({ path, content: await readFile(new URL(`${name}/${path}`, folder)) })));
    found.set(name, await bundleOf(files, ''));
  }
  return found;
}
