import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../platform/mail/compose.ts';

const drafts: Record<Language, (workflow: string, step: string | undefined) => MailDraft> = {
  en: (workflow, step) => ({
    subject: `${step ?? 'Notification'}: ${workflow}`,
    paragraphs: [`The workflow “${workflow}” has reached the step “${step ?? 'notification'}”.`],
  }),
  de: (workflow, step) => ({
    subject: `${step ?? 'Benachrichtigung'}: ${workflow}`,
    paragraphs: [`Der Workflow „${workflow}“ ist beim Schritt „${step ?? 'Benachrichtigung'}“ angekommen.`],
  }),
};

/** What a notification step tells one of its people; `description` is what the step's author wrote. */
export function notificationMail(locale: string, workflow: string, step: string | null, description: string | null): MailText {
  const language = languageOf(locale);
  const { subject, paragraphs } = drafts[language](workflow, step ?? undefined);
  return composeMail(language, { subject, paragraphs: [...paragraphs, ...(description === null ? [] : [description])] });
}
