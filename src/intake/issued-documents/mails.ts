import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';
import type { FailureRecipient } from './kinds.ts';

const drafts: Record<Language, (title: string) => MailDraft> = {
  en: (title) => ({
    subject: `Document could not be created: ${title}`,
    paragraphs: [
      `we could not create the document of “${title}”. Three attempts failed. The answers are stored safely.`,
      'The status of the document shows the cause. You can retry there.',
    ],
  }),
  de: (title) => ({
    subject: `Dokument konnte nicht erstellt werden: ${title}`,
    paragraphs: [
      `wir konnten das Dokument zu „${title}“ nicht erstellen. Drei Versuche sind fehlgeschlagen. Die Antworten sind sicher gespeichert.`,
      'Der Status des Dokuments zeigt die Ursache. Dort können Sie es erneut erstellen lassen.',
    ],
  }),
};

/** Builds the mail about a document that could not be created. */
export function failedMail({ locale, title }: FailureRecipient): MailText {
  const language = languageOf(locale);
  return composeMail(language, drafts[language](title));
}
