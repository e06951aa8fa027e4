import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';
import { withoutLinks } from '../../platform/text.ts';
import { maxFailures } from './policy.ts';
import type { DisabledReason } from './queries.ts';

const why: Record<Language, Record<DisabledReason, string>> = {
  en: {
    consecutive_errors: `Its last ${maxFailures} runs have failed. Look at what they say, mend the job, and let it go on.`,
    owner_inactive: 'Whoever it ran for has left the team or may not change jobs any more. An administrator can take it over.',
    schedule_invalid: 'Its schedule cannot be read any more. Give it a new one, and let it go on.',
  },
  de: {
    consecutive_errors: `Seine letzten ${maxFailures} Läufe sind gescheitert. Sehen Sie nach, was sie sagen, ändern Sie den Auftrag und setzen Sie ihn fort.`,
    owner_inactive:
      'Die Person, für die er lief, hat das Team verlassen oder darf Aufträge nicht mehr ändern. Eine Administratorin oder ein Administrator kann ihn übernehmen.',
    schedule_invalid: 'Sein Zeitplan lässt sich nicht mehr lesen. Geben Sie ihm einen neuen und setzen Sie ihn fort.',
  },
};

const drafts: Record<Language, (name: string, reason: DisabledReason) => MailDraft> = {
  en: (name, reason) => ({
    subject: `A job has switched itself off: ${name}`,
    paragraphs: [`the job “${name}” of an agent of your team has switched itself off.`, why.en[reason]],
  }),
  de: (name, reason) => ({
    subject: `Ein Auftrag hat sich abgeschaltet: ${name}`,
    paragraphs: [`der Auftrag „${name}“ eines Agenten Ihres Teams hat sich abgeschaltet.`, why.de[reason]],
  }),
};

/** Tells somebody that a job has switched itself off, and what to do. */
export function disabledMail(locale: string, name: string, reason: DisabledReason): MailText {
  const language = languageOf(locale);
  return composeMail(language, drafts[language](withoutLinks(name), reason));
}
