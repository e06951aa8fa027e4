import { composeMail, type Language, languageOf, type MailDraft, type MailLook, type MailText } from '../../../platform/mail/compose.ts';

type TaskFormMailData = { title: string; url: string };

const texts: Record<Language, (said: TaskFormMailData) => MailDraft> = {
  en: ({ title, url }) => ({
    subject: `Please fill in: ${title}`,
    paragraphs: [
      `a task of yours asks for your answers to “${title}”. This link is for you alone, and for this one time:`,
      url,
      'What you send does the task. The link ends with it, and when the task is given to somebody else.',
    ],
  }),
  de: ({ title, url }) => ({
    subject: `Bitte ausfüllen: ${title}`,
    paragraphs: [
      `eine Ihrer Aufgaben bittet Sie um Ihre Antworten zu „${title}“. Dieser Link ist nur für Sie und nur für dieses eine Mal:`,
      url,
      'Was Sie senden, erledigt die Aufgabe. Der Link endet mit ihr, und wenn sie jemand anderem gegeben wird.',
    ],
  }),
};

/** Gives somebody of the team the link to the form of their task. */
export function taskFormMail(locale: string, { title, url }: TaskFormMailData, look: MailLook): MailText {
  const language = languageOf(locale);
  return composeMail(language, { ...texts[language]({ title: title.replaceAll(/\s+/g, ' ').trim(), url }), page: url }, look);
}
