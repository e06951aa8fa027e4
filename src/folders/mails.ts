import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../platform/mail/compose.ts';

type Opening = { who: string; folder: string; reason: string };

const asked: Record<Language, (of: Opening) => MailDraft> = {
  en: ({ who, folder, reason }) => ({
    subject: `${who} asks to break the glass of a wall`,
    paragraphs: [
      `${who}, an administrator of your team, asks to be let in behind the wall around the folder “${folder}”.`,
      `The reason given: ${reason}`,
      'Nothing has been opened. It takes the consent of another administrator, or of the folder’s owner, within 24 hours.',
    ],
  }),
  de: ({ who, folder, reason }) => ({
    subject: `${who} bittet um Zugang hinter eine Wand`,
    paragraphs: [
      `${who}, Administrator Ihres Teams, bittet um Zugang hinter die Wand um den Ordner „${folder}“.`,
      `Die Begründung: ${reason}`,
      'Geöffnet ist noch nichts. Es braucht innerhalb von 24 Stunden die Zustimmung eines anderen Administrators oder des Eigentümers des Ordners.',
    ],
  }),
};
const broken: Record<Language, (of: Opening) => MailDraft> = {
  en: ({ who, folder, reason }) => ({
    subject: 'The glass of a wall was broken',
    paragraphs: [
      `For 24 hours from now ${who} may read what is behind the wall around the folder “${folder}”. Two people agreed to it, and it is in the journal.`,
      `The reason given: ${reason}`,
    ],
  }),
  de: ({ who, folder, reason }) => ({
    subject: 'Eine Wand wurde geöffnet',
    paragraphs: [
      `Ab jetzt kann ${who} für 24 Stunden lesen, was hinter der Wand um den Ordner „${folder}“ liegt. Zwei Personen haben dem zugestimmt, und es steht im Protokoll.`,
      `Die Begründung: ${reason}`,
    ],
  }),
};

/** What the people of a wall are told when somebody asks to be let in, and when somebody was. */
export function glassMail(kind: 'asked' | 'broken', locale: string, of: Opening): MailText {
  const language = languageOf(locale);
  return composeMail(language, (kind === 'asked' ? asked : broken)[language](of));
}
