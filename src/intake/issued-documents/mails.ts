import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';
import type { FailureRecipient } from './kinds.ts';

const drafts: Record<Language, (title: string) => MailDraft> = {
  en: (title) => ({
    subject: `A document could not be made: ${title}`,
    paragraphs: [
      `the document of “${title}” could not be made, after three tries. What it is made of is safe, and nothing else waits for it.`,
      'Its status says why. It is made anew when you ask for it there.',
    ],
  }),
  de: (title) => ({
    subject: `Ein Dokument konnte nicht erstellt werden: ${title}`,
    paragraphs: [
      `das Dokument zu „${title}“ konnte nach drei Versuchen nicht erstellt werden. Woraus es erstellt wird, ist sicher, und nichts sonst wartet darauf.`,
      'Sein Status sagt, warum. Dort lässt es sich neu anfordern.',
    ],
  }),
};

/** Tells somebody that a document of theirs was given up. */
export function failedMail({ locale, title }: FailureRecipient): MailText {
  const language = languageOf(locale);
  return composeMail(language, drafts[language](title));
}
