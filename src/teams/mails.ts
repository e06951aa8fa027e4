import { composeMail, type MailText } from '#accounts';

const roles = { admin: 'an administrator', member: 'a member', viewer: 'a viewer' } as const;

export function invitationMail(to: { team: string; role: keyof typeof roles; by: string | undefined; link: string }): MailText {
  const who = to.by === undefined ? 'You are invited' : `${to.by} invites you`;
  return composeMail(`${who} to join ${to.team}`, [
    'Hello,',
    `${who} to join the team “${to.team}” as ${roles[to.role]}.`,
    `To accept, open this link within 72 hours: ${to.link}`,
    'The link is meant for you alone. If you do not know the team, ignore this mail: without the link nothing happens.',
  ]);
}

export function removedMail(firstName: string, team: string, reason: 'removed' | 'left'): MailText {
  return composeMail(reason === 'removed' ? `You were removed from ${team}` : `You have left ${team}`, [
    `Hello ${firstName},`,
    `${reason === 'removed' ? `an administrator has removed you from the team “${team}”` : `you have left the team “${team}”`}, and every device was signed out. Your tasks and folders there went to another member.`,
    'Your account goes on, in a new team of your own: sign in with the same address and password.',
  ]);
}
