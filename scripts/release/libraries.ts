/** The libraries of a release: the bundled ones, and those that npm installs beside them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of package-lock.json. */
type LockEntry = {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};
/** The entries of package-lock.json by their folder. */
export type Lock = Record<string, LockEntry>;

export const readLock = (root: string): Lock =>
  (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }).packages;

const libraryFolder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Returns the folders of the libraries whose files went into a build. */
export const bundledFolders = (inputs: readonly string[]): string[] =>
  [...new Set(inputs.flatMap((input) => libraryFolder.exec(input)?.[0] ?? []))].toSorted();

/** Returns the folder from which a package loads a library: in the nearest `node_modules`. */
function folderOf(lock: Lock, from: string, name: string): string | undefined {
  for (let above = from; ; above = above.replace(/\/?[^/]+$/, '')) {
    const folder = join(above, 'node_modules', name);
    const entry = lock[folder];
    if (entry) return entry.link === true ? entry.resolved : folder;
    if (above === '') return undefined;
  }
}

/** Returns the folders of the packages that a package loads. */
export const dependenciesOf = (lock: Lock, folder: string): string[] =>
  Object.keys({ ...lock[folder]?.dependencies, ...lock[folder]?.optionalDependencies }).flatMap(
    (name) => folderOf(lock, folder, name) ?? [],
  );

/** Returns the folders of all packages that npm installs with this package. */
export function installedFolders(lock: Lock, folder: string): string[] {
  const found = new Set<string>();
  const add = (one: string) => {
    for (const next of dependenciesOf(lock, one)) {
      if (found.has(next)) continue;
      found.add(next);
      add(next);
    }
  };
  add(folder);
  return [...found].toSorted();
}

export type Library = { name: string; version: string; licence: string; text: string };

/** The licences that a bundled library may have. */
const accepted = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Unicode-3.0',
  'Zlib',
]);

/** The licence texts of packages that contain none: of the same repository, or of its author. */
const textsElsewhere: Record<string, string> = {
  '@ai-sdk/provider-utils': 'node_modules/@ai-sdk/provider/LICENSE',
  'abstract-logging': 'scripts/release/abstract-logging.txt',
  'react-remove-scroll-bar': 'node_modules/react-remove-scroll/LICENSE',
};

/** Returns the licence texts of a package: its files, or the end of its introduction. */
function licenceText(root: string, folder: string, name: string): string {
  const read = (path: string) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trim();
  const files = readdirSync(join(root, folder)).filter((file) => /^(?:licen[cs]e|copying|notice)\b/i.test(file));
  if (files.length > 0) return files.map((file) => read(join(root, folder, file))).join('\n\n');
  const readme = join(root, folder, 'README.md');
  const section = existsSync(readme) ? /^#+ licen[cs]e\n+([^]*permission is hereby granted[^]*)$/im.exec(read(readme))?.[1] : undefined;
  const elsewhere = textsElsewhere[name];
  return section ?? (elsewhere === undefined ? '' : read(join(root, elsewhere)));
}

/** Reads the libraries in these folders. Throws if one has a licence that is not accepted, or no licence text. */
export function readLibraries(root: string, folders: readonly string[]): Library[] {
  const libraries = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as LockEntry;
    return { name: name ?? folder, version: version ?? '', licence: license ?? 'none', text: licenceText(root, folder, name ?? folder) };
  });
  const errors = libraries.flatMap(({ name, version, licence, text }) => [
    ...(licence.split(/\W*\b(?:AND|OR)\b\W*|[()]/).every((one) => one === '' || accepted.has(one))
      ? []
      : [`${name} ${version} has the licence ${licence}, which is not accepted`]),
    ...(text === '' ? [`${name} ${version} has no licence text`] : []),
  ]);
  if (errors.length > 0) throw new Error(`Bundled libraries: ${errors.join('; ')}. See scripts/release/libraries.ts.`);
  const unique = new Map(libraries.map((library) => [`${library.name} ${library.version}`, library]));
  return [...unique.values()];
}
