import { consolePages } from '../../../platform/mail/console-pages.ts';
import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../../platform/mail/compose.ts';
import type { DateKind } from './calculate.ts';

/** The content of a mail. The title is undefined for a document inside a barrier. */
export type NearDate = { id: string; title: string | undefined; kind: DateKind; day: Temporal.PlainDate; isPast: boolean };

type DateMailData = { what: string; day: string; isPast: boolean };

const drafts: Record<
  Language,
  { unnamed: string; named: (title: string) => string } & Record<DateKind, (said: DateMailData) => MailDraft>
> = {
  en: {
    unnamed: 'a document behind an information barrier',
    named: (title) => `“${title}”`,
    notice: ({ what, day, isPast }) => ({
      subject: isPast ? `Notice was due by ${day}: ${what}` : `Notice is due by ${day}: ${what}`,
      paragraphs: [
        isPast
          ? `The last day to give notice for ${what} was ${day}. We could not send this mail earlier.`
          : `${day} is the last day to give notice for ${what}.`,
      ],
    }),
    expires: ({ what, day, isPast }) => ({
      subject: isPast ? `Expired on ${day}: ${what}` : `Expires on ${day}: ${what}`,
      paragraphs: [
        isPast
          ? `The last day in force of ${what} was ${day}. We could not send this mail earlier.`
          : `The last day in force of ${what} is ${day}.`,
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
          ? `Der letzte Tag zur Kündigung war der ${day}: ${what}. Wir konnten Sie nicht früher benachrichtigen.`
          : `Der letzte Tag zur Kündigung ist der ${day}: ${what}.`,
      ],
    }),
    expires: ({ what, day, isPast }) => ({
      subject: isPast ? `Abgelaufen am ${day}: ${what}` : `Läuft ab am ${day}: ${what}`,
      paragraphs: [
        isPast
          ? `Letzter Tag der Laufzeit war der ${day}: ${what}. Wir konnten Sie nicht früher benachrichtigen.`
          : `Letzter Tag der Laufzeit ist der ${day}: ${what}.`,
      ],
    }),
  },
};

const open: Record<Language, string> = { en: 'Open the document', de: 'Dokument öffnen' };

/** Composes the mail to the owner of a document about a coming key date. */
export function dateMail(locale: string, { id, title, kind, day, isPast }: NearDate): MailText {
  const language = languageOf(locale);
  const { unnamed, named, [kind]: draft } = drafts[language];
  const said = { what: title === undefined ? unnamed : named(title), day: day.toLocaleString(language, { dateStyle: 'long' }), isPast };
  return composeMail(language, { ...draft(said), button: { label: open[language], page: consolePages.document(id) } });
}
