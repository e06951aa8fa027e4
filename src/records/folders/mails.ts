import { consolePages } from '../../platform/mail/console-pages.ts';
import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';

type Request = { who: string; folder: string; reason: string };

const requested: Record<Language, (of: Request) => MailDraft> = {
  en: ({ who, folder, reason }) => ({
    subject: `${who} requests emergency access`,
    paragraphs: [
      `${who}, an administrator of your team, requests access to the folder “${folder}”, which an information barrier protects.`,
      `Reason: ${reason}`,
      'Access is not granted yet. Another administrator or the owner of the folder must approve it within 24 hours.',
    ],
  }),
  de: ({ who, folder, reason }) => ({
    subject: `${who} beantragt einen Notfallzugriff`,
    paragraphs: [
      `${who}, Administrator Ihres Teams, beantragt Zugriff auf den Ordner „${folder}“, den eine Informationsbarriere schützt.`,
      `Grund: ${reason}`,
      'Der Zugriff ist noch nicht gewährt. Ein anderer Administrator oder der Eigentümer des Ordners muss ihn innerhalb von 24 Stunden genehmigen.',
    ],
  }),
};
const granted: Record<Language, (of: Request) => MailDraft> = {
  en: ({ who, folder, reason }) => ({
    subject: `Emergency access was granted to ${who}`,
    paragraphs: [
      `${who} may read the folder “${folder}” for 24 hours from now. Two people approved this, and the audit journal records it.`,
      `Reason: ${reason}`,
    ],
  }),
  de: ({ who, folder, reason }) => ({
    subject: `${who} hat Notfallzugriff erhalten`,
    paragraphs: [
      `${who} kann den Ordner „${folder}“ ab jetzt 24 Stunden lang lesen. Zwei Personen haben dem zugestimmt, und das Protokoll verzeichnet es.`,
      `Grund: ${reason}`,
    ],
  }),
};

const succeeded: Record<Language, (of: Omit<Request, 'reason'>) => MailDraft> = {
  en: ({ who, folder }) => ({
    subject: `${who} is now a member of a barrier`,
    paragraphs: [
      `The last member of the information barrier on the folder “${folder}” left the team. Their successor ${who} is now a member.`,
      'Check the members of the barrier, and change them if this is not intended.',
    ],
  }),
  de: ({ who, folder }) => ({
    subject: `${who} ist jetzt Mitglied einer Informationsbarriere`,
    paragraphs: [
      `Das letzte Mitglied der Informationsbarriere am Ordner „${folder}“ hat das Team verlassen. Nachfolger und jetzt Mitglied ist ${who}.`,
      'Prüfen Sie die Mitglieder der Barriere, und ändern Sie sie, falls das nicht beabsichtigt ist.',
    ],
  }),
};
const drafts = { requested, granted, succeeded };
const open: Record<Language, string> = { en: 'Open the barriers', de: 'Barrieren öffnen' };

/** Composes the mail to members of a barrier and administrators about emergency access or a successor. */
export function barrierMail(kind: keyof typeof drafts, locale: string, of: Request): MailText {
  const language = languageOf(locale);
  return composeMail(language, {
    ...drafts[kind][language](of),
    button: { label: open[language], page: consolePages.settings('barriers') },
  });
}
