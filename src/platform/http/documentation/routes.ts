import { Type } from 'typebox';
import { problems } from '../../problems.ts';
import { sendStaticFile, type StaticFile, staticFile } from '../compression.ts';
import { type Content, Html, html } from '../html.ts';
import type { App } from '../server.ts';
import { sendPage } from '../web-page.ts';
import { docFiles, type DocPage, pageLink, readDoc, readPages } from './pages.ts';
import { type DocSearch, type FoundSection, searchOver } from './search.ts';
import { style } from './style.ts';

/** The folders of the documentation, in the order of a reader. */
const folders = ['tutorials', 'guides', 'concepts', 'reference', 'reference/generated', 'operate', 'internals', 'internals/adr'];
const types: Record<string, string> = { png: 'image/png', json: 'application/json', svg: 'image/svg+xml' };

/** The documentation, which is read at its first use. */
class Documentation {
  readonly #base: string;
  #read: { pages: Map<string, DocPage>; files: Set<string> } | undefined;
  #search: Promise<DocSearch> | undefined;

  constructor(base: string) {
    this.#base = base;
  }

  get #docs() {
    return (this.#read ??= { pages: new Map(readPages().map((page) => [page.path, page])), files: new Set(docFiles()) });
  }

  page(path: string): DocPage | undefined {
    return this.#docs.pages.get(path);
  }

  contentOf({ markup }: DocPage): Html {
    return Html.trusted(markup.replaceAll(`="${pageLink}`, `="${this.#base}/docs/`));
  }

  /** Returns a file that pages name, such as an image. */
  file(path: string): StaticFile | undefined {
    const type = types[path.split('.').at(-1) ?? ''];
    return type !== undefined && this.#docs.files.has(path) ? staticFile(type, readDoc(path)) : undefined;
  }

  /** Returns the pages in a folder, without those of folders in it. */
  inFolder(folder: string): DocPage[] {
    return [...this.#docs.pages.values()].filter(({ path }) => path !== '' && path.split('/').slice(0, -1).join('/') === folder);
  }

  async search(query: string): Promise<FoundSection[]> {
    this.#search ??= searchOver(this.#docs.pages.values());
    return (await this.#search)(query);
  }
}

/** Serves the documentation at `/docs`, with a search. The API reference is at `/docs/api`. */
export function serveDocumentation(app: App): void {
  const base = new URL(app.baseUrl).pathname.replace(/\/$/, '');
  const docs = new Documentation(base);
  const published = { config: { access: { kind: 'public' } }, schema: { hide: true, produces: ['*/*'] } } as const;
  const sheet = staticFile('text/css', Buffer.from(style));
  const send = (reply: Parameters<typeof sendPage>[0], title: string, body: Content, query = '') =>
    sendPage(reply.header('cache-control', 'public, max-age=60'), {
      language: 'en',
      title: `${title} · Chancery`,
      head: html`<link rel="stylesheet" href="${base}/docs/style.css" />`,
      allow: { 'style-src': "'self'", 'img-src': "'self'", 'form-action': "'self'" },
      body: html`<header class="bar">
          <a href="${base}/docs">Documentation</a>
          <a href="${base}/docs/api">API reference</a>
          <form role="search" action="${base}/docs/search">
            <input type="search" name="q" aria-label="Search the documentation" placeholder="Search" maxlength="100" value="${query}" />
          </form>
        </header>
        ${body}`,
    });

  app.get('/docs/style.css', published, (request, reply) =>
    sendStaticFile(request, reply.header('cache-control', 'public, max-age=3600'), sheet),
  );
  app.get(
    '/docs/search',
    { ...published, schema: { ...published.schema, querystring: Type.Object({ q: Type.Optional(Type.String({ maxLength: 100 })) }) } },
    async (request, reply) => {
      const { q = '' } = request.query;
      return send(reply, 'Search', resultsOf(base, q, q.trim() === '' ? [] : await docs.search(q)), q);
    },
  );
  const readPage = { ...published, schema: { ...published.schema, params: Type.Object({ '*': Type.Optional(Type.String()) }) } };
  for (const route of ['/docs', '/docs/*'])
    app.get(route, readPage, (request, reply) => {
      const path = (request.params['*'] ?? '').replace(/\/$/, '').replace(/\.md$/, '');
      const page = docs.page(path);
      if (page) return send(reply, page.title, pageOf(base, docs, page));
      if (folders.includes(path)) return send(reply, nameOf(path), folderOf(base, docs, path));
      const file = docs.file(path);
      if (!file) throw problems.not_found('The documentation has no page with this address. Search at /docs/search.');
      return sendStaticFile(request, reply.header('cache-control', 'public, max-age=3600'), file);
    });
}

const nameOf = (folder: string) => {
  const name = folder.split('/').at(-1) ?? '';
  return name === 'adr' ? 'Decision records' : name.charAt(0).toUpperCase() + name.slice(1);
};

function pageOf(base: string, docs: Documentation, page: DocPage) {
  const { path, sections } = page;
  const folder = path.split('/').slice(0, -1).join('/');
  const beside = path === '' ? [] : docs.inFolder(folder);
  const parts = sections.slice(1, 40);
  return html`<div class="columns">
    <nav aria-label="Pages">
      ${folders.map(
        (one) =>
          html`<p><a href="${base}/docs/${one}">${nameOf(one)}</a></p>
            ${one === folder ? listOf(base, beside, path) : ''}`,
      )}
    </nav>
    <div class="text">
      ${
        parts.length > 2 &&
        html`<details>
          <summary>On this page</summary>
          <ul>
            ${parts.map(({ slug, title }) => html`<li><a href="#${slug}">${title}</a></li>`)}
          </ul>
        </details>`
      }
      ${docs.contentOf(page)}
    </div>
  </div>`;
}

const listOf = (base: string, entries: readonly DocPage[], current: string) =>
  html`<ul>
    ${entries.map(({ path, title }) => html`<li>${path === current ? html`<strong>${title}</strong>` : html`<a href="${base}/docs/${path}">${title}</a>`}</li>`)}
  </ul>`;

function folderOf(base: string, docs: Documentation, folder: string) {
  const inside = folders.filter((one) => one.startsWith(`${folder}/`));
  return html`<div class="text">
    <h1>${nameOf(folder)}</h1>
    <ul>
      ${docs.inFolder(folder).map(({ path, title }) => html`<li><a href="${base}/docs/${path}">${title}</a></li>`)}
      ${inside.map((one) => html`<li><a href="${base}/docs/${one}">${nameOf(one)}</a></li>`)}
    </ul>
  </div>`;
}

function resultsOf(base: string, query: string, found: readonly FoundSection[]) {
  const none = query.trim() === '' ? 'Enter one or more words.' : 'No section has all these words. Use fewer or shorter words.';
  return html`<div class="text">
    <h1>${query.trim() === '' ? 'Search' : `Results for “${query}”`}</h1>
    ${
      found.length === 0
        ? html`<p>${none}</p>`
        : html`<ol class="found">
            ${found.map(
              ({ path, slug, page, title, excerpt }) =>
                html`<li>
                  <a href="${base}/docs/${path}#${slug}">${title}</a> ${page !== title && html`<span class="soft">${page}</span>`}
                  <p>${excerpt}</p>
                </li>`,
            )}
          </ol>`
    }
  </div>`;
}
