import { timeInWords } from '../../platform/time-in-words.ts';
import { consolePages } from '../../platform/mail/console-pages.ts';
import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';

/** The record of a verified domain is missing in the DNS, or was missing for the whole grace period. */
export type DomainNotice = {
  kind: 'missing' | 'expired';
  domain: string;
  expiresAt: Date;
  record: { name: string; value: string };
};

/** The certificates of a SAML provider have changed, or its last one ends soon. */
export type CertificateNotice =
  | { kind: 'changed'; issuer: string; fingerprints: string[]; by: 'administrator' | 'metadata' }
  | { kind: 'ending'; issuer: string; endsAt: Date };

const settings: Record<Language, { label: string; page: string }> = {
  en: { label: 'Open the single sign-on settings', page: consolePages.settings('sso') },
  de: { label: 'Anmeldung über Anbieter öffnen', page: consolePages.settings('sso') },
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
  return composeMail(language, { ...drafts[language][notice.kind](notice), button: settings[language] });
}

type Ending = Extract<CertificateNotice, { kind: 'ending' }>;
type Changed = Extract<CertificateNotice, { kind: 'changed' }>;

const certificateDrafts: Record<Language, { ending: (notice: Ending) => MailDraft; changed: (notice: Changed) => MailDraft }> = {
  en: {
    changed: ({ issuer, fingerprints, by }) => ({
      subject: 'New certificates for single sign-on',
      paragraphs: [
        by === 'metadata'
          ? `The metadata of your SAML provider ${issuer} name new certificates. They were added to the connection.`
          : `An administrator changed the certificates of your SAML provider ${issuer}.`,
        `SHA-256: ${fingerprints.join(', ')}`,
        'With these certificates the provider can sign in each linked member. If you do not expect this change, deactivate the connection.',
      ],
    }),
    ending: ({ issuer, endsAt }) => ({
      subject: 'Certificate for single sign-on expires soon',
      paragraphs: [
        `The last certificate of your SAML provider ${issuer} expires on ${dateIn('en', endsAt)}.`,
        'Add the next certificate to the connection before the provider starts to use it. Otherwise no member can sign in through the provider.',
        'With `metadataUrl`, Chancery reads new certificates daily.',
      ],
    }),
  },
  de: {
    changed: ({ issuer, fingerprints, by }) => ({
      subject: 'Neue Zertifikate für die Anmeldung über Ihren Anbieter',
      paragraphs: [
        by === 'metadata'
          ? `Die Metadaten Ihres SAML-Anbieters ${issuer} nennen neue Zertifikate. Sie wurden zur Verbindung hinzugefügt.`
          : `Ein Administrator hat die Zertifikate Ihres SAML-Anbieters ${issuer} geändert.`,
        `SHA-256: ${fingerprints.join(', ')}`,
        'Mit diesen Zertifikaten kann der Anbieter jedes verknüpfte Mitglied anmelden. Wenn Sie diese Änderung nicht erwarten, deaktivieren Sie die Verbindung.',
      ],
    }),
    ending: ({ issuer, endsAt }) => ({
      subject: 'Das Zertifikat für die Anmeldung über Ihren Anbieter läuft ab',
      paragraphs: [
        `Das letzte Zertifikat Ihres SAML-Anbieters ${issuer} läuft am ${dateIn('de', endsAt)} ab.`,
        'Fügen Sie das nächste Zertifikat zur Verbindung hinzu, bevor der Anbieter es verwendet. Sonst kann sich niemand mehr über den Anbieter anmelden.',
        'Mit `metadataUrl` liest Chancery neue Zertifikate täglich.',
      ],
    }),
  },
};

/** Writes the mail to an administrator about the certificates of a SAML provider. */
export function certificateMail(locale: string, notice: CertificateNotice): MailText {
  const language = languageOf(locale);
  const { ending, changed } = certificateDrafts[language];
  return composeMail(language, { ...(notice.kind === 'ending' ? ending(notice) : changed(notice)), button: settings[language] });
}
