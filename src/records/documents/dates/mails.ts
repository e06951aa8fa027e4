import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../../platform/mail/compose.ts';
import type { Kind } from './reckon.ts';

/** What a mail tells of: the title is left out of what stands behind a barrier. */
export type NearDate = { id: string; title: string | undefined; kind: Kind; day: Temporal.PlainDate; isPast: boolean };

type DateMailData = { what: string; day: string; isPast: boolean };

const drafts: Record<Language, { unnamed: string; named: (title: string) => string } & Record<Kind, (said: DateMailData) => MailDraft>> = {
  en: {
    unnamed: 'a document behind an information barrier',
    named: (title) => `“${title}”`,
    notice: ({ what, day, isPast }) => ({
      subject: isPast ? `Notice was due by ${day}: ${what}` : `Notice is due by ${day}: ${what}`,
      paragraphs: [
        isPast
          ? `the last day to give notice for ${what} was ${day}. The service could not tell you earlier.`
          : `${day} is the last day to give notice for ${what}.`,
      ],
    }),
    expires: ({ what, day, isPast }) => ({
      subject: isPast ? `Expired on ${day}: ${what}` : `Expires on ${day}: ${what}`,
      paragraphs: [
        isPast
          ? `${what} was in force until ${day}, that day included. The service could not tell you earlier.`
          : `${what} is in force until ${day}, that day included.`,
      ],
    }),
  },
  de: {
    unnamed: 'ein Dokument hinter einer Informationsbarriere',
    named: (title) => `„${title}“`,
    notice: ({ what, day, isPast }) => ({
      subject: isPast ? `Kündigungsfrist endete am ${day}: ${what}` : `Kündigung bis ${day}: ${what}`,
      paragraphs: [
        isPast
          ? `der letzte Tag zur Kündigung war der ${day}: ${what}. Der Dienst konnte es Ihnen nicht früher sagen.`
          : `der letzte Tag zur Kündigung ist der ${day}: ${what}.`,
      ],
    }),
    expires: ({ what, day, isPast }) => ({
      subject: isPast ? `Abgelaufen am ${day}: ${what}` : `Läuft ab am ${day}: ${what}`,
      paragraphs: [
        isPast
          ? `bis einschließlich ${day} galt: ${what}. Der Dienst konnte es Ihnen nicht früher sagen.`
          : `bis einschließlich ${day} gilt: ${what}.`,
      ],
    }),
  },
};

const lastLine: Record<Language, (id: string) => string> = {
  en: (id) => `The document’s identifier: ${id}. What was set is read and changed with its dates.`,
  de: (id) => `Die Kennung des Dokuments: ${id}. Was gesetzt ist, steht bei seinen Terminen und lässt sich dort ändern.`,
};

/** Tells the owner of a document that one of its dates is near. */
export function dateMail(locale: string, { id, title, kind, day, isPast }: NearDate): MailText {
  const language = languageOf(locale);
  const { unnamed, named, [kind]: draft } = drafts[language];
  const said = { what: title === undefined ? unnamed : named(title), day: day.toLocaleString(language, { dateStyle: 'long' }), isPast };
  const { subject, paragraphs } = draft(said);
  return composeMail(language, { subject, paragraphs: [...paragraphs, lastLine[language](id)] });
}
