import type { FastifyRequest } from 'fastify';
import { type Html, html } from '../../platform/http/html.ts';
import type { WebPage } from '../../platform/http/web-page.ts';
import type { Language } from '../../platform/mail/compose.ts';

/**
 * Whether another party sent the browser here: a foreign page, or a page of this service with content of a team, such as a form. Such a page could
 * start a sign-in at an attacker’s provider, so that the user works in a foreign team without notice (login CSRF). These sign-ins need a confirmation
 * (ASVS 7.6.2). The headers `Sec-Fetch-Site` and `Referer` identify them: sign-in pages send `Referer`, and pages with foreign content do not.
 */
export function sentByOthers({ headers }: FastifyRequest, own: readonly string[]): boolean {
  const { 'sec-fetch-site': site = 'none', referer = '' } = headers;
  if (site === 'none') return false;
  return !(URL.canParse(referer) && own.includes(new URL(referer).origin));
}

type Words = { title: string; text: (site: string) => string; go: string; else: string };

const words: Record<Language, Words> = {
  en: {
    title: 'Sign in?',
    text: (site) => `Another site or an email sent you here to sign in to ${site} through an organisation.`,
    go: 'Continue to sign-in',
    else: 'If you do not want to sign in, close this page.',
  },
  de: {
    title: 'Anmelden?',
    text: (site) =>
      `Eine andere Website oder eine E-Mail hat Sie hierher geleitet. Hier melden Sie sich über eine Organisation bei ${site} an.`,
    go: 'Weiter zur Anmeldung',
    else: 'Wenn Sie sich nicht anmelden möchten, schließen Sie diese Seite.',
  },
};

/** The page that asks the user to confirm a sign-in that another page started. `start` is the address that continues it. */
export function askingPage(language: Language, { start, site }: { start: string; site: string }): WebPage {
  const said = words[language];
  const body: Html = html`<div class="card">
    <h1>${said.title}</h1>
    <p>${said.text(site)}</p>
    <p><a href="${start}">${said.go}</a></p>
    <p class="soft">${said.else}</p>
  </div>`;
  return { language, title: said.title, body };
}
