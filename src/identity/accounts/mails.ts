import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';
import type { AccountMails } from './mail-texts.ts';
import { german } from './mails-de.ts';
import { english } from './mails-en.ts';

const mails: Record<Language, AccountMails> = { en: english, de: german };

/** Writes one mail in the language of its recipient. */
export function accountMail<Kind extends keyof AccountMails>(
  locale: string | undefined,
  kind: Kind,
  ...parts: Parameters<AccountMails[Kind]>
): MailText {
  const language = languageOf(locale);
  const write = mails[language][kind] as (...parts: Parameters<AccountMails[Kind]>) => MailDraft;
  return composeMail(language, write(...parts));
}
