import { composeMail, type Language, languageOf, type MailDraft, type MailText, servicePage } from '../platform/mail/compose.ts';

/** The page of a task, as a path of the service. */
export const taskPath = (id: string): string => `/app/tasks/${id}`;

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

/** Tasks that a mail tells of: those it names, and how many there are in all. */
type TasksMailData = { named: readonly { id: string; title: string; walled: boolean }[]; count: number };

const words: Record<Language, { about: (titles: string) => string; walled: string; more: (count: number) => string; settings: string }> = {
  en: {
    about: (title) => `“${title}”`,
    walled: 'a task about a document behind a wall',
    more: (count) => (count === 1 ? 'and one more.' : `and ${count} more.`),
    settings: 'Whether such mails come at once, once a day or not at all is a setting of your profile.',
  },
  de: {
    about: (title) => `„${title}“`,
    walled: 'eine Aufgabe über ein Dokument hinter einer Wand',
    more: (count) => (count === 1 ? 'und eine weitere.' : `und ${count} weitere.`),
    settings: 'Ob solche Mails sofort, einmal am Tag oder gar nicht kommen, ist eine Einstellung Ihres Profils.',
  },
};

const asked: Record<Language, { one: [string, (what: string) => string]; several: (count: number) => [string, string]; day: string }> = {
  en: {
    one: ['You have a new task', (what) => `you were given a task: ${what}.`],
    several: (count) => [`You have ${count} new tasks`, `you were given ${count} tasks:`],
    day: 'Your tasks of the day',
  },
  de: {
    one: ['Sie haben eine neue Aufgabe', (what) => `Ihnen wurde eine Aufgabe gegeben: ${what}.`],
    several: (count) => [`Sie haben ${count} neue Aufgaben`, `Ihnen wurden ${count} Aufgaben gegeben:`],
    day: 'Ihre Aufgaben des Tages',
  },
};

const pageOf = ({ id }: { id: string }): string => servicePage(taskPath(id));

function tasksDraft(language: Language, { named, count }: TasksMailData): MailDraft {
  const { about, walled, more, settings } = words[language];
  const { one, several } = asked[language];
  const [first] = named;
  if (count === 1 && first)
    return { subject: one[0], paragraphs: [one[1](first.walled ? walled : about(first.title)), pageOf(first), settings] };
  const what = named.map((task) => `${task.walled ? walled : about(task.title)}: ${pageOf(task)}`);
  const [subject, lead] = several(count);
  return { subject, paragraphs: [lead, ...what, ...(count > named.length ? [more(count - named.length)] : []), settings] };
}

/** Tells somebody of tasks that they were given just now. */
export function assignedMail(locale: string, told: TasksMailData): MailText {
  const language = languageOf(locale);
  return composeMail(language, tasksDraft(language, told));
}

/** Tells somebody once a day of what they were given since the day before. */
export function digestMail(locale: string, told: TasksMailData): MailText {
  const language = languageOf(locale);
  const draft = tasksDraft(language, told);
  return composeMail(language, { ...draft, subject: `${asked[language].day}: ${told.count}` });
}

const overdue: Record<Language, { theirs: (count: number) => [string, string]; others: (count: number) => [string, string] }> = {
  en: {
    theirs: (count) => [
      count === 1 ? 'A task of yours is overdue' : `${count} tasks of yours are overdue`,
      'this is past its due date and waits for you:',
    ],
    others: (count) => [
      count === 1 ? 'A task is still overdue' : `${count} tasks are still overdue`,
      'whoever has this was reminded of it, and it is not done. It can be passed on to somebody else:',
    ],
  },
  de: {
    theirs: (count) => [
      count === 1 ? 'Eine Ihrer Aufgaben ist überfällig' : `${count} Ihrer Aufgaben sind überfällig`,
      'dies ist über seinen Termin hinaus und wartet auf Sie:',
    ],
    others: (count) => [
      count === 1 ? 'Eine Aufgabe ist weiter überfällig' : `${count} Aufgaben sind weiter überfällig`,
      'wer dies hat, wurde daran erinnert, und es ist nicht getan. Es lässt sich an jemand anderen weitergeben:',
    ],
  },
};

function overdueDraft(language: Language, whose: 'theirs' | 'others', { named, count }: TasksMailData): MailDraft {
  const { about, walled, more, settings } = words[language];
  const [subject, lead] = overdue[language][whose](count);
  const what = named.map((task) => `${task.walled ? walled : about(task.title)}: ${pageOf(task)}`);
  return {
    subject,
    paragraphs: [lead, ...what, ...(count > named.length ? [more(count - named.length)] : []), ...(whose === 'theirs' ? [settings] : [])],
  };
}

/** Reminds somebody of tasks of theirs that are overdue. */
export function overdueMail(locale: string, told: TasksMailData): MailText {
  const language = languageOf(locale);
  return composeMail(language, overdueDraft(language, 'theirs', told));
}

/** Tells who gave tasks, or runs the team, that they are overdue still. */
export function escalatedMail(locale: string, told: TasksMailData): MailText {
  const language = languageOf(locale);
  return composeMail(language, overdueDraft(language, 'others', told));
}

const unassigned: Record<Language, (titles: readonly string[]) => MailDraft> = {
  en: (titles) => ({
    subject: 'Decisions wait for somebody to be given to',
    paragraphs: [
      'whoever was to decide here has left, and nobody may take their place: two persons are meant. Please pass these on to somebody who neither made the workflow nor uploaded the version.',
      ...titles,
    ],
  }),
  de: (titles) => ({
    subject: 'Entscheidungen warten auf jemanden',
    paragraphs: [
      'wer hier entscheiden sollte, ist gegangen, und niemand darf an die Stelle treten: Es sind zwei Personen gemeint. Bitte geben Sie dies an jemanden weiter, von dem weder der Workflow noch die Fassung stammt.',
      ...titles,
    ],
  }),
};
/** Titles that one mail names. */
const mostTitles = 20;

/** Tells those who run the team that decisions are given to nobody. */
export function unassignedMail(locale: string, titles: readonly string[]): MailText {
  const language = languageOf(locale);
  const more = titles.length > mostTitles ? [`… ${titles.length - mostTitles} +`] : [];
  return composeMail(language, unassigned[language]([...titles.slice(0, mostTitles).map((title) => `• ${title}`), ...more]));
}
