import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder above the sources: `dist` of the package, or the project. */
const root = new URL('../../', import.meta.url);
/** The version of Chancery. */
export const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };

const workspace = new URL('packages/server/dist/', root);
const built = existsSync(workspace) ? workspace : root;
/** The folder of the built programs. It contains only code and templates. */
export const dist = fileURLToPath(built);

/**
 * Returns the path of a program that runs in a separate thread or process. Programs run from the build in all cases (`npm run build`).
 *
 * @param source The source of the program, as `new URL` of a literal name and `import.meta.url`: so the build finds its programs.
 * @param kind `mjs`, or `cjs` for a sandboxed program, from which a startup snapshot is created.
 */
export function builtFile(source: URL, kind: 'mjs' | 'cjs' = 'mjs'): string {
  const name = source.href.slice(root.href.length).replace(/\.ts$/, `.${kind}`);
  return fileURLToPath(new URL(name, built));
}

/** Packages that bring further packages with them. Their own place is known to Node.js only from their manifest. */
const carriers = ['@chancery/fonts', '@chancery/embedded'];

/** Returns the folder of an installed package, which can belong to `@chancery/fonts` or `@chancery/embedded`; undefined if it is not installed. */
export function companion(name: string): string | undefined {
  const bases = [
    import.meta.url,
    ...carriers.flatMap((carrier) => manifestFrom(carrier, import.meta.url)).map((path) => pathToFileURL(path).href),
  ];
  return bases.flatMap((base) => manifestFrom(name, base)).map((path) => dirname(path))[0];
}

/** `findPackageJSON` throws for a package that is not installed. */
function manifestFrom(name: string, base: string): string[] {
  try {
    return [findPackageJSON(name, base)].filter((path) => path !== undefined);
  } catch {
    return [];
  }
}
