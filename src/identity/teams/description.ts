import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const team = {
  id: desk.team.id,
  name: desk.team.name,
  timezone: 'Europe/Berlin',
  ownerId: desk.olivia.id,
  membersCount: 4,
  clientsAwaitTakeover: true,
  createdAt: desk.monday,
  updatedAt: desk.monday,
};

const member = { ...desk.priya, role: 'member', isActive: true, twoFactorEnabled: true, joinedAt: desk.monday, updatedAt: desk.monday };

const invitation = {
  id: desk.invitation,
  email: desk.jonas.email,
  role: 'viewer',
  status: 'pending',
  createdBy: desk.olivia.id,
  createdByType: 'user',
  createdAt: desk.monday,
  sentAt: desk.monday,
  expiresAt: '2026-03-12T08:30:00.000Z',
};

export const quotaUse = [
  { name: 'documents', description: 'documents, those in the bin included', used: 218, limit: 1_000_000, unit: 'documents' },
  {
    name: 'mails',
    description: 'mails sent, apart from those about accounts',
    used: 37,
    limit: 2_000,
    unit: 'mails',
    period: 'day',
    resetsAt: '2026-03-10T00:00:00.000Z',
  },
];

const signedIn = {
  accessToken: desk.accessToken,
  user: { ...desk.jonas, teamId: desk.team.id },
};

