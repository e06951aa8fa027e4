import { consolePages } from '../../platform/mail/console-pages.ts';
import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';
import { withoutLinks } from '../../platform/text.ts';
import { maxFailures } from './policy.ts';
import type { DisabledReason } from './queries.ts';

const why: Record<Language, Record<DisabledReason, string>> = {
  en: {
    consecutive_errors: `Its last ${maxFailures} runs failed. Check their errors, correct the job and resume it.`,
    owner_inactive: 'The responsible person left the team or may no longer change jobs. An administrator can take over the job.',
    schedule_invalid: 'Its schedule is no longer valid. Set a new schedule and resume the job.',
  },
  de: {
    consecutive_errors: `Seine letzten ${maxFailures} Läufe sind fehlgeschlagen. Prüfen Sie die Fehler, korrigieren Sie den Auftrag und setzen Sie ihn fort.`,
    owner_inactive:
      'Die verantwortliche Person hat das Team verlassen oder darf Aufträge nicht mehr ändern. Ein Administrator kann den Auftrag übernehmen.',
    schedule_invalid: 'Sein Zeitplan ist nicht mehr gültig. Legen Sie einen neuen fest und setzen Sie den Auftrag fort.',
  },
};

const open: Record<Language, string> = { en: 'Open the agent', de: 'Agenten öffnen' };

const drafts: Record<Language, (name: string, reason: DisabledReason) => MailDraft> = {
  en: (name, reason) => ({
    subject: `Agent job disabled: ${name}`,
    paragraphs: [`Chancery disabled the job “${name}” of an agent of your team.`, why.en[reason]],
  }),
  de: (name, reason) => ({
    subject: `Auftrag eines Agenten deaktiviert: ${name}`,
    paragraphs: [`Chancery hat den Auftrag „${name}“ eines Agenten Ihres Teams deaktiviert.`, why.de[reason]],
  }),
};

/** Writes the mail about a disabled job, with the next step. */
export function disabledMail(locale: string, job: { name: string; agent_id: string }, reason: DisabledReason): MailText {
  const language = languageOf(locale);
  const button = { label: open[language], page: consolePages.agent(job.agent_id) };
  return composeMail(language, { ...drafts[language](withoutLinks(job.name), reason), button });
}
