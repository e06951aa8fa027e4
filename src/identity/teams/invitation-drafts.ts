/* The texts of invitations. The console shows them before an invitation is sent, so this file imports no code of the service. */

export type InvitedRole = 'admin' | 'member' | 'viewer' | 'guest' | 'auditor';
/** Data of an invitation: `by` is the inviter, `until` the end of the access in words, `valid` the lifetime of the link in words. */
type InvitationData = { team: string; role: InvitedRole; by: string | undefined; until: string | undefined; valid: string };
type InvitationDraft = { subject: string; paragraphs: string[]; button: string; notes: string[] };

const places = {
  en: { admin: 'an administrator', member: 'a member', viewer: 'a viewer', guest: 'a guest', auditor: 'an auditor' },
  de: { admin: 'Administrator', member: 'Mitglied', viewer: 'Leser', guest: 'Gast', auditor: 'Prüfer' },
};

export const invitationDrafts: Record<'en' | 'de', (to: InvitationData) => InvitationDraft> = {
  en({ team, role, by, until, valid }) {
    const who = by === undefined ? 'You are invited' : `${by} invites you`;
    return {
      subject: `${who} to join ${team}`,
      paragraphs: [
        'Hello,',
        `${who} to join the team “${team}” as ${places.en[role]}.`,
        ...(until === undefined ? [] : [`Your access ends on ${until}.`]),
        `To accept, open this page within ${valid}.`,
      ],
      button: 'Accept the invitation',
      notes: ['The link is only for you. If you do not know the team, ignore this mail.'],
    };
  },
  de({ team, role, by, until, valid }) {
    const who = by === undefined ? 'Sie sind eingeladen' : `${by} lädt Sie ein`;
    return {
      subject: `${who}: ${team}`,
      paragraphs: [
        'Guten Tag,',
        `${who}, dem Team „${team}“ als ${places.de[role]} beizutreten.`,
        ...(until === undefined ? [] : [`Ihr Zugang endet am ${until}.`]),
        `Zum Annehmen öffnen Sie innerhalb von ${valid} diese Seite.`,
      ],
      button: 'Einladung annehmen',
      notes: ['Der Link ist nur für Sie bestimmt. Wenn Sie das Team nicht kennen, ignorieren Sie diese Mail.'],
    };
  },
};
