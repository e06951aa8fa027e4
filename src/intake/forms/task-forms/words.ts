import { composeMail, type Language, languageOf, type MailDraft, type MailLook, type MailText } from '../../../platform/mail/compose.ts';

type TaskFormMailData = { title: string; url: string };

const texts: Record<Language, (said: TaskFormMailData) => MailDraft> = {
  en: ({ title, url }) => ({
    subject: `Please fill in: ${title}`,
    paragraphs: [
      `you have a task to fill in the form “${title}”. Use this personal link; it works once:`,
      url,
      'Your submission completes the task. The link stops working when the task ends or is reassigned.',
    ],
  }),
  de: ({ title, url }) => ({
    subject: `Bitte ausfüllen: ${title}`,
    paragraphs: [
      `Sie haben die Aufgabe, das Formular „${title}“ auszufüllen. Dieser Link ist nur für Sie und gilt einmal:`,
      url,
      'Mit dem Absenden ist die Aufgabe erledigt. Der Link gilt nicht mehr, wenn die Aufgabe endet oder neu zugewiesen wird.',
    ],
  }),
};

/** Writes the mail with the form link of a task. */
export function taskFormMail(locale: string, { title, url }: TaskFormMailData, look: MailLook): MailText {
  const language = languageOf(locale);
  return composeMail(language, { ...texts[language]({ title: title.replaceAll(/\s+/g, ' ').trim(), url }), page: url }, look);
}
