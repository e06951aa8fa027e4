import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../platform/mail/compose.ts';

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

/** The mail to members of a barrier, and to those who may approve, about emergency access. */
export function emergencyAccessMail(kind: 'requested' | 'granted', locale: string, of: Request): MailText {
  const language = languageOf(locale);
  return composeMail(language, (kind === 'requested' ? requested : granted)[language](of));
}
