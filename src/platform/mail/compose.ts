import { attributes, html, linked } from '../http/html.ts';

/** The languages mails are written in. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** A mail as its author writes it: plain paragraphs, links written out. */
export type MailDraft = { subject: string; paragraphs: readonly string[] };
/** A mail before it has a recipient: the same as text and as HTML. */
export type MailText = { subject: string; text: string; html: string };

/**
 * The same paragraphs as text and as HTML; a link is written out, so that it can be read before it is followed. Mails to people
 * without an account are written in more languages than ours: any may be named.
 */
export function composeMail(language: string, { subject, paragraphs }: MailDraft): MailText {
  return {
    // A subject is one line, whatever names stand in it.
    subject: subject.replaceAll(/\s+/g, ' ').slice(0, 200),
    text: `${paragraphs.join('\n\n')}\n`,
    html: asHtml(language, paragraphs),
  };
}

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur']);

function asHtml(language: string, paragraphs: readonly string[]): string {
  const body = paragraphs.map((paragraph) => html`<p>${linked(paragraph)}</p> `);
  return html`<!doctype html>
    <html ${attributes({ lang: language, dir: rightToLeft.has(language) ? 'rtl' : undefined })}>
      <body style="font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:1rem auto;padding:0 1rem">
        ${body}
      </body>
    </html>`.markup;
}

/** The language to write to somebody in, from what is stored of them. */
export function languageOf(locale: string | undefined): Language {
  return languages.find((language) => language === locale) ?? 'en';
}

/** The first of our languages that an Accept-Language header asks for (RFC 9110 §12.5.4). */
export function preferredLanguage(header: string | undefined): Language {
  const wishes = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((wish) => {
      const [tag = '', ...parameters] = wish.trim().toLowerCase().split(';');
      const weight = parameters
        .map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1])
        .find((found) => found !== undefined);
      return { language: languages.find((language) => tag === language || tag.startsWith(`${language}-`)), weight: Number(weight ?? 1) };
    })
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  return wishes[0]?.language ?? 'en';
}
