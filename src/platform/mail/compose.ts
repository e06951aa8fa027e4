import { cutText, escapeHtml, withoutLinks } from '../text.ts';
import { type MailContent, type MailLink, type MailLook, mailPage } from './layout.ts';

export type { MailLook } from './layout.ts';

/** The languages of mails. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** The languages that a member can choose. Mails to authors of forms have all of them; other mails to members in Arabic or Japanese are in English. */
export const memberLanguages = [...languages, 'ar', 'ja'] as const;
export type MemberLanguage = (typeof memberLanguages)[number];

/**
 * A mail as its author writes it: plain paragraphs, and links to items of a list. `button` leads to the page on which the recipient acts. The text part
 * has its label and URL. `notes` are less important paragraphs after the button.
 */
export type MailDraft = MailContent;
/** Placeholder for the URL of this service in queued mails, because use cases do not know the real URL. No site can have this name (RFC 2606). */
const ownAddress = 'https://service.invalid';

/** Returns the placeholder URL of a page of this service. */
export const servicePage = (path: string): string => `${ownAddress}${path}`;

/** The URLs in mails: of this service, and of the console. */
export type MailAddresses = { baseUrl: string; consoleUrl: string };

/** Returns the URLs from the settings. This service serves the console unless `CONSOLE_URL` is set. */
export const mailAddresses = (config: { BASE_URL: string; CONSOLE_URL?: string | undefined }): MailAddresses => ({
  baseUrl: config.BASE_URL,
  consoleUrl: config.CONSOLE_URL ?? `${config.BASE_URL}/app`,
});

/** Placeholder for the URL of the console in mails of earlier versions. */
const consoleAddress = 'https://console.invalid';

/** Replaces the placeholders in the text or HTML of a mail. The console has the pages of this service below `/app`. */
export function withAddresses(text: string, { baseUrl, consoleUrl }: MailAddresses): string {
  return text
    .replaceAll(`${ownAddress}/app/`, () => `${consoleUrl}/`)
    .replaceAll(consoleAddress, () => consoleUrl)
    .replaceAll(ownAddress, () => baseUrl);
}

/** Placeholder for the name of the team in a queued mail. {@link shownText} removes this character from all user content. */
const teamName = '\u0001';
const teamLabels: Readonly<Record<string, string>> = { en: 'Team', de: 'Team', ar: 'الفريق', ja: 'チーム' };
const teamLine = (language: string, name: string): string => `${teamLabels[language] ?? teamLabels.en}: ${name}`;
const teamLineIn = new RegExp(`<p[^>]*>[^<]*${teamName}\\s*</p>|\n\n[^\n]*${teamName}`);

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
 * Creates the text and the HTML of a mail. The URL of the button is visible, so that readers see it before they open it. `language` can be any
 * language, because mails to people without an account have more languages. Each mail ends with the name of its team: from `look`, or filled in by
 * {@link fillMail}.
 */
export function composeMail(language: string, draft: MailDraft, look?: MailLook): MailText {
  // A subject is one line, even if a name contains a line break.
  const subject = cutText(shownText(draft.subject).replaceAll(/\s+/g, ' '), 200);
  const paragraphs = draft.paragraphs.map((one, at) =>
    typeof one === 'string' ? (at === 0 ? capitalized(shownText(one), language) : shownText(one)) : shownLink(one),
  );
  const button = draft.button && shownLink(draft.button);
  const notes = (draft.notes ?? []).map(shownText);
  const team = teamLine(language, look ? shownName(look.name) : teamName);
  const lines = [...paragraphs, ...(button ? [button] : []), ...notes, team].map((one) =>
    typeof one === 'string' ? one : `${one.label}: ${one.page}`,
  );
  return {
    subject,
    text: `${lines.join('\n\n')}\n`,
    html: mailPage(language, { subject, paragraphs, button, notes }, team, look && { ...look, name: shownName(look.name) }),
  };
}

// Control characters and bidirectional controls. Names and titles can come from anyone.
const turning = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Returns a text without characters that could disguise it. */
const shownText = (text: string): string => text.replaceAll(/\r\n?|[\t\u2028\u2029]/g, ' ').replaceAll(turning, '');
const capitalized = (text: string, language: string): string => text.replace(/^\p{Ll}/u, (first) => first.toLocaleUpperCase(language));
const shownLink = ({ label, page }: MailLink): MailLink => ({ label: shownText(label).replaceAll(/\s+/g, ' '), page });

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
