import { defineProblems, problems } from '../../platform/problems.ts';

export const teamProblems = defineProblems({
  self_action_not_allowed: {
    status: 403,
    title: 'You cannot change your own membership',
    help: 'Ask another owner or administrator. To leave the team, use `POST /api/v1/team/leave`.',
  },
  role_not_held: {
    status: 403,
    title: 'You cannot grant this role',
    help: 'An API client invites members and viewers. The owner or an administrator, signed in, appoints administrators.',
  },
  policy_locks_you_out: {
    status: 409,
    title: 'The policy would lock you out',
    help: 'The policy requires a second factor, and you signed in without one. Set up a second factor or sign in with it, and send the request again.',
  },
  managed_by_directory: {
    status: 409,
    title: 'A directory manages this member',
    help: 'A directory of the team has deactivated the member. Activate the user in the directory, or remove the member.',
  },
  owner_protected: {
    status: 403,
    title: 'Owner protected',
    help: 'The owner’s role cannot be changed, and the owner cannot be suspended, removed or leave. The owner first transfers the ownership with `POST /api/v1/security/auth/transfer-ownership`.',
  },
  successor_not_found: {
    status: 422,
    title: 'Successor not found',
    help: '`successorId` must name another active member of the team, who receives tasks, workflows and folders. If omitted, the owner receives them.',
  },
  already_member: {
    status: 409,
    title: 'Already a member',
    help: 'The user is already a member of this team. Change their role or state with `PATCH /api/v1/team/members/{userId}`.',
  },
  already_invited: {
    status: 409,
    title: 'Address already invited',
    help: 'An address has one pending invitation at a time. Send it again with `POST /api/v1/team/invitations/{id}/resend`, or delete it first to change its role.',
  },
  invitation_limit: {
    status: 409,
    title: 'Too many pending invitations',
    help: 'A team has at most 100 pending invitations. Delete those that are no longer needed.',
  },
  end_required: {
    status: 422,
    title: 'End required',
    help: 'A guest or auditor has an end in the future. Send `endsAt`.',
  },
  end_too_far: {
    status: 422,
    title: 'End too far',
    help: 'The end of a guest can be at most `guestDaysMax` days from now: `GET /api/v1/team/policy` shows this number. The end of an auditor can be at most 400 days from now. Send an earlier `endsAt`.',
  },
  guest_domain_refused: {
    status: 422,
    title: 'Domain not allowed for guests',
    help: 'The policy of the team does not allow guests of this domain, or the team has verified the domain itself. Invite people of your organisation as members or viewers.',
  },
  sponsor_not_found: {
    status: 422,
    title: 'Sponsor not found',
    help: '`sponsorId` must name another active owner, administrator or member of the team. They answer for the guest and receive the guest’s work at the end.',
  },
  access_not_shareable: {
    status: 422,
    title: 'Resource cannot be shared',
    help: '`access` names a folder or document that does not exist or that you may not share. Its owner and administrators may.',
  },
  auditor_seat: {
    status: 409,
    title: 'The member is an auditor',
    help: 'The role of an auditor cannot change. `PATCH /api/v1/team/auditors/{id}` changes the seat. To give the person another role, remove the auditor and invite them again.',
  },
  invitation_ended: {
    status: 409,
    title: 'The invitation has ended',
    help: 'The invitation was accepted or deleted. Create a new one.',
  },
  invalid_invitation: {
    status: 400,
    title: 'Invalid invitation',
    help: 'The link is wrong, used, deleted, replaced by a newer one, or expired. Ask the team for a new invitation.',
  },
  invitation_for_another_address: {
    status: 403,
    title: 'The invitation is for another address',
    help: 'Your account does not have the email address of the invitation. Sign in with the invited address, or ask for an invitation to your address.',
  },
});

/** The error for a body without any member that can be changed. `known` lists those members. */
export function nothingToChange(known: string) {
  return problems.validation_failed(`The body has no member that can be changed. Send ${known}.`, {
    errors: [{ name: 'body', pointer: '', reason: 'has no member that can be changed', rule: 'minProperties' }],
  });
}
