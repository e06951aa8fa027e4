import { inWords } from '../../platform/lifetimes.ts';
import { timeInWords } from '../../platform/time-in-words.ts';
import { withoutLinks } from '../../platform/text.ts';
import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';

type Invited = 'admin' | 'member' | 'viewer' | 'guest' | 'auditor';
type Invitation = { team: string; role: Invited; endsAt: string | null; zone: string; by: string | undefined; link: string; lives: number };

/** The mails of this domain in one language. */
type TeamMails = {
  invitation(to: Invitation): MailDraft;
  removed(firstName: string, team: string): MailDraft;
  left(firstName: string, team: string): MailDraft;
  ended(firstName: string, team: string): MailDraft;
  /** Before the end, to the guest and to the sponsor. */
  endsSoon: Record<'guest' | 'sponsor', (about: { team: string; guest: string; when: string }) => MailDraft>;
};

/** The end of a guest, in a time zone. */
type EndsSoon = { team: string; guest: string; endsAt: string; zone: string };

const places: Record<Language, Record<Invited, string>> = {
  en: { admin: 'an administrator', member: 'a member', viewer: 'a viewer', guest: 'a guest', auditor: 'an auditor' },
  de: { admin: 'Administrator', member: 'Mitglied', viewer: 'Leser', guest: 'Gast', auditor: 'Prüfer' },
};

const mails: Record<Language, TeamMails> = {
  en: {
    invitation({ team, role, endsAt, zone, by, link, lives }) {
      const who = by === undefined ? 'You are invited' : `${by} invites you`;
      return {
        subject: `${who} to join ${team}`,
        paragraphs: [
          'Hello,',
          `${who} to join the team “${team}” as ${places.en[role]}.`,
          ...(endsAt === null ? [] : [`Your access ends on ${timeInWords(endsAt, 'en', zone)}.`]),
          `To accept, open this link within ${inWords(lives)}: ${link}`,
          'The link is only for you. If you do not know the team, ignore this mail.',
        ],
      };
    },
    removed: (firstName, team) => ({
      subject: `You were removed from ${team}`,
      paragraphs: [
        `Hello ${firstName},`,
        `an administrator removed you from the team “${team}” and signed you out on all devices. Another member received your tasks and folders there.`,
        'You keep your account in a new team of your own. Sign in with the same address and password.',
      ],
    }),
    left: (firstName, team) => ({
      subject: `You have left ${team}`,
      paragraphs: [
        `Hello ${firstName},`,
        `you left the team “${team}” and were signed out on all devices. Another member received your tasks and folders there.`,
        'You keep your account in a new team of your own. Sign in with the same address and password.',
      ],
    }),
    ended: (firstName, team) => ({
      subject: `Your access to ${team} has ended`,
      paragraphs: [
        `Hello ${firstName},`,
        `your access to the team “${team}” has ended. The team keeps your documents and tasks there.`,
        'Your account and your other teams stay as they are.',
      ],
    }),
    endsSoon: {
      guest: ({ team, when }) => ({
        subject: `Your access to ${team} ends soon`,
        paragraphs: ['Hello,', `your access to the team “${team}” ends on ${when}. If you need it longer, ask the team.`],
      }),
      sponsor: ({ team, guest, when }) => ({
        subject: `The access of ${guest} ends soon`,
        paragraphs: [
          'Hello,',
          `the access of your guest ${guest} to the team “${team}” ends on ${when}. You can extend it once. After that an administrator can.`,
        ],
      }),
    },
  },
  de: {
    invitation({ team, role, endsAt, zone, by, link, lives }) {
      const who = by === undefined ? 'Sie sind eingeladen' : `${by} lädt Sie ein`;
      return {
        subject: `${who}: ${team}`,
        paragraphs: [
          'Guten Tag,',
          `${who}, dem Team „${team}“ als ${places.de[role]} beizutreten.`,
          ...(endsAt === null ? [] : [`Ihr Zugang endet am ${timeInWords(endsAt, 'de', zone)}.`]),
          `Zum Annehmen öffnen Sie innerhalb von ${inWords(lives, 'de')} diesen Link: ${link}`,
          'Der Link ist nur für Sie bestimmt. Wenn Sie das Team nicht kennen, ignorieren Sie diese Mail.',
        ],
      };
    },
    removed: (firstName, team) => ({
      subject: `Sie gehören nicht mehr zu ${team}`,
      paragraphs: [
        `Guten Tag ${firstName},`,
        `ein Administrator hat Sie aus dem Team „${team}“ entfernt und auf allen Geräten abgemeldet. Ihre dortigen Aufgaben und Ordner hat ein anderes Mitglied übernommen.`,
        'Ihr Konto besteht in einem neuen, eigenen Team weiter. Melden Sie sich mit derselben Adresse und demselben Passwort an.',
      ],
    }),
    left: (firstName, team) => ({
      subject: `Sie haben ${team} verlassen`,
      paragraphs: [
        `Guten Tag ${firstName},`,
        `Sie haben das Team „${team}“ verlassen und wurden auf allen Geräten abgemeldet. Ihre dortigen Aufgaben und Ordner hat ein anderes Mitglied übernommen.`,
        'Ihr Konto besteht in einem neuen, eigenen Team weiter. Melden Sie sich mit derselben Adresse und demselben Passwort an.',
      ],
    }),
    ended: (firstName, team) => ({
      subject: `Ihr Zugang zu ${team} ist beendet`,
      paragraphs: [
        `Guten Tag ${firstName},`,
        `Ihr Zugang zum Team „${team}“ ist beendet. Ihre dortigen Dokumente und Aufgaben bleiben beim Team.`,
        'Ihr Konto und Ihre anderen Teams bleiben unverändert.',
      ],
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
      }),
    },
  },
};

/** Writes the invitation in the language of the inviter, because the language of the invited user is unknown. */
export function invitationMail(locale: string | undefined, to: Invitation): MailText {
  const language = languageOf(locale);
  return composeMail(language, { ...mails[language].invitation(to), page: to.link }, { name: to.team });
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
