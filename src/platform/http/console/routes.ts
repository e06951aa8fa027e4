import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { problems } from '../../problems.ts';
import { sendStaticFile } from '../compression.ts';
import type { App } from '../server.ts';
import { type BuiltConsole, placeholders, readConsole } from './files.ts';

/** The path of the console below the public address of the service. */
export const consolePath = '/app';

/** Returns the content security policy of the console. Its scripts are files of this service, and only its own policy makes trusted types. */
function policyWith(nonce: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' blob: data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `frame-src 'self'`,
    `worker-src 'self'`,
    `require-trusted-types-for 'script'`,
    `trusted-types default`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

/**
 * Returns the content security policy of the page that shows PDF files. It is sandboxed: its origin is opaque, so it has no session and no storage of
 * the console. It loads only its two scripts, and it has no network. WebAssembly decodes images.
 */
function rendererPolicy(scripts: readonly string[]): string {
  return [
    `default-src 'none'`,
    `script-src ${scripts.join(' ')} 'wasm-unsafe-eval'`,
    `worker-src blob:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'self'`,
    `sandbox allow-scripts`,
  ].join('; ');
}

/**
 * Serves the console at `/app`. Browsers keep its files, because their names have a hash. Every other path has the same page, in which the browser
 * selects the screen. The page says who can create an account (`registration`). The console is read at its first use.
 */
export function serveConsole(app: App, registration: 'open' | 'invited'): void {
  const { origin, pathname } = new URL(app.baseUrl);
  const base = pathname.replace(/\/$/, '');
  let read: BuiltConsole | undefined;
  const built = () => (read ??= readConsole());
  const page = () =>
    built().page.replaceAll(placeholders.address, `${base}${consolePath}`).replaceAll(placeholders.registration, registration);
  const published = { config: { access: { kind: 'public' }, unlimited: true }, schema: { hide: true, produces: ['*/*'] } } as const;

  const asset = { ...published, schema: { ...published.schema, params: Type.Object({ name: Type.String() }) } };
  app.get(`${consolePath}/assets/:name`, asset, (request, reply) => {
    const file = built().assets.get(request.params.name);
    // The file is of another version, so the page is older or newer than this server.
    if (!file) throw problems.not_found('File not found. Reload the page.');
    const { frame, worker } = built().renderer;
    // An opaque origin is another site.
    if ([frame, worker].includes(request.params.name)) reply.header('cross-origin-resource-policy', 'cross-origin');
    return sendStaticFile(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), file);
  });
  app.get(`${consolePath}/pdf-renderer.html`, published, (_request, reply) => {
    const [frame, worker] = [built().renderer.frame, built().renderer.worker].map((name) => `${base}${consolePath}/assets/${name}`);
    return reply
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': rendererPolicy([`${origin}${frame}`, `${origin}${worker}`]),
        'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      })
      .type('text/html; charset=utf-8')
      .send(`<!doctype html>\n<html lang="en"><title>PDF</title><script src="${frame}" data-renderer="${worker}"></script></html>\n`);
  });
  for (const path of [consolePath, `${consolePath}/*`]) app.get(path, published, (_request, reply) => sendPage(reply, page()));
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': policyWith(nonce),
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      // The sign-in at a provider only starts if `Referer` is a page of this service.
      'referrer-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(placeholders.nonce, nonce));
}
