import { Type } from 'typebox';
import { defineAct, defineEvent } from '../platform/journal/acts.ts';

const role = Type.String();
const successor = '01999999-0000-7000-8000-000000000000';

// `member.joined` is announced by accounts, where a person comes into a team.
export const memberInvited = defineEvent({
  type: 'member.invited',
  target: 'invitation',
  description: 'Somebody was invited to join the team.',
  data: Type.Object({ role }),
  example: { role: 'member' },
});
export const memberRemoved = defineEvent({
  type: 'member.removed',
  target: 'user',
  description: 'A person was removed from the team or left it; `successorId` has taken over their tasks, workflows and folders.',
  data: Type.Object({ role, reason: Type.Union([Type.Literal('removed'), Type.Literal('left')]), successorId: Type.String() }),
  example: { role: 'member', reason: 'removed', successorId: successor },
});
export const memberRoleChanged = defineEvent({
  type: 'member.role_changed',
  target: 'user',
  description: 'A member’s role in the team changed.',
  data: Type.Object({ from: role, to: role }),
  example: { from: 'member', to: 'admin' },
});

export const memberSuspended = defineAct('member.suspended', 'user');
export const memberReactivated = defineAct('member.reactivated', 'user');
export const invitationResent = defineAct('invitation.resent', 'invitation');
export const invitationRevoked = defineAct('invitation.revoked', 'invitation');
export const teamUpdated = defineAct('team.updated', 'team');
export const teamClosed = defineAct('team.closed', 'team');
