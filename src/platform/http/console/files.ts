import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { dist } from '../../entry-points.ts';
import { type StaticFile, staticFile } from '../compression.ts';

const types: Record<string, string> = {
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  wasm: 'application/wasm',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  pfb: 'application/octet-stream',
  bcmap: 'application/octet-stream',
};

/**
 * The built console (`scripts/console.ts`). `page` is index.html with {@link placeholders}; `assets` have a hash of their contents in the name.
 * `renderer` names the two scripts that show PDF files.
 */
export type BuiltConsole = { page: string; assets: ReadonlyMap<string, StaticFile>; renderer: { frame: string; worker: string } };

/** The parts of index.html that the service replaces: the address of the console, who can register, and the nonce of its styles. */
export const placeholders = { address: '/CONSOLE-ADDRESS', registration: 'CONSOLE-REGISTRATION', nonce: 'CONSOLE-NONCE' };

/** Reads the built console. The build stores scripts and styles compressed only. */
export function readConsole(): BuiltConsole {
  const folder = join(dist, 'console');
  const assets = readdirSync(join(folder, 'assets')).flatMap((stored) => {
    const name = stored.replace(/\.br$/, '');
    const type = types[name.split('.').at(-1) ?? ''];
    if (type === undefined) return [];
    const bytes = readFileSync(join(folder, 'assets', stored));
    if (name === stored) return [[name, staticFile(type, bytes)] as const];
    return [[name, { ...staticFile(type, brotliDecompressSync(bytes)), encoded: { br: Promise.resolve(bytes) } }] as const];
  });
  const script = (prefix: string) => assets.find(([name]) => name.startsWith(prefix) && name.endsWith('.js'))?.[0] ?? '';
  return {
    page: readFileSync(join(folder, 'index.html'), 'utf8'),
    assets: new Map(assets),
    renderer: { frame: script('pdf-frame-'), worker: script('pdf-renderer-') },
  };
}
