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

/** What the person says of themself, how they are told of things, and how they go. */
export const profileOperations: Record<string, OperationText> = {
  getProfile: {
    text: 'Shows the person who asks: their name, address and role, the team they are in, their time zone, and whether they have a second factor.',
    answer: profile,
  },
  updateProfile: {
    text: 'Changes the members that are given. A new address counts once the code that is mailed to it is confirmed by `confirmEmailChange`, and takes a sign-in of the last 15 minutes; of a person whom the team’s provider signs in, the team manages it. The profile may be sent back as it was read; another value of what cannot be changed here is a 422. A name that mail programs would make a link of is refused.',
    records: ['profile.updated'],
    problems: ['reauthentication_required', 'address_managed_by_team', 'field_read_only', 'invalid_timezone', 'name_has_link'],
    body: { timezone: 'Europe/Berlin', locale: 'de' },
    answer: { id, email, firstName, lastName, message: 'The profile was changed.' },
  },
  deleteProfile: {
    text: 'Deletes the account of the person who asks. Their sessions end, their personal data are erased and their address is free again; what was theirs in the team goes to its owner. An owner with other members hands the team over first; one who is alone takes the team along, and it is closed, which it is not while legal holds stand in it. The journal keeps what happened and names a tombstone. It takes a sign-in of the last 15 minutes and cannot be undone.',
    records: ['user.deleted', 'team.closed'],
    problems: ['reauthentication_required', 'team_owner_must_transfer', 'team_legal_hold_active', 'quota_exceeded'],
    answer: { message: 'The account was deleted.' },
  },
  getNotificationSettings: {
    text: 'Shows what the person is told of by mail, and when. Mails about the account itself, such as about a new device, are always sent.',
    answer: { taskAssigned: 'daily' },
  },
  updateNotificationSettings: {
    text: 'Chooses what the person is told of by mail, and when: of tasks that others give them at once, once a day at seven in the morning of their time zone, or never. It holds from the next task on.',
    records: ['profile.updated'],
    body: { taskAssigned: 'daily' },
    answer: { taskAssigned: 'daily' },
  },
  confirmEmailChange: {
    text: 'Confirms a new address with the code that was mailed to it. From then on one signs in with it, and the old address is told by mail. A code is good for ten minutes, five tries and once.',
    records: ['email.changed'],
    problems: ['address_managed_by_team', 'invalid_or_expired_code'],
    body: { code: '428913' },
    answer: profile,
  },
  transferOwnership: {
    text: 'Makes another active member the owner of the team, and the owner who asks an administrator, in one step: a team has exactly one owner at every moment. The roles count at the next request of either. It takes a sign-in of the last 15 minutes, and both are told by mail.',
    records: ['team.ownership_transferred'],
    problems: ['reauthentication_required', 'member_not_found', 'not_team_owner', 'already_owner'],
    body: { newOwnerId: desk.marcus.id },
    answer: { message: 'The team has its new owner. You are an administrator of it now.' },
  },
};
