import { composeMail, type Language, languageOf, type MailDraft, type MailText, servicePage } from '../../platform/mail/compose.ts';

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

/** Tasks that a mail tells of: those it names, and how many there are in all. */
type TasksMailData = { named: readonly { id: string; title: string }[]; count: number };

const words: Record<Language, { about: (titles: string) => string; more: (count: number) => string; settings: string }> = {
  en: {
    about: (title) => `“${title}”`,
    more: (count) => (count === 1 ? 'and one more.' : `and ${count} more.`),
    settings: 'Whether such mails come at once, once a day or not at all is a setting of your profile.',
  },
  de: {
    about: (title) => `„${title}“`,
    more: (count) => (count === 1 ? 'und eine weitere.' : `und ${count} weitere.`),
    settings: 'Ob solche Mails sofort, einmal am Tag oder gar nicht kommen, ist eine Einstellung Ihres Profils.',
  },
};

const assignedTexts: Record<
  Language,
  { one: [string, (what: string) => string]; several: (count: number) => [string, string]; day: string }
> = {
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

/** The page of a mail about a single task. A mail about several has a link for each, and no button. */
const onePage = ({ named: [first], count }: TasksMailData): string | undefined => (first && count === 1 ? pageOf(first) : undefined);

function tasksDraft(language: Language, { named, count }: TasksMailData): MailDraft {
  const { about, more, settings } = words[language];
  const { one, several } = assignedTexts[language];
  const [first] = named;
  if (count === 1 && first)
    return { subject: one[0], paragraphs: [one[1](about(first.title)), pageOf(first), settings], page: onePage({ named, count }) };
  const what = named.map((task) => `${about(task.title)}: ${pageOf(task)}`);
  const [subject, intro] = several(count);
  return { subject, paragraphs: [intro, ...what, ...(count > named.length ? [more(count - named.length)] : []), settings] };
}

/** Tells somebody of tasks that they were given just now. */
export function assignedMail(locale: string, data: TasksMailData): MailText {
  const language = languageOf(locale);
  return composeMail(language, tasksDraft(language, data));
}

/** Tells somebody once a day of what they were given since the day before. */
export function digestMail(locale: string, data: TasksMailData): MailText {
  const language = languageOf(locale);
  const draft = tasksDraft(language, data);
  return composeMail(language, { ...draft, subject: `${assignedTexts[language].day}: ${data.count}` });
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

function overdueDraft(language: Language, audience: 'theirs' | 'others', { named, count }: TasksMailData): MailDraft {
  const { about, more, settings } = words[language];
  const [subject, intro] = overdue[language][audience](count);
  const what = named.map((task) => `${about(task.title)}: ${pageOf(task)}`);
  return {
    subject,
    paragraphs: [
      intro,
      ...what,
      ...(count > named.length ? [more(count - named.length)] : []),
      ...(audience === 'theirs' ? [settings] : []),
    ],
    page: onePage({ named, count }),
  };
}

/** Reminds somebody of tasks of theirs that are overdue. */
export function overdueMail(locale: string, data: TasksMailData): MailText {
  const language = languageOf(locale);
  return composeMail(language, overdueDraft(language, 'theirs', data));
}

/** Tells who gave tasks, or runs the team, that they are overdue still. */
export function escalatedMail(locale: string, data: TasksMailData): MailText {
  const language = languageOf(locale);
  return composeMail(language, overdueDraft(language, 'others', data));
}

const unassigned: Record<Language, (titles: readonly string[]) => MailDraft> = {
  en: (titles) => ({
    subject: 'Tasks have no assignee',
    paragraphs: [
      'these tasks wait for an assignee. The assignee has left, is outside of a barrier or lost the access to the document, or the step takes two persons. Please assign each of them. A decision goes to a member who neither made the workflow nor uploaded the version.',
      ...titles,
    ],
  }),
  de: (titles) => ({
    subject: 'Aufgaben ohne zuständige Person',
    paragraphs: [
      'diese Aufgaben warten auf eine zuständige Person. Die bisherige ist gegangen, steht außerhalb einer Informationsbarriere oder hat den Zugang zum Dokument verloren, oder der Schritt braucht zwei Personen. Bitte weisen Sie jede Aufgabe zu. Eine Entscheidung geht an ein Mitglied, von dem weder der Workflow noch die Fassung stammt.',
      ...titles,
    ],
  }),
};
/** Titles that one mail names. */
const maxTitles = 20;

/** Tells owner and administrators which tasks have no assignee. */
export function unassignedMail(locale: string, titles: readonly string[]): MailText {
  const language = languageOf(locale);
  const more = titles.length > maxTitles ? [`… ${titles.length - maxTitles} +`] : [];
  return composeMail(language, unassigned[language]([...titles.slice(0, maxTitles).map((title) => `• ${title}`), ...more]));
}

const barred: Record<Language, (count: number) => MailDraft> = {
  en: (count) => ({
    subject: count === 1 ? 'A task behind your barrier has no assignee' : `${count} tasks behind your barrier have no assignee`,
    paragraphs: [
      count === 1
        ? 'after your change, an information barrier excludes the assignee of an open task. The task has no assignee. Please assign it to a member inside of the barrier:'
        : `after your change, information barriers exclude the assignees of ${count} open tasks. The tasks have no assignee. Please assign each to a member inside of the barrier:`,
    ],
  }),
  de: (count) => ({
    subject:
      count === 1
        ? 'Eine Aufgabe hinter Ihrer Barriere ist ohne zuständige Person'
        : `${count} Aufgaben hinter Ihrer Barriere sind ohne zuständige Person`,
    paragraphs: [
      count === 1
        ? 'nach Ihrer Änderung schließt eine Informationsbarriere die zuständige Person einer offenen Aufgabe aus. Die Aufgabe hat niemanden. Bitte weisen Sie sie einem Mitglied innerhalb der Barriere zu:'
        : `nach Ihrer Änderung schließen Informationsbarrieren die zuständigen Personen von ${count} offenen Aufgaben aus. Die Aufgaben haben niemanden. Bitte weisen Sie jede einem Mitglied innerhalb der Barriere zu:`,
    ],
  }),
};

/** The mail to the person who changed a barrier, or moved something behind one: the open tasks that have no assignee because of it. */
export function barrierChangedMail(locale: string, { named, count }: TasksMailData): MailText {
  const language = languageOf(locale);
  const { about, more } = words[language];
  const { subject, paragraphs } = barred[language](count);
  const tasks = named.map((task) => `${about(task.title)}: ${pageOf(task)}`);
  return composeMail(language, {
    subject,
    paragraphs: [...paragraphs, ...tasks, ...(count > named.length ? [more(count - named.length)] : [])],
  });
}
