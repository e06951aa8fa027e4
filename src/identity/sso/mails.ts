import { timeInWords } from '../../platform/time-in-words.ts';
import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';

/** The record of a verified domain is missing in the DNS, or was missing for the whole grace period. */
export type DomainNotice = {
  kind: 'missing' | 'expired';
  domain: string;
  expiresAt: Date;
  record: { name: string; value: string };
};

const dateIn = (language: Language, date: Date): string => timeInWords(date, language, 'UTC');

type Drafts = Record<DomainNotice['kind'], (notice: DomainNotice) => MailDraft>;

const drafts: Record<Language, Drafts> = {
  en: {
    missing: ({ domain, expiresAt, record }) => ({
      subject: `DNS record of ${domain} is missing`,
      paragraphs: [
        `The TXT record that verifies the domain ${domain} for single sign-on is missing in the DNS.`,
        `Add it again before ${dateIn('en', expiresAt)}: name ${record.name}, value ${record.value}`,
        'After that time the domain is no longer verified, and its members cannot sign in through your provider by their address.',
      ],
    }),
    expired: ({ domain, record }) => ({
      subject: `${domain} is no longer verified`,
      paragraphs: [
        `The TXT record of the domain ${domain} was missing for 14 days. The domain is no longer verified for single sign-on.`,
        'Members sign in with their password or a passkey until you verify the domain again.',
        `Add the TXT record ${record.name} with the value ${record.value}, then verify the domain in the settings of the connection.`,
      ],
    }),
  },
  de: {
    missing: ({ domain, expiresAt, record }) => ({
      subject: `Der DNS-Eintrag von ${domain} fehlt`,
      paragraphs: [
        `Der TXT-Eintrag, der die Domain ${domain} für die Anmeldung über Ihren Anbieter bestätigt, fehlt im DNS.`,
        `Tragen Sie ihn vor dem ${dateIn('de', expiresAt)} wieder ein: Name ${record.name}, Wert ${record.value}`,
        'Danach gilt die Domain nicht mehr als bestätigt, und ihre Mitglieder können sich mit ihrer Adresse nicht mehr über Ihren Anbieter anmelden.',
      ],
    }),
    expired: ({ domain, record }) => ({
      subject: `${domain} ist nicht mehr bestätigt`,
      paragraphs: [
        `Der TXT-Eintrag der Domain ${domain} fehlte 14 Tage lang. Die Domain ist für die Anmeldung über Ihren Anbieter nicht mehr bestätigt.`,
        'Bis Sie die Domain wieder bestätigen, melden sich Mitglieder mit Passwort oder Passkey an.',
        `Tragen Sie den TXT-Eintrag ${record.name} mit dem Wert ${record.value} ein, und bestätigen Sie die Domain in den Einstellungen der Verbindung.`,
      ],
    }),
  },
};

/** Writes the mail to an administrator about a verified domain. */
export function domainMail(locale: string, notice: DomainNotice): MailText {
  const language = languageOf(locale);
  return composeMail(language, drafts[language][notice.kind](notice));
}
