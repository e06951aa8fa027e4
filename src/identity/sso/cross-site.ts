import type { FastifyRequest } from 'fastify';
import { type Html, html } from '../../platform/http/html.ts';
import type { Page } from '../../platform/http/web-page.ts';
import type { Language } from '../../platform/mail/compose.ts';

/**
 * Whether somebody else sent the browser here: a page of theirs, or one of ours with a link or a way on that a team has written, as forms have. They
 * may name a provider of their own that signs the browser in without a word, so that whoever looked at it goes on in a team of strangers
 * (login CSRF): it takes an act of theirs first (ASVS 7.6.2). A browser says so in `Sec-Fetch-Site`; where people sign in is told by `Referer`, which
 * pages with words of others do not send.
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
    text: (site) => `Another site or a mail has led you here, to sign in to ${site} through an organisation.`,
    go: 'Go on to sign in',
    else: 'If you did not want to sign in, close this page.',
  },
  de: {
    title: 'Anmelden?',
    text: (site) => `Eine andere Seite oder eine E-Mail hat Sie hierher geführt, um sich bei ${site} über eine Organisation anzumelden.`,
    go: 'Weiter zur Anmeldung',
    else: 'Wenn Sie sich nicht anmelden wollten, schließen Sie diese Seite.',
  },
};

/** The page on which somebody whom others have sent says that they want to sign in. `start` is where that begins. */
export function askingPage(language: Language, { start, site }: { start: string; site: string }): Page {
  const said = words[language];
  const body: Html = html`<div class="card">
    <h1>${said.title}</h1>
    <p>${said.text(site)}</p>
    <p><a href="${start}">${said.go}</a></p>
    <p class="soft">${said.else}</p>
  </div>`;
  return { language, title: said.title, body };
}
