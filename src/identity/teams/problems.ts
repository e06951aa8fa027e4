import { defineProblems, problems } from '../../platform/problems.ts';

export const teamProblems = defineProblems({
  self_action_not_allowed: {
    status: 403,
    title: 'Nobody changes their own membership',
    help: 'Your own role and state are for another owner or administrator to change. To go, use `POST /api/v1/team/leave`.',
  },
  role_not_held: {
    status: 403,
    title: 'Nobody gives a role they do not hold',
    help: 'An API client invites members and viewers. Administrators are made by the owner or an administrator, signed in.',
  },
  owner_protected: {
    status: 403,
    title: 'The owner stays the owner',
    help: 'The owner’s role cannot be changed, and the owner can be neither suspended nor removed nor leave. Ownership is handed over first, by the owner, with `POST /api/v1/security/auth/transfer-ownership`.',
  },
  successor_not_found: {
    status: 422,
    title: 'The successor is no active member',
    help: '`successorId` names who takes over tasks, workflows and folders: another active member of the team. Leave it out, and the owner does.',
  },
  already_member: {
    status: 409,
    title: 'Already a member',
    help: 'The person is a member of this team already. Change their role or state with `PATCH /api/v1/team/members/{userId}`.',
  },
  already_invited: {
    status: 409,
    title: 'The address is invited already',
    help: 'One invitation to an address waits at a time. Send it again with `POST /api/v1/team/invitations/{id}/resend`, or delete it first to change its role.',
  },
  invitation_limit: {
    status: 409,
    title: 'Too many invitations are waiting',
    help: 'A team has at most 100 invitations that nobody has accepted yet. Delete those that are no longer wanted.',
  },
  invitation_ended: {
    status: 409,
    title: 'The invitation has ended',
    help: 'The invitation was accepted or deleted. Make a new one.',
  },
  invalid_invitation: {
    status: 400,
    title: 'The invitation is not valid',
    help: 'The link is wrong, was used, deleted or replaced by a newer one, or is too old. Ask the team for a new invitation.',
  },
  invitation_for_another_address: {
    status: 403,
    title: 'The invitation is for another address',
    help: 'You are signed in with another e-mail address than the one that was invited. Sign in with that one, or ask to be invited under yours.',
  },
  member_of_another_team: {
    status: 409,
    title: 'Leave your team first',
    help: 'A person is in one team at a time. Leave the present one with `POST /api/v1/team/leave`, then accept the invitation.',
  },
  team_has_members: {
    status: 409,
    title: 'Your own team has other members',
    help: 'You own a team that others are in. Transfer it to one of them and leave it, or remove them, then accept the invitation.',
  },
  team_not_empty: {
    status: 409,
    title: 'Your own team is still in use',
    help: 'Accepting closes the team that you own alone, which still has folders, documents, workflows, open tasks or webhook endpoints. Delete them, or ask to be invited under another address.',
  },
});

/** The refusal of a change that names none of the members that can be changed; `known` lists them. */
export function nothingToChange(known: string) {
  return problems.validation_failed(`The body names nothing that can be changed. Give ${known}.`, {
    errors: [{ name: 'body', pointer: '', reason: 'names no member that can be changed', rule: 'minProperties' }],
  });
}
