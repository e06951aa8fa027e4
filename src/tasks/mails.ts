import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../platform/mail/compose.ts';

const drafts: Record<Language, (title: string, reason: string | undefined) => MailDraft> = {
  en: (title, reason) => ({
    subject: `Passed on: ${title}`,
    paragraphs: [
      `the task “${title}”, which was yours, has been given to somebody else. You need to do nothing more for it.`,
      ...(reason === undefined ? [] : [`The reason given: ${reason}`]),
    ],
  }),
  de: (title, reason) => ({
    subject: `Weitergegeben: ${title}`,
    paragraphs: [
      `die Aufgabe „${title}“, die Ihre war, wurde jemand anderem gegeben. Sie brauchen dafür nichts mehr zu tun.`,
      ...(reason === undefined ? [] : [`Der angegebene Grund: ${reason}`]),
    ],
  }),
};

/** Tells somebody that a task of theirs was given to another person. */
export function passedOnMail(locale: string, title: string, reason: string | undefined): MailText {
  const language = languageOf(locale);
  return composeMail(language, drafts[language](title, reason));
}

const ofWalled: Record<Language, (task: string) => MailDraft> = {
  en: (task) => ({
    subject: 'A task was passed on',
    paragraphs: [
      'a task about a document behind a wall, which was yours, has been given to somebody else. You need to do nothing more for it.',
      `Its identifier: ${task}`,
    ],
  }),
  de: (task) => ({
    subject: 'Eine Aufgabe wurde weitergegeben',
    paragraphs: [
      'eine Aufgabe über ein Dokument hinter einer Wand, die Ihre war, wurde jemand anderem gegeben. Sie brauchen dafür nichts mehr zu tun.',
      `Ihre Kennung: ${task}`,
    ],
  }),
};

/** The same of a task about a document behind a wall: a mail may come to somebody outside of it. */
export function walledPassedOnMail(locale: string, task: string): MailText {
  const language = languageOf(locale);
  return composeMail(language, ofWalled[language](task));
}
