import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../../platform/mail/compose.ts';

/* What those of the team are told of their requests. */

const say =
  <Said>(drafts: Record<Language, (said: Said) => MailDraft>) =>
  (locale: string, said: Said): MailText => {
    const language = languageOf(locale);
    return composeMail(language, drafts[language](said));
  };

export const suspendedMail = say<{ what: string; why: 'right_lost' | 'signer_left' }>({
  en: ({ what, why }) => ({
    subject: `Signatures stand still: ${what}`,
    paragraphs: [
      why === 'right_lost'
        ? `whoever asked for signatures on “${what}” may not open the document to the signers any more. Nobody signs meanwhile.`
        : `somebody who was to sign “${what}” has left the team. Nobody signs meanwhile.`,
      'The owner of the request or an administrator resumes or voids it.',
    ],
  }),
  de: ({ what, why }) => ({
    subject: `Unterschriften stehen still: ${what}`,
    paragraphs: [
      why === 'right_lost'
        ? `wer um Unterschriften unter „${what}“ gebeten hat, darf das Dokument den Unterzeichnenden nicht mehr öffnen. So lange unterzeichnet niemand.`
        : `jemand, der „${what}“ unterzeichnen sollte, hat das Team verlassen. So lange unterzeichnet niemand.`,
      'Der Eigentümer der Anfrage oder ein Administrator setzt die Anfrage fort oder nimmt sie zurück.',
    ],
  }),
});

export const codesLockedMail = say<{ what: string; name: string }>({
  en: ({ what, name }) => ({
    subject: `Codes used up: ${what}`,
    paragraphs: [
      `${name} has asked for five codes in a day to open “${what}”, and gets none until tomorrow. Somebody else may be trying to open the link: ask them whether it was they.`,
    ],
  }),
  de: ({ what, name }) => ({
    subject: `Codes verbraucht: ${what}`,
    paragraphs: [
      `${name} hat an einem Tag fünf Codes angefordert, um „${what}“ zu öffnen, und bekommt bis morgen keinen mehr. Vielleicht versucht jemand anderes, den Link zu öffnen: Fragen Sie nach.`,
    ],
  }),
});

type Ended = { what: string; how: 'completed' | 'declined' | 'expired' | 'failed'; by?: string; reason?: string };
const endings: Record<Language, Record<Ended['how'], (by: string) => [string, string]>> = {
  en: {
    completed: () => ['Signed by all', 'all have signed, and the document is sealed. The sealed file is its newest version.'],
    declined: (by) => ['Declined', `${by} has declined to sign. Nobody signs it any more.`],
    expired: () => ['Expired', 'the request for signatures has expired before all had signed.'],
    failed: () => [
      'Failed',
      'the service could not finish the request for signatures. Signatures that were given are kept; the request says at which step it failed.',
    ],
  },
  de: {
    completed: () => [
      'Von allen unterzeichnet',
      'alle haben unterzeichnet, und das Dokument ist versiegelt. Die versiegelte Datei ist seine neueste Version.',
    ],
    declined: (by) => ['Abgelehnt', `${by} hat die Unterschrift abgelehnt. Niemand unterzeichnet mehr.`],
    expired: () => ['Abgelaufen', 'die Anfrage nach Unterschriften ist abgelaufen, bevor alle unterzeichnet hatten.'],
    failed: () => [
      'Fehlgeschlagen',
      'der Dienst konnte die Anfrage nach Unterschriften nicht zu Ende bringen. Gegebene Unterschriften bleiben erhalten; die Anfrage sagt, woran es lag.',
    ],
  },
};
const reasons: Record<Language, string> = { en: 'The reason given:', de: 'Der angegebene Grund:' };
const ended =
  (language: Language) =>
  ({ what, how, by = '', reason }: Ended): MailDraft => {
    const [word, sentence] = endings[language][how](by);
    return {
      subject: `${word}: ${what}`,
      paragraphs: [`“${what}”: ${sentence}`, ...(reason === undefined ? [] : [`${reasons[language]} ${reason}`])],
    };
  };

/** The mail to who asked, when a request has ended. */
export const endedMail = say<Ended>({ en: ended('en'), de: ended('de') });
