import { Type } from 'typebox';
import type { App } from '../http/server.ts';
import { readMailbox } from './jobs.ts';

const mail = Type.Object({ to: Type.String(), subject: Type.String(), text: Type.String(), html: Type.String(), at: Type.String() });
const query = Type.Object({ to: Type.Optional(Type.String({ maxLength: 320 })) });

/** The mails that were not sent for want of a mail server: `/dev/mail` for people, `/dev/mail.json` for programs. Development only. */
export function devMailbox(app: App): void {
  app.get(
    '/dev/mail.json',
    {
      config: { access: { kind: 'public' } },
      schema: {
        summary: 'Mails kept for development, newest first',
        tags: ['Development'],
        querystring: query,
        response: { 200: Type.Array(mail) },
      },
    },
    (request) => readMailbox(app.database, request.query.to),
  );
  app.get('/dev/mail', { config: { access: { kind: 'public' } }, schema: { hide: true, querystring: query } }, async (request, reply) => {
    const mails = await readMailbox(app.database, request.query.to);
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .send(mailboxPage(mails));
  });
}

function escape(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Links in a mail's text, so that a click follows them. */
function linked(text: string): string {
  return escape(text).replaceAll(/https?:\/\/[^\s<&]+/g, (url) => `<a href="${url}">${url}</a>`);
}

function mailboxPage(mails: { to: string; subject: string; text: string; at: string }[]): string {
  const items = mails
    .map(
      (item) =>
        `<article><h2>${escape(item.subject)}</h2><p class="meta">to ${escape(item.to)} · <time>${escape(item.at)}</time></p><pre>${linked(item.text)}</pre></article>`,
    )
    .join('\n');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Development mailbox</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}
article{border:1px solid color-mix(in srgb,currentColor 20%,transparent);border-radius:8px;padding:1rem;margin:1rem 0}h2{font-size:1.1rem;margin:0}
.meta{opacity:.75;margin:.2rem 0 .6rem;font-size:.9rem;overflow-wrap:anywhere}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:0}</style></head>
<body><h1>Development mailbox</h1><p>No mail server is configured (<code>SMTP_URL</code>), so mails are kept here. Newest first.</p>${items || '<p>No mail yet.</p>'}</body></html>`;
}
