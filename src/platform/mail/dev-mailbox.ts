import { Type } from 'typebox';
import { type Html, html, linked } from '../http/html.ts';
import type { App } from '../http/server.ts';
import { sendPage } from '../http/web-page.ts';
import type { MailAddresses } from './compose.ts';
import { readMailbox } from './jobs.ts';

const mail = Type.Object(
  { to: Type.String(), subject: Type.String(), text: Type.String(), html: Type.String(), at: Type.String() },
  { title: 'DevelopmentMail' },
);
const query = Type.Object({ to: Type.Optional(Type.String({ maxLength: 320 })) });

/** Shows mails that were not sent without a mail server: `/dev/mail` for people, `/dev/mail.json` for programs. Development only. */
export function devMailbox(app: App, addresses: MailAddresses): void {
  app.get(
    '/dev/mail.json',
    {
      config: { access: { kind: 'public' } },
      schema: {
        operationId: 'listDevelopmentMails',
        summary: 'List development mails, newest first',
        tags: ['Development'],
        querystring: query,
        response: { 200: Type.Array(mail) },
      },
    },
    (request) => readMailbox(app.database, addresses, request.query.to),
  );
  app.get('/dev/mail', { config: { access: { kind: 'public' } }, schema: { hide: true, querystring: query } }, async (request, reply) => {
    const mails = await readMailbox(app.database, addresses, request.query.to);
    return sendPage(reply, { language: 'en', title: 'Development mailbox', body: mailbox(mails) });
  });
}

function mailbox(mails: { to: string; subject: string; text: string; at: string }[]): Html {
  const items = mails.map(
    ({ to, subject, text, at }) =>
      html`<article>
        <h2>${subject}</h2>
        <p class="soft">to ${to} · <time>${at}</time></p>
        <pre>${linked(text)}</pre>
      </article>`,
  );
  return html`<h1>Development mailbox</h1>
    <p>No mail server is configured (<code>SMTP_URL</code>), so mails are kept here. Newest first.</p>
    ${items.length > 0 ? items : html`<p>No mail yet.</p>`}`;
}
