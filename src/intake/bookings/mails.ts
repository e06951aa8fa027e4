import { consolePages } from '../../platform/mail/console-pages.ts';
import { composeMail, languageOf, type MailDraft, type MailLook, type MailText } from '../../platform/mail/compose.ts';
import { withoutLinks } from '../../platform/text.ts';
import { timeInWords } from '../../platform/time-in-words.ts';
import { timeForBoth } from './mail-times.ts';
import type { NotificationKind } from './notifications.ts';
import { type VisitorMailData, visitorLanguage, visitorWords } from './visitor-texts.ts';

/** The data of a mail about a booking. */
export type Appointment = {
  kind: NotificationKind;
  title: string;
  /** The name of the team for visitors. */
  with: string;
  look?: MailLook;
  start: string;
  end: string;
  /** The previous time, and the requested time. */
  before?: string;
  requested?: string;
  by?: 'visitor' | 'team' | 'time';
  /** The identifier of the booking. */
  id: string;
  zone: string;
  visitorZone: string;
  locale: string;
  name?: string | undefined;
  reason?: string | undefined;
  manageUrl: string;
  icsUrl: string;
};

/** Writes the mail to the visitor in their language, with times in their zone and in the zone of the calendar. */
export function visitorMail(appointment: Appointment): MailText {
  const language = visitorLanguage(appointment.locale);
  const words = visitorWords[language];
  const time = (at: string) => timeForBoth(at, language, { own: appointment.visitorZone, there: appointment.zone });
  const said: VisitorMailData = {
    title: withoutLinks(appointment.title),
    with: withoutLinks(appointment.with),
    time: time(appointment.start),
    before: appointment.before === undefined ? '' : time(appointment.before),
    requested: appointment.requested === undefined ? '' : time(appointment.requested),
    byVisitor: appointment.by === 'visitor',
  };
  const { subject, paragraphs } = words.of[appointment.kind](said);
  const isActive = !['cancelled', 'declined', 'expired'].includes(appointment.kind);
  const hasFile = isActive && appointment.kind !== 'held' && appointment.kind !== 'pending';
  const file = hasFile ? [{ label: words.file, page: appointment.icsUrl }] : [];
  const why = appointment.reason === undefined || appointment.by === 'visitor' ? [] : [words.reason(withoutLinks(appointment.reason))];
  const label = appointment.kind === 'held' ? words.confirm : words.manage;
  const button = isActive ? { label, page: appointment.manageUrl } : undefined;
  return composeMail(language, { subject, paragraphs: [...paragraphs, ...why, ...file], button }, appointment.look);
}

type ForTeam = { title: string; time: string; before: string; requested: string; who: string };
type TeamWords = Partial<Record<NotificationKind, (said: ForTeam) => MailDraft>>;

const teamWords: Record<'en' | 'de', TeamWords> = {
  en: {
    pending: ({ title, time, who }) => ({
      subject: `To confirm: ${title}, ${time}`,
      paragraphs: [`${who} would like an appointment (“${title}”): ${time}.`, 'Confirm or decline it.'],
    }),
    confirmed: ({ title, time, who }) => ({
      subject: `Booked: ${title}, ${time}`,
      paragraphs: [`${who} has an appointment (“${title}”): ${time}.`],
    }),
    moved: ({ title, time, before, who }) => ({
      subject: `Moved: ${title}, ${time}`,
      paragraphs: [`the appointment of ${who} (“${title}”) was moved to ${time}.`, `Previous time: ${before}.`],
    }),
    move_requested: ({ title, time, requested, who }) => ({
      subject: `To confirm: new time for ${title}`,
      paragraphs: [
        `${who} requests another time (“${title}”): ${requested}.`,
        `Until a member confirms it, the appointment keeps its time: ${time}.`,
      ],
    }),
    cancelled: ({ title, time, who }) => ({
      subject: `Cancelled: ${title}, ${time}`,
      paragraphs: [`${who} cancelled the appointment (“${title}”): ${time}.`],
    }),
    expired: ({ title, time, who }) => ({
      subject: `Not confirmed in time: ${title}`,
      paragraphs: [`the appointment of ${who} (“${title}”) expired because no member confirmed it: ${time}. The time is free again.`],
    }),
  },
  de: {
    pending: ({ title, time, who }) => ({
      subject: `Zu bestätigen: ${title}, ${time}`,
      paragraphs: [`${who} möchte einen Termin („${title}“): ${time}.`, 'Bitte bestätigen Sie ihn oder lehnen Sie ihn ab.'],
    }),
    confirmed: ({ title, time, who }) => ({
      subject: `Gebucht: ${title}, ${time}`,
      paragraphs: [`${who} hat einen Termin („${title}“): ${time}.`],
    }),
    moved: ({ title, time, before, who }) => ({
      subject: `Verlegt: ${title}, ${time}`,
      paragraphs: [`der Termin von ${who} („${title}“) wurde verlegt auf: ${time}.`, `Bisher: ${before}.`],
    }),
    move_requested: ({ title, time, requested, who }) => ({
      subject: `Zu bestätigen: andere Zeit für ${title}`,
      paragraphs: [
        `${who} bittet um eine andere Zeit („${title}“): ${requested}.`,
        `Bis zur Bestätigung gilt der bisherige Termin: ${time}.`,
      ],
    }),
    cancelled: ({ title, time, who }) => ({
      subject: `Abgesagt: ${title}, ${time}`,
      paragraphs: [`${who} hat den Termin abgesagt („${title}“): ${time}.`],
    }),
    expired: ({ title, time, who }) => ({
      subject: `Nicht rechtzeitig bestätigt: ${title}`,
      paragraphs: [`der Termin von ${who} („${title}“) wurde nicht rechtzeitig bestätigt: ${time}. Die Zeit ist wieder frei.`],
    }),
  },
};
const open = {
  en: { booking: 'Open the booking', form: 'Open the booking form' },
  de: { booking: 'Buchung öffnen', form: 'Buchungsformular öffnen' },
};
const unnamedVisitor = { en: 'a visitor', de: 'jemand' };

