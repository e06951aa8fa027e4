import { Type } from 'typebox';
import { problemCatalogue, problems } from '../problems.ts';
import { type Html, html } from './html.ts';
import type { App } from './server.ts';
import { sendPage } from './web-page.ts';

/** Returns a help text as markup, with text in backticks as code. */
export function prose(text: string): Html {
  return html`${text.split(/`([^`]+)`/).map((piece, place) => (place % 2 === 0 ? piece : html`<code>${piece}</code>`))}`;
}

/** Serves `/problems/{code}`, the page in the `type` of a problem document. */
export function problemPages(app: App): void {
  app.get('/problems/', { config: { access: { kind: 'public' } }, schema: { hide: true } }, (_request, reply) => {
    const items = [...problemCatalogue].map(
      ([code, kind]) =>
        html`<li>
          <a href="/problems/${code}"><code>${code}</code></a> <span class="soft">${kind.status}</span> ${prose(kind.title)}
        </li>`,
    );
    const body = html`<h1>Problems</h1>
      <p>Every code this service answers with.</p>
      <ul>
        ${items}
      </ul>`;
    return sendPage(reply.header('cache-control', 'public, max-age=300'), { language: 'en', title: 'Problems', body });
  });
  app.get(
    '/problems/:code',
    { config: { access: { kind: 'public' } }, schema: { hide: true, params: Type.Object({ code: Type.String() }) } },
    (request, reply) => {
      const { code } = request.params;
      const kind = problemCatalogue.get(code);
      if (!kind) throw problems.not_found('There is no problem with this code. The list is at /problems/.');
      const body = html`<h1>${prose(kind.title)}</h1>
        <p class="soft">Status ${kind.status} · <code>${code}</code></p>
        <p>${prose(kind.help)}</p>
        <p><a href="/problems/">All problems</a></p>`;
      return sendPage(reply.header('cache-control', 'public, max-age=300'), { language: 'en', title: kind.title, body });
    },
  );
}
