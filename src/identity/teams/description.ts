import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const team = {
  id: desk.team.id,
  name: desk.team.name,
  timezone: 'Europe/Berlin',
  ownerId: desk.olivia.id,
  membersCount: 4,
  clientsAwaitTakeover: true,
  fourEyes: false,
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
  { name: 'documents', description: 'documents, including those in the bin', used: 218, limit: 1_000_000, unit: 'documents' },
  {
    name: 'mails',
    description: 'mails sent, except those about accounts',
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

const policy = { secondFactor: true, sessionHours: 12, guestDaysMax: 90, guestDomains: [], membersMaySponsor: false };

export const description: DomainText = {
  operations: {
    getTeam: {
      text: 'Shows the team of the caller: its name, owner, time zone and number of members. All members and API clients with the scope can call it.',
      answer: team,
    },
    updateTeam: {
      text: 'Changes the given members. Due dates without a time end with the day of `timezone`. `clientsAwaitTakeover: false` keeps API clients active when their responsible users leave or are reset. With `fourEyes`, no decision is made by the creator of the workflow, the uploader of the version or a submitter of its forms. A step that names them waits for another assignee. To set either to `false`, sign in during the last 15 minutes. A name that mail programs would turn into a link is rejected, because mails show it. Only owner and administrators can call it.',
      records: ['team.updated'],
      problems: ['reauthentication_required', 'invalid_timezone', 'name_has_link'],
      body: { name: 'Northwind Legal & Compliance' },
      answer: { ...team, name: 'Northwind Legal & Compliance', updatedAt: desk.tuesday },
    },
    getTeamPolicy: {
      text: 'Shows the rules of the team for sign-ins and guests. `sessionHours` are the hours after which a sign-in must be proven again. Allowed are owner and administrators.',
      answer: policy,
    },
    putTeamPolicy: {
      text: 'Replaces the rules of the team, for the owner. Omitted members get their defaults. They apply at the next request of each member. With `secondFactor`, a sign-in without a second factor reaches the own profile only, to set one up. After `sessionHours` a member proves the sign-in again. `guestDaysMax` and `guestDomains` apply to new guests and new ends. With `membersMaySponsor` members invite guests to folders and documents that they own. Needs a sign-in of the last 15 minutes.',
      records: ['team.policy_changed'],
      problems: ['reauthentication_required', 'policy_locks_you_out'],
      body: { secondFactor: true, sessionHours: 12, guestDaysMax: 90 },
      answer: policy,
    },
    getTeamUsage: {
      text: 'Lists each quota of the team with its usage, limit and unit; a periodic quota also has the start of its next period. A full count gives 409 `quota_exceeded`; mails and deliveries wait instead.',
      answer: { quotas: quotaUse },
    },
    leaveTeam: {
      text: 'Removes the caller from the team. The owner must transfer the ownership first. All sessions of the caller end; the next sign-in is in a new team of their own. Their tasks, step assignments, documents and folders go to the owner. Their API clients wait for a takeover.',
      records: ['member.removed', 'member.joined'],
      problems: ['owner_protected', 'conflict', 'quota_exceeded'],
    },
    listMembers: {
      text: 'Lists the members of the team, including suspended ones. All members see names and roles. Owner, administrators and API clients also see addresses and the state of the second factor.',
      answer: [member],
    },
    getMember: {
      text: 'Shows one member of the team. A former member returns 404, although their past actions still name them. Addresses are visible to owner, administrators and API clients.',
      answer: member,
    },
    updateMember: {
      text: 'Changes the role of a member, suspends them with `isActive: false`, or reactivates them. It applies to their next request, on every node. A suspension ends their sessions and leaves their tasks as they are. `addressReleased: true` releases an address that the team’s provider manages. `role: guest` makes a member a guest until `endsAt`, with access by shares only. As a member again they keep these shares. The sponsor of a guest, without `team:write`, can change `endsAt` and extend it once. API clients cannot call it. Callers cannot change themselves or the owner. Activate a member deactivated by a directory in the directory. Granting more rights needs a sign-in of the last 15 minutes.',
      records: ['member.role_changed', 'member.suspended', 'member.end_changed', 'member.sponsor_changed'],
      problems: [
        'reauthentication_required',
        'self_action_not_allowed',
        'owner_protected',
        'managed_by_directory',
        'auditor_seat',
        'end_required',
        'end_too_far',
        'guest_domain_refused',
        'sponsor_not_found',
      ],
      body: { role: 'admin' },
      answer: { ...member, role: 'admin', updatedAt: desk.tuesday },
    },
    removeMember: {
      text: 'Removes a member from the team. Their sessions end at once, they get a mail, and continue in a new team of their own with the same address and password. Open tasks, step assignments, documents and folders go to the owner, or to the active member `successorId`. The team keeps a record without personal data, so that references still resolve. Repeating the request returns 404.',
      records: ['member.removed', 'member.joined'],
      problems: ['self_action_not_allowed', 'owner_protected', 'conflict', 'quota_exceeded', 'successor_not_found'],
    },
    listInvitations: {
      text: 'Lists the pending invitations. With `status` it lists accepted, ended or expired ones. Ended invitations are deleted after 30 days with their address.',
      answer: [invitation],
    },
    inviteMembers: {
      text: 'Invites up to 100 users, each by the rules of `inviteMember` and in a separate transaction. The response is 200 even if some fail, with a result for each item in its order. A duplicate is a 400, and nothing changes. With an `Idempotency-Key` a repetition returns completed items again and retries failed ones.',
      records: ['member.invited'],
      body: { items: [{ email: desk.jonas.email, role: 'viewer' }] },
      answer: { results: [{ email: desk.jonas.email, status: 201, invitation }] },
    },
    inviteMember: {
      text: 'Mails an invitation to the team. Its link is valid for 72 hours, once. A team has one pending invitation for an address and 100 in all; an address gets five an hour over all teams. Inviting an administrator needs a user who signed in within 15 minutes; API clients invite members, viewers and guests. A guest needs `endsAt`. The sponsor is `sponsorId`, or the caller. On joining, the guest gets the folders and documents in `access`, which the caller may share. If the policy allows it, members without `team:write` invite guests to their own folders and documents. Repeating the request returns 409 `already_invited`. With an `Idempotency-Key` it returns the same response and sends no second mail.',
      records: ['member.invited'],
      problems: [
        'reauthentication_required',
        'role_not_held',
        'already_member',
        'team_limit',
        'already_invited',
        'invitation_limit',
        'quota_exceeded',
        'end_required',
        'end_too_far',
        'guest_domain_refused',
        'sponsor_not_found',
        'access_not_shareable',
      ],
      body: { email: desk.jonas.email, role: 'viewer' },
      answer: invitation,
    },
    getInvitation: {
      text: 'Shows an invitation in any status until its deletion 30 days after its end. The token of its link cannot be read: only its hash is stored.',
      answer: invitation,
    },
    deleteInvitation: {
      text: 'Ends a pending invitation and invalidates its link. API clients end only invitations of members, viewers and guests. An accepted or ended invitation returns 409 `invitation_ended`.',
      records: ['invitation.revoked'],
      problems: ['role_not_held', 'invitation_ended'],
    },
    resendInvitation: {
      text: 'Mails a new link for a pending or expired invitation, valid for another 72 hours. The previous link becomes invalid. An invitation is sent at most once a minute, and counts toward the same limits as a new one.',
      records: ['invitation.resent'],
      problems: ['reauthentication_required', 'role_not_held', 'invitation_ended', 'quota_exceeded'],
      answer: { ...invitation, sentAt: desk.tuesday, expiresAt: '2026-03-13T09:15:00.000Z' },
    },
    listWaitingInvitations: {
      text: 'Lists pending invitations of other teams to the address of the caller. Accept one by its identifier with `acceptInvitation`, for example after a registration without the link. Empty after a sign-in through a provider without an own password, code or passkey.',
      answer: [{ id: desk.invitation, teamName: desk.team.name, role: 'viewer', expiresAt: invitation.expiresAt }],
    },
    previewInvitation: {
      text: 'Shows the team, inviter and role of an invitation link, and whether the address has an account. A page calls it before it asks the user. Wrong, used, replaced and expired links are the same 400. Many wrong links slow down their source address.',
      problems: ['invalid_invitation'],
      body: { token: desk.refreshToken },
      answer: { teamName: desk.team.name, email: desk.jonas.email, role: 'viewer', expiresAt: invitation.expiresAt, hasAccount: false },
    },
    acceptInvitation: {
      text: 'Joins the team of an invitation. Without an account, the link token with a name and a password registers and signs in. The response is 201, without a code, because the mail has proven the address. With an account, sign in with the invited address and send the token or the `invitationId`. The sign-in continues in the team, and the response, 200, has its tokens. Other memberships stay. The team of the access token closes if the caller owns it alone and it is empty. A link works once: using it again returns 400 `invalid_invitation`.',
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
        'team_limit',
        'name_has_link',
      ],
      body: { token: desk.refreshToken, firstName: 'Jonas', lastName: 'Weber', password: 'Sealed-with-green-wax' },
      answer: signedIn,
    },
  },
  members: {
    'Team.ownerId': 'The owner of the team',
    'UpdateTeamRequest.clientsAwaitTakeover':
      'Whether API clients with write scopes are suspended until a takeover when their responsible user leaves',
    'Member.isActive': '`false` while the member is suspended',
    'UpdateMemberRequest.isActive': '`false` suspends the member, `true` reactivates them',
    'Member.joinedAt': 'The time when the member joined the team',
    twoFactorEnabled: 'Whether a sign-in needs a second factor',
    teamName: 'The name of the inviting team',
    'Invitation.status': '`pending`, `expired`, `accepted` or `revoked`',
    'Invitation.acceptedBy': 'The user who accepted it',
    'Invitation.sentAt': 'The time of its last mail',
    'Invitation.endedAt': 'The time when it was accepted or revoked',
    'AcceptInvitationRequest.password': 'The password of the new account',
    quotas: 'One for each quota',
    'QuotaUse.used': 'The usage',
    'QuotaUse.limit': 'The maximum usage',
    'QuotaUse.unit': 'The unit',
  },
};
