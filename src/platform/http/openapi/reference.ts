import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { problems } from '../../problems.ts';
import { sendStaticFile, type StaticFile, staticFile } from '../compression.ts';
import { html } from '../html.ts';
import { prose } from '../problem-pages.ts';
import type { App } from '../server.ts';
import { sendPage } from '../web-page.ts';
import { descriptionFile, sendDescription } from './send-description.ts';

type Operation = { operationId?: string; summary?: string; tags?: readonly string[] };
type Items = Record<string, Record<string, Operation>>;
export type Description = {
  info: { title: string; version: string };
  tags: readonly { name: string; description: string }[];
  paths: Items;
  webhooks: Items;
  components: Record<string, Record<string, unknown>>;
};

type Group = { slug: string; name: string; about: string; paths: Items; webhooks: Items };

/** The script that starts Swagger UI. Swagger UI resolves the whole description first, so each page contains only one group of operations. */
const start = `SwaggerUIBundle({
  dom_id: '#reference',
  url: document.documentElement.dataset.description,
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
});`;
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-ancestors 'none'";

const installed = (name: string) => readFileSync(new URL(`static/${name}`, import.meta.resolve('@fastify/swagger-ui')));
const files: Record<string, () => StaticFile> = {
  'swagger-ui.css': () => staticFile('text/css', installed('swagger-ui.css')),
  'swagger-ui-bundle.js': () => staticFile('text/javascript', installed('swagger-ui-bundle.js')),
  'favicon-32x32.png': () => staticFile('image/png', installed('favicon-32x32.png')),
  'start.js': () => staticFile('text/javascript', Buffer.from(start)),
};

const slugOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z]+/g, '-');

function groupsOf({ tags, paths, webhooks }: Description): Group[] {
  const inGroup = (name: string): Items =>
    Object.fromEntries(Object.entries(paths).filter(([, item]) => Object.values(item)[0]?.tags?.[0] === name));
  const groups = tags.map(({ name, description }) => ({
    slug: slugOf(name),
    name,
    about: description,
    paths: inGroup(name),
    webhooks: {},
  }));
  const events = { slug: 'events', name: 'Events', about: 'Deliveries to webhook endpoints', paths: {}, webhooks };
  return [...groups.filter((group) => Object.keys(group.paths).length > 0), events];
}

/** Returns the description of one group: its operations, and the components that they reference. */
function descriptionOf(whole: Description, { paths, webhooks }: Group): Description {
  const components: Description['components'] = { securitySchemes: whole.components.securitySchemes ?? {} };
  const take = (value: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/([^"/]+)"/g)) {
      const found = whole.components[kind]?.[name];
      const taken = (components[kind] ??= {});
      if (found === undefined || name in taken) continue;
      taken[name] = found;
      take(found);
    }
  };
  take([paths, webhooks]);
  return { ...whole, tags: whole.tags.filter(({ name }) => usesTag(paths, name)), paths, webhooks, components };
}

const usesTag = (paths: Items, name: string) =>
  Object.values(paths).some((item) => Object.values(item).some(({ tags }) => tags?.includes(name)));

/** Serves `/docs/api`: a list of all operations, and a page for each group, with forms to try the operations. */
export function serveReference(app: App, describe: () => Promise<Description>): void {
  const open = new Map<string, StaticFile>();
  const descriptions = new Map<string, StaticFile>();
  const base = new URL(app.baseUrl).pathname.replace(/\/$/, '');
  const published = { config: { access: { kind: 'public' } }, schema: { hide: true, produces: ['*/*'] } } as const;
  const groupNamed = async (slug: string) => {
    const whole = await describe();
    const group = groupsOf(whole).find((one) => one.slug === slug);
    if (!group) throw problems.not_found('There is no group of operations with this name. The list is at /docs/api.');
    return { whole, group };
  };
  const ofGroup = { ...published, schema: { ...published.schema, params: Type.Object({ group: Type.String() }) } };

  app.get('/docs/api', published, async (_request, reply) => {
    const { info, ...whole } = await describe();
    const groups = groupsOf({ info, ...whole });
    const body = html`<h1>${info.title} API ${info.version}</h1>
      <p>
        Open an operation to read its schemas and to try it. <a href="${base}/openapi.json">The OpenAPI description</a> has all of them.
      </p>
      ${groups.map((group) => listOf(base, group))}`;
    return sendPage(reply.header('cache-control', 'public, max-age=60'), { language: 'en', title: `${info.title} API`, body });
  });
  app.get(
    '/docs/api/static/:name',
    { ...published, schema: { ...published.schema, params: Type.Object({ name: Type.String() }) } },
    (request, reply) => {
      const { name } = request.params;
      const make = Object.hasOwn(files, name) ? files[name] : undefined;
      if (!make) throw problems.not_found('The reference has no file with this name. Reload `/docs/api`.');
      const file = open.get(name) ?? make();
      open.set(name, file);
      return sendStaticFile(request, reply.header('cache-control', 'public, max-age=3600'), file);
    },
  );
  app.get('/docs/api/:group', ofGroup, async (request, reply) => {
    const { group, whole } = await groupNamed(request.params.group);
    return reply
      .headers({ 'content-security-policy': policy, 'cache-control': 'public, max-age=60' })
      .type('text/html; charset=utf-8')
      .send(pageOf(base, group, whole.info.title).markup);
  });
  app.get('/docs/api/:group/openapi.json', ofGroup, async (request, reply) => {
    const { group, whole } = await groupNamed(request.params.group);
    const file = descriptions.get(group.slug) ?? descriptionFile(descriptionOf(whole, group));
    descriptions.set(group.slug, file);
    return sendDescription(request, reply, file);
  });
}

/** Returns the page that shows the operations of one group in Swagger UI. */
function pageOf(base: string, { slug, name }: Group, title: string) {
  return html`<!doctype html>
    <html lang="en" data-description="${base}/docs/api/${slug}/openapi.json">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${name} · ${title} API</title>
        <link rel="icon" href="${base}/docs/api/static/favicon-32x32.png" />
        <link rel="stylesheet" href="${base}/docs/api/static/swagger-ui.css" />
      </head>
      <body class="swagger-ui">
        <nav class="wrapper">
          <p><a href="${base}/docs/api">All operations</a></p>
        </nav>
        <div id="reference"></div>
        <script src="${base}/docs/api/static/swagger-ui-bundle.js"></script>
        <script src="${base}/docs/api/static/start.js"></script>
      </body>
    </html> `;
}

function listOf(base: string, { slug, name, about, paths, webhooks }: Group) {
  const operations = [...Object.entries(paths), ...Object.entries(webhooks)].flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: slug === 'events' ? '' : method.toUpperCase(), operation })),
  );
  return html`<article>
    <h2 id="${slug}"><a href="${base}/docs/api/${slug}">${name}</a></h2>
    <p class="soft">${about}</p>
    <ul>
      ${operations.map(
        ({ path, method, operation }) =>
          html`<li>
            <a href="${base}/docs/api/${slug}#/${operation.tags?.[0] ?? ''}/${operation.operationId ?? ''}"
              ><code>${method} ${path}</code></a
            >
            ${prose(operation.summary ?? '')}
          </li>`,
      )}
    </ul>
  </article>`;
}
