import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';
import { consolePages } from '../../platform/mail/console-pages.ts';
import type { MailLink } from '../../platform/mail/layout.ts';

/** The path of the page of a task. */
export const taskPath = (id: string): string => `/app/tasks/${id}`;

const drafts: Record<Language, (title: string, reason: string | undefined) => MailDraft> = {
  en: (title, reason) => ({
    subject: `Task reassigned: ${title}`,
    paragraphs: [
      `the task “${title}” was assigned to another member. You no longer need to work on it.`,
      ...(reason === undefined ? [] : [`Reason: ${reason}`]),
    ],
  }),
  de: (title, reason) => ({
    subject: `Aufgabe neu zugewiesen: ${title}`,
    paragraphs: [
      `die Aufgabe „${title}“ wurde jemand anderem zugewiesen. Sie müssen sie nicht mehr bearbeiten.`,
      ...(reason === undefined ? [] : [`Grund: ${reason}`]),
    ],
  }),
};

/** Mail to the previous assignee of a reassigned task. */
export function reassignedMail(locale: string, title: string, reason: string | undefined): MailText {
  const language = languageOf(locale);
  return composeMail(language, { ...drafts[language](title, reason), button: inbox(language) });
}

const open: Record<Language, { task: string; inbox: string }> = {
  en: { task: 'Open the task', inbox: 'Open your inbox' },
  de: { task: 'Aufgabe öffnen', inbox: 'Eingang öffnen' },
};
const inbox = (language: Language): MailLink => ({ label: open[language].inbox, page: consolePages.inbox() });

/** The tasks that a mail names, and the total number. */
type TasksMailData = { named: readonly { id: string; title: string }[]; count: number };

const words: Record<Language, { about: (titles: string) => string; more: (count: number) => string; settings: string }> = {
  en: {
    about: (title) => `“${title}”`,
    more: (count) => (count === 1 ? 'and one more.' : `and ${count} more.`),
    settings: 'In your profile you can choose to get these mails at once, once a day or not at all.',
  },
  de: {
    about: (title) => `„${title}“`,
    more: (count) => (count === 1 ? 'und eine weitere.' : `und ${count} weitere.`),
    settings: 'In Ihrem Profil legen Sie fest, ob Sie solche Mails sofort, einmal täglich oder gar nicht erhalten.',
  },
};

const assignedTexts: Record<
  Language,
  { one: [string, (what: string) => string]; several: (count: number) => [string, string]; day: string }
> = {
  en: {
    one: ['You have a new task', (what) => `a task was assigned to you: ${what}.`],
    several: (count) => [`You have ${count} new tasks`, `${count} tasks were assigned to you:`],
    day: 'Your daily tasks',
  },
  de: {
    one: ['Sie haben eine neue Aufgabe', (what) => `Ihnen wurde eine Aufgabe zugewiesen: ${what}.`],
    several: (count) => [`Sie haben ${count} neue Aufgaben`, `Ihnen wurden ${count} Aufgaben zugewiesen:`],
    day: 'Ihre täglichen Aufgaben',
  },
};

const groupTexts: typeof assignedTexts = {
  en: {
    one: ['Your group has a new task', (what) => `your group has a new task: ${what}. Claim it if you want to work on it.`],
    several: (count) => [
      `Your groups have ${count} new tasks`,
      `your groups have ${count} new tasks. Claim those that you want to work on:`,
    ],
    day: assignedTexts.en.day,
  },
  de: {
    one: [
      'Ihre Gruppe hat eine neue Aufgabe',
      (what) => `Ihre Gruppe hat eine neue Aufgabe: ${what}. Übernehmen Sie sie, wenn Sie sie bearbeiten wollen.`,
    ],
    several: (count) => [
      `Ihre Gruppen haben ${count} neue Aufgaben`,
      `Ihre Gruppen haben ${count} neue Aufgaben. Übernehmen Sie die, die Sie bearbeiten wollen:`,
    ],
    day: assignedTexts.de.day,
  },
};

/** The button of a mail leads to its task, or for several to the inbox. Then each task of the list is a link. */
const buttonOf = (language: Language, { named: [first], count }: TasksMailData): MailLink =>
  first && count === 1 ? { label: open[language].task, page: consolePages.task(first.id) } : inbox(language);

/** The titles of the tasks, as links if there are several. */
function listOf(language: Language, { named, count }: TasksMailData): (string | MailLink)[] {
  const { about, more } = words[language];
  const listed = named.map(({ id, title }) => (count === 1 ? about(title) : { label: about(title), page: consolePages.task(id) }));
  return [...listed, ...(count > named.length ? [more(count - named.length)] : [])];
}

function tasksDraft(language: Language, data: TasksMailData, texts = assignedTexts): MailDraft {
  const { about, settings } = words[language];
  const { one, several } = texts[language];
  const [first] = data.named;
  const around = { button: buttonOf(language, data), notes: [settings] };
  if (data.count === 1 && first) return { subject: one[0], paragraphs: [one[1](about(first.title))], ...around };
  const [subject, intro] = several(data.count);
  return { subject, paragraphs: [intro, ...listOf(language, data)], ...around };
}

