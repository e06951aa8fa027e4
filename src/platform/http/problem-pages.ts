import { Type } from 'typebox';
import { problemCatalogue, problems } from '../problems.ts';
import type { App } from './server.ts';

const page = (
  title: string,
  body: string,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>:root{color-scheme:light dark}body{font:17px/1.6 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}code{font:.95em ui-monospace,monospace;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25}.status{opacity:.75}li{margin:.4rem 0}a{color:inherit}</style></head><body>${body}</body></html>`;

const csp = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** Backticks of a help text as code. The catalogue is our own text. */
function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** `/problems/{code}`: the page that the `type` of a problem document points to, for people. */
export function problemPages(app: App): void {
  app.get('/problems/', { config: { access: { kind: 'public' } }, schema: { hide: true } }, (_request, reply) => {
    const items = [...problemCatalogue].map(
      ([code, kind]) =>
        `<li><a href="/problems/${code}"><code>${code}</code></a> <span class="status">${kind.status}</span> ${html(kind.title)}</li>`,
    );
    return reply
      .headers({ 'content-security-policy': csp, 'cache-control': 'public, max-age=300' })
      .type('text/html; charset=utf-8')
      .send(page('Problems', `<h1>Problems</h1><p>Every code this service answers with.</p><ul>${items.join('')}</ul>`));
  });
  app.get(
    '/problems/:code',
    { config: { access: { kind: 'public' } }, schema: { hide: true, params: Type.Object({ code: Type.String() }) } },
    (request, reply) => {
      const { code } = request.params;
      const kind = problemCatalogue.get(code);
      if (!kind) throw problems.not_found('There is no problem of this code. The list is at /problems/.');
      const body = `<h1>${html(kind.title)}</h1><p class="status">Status ${kind.status} · <code>${code}</code></p><p>${html(kind.help)}</p><p><a href="/problems/">All problems</a></p>`;
      return reply
        .headers({ 'content-security-policy': csp, 'cache-control': 'public, max-age=300' })
        .type('text/html; charset=utf-8')
        .send(page(kind.title, body));
    },
  );
}
