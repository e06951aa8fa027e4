import { inWords } from '../../platform/lifetimes.ts';
import { composeMail, type Language, languageOf, type MailDraft, type MailText } from '../../platform/mail/compose.ts';

type Invited = 'admin' | 'member' | 'viewer';
type Invitation = { team: string; role: Invited; by: string | undefined; link: string; lives: number };

/** Every mail of this part, in one language. */
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
          'The link is meant for you alone. If you do not know the team, ignore this mail: without the link nothing happens.',
        ],
      };
    },
    removed: (firstName, team) => ({
      subject: `You were removed from ${team}`,
      paragraphs: [
        `Hello ${firstName},`,
        `an administrator has removed you from the team “${team}”, and every device was signed out. Your tasks and folders there went to another member.`,
        'Your account goes on, in a new team of your own: sign in with the same address and password.',
      ],
    }),
    left: (firstName, team) => ({
      subject: `You have left ${team}`,
      paragraphs: [
        `Hello ${firstName},`,
        `you have left the team “${team}”, and every device was signed out. Your tasks and folders there went to another member.`,
        'Your account goes on, in a new team of your own: sign in with the same address and password.',
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
          `${who}, dem Team „${team}“ beizutreten, als ${places.de[role]}.`,
          `Zum Annehmen öffnen Sie innerhalb von ${inWords(lives, 'de')} diesen Link: ${link}`,
          'Der Link ist nur für Sie bestimmt. Kennen Sie das Team nicht, brauchen Sie nichts zu tun: Ohne den Link geschieht nichts.',
        ],
      };
    },
    removed: (firstName, team) => ({
      subject: `Sie gehören nicht mehr zu ${team}`,
      paragraphs: [
        `Guten Tag ${firstName},`,
        `die Verwaltung hat Sie aus dem Team „${team}“ entfernt, und alle Geräte wurden abgemeldet. Ihre Aufgaben und Ordner dort gingen an ein anderes Mitglied.`,
        'Ihr Konto besteht weiter, in einem eigenen neuen Team: Melden Sie sich mit derselben Adresse und demselben Passwort an.',
      ],
    }),
    left: (firstName, team) => ({
      subject: `Sie haben ${team} verlassen`,
      paragraphs: [
        `Guten Tag ${firstName},`,
        `Sie haben das Team „${team}“ verlassen, und alle Geräte wurden abgemeldet. Ihre Aufgaben und Ordner dort gingen an ein anderes Mitglied.`,
        'Ihr Konto besteht weiter, in einem eigenen neuen Team: Melden Sie sich mit derselben Adresse und demselben Passwort an.',
      ],
    }),
  },
};

/** In the language of whoever invites: of the invited nothing is known yet. */
export function invitationMail(locale: string | undefined, to: Invitation): MailText {
  const language = languageOf(locale);
  return composeMail(language, { ...mails[language].invitation(to), page: to.link }, { name: to.team });
}

export function partingMail(locale: string, reason: 'removed' | 'left', firstName: string, team: string): MailText {
  const language = languageOf(locale);
  return composeMail(language, mails[language][reason](firstName, team));
}