/**
 * Writes the mail to the members of the team who receive notifications. Returns `undefined` for changes by the team itself and for
 * events that need no mail.
 */
export function teamMail(appointment: Appointment): ((locale: string) => MailText) | undefined {
  if (appointment.kind !== 'expired' && appointment.by === 'team') return undefined;
  if (teamWords.en[appointment.kind] === undefined) return undefined;
  return (locale) => {
    const language = languageOf(locale) === 'de' ? 'de' : 'en';
    const time = (at: string | undefined) => (at === undefined ? '' : timeInWords(at, language, appointment.zone, { weekday: true }));
    const said = {
      title: withoutLinks(appointment.title),
      time: time(appointment.start),
      before: time(appointment.before),
      requested: time(appointment.requested),
      who: appointment.name === undefined ? unnamedVisitor[language] : withoutLinks(appointment.name),
    };
    const draft = teamWords[language][appointment.kind]?.(said) ?? { subject: appointment.title, paragraphs: [] };
    return composeMail(language, { ...draft, button: { label: open[language].booking, page: consolePages.booking(appointment.id) } });
  };
}

/** `id` is the booking form with the calendar. */
type Skipped = { id: string; title: string; name: string; skipped: readonly { reason: string; summary?: string; start?: string }[] };

const skippedNamed = 5;

/** Writes the mail to the owner of a calendar about unreadable events. Visitors may book the times of these events. */
export function skippedMail({ id, title, name, skipped }: Skipped): (locale: string) => MailText {
  const events = skipped.slice(0, skippedNamed).map(({ reason, summary = '', start = '' }) => {
    const event = [summary, start].filter((text) => text !== '').join(', ');
    return `“${withoutLinks(event)}”: ${withoutLinks(reason)}`;
  });
  const said = { title: withoutLinks(title), name: withoutLinks(name) };
  return (locale) => {
    const language = languageOf(locale) === 'de' ? 'de' : 'en';
    const draft = skippedWords[language]({ ...said, many: skipped.length, events });
    return composeMail(language, { ...draft, button: { label: open[language].form, page: consolePages.form(id) } });
  };
}

type SkippedSaid = { title: string; name: string; many: number; events: string[] };

const skippedWords: Record<'en' | 'de', (said: SkippedSaid) => MailDraft> = {
  en: ({ title, name, many, events }) => ({
    subject: `Events that could not be read: ${name}`,
    paragraphs: [
      `Chancery could not read some events of the calendar “${name}”. Visitors of “${title}” may book their times.`,
      ...events,
      ...(many > events.length ? [`More events: ${many - events.length}.`] : []),
      'Correct these events in that calendar, or block their times in the calendar of the booking form.',
    ],
  }),
  de: ({ title, name, many, events }) => ({
    subject: `Nicht lesbare Termine: ${name}`,
    paragraphs: [
      `Chancery konnte einige Termine des Kalenders „${name}“ nicht lesen. Besucher von „${title}“ können diese Zeiten buchen.`,
      ...events,
      ...(many > events.length ? [`Weitere Termine: ${many - events.length}.`] : []),
      'Korrigieren Sie die Termine in jenem Kalender, oder sperren Sie ihre Zeiten im Kalender des Buchungsformulars.',
    ],
  }),
};

type Unreadable = { title: string; name: string; reason: string };

/** Writes the mail to the owner of a calendar about an address of busy times whose file cannot be read at all. */
export function unreadableMail({ id, title, name, reason }: Unreadable & { id: string }): (locale: string) => MailText {
  const said = { title: withoutLinks(title), name: withoutLinks(name), reason: withoutLinks(reason) };
  return (locale) => {
    const language = languageOf(locale) === 'de' ? 'de' : 'en';
    return composeMail(language, {
      ...unreadableWords[language](said),
      button: { label: open[language].form, page: consolePages.form(id) },
    });
  };
}

const unreadableWords: Record<'en' | 'de', (said: Unreadable) => MailDraft> = {
  en: ({ title, name, reason }) => ({
    subject: `Calendar file that could not be read: ${name}`,
    paragraphs: [
      `Chancery could not read the file of the calendar “${name}”: it ${reason}.`,
      `Only the busy times of the last read count. Visitors of “${title}” may book all others.`,
      'Check the address of that calendar. Chancery reads it again every 15 minutes.',
    ],
  }),
  de: ({ title, name, reason }) => ({
    subject: `Nicht lesbare Kalenderdatei: ${name}`,
    paragraphs: [
      `Chancery konnte die Datei des Kalenders „${name}“ nicht lesen: “${reason}”.`,
      `Nur die zuletzt gelesenen Zeiten gelten als belegt. Besucher von „${title}“ können alle anderen buchen.`,
      'Prüfen Sie die Adresse des Kalenders. Chancery liest ihn alle 15 Minuten erneut.',
    ],
  }),
};
