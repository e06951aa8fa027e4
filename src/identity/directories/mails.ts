import { consolePages } from '../../platform/mail/console-pages.ts';
import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';
import { timeInWords } from '../../platform/time-in-words.ts';
import { withoutLinks } from '../../platform/text.ts';

/** The contents of the mails about directories. */
type Notices = {
  welcome: object;
  address: object;
  ownerKept: { owner: string; directory: string };
  surge: { users: number; directory: string; link: string };
  tokenEnds: { directory: string; days: number; at: Date };
};
export type DirectoryNotice = { [Kind in keyof Notices]: { kind: Kind } & Notices[Kind] }[keyof Notices];

type Drafts = { [Kind in keyof Notices]: (notice: Notices[Kind]) => MailDraft };

const settings = {
  en: { label: 'Open the directories', page: consolePages.settings('directories') },
  de: { label: 'Verzeichnisse öffnen', page: consolePages.settings('directories') },
};

const drafts: Record<Language, Drafts> = {
  en: {
    welcome: () => ({
      subject: 'Your organisation gave you access',
      paragraphs: [
        'Hello,',
        'The directory of your organisation made you a member of this team.',
        'Sign in through your organisation, or set a password.',
      ],
      button: { label: 'Sign in', page: consolePages.signIn() },
    }),
    address: () => ({
      subject: 'You sign in with this address now',
      paragraphs: [
        'Hello,',
        'The directory of your organisation changed the address of your account to this one. We signed you out on all devices.',
      ],
      button: { label: 'Sign in', page: consolePages.signIn() },
    }),
    ownerKept: ({ owner, directory }) => ({
      subject: 'A directory tried to deactivate the owner',
      paragraphs: [
        `The directory “${withoutLinks(directory)}” tried to deactivate ${withoutLinks(owner)}, who owns the team. The owner stays active.`,
        'We ended the owner’s sessions that began through the directory’s provider.',
        'Transfer the ownership, or name a successor of the owner in the settings of the directory. Then deactivate the user again.',
      ],
      button: settings.en,
    }),
    surge: ({ users, directory, link }) => ({
      subject: `${users} users were deactivated within an hour`,
      paragraphs: [
        `The directory “${withoutLinks(directory)}” deactivated ${users} users within an hour. They can no longer sign in to the team.`,
        'If this was a mistake, restore all of them within 7 days. If it was intended, ignore this mail.',
      ],
      button: { label: 'Restore the users', page: link },
    }),
    tokenEnds: ({ directory, days, at }) => ({
      subject: `A directory token expires within ${days} days`,
      paragraphs: [
        `A token of the directory “${withoutLinks(directory)}” expires on ${timeInWords(at, 'en', 'UTC')}. After that time changes of users and groups no longer arrive.`,
        'Create a second token, enter it in the directory, and delete the old one.',
      ],
      button: settings.en,
    }),
  },
  de: {
    welcome: () => ({
      subject: 'Ihre Organisation hat Ihnen Zugang gegeben',
      paragraphs: [
        'Guten Tag,',
        'das Verzeichnis Ihrer Organisation hat Sie zum Mitglied dieses Teams gemacht.',
        'Melden Sie sich über Ihre Organisation an, oder legen Sie ein Passwort fest.',
      ],
      button: { label: 'Anmelden', page: consolePages.signIn() },
    }),
    address: () => ({
      subject: 'Sie melden sich jetzt mit dieser Adresse an',
      paragraphs: [
        'Guten Tag,',
        'das Verzeichnis Ihrer Organisation hat die Adresse Ihres Kontos auf diese geändert. Sie wurden auf allen Geräten abgemeldet.',
      ],
      button: { label: 'Anmelden', page: consolePages.signIn() },
    }),
    ownerKept: ({ owner, directory }) => ({
      subject: 'Ein Verzeichnis wollte den Eigentümer deaktivieren',
      paragraphs: [
        `Das Verzeichnis „${withoutLinks(directory)}“ wollte ${withoutLinks(owner)} deaktivieren. Diese Person ist Eigentümer des Teams und bleibt aktiv.`,
        'Ihre Sitzungen, die über den Anbieter des Verzeichnisses begannen, wurden beendet.',
        'Übertragen Sie das Team, oder nennen Sie in den Einstellungen des Verzeichnisses einen Nachfolger. Deaktivieren Sie die Person danach erneut.',
      ],
      button: settings.de,
    }),
    surge: ({ users, directory, link }) => ({
      subject: `${users} Personen wurden innerhalb einer Stunde deaktiviert`,
      paragraphs: [
        `Das Verzeichnis „${withoutLinks(directory)}“ hat innerhalb einer Stunde ${users} Personen deaktiviert. Sie können sich nicht mehr im Team anmelden.`,
        'War das ein Versehen, stellen Sie alle innerhalb von 7 Tagen wieder her. War es beabsichtigt, ignorieren Sie diese Mail.',
      ],
      button: { label: 'Personen wiederherstellen', page: link },
    }),
    tokenEnds: ({ directory, days, at }) => ({
      subject: `Ein Token eines Verzeichnisses läuft innerhalb von ${days} Tagen ab`,
      paragraphs: [
        `Ein Token des Verzeichnisses „${withoutLinks(directory)}“ läuft am ${timeInWords(at, 'de', 'UTC')} ab. Danach kommen Änderungen an Personen und Gruppen nicht mehr an.`,
        'Erstellen Sie ein zweites Token, tragen Sie es im Verzeichnis ein, und löschen Sie das alte.',
      ],
      button: settings.de,
    }),
  },
};

function draftOf(language: Language, notice: DirectoryNotice): MailDraft {
  const write = drafts[language][notice.kind] as (notice: DirectoryNotice) => MailDraft;
  return write(notice);
}

export function directoryMail(locale: string | undefined, notice: DirectoryNotice): MailText {
  const language = languageOf(locale);
  return composeMail(language, draftOf(language, notice));
}
