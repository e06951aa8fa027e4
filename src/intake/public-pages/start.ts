import { type Html, html } from '../../platform/http/html.ts';
import type { App } from '../../platform/http/server.ts';
import { sendPage } from '../../platform/http/web-page.ts';

/** The optional parts of this server. */
type Served = { version: string; reference: boolean; development: boolean };

/** The page `/`: browsers go on to the console. Other clients get a short description with links. */
export function startPage(app: App, served: Served): void {
  app.get('/', { config: { access: { kind: 'public' } }, schema: { hide: true } }, (request, reply) => {
    const base = new URL(request.server.baseUrl).pathname.replace(/\/$/, '');
    reply.header('vary', 'accept');
    if (request.headers.accept?.includes('text/html')) return reply.redirect(`${base}/app`, 303);
    return sendPage(reply, { language: 'en', title: 'Chancery', body: bodyOf(base, served) });
  });
}

type StartLink = { path: string; name: string; what: string };

function bodyOf(base: string, { version, reference, development }: Served): Html {
  const places: StartLink[] = [
    ...(reference
      ? [
          { path: '/docs', name: 'Documentation', what: 'tutorials, guides, concepts and reference, with a search' },
          { path: '/docs/api', name: 'API reference', what: 'all operations, with examples to try' },
          { path: '/openapi.json', name: 'Description', what: 'OpenAPI 3.1, to generate a client from' },
        ]
      : []),
    { path: '/problems/', name: 'Problems', what: 'every error code, and what to do' },
    ...(development
      ? [
          { path: '/dev/mail', name: 'Mailbox', what: 'undelivered mails, because no mail server is configured; development only' },
          { path: '/dev/altcha', name: 'Proof of work', what: 'a test of the registration widget; development only' },
        ]
      : []),
    { path: '/.well-known/jwks.json', name: 'Keys', what: 'the keys to verify access tokens' },
    { path: '/tlog/checkpoint', name: 'Checkpoint', what: 'the signed head of the audit journal' },
    { path: '/readyz', name: 'Readiness', what: 'whether the server can handle requests' },
  ];
  return html`<h1>Chancery</h1>
    <p>
      The open, self-hosted backend for legal and compliance document work, version ${version}. This address is an API. Clients call it
      under <code>${base}/api/v1</code>.
    </p>
    <article>
      <h2>On this server</h2>
      <ul>
        ${places.map(({ path, name, what }) => html`<li><a href="${base}${path}">${name}</a> <span class="soft">${what}</span></li>`)}
      </ul>
    </article>`;
}
