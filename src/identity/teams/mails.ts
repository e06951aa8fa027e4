import { inWords } from '../../platform/lifetimes.ts';
import { timeInWords } from '../../platform/time-in-words.ts';
import { withoutLinks } from '../../platform/text.ts';
import { consolePages } from '../../platform/mail/console-pages.ts';
import { invitationDrafts, type InvitedRole } from './invitation-drafts.ts';
import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';

type Invitation = {
  team: string;
  role: InvitedRole;
  endsAt: string | null;
  zone: string;
  by: string | undefined;
  link: string;
  lives: number;
};

/** The mails of this domain in one language. */
type TeamMails = {
  removed(firstName: string, team: string): MailDraft;
  left(firstName: string, team: string): MailDraft;
  ended(firstName: string, team: string): MailDraft;
  /** Before the end, to the guest and to the sponsor. */
  endsSoon: Record<'guest' | 'sponsor', (about: { team: string; guest: string; when: string }) => MailDraft>;
};

/** The end of a guest, in a time zone. */
type EndsSoon = { team: string; guest: string; endsAt: string; zone: string };

const signIn = {
  en: { label: 'Sign in', page: consolePages.signIn() },
  de: { label: 'Anmelden', page: consolePages.signIn() },
};

const mails: Record<Language, TeamMails> = {
  en: {
    removed: (firstName, team) => ({
      subject: `You were removed from ${team}`,
      paragraphs: [
        `Hello ${firstName},`,
        `An administrator removed you from the team “${team}” and signed you out on all devices. Another member received your tasks and folders there.`,
        'You keep your account in a new team of your own. Sign in with the same address and password.',
      ],
      button: signIn.en,
    }),
    left: (firstName, team) => ({
      subject: `You have left ${team}`,
      paragraphs: [
        `Hello ${firstName},`,
        `You left the team “${team}” and were signed out on all devices. Another member received your tasks and folders there.`,
        'You keep your account in a new team of your own. Sign in with the same address and password.',
      ],
      button: signIn.en,
    }),
    ended: (firstName, team) => ({
      subject: `Your access to ${team} has ended`,
      paragraphs: [
        `Hello ${firstName},`,
        `Your access to the team “${team}” has ended. The team keeps your documents and tasks there.`,
        'Your account and your other teams stay as they are.',
      ],
      button: signIn.en,
    }),
    endsSoon: {
      guest: ({ team, when }) => ({
        subject: `Your access to ${team} ends soon`,
        paragraphs: ['Hello,', `Your access to the team “${team}” ends on ${when}. If you need it longer, ask the team.`],
      }),
      sponsor: ({ team, guest, when }) => ({
        subject: `The access of ${guest} ends soon`,
        paragraphs: [
          'Hello,',
          `The access of your guest ${guest} to the team “${team}” ends on ${when}. You can extend it once. After that an administrator can.`,
        ],
        button: { label: 'Open the members', page: consolePages.settings('members') },
      }),
    },
  },
  de: {
    removed: (firstName, team) => ({
      subject: `Sie gehören nicht mehr zu ${team}`,
      paragraphs: [
        `Guten Tag ${firstName},`,
        `ein Administrator hat Sie aus dem Team „${team}“ entfernt und auf allen Geräten abgemeldet. Ihre dortigen Aufgaben und Ordner hat ein anderes Mitglied übernommen.`,
        'Ihr Konto besteht in einem neuen, eigenen Team weiter. Melden Sie sich mit derselben Adresse und demselben Passwort an.',
      ],
      button: signIn.de,
    }),
    left: (firstName, team) => ({
      subject: `Sie haben ${team} verlassen`,
      paragraphs: [
        `Guten Tag ${firstName},`,
        `Sie haben das Team „${team}“ verlassen und wurden auf allen Geräten abgemeldet. Ihre dortigen Aufgaben und Ordner hat ein anderes Mitglied übernommen.`,
        'Ihr Konto besteht in einem neuen, eigenen Team weiter. Melden Sie sich mit derselben Adresse und demselben Passwort an.',
      ],
      button: signIn.de,
    }),
    ended: (firstName, team) => ({
      subject: `Ihr Zugang zu ${team} ist beendet`,
      paragraphs: [
        `Guten Tag ${firstName},`,
        `Ihr Zugang zum Team „${team}“ ist beendet. Ihre dortigen Dokumente und Aufgaben bleiben beim Team.`,
        'Ihr Konto und Ihre anderen Teams bleiben unverändert.',
      ],
      button: signIn.de,
    }),
    endsSoon: {
      guest: ({ team, when }) => ({
        subject: `Ihr Zugang zu ${team} endet bald`,
        paragraphs: [
          'Guten Tag,',
          `Ihr Zugang zum Team „${team}“ endet am ${when}. Wenn Sie ihn länger brauchen, wenden Sie sich an das Team.`,
        ],
      }),
      sponsor: ({ team, guest, when }) => ({
        subject: `Der Zugang von ${guest} endet bald`,
        paragraphs: [
          'Guten Tag,',
          `der Zugang Ihres Gastes ${guest} zum Team „${team}“ endet am ${when}. Sie können ihn einmal verlängern, danach ein Administrator.`,
        ],
        button: { label: 'Mitglieder öffnen', page: consolePages.settings('members') },
      }),
    },
  },
};

/** Writes the invitation in the language of the inviter, because the language of the invited user is unknown. */
export function invitationMail(locale: string | undefined, to: Invitation): MailText {
  const { team, role, endsAt, zone, by, link, lives } = to;
  const language = languageOf(locale);
  const until = endsAt === null ? undefined : timeInWords(endsAt, language, zone);
  const { button: label, ...draft } = invitationDrafts[language]({ team, role, by, until, valid: inWords(lives, language) });
  return composeMail(language, { ...draft, button: { label, page: link } }, { name: team });
}

export function partingMail(locale: string, reason: 'removed' | 'left', firstName: string, team: string): MailText {
  const language = languageOf(locale);
  return composeMail(language, mails[language][reason](firstName, team));
}

export function endedMail(locale: string, firstName: string, team: string): MailText {
  const language = languageOf(locale);
  return composeMail(language, mails[language].ended(firstName, withoutLinks(team)));
}

export function endsSoonMail(locale: string, { team, guest, endsAt, zone }: EndsSoon, to: 'guest' | 'sponsor'): MailText {
  const language = languageOf(locale);
  const about = { team: withoutLinks(team), guest: withoutLinks(guest), when: timeInWords(endsAt, language, zone) };
  return composeMail(language, mails[language].endsSoon[to](about));
}
