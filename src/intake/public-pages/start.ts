import { type Html, html } from '../../platform/http/html.ts';
import type { App } from '../../platform/http/server.ts';
import { sendPage } from '../../platform/http/web-page.ts';

/** The optional parts of this server. */
type Served = { version: string; reference: boolean; development: boolean };

/** The page `/`: a short description with links, for people who open the address in a browser. */
export function startPage(app: App, served: Served): void {
  app.get('/', { config: { access: { kind: 'public' } }, schema: { hide: true } }, (request, reply) => {
    const base = new URL(request.server.baseUrl).pathname.replace(/\/$/, '');
    return sendPage(reply, { language: 'en', title: 'Chancery', body: bodyOf(base, served) });
  });
}

type StartLink = { path: string; name: string; what: string };

/** The guides are files of the distribution. The server does not serve them, so the page shows their paths. */
const guides = [
  { file: 'docs/tutorials/first-workflow.md', what: 'a first integration, from zero to a verified journal' },
  { file: 'docs/guides/sign-users-in.md', what: 'sign-in and token renewal' },
  { file: 'docs/guides/handle-webhooks.md', what: 'receiving and verifying events' },
  { file: 'docs/reference/errors-and-conventions.md', what: 'errors, paging, versions and retries' },
  { file: 'docs/reference/configuration.md', what: 'every setting' },
];

function bodyOf(base: string, { version, reference, development }: Served): Html {
  const places: StartLink[] = [
    ...(reference
      ? [
          { path: '/docs', name: 'Reference', what: 'all operations, with examples to try' },
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
    </article>
    <article>
      <h2>Guides in the distribution</h2>
      <ul>
        ${guides.map(({ file, what }) => html`<li><code>${file}</code> <span class="soft">${what}</span></li>`)}
      </ul>
    </article>`;
}