/** Mail about tasks that were just assigned. */
export function assignedMail(locale: string, data: TasksMailData): MailText {
  const language = languageOf(locale);
  return composeMail(language, tasksDraft(language, data));
}

/** Mail about new tasks of groups, to a member who can claim them. */
export function groupMail(locale: string, data: TasksMailData): MailText {
  const language = languageOf(locale);
  return composeMail(language, tasksDraft(language, data, groupTexts));
}

/** Daily mail about the tasks that were assigned since the previous one. */
export function digestMail(locale: string, data: TasksMailData): MailText {
  const language = languageOf(locale);
  const draft = tasksDraft(language, data);
  return composeMail(language, { ...draft, subject: `${assignedTexts[language].day}: ${data.count}` });
}

const overdue: Record<Language, { theirs: (count: number) => [string, string]; others: (count: number) => [string, string] }> = {
  en: {
    theirs: (count) => [
      count === 1 ? 'Your task is overdue' : `${count} of your tasks are overdue`,
      'the due date has passed. Please complete:',
    ],
    others: (count) => [
      count === 1 ? 'A task is still overdue' : `${count} tasks are still overdue`,
      'the assignee was reminded, but the work is not done. You can reassign it:',
    ],
  },
  de: {
    theirs: (count) => [
      count === 1 ? 'Ihre Aufgabe ist überfällig' : `${count} Ihrer Aufgaben sind überfällig`,
      'der Termin ist verstrichen. Bitte erledigen Sie:',
    ],
    others: (count) => [
      count === 1 ? 'Eine Aufgabe ist weiterhin überfällig' : `${count} Aufgaben sind weiterhin überfällig`,
      'die zuständige Person wurde erinnert, aber die Arbeit ist nicht erledigt. Sie können sie jemand anderem zuweisen:',
    ],
  },
};

function overdueDraft(language: Language, audience: 'theirs' | 'others', data: TasksMailData): MailDraft {
  const [subject, intro] = overdue[language][audience](data.count);
  return {
    subject,
    paragraphs: [intro, ...listOf(language, data)],
    button: buttonOf(language, data),
    notes: audience === 'theirs' ? [words[language].settings] : [],
  };
}

/** Reminder to the assignee of overdue tasks. */
export function overdueMail(locale: string, data: TasksMailData): MailText {
  const language = languageOf(locale);
  return composeMail(language, overdueDraft(language, 'theirs', data));
}

/** Mail about overdue tasks to their owners, or to owner and administrators of the team. */
export function escalatedMail(locale: string, data: TasksMailData): MailText {
  const language = languageOf(locale);
  return composeMail(language, overdueDraft(language, 'others', data));
}

const unassigned: Record<Language, (titles: readonly string[]) => MailDraft> = {
  en: (titles) => ({
    subject: 'Tasks have no assignee',
    paragraphs: [
      'these tasks have no assignee. The assignee left the team, is excluded by a barrier or lost access to the document, or the step requires two persons. Please assign each task. A decision must go to a member who neither created the workflow nor uploaded the version.',
      ...titles,
    ],
  }),
  de: (titles) => ({
    subject: 'Aufgaben ohne zuständige Person',
    paragraphs: [
      'diese Aufgaben haben keine zuständige Person. Die bisherige hat das Team verlassen, ist durch eine Informationsbarriere ausgeschlossen oder hat den Zugriff auf das Dokument verloren, oder der Schritt erfordert zwei Personen. Bitte weisen Sie jede Aufgabe zu. Eine Entscheidung geht an ein Mitglied, das weder den Workflow erstellt noch die Fassung hochgeladen hat.',
      ...titles,
    ],
  }),
};
/** Maximum number of titles in one mail. */
const maxTitles = 20;

/** Mail to owner and administrators about tasks without an assignee. */
export function unassignedMail(locale: string, titles: readonly string[]): MailText {
  const language = languageOf(locale);
  const more = titles.length > maxTitles ? [`… ${titles.length - maxTitles} +`] : [];
  const draft = unassigned[language]([...titles.slice(0, maxTitles).map((title) => `• ${title}`), ...more]);
  return composeMail(language, { ...draft, button: inbox(language) });
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
        ? 'nach Ihrer Änderung schließt eine Informationsbarriere die zuständige Person einer offenen Aufgabe aus. Die Aufgabe hat keine zuständige Person mehr. Bitte weisen Sie sie einem Mitglied innerhalb der Barriere zu:'
        : `nach Ihrer Änderung schließen Informationsbarrieren die zuständigen Personen von ${count} offenen Aufgaben aus. Die Aufgaben haben keine zuständige Person mehr. Bitte weisen Sie jede einem Mitglied innerhalb der Barriere zu:`,
    ],
  }),
};

/** Mail to the person who changed a barrier or moved a document behind one. It lists the open tasks that lost their assignee. */
export function barrierChangedMail(locale: string, data: TasksMailData): MailText {
  const language = languageOf(locale);
  const { subject, paragraphs } = barred[language](data.count);
  return composeMail(language, {
    subject,
    paragraphs: [...paragraphs, ...listOf(language, data)],
    button: buttonOf(language, data),
  });
}
