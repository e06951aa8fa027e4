import { type Html, html } from '../../platform/http/html.ts';
import type { App } from '../../platform/http/server.ts';
import { sendPage } from '../../platform/http/web-page.ts';

/** What stands at this service, beside the API itself. */
type Served = { version: string; reference: boolean; development: boolean };

/** `/`: what this is and where one goes on, for whoever opens the address in a browser. */
export function startPage(app: App, served: Served): void {
  app.get('/', { config: { access: { kind: 'public' } }, schema: { hide: true } }, (request, reply) => {
    const base = new URL(request.server.baseUrl).pathname.replace(/\/$/, '');
    return sendPage(reply, { language: 'en', title: 'Chancery', body: bodyOf(base, served) });
  });
}

type StartLink = { path: string; name: string; what: string };

/** The guides are files of the distribution: not served, and so named by their path. */
const guides = [
  { file: 'docs/tutorials/first-workflow.md', what: 'a first integration, from zero to a verified journal' },
  { file: 'docs/guides/sign-users-in.md', what: 'how a program signs in and renews, and everything around it' },
  { file: 'docs/guides/handle-webhooks.md', what: 'receiving and verifying events' },
  { file: 'docs/reference/errors-and-conventions.md', what: 'errors, paging, versions, repetition' },
  { file: 'docs/reference/configuration.md', what: 'every setting' },
];

function bodyOf(base: string, { version, reference, development }: Served): Html {
  const places: StartLink[] = [
    ...(reference
      ? [
          { path: '/docs', name: 'Reference', what: 'every operation, to read and to try' },
          { path: '/openapi.json', name: 'Description', what: 'OpenAPI 3.1, to generate a client from' },
        ]
      : []),
    { path: '/problems/', name: 'Problems', what: 'every error code, and what to do' },
    ...(development
      ? [
          { path: '/dev/mail', name: 'Mailbox', what: 'mails that were not sent, since no mail server is set; for development' },
          { path: '/dev/altcha', name: 'Proof of work', what: 'the widget of registration at work; for development' },
        ]
      : []),
    { path: '/.well-known/jwks.json', name: 'Keys', what: 'that verify access tokens' },
    { path: '/tlog/checkpoint', name: 'Checkpoint', what: 'the signed head of the audit journal’s tree' },
    { path: '/readyz', name: 'Readiness', what: 'whether requests can be served' },
  ];
  return html`<h1>Chancery</h1>
    <p>
      The open, self-hosted backend for legal and compliance document work, version ${version}. This address is an API; programs call it
      under <code>${base}/api/v1</code>.
    </p>
    <article>
      <h2>Here</h2>
      <ul>
        ${places.map(({ path, name, what }) => html`<li><a href="${base}${path}">${name}</a> <span class="soft">${what}</span></li>`)}
      </ul>
    </article>
    <article>
      <h2>Guides, in the distribution</h2>
      <ul>
        ${guides.map(({ file, what }) => html`<li><code>${file}</code> <span class="soft">${what}</span></li>`)}
      </ul>
    </article>`;
}
