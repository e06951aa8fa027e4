import { consolePages } from '../../../platform/mail/console-pages.ts';
import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../../platform/mail/compose.ts';

/* Emails to members of the team about their signature requests. */

const open: Record<Language, string> = { en: 'Open the request', de: 'Anfrage öffnen' };

const say =
  <Said>(drafts: Record<Language, (said: Said) => MailDraft>) =>
  (locale: string, request: string, said: Said): MailText => {
    const language = languageOf(locale);
    const button = { label: open[language], page: consolePages.signatureRequest(request) };
    return composeMail(language, { ...drafts[language](said), button });
  };

export const suspendedMail = say<{ what: string; why: 'right_lost' | 'signer_left' | 'signer_excluded' }>({
  en: ({ what, why }) => ({
    subject: `Signature request suspended: ${what}`,
    paragraphs: [
      why === 'right_lost'
        ? `The requester of signatures on “${what}” may no longer share the document with the signers. The request is suspended, and no one can sign.`
        : why === 'signer_left'
          ? `A signer of “${what}” has left the team. The request is suspended, and no one can sign.`
          : `A barrier excludes a signer from a document of “${what}”. The request is suspended, and no one can sign.`,
      'The owner of the request or an administrator can resume or void it.',
    ],
  }),
  de: ({ what, why }) => ({
    subject: `Unterschriftsanfrage ausgesetzt: ${what}`,
    paragraphs: [
      why === 'right_lost'
        ? `Die anfragende Person darf das Dokument „${what}“ nicht mehr für die Unterzeichnenden freigeben. Die Anfrage ist ausgesetzt, und niemand kann unterzeichnen.`
        : why === 'signer_left'
          ? `Eine Person, die „${what}“ unterzeichnen sollte, hat das Team verlassen. Die Anfrage ist ausgesetzt, und niemand kann unterzeichnen.`
          : `Eine Informationsbarriere schließt eine unterzeichnende Person von einem Dokument von „${what}“ aus. Die Anfrage ist ausgesetzt, und niemand kann unterzeichnen.`,
      'Der Eigentümer der Anfrage oder ein Administrator kann sie fortsetzen oder zurückziehen.',
    ],
  }),
});

export const codesLockedMail = say<{ what: string; name: string }>({
  en: ({ what, name }) => ({
    subject: `Daily limit of codes reached: ${what}`,
    paragraphs: [
      `${name} requested five codes in a day to open “${what}” and gets no more codes until tomorrow. Another person could be using the link. Ask the signer who requested the codes.`,
    ],
  }),
  de: ({ what, name }) => ({
    subject: `Tageslimit für Codes erreicht: ${what}`,
    paragraphs: [
      `${name} hat an einem Tag fünf Codes für „${what}“ angefordert und erhält bis morgen keine weiteren. Möglicherweise verwendet eine andere Person den Link. Fragen Sie nach, wer die Codes angefordert hat.`,
    ],
  }),
});

type Ended = { what: string; how: 'completed' | 'declined' | 'expired' | 'failed'; by?: string; reason?: string };
const endings: Record<Language, Record<Ended['how'], (by: string) => [string, string]>> = {
  en: {
    completed: () => ['Signed by all', 'All signers have signed, and the document is sealed. The sealed file is its newest version.'],
    declined: (by) => ['Declined', `${by} declined to sign, which ended the request for all signers.`],
    expired: () => ['Expired', 'The signature request expired before all signers signed.'],
    failed: () => [
      'Failed',
      'The service could not complete the signature request. Existing signatures are kept. The request shows the failed step.',
    ],
  },
  de: {
    completed: () => [
      'Von allen unterzeichnet',
      'Alle haben unterzeichnet, und das Dokument ist versiegelt. Die versiegelte Datei ist seine neueste Version.',
    ],
    declined: (by) => ['Abgelehnt', `${by} hat die Unterschrift abgelehnt. Damit ist die Anfrage für alle beendet.`],
    expired: () => ['Abgelaufen', 'Die Unterschriftsanfrage ist abgelaufen, bevor alle unterzeichnet haben.'],
    failed: () => [
      'Fehlgeschlagen',
      'Der Dienst konnte die Unterschriftsanfrage nicht abschließen. Vorhandene Unterschriften bleiben erhalten. Die Anfrage zeigt den fehlgeschlagenen Schritt.',
    ],
  },
};
const reasons: Record<Language, string> = { en: 'Reason:', de: 'Grund:' };
const ended =
  (language: Language) =>
  ({ what, how, by = '', reason }: Ended): MailDraft => {
    const [word, sentence] = endings[language][how](by);
    return {
      subject: `${word}: ${what}`,
      paragraphs: [
        `${language === 'de' ? `„${what}“` : `“${what}”`}: ${sentence}`,
        ...(reason === undefined ? [] : [`${reasons[language]} ${reason}`]),
      ],
    };
  };

/** The email to the requester when a request has ended. */
export const endedMail = say<Ended>({ en: ended('en'), de: ended('de') });