export const description: DomainText = {
  operations: {
    getTeam: {
      text: 'Shows the team of whoever asks: its name, owner, time zone and how many people it has. Everybody in it may ask, and an API client with the scope.',
      answer: team,
    },
    updateTeam: {
      text: 'Changes the members that are given. Due dates without a time end with the day of `timezone`. `clientsAwaitTakeover: false` lets programs go on whatever happens to the people who answer for them, and takes a sign-in of the last 15 minutes. A name that mail programs would make a link of is refused, since mails show it. It is for owner and administrators.',
      records: ['team.updated'],
      problems: ['reauthentication_required', 'invalid_timezone', 'name_has_link'],
      body: { name: 'Northwind Legal & Compliance' },
      answer: { ...team, name: 'Northwind Legal & Compliance', updatedAt: desk.tuesday },
    },
    getTeamUsage: {
      text: 'Lists each quota of the team with what is used of it, the limit and its unit; one that is counted over a period says when it begins anew. A count that is used up refuses what would go past it with 409 `quota_exceeded`; mails and deliveries wait instead.',
      answer: { quotas: quotaUse },
    },
    leaveTeam: {
      text: 'Takes the person who asks out of the team, whatever their role, save the owner, who transfers the ownership first. All of their sessions end; signing in again goes on in a new team of their own. What was theirs, tasks, places in steps, documents and folders, goes to the owner, and API clients that they answered for wait for somebody to take them over.',
      records: ['member.removed', 'member.joined'],
      problems: ['owner_protected', 'conflict', 'quota_exceeded'],
    },
    listMembers: {
      text: 'Lists the people of the team, the suspended ones too. Names and roles are for everybody in it; addresses and whether somebody has a second factor for owner, administrators and API clients.',
      answer: [member],
    },
    getMember: {
      text: 'Shows one person of the team. Somebody who has left is 404, though what they did still names them. Addresses are for owner, administrators and API clients.',
      answer: member,
    },
    updateMember: {
      text: 'Gives a member another role, suspends them with `isActive: false`, or brings them back. It counts at their next request, on every node. Suspending ends their sessions and leaves their tasks as they are. `addressReleased: true` lets an address go that the team’s provider manages. Nobody changes themself, and nobody the owner; giving more takes a sign-in of the last 15 minutes.',
      records: ['member.role_changed', 'member.suspended'],
      problems: ['reauthentication_required', 'self_action_not_allowed', 'owner_protected'],
      body: { role: 'admin' },
      answer: { ...member, role: 'admin', updatedAt: desk.tuesday },
    },
    removeMember: {
      text: 'Takes a person out of the team. Their sessions end at once, they get a mail, and go on in a new team of their own with the same address and password. Open tasks, places in steps, documents and folders go to the owner, or to the active member that `successorId` names. In the team stays a tombstone without personal data, so that what names them still resolves. A repetition is 404.',
      records: ['member.removed', 'member.joined'],
      problems: ['self_action_not_allowed', 'owner_protected', 'conflict', 'quota_exceeded', 'successor_not_found'],
    },
    listInvitations: {
      text: 'Lists the invitations that wait, or with `status` those that were accepted, ended or have expired. What has ended is dropped after 30 days, with the address in it.',
      answer: [invitation],
    },
    inviteMember: {
      text: 'Mails an address an invitation into the team. Its link is good for 72 hours, once. One invitation to an address waits in a team, 100 in all; an address gets five an hour over all teams. Inviting an administrator takes a person who signed in within 15 minutes; API clients invite members and viewers. A repetition is 409 `already_invited`, or with an `Idempotency-Key` the same answer again, and no second mail.',
      records: ['member.invited'],
      problems: ['reauthentication_required', 'role_not_held', 'already_member', 'already_invited', 'invitation_limit', 'quota_exceeded'],
      body: { email: desk.jonas.email, role: 'viewer' },
      answer: invitation,
    },
    getInvitation: {
      text: 'Shows one invitation, whatever has become of it, until it is dropped 30 days after its end. The token of its link is nowhere to be read: only its hash is kept.',
      answer: invitation,
    },
    deleteInvitation: {
      text: 'Ends an invitation that waits: its link opens nothing any more. API clients end invitations of members and viewers alone. One that was accepted or ended before is 409 `invitation_ended`.',
      records: ['invitation.revoked'],
      problems: ['role_not_held', 'invitation_ended'],
    },
    resendInvitation: {
      text: 'Mails a new link for an invitation that waits or has expired, good for another 72 hours; the one before is void. One invitation goes out at most once a minute, and counts against the same limits as a new one.',
      records: ['invitation.resent'],
      problems: ['reauthentication_required', 'role_not_held', 'invitation_ended', 'quota_exceeded'],
      answer: { ...invitation, sentAt: desk.tuesday, expiresAt: '2026-03-13T09:15:00.000Z' },
    },
    listWaitingInvitations: {
      text: 'Lists the invitations of other teams that wait for the address of the person who asks. They are accepted by `acceptInvitation` with their identifier, so that whoever registered instead of following the link loses nothing.',
      answer: [{ id: desk.invitation, teamName: desk.team.name, role: 'viewer', expiresAt: invitation.expiresAt }],
    },
    previewInvitation: {
      text: 'Says what the link of an invitation opens: which team invites whom as what, and whether the address has an account to sign in with. It is what a page asks before it asks the person. Wrong, used, replaced and expired links are all one 400, and many wrong ones slow down the address they come from.',
      problems: ['invalid_invitation'],
      body: { token: desk.refreshToken },
      answer: { teamName: desk.team.name, email: desk.jonas.email, role: 'viewer', expiresAt: invitation.expiresAt, hasAccount: false },
    },
    acceptInvitation: {
      text: 'Joins the team that an invitation is from. Without an account, the token of the link with a name and a password registers and signs in: the answer is 201, and no code is asked for, since the mail has proven the address. With an account, sign in with the invited address and send the token or the `invitationId`: the sessions of before end, and the answer, 200, carries a new one. Nobody leaves another team by this, and nothing of one’s own team is deleted. A link is good once: a repetition is 400 `invalid_invitation`.',
      records: ['member.joined', 'user.registered', 'user.email_verified', 'login.succeeded'],
      problems: [
        'unauthenticated',
        'forbidden',
        'sso_required',
        'not_found',
        'account_exists',
        'invalid_invitation',
        'invitation_for_another_address',
        'already_member',
        'member_of_another_team',
        'team_has_members',
        'team_not_empty',
        'name_has_link',
      ],
      body: { token: desk.refreshToken, firstName: 'Jonas', lastName: 'Weber', password: 'Sealed-with-green-wax' },
      answer: signedIn,
    },
  },
  members: {
    'Team.ownerId': 'The person who owns it',
    'UpdateTeamRequest.clientsAwaitTakeover': 'Whether API clients that may write wait for somebody else when who answers for them goes',
    'Member.isActive': '`false` while they are suspended',
    'UpdateMemberRequest.isActive': '`false` suspends them, `true` brings them back',
    'Member.joinedAt': 'When they came into the team',
    twoFactorEnabled: 'Whether a second factor is asked for when they sign in',
    teamName: 'The name of the team that invites',
    'Invitation.status': '`pending`, `expired`, `accepted` or `revoked`',
    'Invitation.acceptedBy': 'Who accepted it',
    'Invitation.sentAt': 'When its last mail was written',
    'Invitation.endedAt': 'When it was accepted or revoked',
    'AcceptInvitationRequest.password': 'For the account that comes into being',
    quotas: 'One for each quota',
    'QuotaUse.used': 'What is used of it',
    'QuotaUse.limit': 'How much there may be at most',
    'QuotaUse.unit': 'In what it is counted',
  },
};
