import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { OperationText } from '../../../platform/http/openapi/texts.ts';

const { id, email, firstName, lastName } = desk.olivia;
const profile = {
  id,
  email,
  firstName,
  lastName,
  teamId: desk.team.id,
  onboardingCompletedAt: desk.monday,
  role: 'owner',
  timezone: 'Europe/Berlin',
  twoFactorEnabled: true,
};

/** The operations of the profile, notification settings, sign-in address and account deletion. */
export const profileOperations: Record<string, OperationText> = {
  getProfile: {
    text: 'Shows the caller’s name, address, role, team, time zone and state of the second factor.',
    answer: profile,
  },
  updateProfile: {
    text: 'Changes the given members. A new address applies after `confirmEmailChange` confirms its mailed code, and needs a sign-in of the last 15 minutes. If the team’s provider signs the user in, the team manages the address. The profile may be sent back as it was read; a changed read-only member is a 422. A name that mail programs would turn into a link is rejected. After a sign-in through a provider, a person with other teams also needs their own password, code or passkey to change the name.',
    records: ['profile.updated'],
    problems: ['reauthentication_required', 'address_managed_by_team', 'field_read_only', 'invalid_timezone', 'name_has_link'],
    body: { timezone: 'Europe/Berlin', locale: 'de' },
    answer: { id, email, firstName, lastName, message: 'The profile was changed.' },
  },
  deleteProfile: {
    text: 'Deletes the caller’s account. Their sessions end, their personal data is erased, and their address can be registered again. Their resources in the team go to its owner. An owner with other members must transfer the ownership first. For a sole owner the team is closed too, unless it has active legal holds. The journal keeps its entries without personal data. It needs a sign-in of the last 15 minutes and cannot be undone.',
    records: ['user.deleted', 'team.closed'],
    problems: [
      'reauthentication_required',
      'account_managed_by_team',
      'team_owner_must_transfer',
      'team_legal_hold_active',
      'quota_exceeded',
    ],
    answer: { message: 'The account was deleted.' },
  },
  getNotificationSettings: {
    text: 'Shows which mails the caller gets, and when. Mails about the account itself, for example about a new device, are always sent.',
    answer: { taskAssigned: 'daily' },
  },
  updateNotificationSettings: {
    text: 'Sets which mails the caller gets, and when. Mails about tasks from other users come at once, once a day at 07:00 in their time zone, or never. It applies from the next task on.',
    records: ['profile.updated'],
    body: { taskAssigned: 'daily' },
    answer: { taskAssigned: 'daily' },
  },
  confirmEmailChange: {
    text: 'Confirms a new address with its mailed code. From then on it is the address for sign-ins, and the old address gets a mail. A code is valid for ten minutes, five attempts and once.',
    records: ['email.changed'],
    problems: ['address_managed_by_team', 'invalid_or_expired_code'],
    body: { code: '428913' },
    answer: profile,
  },
  transferOwnership: {
    text: 'Makes another active member the owner of the team, and the calling owner an administrator, in one step. A team always has exactly one owner. The roles apply to the next request of both. It needs a sign-in of the last 15 minutes, and both get a mail.',
    records: ['team.ownership_transferred'],
    problems: ['reauthentication_required', 'member_not_found', 'not_team_owner', 'already_owner'],
    body: { newOwnerId: desk.marcus.id },
    answer: { message: 'The team has its new owner. You are an administrator of it now.' },
  },
};
