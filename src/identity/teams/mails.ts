import { inWords } from '../../platform/lifetimes.ts';
import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';

type Invited = 'admin' | 'member' | 'viewer';
type Invitation = { team: string; role: Invited; by: string | undefined; link: string; lives: number };

/** The mails of this domain in one language. */
type TeamMails = {
  invitation(to: Invitation): MailDraft;
  removed(firstName: string, team: string): MailDraft;
  left(firstName: string, team: string): MailDraft;
};

const places: Record<Language, Record<Invited, string>> = {
  en: { admin: 'an administrator', member: 'a member', viewer: 'a viewer' },
  de: { admin: 'Administrator', member: 'Mitglied', viewer: 'Leser' },
};

const mails: Record<Language, TeamMails> = {
  en: {
    invitation({ team, role, by, link, lives }) {
      const who = by === undefined ? 'You are invited' : `${by} invites you`;
      return {
        subject: `${who} to join ${team}`,
        paragraphs: [
          'Hello,',
          `${who} to join the team “${team}” as ${places.en[role]}.`,
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
  },
  de: {
    invitation({ team, role, by, link, lives }) {
      const who = by === undefined ? 'Sie sind eingeladen' : `${by} lädt Sie ein`;
      return {
        subject: `${who}: ${team}`,
        paragraphs: [
          'Guten Tag,',
          `${who}, dem Team „${team}“ als ${places.de[role]} beizutreten.`,
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
