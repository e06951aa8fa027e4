import { attributes, html, type Html, linked, mailedPicture } from '../http/html.ts';
import { cutText, escapeHtml, withoutLinks } from '../text.ts';

/** The languages of mails. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** The languages that a member can choose. Mails to authors of forms have all of them; other mails to members in Arabic or Japanese are in English. */
export const memberLanguages = [...languages, 'ar', 'ja'] as const;
export type MemberLanguage = (typeof memberLanguages)[number];

/**
 * A mail as its author writes it: plain paragraphs with complete URLs. `page` is the URL of the linked page, which is also in one of the paragraphs.
 * The HTML adds a button for it.
 */
export type MailDraft = {
  subject: string;
  paragraphs: readonly string[];
  page?: string | undefined;
  /** The path of a page of the console. The mail ends with its URL if `CONSOLE_URL` is set. */
  consolePage?: string | undefined;
};
/** The sender of a mail to a person without an account: name, logo and colour. */
export type MailLook = { name: string; logoUrl?: string; colour?: string };
/** Placeholder for the URL of this service in queued mails, because use cases do not know the real URL. No site can have this name (RFC 2606). */
const ownAddress = 'https://service.invalid';

/** Returns the placeholder URL of a page of this service. */
export const servicePage = (path: string): string => `${ownAddress}${path}`;

/** The URLs in mails: of this service, and of the console if there is one. */
export type MailAddresses = { baseUrl: string; consoleUrl?: string | undefined };

/** Placeholder for the URL of the console in queued mails. */
const consoleAddress = 'https://console.invalid';
const consoleParagraph = new RegExp(`\n\n${consoleAddress}\\S*|<p><a [^>]*>${consoleAddress}[^<]*</a></p>`, 'g');

/**
 * Replaces the placeholders in the text or HTML of a mail. The console has the pages of this service below `/app`. Without a console, its links are
 * removed.
 */
export function withAddresses(text: string, { baseUrl, consoleUrl }: MailAddresses): string {
  const written =
    consoleUrl === undefined
      ? text.replaceAll(consoleParagraph, '')
      : text.replaceAll(`${ownAddress}/app/`, () => `${consoleUrl}/`).replaceAll(consoleAddress, () => consoleUrl);
  return written.replaceAll(ownAddress, () => baseUrl);
}

/** Placeholder for the name of the team in a queued mail. {@link shownText} removes this character from all user content. */
const teamName = '\u0001';
const teamLabels: Readonly<Record<string, string>> = { en: 'Team', de: 'Team', ar: 'الفريق', ja: 'チーム' };
const teamLine = (language: string, name: string): string => `${teamLabels[language] ?? teamLabels.en}: ${name}`;
const teamLineIn = new RegExp(`(?:<p>|\n\n)[^<\n]*${teamName}(?:</p>)?`);

/** Returns the name of a team for mails. */
const shownName = (name: string): string => withoutLinks(shownText(name).replaceAll(/\s+/g, ' ').trim());

/** Fills in the URL of the service and the name of the team. Without a team, the line with the team is removed. */
export function fillMail(mail: MailText, addresses: MailAddresses, team: string | null): MailText {
  const fill = (text: string, name: string | null) =>
    withAddresses(name === null ? text.replace(teamLineIn, '') : text.replaceAll(teamName, () => name), addresses);
  const name = team === null ? null : shownName(team);
  return { subject: mail.subject, text: fill(mail.text, name), html: fill(mail.html, name === null ? null : escapeHtml(name)) };
}

/** A mail without a recipient, as text and as HTML. */
export type MailText = { subject: string; text: string; html: string };

/**
 * Creates the text and the HTML of a mail. URLs are visible, so that readers see them before they open them. `language` can be any language, because
 * mails to people without an account have more languages. Each mail ends with the name of its team: from `look`, or filled in by {@link fillMail}.
 */
export function composeMail(language: string, { subject, paragraphs: written, page, consolePage }: MailDraft, look?: MailLook): MailText {
  const inConsole = consolePage === undefined ? [] : [`${consoleAddress}${consolePage}`];
  const paragraphs = [...written.map(shownText), ...inConsole, teamLine(language, look ? shownName(look.name) : teamName)];
  return {
    // A subject is one line, even if a name contains a line break.
    subject: cutText(shownText(subject).replaceAll(/\s+/g, ' '), 200),
    text: `${paragraphs.join('\n\n')}\n`,
    html: asHtml(language, { paragraphs, page }, look),
  };
}

// Control characters and bidirectional controls. Names and titles can come from anyone.
const turning = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Returns a text without characters that could disguise it. */
const shownText = (text: string): string => text.replaceAll(/\r\n?|[\t\u2028\u2029]/g, ' ').replaceAll(turning, '');

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur']);

const open: Readonly<Record<string, string>> = { en: 'Open the page', de: 'Seite öffnen', ar: 'افتح الصفحة', ja: 'ページを開く' };

/** A button that works in mail programs without style sheets. The contrast of its colours is 6:1. */
const button = (language: string, page: string): Html =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" border="0">
    <tr>
      <td bgcolor="#0b57d0" style="border-radius:8px">
        <a href="${page}" style="display:inline-block;padding:12px 24px;color:#ffffff;font-weight:600;text-decoration:none"
          >${open[language] ?? open.en}</a
        >
      </td>
    </tr>
  </table>`;

function asHtml(language: string, { paragraphs, page }: Pick<MailDraft, 'paragraphs' | 'page'>, look: MailLook | undefined): string {
  const at = page === undefined ? -1 : paragraphs.findIndex((paragraph) => paragraph.includes(page));
  const body = paragraphs.map(
    (paragraph, place) =>
      html`<p>${linked(paragraph)}</p>
        ${place === at && page ? button(language, page) : ''}`,
  );
  return html`<!doctype html>
    <html ${attributes({ lang: language, dir: rightToLeft.has(language) ? 'rtl' : undefined })}>
      <body style="font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:1rem auto;padding:0 1rem;overflow-wrap:anywhere">
        ${look && letterhead(look)}${body}
      </body>
    </html>`.markup;
}

/**
 * Returns the head of a mail with the name or logo of the sender. The colour is used only for a line, so that text keeps the colour of the mail
 * program.
 */
function letterhead({ name, logoUrl, colour }: MailLook): Html {
  const shown = shownName(name);
  const line = colour !== undefined && /^#[\da-f]{6}$/i.test(colour) ? colour : '#d5dae0';
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
    <tr>
      <td height="52" valign="middle">${logoUrl === undefined ? html`<strong>${shown}</strong>` : mailedPicture(logoUrl, shown, 40)}</td>
    </tr>
    <tr>
      <td height="3" bgcolor="${line}" style="font-size:0;line-height:3px">&nbsp;</td>
    </tr>
  </table>`;
}

/** Returns the mail language of a person from their stored locale. */
export function languageOf(locale: string | undefined): Language {
  return languages.find((language) => language === locale) ?? 'en';
}

/** Returns the language that a member chose, from their stored locale. */
export function memberLanguageOf(locale: string | undefined): MemberLanguage {
  return memberLanguages.find((language) => language === locale) ?? 'en';
}

/** Returns the preferred mail language of an Accept-Language header (RFC 9110 §12.5.4). */
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
