import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { tokens } from '../../../platform/design/tokens.ts';
import { sendStaticFile, type StaticFile, staticFile } from '../../../platform/http/compression.ts';
import type { App } from '../../../platform/http/server.ts';
import { problems } from '../../../platform/problems.ts';

const own = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const installed = (name: string) => fileURLToPath(import.meta.resolve(name));

/** The files of public pages with their sources. The proof-of-work widget is the unchanged public package. */
const sources = {
  'page.css': ['text/css', () => own('page.css')],
  'icon.svg': ['image/svg+xml', () => own('icon.svg')],
  'embed.js': ['text/javascript', () => own('../browser/public/embed.js')],
  'page.js': ['text/javascript', () => own('../../../../lib/page.js')],
  'altcha.css': ['text/css', () => installed('altcha/altcha.css')],
  'altcha.js': ['text/javascript', () => installed('altcha/external')],
  'altcha-de.js': ['text/javascript', () => installed('altcha/i18n/de')],
  'altcha-ar.js': ['text/javascript', () => installed('altcha/i18n/ar')],
  'altcha-ja.js': ['text/javascript', () => installed('altcha/i18n/ja')],
  'sha.js': ['text/javascript', () => installed('altcha/workers/sha')],
  'pbkdf2.js': ['text/javascript', () => installed('altcha/workers/pbkdf2')],
} as const;

export type AssetName = keyof typeof sources;

/** Serves the files of public pages. They are read once, and their addresses contain a hash of the contents. */
export function openAssets(base: string) {
  const read = new Map<AssetName, StaticFile>();
  const assetOf = (name: AssetName): StaticFile => {
    const found = read.get(name);
    if (found) return found;
    const [type, path] = sources[name];
    const contents = readFileSync(path());
    const made = staticFile(type, name === 'page.css' ? Buffer.concat([Buffer.from(tokens), contents]) : contents);
    read.set(name, made);
    return made;
  };
  return {
    href: (name: AssetName) => `${base}/assets/${assetOf(name).hash}/${name}`,
    routes(app: App) {
      app.get(
        '/assets/:hash/:name',
        {
          config: { access: { kind: 'public' }, unlimited: true },
          schema: { hide: true, params: Type.Object({ hash: Type.String(), name: Type.String() }), produces: ['*/*'] },
        },
        (request, reply) => sendAsset(request, reply, assetOf, request.params),
      );
      // Browsers request it for pages without an icon, such as the pages that mails link to.
      app.get(
        '/favicon.ico',
        { config: { access: { kind: 'public' }, unlimited: true }, schema: { hide: true, produces: ['*/*'] } },
        (request, reply) => sendStaticFile(request, reply.header('cache-control', 'public, max-age=86400'), assetOf('icon.svg')),
      );
      // Other sites embed this file: its address never changes, and it is cached for one hour.
      app.get(
        '/embed.js',
        { config: { access: { kind: 'public' }, unlimited: true }, schema: { hide: true, produces: ['*/*'] } },
        (request, reply) =>
          sendStaticFile(
            request,
            reply.headers({ 'cache-control': 'public, max-age=3600', 'cross-origin-resource-policy': 'cross-origin' }),
            assetOf('embed.js'),
          ),
      );
    },
  };
}

export type Assets = ReturnType<typeof openAssets>;

async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  assetOf: (name: AssetName) => StaticFile,
  { hash, name }: { hash: string; name: string },
): Promise<FastifyReply> {
  const asset = Object.hasOwn(sources, name) ? assetOf(name as AssetName) : undefined;
  // The hash is of another version, so the page is older or newer than this server.
  if (asset?.hash !== hash) throw problems.not_found('File not found. Reload the page.');
  return sendStaticFile(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), asset);
}
